/*
 * Near misses of fusions around convolutions and pools: affine constants of the wrong shape,
 * activations with odd attributes, pads whose value or axes do not fit, pools in place of
 * reductions, computed weights. x is [N, C, spatial...].
 */
#include "generate/mutate/pattern_p.h"

static uint32_t conv_like(struct graph_builder *b, uint32_t x)
{
    const char *op_type = builder__chance(b, 85) ? "Conv" : "ConvTranspose";
    return layer__apply(b, layer__find(op_type), pattern__float(b, x, 3));
}

/* A constant that broadcasts with [N, C, H, W]: one number per channel, or a shape that only
 * looks like it. */
static struct dims affine_dims(struct graph_builder *b, uint32_t y)
{
    struct dims p = builder__dims(b, y), d = {0};
    uint32_t form = builder__below(b, 9);
    builder__note(b, "affine=%u", form);
    if (p.n < 3)
        return layer__broadcast_shape(b, y);
    d.n = p.n;
    for (uint32_t i = 0; i < p.n; i++)
        d.at[i] = 1;
    switch (form) {
    case 0: /* [1, C, 1, 1] */
    case 1:
        d.at[1] = p.at[1];
        return d;
    case 2: /* [C, 1, 1] */
        d.n = p.n - 1;
        d.at[0] = p.at[1];
        return d;
    case 3: /* one number */
        return (struct dims){builder__below(b, 2), {1}};
    case 4: /* [W]: along the last axis, also where W equals C */
        return (struct dims){1, {p.at[p.n - 1]}};
    case 5: /* [1, 1, 1, W] */
        d.at[p.n - 1] = p.at[p.n - 1];
        return d;
    case 6: /* [N, C, 1, 1] */
        d.at[0] = p.at[0];
        d.at[1] = p.at[1];
        return d;
    case 7: /* all of its dims */
        return p;
    default:
        return layer__broadcast_shape(b, y);
    }
}

uint32_t pattern__conv_affine(struct graph_builder *b, uint32_t x)
{
    static const char *const ops[] = {"Mul", "Add", "Sub", "Div", "Mul", "Add"};
    uint32_t conv = conv_like(b, x), y = conv, n = 1 + builder__below(b, 2);
    for (uint32_t i = 0; i < n; i++) {
        const char *op_type = ONE_OF(b, ops);
        struct dims d = affine_dims(b, y);
        bool left = strcmp(op_type, "Div") != 0 && builder__chance(b, 35);
        uint32_t c = builder__between(b, builder__dtype(b, y), d.at, d.n, 0.5, 1.5);
        builder__note(b, "%s%s", op_type, left ? "<" : "");
        y = left ? OP(b, op_type, c, y) : OP(b, op_type, y, c);
    }
    if (builder__chance(b, 25))
        y = layer__apply(b, layer__find("BatchNormalization"), y);
    if (builder__chance(b, 12) && builder__same_type(b, conv, y))
        y = OP(b, "Add", y, conv);
    return y;
}

static const char *const activations[] = {
    "Relu",  "LeakyRelu", "Clip", "Sigmoid", "Tanh", "HardSigmoid",    "Elu", "Selu", "HardSwish",
    "PRelu", "Softplus",  "Mish", "Gelu",    "Celu", "ThresholdedRelu"};

uint32_t pattern__conv_activation(struct graph_builder *b, uint32_t x)
{
    uint32_t y = conv_like(b, x), conv = y;
    if (builder__chance(b, 30))
        y = layer__apply(b, layer__find("BatchNormalization"), y);
    const char *op_type = ONE_OF(b, activations);
    builder__note(b, "%s", op_type);
    y = layer__apply(b, layer__find(op_type), y);
    if (builder__chance(b, 15))
        y = layer__apply(b, layer__find(ONE_OF(b, activations)), y);
    if (builder__chance(b, 15) && builder__same_type(b, conv, y))
        y = OP(b, "Mul", y, conv);
    return y;
}

/* Conv + Add of a value of the same shape or one that broadcasts + activation. */
uint32_t pattern__conv_add_activation(struct graph_builder *b, uint32_t x)
{
    uint32_t conv = conv_like(b, x);
    struct dims d = builder__chance(b, 60) ? builder__dims(b, conv) : affine_dims(b, conv);
    uint32_t other = builder__random(b, builder__dtype(b, conv), d.at, d.n, 0.5);
    if (builder__chance(b, 30) && builder__same_type(b, conv, x))
        other = x;
    if (builder__chance(b, 15))
        other = conv;
    uint32_t y = pattern__either(b, "Add", conv, other);
    const char *op_type = ONE_OF(b, activations);
    builder__note(b, "%s", op_type);
    return layer__apply(b, layer__find(op_type), y);
}

/* Pad before a window: a rewrite may fold it in only if it pads spatial axes with 0 (max pool: with
 * the lowest value). */
uint32_t pattern__pad_window(struct graph_builder *b, uint32_t x)
{
    enum { PW_VALUE, PW_MODE, PW_CHANNELS, PW_NEGATIVE, PW_AUTO, PW_TWICE, PW_COUNT };
    static const char *const windows[] = {"Conv",          "MaxPool", "AveragePool",
                                          "ConvTranspose", "LpPool",  "Conv"};
    uint32_t dev = pattern__deviate(b, PW_COUNT);
    x = pattern__float(b, x, 4);
    struct dims p = builder__dims(b, x);
    enum dtype t = builder__dtype(b, x);
    const char *op_type = ONE_OF(b, windows), *mode = NULL;
    for (int i = 0; i < (DEV(dev, PW_TWICE) ? 2 : 1); i++) {
        struct dims pads = {.n = 2 * p.n};
        for (uint32_t k = 2; k < p.n; k++) {
            pads.at[k] = builder__between_i(b, 0, MIN(2, p.at[k] - 1));
            pads.at[k + p.n] = builder__between_i(b, 0, MIN(2, p.at[k] - 1));
        }
        if (DEV(dev, PW_CHANNELS))
            pads.at[builder__below(b, 2)] = 1;
        if (DEV(dev, PW_NEGATIVE) && p.at[2] > 2)
            pads.at[2] = -1;
        double v = DEV(dev, PW_VALUE) ? (builder__chance(b, 50) ? 1 : -2) : 0;
        uint32_t list = builder__i64s(b, pads.at, pads.n);
        bool given = DEV(dev, PW_VALUE) || builder__chance(b, 40);
        x = OP(b, "Pad", x, list, given ? builder__scalar(b, t, v) : (uint32_t)VALUE_NONE);
        if (DEV(dev, PW_MODE) && !DEV(dev, PW_CHANNELS) && !DEV(dev, PW_NEGATIVE))
            builder__string(b, "mode", mode = builder__chance(b, 50) ? "reflect" : "edge");
        builder__note(b, "value=%g %s", v, mode ? mode : "");
    }
    builder__note(b, "%s", op_type);
    uint32_t y = layer__apply(b, layer__find(op_type), x);
    if (DEV(dev, PW_AUTO) && !b->failed && op_fact_attr(graph_last_node(b->g)->fact, "auto_pad")) {
        node_remove_attr(b->m, graph_last_node(b->g), "pads");
        builder__string(b, "auto_pad", builder__chance(b, 50) ? "SAME_LOWER" : "SAME_UPPER");
    }
    return y;
}

/* Global pools and the reductions equal to them, also with other axes and keepdims. */
uint32_t pattern__pool_reduce(struct graph_builder *b, uint32_t x)
{
    static const int64_t axes[][3] = {{2, 3}, {-1, -2}, {3, 2}, {1, 2}, {2, -1}, {0, 1}};
    static const char *const reduces[] = {"ReduceMean", "ReduceMax", "ReduceSum", "ReduceL2"};
    static const char *const globals[] = {"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"};
    x = layer__rank(b, pattern__float(b, x, 4), 4);
    uint32_t form = builder__below(b, 4), y;
    if (form == 0) {
        y = layer__apply(b, layer__find(ONE_OF(b, globals)), x);
        const int64_t spatial[] = {2, 3};
        return builder__chance(b, 50) ? OP(b, "Flatten", y) : builder__squeeze(b, y, spatial, 2);
    }
    uint32_t at = builder__below(b, (uint32_t)COUNT_OF(axes));
    y = builder__reduce(b, ONE_OF(b, reduces), x, axes[at], builder__chance(b, 80) ? 2 : 1,
                        (int)builder__below(b, 3) - 1);
    builder__note(b, "axes=%lld,%lld", (long long)axes[at][0], (long long)axes[at][1]);
    if (form == 1)
        y = layer__apply(b, layer__find("Conv"), y);
    if (form == 2)
        y = layer__apply(b, layer__find("Reshape"), y);
    return y;
}

/* Computed weights: through Identity, Transpose, Reshape, Cast, Mul or a shared tensor. */
uint32_t pattern__conv_weights(struct graph_builder *b, uint32_t x)
{
    static const int64_t swap[] = {1, 0, 2, 3};
    x = layer__rank(b, pattern__float(b, x, 4), 4);
    int64_t c = builder__dim(b, x, 1),
            k = MIN(3, MIN(builder__dim(b, x, 2), builder__dim(b, x, 3)));
    int64_t d[4] = {c, c, k, k};
    enum dtype t = builder__dtype(b, x);
    if (b->failed || c > 16) {
        builder__fail(b, "too many channels");
        return VALUE_NONE;
    }
    uint32_t w = builder__random(b, t, d, 4, 0.25), form = builder__below(b, 6), v = w;
    builder__note(b, "form=%u", form);
    if (form == 0)
        v = OP(b, "Identity", w);
    else if (form == 1)
        v = builder__transpose(b, w, swap, 4);
    else if (form == 2)
        v = OP(b, "Mul", w, builder__between(b, t, (const int64_t[]){c, 1, 1, 1}, 4, 0.5, 1.5));
    else if (form == 3)
        v = OP(b, "Relu", w);
    else if (form == 4)
        v = builder__reshape(b, builder__random(b, t, &(int64_t){c * c * k * k}, 1, 0.25), d, 4);
    uint32_t y = OP(b, "Conv", x, v);
    if (form == 5) { /* one weight used twice */
        y = OP(b, "Conv", y, w);
        builder__int_list(b, "pads", (const int64_t[]){k - 1, k - 1, k - 1, k - 1}, 4);
    }
    return y;
}

/* Four strided slices joined, which rewrites to space-to-depth look for. */
uint32_t pattern__focus(struct graph_builder *b, uint32_t x)
{
    static const int order[][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {3, 2, 1, 0}};
    x = layer__rank(b, pattern__float(b, x, 4), 4);
    if (builder__dim(b, x, 2) % 2 || builder__dim(b, x, 3) % 2 || builder__dim(b, x, 2) == 0)
        x = OP(b, "Tile", x, builder__i64s(b, (const int64_t[]){1, 1, 2, 2}, 4));
    uint32_t parts[4], at = builder__below(b, (uint32_t)COUNT_OF(order));
    for (int i = 0; i < 4; i++) {
        uint32_t rows = builder__slice(b, x, 2, i % 2, INT64_MAX, 2);
        parts[i] = builder__slice(b, rows, 3, i / 2, INT64_MAX, 2);
    }
    const int *o = order[at];
    uint32_t y = OP(b, "Concat", parts[o[0]], parts[o[1]], parts[o[2]], parts[o[3]]);
    builder__int(b, "axis", 1);
    builder__note(b, "order=%u", at);
    return builder__chance(b, 50) ? layer__apply(b, layer__find("Conv"), y) : y;
}
