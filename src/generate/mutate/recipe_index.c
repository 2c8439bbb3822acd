/*
 * Recipes of operators that move data by indices: gathering, scattering, sampling, resizing,
 * cropping. Indices lie in range, from both ends; scattered ones come once each, since the standard
 * leaves the order of duplicates open.
 */
#include "generate/mutate/recipe_p.h"

/* int32 or int64 indices of these dims, each in [-size, size). */
static uint32_t draw_indices(struct sketch *s, const struct dims *d, int64_t size, bool distinct)
{
    double values[256];
    size_t n = 1;
    enum dtype t = sketch__chance(s, 70) ? DTYPE_INT64 : DTYPE_INT32;
    enum place before = s->weights;
    for (uint32_t i = 0; i < d->n; i++)
        n *= (size_t)d->at[i];
    if (n > COUNT_OF(values) || size < 1) {
        sketch__fail(s, "too many indices");
        return VALUE_NONE;
    }
    int64_t start = sketch__between_i(s, 0, size - 1);
    for (size_t i = 0; i < n; i++) {
        int64_t v = distinct ? (start + (int64_t)i) % size : sketch__between_i(s, 0, size - 1);
        values[i] = (double)(sketch__chance(s, 30) ? v - size : v);
    }
    s->weights = s->shapes;
    uint32_t out = sketch__values(s, t, d->at, d->n, values);
    s->weights = before;
    return out;
}

static uint32_t at_least_rank_1(struct sketch *s, uint32_t x)
{
    return sketch__rank(s, x) == 0 ? recipe__rank(s, x, 1) : x;
}

uint32_t recipe__gather(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const struct dims forms[] = {{0, {0}}, {1, {1}}, {1, {3}}, {2, {2, 2}}, {2, {1, 3}}};
    int64_t plain, axis;
    x = at_least_rank_1(s, x);
    axis = sketch__axis(s, sketch__rank(s, x), &plain);
    uint32_t form = sketch__below(s, (uint32_t)COUNT_OF(forms));
    uint32_t indices = draw_indices(s, &forms[form], sketch__dim(s, x, plain), false);
    uint32_t y = OP(s, row->op_type, x, indices);
    sketch__int(s, "axis", axis);
    sketch__note(s, "axis=%lld rank=%u", (long long)axis, forms[form].n);
    return y;
}

/* dims like x's, every one cut to a few, so that the indices stay a handful. */
static struct dims few_like(struct sketch *s, uint32_t x)
{
    struct dims d = sketch__dims(s, x);
    int64_t n = 1;
    for (uint32_t i = 0; i < d.n; i++) {
        d.at[i] = sketch__between_i(s, 1, MIN(d.at[i], n > 32 ? 1 : 3));
        n *= d.at[i];
    }
    return d;
}

uint32_t recipe__gather_elements(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int64_t plain, axis;
    x = at_least_rank_1(s, x);
    axis = sketch__axis(s, sketch__rank(s, x), &plain);
    struct dims d = few_like(s, x);
    uint32_t y = OP(s, row->op_type, x, draw_indices(s, &d, sketch__dim(s, x, plain), false));
    sketch__int(s, "axis", axis);
    return y;
}

uint32_t recipe__gather_nd(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = at_least_rank_1(s, x);
    struct dims p = sketch__dims(s, x), d = {2, {2, 1}};
    bool batched = p.n >= 2 && p.at[0] <= 16 && s->m->opset >= 12 && sketch__chance(s, 40);
    if (batched)
        d.at[0] = p.at[0];
    uint32_t indices = draw_indices(s, &d, p.at[batched ? 1 : 0], false);
    if (!s->failed && s->g->values.at[indices].dtype != DTYPE_INT64)
        indices = sketch__cast(s, indices, DTYPE_INT64);
    uint32_t y = OP(s, row->op_type, x, indices);
    if (batched)
        sketch__int(s, "batch_dims", 1);
    sketch__note(s, "batch_dims=%d", batched);
    return y;
}

static const char *draw_reduction(struct sketch *s, int since_add, int since_max)
{
    static const char *const names[] = {"none", "add", "mul", "max", "min"};
    if (s->m->opset < since_add || sketch__chance(s, 30))
        return NULL;
    return names[sketch__below(s, s->m->opset >= since_max ? 5 : 3)];
}

uint32_t recipe__scatter_elements(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int64_t plain, axis;
    x = at_least_rank_1(s, x);
    axis = sketch__axis(s, sketch__rank(s, x), &plain);
    struct dims d = sketch__dims(s, x);
    int64_t size = d.at[plain];
    for (uint32_t i = 0; i < d.n; i++)
        d.at[i] = i == (uint32_t)plain ? sketch__between_i(s, 1, size) : 1;
    uint32_t indices = draw_indices(s, &d, size, true);
    uint32_t updates = sketch__random(s, sketch__dtype(s, x), d.at, d.n, 1);
    const char *reduction = draw_reduction(s, 16, 18);
    uint32_t y = OP(s, row->op_type, x, indices, updates);
    sketch__int(s, "axis", axis);
    if (reduction && sketch__dtype(s, x) != DTYPE_BOOL)
        sketch__string(s, "reduction", reduction);
    sketch__note(s, "axis=%lld %s", (long long)axis, reduction ? reduction : "");
    return y;
}

uint32_t recipe__scatter_nd(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = at_least_rank_1(s, x);
    struct dims p = sketch__dims(s, x), d = {2, {1, 1}}, u = p;
    d.at[0] = sketch__between_i(s, 1, MIN(p.at[0], 3));
    u.at[0] = d.at[0];
    uint32_t indices = draw_indices(s, &d, p.at[0], true);
    if (!s->failed && s->g->values.at[indices].dtype != DTYPE_INT64)
        indices = sketch__cast(s, indices, DTYPE_INT64);
    uint32_t updates = sketch__random(s, sketch__dtype(s, x), u.at, u.n, 1);
    const char *reduction = draw_reduction(s, 16, 18);
    uint32_t y = OP(s, row->op_type, x, indices, updates);
    if (reduction && sketch__dtype(s, x) != DTYPE_BOOL)
        sketch__string(s, "reduction", reduction);
    return y;
}

uint32_t recipe__one_hot(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const double values[] = {0, 1, -1, 2};
    struct dims d = {1 + sketch__below(s, 2), {2, 3}};
    int64_t two = 2, plain;
    enum place before = s->weights;
    (void)x;
    uint32_t indices = draw_indices(s, &d, 4, false);
    s->weights = s->shapes;
    uint32_t depth = sketch__chance(s, 50) ? sketch__i64(s, 4) : sketch__scalar(s, DTYPE_FLOAT, 4);
    s->weights = before;
    uint32_t pair = sketch__values(s, sketch__chance(s, 70) ? DTYPE_FLOAT : DTYPE_INT64, &two, 1,
                                   values + sketch__below(s, 2));
    uint32_t y = OP(s, row->op_type, indices, depth, pair);
    int64_t axis = sketch__axis(s, d.n + 1, &plain);
    if (sketch__chance(s, 70))
        sketch__int(s, "axis", axis);
    return y;
}

/* Output shapes that depend on values end in a shape that does not. */
uint32_t recipe__non_zero(struct sketch *s, const struct recipe *row, uint32_t x)
{
    return OP(s, row->op_type, recipe__fit(s, row->op_type, x));
}

uint32_t recipe__compress(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int64_t plain, axis, n;
    double keep[8];
    x = at_least_rank_1(s, x);
    axis = sketch__axis(s, sketch__rank(s, x), &plain);
    n = MIN(sketch__dim(s, x, plain), 8);
    n = sketch__between_i(s, 1, n);
    for (int64_t i = 0; i < n; i++)
        keep[i] = i == 0 || sketch__chance(s, 50);
    enum place before = s->weights;
    s->weights = s->shapes;
    uint32_t y = OP(s, row->op_type, x, sketch__values(s, DTYPE_BOOL, &n, 1, keep));
    s->weights = before;
    if (sketch__chance(s, 70))
        sketch__int(s, "axis", axis);
    return y;
}

uint32_t recipe__reverse_sequence(struct sketch *s, const struct recipe *row, uint32_t x)
{
    if (sketch__rank(s, x) < 2)
        x = recipe__rank(s, x, 2);
    bool time_first = sketch__chance(s, 50);
    int64_t batch = sketch__dim(s, x, time_first ? 1 : 0);
    int64_t time = sketch__dim(s, x, time_first ? 0 : 1);
    enum place before = s->weights;
    double lengths[64];
    if (batch > 64 || time < 1) {
        sketch__fail(s, "batch too large");
        return VALUE_NONE;
    }
    for (int64_t i = 0; i < batch; i++)
        lengths[i] = (double)sketch__between_i(s, 1, time);
    s->weights = s->shapes;
    uint32_t y = OP(s, row->op_type, x, sketch__values(s, DTYPE_INT64, &batch, 1, lengths));
    s->weights = before;
    sketch__int(s, "batch_axis", time_first);
    sketch__int(s, "time_axis", !time_first);
    return y;
}

uint32_t recipe__grid_sample(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 4);
    int64_t d[4] = {sketch__dim(s, x, 0), 3, 2, 2};
    enum dtype t = sketch__dtype(s, x);
    uint32_t grid = sketch__between(s, t, d, 4, -1.125, 1.125);
    uint32_t y = OP(s, row->op_type, x, grid);
    if (s->m->opset < 20) {
        static const char *const modes[] = {"bilinear", "nearest", "bicubic"};
        sketch__string(s, "mode", PICK(s, modes));
    } else {
        static const char *const modes[] = {"linear", "nearest", "cubic"};
        sketch__string(s, "mode", PICK(s, modes));
    }
    if (sketch__chance(s, 70)) {
        static const char *const paddings[] = {"zeros", "border", "reflection"};
        sketch__string(s, "padding_mode", PICK(s, paddings));
    }
    sketch__int(s, "align_corners", sketch__below(s, 2));
    return y;
}

uint32_t recipe__center_crop_pad(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = at_least_rank_1(s, x);
    int64_t plain, axis = sketch__axis(s, sketch__rank(s, x), &plain);
    int64_t size = sketch__between_i(s, 1, sketch__dim(s, x, plain) + 3);
    uint32_t y = OP(s, row->op_type, x, sketch__i64s(s, &size, 1));
    sketch__int_list(s, "axes", &axis, 1);
    return y;
}

/* Resize of an [N, C, H, W] image: every mode with every mapping of coordinates. */
static void resize_modes(struct sketch *s)
{
    static const char *const modes[] = {"nearest", "linear", "cubic"};
    static const char *const roundings[] = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                            "ceil"};
    static const char *const maps[] = {"half_pixel", "asymmetric", "align_corners",
                                       "pytorch_half_pixel", "half_pixel_symmetric"};
    const char *mode = PICK(s, modes), *map = maps[sketch__below(s, s->m->opset >= 19 ? 5 : 4)];
    sketch__string(s, "mode", mode);
    sketch__string(s, "coordinate_transformation_mode", map);
    sketch__note(s, "%s %s", mode, map);
    if (strcmp(mode, "nearest") == 0) {
        const char *rounding = PICK(s, roundings);
        sketch__string(s, "nearest_mode", rounding);
        sketch__note(s, "%s", rounding);
    }
    if (strcmp(mode, "cubic") == 0 && sketch__chance(s, 50))
        sketch__float(s, "cubic_coeff_a", -0.5);
    if (strcmp(mode, "cubic") == 0 && sketch__chance(s, 40)) {
        sketch__int(s, "exclude_outside", 1);
        sketch__note(s, "exclude_outside");
    }
    if (s->m->opset >= 18 && strcmp(mode, "nearest") != 0 && sketch__chance(s, 20)) {
        sketch__int(s, "antialias", 1);
        sketch__note(s, "antialias");
    }
}

uint32_t recipe__resize(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const double factors[] = {2, 0.5, 1.5, 1, 3, 0.75};
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 4);
    struct dims p = sketch__dims(s, x);
    double scales[4] = {1, 1};
    int64_t four = 4, two = 2, axes[2] = {2, 3}, none = 0;
    enum place before = s->weights;
    bool by_axes = s->m->opset >= 18 && sketch__chance(s, 25), by_size = sketch__chance(s, 40);
    for (uint32_t i = 2; i < 4; i++) {
        scales[i] = PICK(s, factors);
        p.at[i] = sketch__between_i(s, 1, MIN(2 * p.at[i], 24));
        if (sketch__dim(s, x, i) * scales[i] < 1)
            scales[i] = 1;
    }
    s->weights = s->shapes;
    uint32_t roi =
        s->m->opset < 13 ? sketch__filled(s, DTYPE_FLOAT, &none, 1, 0) : (uint32_t)VALUE_NONE;
    uint32_t by, y;
    if (by_size)
        by = by_axes ? sketch__i64s(s, p.at + 2, 2) : sketch__i64s(s, p.at, 4);
    else
        by = by_axes ? sketch__values(s, DTYPE_FLOAT, &two, 1, scales + 2)
                     : sketch__values(s, DTYPE_FLOAT, &four, 1, scales);
    if (by_size) {
        uint32_t empty =
            s->m->opset < 13 ? sketch__filled(s, DTYPE_FLOAT, &none, 1, 0) : (uint32_t)VALUE_NONE;
        y = OP(s, row->op_type, x, roi, empty, by);
    } else {
        y = OP(s, row->op_type, x, roi, by);
    }
    s->weights = before;
    resize_modes(s);
    if (by_axes)
        sketch__int_list(s, "axes", axes, 2);
    sketch__note(s, by_size ? "sizes" : "scales=%g,%g", scales[2], scales[3]);
    return y;
}
