/*
 * Layer builders of recurrent networks: LSTM, GRU, RNN with every optional input, both layouts.
 * Lengths lie in [1, time].
 */
#include "generate/mutate/layer_p.h"

struct sizes {
    int64_t directions, batch, time, input, hidden, gates;
    bool batch_first;
};

static uint32_t initial(struct graph_builder *b, enum dtype t, const struct sizes *s)
{
    int64_t d[3] = {s->directions, s->batch, s->hidden};
    int64_t swapped[3] = {s->batch, s->directions, s->hidden};
    return builder__random(b, t, s->batch_first ? swapped : d, 3, 0.5);
}

static uint32_t lengths(struct graph_builder *b, const struct sizes *s)
{
    double v[64];
    if (s->batch > (int64_t)COUNT_OF(v))
        return VALUE_NONE;
    for (int64_t i = 0; i < s->batch; i++)
        v[i] = (double)builder__between_i(b, 1, s->time);
    return layer__fixed(b, DTYPE_INT32, &s->batch, 1, v);
}

uint32_t layer__rnn(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const char *const directions[] = {"forward", "reverse", "bidirectional"};
    bool is_lstm = strcmp(row->op_type, "LSTM") == 0;
    x = layer__rank(b, layer__fit(b, row->op_type, x), 3);
    const char *direction = ONE_OF(b, directions);
    bool first = b->m->opset >= 14 && builder__chance(b, 25);
    struct sizes s = {.directions = strcmp(direction, "bidirectional") == 0 ? 2 : 1,
                      .batch = builder__dim(b, x, first ? 0 : 1),
                      .time = builder__dim(b, x, first ? 1 : 0),
                      .input = builder__dim(b, x, 2),
                      .hidden = builder__between_i(b, 1, 4),
                      .gates = is_lstm                            ? 4
                               : strcmp(row->op_type, "GRU") == 0 ? 3
                                                                  : 1,
                      .batch_first = first};
    int64_t w[3] = {s.directions, s.gates * s.hidden, s.input};
    int64_t r[3] = {s.directions, s.gates * s.hidden, s.hidden};
    int64_t bias[2] = {s.directions, 2 * s.gates * s.hidden};
    int64_t peep[2] = {s.directions, 3 * s.hidden};
    enum dtype t = builder__dtype(b, x);
    uint32_t in[8] = {x,          VALUE_NONE, VALUE_NONE, VALUE_NONE,
                      VALUE_NONE, VALUE_NONE, VALUE_NONE, VALUE_NONE};
    if (builder__count(b, x) > 20000 || w[2] > 512) {
        builder__fail(b, "too large for a recurrent layer");
        return VALUE_NONE;
    }
    in[1] = builder__random(b, t, w, 3, 0.5);
    in[2] = builder__random(b, t, r, 3, 0.5);
    if (builder__chance(b, 60))
        in[3] = builder__random(b, t, bias, 2, 0.5);
    if (builder__chance(b, 15))
        in[4] = lengths(b, &s);
    if (builder__chance(b, 30))
        in[5] = initial(b, t, &s);
    if (is_lstm && builder__chance(b, 25))
        in[6] = initial(b, t, &s);
    if (is_lstm && builder__chance(b, 15))
        in[7] = builder__random(b, t, peep, 2, 0.5);
    uint32_t which = builder__below(b, is_lstm ? 3 : 2);
    uint32_t y = builder__op(b, row->op_type, which + 1, in, 8);
    builder__int(b, "hidden_size", s.hidden);
    if (s.directions == 2 || builder__chance(b, 70))
        builder__string(b, "direction", direction);
    if (s.gates == 3 && builder__chance(b, 50))
        builder__int(b, "linear_before_reset", 1);
    if (first || (b->m->opset >= 14 && builder__chance(b, 15)))
        builder__int(b, "layout", first);
    builder__note(b, "%s hidden=%lld out=%u%s", direction, (long long)s.hidden, which,
                  in[4] == VALUE_NONE ? "" : " lengths");
    return y == VALUE_NONE ? y : y + which;
}
