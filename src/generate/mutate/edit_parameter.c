/*
 * Parameters of existing layers: PM changes one attribute, N2 the whole window of a convolution or
 * pool, N3 moves pads from a window into Pad, N7 inserts a pool of any kind after an image.
 * Inference decides whether later layers still fit.
 */
#include <math.h>

#include "generate/mutate/edit_p.h"
#include "generate/mutate/layer_p.h"

bool fits__has_parameter(const struct edit *e, uint32_t at)
{
    static const char *const fragile[] = {"Reshape", "Split", "Concat", "Flatten", "Gather"};
    return fits__any_node(e, at) && corner__has(edit__node(e, at)) && !EDIT_IS(e, at, fragile) &&
           edit__is_used(e, edit__node(e, at)->outputs[0]);
}

/* Clears the shapes of all later values, so that inference computes them again. */
static void forget_shapes(struct edit *e)
{
    struct graph *g = e->b.g;
    for (size_t i = 0; i < g->nodes.n; i++) {
        for (uint32_t o = 0; o < g->nodes.at[i].n_outputs; o++) {
            uint32_t v = g->nodes.at[i].outputs[o];
            if (v != VALUE_NONE)
                g->values.at[v].is_declared = false;
        }
    }
}

bool edit__parameter(struct edit *e)
{
    e->bucket = str_dup(e->b.m->arena, edit__node(e, e->at)->op_type);
    forget_shapes(e);
    return corner__change(&e->b, e->at);
}

static const char *const windows[] = {"Conv", "MaxPool", "AveragePool", "LpPool", "ConvTranspose"};

bool fits__window_node(const struct edit *e, uint32_t at)
{
    const struct node *n = edit__node(e, at);
    return EDIT_IS(e, at, windows) && edit__static(e, n->inputs[0]) &&
           edit__value(e, n->inputs[0])->shape.rank >= 3 && edit__static(e, n->outputs[0]);
}

struct geometry {
    uint32_t n;
    int64_t kernel[3], strides[3], dilations[3], pads[6];
};

static bool geometry_of(const struct edit *e, uint32_t at, struct geometry *w)
{
    const struct node *n = edit__node(e, at);
    size_t n_list;
    const int64_t *list = node_ints(n, "kernel_shape", &n_list);
    w->n = edit__value(e, n->inputs[0])->shape.rank - 2;
    if (w->n > 3)
        return false;
    const struct shape *k = n->n_inputs > 1 ? &edit__value(e, n->inputs[1])->shape : NULL;
    for (uint32_t i = 0; i < w->n; i++) {
        if (!list && (!k || k->rank != w->n + 2))
            return false;
        w->kernel[i] = list ? list[i] : k->dims[i + 2].value;
        w->strides[i] = w->dilations[i] = 1;
        w->pads[i] = w->pads[i + w->n] = 0;
    }
    const int64_t *strides = node_ints(n, "strides", &n_list);
    for (uint32_t i = 0; strides && i < w->n && i < n_list; i++)
        w->strides[i] = strides[i];
    const int64_t *dilations = node_ints(n, "dilations", &n_list);
    for (uint32_t i = 0; dilations && i < w->n && i < n_list; i++)
        w->dilations[i] = dilations[i];
    const int64_t *pads = node_ints(n, "pads", &n_list);
    for (uint32_t i = 0; pads && i < 2 * w->n && i < n_list; i++)
        w->pads[i] = pads[i];
    return true;
}

/* Pads that keep every spatial size where the stride is 1, moved to one side at random. */
static void keep_size(struct graph_builder *b, struct geometry *w)
{
    for (uint32_t i = 0; i < w->n; i++) {
        int64_t total = (w->kernel[i] - 1) * w->dilations[i];
        w->pads[i] = builder__chance(b, 50) ? total / 2 : builder__between_i(b, 0, total);
        w->pads[i + w->n] = total - w->pads[i];
    }
}

/* Makes weights for another kernel by repeating the old ones. */
static bool set_kernel(struct edit *e, const struct geometry *w)
{
    const struct tensor *old = edit__weight(e, e->at, 1);
    int64_t dims[5];
    size_t n = 1;
    if (!old || old->rank != w->n + 2)
        return false;
    for (uint32_t i = 0; i < old->rank; i++) {
        dims[i] = i < 2 ? old->dims[i] : w->kernel[i - 2];
        n *= (size_t)dims[i];
    }
    if (n == 0 || n > 1 << 16)
        return false;
    double *values = arena_new_array(e->b.m->arena, double, n);
    double shrink = fmin(1, sqrt((double)old->n / (double)n));
    for (size_t i = 0; i < n; i++)
        values[i] = shrink * tensor_get_double(old, i % old->n);
    edit__set_input(e, e->at, 1, builder__values(&e->b, old->dtype, dims, old->rank, values));
    return true;
}

bool edit__window(struct edit *e)
{
    static const int64_t kernels[] = {1, 2, 3, 5};
    struct graph_builder *b = &e->b;
    struct geometry w;
    bool is_conv = edit__node(e, e->at)->n_inputs > 1;
    if (!geometry_of(e, e->at, &w))
        return false;
    bool new_kernel = builder__chance(b, 50), dilate = builder__chance(b, 25);
    for (uint32_t i = 0; i < w.n; i++) {
        if (new_kernel)
            w.kernel[i] = i == 0 || builder__chance(b, 30) ? ONE_OF(b, kernels) : w.kernel[0];
        w.dilations[i] = dilate && w.kernel[i] > 1 ? 2 : 1;
    }
    keep_size(b, &w);
    if (new_kernel && is_conv && !set_kernel(e, &w))
        return false;
    forget_shapes(e);
    struct node *n = edit__node(e, e->at);
    if (node_attr(n, "kernel_shape") || !is_conv)
        node_set_ints(b->m, n, "kernel_shape", w.kernel, w.n);
    node_remove_attr(b->m, n, "dilations");
    if (dilate)
        node_set_ints(b->m, n, "dilations", w.dilations, w.n);
    node_remove_attr(b->m, n, "auto_pad");
    node_remove_attr(b->m, n, "pads");
    if (builder__chance(b, 30) && !str_is(n->op_type, "ConvTranspose"))
        node_set_string(b->m, n, "auto_pad", builder__chance(b, 50) ? "SAME_UPPER" : "SAME_LOWER");
    else
        node_set_ints(b->m, n, "pads", w.pads, 2 * w.n);
    builder__note(b, "kernel=%lld dilation=%lld pads=%lld,%lld", (long long)w.kernel[0],
                  (long long)w.dilations[0], (long long)w.pads[0], (long long)w.pads[w.n]);
    return true;
}

bool fits__padded_window(const struct edit *e, uint32_t at)
{
    static const char *const exact[] = {"Conv", "MaxPool", "AveragePool"};
    static const char *const averages[] = {"AveragePool"};
    const struct node *n = edit__node(e, at);
    size_t n_pads;
    const int64_t *pads = node_ints(n, "pads", &n_pads);
    int64_t sum = 0;
    for (size_t i = 0; i < n_pads; i++)
        sum += pads[i];
    if (EDIT_IS(e, at, averages) &&
        (node_int(n, "count_include_pad", 0) == 0 || node_int(n, "ceil_mode", 0) == 1))
        return false;
    return EDIT_IS(e, at, exact) && sum > 0 && n->n_outputs == 1 && edit__float(e, n->inputs[0]);
}

bool edit__split_pad(struct edit *e)
{
    struct graph_builder *b = &e->b;
    struct geometry w;
    uint32_t x = edit__node(e, e->at)->inputs[0], rank = edit__value(e, x)->shape.rank;
    int64_t pads[2 * TENSOR_RANK_MAX] = {0}, zeros[6] = {0};
    enum dtype t = edit__value(e, x)->dtype;
    bool is_max = str_is(edit__node(e, e->at)->op_type, "MaxPool");
    if (!geometry_of(e, e->at, &w) || b->m->opset < 11)
        return false;
    for (uint32_t i = 0; i < w.n; i++) {
        pads[i + 2] = w.pads[i];
        pads[rank + i + 2] = w.pads[i + w.n];
    }
    uint32_t list = builder__i64s(b, pads, 2 * rank), fill = VALUE_NONE;
    if (is_max)
        fill = builder__scalar(b, t, -INFINITY);
    else if (builder__chance(b, 50))
        fill = builder__scalar(b, t, 0);
    uint32_t padded = OP(b, "Pad", x, list, fill);
    if (!builder__ok(b))
        return false;
    edit__set_input(e, e->at, 0, padded);
    struct node *n = edit__node(e, e->at);
    node_remove_attr(b->m, n, "pads");
    if (builder__chance(b, 50))
        node_set_ints(b->m, n, "pads", zeros, 2 * w.n);
    return true;
}

bool fits__image(const struct edit *e, uint32_t at)
{
    const struct shape *p = &edit__value(e, at)->shape;
    return fits__float_value(e, at) && p->rank >= 3 && p->rank <= 5 && edit__count(e, at) > 0;
}

bool edit__pool_family(struct edit *e)
{
    static const char *const pools[] = {"MaxPool",           "AveragePool",   "LpPool",
                                        "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool",
                                        "MaxPool",           "AveragePool"};
    uint32_t first = (uint32_t)e->b.g->nodes.n;
    e->bucket = ONE_OF(&e->b, pools);
    uint32_t y = layer__apply(&e->b, layer__find(e->bucket), e->at);
    return edit__join(e, e->at, y, first);
}
