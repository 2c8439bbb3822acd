/*
 * Near misses of normalisation fusions: the decomposed forms of Layer, RMS, Instance, Group and
 * Batch norm, of softmax and L2 normalisation, each with deviations in axis, keepdims, exponent,
 * epsilon, operand order and the shapes of scale and bias. x [.., D] unless said otherwise.
 */
#include "generate/mutate/pattern_p.h"

/* Scale or bias that broadcasts with the last dim(s). */
static uint32_t affine(struct sketch *s, uint32_t x, bool odd_shape, double low, double high)
{
    struct dims p = sketch__dims(s, x), d = {1, {p.n > 0 ? p.at[p.n - 1] : 1}};
    if (odd_shape) {
        switch (sketch__below(s, 5)) {
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
        case 3: /* all of x's dims */
            d = p;
            break;
        default: /* along another axis */
            d.n = MIN(p.n, 2);
            d.at[0] = p.n >= 2 ? p.at[p.n - 2] : p.at[0];
            d.at[1] = 1;
        }
    }
    return sketch__between(s, sketch__dtype(s, x), d.at, d.n, low, high);
}

static double draw_epsilon(struct sketch *s, bool odd)
{
    static const double odds[] = {0.1, 1e-12, 1, 1e-3};
    return odd ? PICK(s, odds) : 1e-5;
}

/* The mean over the norm's axes: ReduceMean, or a sum divided by the count. */
static uint32_t mean_of(struct sketch *s, uint32_t x, const int64_t *axes, size_t n, int keepdims,
                        bool by_sum)
{
    int64_t count = 1;
    if (!by_sum)
        return sketch__reduce(s, "ReduceMean", x, axes, n, keepdims);
    for (size_t i = 0; i < n; i++)
        count *= sketch__dim(s, x, axes[i]);
    uint32_t sum = sketch__reduce(s, "ReduceSum", x, axes, n, keepdims);
    return OP(s, "Div", sum, sketch__scalar(s, sketch__dtype(s, x), (double)MAX(count, 1)));
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

static uint32_t square(struct sketch *s, uint32_t d, uint32_t dev)
{
    static const double exponents[] = {3, 1, 2.5, 4};
    if (DEV(dev, LN_SQUARE_BY_MUL))
        return OP(s, "Mul", d, d);
    if (DEV(dev, LN_EXPONENT)) {
        double e = PICK(s, exponents);
        return OP(s, "Pow", e == 2.5 || e == 3 || e == 1 ? OP(s, "Abs", d) : d,
                  pattern__const(s, d, e));
    }
    return OP(s, "Pow", d, sketch__scalar(s, sketch__dtype(s, d), 2));
}

/* Everything behind the centred d. */
static uint32_t normalise(struct sketch *s, uint32_t d, uint32_t divisor_of, const int64_t *axes,
                          size_t n_axes, uint32_t dev)
{
    enum dtype t = sketch__dtype(s, d);
    double eps = draw_epsilon(s, DEV(dev, LN_EPSILON));
    uint32_t v = mean_of(s, square(s, divisor_of, dev), axes, n_axes, 1, DEV(dev, LN_BY_SUM));
    uint32_t e =
        DEV(dev, LN_EPSILON_SHAPE) ? affine(s, d, true, eps, eps) : sketch__scalar(s, t, eps);
    uint32_t root = OP(s, "Sqrt", pattern__either(s, "Add", v, e));
    if (DEV(dev, LN_RECIPROCAL))
        return OP(s, "Mul", d, OP(s, "Reciprocal", root));
    return OP(s, "Div", d, root);
}

uint32_t pattern__layer_norm(struct sketch *s, uint32_t x)
{
    uint32_t dev = pattern__deviate(s, LN_COUNT);
    x = pattern__float(s, x, 2);
    int64_t rank = sketch__rank(s, x), axes[2] = {-1, -2}, other = -2;
    enum dtype t = sketch__dtype(s, x);
    size_t n = DEV(dev, LN_TWO_AXES) ? 2 : 1;
    if (DEV(dev, LN_AXIS))
        axes[0] = sketch__between_i(s, 0, rank - 2);
    if (n == 2 && axes[0] == rank - 2)
        axes[1] = -1;
    if (sketch__chance(s, 30) && axes[0] < 0)
        axes[0] += rank;
    uint32_t in = DEV(dev, LN_CAST) && t == DTYPE_FLOAT16 ? sketch__cast(s, x, DTYPE_FLOAT) : x;
    uint32_t mean = mean_of(s, in, axes, n, 1, DEV(dev, LN_BY_SUM));
    uint32_t d = DEV(dev, LN_ORDER) ? OP(s, "Sub", mean, in) : OP(s, "Sub", in, mean);
    uint32_t d2 = DEV(dev, LN_TWO_SUBS) ? OP(s, "Sub", in, mean) : d;
    uint32_t y = normalise(s, d, d2, DEV(dev, LN_SECOND_AXIS) ? &other : axes,
                           DEV(dev, LN_SECOND_AXIS) ? 1 : n, dev);
    if (in != x)
        y = sketch__cast(s, y, t);
    y = pattern__either(s, "Mul", y, affine(s, y, DEV(dev, LN_SCALE), 0.5, 1.5));
    if (!DEV(dev, LN_NO_BIAS))
        y = pattern__either(s, "Add", y, affine(s, y, DEV(dev, LN_BIAS), -0.5, 0.5));
    if (DEV(dev, LN_EXTRA_CONSUMER) && in == x)
        y = OP(s, "Add", y, d);
    return y;
}

uint32_t pattern__rms_norm(struct sketch *s, uint32_t x)
{
    uint32_t dev = pattern__deviate(s, LN_COUNT);
    x = pattern__float(s, x, 2);
    int64_t axes[2] = {-1, -2};
    size_t n = DEV(dev, LN_TWO_AXES) ? 2 : 1;
    if (DEV(dev, LN_AXIS))
        axes[0] = 0;
    if (n == 2 && axes[0] == 0)
        axes[1] = -1;
    uint32_t y = normalise(s, x, x, axes, n, dev);
    y = pattern__either(s, "Mul", y, affine(s, y, DEV(dev, LN_SCALE), 0.5, 1.5));
    if (DEV(dev, LN_BIAS))
        y = pattern__either(s, "Add", y, affine(s, y, false, -0.5, 0.5));
    return y;
}

uint32_t pattern__skip_layer_norm(struct sketch *s, uint32_t x)
{
    enum { SKIP_SHAPE, SKIP_BIAS, SKIP_SUM_USED, SKIP_AXIS, SKIP_SCALE, SKIP_TWICE, SKIP_COUNT };
    uint32_t dev = pattern__deviate(s, SKIP_COUNT);
    x = pattern__float(s, x, 3);
    struct dims p = sketch__dims(s, x), d = p;
    enum dtype t = sketch__dtype(s, x);
    if (DEV(dev, SKIP_SHAPE))
        d = recipe__broadcast_shape(s, x);
    uint32_t sum = pattern__either(s, "Add", x, sketch__random(s, t, d.at, d.n, 1)), y;
    if (DEV(dev, SKIP_BIAS))
        sum = pattern__either(s, "Add", sum, sketch__random(s, t, &p.at[p.n - 1], 1, 0.5));
    if (DEV(dev, SKIP_TWICE))
        sum = OP(s, "Add", sum, sum);
    if (s->m->opset >= 17 && sketch__allows(s, "LayerNormalization", 0, t)) {
        uint32_t scale = affine(s, sum, DEV(dev, SKIP_SCALE) && !DEV(dev, SKIP_AXIS), 0.5, 1.5);
        if (DEV(dev, SKIP_AXIS))
            scale = sketch__between(s, t, sketch__dims(s, sum).at + 1, sketch__rank(s, sum) - 1,
                                    0.5, 1.5);
        y = OP(s, "LayerNormalization", sum, scale);
        if (DEV(dev, SKIP_AXIS))
            sketch__int(s, "axis", 1);
    } else {
        y = pattern__layer_norm(s, sum);
    }
    if (DEV(dev, SKIP_SUM_USED))
        y = OP(s, "Add", y, sum);
    return y;
}

/* x [N, C, H, W]. */
uint32_t pattern__instance_norm(struct sketch *s, uint32_t x)
{
    enum { IN_AXES, IN_EPS, IN_SCALE, IN_FUSED, IN_KEEP, IN_COUNT };
    static const int64_t axes[] = {2, 3, 1};
    uint32_t dev = pattern__deviate(s, IN_COUNT);
    x = pattern__float(s, x, 4);
    x = recipe__rank(s, x, 4);
    int64_t c = sketch__dim(s, x, 1), cd[3] = {c, 1, 1};
    enum dtype t = sketch__dtype(s, x);
    if (DEV(dev, IN_FUSED))
        return recipe__apply(s, recipe__find("InstanceNormalization"), x);
    const int64_t *from = DEV(dev, IN_AXES) ? axes + 1 : axes;
    uint32_t mean = sketch__reduce(s, "ReduceMean", x, from, 2, 1), d = OP(s, "Sub", x, mean);
    uint32_t v = sketch__reduce(s, "ReduceMean", OP(s, "Mul", d, d), from, 2, 1);
    uint32_t e = sketch__scalar(s, t, draw_epsilon(s, DEV(dev, IN_EPS)));
    uint32_t y = OP(s, "Div", d, OP(s, "Sqrt", OP(s, "Add", v, e)));
    if (DEV(dev, IN_SCALE))
        cd[1] = sketch__dim(s, x, 2);
    y = pattern__either(s, "Mul", y, sketch__between(s, t, cd, 3, 0.5, 1.5));
    return pattern__either(s, "Add", y, sketch__between(s, t, cd, 3, -0.5, 0.5));
}

/* Reshape to groups, InstanceNormalization, Reshape back, affine. */
uint32_t pattern__group_norm(struct sketch *s, uint32_t x)
{
    enum { GN_SCALE_ONES, GN_GROUP, GN_AFFINE, GN_OPEN, GN_RANK, GN_COUNT };
    uint32_t dev = pattern__deviate(s, GN_COUNT);
    x = recipe__rank(s, pattern__float(s, x, 4), 4);
    struct dims p = sketch__dims(s, x);
    enum dtype t = sketch__dtype(s, x);
    int64_t g = p.at[1] % 2 == 0 ? 2 : 1, cd[3] = {p.at[1], 1, 1};
    if (DEV(dev, GN_GROUP))
        g = p.at[1];
    int64_t grouped[3] = {DEV(dev, GN_OPEN) ? 0 : p.at[0], g, -1};
    if (g == 0 || p.at[0] == 0)
        grouped[2] = 1;
    uint32_t r = sketch__reshape(s, x, grouped, 3);
    uint32_t scale = DEV(dev, GN_SCALE_ONES) ? sketch__between(s, t, &g, 1, 0.5, 1.5)
                                             : sketch__filled(s, t, &g, 1, 1);
    uint32_t bias = DEV(dev, GN_SCALE_ONES) ? sketch__between(s, t, &g, 1, -0.5, 0.5)
                                            : sketch__filled(s, t, &g, 1, 0);
    uint32_t y = OP(s, "InstanceNormalization", r, scale, bias);
    y = DEV(dev, GN_OPEN) ? OP(s, "Reshape", y, OP(s, "Shape", x))
                          : sketch__reshape(s, y, p.at, p.n);
    if (DEV(dev, GN_AFFINE))
        cd[2] = p.at[3];
    y = pattern__either(s, "Mul", y, sketch__between(s, t, cd, 3, 0.5, 1.5));
    return pattern__either(s, "Add", y, sketch__between(s, t, cd, 3, -0.5, 0.5));
}

/* Batch norm behind something that could take it in, or written out, or twice. */
uint32_t pattern__batch_norm(struct sketch *s, uint32_t x)
{
    static const char *const before[] = {"Conv", "ConvTranspose", "MatMul", "Gemm", "Pad",
                                         "Relu", "AveragePool",   "Concat", "Add"};
    uint32_t form = sketch__below(s, 4);
    const struct recipe *bn = recipe__find("BatchNormalization");
    x = pattern__float(s, x, 2);
    if (form < 3) {
        const char *op_type = PICK(s, before);
        sketch__note(s, "after=%s", op_type);
        x = recipe__apply(s, recipe__find(op_type), x);
    }
    uint32_t y = recipe__apply(s, bn, x);
    if (form == 3)
        y = recipe__apply(s, bn, y);
    if (form == 2)
        y = recipe__apply(s, recipe__find("Mul"), y);
    return y;
}

uint32_t pattern__l2_normalise(struct sketch *s, uint32_t x)
{
    enum { L2_AXIS, L2_EPS, L2_FORM, L2_KEEP, L2_MAX, L2_COUNT };
    uint32_t dev = pattern__deviate(s, L2_COUNT);
    x = pattern__float(s, x, 2);
    int64_t axis = DEV(dev, L2_AXIS) ? sketch__axis(s, sketch__rank(s, x), NULL) : -1;
    enum dtype t = sketch__dtype(s, x);
    uint32_t n;
    if (DEV(dev, L2_FORM)) {
        n = OP(s, "Sqrt", sketch__reduce(s, "ReduceSumSquare", x, &axis, 1, 1));
    } else {
        n = sketch__reduce(s, "ReduceL2", x, &axis, 1, DEV(dev, L2_KEEP) ? 0 : 1);
        if (DEV(dev, L2_KEEP))
            n = sketch__unsqueeze(s, n, &axis, 1);
    }
    uint32_t e = pattern__const(s, x, draw_epsilon(s, true));
    n = DEV(dev, L2_MAX) || t != DTYPE_FLOAT ? OP(s, "Add", n, e) : OP(s, "Max", n, e);
    if (DEV(dev, L2_EPS))
        n = OP(s, "Expand", n, OP(s, "Shape", x));
    return OP(s, "Div", x, n);
}

uint32_t pattern__softmax(struct sketch *s, uint32_t x)
{
    x = pattern__float(s, x, 2);
    int64_t axis = sketch__axis(s, sketch__rank(s, x), NULL), other;
    uint32_t form = sketch__below(s, 5), y;
    other = sketch__chance(s, 40) ? sketch__axis(s, sketch__rank(s, x), NULL) : axis;
    sketch__note(s, "form=%u axis=%lld", form, (long long)axis);
    if (form == 0) { /* written out */
        uint32_t m = sketch__reduce(s, "ReduceMax", x, &axis, 1, 1);
        uint32_t e = OP(s, "Exp", OP(s, "Sub", x, m));
        return OP(s, "Div", e, sketch__reduce(s, "ReduceSum", e, &other, 1, 1));
    }
    if (form == 1) { /* without the maximum */
        uint32_t e = OP(s, "Exp", recipe__domain(s, x, -5, 5));
        return OP(s, "Div", e, sketch__reduce(s, "ReduceSum", e, &axis, 1, 1));
    }
    y = OP(s, "Softmax", x);
    if (form == 4) {
        if (sketch__chance(s, 50))
            sketch__int(s, "axis", axis);
        return OP(s, "Log",
                  OP(s, "Add", y, pattern__const(s, y, sketch__chance(s, 50) ? 1e-3 : 0)));
    }
    sketch__int(s, "axis", axis);
    if (form == 2)
        return OP(s, "Log", y);
    y = OP(s, "Softmax", y);
    sketch__int(s, "axis", other);
    return y;
}
