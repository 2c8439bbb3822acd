/*
 * Recipes of quantisation, recurrent networks, attention and control flow.
 */
#include "generate/mutate/recipe_p.h"

/* x quantised and back: per tensor, per axis or per block, with each 8-, 16- and 4-bit type. */
uint32_t recipe__quantize(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const enum dtype types[] = {DTYPE_UINT8,  DTYPE_INT8,  DTYPE_UINT8, DTYPE_INT8,
                                       DTYPE_UINT16, DTYPE_INT16, DTYPE_UINT4, DTYPE_INT4};
    enum dtype q = types[sketch__below(s, s->m->opset >= 21 ? 8 : 4)];
    enum dtype t = sketch__dtype(s, x);
    if (!dtype_is_float(t) || !sketch__allows(s, "QuantizeLinear", 0, t) ||
        !sketch__allows(s, "QuantizeLinear", 1, t))
        x = sketch__cast(s, x, t = DTYPE_FLOAT);
    struct dims p = sketch__dims(s, x);
    int64_t plain = 0, axis = p.n > 0 ? sketch__axis(s, p.n, &plain) : 0;
    bool per_axis = p.n > 0 && s->m->opset >= 13 && sketch__chance(s, 35);
    int64_t n = per_axis ? p.at[plain] : 1;
    bool is_signed = dtype_row(q)->class == DTYPE_CLASS_SIGNED;
    double scale = dtype_row(q)->n_bits == 4   ? 0.5
                   : dtype_row(q)->n_bits == 8 ? 0.03125
                                               : 0.000244140625;
    enum place before = s->weights;
    s->weights = s->shapes;
    uint32_t sv =
        per_axis ? sketch__between(s, t, &n, 1, scale, 4 * scale) : sketch__scalar(s, t, scale);
    uint32_t zv = VALUE_NONE;
    if (q != DTYPE_UINT8 || sketch__chance(s, 70)) {
        double z =
            is_signed ? (double)sketch__between_i(s, -3, 3) : (double)sketch__between_i(s, 0, 8);
        zv = per_axis ? sketch__filled(s, q, &n, 1, z) : sketch__scalar(s, q, z);
    }
    s->weights = before;
    uint32_t y = OP(s, "QuantizeLinear", x, sv, zv);
    if (per_axis)
        sketch__int(s, "axis", axis);
    sketch__note(s, "%s axis=%lld", dtype_name(q), per_axis ? (long long)axis : -99);
    if (strcmp(row->op_type, "QuantizeLinear") == 0 && sketch__chance(s, 30))
        return y;
    y = OP(s, "DequantizeLinear", y, sv, zv);
    if (per_axis)
        sketch__int(s, "axis", axis);
    return y;
}

uint32_t recipe__dynamic_quantize(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    uint32_t y = OP_N(s, row->op_type, 3, x);
    if (y == VALUE_NONE || sketch__chance(s, 40))
        return y;
    return OP(s, "DequantizeLinear", y, y + 1, y + 2);
}

uint32_t recipe__qlinear_matmul(struct sketch *s, const struct recipe *row, uint32_t x)
{
    enum dtype q = sketch__chance(s, 60) ? DTYPE_UINT8 : DTYPE_INT8;
    x = recipe__fit(s, "QuantizeLinear", x);
    if (sketch__dtype(s, x) != DTYPE_FLOAT)
        x = sketch__cast(s, x, DTYPE_FLOAT);
    if (sketch__rank(s, x) < 2)
        x = recipe__rank(s, x, 2);
    enum place before = s->weights;
    s->weights = s->shapes;
    uint32_t sx = sketch__scalar(s, DTYPE_FLOAT, 0.03125),
             zx = sketch__scalar(s, q, q == DTYPE_UINT8 ? 128 : 0);
    int64_t d[2] = {sketch__dim(s, x, -1), 3};
    uint32_t xq = OP(s, "QuantizeLinear", x, sx, zx);
    uint32_t w =
        sketch__between(s, q, d, 2, q == DTYPE_UINT8 ? 96 : -32, q == DTYPE_UINT8 ? 160 : 32);
    uint32_t sw = sketch__scalar(s, DTYPE_FLOAT, 0.015625),
             sy = sketch__scalar(s, DTYPE_FLOAT, 0.0625);
    s->weights = before;
    return OP(s, row->op_type, xq, sx, zx, w, sw, zx, sy, zx);
}

uint32_t recipe__rnn(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const char *const directions[] = {"forward", "reverse", "bidirectional"};
    int64_t gates = strcmp(row->op_type, "LSTM") == 0  ? 4
                    : strcmp(row->op_type, "GRU") == 0 ? 3
                                                       : 1;
    int64_t h = sketch__between_i(s, 1, 4);
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 3);
    const char *direction = PICK(s, directions);
    int64_t n_dir = strcmp(direction, "bidirectional") == 0 ? 2 : 1;
    int64_t w[3] = {n_dir, gates * h, sketch__dim(s, x, 2)}, r[3] = {n_dir, gates * h, h};
    int64_t b[2] = {n_dir, 2 * gates * h}, init[3] = {n_dir, sketch__dim(s, x, 1), h};
    enum dtype t = sketch__dtype(s, x);
    if (sketch__count(s, x) > 20000 || w[2] > 512) {
        sketch__fail(s, "too large for a recurrent layer");
        return VALUE_NONE;
    }
    uint32_t wv = sketch__random(s, t, w, 3, 0.5), rv = sketch__random(s, t, r, 3, 0.5);
    uint32_t bv = sketch__chance(s, 60) ? sketch__random(s, t, b, 2, 0.5) : (uint32_t)VALUE_NONE;
    uint32_t hv = sketch__chance(s, 30) ? sketch__random(s, t, init, 3, 0.5) : (uint32_t)VALUE_NONE;
    uint32_t which = sketch__below(s, gates == 4 ? 3 : 2);
    uint32_t y = OP_N(s, row->op_type, which + 1, x, wv, rv, bv, VALUE_NONE, hv);
    sketch__int(s, "hidden_size", h);
    if (n_dir == 2 || sketch__chance(s, 70))
        sketch__string(s, "direction", direction);
    if (gates == 3 && sketch__chance(s, 50))
        sketch__int(s, "linear_before_reset", 1);
    sketch__note(s, "%s hidden=%lld out=%u", direction, (long long)h, which);
    return y == VALUE_NONE ? y : y + which;
}

/* Attention (opset 23) on [batch, sequence, heads * size]. */
uint32_t recipe__attention(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 3);
    struct dims p = sketch__dims(s, x);
    int64_t heads = p.at[2] % 2 == 0 ? 2 : 1;
    enum dtype t = sketch__dtype(s, x);
    int64_t kv[3] = {p.at[0], sketch__between_i(s, 1, 4), p.at[2]};
    bool self = sketch__chance(s, 50);
    uint32_t k = self ? x : sketch__random(s, t, kv, 3, 0.5);
    uint32_t v = self ? x : sketch__random(s, t, kv, 3, 0.5), mask = VALUE_NONE;
    if (sketch__chance(s, 40)) {
        int64_t md[2] = {p.at[1], self ? p.at[1] : kv[1]};
        mask = sketch__random(s, sketch__chance(s, 60) ? t : DTYPE_BOOL, md, 2, 1);
        if (!s->failed && s->g->values.at[mask].dtype == DTYPE_BOOL)
            mask = sketch__cast(s, mask, t); /* rows without any true are left open */
    }
    uint32_t y = OP(s, row->op_type, x, k, v, mask);
    sketch__int(s, "q_num_heads", heads);
    sketch__int(s, "kv_num_heads", heads);
    corner__sprinkle(s, 40);
    return y;
}

/* A branch of one operator on the value outside. Names inside differ from all outside. */
static struct graph *branch(struct sketch *s, uint32_t x, const char *op_type, const char *name)
{
    struct graph *g = graph_new(s->m, str_of(name));
    g->parent = s->g;
    uint32_t in = graph_add_value(s->m, g, s->g->values.at[x].name);
    g->values.at[in].origin = ORIGIN_OUTER;
    g->values.at[in].origin_at = x;
    uint32_t out = graph_add_node(s->m, g, op_type, &in, 1, 1);
    struct str own = str_of(arena_printf(s->m->arena, "%s_%zu", name, s->g->values.n));
    g->values.at[out].name = own;
    map_put(&g->by_name, s->m->arena, own, out);
    graph_add_output(g, out);
    return g;
}

uint32_t recipe__if_else(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const char *const bodies[] = {"Neg", "Abs", "Identity", "Relu", "Sign", "Tanh"};
    x = recipe__fit(s, "Tanh", x);
    const char *then_op = PICK(s, bodies), *else_op = PICK(s, bodies);
    uint32_t c = sketch__random(s, DTYPE_BOOL, NULL, 0, 1);
    if (s->failed)
        return VALUE_NONE;
    uint32_t y = OP(s, row->op_type, c);
    if (s->failed)
        return VALUE_NONE;
    node_set_graph(s->m, graph_last_node(s->g), "then_branch", branch(s, x, then_op, "then"));
    node_set_graph(s->m, graph_last_node(s->g), "else_branch", branch(s, x, else_op, "else"));
    sketch__note(s, "%s/%s", then_op, else_op);
    return y;
}
