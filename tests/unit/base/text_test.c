/* JSON and TOML: what is read, what is refused with which line, what is written. */
#include <math.h>

#include "base/json.h"
#include "base/toml.h"
#include "unit/test.h"

static void values_know_their_lines(void **state)
{
    struct arena a;
    struct err e;
    const struct json *root;
    (void)state;
    arena_init(&a);
    assert_true(
        json_parse(STR("{\"a\": [1,\n 2.5, \"x]\\\"y\"],\n\n \"b\": {\"c\": true,\n\"d\": null}}"),
                   "t", &a, &root, &e));
    const struct json *list = json_get(root, "a"), *b = json_get(root, "b");
    assert_int_equal(list->line, 1);
    assert_int_equal(list->items[1].line, 2);
    assert_int_equal(list->items[2].line, 2);
    assert_true(str_is(list->items[2].string, "x]\"y"));
    assert_int_equal(b->line, 4);
    assert_int_equal(json_get(b, "c")->line, 4);
    assert_int_equal(json_get(b, "d")->line, 5);
    assert_int_equal(json_get(b, "d")->column, 6);
    arena_done(&a);
}

static void bad_json_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"{\"a\": 1,}", "t:1:"}, {"{\"a\": 1,\n\"a\": 2}", "t:2:"},
        {"[1, 2", "not JSON"},   {"\"\xff\"", "not JSON"},
        {"", "not JSON"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e;
        const struct json *root;
        arena_init(&a);
        ASSERT_ROW(!json_parse(str_of(rows[i].text), "t", &a, &root, &e), rows[i].text);
        ASSERT_ROW(strstr(e.text, rows[i].says), rows[i].text);
        arena_done(&a);
    }
}

static void deep_nesting_is_a_limit_not_a_crash(void **state)
{
    struct arena a;
    struct err e;
    struct strbuf text = {0};
    const struct json *root;
    (void)state;
    arena_init(&a);
    for (int i = 0; i < 100000; i++)
        strbuf_addc(&text, '[');
    assert_false(json_parse(strbuf_str(&text), "t", &a, &root, &e));
    assert_int_equal(e.code, ERR_LIMIT);
    assert_false(toml_parse(strbuf_str(&text), "t", &a, &root, &e));
    strbuf_clear(&text);
    strbuf_adds(&text, "a = ");
    for (int i = 0; i < 100000; i++)
        strbuf_addc(&text, '[');
    assert_false(toml_parse(strbuf_str(&text), "t", &a, &root, &e));
    strbuf_done(&text);
    arena_done(&a);
}

static void siblings_are_not_depth(void **state)
{
    struct arena a;
    struct err e;
    struct strbuf text = {0};
    const struct json *root;
    (void)state;
    arena_init(&a);
    strbuf_addc(&text, '[');
    for (int i = 0; i < 500; i++)
        strbuf_adds(&text, i ? ",[]" : "[]");
    strbuf_addc(&text, ']');
    assert_true(json_parse(strbuf_str(&text), "t", &a, &root, &e));
    assert_int_equal(root->n, 500);
    strbuf_done(&text);
    arena_done(&a);
}

static void written_json_reads_back(void **state)
{
    struct arena a;
    struct err e;
    struct strbuf text = {0};
    const struct json *root;
    (void)state;
    arena_init(&a);
    for (int style = JSON_COMPACT; style <= JSON_PRETTY; style++) {
        strbuf_clear(&text);
        struct json_out w = json_open(&text, (enum json_style)style);
        json_begin_object(&w);
        json_pair_str(&w, "text", STR("a\"\\\n\x01\xff\xc3\xa9"));
        json_pair_double(&w, "third", 1.0 / 3);
        json_pair_double(&w, "nan", NAN);
        json_key(&w, "list");
        json_begin_array(&w);
        json_put_i64(&w, INT64_MIN);
        json_put_bool(&w, true);
        json_put_null(&w);
        json_begin_object(&w);
        json_end_object(&w);
        json_end_array(&w);
        json_end_object(&w);
        assert_true(json_parse(strbuf_str(&text), "t", &a, &root, &e));
        assert_true(str_is(json_get_str(root, "text", STR("")), "a\"\\\n\x01\xef\xbf\xbd\xc3\xa9"));
        assert_true(json_get_double(root, "third", 0) == 1.0 / 3);
        assert_true(str_is(json_get_str(root, "nan", STR("")), "nan"));
        assert_true(json_get(root, "list")->items[0].integer == INT64_MIN);
        assert_int_equal(json_get(root, "list")->n, 4);
    }
    strbuf_done(&text);
    arena_done(&a);
}

static void toml_reads_what_the_standard_shows(void **state)
{
    static const char text[] =
        "# a comment\n"
        "title = \"x\\u00e9\\n\" # behind\n"
        "[tool.assay]\n"
        "color = 'never'\n"
        "lint.select = [ \"SB\", # why\n  'SB031', ]\n"
        "n = 1_000\nh = 0xff\nf = 6.5e-1\nb = true\nd = 1979-05-27 07:32:00Z\n"
        "m = \"\"\"\none\\\n   two\"\"\"\n"
        "point = { x = 1, y.z = \"q\" }\n"
        "[[tool.other]]\nk = 1\n[[tool.other]]\nk = 2\n"
        "[tool.assay.hunt]\nseconds = 5\n\"odd key\" = -7\n";
    struct arena a;
    struct err e;
    const struct json *root;
    (void)state;
    arena_init(&a);
    if (!toml_parse((struct str){text, sizeof text - 1}, "t", &a, &root, &e))
        fail_msg("%s", e.text);
    const struct json *assay = json_get(json_get(root, "tool"), "assay");
    assert_true(str_is(json_get_str(root, "title", STR("")), "x\xc3\xa9\n"));
    assert_int_equal(json_get(json_get(assay, "lint"), "select")->n, 2);
    assert_int_equal(json_get_i64(assay, "n", 0), 1000);
    assert_int_equal(json_get_i64(assay, "h", 0), 255);
    assert_true(json_get_double(assay, "f", 0) == 0.65);
    assert_true(json_get_bool(assay, "b", false));
    assert_true(str_is(json_get_str(assay, "d", STR("")), "1979-05-27 07:32:00Z"));
    assert_true(str_is(json_get_str(assay, "m", STR("")), "onetwo"));
    assert_true(str_is(json_get_str(json_get(json_get(assay, "point"), "y"), "z", STR("")), "q"));
    assert_int_equal(json_get_i64(&json_get(json_get(root, "tool"), "other")->items[1], "k", 0), 2);
    assert_int_equal(json_get_i64(json_get(assay, "hunt"), "seconds", 0), 5);
    assert_int_equal(json_get_i64(json_get(assay, "hunt"), "odd key", 0), -7);
    assert_int_equal(json_get(json_get(assay, "hunt"), "seconds")->line, 21);
    arena_done(&a);
}

static void toml_strings_are_read_in_their_four_forms(void **state)
{
    static const struct {
        const char *text, *value;
    } rows[] = {
        {"a = \"\\b\\t\\n\\f\\r\\\"\\\\\"", "\b\t\n\f\r\"\\"},
        {"a = \"\\u0041\\u00e9\\u20AC\\U0001f600\"", "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"a = '\\u0041\"'", "\\u0041\""},
        {"a = '''\n x\\y\n'z'''", " x\\y\n'z"},
        {"a = \"\"\"\r\nx\r\ny\"\"\"\"\"", "x\r\ny\"\""},
        {"a = \"\"\"x \\  \n\t\r\n y\"\"\"", "x y"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e;
        const struct json *root;
        arena_init(&a);
        if (!toml_parse(str_of(rows[i].text), "t", &a, &root, &e))
            fail_msg("%s: %s", rows[i].text, e.text);
        ASSERT_ROW(str_is(json_get_str(root, "a", STR("")), rows[i].value), rows[i].text);
        arena_done(&a);
    }
}

static void bad_toml_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"a = 1\na = 2", "t:2: not TOML: the key already has a value"},
        {"a = ", "a value is expected"},
        {"a = \"x", "the string does not end"},
        {"[a]\n[a]", "t:2: not TOML: the table is defined twice"},
        {"a = 1 b = 2", "the line should end here"},
        {"a = {x = 1}\n[a.y]", "the key already has a value"},
        {"a = \"\\q\"", "unknown escape"},
        {"= 1", "a key is expected"},
        {"a = \"\\ux\"", "a hexadecimal digit is expected"},
        {"a = \"\\ud800\"", "the escape is no Unicode scalar value"},
        {"a = \"\\U00110000\"", "the escape is no Unicode scalar value"},
        {"a = \"\"\"x\\ y\"\"\"", "unknown escape"},
        {"a = 'x\n'", "the string does not end"},
        {"a = [1 2]", "',' or ']' is expected"},
        {"a = {x = 1 y = 2}", "',' or '}' is expected"},
        {"a", "'=' is expected after the key"},
        {"a = 1\na.b = 2", "t:2: not TOML: the key already has a value"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e;
        const struct json *root;
        arena_init(&a);
        ASSERT_ROW(!toml_parse(str_of(rows[i].text), "t", &a, &root, &e), rows[i].text);
        ASSERT_ROW(strstr(e.text, rows[i].says), rows[i].text);
        arena_done(&a);
    }
}

TEST_SUITE(base_text, TEST(values_know_their_lines), TEST(bad_json_is_refused_with_its_place),
           TEST(deep_nesting_is_a_limit_not_a_crash), TEST(siblings_are_not_depth),
           TEST(written_json_reads_back), TEST(toml_reads_what_the_standard_shows),
           TEST(toml_strings_are_read_in_their_four_forms), TEST(bad_toml_is_refused_with_its_line))
