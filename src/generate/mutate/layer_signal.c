/*
 * Layer builders of signal operators (windows, DFT, STFT, MelWeightMatrix), of parts of detectors
 * (NonMaxSuppression, RoiAlign, DeformConv), of BitCast and TfIdfVectorizer.
 */
#include "generate/mutate/layer_p.h"

/* A size, axis or other number stored in the model, never placed like a float parameter. */
static uint32_t fixed_scalar(struct graph_builder *b, enum dtype t, double v)
{
    enum place before = b->weights;
    b->weights = b->shapes;
    uint32_t out = builder__scalar(b, t, v);
    b->weights = before;
    return out;
}

/* x times a window along its last dim; or a window alone, of a computed size. */
uint32_t layer__window(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = builder__rank(b, x) == 0 ? layer__rank(b, x, 1) : x;
    double size = (double)builder__dim(b, x, -1);
    uint32_t w;
    if (!b->fixed_inputs && builder__chance(b, 50)) {
        enum dtype t = builder__chance(b, 50) ? DTYPE_INT64 : DTYPE_INT32;
        w = OP(b, row->op_type, layer__computed(b, t, NULL, 0, &size));
        if (builder__chance(b, 70))
            builder__int(b, "periodic", builder__below(b, 2));
        if (builder__chance(b, 70))
            builder__int(b, "output_datatype", layer__output_dtype(b, row->op_type));
        return w;
    }
    x = layer__fit(b, "Tanh", x);
    w = OP(b, row->op_type, builder__i64(b, builder__dim(b, x, -1)));
    builder__int(b, "periodic", builder__below(b, 2));
    builder__int(b, "output_datatype", builder__dtype(b, x));
    return OP(b, "Mul", x, w);
}

/* x as a signal (.., n, 1), or (.., n, 2) where its last dim is 2 already. */
static uint32_t signal_of(struct graph_builder *b, const char *op_type, uint32_t x, uint32_t rank,
                          bool *is_complex)
{
    x = layer__fit(b, op_type, x);
    *is_complex =
        builder__rank(b, x) == rank && builder__dim(b, x, -1) == 2 && builder__chance(b, 70);
    if (*is_complex)
        return x;
    x = layer__rank(b, x, rank - 1);
    int64_t last = rank - 1;
    return builder__unsqueeze(b, x, &last, 1);
}

uint32_t layer__dft(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    bool is_complex, inverse = builder__chance(b, 40);
    uint32_t rank = builder__chance(b, 70) ? 3 + builder__below(b, 2) : 2 + builder__below(b, 5);
    uint32_t length = VALUE_NONE, axis = VALUE_NONE;
    x = signal_of(b, row->op_type, x, rank, &is_complex);
    int64_t along = builder__between_i(b, 0, rank - 2), n = builder__dim(b, x, along);
    bool one_sided = !inverse && !is_complex && builder__chance(b, 40);
    if (n < 1 || n > 256) {
        builder__fail(b, "too long a signal");
        return VALUE_NONE;
    }
    if (builder__chance(b, 30)) /* truncated, or padded with zeros */
        length = builder__i64(b, builder__between_i(b, 1, n + 2));
    if (b->m->opset >= 20)
        axis = builder__i64(b, builder__chance(b, 50) ? along : along - rank);
    uint32_t y = OP(b, row->op_type, x, length, axis);
    if (b->m->opset < 20)
        builder__int(b, "axis", along);
    builder__int(b, "inverse", inverse);
    builder__int(b, "onesided", one_sided);
    builder__note(b, "inverse=%d onesided=%d complex=%d", inverse, one_sided, is_complex);
    return y;
}

uint32_t layer__stft(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    bool is_complex, windowed = builder__chance(b, 60);
    x = signal_of(b, row->op_type, x, 3, &is_complex);
    int64_t n = builder__dim(b, x, 1), length = builder__between_i(b, 1, MIN(n, 32));
    uint32_t window = VALUE_NONE, given = VALUE_NONE;
    if (n < 1 || n > 1024) {
        builder__fail(b, "too long a signal");
        return VALUE_NONE;
    }
    uint32_t step = builder__i64(b, builder__between_i(b, MAX(1, n / 16), MAX(1, n / 16) + 3));
    if (windowed)
        window = builder__between(b, builder__dtype(b, x), &length, 1, 0.25, 1);
    if (!windowed || builder__chance(b, 50))
        given = builder__i64(b, length);
    uint32_t y = OP(b, row->op_type, x, step, window, given);
    builder__int(b, "onesided", is_complex ? 0 : builder__below(b, 2));
    builder__note(b, "window=%d complex=%d", windowed, is_complex);
    return y;
}

/* x times mel weights: the last dim of x is taken as the bins of a spectrum. */
uint32_t layer__mel_weights(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__rank(b, layer__fit(b, "Tanh", x), 2);
    int64_t bins = builder__dim(b, x, 1);
    if (bins < 2 || bins > 1024) {
        builder__fail(b, "no spectrum");
        return VALUE_NONE;
    }
    double low = (double)builder__between_i(b, 0, 8) * 20 + 1, rate = 8192;
    if (!b->fixed_inputs && builder__chance(b, 50)) { /* only the weights, computed */
        const double at[] = {(double)builder__between_i(b, 1, 8), (double)(2 * bins - 2), rate, low,
                             rate / 2 - 7};
        enum dtype t = layer__input_dtype(b, row->op_type, 0),
                   tf = layer__input_dtype(b, row->op_type, 3);
        uint32_t in[5];
        for (uint32_t i = 0; i < 5; i++)
            in[i] = layer__computed(b, i < 3 ? t : tf, NULL, 0, &at[i]);
        uint32_t alone = builder__op(b, row->op_type, 1, in, 5);
        if (builder__chance(b, 70))
            builder__int(b, "output_datatype", layer__output_dtype(b, row->op_type));
        return alone;
    }
    uint32_t n = builder__i64(b, builder__between_i(b, 1, 8)),
             length = builder__i64(b, 2 * bins - 2);
    uint32_t w = OP(b, row->op_type, n, length, builder__i64(b, (int64_t)rate),
                    fixed_scalar(b, DTYPE_FLOAT, low), fixed_scalar(b, DTYPE_FLOAT, rate / 2 - 7));
    builder__int(b, "output_datatype", builder__dtype(b, x));
    return OP(b, "MatMul", x, w);
}

/* x gives the scores; boxes are on a grid, so that some overlap. */
uint32_t layer__non_max_suppression(struct graph_builder *b, const struct layer_builder *row,
                                    uint32_t x)
{
    x = layer__rank(b, builder__cast(b, x, DTYPE_FLOAT), 3);
    struct dims p = builder__dims(b, x);
    int64_t d[3] = {p.at[0], p.at[2], 4};
    if (p.at[2] > 32 || p.at[0] * p.at[1] > 16) {
        builder__fail(b, "too many boxes");
        return VALUE_NONE;
    }
    uint32_t boxes = builder__between(b, DTYPE_FLOAT, d, 3, 0.25, 4.25), least = VALUE_NONE;
    uint32_t most = builder__i64(b, builder__between_i(b, 1, 4));
    uint32_t overlap =
        fixed_scalar(b, DTYPE_FLOAT, (double)builder__between_i(b, 0, 3) / 4 + 0.0625);
    if (builder__chance(b, 50))
        least = fixed_scalar(b, DTYPE_FLOAT, -0.1875);
    uint32_t y = OP(b, row->op_type, boxes, x, most, overlap, least);
    if (builder__chance(b, 50))
        builder__int(b, "center_point_box", 1);
    return y;
}

/* Regions inside the image and across its border, of positive size. */
static uint32_t draw_regions(struct graph_builder *b, enum dtype t, int64_t n, int64_t height,
                             int64_t width)
{
    double at[4 * 4];
    int64_t d[2] = {n, 4};
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < 2; c++) {
            int64_t size = MIN(c ? height : width, 64);
            double low = (double)builder__between_i(b, -4, 4 * size) / 4;
            at[4 * i + c] = low;
            at[4 * i + c + 2] = low + (double)builder__between_i(b, 1, 4 * size) / 4;
        }
    return builder__values(b, t, d, 2, at);
}

uint32_t layer__roi_align(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const char *const shifts[] = {"half_pixel", "output_half_pixel"};
    double image[4];
    x = layer__rank(b, layer__fit(b, row->op_type, x), 4);
    struct dims p = builder__dims(b, x);
    int64_t n = builder__between_i(b, 1, 4);
    if (p.at[0] < 1 || p.at[2] < 1 || p.at[3] < 1) {
        builder__fail(b, "no image");
        return VALUE_NONE;
    }
    for (int64_t i = 0; i < n; i++)
        image[i] = (double)builder__between_i(b, 0, MIN(p.at[0], 64) - 1);
    enum place before = b->weights;
    uint32_t rois = draw_regions(b, builder__dtype(b, x), n, p.at[2], p.at[3]);
    b->weights = b->shapes;
    uint32_t images = builder__values(b, DTYPE_INT64, &n, 1, image);
    b->weights = before;
    uint32_t y = OP(b, row->op_type, x, rois, images);
    builder__int(b, "output_height", builder__between_i(b, 1, 3));
    builder__int(b, "output_width", builder__between_i(b, 1, 3));
    builder__int(b, "sampling_ratio", builder__between_i(b, 0, 2));
    if (builder__chance(b, 50))
        builder__float(b, "spatial_scale", 0.5);
    if (b->m->opset >= 16)
        builder__string(b, "coordinate_transformation_mode", ONE_OF(b, shifts));
    if (builder__chance(b, 20))
        builder__string(b, "mode", "max");
    return y;
}

/* A number that divides n. */
static int64_t divisor(struct graph_builder *b, int64_t n)
{
    int64_t k = builder__chance(b, 50) ? 1 : builder__between_i(b, 1, MAX(n, 1));
    while (k > 1 && n % k != 0)
        k--;
    return k;
}

uint32_t layer__deform_conv(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__rank(b, layer__fit(b, row->op_type, x), 4);
    struct dims p = builder__dims(b, x);
    enum dtype t = builder__dtype(b, x);
    int64_t c = p.at[1], group = divisor(b, c), parts = divisor(b, c);
    int64_t m = group * builder__between_i(b, 1, 2), w[4] = {m, c / group, 1, 1}, pads[4] = {0};
    int64_t strides[2], dilations[2], d[4] = {p.at[0], 2 * parts};
    bool padded = builder__chance(b, 60), masked = builder__chance(b, 50);
    bool equal = builder__chance(b, 50);
    if (c < 1 || c > 64 || p.at[2] < 1 || p.at[3] < 1 || p.at[2] * p.at[3] > 1024) {
        builder__fail(b, "too large an image");
        return VALUE_NONE;
    }
    for (int i = 0; i < 2; i++) {
        int64_t size = p.at[i + 2], most = equal ? MIN(p.at[2], p.at[3]) : size;
        w[i + 2] = equal && i ? w[2] : builder__between_i(b, 1, MIN(most, 3));
        strides[i] = equal && i ? strides[0] : builder__between_i(b, 1, 2);
        dilations[i] = equal && i ? dilations[0] : builder__between_i(b, 1, 2);
        if ((w[i + 2] - 1) * dilations[i] + 1 > most)
            dilations[i] = 1;
        for (int side = 0; padded && w[i + 2] > 1 && side < 4; side += 2)
            pads[i + side] = equal ? 1 : builder__between_i(b, 0, 1);
        int64_t extent = (w[i + 2] - 1) * dilations[i] + 1;
        d[i + 2] = (size + pads[i] + pads[i + 2] - extent) / strides[i] + 1;
        d[1] *= w[i + 2];
    }
    uint32_t weights = builder__random(b, t, w, 4, 0.5), bias = VALUE_NONE, mask = VALUE_NONE;
    uint32_t offset = builder__between(b, t, d, 4, -1, 1);
    d[1] /= 2;
    if (masked)
        mask = builder__between(b, t, d, 4, 0, 1);
    if (builder__chance(b, 50))
        bias = builder__random(b, t, &m, 1, 1);
    uint32_t y = OP(b, row->op_type, x, weights, offset, bias, mask);
    builder__int(b, "group", group);
    builder__int(b, "offset_group", parts);
    if (builder__chance(b, 50))
        builder__int_list(b, "kernel_shape", w + 2, 2);
    if (padded || builder__chance(b, 30))
        builder__int_list(b, "pads", pads, 4);
    builder__int_list(b, "strides", strides, 2);
    builder__int_list(b, "dilations", dilations, 2);
    builder__note(b, "group=%lld offset_group=%lld mask=%d", (long long)group, (long long)parts,
                  masked);
    return y;
}

/* The bits of x as another dtype of the same width: numbers become integers, or integers are small,
 * so that no result is NaN. */
uint32_t layer__bit_cast(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    enum dtype t = builder__dtype(b, x), to = DTYPE_UNDEFINED;
    for (int draws = 0; draws < 64 && to == DTYPE_UNDEFINED; draws++) {
        enum dtype drawn = layer__output_dtype(b, row->op_type);
        if (dtype_row(drawn)->n_bits == dtype_row(t)->n_bits && drawn != t &&
            (drawn != DTYPE_BOOL) && !(dtype_is_float(t) && dtype_is_float(drawn)))
            to = drawn;
    }
    if (to == DTYPE_UNDEFINED) {
        builder__fail(b, "no dtype of this width");
        return VALUE_NONE;
    }
    if (dtype_is_float(to) && dtype_row(t)->class == DTYPE_CLASS_SIGNED &&
        builder__allows(b, "Abs", 0, t))
        x = OP(b, "Abs", x);
    uint32_t y = OP(b, row->op_type, x);
    builder__int(b, "to", to);
    builder__note(b, "%s as %s", dtype_name(t), dtype_name(to));
    return y;
}

uint32_t layer__tfidf(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const char *const modes[] = {"TF", "IDF", "TFIDF"};
    static const int64_t pool[] = {-1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1};
    static const int64_t starts[] = {0, 3, 9};
    static const int64_t indexes[] = {2, 0, 1, 5, 3, 4, 6};
    static const float weights[] = {0.5f, 2, 1, 0.25f, 3, 1.5f, 0.75f};
    int64_t longest = builder__between_i(b, 1, 3);
    x = builder__cast(b, x, builder__chance(b, 50) ? DTYPE_INT32 : DTYPE_INT64);
    x = layer__rank(b, x, 1 + builder__below(b, 2));
    uint32_t y = OP(b, row->op_type, x);
    builder__string(b, "mode", ONE_OF(b, modes));
    builder__int(b, "min_gram_length", builder__between_i(b, 1, longest));
    builder__int(b, "max_gram_length", longest);
    builder__int(b, "max_skip_count", builder__between_i(b, 0, 3));
    builder__int_list(b, "ngram_counts", starts, COUNT_OF(starts));
    builder__int_list(b, "ngram_indexes", indexes, COUNT_OF(indexes));
    builder__int_list(b, "pool_int64s", pool, COUNT_OF(pool));
    if (!b->failed)
        node_set_floats(b->m, graph_last_node(b->g), "weights", weights, COUNT_OF(weights));
    return y;
}
