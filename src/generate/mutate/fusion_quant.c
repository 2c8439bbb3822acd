/*
 * Near misses of rewrites of quantised graphs: Quantize/Dequantize around every operator (not only
 * Conv), pairs whose parameters nearly cancel, dequantised weights, dynamic quantisation. Scales
 * are powers of two mostly, so that ties are exact.
 */
#include "generate/mutate/pattern_p.h"

struct quant {
    enum dtype dtype;
    double scale, zero;
    bool has_zero;
};

static struct quant draw_quant(struct sketch *s)
{
    static const enum dtype types[] = {DTYPE_UINT8, DTYPE_INT8,  DTYPE_UINT8,
                                       DTYPE_INT8,  DTYPE_UINT8, DTYPE_UINT16,
                                       DTYPE_INT16, DTYPE_INT4,  DTYPE_UINT4};
    static const double scales[] = {0.03125, 0.0625, 0.05, 0.125, 0.02};
    struct quant q = {.dtype = types[sketch__below(s, s->m->opset >= 21 ? 9 : 4)]};
    bool is_signed = dtype_row(q.dtype)->class == DTYPE_CLASS_SIGNED;
    q.scale = PICK(s, scales);
    if (dtype_row(q.dtype)->n_bits == 4)
        q.scale = 0.5;
    q.zero = is_signed ? 0 : dtype_row(q.dtype)->n_bits == 4 ? 8 : 128;
    if (sketch__chance(s, 35))
        q.zero =
            is_signed ? (double)sketch__between_i(s, -4, 4) : (double)sketch__between_i(s, 0, 8);
    q.has_zero = q.dtype != DTYPE_UINT8 || q.zero != 0 || sketch__chance(s, 50);
    return q;
}

static uint32_t apply_quant(struct sketch *s, const char *op_type, uint32_t x,
                            const struct quant *q, enum dtype scale_type)
{
    enum place before = s->weights;
    s->weights = s->shapes;
    uint32_t scale = sketch__scalar(s, scale_type, q->scale);
    uint32_t zero = q->has_zero ? sketch__scalar(s, q->dtype, q->zero) : (uint32_t)VALUE_NONE;
    s->weights = before;
    return OP(s, op_type, x, scale, zero);
}

static uint32_t quantise(struct sketch *s, uint32_t x, const struct quant *q)
{
    return apply_quant(s, "QuantizeLinear", x, q, sketch__dtype(s, x));
}

static uint32_t dequantise(struct sketch *s, uint32_t x, const struct quant *q, enum dtype t)
{
    return apply_quant(s, "DequantizeLinear", x, q, t);
}

static uint32_t quantisable(struct sketch *s, uint32_t x)
{
    enum dtype t = sketch__dtype(s, x);
    bool narrow = (t == DTYPE_FLOAT16 || t == DTYPE_BFLOAT16) && s->m->opset >= 19;
    return t == DTYPE_FLOAT || narrow ? x : sketch__cast(s, x, DTYPE_FLOAT);
}

/* What stands between a dequantised input and a quantised output. */
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
uint32_t pattern__qdq_any(struct sketch *s, uint32_t x)
{
    enum { QA_OTHER_OUT, QA_NO_OUT, QA_NO_IN, QA_CAST, QA_TWO, QA_USED, QA_COUNT };
    uint32_t dev = pattern__deviate(s, QA_COUNT);
    struct quant in = draw_quant(s), out = DEV(dev, QA_OTHER_OUT) ? draw_quant(s) : in;
    x = quantisable(s, x);
    enum dtype t = sketch__dtype(s, x);
    uint32_t dq = x;
    if (!DEV(dev, QA_NO_IN))
        dq = dequantise(s, quantise(s, x, &in), &in, t);
    const char *op_type = PICK(s, between);
    sketch__note(s, "%s %s z=%g", op_type, dtype_name(in.dtype), in.zero);
    uint32_t y = recipe__apply(s, recipe__find(op_type), dq);
    if (DEV(dev, QA_TWO))
        y = recipe__apply(s, recipe__find(PICK(s, between)), y);
    if (DEV(dev, QA_USED) && sketch__same_type(s, y, dq))
        y = OP(s, "Add", y, dq);
    enum dtype ty = sketch__dtype(s, y);
    if (DEV(dev, QA_NO_OUT) || !dtype_is_float(ty))
        return y;
    if (ty != t)
        y = sketch__cast(s, y, t);
    return dequantise(s, quantise(s, y, &out), &out, t);
}

/* Q-DQ pairs that nearly cancel: doubled, with other scale, zero point or dtype; DQ-Q; Relu and
 * Clip folded into Q. */
uint32_t pattern__qdq_pair(struct sketch *s, uint32_t x)
{
    static const char *const before[] = {"Relu", "Clip", "Clip", "Neg", "Max"};
    struct quant a = draw_quant(s), b = a;
    uint32_t form = sketch__below(s, 6);
    x = quantisable(s, x);
    enum dtype t = sketch__dtype(s, x);
    if (sketch__chance(s, 40)) {
        const char *op_type = PICK(s, before);
        sketch__note(s, "%s", op_type);
        x = recipe__apply(s, recipe__find(op_type), x);
    }
    if (form == 1 || form == 4)
        b.scale = a.scale * 2;
    if (form == 2 || form == 4)
        b.zero = a.zero + 1;
    if (form == 3)
        b = draw_quant(s);
    sketch__note(s, "form=%u %s>%s", form, dtype_name(a.dtype), dtype_name(b.dtype));
    uint32_t y = dequantise(s, quantise(s, x, &a), &a, t);
    if (form == 5)
        y = recipe__apply(s, recipe__find(sketch__chance(s, 50) ? "Transpose" : "Reshape"), y);
    y = quantise(s, y, &b);
    if (sketch__chance(s, 15))
        return y;
    return dequantise(s, y, &b, t);
}

/* Conv, MatMul or Gemm with dequantised weights, per tensor or per axis. */
uint32_t pattern__qdq_weights(struct sketch *s, uint32_t x)
{
    struct quant q = draw_quant(s);
    enum { QW_MATMUL, QW_GEMM, QW_CONV, QW_COUNT };
    uint32_t form = sketch__below(s, QW_COUNT);
    x = quantisable(s, x);
    enum dtype t = sketch__dtype(s, x), wt = sketch__chance(s, 70) ? DTYPE_INT8 : DTYPE_UINT8;
    x = recipe__rank(s, x, form == QW_CONV ? 4 : 2);
    int64_t k = sketch__dim(s, x, form == QW_CONV ? 1 : -1), n = sketch__between_i(s, 1, 4);
    struct dims d = {2, {k, n}};
    if (form == QW_CONV)
        d = (struct dims){4, {n, k, 1, 1}};
    enum place before = s->weights;
    s->weights = s->shapes;
    uint32_t w = sketch__between(s, wt, d.at, d.n, wt == DTYPE_INT8 ? -64 : 0, 64);
    int64_t axis = form == QW_CONV ? 0 : 1;
    bool per_axis = s->m->opset >= 13 && sketch__chance(s, 50);
    if (per_axis && sketch__chance(s, 25))
        axis = 1 - axis; /* along the inputs: not what a fused kernel expects */
    uint32_t scale = per_axis ? sketch__between(s, t, &d.at[axis], 1, 0.015625, 0.0625)
                              : sketch__scalar(s, t, 0.03125);
    uint32_t zero = VALUE_NONE;
    if (sketch__chance(s, 50))
        zero = per_axis ? sketch__between(s, wt, &d.at[axis], 1, 0, 4) : sketch__scalar(s, wt, 3);
    s->weights = before;
    w = OP(s, "DequantizeLinear", w, scale, zero);
    if (per_axis)
        sketch__int(s, "axis", sketch__chance(s, 70) ? axis : axis - d.n);
    sketch__note(s, "form=%u per_axis=%d axis=%lld", form, per_axis, (long long)axis);
    if (sketch__chance(s, 80))
        x = dequantise(s, quantise(s, x, &q), &q, t);
    uint32_t y = OP(s, form == QW_CONV ? "Conv" : form == QW_GEMM ? "Gemm" : "MatMul", x, w);
    if (sketch__chance(s, 30))
        y = OP(s, "Add", y, pattern__const(s, y, 0.5));
    if (sketch__chance(s, 60)) {
        struct quant out = draw_quant(s);
        y = dequantise(s, quantise(s, y, &out), &out, t);
    }
    return y;
}

/* DynamicQuantizeLinear, MatMulInteger, Cast, Mul of scales, bias. */
uint32_t pattern__dynamic_quantise(struct sketch *s, uint32_t x)
{
    enum { DQ_ORDER, DQ_BIAS, DQ_NO_ZERO, DQ_SCALE_SHAPE, DQ_USED, DQ_COUNT };
    uint32_t dev = pattern__deviate(s, DQ_COUNT);
    x = recipe__rank(s, quantisable(s, x), 2 + sketch__below(s, 2));
    if (sketch__dtype(s, x) != DTYPE_FLOAT)
        x = sketch__cast(s, x, DTYPE_FLOAT);
    int64_t k = sketch__dim(s, x, -1), n = sketch__between_i(s, 1, 4), d[2] = {k, n};
    enum dtype wt = sketch__chance(s, 50) ? DTYPE_INT8 : DTYPE_UINT8;
    uint32_t q = OP_N(s, "DynamicQuantizeLinear", 3, x);
    uint32_t w = sketch__between(s, wt, d, 2, wt == DTYPE_INT8 ? -64 : 0, 64);
    if (q == VALUE_NONE)
        return q;
    uint32_t wz = sketch__scalar(s, wt, 2);
    uint32_t y = DEV(dev, DQ_NO_ZERO) ? OP(s, "MatMulInteger", q, w, q + 2)
                                      : OP(s, "MatMulInteger", q, w, q + 2, wz);
    y = sketch__cast(s, y, DTYPE_FLOAT);
    uint32_t ws = DEV(dev, DQ_SCALE_SHAPE)
                      ? sketch__between(s, DTYPE_FLOAT, &n, 1, 0.015625, 0.0625)
                      : sketch__scalar(s, DTYPE_FLOAT, 0.03125);
    if (DEV(dev, DQ_ORDER))
        y = OP(s, "Mul", OP(s, "Mul", y, q + 1), ws);
    else
        y = pattern__either(s, "Mul", y, pattern__either(s, "Mul", q + 1, ws));
    if (DEV(dev, DQ_BIAS))
        y = OP(s, "Add", y, sketch__random(s, DTYPE_FLOAT, &n, 1, 0.5));
    if (DEV(dev, DQ_USED))
        y = OP(s, "Add", y, OP(s, "ReduceMean", x));
    return y;
}
