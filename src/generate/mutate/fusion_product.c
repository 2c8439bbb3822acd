/*
 * Near misses of fusions around matrix products: attention, MatMul with Transpose, Add, scale;
 * Gemm chains; products that share an input; rotary embedding. x is [batch, sequence, size] or [..,
 * M, K].
 */
#include "generate/mutate/pattern_p.h"

/* A product with a random weight [K, n]; n 0: square. */
static uint32_t project(struct graph_builder *b, uint32_t x, int64_t n)
{
    int64_t k = builder__dim(b, x, -1), d[2] = {k, n > 0 ? n : k};
    return OP(b, "MatMul", x,
              builder__random(b, builder__dtype(b, x), d, 2,
                              k < 8    ? 0.5
                              : k < 64 ? 0.25
                                       : 0.0625));
}

enum {
    AT_SCALE_ON_Q,
    AT_SCALE_DIV,
    AT_SCALE_SHAPE,
    AT_AXIS,
    AT_MASK,
    AT_MASK_SHAPE,
    AT_MASK_WHERE,
    AT_PERM,
    AT_NO_SCALE,
    AT_ORDER,
    AT_CROSS,
    AT_BIAS,
    AT_PROBS_USED,
    AT_COUNT
};

static uint32_t to_heads(struct graph_builder *b, uint32_t x, int64_t heads, bool for_keys)
{
    static const int64_t perm[] = {0, 2, 1, 3}, keys[] = {0, 2, 3, 1};
    int64_t d[4] = {0, 0, heads, builder__dim(b, x, 2) / heads};
    if (builder__dim(b, x, 0) == 0 || builder__dim(b, x, 1) == 0 || builder__chance(b, 50)) {
        d[0] = builder__dim(b, x, 0);
        d[1] = builder__dim(b, x, 1);
    }
    return builder__transpose(b, builder__reshape(b, x, d, 4), for_keys ? keys : perm, 4);
}

static uint32_t masked(struct graph_builder *b, uint32_t scores, uint32_t dev)
{
    struct dims p = builder__dims(b, scores), d = {2, {p.at[2], p.at[3]}};
    enum dtype t = builder__dtype(b, scores);
    if (DEV(dev, AT_MASK_SHAPE))
        d = layer__broadcast_shape(b, scores);
    if (d.n > 4)
        d = p;
    if (DEV(dev, AT_MASK_WHERE)) {
        uint32_t keep = builder__random(b, DTYPE_BOOL, d.at, d.n, 1);
        return OP(b, "Where", keep, scores, pattern__const(b, scores, -1000));
    }
    return pattern__either(b, "Add", scores, builder__random(b, t, d.at, d.n, 2));
}

uint32_t pattern__attention(struct graph_builder *b, uint32_t x)
{
    static const int64_t back[] = {0, 2, 1, 3}, odd[] = {0, 3, 1, 2};
    uint32_t dev = pattern__deviate(b, AT_COUNT);
    x = layer__rank(b, pattern__float(b, x, 3), 3);
    struct dims p = builder__dims(b, x);
    if (b->failed || p.at[2] > 64 || p.at[1] > 64) {
        builder__fail(b, "too large for attention");
        return VALUE_NONE;
    }
    int64_t heads = p.at[2] % 2 == 0 ? 2 : 1;
    enum dtype t = builder__dtype(b, x);
    uint32_t q = project(b, x, 0), k = project(b, x, 0), v = project(b, x, 0);
    if (DEV(dev, AT_BIAS)) {
        q = pattern__either(b, "Add", q, builder__random(b, t, &p.at[2], 1, 0.5));
        v = pattern__either(b, "Add", v, builder__random(b, t, &p.at[2], 1, 0.5));
    }
    q = to_heads(b, q, heads, false);
    k = to_heads(b, k, heads, true);
    v = to_heads(b, v, heads, false);
    double scale = DEV(dev, AT_SCALE_DIV) ? 1.75 : 0.5;
    uint32_t c =
        DEV(dev, AT_SCALE_SHAPE) ? pattern__const(b, q, scale) : builder__scalar(b, t, scale);
    const char *by = DEV(dev, AT_SCALE_DIV) ? "Div" : "Mul";
    if (DEV(dev, AT_SCALE_ON_Q))
        q = OP(b, by, q, c);
    uint32_t scores = OP(b, "MatMul", q, k);
    if (!DEV(dev, AT_SCALE_ON_Q) && !DEV(dev, AT_NO_SCALE))
        scores = OP(b, by, scores, c);
    if (DEV(dev, AT_MASK) || DEV(dev, AT_MASK_SHAPE) || DEV(dev, AT_MASK_WHERE))
        scores = masked(b, scores, dev);
    uint32_t probs = OP(b, "Softmax", scores);
    builder__int(b, "axis", DEV(dev, AT_AXIS) ? 2 : builder__chance(b, 50) ? 3 : -1);
    uint32_t y = OP(b, "MatMul", probs, v);
    y = builder__transpose(b, y, DEV(dev, AT_PERM) ? odd : back, 4);
    y = builder__reshape(b, y, (const int64_t[]){p.at[0], p.at[1], p.at[2]}, 3);
    if (DEV(dev, AT_ORDER))
        y = OP(b, "Add", y, x);
    if (DEV(dev, AT_PROBS_USED))
        y = OP(b, "Add", y, builder__reduce(b, "ReduceMean", probs, NULL, 0, 0));
    return project(b, y, 0);
}

/* Transpose before MatMul: of the last two dims or others, on one or both sides, scaled. */
uint32_t pattern__matmul_transpose(struct graph_builder *b, uint32_t x)
{
    enum { MT_OTHER, MT_BOTH, MT_SCALE, MT_OUT, MT_RIGHT, MT_TWICE, MT_CAST, MT_COUNT };
    uint32_t dev = pattern__deviate(b, MT_COUNT);
    x = pattern__float(b, x, 2);
    uint32_t rank = builder__rank(b, x);
    int64_t perm[TENSOR_RANK_MAX];
    enum dtype t = builder__dtype(b, x);
    for (uint32_t i = 0; i < rank; i++)
        perm[i] = i;
    uint32_t last = rank - 1, before_last = rank - 2;
    if (DEV(dev, MT_OTHER) && rank > 2)
        last = builder__below(b, rank - 1);
    perm[last] = before_last;
    perm[before_last] = last;
    uint32_t y = builder__transpose(b, x, perm, rank);
    if (DEV(dev, MT_TWICE))
        y = builder__transpose(b, y, perm, rank);
    if (DEV(dev, MT_CAST) && t == DTYPE_FLOAT16)
        y = builder__cast(b, y, t = DTYPE_FLOAT);
    if (DEV(dev, MT_SCALE))
        y = pattern__either(b, "Mul", y, pattern__const(b, y, 0.25));
    int64_t k = builder__dim(b, y, -1), n = builder__between_i(b, 1, 5), d[2] = {k, n};
    uint32_t w;
    if (DEV(dev, MT_BOTH)) {
        const int64_t swap[] = {1, 0}, wd[] = {n, k};
        w = builder__transpose(b, builder__random(b, t, wd, 2, 0.5), swap, 2);
    } else {
        w = builder__random(b, t, d, 2, 0.5);
    }
    if (DEV(dev, MT_RIGHT)) {
        int64_t left[2] = {n, builder__dim(b, y, -2)};
        y = OP(b, "MatMul", builder__random(b, t, left, 2, 0.5), y);
    } else {
        y = OP(b, "MatMul", y, w);
    }
    if (DEV(dev, MT_OUT))
        y = layer__apply(b, layer__find("Transpose"), y);
    return y;
}

/* MatMul + Add, which becomes Gemm if the ranks and the bias allow it. */
uint32_t pattern__matmul_add(struct graph_builder *b, uint32_t x)
{
    static const char *const then[] = {"Relu", "Tanh", "Sigmoid", "LeakyRelu", "Clip", "Mul"};
    x = pattern__float(b, x, 2);
    if (builder__chance(b, 60))
        x = layer__rank(b, x, 2);
    uint32_t form = builder__below(b, 8);
    int64_t n = builder__between_i(b, 1, 5);
    enum dtype t = builder__dtype(b, x);
    uint32_t y = project(b, x, n);
    struct dims p = builder__dims(b, y), d = {1, {n}};
    if (form == 0)
        d = (struct dims){0, {0}};
    else if (form == 1)
        d = (struct dims){2, {p.at[p.n - 2], 1}};
    else if (form == 2)
        d = (struct dims){2, {1, n}};
    else if (form == 3)
        d = (struct dims){3, {1, 1, n}};
    else if (form == 4)
        d = layer__broadcast_shape(b, y);
    else if (form == 5)
        d = p;
    builder__note(b, "bias-rank=%u", d.n);
    uint32_t out = pattern__either(b, "Add", y, builder__random(b, t, d.at, d.n, 0.5));
    if (builder__chance(b, 40))
        out = layer__apply(b, layer__find(ONE_OF(b, then)), out);
    if (builder__chance(b, 10))
        out = OP(b, "Add", out, y);
    return out;
}

uint32_t pattern__matmul_scale(struct graph_builder *b, uint32_t x)
{
    enum { MS_SHAPE, MS_DIV, MS_BEFORE, MS_SOFTMAX_AXIS, MS_ORDER, MS_COUNT };
    uint32_t dev = pattern__deviate(b, MS_COUNT);
    x = pattern__float(b, x, 2);
    enum dtype t = builder__dtype(b, x);
    struct dims d = {0};
    if (DEV(dev, MS_SHAPE))
        d = layer__broadcast_shape(b, x);
    uint32_t c = builder__between(b, t, d.at, d.n, 0.25, 1);
    const char *by = DEV(dev, MS_DIV) ? "Div" : "Mul";
    if (DEV(dev, MS_BEFORE))
        x = DEV(dev, MS_ORDER) ? OP(b, by, c, x) : OP(b, by, x, c);
    uint32_t y = project(b, x, builder__chance(b, 50) ? 0 : 3);
    if (!DEV(dev, MS_BEFORE)) {
        struct dims q = {0};
        c = builder__filled(b, t, q.at, 0, 0.375);
        y = DEV(dev, MS_ORDER) && !DEV(dev, MS_DIV) ? OP(b, by, c, y) : OP(b, by, y, c);
    }
    y = OP(b, "Softmax", y);
    builder__int(b, "axis", DEV(dev, MS_SOFTMAX_AXIS) ? 0 : -1);
    return y;
}

uint32_t pattern__gemm_chain(struct graph_builder *b, uint32_t x)
{
    static const char *const then[] = {
        "Relu", "LeakyRelu",          "Sigmoid", "Clip",        "Transpose", "Gemm", "Add",
        "Mul",  "BatchNormalization", "Elu",     "HardSigmoid", "Tanh"};
    const struct layer_builder *gemm = layer__find("Gemm");
    x = pattern__float(b, x, 2);
    if (builder__chance(b, 40))
        x = layer__apply(b, layer__find("Transpose"), layer__rank(b, x, 2));
    uint32_t y = layer__apply(b, gemm, x);
    const char *op_type = ONE_OF(b, then);
    builder__note(b, "then=%s", op_type);
    return layer__apply(b, layer__find(op_type), y);
}

/* Several products of one input, joined; or one product that is split. */
uint32_t pattern__shared_matmul(struct graph_builder *b, uint32_t x)
{
    x = pattern__float(b, x, 2);
    int64_t n = builder__between_i(b, 1, 4), last = -1;
    uint32_t first = project(b, x, n), second = project(b, x, builder__chance(b, 70) ? n : n + 1);
    uint32_t third = builder__chance(b, 50) ? project(b, x, n) : OP(b, "Neg", first);
    uint32_t y = OP(b, "Concat", first, second, third);
    builder__int(b, "axis", last);
    if (builder__chance(b, 40))
        y = layer__apply(b, layer__find("Split"), y);
    return y;
}

/* x cos + rotate(x) sin over the last dim. */
uint32_t pattern__rotary(struct graph_builder *b, uint32_t x)
{
    enum { RO_NO_NEG, RO_ORDER, RO_HALF, RO_SHAPE, RO_COUNT };
    uint32_t dev = pattern__deviate(b, RO_COUNT);
    x = pattern__float(b, x, 3);
    int64_t size = builder__dim(b, x, -1), half = size / 2, last = -1;
    if (DEV(dev, RO_HALF))
        half = 1;
    if (size < 2) {
        builder__fail(b, "the last dim is too small");
        return VALUE_NONE;
    }
    struct dims p = builder__dims(b, x), d = {2, {p.at[p.n - 2], size}};
    enum dtype t = builder__dtype(b, x);
    if (DEV(dev, RO_SHAPE))
        d = (struct dims){1, {size}};
    uint32_t lower = builder__slice(b, x, -1, 0, half, 1),
             upper = builder__slice(b, x, -1, half, INT64_MAX, 1);
    uint32_t negated = DEV(dev, RO_NO_NEG) ? upper : OP(b, "Neg", upper);
    uint32_t r =
        DEV(dev, RO_ORDER) ? OP(b, "Concat", lower, negated) : OP(b, "Concat", negated, lower);
    builder__int(b, "axis", last);
    uint32_t cosine = builder__between(b, t, d.at, d.n, -1, 1);
    uint32_t sine = builder__between(b, t, d.at, d.n, -1, 1);
    return OP(b, "Add", pattern__either(b, "Mul", x, cosine), pattern__either(b, "Mul", r, sine));
}
