/*
 * Layer builders of operators that run along axes: reductions, cumulative ones, TopK,
 * normalisations. Axes are an attribute or an input, by opset, counted from the front or the end,
 * absent, or empty.
 */
#include "generate/mutate/layer_p.h"

/* Draws axes with their order and signs; returns how many. */
static size_t draw_axes(struct graph_builder *b, uint32_t rank,
                        int64_t axes[static TENSOR_RANK_MAX])
{
    size_t n = 0;
    for (uint32_t i = 0; i < rank; i++) {
        if (builder__chance(b, 45))
            axes[n++] = builder__chance(b, 50) ? (int64_t)i : (int64_t)i - rank;
    }
    if (n == 0 && rank > 0)
        axes[n++] = builder__axis(b, rank, NULL);
    if (n > 1 && builder__chance(b, 30)) { /* unsorted */
        int64_t first = axes[0];
        axes[0] = axes[n - 1];
        axes[n - 1] = first;
    }
    return n;
}

uint32_t layer__reduce(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int64_t axes[TENSOR_RANK_MAX];
    bool is_sum = strcmp(row->op_type, "ReduceSum") == 0;
    bool axes_are_input = b->m->opset >= (is_sum ? 13 : 18);
    x = layer__fit(b, row->op_type, x);
    if (strcmp(row->op_type, "ReduceLogSum") == 0)
        x = layer__domain(b, x, 0.25, 1e9);
    size_t n = draw_axes(b, builder__rank(b, x), axes);
    int form = (int)builder__below(b, 10), keepdims = (int)builder__below(b, 3) - 1;
    uint32_t y;
    if (form == 0 || n == 0) {
        y = builder__reduce(b, row->op_type, x, NULL, 0, keepdims);
        builder__note(b, "axes=absent");
    } else if (form < 3 && axes_are_input) {
        y = builder__reduce(b, row->op_type, x, axes, 0, keepdims);
        builder__int(b, "noop_with_empty_axes", form - 1);
        builder__note(b, "axes=empty noop=%d", form - 1);
    } else {
        y = builder__reduce(b, row->op_type, x, axes, n, keepdims);
        builder__note(b, "axes=%zu@%lld keepdims=%d", n, (long long)axes[0], keepdims);
    }
    return y;
}

uint32_t layer__cumulate(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    if (builder__rank(b, x) == 0)
        x = layer__rank(b, x, 1);
    int64_t axis = builder__axis(b, builder__rank(b, x), NULL);
    uint32_t a = builder__chance(b, 50) ? builder__i64(b, axis) : builder__i64s(b, &axis, 1);
    if (a != VALUE_NONE && builder__rank(b, a) == 1 && builder__chance(b, 90))
        a = builder__i64(b, axis);
    uint32_t y = OP(b, row->op_type, x, a);
    corner__set_some(b, 60);
    builder__note(b, "axis=%lld", (long long)axis);
    return y;
}

uint32_t layer__top_k(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int64_t axis, plain, k;
    x = layer__fit(b, row->op_type, x);
    if (builder__rank(b, x) == 0)
        x = layer__rank(b, x, 1);
    axis = builder__axis(b, builder__rank(b, x), &plain);
    int64_t size = builder__dim(b, x, plain);
    k = builder__chance(b, 30) ? size : builder__between_i(b, 1, size);
    k = MIN(k, size);
    uint32_t y = OP_N(b, row->op_type, 2, x, builder__i64s(b, &k, 1));
    builder__int(b, "axis", axis);
    corner__set_some(b, 50);
    builder__note(b, "k=%lld axis=%lld", (long long)k, (long long)axis);
    return builder__chance(b, 30) && y != VALUE_NONE ? y + 1 : y;
}

uint32_t layer__lrn(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    if (builder__rank(b, x) < 3 || builder__chance(b, 30))
        x = layer__rank(b, x, builder__chance(b, 10) ? 3 : 4);
    uint32_t y = OP(b, row->op_type, x);
    builder__int(b, "size", 2 * builder__between_i(b, 0, 2) + 1);
    corner__set_some(b, 50);
    return y;
}

uint32_t layer__mean_variance(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int64_t axes[TENSOR_RANK_MAX];
    if (builder__dtype(b, x) != DTYPE_FLOAT) /* the standard's function body knows float only */
        x = builder__cast(b, x, DTYPE_FLOAT);
    if (builder__rank(b, x) < 1)
        x = layer__rank(b, x, 2);
    uint32_t rank = builder__rank(b, x);
    size_t n = draw_axes(b, rank, axes);
    uint32_t y = OP(b, row->op_type, x);
    if (rank != 4 || builder__chance(b, 60))
        builder__int_list(b, "axes", axes, n);
    return y;
}

/* LayerNormalization and RMSNormalization: x has any rank; scale and bias have its last dims, or
 * ones that broadcast. */
uint32_t layer__layer_norm(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const double epsilons[] = {1e-5, 1e-3, 0.1, 1e-12};
    bool rms = strcmp(row->op_type, "RMSNormalization") == 0;
    x = layer__fit(b, row->op_type, x);
    if (builder__rank(b, x) == 0)
        x = layer__rank(b, x, 1);
    struct dims p = builder__dims(b, x), d = {0};
    int64_t plain = 0, axis = builder__axis(b, p.n, &plain);
    if (builder__chance(b, 60)) {
        axis = -1;
        plain = (int64_t)p.n - 1;
    }
    for (uint32_t i = (uint32_t)plain; i < p.n; i++)
        d.at[d.n++] = builder__chance(b, 15) ? 1 : p.at[i];
    enum dtype t = builder__dtype(b, x);
    double eps = ONE_OF(b, epsilons);
    uint32_t scale = builder__between(b, t, d.at, d.n, 0.5, 1.5);
    uint32_t bias = !rms && builder__chance(b, 60) ? builder__random(b, t, d.at, d.n, 0.5)
                                                   : (uint32_t)VALUE_NONE;
    uint32_t n_outputs = !rms && builder__chance(b, 15) ? 3 : 1;
    uint32_t y = OP_N(b, row->op_type, n_outputs, x, scale, bias);
    builder__int(b, "axis", axis);
    if (builder__chance(b, 70))
        builder__float(b, "epsilon", eps);
    builder__note(b, "axis=%lld eps=%g bias=%d", (long long)axis, eps, bias != VALUE_NONE);
    return y;
}

uint32_t layer__batch_norm(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    if (builder__rank(b, x) < 2)
        x = layer__rank(b, x, 2 + builder__below(b, 3));
    int64_t c = builder__dim(b, x, 1);
    enum dtype t = builder__dtype(b, x);
    uint32_t scale = builder__between(b, t, &c, 1, 0.5, 1.5),
             bias = builder__random(b, t, &c, 1, 0.5);
    uint32_t mean = builder__random(b, t, &c, 1, 0.5), var = builder__between(b, t, &c, 1, 0.25, 2);
    uint32_t y = OP(b, row->op_type, x, scale, bias, mean, var);
    corner__set_some(b, 40);
    return y;
}

uint32_t layer__instance_norm(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    if (builder__rank(b, x) < 3)
        x = layer__rank(b, x, 3 + builder__below(b, 2));
    int64_t c = builder__dim(b, x, 1);
    enum dtype t = builder__dtype(b, x);
    uint32_t scale = builder__between(b, t, &c, 1, 0.5, 1.5),
             bias = builder__random(b, t, &c, 1, 0.5);
    uint32_t y = OP(b, row->op_type, x, scale, bias);
    corner__set_some(b, 50);
    return y;
}

uint32_t layer__group_norm(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    if (builder__rank(b, x) < 3)
        x = layer__rank(b, x, 3 + builder__below(b, 2));
    int64_t c = builder__dim(b, x, 1), groups = builder__between_i(b, 1, c);
    while (groups > 1 && c % groups != 0)
        groups--;
    enum dtype t = builder__dtype(b, x);
    int64_t n = b->m->opset >= 21 ? c : groups; /* opset 18: one scale per group; 21: per channel */
    uint32_t scale = builder__between(b, t, &n, 1, 0.5, 1.5),
             bias = builder__random(b, t, &n, 1, 0.5);
    uint32_t y = OP(b, row->op_type, x, scale, bias);
    builder__int(b, "num_groups", groups);
    corner__set_some(b, 50);
    builder__note(b, "groups=%lld", (long long)groups);
    return y;
}
