/* Flat nodes, arguments, literals, damage, and inputs that break recursive code. */
#include <tree_sitter/api.h>

#include "unit/python/layers.h"

const TSLanguage *tree_sitter_python(void);

static void nodes_are_in_preorder_with_exact_extents(void **state)
{
    static const struct {
        const char *text, *dump;
    } rows[] = {
        {"x = f(1, k=y) # c\n",
         "module [0, 18)\n  expression_statement [0, 13)\n    assignment [0, 13)\n      left: "
         "identifier [0, 1) x\n      right: call [4, 13)\n"
         "        function: identifier [4, 5) f\n        arguments: argument_list [5, 13)\n        "
         "  integer [6, 7) 1\n"
         "          keyword_argument [9, 12)\n            name: identifier [9, 10) k\n            "
         "value: identifier [11, 12) y\n"},
        {"a not in b\n", "module [0, 11)\n  expression_statement [0, 10)\n    comparison_operator "
                         "not in [0, 10)\n      identifier [0, 1) a\n"
                         "      identifier [9, 10) b\n"},
        {"'a' f'{x}'\n", "module [0, 11)\n  expression_statement [0, 10)\n    concatenated_string "
                         "[0, 10)\n      string [0, 3) 'a'\n"
                         "      string [4, 10)\n        interpolation [6, 9)\n          "
                         "expression: identifier [7, 8) x\n"},
        {"", "module [0, 0) \n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        struct strbuf out = {0};
        layers_open(&l, rows[i].text);
        tree_dump(&l.tree, &out);
        assert_string_equal(out.at, rows[i].dump);
        strbuf_done(&out);
        layers_close(&l);
    }
}

/* A part that the parser misses inside a token is damage too. */
static void missing_quotes_are_damage(void **state)
{
    static const struct {
        const char *text;
        bool is_damaged;
    } rows[] = {{"x = 'a'\n", false},
                {"x = '\n", true},
                {"x = \"a\ny = 1\n", true},
                {"x = f'{a\n", true},
                {"\", x\nprint >>f, $\nif a <> b: print 1 if\n", true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        ASSERT_ROW((l.tree.damage.n > 0) == rows[i].is_damaged, rows[i].text);
        layers_close(&l);
    }
}

static void arguments_are_found_or_unknown(void **state)
{
    static const struct {
        const char *call;
        unsigned at;
        const char *argument; /* NULL: absent */
        bool unknown;
    } rows[] = {
        {"f(a, b)", 1, "b", false},   {"f(a)", 1, NULL, false},
        {"f(*a, b)", 1, NULL, true},  {"f(a, **k)", 1, NULL, true},
        {"f(k=1, a)", 0, "a", false}, {"f(x for x in y)", 0, "(x for", false},
        {"f()", 0, NULL, false},      {"f(a, *b)", 0, "a", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        bool unknown;
        layers_open(&l, rows[i].call);
        uint32_t n = tree_argument(&l.tree, layers_find(&l, PY_CALL, "f"), rows[i].at, &unknown);
        ASSERT_ROW((n != 0) == (rows[i].argument != NULL), rows[i].call);
        ASSERT_ROW(!n || str_starts(tree_text(&l.tree, n), str_of(rows[i].argument)), rows[i].call);
        ASSERT_ROW(unknown == rows[i].unknown, rows[i].call);
        layers_close(&l);
    }
}

static void literals_have_values(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        double value;
    } rows[] = {{"12", true, 12},      {"-3", true, -3},   {"0x1F", true, 31},
                {"1_000", true, 1000}, {"0b101", true, 5}, {"1e-3", true, 0.001},
                {"(-.5)", true, -0.5}, {"x", false, 0},    {"99999999999999999999", false, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        double v = 0;
        layers_open(&l, rows[i].text);
        uint32_t n = tree_first(&l.tree, tree_first(&l.tree, 0));
        ASSERT_ROW(tree_number_value(&l.tree, n, &v) == rows[i].ok, rows[i].text);
        ASSERT_ROW(!rows[i].ok || v == rows[i].value, rows[i].text);
        layers_close(&l);
    }
}

static void damage_is_marked_and_the_rest_is_read(void **state)
{
    struct layers l;
    (void)state;
    layers_open(&l, "x = = 1\ndef f():\n    return g(2)\n");
    assert_true(l.tree.damage.n > 0);
    assert_true(l.tree.damage.at[0].start < 8);
    assert_true(layers_find(&l, PY_CALL, "g(2)") != 0);
    assert_true(l.tree.nodes[0].flags & PY_FLAG_HAS_DAMAGE);
    layers_close(&l);
}

/* `open` n times, then `middle`, then `close` n times. */
static char *nest(struct arena *a, const char *open, const char *middle, const char *close,
                  size_t n)
{
    struct strbuf b = {0};
    for (size_t i = 0; i < n; i++)
        strbuf_adds(&b, open);
    strbuf_adds(&b, middle);
    for (size_t i = 0; i < n; i++)
        strbuf_adds(&b, close);
    char *text = arena_strdup(a, b.at);
    strbuf_done(&b);
    return text;
}

static void depth_costs_no_stack(void **state)
{
    static const struct {
        const char *open, *middle, *close;
    } rows[] = {{"(", "x", ")"},     {"f(", "x", ")"},          {"[", "", "]"},
                {"-", "x", ""},      {"x.", "y", ""},           {"lambda: ", "x", ""},
                {"not ", "x", ""},   {"x if y else ", "z", ""}, {"x + ", "y", ""},
                {"f(a)(", "b", ")"}, {"{1: ", "x", "}"},        {"(", "", ""}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct layers l;
        struct strbuf out = {0};
        arena_init(&a);
        layers_open(&l, nest(&a, rows[i].open, rows[i].middle, rows[i].close, 10000));
        const struct cfg *c = types_cfg(&l.types, 0);
        ASSERT_ROW(l.tree.n_nodes > 0 && c, rows[i].open);
        types_events(&l.types, 0);
        strbuf_done(&out);
        layers_close(&l);
        arena_done(&a);
    }
}

/* The library's cursor compared with our walk: how many of its nodes the walk has, in order and
 * with the same place and field, and how many identifiers and calls are among them. */
struct cursor_counts {
    uint32_t n_same, n_identifiers, n_calls;
};

static bool is_same(const struct tree *t, uint32_t n, const TSTreeCursor *cursor)
{
    TSNode at = ts_tree_cursor_current_node(cursor);
    const char *field = ts_tree_cursor_current_field_name(cursor);
    const struct tree_node *node = tree_node(t, n);
    return node->start == ts_node_start_byte(at) && node->end == ts_node_end_byte(at) &&
           strcmp(py_field_name((enum py_field)node->field), field ? field : "") == 0;
}

static struct cursor_counts walk_by_cursor(const struct tree *t)
{
    struct cursor_counts c = {.n_same = 1}; /* the module spans more than the cursor's node */
    struct str text = t->source->text;
    TSParser *parser = ts_parser_new();
    assert_true(ts_parser_set_language(parser, tree_sitter_python()));
    TSTree *tree = ts_parser_parse_string(parser, NULL, text.at, (uint32_t)text.n);
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    for (bool more = true; more;) {
        TSNode at = ts_tree_cursor_current_node(&cursor);
        c.n_identifiers += strcmp(ts_node_type(at), "identifier") == 0 && !ts_node_is_missing(at);
        c.n_calls += strcmp(ts_node_type(at), "call") == 0;
        c.n_same += c.n_same < t->n_nodes && is_same(t, c.n_same, &cursor);
        if (ts_tree_cursor_goto_first_child(&cursor))
            continue;
        while (more && !ts_tree_cursor_goto_next_sibling(&cursor))
            more = ts_tree_cursor_goto_parent(&cursor);
    }
    ts_tree_cursor_delete(&cursor);
    ts_tree_delete(tree);
    ts_parser_delete(parser);
    return c;
}

static uint32_t count_kind(const struct tree *t, enum py_kind kind)
{
    uint32_t count = 0;
    for (uint32_t n = 1; n < t->n_nodes; n++)
        count += t->nodes[n].kind == kind;
    return count;
}

static void walk_gives_what_the_cursor_gives(void **state)
{
    struct arena a;
    arena_init(&a);
    const char *const texts[] = {
        "",
        "\n\n  # only a comment\n",
        "def f(a, /, b: int = 1, *c, d=2, **e) -> list[int]:\n    # why\n    return a @ b\n",
        "@d(1)\nclass A(B, metaclass=C):\n    x: int = 1\n    async def f(self): await g()\n",
        "import a.b as c, d\nfrom ..e import (f as g, h)\nfrom __future__ import i\n",
        "try:\n    pass\nexcept* A as e:\n    raise B from e\nelse:\n    c()\nfinally:\n    d()\n",
        "match x:\n    case A(b=[1, *_], c={'d': e, **f}) | None if g: pass\n",
        "with a() as b, (c() as d): print(f'{b!r:>{w}} {d}' 'e', *f, **g)\n",
        "x = [a for b in c if d for e in f] if g else {h: i async for i in j}, (k := l)\n",
        "x = = 1\ndef f(:\n    return g(2\n",
        "if a:\n  b(\nclass\n  $ c = '\n",
        nest(&a, "", "x = [", "f(a, k=b), # c\n", 5000),
        nest(&a, "f(", "x", ")", 3000),
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct layers l;
        layers_open(&l, texts[i]);
        struct cursor_counts c = walk_by_cursor(&l.tree);
        ASSERT_ROW(c.n_same == l.tree.n_nodes, texts[i]);
        ASSERT_ROW(c.n_identifiers == count_kind(&l.tree, PY_IDENTIFIER), texts[i]);
        ASSERT_ROW(c.n_calls == count_kind(&l.tree, PY_CALL), texts[i]);
        layers_close(&l);
    }
    arena_done(&a);
}

/* While one file is read, another parser in the process uses the system's memory. */
static void parsers_of_others_keep_their_memory(void **state)
{
    struct layers l;
    (void)state;
    TSParser *parser = ts_parser_new();
    assert_true(ts_parser_set_language(parser, tree_sitter_python()));
    TSTree *tree = ts_parser_parse_string(parser, NULL, "f(1, 2)\n", 8);
    for (int i = 0; i < 3; i++) {
        layers_open(&l, "def g(a):\n    return a\n");
        layers_close(&l);
    }
    char *text = ts_node_string(ts_tree_root_node(tree));
    assert_string_equal(text, "(module (expression_statement (call function: (identifier) "
                              "arguments: (argument_list (integer) (integer)))))");
    free(text);
    ts_tree_delete(tree);
    ts_parser_delete(parser);
}

TEST_SUITE(python_tree, TEST(nodes_are_in_preorder_with_exact_extents),
           TEST(missing_quotes_are_damage), TEST(arguments_are_found_or_unknown),
           TEST(literals_have_values), TEST(damage_is_marked_and_the_rest_is_read),
           TEST(depth_costs_no_stack), TEST(walk_gives_what_the_cursor_gives),
           TEST(parsers_of_others_keep_their_memory))
