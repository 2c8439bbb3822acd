/*
 * Recipes of signal operators (windows, DFT, STFT, MelWeightMatrix), of what detectors are made of
 * (NonMaxSuppression, RoiAlign, DeformConv), of Scan, BitCast and TfIdfVectorizer.
 */
#include "generate/mutate/recipe_p.h"

/* Sizes, axes and other numbers that stand in the model: never a float parameter's place. */
static uint32_t fixed_scalar(struct sketch *s, enum dtype t, double v)
{
    enum place before = s->weights;
    s->weights = s->shapes;
    uint32_t out = sketch__scalar(s, t, v);
    s->weights = before;
    return out;
}

/* x, windowed along its last dim. */
uint32_t recipe__window(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = sketch__rank(s, x) == 0 ? recipe__rank(s, x, 1) : x;
    x = recipe__fit(s, "Tanh", x);
    uint32_t w = OP(s, row->op_type, sketch__i64(s, sketch__dim(s, x, -1)));
    sketch__int(s, "periodic", sketch__below(s, 2));
    sketch__int(s, "output_datatype", sketch__dtype(s, x));
    return OP(s, "Mul", x, w);
}

/* x as a signal (.., n, 1), or (.., n, 2) where its last dim is 2 already. */
static uint32_t signal_of(struct sketch *s, const char *op_type, uint32_t x, uint32_t rank,
                          bool *is_complex)
{
    x = recipe__fit(s, op_type, x);
    *is_complex = sketch__rank(s, x) == rank && sketch__dim(s, x, -1) == 2 && sketch__chance(s, 70);
    if (*is_complex)
        return x;
    x = recipe__rank(s, x, rank - 1);
    int64_t last = rank - 1;
    return sketch__unsqueeze(s, x, &last, 1);
}

uint32_t recipe__dft(struct sketch *s, const struct recipe *row, uint32_t x)
{
    bool is_complex, inverse = sketch__chance(s, 40);
    uint32_t rank = 3 + sketch__below(s, 2), length = VALUE_NONE, axis = VALUE_NONE;
    x = signal_of(s, row->op_type, x, rank, &is_complex);
    int64_t along = sketch__between_i(s, 0, rank - 2), n = sketch__dim(s, x, along);
    bool one_sided = !inverse && !is_complex && sketch__chance(s, 40);
    if (n < 1 || n > 256) {
        sketch__fail(s, "too long a signal");
        return VALUE_NONE;
    }
    if (sketch__chance(s, 30)) /* cut, or filled with zeros */
        length = sketch__i64(s, sketch__between_i(s, 1, n + 2));
    if (s->m->opset >= 20)
        axis = sketch__i64(s, sketch__chance(s, 50) ? along : along - rank);
    uint32_t y = OP(s, row->op_type, x, length, axis);
    if (s->m->opset < 20)
        sketch__int(s, "axis", along);
    sketch__int(s, "inverse", inverse);
    sketch__int(s, "onesided", one_sided);
    sketch__note(s, "inverse=%d onesided=%d complex=%d", inverse, one_sided, is_complex);
    return y;
}

uint32_t recipe__stft(struct sketch *s, const struct recipe *row, uint32_t x)
{
    bool is_complex, windowed = sketch__chance(s, 60);
    x = signal_of(s, row->op_type, x, 3, &is_complex);
    int64_t n = sketch__dim(s, x, 1), length = sketch__between_i(s, 1, MIN(n, 32));
    uint32_t window = VALUE_NONE, given = VALUE_NONE;
    if (n < 1 || n > 1024) {
        sketch__fail(s, "too long a signal");
        return VALUE_NONE;
    }
    uint32_t step = sketch__i64(s, sketch__between_i(s, MAX(1, n / 16), MAX(1, n / 16) + 3));
    if (windowed)
        window = sketch__between(s, sketch__dtype(s, x), &length, 1, 0.25, 1);
    if (!windowed || sketch__chance(s, 50))
        given = sketch__i64(s, length);
    uint32_t y = OP(s, row->op_type, x, step, window, given);
    sketch__int(s, "onesided", is_complex ? 0 : sketch__below(s, 2));
    sketch__note(s, "window=%d complex=%d", windowed, is_complex);
    return y;
}

/* x, its last dim taken for the bins of a spectrum, on the mel scale. */
uint32_t recipe__mel_weights(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, recipe__fit(s, "Tanh", x), 2);
    int64_t bins = sketch__dim(s, x, 1);
    if (bins < 2 || bins > 1024) {
        sketch__fail(s, "no spectrum");
        return VALUE_NONE;
    }
    double low = (double)sketch__between_i(s, 0, 8) * 20 + 1, rate = 8192;
    uint32_t n = sketch__i64(s, sketch__between_i(s, 1, 8)), length = sketch__i64(s, 2 * bins - 2);
    uint32_t w = OP(s, row->op_type, n, length, sketch__i64(s, (int64_t)rate),
                    fixed_scalar(s, DTYPE_FLOAT, low), fixed_scalar(s, DTYPE_FLOAT, rate / 2 - 7));
    sketch__int(s, "output_datatype", sketch__dtype(s, x));
    return OP(s, "MatMul", x, w);
}

/* Scores are x; boxes stand on a grid, so that some overlap. */
uint32_t recipe__non_max_suppression(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, sketch__cast(s, x, DTYPE_FLOAT), 3);
    struct dims p = sketch__dims(s, x);
    int64_t d[3] = {p.at[0], p.at[2], 4};
    if (p.at[2] > 32 || p.at[0] * p.at[1] > 16) {
        sketch__fail(s, "too many boxes");
        return VALUE_NONE;
    }
    uint32_t boxes = sketch__between(s, DTYPE_FLOAT, d, 3, 0.25, 4.25), least = VALUE_NONE;
    uint32_t most = sketch__i64(s, sketch__between_i(s, 1, 4));
    uint32_t overlap =
        fixed_scalar(s, DTYPE_FLOAT, (double)sketch__between_i(s, 0, 3) / 4 + 0.0625);
    if (sketch__chance(s, 50))
        least = fixed_scalar(s, DTYPE_FLOAT, -0.1875);
    uint32_t y = OP(s, row->op_type, boxes, x, most, overlap, least);
    if (sketch__chance(s, 50))
        sketch__int(s, "center_point_box", 1);
    return y;
}

/* Regions inside the image and beyond its border; corners of positive size. */
static uint32_t draw_regions(struct sketch *s, enum dtype t, int64_t n, int64_t height,
                             int64_t width)
{
    double at[4 * 4];
    int64_t d[2] = {n, 4};
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < 2; c++) {
            int64_t size = MIN(c ? height : width, 64);
            double low = (double)sketch__between_i(s, -4, 4 * size) / 4;
            at[4 * i + c] = low;
            at[4 * i + c + 2] = low + (double)sketch__between_i(s, 1, 4 * size) / 4;
        }
    return sketch__values(s, t, d, 2, at);
}

uint32_t recipe__roi_align(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const char *const shifts[] = {"half_pixel", "output_half_pixel"};
    double image[4];
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 4);
    struct dims p = sketch__dims(s, x);
    int64_t n = sketch__between_i(s, 1, 4);
    if (p.at[0] < 1 || p.at[2] < 1 || p.at[3] < 1) {
        sketch__fail(s, "no image");
        return VALUE_NONE;
    }
    for (int64_t i = 0; i < n; i++)
        image[i] = (double)sketch__between_i(s, 0, MIN(p.at[0], 64) - 1);
    enum place before = s->weights;
    uint32_t rois = draw_regions(s, sketch__dtype(s, x), n, p.at[2], p.at[3]);
    s->weights = s->shapes;
    uint32_t images = sketch__values(s, DTYPE_INT64, &n, 1, image);
    s->weights = before;
    uint32_t y = OP(s, row->op_type, x, rois, images);
    sketch__int(s, "output_height", sketch__between_i(s, 1, 3));
    sketch__int(s, "output_width", sketch__between_i(s, 1, 3));
    sketch__int(s, "sampling_ratio", sketch__between_i(s, 0, 2));
    if (sketch__chance(s, 50))
        sketch__float(s, "spatial_scale", 0.5);
    if (s->m->opset >= 16)
        sketch__string(s, "coordinate_transformation_mode", PICK(s, shifts));
    if (sketch__chance(s, 20))
        sketch__string(s, "mode", "max");
    return y;
}

uint32_t recipe__deform_conv(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 4);
    struct dims p = sketch__dims(s, x);
    enum dtype t = sketch__dtype(s, x);
    int64_t c = p.at[1], k = MIN(sketch__between_i(s, 1, 3), MIN(p.at[2], p.at[3]));
    int64_t group = c % 2 == 0 && sketch__chance(s, 40) ? 2 : 1;
    int64_t parts = c % 2 == 0 && sketch__chance(s, 40) ? 2 : 1;
    int64_t m = 2 * sketch__between_i(s, 1, 2), w[4] = {m, c / group, k, k}, pads[4] = {1, 1, 1, 1};
    bool padded = k > 1 && sketch__chance(s, 60), masked = sketch__chance(s, 50);
    if (k < 1 || c > 64 || p.at[2] * p.at[3] > 1024) {
        sketch__fail(s, "too large an image");
        return VALUE_NONE;
    }
    int64_t d[4] = {p.at[0], parts * k * k * 2, p.at[2] - k + 1 + 2 * padded,
                    p.at[3] - k + 1 + 2 * padded};
    uint32_t weights = sketch__random(s, t, w, 4, 0.5), bias = VALUE_NONE, mask = VALUE_NONE;
    uint32_t offset = sketch__between(s, t, d, 4, -1, 1);
    d[1] /= 2;
    if (masked)
        mask = sketch__between(s, t, d, 4, 0, 1);
    if (sketch__chance(s, 50))
        bias = sketch__random(s, t, &m, 1, 1);
    uint32_t y = OP(s, row->op_type, x, weights, offset, bias, mask);
    sketch__int(s, "group", group);
    sketch__int(s, "offset_group", parts);
    if (padded)
        sketch__int_list(s, "pads", pads, 4);
    sketch__note(s, "group=%lld offset_group=%lld mask=%d", (long long)group, (long long)parts,
                 masked);
    return y;
}

/* A value of a body, under a name that no graph around it has. */
static uint32_t body_input(struct sketch *s, struct graph *g, const char *name, enum dtype t,
                           const struct dims *d)
{
    const char *own = arena_printf(s->m->arena, "%s_%zu", name, s->g->values.n);
    return graph_add_input(s->m, g, str_of(own), t, d->at, d->n);
}

static void body_output(struct sketch *s, struct graph *g, const char *op_type, const uint32_t *in,
                        uint32_t n_in)
{
    uint32_t v = graph_add_node(s->m, g, op_type, in, n_in, 1);
    struct str own = str_of(arena_printf(s->m->arena, "turn_%zu_%zu", g->nodes.n, s->g->values.n));
    g->values.at[v].name = own;
    map_put(&g->by_name, s->m->arena, own, v);
    graph_add_output(g, v);
}

/* A running sum (or the like) of the slices of x, and one operator on each slice. */
uint32_t recipe__scan(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const char *const joins[] = {"Add", "Max", "Min", "Sub"};
    static const char *const ops[] = {"Neg", "Abs", "Relu", "Tanh", "Identity"};
    int64_t plain, axis, out_axis, back = sketch__chance(s, 40), out_back = sketch__chance(s, 30);
    x = recipe__fit(s, "Tanh", x);
    x = sketch__rank(s, x) == 0 ? recipe__rank(s, x, 1) : x;
    uint32_t rank = sketch__rank(s, x);
    axis = sketch__axis(s, rank, &plain);
    struct dims d = sketch__dims(s, x), slice = {0};
    out_axis = sketch__axis(s, rank, NULL);
    for (uint32_t i = 0; i < d.n; i++)
        if (i != plain)
            slice.at[slice.n++] = d.at[i];
    if (s->failed || d.at[plain] > 64) {
        sketch__fail(s, "too many turns");
        return VALUE_NONE;
    }
    enum dtype t = sketch__dtype(s, x);
    struct graph *g = graph_new(s->m, STR("body"));
    g->parent = s->g;
    uint32_t in[2] = {body_input(s, g, "state", t, &slice), body_input(s, g, "slice", t, &slice)};
    body_output(s, g, PICK(s, joins), in, 2);
    body_output(s, g, PICK(s, ops), &in[1], 1);
    uint32_t start = sketch__filled(s, t, slice.at, slice.n, 0);
    uint32_t y = OP_N(s, row->op_type, 2, start, x);
    if (s->failed)
        return VALUE_NONE;
    node_set_graph(s->m, graph_last_node(s->g), "body", g);
    sketch__int(s, "num_scan_inputs", 1);
    sketch__int_list(s, "scan_input_axes", &axis, 1);
    sketch__int_list(s, "scan_input_directions", &back, 1);
    sketch__int_list(s, "scan_output_axes", &out_axis, 1);
    sketch__int_list(s, "scan_output_directions", &out_back, 1);
    sketch__note(s, "axis=%lld reverse=%d", (long long)axis, (int)back);
    return sketch__chance(s, 70) ? y + 1 : y;
}

/* Integers read with the other sign: every bit pattern is a number. */
uint32_t recipe__bit_cast(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const enum dtype pairs[][2] = {{DTYPE_INT8, DTYPE_UINT8},
                                          {DTYPE_INT16, DTYPE_UINT16},
                                          {DTYPE_INT32, DTYPE_UINT32},
                                          {DTYPE_INT64, DTYPE_UINT64}};
    uint32_t i = sketch__below(s, (uint32_t)COUNT_OF(pairs));
    uint32_t y = OP(s, row->op_type, sketch__cast(s, x, pairs[i][0]));
    sketch__int(s, "to", pairs[i][1]);
    sketch__note(s, "%s as %s", dtype_name(pairs[i][0]), dtype_name(pairs[i][1]));
    return y;
}

uint32_t recipe__tfidf(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const char *const modes[] = {"TF", "IDF", "TFIDF"};
    static const int64_t pool[] = {-1, 0, 1, 0, 0, 0, 1, 1, 0}, starts[] = {0, 3};
    static const int64_t indexes[] = {2, 0, 1, 5, 3, 4};
    static const float weights[] = {0.5f, 2, 1, 0.25f, 3, 1.5f};
    int64_t longest = sketch__between_i(s, 1, 2);
    x = sketch__cast(s, x, sketch__chance(s, 50) ? DTYPE_INT32 : DTYPE_INT64);
    x = recipe__rank(s, x, 1 + sketch__below(s, 2));
    uint32_t y = OP(s, row->op_type, x);
    sketch__string(s, "mode", PICK(s, modes));
    sketch__int(s, "min_gram_length", sketch__between_i(s, 1, longest));
    sketch__int(s, "max_gram_length", longest);
    sketch__int(s, "max_skip_count", sketch__between_i(s, 0, 3));
    sketch__int_list(s, "ngram_counts", starts, COUNT_OF(starts));
    sketch__int_list(s, "ngram_indexes", indexes, COUNT_OF(indexes));
    sketch__int_list(s, "pool_int64s", pool, COUNT_OF(pool));
    if (!s->failed)
        node_set_floats(s->m, graph_last_node(s->g), "weights", weights, COUNT_OF(weights));
    return y;
}
