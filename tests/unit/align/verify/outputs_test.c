/* Stored outputs: when two are equal. */
#include "align/verify/outputs.h"

#include "base/file.h"
#include "unit/test.h"

struct values {
    struct str dtype;
    int64_t dims[3];
    size_t rank;
    float at[6];
};

static struct leaf leaf_of(const struct values *v, struct arena *a)
{
    struct leaf l = {.dtype = v->dtype, .stored = STR("float32"), .rank = v->rank};
    memcpy(l.dims, v->dims, sizeof v->dims);
    l.bytes = (struct str){arena_dup(a, v->at, sizeof v->at), leaf_n(&l) * sizeof(float)};
    return l;
}

static void outputs_agree_or_differ_in_what_differs(void **state)
{
    static const struct {
        const char *name;
        struct values a, b;
        const char *adapter;
        enum agreement expected;
    } rows[] = {
        {"equal",
         {TEXT("float32"), {2}, 1, {1, 2}},
         {TEXT("float32"), {2}, 1, {1, 2}},
         "*",
         AGREE_EQUAL},
        {"rounding",
         {TEXT("float32"), {2}, 1, {1, 2}},
         {TEXT("float32"), {2}, 1, {1.00001f, 2}},
         "*",
         AGREE_EQUAL},
        {"a value",
         {TEXT("float32"), {2}, 1, {1, 2}},
         {TEXT("float32"), {2}, 1, {1.01f, 2}},
         "*",
         AGREE_VALUE},
        {"a NaN is a NaN",
         {TEXT("float32"), {1}, 1, {0.0f / 1}},
         {TEXT("float32"), {1}, 1, {0}},
         "*",
         AGREE_EQUAL},
        {"a shape",
         {TEXT("float32"), {2}, 1, {1, 2}},
         {TEXT("float32"), {1, 2}, 2, {1, 2}},
         "*",
         AGREE_SHAPE},
        {"a width",
         {TEXT("float32"), {2}, 1, {1, 2}},
         {TEXT("bfloat16"), {2}, 1, {1, 2}},
         "*",
         AGREE_DTYPE},
        {"transposed",
         {TEXT("float32"), {2, 3}, 2, {1, 2, 3, 4, 5, 6}},
         {TEXT("float32"), {3, 2}, 2, {1, 4, 2, 5, 3, 6}},
         "0 -> t",
         AGREE_EQUAL},
        {"channels first",
         {TEXT("float32"), {1, 2, 3}, 3, {1, 2, 3, 4, 5, 6}},
         {TEXT("float32"), {1, 3, 2}, 3, {1, 4, 2, 5, 3, 6}},
         "0 -> nchw",
         AGREE_EQUAL},
        {"no order",
         {TEXT("float32"), {3}, 1, {3, 1, 2}},
         {TEXT("float32"), {3}, 1, {1, 2, 3}},
         "0 -> sorted",
         AGREE_EQUAL},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct leaf x = leaf_of(&rows[i].a, &a), y = leaf_of(&rows[i].b, &a);
        struct output oa = {.form = STR("t"), .leaves = &x, .n = 1};
        struct output ob = {.form = STR("t"), .leaves = &y, .n = 1};
        struct adapter adapter;
        struct err e = {0};
        assert_true(adapter_parse(str_of(rows[i].adapter), &a, &adapter, &e));
        ASSERT_ROW(outputs_compare(&oa, &ob, &adapter, &a) == rows[i].expected, rows[i].name);
    }
    arena_done(&a);
}

static void a_store_is_read_again(void **state)
{
    static const float values[] = {1, 2, 3};
    struct arena a;
    struct outputs first, second;
    const char *folder;
    struct err e = {0};
    struct str lines = STR("{\"key\": \"k1\", \"outcome\": \"ok\", \"form\": \"t\", \"leaves\": "
                           "[{\"dtype\": \"float32\", \"dims\": [3], \"at\": 0, \"n\": 12, "
                           "\"stored\": \"float32\"}]}\n{\"key\": \"k2\", \"outcome\": \"died\", "
                           "\"code\": -11}\n");
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "align", &folder, &e));
    assert_true(outputs_open(&first, folder, &a, &e));
    assert_true(outputs_add(&first, lines, (struct str){(const char *)values, 12}, &e));
    assert_true(outputs_open(&second, folder, &a, &e));
    const struct output *k1 = outputs_find(&second, STR("k1"));
    assert_non_null(k1);
    assert_true(leaf_value(&k1->leaves[0], 2) == 3);
    assert_int_equal(outputs_find(&second, STR("k2"))->kind, OUTPUT_DIED);
    assert_null(outputs_find(&second, STR("k3")));
    assert_true(file_remove_tree(folder, &e));
    arena_done(&a);
}

TEST_SUITE(align_verify_outputs, TEST(outputs_agree_or_differ_in_what_differs),
           TEST(a_store_is_read_again))
