/*
 * Sequence models of the zoo: an LSTM, a vision transformer (Dosovitskiy et al. 2020), a
 * GPT-style decoder block with RMS norm and gated feed-forward, a BERT encoder block (Devlin et al.
 * 2018). Sequences of 8 to 16, width 32.
 */
#include "generate/mutate/zoo_p.h"

enum { WIDTH = 32, HEADS = 4 };

uint32_t zoo__lstm(struct graph_builder *b)
{
    enum { STEPS = 10, FEATURES = 8, HIDDEN = 12 };
    uint32_t x = zoo__input(b, "sequence", DTYPE_FLOAT, 3, (const int64_t[]){STEPS, 2, FEATURES});
    int64_t w[3] = {1, 4 * HIDDEN, FEATURES}, r[3] = {1, 4 * HIDDEN, HIDDEN},
            bias[2] = {1, 8 * HIDDEN};
    static const int64_t directions[] = {1}, first[] = {0};
    uint32_t wv = builder__random(b, DTYPE_FLOAT, w, 3, 0.3),
             rv = builder__random(b, DTYPE_FLOAT, r, 3, 0.3);
    uint32_t y = OP_N(b, "LSTM", 2, x, wv, rv, builder__random(b, DTYPE_FLOAT, bias, 2, 0.1));
    builder__int(b, "hidden_size", HIDDEN);
    if (y == VALUE_NONE)
        return y;
    uint32_t all = builder__squeeze(b, y, directions, 1),
             last = builder__squeeze(b, y + 1, first, 1);
    uint32_t mean = builder__reduce(b, "ReduceMean", all, first, 1, 0);
    return zoo__gemm(b, OP(b, "Relu", zoo__gemm(b, OP(b, "Add", mean, last), 16)), 1);
}

static uint32_t feed_forward(struct graph_builder *b, uint32_t x)
{
    uint32_t y = zoo__gelu(b, zoo__linear(b, x, 2 * WIDTH, true));
    return zoo__linear(b, y, WIDTH, true);
}

uint32_t zoo__vit(struct graph_builder *b)
{
    static const int64_t dims[] = {1, 3, 16, 16}, flat[] = {0, WIDTH, -1}, perm[] = {0, 2, 1};
    static const int64_t position[] = {1, 17, WIDTH}, token[] = {1, 1, WIDTH};
    uint32_t x = zoo__input(b, "image", DTYPE_FLOAT, 4, dims), parts[2];
    x = zoo__conv(
        b, x,
        (struct zoo_conv){.out = WIDTH, .kernel = 4, .stride = 4, .bias = true, .valid = true});
    x = builder__transpose(b, builder__reshape(b, x, flat, 3), perm, 3);
    parts[0] = builder__random(b, DTYPE_FLOAT, token, 3, 0.5);
    parts[1] = x;
    x = zoo__concat(b, parts, 2, 1);
    x = OP(b, "Add", x, builder__random(b, DTYPE_FLOAT, position, 3, 0.25));
    x = OP(b, "Add", x, zoo__attention(b, zoo__layer_norm(b, x), HEADS, false));
    x = OP(b, "Add", x, feed_forward(b, zoo__layer_norm(b, x)));
    x = OP(b, "Gather", zoo__layer_norm(b, x), builder__i64(b, 0));
    builder__int(b, "axis", 1);
    return zoo__gemm(b, x, 10);
}

uint32_t zoo__gpt(struct graph_builder *b)
{
    enum { STEPS = 12, WORDS = 50 };
    static const int64_t table[] = {WORDS, WIDTH};
    uint32_t ids = zoo__input(b, "ids", DTYPE_INT64, 2, (const int64_t[]){1, STEPS});
    uint32_t x = OP(b, "Gather", builder__random(b, DTYPE_FLOAT, table, 2, 0.75), ids);
    x = OP(b, "Add", x, zoo__attention(b, zoo__rms_norm(b, x), HEADS, true));
    uint32_t n = zoo__rms_norm(b, x), gate = zoo__linear(b, n, 2 * WIDTH, false);
    gate = OP(b, "Mul", gate, OP(b, "Sigmoid", gate));
    uint32_t up = OP(b, "Mul", gate, zoo__linear(b, n, 2 * WIDTH, false));
    x = OP(b, "Add", x, zoo__linear(b, up, WIDTH, false));
    return zoo__linear(b, zoo__rms_norm(b, x), WORDS, false);
}

uint32_t zoo__bert(struct graph_builder *b)
{
    enum { STEPS = 10, WORDS = 40 };
    static const int64_t words[] = {WORDS, WIDTH}, segments[] = {2, WIDTH},
                         places[] = {1, STEPS, WIDTH};
    static const int64_t dims[] = {1, STEPS};
    uint32_t ids = zoo__input(b, "ids", DTYPE_INT64, 2, dims);
    uint32_t kinds = zoo__input(b, "segments", DTYPE_INT64, 2, dims);
    uint32_t word = OP(b, "Gather", builder__random(b, DTYPE_FLOAT, words, 2, 0.5), ids);
    uint32_t segment = OP(b, "Gather", builder__random(b, DTYPE_FLOAT, segments, 2, 0.5), kinds);
    uint32_t x =
        OP(b, "Add", OP(b, "Add", word, segment), builder__random(b, DTYPE_FLOAT, places, 3, 0.25));
    x = zoo__layer_norm(b, x);
    x = zoo__layer_norm(b, OP(b, "Add", zoo__attention(b, x, HEADS, false), x));
    x = zoo__layer_norm(b, OP(b, "Add", feed_forward(b, x), x));
    return OP(b, "Tanh", zoo__linear(b, x, WIDTH, true));
}
