/* Documented names against schemas; schemas as text; judged findings; records. */
#include "documents/judged.h"
#include "documents/names.h"
#include "documents/schema.h"
#include "unit/test.h"

static const struct str schemas[] = {
    TEXT("aten::div.Tensor(Tensor self, Tensor other) -> Tensor"),
    TEXT("aten::div.out_mode(Tensor self, Tensor other, *, str? rounding_mode=None, Tensor(a!) "
         "out) -> Tensor(a!)")};

struct row {
    const char *name, *doc;
    size_t n_compared, n_found;
};

static const struct row rows[] = {
    {"an unknown name", "div(value, *, rounding_mode=None) -> Tensor", 2, 1},
    {"known names", "div(other, *, rounding_mode=None, out=None) -> Tensor", 2, 0},
    {"self is always known", "div(input, other) -> Tensor", 1, 0},
    {"another function's line", "mul(value) -> Tensor", 0, 0},
    {"no signature", "Divides by value.", 0, 0},
    {"a typed signature", "div(self: Tensor, arg0: Tensor) -> Tensor", 0, 0},
};

static void names_that_no_call_accepts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct name_findings out = {0};
        size_t n = 0;
        struct api_record r = {.name = STR("torch.Tensor.div"),
                               .kind = STR("method"),
                               .doc = str_of(rows[i].doc),
                               .schemas = schemas,
                               .n_schemas = 2};
        arena_init(&a);
        names_check(&r, &a, &out, &n);
        ASSERT_ROW(n == rows[i].n_compared && out.n == rows[i].n_found, rows[i].name);
        ASSERT_ROW(!out.n || str_is(out.at[0].instead, "other"), rows[i].name);
        arena_done(&a);
    }
}

static void a_schema_is_read(void **state)
{
    struct schema s;
    (void)state;
    schema_read(STR("aten::f(Tensor(a!) self, int[2] size=[0, 1], *, Tensor(a!)[] out) -> ()"), &s);
    assert_int_equal(s.n, 3);
    assert_int_equal(s.n_positional, 2);
    assert_true(str_is(s.at[0].type, "Tensor") && str_is(s.at[0].name, "self"));
    assert_true(str_is(s.at[1].type, "int[2]") && str_is(s.at[1].name, "size"));
    assert_true(str_is(s.at[2].name, "out"));
    assert_false(s.writes_out);
    schema_read(schemas[1], &s);
    assert_true(s.writes_out && s.n == 4 && s.n_positional == 2);
}

static void judged_rows_are_found(void **state)
{
    struct arena a;
    struct judged all;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    assert_true(judged_load(STR("torch"), &a, &all, &e));
    const struct judged_row *cond =
        judged_find(&all, STR("torch.linalg.cond"), "example", STR("torch.linalg.cond(A)\n"));
    assert_non_null(cond);
    assert_true(str_is(cond->class, "D1") && cond->n_script > 1);
    const struct judged_row *also =
        judged_find(&all, STR("torch.any"), "example", STR("torch.any(a)\n"));
    assert_non_null(also);
    assert_true(str_is(also->api, "torch.all"));
    const struct judged_row *right =
        judged_find(&all, STR("torch.empty"), "example", STR("torch.empty(2)\n"));
    assert_non_null(right);
    assert_true(right->class.n == 0 && right->why.n > 0);
    assert_null(judged_find(&all, STR("torch.empty"), "name", STR("")));
    assert_true(judged_load(STR("no-such-framework"), &a, &all, &e));
    assert_int_equal(all.n, 0);
    arena_done(&a);
}

static void records_are_read_or_refused(void **state)
{
    static const char head[] = "{\"framework\": \"f\", \"version\": \"1\"}\n";
    static const char good[] =
        "{\"name\": \"f.g\", \"names\": [\"f.g\", \"f.h.g\"], \"op\": \"g\", \"kind\": "
        "\"function\", \"doc\": \"d\", \"file\": \"\", \"line\": 0, \"schemas\": [], "
        "\"signature\": {\"parameters\": [{\"name\": \"a\", \"kind\": \"KEYWORD_ONLY\", "
        "\"default\": \"1\"}], \"returns\": \"\"}}";
    static const char *const bad[] = {"x", "{}", "{\"name\": \"f.g\", \"names\": 1}"};
    struct arena a;
    struct api_records all;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    const char *text = arena_printf(&a, "%s%s", head, good);
    assert_true(api_records_read(str_of(text), "dump", &a, &all, &e));
    const struct api_record *r = api_records_find(&all, STR("f.h.g"));
    assert_non_null(r);
    assert_true(r->has_signature && r->n_parameters == 1 && r->parameters[0].has_default);
    assert_null(api_records_find(&all, STR("f.x")));
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        text = arena_printf(&a, "%s%s", head, bad[i]);
        e = (struct err){0};
        ASSERT_ROW(!api_records_read(str_of(text), "dump", &a, &all, &e), bad[i]);
        ASSERT_ROW(strstr(e.text, "line 2") != NULL, bad[i]);
    }
    arena_done(&a);
}

TEST_SUITE(documents_names, TEST(names_that_no_call_accepts), TEST(a_schema_is_read),
           TEST(judged_rows_are_found), TEST(records_are_read_or_refused))
