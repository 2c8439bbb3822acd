/* Definitions that reach reads, values carried around loops, traces. */
#include <stdio.h>

#include "unit/python/layers.h"

/* Compares the defuse dump's line for the argument of use(...): the definitions that reach it. */
static void definitions_reach_reads(void **state)
{
    static const struct {
        const char *text, *reaches;
    } rows[] = {
        {"x = 1\nuse(x)\n", "x <- value@1\n"},
        {"x = 1\nx = 2\nuse(x)\n", "x <- value@2\n"},
        {"x = 1\nif c:\n    x = 2\nuse(x)\n", "x <- value@1 value@3\n"},
        {"for x in y:\n    use(x)\n", "x <- element@1\n"},
        {"x = 0\nfor i in y:\n    use(x)\n    x = i\n", "x <- value@1 value@4\n"},
        {"a, x = y\nuse(x)\n", "x <- part[1]@1\n"},
        {"a, (b, x) = y\nuse(x)\n", "x <- part@1\n"},
        {"x = 1\nx += 2\nuse(x)\n", "x <- augmented@2\n"},
        {"with y as x:\n    use(x)\n", "x <- entered@1\n"},
        {"import x\nuse(x)\n", "x <- named@1\n"},
        {"x = 1\ndel x\nuse(x)\n", "x <- gone@2\n"},
        {"use(x)\nx = 1\n", "x <- entry\n"},
        {"try:\n    x = 1\n    f()\n    x = 2\nexcept E:\n    use(x)\n",
         "x <- entry value@2 value@4\n"},
        {"o.x = 1\nuse(o.x)\n", "o.x <- value@1\n"},
        {"o.x = 1\no = f()\nuse(o.x)\n", "o.x <- prefix@2\n"},
        {"o.x = 1\nf(o)\nuse(o.x)\n", "o.x <- value@1 may@2\n"},
        {"o.x = 1\no.f()\nuse(o.x)\n", "o.x <- value@1 may@2\n"},
        {"o.x = 1\nf(o.x)\nuse(o.x)\n", "o.x <- value@1\n"},
        {"o = f()\nuse(o.x)\n", "o.x <- o: value@1\n"},
        {"a.b.c.d = 1\nuse(a.b.c.d)\n", "a.b.c.d <- value@1\n"},
        {"(x := 1)\nuse(x)\n", "x <- value@1\n"},
        {"x = y = 1\nuse(x)\n", "x <- value@1\n"},
        {"x = 1\ndef g():\n    global x\n    x = 2\ng()\nuse(x)\n", "x <- value@1 may@5\n"},
        {"while c:\n    x = 1\nelse:\n    use(x)\n", "x <- entry value@2\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        struct strbuf out = {0};
        layers_open(&l, rows[i].text);
        const struct flow *f = types_flow(&l.types, 0);
        flow_dump(f, &out);
        struct str name =
            str_sub(str_of(rows[i].reaches), 0, str_find_byte(str_of(rows[i].reaches), '<'));
        uint32_t call = layers_find(&l, PY_CALL, "use(");
        char head[64];
        snprintf(head, sizeof head, "  %u: " STR_FMT,
                 source_line_of(&l.source, l.tree.nodes[call].start), STR_ARG(name));
        size_t at = str_find(strbuf_str(&out), str_of(head));
        ASSERT_ROW(at < out.n, rows[i].text);
        struct str line = str_sub(strbuf_str(&out), at + strlen(head) - name.n, out.n);
        if (!str_starts(line, str_of(rows[i].reaches)))
            fail_msg("row \"%s\": %s", rows[i].text, out.at);
        strbuf_done(&out);
        layers_close(&l);
    }
}

static void values_are_carried_around_loops(void **state)
{
    static const struct {
        const char *text;
        enum truth carried;
    } rows[] = {
        {"t = 0\nfor x in y:\n    t = t + use(t)\n", TRUTH_TRUE},
        {"for x in y:\n    t = 0\n    use(t)\n", TRUTH_FALSE},
        {"t = 0\nfor x in y:\n    use(t)\n", TRUTH_FALSE},
        {"t = 0\nfor x in y:\n    if c:\n        t = x\n    use(t)\n", TRUTH_TRUE},
        {"t = 0\nwhile c:\n    use(t)\n    t += 1\n", TRUTH_TRUE},
        {"for x in y:\n    t = 0\n    for z in w:\n        t += 1\n    use(t)\n", TRUTH_FALSE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        const struct flow *f = types_flow(&l.types, 0);
        uint32_t call = layers_find(&l, PY_CALL, "use("), t = tree_argument(&l.tree, call, 0, NULL);
        ASSERT_ROW(flow_is_carried(f, cfg_step(f->cfg, t), 0) == rows[i].carried, rows[i].text);
        layers_close(&l);
    }
}

struct seen {
    const struct tree *t;
    bool found;
    const char *wanted;
};

static enum trace_next look(void *ctx, uint32_t node, uint32_t def)
{
    struct seen *s = ctx;
    (void)def;
    s->found |= str_is(tree_text(s->t, node), s->wanted);
    return TRACE_ON;
}

static void values_are_traced_to_their_sources(void **state)
{
    static const struct {
        const char *text, *source;
        bool through_calls, found;
    } rows[] = {
        {"x = s()\ny = x + 1\nuse(y)\n", "s()", false, true},
        {"x = s()\ny = f(x)\nuse(y)\n", "s()", false, false},
        {"x = s()\ny = f(x)\nuse(y)\n", "s()", true, true},
        {"x = s()\ny = x.g()\nuse(y)\n", "s()", true, true},
        {"x = s()\nx = 0\nuse(x)\n", "s()", true, false},
        {"x = s() if c else 0\nuse(x)\n", "s()", false, true},
        {"x = 0 if s() else 1\nuse(x)\n", "s()", false, false},
        {"x = [s()]\nuse(x[0])\n", "s()", false, true},
        {"t = 0\nfor i in y:\n    t += s()\nuse(t)\n", "s()", false, true},
        {"o.x = s()\nuse(o.x)\n", "s()", false, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        struct seen seen = {&l.tree, false, rows[i].source};
        struct flow_trace trace = {look, &seen, rows[i].through_calls};
        uint32_t call = layers_find(&l, PY_CALL, "use(");
        flow_trace_back(types_flow(&l.types, 0), tree_argument(&l.tree, call, 0, NULL), &trace);
        ASSERT_ROW(seen.found == rows[i].found, rows[i].text);
        layers_close(&l);
    }
}

static void values_are_traced_to_their_uses(void **state)
{
    static const struct {
        const char *text, *use;
        bool found;
    } rows[] = {
        {"x = s()\nuse(x)\n", "use(x)", true},
        {"x = s()\ny = x + 1\nuse(y)\n", "use(y)", true},
        {"x = s()\nx = 0\nuse(x)\n", "use(x)", false},
        {"for x in s():\n    use(x)\n", "use(x)", true},
        {"use(s().a.b())\n", "use(s().a.b())", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        struct seen seen = {&l.tree, false, rows[i].use};
        struct flow_trace trace = {look, &seen, true};
        flow_trace_forward(types_flow(&l.types, 0), layers_find(&l, PY_CALL, "s()"), &trace);
        ASSERT_ROW(seen.found == rows[i].found, rows[i].text);
        layers_close(&l);
    }
}

TEST_SUITE(python_flow, TEST(definitions_reach_reads), TEST(values_are_carried_around_loops),
           TEST(values_are_traced_to_their_sources), TEST(values_are_traced_to_their_uses))
