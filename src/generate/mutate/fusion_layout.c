/*
 * Near misses of rewrites that move or join layout operators: Transpose pushed through any
 * operator, chains of Reshape, Cast, Slice and Reduce, shapes that are computed, Expand before a
 * binary operator. x any shape.
 */
#include "generate/mutate/pattern_p.h"

static void draw_perm(struct sketch *s, uint32_t n, int64_t perm[static TENSOR_RANK_MAX])
{
    for (uint32_t i = 0; i < n; i++)
        perm[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = sketch__below(s, i);
        int64_t t = perm[i - 1];
        perm[i - 1] = perm[j];
        perm[j] = t;
    }
}

static void invert(uint32_t n, const int64_t *perm, int64_t *out)
{
    for (uint32_t i = 0; i < n; i++)
        out[perm[i]] = i;
}

/* Transpose, operator, inverse Transpose (or another): layout optimisers move these through. */
uint32_t pattern__transpose_push(struct sketch *s, uint32_t x)
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
    if (sketch__rank(s, x) < 2)
        x = recipe__rank(s, x, 2 + sketch__below(s, 3));
    uint32_t rank = sketch__rank(s, x), n = sketch__chance(s, 70) ? 1 : 2;
    draw_perm(s, rank, perm);
    if (rank == 4 && sketch__chance(s, 50)) { /* to channels last */
        const int64_t nhwc[] = {0, 2, 3, 1}, nchw[] = {0, 3, 1, 2};
        memcpy(perm, sketch__chance(s, 50) ? nhwc : nchw, sizeof nhwc);
    }
    invert(rank, perm, back);
    uint32_t y = sketch__transpose(s, x, perm, rank);
    for (uint32_t i = 0; i < n; i++) {
        const char *op_type = PICK(s, ops);
        sketch__note(s, "%s", op_type);
        y = recipe__apply(s, recipe__find(op_type), y);
    }
    uint32_t now = sketch__rank(s, y);
    if (now == rank && sketch__chance(s, 65))
        return sketch__transpose(s, y, back, rank);
    if (now >= 2 && sketch__chance(s, 40)) {
        draw_perm(s, now, perm);
        return sketch__transpose(s, y, perm, now);
    }
    return y;
}

static uint32_t apply_some(struct sketch *s, uint32_t x, const char *const *ops, uint32_t n_ops,
                           uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *op_type = ops[sketch__below(s, n_ops)];
        sketch__note(s, "%s", op_type);
        x = recipe__apply(s, recipe__find(op_type), x);
    }
    return x;
}

uint32_t pattern__reshape_chain(struct sketch *s, uint32_t x)
{
    static const char *const ops[] = {"Reshape",  "Transpose", "Squeeze", "Unsqueeze", "Flatten",
                                      "Identity", "Reshape",   "Expand",  "Cast",      "Relu"};
    struct dims before = sketch__dims(s, x);
    uint32_t y = apply_some(s, x, ops, (uint32_t)COUNT_OF(ops), 2 + sketch__below(s, 3));
    int64_t n = sketch__count(s, y), wanted = 1;
    for (uint32_t i = 0; i < before.n; i++)
        wanted *= before.at[i];
    if (n == wanted && before.n > 0 && sketch__chance(s, 50)) {
        uint32_t open = sketch__below(s, before.n);
        if (n > 0 && sketch__chance(s, 40))
            before.at[open] = -1;
        y = sketch__reshape(s, y, before.at, before.n);
    }
    return y;
}

uint32_t pattern__cast_chain(struct sketch *s, uint32_t x)
{
    static const enum dtype types[] = {DTYPE_FLOAT16, DTYPE_FLOAT,    DTYPE_DOUBLE,
                                       DTYPE_INT32,   DTYPE_INT64,    DTYPE_INT8,
                                       DTYPE_BOOL,    DTYPE_BFLOAT16, DTYPE_INT16};
    static const char *const between[] = {"Transpose", "Reshape",  "Relu", "Identity",
                                          "Neg",       "Slice",    "Add",  "Concat",
                                          "Unsqueeze", "ReduceMax"};
    enum dtype first = sketch__dtype(s, x);
    uint32_t n = 2 + sketch__below(s, 2);
    for (uint32_t i = 0; i < n; i++) {
        enum dtype t = s->m->opset < 13 ? types[sketch__below(s, 7)] : PICK(s, types);
        x = sketch__cast(s, x, t);
        sketch__note(s, "%s", dtype_name(t));
        if (sketch__chance(s, 30))
            x = apply_some(s, x, between, (uint32_t)COUNT_OF(between), 1);
    }
    return sketch__chance(s, 70) ? sketch__cast(s, x, first) : x;
}

uint32_t pattern__slice_chain(struct sketch *s, uint32_t x)
{
    static const char *const ops[] = {"Slice", "Slice",   "Gather",    "Concat", "Split",
                                      "Pad",   "Squeeze", "Unsqueeze", "Tile",   "GatherElements"};
    return apply_some(s, x, ops, (uint32_t)COUNT_OF(ops), 2 + sketch__below(s, 2));
}

/* Reductions of reductions, with neighbours that would merge into another reduction. */
uint32_t pattern__reduce_chain(struct sketch *s, uint32_t x)
{
    static const char *const before[] = {"Abs",       "Exp",      "Mul", "Pow",
                                         "Transpose", "Identity", "Log", "Neg"};
    static const char *const reduces[] = {
        "ReduceSum", "ReduceMean", "ReduceMax",    "ReduceMin",       "ReduceProd",
        "ReduceL1",  "ReduceL2",   "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"};
    static const char *const after[] = {"Sqrt", "Log", "Squeeze", "Unsqueeze", "Reshape",
                                        "Pow",  "Mul", "Div",     "Transpose", "Neg"};
    const char *first = PICK(s, reduces);
    if (sketch__chance(s, 50))
        x = apply_some(s, x, before, (uint32_t)COUNT_OF(before), 1);
    x = recipe__apply(s, recipe__find(first), x);
    sketch__note(s, "%s", first);
    if (sketch__chance(s, 45)) {
        const char *second = sketch__chance(s, 60) ? first : PICK(s, reduces);
        sketch__note(s, "%s", second);
        x = recipe__apply(s, recipe__find(second), x);
    }
    return sketch__chance(s, 60) ? apply_some(s, x, after, (uint32_t)COUNT_OF(after), 1) : x;
}

/* Shape, parts of it, arithmetic, and back into an operator that takes a shape. */
uint32_t pattern__shape_chain(struct sketch *s, uint32_t x)
{
    if (sketch__rank(s, x) < 2)
        x = recipe__rank(s, x, 2);
    uint32_t rank = sketch__rank(s, x), form = sketch__below(s, 6), y = VALUE_NONE;
    uint32_t shape = OP(s, "Shape", x);
    const int64_t last = (int64_t)rank - 1, minus = -1, zero = 0;
    sketch__note(s, "form=%u", form);
    uint32_t head = sketch__slice(s, shape, 0, 0, last, 1);
    uint32_t tail = OP(s, "Gather", shape, sketch__i64s(s, &minus, 1));
    switch (form) {
    case 0: /* [-1, D] */
        y = OP(s, "Concat", sketch__i64s(s, &minus, 1), tail);
        sketch__int(s, "axis", 0);
        return OP(s, "Reshape", x, y);
    case 1: /* 0 copies */
        y = OP(s, "Concat", sketch__i64s(s, &zero, 1), sketch__i64s(s, &minus, 1));
        sketch__int(s, "axis", 0);
        return OP(s, "Reshape", x, y);
    case 2: /* zeros of the shape, added */
        y = OP(s, "ConstantOfShape", shape);
        return pattern__either(s, "Add", x, sketch__cast(s, y, sketch__dtype(s, x)));
    case 3: /* a smaller value expanded to it */
        y = sketch__random(s, sketch__dtype(s, x), (const int64_t[]){1}, 1, 1);
        return OP(s, "Expand", y, shape);
    case 4: /* product of all but one */
        y = OP(s, "Concat", sketch__reduce(s, "ReduceProd", head, NULL, 0, 1), tail);
        sketch__int(s, "axis", 0);
        return OP(s, "Reshape", x, y);
    default: { /* Range over a dim, gathered */
        uint32_t n = sketch__squeeze(s, tail, &zero, 1);
        uint32_t r = OP(s, "Range", sketch__i64(s, 0), n, sketch__i64(s, 1));
        y = OP(s, "Gather", x, r);
        sketch__int(s, "axis", sketch__chance(s, 50) ? -1 : last);
        return y;
    }
    }
}

/* Expand, Tile or Unsqueeze before a binary operator that would broadcast anyway, or not quite. */
uint32_t pattern__expand_binary(struct sketch *s, uint32_t x)
{
    static const char *const ops[] = {"Add", "Mul",   "Sub", "Div",   "Max",
                                      "Min", "Where", "Pow", "Equal", "Less"};
    const char *op_type = PICK(s, ops);
    if (strcmp(op_type, "Where") != 0)
        x = recipe__fit(s, op_type, x);
    struct dims d = recipe__broadcast_shape(s, x), p = sketch__dims(s, x);
    enum dtype t = sketch__dtype(s, x);
    uint32_t c = sketch__between(s, t, d.at, d.n, 1, 3), form = sketch__below(s, 3);
    if (form == 2 && p.n < 5) { /* to a higher rank */
        for (uint32_t i = p.n; i > 0; i--)
            p.at[i] = p.at[i - 1];
        p.at[0] = sketch__between_i(s, 1, 2);
        p.n++;
    }
    uint32_t to = sketch__chance(s, 50) ? sketch__i64s(s, p.at, p.n) : OP(s, "Shape", x);
    c = OP(s, "Expand", c, to);
    sketch__note(s, "%s %u>%u", op_type, d.n, p.n);
    if (strcmp(op_type, "Where") == 0)
        return OP(s, "Where", sketch__random(s, DTYPE_BOOL, d.at, d.n, 1), x, c);
    bool swap = strcmp(op_type, "Div") != 0 && strcmp(op_type, "Pow") != 0 && sketch__chance(s, 40);
    return swap ? OP(s, op_type, c, x) : OP(s, op_type, x, c);
}
