/*
 * Computes a weight: one of the operators next to which optimisers look for rewrites is applied to
 * a graph input, such that the result has the dtype and shape of a stored tensor. An operator that
 * changes shapes gets an input from whose shape it makes this one; the others are added by their
 * layer builders, if they keep the shape.
 */
#include <string.h>

#include "generate/mutate/layer_p.h"
#include "generate/mutate/vary_p.h"

static const char *const neighbours[] = {
#define NEIGHBOUR(op_type) op_type,
#include "generate/reach/neighbours.def"
#undef NEIGHBOUR
};

/* A stored tensor of these dims with the elements of `like`, repeated, and made computed
 * (builder__computed). */
static uint32_t source(struct graph_builder *b, const struct tensor *like, const int64_t *dims,
                       uint32_t rank)
{
    struct tensor *t = arena_new(b->m->arena, struct tensor);
    void *data;
    if (b->failed || like->n == 0 ||
        !tensor_make(like->dtype, dims, rank, b->m->arena, t, &data, &b->e)) {
        b->failed = true;
        return VALUE_NONE;
    }
    for (size_t i = 0; i < t->n; i++) {
        if (dtype_is_float(like->dtype))
            tensor_put_double(like->dtype, data, i, tensor_get_double(like, i % like->n));
        else
            tensor_put_i64(like->dtype, data, i, tensor_get_i64(like, i % like->n));
    }
    return builder__computed(b, graph_add_initializer(b->m, b->g, STR("w"), t), false);
}

/* The identity matrix of size n. */
static uint32_t identity(struct graph_builder *b, enum dtype t, int64_t n)
{
    struct tensor *m = arena_new(b->m->arena, struct tensor);
    int64_t dims[2] = {n, n};
    void *data;
    if (b->failed || !tensor_make(t, dims, 2, b->m->arena, m, &data, &b->e)) {
        b->failed = true;
        return VALUE_NONE;
    }
    for (int64_t i = 0; i < n; i++)
        tensor_put_double(t, data, (size_t)(i * n + i), 1);
    return graph_add_initializer(b->m, b->g, STR("w"), m);
}

struct made {
    struct graph_builder *b;
    const struct tensor *like;
    int64_t d[TENSOR_RANK_MAX]; /* of the source: at first those of `like`, then changed */
    uint32_t n, axis;           /* axis: drawn, 0 where rank is 0 */
};

static uint32_t from(struct made *m)
{
    return source(m->b, m->like, m->d, m->n);
}

static uint32_t reshaped(struct made *m, const char *op_type)
{
    int64_t all = (int64_t)m->like->n, target[TENSOR_RANK_MAX];
    (void)op_type;
    memcpy(target, m->d, sizeof target);
    uint32_t n = m->n;
    m->d[0] = all;
    m->n = 1;
    uint32_t x = from(m);
    return builder__reshape(m->b, x, target, n);
}

static uint32_t flattened(struct made *m, const char *op_type)
{
    if (m->n != 2)
        return VALUE_NONE;
    m->d[2] = m->d[1];
    m->d[1] = 1;
    m->n = 3;
    return OP(m->b, op_type, from(m));
}

static uint32_t transposed(struct made *m, const char *op_type)
{
    int64_t perm[TENSOR_RANK_MAX], target[TENSOR_RANK_MAX];
    (void)op_type;
    memcpy(target, m->d, sizeof target);
    builder__permutation(m->b, m->n, perm);
    for (uint32_t i = 0; i < m->n; i++)
        m->d[perm[i]] = target[i];
    uint32_t x = from(m);
    return builder__transpose(m->b, x, perm, m->n);
}

static uint32_t joined(struct made *m, const char *op_type)
{
    if (m->n == 0)
        return VALUE_NONE;
    int64_t whole = m->d[m->axis], first = MAX(whole / 2, 1);
    m->d[m->axis] = first;
    uint32_t x = from(m), y;
    m->d[m->axis] = whole - first;
    y = whole > first ? OP(m->b, op_type, x, from(m)) : OP(m->b, op_type, x);
    builder__int(m->b, "axis", m->axis);
    return y;
}

static uint32_t gathered(struct made *m, const char *op_type)
{
    int64_t index[64];
    if (m->n == 0 || m->d[m->axis] > (int64_t)COUNT_OF(index))
        return VALUE_NONE;
    size_t n = (size_t)m->d[m->axis];
    for (size_t i = 0; i < n; i++)
        index[i] = (int64_t)(n - 1 - i);
    uint32_t y = OP(m->b, op_type, from(m), builder__i64s(m->b, index, n));
    builder__int(m->b, "axis", m->axis);
    return y;
}

static uint32_t squeezed(struct made *m, const char *op_type)
{
    int64_t at = m->axis;
    (void)op_type;
    for (uint32_t i = m->n; i > m->axis; i--)
        m->d[i] = m->d[i - 1];
    m->d[m->axis] = 1;
    m->n++;
    return builder__squeeze(m->b, from(m), &at, 1);
}

static uint32_t unsqueezed(struct made *m, const char *op_type)
{
    int64_t at = m->axis;
    (void)op_type;
    if (m->n == 0 || m->d[m->axis] != 1)
        return VALUE_NONE;
    for (uint32_t i = m->axis; i + 1 < m->n; i++)
        m->d[i] = m->d[i + 1];
    m->n--;
    return builder__unsqueeze(m->b, from(m), &at, 1);
}

static uint32_t sliced(struct made *m, const char *op_type)
{
    (void)op_type;
    if (m->n == 0)
        return VALUE_NONE;
    int64_t size = m->d[m->axis]++;
    return builder__slice(m->b, from(m), m->axis, 1, size + 1, 1);
}

static uint32_t padded(struct made *m, const char *op_type)
{
    int64_t pads[2 * TENSOR_RANK_MAX] = {0};
    if (m->n == 0 || m->n > 8 || m->d[m->axis] < 2)
        return VALUE_NONE;
    m->d[m->axis]--;
    pads[m->axis] = 1;
    uint32_t x = from(m), y = OP(m->b, op_type, x, builder__i64s(m->b, pads, 2 * m->n));
    builder__string(m->b, "mode", "edge");
    return y;
}

/* Stretches dims drawn to be 1. */
static uint32_t stretched(struct made *m, const char *op_type)
{
    int64_t by[TENSOR_RANK_MAX];
    bool tile = strcmp(op_type, "Tile") == 0;
    for (uint32_t i = 0; i < m->n; i++) {
        by[i] = tile ? 1 : m->d[i];
        if (i == m->axis) {
            by[i] = m->d[i];
            m->d[i] = 1;
        }
    }
    if (m->n == 0)
        return VALUE_NONE;
    uint32_t x = from(m);
    return OP(m->b, op_type, x, builder__i64s(m->b, by, m->n));
}

static uint32_t resized(struct made *m, const char *op_type)
{
    double ones[TENSOR_RANK_MAX];
    int64_t n = m->n;
    for (uint32_t i = 0; i < m->n; i++)
        ones[i] = 1;
    if (n == 0 || m->b->m->opset < 13)
        return VALUE_NONE;
    enum place before = m->b->weights;
    m->b->weights = m->b->shapes;
    uint32_t scales = builder__values(m->b, DTYPE_FLOAT, &n, 1, ones);
    m->b->weights = before;
    return OP(m->b, op_type, from(m), VALUE_NONE, scales);
}

static uint32_t multiplied(struct made *m, const char *op_type)
{
    if (m->n == 0 || (strcmp(op_type, "Gemm") == 0 && m->n != 2) || m->d[m->n - 1] > 64)
        return VALUE_NONE;
    uint32_t x = from(m);
    return OP(m->b, op_type, x, identity(m->b, m->like->dtype, m->d[m->n - 1]));
}

/* A window of one element, over all channels. */
static uint32_t convolved(struct made *m, const char *op_type)
{
    int64_t d[TENSOR_RANK_MAX], c = m->n > 1 ? m->d[1] : 0;
    for (uint32_t i = 0; i < m->n; i++)
        d[i] = 1;
    if (m->n < 3 || m->n > 5)
        return VALUE_NONE;
    d[0] = c;
    uint32_t w = builder__filled(m->b, m->like->dtype, d, m->n, 1);
    uint32_t x = from(m), y = OP(m->b, op_type, x, w);
    builder__int(m->b, "group", c);
    return y;
}

static uint32_t pooled(struct made *m, const char *op_type)
{
    int64_t kernel[TENSOR_RANK_MAX], strides[TENSOR_RANK_MAX];
    if (m->n < 3 || m->n > 5)
        return VALUE_NONE;
    for (uint32_t i = 0; i + 2 < m->n; i++) {
        kernel[i] = strides[i] = builder__between_i(m->b, 1, 2);
        m->d[i + 2] *= kernel[i];
    }
    uint32_t y = OP(m->b, op_type, from(m));
    builder__int_list(m->b, "kernel_shape", kernel, m->n - 2);
    builder__int_list(m->b, "strides", strides, m->n - 2);
    return y;
}

static uint32_t pooled_whole(struct made *m, const char *op_type)
{
    for (uint32_t i = 2; i < m->n; i++) {
        if (m->d[i] != 1)
            return VALUE_NONE;
        m->d[i] = 2;
    }
    return m->n < 3 ? (uint32_t)VALUE_NONE : OP(m->b, op_type, from(m));
}

static uint32_t reduced(struct made *m, const char *op_type)
{
    int64_t at = m->axis;
    for (uint32_t i = m->n; i > m->axis; i--)
        m->d[i] = m->d[i - 1];
    m->d[m->axis] = builder__between_i(m->b, 1, 3);
    m->n++;
    return builder__reduce(m->b, op_type, from(m), &at, 1, 0);
}

static uint32_t recurred(struct made *m, const char *op_type)
{
    if (m->n != 4 || m->d[1] != 1 || m->d[3] > 8)
        return VALUE_NONE;
    enum dtype t = m->like->dtype;
    int64_t h = m->d[3], w[3] = {1, 4 * h, 2}, r[3] = {1, 4 * h, h}, x[3] = {m->d[0], m->d[2], 2};
    uint32_t wv = builder__random(m->b, t, w, 3, 0.5), rv = builder__random(m->b, t, r, 3, 0.5);
    uint32_t y = OP(m->b, op_type, source(m->b, m->like, x, 3), wv, rv);
    builder__int(m->b, "hidden_size", h);
    return y;
}

static uint32_t cast(struct made *m, const char *op_type)
{
    enum dtype t = m->like->dtype, wide = t == DTYPE_DOUBLE ? DTYPE_FLOAT : DTYPE_DOUBLE;
    (void)op_type;
    if (!builder__allows(m->b, "Cast", 0, t) || !dtype_is_float(t))
        return VALUE_NONE;
    return builder__cast(m->b, builder__cast(m->b, from(m), wide), t);
}

static const struct {
    const char *op_type;
    uint32_t (*make)(struct made *m, const char *op_type);
} changers[] = {
    {"Reshape", reshaped},
    {"Flatten", flattened},
    {"Transpose", transposed},
    {"Concat", joined},
    {"Gather", gathered},
    {"Squeeze", squeezed},
    {"Unsqueeze", unsqueezed},
    {"Slice", sliced},
    {"Pad", padded},
    {"Expand", stretched},
    {"Tile", stretched},
    {"Resize", resized},
    {"MatMul", multiplied},
    {"Gemm", multiplied},
    {"Conv", convolved},
    {"ConvTranspose", convolved},
    {"MaxPool", pooled},
    {"AveragePool", pooled},
    {"ReduceMean", reduced},
    {"GlobalAveragePool", pooled_whole},
    {"ReduceMax", reduced},
    {"ReduceSum", reduced},
    {"ReduceL2", reduced},
    {"LSTM", recurred},
    {"Cast", cast},
};

static bool is_like(struct graph_builder *b, uint32_t v, const struct tensor *t)
{
    struct dims d = builder__dims(b, v);
    if (b->failed || v == VALUE_NONE || builder__dtype(b, v) != t->dtype || d.n != t->rank)
        return false;
    for (uint32_t i = 0; i < d.n; i++) {
        if (d.at[i] != t->dims[i])
            return false;
    }
    return b->g->values.at[v].origin == ORIGIN_NODE;
}

uint32_t vary__neighbour(struct graph_builder *b, const struct tensor *like)
{
    const char *op_type = ONE_OF(b, neighbours);
    struct made m = {.b = b, .like = like, .n = like->rank};
    uint32_t v = VALUE_NONE;
    bool is_changer = false;
    if (like->rank + 2 > TENSOR_RANK_MAX || like->n > 4096 ||
        !op_fact_find(STR(""), str_of(op_type), b->m->opset))
        return VALUE_NONE;
    for (uint32_t i = 0; i < like->rank; i++)
        m.d[i] = like->dims[i];
    m.axis = like->rank > 0 ? builder__below(b, like->rank) : 0;
    for (size_t i = 0; i < COUNT_OF(changers); i++) {
        if (strcmp(changers[i].op_type, op_type) != 0)
            continue;
        is_changer = true;
        v = changers[i].make(&m, op_type);
    }
    const struct layer_builder *row = is_changer ? NULL : layer__find(op_type);
    if (row)
        v = layer__apply(b, row, from(&m));
    if (!is_like(b, v, like))
        return VALUE_NONE;
    builder__note(b, "by %s", op_type);
    return v;
}
