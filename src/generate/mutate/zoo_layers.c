/* Layers of the zoo's models, with weights whose variance keeps activations near rms 1. */
#include <math.h>

#include "generate/mutate/zoo_p.h"

uint32_t zoo__input(struct sketch *s, const char *name, enum dtype t, uint32_t rank,
                    const int64_t *dims)
{
    return graph_add_input(s->m, s->g, str_of(name), t, dims, rank);
}

/* Normals of a standard deviation. */
static uint32_t normals(struct sketch *s, const int64_t *dims, uint32_t rank, double deviation)
{
    struct tensor *t = arena_new(s->m->arena, struct tensor);
    void *data;
    if (s->failed)
        return VALUE_NONE;
    if (!tensor_make(DTYPE_FLOAT, dims, rank, s->m->arena, t, &data, &s->e)) {
        s->failed = true;
        return VALUE_NONE;
    }
    for (size_t i = 0; i < t->n; i++)
        tensor_put_double(DTYPE_FLOAT, data, i, deviation * rng_normal(s->r));
    return sketch__tensor(s, t, PLACE_INITIALIZER);
}

uint32_t zoo__conv(struct sketch *s, uint32_t x, struct zoo_conv c)
{
    int64_t in = sketch__dim(s, x, 1), group = MAX(c.group, 1), dilation = MAX(c.dilation, 1);
    int64_t dims[4] = {c.out, in / group, c.kernel, c.kernel};
    int64_t k2[2] = {c.kernel, c.kernel}, s2[2] = {c.stride, c.stride},
            d2[2] = {dilation, dilation};
    int64_t pad = c.valid ? 0 : dilation * (c.kernel - 1) / 2, pads[4] = {pad, pad, pad, pad};
    uint32_t w = normals(s, dims, 4,
                         sqrt(2.0 / ((double)in / (double)group * (double)(c.kernel * c.kernel))));
    uint32_t b = c.bias ? normals(s, &c.out, 1, 0.1) : (uint32_t)VALUE_NONE;
    uint32_t y = OP(s, "Conv", x, w, b);
    sketch__int_list(s, "kernel_shape", k2, 2);
    if (c.stride > 1)
        sketch__int_list(s, "strides", s2, 2);
    if (pad > 0)
        sketch__int_list(s, "pads", pads, 4);
    if (dilation > 1)
        sketch__int_list(s, "dilations", d2, 2);
    if (group > 1)
        sketch__int(s, "group", group);
    return y;
}

uint32_t zoo__batch_norm(struct sketch *s, uint32_t x)
{
    int64_t c = sketch__dim(s, x, 1);
    uint32_t scale = sketch__between(s, DTYPE_FLOAT, &c, 1, 0.75, 1.25);
    uint32_t bias = sketch__between(s, DTYPE_FLOAT, &c, 1, -0.25, 0.25);
    uint32_t mean = sketch__between(s, DTYPE_FLOAT, &c, 1, -0.25, 0.25);
    uint32_t var = sketch__between(s, DTYPE_FLOAT, &c, 1, 0.75, 1.5);
    return OP(s, "BatchNormalization", x, scale, bias, mean, var);
}

static uint32_t pool(struct sketch *s, const char *op_type, uint32_t x, int64_t kernel,
                     int64_t stride, int64_t pad)
{
    int64_t k[2] = {kernel, kernel}, t[2] = {stride, stride}, p[4] = {pad, pad, pad, pad};
    uint32_t y = OP(s, op_type, x);
    sketch__int_list(s, "kernel_shape", k, 2);
    sketch__int_list(s, "strides", t, 2);
    if (pad > 0)
        sketch__int_list(s, "pads", p, 4);
    return y;
}

uint32_t zoo__max_pool(struct sketch *s, uint32_t x, int64_t kernel, int64_t stride, int64_t pad)
{
    return pool(s, "MaxPool", x, kernel, stride, pad);
}

uint32_t zoo__average_pool(struct sketch *s, uint32_t x, int64_t kernel, int64_t stride,
                           int64_t pad)
{
    return pool(s, "AveragePool", x, kernel, stride, pad);
}

uint32_t zoo__relu6(struct sketch *s, uint32_t x)
{
    uint32_t low = sketch__scalar(s, DTYPE_FLOAT, 0), high = sketch__scalar(s, DTYPE_FLOAT, 6);
    return OP(s, "Clip", x, low, high);
}

uint32_t zoo__gemm(struct sketch *s, uint32_t x, int64_t out)
{
    int64_t in = sketch__dim(s, x, 1), dims[2] = {out, in};
    uint32_t w = normals(s, dims, 2, sqrt(2.0 / (double)MAX(in, 1)));
    uint32_t y = OP(s, "Gemm", x, w, normals(s, &out, 1, 0.1));
    sketch__int(s, "transB", 1);
    return y;
}

uint32_t zoo__head(struct sketch *s, uint32_t x, int64_t n_classes)
{
    uint32_t y = OP(s, "Flatten", OP(s, "GlobalAveragePool", x));
    return zoo__gemm(s, y, n_classes);
}

uint32_t zoo__linear(struct sketch *s, uint32_t x, int64_t out, bool bias)
{
    int64_t in = sketch__dim(s, x, -1), dims[2] = {in, out};
    uint32_t y = OP(s, "MatMul", x, normals(s, dims, 2, sqrt(1.0 / (double)MAX(in, 1))));
    return bias ? OP(s, "Add", y, normals(s, &out, 1, 0.1)) : y;
}

uint32_t zoo__layer_norm(struct sketch *s, uint32_t x)
{
    int64_t size = sketch__dim(s, x, -1), axis = -1;
    uint32_t scale = sketch__between(s, DTYPE_FLOAT, &size, 1, 0.75, 1.25);
    uint32_t bias = sketch__between(s, DTYPE_FLOAT, &size, 1, -0.25, 0.25);
    if (s->m->opset >= 17)
        return OP(s, "LayerNormalization", x, scale, bias);
    uint32_t d = OP(s, "Sub", x, sketch__reduce(s, "ReduceMean", x, &axis, 1, 1));
    uint32_t square = OP(s, "Pow", d, sketch__scalar(s, DTYPE_FLOAT, 2));
    uint32_t v = sketch__reduce(s, "ReduceMean", square, &axis, 1, 1);
    uint32_t root = OP(s, "Sqrt", OP(s, "Add", v, sketch__scalar(s, DTYPE_FLOAT, 1e-5)));
    return OP(s, "Add", OP(s, "Mul", OP(s, "Div", d, root), scale), bias);
}

uint32_t zoo__rms_norm(struct sketch *s, uint32_t x)
{
    int64_t size = sketch__dim(s, x, -1), axis = -1;
    uint32_t scale = sketch__between(s, DTYPE_FLOAT, &size, 1, 0.75, 1.25);
    uint32_t square = OP(s, "Pow", x, sketch__scalar(s, DTYPE_FLOAT, 2));
    uint32_t v = sketch__reduce(s, "ReduceMean", square, &axis, 1, 1);
    uint32_t root = OP(s, "Sqrt", OP(s, "Add", v, sketch__scalar(s, DTYPE_FLOAT, 1e-6)));
    return OP(s, "Mul", OP(s, "Mul", x, OP(s, "Reciprocal", root)), scale);
}

uint32_t zoo__gelu(struct sketch *s, uint32_t x)
{
    uint32_t erf =
        OP(s, "Erf", OP(s, "Div", x, sketch__scalar(s, DTYPE_FLOAT, 1.4142135623730951)));
    uint32_t sum = OP(s, "Add", erf, sketch__scalar(s, DTYPE_FLOAT, 1));
    return OP(s, "Mul", OP(s, "Mul", x, sum), sketch__scalar(s, DTYPE_FLOAT, 0.5));
}

static uint32_t heads_of(struct sketch *s, uint32_t x, int64_t heads, const int64_t *perm)
{
    int64_t d[4] = {0, 0, heads, sketch__dim(s, x, 2) / heads};
    return sketch__transpose(s, sketch__reshape(s, x, d, 4), perm, 4);
}

uint32_t zoo__attention(struct sketch *s, uint32_t x, int64_t heads, bool causal)
{
    static const int64_t perm[] = {0, 2, 1, 3}, keys[] = {0, 2, 3, 1}, joined[] = {0, 0, -1};
    int64_t size = sketch__dim(s, x, 2), n = sketch__dim(s, x, 1), md[2] = {n, n};
    uint32_t q = heads_of(s, zoo__linear(s, x, size, true), heads, perm);
    uint32_t k = heads_of(s, zoo__linear(s, x, size, true), heads, keys);
    uint32_t v = heads_of(s, zoo__linear(s, x, size, true), heads, perm);
    double scale = sqrt((double)size / (double)heads);
    uint32_t scores = OP(s, "Div", OP(s, "MatMul", q, k), sketch__scalar(s, DTYPE_FLOAT, scale));
    if (causal) {
        double mask[64 * 64];
        for (int64_t i = 0; i < n * n && i < 64 * 64; i++)
            mask[i] = i % n > i / n ? -50 : 0;
        scores = OP(s, "Add", scores, sketch__values(s, DTYPE_FLOAT, md, 2, mask));
    }
    uint32_t p = OP(s, "Softmax", scores);
    sketch__int(s, "axis", -1);
    uint32_t y = sketch__transpose(s, OP(s, "MatMul", p, v), perm, 4);
    return zoo__linear(s, sketch__reshape(s, y, joined, 3), size, true);
}

uint32_t zoo__concat(struct sketch *s, const uint32_t *parts, uint32_t n, int64_t axis)
{
    uint32_t y = sketch__op(s, "Concat", 1, parts, n);
    sketch__int(s, "axis", axis);
    return y;
}
