/* Summaries of functions, written as bytes and read back, and a project of two linked files. */
#include "unit/python/layers.h"

static void effects_are_may_and_must(void **state)
{
    static const struct {
        const char *text, *line; /* a line of the dump */
    } rows[] = {
        {"def f(model):\n    model.eval()\n", "  model (module): eval!\n"},
        {"def f(model):\n    if c:\n        model.eval()\n", "  model (module): eval\n"},
        {"def f(optimizer, n):\n    for i in n:\n        optimizer.zero_grad()\n        "
         "optimizer.step()\n",
         "  optimizer (optimizer): step zero\n"},
        {"def g(model):\n    model.eval()\ndef f(model):\n    g(model)\n",
         "function __main__.f\n  model (module): eval!\n"},
        {"def f(model, c):\n    if not c:\n        model.eval()\n", "    eval! if not c\n"},
        {"def f(model, c):\n    model.train(c is not None)\n", "    mode! if c is not None\n"},
        {"def f(model):\n    unknown(model)\n", "  model (module): escape\n"},
        {"def f(model, n):\n    model.eval()\n    if n:\n        f(model, n - 1)\n",
         "  model (module): eval!\n"},
        {"def f(model, other):\n    model.eval()\n    if c:\n        f(other, model)\n",
         "  other (module): eval\n"},
        {"def f(model):\n    if c:\n        g(model)\ndef g(model):\n    model.eval()\n    "
         "f(model)\n",
         "function __main__.f\n  model (module): eval\n"},
        {"def f(model):\n    model.eval()\n    g(model)\ndef g(model):\n    if c:\n        "
         "h(model)\ndef h(model):\n    g(model)\n    f(model)\n",
         "function __main__.h\n  model (module): eval!\n"},
        {"def f(model):\n    unknown(model)\n    f(model)\n", "  model (module): escape\n"},
        {"def f(x):\n    return F.softmax(x)\n", "  returns[0]: tensor softmax\n"},
        {"def f(x):\n    return x, F.softmax(x)\n", "  returns[1]: tensor softmax\n"},
        {"def f(x):\n    return [x, F.softmax(x)]\n", "  returns[1]: tensor softmax\n"},
        {"def f(x):\n    d = {}\n    d['p'] = F.softmax(x)\n    return d\n",
         "  returns[p]: tensor softmax\n"},
        {"def f(x):\n    return x\n", " = x\n"},
        {"def d(g):\n    def w(*a, **k):\n        return g(*a, **k)\n    return w\n@d\ndef "
         "f(model):\n    model.eval()\n",
         "function __main__.f\n  model (module): eval!\n"},
        {"def d(g):\n    def w(*a, **k):\n        g(*a, **k)\n    return w\n@d\ndef f(x):\n    "
         "pass\n",
         "function __main__.f opaque\n"},
        {"class C:\n    @staticmethod\n    def f(model):\n        model.eval()\n",
         "function __main__.C.f\n  model (module): eval!\n"},
        {"@mystery\ndef f(x):\n    return x\n", "function __main__.f opaque\n"},
        {"def f(x):\n    yield x\n", "function __main__.f generator\n"},
        {"@torch.no_grad()\ndef f(x):\n    pass\n", "function __main__.f no-grad\n"},
        {"from a.b import g\ndef f(model):\n    g(model)\n", "  calls a.b.g\n"},
        {"from torch import nn\nclass N(nn.Module):\n    pass\n", "class __main__.N: module\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        struct file_summary s;
        struct strbuf out = {0};
        layers_open(&l, rows[i].text);
        summary_build(&l.types, &l.arena, &s);
        summary_dump(&s, l.paths, l.parser, &out);
        if (str_find(strbuf_str(&out), str_of(rows[i].line)) == out.n)
            fail_msg("row \"%s\": %s", rows[i].text, out.at);
        strbuf_done(&out);
        layers_close(&l);
    }
}

/* f(c, x) returns one of two values: its summary says what both have in common. */
static void two_returned_values_give_what_they_share(void **state)
{
#define SOFTMAX "torch.nn.functional.softmax"
    static const struct {
        const char *one, *other, *api, *class; /* "": none */
        enum value_type type;
        unsigned domain; /* 0: any */
        int parameter;   /* -1: none */
        bool is_cut;
    } rows[] = {
        {"nn.Linear(1, 1)", "nn.Linear(2, 2)", "torch.nn.Linear", "", TYPE_MODULE, 0, -1, true},
        {"nn.Linear(1, 1)", "nn.Softmax()", "", "", TYPE_MODULE, 0, -1, true},
        {"nn.Linear(1, 1)", "torch.randn(1)", "", "", TYPE_UNKNOWN, 0, -1, true},
        {"N()", "N()", "torch.nn.Module", "__main__.N", TYPE_MODULE, 0, -1, false},
        {"N()", "M()", "torch.nn.Module", "", TYPE_MODULE, 0, -1, false},
        {"x", "x", "", "", TYPE_UNKNOWN, 0, 1, false},
        {"x", "c", "", "", TYPE_UNKNOWN, 0, -1, false},
        {"x", "3", "", "", TYPE_UNKNOWN, 0, -1, false},
        {"F.softmax(x)", "F.softmax(c)", SOFTMAX, "", TYPE_TENSOR, DOMAIN_SOFTMAX, -1, false},
        {"F.softmax(x)", "torch.randn(1)", "", "", TYPE_TENSOR, 0, -1, false},
        {"x.detach()", "c.detach()", "", "", TYPE_TENSOR, 0, -1, true},
        {"x.detach()", "c", "", "", TYPE_UNKNOWN, 0, -1, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        struct strbuf text = {0}, api = {0}, class = {0};
        strbuf_printf(&text,
                      "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"
                      "class N(nn.Module):\n    pass\nclass M(nn.Module):\n    pass\n"
                      "def f(c, x):\n    if c:\n        return %s\n    return %s\n",
                      rows[i].one, rows[i].other);
        layers_open(&l, text.at);
        const struct function_summary *f = summary_of(&l.types, layers_scope(&l, "f"));
        assert_int_equal(f->n_returns, 1);
        const struct summary_return *r = &f->returns[0];
        if (r->api_path != PATH_NONE)
            paths_text(l.paths, r->api_path, &api);
        if (r->class_path != PATH_NONE)
            paths_text(l.paths, r->class_path, &class);
        ASSERT_ROW(str_eq(strbuf_str(&api), str_of(rows[i].api)), text.at);
        ASSERT_ROW(str_eq(strbuf_str(&class), str_of(rows[i].class)), text.at);
        ASSERT_ROW(r->type == rows[i].type && (unsigned)r->domain == rows[i].domain, text.at);
        ASSERT_ROW(r->parameter == rows[i].parameter && r->is_cut == rows[i].is_cut, text.at);
        strbuf_done(&text);
        strbuf_done(&api);
        strbuf_done(&class);
        layers_close(&l);
    }
#undef SOFTMAX
}

/* The order of queries does not matter: rules query events, the project queries summaries. */
static void recursion_is_the_same_from_either_end(void **state)
{
    struct layers l;
    (void)state;
    layers_open(&l, "def f(model, n):\n    if n:\n        f(model, n - 1)\n    model.eval()\n"
                    "def g(model):\n    f(model, 3)\n");
    struct types_event_list events = types_events(&l.types, layers_scope(&l, "f"));
    unsigned n_deep = 0;
    for (size_t i = 0; i < events.n; i++)
        n_deep += events.at[i].role == ROLE_EVAL && events.at[i].is_deep;
    assert_int_equal(n_deep, 1);
    const struct function_summary *f = summary_of(&l.types, layers_scope(&l, "g"));
    assert_int_equal(f->n_effects, 1);
    assert_true(f->effects[0].must & UINT64_C(1) << ROLE_EVAL);
    layers_close(&l);
}

/* The literal that a call gives for a flag decides which effects of the function it has. */
static void literals_decide_conditions_of_the_function_called(void **state)
{
#define MODE "def f(model, on=True):\n    model.train(on)\n"
#define EITHER                                                                                     \
    "def f(model, on):\n    if on is not None:\n        model.train()\n    else:\n        "        \
    "model.eval()\n"
#define NAMED                                                                                      \
    "def f(model, phase='train'):\n    is_train = phase == 'train'\n    if is_train:\n        "    \
    "model.train()\n    elif not is_train:\n        model.eval()\n"
#define ALWAYS "def f(model, on):\n    model.train(on)\n    model.eval()\n"
#define SET "def f(model, on):\n    on = g()\n    model.train(on)\n"
    static const uint64_t train = UINT64_C(1) << ROLE_TRAIN, eval = UINT64_C(1) << ROLE_EVAL,
                          unclear = UINT64_C(1) << ROLE_MODE;
    static const struct {
        const char *function, *call;
        uint64_t roles, must; /* of the call on the module */
    } rows[] = {
        {MODE, "f(model, True)", train, train},
        {MODE, "f(model, on=False)", eval, eval},
        {MODE, "f(model)", train, train},
        {MODE, "f(model, x)", unclear, 0},
        {MODE, "f(model, *rest)", unclear, 0},
        {EITHER, "f(model, None)", eval, eval},
        {EITHER, "f(model, 'x')", train, train},
        {EITHER, "f(model, x)", train | eval, 0},
        {NAMED, "f(model)", train, train},
        {NAMED, "f(model, 'val')", eval, eval},
        {ALWAYS, "f(model, True)", train | eval, train | eval},
        {SET, "f(model, True)", unclear, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        struct strbuf text = {0};
        uint64_t roles = 0, must = 0;
        strbuf_printf(&text, "%sdef caller(model, x, rest):\n    %s\n", rows[i].function,
                      rows[i].call);
        layers_open(&l, strbuf_str(&text).at);
        struct types_event_list events = types_events(&l.types, layers_scope(&l, "caller"));
        for (size_t e = 0; e < events.n; e++) {
            uint64_t bit = UINT64_C(1) << events.at[e].role;
            roles |= bit & (train | eval | unclear);
            must |= events.at[e].is_must ? bit & (train | eval) : 0;
        }
        if (roles != rows[i].roles || must != rows[i].must)
            fail_msg("%s%s: roles %llx, certain %llx", rows[i].function, rows[i].call,
                     (unsigned long long)roles, (unsigned long long)must);
        strbuf_done(&text);
        layers_close(&l);
    }
#undef MODE
#undef EITHER
#undef NAMED
#undef ALWAYS
#undef SET
}

static const char sample[] = "from a.b import g\nfrom torch import nn\nclass N(nn.Module):\n    "
                             "def forward(self, x, y=1):\n        self.fc.eval()\n"
                             "        return x, g(y)\ndef f(model, *rest):\n    g(model)\n    "
                             "model.eval()\n    return model\ndef m(model, on=True):\n    "
                             "model.train(on)\n    model(on)\n";

static void bytes_give_the_summary_back(void **state)
{
    struct layers l;
    struct file_summary s, back;
    struct strbuf bytes = {0}, before = {0}, after = {0};
    struct err e;
    (void)state;
    layers_open_module(&l, sample, "pkg.m");
    summary_build(&l.types, &l.arena, &s);
    summary_write(&s, l.paths, l.parser, &bytes);
    assert_true(summary_read(strbuf_str(&bytes), l.paths, l.parser, &l.arena, &back, &e));
    summary_dump(&s, l.paths, l.parser, &before);
    summary_dump(&back, l.paths, l.parser, &after);
    assert_string_equal(before.at, after.at);
    assert_int_equal(back.module, s.module);
    assert_int_equal(back.n_exports, s.n_exports);
    for (size_t n = 0; n < bytes.n; n++) /* every truncation is refused */
        assert_false(
            summary_read((struct str){bytes.at, n}, l.paths, l.parser, &l.arena, &back, &e));
    strbuf_done(&bytes);
    strbuf_done(&before);
    strbuf_done(&after);
    layers_close(&l);
}

/* Reads another file with the session of `l` and adds its summary. */
static void add_file(struct layers *l, struct summary_set *set, const char *text,
                     const char *module)
{
    struct source *src = arena_new(&l->arena, struct source);
    struct tree *t = arena_new(&l->arena, struct tree);
    struct names *n = arena_new(&l->arena, struct names);
    struct types *k = arena_new(&l->arena, struct types);
    struct file_summary *s = arena_new(&l->arena, struct file_summary);
    struct names_options options = {.module = str_of(module)};
    struct err e;
    options.conventions = api_conventions(l->api, &options.n_conventions);
    assert_true(source_open(&(struct source_input){str_of(module), str_of(text), SOURCE_FILE}, NULL,
                            &l->arena, src, &e));
    assert_true(tree_read(l->parser, src, &l->arena, t, &e));
    names_build(t, l->paths, &options, &l->arena, n);
    types_build(n, l->api, NULL, &l->arena, k);
    summary_build(k, &l->arena, s);
    summary_set_add(set, s);
}

static uint64_t may_of(struct layers *l, const struct summary_set *set, const char *path,
                       uint64_t *must)
{
    const struct function_summary *f =
        summary_set_function(set, paths_find(l->paths, str_of(path)));
    assert_non_null(f);
    uint64_t may = *must = 0;
    for (uint32_t i = 0; i < f->n_effects; i++) {
        may |= f->effects[i].may;
        *must |= f->effects[i].must;
    }
    return may;
}

static void effects_come_from_other_files(void **state)
{
    struct layers l;
    uint64_t must, eval = UINT64_C(1) << ROLE_EVAL, escape = UINT64_C(1) << ROLE_ESCAPE;
    (void)state;
    layers_open(&l, "");
    struct summary_set *set = summary_set_new();
    add_file(&l, set,
             "from pkg.api import quiet\ndef f(model):\n    quiet(model)\ndef h(model):\n    if "
             "c:\n        quiet(model)\n",
             "pkg.use");
    add_file(&l, set, "from pkg.impl import quiet\n", "pkg.api");
    add_file(&l, set,
             "from pkg.use import f\ndef quiet(m):\n    m.eval()\n    m(1)\ndef round(model):\n    "
             "f(model)\ndef lost(model):\n    gone(model)\n",
             "pkg.impl");
    add_file(&l, set, "from elsewhere import gone\ndef lost(model):\n    gone(model)\n",
             "pkg.lost");
    summary_set_link(set, l.paths);
    assert_true(may_of(&l, set, "pkg.use.f", &must) == (eval | UINT64_C(1) << ROLE_FORWARD));
    assert_true(must & eval);
    assert_true(may_of(&l, set, "pkg.use.h", &must) & eval);
    assert_false(must & eval);
    assert_true(may_of(&l, set, "pkg.impl.round", &must) & eval);
    assert_true(may_of(&l, set, "pkg.lost.lost", &must) & escape);
    summary_set_free(set);
    layers_close(&l);
}

static void cycles_between_files_end(void **state)
{
    struct layers l;
    uint64_t must;
    (void)state;
    layers_open(&l, "");
    struct summary_set *set = summary_set_new();
    add_file(&l, set, "from p.b import g\ndef f(model):\n    model.eval()\n    g(model)\n", "p.a");
    add_file(&l, set, "from p.a import f\ndef g(model):\n    model.train()\n    f(model)\n", "p.b");
    add_file(&l, set, "from p.d import x\n", "p.c");
    add_file(&l, set, "from p.c import x\n", "p.d");
    summary_set_link(set, l.paths);
    uint64_t both = UINT64_C(1) << ROLE_EVAL | UINT64_C(1) << ROLE_TRAIN;
    assert_true((may_of(&l, set, "p.a.f", &must) & both) == both);
    assert_true((may_of(&l, set, "p.b.g", &must) & both) == both);
    summary_set_follow(set, paths_find(l.paths, STR("p.c.x")));
    summary_set_free(set);
    layers_close(&l);
}

static void a_linked_project_resolves_calls(void **state)
{
    struct layers l, *project = &l;
    (void)state;
    layers_open_module(
        &l, "from pkg.impl import quiet, Net\nmodel = Net()\nquiet(model)\nmodel(x)\n", "pkg.use");
    struct summary_set *set = summary_set_new();
    add_file(project, set,
             "from torch import nn\nclass Net(nn.Module):\n    pass\ndef quiet(m):\n    m.eval()\n "
             "   m(1)\n",
             "pkg.impl");
    summary_set_link(set, l.paths);
    struct types_options options = {.project = set};
    types_build(&l.names, l.api, &options, &l.arena, &l.types);
    uint32_t call = layers_find(&l, PY_CALL, "model(x)"), function = tree_first(&l.tree, call);
    assert_int_equal(types_of(&l.types, function).type, TYPE_MODULE);
    uint32_t object = types_object(&l.types, function),
             step = cfg_step(types_cfg(&l.types, 0), call);
    assert_int_equal(types_mode(&l.types, 0, object, step), MODE_EVAL);
    summary_set_free(set);
    layers_close(&l);
}

TEST_SUITE(python_summary, TEST(a_linked_project_resolves_calls), TEST(effects_are_may_and_must),
           TEST(two_returned_values_give_what_they_share),
           TEST(recursion_is_the_same_from_either_end),
           TEST(literals_decide_conditions_of_the_function_called),
           TEST(bytes_give_the_summary_back), TEST(effects_come_from_other_files),
           TEST(cycles_between_files_end))
