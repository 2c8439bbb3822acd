/* Tensors in exchange files: each kind comes back with its bits; nothing in a file is trusted. */
#include "target/pack_p.h"

#include <string.h>

#include "unit/test.h"

static struct str joined(const struct pack *pack, struct arena *a)
{
    char *bytes = arena_alloc(a, (size_t)pack->n_bytes + 1);
    size_t n = 0;
    for (size_t i = 0; i < pack->parts.n; i++) {
        memcpy(bytes + n, pack->parts.at[i].at, pack->parts.at[i].n);
        n += pack->parts.at[i].n;
    }
    return (struct str){bytes, n};
}

static void tensors_come_back_with_their_bits(void **state)
{
    static const int64_t dims[] = {2, 3}, none[] = {0, 5};
    static const double values[] = {1, -2, 0, 3, 1, 2};
    static const enum dtype dtypes[] = {DTYPE_FLOAT, DTYPE_DOUBLE, DTYPE_FLOAT16, DTYPE_BFLOAT16,
                                        DTYPE_INT4,  DTYPE_BOOL,   DTYPE_INT64};
    struct arena a;
    struct err e;
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    struct pack pack = {0};
    struct named_tensor list[COUNT_OF(dtypes) + 3];
    struct tensors sent = {list, COUNT_OF(list)}, got;
    const struct json *j;
    struct str strings[] = {STR("a"), STR(""), STR("long text")};
    const int64_t three = 3;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(dtypes); i++) {
        list[i].name = str_of(arena_printf(&a, "t%zu", i));
        assert_true(tensor_from_doubles(dtypes[i], dims, 2, values, &a, &list[i].tensor, &e));
    }
    size_t n = COUNT_OF(dtypes);
    list[n].name = STR("empty");
    assert_true(tensor_from_doubles(DTYPE_FLOAT, none, 2, values, &a, &list[n].tensor, &e));
    list[n + 1] = (struct named_tensor){STR("scalar"), tensor_scalar_double(DTYPE_FLOAT, 7, &a)};
    list[n + 2] = (struct named_tensor){
        STR("strings"),
        {.dtype = DTYPE_STRING, .rank = 1, .dims = &three, .n = 3, .strings = strings}};
    pack__tensors(&sent, &pack, &a, &w);
    assert_true(json_parse(strbuf_str(&text), "list", &a, &j, &e));
    assert_true(pack__read(j, joined(&pack, &a), &a, &got, &e));
    assert_int_equal(got.n, sent.n);
    for (size_t i = 0; i < got.n; i++)
        ASSERT_ROW(str_eq(got.at[i].name, list[i].name) &&
                       tensor_same_bits(&got.at[i].tensor, &list[i].tensor),
                   str_dup(&a, list[i].name));
    strbuf_done(&text);
    arena_done(&a);
}

static void what_does_not_fit_is_refused(void **state)
{
    static const char *const lists[] = {
        "{}",
        "[{\"name\":\"x\"}]",
        "[{\"name\":\"x\",\"dtype\":1,\"dims\":[2],\"at\":0,\"n\":4}]",
        "[{\"name\":\"x\",\"dtype\":1,\"dims\":[2],\"at\":64,\"n\":8}]",
        "[{\"name\":\"x\",\"dtype\":1,\"dims\":[1],\"at\":1,\"n\":4}]",
        "[{\"name\":\"x\",\"dtype\":1,\"dims\":[1],\"at\":-64,\"n\":4}]",
        "[{\"name\":\"x\",\"dtype\":1,\"dims\":[-1],\"at\":0,\"n\":4}]",
        "[{\"name\":\"x\",\"dtype\":1,\"dims\":[4611686018427387904,4],\"at\":0,\"n\":0}]",
        "[{\"name\":\"x\",\"dtype\":1,\"dims\":[1.5],\"at\":0,\"n\":4}]",
        "[{\"name\":\"x\",\"dtype\":0,\"dims\":[1],\"at\":0,\"n\":4}]",
        "[{\"name\":\"x\",\"dtype\":99,\"dims\":[1],\"at\":0,\"n\":4}]",
        "[{\"name\":\"x\",\"dtype\":8,\"dims\":[1],\"at\":0,\"n\":5}]",
        "[{\"name\":\"x\",\"dtype\":8,\"dims\":[1000000],\"at\":0,\"n\":8}]",
        "[{\"name\":\"x\",\"dtype\":8,\"dims\":[2],\"at\":0,\"n\":8}]",
    };
    struct str bytes = {"\377\377\377\377\0\0\0\0", 8};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        struct arena a;
        struct err e;
        struct tensors got;
        const struct json *j;
        arena_init(&a);
        ASSERT_ROW(json_parse(str_of(lists[i]), "list", &a, &j, &e), lists[i]);
        ASSERT_ROW(!pack__read(j, bytes, &a, &got, &e) && e.code == ERR_DATA, lists[i]);
        arena_done(&a);
    }
}

TEST_SUITE(target_pack, TEST(tensors_come_back_with_their_bits), TEST(what_does_not_fit_is_refused))
