/*
 * Sequence models of the zoo: an LSTM, a vision transformer (Dosovitskiy et al. 2020), a
 * GPT-style decoder block with RMS norm and gated feed-forward, a BERT encoder block (Devlin et al.
 * 2018). Sequences of 8 to 16, width 32.
 */
#include "generate/mutate/zoo_p.h"

enum { WIDTH = 32, HEADS = 4 };

uint32_t zoo__lstm(struct sketch *s)
{
    enum { STEPS = 10, FEATURES = 8, HIDDEN = 12 };
    uint32_t x = zoo__input(s, "sequence", DTYPE_FLOAT, 3, (const int64_t[]){STEPS, 2, FEATURES});
    int64_t w[3] = {1, 4 * HIDDEN, FEATURES}, r[3] = {1, 4 * HIDDEN, HIDDEN},
            b[2] = {1, 8 * HIDDEN};
    static const int64_t directions[] = {1}, first[] = {0};
    uint32_t wv = sketch__random(s, DTYPE_FLOAT, w, 3, 0.3),
             rv = sketch__random(s, DTYPE_FLOAT, r, 3, 0.3);
    uint32_t y = OP_N(s, "LSTM", 2, x, wv, rv, sketch__random(s, DTYPE_FLOAT, b, 2, 0.1));
    sketch__int(s, "hidden_size", HIDDEN);
    if (y == VALUE_NONE)
        return y;
    uint32_t all = sketch__squeeze(s, y, directions, 1), last = sketch__squeeze(s, y + 1, first, 1);
    uint32_t mean = sketch__reduce(s, "ReduceMean", all, first, 1, 0);
    return zoo__gemm(s, OP(s, "Relu", zoo__gemm(s, OP(s, "Add", mean, last), 16)), 1);
}

static uint32_t feed_forward(struct sketch *s, uint32_t x)
{
    uint32_t y = zoo__gelu(s, zoo__linear(s, x, 2 * WIDTH, true));
    return zoo__linear(s, y, WIDTH, true);
}

uint32_t zoo__vit(struct sketch *s)
{
    static const int64_t dims[] = {1, 3, 16, 16}, flat[] = {0, WIDTH, -1}, perm[] = {0, 2, 1};
    static const int64_t position[] = {1, 17, WIDTH}, token[] = {1, 1, WIDTH};
    uint32_t x = zoo__input(s, "image", DTYPE_FLOAT, 4, dims), parts[2];
    x = zoo__conv(
        s, x,
        (struct zoo_conv){.out = WIDTH, .kernel = 4, .stride = 4, .bias = true, .valid = true});
    x = sketch__transpose(s, sketch__reshape(s, x, flat, 3), perm, 3);
    parts[0] = sketch__random(s, DTYPE_FLOAT, token, 3, 0.5);
    parts[1] = x;
    x = zoo__concat(s, parts, 2, 1);
    x = OP(s, "Add", x, sketch__random(s, DTYPE_FLOAT, position, 3, 0.25));
    x = OP(s, "Add", x, zoo__attention(s, zoo__layer_norm(s, x), HEADS, false));
    x = OP(s, "Add", x, feed_forward(s, zoo__layer_norm(s, x)));
    x = OP(s, "Gather", zoo__layer_norm(s, x), sketch__i64(s, 0));
    sketch__int(s, "axis", 1);
    return zoo__gemm(s, x, 10);
}

uint32_t zoo__gpt(struct sketch *s)
{
    enum { STEPS = 12, WORDS = 50 };
    static const int64_t table[] = {WORDS, WIDTH};
    uint32_t ids = zoo__input(s, "ids", DTYPE_INT64, 2, (const int64_t[]){1, STEPS});
    uint32_t x = OP(s, "Gather", sketch__random(s, DTYPE_FLOAT, table, 2, 0.75), ids);
    x = OP(s, "Add", x, zoo__attention(s, zoo__rms_norm(s, x), HEADS, true));
    uint32_t n = zoo__rms_norm(s, x), gate = zoo__linear(s, n, 2 * WIDTH, false);
    gate = OP(s, "Mul", gate, OP(s, "Sigmoid", gate));
    uint32_t up = OP(s, "Mul", gate, zoo__linear(s, n, 2 * WIDTH, false));
    x = OP(s, "Add", x, zoo__linear(s, up, WIDTH, false));
    return zoo__linear(s, zoo__rms_norm(s, x), WORDS, false);
}

uint32_t zoo__bert(struct sketch *s)
{
    enum { STEPS = 10, WORDS = 40 };
    static const int64_t words[] = {WORDS, WIDTH}, segments[] = {2, WIDTH},
                         places[] = {1, STEPS, WIDTH};
    static const int64_t dims[] = {1, STEPS};
    uint32_t ids = zoo__input(s, "ids", DTYPE_INT64, 2, dims);
    uint32_t kinds = zoo__input(s, "segments", DTYPE_INT64, 2, dims);
    uint32_t a = OP(s, "Gather", sketch__random(s, DTYPE_FLOAT, words, 2, 0.5), ids);
    uint32_t b = OP(s, "Gather", sketch__random(s, DTYPE_FLOAT, segments, 2, 0.5), kinds);
    uint32_t x = OP(s, "Add", OP(s, "Add", a, b), sketch__random(s, DTYPE_FLOAT, places, 3, 0.25));
    x = zoo__layer_norm(s, x);
    x = zoo__layer_norm(s, OP(s, "Add", zoo__attention(s, x, HEADS, false), x));
    x = zoo__layer_norm(s, OP(s, "Add", feed_forward(s, x), x));
    return OP(s, "Tanh", zoo__linear(s, x, WIDTH, true));
}
