/*
 * Layer builders of operators that few models use: losses, Unique, Col2Im, AffineGrid.
 */
#include "generate/mutate/layer_p.h"

/* Labels for scores [N, C, ..]. */
static uint32_t labels_for(struct graph_builder *b, uint32_t x)
{
    struct dims p = builder__dims(b, x), d = {0};
    double values[256];
    size_t n = 1;
    enum place before = b->weights;
    for (uint32_t i = 0; i < p.n; i++) {
        if (i != 1)
            d.at[d.n++] = p.at[i], n *= (size_t)p.at[i];
    }
    if (n > COUNT_OF(values) || p.at[1] < 1) {
        builder__fail(b, "too many labels");
        return VALUE_NONE;
    }
    for (size_t i = 0; i < n; i++)
        values[i] = (double)builder__between_i(b, 0, p.at[1] - 1);
    b->weights = b->shapes;
    uint32_t v = builder__values(b, DTYPE_INT64, d.at, d.n, values);
    b->weights = before;
    return v;
}

uint32_t layer__loss(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const char *const reductions[] = {"none", "mean", "sum"};
    x = layer__fit(b, row->op_type, x);
    if (builder__rank(b, x) < 2)
        x = layer__rank(b, x, 2 + builder__below(b, 2));
    int64_t c = builder__dim(b, x, 1);
    uint32_t labels = labels_for(b, x), w = VALUE_NONE;
    if (builder__chance(b, 50))
        w = builder__between(b, builder__dtype(b, x), &c, 1, 0.5, 1.5);
    uint32_t y = OP(b, row->op_type, x, labels, w);
    const char *reduction = ONE_OF(b, reductions);
    builder__string(b, "reduction", reduction);
    if (builder__chance(b, 30))
        builder__int(b, "ignore_index", builder__chance(b, 50) ? 0 : -1);
    builder__note(b, "%s weighted=%d", reduction, w != VALUE_NONE);
    return y;
}

uint32_t layer__unique(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    uint32_t rank = builder__rank(b, x), n = 1 + builder__below(b, 4);
    uint32_t y = OP_N(b, row->op_type, n, x);
    if (rank > 0 && builder__chance(b, 40))
        builder__int(b, "axis", builder__axis(b, rank, NULL));
    if (builder__chance(b, 50))
        builder__int(b, "sorted", builder__below(b, 2));
    return y;
}

uint32_t layer__affine_grid(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int64_t theta[3] = {1, 2, 3}, size[4] = {1, 2, builder__between_i(b, 1, 4), 3};
    enum dtype t = builder__dtype(b, x);
    if (!builder__allows(b, row->op_type, 0, t))
        t = DTYPE_FLOAT;
    uint32_t v = builder__between(b, t, theta, 3, -1, 1);
    uint32_t y = OP(b, row->op_type, v, builder__i64s(b, size, 4));
    builder__int(b, "align_corners", builder__below(b, 2));
    return y;
}

/* x as blocks of a two-dimensional image: (N, C * block, as many blocks as fit). */
uint32_t layer__col2im(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int64_t d[3] = {builder__between_i(b, 1, 2), builder__between_i(b, 1, 2), 1};
    int64_t size[2], block[2], pads[4] = {0}, strides[2], dilations[2];
    bool equal = builder__chance(b, 50), padded = builder__chance(b, 50);
    for (int i = 0; i < 2; i++) {
        bool same = equal && i == 1;
        block[i] = same ? block[0] : builder__between_i(b, 1, 3);
        strides[i] = same ? strides[0] : builder__between_i(b, 1, 2);
        dilations[i] = same ? dilations[0] : builder__between_i(b, 1, 2);
        for (int side = 0; padded && side < 4; side += 2)
            pads[i + side] = equal ? 1 : builder__between_i(b, 0, 2);
        int64_t extent = dilations[i] * (block[i] - 1) + 1;
        size[i] = extent + builder__between_i(b, 0, 3);
        d[1] *= block[i];
        d[2] *= (size[i] + pads[i] + pads[i + 2] - extent) / strides[i] + 1;
    }
    x = layer__shaped(b, layer__fit(b, row->op_type, x), d, 3);
    uint32_t sv = builder__i64s(b, size, 2);
    uint32_t y = OP(b, row->op_type, x, sv, builder__i64s(b, block, 2));
    if (padded || builder__chance(b, 30))
        builder__int_list(b, "pads", pads, 4);
    builder__int_list(b, "strides", strides, 2);
    builder__int_list(b, "dilations", dilations, 2);
    return y;
}
