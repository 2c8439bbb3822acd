/*
 * Layer builders of operators that few models use: losses, loops, quantised convolution, rotary
 * embedding, Unique, Col2Im, AffineGrid, TensorScatter.
 */
#include "generate/mutate/layer_p.h"

uint32_t layer__qlinear_conv(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    enum dtype q = builder__chance(b, 60) ? DTYPE_UINT8 : DTYPE_INT8;
    double z = q == DTYPE_UINT8 ? 128 : 0;
    x = layer__rank(b, builder__cast(b, x, DTYPE_FLOAT), 4);
    int64_t c = builder__dim(b, x, 1), n = builder__between_i(b, 1, 4);
    int64_t k = MIN(builder__between_i(b, 1, 3), MIN(builder__dim(b, x, 2), builder__dim(b, x, 3)));
    int64_t d[4] = {n, c, k, k}, pads[4] = {k / 2, k / 2, k / 2, k / 2};
    enum place before = b->weights;
    bool per_axis = builder__chance(b, 40);
    b->weights = b->shapes;
    uint32_t sx = builder__scalar(b, DTYPE_FLOAT, 0.03125), zx = builder__scalar(b, q, z);
    uint32_t xq = OP(b, "QuantizeLinear", x, sx, zx);
    uint32_t w = builder__between(b, DTYPE_INT8, d, 4, -64, 64);
    uint32_t sw = per_axis ? builder__between(b, DTYPE_FLOAT, &n, 1, 0.0078125, 0.03125)
                           : builder__scalar(b, DTYPE_FLOAT, 0.015625);
    uint32_t zw = per_axis ? builder__filled(b, DTYPE_INT8, &n, 1, 0)
                           : builder__scalar(b, DTYPE_INT8, builder__chance(b, 50) ? 0 : 3);
    uint32_t sy = builder__scalar(b, DTYPE_FLOAT, 0.0625), zy = builder__scalar(b, q, z);
    uint32_t bias = builder__chance(b, 50) ? builder__between(b, DTYPE_INT32, &n, 1, -500, 500)
                                           : (uint32_t)VALUE_NONE;
    b->weights = before;
    uint32_t y = OP(b, row->op_type, xq, sx, zx, w, sw, zw, sy, zy, bias);
    if (builder__chance(b, 60))
        builder__int_list(b, "pads", pads, 4);
    builder__note(b, "%s per_axis=%d", dtype_name(q), per_axis);
    return builder__chance(b, 50) ? OP(b, "DequantizeLinear", y, sy, zy) : y;
}

/* [batch, heads, sequence, size]; caches by position, or of the sequence itself. */
uint32_t layer__rotary_embedding(struct graph_builder *b, const struct layer_builder *row,
                                 uint32_t x)
{
    x = layer__rank(b, layer__fit(b, row->op_type, x), 4);
    struct dims p = builder__dims(b, x);
    enum dtype t = builder__dtype(b, x);
    if (p.at[3] % 2 != 0) {
        x = OP(b, "Concat", x, x);
        builder__int(b, "axis", -1);
        p.at[3] *= 2;
    }
    int64_t cache[3] = {p.at[0], p.at[2], p.at[3] / 2}, by_position[2] = {8, p.at[3] / 2};
    int64_t ids[2] = {p.at[0], p.at[2]};
    bool positions = builder__chance(b, 50);
    const int64_t *d = positions ? by_position : cache;
    uint32_t cosine = builder__between(b, t, d, positions ? 2 : 3, -1, 1);
    uint32_t sine = builder__between(b, t, d, positions ? 2 : 3, -1, 1), at = VALUE_NONE;
    enum place before = b->weights;
    b->weights = b->shapes;
    if (positions)
        at = builder__random(b, DTYPE_INT64, ids, 2, 1);
    b->weights = before;
    uint32_t y = OP(b, row->op_type, x, cosine, sine, at);
    if (builder__chance(b, 50))
        builder__int(b, "interleaved", 1);
    return y;
}

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

uint32_t layer__col2im(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__rank(b, layer__fit(b, row->op_type, x), 3);
    int64_t n = builder__dim(b, x, 2), wide = builder__dim(b, x, 1) % 2 == 0 ? 2 : 1;
    int64_t block[2] = {1, wide}, size[2] = {1, n + wide - 1};
    uint32_t sv = builder__i64s(b, size, 2);
    return OP(b, row->op_type, x, sv, builder__i64s(b, block, 2));
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

uint32_t layer__tensor_scatter(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    if (builder__rank(b, x) < 3)
        x = layer__rank(b, x, 3);
    struct dims d = builder__dims(b, x);
    int64_t batch = d.at[0], size = d.at[d.n - 2];
    d.at[d.n - 2] = builder__between_i(b, 1, size);
    enum place before = b->weights;
    uint32_t update = builder__random(b, builder__dtype(b, x), d.at, d.n, 1);
    b->weights = b->shapes;
    uint32_t at = builder__filled(b, DTYPE_INT64, &batch, 1,
                                  (double)builder__between_i(b, 0, size - d.at[d.n - 2]));
    b->weights = before;
    return OP(b, row->op_type, x, update, at);
}

/* A Loop of one to three iterations of one operator on a carried value, which is a scan
 * output too. */
uint32_t layer__loop(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const char *const bodies[] = {"Neg", "Abs", "Relu", "Tanh", "Sigmoid", "Identity"};
    x = layer__fit(b, "Tanh", x);
    struct dims d = builder__dims(b, x);
    enum dtype t = builder__dtype(b, x);
    const char *op_type = ONE_OF(b, bodies);
    uint32_t rounds = builder__i64(b, builder__between_i(b, 1, 3)), in[3];
    if (b->failed)
        return VALUE_NONE;
    struct graph *g = graph_new(b->m, STR("body"));
    g->parent = b->g;
    const char *tag = arena_printf(b->m->arena, "%zu", b->g->values.n);
    in[0] = graph_add_input(b->m, g, str_of(arena_printf(b->m->arena, "round_%s", tag)),
                            DTYPE_INT64, NULL, 0);
    in[1] = graph_add_input(b->m, g, str_of(arena_printf(b->m->arena, "go_%s", tag)), DTYPE_BOOL,
                            NULL, 0);
    in[2] = graph_add_input(b->m, g, str_of(arena_printf(b->m->arena, "carried_%s", tag)), t, d.at,
                            d.n);
    const char *const ops[] = {"Identity", op_type};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t v = graph_add_node(b->m, g, ops[i], &in[i + 1], 1, 1);
        struct str own = str_of(arena_printf(b->m->arena, "body_%u_%s", i, tag));
        g->values.at[v].name = own;
        map_put(&g->by_name, b->m->arena, own, v);
        graph_add_output(g, v);
    }
    uint32_t y = OP(b, row->op_type, rounds, VALUE_NONE, x);
    if (b->failed)
        return VALUE_NONE;
    node_set_graph(b->m, graph_last_node(b->g), "body", g);
    builder__note(b, "%s", op_type);
    return y;
}
