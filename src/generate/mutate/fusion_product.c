/*
 * Near misses of fusions around matrix products: attention, MatMul with Transpose, Add, scale;
 * Gemm chains; products that share an input; rotary embedding. x [batch, sequence, size] or
 * [.., M, K].
 */
#include "generate/mutate/pattern_p.h"

/* A product with a random weight [K, n]; n 0: square. */
static uint32_t project(struct sketch *s, uint32_t x, int64_t n)
{
    int64_t k = sketch__dim(s, x, -1), d[2] = {k, n > 0 ? n : k};
    return OP(s, "MatMul", x,
              sketch__random(s, sketch__dtype(s, x), d, 2,
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

static uint32_t to_heads(struct sketch *s, uint32_t x, int64_t heads, bool for_keys)
{
    static const int64_t perm[] = {0, 2, 1, 3}, keys[] = {0, 2, 3, 1};
    int64_t d[4] = {0, 0, heads, sketch__dim(s, x, 2) / heads};
    if (sketch__dim(s, x, 0) == 0 || sketch__dim(s, x, 1) == 0 || sketch__chance(s, 50)) {
        d[0] = sketch__dim(s, x, 0);
        d[1] = sketch__dim(s, x, 1);
    }
    return sketch__transpose(s, sketch__reshape(s, x, d, 4), for_keys ? keys : perm, 4);
}

static uint32_t masked(struct sketch *s, uint32_t scores, uint32_t dev)
{
    struct dims p = sketch__dims(s, scores), d = {2, {p.at[2], p.at[3]}};
    enum dtype t = sketch__dtype(s, scores);
    if (DEV(dev, AT_MASK_SHAPE))
        d = recipe__broadcast_shape(s, scores);
    if (d.n > 4)
        d = p;
    if (DEV(dev, AT_MASK_WHERE)) {
        uint32_t keep = sketch__random(s, DTYPE_BOOL, d.at, d.n, 1);
        return OP(s, "Where", keep, scores, pattern__const(s, scores, -1000));
    }
    return pattern__either(s, "Add", scores, sketch__random(s, t, d.at, d.n, 2));
}

uint32_t pattern__attention(struct sketch *s, uint32_t x)
{
    static const int64_t back[] = {0, 2, 1, 3}, odd[] = {0, 3, 1, 2};
    uint32_t dev = pattern__deviate(s, AT_COUNT);
    x = recipe__rank(s, pattern__float(s, x, 3), 3);
    struct dims p = sketch__dims(s, x);
    if (s->failed || p.at[2] > 64 || p.at[1] > 64) {
        sketch__fail(s, "too large for attention");
        return VALUE_NONE;
    }
    int64_t heads = p.at[2] % 2 == 0 ? 2 : 1;
    enum dtype t = sketch__dtype(s, x);
    uint32_t q = project(s, x, 0), k = project(s, x, 0), v = project(s, x, 0);
    if (DEV(dev, AT_BIAS)) {
        q = pattern__either(s, "Add", q, sketch__random(s, t, &p.at[2], 1, 0.5));
        v = pattern__either(s, "Add", v, sketch__random(s, t, &p.at[2], 1, 0.5));
    }
    q = to_heads(s, q, heads, false);
    k = to_heads(s, k, heads, true);
    v = to_heads(s, v, heads, false);
    double scale = DEV(dev, AT_SCALE_DIV) ? 1.75 : 0.5;
    uint32_t c =
        DEV(dev, AT_SCALE_SHAPE) ? pattern__const(s, q, scale) : sketch__scalar(s, t, scale);
    const char *by = DEV(dev, AT_SCALE_DIV) ? "Div" : "Mul";
    if (DEV(dev, AT_SCALE_ON_Q))
        q = OP(s, by, q, c);
    uint32_t scores = OP(s, "MatMul", q, k);
    if (!DEV(dev, AT_SCALE_ON_Q) && !DEV(dev, AT_NO_SCALE))
        scores = OP(s, by, scores, c);
    if (DEV(dev, AT_MASK) || DEV(dev, AT_MASK_SHAPE) || DEV(dev, AT_MASK_WHERE))
        scores = masked(s, scores, dev);
    uint32_t probs = OP(s, "Softmax", scores);
    sketch__int(s, "axis", DEV(dev, AT_AXIS) ? 2 : sketch__chance(s, 50) ? 3 : -1);
    uint32_t y = OP(s, "MatMul", probs, v);
    y = sketch__transpose(s, y, DEV(dev, AT_PERM) ? odd : back, 4);
    y = sketch__reshape(s, y, (const int64_t[]){p.at[0], p.at[1], p.at[2]}, 3);
    if (DEV(dev, AT_ORDER))
        y = OP(s, "Add", y, x);
    if (DEV(dev, AT_PROBS_USED))
        y = OP(s, "Add", y, sketch__reduce(s, "ReduceMean", probs, NULL, 0, 0));
    return project(s, y, 0);
}

/* Transpose before MatMul: the last two dims, or others, on either side or both, scaled. */
uint32_t pattern__matmul_transpose(struct sketch *s, uint32_t x)
{
    enum { MT_OTHER, MT_BOTH, MT_SCALE, MT_OUT, MT_RIGHT, MT_TWICE, MT_CAST, MT_COUNT };
    uint32_t dev = pattern__deviate(s, MT_COUNT);
    x = pattern__float(s, x, 2);
    uint32_t rank = sketch__rank(s, x);
    int64_t perm[TENSOR_RANK_MAX];
    enum dtype t = sketch__dtype(s, x);
    for (uint32_t i = 0; i < rank; i++)
        perm[i] = i;
    uint32_t a = rank - 1, b = rank - 2;
    if (DEV(dev, MT_OTHER) && rank > 2)
        a = sketch__below(s, rank - 1);
    perm[a] = b;
    perm[b] = a;
    uint32_t y = sketch__transpose(s, x, perm, rank);
    if (DEV(dev, MT_TWICE))
        y = sketch__transpose(s, y, perm, rank);
    if (DEV(dev, MT_CAST) && t == DTYPE_FLOAT16)
        y = sketch__cast(s, y, t = DTYPE_FLOAT);
    if (DEV(dev, MT_SCALE))
        y = pattern__either(s, "Mul", y, pattern__const(s, y, 0.25));
    int64_t k = sketch__dim(s, y, -1), n = sketch__between_i(s, 1, 5), d[2] = {k, n};
    uint32_t w;
    if (DEV(dev, MT_BOTH)) {
        const int64_t swap[] = {1, 0}, wd[] = {n, k};
        w = sketch__transpose(s, sketch__random(s, t, wd, 2, 0.5), swap, 2);
    } else {
        w = sketch__random(s, t, d, 2, 0.5);
    }
    if (DEV(dev, MT_RIGHT)) {
        int64_t left[2] = {n, sketch__dim(s, y, -2)};
        y = OP(s, "MatMul", sketch__random(s, t, left, 2, 0.5), y);
    } else {
        y = OP(s, "MatMul", y, w);
    }
    if (DEV(dev, MT_OUT))
        y = recipe__apply(s, recipe__find("Transpose"), y);
    return y;
}

/* MatMul + Add, which becomes Gemm when the ranks and the bias allow. */
uint32_t pattern__matmul_add(struct sketch *s, uint32_t x)
{
    static const char *const then[] = {"Relu", "Tanh", "Sigmoid", "LeakyRelu", "Clip", "Mul"};
    x = pattern__float(s, x, 2);
    if (sketch__chance(s, 60))
        x = recipe__rank(s, x, 2);
    uint32_t form = sketch__below(s, 8);
    int64_t n = sketch__between_i(s, 1, 5);
    enum dtype t = sketch__dtype(s, x);
    uint32_t y = project(s, x, n);
    struct dims p = sketch__dims(s, y), d = {1, {n}};
    if (form == 0)
        d = (struct dims){0, {0}};
    else if (form == 1)
        d = (struct dims){2, {p.at[p.n - 2], 1}};
    else if (form == 2)
        d = (struct dims){2, {1, n}};
    else if (form == 3)
        d = (struct dims){3, {1, 1, n}};
    else if (form == 4)
        d = recipe__broadcast_shape(s, y);
    else if (form == 5)
        d = p;
    sketch__note(s, "bias-rank=%u", d.n);
    uint32_t out = pattern__either(s, "Add", y, sketch__random(s, t, d.at, d.n, 0.5));
    if (sketch__chance(s, 40))
        out = recipe__apply(s, recipe__find(PICK(s, then)), out);
    if (sketch__chance(s, 10))
        out = OP(s, "Add", out, y);
    return out;
}

uint32_t pattern__matmul_scale(struct sketch *s, uint32_t x)
{
    enum { MS_SHAPE, MS_DIV, MS_BEFORE, MS_SOFTMAX_AXIS, MS_ORDER, MS_COUNT };
    uint32_t dev = pattern__deviate(s, MS_COUNT);
    x = pattern__float(s, x, 2);
    enum dtype t = sketch__dtype(s, x);
    struct dims d = {0};
    if (DEV(dev, MS_SHAPE))
        d = recipe__broadcast_shape(s, x);
    uint32_t c = sketch__between(s, t, d.at, d.n, 0.25, 1);
    const char *by = DEV(dev, MS_DIV) ? "Div" : "Mul";
    if (DEV(dev, MS_BEFORE))
        x = DEV(dev, MS_ORDER) ? OP(s, by, c, x) : OP(s, by, x, c);
    uint32_t y = project(s, x, sketch__chance(s, 50) ? 0 : 3);
    if (!DEV(dev, MS_BEFORE)) {
        struct dims q = {0};
        c = sketch__filled(s, t, q.at, 0, 0.375);
        y = DEV(dev, MS_ORDER) && !DEV(dev, MS_DIV) ? OP(s, by, c, y) : OP(s, by, y, c);
    }
    y = OP(s, "Softmax", y);
    sketch__int(s, "axis", DEV(dev, MS_SOFTMAX_AXIS) ? 0 : -1);
    return y;
}

uint32_t pattern__gemm_chain(struct sketch *s, uint32_t x)
{
    static const char *const then[] = {
        "Relu", "LeakyRelu",          "Sigmoid", "Clip",        "Transpose", "Gemm", "Add",
        "Mul",  "BatchNormalization", "Elu",     "HardSigmoid", "Tanh"};
    const struct recipe *gemm = recipe__find("Gemm");
    x = pattern__float(s, x, 2);
    if (sketch__chance(s, 40))
        x = recipe__apply(s, recipe__find("Transpose"), recipe__rank(s, x, 2));
    uint32_t y = recipe__apply(s, gemm, x);
    const char *op_type = PICK(s, then);
    sketch__note(s, "then=%s", op_type);
    return recipe__apply(s, recipe__find(op_type), y);
}

/* Several products of one input, joined; or one product, split. */
uint32_t pattern__shared_matmul(struct sketch *s, uint32_t x)
{
    x = pattern__float(s, x, 2);
    int64_t n = sketch__between_i(s, 1, 4), last = -1;
    uint32_t a = project(s, x, n), b = project(s, x, sketch__chance(s, 70) ? n : n + 1);
    uint32_t c = sketch__chance(s, 50) ? project(s, x, n) : OP(s, "Neg", a);
    uint32_t y = OP(s, "Concat", a, b, c);
    sketch__int(s, "axis", last);
    if (sketch__chance(s, 40))
        y = recipe__apply(s, recipe__find("Split"), y);
    return y;
}

/* x cos + rotate(x) sin over the last dim. */
uint32_t pattern__rotary(struct sketch *s, uint32_t x)
{
    enum { RO_NO_NEG, RO_ORDER, RO_HALF, RO_SHAPE, RO_COUNT };
    uint32_t dev = pattern__deviate(s, RO_COUNT);
    x = pattern__float(s, x, 3);
    int64_t size = sketch__dim(s, x, -1), half = size / 2, last = -1;
    if (DEV(dev, RO_HALF))
        half = 1;
    if (size < 2) {
        sketch__fail(s, "the last dim is too small");
        return VALUE_NONE;
    }
    struct dims p = sketch__dims(s, x), d = {2, {p.at[p.n - 2], size}};
    enum dtype t = sketch__dtype(s, x);
    if (DEV(dev, RO_SHAPE))
        d = (struct dims){1, {size}};
    uint32_t a = sketch__slice(s, x, -1, 0, half, 1),
             b = sketch__slice(s, x, -1, half, INT64_MAX, 1);
    uint32_t nb = DEV(dev, RO_NO_NEG) ? b : OP(s, "Neg", b);
    uint32_t r = DEV(dev, RO_ORDER) ? OP(s, "Concat", a, nb) : OP(s, "Concat", nb, a);
    sketch__int(s, "axis", last);
    uint32_t cosine = sketch__between(s, t, d.at, d.n, -1, 1);
    uint32_t sine = sketch__between(s, t, d.at, d.n, -1, 1);
    return OP(s, "Add", pattern__either(s, "Mul", x, cosine), pattern__either(s, "Mul", r, sine));
}
