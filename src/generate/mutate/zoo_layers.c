/* Layers of the zoo's models, with weights whose variance keeps activations near rms 1. */
#include <math.h>

#include "generate/mutate/zoo_p.h"

uint32_t zoo__input(struct graph_builder *b, const char *name, enum dtype t, uint32_t rank,
                    const int64_t *dims)
{
    return graph_add_input(b->m, b->g, str_of(name), t, dims, rank);
}

/* Normally distributed weights of this standard deviation. */
static uint32_t normals(struct graph_builder *b, const int64_t *dims, uint32_t rank,
                        double deviation)
{
    struct tensor *t = arena_new(b->m->arena, struct tensor);
    void *data;
    if (b->failed)
        return VALUE_NONE;
    if (!tensor_make(DTYPE_FLOAT, dims, rank, b->m->arena, t, &data, &b->e)) {
        b->failed = true;
        return VALUE_NONE;
    }
    for (size_t i = 0; i < t->n; i++)
        tensor_put_double(DTYPE_FLOAT, data, i, deviation * rng_normal(b->r));
    return builder__tensor(b, t, PLACE_INITIALIZER);
}

uint32_t zoo__conv(struct graph_builder *b, uint32_t x, struct zoo_conv c)
{
    int64_t in = builder__dim(b, x, 1), group = MAX(c.group, 1), dilation = MAX(c.dilation, 1);
    int64_t dims[4] = {c.out, in / group, c.kernel, c.kernel};
    int64_t k2[2] = {c.kernel, c.kernel}, s2[2] = {c.stride, c.stride},
            d2[2] = {dilation, dilation};
    int64_t pad = c.valid ? 0 : dilation * (c.kernel - 1) / 2, pads[4] = {pad, pad, pad, pad};
    uint32_t w = normals(b, dims, 4,
                         sqrt(2.0 / ((double)in / (double)group * (double)(c.kernel * c.kernel))));
    uint32_t bias = c.bias ? normals(b, &c.out, 1, 0.1) : (uint32_t)VALUE_NONE;
    uint32_t y = OP(b, "Conv", x, w, bias);
    builder__int_list(b, "kernel_shape", k2, 2);
    if (c.stride > 1)
        builder__int_list(b, "strides", s2, 2);
    if (pad > 0)
        builder__int_list(b, "pads", pads, 4);
    if (dilation > 1)
        builder__int_list(b, "dilations", d2, 2);
    if (group > 1)
        builder__int(b, "group", group);
    return y;
}

uint32_t zoo__batch_norm(struct graph_builder *b, uint32_t x)
{
    int64_t c = builder__dim(b, x, 1);
    uint32_t scale = builder__between(b, DTYPE_FLOAT, &c, 1, 0.75, 1.25);
    uint32_t bias = builder__between(b, DTYPE_FLOAT, &c, 1, -0.25, 0.25);
    uint32_t mean = builder__between(b, DTYPE_FLOAT, &c, 1, -0.25, 0.25);
    uint32_t var = builder__between(b, DTYPE_FLOAT, &c, 1, 0.75, 1.5);
    return OP(b, "BatchNormalization", x, scale, bias, mean, var);
}

static uint32_t pool(struct graph_builder *b, const char *op_type, uint32_t x, int64_t kernel,
                     int64_t stride, int64_t pad)
{
    int64_t k[2] = {kernel, kernel}, t[2] = {stride, stride}, p[4] = {pad, pad, pad, pad};
    uint32_t y = OP(b, op_type, x);
    builder__int_list(b, "kernel_shape", k, 2);
    builder__int_list(b, "strides", t, 2);
    if (pad > 0)
        builder__int_list(b, "pads", p, 4);
    return y;
}

uint32_t zoo__max_pool(struct graph_builder *b, uint32_t x, int64_t kernel, int64_t stride,
                       int64_t pad)
{
    return pool(b, "MaxPool", x, kernel, stride, pad);
}

uint32_t zoo__average_pool(struct graph_builder *b, uint32_t x, int64_t kernel, int64_t stride,
                           int64_t pad)
{
    return pool(b, "AveragePool", x, kernel, stride, pad);
}

uint32_t zoo__relu6(struct graph_builder *b, uint32_t x)
{
    uint32_t low = builder__scalar(b, DTYPE_FLOAT, 0), high = builder__scalar(b, DTYPE_FLOAT, 6);
    return OP(b, "Clip", x, low, high);
}

uint32_t zoo__gemm(struct graph_builder *b, uint32_t x, int64_t out)
{
    int64_t in = builder__dim(b, x, 1), dims[2] = {out, in};
    uint32_t w = normals(b, dims, 2, sqrt(2.0 / (double)MAX(in, 1)));
    uint32_t y = OP(b, "Gemm", x, w, normals(b, &out, 1, 0.1));
    builder__int(b, "transB", 1);
    return y;
}

uint32_t zoo__head(struct graph_builder *b, uint32_t x, int64_t n_classes)
{
    uint32_t y = OP(b, "Flatten", OP(b, "GlobalAveragePool", x));
    return zoo__gemm(b, y, n_classes);
}

uint32_t zoo__linear(struct graph_builder *b, uint32_t x, int64_t out, bool bias)
{
    int64_t in = builder__dim(b, x, -1), dims[2] = {in, out};
    uint32_t y = OP(b, "MatMul", x, normals(b, dims, 2, sqrt(1.0 / (double)MAX(in, 1))));
    return bias ? OP(b, "Add", y, normals(b, &out, 1, 0.1)) : y;
}

uint32_t zoo__layer_norm(struct graph_builder *b, uint32_t x)
{
    int64_t size = builder__dim(b, x, -1), axis = -1;
    uint32_t scale = builder__between(b, DTYPE_FLOAT, &size, 1, 0.75, 1.25);
    uint32_t bias = builder__between(b, DTYPE_FLOAT, &size, 1, -0.25, 0.25);
    if (b->m->opset >= 17)
        return OP(b, "LayerNormalization", x, scale, bias);
    uint32_t d = OP(b, "Sub", x, builder__reduce(b, "ReduceMean", x, &axis, 1, 1));
    uint32_t square = OP(b, "Pow", d, builder__scalar(b, DTYPE_FLOAT, 2));
    uint32_t v = builder__reduce(b, "ReduceMean", square, &axis, 1, 1);
    uint32_t root = OP(b, "Sqrt", OP(b, "Add", v, builder__scalar(b, DTYPE_FLOAT, 1e-5)));
    return OP(b, "Add", OP(b, "Mul", OP(b, "Div", d, root), scale), bias);
}

uint32_t zoo__rms_norm(struct graph_builder *b, uint32_t x)
{
    int64_t size = builder__dim(b, x, -1), axis = -1;
    uint32_t scale = builder__between(b, DTYPE_FLOAT, &size, 1, 0.75, 1.25);
    uint32_t square = OP(b, "Pow", x, builder__scalar(b, DTYPE_FLOAT, 2));
    uint32_t v = builder__reduce(b, "ReduceMean", square, &axis, 1, 1);
    uint32_t root = OP(b, "Sqrt", OP(b, "Add", v, builder__scalar(b, DTYPE_FLOAT, 1e-6)));
    return OP(b, "Mul", OP(b, "Mul", x, OP(b, "Reciprocal", root)), scale);
}

uint32_t zoo__gelu(struct graph_builder *b, uint32_t x)
{
    uint32_t erf =
        OP(b, "Erf", OP(b, "Div", x, builder__scalar(b, DTYPE_FLOAT, 1.4142135623730951)));
    uint32_t sum = OP(b, "Add", erf, builder__scalar(b, DTYPE_FLOAT, 1));
    return OP(b, "Mul", OP(b, "Mul", x, sum), builder__scalar(b, DTYPE_FLOAT, 0.5));
}

static uint32_t heads_of(struct graph_builder *b, uint32_t x, int64_t heads, const int64_t *perm)
{
    int64_t d[4] = {0, 0, heads, builder__dim(b, x, 2) / heads};
    return builder__transpose(b, builder__reshape(b, x, d, 4), perm, 4);
}

uint32_t zoo__attention(struct graph_builder *b, uint32_t x, int64_t heads, bool causal)
{
    static const int64_t perm[] = {0, 2, 1, 3}, keys[] = {0, 2, 3, 1}, joined[] = {0, 0, -1};
    int64_t size = builder__dim(b, x, 2), n = builder__dim(b, x, 1), md[2] = {n, n};
    uint32_t q = heads_of(b, zoo__linear(b, x, size, true), heads, perm);
    uint32_t k = heads_of(b, zoo__linear(b, x, size, true), heads, keys);
    uint32_t v = heads_of(b, zoo__linear(b, x, size, true), heads, perm);
    double scale = sqrt((double)size / (double)heads);
    uint32_t scores = OP(b, "Div", OP(b, "MatMul", q, k), builder__scalar(b, DTYPE_FLOAT, scale));
    if (causal) {
        double mask[64 * 64];
        for (int64_t i = 0; i < n * n && i < 64 * 64; i++)
            mask[i] = i % n > i / n ? -50 : 0;
        scores = OP(b, "Add", scores, builder__values(b, DTYPE_FLOAT, md, 2, mask));
    }
    uint32_t p = OP(b, "Softmax", scores);
    builder__int(b, "axis", -1);
    uint32_t y = builder__transpose(b, OP(b, "MatMul", p, v), perm, 4);
    return zoo__linear(b, builder__reshape(b, y, joined, 3), size, true);
}

uint32_t zoo__concat(struct graph_builder *b, const uint32_t *parts, uint32_t n, int64_t axis)
{
    uint32_t y = builder__op(b, "Concat", 1, parts, n);
    builder__int(b, "axis", axis);
    return y;
}
