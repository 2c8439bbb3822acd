/*
 * Near misses of rewrites that move or join layout operators: Transpose pushed through any
 * operator, chains of Reshape, Cast, Slice and Reduce, shapes that are computed, Expand before a
 * binary operator. x has any shape.
 */
#include "generate/mutate/pattern_p.h"

static void invert(uint32_t n, const int64_t *perm, int64_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[perm[i]] = i;
}

/* Transpose, operator, inverse Transpose (or another): layout optimisers move a Transpose across
 * operators. */
uint32_t pattern__transpose_push(struct graph_builder *b, uint32_t x)
{
    static const char *const ops[] = {"Relu",
                                      "Add",
                                      "Mul",
                                      "Sub",
                                      "Div",
                                      "Concat",
                                      "Softmax",
                                      "LogSoftmax",
                                      "Hardmax",
                                      "ReduceSum",
                                      "ReduceMean",
                                      "ReduceMax",
                                      "ReduceL2",
                                      "Pad",
                                      "Squeeze",
                                      "Unsqueeze",
                                      "Split",
                                      "Slice",
                                      "ArgMax",
                                      "ArgMin",
                                      "Tile",
                                      "Reshape",
                                      "QuantizeLinear",
                                      "DequantizeLinear",
                                      "Where",
                                      "Clip",
                                      "LayerNormalization",
                                      "InstanceNormalization",
                                      "BatchNormalization",
                                      "CumSum",
                                      "TopK",
                                      "Gather",
                                      "GatherElements",
                                      "ScatterElements",
                                      "Expand",
                                      "Flatten",
                                      "Shape",
                                      "Cast",
                                      "PRelu",
                                      "Pow",
                                      "MatMul",
                                      "Gemm",
                                      "Resize",
                                      "MaxPool",
                                      "AveragePool",
                                      "GlobalAveragePool",
                                      "Conv",
                                      "LRN",
                                      "LpNormalization",
                                      "MeanVarianceNormalization",
                                      "Trilu",
                                      "DepthToSpace",
                                      "SpaceToDepth",
                                      "Sum",
                                      "Max",
                                      "Mean",
                                      "Identity",
                                      "Dropout",
                                      "LeakyRelu",
                                      "OneHot",
                                      "GatherND",
                                      "Einsum",
                                      "Transpose",
                                      "ReverseSequence",
                                      "Compress",
                                      "NonZero",
                                      "Not",
                                      "Equal",
                                      "CastLike",
                                      "ReduceLogSumExp"};
    int64_t perm[TENSOR_RANK_MAX], back[TENSOR_RANK_MAX];
    if (builder__rank(b, x) < 2)
        x = layer__rank(b, x, 2 + builder__below(b, 3));
    uint32_t rank = builder__rank(b, x), n = builder__chance(b, 70) ? 1 : 2;
    builder__permutation(b, rank, perm);
    if (rank == 4 && builder__chance(b, 50)) { /* to channels last */
        const int64_t nhwc[] = {0, 2, 3, 1}, nchw[] = {0, 3, 1, 2};
        memcpy(perm, builder__chance(b, 50) ? nhwc : nchw, sizeof nhwc);
    }
    invert(rank, perm, back);
    uint32_t y = builder__transpose(b, x, perm, rank);
    for (uint32_t i = 0; i < n; i++) {
        const char *op_type = ONE_OF(b, ops);
        builder__note(b, "%s", op_type);
        y = layer__apply(b, layer__find(op_type), y);
    }
    uint32_t now = builder__rank(b, y);
    if (now == rank && builder__chance(b, 65))
        return builder__transpose(b, y, back, rank);
    if (now >= 2 && builder__chance(b, 40)) {
        builder__permutation(b, now, perm);
        return builder__transpose(b, y, perm, now);
    }
    return y;
}

static uint32_t apply_some(struct graph_builder *b, uint32_t x, const char *const *ops,
                           uint32_t n_ops, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *op_type = ops[builder__below(b, n_ops)];
        builder__note(b, "%s", op_type);
        x = layer__apply(b, layer__find(op_type), x);
    }
    return x;
}

uint32_t pattern__reshape_chain(struct graph_builder *b, uint32_t x)
{
    static const char *const ops[] = {"Reshape",  "Transpose", "Squeeze", "Unsqueeze", "Flatten",
                                      "Identity", "Reshape",   "Expand",  "Cast",      "Relu"};
    struct dims before = builder__dims(b, x);
    uint32_t y = apply_some(b, x, ops, (uint32_t)COUNT_OF(ops), 2 + builder__below(b, 3));
    int64_t n = builder__count(b, y), wanted = 1;
    for (uint32_t i = 0; i < before.n; i++)
        wanted *= before.at[i];
    if (n == wanted && before.n > 0 && builder__chance(b, 50)) {
        uint32_t open = builder__below(b, before.n);
        if (n > 0 && builder__chance(b, 40))
            before.at[open] = -1;
        y = builder__reshape(b, y, before.at, before.n);
    }
    return y;
}

uint32_t pattern__cast_chain(struct graph_builder *b, uint32_t x)
{
    static const enum dtype types[] = {DTYPE_FLOAT16, DTYPE_FLOAT,    DTYPE_DOUBLE,
                                       DTYPE_INT32,   DTYPE_INT64,    DTYPE_INT8,
                                       DTYPE_BOOL,    DTYPE_BFLOAT16, DTYPE_INT16};
    static const char *const between[] = {"Transpose", "Reshape",  "Relu", "Identity",
                                          "Neg",       "Slice",    "Add",  "Concat",
                                          "Unsqueeze", "ReduceMax"};
    enum dtype first = builder__dtype(b, x);
    uint32_t n = 2 + builder__below(b, 2);
    for (uint32_t i = 0; i < n; i++) {
        enum dtype t = b->m->opset < 13 ? types[builder__below(b, 7)] : ONE_OF(b, types);
        x = builder__cast(b, x, t);
        builder__note(b, "%s", dtype_name(t));
        if (builder__chance(b, 30))
            x = apply_some(b, x, between, (uint32_t)COUNT_OF(between), 1);
    }
    return builder__chance(b, 70) ? builder__cast(b, x, first) : x;
}

uint32_t pattern__slice_chain(struct graph_builder *b, uint32_t x)
{
    static const char *const ops[] = {"Slice", "Slice",   "Gather",    "Concat", "Split",
                                      "Pad",   "Squeeze", "Unsqueeze", "Tile",   "GatherElements"};
    return apply_some(b, x, ops, (uint32_t)COUNT_OF(ops), 2 + builder__below(b, 2));
}

/* Reductions of reductions, mixed with operators that would merge into another reduction. */
uint32_t pattern__reduce_chain(struct graph_builder *b, uint32_t x)
{
    static const char *const before[] = {"Abs",       "Exp",      "Mul", "Pow",
                                         "Transpose", "Identity", "Log", "Neg"};
    static const char *const reduces[] = {
        "ReduceSum", "ReduceMean", "ReduceMax",    "ReduceMin",       "ReduceProd",
        "ReduceL1",  "ReduceL2",   "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"};
    static const char *const after[] = {"Sqrt", "Log", "Squeeze", "Unsqueeze", "Reshape",
                                        "Pow",  "Mul", "Div",     "Transpose", "Neg"};
    const char *first = ONE_OF(b, reduces);
    if (builder__chance(b, 50))
        x = apply_some(b, x, before, (uint32_t)COUNT_OF(before), 1);
    x = layer__apply(b, layer__find(first), x);
    builder__note(b, "%s", first);
    if (builder__chance(b, 45)) {
        const char *second = builder__chance(b, 60) ? first : ONE_OF(b, reduces);
        builder__note(b, "%s", second);
        x = layer__apply(b, layer__find(second), x);
    }
    return builder__chance(b, 60) ? apply_some(b, x, after, (uint32_t)COUNT_OF(after), 1) : x;
}

/* Shape, parts of it, arithmetic, and an operator that takes the result as a shape. */
uint32_t pattern__shape_chain(struct graph_builder *b, uint32_t x)
{
    if (builder__rank(b, x) < 2)
        x = layer__rank(b, x, 2);
    uint32_t rank = builder__rank(b, x), form = builder__below(b, 6), y = VALUE_NONE;
    uint32_t shape = OP(b, "Shape", x);
    const int64_t last = (int64_t)rank - 1, minus = -1, zero = 0;
    builder__note(b, "form=%u", form);
    uint32_t head = builder__slice(b, shape, 0, 0, last, 1);
    uint32_t tail = OP(b, "Gather", shape, builder__i64s(b, &minus, 1));
    switch (form) {
    case 0: /* [-1, D] */
        y = OP(b, "Concat", builder__i64s(b, &minus, 1), tail);
        builder__int(b, "axis", 0);
        return OP(b, "Reshape", x, y);
    case 1: /* a 0 copies the dim */
        y = OP(b, "Concat", builder__i64s(b, &zero, 1), builder__i64s(b, &minus, 1));
        builder__int(b, "axis", 0);
        return OP(b, "Reshape", x, y);
    case 2: /* zeros of the shape, added */
        y = OP(b, "ConstantOfShape", shape);
        return pattern__either(b, "Add", x, builder__cast(b, y, builder__dtype(b, x)));
    case 3: /* a smaller value, expanded to it */
        y = builder__random(b, builder__dtype(b, x), (const int64_t[]){1}, 1, 1);
        return OP(b, "Expand", y, shape);
    case 4: /* the product of all dims but one */
        y = OP(b, "Concat", builder__reduce(b, "ReduceProd", head, NULL, 0, 1), tail);
        builder__int(b, "axis", 0);
        return OP(b, "Reshape", x, y);
    default: { /* Range over a dim, used by Gather */
        uint32_t n = builder__squeeze(b, tail, &zero, 1);
        uint32_t r = OP(b, "Range", builder__i64(b, 0), n, builder__i64(b, 1));
        y = OP(b, "Gather", x, r);
        builder__int(b, "axis", builder__chance(b, 50) ? -1 : last);
        return y;
    }
    }
}

/* Expand, Tile or Unsqueeze before a binary operator that would broadcast anyway, or almost. */
uint32_t pattern__expand_binary(struct graph_builder *b, uint32_t x)
{
    static const char *const ops[] = {"Add", "Mul",   "Sub", "Div",   "Max",
                                      "Min", "Where", "Pow", "Equal", "Less"};
    const char *op_type = ONE_OF(b, ops);
    if (strcmp(op_type, "Where") != 0)
        x = layer__fit(b, op_type, x);
    struct dims d = layer__broadcast_shape(b, x), p = builder__dims(b, x);
    enum dtype t = builder__dtype(b, x);
    uint32_t c = builder__between(b, t, d.at, d.n, 1, 3), form = builder__below(b, 3);
    if (form == 2 && p.n < 5) { /* to a higher rank */
        for (uint32_t i = p.n; i > 0; i--)
            p.at[i] = p.at[i - 1];
        p.at[0] = builder__between_i(b, 1, 2);
        p.n++;
    }
    uint32_t to = builder__chance(b, 50) ? builder__i64s(b, p.at, p.n) : OP(b, "Shape", x);
    c = OP(b, "Expand", c, to);
    builder__note(b, "%s %u>%u", op_type, d.n, p.n);
    if (strcmp(op_type, "Where") == 0)
        return OP(b, "Where", builder__random(b, DTYPE_BOOL, d.at, d.n, 1), x, c);
    bool swap =
        strcmp(op_type, "Div") != 0 && strcmp(op_type, "Pow") != 0 && builder__chance(b, 40);
    return swap ? OP(b, op_type, c, x) : OP(b, op_type, x, c);
}
