/*
 * Layer builders of convolutions, pools and products. Shapes: x is [N, C, spatial...] for
 * convolutions and pools, of spatial rank 1 to 3 (rarely 4); products have any rank. Pads are
 * smaller than the kernel, and the last window starts inside the image (ONNX Conv, MaxPool,
 * AveragePool); inference computes output sizes.
 */
#include "generate/mutate/layer_p.h"

enum { SPATIAL_MAX = 4, CHANNELS_MAX = 64 };

/* x as [N, C, spatial...]. */
static uint32_t with_windows(struct graph_builder *b, uint32_t x)
{
    uint32_t rank = builder__rank(b, x), most = builder__chance(b, 40) ? 6 : 5;
    if (rank < 3 || rank > most)
        x = layer__rank(b, x, rank < 3 ? 3 + builder__below(b, 2) : 4);
    return x;
}

static uint32_t as_image(struct graph_builder *b, const char *op_type, uint32_t x)
{
    return with_windows(b, layer__fit(b, op_type, x));
}

struct window {
    uint32_t n; /* spatial rank */
    int64_t kernel[SPATIAL_MAX], strides[SPATIAL_MAX], dilations[SPATIAL_MAX],
        pads[2 * SPATIAL_MAX];
    bool has_dilations;
    const char *auto_pad;
};

/* Draws a window that fits x: kernel within the padded size, pads smaller than the kernel's
 * extent. */
static struct window draw_window(struct graph_builder *b, uint32_t x, bool dilated)
{
    static const char *const autos[] = {"SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"};
    struct dims p = builder__dims(b, x);
    struct window w = {.n = p.n - 2};
    bool same_strides = builder__chance(b, 60);
    w.auto_pad = builder__chance(b, 25) ? ONE_OF(b, autos) : NULL;
    w.has_dilations = dilated && builder__chance(b, 25);
    for (uint32_t i = 0; i < w.n; i++) {
        int64_t size = MAX(p.at[i + 2], 1), extent;
        w.dilations[i] = w.has_dilations ? builder__between_i(b, 1, 2) : 1;
        w.kernel[i] = builder__between_i(b, 1, MIN(size, 4));
        extent = (w.kernel[i] - 1) * w.dilations[i] + 1;
        if (extent > size) {
            w.dilations[i] = 1;
            extent = w.kernel[i];
        }
        w.strides[i] = same_strides && i > 0 ? w.strides[0] : builder__between_i(b, 1, 3);
        bool padded = !w.auto_pad && builder__chance(b, 60);
        w.pads[i] = padded ? builder__between_i(b, 0, MIN(w.kernel[i] - 1, 2)) : 0;
        w.pads[i + w.n] = padded ? builder__between_i(b, 0, MIN(w.kernel[i] - 1, 2)) : 0;
    }
    return w;
}

/* Sets the attributes of the newest node. */
static void put_window(struct graph_builder *b, const struct window *w, bool with_kernel)
{
    bool strided = false, padded = false;
    for (uint32_t i = 0; i < w->n; i++) {
        strided |= w->strides[i] != 1;
        padded |= w->pads[i] != 0 || w->pads[i + w->n] != 0;
    }
    if (with_kernel)
        builder__int_list(b, "kernel_shape", w->kernel, w->n);
    if (strided || builder__chance(b, 30))
        builder__int_list(b, "strides", w->strides, w->n);
    if (w->auto_pad)
        builder__string(b, "auto_pad", w->auto_pad);
    else if (padded || builder__chance(b, 30))
        builder__int_list(b, "pads", w->pads, 2 * w->n);
    if (w->has_dilations)
        builder__int_list(b, "dilations", w->dilations, w->n);
    builder__note(b, "kernel=%lld stride=%lld pad=%lld,%lld%s%s", (long long)w->kernel[0],
                  (long long)w->strides[0], (long long)w->pads[0], (long long)w->pads[w->n],
                  w->has_dilations ? " dilated " : "", w->auto_pad ? w->auto_pad : "");
}

static int64_t draw_groups(struct graph_builder *b, int64_t c)
{
    int64_t g = builder__chance(b, 60)   ? 1
                : builder__chance(b, 50) ? c
                                         : builder__between_i(b, 1, c);
    while (g > 1 && c % g != 0)
        g--;
    return MAX(g, 1);
}

uint32_t layer__conv(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = as_image(b, row->op_type, x);
    struct window w = draw_window(b, x, true);
    int64_t c = builder__dim(b, x, 1), group = draw_groups(b, c);
    int64_t out = group * builder__between_i(b, 1, MAX(1, MIN(6, CHANNELS_MAX / group)));
    if (builder__chance(b, 40) && group <= c)
        out = c;
    struct dims d = {.n = w.n + 2, .at = {out, c / group}};
    int64_t fan_in = MAX(c / group, 1);
    enum dtype t = builder__dtype(b, x);
    for (uint32_t i = 0; i < w.n; i++) {
        d.at[i + 2] = w.kernel[i];
        fan_in *= w.kernel[i];
    }
    double scale = fan_in < 4 ? 1 : fan_in < 16 ? 0.5 : fan_in < 64 ? 0.25 : 0.125;
    uint32_t weights = builder__random(b, t, d.at, d.n, scale);
    uint32_t bias =
        builder__chance(b, 50) ? builder__random(b, t, &out, 1, 0.5) : (uint32_t)VALUE_NONE;
    uint32_t y = OP(b, row->op_type, x, weights, bias);
    put_window(b, &w, builder__chance(b, 60));
    if (group > 1)
        builder__int(b, "group", group);
    builder__note(b, "group=%lld", (long long)group);
    return y;
}

uint32_t layer__conv_transpose(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = as_image(b, row->op_type, x);
    struct window w = draw_window(b, x, true);
    int64_t c = builder__dim(b, x, 1), group = draw_groups(b, c), out = builder__between_i(b, 1, 3);
    struct dims d = {.n = w.n + 2, .at = {c, out}};
    int64_t output_padding[SPATIAL_MAX], n_out = out * group;
    enum dtype t = builder__dtype(b, x);
    bool pad_output = builder__chance(b, 35);
    for (uint32_t i = 0; i < w.n; i++) {
        d.at[i + 2] = w.kernel[i];
        w.strides[i] = MIN(w.strides[i], 2);
        output_padding[i] = builder__between_i(b, 0, w.strides[i] - 1);
    }
    uint32_t weights = builder__random(b, t, d.at, d.n, 0.5);
    uint32_t bias =
        builder__chance(b, 50) ? builder__random(b, t, &n_out, 1, 0.5) : (uint32_t)VALUE_NONE;
    uint32_t y = OP(b, row->op_type, x, weights, bias);
    put_window(b, &w, builder__chance(b, 60));
    if (pad_output) {
        builder__int_list(b, "output_padding", output_padding, w.n);
        builder__note(b, "output_padding=%lld", (long long)output_padding[0]);
    }
    if (group > 1)
        builder__int(b, "group", group);
    return y;
}

/* Values of a float x in the range of an 8-bit type. */
static uint32_t as_bytes(struct graph_builder *b, uint32_t x, enum dtype *t)
{
    *t = builder__dtype(b, x);
    if (*t == DTYPE_UINT8 || *t == DTYPE_INT8)
        return x;
    *t = builder__chance(b, 60) ? DTYPE_UINT8 : DTYPE_INT8;
    x = layer__fit(b, "Relu", x);
    x = builder__cast(b, x, DTYPE_FLOAT);
    return OP(b, "QuantizeLinear", x, builder__scalar(b, DTYPE_FLOAT, 0.0625),
              builder__scalar(b, *t, *t == DTYPE_UINT8 ? 128 : 0));
}

/* Weights of an integer convolution of x: [M, C / group, kernel...]. */
static uint32_t integer_weights(struct graph_builder *b, uint32_t x, enum dtype t,
                                const struct window *w, int64_t *group, int64_t *n_out)
{
    int64_t c = builder__dim(b, x, 1);
    *group = draw_groups(b, c);
    *n_out = *group * builder__between_i(b, 1, 3);
    struct dims d = {.n = w->n + 2, .at = {*n_out, c / *group}};
    for (uint32_t i = 0; i < w->n; i++)
        d.at[i + 2] = w->kernel[i];
    return builder__between(b, t, d.at, d.n, t == DTYPE_INT8 ? -32 : 0, 32);
}

uint32_t layer__conv_integer(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    enum dtype t;
    int64_t group, n_out;
    x = as_bytes(b, with_windows(b, x), &t);
    struct window w = draw_window(b, x, true);
    enum dtype tw = builder__chance(b, 50) ? DTYPE_INT8 : DTYPE_UINT8;
    uint32_t weights = integer_weights(b, x, tw, &w, &group, &n_out);
    uint32_t zx = VALUE_NONE, zw = VALUE_NONE;
    if (builder__chance(b, 70))
        zx = builder__scalar(b, t, builder__between_i(b, 0, 7));
    if (builder__chance(b, 40)) /* one for all channels, or one for each */
        zw = builder__chance(b, 60) ? builder__scalar(b, tw, builder__between_i(b, 0, 5))
                                    : builder__between(b, tw, &n_out, 1, 0, 8);
    uint32_t y = OP(b, row->op_type, x, weights, zx, zw);
    put_window(b, &w, builder__chance(b, 50));
    if (group > 1 || builder__chance(b, 20))
        builder__int(b, "group", group);
    return y;
}

uint32_t layer__qlinear_conv(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    enum dtype q, tw = builder__chance(b, 70) ? DTYPE_INT8 : DTYPE_UINT8;
    int64_t group, n;
    x = as_bytes(b, with_windows(b, x), &q);
    double z = q == DTYPE_UINT8 ? 128 : 0;
    struct window w = draw_window(b, x, true);
    enum place before = b->weights;
    bool per_axis = builder__chance(b, 40);
    b->weights = b->shapes;
    uint32_t sx = builder__scalar(b, DTYPE_FLOAT, 0.03125), zx = builder__scalar(b, q, z);
    uint32_t weights = integer_weights(b, x, tw, &w, &group, &n);
    uint32_t sw = per_axis ? builder__between(b, DTYPE_FLOAT, &n, 1, 0.0078125, 0.03125)
                           : builder__scalar(b, DTYPE_FLOAT, 0.015625);
    uint32_t zw = per_axis ? builder__filled(b, tw, &n, 1, 0)
                           : builder__scalar(b, tw, builder__chance(b, 50) ? 0 : 3);
    uint32_t sy = builder__scalar(b, DTYPE_FLOAT, 0.0625), zy = builder__scalar(b, q, z);
    uint32_t bias = builder__chance(b, 50) ? builder__between(b, DTYPE_INT32, &n, 1, -500, 500)
                                           : (uint32_t)VALUE_NONE;
    b->weights = before;
    uint32_t y = OP(b, row->op_type, x, sx, zx, weights, sw, zw, sy, zy, bias);
    put_window(b, &w, builder__chance(b, 50));
    if (group > 1 || builder__chance(b, 20))
        builder__int(b, "group", group);
    builder__note(b, "%s per_axis=%d", dtype_name(q), per_axis);
    return builder__chance(b, 50) ? OP(b, "DequantizeLinear", y, sy, zy) : y;
}

uint32_t layer__pool(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    int since_dilations = strcmp(row->op_type, "MaxPool") == 0  ? 10
                          : strcmp(row->op_type, "LpPool") == 0 ? 18
                                                                : 19;
    x = as_image(b, row->op_type, x);
    struct window w = draw_window(b, x, b->m->opset >= since_dilations);
    bool indices = strcmp(row->op_type, "MaxPool") == 0 && builder__chance(b, 10);
    uint32_t y = OP_N(b, row->op_type, indices ? 2 : 1, x);
    put_window(b, &w, true);
    if (builder__chance(b, 35) && !b->failed &&
        op_fact_attr(graph_last_node(b->g)->fact, "ceil_mode")) {
        builder__int(b, "ceil_mode", 1);
        builder__note(b, "ceil");
    }
    if (strcmp(row->op_type, "AveragePool") == 0 && builder__chance(b, 40)) {
        builder__int(b, "count_include_pad", 1);
        builder__note(b, "count_include_pad");
    }
    if (strcmp(row->op_type, "LpPool") == 0)
        builder__int(b, "p", builder__between_i(b, 1, 3));
    return y;
}

uint32_t layer__global_pool(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = as_image(b, row->op_type, x);
    uint32_t y = OP(b, row->op_type, x);
    corner__set_some(b, 60);
    return y;
}

uint32_t layer__matmul(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    if (builder__rank(b, x) == 0)
        x = layer__rank(b, x, 1);
    struct dims p = builder__dims(b, x);
    enum dtype t = builder__dtype(b, x);
    int64_t k = p.at[p.n - 1], n = builder__between_i(b, 1, 6);
    struct dims second = {2, {k, n}};
    uint32_t form = builder__below(b, 8);
    double scale = k < 8 ? 0.5 : k < 64 ? 0.25 : 0.0625;
    if (form == 0) {
        second = (struct dims){1, {k}}; /* a vector */
    } else if (form < 3 && p.n >= 2) {
        second.n = p.n;
        for (uint32_t i = 0; i + 2 < p.n; i++)
            second.at[i] = builder__chance(b, 30) ? 1 : p.at[i];
        second.at[p.n - 2] = k;
        second.at[p.n - 1] = n;
    } else if (form == 3 && p.n < 5) {
        second = (struct dims){3, {2, k, n}};
        if (p.n > 2 && p.at[p.n - 3] != 1 && p.at[p.n - 3] != 2)
            second = (struct dims){2, {k, n}};
    } else if (form == 4) {
        second.at[1] = k; /* square: keeps the shape */
    }
    builder__note(b, "ranks=%u,%u", p.n, second.n);
    if (form == 5 && p.n >= 2) { /* x is the right operand, the weights pass a Transpose */
        int64_t wd[2] = {n, p.at[p.n - 2]};
        return OP(b, row->op_type, builder__random(b, t, wd, 2, scale), x);
    }
    return OP(b, row->op_type, x, builder__random(b, t, second.at, second.n, scale));
}

uint32_t layer__matmul_integer(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    enum dtype t;
    x = as_bytes(b, x, &t);
    if (builder__rank(b, x) == 0 || (builder__rank(b, x) == 1 && builder__chance(b, 50)))
        x = layer__rank(b, x, 2);
    int64_t dims[2] = {builder__dim(b, x, -1), builder__between_i(b, 1, 5)};
    enum dtype tw = builder__chance(b, 50) ? DTYPE_INT8 : DTYPE_UINT8;
    uint32_t w = builder__between(b, tw, dims, 2, tw == DTYPE_INT8 ? -32 : 0, 32);
    uint32_t zx = builder__chance(b, 60) ? builder__scalar(b, t, builder__between_i(b, 0, 7))
                                         : (uint32_t)VALUE_NONE;
    uint32_t zw = VALUE_NONE;
    if (zx != VALUE_NONE && builder__chance(b, 50))
        zw = builder__chance(b, 50) ? builder__scalar(b, tw, 3)
                                    : builder__between(b, tw, &dims[1], 1, 0, 8);
    return OP(b, row->op_type, x, w, zx, zw);
}

uint32_t layer__gemm(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__rank(b, layer__fit(b, row->op_type, x), 2);
    bool ta = builder__chance(b, 30), tb = builder__chance(b, 40);
    int64_t m = builder__dim(b, x, ta ? 1 : 0), k = builder__dim(b, x, ta ? 0 : 1);
    int64_t n = builder__between_i(b, 1, 6), shape[2] = {tb ? n : k, tb ? k : n};
    const int64_t forms[5][2] = {{m, n}, {1, n}, {m, 1}, {n, 0}, {1, 0}};
    uint32_t form = builder__below(b, 7), c = VALUE_NONE;
    enum dtype t = builder__dtype(b, x);
    uint32_t w = builder__random(b, t, shape, 2, k < 16 ? 0.5 : 0.125);
    if (form < 5)
        c = builder__random(b, t, forms[form], form < 3 ? 2 : 1, 0.5);
    else if (form == 5)
        c = builder__scalar(b, t, 0.5);
    uint32_t y = OP(b, row->op_type, x, w, c);
    if (ta)
        builder__int(b, "transA", 1);
    if (tb)
        builder__int(b, "transB", 1);
    corner__set_some(b, 35);
    builder__note(b, "transA=%d transB=%d C=%u", ta, tb, form);
    return y;
}

uint32_t layer__einsum(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    static const struct {
        uint32_t rank;
        const char *equation;
        uint32_t second_rank; /* 0: one operand, its dims are the last ones of x, then 3 */
    } rows[] = {
        {2, "ij->ji", 0},
        {2, "ij->i", 0},
        {2, "ij", 0},
        {2, "ij,jk->ik", 2},
        {2, "ij,jk", 2},
        {3, "bij,jk->bik", 2},
        {3, "bij->bji", 0},
        {3, "...ij,jk->...ik", 2},
        {4, "bhij,jk->bhik", 2},
        {4, "bhij->bihj", 0},
        {3, "bij->b", 0},
        {2, "ij,jk->ki", 2},
        {4, "nchw,wk->nhck", 2},
        {3, "bij,jk->kbi", 2},
        {2, "ij->", 0},
        {0, "->", 0},
        {1, "i->", 0},
        {1, "i,ij->j", 2},
        {5, "abcde->edcba", 0},
        {5, "...de,ek->...dk", 2},
        {6, "abcdef->fa", 0},
        {6, "...f,fk->...k", 2},
        {1, "i->i", 0},
    };
    x = layer__fit(b, row->op_type, x);
    uint32_t at = builder__below(b, (uint32_t)COUNT_OF(rows));
    if (rows[at].rank == 0 && builder__rank(b, x) != 0)
        at = 0;
    x = layer__rank(b, x, rows[at].rank);
    if (rows[at].rank == 2 && builder__chance(b, 15)) { /* three operands */
        int64_t n = builder__dim(b, x, 1), w[2] = {n, 2}, v[2] = {2, 3};
        enum dtype t = builder__dtype(b, x);
        uint32_t wv = builder__random(b, t, w, 2, 0.5), vv = builder__random(b, t, v, 2, 0.5);
        uint32_t three = OP(b, row->op_type, x, wv, vv);
        builder__string(b, "equation", "ij,jk,kl->il");
        return three;
    }
    int64_t d[2] = {builder__dim(b, x, -1), 3};
    uint32_t y = rows[at].second_rank
                     ? OP(b, row->op_type, x, builder__random(b, builder__dtype(b, x), d, 2, 0.5))
                     : OP(b, row->op_type, x);
    builder__string(b, "equation", rows[at].equation);
    builder__note(b, "%s", rows[at].equation);
    return y;
}

uint32_t layer__det(struct graph_builder *b, const struct layer_builder *row, uint32_t x)
{
    x = layer__fit(b, row->op_type, x);
    if (builder__rank(b, x) < 2)
        x = layer__rank(b, x, 2);
    int64_t n = MIN(builder__dim(b, x, -1), builder__dim(b, x, -2));
    n = MIN(n, 4);
    x = builder__slice(b, x, -1, 0, n, 1);
    x = builder__slice(b, x, -2, 0, n, 1);
    return OP(b, row->op_type, x);
}
