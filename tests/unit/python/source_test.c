/* Lines and columns as people count them, normalised source and its offsets in the original,
 * notebooks, limits. */
#include "python/tree.h"
#include "unit/python/layers.h"

static void columns_are_characters_and_utf16_units(void **state)
{
    static const struct {
        const char *text;
        uint32_t offset, line, column, utf16;
    } rows[] = {
        {"abc", 2, 1, 3, 2},   {"a\nbc", 3, 2, 2, 1},     {"a\r\nbc", 4, 2, 2, 1},
        {"a\rbc", 3, 2, 2, 1}, {"\xC3\xA9x", 2, 1, 2, 1}, {"\xF0\x9F\x98\x80x", 4, 1, 2, 2},
        {"\xFFx", 1, 1, 2, 1}, /* not UTF-8: each byte is one character */
        {"", 0, 1, 1, 0},      {"x\n", 2, 2, 1, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct source s;
        struct err e;
        arena_init(&a);
        assert_true(source_open(&(struct source_input){STR("t"), str_of(rows[i].text), SOURCE_FILE},
                                NULL, &a, &s, &e));
        struct source_place p = source_place(&s, rows[i].offset);
        ASSERT_ROW(p.line == rows[i].line && p.column == rows[i].column && p.utf16 == rows[i].utf16,
                   rows[i].text);
        ASSERT_ROW(source_offset_utf16(&s, p.line, p.utf16) == rows[i].offset, rows[i].text);
        arena_done(&a);
    }
}

static void damaged_lines_are_repaired(void **state)
{
    static const struct {
        const char *name, *text, *becomes;
    } rows[] = {
        {"full-width colon", "with f()\xEF\xBC\x9A\n    g()\n", "with f():\n    g()\n"},
        {"full-width brackets", "print\xEF\xBC\x88x\xEF\xBC\x89\n", "print(x)\n"},
        {"curly quotes",
         "x = \xE2\x80\x9C"
         "a b\xE2\x80\x9D\n",
         "x = \"a b\"\n"},
        {"prompts", ">>> for x in y:\n...     f(x)\n... \n>>> g()\n",
         "for x in y:\n    f(x)\n\ng()\n"},
        {"notebook prompts", "In [1]: x = 1\nIn [2]: y = (\n   ...: 2)\n", "x = 1\ny = (\n2)\n"},
        {"no-break space in code", "if x:\n    y\xC2\xA0= 1\n    z = = 2\n", NULL},
        {"patch", "+import os\n-for x y\n+for x in y:\n     f(x)\n",
         " import os\n#for x y\n for x in y:\n     f(x)\n"},
        {"strings are left alone", "x = 'a\xEF\xBC\x9A'\ny = f(\xEF\xBC\x89\n",
         "x = 'a\xEF\xBC\x9A'\ny = f()\n"},
        {"sound text is left alone", "x = 1\n", "x = 1\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct layers l;
        layers_open(&l, rows[i].text);
        if (rows[i].becomes) {
            ASSERT_ROW(str_is(l.source.text, rows[i].becomes), rows[i].name);
            ASSERT_ROW(l.tree.damage.n == 0, rows[i].name);
        }
        layers_close(&l);
    }
}

static void repaired_text_leads_back_to_the_file(void **state)
{
    struct layers l;
    (void)state;
    layers_open(&l, ">>> x = f\xEF\xBC\x88"
                    "1)\n>>> y = 2\n");
    assert_true(str_is(l.source.text, "x = f(1)\ny = 2\n"));
    assert_int_equal(source_raw_offset(&l.source, 0), 4);
    assert_int_equal(source_raw_offset(&l.source, 6), 12);
    struct source_place p = source_place(&l.source, 9);
    assert_int_equal(p.line, 2);
    assert_int_equal(p.column, 5);
    assert_true(source_is_repaired(&l.source, (struct span){4, 5}));
    layers_close(&l);
}

static void sizes_over_the_limit_are_refused(void **state)
{
    struct source_limits limits = {.max_bytes = 3};
    struct arena a;
    struct source s;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(source_open(&(struct source_input){STR("t"), STR("abc"), SOURCE_FILE}, &limits, &a,
                            &s, &e));
    assert_false(source_open(&(struct source_input){STR("t"), STR("abcd"), SOURCE_FILE}, &limits,
                             &a, &s, &e));
    assert_int_equal(e.code, ERR_LIMIT);
    arena_done(&a);
}

static const char notebook[] =
    "{\n \"cells\": [\n  {\"cell_type\": \"markdown\", \"source\": [\"# no\"]},\n"
    "  {\"cell_type\": \"code\", \"source\": [\n    \"%matplotlib inline\\n\",\n    \"x = 1\"\n   "
    "]},\n"
    "  {\"cell_type\": \"code\", \"source\": \"!ls\\ny = x\"},\n"
    "  {\"cell_type\": \"code\", \"source\": \"%%bash\\necho $x\"}\n ],\n \"nbformat\": 4\n}\n";

static void notebook_cells_are_joined_with_magics_blanked(void **state)
{
    struct arena a;
    struct source s;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(
        source_open(&(struct source_input){STR("t.ipynb"), str_of(notebook), SOURCE_NOTEBOOK}, NULL,
                    &a, &s, &e));
    assert_true(str_is(s.text, "                  \nx = 1\n   \ny = x\n      \n       \n"));
    struct source_place p = source_place(&s, (uint32_t)str_find(s.text, STR("y = x")));
    assert_int_equal(p.cell, 3);
    assert_int_equal(p.line, 2);
    assert_int_equal(p.column, 1);
    struct source_cell_text cell = {2, STR("%matplotlib inline\nx = 22")};
    struct strbuf out = {0};
    assert_true(source_write_notebook(&s, &cell, 1, &out, &e));
    size_t at = str_find(str_of(notebook), STR("x = 1"));
    assert_memory_equal(out.at, notebook, at);
    assert_string_equal(out.at + at + 6, notebook + at + 5);
    strbuf_done(&out);
    arena_done(&a);
}

static void what_is_no_notebook_is_named(void **state)
{
    static const char *const rows[] = {"", "{", "[]", "{\"cells\": 3}",
                                       "{\"cells\": [{\"cell_type\": \"code\", \"source\": 3}]}"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct source s;
        struct err e;
        arena_init(&a);
        ASSERT_ROW(
            !source_open(&(struct source_input){STR("t.ipynb"), str_of(rows[i]), SOURCE_NOTEBOOK},
                         NULL, &a, &s, &e),
            rows[i]);
        ASSERT_ROW(e.code == ERR_DATA, rows[i]);
        arena_done(&a);
    }
}

TEST_SUITE(python_source, TEST(columns_are_characters_and_utf16_units),
           TEST(damaged_lines_are_repaired), TEST(repaired_text_leads_back_to_the_file),
           TEST(sizes_over_the_limit_are_refused),
           TEST(notebook_cells_are_joined_with_magics_blanked), TEST(what_is_no_notebook_is_named))
