/*
 * Recipes of convolutions, pools and products. Shapes: x [N, C, spatial...] for convolutions and
 * pools, spatial rank 1 to 3; products of any rank. Pads stay below the kernel, the last window
 * starts inside (ONNX Conv, MaxPool, AveragePool); output sizes are left to inference.
 */
#include "generate/mutate/recipe_p.h"

enum { SPATIAL_MAX = 3, CHANNELS_MAX = 64 };

/* x as [N, C, spatial...]. */
static uint32_t as_image(struct sketch *s, const char *op_type, uint32_t x)
{
    x = recipe__fit(s, op_type, x);
    uint32_t rank = sketch__rank(s, x);
    if (rank < 3 || rank > 5)
        x = recipe__rank(s, x, rank < 3 ? 3 + sketch__below(s, 2) : 4);
    return x;
}

struct window {
    uint32_t n; /* spatial rank */
    int64_t kernel[SPATIAL_MAX], strides[SPATIAL_MAX], dilations[SPATIAL_MAX],
        pads[2 * SPATIAL_MAX];
    bool has_dilations;
    const char *auto_pad;
};

/* A window that fits x: kernel within the padded size, pads below the kernel's extent. */
static struct window draw_window(struct sketch *s, uint32_t x, bool dilated)
{
    static const char *const autos[] = {"SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"};
    struct dims p = sketch__dims(s, x);
    struct window w = {.n = p.n - 2};
    bool same_strides = sketch__chance(s, 60);
    w.auto_pad = sketch__chance(s, 25) ? PICK(s, autos) : NULL;
    w.has_dilations = dilated && sketch__chance(s, 25);
    for (uint32_t i = 0; i < w.n; i++) {
        int64_t size = MAX(p.at[i + 2], 1), extent;
        w.dilations[i] = w.has_dilations ? sketch__between_i(s, 1, 2) : 1;
        w.kernel[i] = sketch__between_i(s, 1, MIN(size, 4));
        extent = (w.kernel[i] - 1) * w.dilations[i] + 1;
        if (extent > size) {
            w.dilations[i] = 1;
            extent = w.kernel[i];
        }
        w.strides[i] = same_strides && i > 0 ? w.strides[0] : sketch__between_i(s, 1, 3);
        bool padded = !w.auto_pad && sketch__chance(s, 60);
        w.pads[i] = padded ? sketch__between_i(s, 0, MIN(w.kernel[i] - 1, 2)) : 0;
        w.pads[i + w.n] = padded ? sketch__between_i(s, 0, MIN(w.kernel[i] - 1, 2)) : 0;
    }
    return w;
}

/* Attributes of the node added last. */
static void put_window(struct sketch *s, const struct window *w, bool with_kernel)
{
    bool strided = false, padded = false;
    for (uint32_t i = 0; i < w->n; i++) {
        strided |= w->strides[i] != 1;
        padded |= w->pads[i] != 0 || w->pads[i + w->n] != 0;
    }
    if (with_kernel)
        sketch__int_list(s, "kernel_shape", w->kernel, w->n);
    if (strided || sketch__chance(s, 30))
        sketch__int_list(s, "strides", w->strides, w->n);
    if (w->auto_pad)
        sketch__string(s, "auto_pad", w->auto_pad);
    else if (padded || sketch__chance(s, 30))
        sketch__int_list(s, "pads", w->pads, 2 * w->n);
    if (w->has_dilations)
        sketch__int_list(s, "dilations", w->dilations, w->n);
    sketch__note(s, "kernel=%lld stride=%lld pad=%lld,%lld%s%s", (long long)w->kernel[0],
                 (long long)w->strides[0], (long long)w->pads[0], (long long)w->pads[w->n],
                 w->has_dilations ? " dilated " : "", w->auto_pad ? w->auto_pad : "");
}

static int64_t draw_groups(struct sketch *s, int64_t c)
{
    int64_t g = sketch__chance(s, 60) ? 1 : sketch__chance(s, 50) ? c : sketch__between_i(s, 1, c);
    while (g > 1 && c % g != 0)
        g--;
    return MAX(g, 1);
}

uint32_t recipe__conv(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = as_image(s, row->op_type, x);
    struct window w = draw_window(s, x, true);
    int64_t c = sketch__dim(s, x, 1), group = draw_groups(s, c);
    int64_t out = group * sketch__between_i(s, 1, MAX(1, MIN(6, CHANNELS_MAX / group)));
    if (sketch__chance(s, 40) && group <= c)
        out = c;
    struct dims d = {.n = w.n + 2, .at = {out, c / group}};
    int64_t fan_in = MAX(c / group, 1);
    enum dtype t = sketch__dtype(s, x);
    for (uint32_t i = 0; i < w.n; i++) {
        d.at[i + 2] = w.kernel[i];
        fan_in *= w.kernel[i];
    }
    double scale = fan_in < 4 ? 1 : fan_in < 16 ? 0.5 : fan_in < 64 ? 0.25 : 0.125;
    uint32_t weights = sketch__random(s, t, d.at, d.n, scale);
    uint32_t bias =
        sketch__chance(s, 50) ? sketch__random(s, t, &out, 1, 0.5) : (uint32_t)VALUE_NONE;
    uint32_t y = OP(s, row->op_type, x, weights, bias);
    put_window(s, &w, sketch__chance(s, 60));
    if (group > 1)
        sketch__int(s, "group", group);
    sketch__note(s, "group=%lld", (long long)group);
    return y;
}

uint32_t recipe__conv_transpose(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = as_image(s, row->op_type, x);
    struct window w = draw_window(s, x, true);
    int64_t c = sketch__dim(s, x, 1), group = draw_groups(s, c), out = sketch__between_i(s, 1, 3);
    struct dims d = {.n = w.n + 2, .at = {c, out}};
    int64_t output_padding[SPATIAL_MAX], n_out = out * group;
    enum dtype t = sketch__dtype(s, x);
    bool pad_output = sketch__chance(s, 35);
    for (uint32_t i = 0; i < w.n; i++) {
        d.at[i + 2] = w.kernel[i];
        w.strides[i] = MIN(w.strides[i], 2);
        output_padding[i] = sketch__between_i(s, 0, w.strides[i] - 1);
    }
    uint32_t weights = sketch__random(s, t, d.at, d.n, 0.5);
    uint32_t bias =
        sketch__chance(s, 50) ? sketch__random(s, t, &n_out, 1, 0.5) : (uint32_t)VALUE_NONE;
    uint32_t y = OP(s, row->op_type, x, weights, bias);
    put_window(s, &w, sketch__chance(s, 60));
    if (pad_output) {
        sketch__int_list(s, "output_padding", output_padding, w.n);
        sketch__note(s, "output_padding=%lld", (long long)output_padding[0]);
    }
    if (group > 1)
        sketch__int(s, "group", group);
    return y;
}

/* Values of a float x in the range of an 8-bit type. */
static uint32_t as_bytes(struct sketch *s, uint32_t x, enum dtype *t)
{
    *t = sketch__dtype(s, x);
    if (*t == DTYPE_UINT8 || *t == DTYPE_INT8)
        return x;
    *t = sketch__chance(s, 60) ? DTYPE_UINT8 : DTYPE_INT8;
    x = recipe__fit(s, "Relu", x);
    x = sketch__cast(s, x, DTYPE_FLOAT);
    return OP(s, "QuantizeLinear", x, sketch__scalar(s, DTYPE_FLOAT, 0.0625),
              sketch__scalar(s, *t, *t == DTYPE_UINT8 ? 128 : 0));
}

uint32_t recipe__conv_integer(struct sketch *s, const struct recipe *row, uint32_t x)
{
    enum dtype t;
    uint32_t rank = sketch__rank(s, x);
    if (rank != 4)
        x = recipe__rank(s, x, 4);
    x = as_bytes(s, x, &t);
    struct window w = draw_window(s, x, false);
    int64_t dims[4] = {sketch__between_i(s, 1, 4), sketch__dim(s, x, 1), w.kernel[0], w.kernel[1]};
    enum dtype tw = sketch__chance(s, 50) ? DTYPE_INT8 : DTYPE_UINT8;
    uint32_t weights = sketch__between(s, tw, dims, 4, tw == DTYPE_INT8 ? -32 : 0, 32);
    uint32_t zero = sketch__scalar(s, t, sketch__between_i(s, 0, 7));
    uint32_t y = sketch__chance(s, 70) ? OP(s, row->op_type, x, weights, zero)
                                       : OP(s, row->op_type, x, weights);
    put_window(s, &w, false);
    return y;
}

uint32_t recipe__pool(struct sketch *s, const struct recipe *row, uint32_t x)
{
    int since_dilations = strcmp(row->op_type, "MaxPool") == 0  ? 10
                          : strcmp(row->op_type, "LpPool") == 0 ? 18
                                                                : 19;
    x = as_image(s, row->op_type, x);
    struct window w = draw_window(s, x, s->m->opset >= since_dilations);
    bool indices = strcmp(row->op_type, "MaxPool") == 0 && sketch__chance(s, 10);
    uint32_t y = OP_N(s, row->op_type, indices ? 2 : 1, x);
    put_window(s, &w, true);
    if (sketch__chance(s, 35) && !s->failed &&
        op_fact_attr(graph_last_node(s->g)->fact, "ceil_mode")) {
        sketch__int(s, "ceil_mode", 1);
        sketch__note(s, "ceil");
    }
    if (strcmp(row->op_type, "AveragePool") == 0 && sketch__chance(s, 40)) {
        sketch__int(s, "count_include_pad", 1);
        sketch__note(s, "count_include_pad");
    }
    if (strcmp(row->op_type, "LpPool") == 0)
        sketch__int(s, "p", sketch__between_i(s, 1, 3));
    return y;
}

uint32_t recipe__global_pool(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = as_image(s, row->op_type, x);
    uint32_t y = OP(s, row->op_type, x);
    corner__sprinkle(s, 60);
    return y;
}

uint32_t recipe__matmul(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    if (sketch__rank(s, x) == 0)
        x = recipe__rank(s, x, 1);
    struct dims p = sketch__dims(s, x);
    enum dtype t = sketch__dtype(s, x);
    int64_t k = p.at[p.n - 1], n = sketch__between_i(s, 1, 6);
    struct dims b = {2, {k, n}};
    uint32_t form = sketch__below(s, 8);
    double scale = k < 8 ? 0.5 : k < 64 ? 0.25 : 0.0625;
    if (form == 0) {
        b = (struct dims){1, {k}}; /* a vector */
    } else if (form < 3 && p.n >= 2) {
        b.n = p.n;
        for (uint32_t i = 0; i + 2 < p.n; i++)
            b.at[i] = sketch__chance(s, 30) ? 1 : p.at[i];
        b.at[p.n - 2] = k;
        b.at[p.n - 1] = n;
    } else if (form == 3 && p.n < 5) {
        b = (struct dims){3, {2, k, n}};
        if (p.n > 2 && p.at[p.n - 3] != 1 && p.at[p.n - 3] != 2)
            b = (struct dims){2, {k, n}};
    } else if (form == 4) {
        b.at[1] = k; /* square: same shape out */
    }
    sketch__note(s, "ranks=%u,%u", p.n, b.n);
    if (form == 5 && p.n >= 2) { /* x on the right, through a Transpose of the weights */
        int64_t wd[2] = {n, p.at[p.n - 2]};
        return OP(s, row->op_type, sketch__random(s, t, wd, 2, scale), x);
    }
    return OP(s, row->op_type, x, sketch__random(s, t, b.at, b.n, scale));
}

uint32_t recipe__matmul_integer(struct sketch *s, const struct recipe *row, uint32_t x)
{
    enum dtype t;
    x = as_bytes(s, x, &t);
    if (sketch__rank(s, x) < 2)
        x = recipe__rank(s, x, 2);
    int64_t dims[2] = {sketch__dim(s, x, -1), sketch__between_i(s, 1, 5)};
    enum dtype tw = sketch__chance(s, 50) ? DTYPE_INT8 : DTYPE_UINT8;
    uint32_t w = sketch__between(s, tw, dims, 2, tw == DTYPE_INT8 ? -32 : 0, 32);
    uint32_t zx = sketch__chance(s, 60) ? sketch__scalar(s, t, sketch__between_i(s, 0, 7))
                                        : (uint32_t)VALUE_NONE;
    uint32_t zw = VALUE_NONE;
    if (zx != VALUE_NONE && sketch__chance(s, 50))
        zw = sketch__chance(s, 50) ? sketch__scalar(s, tw, 3)
                                   : sketch__between(s, tw, &dims[1], 1, 0, 8);
    return OP(s, row->op_type, x, w, zx, zw);
}

uint32_t recipe__gemm(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__rank(s, recipe__fit(s, row->op_type, x), 2);
    bool ta = sketch__chance(s, 30), tb = sketch__chance(s, 40);
    int64_t m = sketch__dim(s, x, ta ? 1 : 0), k = sketch__dim(s, x, ta ? 0 : 1);
    int64_t n = sketch__between_i(s, 1, 6), b[2] = {tb ? n : k, tb ? k : n};
    const int64_t forms[5][2] = {{m, n}, {1, n}, {m, 1}, {n, 0}, {1, 0}};
    uint32_t form = sketch__below(s, 7), c = VALUE_NONE;
    enum dtype t = sketch__dtype(s, x);
    uint32_t w = sketch__random(s, t, b, 2, k < 16 ? 0.5 : 0.125);
    if (form < 5)
        c = sketch__random(s, t, forms[form], form < 3 ? 2 : 1, 0.5);
    else if (form == 5)
        c = sketch__scalar(s, t, 0.5);
    uint32_t y = OP(s, row->op_type, x, w, c);
    if (ta)
        sketch__int(s, "transA", 1);
    if (tb)
        sketch__int(s, "transB", 1);
    corner__sprinkle(s, 35);
    sketch__note(s, "transA=%d transB=%d C=%u", ta, tb, form);
    return y;
}

uint32_t recipe__einsum(struct sketch *s, const struct recipe *row, uint32_t x)
{
    static const struct {
        uint32_t rank;
        const char *equation;
        uint32_t second_rank; /* 0: one operand; its dims are x's last ones, then 3 */
    } rows[] = {
        {2, "ij->ji", 0},        {2, "ij->i", 0},           {2, "ij", 0},
        {2, "ij,jk->ik", 2},     {2, "ij,jk", 2},           {3, "bij,jk->bik", 2},
        {3, "bij->bji", 0},      {3, "...ij,jk->...ik", 2}, {4, "bhij,jk->bhik", 2},
        {4, "bhij->bihj", 0},    {3, "bij->b", 0},          {2, "ij,jk->ki", 2},
        {4, "nchw,wk->nhck", 2}, {3, "bij,jk->kbi", 2},     {2, "ij->", 0},
    };
    x = recipe__fit(s, row->op_type, x);
    uint32_t at = sketch__below(s, (uint32_t)COUNT_OF(rows));
    x = recipe__rank(s, x, rows[at].rank);
    int64_t d[2] = {sketch__dim(s, x, -1), 3};
    uint32_t y = rows[at].second_rank
                     ? OP(s, row->op_type, x, sketch__random(s, sketch__dtype(s, x), d, 2, 0.5))
                     : OP(s, row->op_type, x);
    sketch__string(s, "equation", rows[at].equation);
    sketch__note(s, "%s", rows[at].equation);
    return y;
}

uint32_t recipe__det(struct sketch *s, const struct recipe *row, uint32_t x)
{
    x = recipe__fit(s, row->op_type, x);
    if (sketch__rank(s, x) < 2)
        x = recipe__rank(s, x, 2);
    int64_t n = MIN(sketch__dim(s, x, -1), sketch__dim(s, x, -2));
    n = MIN(n, 4);
    x = sketch__slice(s, x, -1, 0, n, 1);
    x = sketch__slice(s, x, -2, 0, n, 1);
    return OP(s, row->op_type, x);
}
