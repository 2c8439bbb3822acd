/* Attributes of one node, and its label in messages. Lists are copied on write: copies of a model
 * share them. */
#include <string.h>

#include "onnx/model_p.h"
#include "onnx/op.h"

const char *node_label(const struct graph *g, const struct node *n, struct arena *a)
{
    const char *prefix = n->domain.n ? arena_printf(a, STR_FMT ".", STR_ARG(n->domain)) : "";
    if (n->name.n)
        return arena_printf(a, "node '" STR_FMT "' (%s" STR_FMT ")", STR_ARG(n->name), prefix,
                            STR_ARG(n->op_type));
    size_t at = n >= g->nodes.at && n < g->nodes.at + g->nodes.n ? (size_t)(n - g->nodes.at) : 0;
    return arena_printf(a, "node %zu (%s" STR_FMT ")", at, prefix, STR_ARG(n->op_type));
}

static struct attr *attr_slot(struct model *m, struct node *n, const char *name)
{
    uint32_t at = 0;
    while (at < n->n_attrs && !str_is(n->attrs[at].name, name))
        at++;
    uint32_t n_after = MAX(n->n_attrs, at + 1);
    struct attr *attrs = arena_new_array(m->arena, struct attr, n_after);
    if (n->n_attrs)
        memcpy(attrs, n->attrs, n->n_attrs * sizeof *attrs);
    attrs[at] = (struct attr){.name = str_of(arena_strdup(m->arena, name))};
    n->attrs = attrs;
    n->n_attrs = n_after;
    return &attrs[at];
}

void node_set_int(struct model *m, struct node *n, const char *name, int64_t v)
{
    struct attr *t = attr_slot(m, n, name);
    t->kind = ATTR_INT;
    t->i = v;
}

void node_set_float(struct model *m, struct node *n, const char *name, float v)
{
    struct attr *t = attr_slot(m, n, name);
    t->kind = ATTR_FLOAT;
    t->f = v;
}

void node_set_string(struct model *m, struct node *n, const char *name, const char *v)
{
    struct attr *t = attr_slot(m, n, name);
    t->kind = ATTR_STRING;
    t->s = str_of(arena_strdup(m->arena, v));
}

void node_set_ints(struct model *m, struct node *n, const char *name, const int64_t *v, size_t n_v)
{
    struct attr *t = attr_slot(m, n, name);
    t->kind = ATTR_INTS;
    t->n = n_v;
    t->ints = arena_dup(m->arena, v, n_v * sizeof *v);
}

void node_set_floats(struct model *m, struct node *n, const char *name, const float *v, size_t n_v)
{
    struct attr *t = attr_slot(m, n, name);
    t->kind = ATTR_FLOATS;
    t->n = n_v;
    t->floats = arena_dup(m->arena, v, n_v * sizeof *v);
}

void node_set_tensor(struct model *m, struct node *n, const char *name, const struct tensor *v)
{
    struct attr *t = attr_slot(m, n, name);
    t->kind = ATTR_TENSOR;
    t->t = v;
}

void node_set_graph(struct model *m, struct node *n, const char *name, struct graph *g)
{
    struct attr *t = attr_slot(m, n, name);
    t->kind = ATTR_GRAPH;
    t->g = g;
}

void node_remove_attr(struct model *m, struct node *n, const char *name)
{
    struct attr *attrs = arena_new_array(m->arena, struct attr, n->n_attrs);
    uint32_t n_kept = 0;
    for (uint32_t i = 0; i < n->n_attrs; i++)
        if (!str_is(n->attrs[i].name, name))
            attrs[n_kept++] = n->attrs[i];
    n->attrs = attrs;
    n->n_attrs = n_kept;
}

void node_set_inputs(struct model *m, struct node *n, const uint32_t *inputs, uint32_t n_inputs)
{
    n->inputs = arena_dup(m->arena, inputs, n_inputs * sizeof *inputs);
    n->n_inputs = n_inputs;
}

const struct attr *node_attr(const struct node *n, const char *name)
{
    for (uint32_t i = 0; i < n->n_attrs; i++)
        if (str_is(n->attrs[i].name, name))
            return &n->attrs[i];
    return NULL;
}

static const struct op_attr_fact *default_of(const struct node *n, const char *name,
                                             enum attr_kind kind)
{
    const struct op_attr_fact *f = n->fact ? op_fact_attr(n->fact, name) : NULL;
    return f && f->has_default && f->kind == kind ? f : NULL;
}

int64_t node_int(const struct node *n, const char *name, int64_t otherwise)
{
    const struct attr *t = node_attr(n, name);
    if (t && t->kind == ATTR_INT)
        return t->i;
    const struct op_attr_fact *f = default_of(n, name, ATTR_INT);
    return f ? f->default_i : otherwise;
}

double node_float(const struct node *n, const char *name, double otherwise)
{
    const struct attr *t = node_attr(n, name);
    if (t && t->kind == ATTR_FLOAT)
        return t->f;
    const struct op_attr_fact *f = default_of(n, name, ATTR_FLOAT);
    return f ? f->default_f : otherwise;
}

struct str node_string(const struct node *n, const char *name, struct str otherwise)
{
    const struct attr *t = node_attr(n, name);
    if (t && t->kind == ATTR_STRING)
        return t->s;
    const struct op_attr_fact *f = default_of(n, name, ATTR_STRING);
    return f ? str_of(f->default_s) : otherwise;
}

const int64_t *node_ints(const struct node *n, const char *name, size_t *n_out)
{
    const struct attr *t = node_attr(n, name);
    bool found = t && t->kind == ATTR_INTS;
    *n_out = found ? t->n : 0;
    return found ? t->ints : NULL;
}
