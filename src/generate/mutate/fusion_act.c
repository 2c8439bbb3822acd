/*
 * Near misses of elementwise fusions: Gelu and its relatives, bounded activations, arithmetic that
 * simplifiers remove, chains of constants, comparisons. x any shape.
 */
#include "generate/mutate/pattern_p.h"

static double near(struct sketch *s, double right, bool odd)
{
    static const double factors[] = {1.01, 0.9, 2, -1, 0.5};
    return odd ? right * PICK(s, factors) : right;
}

/* x, perhaps with a bias added first. */
static uint32_t biased(struct sketch *s, uint32_t x)
{
    struct dims p = sketch__dims(s, x);
    if (p.n == 0 || sketch__chance(s, 60))
        return x;
    if (sketch__chance(s, 30))
        p = recipe__broadcast_shape(s, x);
    else
        p = (struct dims){1, {p.at[p.n - 1]}};
    return pattern__either(s, "Add", x, sketch__random(s, sketch__dtype(s, x), p.at, p.n, 0.5));
}

uint32_t pattern__gelu_erf(struct sketch *s, uint32_t x)
{
    enum { GE_ROOT, GE_HALF, GE_ONE, GE_MUL, GE_ORDER, GE_OTHER_X, GE_ERF_USED, GE_SUB, GE_COUNT };
    uint32_t dev = pattern__deviate(s, GE_COUNT);
    x = biased(s, pattern__float(s, x, 0));
    uint32_t inner =
        DEV(dev, GE_MUL)
            ? OP(s, "Mul", x, pattern__const(s, x, near(s, 0.70710678118654752, DEV(dev, GE_ROOT))))
            : OP(s, "Div", x, pattern__const(s, x, near(s, 1.4142135623730951, DEV(dev, GE_ROOT))));
    uint32_t erf = OP(s, "Erf", inner), one = pattern__const(s, x, near(s, 1, DEV(dev, GE_ONE)));
    uint32_t sum = DEV(dev, GE_SUB) ? OP(s, "Sub", one, erf) : pattern__either(s, "Add", erf, one);
    uint32_t half = pattern__const(s, x, near(s, 0.5, DEV(dev, GE_HALF)));
    uint32_t left = DEV(dev, GE_OTHER_X) ? OP(s, "Neg", x) : x, y;
    if (DEV(dev, GE_ORDER) || sketch__chance(s, 40))
        y = pattern__either(s, "Mul", left, pattern__either(s, "Mul", sum, half));
    else if (sketch__chance(s, 50))
        y = pattern__either(s, "Mul", pattern__either(s, "Mul", left, half), sum);
    else
        y = pattern__either(s, "Mul", half, pattern__either(s, "Mul", left, sum));
    if (DEV(dev, GE_ERF_USED))
        y = OP(s, "Add", y, erf);
    return y;
}

uint32_t pattern__gelu_tanh(struct sketch *s, uint32_t x)
{
    enum { GT_CUBE, GT_COEFFICIENT, GT_ROOT, GT_ONE, GT_HALF, GT_MULS, GT_EXPONENT, GT_COUNT };
    uint32_t dev = pattern__deviate(s, GT_COUNT), cube;
    x = biased(s, pattern__float(s, x, 0));
    enum dtype t = sketch__dtype(s, x);
    if (DEV(dev, GT_MULS))
        cube = OP(s, "Mul", OP(s, "Mul", x, x), DEV(dev, GT_CUBE) ? OP(s, "Neg", x) : x);
    else
        cube = OP(s, "Pow", x, sketch__scalar(s, t, DEV(dev, GT_EXPONENT) ? 2 : 3));
    uint32_t c = pattern__const(s, x, near(s, 0.044715, DEV(dev, GT_COEFFICIENT)));
    uint32_t inner = pattern__either(s, "Add", x, pattern__either(s, "Mul", cube, c));
    uint32_t k = pattern__const(s, x, near(s, 0.7978845608028654, DEV(dev, GT_ROOT)));
    uint32_t th = OP(s, "Tanh", pattern__either(s, "Mul", inner, k));
    uint32_t sum =
        pattern__either(s, "Add", th, pattern__const(s, x, near(s, 1, DEV(dev, GT_ONE))));
    uint32_t half = pattern__const(s, x, near(s, 0.5, DEV(dev, GT_HALF)));
    if (sketch__chance(s, 50))
        return pattern__either(s, "Mul", sum, pattern__either(s, "Mul", x, half));
    return pattern__either(s, "Mul", half, pattern__either(s, "Mul", x, sum));
}

/* x sigmoid(alpha x), with the operand inside not quite the one outside. */
uint32_t pattern__quick_gelu(struct sketch *s, uint32_t x)
{
    enum { QG_OTHER, QG_ALPHA_SHAPE, QG_SHIFT, QG_HARD, QG_TWICE, QG_USED, QG_COUNT };
    static const double alphas[] = {1.702, 1, 2, -1, 0.5};
    uint32_t dev = pattern__deviate(s, QG_COUNT);
    x = biased(s, pattern__float(s, x, 0));
    double alpha = PICK(s, alphas);
    uint32_t inner = x;
    struct dims d = recipe__broadcast_shape(s, x);
    if (DEV(dev, QG_ALPHA_SHAPE))
        inner =
            pattern__either(s, "Mul", x, sketch__filled(s, sketch__dtype(s, x), d.at, d.n, alpha));
    else if (alpha != 1 || sketch__chance(s, 30))
        inner = pattern__either(s, "Mul", x, pattern__const(s, x, alpha));
    if (DEV(dev, QG_SHIFT))
        inner = OP(s, "Add", inner, pattern__const(s, x, 0.5));
    uint32_t gate = OP(s, DEV(dev, QG_HARD) ? "HardSigmoid" : "Sigmoid", inner);
    if (DEV(dev, QG_HARD))
        corner__sprinkle(s, 60);
    uint32_t y = pattern__either(s, "Mul", DEV(dev, QG_OTHER) ? OP(s, "Abs", x) : x, gate);
    if (DEV(dev, QG_TWICE))
        y = OP(s, "Mul", y, gate);
    return DEV(dev, QG_USED) ? OP(s, "Sub", y, gate) : y;
}

uint32_t pattern__hard_swish(struct sketch *s, uint32_t x)
{
    enum { HS_SHIFT, HS_LOW, HS_HIGH, HS_SIX, HS_MUL, HS_RELU, HS_ORDER, HS_COUNT };
    uint32_t dev = pattern__deviate(s, HS_COUNT), gate;
    x = pattern__float(s, x, 0);
    enum dtype t = sketch__dtype(s, x);
    uint32_t shifted =
        pattern__either(s, "Add", x, pattern__const(s, x, near(s, 3, DEV(dev, HS_SHIFT))));
    uint32_t high = sketch__scalar(s, t, DEV(dev, HS_HIGH) ? 5 : 6);
    if (DEV(dev, HS_RELU)) {
        gate = OP(s, "Min", OP(s, "Relu", shifted), high);
    } else {
        uint32_t low = sketch__scalar(s, t, DEV(dev, HS_LOW) ? -1 : 0);
        gate = OP(s, "Clip", shifted, low, high);
    }
    double six = near(s, 6, DEV(dev, HS_SIX));
    uint32_t c = pattern__const(s, x, DEV(dev, HS_MUL) ? 1 / six : six);
    const char *by = DEV(dev, HS_MUL) ? "Mul" : "Div";
    if (DEV(dev, HS_ORDER))
        return pattern__either(s, "Mul", x, OP(s, by, gate, c));
    return OP(s, by, pattern__either(s, "Mul", x, gate), c);
}

uint32_t pattern__softplus(struct sketch *s, uint32_t x)
{
    x = recipe__domain(s, pattern__float(s, x, 0), -5, 5);
    uint32_t form = sketch__below(s, 4), y;
    double one = sketch__chance(s, 60) ? 1 : 2;
    if (form == 0)
        y = OP(s, "Softplus", x);
    else
        y = OP(s, "Log", pattern__either(s, "Add", OP(s, "Exp", x), pattern__const(s, x, one)));
    sketch__note(s, "form=%u one=%g", form, one);
    if (form == 3)
        return y;
    return pattern__either(s, "Mul", sketch__chance(s, 80) ? x : OP(s, "Neg", x), OP(s, "Tanh", y));
}

/* Two or three bounds in a row, which a rewrite would join; in any order, crossed too. */
uint32_t pattern__clip_chain(struct sketch *s, uint32_t x)
{
    static const char *const ops[] = {"Clip",        "Relu",      "Clip", "Min",
                                      "Max",         "LeakyRelu", "Clip", "ThresholdedRelu",
                                      "HardSigmoid", "Abs",       "Neg",  "PRelu"};
    uint32_t n = 2 + sketch__below(s, 2);
    for (uint32_t i = 0; i < n; i++) {
        const char *op_type = PICK(s, ops);
        sketch__note(s, "%s", op_type);
        x = recipe__apply(s, recipe__find(op_type), x);
    }
    if (sketch__chance(s, 15))
        x = recipe__apply(s, recipe__find("QuantizeLinear"), x);
    return x;
}

/* x + 0, x * 1, x - x, x / x, double negation ... with constants whose shape or order makes the
 * plain removal wrong. */
uint32_t pattern__identity_arithmetic(struct sketch *s, uint32_t x)
{
    static const struct {
        const char *op_type;
        double value;
        bool left; /* constant op x */
    } rows[] = {
        {"Add", 0, false}, {"Add", 0, true},     {"Sub", 0, false}, {"Sub", 0, true},
        {"Mul", 1, false}, {"Mul", 1, true},     {"Mul", 0, false}, {"Div", 1, false},
        {"Div", 1, true},  {"Pow", 1, false},    {"Pow", 0, false}, {"Pow", 2, false},
        {"Mul", -1, true}, {"Add", -0.0, false}, {"Max", 0, false}, {"Min", 0, true},
    };
    static const char *const twice[] = {"Neg",   "Reciprocal", "Abs", "Relu", "Ceil",
                                        "Floor", "Round",      "Not", "Sign", "Identity"};
    uint32_t form = sketch__below(s, 10), at = sketch__below(s, (uint32_t)COUNT_OF(rows));
    if (form < 2) {
        const char *op_type = PICK(s, twice);
        sketch__note(s, "twice=%s", op_type);
        x = recipe__apply(s, recipe__find(op_type), x);
        return recipe__apply(s, recipe__find(op_type), x);
    }
    x = recipe__fit(s, rows[at].op_type, x);
    enum dtype t = sketch__dtype(s, x);
    if (form == 2)
        return sketch__chance(s, 50) ? OP(s, "Sub", x, x) : OP(s, "Add", x, x);
    if (rows[at].left && strcmp(rows[at].op_type, "Div") == 0) {
        if (!dtype_is_float(t))
            x = sketch__cast(s, x, t = DTYPE_FLOAT);
        x = recipe__domain(s, x, 0.25, 1e9);
    }
    struct dims d = recipe__broadcast_shape(s, x);
    uint32_t c = sketch__filled(s, t, d.at, d.n, rows[at].value);
    sketch__note(s, "%s %g rank=%u %s", rows[at].op_type, rows[at].value, d.n,
                 rows[at].left ? "left" : "right");
    return rows[at].left ? OP(s, rows[at].op_type, c, x) : OP(s, rows[at].op_type, x, c);
}

/* (x op c1) op c2 with constants of different shapes. */
uint32_t pattern__constant_chain(struct sketch *s, uint32_t x)
{
    static const char *const ops[] = {"Add", "Sub", "Mul", "Div", "Add", "Mul", "Max", "Min"};
    uint32_t n = 2 + sketch__below(s, 2);
    for (uint32_t i = 0; i < n; i++) {
        const char *op_type = PICK(s, ops);
        x = recipe__fit(s, op_type, x);
        struct dims d = recipe__broadcast_shape(s, x);
        bool right = strcmp(op_type, "Div") == 0 || sketch__chance(s, 60);
        uint32_t c = sketch__between(s, sketch__dtype(s, x), d.at, d.n, 1, 3);
        sketch__note(s, "%s:%u%s", op_type, d.n, right ? "" : "<");
        x = right ? OP(s, op_type, x, c) : OP(s, op_type, c, x);
        if (sketch__chance(s, 10))
            x = OP(s, "Neg", recipe__fit(s, "Neg", x));
    }
    return x;
}

uint32_t pattern__reciprocal(struct sketch *s, uint32_t x)
{
    static const char *const inner[] = {"Sqrt", "Exp", "Identity", "Abs"};
    x = recipe__domain(s, pattern__float(s, x, 0), 0.25, 1e9);
    if (sketch__chance(s, 50))
        x = recipe__domain(s, x, 0.25, 5);
    uint32_t r = OP(s, PICK(s, inner), x), form = sketch__below(s, 5);
    uint32_t c = pattern__const(s, x, sketch__chance(s, 50) ? 1 : 2);
    sketch__note(s, "form=%u", form);
    switch (form) {
    case 0:
        return OP(s, "Div", c, r);
    case 1:
        return OP(s, "Mul", x, OP(s, "Reciprocal", r));
    case 2:
        return OP(s, "Div", x, OP(s, "Div", c, r));
    case 3:
        return OP(s, "Pow", r, pattern__const(s, x, -0.5));
    default:
        return OP(s, "Reciprocal", OP(s, "Reciprocal", r));
    }
}

/* Not over comparisons and logic, back to numbers by Cast or Where. */
uint32_t pattern__compare_not(struct sketch *s, uint32_t x)
{
    static const char *const ops[] = {"Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"};
    x = recipe__fit(s, "Less", x);
    uint32_t c = recipe__apply(s, recipe__find(PICK(s, ops)), x), n = sketch__below(s, 3);
    for (uint32_t i = 0; i < n; i++)
        c = OP(s, "Not", c);
    if (sketch__chance(s, 40)) {
        uint32_t other = recipe__apply(s, recipe__find(PICK(s, ops)), x);
        c = OP(s, sketch__chance(s, 50) ? "And" : sketch__chance(s, 50) ? "Or" : "Xor", c, other);
    }
    if (sketch__chance(s, 40))
        return OP(s, "Where", c, x, pattern__const(s, x, 1));
    return sketch__chance(s, 60) ? sketch__cast(s, c, DTYPE_FLOAT) : c;
}

/* Sum of sums, Max of Max, Min of Max ... with operands that broadcast. */
uint32_t pattern__variadic_nest(struct sketch *s, uint32_t x)
{
    static const char *const ops[] = {"Sum", "Max", "Min", "Mean", "Max", "Min"};
    const char *first = PICK(s, ops), *second = sketch__chance(s, 60) ? first : PICK(s, ops);
    sketch__note(s, "%s %s", first, second);
    x = recipe__apply(s, recipe__find(first), x);
    return recipe__apply(s, recipe__find(second), x);
}

uint32_t pattern__where_constant(struct sketch *s, uint32_t x)
{
    enum dtype t = sketch__dtype(s, x);
    struct dims d = recipe__broadcast_shape(s, x), other = recipe__broadcast_shape(s, x);
    uint32_t form = sketch__below(s, 3), c;
    c = form == 2 ? sketch__random(s, DTYPE_BOOL, d.at, d.n, 1)
                  : sketch__filled(s, DTYPE_BOOL, d.at, d.n, form);
    sketch__note(s, "condition=%u rank=%u other=%u", form, d.n, other.n);
    uint32_t o = sketch__filled(s, t, other.at, other.n, sketch__chance(s, 50) ? 0 : 1);
    return sketch__chance(s, 50) ? OP(s, "Where", c, x, o) : OP(s, "Where", c, o, x);
}
