/* What objects are, which expressions mean the same one, what happens to them. */
#include "unit/python/layers.h"

static uint32_t used(const struct layers *l)
{
    return tree_argument(&l->tree, layers_find(l, PY_CALL, "use("), 0, NULL);
}

static void types_come_from_makers_uses_and_names(void **state)
{
    static const struct {
        const char *text;
        enum value_type type;
        enum confidence confidence;
    } rows[] = {
        {"import torch\nuse(torch.nn.Linear(1, 2))", TYPE_MODULE, CONFIDENCE_HIGH},
        {"use(nn.Linear(1, 2))", TYPE_MODULE, CONFIDENCE_MEDIUM},
        {"from torch import nn\nm = nn.Linear(1, 2)\nuse(m)", TYPE_MODULE, CONFIDENCE_HIGH},
        {"from torch import nn\nm = nn.Linear(1, 2).cuda()\nm = m.to(d)\nuse(m)", TYPE_MODULE,
         CONFIDENCE_HIGH},
        {"from torch import nn\nm = nn.Linear(1, 2)\nfor x in y:\n    m = m.to(d)\n    use(m)",
         TYPE_MODULE, CONFIDENCE_HIGH},
        {"from torch import nn\nclass N(nn.Module):\n    pass\nm = N()\nuse(m)", TYPE_MODULE,
         CONFIDENCE_HIGH},
        {"from torch import nn\nclass A(nn.Module):\n    pass\nclass N(A):\n    pass\nuse(N())",
         TYPE_MODULE, CONFIDENCE_HIGH},
        {"from torch import nn\nclass T:\n    def __init__(self):\n        self.m = nn.Linear(1, "
         "2)\n    def f(self):\n        use(self.m)",
         TYPE_MODULE, CONFIDENCE_HIGH},
        {"def f(o):\n    o.zero_grad()\n    o.step()\n    use(o)", TYPE_OPTIMIZER,
         CONFIDENCE_MEDIUM},
        {"def f(o):\n    o.step()\n    use(o)", TYPE_UNKNOWN, CONFIDENCE_NONE},
        {"def f(o):\n    o.zero_grad()\n    o.step(action)\n    use(o)", TYPE_UNKNOWN,
         CONFIDENCE_NONE},
        {"def f(m):\n    m.eval()\n    m(x)\n    use(m)", TYPE_MODULE, CONFIDENCE_MEDIUM},
        {"use(model)", TYPE_MODULE, CONFIDENCE_LOW},
        {"use(self.train_loader)", TYPE_LOADER, CONFIDENCE_LOW},
        {"optimizer.step(action)\nuse(optimizer)", TYPE_UNKNOWN, CONFIDENCE_NONE},
        {"from torch import nn\nc = nn.CrossEntropyLoss()\nuse(c(a, b))", TYPE_LOSS,
         CONFIDENCE_HIGH},
        {"from torch import nn\nuse(nn.CrossEntropyLoss()(a, b))", TYPE_LOSS, CONFIDENCE_HIGH},
        {"import torch.nn.functional as F\nl = F.cross_entropy(a, b)\nuse(l + 1)", TYPE_LOSS,
         CONFIDENCE_HIGH},
        {"import torch.nn.functional as F\nl = F.cross_entropy(a, b)\nuse(l.item())", TYPE_NUMBER,
         CONFIDENCE_HIGH},
        {"from torch import nn\nm = nn.Linear(1, 2)\nfor p in m.parameters():\n    use(p)",
         TYPE_PARAMETER, CONFIDENCE_HIGH},
        {"from torch import nn, optim\ndef f(o):\n    use(o)\nf(optim.Adam(p))\nf(optim.Adam(q))",
         TYPE_OPTIMIZER, CONFIDENCE_MEDIUM},
        {"from torch import nn, optim\ndef f(o):\n    use(o)\nf(optim.Adam(p))\nf(nn.Linear(1, 2))",
         TYPE_UNKNOWN, CONFIDENCE_NONE},
        {"from torch import nn, optim\nm, o = a.prepare(nn.Linear(1, 2), optim.Adam(p))\nuse(o)",
         TYPE_OPTIMIZER, CONFIDENCE_HIGH},
        {"from torch import nn\ndef make():\n    return nn.Linear(1, 2)\nuse(make())", TYPE_MODULE,
         CONFIDENCE_MEDIUM},
        {"from torch import nn\ndef same(x):\n    return x\nuse(same(nn.Linear(1, 2)))",
         TYPE_MODULE, CONFIDENCE_HIGH},
        {"from torch import nn\nm = nn.Linear(1, 2)\nif c:\n    m = 3\nuse(m)", TYPE_UNKNOWN,
         CONFIDENCE_NONE},
        {"x = x\nuse(x)", TYPE_UNKNOWN, CONFIDENCE_NONE},
        {"import other\nuse(other.model)", TYPE_UNKNOWN, CONFIDENCE_NONE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        struct type_fact f = types_of(&l.types, used(&l));
        if (f.type != rows[i].type || f.confidence != rows[i].confidence)
            fail_msg("row \"%s\": %s %s", rows[i].text, type_name(f.type),
                     confidence_name(f.confidence));
        layers_close(&l);
    }
}

/* In use(a, b): are a and b one object or two? */
static void objects_are_the_same_through_identity_alone(void **state)
{
    static const struct {
        const char *text;
        bool same;
    } rows[] = {
        {"from torch import nn\na = nn.Linear(1, 2)\nb = a\nuse(a, b)", true},
        {"from torch import nn\na = nn.Linear(1, 2)\nb = a.cuda().train()\nuse(a, b)", true},
        {"from torch import nn\nimport copy\na = nn.Linear(1, 2)\nb = copy.deepcopy(a)\nuse(a, b)",
         false},
        {"from torch import nn\na = nn.Linear(1, 2)\nb = nn.Linear(1, 2)\nuse(a, b)", false},
        {"from torch import nn\nm = nn.Linear(1, 2)\ndef f():\n    use(m, m)\n", true},
        {"def f(a, b):\n    use(a, b)\n", false},
        {"class T:\n    def f(self):\n        use(self.a, self.a)\n", true},
        {"class T:\n    def f(self):\n        use(self.a, self.b)\n", false},
        {"class T:\n    def __init__(self, m):\n        self.m = m\n        use(self.m, m)\n",
         true},
        {"from torch import nn\na = nn.Linear(1, 2)\nfor i in y:\n    a = a.to(d)\n    b = a\n    "
         "use(a, b)",
         true},
        {"from torch import nn\nif c:\n    a = nn.Linear(1, 2)\nelse:\n    a = nn.Linear(3, 4)\nb "
         "= nn.Linear(1, 1)\nuse(a, b)",
         false},
        {"m, o = acc.prepare(a, b)\nuse(m, a)", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        uint32_t call = layers_find(&l, PY_CALL, "use(");
        uint32_t a = types_object(&l.types, tree_argument(&l.tree, call, 0, NULL));
        uint32_t b = types_object(&l.types, tree_argument(&l.tree, call, 1, NULL));
        ASSERT_ROW(a != OBJECT_NONE && (a == b) == rows[i].same, rows[i].text);
        layers_close(&l);
    }
}

/* The roles of a scope's events in order, those tested here. */
static void events_follow_the_steps(void **state)
{
    static const struct {
        const char *text, *roles;
    } rows[] = {
        {"from torch import nn\nm = nn.Linear(1, "
         "2)\nm.train()\nm.train(False)\nm.train(flag)\nm.eval()\n",
         "create train eval mode eval "},
        {"def f(optimizer, loss):\n    optimizer.zero_grad()\n    loss.backward()\n    "
         "optimizer.step()\nf(optimizer, loss)\n",
         "step zero backward "},
        {"unknown(model)\n", "escape "},
        {"print(model)\n", ""},
        {"x = model(y)\n", "forward escape "},
        {"model.whatever()\n", "escape "},
        {"class T:\n    def go(self):\n        self.helper()\n    def helper(self):\n        "
         "self.model.eval()\nt = T()\nt.go()\n",
         "create eval eval "}, /* of self.model in the class, and of t.model here */
        {"def f(m):\n    f(m)\n    m.eval()\nf(model)\n", "eval "}, /* recursion: by fixpoint */
        {"def f(m):\n    f(m)\n    unknown(m)\nf(model)\n", "escape "},
        {"box.append(model)\n", "escape escape "},
        {"box[0] = model\n", "keep "},
        {"p.grad = None\n", "zero "},
        {"p.grad = g\n", "write-gradient keep "},
        {"print(p.grad)\n", "read-gradient "},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        struct strbuf out = {0};
        layers_open(&l, rows[i].text);
        struct types_event_list events = types_events(&l.types, 0);
        strbuf_adds(&out, "");
        for (size_t e = 0; e < events.n; e++)
            if (events.at[e].role != ROLE_REPLACE)
                strbuf_printf(&out, "%s ", role_name(events.at[e].role));
        if (strcmp(out.at, rows[i].roles) != 0)
            fail_msg("row \"%s\": %s", rows[i].text, out.at);
        strbuf_done(&out);
        layers_close(&l);
    }
}

static void modes_are_known_on_every_way_or_not_at_all(void **state)
{
    static const struct {
        const char *text;
        enum module_mode mode;
    } rows[] = {
        {"model.eval()\nmodel(x)\n", MODE_EVAL},
        {"model.train()\nmodel(x)\n", MODE_TRAIN},
        {"model.eval()\nif c:\n    model.train()\nmodel(x)\n", MODE_MIXED},
        {"model.eval()\nunknown(model)\nmodel(x)\n", MODE_UNKNOWN},
        {"if c:\n    model.eval()\nmodel(x)\n", MODE_UNKNOWN},
        {"model(x)\n", MODE_UNKNOWN},
        {"from torch import nn\nmodel = nn.Linear(1, 2)\nmodel(x)\n", MODE_DEFAULT},
        {"model.train(False)\nmodel(x)\n", MODE_EVAL},
        {"model.eval()\nother.train()\nmodel(x)\n", MODE_EVAL},
        {"model = model.eval()\nmodel(x)\n", MODE_EVAL},
        {"def quiet(m):\n    m.eval()\nquiet(model)\nmodel(x)\n", MODE_EVAL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        uint32_t call = layers_find(&l, PY_CALL, "model(x)"), function = tree_first(&l.tree, call);
        enum module_mode m = types_mode(&l.types, 0, types_object(&l.types, function),
                                        cfg_step(types_cfg(&l.types, 0), call));
        if (m != rows[i].mode)
            fail_msg("row \"%s\": mode %d", rows[i].text, (int)m);
        layers_close(&l);
    }
}

static void optimizers_hold_what_they_were_given(void **state)
{
    static const struct {
        const char *text;
        enum truth holds;
    } rows[] = {
        {"m = nn.Linear(1, 2)\no = torch.optim.Adam(m.parameters())\nuse(o, m)", TRUTH_TRUE},
        {"m = nn.Linear(1, 2)\nn = nn.Linear(1, 2)\no = torch.optim.Adam(n.parameters())\nuse(o, "
         "m)",
         TRUTH_FALSE},
        {"m = nn.Linear(1, 2)\nn = nn.Linear(1, 2)\nps = list(n.parameters()) + "
         "list(m.parameters())\no = torch.optim.Adam(ps)\nuse(o, m)",
         TRUTH_TRUE},
        {"m = nn.Linear(1, 2)\no = torch.optim.Adam([{'params': m.parameters(), 'lr': 1}])\nuse(o, "
         "m)",
         TRUTH_TRUE},
        {"m = nn.Linear(1, 2)\no = torch.optim.Adam(groups(m))\nuse(o, m)", TRUTH_UNKNOWN},
        {"m = nn.Linear(1, 2)\no = torch.optim.Adam(params=m.parameters())\nuse(o, m)", TRUTH_TRUE},
        {"m = nn.Linear(1, 2)\no = torch.optim.Adam(filter(lambda p: p.requires_grad, "
         "m.parameters()))\nuse(o, m)",
         TRUTH_UNKNOWN},
        {"m = nn.Linear(1, 2)\nuse(o, m)", TRUTH_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        uint32_t call = layers_find(&l, PY_CALL, "use(");
        uint32_t o = types_object(&l.types, tree_argument(&l.tree, call, 0, NULL));
        uint32_t m = types_object(&l.types, tree_argument(&l.tree, call, 1, NULL));
        enum truth holds = types_holds(&l.types, o, m);
        if (holds != rows[i].holds)
            fail_msg("row \"%s\": %s", rows[i].text, truth_name(holds));
        layers_close(&l);
    }
}

static void regions_reach_inwards(void **state)
{
    static const struct {
        const char *text;
        enum truth no_grad;
    } rows[] = {
        {"with torch.no_grad():\n    use(x)", TRUTH_TRUE},
        {"with torch.no_grad():\n    for i in y:\n        if i:\n            use(x)", TRUTH_TRUE},
        {"with torch.no_grad():\n    pass\nuse(x)", TRUTH_FALSE},
        {"with torch.no_grad():\n    with torch.enable_grad():\n        use(x)", TRUTH_FALSE},
        {"with torch.set_grad_enabled(False):\n    use(x)", TRUTH_TRUE},
        {"with torch.set_grad_enabled(True):\n    use(x)", TRUTH_FALSE},
        {"with torch.set_grad_enabled(flag):\n    use(x)", TRUTH_UNKNOWN},
        {"@torch.no_grad()\ndef f():\n    use(x)", TRUTH_TRUE},
        {"with torch.no_grad():\n    def f():\n        use(x)", TRUTH_FALSE},
        {"with open(f) as g, torch.no_grad():\n    use(x)", TRUTH_TRUE},
        {"with mystery():\n    use(x)", TRUTH_UNKNOWN},
        {"guard = torch.no_grad()\nwith guard:\n    use(x)", TRUTH_TRUE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        enum truth t = types_in_no_grad(&l.types, layers_find(&l, PY_CALL, "use("));
        if (t != rows[i].no_grad)
            fail_msg("row \"%s\": %s", rows[i].text, truth_name(t));
        layers_close(&l);
    }
}

static void graphs_and_activations_are_followed(void **state)
{
    static const struct {
        const char *text;
        enum truth graph;
        enum domain domain;
    } rows[] = {
        {"m = nn.Linear(1, 2)\ny = m(x)\nuse(y)", TRUTH_TRUE, DOMAIN_ANY},
        {"m = nn.Linear(1, 2)\ny = m(x).detach()\nuse(y)", TRUTH_FALSE, DOMAIN_ANY},
        {"m = nn.Linear(1, 2)\ny = m(x).data\nuse(y)", TRUTH_FALSE, DOMAIN_ANY},
        {"y = torch.randn(3)\nuse(y)", TRUTH_FALSE, DOMAIN_ANY},
        {"use(unknown(x))", TRUTH_UNKNOWN, DOMAIN_ANY},
        {"m = nn.Linear(1, 2)\ny = F.softmax(m(x), dim=1)\nuse(y)", TRUTH_TRUE, DOMAIN_SOFTMAX},
        {"m = nn.Linear(1, 2)\ny = F.softmax(m(x), dim=1)\nz = y.to(d)\nuse(z)", TRUTH_TRUE,
         DOMAIN_SOFTMAX},
        {"m = nn.Linear(1, 2)\ny = F.softmax(m(x), dim=1)\ny = y * 2\nuse(y)", TRUTH_TRUE,
         DOMAIN_ANY},
        {"class N(nn.Module):\n    def forward(self, x):\n        return F.softmax(x)\nm = "
         "N()\nuse(m(x))",
         TRUTH_TRUE, DOMAIN_SOFTMAX},
        {"class N(nn.Module):\n    def forward(self, x):\n        if x:\n            return x\n    "
         "    return F.softmax(x)\nm = N()\nuse(m(x))",
         TRUTH_TRUE, DOMAIN_ANY},
        {"class N(nn.Module):\n    def forward(self, x):\n        return F.softmax(x)\n    def "
         "f(self, x):\n"
         "        use(self(x))",
         TRUTH_TRUE, DOMAIN_SOFTMAX},
        {"class N(nn.Module):\n    def forward(self, x):\n        return F.softmax(x)\n    "
         "@classmethod\n"
         "    def f(cls, x):\n        use(cls(x))",
         TRUTH_UNKNOWN, DOMAIN_ANY},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        enum truth graph = types_has_graph(&l.types, used(&l));
        enum domain domain = types_domain(&l.types, used(&l), NULL);
        if (graph != rows[i].graph || domain != rows[i].domain)
            fail_msg("row \"%s\": graph %s, domain %s", rows[i].text, truth_name(graph),
                     domain_name(domain));
        layers_close(&l);
    }
}

static void escapes_are_seen_through_owners(void **state)
{
    static const struct {
        const char *text;
        enum truth escapes;
    } rows[] = {
        {"model.eval()\nprint(1)\nmodel(x)\n", TRUTH_FALSE},
        {"model.eval()\nunknown(model)\nmodel(x)\n", TRUTH_TRUE},
        {"model.eval()\nunknown([model])\nmodel(x)\n", TRUTH_TRUE},
        {"model.eval()\nunknown(model.fc)\nmodel(x)\n", TRUTH_TRUE},
        {"unknown(model)\nmodel.eval()\nmodel(x)\n", TRUTH_FALSE},
        {"model.eval()\nmodel(x)\nunknown(model)\n", TRUTH_FALSE},
        {"model.eval()\nif c:\n    unknown(model)\nmodel(x)\n", TRUTH_TRUE},
        {"from torch import nn\nmodel = nn.Linear(1, 2)\nboth = "
         "[model]\nmodel.eval()\nunknown(both)"
         "\nmodel(x)\n",
         TRUTH_TRUE},
        {"from torch import nn\nmodel = nn.Linear(1, 2)\nboth = [model]\nother = [1]\nmodel.eval()"
         "\nunknown(other)\nmodel(x)\n",
         TRUTH_FALSE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        const struct cfg *c = types_cfg(&l.types, 0);
        struct step_set from = layers_calls(&l, c, "model.eval"),
                        to = layers_calls(&l, c, "model(x)");
        uint32_t object =
            types_object(&l.types, tree_first(&l.tree, layers_find(&l, PY_CALL, "model(x)")));
        ASSERT_ROW(types_escapes(&l.types, 0, object, &from, &to) == rows[i].escapes, rows[i].text);
        layers_close(&l);
    }
}

static void loaders_have_roles(void **state)
{
    static const struct {
        const char *text;
        enum loader_role role;
    } rows[] = {
        {"use(train_loader)", LOADER_TRAIN},
        {"use(self.val_loader)", LOADER_EVAL},
        {"use(loader)", LOADER_UNKNOWN},
        {"use(enumerate(testloader))", LOADER_EVAL},
        {"loader = torch.utils.data.DataLoader(train_set)\nuse(loader)", LOADER_TRAIN},
        {"import torch\nfrom torch.utils.data import DataLoader\nloader = "
         "DataLoader(train_set)\nuse(loader)",
         LOADER_TRAIN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        enum loader_role r = types_loader_role(&l.types, used(&l));
        ASSERT_ROW(r == rows[i].role, rows[i].text);
        layers_close(&l);
    }
}

/* Does what go() calls take an optimizer's step, in whatever method of a class? */
static void calls_that_train_are_known(void **state)
{
#define FIT "    def fit(self, optimizer):\n        optimizer.step()\n"
#define SAVE "    def save(self, path):\n        print(path)\n"
    static const struct {
        const char *name, *text;
        bool trains;
    } rows[] = {
        {"a function", "def go(optimizer):\n    optimizer.step()\n", true},
        {"one that does not", "def go(model):\n    model.eval()\n", false},
        {"through another",
         "def step(optimizer):\n    optimizer.step()\ndef go(optimizer):\n    step(optimizer)\n",
         true},
        {"a class", "class go:\n" FIT, true},
        {"the last of its methods", "class go:\n" SAVE FIT, true},
        {"the first of them", "class go:\n" FIT SAVE, true},
        {"none of them", "class go:\n" SAVE, false},
        {"one beside it", "class other:\n" FIT "class go:\n" SAVE, false},
        {"prepared by a library",
         "def go(accelerator, optimizer):\n    optimizer = accelerator.prepare(optimizer)\n"
         "    optimizer.step()\n",
         false},
        {"nothing known", "from elsewhere import go\n", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        struct strbuf text = {0};
        strbuf_printf(&text, "%sgo(x)\n", rows[i].text);
        layers_open(&l, text.at);
        uint32_t call = layers_find(&l, PY_CALL, "go(x)");
        ASSERT_ROW(types_call_trains(&l.types, call) == rows[i].trains, rows[i].name);
        strbuf_done(&text);
        layers_close(&l);
    }
#undef FIT
#undef SAVE
}

static void contradicting_rows_are_refused(void **state)
{
    static const struct api_row twice[] = {{.name = "a.b"}, {.name = "a.b"}};
    static const struct api_row missing[] = {{.name = "a.b", .same_as = "c.d"}};
    struct layers l;
    struct api_table *t;
    struct err e;
    (void)state;
    layers_open(&l, "");
    assert_false(api_table_new(l.paths, l.parser, &(struct api_facts){twice, 2, NULL, 0}, &t, &e));
    assert_int_equal(e.code, ERR_DATA);
    assert_false(
        api_table_new(l.paths, l.parser, &(struct api_facts){missing, 1, NULL, 0}, &t, &e));
    layers_close(&l);
}

TEST_SUITE(python_types, TEST(types_come_from_makers_uses_and_names),
           TEST(objects_are_the_same_through_identity_alone), TEST(events_follow_the_steps),
           TEST(modes_are_known_on_every_way_or_not_at_all),
           TEST(optimizers_hold_what_they_were_given), TEST(regions_reach_inwards),
           TEST(graphs_and_activations_are_followed), TEST(escapes_are_seen_through_owners),
           TEST(loaders_have_roles), TEST(calls_that_train_are_known),
           TEST(contradicting_rows_are_refused))
