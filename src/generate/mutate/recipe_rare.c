/*
 * Recipes of operators that few models use: losses, loops, quantised convolution, rotary embedding,
 * Unique, Col2Im, AffineGrid, TensorScatter.
 */
#include "generate/mutate/recipe_p.h"

uint32_t recipe__qlinear_conv(struct sketch *s, const struct recipe *row, uint32_t x)
{
    enum dtype q = sketch__chance(s, 60) ? DTYPE_UINT8 : DTYPE_INT8;
    double z = q == DTYPE_UINT8 ? 128 : 0;
    x = recipe__rank(s, sketch__cast(s, x, DTYPE_FLOAT), 4);
    int64_t c = sketch__dim(s, x, 1), n = sketch__between_i(s, 1, 4);
    int64_t k = MIN(sketch__between_i(s, 1, 3), MIN(sketch__dim(s, x, 2), sketch__dim(s, x, 3)));
    int64_t d[4] = {n, c, k, k}, pads[4] = {k / 2, k / 2, k / 2, k / 2};
    enum place before = s->weights;
    bool per_axis = sketch__chance(s, 40);
    s->weights = s->shapes;
    uint32_t sx = sketch__scalar(s, DTYPE_FLOAT, 0.03125), zx = sketch__scalar(s, q, z);
    uint32_t xq = OP(s, "QuantizeLinear", x, sx, zx);
    uint32_t w = sketch__between(s, DTYPE_INT8, d, 4, -64, 64);
    uint32_t sw = per_axis ? sketch__between(s, DTYPE_FLOAT, &n, 1, 0.0078125, 0.03125)
                           : sketch__scalar(s, DTYPE_FLOAT, 0.015625);
    uint32_t zw = per_axis ? sketch__filled(s, DTYPE_INT8, &n, 1, 0)
                           : sketch__scalar(s, DTYPE_INT8, sketch__chance(s, 50) ? 0 : 3);
    uint32_t sy = sketch__scalar(s, DTYPE_FLOAT, 0.0625), zy = sketch__scalar(s, q, z);
    uint32_t b = sketch__chance(s, 50) ? sketch__between(s, DTYPE_INT32, &n, 1, -500, 500)
                                       : (uint32_t)VALUE_NONE;
    s->weights = before;
    uint32_t y = OP(s, row->op_type, xq, sx, zx, w, sw, zw, sy, zy, b);
    if (sketch__chance(s, 60))
        sketch__int_list(s, "pads", pads, 4);
    sketch__note(s, "%s per_axis=%d", dtype_name(q), per_axis);
    return sketch__chance(s, 50) ? OP(s, "DequantizeLinear", y, sy, zy) : y;
}

/* [batch, heads, sequence, size]; caches by position, or of the sequence itself. */
uint32_t recipe__rotary_embedding(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 4);
    struct dims p = sketch__dims(s, x);
    enum dtype t = sketch__dtype(s, x);
    if (p.at[3] % 2 != 0) {
        x = OP(s, "Concat", x, x);
        sketch__int(s, "axis", -1);
        p.at[3] *= 2;
    }
    int64_t cache[3] = {p.at[0], p.at[2], p.at[3] / 2}, by_position[2] = {8, p.at[3] / 2};
    int64_t ids[2] = {p.at[0], p.at[2]};
    bool positions = sketch__chance(s, 50);
    const int64_t *d = positions ? by_position : cache;
    uint32_t cosine = sketch__between(s, t, d, positions ? 2 : 3, -1, 1);
    uint32_t sine = sketch__between(s, t, d, positions ? 2 : 3, -1, 1), at = VALUE_NONE;
    enum place before = s->weights;
    s->weights = s->shapes;
    if (positions)
        at = sketch__random(s, DTYPE_INT64, ids, 2, 1);
    s->weights = before;
    uint32_t y = OP(s, row->op_type, x, cosine, sine, at);
    if (sketch__chance(s, 50))
        sketch__int(s, "interleaved", 1);
    return y;
}

/* Labels for scores [N, C, ..]. */
static uint32_t labels_for(struct sketch *s, uint32_t x)
{
    struct dims p = sketch__dims(s, x), d = {0};
    double values[256];
    size_t n = 1;
    enum place before = s->weights;
    for (uint32_t i = 0; i < p.n; i++) {
        if (i != 1)
            d.at[d.n++] = p.at[i], n *= (size_t)p.at[i];
    }
    if (n > COUNT_OF(values) || p.at[1] < 1) {
        sketch__fail(s, "too many labels");
        return VALUE_NONE;
    }
    for (size_t i = 0; i < n; i++)
        values[i] = (double)sketch__between_i(s, 0, p.at[1] - 1);
    s->weights = s->shapes;
    uint32_t v = sketch__values(s, DTYPE_INT64, d.at, d.n, values);
    s->weights = before;
    return v;
}

uint32_t recipe__loss(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const char *const reductions[] = {"none", "mean", "sum"};
    x = recipe__fit(s, row->op_type, x);
    if (sketch__rank(s, x) < 2)
        x = recipe__rank(s, x, 2 + sketch__below(s, 2));
    int64_t c = sketch__dim(s, x, 1);
    uint32_t labels = labels_for(s, x), w = VALUE_NONE;
    if (sketch__chance(s, 50))
        w = sketch__between(s, sketch__dtype(s, x), &c, 1, 0.5, 1.5);
    uint32_t y = OP(s, row->op_type, x, labels, w);
    const char *reduction = PICK(s, reductions);
    sketch__string(s, "reduction", reduction);
    if (sketch__chance(s, 30))
        sketch__int(s, "ignore_index", sketch__chance(s, 50) ? 0 : -1);
    sketch__note(s, "%s weighted=%d", reduction, w != VALUE_NONE);
    return y;
}

uint32_t recipe__unique(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    uint32_t rank = sketch__rank(s, x), n = 1 + sketch__below(s, 4);
    uint32_t y = OP_N(s, row->op_type, n, x);
    if (rank > 0 && sketch__chance(s, 40))
        sketch__int(s, "axis", sketch__axis(s, rank, NULL));
    if (sketch__chance(s, 50))
        sketch__int(s, "sorted", sketch__below(s, 2));
    return y;
}

uint32_t recipe__col2im(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 3);
    int64_t n = sketch__dim(s, x, 2), wide = sketch__dim(s, x, 1) % 2 == 0 ? 2 : 1;
    int64_t block[2] = {1, wide}, size[2] = {1, n + wide - 1};
    uint32_t sv = sketch__i64s(s, size, 2);
    return OP(s, row->op_type, x, sv, sketch__i64s(s, block, 2));
}

uint32_t recipe__affine_grid(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int64_t theta[3] = {1, 2, 3}, size[4] = {1, 2, sketch__between_i(s, 1, 4), 3};
    enum dtype t = sketch__dtype(s, x);
    if (!sketch__allows(s, row->op_type, 0, t))
        t = DTYPE_FLOAT;
    uint32_t v = sketch__between(s, t, theta, 3, -1, 1);
    uint32_t y = OP(s, row->op_type, v, sketch__i64s(s, size, 4));
    sketch__int(s, "align_corners", sketch__below(s, 2));
    return y;
}

uint32_t recipe__tensor_scatter(struct sketch *s, const struct recipe *row, uint32_t x)
{
    if (sketch__rank(s, x) < 3)
        x = recipe__rank(s, x, 3);
    struct dims d = sketch__dims(s, x);
    int64_t batch = d.at[0], size = d.at[d.n - 2];
    d.at[d.n - 2] = sketch__between_i(s, 1, size);
    enum place before = s->weights;
    uint32_t update = sketch__random(s, sketch__dtype(s, x), d.at, d.n, 1);
    s->weights = s->shapes;
    uint32_t at = sketch__filled(s, DTYPE_INT64, &batch, 1,
                                 (double)sketch__between_i(s, 0, size - d.at[d.n - 2]));
    s->weights = before;
    return OP(s, row->op_type, x, update, at);
}

/* Three or no rounds of one operator on a carried value, which is also collected. */
uint32_t recipe__loop(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const char *const bodies[] = {"Neg", "Abs", "Relu", "Tanh", "Sigmoid", "Identity"};
    x = recipe__fit(s, "Tanh", x);
    struct dims d = sketch__dims(s, x);
    enum dtype t = sketch__dtype(s, x);
    const char *op_type = PICK(s, bodies);
    uint32_t rounds = sketch__i64(s, sketch__between_i(s, 1, 3)), in[3];
    if (s->failed)
        return VALUE_NONE;
    struct graph *g = graph_new(s->m, STR("body"));
    g->parent = s->g;
    const char *tag = arena_printf(s->m->arena, "%zu", s->g->values.n);
    in[0] = graph_add_input(s->m, g, str_of(arena_printf(s->m->arena, "round_%s", tag)),
                            DTYPE_INT64, NULL, 0);
    in[1] = graph_add_input(s->m, g, str_of(arena_printf(s->m->arena, "go_%s", tag)), DTYPE_BOOL,
                            NULL, 0);
    in[2] = graph_add_input(s->m, g, str_of(arena_printf(s->m->arena, "carried_%s", tag)), t, d.at,
                            d.n);
    const char *const ops[] = {"Identity", op_type};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t v = graph_add_node(s->m, g, ops[i], &in[i + 1], 1, 1);
        struct str own = str_of(arena_printf(s->m->arena, "body_%u_%s", i, tag));
        g->values.at[v].name = own;
        map_put(&g->by_name, s->m->arena, own, v);
        graph_add_output(g, v);
    }
    uint32_t y = OP(s, row->op_type, rounds, VALUE_NONE, x);
    if (s->failed)
        return VALUE_NONE;
    node_set_graph(s->m, graph_last_node(s->g), "body", g);
    sketch__note(s, "%s", op_type);
    return y;
}
