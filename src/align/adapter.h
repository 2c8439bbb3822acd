/*
 * Adapters: how a call of one framework becomes a call of another that does the same.
 *
 *     0, axis=1, keepdims=2                 the second argument is named axis, the third keepdims
 *     0, axis=1, ddof=!1                    the target has another default
 *     0.nhwc, 1.hwio, strides=2 -> nchw     other layouts, and back in the result
 *     1, use_bias=2/@bias; 0 | [[0,[1,0]]]  function to class: constructor; call | weights
 *
 * An item says where one argument of the new call comes from:
 *
 *     2, @name      a positional or named argument of the old call
 *     m0, m@name    one of the old class's constructor; no m is needed in the new constructor
 *     !literal      a constant; [..] and (..) hold items
 *     *             all positional arguments that no item names
 *     x/y, x?lit    y, or a literal, where x is not given
 *     ~x            x is left out; ~x{2: 2}: applies only if x is 2 or not given
 *     x{'a': 'b'}   other values; x.op: changed, or checked, by an op (ops.def)
 *
 * After "->" come changes of results: "B1" takes the second leaf of the new call's, "A0" the first
 * of the old one's, "nchw", "t" and "swap12" are ops, "sorted" is for rows without a defined order.
 * An adapter applies to a call when every argument is used and every needed one is given.
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
    bool of_make;    /* of the old class's constructor */
    unsigned at;     /* SOURCE_POSITION */
    struct str name; /* SOURCE_NAME */
    struct arg literal;
    const struct arg_source *items; /* SOURCE_LIST, SOURCE_TUPLE */
    size_t n;
    const struct arg_source *otherwise; /* used if this one is not given; NULL: none */
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

/* Writes what the adapter does as an object of a pair's row, with those of these keys that it
 * needs: "order", "rename", "inject", "drop", "values", "layout", "arity", "form", "returns". */
void adapter_put_json(const struct adapter *x, struct json_out *w);

const char *adapter_op_name(enum adapter_op op);
/* Does the op leave its argument as it is, and only say where the adapter holds? */
bool adapter_op_checks(enum adapter_op op);

#endif
