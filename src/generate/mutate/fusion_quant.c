/*
 * Near misses of rewrites of quantised graphs: Quantize/Dequantize around every operator (not only
 * Conv), pairs whose parameters nearly cancel, dequantised weights, dynamic quantisation. Scales
 * are mostly powers of two, so that ties are exact.
 */
#include "generate/mutate/pattern_p.h"

struct quant {
    enum dtype dtype;
    double scale, zero;
    bool has_zero;
};

static struct quant draw_quant(struct graph_builder *b)
{
    static const enum dtype types[] = {DTYPE_UINT8, DTYPE_INT8,  DTYPE_UINT8,
                                       DTYPE_INT8,  DTYPE_UINT8, DTYPE_UINT16,
                                       DTYPE_INT16, DTYPE_INT4,  DTYPE_UINT4};
    static const double scales[] = {0.03125, 0.0625, 0.05, 0.125, 0.02};
    struct quant q = {.dtype = types[builder__below(b, b->m->opset >= 21 ? 9 : 4)]};
    bool is_signed = dtype_row(q.dtype)->class == DTYPE_CLASS_SIGNED;
    q.scale = ONE_OF(b, scales);
    if (dtype_row(q.dtype)->n_bits == 4)
        q.scale = 0.5;
    q.zero = is_signed ? 0 : dtype_row(q.dtype)->n_bits == 4 ? 8 : 128;
    if (builder__chance(b, 35))
        q.zero =
            is_signed ? (double)builder__between_i(b, -4, 4) : (double)builder__between_i(b, 0, 8);
    q.has_zero = q.dtype != DTYPE_UINT8 || q.zero != 0 || builder__chance(b, 50);
    return q;
}

static uint32_t apply_quant(struct graph_builder *b, const char *op_type, uint32_t x,
                            const struct quant *q, enum dtype scale_type)
{
    enum place before = b->weights;
    b->weights = b->shapes;
    uint32_t scale = builder__scalar(b, scale_type, q->scale);
    uint32_t zero = q->has_zero ? builder__scalar(b, q->dtype, q->zero) : (uint32_t)VALUE_NONE;
    b->weights = before;
    return OP(b, op_type, x, scale, zero);
}

static uint32_t quantise(struct graph_builder *b, uint32_t x, const struct quant *q)
{
    return apply_quant(b, "QuantizeLinear", x, q, builder__dtype(b, x));
}

static uint32_t dequantise(struct graph_builder *b, uint32_t x, const struct quant *q, enum dtype t)
{
    return apply_quant(b, "DequantizeLinear", x, q, t);
}

static uint32_t quantisable(struct graph_builder *b, uint32_t x)
{
    enum dtype t = builder__dtype(b, x);
    bool narrow = (t == DTYPE_FLOAT16 || t == DTYPE_BFLOAT16) && b->m->opset >= 19;
    return t == DTYPE_FLOAT || narrow ? x : builder__cast(b, x, DTYPE_FLOAT);
}

/* The operators between a dequantised input and a quantised output. */
static const char *const between[] = {"MatMul",
                                      "Gemm",
                                      "Add",
                                      "Mul",
                                      "Sub",
                                      "Div",
                                      "Conv",
                                      "Relu",
                                      "Sigmoid",
                                      "LeakyRelu",
                                      "Tanh",
                                      "Softmax",
                                      "MaxPool",
                                      "AveragePool",
                                      "GlobalAveragePool",
                                      "Concat",
                                      "Split",
                                      "Reshape",
                                      "Transpose",
                                      "Slice",
                                      "Squeeze",
                                      "Unsqueeze",
                                      "Pad",
                                      "Resize",
                                      "Gather",
                                      "Where",
                                      "ArgMax",
                                      "Clip",
                                      "ReduceMean",
                                      "ReduceMax",
                                      "Expand",
                                      "Tile",
                                      "Flatten",
                                      "Neg",
                                      "Abs",
                                      "Identity",
                                      "Dropout",
                                      "LayerNormalization",
                                      "InstanceNormalization",
                                      "BatchNormalization",
                                      "HardSigmoid",
                                      "HardSwish",
                                      "Elu",
                                      "PRelu",
                                      "Sqrt",
                                      "Max",
                                      "Min",
                                      "DepthToSpace",
                                      "SpaceToDepth",
                                      "ConvTranspose",
                                      "ReduceSum",
                                      "TopK",
                                      "Sign",
                                      "Ceil",
                                      "Round",
                                      "Mean",
                                      "Sum",
                                      "Pow",
                                      "Exp",
                                      "Log",
                                      "Erf",
                                      "Gelu",
                                      "GatherElements",
                                      "ScatterElements",
                                      "Einsum",
                                      "LogSoftmax",
                                      "Hardmax",
                                      "Mod",
                                      "CumSum",
                                      "Trilu",
                                      "Cast",
                                      "Equal",
                                      "Less",
                                      "GridSample",
                                      "LRN",
                                      "MeanVarianceNormalization",
                                      "LpNormalization",
                                      "LSTM",
                                      "GRU"};

/* DQ, operator, Q, with the same or other parameters on both sides. */
uint32_t pattern__qdq_any(struct graph_builder *b, uint32_t x)
{
    enum { QA_OTHER_OUT, QA_NO_OUT, QA_NO_IN, QA_CAST, QA_TWO, QA_USED, QA_COUNT };
    uint32_t dev = pattern__deviate(b, QA_COUNT);
    struct quant in = draw_quant(b), out = DEV(dev, QA_OTHER_OUT) ? draw_quant(b) : in;
    x = quantisable(b, x);
    enum dtype t = builder__dtype(b, x);
    uint32_t dq = x;
    if (!DEV(dev, QA_NO_IN))
        dq = dequantise(b, quantise(b, x, &in), &in, t);
    const char *op_type = ONE_OF(b, between);
    builder__note(b, "%s %s z=%g", op_type, dtype_name(in.dtype), in.zero);
    uint32_t y = layer__apply(b, layer__find(op_type), dq);
    if (DEV(dev, QA_TWO))
        y = layer__apply(b, layer__find(ONE_OF(b, between)), y);
    if (DEV(dev, QA_USED) && builder__same_type(b, y, dq))
        y = OP(b, "Add", y, dq);
    enum dtype ty = builder__dtype(b, y);
    if (DEV(dev, QA_NO_OUT) || !dtype_is_float(ty))
        return y;
    if (ty != t)
        y = builder__cast(b, y, t);
    return dequantise(b, quantise(b, y, &out), &out, t);
}

/* Q-DQ pairs that nearly cancel: two pairs, with another scale, zero point or dtype; DQ-Q; Relu and
 * Clip that are folded into Q. */
uint32_t pattern__qdq_pair(struct graph_builder *b, uint32_t x)
{
    static const char *const before[] = {"Relu", "Clip", "Clip", "Neg", "Max"};
    struct quant first = draw_quant(b), second = first;
    uint32_t form = builder__below(b, 6);
    x = quantisable(b, x);
    enum dtype t = builder__dtype(b, x);
    if (builder__chance(b, 40)) {
        const char *op_type = ONE_OF(b, before);
        builder__note(b, "%s", op_type);
        x = layer__apply(b, layer__find(op_type), x);
    }
    if (form == 1 || form == 4)
        second.scale = first.scale * 2;
    if (form == 2 || form == 4)
        second.zero = first.zero + 1;
    if (form == 3)
        second = draw_quant(b);
    builder__note(b, "form=%u %s>%s", form, dtype_name(first.dtype), dtype_name(second.dtype));
    uint32_t y = dequantise(b, quantise(b, x, &first), &first, t);
    if (form == 5)
        y = layer__apply(b, layer__find(builder__chance(b, 50) ? "Transpose" : "Reshape"), y);
    y = quantise(b, y, &second);
    if (builder__chance(b, 15))
        return y;
    return dequantise(b, y, &second, t);
}

/* Conv, MatMul or Gemm with dequantised weights, per tensor or per axis. */
uint32_t pattern__qdq_weights(struct graph_builder *b, uint32_t x)
{
    struct quant q = draw_quant(b);
    enum { QW_MATMUL, QW_GEMM, QW_CONV, QW_COUNT };
    uint32_t form = builder__below(b, QW_COUNT);
    x = quantisable(b, x);
    enum dtype t = builder__dtype(b, x), wt = builder__chance(b, 70) ? DTYPE_INT8 : DTYPE_UINT8;
    x = layer__rank(b, x, form == QW_CONV ? 4 : 2);
    int64_t k = builder__dim(b, x, form == QW_CONV ? 1 : -1), n = builder__between_i(b, 1, 4);
    struct dims d = {2, {k, n}};
    if (form == QW_CONV)
        d = (struct dims){4, {n, k, 1, 1}};
    enum place before = b->weights;
    b->weights = b->shapes;
    uint32_t w = builder__between(b, wt, d.at, d.n, wt == DTYPE_INT8 ? -64 : 0, 64);
    int64_t axis = form == QW_CONV ? 0 : 1;
    bool per_axis = b->m->opset >= 13 && builder__chance(b, 50);
    if (per_axis && builder__chance(b, 25))
        axis = 1 - axis; /* along the inputs: not what a fused kernel expects */
    uint32_t scale = per_axis ? builder__between(b, t, &d.at[axis], 1, 0.015625, 0.0625)
                              : builder__scalar(b, t, 0.03125);
    uint32_t zero = VALUE_NONE;
    if (builder__chance(b, 50))
        zero = per_axis ? builder__between(b, wt, &d.at[axis], 1, 0, 4) : builder__scalar(b, wt, 3);
    b->weights = before;
    w = OP(b, "DequantizeLinear", w, scale, zero);
    if (per_axis)
        builder__int(b, "axis", builder__chance(b, 70) ? axis : axis - d.n);
    builder__note(b, "form=%u per_axis=%d axis=%lld", form, per_axis, (long long)axis);
    if (builder__chance(b, 80))
        x = dequantise(b, quantise(b, x, &q), &q, t);
    uint32_t y = OP(b, form == QW_CONV ? "Conv" : form == QW_GEMM ? "Gemm" : "MatMul", x, w);
    if (builder__chance(b, 30))
        y = OP(b, "Add", y, pattern__const(b, y, 0.5));
    if (builder__chance(b, 60)) {
        struct quant out = draw_quant(b);
        y = dequantise(b, quantise(b, y, &out), &out, t);
    }
    return y;
}

/* DynamicQuantizeLinear, MatMulInteger, Cast, Mul of scales, bias. */
uint32_t pattern__dynamic_quantise(struct graph_builder *b, uint32_t x)
{
    enum { DQ_ORDER, DQ_BIAS, DQ_NO_ZERO, DQ_SCALE_SHAPE, DQ_USED, DQ_COUNT };
    uint32_t dev = pattern__deviate(b, DQ_COUNT);
    x = layer__rank(b, quantisable(b, x), 2 + builder__below(b, 2));
    if (builder__dtype(b, x) != DTYPE_FLOAT)
        x = builder__cast(b, x, DTYPE_FLOAT);
    int64_t k = builder__dim(b, x, -1), n = builder__between_i(b, 1, 4), d[2] = {k, n};
    enum dtype wt = builder__chance(b, 50) ? DTYPE_INT8 : DTYPE_UINT8;
    uint32_t q = OP_N(b, "DynamicQuantizeLinear", 3, x);
    uint32_t w = builder__between(b, wt, d, 2, wt == DTYPE_INT8 ? -64 : 0, 64);
    if (q == VALUE_NONE)
        return q;
    uint32_t wz = builder__scalar(b, wt, 2);
    uint32_t y = DEV(dev, DQ_NO_ZERO) ? OP(b, "MatMulInteger", q, w, q + 2)
                                      : OP(b, "MatMulInteger", q, w, q + 2, wz);
    y = builder__cast(b, y, DTYPE_FLOAT);
    uint32_t ws = DEV(dev, DQ_SCALE_SHAPE)
                      ? builder__between(b, DTYPE_FLOAT, &n, 1, 0.015625, 0.0625)
                      : builder__scalar(b, DTYPE_FLOAT, 0.03125);
    if (DEV(dev, DQ_ORDER))
        y = OP(b, "Mul", OP(b, "Mul", y, q + 1), ws);
    else
        y = pattern__either(b, "Mul", y, pattern__either(b, "Mul", q + 1, ws));
    if (DEV(dev, DQ_BIAS))
        y = OP(b, "Add", y, builder__random(b, DTYPE_FLOAT, &n, 1, 0.5));
    if (DEV(dev, DQ_USED))
        y = OP(b, "Add", y, OP(b, "ReduceMean", x));
    return y;
}
