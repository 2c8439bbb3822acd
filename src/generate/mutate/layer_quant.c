/*
 * Layer builders of quantisation.
 */
#include "generate/mutate/layer_p.h"

enum grain { GRAIN_TENSOR, GRAIN_AXIS, GRAIN_BLOCK };

struct levels {
    enum dtype t, q; /* of the numbers, of the levels */
    enum grain grain;
    int64_t axis, block;
    struct dims of; /* of scale and zero point */
    uint32_t scale, zero;
};

static double step_of(enum dtype q)
{
    unsigned bits = dtype_row(q)->n_bits;
    if (dtype_is_float(q))
        return 0.5;
    return bits <= 4 ? 0.5 : bits == 8 ? 0.03125 : 0.000244140625;
}

/* Scale and zero point for x: one in all, one per index of an axis, or one per block of it. */
static void draw_levels(struct graph_builder *b, uint32_t x, struct levels *l)
{
    struct dims p = builder__dims(b, x);
    int64_t plain = 0;
    uint32_t roll = builder__below(b, 100);
    l->axis = p.n > 0 ? builder__axis(b, p.n, &plain) : 0;
    if (p.n > 0 && b->m->opset >= 13 && roll < 35)
        l->grain = GRAIN_AXIS;
    else if (p.n > 0 && b->m->opset >= 21 && roll < 50)
        l->grain = GRAIN_BLOCK;
    if (l->grain == GRAIN_AXIS)
        l->of = (struct dims){1, {p.at[plain]}};
    if (l->grain == GRAIN_BLOCK) {
        l->block = builder__between_i(b, 1, MIN(p.at[plain], 4));
        l->of = p;
        l->of.at[plain] = (p.at[plain] + l->block - 1) / l->block;
    }
    bool is_signed = dtype_row(l->q)->class == DTYPE_CLASS_SIGNED;
    double scale = step_of(l->q), z = 0;
    unsigned bits = dtype_row(l->q)->n_bits;
    if (!dtype_is_float(l->q))
        z = (double)builder__between_i(b, is_signed ? bits < 4 ? -1 : -3 : 0,
                                       bits < 4    ? 1
                                       : is_signed ? 3
                                                   : 8);
    enum place before = b->weights;
    b->weights = b->shapes;
    l->scale = l->grain == GRAIN_TENSOR
                   ? builder__scalar(b, l->t, scale)
                   : builder__between(b, l->t, l->of.at, l->of.n, scale, 4 * scale);
    l->zero = VALUE_NONE;
    if (l->q != DTYPE_UINT8 || builder__chance(b, 70))
        l->zero = builder__filled(b, l->q, l->of.at, l->of.n, z);
    b->weights = before;
}

static void set_grain(struct graph_builder *b, const struct levels *l)
{
    if (l->grain != GRAIN_TENSOR)
        builder__int(b, "axis", l->axis);
    if (l->grain == GRAIN_BLOCK || (b->m->opset >= 21 && builder__chance(b, 10)))
        builder__int(b, "block_size", l->block);
}

/* x quantised and dequantised, in each type of levels, per tensor, axis or block; or only
 * quantised. */
uint32_t layer__quantize(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const enum dtype types[] = {DTYPE_UINT8,  DTYPE_INT8,  DTYPE_UINT8, DTYPE_INT8,
                                       DTYPE_UINT16, DTYPE_INT16, DTYPE_UINT4, DTYPE_INT4};
    bool back_only = strcmp(row->op_type, "DequantizeLinear") == 0 && builder__chance(b, 40);
    struct levels l = {.q = types[builder__below(b, b->m->opset >= 21 ? 8 : 4)],
                       .t = builder__dtype(b, x)};
    if (builder__chance(b, 25))
        l.q = layer__output_dtype(b, "QuantizeLinear");
    if (back_only && builder__allows(b, row->op_type, 0, l.t)) { /* x holds levels */
        l.q = l.t;
        l.t = layer__input_dtype(b, row->op_type, 1);
        draw_levels(b, x, &l);
        if (l.q == DTYPE_INT32)
            l.zero = VALUE_NONE; /* "in the case of dequantizing int32, there's no zero point" */
        uint32_t y = OP(b, row->op_type, x, l.scale, l.zero);
        set_grain(b, &l);
        return y;
    }
    if (!dtype_is_float(l.t) || !builder__allows(b, "QuantizeLinear", 0, l.t) ||
        !builder__allows(b, "QuantizeLinear", 1, l.t))
        x = builder__cast(b, x, l.t = DTYPE_FLOAT);
    draw_levels(b, x, &l);
    bool by_attribute = l.zero != VALUE_NONE && b->m->opset >= 21 && builder__chance(b, 15);
    uint32_t y = OP(b, "QuantizeLinear", x, l.scale, by_attribute ? (uint32_t)VALUE_NONE : l.zero);
    set_grain(b, &l);
    if (by_attribute) {
        builder__int(b, "output_dtype", l.q);
        l.zero = VALUE_NONE;
    }
    if (dtype_is_float(l.q) && builder__chance(b, 30))
        builder__int(b, "saturate", builder__below(b, 2));
    builder__note(b, "%s grain=%d axis=%lld", dtype_name(l.q), (int)l.grain, (long long)l.axis);
    if (strcmp(row->op_type, "QuantizeLinear") == 0 && builder__chance(b, 30))
        return y;
    y = OP(b, "DequantizeLinear", y, l.scale, l.zero);
    set_grain(b, &l);
    return y;
}

uint32_t layer__dynamic_quantize(struct graph_builder *b, const struct layer_builder *row,
                                 uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    uint32_t y = OP_N(b, row->op_type, 3, x);
    if (y == VALUE_NONE || builder__chance(b, 40))
        return y;
    return OP(b, "DequantizeLinear", y, y + 1, y + 2);
}

uint32_t layer__qlinear_matmul(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    enum dtype q = builder__chance(b, 60) ? DTYPE_UINT8 : DTYPE_INT8;
    x = layer__fit(b, "QuantizeLinear", x);
    if (builder__dtype(b, x) != DTYPE_FLOAT)
        x = builder__cast(b, x, DTYPE_FLOAT);
    if (builder__rank(b, x) == 0 || (builder__rank(b, x) == 1 && builder__chance(b, 50)))
        x = layer__rank(b, x, 2);
    enum place before = b->weights;
    b->weights = b->shapes;
    uint32_t sx = builder__scalar(b, DTYPE_FLOAT, 0.03125),
             zx = builder__scalar(b, q, q == DTYPE_UINT8 ? 128 : 0);
    int64_t d[2] = {builder__dim(b, x, -1), 3};
    uint32_t xq = OP(b, "QuantizeLinear", x, sx, zx);
    uint32_t w =
        builder__between(b, q, d, 2, q == DTYPE_UINT8 ? 96 : -32, q == DTYPE_UINT8 ? 160 : 32);
    uint32_t sw = builder__scalar(b, DTYPE_FLOAT, 0.015625),
             sy = builder__scalar(b, DTYPE_FLOAT, 0.0625);
    b->weights = before;
    return OP(b, row->op_type, xq, sx, zx, w, sw, zx, sy, zx);
}
