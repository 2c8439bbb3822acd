/*
 * What shape functions call: inputs, folded integers and outputs of their node, and arithmetic on
 * dims and shapes. infer_p.h has the contract. Knows no operator but Constant, whose tensor is a
 * constant like an initializer.
 */
#include "onnx/infer/infer_p.h"

static const struct shape unknown_shape = {0};

bool infer__has(const struct infer *in, uint32_t i)
{
    return i < in->n->n_inputs && in->n->inputs[i] != VALUE_NONE;
}

enum dtype infer__dtype(const struct infer *in, uint32_t i)
{
    return infer__has(in, i) ? in->g->values.at[in->n->inputs[i]].dtype : DTYPE_UNDEFINED;
}

const struct shape *infer__shape(const struct infer *in, uint32_t i)
{
    return infer__has(in, i) ? &in->g->values.at[in->n->inputs[i]].shape : &unknown_shape;
}

/* The tensor of a value that is the same in every run; NULL: it is no such value. */
static const struct tensor *constant_of(const struct model *m, const struct graph *g, uint32_t v)
{
    const struct graph_value *value = &g->values.at[v];
    while (value->origin == ORIGIN_OUTER) {
        g = g->parent;
        value = &g->values.at[value->origin_at];
    }
    if (value->origin == ORIGIN_INITIALIZER ||
        (value->origin == ORIGIN_INPUT && value->initializer && m->ir_version < 4))
        return value->initializer;
    if (value->origin != ORIGIN_NODE || value->origin_at >= g->nodes.n)
        return NULL;
    const struct node *n = &g->nodes.at[value->origin_at];
    const struct attr *t = str_is(n->op_type, "Constant") ? node_attr(n, "value") : NULL;
    return t && t->kind == ATTR_TENSOR ? t->t : NULL;
}

const struct tensor *infer__constant(const struct infer *in, uint32_t i)
{
    return infer__has(in, i) ? constant_of(in->m, in->g, in->n->inputs[i]) : NULL;
}

bool infer__is_foldable(enum dtype t)
{
    return t == DTYPE_INT64 || t == DTYPE_INT32 || t == DTYPE_BOOL;
}

static const struct fold *fold_tensor(const struct tensor *t, struct arena *a)
{
    if (!t || !infer__is_foldable(t->dtype) || t->rank > 1 || t->n > INFER_INTS_MAX)
        return NULL;
    struct folded *at = arena_new_array(a, struct folded, t->n);
    for (size_t i = 0; i < t->n; i++)
        at[i] = (struct folded){true, tensor_get_i64(t, i), 0};
    struct fold *f = arena_new(a, struct fold);
    *f = (struct fold){t->rank, (uint32_t)t->n, at};
    return f;
}

const struct fold *infer__ints(const struct infer *in, uint32_t i)
{
    if (!infer__has(in, i))
        return NULL;
    const struct fold **slot = &in->folds[in->n->inputs[i]];
    if (!*slot)
        *slot = fold_tensor(constant_of(in->m, in->g, in->n->inputs[i]), in->a);
    return *slot;
}

bool infer__numbers(const struct infer *in, uint32_t i, int64_t *out, size_t max, size_t *n)
{
    const struct fold *f = infer__ints(in, i);
    if (!f || f->n > max)
        return false;
    for (uint32_t j = 0; j < f->n; j++) {
        if (!f->at[j].is_known)
            return false;
        out[j] = f->at[j].value;
    }
    *n = f->n;
    return true;
}

bool infer__fix_axis(int64_t *axis, uint32_t rank, struct err *e)
{
    if (*axis < -(int64_t)rank || *axis >= (int64_t)rank)
        return err_set(e, ERR_DATA, "axis %lld outside a tensor of rank %u", (long long)*axis,
                       rank);
    if (*axis < 0)
        *axis += rank;
    return true;
}

bool infer__axis(const struct infer *in, const char *attr, int64_t otherwise, int64_t *axis,
                 struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    *axis = node_int(in->n, attr, otherwise);
    return !s->known || infer__fix_axis(axis, s->rank, e) || err_wrap(e, "%s", attr);
}

bool infer__wants(const struct infer *in, uint32_t o)
{
    return o < in->n->n_outputs && in->n->outputs[o] != VALUE_NONE;
}

void infer__set(struct infer *in, uint32_t o, enum dtype dtype, struct shape shape)
{
    if (!infer__wants(in, o))
        return;
    struct graph_value *v = &in->g->values.at[in->n->outputs[o]];
    v->dtype = dtype;
    v->shape = shape;
}

void infer__set_ints(struct infer *in, uint32_t o, struct fold fold)
{
    if (!infer__wants(in, o) || fold.n > INFER_INTS_MAX)
        return;
    in->folds[in->n->outputs[o]] = arena_dup(in->a, &fold, sizeof fold);
}

void infer__set_ints_of_tensor(struct infer *in, uint32_t o, const struct tensor *t)
{
    const struct fold *f = fold_tensor(t, in->a);
    if (f)
        infer__set_ints(in, o, *f);
}

bool infer__same_as_input(struct infer *in, uint32_t o, uint32_t i)
{
    infer__set(in, o, infer__dtype(in, i), *infer__shape(in, i));
    return true;
}

struct shape infer__new_shape(const struct infer *in, uint32_t rank)
{
    struct shape s = {true, rank, arena_new_array(in->a, struct dim, rank)};
    for (uint32_t i = 0; i < rank; i++)
        s.dims[i] = dim_unknown();
    return s;
}

struct shape infer__copy_shape(const struct infer *in, const struct shape *s)
{
    struct shape copy = *s;
    copy.dims = arena_dup(in->a, s->dims, s->rank * sizeof *s->dims);
    return copy;
}

struct shape infer__unknown_shape(void)
{
    return unknown_shape;
}

bool dim__equal(struct dim a, struct dim b)
{
    return a.value >= 0 ? a.value == b.value : b.value < 0 && a.symbol && a.symbol == b.symbol;
}

bool dim__differ(struct dim a, struct dim b)
{
    return a.value >= 0 && b.value >= 0 && a.value != b.value;
}

struct dim dim__merge(struct dim a, struct dim b)
{
    if (a.value >= 0)
        return a;
    return b.value >= 0 || !a.symbol ? b : a;
}

struct folded dim__fold(struct dim d)
{
    return (struct folded){d.value >= 0, d.value, d.symbol};
}

struct dim folded__dim(struct folded f)
{
    if (f.is_known)
        return f.value >= 0 ? dim_of(f.value) : dim_unknown();
    return (struct dim){-1, f.symbol};
}

static bool broadcast_dim(struct dim a, struct dim b, struct dim *out, struct err *e)
{
    if (dim__equal(a, b) || b.value == 1)
        *out = a;
    else if (a.value == 1)
        *out = b;
    else if (dim__differ(a, b))
        return err_set(e, ERR_DATA, "dims %lld and %lld cannot be broadcast", (long long)a.value,
                       (long long)b.value);
    else
        *out = a.value >= 0 ? a : b.value >= 0 ? b : dim_unknown();
    return true;
}

bool infer__broadcast_shapes(const struct infer *in, const struct shape *a, const struct shape *b,
                             struct shape *out, struct err *e)
{
    if (!a->known || !b->known) {
        *out = unknown_shape;
        return true;
    }
    if (b->rank > a->rank) {
        const struct shape *swap = a;
        a = b;
        b = swap;
    }
    struct shape result = infer__copy_shape(in, a); /* out may be one of the two */
    uint32_t lead = a->rank - b->rank;
    for (uint32_t i = 0; i < b->rank; i++)
        if (!broadcast_dim(a->dims[lead + i], b->dims[i], &result.dims[lead + i], e))
            return false;
    *out = result;
    return true;
}

bool infer__need_rank(const struct infer *in, uint32_t i, uint32_t low, uint32_t high,
                      struct err *e)
{
    const struct shape *s = infer__shape(in, i);
    if (!s->known || (s->rank >= low && s->rank <= high))
        return true;
    if (low == high)
        return err_set(e, ERR_DATA, "input %u has rank %u, %u is expected", i, s->rank, low);
    return err_set(e, ERR_DATA, "input %u has rank %u, %u to %u is expected", i, s->rank, low,
                   high);
}
