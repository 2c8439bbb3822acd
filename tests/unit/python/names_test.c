/* Scopes, and what dotted expressions mean. */
#include "unit/python/layers.h"

static void dotted_expressions_resolve(void **state)
{
    static const struct {
        const char *text; /* the last statement is the expression tested */
        const char *path; /* NULL: none */
        enum name_origin origin;
        enum confidence confidence;
    } rows[] = {
        {"import torch\ntorch.nn.Linear", "torch.nn.Linear", NAME_IMPORT, CONFIDENCE_HIGH},
        {"import torch.nn as N\nN.Linear", "torch.nn.Linear", NAME_IMPORT, CONFIDENCE_HIGH},
        {"from torch import nn\nnn.Linear", "torch.nn.Linear", NAME_IMPORT, CONFIDENCE_HIGH},
        {"from torch.nn import Linear as L\nL", "torch.nn.Linear", NAME_IMPORT, CONFIDENCE_HIGH},
        {"from torch.nn import *\nLinear", "torch.nn.Linear", NAME_IMPORT, CONFIDENCE_HIGH},
        {"import torch.nn\ntorch.nn.Linear", "torch.nn.Linear", NAME_IMPORT, CONFIDENCE_HIGH},
        {"nn.Linear", "torch.nn.Linear", NAME_CONVENTION, CONFIDENCE_MEDIUM},
        {"from utils import *\nnn.Linear", "torch.nn.Linear", NAME_CONVENTION, CONFIDENCE_LOW},
        {"nn = 3\nnn.Linear", NULL, NAME_VARIABLE, CONFIDENCE_NONE},
        {"import torch\nM = torch.nn\nM.Linear", "torch.nn.Linear", NAME_IMPORT, CONFIDENCE_HIGH},
        {"try:\n    from torch import nn\nexcept ImportError:\n    nn = None\nnn.Linear",
         "torch.nn.Linear", NAME_IMPORT, CONFIDENCE_HIGH},
        {"try:\n    from torch import nn\nexcept ImportError:\n    from mynn import nn\nnn.Linear",
         "torch.nn.Linear", NAME_IMPORT, CONFIDENCE_MEDIUM},
        {"len", "builtins.len", NAME_BUILTIN, CONFIDENCE_HIGH},
        {"class A:\n    pass\nA", "__main__.A", NAME_DEFINED, CONFIDENCE_HIGH},
        {"def f(torch):\n    torch.nn.Linear", NULL, NAME_VARIABLE, CONFIDENCE_NONE},
        {"a = a\na", NULL, NAME_VARIABLE, CONFIDENCE_NONE},
        {"a = b\nb = a\na", NULL, NAME_VARIABLE, CONFIDENCE_NONE},
        {"from . import k\nk", ".k", NAME_IMPORT, CONFIDENCE_HIGH},
        {"zzz", NULL, NAME_UNBOUND, CONFIDENCE_NONE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        struct strbuf out = {0};
        layers_open(&l, rows[i].text);
        struct node_list statements = tree_list(&l.tree, PY_EXPRESSION_STATEMENT);
        struct name_ref r =
            names_resolve(&l.names, tree_first(&l.tree, statements.at[statements.n - 1]));
        ASSERT_ROW((r.path != PATH_NONE) == (rows[i].path != NULL), rows[i].text);
        if (rows[i].path) {
            paths_text(l.paths, r.path, &out);
            assert_string_equal(out.at, rows[i].path);
            ASSERT_ROW(r.is_exact, rows[i].text);
        }
        ASSERT_ROW(r.origin == rows[i].origin && r.confidence == rows[i].confidence, rows[i].text);
        strbuf_done(&out);
        layers_close(&l);
    }
}

static void relative_imports_follow_the_module(void **state)
{
    static const struct {
        const char *module, *text, *path;
    } rows[] = {
        {"pkg.sub.train", "from . import a\na", "pkg.sub.a"},
        {"pkg.sub.train", "from ..losses import f\nf", "pkg.losses.f"},
        {"pkg.train", "from .m import f as g\ng", "pkg.m.f"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        struct strbuf out = {0};
        layers_open_module(&l, rows[i].text, rows[i].module);
        uint32_t statement = tree_list(&l.tree, PY_EXPRESSION_STATEMENT).at[0];
        paths_text(l.paths, names_resolve(&l.names, tree_first(&l.tree, statement)).path, &out);
        assert_string_equal(out.at, rows[i].path);
        strbuf_done(&out);
        layers_close(&l);
    }
}

/* The kind of the scope in which the read of `x` in `use(x)` finds its binding. */
static void reads_find_the_right_scope(void **state)
{
    static const struct {
        const char *text;
        int scope; /* enum scope_kind, -1: unbound */
    } rows[] = {
        {"x = 1\nuse(x)", SCOPE_MODULE},
        {"def f(x):\n    use(x)", SCOPE_FUNCTION},
        {"class A:\n    x = 1\n    def f(self):\n        use(x)", -1},
        {"class A:\n    x = 1\n    use(x)", SCOPE_CLASS},
        {"x = 1\ndef f():\n    global x\n    x = 2\n    use(x)", SCOPE_MODULE},
        {"def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n        use(x)",
         SCOPE_FUNCTION},
        {"[use(x) for x in y]", SCOPE_COMPREHENSION},
        {"[0 for x in use(x)]", -1},
        {"def f():\n    [x := 1 for y in z]\n    use(x)", SCOPE_FUNCTION},
        {"lambda x: use(x)", SCOPE_LAMBDA},
        {"def f(a=use(x)):\n    x = 1", -1},
        {"with a as (b, x):\n    use(x)", SCOPE_MODULE},
        {"try:\n    pass\nexcept E as x:\n    use(x)", SCOPE_MODULE},
        {"match v:\n    case [x, *y]:\n        use(x)", SCOPE_MODULE},
        {"for a, (b, *x) in y:\n    use(x)", SCOPE_MODULE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        uint32_t call = layers_find(&l, PY_CALL, "use(x)"),
                 x = tree_argument(&l.tree, call, 0, NULL);
        uint32_t binding = names_binding(&l.names, x);
        int scope = binding == BINDING_NONE
                        ? -1
                        : (int)l.names.scopes[l.names.bindings[binding].scope].kind;
        ASSERT_ROW(scope == rows[i].scope, rows[i].text);
        layers_close(&l);
    }
}

static void bases_are_followed_through_the_file(void **state)
{
    static const struct {
        const char *text;
        enum truth derives;
    } rows[] = {
        {"class A(nn.Module):\n    pass\nclass Z(A):\n    pass", TRUTH_TRUE},
        {"class Z:\n    pass", TRUTH_FALSE},
        {"from x import B\nclass Z(B):\n    pass", TRUTH_UNKNOWN},
        {"class Z(Z):\n    pass", TRUTH_FALSE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        uint32_t base = paths_find(l.paths, STR("torch.nn.Module"));
        ASSERT_ROW(names_derives(&l.names, layers_scope(&l, "Z"), base) == rows[i].derives,
                   rows[i].text);
        layers_close(&l);
    }
}

TEST_SUITE(python_names, TEST(dotted_expressions_resolve), TEST(relative_imports_follow_the_module),
           TEST(reads_find_the_right_scope), TEST(bases_are_followed_through_the_file))
