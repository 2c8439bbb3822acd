/*
 * Layer builders of elementwise operators: unary, binary with every form of broadcasting, variadic,
 * and those with optional bounds. Shapes: x has any; the second operand broadcasts (ONNX
 * Broadcasting).
 */
#include "generate/mutate/layer_p.h"

uint32_t layer__unary(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    x = layer__domain(b, x, row->domain_low, row->domain_high);
    uint32_t y = OP(b, row->op_type, x);
    corner__set_some(b, 60);
    return y;
}

/* Gives x any rank that the operator takes, and attributes by corners. */
uint32_t layer__ranked(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    bool by_shape = strcmp(row->op_type, "Shape") == 0 || strcmp(row->op_type, "Size") == 0;
    bool flattens = strcmp(row->op_type, "Flatten") == 0;
    x = layer__fit(b, row->op_type, x);
    uint32_t rank = builder__rank(b, x);
    if (rank == 0 && !by_shape && !flattens)
        x = layer__rank(b, x, 1);
    if (by_shape && builder__chance(b, 60))
        x = layer__dynamic(b, x);
    uint32_t y = OP(b, row->op_type, x);
    if (flattens && rank == 0)
        builder__int(b, "axis", 0);
    else
        corner__set_some(b, 80);
    return y;
}

/* A second operand: ordinary values, and those that simplifiers look for (0, 1, ...). */
static uint32_t operand(struct graph_builder *b, uint32_t x, bool nonzero)
{
    static const double special[] = {0, 1, -1, 2, 0.5};
    struct dims d = layer__broadcast_shape(b, x);
    enum dtype t = builder__dtype(b, x);
    bool is_unsigned = dtype_row(t)->class == DTYPE_CLASS_UNSIGNED || t == DTYPE_BOOL;
    if (builder__chance(b, 35)) {
        double v = ONE_OF(b, special);
        if (nonzero && v == 0)
            v = 1;
        if (!dtype_is_float(t) && v == 0.5)
            v = 3;
        if (is_unsigned && v < 0)
            v = 1;
        builder__note(b, "const=%g", v);
        return builder__filled(b, t, d.at, d.n, v);
    }
    if (nonzero && dtype_is_float(t))
        return builder__between(b, t, d.at, d.n, 0.5, 2);
    if (nonzero)
        return builder__between(b, t, d.at, d.n, 1, 17);
    return builder__random(b, t, d.at, d.n, 1);
}

uint32_t layer__binary(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    bool divides = strcmp(row->op_type, "Div") == 0 || strcmp(row->op_type, "Mod") == 0;
    bool is_mod = strcmp(row->op_type, "Mod") == 0;
    uint32_t other = operand(b, x, divides);
    bool swap = !divides && builder__chance(b, 40);
    if (builder__chance(b, 8) && !divides) {
        other = x;
        builder__note(b, "both=x");
    }
    if (swap)
        builder__note(b, "swapped");
    uint32_t y = swap ? OP(b, row->op_type, other, x) : OP(b, row->op_type, x, other);
    if (is_mod)
        builder__int(b, "fmod", dtype_is_float(builder__dtype(b, x)) ? 1 : builder__below(b, 2));
    return y;
}

uint32_t layer__power(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const double exponents[] = {2, 0.5, 1, 0, -1, 3, -0.5, 1.5};
    x = layer__fit(b, row->op_type, x);
    enum dtype t = builder__dtype(b, x), te = t;
    double e = ONE_OF(b, exponents);
    if (dtype_is_float(t) && e != (double)(int)e)
        x = layer__domain(b, x, 0.25, 1e9);
    if (dtype_is_float(t) && e < 0)
        x = layer__domain(b, x, 0.25, 1e9);
    if (!dtype_is_float(t))
        e = (double)builder__below(b, 4);
    if (b->m->opset >= 12 && dtype_is_float(t) && e == (double)(int)e && builder__chance(b, 30))
        te = builder__chance(b, 50) ? DTYPE_INT32 : DTYPE_INT64;
    builder__note(b, "exponent=%g:%s", e, dtype_name(te));
    struct dims d = layer__broadcast_shape(b, x);
    return OP(b, row->op_type, x, builder__filled(b, te, d.at, d.n, e));
}

uint32_t layer__prelu(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    struct dims p = builder__dims(b, x), d = {0};
    if (p.n >= 2 && builder__chance(b, 60)) { /* [C, 1, 1], the usual form */
        d.n = p.n - 1;
        for (uint32_t i = 0; i < d.n; i++)
            d.at[i] = i == 0 ? p.at[1] : 1;
    } else if (p.n > 0 && builder__chance(b, 70)) {
        d = (struct dims){1, {p.at[p.n - 1]}};
    }
    return OP(b, row->op_type, x, builder__random(b, builder__dtype(b, x), d.at, d.n, 0.5));
}

uint32_t layer__shift(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const enum dtype types[] = {DTYPE_UINT8, DTYPE_UINT32, DTYPE_UINT64, DTYPE_UINT16};
    enum dtype t = builder__dtype(b, x);
    if (!builder__allows(b, row->op_type, 0, t)) {
        t = ONE_OF(b, types);
        x = builder__cast(b, OP(b, "Abs", layer__fit(b, "Abs", x)), t);
    }
    struct dims d = layer__broadcast_shape(b, x);
    uint32_t y = OP(b, row->op_type, x, builder__between(b, t, d.at, d.n, 0, 7));
    builder__string(b, "direction", builder__chance(b, 50) ? "LEFT" : "RIGHT");
    return y;
}

uint32_t layer__variadic(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    uint32_t in[4], n = 1 + builder__below(b, 4);
    x = layer__fit(b, row->op_type, x);
    uint32_t at = builder__below(b, n);
    for (uint32_t i = 0; i < n; i++)
        in[i] = i == at || builder__chance(b, 10) ? x : operand(b, x, false);
    builder__note(b, "inputs=%u", n);
    return builder__op(b, row->op_type, 1, in, n);
}

uint32_t layer__where(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    struct dims d = layer__broadcast_shape(b, x);
    uint32_t c;
    if (builder__chance(b, 50) && builder__allows(b, "Less", 0, builder__dtype(b, x)))
        c = OP(b, "Less", x, operand(b, x, false));
    else
        c = builder__random(b, DTYPE_BOOL, d.at, d.n, 1);
    uint32_t other = operand(b, x, false);
    return builder__chance(b, 50) ? OP(b, row->op_type, c, x, other)
                                  : OP(b, row->op_type, c, other, x);
}

uint32_t layer__clip(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const double bounds[][2] = {{0, 6}, {-1, 1}, {0, 1}, {-0.5, 0.25}, {1, 1}, {0, 2}};
    x = layer__fit(b, row->op_type, x);
    enum dtype t = builder__dtype(b, x);
    uint32_t at = builder__below(b, (uint32_t)COUNT_OF(bounds)), form = builder__below(b, 8);
    double low = bounds[at][0], high = bounds[at][1];
    if (dtype_row(t)->class == DTYPE_CLASS_UNSIGNED && low < 0)
        low = 0;
    if (form == 7 &&
        b->m->opset >= 13) { /* "when min is greater than max, the op sets all to max" */
        double swap = low;
        low = high;
        high = swap;
    }
    uint32_t min = form == 0 || form == 1 ? (uint32_t)VALUE_NONE : builder__scalar(b, t, low);
    uint32_t max = form == 0 || form == 2 ? (uint32_t)VALUE_NONE : builder__scalar(b, t, high);
    builder__note(b, "bounds=%s%s", min == VALUE_NONE ? "-" : "min",
                  max == VALUE_NONE ? "-" : "max");
    if (form == 5 && max != VALUE_NONE) /* computed */
        max = OP(b, "Add", max, builder__scalar(b, t, 1));
    return OP(b, row->op_type, x, min, max);
}

static const enum dtype cast_types[] = {DTYPE_FLOAT, DTYPE_FLOAT16, DTYPE_DOUBLE,  DTYPE_INT32,
                                        DTYPE_INT64, DTYPE_INT8,    DTYPE_UINT8,   DTYPE_BOOL,
                                        DTYPE_INT16, DTYPE_UINT32,  DTYPE_BFLOAT16};

uint32_t layer__cast(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    enum dtype from = builder__dtype(b, x), to = ONE_OF(b, cast_types);
    if (builder__chance(b, 30))
        to = layer__output_dtype(b, row->op_type);
    bool to_unsigned = dtype_row(to)->class == DTYPE_CLASS_UNSIGNED;
    if (dtype_is_float(from) && to_unsigned)
        x = OP(b, "Abs", x);
    if (from == DTYPE_BFLOAT16 && b->m->opset < 13)
        builder__fail(b, "bfloat16 before opset 13");
    uint32_t y = OP(b, row->op_type, x);
    builder__int(b, "to", to);
    builder__note(b, "%s>%s", dtype_name(from), dtype_name(to));
    if (builder__chance(b, 50)) { /* and back, perhaps through a third dtype */
        if (builder__chance(b, 40))
            y = builder__cast(b, y, ONE_OF(b, cast_types));
        y = builder__cast(b, y, from);
    }
    return y;
}

uint32_t layer__cast_like(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    enum dtype from = builder__dtype(b, x), to = ONE_OF(b, cast_types);
    if (builder__chance(b, 40))
        to = layer__input_dtype(b, row->op_type, 1);
    if (dtype_is_float(from) && dtype_row(to)->class == DTYPE_CLASS_UNSIGNED)
        x = OP(b, "Abs", x);
    int64_t one = 1;
    return OP(b, row->op_type, x, builder__filled(b, to, &one, 1, 1));
}

uint32_t layer__dropout(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    if (b->m->opset < 12) {
        uint32_t y = OP(b, row->op_type, x);
        builder__float(b, "ratio", 0.5);
        return y;
    }
    uint32_t ratio = builder__scalar(b, DTYPE_FLOAT, builder__chance(b, 50) ? 0.5 : 0);
    if (builder__chance(b, 50))
        return OP_N(b, row->op_type, 1 + builder__below(b, 2), x, ratio);
    enum place before = b->weights;
    b->weights = b->shapes; /* a graph input could turn training mode on */
    uint32_t training = builder__scalar(b, DTYPE_BOOL, 0);
    b->weights = before;
    return OP(b, row->op_type, x, ratio, training);
}
