/*
 * Layer builders of quantisation, recurrent networks, attention and control flow.
 */
#include "generate/mutate/layer_p.h"

/* x quantised and back: per tensor, per axis or per block, with each 8-, 16- and 4-bit type. */
uint32_t layer__quantize(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const enum dtype types[] = {DTYPE_UINT8,  DTYPE_INT8,  DTYPE_UINT8, DTYPE_INT8,
                                       DTYPE_UINT16, DTYPE_INT16, DTYPE_UINT4, DTYPE_INT4};
    enum dtype q = types[builder__below(b, b->m->opset >= 21 ? 8 : 4)];
    enum dtype t = builder__dtype(b, x);
    if (!dtype_is_float(t) || !builder__allows(b, "QuantizeLinear", 0, t) ||
        !builder__allows(b, "QuantizeLinear", 1, t))
        x = builder__cast(b, x, t = DTYPE_FLOAT);
    struct dims p = builder__dims(b, x);
    int64_t plain = 0, axis = p.n > 0 ? builder__axis(b, p.n, &plain) : 0;
    bool per_axis = p.n > 0 && b->m->opset >= 13 && builder__chance(b, 35);
    int64_t n = per_axis ? p.at[plain] : 1;
    bool is_signed = dtype_row(q)->class == DTYPE_CLASS_SIGNED;
    double scale = dtype_row(q)->n_bits == 4   ? 0.5
                   : dtype_row(q)->n_bits == 8 ? 0.03125
                                               : 0.000244140625;
    enum place before = b->weights;
    b->weights = b->shapes;
    uint32_t sv =
        per_axis ? builder__between(b, t, &n, 1, scale, 4 * scale) : builder__scalar(b, t, scale);
    uint32_t zv = VALUE_NONE;
    if (q != DTYPE_UINT8 || builder__chance(b, 70)) {
        double z =
            is_signed ? (double)builder__between_i(b, -3, 3) : (double)builder__between_i(b, 0, 8);
        zv = per_axis ? builder__filled(b, q, &n, 1, z) : builder__scalar(b, q, z);
    }
    b->weights = before;
    uint32_t y = OP(b, "QuantizeLinear", x, sv, zv);
    if (per_axis)
        builder__int(b, "axis", axis);
    builder__note(b, "%s axis=%lld", dtype_name(q), per_axis ? (long long)axis : -99);
    if (strcmp(row->op_type, "QuantizeLinear") == 0 && builder__chance(b, 30))
        return y;
    y = OP(b, "DequantizeLinear", y, sv, zv);
    if (per_axis)
        builder__int(b, "axis", axis);
    return y;
}

uint32_t layer__dynamic_quantize(struct graph_builder *b, const struct layer_builder *row,
                                 uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    uint32_t y = OP_N(b, row->op_type, 3, x);
    if (y == VALUE_NONE || builder__chance(b, 40))
        return y;
    return OP(b, "DequantizeLinear", y, y + 1, y + 2);
}

uint32_t layer__qlinear_matmul(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    enum dtype q = builder__chance(b, 60) ? DTYPE_UINT8 : DTYPE_INT8;
    x = layer__fit(b, "QuantizeLinear", x);
    if (builder__dtype(b, x) != DTYPE_FLOAT)
        x = builder__cast(b, x, DTYPE_FLOAT);
    if (builder__rank(b, x) < 2)
        x = layer__rank(b, x, 2);
    enum place before = b->weights;
    b->weights = b->shapes;
    uint32_t sx = builder__scalar(b, DTYPE_FLOAT, 0.03125),
             zx = builder__scalar(b, q, q == DTYPE_UINT8 ? 128 : 0);
    int64_t d[2] = {builder__dim(b, x, -1), 3};
    uint32_t xq = OP(b, "QuantizeLinear", x, sx, zx);
    uint32_t w =
        builder__between(b, q, d, 2, q == DTYPE_UINT8 ? 96 : -32, q == DTYPE_UINT8 ? 160 : 32);
    uint32_t sw = builder__scalar(b, DTYPE_FLOAT, 0.015625),
             sy = builder__scalar(b, DTYPE_FLOAT, 0.0625);
    b->weights = before;
    return OP(b, row->op_type, xq, sx, zx, w, sw, zx, sy, zx);
}

uint32_t layer__rnn(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const char *const directions[] = {"forward", "reverse", "bidirectional"};
    int64_t gates = strcmp(row->op_type, "LSTM") == 0  ? 4
                    : strcmp(row->op_type, "GRU") == 0 ? 3
                                                       : 1;
    int64_t h = builder__between_i(b, 1, 4);
    x = layer__rank(b, layer__fit(b, row->op_type, x), 3);
    const char *direction = ONE_OF(b, directions);
    int64_t n_dir = strcmp(direction, "bidirectional") == 0 ? 2 : 1;
    int64_t w[3] = {n_dir, gates * h, builder__dim(b, x, 2)}, r[3] = {n_dir, gates * h, h};
    int64_t bias[2] = {n_dir, 2 * gates * h}, init[3] = {n_dir, builder__dim(b, x, 1), h};
    enum dtype t = builder__dtype(b, x);
    if (builder__count(b, x) > 20000 || w[2] > 512) {
        builder__fail(b, "too large for a recurrent layer");
        return VALUE_NONE;
    }
    uint32_t wv = builder__random(b, t, w, 3, 0.5), rv = builder__random(b, t, r, 3, 0.5);
    uint32_t bv =
        builder__chance(b, 60) ? builder__random(b, t, bias, 2, 0.5) : (uint32_t)VALUE_NONE;
    uint32_t hv =
        builder__chance(b, 30) ? builder__random(b, t, init, 3, 0.5) : (uint32_t)VALUE_NONE;
    uint32_t which = builder__below(b, gates == 4 ? 3 : 2);
    uint32_t y = OP_N(b, row->op_type, which + 1, x, wv, rv, bv, VALUE_NONE, hv);
    builder__int(b, "hidden_size", h);
    if (n_dir == 2 || builder__chance(b, 70))
        builder__string(b, "direction", direction);
    if (gates == 3 && builder__chance(b, 50))
        builder__int(b, "linear_before_reset", 1);
    builder__note(b, "%s hidden=%lld out=%u", direction, (long long)h, which);
    return y == VALUE_NONE ? y : y + which;
}

/* Attention (opset 23) on [batch, sequence, heads * size]. */
uint32_t layer__attention(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__rank(b, layer__fit(b, row->op_type, x), 3);
    struct dims p = builder__dims(b, x);
    int64_t heads = p.at[2] % 2 == 0 ? 2 : 1;
    enum dtype t = builder__dtype(b, x);
    int64_t kv[3] = {p.at[0], builder__between_i(b, 1, 4), p.at[2]};
    bool self = builder__chance(b, 50);
    uint32_t k = self ? x : builder__random(b, t, kv, 3, 0.5);
    uint32_t v = self ? x : builder__random(b, t, kv, 3, 0.5), mask = VALUE_NONE;
    if (builder__chance(b, 40)) {
        int64_t md[2] = {p.at[1], self ? p.at[1] : kv[1]};
        mask = builder__random(b, builder__chance(b, 60) ? t : DTYPE_BOOL, md, 2, 1);
        if (!b->failed && b->g->values.at[mask].dtype == DTYPE_BOOL)
            mask = builder__cast(b, mask, t); /* a row of false has no defined result */
    }
    uint32_t y = OP(b, row->op_type, x, k, v, mask);
    builder__int(b, "q_num_heads", heads);
    builder__int(b, "kv_num_heads", heads);
    corner__set_some(b, 40);
    return y;
}

/* A branch of one operator on an outer value. Its own names differ from all outer ones. */
static struct graph *branch(struct graph_builder *b, uint32_t x, const char *op_type,
                            const char *name)
{
    struct graph *g = graph_new(b->m, str_of(name));
    g->parent = b->g;
    uint32_t in = graph_add_value(b->m, g, b->g->values.at[x].name);
    g->values.at[in].origin = ORIGIN_OUTER;
    g->values.at[in].origin_at = x;
    uint32_t out = graph_add_node(b->m, g, op_type, &in, 1, 1);
    struct str own = str_of(arena_printf(b->m->arena, "%s_%zu", name, b->g->values.n));
    g->values.at[out].name = own;
    map_put(&g->by_name, b->m->arena, own, out);
    graph_add_output(g, out);
    return g;
}

uint32_t layer__if_else(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const char *const bodies[] = {"Neg", "Abs", "Identity", "Relu", "Sign", "Tanh"};
    x = layer__fit(b, "Tanh", x);
    const char *then_op = ONE_OF(b, bodies), *else_op = ONE_OF(b, bodies);
    uint32_t c = builder__random(b, DTYPE_BOOL, NULL, 0, 1);
    if (b->failed)
        return VALUE_NONE;
    uint32_t y = OP(b, row->op_type, c);
    if (b->failed)
        return VALUE_NONE;
    node_set_graph(b->m, graph_last_node(b->g), "then_branch", branch(b, x, then_op, "then"));
    node_set_graph(b->m, graph_last_node(b->g), "else_branch", branch(b, x, else_op, "else"));
    builder__note(b, "%s/%s", then_op, else_op);
    return y;
}
