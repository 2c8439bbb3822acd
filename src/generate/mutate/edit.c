/*
 * Shared by the edits: queries of the model under edit, insertion of new nodes, value ranges from
 * the ancestor's reference. Decides no mutation.
 */
#include "generate/mutate/edit_p.h"

#include <math.h>

bool edit__is_op(const struct edit *e, uint32_t node, const char *const *names, size_t n)
{
    const struct node *at = edit__node(e, node);
    for (size_t i = 0; i < n; i++) {
        if (at->domain.n == 0 && str_is(at->op_type, names[i]))
            return true;
    }
    return false;
}

bool edit__static(const struct edit *e, uint32_t v)
{
    const struct graph_value *value = v == VALUE_NONE ? NULL : edit__value(e, v);
    return value && value->dtype != DTYPE_UNDEFINED && value->dtype != DTYPE_STRING &&
           !value->not_tensor && shape_is_static(&value->shape);
}

bool edit__float(const struct edit *e, uint32_t v)
{
    return edit__static(e, v) && dtype_is_float(edit__value(e, v)->dtype);
}

bool edit__same(const struct edit *e, uint32_t a, uint32_t b)
{
    if (!edit__static(e, a) || !edit__static(e, b))
        return false;
    const struct graph_value *x = edit__value(e, a), *y = edit__value(e, b);
    if (x->dtype != y->dtype || x->shape.rank != y->shape.rank)
        return false;
    for (uint32_t i = 0; i < x->shape.rank; i++) {
        if (x->shape.dims[i].value != y->shape.dims[i].value)
            return false;
    }
    return true;
}

int64_t edit__count(const struct edit *e, uint32_t v)
{
    const struct shape *p = &edit__value(e, v)->shape;
    int64_t n = 1;
    for (uint32_t i = 0; i < p->rank; i++)
        n *= p->dims[i].value;
    return n;
}

bool edit__is_used(const struct edit *e, uint32_t v)
{
    return edit__value(e, v)->is_output || e->uses->uses_at[v + 1] > e->uses->uses_at[v];
}

const struct tensor *edit__weight(const struct edit *e, uint32_t node, uint32_t i)
{
    const struct node *n = edit__node(e, node);
    if (i >= n->n_inputs || n->inputs[i] == VALUE_NONE)
        return NULL;
    const struct graph_value *v = edit__value(e, n->inputs[i]);
    return v->initializer && v->origin == ORIGIN_INITIALIZER &&
                   dtype_is_float(v->initializer->dtype)
               ? v->initializer
               : NULL;
}

uint32_t edit__weight_at(const struct edit *e, uint32_t node)
{
    for (uint32_t i = 0; i < edit__node(e, node)->n_inputs; i++) {
        const struct tensor *t = edit__weight(e, node, i);
        if (t && t->n >= 2)
            return i;
    }
    return VALUE_NONE;
}

void edit__splice(struct edit *e, uint32_t v, uint32_t y, uint32_t first_node)
{
    struct graph *g = e->b.g;
    graph_replace_uses(g, v, y);
    for (uint32_t i = first_node; i < g->nodes.n; i++) {
        for (uint32_t k = 0; k < g->nodes.at[i].n_inputs; k++) {
            if (g->nodes.at[i].inputs[k] == y)
                edit__set_input(e, i, k, v);
        }
    }
}

bool edit__join(struct edit *e, uint32_t v, uint32_t y, uint32_t first_node)
{
    if (!builder__ok(&e->b) || y == VALUE_NONE)
        return false;
    if (edit__is_used(e, v) && edit__same(e, v, y) && !builder__chance(&e->b, 25)) {
        edit__splice(e, v, y, first_node);
        return true;
    }
    graph_add_output(e->b.g, y);
    return true;
}

void edit__set_input(struct edit *e, uint32_t node, uint32_t i, uint32_t v)
{
    struct node *n = edit__node(e, node);
    uint32_t *inputs = arena_dup(e->b.m->arena, n->inputs, n->n_inputs * sizeof *inputs);
    inputs[i] = v;
    n->inputs = inputs;
}

bool edit__range(const struct edit *e, uint32_t v, double *largest, double *rms)
{
    if (!e->reference)
        return false;
    uint32_t at = graph_find_value(e->reference_of->graph, edit__value(e, v)->name);
    if (at == VALUE_NONE || at >= e->reference->n_values)
        return false;
    const struct value *r = &e->reference->values[at];
    double sum = 0;
    *largest = 0;
    if (r->dtype == DTYPE_UNDEFINED || r->storage != STORAGE_F64 || r->n == 0)
        return false;
    for (size_t i = 0; i < r->n; i++) {
        *largest = fmax(*largest, fabs(r->f[i]));
        sum += r->f[i] * r->f[i];
    }
    *rms = sqrt(sum / (double)r->n);
    return isfinite(*rms);
}

void *edit__copy_tensor(struct edit *e, const struct tensor *t, struct tensor **out)
{
    struct tensor *copy = arena_new(e->b.m->arena, struct tensor);
    *copy = *t;
    void *data = arena_dup(e->b.m->arena, t->data, dtype_size(t->dtype, t->n));
    copy->data = data;
    *out = copy;
    return data;
}
