/* Fixes: how an edit changes the text around it, and what is left out. */
#include "base/file.h"
#include "base/path.h"
#include "unit/lint/lint_test.h"
#include "unit/test.h"

#define V "import torch\nfrom torch.autograd import Variable\n"

static struct str fixed(struct linter *l, const struct selection *selection, struct str text,
                        struct arena *a, struct file_report *left)
{
    struct lint_input in = {.path = STR("a.py"), .bytes = text};
    struct fix_options o = {.unsafe = true, .fixable = selection};
    struct str out;
    struct err e = {0};
    uint32_t n;
    if (!linter_fix(l, &in, &o, a, &out, &n, left, &e))
        fail_msg("%s", e.text);
    return out;
}

static const struct row {
    const char *meaning, *before, *after;
} rows[] = {
    {"operator before a method", V "a = Variable(m(x) + x)\n", V "a = (m(x) + x).detach()\n"},
    {"sign", V "a = -Variable(-x) ** 2\n", V "a = -(-x).detach() ** 2\n"},
    {"condition", V "a = Variable(p if c else b).sum()\n",
     V "a = (p if c else b).detach().sum()\n"},
    {"lambda", V "a = Variable(lambda: x)\n", V "a = (lambda: x).detach()\n"},
    {"await", V "async def f():\n    a = Variable(await x)\n",
     V "async def f():\n    a = (await x).detach()\n"},
    {"integer", V "a = Variable(1)\n", V "a = (1).detach()\n"},
    {"subscript", V "a = Variable(x[0, 1])\n", V "a = x[0, 1].detach()\n"},
    {"call", V "a = Variable(f(x)(y).z)\n", V "a = f(x)(y).z.detach()\n"},
    {"brackets inside a string", V "a = Variable(x[')'])\n", V "a = x[')'].detach()\n"},
    {"lines that brackets held", V "a = Variable(x\n             .y)\n",
     V "a = (x\n             .y).detach()\n"},
    {"copy", "import torch\ny = torch.zeros(1)\na = torch.tensor(y + y)\n",
     "import torch\ny = torch.zeros(1)\na = (y + y).detach().clone()\n"},
    {"number of a sum",
     "import torch\nimport torch.nn.functional as F\ntotal = 0\nfor x, y in d:\n"
     "    l = F.mse_loss(m(x), y)\n    l.backward()\n    o.step()\n"
     "    o.zero_grad()\n    total += l\n",
     "import torch\nimport torch.nn.functional as F\ntotal = 0\nfor x, y in d:\n"
     "    l = F.mse_loss(m(x), y)\n    l.backward()\n    o.step()\n"
     "    o.zero_grad()\n    total += l.item()\n"},
    {"the module's name in the file",
     "import torch.nn as k\n\n\nclass A(k.Module):\n    def __init__(self):\n"
     "        super().__init__()\n        self.a = [k.Linear(2, 2), k.Linear(2, 2)]\n\n"
     "    def forward(self, x):\n        for f in self.a:\n            x = f(x)\n        return "
     "x\n",
     "import torch.nn as k\n\n\nclass A(k.Module):\n    def __init__(self):\n"
     "        super().__init__()\n        self.a = k.ModuleList([k.Linear(2, 2), k.Linear(2, 2)])\n"
     "\n    def forward(self, x):\n        for f in self.a:\n            x = f(x)\n        return "
     "x\n"},
    {"forward under no_grad",
     "import torch as t\n\n\ndef test(loader):\n    m = t.nn.Linear(2, 2)\n    m.eval()\n    n = "
     "0\n"
     "    for x, y in loader:\n        p = m(\n            x)  # why\n"
     "        n += (p.argmax(1) == y).sum().item()\n    print(n)\n",
     "import torch as t\n\n\ndef test(loader):\n    m = t.nn.Linear(2, 2)\n    m.eval()\n    n = "
     "0\n"
     "    for x, y in loader:\n        with t.no_grad():\n            p = m(\n                x)"
     "  # why\n        n += (p.argmax(1) == y).sum().item()\n    print(n)\n"},
    {"a code before another tool's", "import torch\ny = 1  # noqa: SB201, E501\n",
     "import torch\ny = 1  # noqa: E501\n"},
    {"a code between others", "import torch\ny = 1  # noqa: E501, SB201, F841\n",
     "import torch\ny = 1  # noqa: E501, F841\n"},
    {"ours behind another tool's", "import torch\ny = 1  # noqa: E501  # assay: ignore[SB201]\n",
     "import torch\ny = 1  # noqa: E501\n"},
    {"ours before a comment", "import torch\ny = 1  # assay: ignore[SB201]  # why\n",
     "import torch\ny = 1  # why\n"},
    {"a line of its own", "import torch\n# assay: ignore[SB201]\ny = 1\n", "import torch\ny = 1\n"},
    {"all of two", "import torch\ny = 1  # assay: ignore[SB201, SB204]\n", "import torch\ny = 1\n"},
    {"small letters stay", "import torch\ny = 1  # assay: ignore[sb201]\n",
     "import torch\ny = 1  # assay: ignore[sb201]\n"},
};

static void edits_keep_what_the_text_means(void **state)
{
    struct lint_fixture f;
    struct file_report left;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str out = fixed(f.linter, f.selection, str_of(rows[i].before), &f.arena, &left);
        if (!str_is(out, rows[i].after))
            fail_msg("row \"%s\": got \"" STR_FMT "\"", rows[i].meaning, STR_ARG(out));
    }
    fixture_close(&f);
}

/* The same edits are safe when they remove no comment. */
static void an_edit_that_takes_a_comment_away_is_unsafe(void **state)
{
    struct lint_fixture f;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    struct file_report lost =
        fixture_run(&f, V "a = Variable(\n    torch.zeros(3)  # keep me\n)\n");
    struct file_report kept =
        fixture_run(&f, V "a = Variable(\n    torch.zeros(  # keep me\n        3)\n)\n");
    assert_int_equal(lost.findings[0].fix.safety, SAFETY_UNSAFE);
    assert_int_equal(kept.findings[0].fix.safety, SAFETY_SAFE);
    fixture_close(&f);
}

#define RULE(code, name, with)                                                                     \
    "{\"code\": \"" code "\", \"name\": \"" name "\", \"summary\": \"s\", \"explanation\": "       \
    "\"e\", \"fix\": \"f\", \"default\": true, \"checks\": [{\"find\": [{\"call\": \"$c\", "       \
    "\"path\": [\"torch." name "\"]}], \"report\": \"$c\", \"message\": \"m\", \"edits\": "        \
    "[{\"title\": \"t\", \"safety\": \"safe\", \"do\": [{\"replace\": \"$c\", \"with\": "          \
    "\"" with "\"}]}]}]}"

static const char *write_rule(struct arena *a, const char *dir, const char *code, const char *text)
{
    struct err e = {0};
    const char *path = path_join(a, dir, arena_printf(a, "%s-x.json", code));
    assert_true(file_write(path, text, strlen(text), &e));
    return path;
}

static void one_fix_that_breaks_the_syntax_leaves_the_others(void **state)
{
    struct arena a;
    struct err e = {0};
    const char *dir;
    struct rule_set *rules;
    struct selection *selection;
    struct file_report left;
    struct choice choice = {0};
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "rules", &dir, &e));
    write_rule(&a, dir, "XY001", RULE("XY001", "empty", "((1"));
    write_rule(&a, dir, "XY002", RULE("XY002", "rand", "{@torch.zeros}(1)"));
    struct rule_set_options o = {.dirs = &dir, .n_dirs = 1, .only_dirs = true};
    assert_true(rule_set_new(&o, &rules, &e));
    assert_true(selection_new(rules, &choice, &a, &selection, &e));
    struct lint_options options = {.selection = selection};
    struct linter *l = linter_new(rules, &options);
    struct str out = fixed(l, selection,
                           STR("from torch import zeros, rand, empty\na = rand(1)\nb = empty(1)\n"
                               "c = rand(2)\nd = empty(2)\n"),
                           &a, &left);
    assert_true(str_eq(out, STR("from torch import zeros, rand, empty\na = zeros(1)\nb = empty(1)\n"
                                "c = zeros(1)\nd = empty(2)\n")));
    assert_int_equal(left.n_refused, 2);
    assert_int_equal(left.n, 2);
    assert_int_equal(left.findings[0].fix.safety, SAFETY_NONE);
    assert_int_equal(left.n_fixed_rules, 1);
    assert_int_equal(left.fixed[0].n, 2);
    out = fixed(l, selection, STR("from torch import rand\na = rand(1)\n"), &a, &left);
    assert_true(str_eq(out, STR("from torch import rand\na = rand(1)\n"))); /* no name for zeros */
    linter_free(l);
    rule_set_free(rules);
    file_remove_tree(dir, &e);
    arena_done(&a);
}

TEST_SUITE(lint_fix, TEST(edits_keep_what_the_text_means),
           TEST(an_edit_that_takes_a_comment_away_is_unsafe),
           TEST(one_fix_that_breaks_the_syntax_leaves_the_others))
