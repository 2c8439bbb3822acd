/* Decides where the standard has a gap: each row is an operator and a test of one node. */
#include "onnx/gaps.h"

#include "base/compiler.h"

static int64_t list_at(const struct node *n, const char *name, uint32_t i, int64_t otherwise)
{
    size_t n_list;
    const int64_t *list = node_ints(n, name, &n_list);
    return list && i < n_list ? list[i] : otherwise;
}

static const struct shape *shape_of(const struct model *m, const uint32_t *values, uint32_t n,
                                    uint32_t i)
{
    return i < n && values[i] != VALUE_NONE ? &m->graph->values.at[values[i]].shape : NULL;
}

/* A pad as wide as the window: the text does not define a window that holds only padding. */
static bool pads_beyond_window(const struct node *n)
{
    for (uint32_t i = 0; i < TENSOR_RANK_MAX; i++) {
        int64_t kernel = list_at(n, "kernel_shape", i, 0);
        size_t n_pads, spatial;
        node_ints(n, "kernel_shape", &spatial);
        const int64_t *pads = node_ints(n, "pads", &n_pads);
        if (i >= spatial || n_pads != 2 * spatial)
            return false;
        if (MAX(pads[i], pads[i + spatial]) >= kernel && MAX(pads[i], pads[i + spatial]) > 0)
            return true;
    }
    return false;
}

/* Under ceil_mode the versions disagree on a last window that begins in the padding at the end. */
static bool pool_is_open(const struct model *m, const struct node *n)
{
    const struct shape *x = shape_of(m, n->inputs, n->n_inputs, 0);
    struct str auto_pad = node_string(n, "auto_pad", STR("NOTSET"));
    if (pads_beyond_window(n))
        return true;
    if (node_int(n, "ceil_mode", 0) == 0 || !x || !shape_is_static(x) || x->rank < 3)
        return false;
    if (!str_is(auto_pad, "NOTSET"))
        return true; /* the text does not say which of the two is rounded */
    uint32_t spatial = x->rank - 2;
    for (uint32_t i = 0; i < spatial; i++) {
        int64_t size = x->dims[i + 2].value, stride = list_at(n, "strides", i, 1);
        int64_t begin = list_at(n, "pads", i, 0), end = list_at(n, "pads", i + spatial, 0);
        int64_t extent = (list_at(n, "kernel_shape", i, 1) - 1) * list_at(n, "dilations", i, 1) + 1;
        int64_t room = size + begin + end - extent;
        int64_t last = (room + stride - 1) / stride * stride; /* where the last window begins */
        if (room < 0 || last >= size + begin || stride < 1)
            return true;
    }
    return false;
}

/* output_padding "must be less than the corresponding stride"; the size of an empty result is not
 * defined. */
static bool transpose_is_open(const struct model *m, const struct node *n)
{
    const struct shape *x = shape_of(m, n->inputs, n->n_inputs, 0);
    for (uint32_t i = 2; x && x->known && i < x->rank; i++) {
        if (x->dims[i].value == 0)
            return true;
    }
    for (uint32_t i = 0; i < 3; i++) {
        if (list_at(n, "output_padding", i, 0) >= list_at(n, "strides", i, 1) &&
            list_at(n, "output_padding", i, 0) > 0)
            return true;
    }
    return false;
}

/* The standard's function body is for floats only, and takes its axes from the attribute. */
static bool mean_variance_is_open(const struct model *m, const struct node *n)
{
    return m->graph->values.at[n->inputs[0]].dtype != DTYPE_FLOAT || !node_attr(n, "axes");
}

static const struct tensor *constant_of(const struct model *m, uint32_t v)
{
    const struct graph_value *value = &m->graph->values.at[v];
    if (value->initializer)
        return value->initializer;
    const struct attr *t = value->origin == ORIGIN_NODE
                               ? node_attr(&m->graph->nodes.at[value->origin_at], "value")
                               : NULL;
    return t && t->kind == ATTR_TENSOR ? t->t : NULL;
}

/* The text does not define a reflection that reaches beyond the data. */
static bool pad_is_open(const struct model *m, const struct node *n)
{
    const struct shape *x = shape_of(m, n->inputs, n->n_inputs, 0);
    if (!str_is(node_string(n, "mode", STR("constant")), "reflect") || n->n_inputs < 2 || !x ||
        !shape_is_static(x))
        return false;
    const struct tensor *pads = constant_of(m, n->inputs[1]);
    if (!pads || pads->n != 2 * x->rank)
        return true;
    for (uint32_t i = 0; i < 2 * x->rank; i++) {
        if (tensor_get_i64(pads, i) >= MAX(x->dims[i % x->rank].value, 1))
            return true;
    }
    return false;
}

/* The length of a frame is not defined when neither a window nor frame_length is given. */
static bool stft_is_open(const struct model *m, const struct node *n)
{
    (void)m;
    return (n->n_inputs < 3 || n->inputs[2] == VALUE_NONE) &&
           (n->n_inputs < 4 || n->inputs[3] == VALUE_NONE);
}

/* saturate is for results of float8 and round_mode for those of float8e8m0; the text does not say
 * whether others allow them. */
static bool rounding_is_open(const struct model *m, const struct node *n)
{
    enum dtype t = m->graph->values.at[n->outputs[0]].dtype;
    bool is_float8 = dtype_is_float(t) && dtype_row(t)->n_bits == 8;
    return (!is_float8 && node_attr(n, "saturate")) ||
           (t != DTYPE_FLOAT8E8M0 && node_attr(n, "round_mode"));
}

/* The result is not defined for grams longer than the pool lists. */
static bool grams_are_open(const struct model *m, const struct node *n)
{
    size_t n_counts;
    (void)m;
    node_ints(n, "ngram_counts", &n_counts);
    return node_int(n, "max_gram_length", 1) > (int64_t)n_counts;
}

static const struct {
    const char *op_type;
    bool (*is_open)(const struct model *m, const struct node *n);
} rows[] = {
    {"MaxPool", pool_is_open},
    {"AveragePool", pool_is_open},
    {"LpPool", pool_is_open},
    {"ConvTranspose", transpose_is_open},
    {"MeanVarianceNormalization", mean_variance_is_open},
    {"Pad", pad_is_open},
    {"STFT", stft_is_open},
    {"Cast", rounding_is_open},
    {"CastLike", rounding_is_open},
    {"QuantizeLinear", rounding_is_open},
    {"TfIdfVectorizer", grams_are_open},
};

bool model_has_gap(const struct model *m)
{
    for (size_t i = 0; i < m->graph->nodes.n; i++) {
        const struct node *n = &m->graph->nodes.at[i];
        for (size_t r = 0; r < COUNT_OF(rows); r++) {
            if (n->domain.n == 0 && str_is(n->op_type, rows[r].op_type) && rows[r].is_open(m, n))
                return true;
        }
    }
    return false;
}
