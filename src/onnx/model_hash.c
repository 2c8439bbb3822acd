/* Content of a model as one SHA-256: opsets, structure, attributes, tensors. Names of values count
 * only for inputs and outputs of the top graph, because a run names its tensors by them. */
#include "onnx/model_p.h"

/* A graph with a number for each value, in the order in which inputs, nodes and outputs name the
 * values, so that the order of their table does not matter. */
struct numbered {
    const struct graph *g;
    const uint32_t *around; /* numbers of the enclosing graph, or NULL */
    const struct intern *symbols;
};

struct pending_graphs {
    VEC(struct numbered) at;
    const uint32_t *numbers; /* of the graph that is being hashed */
    const struct intern *symbols;
};

static void queue(struct pending_graphs *inner, const struct graph *g, struct arena *a)
{
    vec_push(&inner->at, a, (struct numbered){g, inner->numbers, inner->symbols});
}

static void number_list(uint32_t *numbers, uint32_t *n_seen, const uint32_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (values[i] != VALUE_NONE && !numbers[values[i]])
            numbers[values[i]] = ++*n_seen;
}

static const uint32_t *number_values(const struct graph *g, struct arena *a)
{
    uint32_t *numbers = arena_new_array(a, uint32_t, g->values.n), n_seen = 0;
    number_list(numbers, &n_seen, g->inputs.at, g->inputs.n);
    for (size_t i = 0; i < g->nodes.n; i++) {
        number_list(numbers, &n_seen, g->nodes.at[i].inputs, g->nodes.at[i].n_inputs);
        number_list(numbers, &n_seen, g->nodes.at[i].outputs, g->nodes.at[i].n_outputs);
    }
    number_list(numbers, &n_seen, g->outputs.at, g->outputs.n);
    return numbers;
}

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
        queue(inner, t->g, a);
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
            queue(inner, t->graphs[i], a);
    }
}

static void hash_list(struct hasher *h, const uint32_t *numbers, const uint32_t *values, size_t n)
{
    hasher_add_u64(h, n);
    for (size_t i = 0; i < n; i++)
        hasher_add_u64(h, values[i] == VALUE_NONE ? 0 : numbers[values[i]]);
}

static void hash_value(struct hasher *h, const struct numbered *n, size_t v)
{
    const struct graph *g = n->g;
    const struct graph_value *value = &g->values.at[v];
    hasher_add_u64(h, value->origin);
    if (value->origin == ORIGIN_OUTER && n->around)
        hasher_add_u64(h, n->around[value->origin_at]);
    if (!g->parent && (value->origin == ORIGIN_INPUT || value->is_output))
        hasher_add_str(h, value->name);
    if (value->origin == ORIGIN_INPUT) {
        hasher_add_u64(h, value->dtype);
        hasher_add_u64(h, value->shape.known);
        hasher_add_u64(h, value->shape.rank);
        for (uint32_t i = 0; i < value->shape.rank; i++) {
            hasher_add_u64(h, (uint64_t)value->shape.dims[i].value);
            if (value->shape.dims[i].symbol)
                hasher_add_str(h, intern_str(n->symbols, value->shape.dims[i].symbol - 1));
        }
    }
    if (value->initializer)
        tensor_hash(value->initializer, h);
}

static void hash_graph(struct hasher *h, struct numbered one, struct pending_graphs *inner,
                       struct arena *a)
{
    const struct graph *g = one.g;
    const uint32_t *numbers = number_values(g, a);
    uint32_t *by_number = arena_new_array(a, uint32_t, g->values.n + 1), n_values = 0;
    inner->numbers = numbers;
    for (uint32_t v = 0; v < g->values.n; v++) {
        by_number[numbers[v]] = v;
        n_values += numbers[v] != 0;
    }
    hasher_add_u64(h, n_values);
    for (uint32_t i = 1; i <= n_values; i++)
        hash_value(h, &one, by_number[i]);
    hasher_add_u64(h, g->nodes.n);
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        hasher_add_str(h, n->domain);
        hasher_add_str(h, n->op_type);
        hash_list(h, numbers, n->inputs, n->n_inputs);
        hash_list(h, numbers, n->outputs, n->n_outputs);
        hasher_add_u64(h, n->n_attrs);
        for (uint32_t j = 0; j < n->n_attrs; j++)
            hash_attr(h, &n->attrs[j], inner, a);
    }
    hash_list(h, numbers, g->inputs.at, g->inputs.n);
    hash_list(h, numbers, g->outputs.at, g->outputs.n);
}

struct hash model_hash(const struct model *m)
{
    struct hasher h;
    struct arena scratch;
    struct pending_graphs graphs = {.symbols = &m->symbols};
    arena_init(&scratch);
    hasher_init(&h);
    hasher_add_u64(&h, m->opsets.n);
    for (size_t i = 0; i < m->opsets.n; i++) {
        hasher_add_str(&h, m->opsets.at[i].domain);
        hasher_add_u64(&h, (uint64_t)m->opsets.at[i].version);
    }
    queue(&graphs, m->graph, &scratch);
    for (size_t i = 0; i < graphs.at.n; i++)
        hash_graph(&h, graphs.at.at[i], &graphs, &scratch);
    arena_done(&scratch);
    return hasher_done(&h);
}
