/*
 * Recipes of operators that run along axes: reductions, cumulative ones, TopK, normalisations.
 * Axes come as attribute or input by opset, from the front or the end, absent, or empty.
 */
#include "generate/mutate/recipe_p.h"

/* Axes in drawn order and signs; n. */
static size_t draw_axes(struct sketch *s, uint32_t rank, int64_t axes[static TENSOR_RANK_MAX])
{
    size_t n = 0;
    for (uint32_t i = 0; i < rank; i++) {
        if (sketch__chance(s, 45))
            axes[n++] = sketch__chance(s, 50) ? (int64_t)i : (int64_t)i - rank;
    }
    if (n == 0 && rank > 0)
        axes[n++] = sketch__axis(s, rank, NULL);
    if (n > 1 && sketch__chance(s, 30)) { /* unsorted */
        int64_t first = axes[0];
        axes[0] = axes[n - 1];
        axes[n - 1] = first;
    }
    return n;
}

uint32_t recipe__reduce(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int64_t axes[TENSOR_RANK_MAX];
    bool is_sum = strcmp(row->op_type, "ReduceSum") == 0;
    bool axes_are_input = s->m->opset >= (is_sum ? 13 : 18);
    x = recipe__fit(s, row->op_type, x);
    if (strcmp(row->op_type, "ReduceLogSum") == 0)
        x = recipe__domain(s, x, 0.25, 1e9);
    size_t n = draw_axes(s, sketch__rank(s, x), axes);
    int form = (int)sketch__below(s, 10), keepdims = (int)sketch__below(s, 3) - 1;
    uint32_t y;
    if (form == 0 || n == 0) {
        y = sketch__reduce(s, row->op_type, x, NULL, 0, keepdims);
        sketch__note(s, "axes=absent");
    } else if (form < 3 && axes_are_input) {
        y = sketch__reduce(s, row->op_type, x, axes, 0, keepdims);
        sketch__int(s, "noop_with_empty_axes", form - 1);
        sketch__note(s, "axes=empty noop=%d", form - 1);
    } else {
        y = sketch__reduce(s, row->op_type, x, axes, n, keepdims);
        sketch__note(s, "axes=%zu@%lld keepdims=%d", n, (long long)axes[0], keepdims);
    }
    return y;
}

uint32_t recipe__cumulate(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    if (sketch__rank(s, x) == 0)
        x = recipe__rank(s, x, 1);
    int64_t axis = sketch__axis(s, sketch__rank(s, x), NULL);
    uint32_t a = sketch__chance(s, 50) ? sketch__i64(s, axis) : sketch__i64s(s, &axis, 1);
    if (a != VALUE_NONE && sketch__rank(s, a) == 1 && sketch__chance(s, 90))
        a = sketch__i64(s, axis);
    uint32_t y = OP(s, row->op_type, x, a);
    corner__sprinkle(s, 60);
    sketch__note(s, "axis=%lld", (long long)axis);
    return y;
}

uint32_t recipe__top_k(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int64_t axis, plain, k;
    x = recipe__fit(s, row->op_type, x);
    if (sketch__rank(s, x) == 0)
        x = recipe__rank(s, x, 1);
    axis = sketch__axis(s, sketch__rank(s, x), &plain);
    int64_t size = sketch__dim(s, x, plain);
    k = sketch__chance(s, 30) ? size : sketch__between_i(s, 1, size);
    k = MIN(k, size);
    uint32_t y = OP_N(s, row->op_type, 2, x, sketch__i64s(s, &k, 1));
    sketch__int(s, "axis", axis);
    corner__sprinkle(s, 50);
    sketch__note(s, "k=%lld axis=%lld", (long long)k, (long long)axis);
    return sketch__chance(s, 30) && y != VALUE_NONE ? y + 1 : y;
}

uint32_t recipe__lrn(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), sketch__chance(s, 10) ? 3 : 4);
    uint32_t y = OP(s, row->op_type, x);
    sketch__int(s, "size", 2 * sketch__between_i(s, 0, 2) + 1);
    corner__sprinkle(s, 50);
    return y;
}

uint32_t recipe__mean_variance(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int64_t axes[TENSOR_RANK_MAX];
    if (sketch__dtype(s, x) != DTYPE_FLOAT) /* the standard's function body knows float only */
        x = sketch__cast(s, x, DTYPE_FLOAT);
    if (sketch__rank(s, x) < 2)
        x = recipe__rank(s, x, 2);
    size_t n = draw_axes(s, sketch__rank(s, x), axes);
    uint32_t y = OP(s, row->op_type, x);
    sketch__int_list(s, "axes", axes, n);
    return y;
}

/* LayerNormalization and RMSNormalization: x any rank; scale and bias over the last dims, or
 * broadcast from ones. */
uint32_t recipe__layer_norm(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const double epsilons[] = {1e-5, 1e-3, 0.1, 1e-12};
    bool rms = strcmp(row->op_type, "RMSNormalization") == 0;
    x = recipe__fit(s, row->op_type, x);
    if (sketch__rank(s, x) == 0)
        x = recipe__rank(s, x, 1);
    struct dims p = sketch__dims(s, x), d = {0};
    int64_t plain = 0, axis = sketch__axis(s, p.n, &plain);
    if (sketch__chance(s, 60)) {
        axis = -1;
        plain = (int64_t)p.n - 1;
    }
    for (uint32_t i = (uint32_t)plain; i < p.n; i++)
        d.at[d.n++] = sketch__chance(s, 15) ? 1 : p.at[i];
    enum dtype t = sketch__dtype(s, x);
    double eps = PICK(s, epsilons);
    uint32_t scale = sketch__between(s, t, d.at, d.n, 0.5, 1.5);
    uint32_t bias =
        !rms && sketch__chance(s, 60) ? sketch__random(s, t, d.at, d.n, 0.5) : (uint32_t)VALUE_NONE;
    uint32_t n_outputs = !rms && sketch__chance(s, 15) ? 3 : 1;
    uint32_t y = OP_N(s, row->op_type, n_outputs, x, scale, bias);
    sketch__int(s, "axis", axis);
    if (sketch__chance(s, 70))
        sketch__float(s, "epsilon", eps);
    sketch__note(s, "axis=%lld eps=%g bias=%d", (long long)axis, eps, bias != VALUE_NONE);
    return y;
}

uint32_t recipe__batch_norm(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    if (sketch__rank(s, x) < 2)
        x = recipe__rank(s, x, 2 + sketch__below(s, 3));
    int64_t c = sketch__dim(s, x, 1);
    enum dtype t = sketch__dtype(s, x);
    uint32_t scale = sketch__between(s, t, &c, 1, 0.5, 1.5),
             bias = sketch__random(s, t, &c, 1, 0.5);
    uint32_t mean = sketch__random(s, t, &c, 1, 0.5), var = sketch__between(s, t, &c, 1, 0.25, 2);
    uint32_t y = OP(s, row->op_type, x, scale, bias, mean, var);
    corner__sprinkle(s, 40);
    return y;
}

uint32_t recipe__instance_norm(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    if (sketch__rank(s, x) < 3)
        x = recipe__rank(s, x, 3 + sketch__below(s, 2));
    int64_t c = sketch__dim(s, x, 1);
    enum dtype t = sketch__dtype(s, x);
    uint32_t scale = sketch__between(s, t, &c, 1, 0.5, 1.5),
             bias = sketch__random(s, t, &c, 1, 0.5);
    uint32_t y = OP(s, row->op_type, x, scale, bias);
    corner__sprinkle(s, 50);
    return y;
}

uint32_t recipe__group_norm(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    if (sketch__rank(s, x) < 3)
        x = recipe__rank(s, x, 3 + sketch__below(s, 2));
    int64_t c = sketch__dim(s, x, 1), groups = sketch__between_i(s, 1, c);
    while (groups > 1 && c % groups != 0)
        groups--;
    enum dtype t = sketch__dtype(s, x);
    int64_t n = s->m->opset >= 21 ? c : groups; /* version 18: a scale a group; 21: a channel */
    uint32_t scale = sketch__between(s, t, &n, 1, 0.5, 1.5),
             bias = sketch__random(s, t, &n, 1, 0.5);
    uint32_t y = OP(s, row->op_type, x, scale, bias);
    sketch__int(s, "num_groups", groups);
    corner__sprinkle(s, 50);
    sketch__note(s, "groups=%lld", (long long)groups);
    return y;
}
