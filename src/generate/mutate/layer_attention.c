/*
 * Layer builders of the parts of decoders: Attention with grouped heads, masks, windows and caches;
 * RotaryEmbedding; TensorScatter. Shapes: (batch, sequence, heads * size), or (batch, heads,
 * sequence, size).
 */
#include "generate/mutate/layer_p.h"

/* Attention with x as Q, and its sizes. */
struct attention {
    bool flat, grouped, past;
    int64_t batch, heads, kv_heads, n_q, n_k, n_past, size, v_size;
    enum dtype t, tv;
};

static uint32_t keys(struct graph_builder *b, const struct attention *a, enum dtype t, int64_t n,
                     int64_t size, bool flat)
{
    int64_t three[3] = {a->batch, n, a->kv_heads * size};
    int64_t four[4] = {a->batch, a->kv_heads, n, size};
    return flat ? builder__random(b, t, three, 3, 0.5) : builder__random(b, t, four, 4, 0.5);
}

/* A mask that leaves some element in each row: floats, or bools made floats; of each allowed
 * rank. */
static uint32_t draw_mask(struct graph_builder *b, const struct attention *a)
{
    int64_t d[4] = {a->batch, a->heads, a->n_q, a->n_k + a->n_past};
    uint32_t rank = 2 + builder__below(b, 3);
    enum dtype t = layer__input_dtype(b, "Attention", 3);
    for (uint32_t i = 4 - rank; i < 2; i++)
        d[i] = builder__chance(b, 40) ? 1 : d[i];
    if (t == DTYPE_BOOL) /* a row of false has no defined result */
        return builder__filled(b, t, d + 4 - rank, rank, 1);
    return builder__random(b, dtype_is_float(t) ? t : a->t, d + 4 - rank, rank, 1);
}

static void attention_options(struct graph_builder *b, const struct attention *a)
{
    static const double scales[] = {0.5, 1, 0.125};
    static const int64_t precisions[] = {DTYPE_FLOAT, DTYPE_FLOAT16, DTYPE_DOUBLE, DTYPE_BFLOAT16};
    if (a->flat) { /* "must be used with 3D inputs" */
        builder__int(b, "q_num_heads", a->heads);
        builder__int(b, "kv_num_heads", a->kv_heads);
    }
    corner__set_some(b, 40);
    if (builder__chance(b, 30))
        builder__float(b, "scale", ONE_OF(b, scales));
    if (builder__chance(b, 20))
        builder__int(b, "softmax_precision", ONE_OF(b, precisions));
    if (b->m->opset < 25)
        return;
    if (builder__chance(b, 40))
        builder__int(b, "left_window_size", builder__between_i(b, -1, 2));
    if (builder__chance(b, 40))
        builder__int(b, "right_window_size", builder__between_i(b, -1, 2));
}

uint32_t layer__attention(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    struct attention a = {.flat = builder__rank(b, x) != 4 || builder__chance(b, 30)};
    x = layer__rank(b, x, a.flat ? 3 : 4);
    struct dims p = builder__dims(b, x);
    int64_t wide = p.at[p.n - 1];
    a.batch = p.at[0];
    a.heads = !a.flat ? p.at[1] : wide % 4 == 0 && builder__chance(b, 40) ? 4 : wide % 2 ? 1 : 2;
    a.kv_heads = builder__chance(b, 40) ? 1 : a.heads;
    a.size = a.flat ? wide / a.heads : wide;
    a.n_q = p.at[a.flat ? 1 : 2];
    a.t = builder__dtype(b, x);
    bool self = a.kv_heads == a.heads && builder__chance(b, 40);
    a.tv = !self && builder__chance(b, 15) ? layer__input_dtype(b, row->op_type, 2) : a.t;
    a.n_k = self ? a.n_q : builder__between_i(b, 1, 4);
    a.v_size = self ? a.size : builder__chance(b, 70) ? a.size : builder__between_i(b, 1, 3);
    if (a.size < 1 || builder__count(b, x) > 20000) {
        builder__fail(b, "too large for attention");
        return VALUE_NONE;
    }
    uint32_t in[7] = {x, VALUE_NONE, VALUE_NONE, VALUE_NONE, VALUE_NONE, VALUE_NONE, VALUE_NONE};
    in[1] = self ? x : keys(b, &a, a.t, a.n_k, a.size, a.flat);
    in[2] = self ? x : keys(b, &a, a.tv, a.n_k, a.v_size, a.flat);
    if (builder__chance(b, 25)) {
        a.n_past = builder__between_i(b, 1, 3);
        in[4] = keys(b, &a, a.t, a.n_past, a.size, false);
        in[5] = keys(b, &a, a.tv, a.n_past, a.v_size, false);
    } else if (b->m->opset >= 24 && a.batch <= 8 && builder__chance(b, 30)) {
        double valid[8];
        for (int64_t i = 0; i < a.batch; i++)
            valid[i] = (double)builder__between_i(b, 1, a.n_k);
        in[6] = layer__fixed(b, DTYPE_INT64, &a.batch, 1, valid);
    }
    if (builder__chance(b, 40))
        in[3] = draw_mask(b, &a);
    uint32_t last = a.n_past && builder__chance(b, 40)            ? 1 + builder__below(b, 2)
                    : b->m->opset >= 23 && builder__chance(b, 15) ? 3
                                                                  : 0;
    uint32_t y = builder__op(b, row->op_type, last + 1, in, 7);
    attention_options(b, &a);
    if (last == 3)
        builder__int(b, "qk_matmul_output_mode", builder__between_i(b, 0, 3));
    builder__note(b, "heads=%lld/%lld past=%lld out=%u", (long long)a.heads, (long long)a.kv_heads,
                  (long long)a.n_past, last);
    return y == VALUE_NONE ? y : y + last;
}

/* RotaryEmbedding with caches by position, or by the sequence itself; rotates all of a head's
 * elements, or some. */
uint32_t layer__rotary_embedding(struct graph_builder *b, const struct layer_builder *row,
                                 uint32_t x)
{
    bool flat = builder__chance(b, 40);
    int64_t heads = builder__between_i(b, 1, 3), n = builder__between_i(b, 1, 3);
    int64_t size = 2 * builder__between_i(b, 1, 3), batch = builder__between_i(b, 1, 2);
    int64_t three[3] = {batch, n, heads * size}, four[4] = {batch, heads, n, size};
    x = layer__fit(b, row->op_type, x);
    x = flat ? layer__shaped(b, x, three, 3) : layer__shaped(b, x, four, 4);
    enum dtype t = builder__dtype(b, x);
    int64_t turned =
        size > 2 && builder__chance(b, 40) ? 2 * builder__between_i(b, 1, size / 2 - 1) : size;
    bool partial = turned != size && (turned == 2 || turned == 4);
    if (!partial)
        turned = size;
    int64_t cache[3] = {batch, n, turned / 2}, by_position[2] = {8, turned / 2},
            ids[2] = {batch, n};
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
    if (builder__chance(b, 60))
        builder__int(b, "interleaved", builder__below(b, 2));
    if (flat || builder__chance(b, 20))
        builder__int(b, "num_heads", heads);
    if (partial || builder__chance(b, 30))
        builder__int(b, "rotary_embedding_dim", partial ? turned : 0);
    return y;
}

/* x with an update in each row of its batch, each at its own index. */
uint32_t layer__tensor_scatter(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    if (builder__rank(b, x) < 2)
        x = layer__rank(b, x, 2 + builder__below(b, 2));
    struct dims d = builder__dims(b, x);
    int64_t axis = d.n == 2 ? 1 : builder__between_i(b, 1, d.n - 1);
    bool circular = builder__chance(b, 40), given = builder__chance(b, 70);
    if (d.n > 2 && builder__chance(b, 40))
        axis = d.n - 2;
    int64_t batch = d.at[0], size = d.at[axis];
    double places[16];
    d.at[axis] = builder__between_i(b, 1, size);
    if (batch > (int64_t)COUNT_OF(places)) {
        builder__fail(b, "too large a batch");
        return VALUE_NONE;
    }
    for (int64_t i = 0; i < batch; i++)
        places[i] = (double)builder__between_i(b, 0, circular ? size - 1 : size - d.at[axis]);
    uint32_t update = builder__random(b, builder__dtype(b, x), d.at, d.n, 1), at = VALUE_NONE;
    if (given)
        at = layer__fixed(b, DTYPE_INT64, &batch, 1, places);
    uint32_t y = OP(b, row->op_type, x, update, at);
    if (axis != (int64_t)d.n - 2 || builder__chance(b, 60))
        builder__int(b, "axis", builder__chance(b, 50) ? axis : axis - d.n);
    if (circular || builder__chance(b, 40))
        builder__string(b, "mode", circular ? "circular" : "linear");
    return y;
}
