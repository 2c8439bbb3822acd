/*
 * Layer builders of operators that move data by indices: gathering, scattering, sampling, resizing,
 * cropping. Indices are in range, counted from both ends; those of scattered updates are distinct,
 * since the standard leaves the order of duplicates open.
 */
#include "generate/mutate/layer_p.h"

/* int32 or int64 indices of these dims, each in [-size, size). */
static uint32_t draw_indices(struct graph_builder *b, const struct dims *d, int64_t size,
                             bool distinct)
{
    double values[256];
    size_t n = 1;
    enum dtype t = builder__chance(b, 70) ? DTYPE_INT64 : DTYPE_INT32;
    enum place before = b->weights;
    for (uint32_t i = 0; i < d->n; i++)
        n *= (size_t)d->at[i];
    if (n > COUNT_OF(values) || size < 1) {
        builder__fail(b, "too many indices");
        return VALUE_NONE;
    }
    int64_t start = builder__between_i(b, 0, size - 1);
    for (size_t i = 0; i < n; i++) {
        int64_t v = distinct ? (start + (int64_t)i) % size : builder__between_i(b, 0, size - 1);
        values[i] = (double)(builder__chance(b, 30) ? v - size : v);
    }
    b->weights = b->shapes;
    uint32_t out = builder__values(b, t, d->at, d->n, values);
    b->weights = before;
    return out;
}

static uint32_t at_least_rank_1(struct graph_builder *b, uint32_t x)
{
    return builder__rank(b, x) == 0 ? layer__rank(b, x, 1) : x;
}

uint32_t layer__gather(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const struct dims forms[] = {{0, {0}}, {1, {1}}, {1, {3}}, {2, {2, 2}}, {2, {1, 3}}};
    int64_t plain, axis;
    x = at_least_rank_1(b, x);
    axis = builder__axis(b, builder__rank(b, x), &plain);
    uint32_t form = builder__below(b, (uint32_t)COUNT_OF(forms));
    uint32_t indices = draw_indices(b, &forms[form], builder__dim(b, x, plain), false);
    uint32_t y = OP(b, row->op_type, x, indices);
    builder__int(b, "axis", axis);
    builder__note(b, "axis=%lld rank=%u", (long long)axis, forms[form].n);
    return y;
}

/* The dims of x, each reduced so that there are few indices. */
static struct dims few_like(struct graph_builder *b, uint32_t x)
{
    struct dims d = builder__dims(b, x);
    int64_t n = 1;
    for (uint32_t i = 0; i < d.n; i++) {
        d.at[i] = builder__between_i(b, 1, MIN(d.at[i], n > 32 ? 1 : 3));
        n *= d.at[i];
    }
    return d;
}

uint32_t layer__gather_elements(struct graph_builder *b, const struct layer_builder *row,
                                uint32_t x)
{
    int64_t plain, axis;
    x = at_least_rank_1(b, x);
    axis = builder__axis(b, builder__rank(b, x), &plain);
    struct dims d = few_like(b, x);
    uint32_t y = OP(b, row->op_type, x, draw_indices(b, &d, builder__dim(b, x, plain), false));
    builder__int(b, "axis", axis);
    return y;
}

uint32_t layer__gather_nd(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = at_least_rank_1(b, x);
    struct dims p = builder__dims(b, x), d = {2, {2, 1}};
    uint32_t batched = builder__chance(b, 50) ? builder__below(b, MIN(p.n, 3)) : 0;
    if (b->m->opset < 12)
        batched = 0;
    if (batched) { /* [batch dims, 1] */
        for (uint32_t i = 0; i < batched; i++)
            d.at[i] = p.at[i];
        d.at[batched] = 1;
        d.n = batched + 1;
    }
    uint32_t indices = draw_indices(b, &d, p.at[batched], false);
    if (!b->failed && b->g->values.at[indices].dtype != DTYPE_INT64)
        indices = builder__cast(b, indices, DTYPE_INT64);
    uint32_t y = OP(b, row->op_type, x, indices);
    if (batched)
        builder__int(b, "batch_dims", batched);
    builder__note(b, "batch_dims=%u", batched);
    return y;
}

static const char *draw_reduction(struct graph_builder *b, int since_add, int since_max)
{
    static const char *const names[] = {"none", "add", "mul", "max", "min"};
    if (b->m->opset < since_add || builder__chance(b, 30))
        return NULL;
    return names[builder__below(b, b->m->opset >= since_max ? 5 : 3)];
}

uint32_t layer__scatter_elements(struct graph_builder *b, const struct layer_builder *row,
                                 uint32_t x)
{
    int64_t plain, axis;
    x = at_least_rank_1(b, x);
    axis = builder__axis(b, builder__rank(b, x), &plain);
    struct dims d = builder__dims(b, x);
    int64_t size = d.at[plain];
    for (uint32_t i = 0; i < d.n; i++)
        d.at[i] = i == (uint32_t)plain ? builder__between_i(b, 1, size) : 1;
    uint32_t indices = draw_indices(b, &d, size, true);
    uint32_t updates = builder__random(b, builder__dtype(b, x), d.at, d.n, 1);
    const char *reduction = draw_reduction(b, 16, 18);
    uint32_t y = OP(b, row->op_type, x, indices, updates);
    builder__int(b, "axis", axis);
    if (reduction && builder__dtype(b, x) != DTYPE_BOOL)
        builder__string(b, "reduction", reduction);
    builder__note(b, "axis=%lld %s", (long long)axis, reduction ? reduction : "");
    return y;
}

uint32_t layer__scatter_nd(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = at_least_rank_1(b, x);
    struct dims p = builder__dims(b, x), d = {2, {1, 1}}, u = p;
    d.at[0] = builder__between_i(b, 1, MIN(p.at[0], 3));
    u.at[0] = d.at[0];
    uint32_t indices = draw_indices(b, &d, p.at[0], true);
    if (!b->failed && b->g->values.at[indices].dtype != DTYPE_INT64)
        indices = builder__cast(b, indices, DTYPE_INT64);
    uint32_t updates = builder__random(b, builder__dtype(b, x), u.at, u.n, 1);
    const char *reduction = draw_reduction(b, 16, 18);
    uint32_t y = OP(b, row->op_type, x, indices, updates);
    if (reduction && builder__dtype(b, x) != DTYPE_BOOL)
        builder__string(b, "reduction", reduction);
    return y;
}

uint32_t layer__one_hot(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const double values[] = {0, 1, -1, 2};
    struct dims d = {1 + builder__below(b, 2), {2, 3}};
    int64_t two = 2, plain;
    const double four = 4;
    uint32_t indices;
    if (builder__allows(b, row->op_type, 0, builder__dtype(b, x)) && builder__rank(b, x) < 7) {
        /* whole numbers, in range or not: one out of range gives a row without a 1 */
        indices =
            dtype_is_float(builder__dtype(b, x)) ? OP(b, "Floor", layer__fit(b, "Floor", x)) : x;
        d = builder__dims(b, x);
    } else {
        indices = draw_indices(b, &d, 4, false);
    }
    enum dtype t = builder__chance(b, 50) ? DTYPE_FLOAT : layer__input_dtype(b, row->op_type, 2);
    enum dtype t_depth =
        builder__chance(b, 50) ? DTYPE_INT64 : layer__input_dtype(b, row->op_type, 1);
    uint32_t depth = layer__fixed(b, t_depth, NULL, 0, &four);
    bool no_sign = t == DTYPE_BOOL || dtype_row(t)->class == DTYPE_CLASS_UNSIGNED;
    uint32_t pair = builder__values(b, t, &two, 1, values + (no_sign ? 0 : builder__below(b, 2)));
    uint32_t y = OP(b, row->op_type, indices, depth, pair);
    int64_t axis = builder__axis(b, d.n + 1, &plain);
    if (builder__chance(b, 70))
        builder__int(b, "axis", axis);
    return y;
}

/* NonZero: (rank, count); the count depends on the values of x. */
uint32_t layer__non_zero(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    return OP(b, row->op_type, layer__fit(b, row->op_type, x));
}

uint32_t layer__compress(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int64_t plain, axis, n;
    double keep[8];
    x = at_least_rank_1(b, x);
    axis = builder__axis(b, builder__rank(b, x), &plain);
    n = MIN(builder__dim(b, x, plain), 8);
    n = builder__between_i(b, 1, n);
    for (int64_t i = 0; i < n; i++)
        keep[i] = i == 0 || builder__chance(b, 50);
    enum place before = b->weights;
    b->weights = b->shapes;
    uint32_t y = OP(b, row->op_type, x, builder__values(b, DTYPE_BOOL, &n, 1, keep));
    b->weights = before;
    if (builder__chance(b, 70))
        builder__int(b, "axis", axis);
    return y;
}

uint32_t layer__reverse_sequence(struct graph_builder *b, const struct layer_builder *row,
                                 uint32_t x)
{
    if (builder__rank(b, x) < 2)
        x = layer__rank(b, x, 2);
    bool time_first = builder__chance(b, 50);
    int64_t batch = builder__dim(b, x, time_first ? 1 : 0);
    int64_t time = builder__dim(b, x, time_first ? 0 : 1);
    enum place before = b->weights;
    double lengths[64];
    if (batch > 64 || time < 1) {
        builder__fail(b, "batch too large");
        return VALUE_NONE;
    }
    for (int64_t i = 0; i < batch; i++)
        lengths[i] = (double)builder__between_i(b, 1, time);
    b->weights = b->shapes;
    uint32_t y = OP(b, row->op_type, x, builder__values(b, DTYPE_INT64, &batch, 1, lengths));
    b->weights = before;
    builder__int(b, "batch_axis", time_first);
    builder__int(b, "time_axis", !time_first);
    return y;
}

uint32_t layer__grid_sample(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    bool volume = b->m->opset >= 20 && builder__rank(b, x) == 5;
    x = layer__rank(b, layer__fit(b, row->op_type, x), volume ? 5 : 4);
    int64_t d[5] = {builder__dim(b, x, 0), 3, 2, 2, 3};
    enum dtype t = builder__dtype(b, x);
    if (!builder__allows(b, row->op_type, 1, t) || builder__chance(b, 15))
        t = layer__input_dtype(b, row->op_type, 1);
    uint32_t grid = builder__between(b, t, d, volume ? 5 : 4, -1.125, 1.125);
    uint32_t y = OP(b, row->op_type, x, grid);
    if (b->m->opset < 20) {
        static const char *const modes[] = {"bilinear", "nearest", "bicubic"};
        builder__string(b, "mode", ONE_OF(b, modes));
    } else {
        static const char *const modes[] = {"linear", "nearest", "cubic"};
        builder__string(b, "mode", ONE_OF(b, modes));
    }
    if (builder__chance(b, 70)) {
        static const char *const paddings[] = {"zeros", "border", "reflection"};
        builder__string(b, "padding_mode", ONE_OF(b, paddings));
    }
    builder__int(b, "align_corners", builder__below(b, 2));
    return y;
}

uint32_t layer__center_crop_pad(struct graph_builder *b, const struct layer_builder *row,
                                uint32_t x)
{
    x = at_least_rank_1(b, x);
    int64_t plain, axis = builder__axis(b, builder__rank(b, x), &plain);
    int64_t sizes[TENSOR_RANK_MAX], axes[TENSOR_RANK_MAX];
    uint32_t rank = builder__rank(b, x), n = builder__chance(b, 50) ? 1 : rank;
    for (uint32_t i = 0; i < n; i++) {
        axes[i] = n == 1 ? axis : (int64_t)i;
        sizes[i] = builder__between_i(b, 1, builder__dim(b, x, n == 1 ? plain : i) + 2);
    }
    uint32_t y = OP(b, row->op_type, x, builder__i64s(b, sizes, n));
    if (n < rank || builder__chance(b, 50))
        builder__int_list(b, "axes", axes, n);
    return y;
}

/* Resize of an [N, C, H, W] image: every mode with every coordinate transformation. */
static void resize_modes(struct graph_builder *b)
{
    static const char *const modes[] = {"nearest", "linear", "cubic"};
    static const char *const roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                            "ceil"};
    static const char *const maps[] = {"half_pixel", "asymmetric", "align_corners",
                                       "pytorch_half_pixel", "half_pixel_symmetric"};
    const char *mode = ONE_OF(b, modes), *map = maps[builder__below(b, b->m->opset >= 19 ? 5 : 4)];
    builder__string(b, "mode", mode);
    builder__string(b, "coordinate_transformation_mode", map);
    builder__note(b, "%s %s", mode, map);
    if (strcmp(mode, "nearest") == 0) {
        const char *rounding = ONE_OF(b, roundings);
        builder__string(b, "nearest_mode", rounding);
        builder__note(b, "%s", rounding);
    }
    if (strcmp(mode, "cubic") == 0 && builder__chance(b, 50))
        builder__float(b, "cubic_coeff_a", -0.5);
    if (strcmp(mode, "cubic") == 0 && builder__chance(b, 40)) {
        builder__int(b, "exclude_outside", 1);
        builder__note(b, "exclude_outside");
    }
    if (b->m->opset >= 18 && strcmp(mode, "nearest") != 0 && builder__chance(b, 20)) {
        builder__int(b, "antialias", 1);
        builder__note(b, "antialias");
    }
}

/* Resize of any dims, of rank 1 to 6: mostly the last two, as of an image, and as many as the mode
 * allows. */
uint32_t layer__resize(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const double factors[] = {2, 0.5, 1.5, 3, 0.6, 1, 2.5};
    static const char *const policies[] = {"stretch", "not_larger", "not_smaller"};
    x = layer__fit(b, row->op_type, x);
    uint32_t rank = builder__rank(b, x);
    if (rank == 0 || rank > 6 || builder__chance(b, 60))
        x = layer__rank(b, x, rank = 4);
    struct dims p = builder__dims(b, x);
    uint32_t n_last = rank == 1 ? 1 : 1 + builder__below(b, MIN(rank, 3));
    uint32_t first = rank == 4 && builder__chance(b, 80) ? 2 : rank - n_last;
    double scales[TENSOR_RANK_MAX];
    int64_t axes[TENSOR_RANK_MAX], n = rank;
    bool by_axes = b->m->opset >= 18 && builder__chance(b, 30), by_size = builder__chance(b, 40);
    for (uint32_t i = 0; i < rank; i++) {
        scales[i] = i < first ? 1 : ONE_OF(b, factors);
        if (i >= first)
            p.at[i] = builder__between_i(b, 1, MIN(2 * p.at[i], 24));
        if ((double)builder__dim(b, x, i) * scales[i] < 1)
            scales[i] = 1;
        axes[i] = builder__chance(b, 60) ? (int64_t)i : (int64_t)i - rank;
    }
    uint32_t roi = VALUE_NONE, empty = VALUE_NONE, skip = by_axes ? first : 0, y;
    int64_t none = 0;
    n -= skip;
    if (b->m->opset < 13)
        roi = empty = layer__fixed(b, DTYPE_FLOAT, &none, 1, scales);
    if (by_size)
        y = OP(b, row->op_type, x, roi, empty, builder__i64s(b, p.at + skip, (size_t)n));
    else
        y = OP(b, row->op_type, x, roi, layer__fixed(b, DTYPE_FLOAT, &n, 1, scales + skip));
    resize_modes(b);
    if (by_axes)
        builder__int_list(b, "axes", axes + skip, (size_t)n);
    if (by_size && b->m->opset >= 18 && builder__chance(b, 30))
        builder__string(b, "keep_aspect_ratio_policy", ONE_OF(b, policies));
    builder__note(b, by_size ? "sizes rank=%u" : "scales rank=%u", rank);
    return y;
}
