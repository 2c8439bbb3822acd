/* Adapters: what a call becomes, and when an adapter does not apply. */
#include "align/adapter.h"
#include "unit/test.h"

static void calls_are_changed_as_written(void **state)
{
    static const struct {
        const char *adapter, *call, *expected; /* NULL: it does not apply */
    } rows[] = {
        {"*", "f[2,3], 1, keepdim=True", "f[2,3], 1, keepdim=True"},
        {"0, axis=1/@dim, keepdims=2/@keepdim", "f[2,3], 1, True", "f[2,3], axis=1, keepdims=True"},
        {"0, axis=1/@dim, keepdims=2/@keepdim", "f[2,3], dim=0", "f[2,3], axis=0"},
        {"0, axis=1/@dim", "f[2,3], 1, True", NULL},
        {"1, 0", "f[2], f[3]", "f[3], f[2]"},
        {"1, 0", "f[2]", NULL},
        {"0, ddof=@correction?1", "f[3]", "f[3], ddof=1"},
        {"0, ddof=@correction?1", "f[3], correction=0", "f[3], ddof=0"},
        {"[*]", "f[2], f[3]", "[f[2], f[3]]"},
        {"0, ~1", "f[2], 7", "f[2]"},
        {"0, ~1{2.0: 2.0}", "f[2], 2.0", "f[2]"},
        {"0, ~1{2.0: 2.0}", "f[2], 1.0", NULL},
        {"0, side=@right{True: 'right', False: 'left'}", "f[2], right=True", "f[2], side='right'"},
        {"0.nhwc, 1.hwio", "f[1,2,4,5], f[3,2,2,2]", "f[1,2,4,5]^0231, f[3,2,2,2]^2310"},
        {"0.nhwc", "f[4]", NULL},
        {"0.nhwc", "f[2,3]", NULL},
        {"0.nhwc", "None", "None"},
        {"0.hwoi, 1.first", "f[3,2,4,5], f[2,3,4]", "f[3,2,4,5]^2301, f[2,3,4]^201"},
        {"0.swap01, 1.swap12, 2.t", "f[2,3,4], f[2,3,4], f[2,3,4]",
         "f[2,3,4]^102, f[2,3,4]#1^021, f[2,3,4]#2^021"},
        {"0.swap12", "f[2,3]", NULL},
        {"0.rank4.nhwc", "f[1,2,4,5]", "f[1,2,4,5]^0231"},
        {"0.rank4.nhwc", "f[2,4,5]", NULL},
        {"0.rank3, 1.rank5", "f[2,4,5], f[1,1,1,1,1]", "f[2,4,5], f[1,1,1,1,1]"},
        {"0.rank3", "4", NULL},
        {"0, ~1.item", "f[2], [3]", "f[2]"},
        {"0, ~1.item", "f[2], [3, 4]", NULL},
        {"0, 1.nhc", "f[2], [5, 6, 7, 8]", "f[2], [5, 7, 8, 6]"},
        {"0, 1.nhc", "f[2], [5, 6]", NULL},
        {"0, 1.rev, 2.rev", "f[2], [5, 6, 7], 4", "f[2], [7, 6, 5], 4"},
        {"0, 1.pads", "f[2,3,4], [1, 2, 3, 4]", "f[2,3,4], [[0, 0], [3, 4], [1, 2]]"},
        {"0, 1.pads", "f[2], [1, 2, 3, 4]", NULL},
        {"0, 1.pads", "f[2], [1, 2, 3]", NULL},
        {"0, 1.padseach, 2.padseach", "f[2], 3, [4, 5]", "f[2], [[3, 3]], [[4, 4], [5, 5]]"},
        {"0, 1.tuple, 2.tuple", "f[2], 3, [4, 5]", "f[2], (3,), (4, 5)"},
        {"0, 1.pair, 2.pair, 3.item", "f[2], 3, [4, 5], [6]", "f[2], [3, 3], [4, 5], 6"},
        {"0, 1.plus1, 2.neg, 3.oneminus", "f[2], 3, 4.5, 0.25", "f[2], 4, -4.5, 0.75"},
        {"0, 1.inverse, 2.real", "f[2], 4, 3", "f[2], 0.25, 3.0"},
        {"0, 1.neg", "f[2], 'sum'", NULL},
        {"0, 1.not", "f[2], 3", NULL},
        {"0, 1.pads", "f[2,3], [1, 0]", "f[2,3], [[0, 0], [1, 0]]"},
        {"0, 1.list", "f[2], 3", "f[2], [3]"},
        {"0, 1.item", "f[2], [3, 4]", NULL},
        {"0, 1.minus1", "f[2], 3", "f[2], 2"},
        {"lower=@upper.not, 0", "f[2,2], upper=True", "f[2,2], lower=False"},
        {"1, use_bias=@bias, ~0 ; 0 | [[0,[1,0]]]", "3, 4, bias=False; f[2,3]",
         "4, use_bias=False; f[2,3] | [[0,[1,0]]]"},
        {"2 ; 0", "f[2,3], 2", NULL},
        {"1, strides=2 ; 0.t", "f[2,3], 2", "2; f[2,3]^10"},
        {"learning_rate=m@lr", "step lr=0.5; f[2], f[2]", NULL},
        {"0, !(1, 1)", "f[2]", "f[2], (1, 1)"},
        {"0, axis=!-1", "f[2]", "f[2], axis=-1"},
    };
    struct arena a;
    struct strbuf text = {0};
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct adapter x;
        struct call from, to;
        struct err e = {0};
        ASSERT_ROW(adapter_parse(str_of(rows[i].adapter), &a, &x, &e), rows[i].adapter);
        ASSERT_ROW(call_parse(str_of(rows[i].call), &a, &from, &e), rows[i].call);
        bool applies = adapter_apply(&x, &from, &a, &to);
        strbuf_clear(&text);
        if (applies)
            call_print(&to, &text);
        if (rows[i].expected && (!applies || !str_is(strbuf_str(&text), rows[i].expected)))
            fail_msg("%s on %s: %s", rows[i].adapter, rows[i].call, applies ? text.at : "no");
        if (!rows[i].expected && applies && !from.is_step)
            fail_msg("%s applies to %s: %s", rows[i].adapter, rows[i].call, text.at);
    }
    strbuf_done(&text);
    arena_done(&a);
}

static void broken_adapters_are_refused(void **state)
{
    static const char *const rows[] = {"0,, 1", "0.nosuch", "x",      "0 -> Z", "[0",
                                       "0, !",  "m",        "0{1: 2", "0{1 2}", "0 1"};
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct adapter x;
        struct err e = {0};
        ASSERT_ROW(!adapter_parse(str_of(rows[i]), &a, &x, &e) && e.code == ERR_DATA, rows[i]);
    }
    arena_done(&a);
}

TEST_SUITE(align_adapter, TEST(calls_are_changed_as_written), TEST(broken_adapters_are_refused))
