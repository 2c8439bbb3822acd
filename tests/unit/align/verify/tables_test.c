/* The tables of an alignment are read completely, and values are a function of a tensor's text. */
#include "align/tensors.h"
#include "align/verify/book.h"
#include "align/verify/candidates.h"
#include "unit/test.h"

static void the_tables_are_read(void **state)
{
    struct arena a;
    struct book b;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    if (!book_load(&a, &b, &e))
        fail_msg("%s", e.text);
    assert_true(b.generic.n >= 50 && b.n_brief > 0);
    assert_true(book_same_operator(&b, STR("acos"), STR("arccos")));
    assert_false(book_same_operator(&b, STR("fmax"), STR("maximum")));
    assert_true(book_same_parameter(&b, STR("dim"), STR("axis")));
    arena_done(&a);
}

static void the_same_text_has_the_same_values(void **state)
{
    static const char *const rows[] = {"f[2,3]", "f[4]:pos", "l[5]:idx3", "f[4,4]:spd",
                                       "h[2]",   "b[6]",     "c[2]",      "f[0,3]"};
    struct arena a;
    struct tensors_made x = {.bytes = {0}}, y = {.bytes = {0}};
    struct err e = {0};
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arg v;
        assert_true(arg_parse(str_of(rows[i]), &a, &v, &e));
        ASSERT_ROW(tensors_row(&x, &a, &v) == i, rows[i]);
        ASSERT_ROW(tensors_row(&x, &a, &v) == i, rows[i]); /* now known */
    }
    for (size_t i = COUNT_OF(rows); i-- > 0;) {
        struct arg v;
        assert_true(arg_parse(str_of(rows[i]), &a, &v, &e));
        uint32_t row = tensors_row(&y, &a, &v);
        const size_t n = x.list.at[i].n;
        ASSERT_ROW(n == y.list.at[row].n, rows[i]);
        ASSERT_ROW(n == 0 ||
                       memcmp(x.bytes.at + x.list.at[i].at, y.bytes.at + y.list.at[row].at, n) == 0,
                   rows[i]);
    }
    tensors_done(&x);
    tensors_done(&y);
    arena_done(&a);
}

static void candidates_rename_by_synonyms(void **state)
{
    struct str from_names[] = {STR("input"), STR("dim"), STR("keepdim")};
    struct str to_names[] = {STR("x"), STR("axis"), STR("keepdims")};
    struct symbol from = {.name = STR("t.sum"), .parameters = {from_names, 3}};
    struct symbol to = {.name = STR("k.sum"), .parameters = {to_names, 3}};
    struct arena a;
    struct book b;
    struct candidate_list list = {.n_likely = 0};
    struct err e = {0};
    (void)state;
    arena_init(&a);
    assert_true(book_load(&a, &b, &e));
    candidates_make(&b, &from, &to, 3, &a, &list);
    assert_true(list.n_likely >= 2 && list.list.n <= CANDIDATES_MAX);
    assert_true(adapter_is_identity(&list.list.at[0]));
    assert_true(str_is(list.list.at[1].text, "0, axis=1/@dim, keepdims=2/@keepdim"));
    arena_done(&a);
}

TEST_SUITE(align_verify_tables, TEST(the_tables_are_read), TEST(the_same_text_has_the_same_values),
           TEST(candidates_rename_by_synonyms))
