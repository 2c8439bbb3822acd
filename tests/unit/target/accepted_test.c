/* What a probe found goes into a registration and comes back whole; broken files are refused. */
#include "target/accepted.h"

#include "base/file.h"
#include "base/path.h"
#include "target/environment.h"
#include "unit/test.h"

static const struct accepted_operator found[] = {
    {.op_type = TEXT("Abs"), .accepted = 1u << DTYPE_FLOAT | 1u << DTYPE_INT64},
    {.op_type = TEXT("Det"),
     .unsupported = 1u << DTYPE_FLOAT,
     .failed = 1u << DTYPE_DOUBLE,
     .reason = TEXT("unsupported: no rule for \"Det\"")},
    {.op_type = TEXT("Relu"),
     .accepted = 1u << DTYPE_FLOAT,
     .unsupported = 1u << DTYPE_BFLOAT16,
     .reason = TEXT("unsupported: no kernel")}};

static const struct accepted all = {found, COUNT_OF(found)};

static void what_was_found_comes_back(void **state)
{
    struct arena a;
    struct strbuf text = {0};
    struct accepted back;
    const struct json *j;
    struct err e;
    (void)state;
    arena_init(&a);
    struct json_out w = json_open(&text, JSON_PRETTY);
    accepted_write(&all, &w);
    if (!json_parse(strbuf_str(&text), "probe", &a, &j, &e) || !accepted_read(j, &a, &back, &e))
        fail_msg("%s", e.text);
    assert_int_equal(back.n, all.n);
    for (size_t i = 0; i < all.n; i++) {
        const struct accepted_operator *x = &found[i], *y = &back.rows[i];
        if (!str_eq(x->op_type, y->op_type) || !str_eq(x->reason, y->reason) ||
            x->accepted != y->accepted || x->unsupported != y->unsupported ||
            x->failed != y->failed)
            fail_msg("row %zu", i);
    }
    strbuf_done(&text);
    arena_done(&a);
}

static void one_line_tells_it(void **state)
{
    struct accepted_operator many[9] = {{.op_type = TEXT("Abs"), .accepted = 2}};
    struct strbuf text = {0};
    (void)state;
    accepted_print(&all, &text);
    assert_string_equal(text.at, "2 of 3 operators, 2 of 4 dtypes; not seen to run: Det");
    strbuf_clear(&text);
    accepted_print(&(struct accepted){found, 1}, &text);
    assert_string_equal(text.at, "1 of 1 operators, 2 of 2 dtypes");
    strbuf_clear(&text);
    for (size_t i = 1; i < COUNT_OF(many); i++)
        many[i] = found[1];
    accepted_print(&(struct accepted){many, COUNT_OF(many)}, &text);
    assert_string_equal(text.at, "1 of 9 operators, 1 of 2 dtypes; not seen to run: Det, Det, Det, "
                                 "Det, Det, Det and 2 more");
    strbuf_done(&text);
}

static void broken_ones_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"[]", "an object with operators as keys is expected"},
        {"{\"Abs\": {\"accepted\": [\"floaty\"]}}", "no dtype is called \"floaty\""},
        {"{\"Abs\": {\"failed\": [7]}}", "no dtype is called \"\""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct accepted out;
        const struct json *j;
        struct err e;
        arena_init(&a);
        assert_true(json_parse(str_of(rows[i].text), "probe", &a, &j, &e));
        ASSERT_ROW(!accepted_read(j, &a, &out, &e) && e.code == ERR_DATA, rows[i].text);
        ASSERT_ROW(strstr(e.text, rows[i].message) != NULL, rows[i].text);
        arena_done(&a);
    }
}

static void a_registration_holds_it(void **state)
{
    static const char text[] =
        "{\"engine\": \"ort\", \"version\": \"1.31.1\", \"python\": \"/p\", \"roots\": [], "
        "\"probe\": {\"import_ms\": 7, \"operators\": {\"Abs\": {\"accepted\": [\"float\"]}}}}";
    struct arena a;
    struct targets targets;
    const char *home;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "assay-home", &home, &e));
    const char *dir = path_join(&a, home, "targets");
    assert_true(file_make_dirs(dir, &e));
    assert_true(file_write(path_join(&a, dir, "ort@1.31.1.json"), text, strlen(text), &e));
    if (!targets_load(home, &a, &targets, &e))
        fail_msg("%s", e.text);
    assert_int_equal(targets.n_installations, 1);
    assert_int_equal(targets.installations[0].accepted.n, 1);
    assert_int_equal(targets.installations[0].accepted.rows[0].accepted, 1u << DTYPE_FLOAT);
    assert_true(file_remove_tree(home, &e));
    arena_done(&a);
}

TEST_SUITE(target_accepted, TEST(what_was_found_comes_back), TEST(one_line_tells_it),
           TEST(broken_ones_are_refused), TEST(a_registration_holds_it))
