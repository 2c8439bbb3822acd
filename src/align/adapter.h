/*
 * Adapters: how a call of one framework becomes a call of another that does the same.
 *
 *     0, axis=1, keepdims=2                      second argument by the name axis, third as
 * keepdims 0, axis=1, ddof=!1                         the target's default is another
 *     0.nhwc, 1.hwio, strides=2 -> nchw          other layouts, and back in the result
 *     1, use_bias=2/@bias; 0 | [[0,[1,0]]]       a function becomes a class: made; called | weights
 *
 * An item is what one argument of the new call comes from: a number (that positional argument of
 * the old one), @name (a named one), m0 and m@name (of the making of a class, which in the new
 * making needs no m), !literal, [..] and
 * (..) of those, * (all positional ones that no item names). "x/y": y where x is not given;
 * "x?lit": a literal where nothing is given; "~x": given, but left out ("~x{2: 2}": only if it is
 * that); "x{'a': 'b'}": other values; ".op": changed (ops.def). Behind "->" stands what happens to
 * results: "B1" the second leaf of the new call's, "A0" the first of the old one's, "nchw", "t" and
 * "swap12" as ops, "sorted" where the order of a row is not defined. An adapter applies to a call
 * when every argument is used and every needed one is there.
 *
 * "*" alone is the identity. Immutable; lives in the arena that it was parsed into.
 */
#ifndef ALIGN_ADAPTER_H
#define ALIGN_ADAPTER_H

#include "align/expression.h"

enum arg_source_kind {
    SOURCE_POSITION,
    SOURCE_NAME,
    SOURCE_LITERAL,
    SOURCE_LIST,
    SOURCE_TUPLE,
    SOURCE_REST
};

enum adapter_op {
#define ADAPTER_OP(id, name, what) ADAPTER_##id,
#include "align/ops.def"
#undef ADAPTER_OP
    ADAPTER_N_OPS
};

enum { SOURCE_OPS_MAX = 4, SOURCE_VALUES_MAX = 6 };

struct arg_source_value {
    struct arg from, to;
};

struct arg_source {
    enum arg_source_kind kind;
    bool of_make;    /* of the old call's making */
    unsigned at;     /* SOURCE_POSITION */
    struct str name; /* SOURCE_NAME */
    struct arg literal;
    const struct arg_source *items; /* SOURCE_LIST, SOURCE_TUPLE */
    size_t n;
    const struct arg_source *otherwise; /* where this one is not given; NULL: none */
    enum adapter_op ops[SOURCE_OPS_MAX];
    size_t n_ops;
    struct arg_source_value values[SOURCE_VALUES_MAX];
    size_t n_values;
};

struct adapter_item {
    struct str name; /* "": by position */
    bool is_dropped;
    struct arg_source from;
};

struct adapter {
    struct str text;
    bool is_class;
    const struct adapter_item *make, *args;
    size_t n_make, n_args;
    struct str weights;
    int leaf_a, leaf_b; /* -1: all */
    bool result_nchw, result_t, result_swap12, result_sorted;
};

bool adapter_parse(struct str text, struct arena *a, struct adapter *out, struct err *e);
bool adapter_is_identity(const struct adapter *x);

/* The new call; false: the adapter does not apply to this one. */
bool adapter_apply(const struct adapter *x, const struct call *from, struct arena *a,
                   struct call *out);

/* The parts of a pair's row: {"order", "rename", "inject", "drop", "values", "layout", "arity",
 * "form", "returns"}; only those that are used. */
void adapter_put_json(const struct adapter *x, struct json_out *w);

const char *adapter_op_name(enum adapter_op op);

#endif
