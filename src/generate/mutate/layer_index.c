/*
 * Layer builders of operators that move data by indices: gathering, scattering, sampling, resizing,
 * cropping. Indices lie in range, from both ends; scattered ones come once each, since the standard
 * leaves the order of duplicates open.
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

/* The dims of x, each reduced to a few, so that there are few indices. */
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
    bool batched = p.n >= 2 && p.at[0] <= 16 && b->m->opset >= 12 && builder__chance(b, 40);
    if (batched)
        d.at[0] = p.at[0];
    uint32_t indices = draw_indices(b, &d, p.at[batched ? 1 : 0], false);
    if (!b->failed && b->g->values.at[indices].dtype != DTYPE_INT64)
        indices = builder__cast(b, indices, DTYPE_INT64);
    uint32_t y = OP(b, row->op_type, x, indices);
    if (batched)
        builder__int(b, "batch_dims", 1);
    builder__note(b, "batch_dims=%d", batched);
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
    enum place before = b->weights;
    (void)x;
    uint32_t indices = draw_indices(b, &d, 4, false);
    b->weights = b->shapes;
    uint32_t depth =
        builder__chance(b, 50) ? builder__i64(b, 4) : builder__scalar(b, DTYPE_FLOAT, 4);
    b->weights = before;
    uint32_t pair = builder__values(b, builder__chance(b, 70) ? DTYPE_FLOAT : DTYPE_INT64, &two, 1,
                                    values + builder__below(b, 2));
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
    x = layer__rank(b, layer__fit(b, row->op_type, x), 4);
    int64_t d[4] = {builder__dim(b, x, 0), 3, 2, 2};
    enum dtype t = builder__dtype(b, x);
    uint32_t grid = builder__between(b, t, d, 4, -1.125, 1.125);
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
    int64_t size = builder__between_i(b, 1, builder__dim(b, x, plain) + 3);
    uint32_t y = OP(b, row->op_type, x, builder__i64s(b, &size, 1));
    builder__int_list(b, "axes", &axis, 1);
    return y;
}

/* Resize of an [N, C, H, W] image: every mode with every mapping of coordinates. */
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

uint32_t layer__resize(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const double factors[] = {2, 0.5, 1.5, 1, 3, 0.75};
    x = layer__rank(b, layer__fit(b, row->op_type, x), 4);
    struct dims p = builder__dims(b, x);
    double scales[4] = {1, 1};
    int64_t four = 4, two = 2, axes[2] = {2, 3}, none = 0;
    enum place before = b->weights;
    bool by_axes = b->m->opset >= 18 && builder__chance(b, 25), by_size = builder__chance(b, 40);
    for (uint32_t i = 2; i < 4; i++) {
        scales[i] = ONE_OF(b, factors);
        p.at[i] = builder__between_i(b, 1, MIN(2 * p.at[i], 24));
        if (builder__dim(b, x, i) * scales[i] < 1)
            scales[i] = 1;
    }
    b->weights = b->shapes;
    uint32_t roi =
        b->m->opset < 13 ? builder__filled(b, DTYPE_FLOAT, &none, 1, 0) : (uint32_t)VALUE_NONE;
    uint32_t by, y;
    if (by_size)
        by = by_axes ? builder__i64s(b, p.at + 2, 2) : builder__i64s(b, p.at, 4);
    else
        by = by_axes ? builder__values(b, DTYPE_FLOAT, &two, 1, scales + 2)
                     : builder__values(b, DTYPE_FLOAT, &four, 1, scales);
    if (by_size) {
        uint32_t empty =
            b->m->opset < 13 ? builder__filled(b, DTYPE_FLOAT, &none, 1, 0) : (uint32_t)VALUE_NONE;
        y = OP(b, row->op_type, x, roi, empty, by);
    } else {
        y = OP(b, row->op_type, x, roi, by);
    }
    b->weights = before;
    resize_modes(b);
    if (by_axes)
        builder__int_list(b, "axes", axes, 2);
    builder__note(b, by_size ? "sizes" : "scales=%g,%g", scales[2], scales[3]);
    return y;
}
