/*
 * Building, copying and walking models. Nothing here knows what an operator means, nor protobuf.
 *
 * Invariant: the tables of a graph only grow here; only model_finish (finish.c) drops and sorts.
 */
#include "onnx/model.h"

#include <string.h>

#include "onnx/model_p.h"
#include "onnx/op.h"

/* Oldest IR version that may have the opset (ONNX Versioning, table of released versions). */
static int64_t ir_of_opset(int opset)
{
    static const struct {
        int opset, ir;
    } rows[] = {{8, 3},  {9, 4},   {10, 5},  {11, 6},  {14, 7}, {18, 8},
                {20, 9}, {22, 10}, {23, 11}, {24, 12}, {27, 13}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (opset <= rows[i].opset)
            return rows[i].ir;
    return MODEL_IR_NEWEST;
}

struct model *model_new(struct arena *a, int opset)
{
    struct model *m = arena_new(a, struct model);
    m->arena = a;
    m->ir_version = ir_of_opset(opset);
    m->opset = opset;
    vec_push(&m->opsets, a, (struct opset){STR(""), opset});
    m->graph = graph_new(m, STR("graph"));
    m->producer = STR("assay");
    return m;
}

int64_t model_opset_of(const struct model *m, struct str domain)
{
    for (size_t i = 0; i < m->opsets.n; i++)
        if (str_eq(m->opsets.at[i].domain, domain))
            return m->opsets.at[i].version;
    return 0;
}

void node__bind(const struct model *m, struct node *n)
{
    int64_t opset = n->domain.n ? model_opset_of(m, n->domain) : m->opset;
    n->op = op_find(n->domain, n->op_type);
    n->fact = op_fact_find(n->domain, n->op_type, (int)MIN(opset, 1000));
}

static void copy_graph_tables(const struct graph *from, struct graph *to, struct arena *a)
{
    *to = *from;
    to->arena = a;
#define COPY_VEC(field)                                                                            \
    (to->field.at = arena_dup(a, from->field.at, from->field.n * sizeof *from->field.at),          \
     to->field.cap = from->field.n)
    COPY_VEC(values);
    COPY_VEC(nodes);
    COPY_VEC(inputs);
    COPY_VEC(outputs);
#undef COPY_VEC
    map_copy(&to->by_name, &from->by_name, a);
    for (size_t i = 0; i < to->values.n; i++) {
        struct shape *s = &to->values.at[i].shape;
        if (s->rank)
            s->dims = arena_dup(a, s->dims, s->rank * sizeof *s->dims);
    }
}

struct pending_copy {
    const struct graph *from;
    struct graph *to;
};
struct pending_copies {
    VEC(struct pending_copy) at;
};

static struct graph *queue_copy(const struct graph *from, struct graph *parent,
                                struct pending_copies *queue, struct arena *a)
{
    struct graph *to = arena_new(a, struct graph);
    copy_graph_tables(from, to, a);
    to->parent = parent;
    vec_push(&queue->at, a, (struct pending_copy){from, to});
    return to;
}

/* Copies a node's attributes and subgraphs; without subgraphs the attributes stay shared. */
static void copy_subgraphs(struct node *n, struct graph *parent, struct pending_copies *queue,
                           struct arena *a)
{
    bool has_graph = false;
    for (uint32_t i = 0; i < n->n_attrs; i++)
        has_graph |= n->attrs[i].kind == ATTR_GRAPH || n->attrs[i].kind == ATTR_GRAPHS;
    if (!has_graph)
        return;
    struct attr *attrs = arena_dup(a, n->attrs, n->n_attrs * sizeof *attrs);
    for (uint32_t i = 0; i < n->n_attrs; i++) {
        struct attr *t = &attrs[i];
        if (t->kind == ATTR_GRAPH)
            t->g = queue_copy(t->g, parent, queue, a);
        if (t->kind != ATTR_GRAPHS)
            continue;
        struct graph **list = arena_new_array(a, struct graph *, t->n);
        for (size_t j = 0; j < t->n; j++)
            list[j] = queue_copy(t->graphs[j], parent, queue, a);
        t->graphs = list;
    }
    n->attrs = attrs;
}

struct graph *graph_new(struct model *m, struct str name)
{
    struct graph *g = arena_new(m->arena, struct graph);
    g->arena = m->arena;
    g->name = name;
    return g;
}

struct graph *graph_copy(const struct graph *from, struct graph *parent, struct arena *a)
{
    struct pending_copies queue = {0};
    struct graph *to = queue_copy(from, parent, &queue, a);
    for (size_t i = 0; i < queue.at.n; i++) {
        struct graph *g = queue.at.at[i].to;
        for (size_t j = 0; j < g->nodes.n; j++)
            copy_subgraphs(&g->nodes.at[j], g, &queue, a);
    }
    return to;
}

struct model *model_copy(const struct model *from, struct arena *a)
{
    struct model *m = arena_new(a, struct model);
    *m = *from;
    m->arena = a;
    m->opsets.at = arena_dup(a, from->opsets.at, from->opsets.n * sizeof *from->opsets.at);
    m->opsets.cap = m->opsets.n;
    map_copy(&m->symbols.ids, &from->symbols.ids, a);
    m->graph = graph_copy(from->graph, NULL, a);
    return m;
}

uint32_t graph_add_value(struct model *m, struct graph *g, struct str name)
{
    struct str unique = name;
    bool added = false;
    uint64_t *at = NULL;
    for (unsigned suffix = 2; !added; suffix++) {
        if (unique.n == 0 || graph_find_value(g, unique) != VALUE_NONE) {
            const char *text = arena_printf(m->arena, STR_FMT "_%u", STR_ARG(name), suffix);
            unique = str_of(text);
            if (graph_find_value(g, unique) != VALUE_NONE)
                continue;
        }
        at = map_at(&g->by_name, m->arena, unique, &added);
    }
    *at = g->values.n;
    struct graph_value v = {.name = g->by_name.entries.at[g->by_name.entries.n - 1].key};
    vec_push(&g->values, m->arena, v);
    return (uint32_t)g->values.n - 1;
}

uint32_t graph_find_value(const struct graph *g, struct str name)
{
    const uint64_t *at = map_get(&g->by_name, name);
    return at ? (uint32_t)*at : (uint32_t)VALUE_NONE;
}

uint32_t graph_add_input(struct model *m, struct graph *g, struct str name, enum dtype dtype,
                         const int64_t *dims, uint32_t rank)
{
    uint32_t v = graph_add_value(m, g, name);
    g->values.at[v].dtype = dtype;
    g->values.at[v].shape = shape_from_dims(dims, rank, m->arena);
    g->values.at[v].origin = ORIGIN_INPUT;
    vec_push(&g->inputs, m->arena, v);
    return v;
}

uint32_t graph_add_initializer(struct model *m, struct graph *g, struct str name,
                               const struct tensor *t)
{
    uint32_t v = graph_add_value(m, g, name);
    g->values.at[v].dtype = t->dtype;
    g->values.at[v].shape = shape_from_dims(t->dims, t->rank, m->arena);
    g->values.at[v].origin = ORIGIN_INITIALIZER;
    g->values.at[v].initializer = t;
    return v;
}

void graph_add_output(struct graph *g, uint32_t value)
{
    vec_push(&g->outputs, g->arena, value);
    g->values.at[value].is_output = true;
}

void graph_copy_output(struct model *m, struct graph *g, uint32_t old, uint32_t value)
{
    uint32_t copy = graph_add_node(m, g, "Identity", &value, 1, 1);
    for (size_t i = 0; i < g->outputs.n; i++)
        if (g->outputs.at[i] == old)
            g->outputs.at[i] = copy;
    g->values.at[old].is_output = false;
    g->values.at[copy].is_output = true;
}

uint32_t graph_add_node(struct model *m, struct graph *g, const char *op_type,
                        const uint32_t *inputs, uint32_t n_inputs, uint32_t n_outputs)
{
    uint32_t *outputs = arena_new_array(m->arena, uint32_t, n_outputs);
    for (uint32_t i = 0; i < n_outputs; i++) {
        const char *name = arena_printf(m->arena, "%s_%zu", op_type, g->values.n);
        outputs[i] = graph_add_value(m, g, str_of(name));
        g->values.at[outputs[i]].origin = ORIGIN_NODE;
        g->values.at[outputs[i]].origin_at = (uint32_t)g->nodes.n;
    }
    struct node n = {.op_type = str_of(arena_strdup(m->arena, op_type)), .domain = STR("")};
    n.inputs = arena_dup(m->arena, inputs, n_inputs * sizeof *inputs);
    n.n_inputs = n_inputs;
    n.outputs = outputs;
    n.n_outputs = n_outputs;
    node__bind(m, &n);
    vec_push(&g->nodes, m->arena, n);
    return n_outputs ? outputs[0] : (uint32_t)VALUE_NONE;
}

struct node *graph_last_node(struct graph *g)
{
    return &vec_last(&g->nodes);
}

void graph_replace_uses(struct graph *g, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < g->nodes.n; i++) {
        struct node *n = &g->nodes.at[i];
        for (uint32_t j = 0; j < n->n_inputs; j++) {
            if (n->inputs[j] != from)
                continue;
            /* Copies of a node share their lists of inputs. */
            uint32_t *inputs = arena_dup(g->arena, n->inputs, n->n_inputs * sizeof *inputs);
            for (uint32_t k = j; k < n->n_inputs; k++)
                if (inputs[k] == from)
                    inputs[k] = to;
            n->inputs = inputs;
            break;
        }
        for (uint32_t j = 0; j < n->n_attrs; j++) {
            const struct attr *t = &n->attrs[j];
            size_t n_graphs = t->kind == ATTR_GRAPH ? 1 : t->kind == ATTR_GRAPHS ? t->n : 0;
            for (size_t k = 0; k < n_graphs; k++) {
                struct graph *inner = t->kind == ATTR_GRAPH ? t->g : t->graphs[k];
                for (size_t v = 0; v < inner->values.n; v++)
                    if (inner->values.at[v].origin == ORIGIN_OUTER &&
                        inner->values.at[v].origin_at == from)
                        inner->values.at[v].origin_at = to;
            }
        }
    }
    for (size_t i = 0; i < g->outputs.n; i++)
        if (g->outputs.at[i] == from)
            g->outputs.at[i] = to;
}

struct graph_uses graph_uses(const struct graph *g, struct arena *a)
{
    uint32_t *at = arena_new_array(a, uint32_t, g->values.n + 2);
    size_t n_uses = 0;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        for (uint32_t j = 0; j < n->n_inputs; j++)
            if (n->inputs[j] != VALUE_NONE) {
                at[n->inputs[j] + 2]++;
                n_uses++;
            }
    }
    for (size_t v = 2; v < g->values.n + 2; v++)
        at[v] += at[v - 1];
    uint32_t *nodes = arena_new_array(a, uint32_t, n_uses);
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        for (uint32_t j = 0; j < n->n_inputs; j++)
            if (n->inputs[j] != VALUE_NONE)
                nodes[at[n->inputs[j] + 1]++] = (uint32_t)i;
    }
    return (struct graph_uses){at, nodes};
}

bool shape_is_static(const struct shape *s)
{
    for (uint32_t i = 0; i < s->rank; i++)
        if (s->dims[i].value < 0)
            return false;
    return s->known;
}

bool shape_to_dims(const struct shape *s, int64_t dims[static TENSOR_RANK_MAX])
{
    if (!shape_is_static(s) || s->rank > TENSOR_RANK_MAX)
        return false;
    for (uint32_t i = 0; i < s->rank; i++)
        dims[i] = s->dims[i].value;
    return true;
}

struct shape shape_from_dims(const int64_t *dims, uint32_t rank, struct arena *a)
{
    struct shape s = {true, rank, arena_new_array(a, struct dim, rank)};
    for (uint32_t i = 0; i < rank; i++)
        s.dims[i].value = dims[i] < 0 ? -1 : dims[i];
    return s;
}

void shape_print(const struct model *m, const struct shape *s, struct strbuf *out)
{
    if (!s->known) {
        strbuf_adds(out, "[...]");
        return;
    }
    strbuf_addc(out, '[');
    for (uint32_t i = 0; i < s->rank; i++) {
        const struct dim *d = &s->dims[i];
        if (i)
            strbuf_addc(out, ',');
        if (d->value >= 0)
            strbuf_printf(out, "%lld", (long long)d->value);
        else if (d->symbol)
            strbuf_addstr(out, intern_str(&m->symbols, d->symbol - 1));
        else
            strbuf_addc(out, '?');
    }
    strbuf_addc(out, ']');
}
