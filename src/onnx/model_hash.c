/* Content of a model as one SHA-256: opsets, structure, attributes, tensors. Names of values count
 * only for inputs and outputs of the top graph, because they are how a run names its tensors. */
#include "onnx/model_p.h"

struct pending_graphs {
    VEC(const struct graph *) at;
};

static void hash_attr(struct hasher *h, const struct attr *t, struct pending_graphs *inner,
                      struct arena *a)
{
    hasher_add_str(h, t->name);
    hasher_add_u64(h, t->kind);
    hasher_add_u64(h, t->n);
    switch (t->kind) {
    case ATTR_FLOAT:
        hasher_add(h, &t->f, sizeof t->f);
        break;
    case ATTR_INT:
        hasher_add_u64(h, (uint64_t)t->i);
        break;
    case ATTR_STRING:
        hasher_add_str(h, t->s);
        break;
    case ATTR_TENSOR:
        tensor_hash(t->t, h);
        break;
    case ATTR_GRAPH:
        vec_push(&inner->at, a, t->g);
        break;
    default:
        break;
    }
    for (size_t i = 0; i < t->n; i++) {
        if (t->kind == ATTR_FLOATS)
            hasher_add(h, &t->floats[i], sizeof *t->floats);
        else if (t->kind == ATTR_INTS)
            hasher_add_u64(h, (uint64_t)t->ints[i]);
        else if (t->kind == ATTR_STRINGS)
            hasher_add_str(h, t->strings[i]);
        else if (t->kind == ATTR_TENSORS)
            tensor_hash(&t->tensors[i], h);
        else if (t->kind == ATTR_GRAPHS)
            vec_push(&inner->at, a, t->graphs[i]);
    }
}

static void hash_list(struct hasher *h, const uint32_t *values, size_t n)
{
    hasher_add_u64(h, n);
    for (size_t i = 0; i < n; i++)
        hasher_add_u64(h, values[i]);
}

static void hash_value(struct hasher *h, const struct graph *g, size_t v)
{
    const struct graph_value *value = &g->values.at[v];
    hasher_add_u64(h, value->origin);
    if (value->origin == ORIGIN_OUTER)
        hasher_add_u64(h, value->origin_at);
    if (!g->parent && (value->origin == ORIGIN_INPUT || value->is_output))
        hasher_add_str(h, value->name);
    if (value->origin == ORIGIN_INPUT) {
        hasher_add_u64(h, value->dtype);
        hasher_add_u64(h, value->shape.known);
        hasher_add_u64(h, value->shape.rank);
        for (uint32_t i = 0; i < value->shape.rank; i++) {
            hasher_add_u64(h, (uint64_t)value->shape.dims[i].value);
            hasher_add_u64(h, value->shape.dims[i].symbol);
        }
    }
    if (value->initializer)
        tensor_hash(value->initializer, h);
}

static void hash_graph(struct hasher *h, const struct graph *g, struct pending_graphs *inner,
                       struct arena *a)
{
    hasher_add_u64(h, g->values.n);
    for (size_t v = 0; v < g->values.n; v++)
        hash_value(h, g, v);
    hasher_add_u64(h, g->nodes.n);
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        hasher_add_str(h, n->domain);
        hasher_add_str(h, n->op_type);
        hash_list(h, n->inputs, n->n_inputs);
        hash_list(h, n->outputs, n->n_outputs);
        hasher_add_u64(h, n->n_attrs);
        for (uint32_t j = 0; j < n->n_attrs; j++)
            hash_attr(h, &n->attrs[j], inner, a);
    }
    hash_list(h, g->inputs.at, g->inputs.n);
    hash_list(h, g->outputs.at, g->outputs.n);
}

struct hash model_hash(const struct model *m)
{
    struct hasher h;
    struct arena scratch;
    struct pending_graphs graphs = {0};
    arena_init(&scratch);
    hasher_init(&h);
    hasher_add_u64(&h, m->opsets.n);
    for (size_t i = 0; i < m->opsets.n; i++) {
        hasher_add_str(&h, m->opsets.at[i].domain);
        hasher_add_u64(&h, (uint64_t)m->opsets.at[i].version);
    }
    for (size_t i = 0; i < intern_count(&m->symbols); i++)
        hasher_add_str(&h, intern_str(&m->symbols, (uint32_t)i));
    vec_push(&graphs.at, &scratch, m->graph);
    for (size_t i = 0; i < graphs.at.n; i++)
        hash_graph(&h, graphs.at.at[i], &graphs, &scratch);
    arena_done(&scratch);
    return hasher_done(&h);
}
