/*
 * Near misses of normalisation fusions: the decomposed forms of Layer, RMS, Instance, Group and
 * Batch norm, of softmax and L2 normalisation, each with deviations in axis, keepdims, exponent,
 * epsilon, operand order and the shapes of scale and bias. x is [.., D] except where another shape
 * is given.
 */
#include "generate/mutate/pattern_p.h"

/* Scale or bias that broadcasts with the last dim(s). */
static uint32_t affine(struct graph_builder *b, uint32_t x, bool odd_shape, double low, double high)
{
    struct dims p = builder__dims(b, x), d = {1, {p.n > 0 ? p.at[p.n - 1] : 1}};
    if (odd_shape) {
        switch (builder__below(b, 5)) {
        case 0:
            d.n = 0;
            break;
        case 1:
            d.at[0] = 1;
            break;
        case 2: /* [1, .., D] */
            d.n = p.n;
            for (uint32_t i = 0; i + 1 < p.n; i++)
                d.at[i] = 1;
            d.at[p.n - 1] = p.at[p.n - 1];
            break;
        case 3: /* all dims of x */
            d = p;
            break;
        default: /* along another axis */
            d.n = MIN(p.n, 2);
            d.at[0] = p.n >= 2 ? p.at[p.n - 2] : p.at[0];
            d.at[1] = 1;
        }
    }
    return builder__between(b, builder__dtype(b, x), d.at, d.n, low, high);
}

static double draw_epsilon(struct graph_builder *b, bool odd)
{
    static const double odds[] = {0.1, 1e-12, 1, 1e-3};
    return odd ? ONE_OF(b, odds) : 1e-5;
}

/* The mean over the norm's axes: ReduceMean, or a sum divided by the count. */
static uint32_t mean_of(struct graph_builder *b, uint32_t x, const int64_t *axes, size_t n,
                        int keepdims, bool by_sum)
{
    int64_t count = 1;
    if (!by_sum)
        return builder__reduce(b, "ReduceMean", x, axes, n, keepdims);
    for (size_t i = 0; i < n; i++)
        count *= builder__dim(b, x, axes[i]);
    uint32_t sum = builder__reduce(b, "ReduceSum", x, axes, n, keepdims);
    return OP(b, "Div", sum, builder__scalar(b, builder__dtype(b, x), (double)MAX(count, 1)));
}

enum {
    LN_AXIS,
    LN_TWO_AXES,
    LN_EXPONENT,
    LN_EPSILON,
    LN_EPSILON_SHAPE,
    LN_ORDER,
    LN_SCALE,
    LN_BIAS,
    LN_NO_BIAS,
    LN_SECOND_AXIS,
    LN_SQUARE_BY_MUL,
    LN_RECIPROCAL,
    LN_BY_SUM,
    LN_TWO_SUBS,
    LN_CAST,
    LN_EXTRA_CONSUMER,
    LN_COUNT
};

static uint32_t square(struct graph_builder *b, uint32_t d, uint32_t dev)
{
    static const double exponents[] = {3, 1, 2.5, 4};
    if (DEV(dev, LN_SQUARE_BY_MUL))
        return OP(b, "Mul", d, d);
    if (DEV(dev, LN_EXPONENT)) {
        double e = ONE_OF(b, exponents);
        return OP(b, "Pow", e == 2.5 || e == 3 || e == 1 ? OP(b, "Abs", d) : d,
                  pattern__const(b, d, e));
    }
    return OP(b, "Pow", d, builder__scalar(b, builder__dtype(b, d), 2));
}

/* The rest of the norm, from the centred values d. */
static uint32_t normalise(struct graph_builder *b, uint32_t d, uint32_t divisor_of,
                          const int64_t *axes, size_t n_axes, uint32_t dev)
{
    enum dtype t = builder__dtype(b, d);
    double eps = draw_epsilon(b, DEV(dev, LN_EPSILON));
    uint32_t v = mean_of(b, square(b, divisor_of, dev), axes, n_axes, 1, DEV(dev, LN_BY_SUM));
    uint32_t e =
        DEV(dev, LN_EPSILON_SHAPE) ? affine(b, d, true, eps, eps) : builder__scalar(b, t, eps);
    uint32_t root = OP(b, "Sqrt", pattern__either(b, "Add", v, e));
    if (DEV(dev, LN_RECIPROCAL))
        return OP(b, "Mul", d, OP(b, "Reciprocal", root));
    return OP(b, "Div", d, root);
}

uint32_t pattern__layer_norm(struct graph_builder *b, uint32_t x)
{
    uint32_t dev = pattern__deviate(b, LN_COUNT);
    x = pattern__float(b, x, 2);
    int64_t rank = builder__rank(b, x), axes[2] = {-1, -2}, other = -2;
    enum dtype t = builder__dtype(b, x);
    size_t n = DEV(dev, LN_TWO_AXES) ? 2 : 1;
    if (DEV(dev, LN_AXIS))
        axes[0] = builder__between_i(b, 0, rank - 2);
    if (n == 2 && axes[0] == rank - 2)
        axes[1] = -1;
    if (builder__chance(b, 30) && axes[0] < 0)
        axes[0] += rank;
    uint32_t in = DEV(dev, LN_CAST) && t == DTYPE_FLOAT16 ? builder__cast(b, x, DTYPE_FLOAT) : x;
    uint32_t mean = mean_of(b, in, axes, n, 1, DEV(dev, LN_BY_SUM));
    uint32_t d = DEV(dev, LN_ORDER) ? OP(b, "Sub", mean, in) : OP(b, "Sub", in, mean);
    uint32_t d2 = DEV(dev, LN_TWO_SUBS) ? OP(b, "Sub", in, mean) : d;
    uint32_t y = normalise(b, d, d2, DEV(dev, LN_SECOND_AXIS) ? &other : axes,
                           DEV(dev, LN_SECOND_AXIS) ? 1 : n, dev);
    if (in != x)
        y = builder__cast(b, y, t);
    y = pattern__either(b, "Mul", y, affine(b, y, DEV(dev, LN_SCALE), 0.5, 1.5));
    if (!DEV(dev, LN_NO_BIAS))
        y = pattern__either(b, "Add", y, affine(b, y, DEV(dev, LN_BIAS), -0.5, 0.5));
    if (DEV(dev, LN_EXTRA_CONSUMER) && in == x)
        y = OP(b, "Add", y, d);
    return y;
}

uint32_t pattern__rms_norm(struct graph_builder *b, uint32_t x)
{
    uint32_t dev = pattern__deviate(b, LN_COUNT);
    x = pattern__float(b, x, 2);
    int64_t axes[2] = {-1, -2};
    size_t n = DEV(dev, LN_TWO_AXES) ? 2 : 1;
    if (DEV(dev, LN_AXIS))
        axes[0] = 0;
    if (n == 2 && axes[0] == 0)
        axes[1] = -1;
    uint32_t y = normalise(b, x, x, axes, n, dev);
    y = pattern__either(b, "Mul", y, affine(b, y, DEV(dev, LN_SCALE), 0.5, 1.5));
    if (DEV(dev, LN_BIAS))
        y = pattern__either(b, "Add", y, affine(b, y, false, -0.5, 0.5));
    return y;
}

uint32_t pattern__skip_layer_norm(struct graph_builder *b, uint32_t x)
{
    enum { SKIP_SHAPE, SKIP_BIAS, SKIP_SUM_USED, SKIP_AXIS, SKIP_SCALE, SKIP_TWICE, SKIP_COUNT };
    uint32_t dev = pattern__deviate(b, SKIP_COUNT);
    x = pattern__float(b, x, 3);
    struct dims p = builder__dims(b, x), d = p;
    enum dtype t = builder__dtype(b, x);
    if (DEV(dev, SKIP_SHAPE))
        d = layer__broadcast_shape(b, x);
    uint32_t sum = pattern__either(b, "Add", x, builder__random(b, t, d.at, d.n, 1)), y;
    if (DEV(dev, SKIP_BIAS))
        sum = pattern__either(b, "Add", sum, builder__random(b, t, &p.at[p.n - 1], 1, 0.5));
    if (DEV(dev, SKIP_TWICE))
        sum = OP(b, "Add", sum, sum);
    if (b->m->opset >= 17 && builder__allows(b, "LayerNormalization", 0, t)) {
        uint32_t scale = affine(b, sum, DEV(dev, SKIP_SCALE) && !DEV(dev, SKIP_AXIS), 0.5, 1.5);
        if (DEV(dev, SKIP_AXIS))
            scale = builder__between(b, t, builder__dims(b, sum).at + 1, builder__rank(b, sum) - 1,
                                     0.5, 1.5);
        y = OP(b, "LayerNormalization", sum, scale);
        if (DEV(dev, SKIP_AXIS))
            builder__int(b, "axis", 1);
    } else {
        y = pattern__layer_norm(b, sum);
    }
    if (DEV(dev, SKIP_SUM_USED))
        y = OP(b, "Add", y, sum);
    return y;
}

/* x [N, C, H, W]. */
uint32_t pattern__instance_norm(struct graph_builder *b, uint32_t x)
{
    enum { IN_AXES, IN_EPS, IN_SCALE, IN_FUSED, IN_KEEP, IN_COUNT };
    static const int64_t axes[] = {2, 3, 1};
    uint32_t dev = pattern__deviate(b, IN_COUNT);
    x = pattern__float(b, x, 4);
    x = layer__rank(b, x, 4);
    int64_t c = builder__dim(b, x, 1), cd[3] = {c, 1, 1};
    enum dtype t = builder__dtype(b, x);
    if (DEV(dev, IN_FUSED))
        return layer__apply(b, layer__find("InstanceNormalization"), x);
    const int64_t *from = DEV(dev, IN_AXES) ? axes + 1 : axes;
    uint32_t mean = builder__reduce(b, "ReduceMean", x, from, 2, 1), d = OP(b, "Sub", x, mean);
    uint32_t v = builder__reduce(b, "ReduceMean", OP(b, "Mul", d, d), from, 2, 1);
    uint32_t e = builder__scalar(b, t, draw_epsilon(b, DEV(dev, IN_EPS)));
    uint32_t y = OP(b, "Div", d, OP(b, "Sqrt", OP(b, "Add", v, e)));
    if (DEV(dev, IN_SCALE))
        cd[1] = builder__dim(b, x, 2);
    y = pattern__either(b, "Mul", y, builder__between(b, t, cd, 3, 0.5, 1.5));
    return pattern__either(b, "Add", y, builder__between(b, t, cd, 3, -0.5, 0.5));
}

/* Reshape to groups, InstanceNormalization, Reshape back, affine. */
uint32_t pattern__group_norm(struct graph_builder *b, uint32_t x)
{
    enum { GN_SCALE_ONES, GN_GROUP, GN_AFFINE, GN_OPEN, GN_RANK, GN_COUNT };
    uint32_t dev = pattern__deviate(b, GN_COUNT);
    x = layer__rank(b, pattern__float(b, x, 4), 4);
    struct dims p = builder__dims(b, x);
    enum dtype t = builder__dtype(b, x);
    int64_t g = p.at[1] % 2 == 0 ? 2 : 1, cd[3] = {p.at[1], 1, 1};
    if (DEV(dev, GN_GROUP))
        g = p.at[1];
    int64_t grouped[3] = {DEV(dev, GN_OPEN) ? 0 : p.at[0], g, -1};
    if (g == 0 || p.at[0] == 0)
        grouped[2] = 1;
    uint32_t r = builder__reshape(b, x, grouped, 3);
    uint32_t scale = DEV(dev, GN_SCALE_ONES) ? builder__between(b, t, &g, 1, 0.5, 1.5)
                                             : builder__filled(b, t, &g, 1, 1);
    uint32_t bias = DEV(dev, GN_SCALE_ONES) ? builder__between(b, t, &g, 1, -0.5, 0.5)
                                            : builder__filled(b, t, &g, 1, 0);
    uint32_t y = OP(b, "InstanceNormalization", r, scale, bias);
    y = DEV(dev, GN_OPEN) ? OP(b, "Reshape", y, OP(b, "Shape", x))
                          : builder__reshape(b, y, p.at, p.n);
    if (DEV(dev, GN_AFFINE))
        cd[2] = p.at[3];
    y = pattern__either(b, "Mul", y, builder__between(b, t, cd, 3, 0.5, 1.5));
    return pattern__either(b, "Add", y, builder__between(b, t, cd, 3, -0.5, 0.5));
}

/* Batch norm after an operator that could absorb it, or decomposed, or twice in a row. */
uint32_t pattern__batch_norm(struct graph_builder *b, uint32_t x)
{
    static const char *const before[] = {"Conv", "ConvTranspose", "MatMul", "Gemm", "Pad",
                                         "Relu", "AveragePool",   "Concat", "Add"};
    uint32_t form = builder__below(b, 4);
    const struct layer_builder *bn = layer__find("BatchNormalization");
    x = pattern__float(b, x, 2);
    if (form < 3) {
        const char *op_type = ONE_OF(b, before);
        builder__note(b, "after=%s", op_type);
        x = layer__apply(b, layer__find(op_type), x);
    }
    uint32_t y = layer__apply(b, bn, x);
    if (form == 3)
        y = layer__apply(b, bn, y);
    if (form == 2)
        y = layer__apply(b, layer__find("Mul"), y);
    return y;
}

uint32_t pattern__l2_normalise(struct graph_builder *b, uint32_t x)
{
    enum { L2_AXIS, L2_EPS, L2_FORM, L2_KEEP, L2_MAX, L2_COUNT };
    uint32_t dev = pattern__deviate(b, L2_COUNT);
    x = pattern__float(b, x, 2);
    int64_t axis = DEV(dev, L2_AXIS) ? builder__axis(b, builder__rank(b, x), NULL) : -1;
    enum dtype t = builder__dtype(b, x);
    uint32_t n;
    if (DEV(dev, L2_FORM)) {
        n = OP(b, "Sqrt", builder__reduce(b, "ReduceSumSquare", x, &axis, 1, 1));
    } else {
        n = builder__reduce(b, "ReduceL2", x, &axis, 1, DEV(dev, L2_KEEP) ? 0 : 1);
        if (DEV(dev, L2_KEEP))
            n = builder__unsqueeze(b, n, &axis, 1);
    }
    uint32_t e = pattern__const(b, x, draw_epsilon(b, true));
    n = DEV(dev, L2_MAX) || t != DTYPE_FLOAT ? OP(b, "Add", n, e) : OP(b, "Max", n, e);
    if (DEV(dev, L2_EPS))
        n = OP(b, "Expand", n, OP(b, "Shape", x));
    return OP(b, "Div", x, n);
}

uint32_t pattern__softmax(struct graph_builder *b, uint32_t x)
{
    x = pattern__float(b, x, 2);
    int64_t axis = builder__axis(b, builder__rank(b, x), NULL), other;
    uint32_t form = builder__below(b, 5), y;
    other = builder__chance(b, 40) ? builder__axis(b, builder__rank(b, x), NULL) : axis;
    builder__note(b, "form=%u axis=%lld", form, (long long)axis);
    if (form == 0) { /* written out */
        uint32_t m = builder__reduce(b, "ReduceMax", x, &axis, 1, 1);
        uint32_t e = OP(b, "Exp", OP(b, "Sub", x, m));
        return OP(b, "Div", e, builder__reduce(b, "ReduceSum", e, &other, 1, 1));
    }
    if (form == 1) { /* without the maximum */
        uint32_t e = OP(b, "Exp", layer__domain(b, x, -5, 5));
        return OP(b, "Div", e, builder__reduce(b, "ReduceSum", e, &axis, 1, 1));
    }
    y = OP(b, "Softmax", x);
    if (form == 4) {
        if (builder__chance(b, 50))
            builder__int(b, "axis", axis);
        return OP(b, "Log",
                  OP(b, "Add", y, pattern__const(b, y, builder__chance(b, 50) ? 1e-3 : 0)));
    }
    builder__int(b, "axis", axis);
    if (form == 2)
        return OP(b, "Log", y);
    y = OP(b, "Softmax", y);
    builder__int(b, "axis", other);
    return y;
}
