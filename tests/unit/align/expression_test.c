/* Calls as text: a call that is read is printed unchanged, and text that is no call is refused with
 * its place. */
#include "align/expression.h"
#include "unit/test.h"

static void text_of(const struct call *c, struct strbuf *out)
{
    strbuf_clear(out);
    call_print(c, out);
}

static void what_is_read_is_printed_again(void **state)
{
    static const char *const rows[] = {
        "f[2,3], 1, keepdim=True",
        "f[], -1.5, None, 'ij'",
        "[f[2], f[2]#1, l[3]:idx3], (1, 2), (0,)",
        "3, 4, bias=False; f[2,3]:pos",
        "; f[2,3]",
        "step lr=0.1, betas=(0.9, 0.99); f[4], f[4]#1",
        "@float32, inf, -inf, nan",
        "[[[[[[1]]]]]]",
        "f[2], [[[[[[f[2]#1]]]]]], (f[2]#2, [f[2]#3])",
        "f[1,1,1,1,1,1,1,1]",
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24",
    };
    struct arena a;
    struct strbuf once = {0}, twice = {0};
    struct err e = {0};
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct call c;
        struct strbuf plain = {0}; /* without ordinals, which are counted again */
        for (const char *p = rows[i]; *p; p++)
            if (*p == '#')
                p++;
            else
                strbuf_addc(&plain, *p);
        ASSERT_ROW(call_parse(strbuf_str(&plain), &a, &c, &e), rows[i]);
        text_of(&c, &once);
        ASSERT_ROW(str_is(strbuf_str(&once), rows[i]), rows[i]);
        ASSERT_ROW(call_parse(str_of(rows[i]), &a, &c, &e), rows[i]);
        text_of(&c, &twice);
        ASSERT_ROW(str_eq(strbuf_str(&once), strbuf_str(&twice)), rows[i]);
        strbuf_done(&plain);
    }
    strbuf_done(&once);
    strbuf_done(&twice);
    arena_done(&a);
}

static void what_is_no_call_is_refused(void **state)
{
    static const char *const rows[] = {"f[2,3",
                                       "1 2",
                                       "x",
                                       "f[2,3]:",
                                       "q[2]",
                                       "'a",
                                       "[1, 2",
                                       "f[2,-3]",
                                       "f[2]#",
                                       "f[2]#0",
                                       "a=1, f[2]",
                                       "[[[[[[[1]]]]]]]",
                                       "f[1,1,1,1,1,1,1,1,1]",
                                       "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, "
                                       "18, 19, 20, 21, 22, 23, 24, 25"};
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct call c;
        struct err e = {0};
        ASSERT_ROW(!call_parse(str_of(rows[i]), &a, &c, &e), rows[i]);
        ASSERT_ROW(e.code == ERR_DATA && strstr(e.text, "expected"), rows[i]);
    }
    arena_done(&a);
}

static void input_is_told_by_dtypes_and_ranks(void **state)
{
    static const struct {
        const char *call, *kind, *ranks, *dtypes;
    } rows[] = {{"f[2,3], 1", "f2 i", "2", "float32"},
                {"[f[2], f[2,3]]", "Lf1f2", "1 2", "float32"},
                {"[l[2], l[3], l[4]], f[2]", "Ll1l1l1 f1", "1 1", "int64 float32"},
                {"f[3]:nan, keepdim=True", "f1:nan keepdim=b", "1", "float32"},
                {"2, 'ij'", "i s", "", ""},
                {"3; l[2]", "i l1", "1", "int64"}};
    struct arena a;
    struct strbuf kind = {0}, ranks = {0}, dtypes = {0};
    struct err e = {0};
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct call c;
        assert_true(call_parse(str_of(rows[i].call), &a, &c, &e));
        strbuf_clear(&kind);
        call_print_kind(&c, &kind);
        ASSERT_ROW(str_is(strbuf_str(&kind), rows[i].kind), rows[i].call);
        strbuf_clear(&ranks);
        call_print_ranks(&c, &ranks);
        ASSERT_ROW(str_is(strbuf_str(&ranks), rows[i].ranks), rows[i].call);
        strbuf_clear(&dtypes);
        call_print_dtypes(&c, &dtypes);
        ASSERT_ROW(str_is(strbuf_str(&dtypes), rows[i].dtypes), rows[i].call);
    }
    strbuf_done(&kind);
    strbuf_done(&ranks);
    strbuf_done(&dtypes);
    arena_done(&a);
}

TEST_SUITE(align_expression, TEST(what_is_read_is_printed_again), TEST(what_is_no_call_is_refused),
           TEST(input_is_told_by_dtypes_and_ranks))
