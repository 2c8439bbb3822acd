/*
 * The checker: compares each node with the standard's facts (op_facts.def). Inference checks shapes
 * and the types that follow from inputs; model_finish has checked structure (cycles, origins).
 *
 * Invariant: in a model that passes, every node has rows of both tables, attributes of the right
 * kind, and its required inputs and attributes.
 */
#include "onnx/check.h"

#include "onnx/model.h"
#include "onnx/op.h"

struct checker {
    const struct model *m;
    struct arena *scratch;
};

static const char *kind_name(enum attr_kind kind)
{
    static const char *const names[] = {"of an unsupported kind",
                                        "float",
                                        "int",
                                        "string",
                                        "tensor",
                                        "graph",
                                        "floats",
                                        "ints",
                                        "strings",
                                        "tensors",
                                        "graphs"};
    return names[kind <= ATTR_GRAPHS ? kind : 0];
}

static bool check_attr(const struct node *n, uint32_t at, struct err *e)
{
    const struct attr *t = &n->attrs[at];
    const struct op_attr_fact *f = NULL;
    for (int i = 0; i < n->fact->n_attrs && !f; i++)
        if (str_is(t->name, n->fact->attrs[i].name))
            f = &n->fact->attrs[i];
    for (uint32_t i = 0; i < at; i++)
        if (str_eq(n->attrs[i].name, t->name))
            return err_set(e, ERR_DATA, "attribute '" STR_FMT "' is given twice", STR_ARG(t->name));
    if (!f)
        return err_set(e, ERR_DATA, "attribute '" STR_FMT "' is unknown in version %d",
                       STR_ARG(t->name), n->fact->since_version);
    if (t->kind == ATTR_UNDEFINED)
        return err_set(e, ERR_UNSUPPORTED, "attribute '" STR_FMT "' is %s", STR_ARG(t->name),
                       kind_name(t->kind));
    if (f->kind != t->kind)
        return err_set(e, ERR_DATA, "attribute '" STR_FMT "' is %s, %s is expected",
                       STR_ARG(t->name), kind_name(t->kind), kind_name((enum attr_kind)f->kind));
    return true;
}

static bool check_attrs(const struct node *n, struct err *e)
{
    for (uint32_t i = 0; i < n->n_attrs; i++)
        if (!check_attr(n, i, e))
            return false;
    for (int i = 0; i < n->fact->n_attrs; i++)
        if (n->fact->attrs[i].required && !node_attr(n, n->fact->attrs[i].name))
            return err_set(e, ERR_DATA, "attribute '%s' is missing", n->fact->attrs[i].name);
    return true;
}

static bool check_node(const struct checker *c, const struct graph *g, const struct node *n,
                       struct err *e)
{
    enum dtype few[32], *dtypes = few;
    if (n->domain.n && !model_opset_of(c->m, n->domain))
        return err_set(e, ERR_DATA, "domain '" STR_FMT "' is not imported", STR_ARG(n->domain));
    if (!op_check_node(n, c->m->opset, e) || !check_attrs(n, e))
        return false;
    if (n->n_inputs > COUNT_OF(few))
        dtypes = arena_new_array(c->scratch, enum dtype, n->n_inputs);
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        const struct graph_value *v =
            n->inputs[i] == VALUE_NONE ? NULL : &g->values.at[n->inputs[i]];
        bool is_known = v && (v->origin == ORIGIN_INPUT || v->origin == ORIGIN_INITIALIZER);
        dtypes[i] = is_known ? v->dtype : DTYPE_UNDEFINED;
        if (v && v->not_tensor)
            return err_set(e, ERR_UNSUPPORTED, "input %u is no tensor", i);
    }
    return op_check_types(n->fact, &(struct op_types){dtypes, NULL, n->n_inputs, 0}, e);
}

/* Does the initializer that is an input's default have the input's type and shape? */
static bool check_default(const struct graph_value *v, struct err *e)
{
    if (v->origin != ORIGIN_INPUT || !v->initializer)
        return true;
    bool same = v->dtype == v->initializer->dtype &&
                (!v->shape.known || v->shape.rank == v->initializer->rank);
    for (uint32_t i = 0; same && v->shape.known && i < v->shape.rank; i++)
        same = v->shape.dims[i].value < 0 || v->shape.dims[i].value == v->initializer->dims[i];
    return same || err_set(e, ERR_DATA, "input '" STR_FMT "' has a default of another type",
                           STR_ARG(v->name));
}

static bool is_name_around(const struct graph *g, struct str name)
{
    for (const struct graph *around = g->parent; around; around = around->parent)
        if (graph_find_value(around, name) != VALUE_NONE)
            return true;
    return false;
}

/* "Names must be unique within a namespace", and nodes are one (IR specification, Names Within a
 * Graph); a node need not have a name. */
static bool check_names(const struct checker *c, const struct graph *g, struct err *e)
{
    struct map seen = {0};
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        bool added = true;
        if (n->name.n)
            *map_at(&seen, c->scratch, n->name, &added) = i;
        if (!added)
            return err_set(e, ERR_DATA, "%s: another node of its graph has the same name",
                           node_label(g, n, c->scratch));
    }
    return true;
}

static bool check_graph(const struct checker *c, const struct graph *g, struct err *e)
{
    for (size_t v = 0; v < g->values.n; v++) {
        const struct graph_value *value = &g->values.at[v];
        if (!check_default(value, e))
            return false;
        if (g->parent && value->origin == ORIGIN_NODE && is_name_around(g, value->name))
            return err_set(e, ERR_DATA, "'" STR_FMT "' of a subgraph hides a value around it",
                           STR_ARG(value->name));
    }
    if (!g->outputs.n)
        return err_set(e, ERR_DATA, "graph '" STR_FMT "' has no outputs", STR_ARG(g->name));
    if (!check_names(c, g, e))
        return false;
    for (size_t i = 0; i < g->nodes.n; i++)
        if (!check_node(c, g, &g->nodes.at[i], e))
            return err_wrap(e, "%s", node_label(g, &g->nodes.at[i], c->scratch));
    return true;
}

bool check_model(const struct model *m, struct err *e)
{
    struct arena scratch;
    struct checker c = {m, &scratch};
    struct pending {
        VEC(const struct graph *) at;
    } pending = {0};
    if (m->unsorted.n)
        return err_set(e, ERR_DATA,
                       STR_FMT " comes before a node whose result it reads: the nodes of a graph "
                               "must be topologically sorted",
                       STR_ARG(m->unsorted));
    arena_init(&scratch);
    vec_push(&pending.at, &scratch, m->graph);
    bool ok = true;
    for (size_t p = 0; ok && p < pending.at.n; p++) {
        const struct graph *g = pending.at.at[p];
        ok = check_graph(&c, g, e);
        for (size_t i = 0; i < g->nodes.n; i++)
            for (uint32_t j = 0; j < g->nodes.at[i].n_attrs; j++) {
                const struct attr *t = &g->nodes.at[i].attrs[j];
                if (t->kind == ATTR_GRAPH)
                    vec_push(&pending.at, &scratch, t->g);
                for (size_t k = 0; t->kind == ATTR_GRAPHS && k < t->n; k++)
                    vec_push(&pending.at, &scratch, t->graphs[k]);
            }
    }
    arena_done(&scratch);
    return ok;
}
