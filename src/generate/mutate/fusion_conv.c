/*
 * Near misses of fusions around convolutions and pools: affine constants of the wrong shape,
 * activations with odd attributes, pads whose value or axes do not fit, pools against reductions,
 * computed weights. x [N, C, spatial...].
 */
#include "generate/mutate/pattern_p.h"

static uint32_t conv_like(struct sketch *s, uint32_t x)
{
    const char *op_type = sketch__chance(s, 85) ? "Conv" : "ConvTranspose";
    return recipe__apply(s, recipe__find(op_type), pattern__float(s, x, 3));
}

/* A constant beside [N, C, H, W]: a channel each, or shapes that only look like it. */
static struct dims affine_dims(struct sketch *s, uint32_t y)
{
    struct dims p = sketch__dims(s, y), d = {0};
    uint32_t form = sketch__below(s, 9);
    sketch__note(s, "affine=%u", form);
    if (p.n < 3)
        return recipe__broadcast_shape(s, y);
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
        return (struct dims){sketch__below(s, 2), {1}};
    case 4: /* [W]: along the last axis, also where W equals C */
        return (struct dims){1, {p.at[p.n - 1]}};
    case 5: /* [1, 1, 1, W] */
        d.at[p.n - 1] = p.at[p.n - 1];
        return d;
    case 6: /* [N, C, 1, 1] */
        d.at[0] = p.at[0];
        d.at[1] = p.at[1];
        return d;
    case 7: /* all of it */
        return p;
    default:
        return recipe__broadcast_shape(s, y);
    }
}

uint32_t pattern__conv_affine(struct sketch *s, uint32_t x)
{
    static const char *const ops[] = {"Mul", "Add", "Sub", "Div", "Mul", "Add"};
    uint32_t conv = conv_like(s, x), y = conv, n = 1 + sketch__below(s, 2);
    for (uint32_t i = 0; i < n; i++) {
        const char *op_type = PICK(s, ops);
        struct dims d = affine_dims(s, y);
        bool left = strcmp(op_type, "Div") != 0 && sketch__chance(s, 35);
        uint32_t c = sketch__between(s, sketch__dtype(s, y), d.at, d.n, 0.5, 1.5);
        sketch__note(s, "%s%s", op_type, left ? "<" : "");
        y = left ? OP(s, op_type, c, y) : OP(s, op_type, y, c);
    }
    if (sketch__chance(s, 25))
        y = recipe__apply(s, recipe__find("BatchNormalization"), y);
    if (sketch__chance(s, 12) && sketch__same_type(s, conv, y))
        y = OP(s, "Add", y, conv);
    return y;
}

static const char *const activations[] = {
    "Relu",  "LeakyRelu", "Clip", "Sigmoid", "Tanh", "HardSigmoid",    "Elu", "Selu", "HardSwish",
    "PRelu", "Softplus",  "Mish", "Gelu",    "Celu", "ThresholdedRelu"};

uint32_t pattern__conv_activation(struct sketch *s, uint32_t x)
{
    uint32_t y = conv_like(s, x), conv = y;
    if (sketch__chance(s, 30))
        y = recipe__apply(s, recipe__find("BatchNormalization"), y);
    const char *op_type = PICK(s, activations);
    sketch__note(s, "%s", op_type);
    y = recipe__apply(s, recipe__find(op_type), y);
    if (sketch__chance(s, 15))
        y = recipe__apply(s, recipe__find(PICK(s, activations)), y);
    if (sketch__chance(s, 15) && sketch__same_type(s, conv, y))
        y = OP(s, "Mul", y, conv);
    return y;
}

/* Conv + Add of something of the same or a broadcast shape + activation. */
uint32_t pattern__conv_add_activation(struct sketch *s, uint32_t x)
{
    uint32_t conv = conv_like(s, x);
    struct dims d = sketch__chance(s, 60) ? sketch__dims(s, conv) : affine_dims(s, conv);
    uint32_t other = sketch__random(s, sketch__dtype(s, conv), d.at, d.n, 0.5);
    if (sketch__chance(s, 30) && sketch__same_type(s, conv, x))
        other = x;
    if (sketch__chance(s, 15))
        other = conv;
    uint32_t y = pattern__either(s, "Add", conv, other);
    const char *op_type = PICK(s, activations);
    sketch__note(s, "%s", op_type);
    return recipe__apply(s, recipe__find(op_type), y);
}

/* Pad before a window: only zeros (max pool: the lowest value) on spatial axes may be folded in. */
uint32_t pattern__pad_window(struct sketch *s, uint32_t x)
{
    enum { PW_VALUE, PW_MODE, PW_CHANNELS, PW_NEGATIVE, PW_AUTO, PW_TWICE, PW_COUNT };
    static const char *const windows[] = {"Conv",          "MaxPool", "AveragePool",
                                          "ConvTranspose", "LpPool",  "Conv"};
    uint32_t dev = pattern__deviate(s, PW_COUNT);
    x = pattern__float(s, x, 4);
    struct dims p = sketch__dims(s, x);
    enum dtype t = sketch__dtype(s, x);
    const char *op_type = PICK(s, windows), *mode = NULL;
    for (int i = 0; i < (DEV(dev, PW_TWICE) ? 2 : 1); i++) {
        struct dims pads = {.n = 2 * p.n};
        for (uint32_t k = 2; k < p.n; k++) {
            pads.at[k] = sketch__between_i(s, 0, MIN(2, p.at[k] - 1));
            pads.at[k + p.n] = sketch__between_i(s, 0, MIN(2, p.at[k] - 1));
        }
        if (DEV(dev, PW_CHANNELS))
            pads.at[sketch__below(s, 2)] = 1;
        if (DEV(dev, PW_NEGATIVE) && p.at[2] > 2)
            pads.at[2] = -1;
        double v = DEV(dev, PW_VALUE) ? (sketch__chance(s, 50) ? 1 : -2) : 0;
        uint32_t list = sketch__i64s(s, pads.at, pads.n);
        bool given = DEV(dev, PW_VALUE) || sketch__chance(s, 40);
        x = OP(s, "Pad", x, list, given ? sketch__scalar(s, t, v) : (uint32_t)VALUE_NONE);
        if (DEV(dev, PW_MODE) && !DEV(dev, PW_CHANNELS) && !DEV(dev, PW_NEGATIVE))
            sketch__string(s, "mode", mode = sketch__chance(s, 50) ? "reflect" : "edge");
        sketch__note(s, "value=%g %s", v, mode ? mode : "");
    }
    sketch__note(s, "%s", op_type);
    uint32_t y = recipe__apply(s, recipe__find(op_type), x);
    if (DEV(dev, PW_AUTO) && !s->failed && op_fact_attr(graph_last_node(s->g)->fact, "auto_pad")) {
        node_remove_attr(s->m, graph_last_node(s->g), "pads");
        sketch__string(s, "auto_pad", sketch__chance(s, 50) ? "SAME_LOWER" : "SAME_UPPER");
    }
    return y;
}

/* Global pools and the reductions they equal, with other axes and keepdims. */
uint32_t pattern__pool_reduce(struct sketch *s, uint32_t x)
{
    static const int64_t axes[][3] = {{2, 3}, {-1, -2}, {3, 2}, {1, 2}, {2, -1}, {0, 1}};
    static const char *const reduces[] = {"ReduceMean", "ReduceMax", "ReduceSum", "ReduceL2"};
    static const char *const globals[] = {"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"};
    x = recipe__rank(s, pattern__float(s, x, 4), 4);
    uint32_t form = sketch__below(s, 4), y;
    if (form == 0) {
        y = recipe__apply(s, recipe__find(PICK(s, globals)), x);
        const int64_t spatial[] = {2, 3};
        return sketch__chance(s, 50) ? OP(s, "Flatten", y) : sketch__squeeze(s, y, spatial, 2);
    }
    uint32_t at = sketch__below(s, (uint32_t)COUNT_OF(axes));
    y = sketch__reduce(s, PICK(s, reduces), x, axes[at], sketch__chance(s, 80) ? 2 : 1,
                       (int)sketch__below(s, 3) - 1);
    sketch__note(s, "axes=%lld,%lld", (long long)axes[at][0], (long long)axes[at][1]);
    if (form == 1)
        y = recipe__apply(s, recipe__find("Conv"), y);
    if (form == 2)
        y = recipe__apply(s, recipe__find("Reshape"), y);
    return y;
}

/* Weights that are computed: through Identity, Transpose, Reshape, Cast, Mul or a shared tensor. */
uint32_t pattern__conv_weights(struct sketch *s, uint32_t x)
{
    static const int64_t swap[] = {1, 0, 2, 3};
    x = recipe__rank(s, pattern__float(s, x, 4), 4);
    int64_t c = sketch__dim(s, x, 1), k = MIN(3, MIN(sketch__dim(s, x, 2), sketch__dim(s, x, 3)));
    int64_t d[4] = {c, c, k, k};
    enum dtype t = sketch__dtype(s, x);
    if (s->failed || c > 16) {
        sketch__fail(s, "too many channels");
        return VALUE_NONE;
    }
    uint32_t w = sketch__random(s, t, d, 4, 0.25), form = sketch__below(s, 6), v = w;
    sketch__note(s, "form=%u", form);
    if (form == 0)
        v = OP(s, "Identity", w);
    else if (form == 1)
        v = sketch__transpose(s, w, swap, 4);
    else if (form == 2)
        v = OP(s, "Mul", w, sketch__between(s, t, (const int64_t[]){c, 1, 1, 1}, 4, 0.5, 1.5));
    else if (form == 3)
        v = OP(s, "Relu", w);
    else if (form == 4)
        v = sketch__reshape(s, sketch__random(s, t, &(int64_t){c * c * k * k}, 1, 0.25), d, 4);
    uint32_t y = OP(s, "Conv", x, v);
    if (form == 5) { /* the same weights twice */
        y = OP(s, "Conv", y, w);
        sketch__int_list(s, "pads", (const int64_t[]){k - 1, k - 1, k - 1, k - 1}, 4);
    }
    return y;
}

/* Four strided slices joined: what space-to-depth rewrites look for. */
uint32_t pattern__focus(struct sketch *s, uint32_t x)
{
    static const int order[][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {3, 2, 1, 0}};
    x = recipe__rank(s, pattern__float(s, x, 4), 4);
    if (sketch__dim(s, x, 2) % 2 || sketch__dim(s, x, 3) % 2 || sketch__dim(s, x, 2) == 0)
        x = OP(s, "Tile", x, sketch__i64s(s, (const int64_t[]){1, 1, 2, 2}, 4));
    uint32_t parts[4], at = sketch__below(s, (uint32_t)COUNT_OF(order));
    for (int i = 0; i < 4; i++) {
        uint32_t rows = sketch__slice(s, x, 2, i % 2, INT64_MAX, 2);
        parts[i] = sketch__slice(s, rows, 3, i / 2, INT64_MAX, 2);
    }
    const int *o = order[at];
    uint32_t y = OP(s, "Concat", parts[o[0]], parts[o[1]], parts[o[2]], parts[o[3]]);
    sketch__int(s, "axis", 1);
    sketch__note(s, "order=%u", at);
    return sketch__chance(s, 50) ? recipe__apply(s, recipe__find("Conv"), y) : y;
}
