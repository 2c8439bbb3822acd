/*
 * Passes that make dims smaller, but not 0, and dtypes float. A size occurs in many places of a
 * model that must agree (inputs, weights, shape constants, attributes), so it is replaced
 * everywhere at once: tensors are cut, integer constants and attributes with the size are
 * rewritten. Shape inference refuses models that do not fit together then.
 */
#include <string.h>

#include "base/vec.h"
#include "reduce/reduce_p.h"

enum { SIZES_MAX = 64, TRIES = 4 };

/* Distinct sizes other than 1 of inputs and initializers, in order of first sight. */
struct sizes {
    int64_t at[SIZES_MAX];
    uint32_t n;
};

static void add_size(struct sizes *s, int64_t size)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->at[i] == size)
            return;
    if (size != 1 && s->n < SIZES_MAX)
        s->at[s->n++] = size;
}

static struct sizes sizes_of(const struct model *m, const struct tensors *inputs)
{
    struct sizes s = {.n = 0};
    for (size_t i = 0; i < inputs->n; i++)
        for (uint32_t k = 0; k < inputs->at[i].tensor.rank; k++)
            add_size(&s, inputs->at[i].tensor.dims[k]);
    for (size_t i = 0; i < m->graph->values.n; i++) {
        const struct tensor *t = m->graph->values.at[i].initializer;
        for (uint32_t k = 0; t && !dtype_is_integer(t->dtype) && k < t->rank; k++)
            add_size(&s, t->dims[k]);
    }
    return s;
}

/* The size for attempt `try`: 1, 2, 3 or half of it; 0: that is not simpler. A tensor with elements
 * is simpler than an empty one. */
static int64_t simpler(int64_t size, uint32_t try)
{
    if (size == 0)
        return try == 0;
    int64_t to = try < 3 ? (int64_t)try + 1 : size / 2;
    return to < size && (try < 3 || to > 3) ? to : 0;
}

/* The first part of t: dims[i] elements along axis i; ones where t is empty. */
static struct tensor cut_tensor(const struct tensor *t, const int64_t *dims, struct arena *a)
{
    struct tensor out;
    void *data;
    struct err ignored = {0};
    if (t->dtype == DTYPE_STRING || !tensor_make(t->dtype, dims, t->rank, a, &out, &data, &ignored))
        return *t;
    for (size_t i = 0; i < out.n; i++) {
        size_t rest = i, from = 0, stride = 1;
        if (t->n == 0) {
            tensor_put_i64(t->dtype, data, i, 1);
            continue;
        }
        for (uint32_t k = t->rank; k-- > 0;) {
            from += (rest % (size_t)dims[k]) * stride;
            rest /= (size_t)dims[k];
            stride *= (size_t)t->dims[k];
        }
        if (dtype_is_integer(t->dtype) || t->dtype == DTYPE_BOOL)
            tensor_put_i64(t->dtype, data, i, tensor_get_i64(t, from));
        else
            tensor_put_double(t->dtype, data, i, tensor_get_double(t, from));
    }
    return out;
}

static bool resize_tensor(struct tensor *t, int64_t from, int64_t to, struct arena *a)
{
    int64_t dims[TENSOR_RANK_MAX];
    bool changed = false;
    for (uint32_t k = 0; k < t->rank; k++) {
        dims[k] = t->dims[k] == from ? to : t->dims[k];
        changed = changed || dims[k] != t->dims[k];
    }
    if (changed)
        *t = cut_tensor(t, dims, a);
    return changed;
}

/* Replaces the size in integer constants (targets of Reshape, bounds of Slice). */
static bool rewrite_integers(struct tensor *t, int64_t from, int64_t to, struct arena *a)
{
    bool changed = false;
    if (t->dtype != DTYPE_INT64)
        return false;
    for (size_t i = 0; i < t->n; i++)
        changed = changed || tensor_get_i64(t, i) == from;
    if (!changed)
        return false;
    void *data = arena_dup(a, t->data, dtype_size(t->dtype, t->n));
    for (size_t i = 0; i < t->n; i++)
        if (tensor_get_i64(t, i) == from)
            tensor_put_i64(t->dtype, data, i, to);
    t->data = data;
    return true;
}

static void rewrite_attr(struct trial *t, struct node *n, const struct attr *attr, int64_t from,
                         int64_t to)
{
    const char *name = str_dup(t->a, attr->name);
    if (attr->kind == ATTR_INT && attr->i == from) {
        node_set_int(t->m, n, name, to);
    } else if (attr->kind == ATTR_INTS) {
        int64_t *v = arena_dup(t->a, attr->ints, attr->n * sizeof *v);
        size_t n_v = attr->n;
        for (size_t i = 0; i < n_v; i++)
            v[i] = v[i] == from ? to : v[i];
        node_set_ints(t->m, n, name, v, n_v);
    } else if (attr->kind == ATTR_TENSOR) {
        struct tensor *fresh = arena_dup(t->a, attr->t, sizeof *fresh);
        bool resized = resize_tensor(fresh, from, to, t->a);
        if (rewrite_integers(fresh, from, to, t->a) || resized)
            node_set_tensor(t->m, n, name, fresh);
    }
}

static bool has_size(const struct attr *attr, int64_t size)
{
    for (size_t i = 0; attr->kind == ATTR_INTS && i < attr->n; i++)
        if (attr->ints[i] == size)
            return true;
    return (attr->kind == ATTR_INT && attr->i == size) || attr->kind == ATTR_TENSOR;
}

static void rewrite_attributes(struct trial *t, int64_t from, int64_t to)
{
    for (size_t k = 0; k < t->m->graph->nodes.n; k++) {
        struct node *n = &t->m->graph->nodes.at[k];
        for (uint32_t i = 0; i < n->n_attrs; i++)
            if (has_size(&n->attrs[i], from))
                rewrite_attr(t, n, &n->attrs[i], from, to);
    }
}

static void redeclare_inputs(struct trial *t)
{
    struct graph *g = t->m->graph;
    for (size_t i = 0; i < g->inputs.n; i++) {
        struct graph_value *v = &g->values.at[g->inputs.at[i]];
        const struct tensor *x = tensors_find(&t->inputs, v->name);
        if (!x)
            continue;
        v->dtype = x->dtype;
        v->shape = shape_from_dims(x->dims, x->rank, t->a);
    }
}

static void set_initializer(struct trial *t, struct graph_value *v, const struct tensor *x)
{
    v->initializer = arena_dup(t->a, x, sizeof *x);
    v->dtype = x->dtype;
    v->shape = shape_from_dims(x->dims, x->rank, t->a);
}

uint32_t pass__count_dims(const struct state *s)
{
    return sizes_of(s->m, &s->inputs).n * TRIES * 2;
}

/* Even sites rewrite attributes and integer constants too, odd ones only tensors. */
bool pass__apply_dims(struct trial *t, uint32_t lo, uint32_t hi)
{
    struct sizes s = sizes_of(t->m, &t->inputs);
    uint32_t at = lo / (TRIES * 2);
    if (at >= s.n)
        return false;
    int64_t from = s.at[at], to = simpler(from, lo / 2 % TRIES);
    bool everywhere = lo % 2 == 0 && from != 0, changed = false; /* 0 is mostly no size */
    (void)hi;
    if (to == 0)
        return false;
    for (size_t i = 0; i < t->inputs.n; i++)
        changed = resize_tensor(&t->inputs.at[i].tensor, from, to, t->a) || changed;
    for (size_t i = 0; i < t->m->graph->values.n; i++) {
        struct graph_value *v = &t->m->graph->values.at[i];
        if (!v->initializer)
            continue;
        struct tensor x = *v->initializer;
        bool resized = resize_tensor(&x, from, to, t->a);
        bool rewritten = everywhere && rewrite_integers(&x, from, to, t->a);
        if (resized || rewritten)
            set_initializer(t, v, &x);
        changed = changed || resized;
    }
    if (everywhere)
        rewrite_attributes(t, from, to);
    redeclare_inputs(t);
    return changed;
}

/* ---- one axis of one graph input: for batch and spatial sizes that occur nowhere else */
static uint32_t n_axes(const struct tensors *inputs)
{
    uint32_t n = 0;
    for (size_t i = 0; i < inputs->n; i++)
        n += inputs->at[i].tensor.rank;
    return n;
}

uint32_t pass__count_axes(const struct state *s)
{
    return n_axes(&s->inputs) * TRIES;
}

bool pass__apply_axes(struct trial *t, uint32_t lo, uint32_t hi)
{
    uint32_t axis = lo / TRIES;
    size_t at = 0;
    (void)hi;
    while (at < t->inputs.n && axis >= t->inputs.at[at].tensor.rank)
        axis -= t->inputs.at[at++].tensor.rank;
    if (at == t->inputs.n)
        return false;
    struct tensor *x = &t->inputs.at[at].tensor;
    int64_t dims[TENSOR_RANK_MAX], to = simpler(x->dims[axis], lo % TRIES);
    if (to == 0)
        return false;
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[axis] = to;
    *x = cut_tensor(x, dims, t->a);
    redeclare_inputs(t);
    return true;
}

/* ---- another float dtype, which becomes float everywhere */
static const enum dtype other_floats[] = {DTYPE_DOUBLE, DTYPE_FLOAT16, DTYPE_BFLOAT16};

uint32_t pass__count_dtype(const struct state *s)
{
    (void)s;
    return COUNT_OF(other_floats);
}

static bool to_float(struct tensor *t, enum dtype from, struct arena *a)
{
    struct tensor out;
    void *data;
    struct err ignored = {0};
    if (t->dtype != from || !tensor_make(DTYPE_FLOAT, t->dims, t->rank, a, &out, &data, &ignored))
        return false;
    for (size_t i = 0; i < t->n; i++)
        tensor_put_double(DTYPE_FLOAT, data, i, tensor_get_double(t, i));
    *t = out;
    return true;
}

bool pass__apply_dtype(struct trial *t, uint32_t lo, uint32_t hi)
{
    enum dtype from = other_floats[lo];
    struct graph *g = t->m->graph;
    bool changed = false;
    (void)hi;
    for (size_t i = 0; i < t->inputs.n; i++)
        changed = to_float(&t->inputs.at[i].tensor, from, t->a) || changed;
    for (size_t i = 0; i < g->values.n; i++) {
        struct tensor x =
            g->values.at[i].initializer ? *g->values.at[i].initializer : (struct tensor){0};
        if (!g->values.at[i].initializer || !to_float(&x, from, t->a))
            continue;
        set_initializer(t, &g->values.at[i], &x);
        changed = true;
    }
    for (size_t k = 0; k < g->nodes.n; k++) {
        struct node *n = &g->nodes.at[k];
        if (node_int(n, "to", DTYPE_UNDEFINED) == (int64_t)from) {
            node_set_int(t->m, n, "to", DTYPE_FLOAT);
            changed = true;
        }
        const struct attr *value = node_attr(n, "value");
        if (value && value->kind == ATTR_TENSOR && value->t->dtype == from) {
            struct tensor *x = arena_dup(t->a, value->t, sizeof *x);
            if (to_float(x, from, t->a))
                node_set_tensor(t->m, n, "value", x);
            changed = true;
        }
    }
    redeclare_inputs(t);
    return changed;
}
