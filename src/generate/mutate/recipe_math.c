/*
 * Recipes of elementwise operators: unary, binary with every form of broadcasting, variadic, and
 * those with optional bounds. Shapes: x any; the second operand broadcasts (ONNX Broadcasting).
 */
#include "generate/mutate/recipe_p.h"

uint32_t recipe__unary(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    x = recipe__domain(s, x, row->domain_low, row->domain_high);
    uint32_t y = OP(s, row->op_type, x);
    corner__sprinkle(s, 60);
    return y;
}

/* Any rank from 1 on; attributes by corners. */
uint32_t recipe__ranked(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    if (sketch__rank(s, x) == 0)
        x = recipe__rank(s, x, 1);
    uint32_t y = OP(s, row->op_type, x);
    corner__sprinkle(s, 80);
    return y;
}

/* A second operand: values that simplifiers look for stand beside ordinary ones. */
static uint32_t operand(struct sketch *s, uint32_t x, bool nonzero)
{
    static const double special[] = {0, 1, -1, 2, 0.5};
    struct dims d = recipe__broadcast_shape(s, x);
    enum dtype t = sketch__dtype(s, x);
    bool is_unsigned = dtype_row(t)->class == DTYPE_CLASS_UNSIGNED || t == DTYPE_BOOL;
    if (sketch__chance(s, 35)) {
        double v = PICK(s, special);
        if (nonzero && v == 0)
            v = 1;
        if (!dtype_is_float(t) && v == 0.5)
            v = 3;
        if (is_unsigned && v < 0)
            v = 1;
        sketch__note(s, "const=%g", v);
        return sketch__filled(s, t, d.at, d.n, v);
    }
    if (nonzero && dtype_is_float(t))
        return sketch__between(s, t, d.at, d.n, 0.5, 2);
    if (nonzero)
        return sketch__between(s, t, d.at, d.n, 1, 17);
    return sketch__random(s, t, d.at, d.n, 1);
}

uint32_t recipe__binary(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    bool divides = strcmp(row->op_type, "Div") == 0 || strcmp(row->op_type, "Mod") == 0;
    bool is_mod = strcmp(row->op_type, "Mod") == 0;
    uint32_t b = operand(s, x, divides);
    bool swap = !divides && sketch__chance(s, 40);
    if (sketch__chance(s, 8) && !divides) {
        b = x;
        sketch__note(s, "both=x");
    }
    if (swap)
        sketch__note(s, "swapped");
    uint32_t y = swap ? OP(s, row->op_type, b, x) : OP(s, row->op_type, x, b);
    if (is_mod)
        sketch__int(s, "fmod", dtype_is_float(sketch__dtype(s, x)) ? 1 : sketch__below(s, 2));
    return y;
}

uint32_t recipe__power(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const double exponents[] = {2, 0.5, 1, 0, -1, 3, -0.5, 1.5};
    x = recipe__fit(s, row->op_type, x);
    enum dtype t = sketch__dtype(s, x), te = t;
    double e = PICK(s, exponents);
    if (dtype_is_float(t) && e != (double)(int)e)
        x = recipe__domain(s, x, 0.25, 1e9);
    if (dtype_is_float(t) && e < 0)
        x = recipe__domain(s, x, 0.25, 1e9);
    if (!dtype_is_float(t))
        e = (double)sketch__below(s, 4);
    if (s->m->opset >= 12 && dtype_is_float(t) && e == (double)(int)e && sketch__chance(s, 30))
        te = sketch__chance(s, 50) ? DTYPE_INT32 : DTYPE_INT64;
    sketch__note(s, "exponent=%g:%s", e, dtype_name(te));
    struct dims d = recipe__broadcast_shape(s, x);
    return OP(s, row->op_type, x, sketch__filled(s, te, d.at, d.n, e));
}

uint32_t recipe__prelu(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    struct dims p = sketch__dims(s, x), d = {0};
    if (p.n >= 2 && sketch__chance(s, 60)) { /* [C, 1, 1], the usual form */
        d.n = p.n - 1;
        for (uint32_t i = 0; i < d.n; i++)
            d.at[i] = i == 0 ? p.at[1] : 1;
    } else if (p.n > 0 && sketch__chance(s, 70)) {
        d = (struct dims){1, {p.at[p.n - 1]}};
    }
    return OP(s, row->op_type, x, sketch__random(s, sketch__dtype(s, x), d.at, d.n, 0.5));
}

uint32_t recipe__shift(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const enum dtype types[] = {DTYPE_UINT8, DTYPE_UINT32, DTYPE_UINT64, DTYPE_UINT16};
    enum dtype t = sketch__dtype(s, x);
    if (!sketch__allows(s, row->op_type, 0, t)) {
        t = PICK(s, types);
        x = sketch__cast(s, OP(s, "Abs", recipe__fit(s, "Abs", x)), t);
    }
    struct dims d = recipe__broadcast_shape(s, x);
    uint32_t y = OP(s, row->op_type, x, sketch__between(s, t, d.at, d.n, 0, 7));
    sketch__string(s, "direction", sketch__chance(s, 50) ? "LEFT" : "RIGHT");
    return y;
}

uint32_t recipe__variadic(struct sketch *s, const struct recipe *row, uint32_t x)
{
    uint32_t in[4], n = 1 + sketch__below(s, 4);
    x = recipe__fit(s, row->op_type, x);
    uint32_t at = sketch__below(s, n);
    for (uint32_t i = 0; i < n; i++)
        in[i] = i == at || sketch__chance(s, 10) ? x : operand(s, x, false);
    sketch__note(s, "inputs=%u", n);
    return sketch__op(s, row->op_type, 1, in, n);
}

uint32_t recipe__where(struct sketch *s, const struct recipe *row, uint32_t x)
{
    struct dims d = recipe__broadcast_shape(s, x);
    uint32_t c;
    if (sketch__chance(s, 50) && sketch__allows(s, "Less", 0, sketch__dtype(s, x)))
        c = OP(s, "Less", x, operand(s, x, false));
    else
        c = sketch__random(s, DTYPE_BOOL, d.at, d.n, 1);
    uint32_t other = operand(s, x, false);
    return sketch__chance(s, 50) ? OP(s, row->op_type, c, x, other)
                                 : OP(s, row->op_type, c, other, x);
}

uint32_t recipe__clip(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const double bounds[][2] = {{0, 6}, {-1, 1}, {0, 1}, {-0.5, 0.25}, {1, 1}, {0, 2}};
    x = recipe__fit(s, row->op_type, x);
    enum dtype t = sketch__dtype(s, x);
    uint32_t at = sketch__below(s, (uint32_t)COUNT_OF(bounds)), form = sketch__below(s, 8);
    double low = bounds[at][0], high = bounds[at][1];
    if (dtype_row(t)->class == DTYPE_CLASS_UNSIGNED && low < 0)
        low = 0;
    if (form == 7 &&
        s->m->opset >= 13) { /* "when min is greater than max, the op sets all to max" */
        double swap = low;
        low = high;
        high = swap;
    }
    uint32_t min = form == 0 || form == 1 ? (uint32_t)VALUE_NONE : sketch__scalar(s, t, low);
    uint32_t max = form == 0 || form == 2 ? (uint32_t)VALUE_NONE : sketch__scalar(s, t, high);
    sketch__note(s, "bounds=%s%s", min == VALUE_NONE ? "-" : "min",
                 max == VALUE_NONE ? "-" : "max");
    if (form == 5 && max != VALUE_NONE) /* computed */
        max = OP(s, "Add", max, sketch__scalar(s, t, 1));
    return OP(s, row->op_type, x, min, max);
}

static const enum dtype cast_types[] = {DTYPE_FLOAT, DTYPE_FLOAT16, DTYPE_DOUBLE,  DTYPE_INT32,
                                        DTYPE_INT64, DTYPE_INT8,    DTYPE_UINT8,   DTYPE_BOOL,
                                        DTYPE_INT16, DTYPE_UINT32,  DTYPE_BFLOAT16};

uint32_t recipe__cast(struct sketch *s, const struct recipe *row, uint32_t x)
{
    enum dtype from = sketch__dtype(s, x), to = PICK(s, cast_types);
    bool to_unsigned = dtype_row(to)->class == DTYPE_CLASS_UNSIGNED;
    if (dtype_is_float(from) && to_unsigned)
        x = OP(s, "Abs", x);
    if (from == DTYPE_BFLOAT16 && s->m->opset < 13)
        sketch__fail(s, "bfloat16 before opset 13");
    uint32_t y = OP(s, row->op_type, x);
    sketch__int(s, "to", to);
    sketch__note(s, "%s>%s", dtype_name(from), dtype_name(to));
    if (sketch__chance(s, 50)) { /* back again, perhaps over a third dtype */
        if (sketch__chance(s, 40))
            y = sketch__cast(s, y, PICK(s, cast_types));
        y = sketch__cast(s, y, from);
    }
    return y;
}

uint32_t recipe__cast_like(struct sketch *s, const struct recipe *row, uint32_t x)
{
    enum dtype from = sketch__dtype(s, x), to = PICK(s, cast_types);
    if (dtype_is_float(from) && dtype_row(to)->class == DTYPE_CLASS_UNSIGNED)
        x = OP(s, "Abs", x);
    int64_t one = 1;
    return OP(s, row->op_type, x, sketch__filled(s, to, &one, 1, 1));
}

uint32_t recipe__dropout(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    if (s->m->opset < 12) {
        uint32_t y = OP(s, row->op_type, x);
        sketch__float(s, "ratio", 0.5);
        return y;
    }
    uint32_t ratio = sketch__scalar(s, DTYPE_FLOAT, sketch__chance(s, 50) ? 0.5 : 0);
    if (sketch__chance(s, 50))
        return OP_N(s, row->op_type, 1 + sketch__below(s, 2), x, ratio);
    enum place before = s->weights;
    s->weights = s->shapes; /* a graph input could switch training on */
    uint32_t training = sketch__scalar(s, DTYPE_BOOL, 0);
    s->weights = before;
    return OP(s, row->op_type, x, ratio, training);
}
