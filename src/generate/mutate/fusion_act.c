/*
 * Near misses of elementwise fusions: Gelu and its relatives, bounded activations, arithmetic that
 * simplifiers remove, chains of constants, comparisons. x has any shape.
 */
#include "generate/mutate/pattern_p.h"

static double near(struct graph_builder *b, double right, bool odd)
{
    static const double factors[] = {1.01, 0.9, 2, -1, 0.5};
    return odd ? right * ONE_OF(b, factors) : right;
}

/* x, perhaps with a bias added first. */
static uint32_t biased(struct graph_builder *b, uint32_t x)
{
    struct dims p = builder__dims(b, x);
    if (p.n == 0 || builder__chance(b, 60))
        return x;
    if (builder__chance(b, 30))
        p = layer__broadcast_shape(b, x);
    else
        p = (struct dims){1, {p.at[p.n - 1]}};
    return pattern__either(b, "Add", x, builder__random(b, builder__dtype(b, x), p.at, p.n, 0.5));
}

uint32_t pattern__gelu_erf(struct graph_builder *b, uint32_t x)
{
    enum { GE_ROOT, GE_HALF, GE_ONE, GE_MUL, GE_ORDER, GE_OTHER_X, GE_ERF_USED, GE_SUB, GE_COUNT };
    uint32_t dev = pattern__deviate(b, GE_COUNT);
    x = biased(b, pattern__float(b, x, 0));
    uint32_t inner =
        DEV(dev, GE_MUL)
            ? OP(b, "Mul", x, pattern__const(b, x, near(b, 0.70710678118654752, DEV(dev, GE_ROOT))))
            : OP(b, "Div", x, pattern__const(b, x, near(b, 1.4142135623730951, DEV(dev, GE_ROOT))));
    uint32_t erf = OP(b, "Erf", inner), one = pattern__const(b, x, near(b, 1, DEV(dev, GE_ONE)));
    uint32_t sum = DEV(dev, GE_SUB) ? OP(b, "Sub", one, erf) : pattern__either(b, "Add", erf, one);
    uint32_t half = pattern__const(b, x, near(b, 0.5, DEV(dev, GE_HALF)));
    uint32_t left = DEV(dev, GE_OTHER_X) ? OP(b, "Neg", x) : x, y;
    if (DEV(dev, GE_ORDER) || builder__chance(b, 40))
        y = pattern__either(b, "Mul", left, pattern__either(b, "Mul", sum, half));
    else if (builder__chance(b, 50))
        y = pattern__either(b, "Mul", pattern__either(b, "Mul", left, half), sum);
    else
        y = pattern__either(b, "Mul", half, pattern__either(b, "Mul", left, sum));
    if (DEV(dev, GE_ERF_USED))
        y = OP(b, "Add", y, erf);
    return y;
}

uint32_t pattern__gelu_tanh(struct graph_builder *b, uint32_t x)
{
    enum { GT_CUBE, GT_COEFFICIENT, GT_ROOT, GT_ONE, GT_HALF, GT_MULS, GT_EXPONENT, GT_COUNT };
    uint32_t dev = pattern__deviate(b, GT_COUNT), cube;
    x = biased(b, pattern__float(b, x, 0));
    enum dtype t = builder__dtype(b, x);
    if (DEV(dev, GT_MULS))
        cube = OP(b, "Mul", OP(b, "Mul", x, x), DEV(dev, GT_CUBE) ? OP(b, "Neg", x) : x);
    else
        cube = OP(b, "Pow", x, builder__scalar(b, t, DEV(dev, GT_EXPONENT) ? 2 : 3));
    uint32_t c = pattern__const(b, x, near(b, 0.044715, DEV(dev, GT_COEFFICIENT)));
    uint32_t inner = pattern__either(b, "Add", x, pattern__either(b, "Mul", cube, c));
    uint32_t k = pattern__const(b, x, near(b, 0.7978845608028654, DEV(dev, GT_ROOT)));
    uint32_t th = OP(b, "Tanh", pattern__either(b, "Mul", inner, k));
    uint32_t sum =
        pattern__either(b, "Add", th, pattern__const(b, x, near(b, 1, DEV(dev, GT_ONE))));
    uint32_t half = pattern__const(b, x, near(b, 0.5, DEV(dev, GT_HALF)));
    if (builder__chance(b, 50))
        return pattern__either(b, "Mul", sum, pattern__either(b, "Mul", x, half));
    return pattern__either(b, "Mul", half, pattern__either(b, "Mul", x, sum));
}

/* x * sigmoid(alpha x), where the two x may differ slightly. */
uint32_t pattern__quick_gelu(struct graph_builder *b, uint32_t x)
{
    enum { QG_OTHER, QG_ALPHA_SHAPE, QG_SHIFT, QG_HARD, QG_TWICE, QG_USED, QG_COUNT };
    static const double alphas[] = {1.702, 1, 2, -1, 0.5};
    uint32_t dev = pattern__deviate(b, QG_COUNT);
    x = biased(b, pattern__float(b, x, 0));
    double alpha = ONE_OF(b, alphas);
    uint32_t inner = x;
    struct dims d = layer__broadcast_shape(b, x);
    if (DEV(dev, QG_ALPHA_SHAPE))
        inner = pattern__either(b, "Mul", x,
                                builder__filled(b, builder__dtype(b, x), d.at, d.n, alpha));
    else if (alpha != 1 || builder__chance(b, 30))
        inner = pattern__either(b, "Mul", x, pattern__const(b, x, alpha));
    if (DEV(dev, QG_SHIFT))
        inner = OP(b, "Add", inner, pattern__const(b, x, 0.5));
    uint32_t gate = OP(b, DEV(dev, QG_HARD) ? "HardSigmoid" : "Sigmoid", inner);
    if (DEV(dev, QG_HARD))
        corner__set_some(b, 60);
    uint32_t y = pattern__either(b, "Mul", DEV(dev, QG_OTHER) ? OP(b, "Abs", x) : x, gate);
    if (DEV(dev, QG_TWICE))
        y = OP(b, "Mul", y, gate);
    return DEV(dev, QG_USED) ? OP(b, "Sub", y, gate) : y;
}

uint32_t pattern__hard_swish(struct graph_builder *b, uint32_t x)
{
    enum { HS_SHIFT, HS_LOW, HS_HIGH, HS_SIX, HS_MUL, HS_RELU, HS_ORDER, HS_COUNT };
    uint32_t dev = pattern__deviate(b, HS_COUNT), gate;
    x = pattern__float(b, x, 0);
    enum dtype t = builder__dtype(b, x);
    uint32_t shifted =
        pattern__either(b, "Add", x, pattern__const(b, x, near(b, 3, DEV(dev, HS_SHIFT))));
    uint32_t high = builder__scalar(b, t, DEV(dev, HS_HIGH) ? 5 : 6);
    if (DEV(dev, HS_RELU)) {
        gate = OP(b, "Min", OP(b, "Relu", shifted), high);
    } else {
        uint32_t low = builder__scalar(b, t, DEV(dev, HS_LOW) ? -1 : 0);
        gate = OP(b, "Clip", shifted, low, high);
    }
    double six = near(b, 6, DEV(dev, HS_SIX));
    uint32_t c = pattern__const(b, x, DEV(dev, HS_MUL) ? 1 / six : six);
    const char *by = DEV(dev, HS_MUL) ? "Mul" : "Div";
    if (DEV(dev, HS_ORDER))
        return pattern__either(b, "Mul", x, OP(b, by, gate, c));
    return OP(b, by, pattern__either(b, "Mul", x, gate), c);
}

uint32_t pattern__softplus(struct graph_builder *b, uint32_t x)
{
    x = layer__domain(b, pattern__float(b, x, 0), -5, 5);
    uint32_t form = builder__below(b, 4), y;
    double one = builder__chance(b, 60) ? 1 : 2;
    if (form == 0)
        y = OP(b, "Softplus", x);
    else
        y = OP(b, "Log", pattern__either(b, "Add", OP(b, "Exp", x), pattern__const(b, x, one)));
    builder__note(b, "form=%u one=%g", form, one);
    if (form == 3)
        return y;
    return pattern__either(b, "Mul", builder__chance(b, 80) ? x : OP(b, "Neg", x),
                           OP(b, "Tanh", y));
}

/* Two or three bounds in a row, which a rewrite would join: in any order, and with a lower bound
 * above an upper one. */
uint32_t pattern__clip_chain(struct graph_builder *b, uint32_t x)
{
    static const char *const ops[] = {"Clip",        "Relu",      "Clip", "Min",
                                      "Max",         "LeakyRelu", "Clip", "ThresholdedRelu",
                                      "HardSigmoid", "Abs",       "Neg",  "PRelu"};
    uint32_t n = 2 + builder__below(b, 2);
    for (uint32_t i = 0; i < n; i++) {
        const char *op_type = ONE_OF(b, ops);
        builder__note(b, "%s", op_type);
        x = layer__apply(b, layer__find(op_type), x);
    }
    if (builder__chance(b, 15))
        x = layer__apply(b, layer__find("QuantizeLinear"), x);
    return x;
}

/* x + 0, x * 1, x - x, x / x, double negation ... with constants whose shape or order makes the
 * plain removal wrong. */
uint32_t pattern__identity_arithmetic(struct graph_builder *b, uint32_t x)
{
    static const struct {
        const char *op_type;
        double value;
        bool left; /* constant op x, not x op constant */
    } rows[] = {
        {"Add", 0, false}, {"Add", 0, true},     {"Sub", 0, false}, {"Sub", 0, true},
        {"Mul", 1, false}, {"Mul", 1, true},     {"Mul", 0, false}, {"Div", 1, false},
        {"Div", 1, true},  {"Pow", 1, false},    {"Pow", 0, false}, {"Pow", 2, false},
        {"Mul", -1, true}, {"Add", -0.0, false}, {"Max", 0, false}, {"Min", 0, true},
    };
    static const char *const twice[] = {"Neg",   "Reciprocal", "Abs", "Relu", "Ceil",
                                        "Floor", "Round",      "Not", "Sign", "Identity"};
    uint32_t form = builder__below(b, 10), at = builder__below(b, (uint32_t)COUNT_OF(rows));
    if (form < 2) {
        const char *op_type = ONE_OF(b, twice);
        builder__note(b, "twice=%s", op_type);
        x = layer__apply(b, layer__find(op_type), x);
        return layer__apply(b, layer__find(op_type), x);
    }
    x = layer__fit(b, rows[at].op_type, x);
    enum dtype t = builder__dtype(b, x);
    if (form == 2)
        return builder__chance(b, 50) ? OP(b, "Sub", x, x) : OP(b, "Add", x, x);
    if (rows[at].left && strcmp(rows[at].op_type, "Div") == 0) {
        if (!dtype_is_float(t))
            x = builder__cast(b, x, t = DTYPE_FLOAT);
        x = layer__domain(b, x, 0.25, 1e9);
    }
    struct dims d = layer__broadcast_shape(b, x);
    uint32_t c = builder__filled(b, t, d.at, d.n, rows[at].value);
    builder__note(b, "%s %g rank=%u %s", rows[at].op_type, rows[at].value, d.n,
                  rows[at].left ? "left" : "right");
    return rows[at].left ? OP(b, rows[at].op_type, c, x) : OP(b, rows[at].op_type, x, c);
}

/* (x op c1) op c2 with constants of different shapes. */
uint32_t pattern__constant_chain(struct graph_builder *b, uint32_t x)
{
    static const char *const ops[] = {"Add", "Sub", "Mul", "Div", "Add", "Mul", "Max", "Min"};
    uint32_t n = 2 + builder__below(b, 2);
    for (uint32_t i = 0; i < n; i++) {
        const char *op_type = ONE_OF(b, ops);
        x = layer__fit(b, op_type, x);
        struct dims d = layer__broadcast_shape(b, x);
        bool right = strcmp(op_type, "Div") == 0 || builder__chance(b, 60);
        uint32_t c = builder__between(b, builder__dtype(b, x), d.at, d.n, 1, 3);
        builder__note(b, "%s:%u%s", op_type, d.n, right ? "" : "<");
        x = right ? OP(b, op_type, x, c) : OP(b, op_type, c, x);
        if (builder__chance(b, 10))
            x = OP(b, "Neg", layer__fit(b, "Neg", x));
    }
    return x;
}

uint32_t pattern__reciprocal(struct graph_builder *b, uint32_t x)
{
    static const char *const inner[] = {"Sqrt", "Exp", "Identity", "Abs"};
    x = layer__domain(b, pattern__float(b, x, 0), 0.25, 1e9);
    if (builder__chance(b, 50))
        x = layer__domain(b, x, 0.25, 5);
    uint32_t r = OP(b, ONE_OF(b, inner), x), form = builder__below(b, 5);
    uint32_t c = pattern__const(b, x, builder__chance(b, 50) ? 1 : 2);
    builder__note(b, "form=%u", form);
    switch (form) {
    case 0:
        return OP(b, "Div", c, r);
    case 1:
        return OP(b, "Mul", x, OP(b, "Reciprocal", r));
    case 2:
        return OP(b, "Div", x, OP(b, "Div", c, r));
    case 3:
        return OP(b, "Pow", r, pattern__const(b, x, -0.5));
    default:
        return OP(b, "Reciprocal", OP(b, "Reciprocal", r));
    }
}

/* Not of a comparison or of a logical operator, made numbers again by Cast or Where. */
uint32_t pattern__compare_not(struct graph_builder *b, uint32_t x)
{
    static const char *const ops[] = {"Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"};
    x = layer__fit(b, "Less", x);
    uint32_t c = layer__apply(b, layer__find(ONE_OF(b, ops)), x), n = builder__below(b, 3);
    for (uint32_t i = 0; i < n; i++)
        c = OP(b, "Not", c);
    if (builder__chance(b, 40)) {
        uint32_t other = layer__apply(b, layer__find(ONE_OF(b, ops)), x);
        c = OP(b, builder__chance(b, 50) ? "And" : builder__chance(b, 50) ? "Or" : "Xor", c, other);
    }
    if (builder__chance(b, 40))
        return OP(b, "Where", c, x, pattern__const(b, x, 1));
    return builder__chance(b, 60) ? builder__cast(b, c, DTYPE_FLOAT) : c;
}

/* Sum of sums, Max of Max, Min of Max ... with operands that broadcast. */
uint32_t pattern__variadic_nest(struct graph_builder *b, uint32_t x)
{
    static const char *const ops[] = {"Sum", "Max", "Min", "Mean", "Max", "Min"};
    const char *first = ONE_OF(b, ops), *second = builder__chance(b, 60) ? first : ONE_OF(b, ops);
    builder__note(b, "%s %s", first, second);
    x = layer__apply(b, layer__find(first), x);
    return layer__apply(b, layer__find(second), x);
}

uint32_t pattern__where_constant(struct graph_builder *b, uint32_t x)
{
    enum dtype t = builder__dtype(b, x);
    struct dims d = layer__broadcast_shape(b, x), other = layer__broadcast_shape(b, x);
    uint32_t form = builder__below(b, 3), c;
    c = form == 2 ? builder__random(b, DTYPE_BOOL, d.at, d.n, 1)
                  : builder__filled(b, DTYPE_BOOL, d.at, d.n, form);
    builder__note(b, "condition=%u rank=%u other=%u", form, d.n, other.n);
    uint32_t o = builder__filled(b, t, other.at, other.n, builder__chance(b, 50) ? 0 : 1);
    return builder__chance(b, 50) ? OP(b, "Where", c, x, o) : OP(b, "Where", c, o, x);
}
