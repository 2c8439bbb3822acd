/*
 * model_finish: establishes the invariants of model.h after a model was built or edited.
 *
 * Steps over all graphs: parents first, origins are set and names of enclosing graphs resolved;
 * then, children first, unused values are dropped; then nodes are sorted (Kahn's algorithm, stable
 * where the order was right already) and bound to the operator table. What a subgraph refers to in
 * an enclosing graph is a dependency of the node that owns the subgraph.
 */
#include <string.h>

#include "onnx/model_p.h"

struct finisher {
    struct model *m;
    struct arena *scratch;
    struct graph_list list;
    uint32_t **renumbered; /* by place: new index of each value; NULL: none was dropped */
    bool **used;           /* by place and value */
    const char *unsorted;  /* the first node that came before what it reads */
};

static bool push_place(struct graph_list *list, struct graph *g, struct graph_place place,
                       struct arena *scratch, struct err *e)
{
    place.graph = g;
    if (place.depth >= GRAPH_DEPTH_MAX)
        return err_set(e, ERR_LIMIT, "subgraphs are nested more than %d deep", GRAPH_DEPTH_MAX);
    vec_push(&list->places, scratch, place);
    return true;
}

bool model__list_graphs(struct model *m, struct arena *scratch, struct graph_list *out,
                        struct err *e)
{
    if (!push_place(out, m->graph, (struct graph_place){.owner_node = NODE_NONE}, scratch, e))
        return false;
    for (uint32_t p = 0; p < out->places.n; p++) {
        struct graph_place here = out->places.at[p];
        for (uint32_t i = 0; i < here.graph->nodes.n; i++) {
            const struct node *n = &here.graph->nodes.at[i];
            struct graph_place inner = {.parent_at = p, .owner_node = i, .depth = here.depth + 1};
            for (uint32_t j = 0; j < n->n_attrs; j++) {
                const struct attr *t = &n->attrs[j];
                size_t n_graphs = t->kind == ATTR_GRAPH ? 1 : t->kind == ATTR_GRAPHS ? t->n : 0;
                for (size_t k = 0; k < n_graphs; k++) {
                    struct graph *g = t->kind == ATTR_GRAPH ? t->g : t->graphs[k];
                    g->parent = here.graph;
                    if (!push_place(out, g, inner, scratch, e))
                        return false;
                }
            }
        }
    }
    return true;
}

static bool claim(const struct graph *g, uint32_t v, enum value_origin origin, uint32_t at,
                  const char *who, struct err *e)
{
    if (v >= g->values.n)
        return err_set(e, ERR_DATA, "%s names value %u, but the graph has %zu", who, v,
                       g->values.n);
    struct graph_value *value = &g->values.at[v];
    if (value->origin != ORIGIN_NOTHING && value->origin != ORIGIN_OUTER &&
        !(origin == ORIGIN_INPUT && value->origin == ORIGIN_INITIALIZER))
        return err_set(e, ERR_DATA, "value '" STR_FMT "' is produced twice, the second time by %s",
                       STR_ARG(value->name), who);
    value->origin = origin;
    value->origin_at = at;
    return true;
}

static bool claim_all(struct finisher *f, struct graph *g, struct err *e)
{
    for (size_t v = 0; v < g->values.n; v++) {
        struct graph_value *value = &g->values.at[v];
        value->is_output = false;
        if (value->initializer)
            value->origin = ORIGIN_INITIALIZER;
        else if (value->origin != ORIGIN_OUTER || !g->parent ||
                 value->origin_at >= g->parent->values.n)
            value->origin = ORIGIN_NOTHING;
    }
    for (size_t i = 0; i < g->inputs.n; i++)
        if (!claim(g, g->inputs.at[i], ORIGIN_INPUT, (uint32_t)i, "a graph input", e))
            return false;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        for (uint32_t j = 0; j < n->n_outputs; j++) {
            uint32_t v = n->outputs[j];
            if (v == VALUE_NONE)
                continue;
            if (v < g->values.n && (g->values.at[v].origin == ORIGIN_NOTHING ||
                                    g->values.at[v].origin == ORIGIN_OUTER)) {
                g->values.at[v].origin = ORIGIN_NODE;
                g->values.at[v].origin_at = (uint32_t)i;
            } else if (!claim(g, v, ORIGIN_NODE, (uint32_t)i, node_label(g, n, f->scratch), e)) {
                return false;
            }
        }
    }
    return true;
}

/* Binds v, which nothing in g defines, to the value of that name in the nearest enclosing graph. */
static bool resolve_outer(struct finisher *f, struct graph *g, uint32_t v)
{
    struct str name = g->values.at[v].name;
    struct graph *chain[GRAPH_DEPTH_MAX];
    size_t n_chain = 0;
    struct graph *around = g->parent;
    uint32_t at = VALUE_NONE;
    for (; around; around = around->parent) {
        at = graph_find_value(around, name);
        if (at != VALUE_NONE && around->values.at[at].origin != ORIGIN_NOTHING)
            break;
        chain[n_chain++] = around;
    }
    if (!around)
        return false;
    while (n_chain) {
        struct graph *inner = chain[--n_chain];
        uint32_t w = graph_find_value(inner, name);
        if (w == VALUE_NONE)
            w = graph_add_value(f->m, inner, name);
        inner->values.at[w].origin = ORIGIN_OUTER;
        inner->values.at[w].origin_at = at;
        at = w;
    }
    g->values.at[v].origin = ORIGIN_OUTER;
    g->values.at[v].origin_at = at;
    return true;
}

static bool resolve(struct finisher *f, struct graph *g, uint32_t v, const struct node *n,
                    struct err *e)
{
    const char *who = n ? "" : "a graph output";
    if (v < g->values.n && (g->values.at[v].origin != ORIGIN_NOTHING || resolve_outer(f, g, v)))
        return true;
    if (n)
        who = node_label(g, n, f->scratch);
    if (v >= g->values.n)
        return err_set(e, ERR_DATA, "%s names value %u, but the graph has %zu", who, v,
                       g->values.n);
    return err_set(e, ERR_DATA, "%s%s '" STR_FMT "', which nothing produces", who,
                   n ? " reads" : " is", STR_ARG(g->values.at[v].name));
}

static bool resolve_all(struct finisher *f, struct graph *g, struct err *e)
{
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        for (uint32_t j = 0; j < n->n_inputs; j++)
            if (n->inputs[j] != VALUE_NONE && !resolve(f, g, n->inputs[j], n, e))
                return false;
    }
    for (size_t i = 0; i < g->outputs.n; i++) {
        if (!resolve(f, g, g->outputs.at[i], NULL, e))
            return false;
        g->values.at[g->outputs.at[i]].is_output = true;
    }
    return true;
}

static void mark_list(bool *used, const uint32_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (values[i] != VALUE_NONE)
            used[values[i]] = true;
}

static void renumber_list(const uint32_t *map, const uint32_t **values, uint32_t n, struct arena *a)
{
    uint32_t *fresh = arena_new_array(a, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        fresh[i] = (*values)[i] == VALUE_NONE ? (uint32_t)VALUE_NONE : map[(*values)[i]];
    *values = fresh;
}

/* Drops unused values; returns the new index of each old one, or NULL when all are used. */
static uint32_t *drop_values(struct finisher *f, struct graph *g, const bool *used)
{
    size_t n_used = 0;
    for (size_t v = 0; v < g->values.n; v++)
        n_used += used[v];
    if (n_used == g->values.n)
        return NULL;
    uint32_t *map = arena_new_array(f->scratch, uint32_t, g->values.n);
    struct arena *a = f->m->arena;
    uint32_t n_kept = 0;
    g->by_name = (struct map){0};
    for (size_t v = 0; v < g->values.n; v++) {
        if (!used[v])
            continue;
        map[v] = n_kept;
        g->values.at[n_kept] = g->values.at[v];
        map_put(&g->by_name, a, g->values.at[n_kept].name, n_kept);
        n_kept++;
    }
    g->values.n = n_kept;
    for (size_t i = 0; i < g->nodes.n; i++) {
        struct node *n = &g->nodes.at[i];
        renumber_list(map, &n->inputs, n->n_inputs, a);
        renumber_list(map, &n->outputs, n->n_outputs, a);
    }
    for (size_t i = 0; i < g->inputs.n; i++)
        g->inputs.at[i] = map[g->inputs.at[i]];
    for (size_t i = 0; i < g->outputs.n; i++)
        g->outputs.at[i] = map[g->outputs.at[i]];
    return map;
}

static void drop_unused(struct finisher *f)
{
    size_t n_places = f->list.places.n;
    f->used = arena_new_array(f->scratch, bool *, n_places);
    f->renumbered = arena_new_array(f->scratch, uint32_t *, n_places);
    for (size_t p = 0; p < n_places; p++)
        f->used[p] = arena_new_array(f->scratch, bool, f->list.places.at[p].graph->values.n);
    for (size_t p = n_places; p-- > 0;) {
        struct graph *g = f->list.places.at[p].graph;
        bool *used = f->used[p];
        mark_list(used, g->inputs.at, g->inputs.n);
        mark_list(used, g->outputs.at, g->outputs.n);
        for (size_t i = 0; i < g->nodes.n; i++) {
            mark_list(used, g->nodes.at[i].inputs, g->nodes.at[i].n_inputs);
            mark_list(used, g->nodes.at[i].outputs, g->nodes.at[i].n_outputs);
        }
        for (size_t v = 0; p > 0 && v < g->values.n; v++)
            if (used[v] && g->values.at[v].origin == ORIGIN_OUTER)
                f->used[f->list.places.at[p].parent_at][g->values.at[v].origin_at] = true;
        f->renumbered[p] = drop_values(f, g, used);
    }
    for (size_t p = 1; p < n_places; p++) {
        const uint32_t *map = f->renumbered[f->list.places.at[p].parent_at];
        struct graph *g = f->list.places.at[p].graph;
        for (size_t v = 0; map && v < g->values.n; v++)
            if (g->values.at[v].origin == ORIGIN_OUTER)
                g->values.at[v].origin_at = map[g->values.at[v].origin_at];
    }
}

/* Node `after` depends on node `before`, both of one graph. */
struct edge {
    uint32_t before, after;
};
struct edges {
    VEC(struct edge) at;
    bool is_sorted;
    uint32_t first_early; /* the first node that reads what a later one makes */
};

static void add_edge(struct finisher *f, struct edges *edges, const struct graph *g, uint32_t v,
                     uint32_t node)
{
    if (v == VALUE_NONE || g->values.at[v].origin != ORIGIN_NODE)
        return;
    uint32_t before = g->values.at[v].origin_at;
    if (before >= node && (edges->is_sorted || node < edges->first_early))
        edges->first_early = node;
    edges->is_sorted &= before < node;
    vec_push(&edges->at, f->scratch, (struct edge){before, node});
}

static bool cycle_error(struct finisher *f, const struct graph *g, const uint32_t *n_before,
                        struct err *e)
{
    uint32_t at = 0;
    while (at + 1 < g->nodes.n && !n_before[at])
        at++;
    const struct node *n = &g->nodes.at[at];
    struct str name =
        n->n_outputs && n->outputs[0] != VALUE_NONE ? g->values.at[n->outputs[0]].name : STR("");
    return err_set(e, ERR_DATA,
                   "%s depends on itself: a cycle through or before value '" STR_FMT "'",
                   node_label(g, n, f->scratch), STR_ARG(name));
}

static bool sort_nodes(struct finisher *f, struct graph *g, const struct edges *edges,
                       struct err *e)
{
    size_t n_nodes = g->nodes.n, n_edges = edges->at.n;
    uint32_t *n_before = arena_new_array(f->scratch, uint32_t, n_nodes);
    uint32_t *first = arena_new_array(f->scratch, uint32_t, n_nodes + 2);
    uint32_t *after = arena_new_array(f->scratch, uint32_t, n_edges);
    uint32_t *order = arena_new_array(f->scratch, uint32_t, n_nodes);
    for (size_t i = 0; i < n_edges; i++) {
        n_before[edges->at.at[i].after]++;
        first[edges->at.at[i].before + 2]++;
    }
    for (size_t i = 2; i < n_nodes + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < n_edges; i++)
        after[first[edges->at.at[i].before + 1]++] = edges->at.at[i].after;
    size_t n_ready = 0, n_done = 0;
    for (uint32_t i = 0; i < n_nodes; i++)
        if (!n_before[i])
            order[n_ready++] = i;
    for (; n_done < n_ready; n_done++)
        for (uint32_t i = first[order[n_done]]; i < first[order[n_done] + 1]; i++)
            if (--n_before[after[i]] == 0)
                order[n_ready++] = after[i];
    if (n_done < n_nodes)
        return cycle_error(f, g, n_before, e);
    struct node *sorted = arena_new_array(f->m->arena, struct node, n_nodes);
    for (size_t i = 0; i < n_nodes; i++)
        sorted[i] = g->nodes.at[order[i]];
    g->nodes.at = sorted;
    g->nodes.cap = n_nodes;
    return true;
}

static bool sort_and_bind(struct finisher *f, struct err *e)
{
    size_t n_places = f->list.places.n;
    struct edges *edges = arena_new_array(f->scratch, struct edges, n_places);
    for (size_t p = 0; p < n_places; p++) {
        const struct graph_place *place = &f->list.places.at[p];
        const struct graph *g = place->graph;
        edges[p].is_sorted = true;
        for (uint32_t i = 0; i < g->nodes.n; i++)
            for (uint32_t j = 0; j < g->nodes.at[i].n_inputs; j++)
                add_edge(f, &edges[p], g, g->nodes.at[i].inputs[j], i);
        for (size_t v = 0; p > 0 && v < g->values.n; v++)
            if (g->values.at[v].origin == ORIGIN_OUTER)
                add_edge(f, &edges[place->parent_at], g->parent, g->values.at[v].origin_at,
                         place->owner_node);
    }
    for (size_t p = 0; p < n_places; p++) {
        struct graph *g = f->list.places.at[p].graph;
        if (!edges[p].is_sorted && !f->unsorted)
            f->unsorted = node_label(g, &g->nodes.at[edges[p].first_early], f->scratch);
        if (!edges[p].is_sorted && !sort_nodes(f, g, &edges[p], e))
            return false;
        for (uint32_t i = 0; i < g->nodes.n; i++) {
            struct node *n = &g->nodes.at[i];
            node__bind(f->m, n);
            for (uint32_t j = 0; j < n->n_outputs; j++)
                if (n->outputs[j] != VALUE_NONE)
                    g->values.at[n->outputs[j]].origin_at = i;
        }
    }
    return true;
}

static bool finish(struct finisher *f, struct err *e)
{
    if (!model__list_graphs(f->m, f->scratch, &f->list, e))
        return false;
    for (size_t p = 0; p < f->list.places.n; p++) {
        struct graph *g = f->list.places.at[p].graph;
        if (!claim_all(f, g, e) || !resolve_all(f, g, e))
            return false;
    }
    drop_unused(f);
    return sort_and_bind(f, e);
}

static bool run(struct model *m, bool is_read, struct err *e)
{
    struct arena scratch;
    arena_init(&scratch);
    struct finisher f = {.m = m, .scratch = &scratch};
    bool ok = finish(&f, e);
    if (is_read && f.unsorted)
        m->unsorted = str_of(arena_strdup(m->arena, f.unsorted));
    arena_done(&scratch);
    return ok;
}

bool model_finish(struct model *m, struct err *e)
{
    return run(m, false, e);
}

bool model__finish_read(struct model *m, struct err *e)
{
    return run(m, true, e);
}

/* Marks the values that node i reads, also through references in its subgraphs. */
static void mark_inputs(const struct graph *g, uint32_t i, bool *needed)
{
    const struct node *n = &g->nodes.at[i];
    mark_list(needed, n->inputs, n->n_inputs);
    for (uint32_t j = 0; j < n->n_attrs; j++) {
        const struct attr *t = &n->attrs[j];
        size_t n_graphs = t->kind == ATTR_GRAPH ? 1 : t->kind == ATTR_GRAPHS ? t->n : 0;
        for (size_t k = 0; k < n_graphs; k++) {
            const struct graph *inner = t->kind == ATTR_GRAPH ? t->g : t->graphs[k];
            for (size_t v = 0; v < inner->values.n; v++)
                if (inner->values.at[v].origin == ORIGIN_OUTER)
                    needed[inner->values.at[v].origin_at] = true;
        }
    }
}

uint32_t graph_remove_dead(struct model *m, struct graph *g)
{
    bool *needed = arena_new_array(m->arena, bool, g->values.n);
    bool *alive = arena_new_array(m->arena, bool, g->nodes.n);
    mark_list(needed, g->outputs.at, g->outputs.n);
    bool changed = true;
    while (changed) { /* one pass suffices where nodes are sorted */
        changed = false;
        for (uint32_t i = (uint32_t)g->nodes.n; i-- > 0;) {
            bool is_needed = false;
            for (uint32_t j = 0; j < g->nodes.at[i].n_outputs; j++) {
                uint32_t v = g->nodes.at[i].outputs[j];
                is_needed |= v != VALUE_NONE && needed[v];
            }
            if (!is_needed || alive[i])
                continue;
            alive[i] = changed = true;
            mark_inputs(g, i, needed);
        }
    }
    uint32_t n_kept = 0, n_before = (uint32_t)g->nodes.n;
    for (uint32_t i = 0; i < n_before; i++)
        if (alive[i])
            g->nodes.at[n_kept++] = g->nodes.at[i];
    g->nodes.n = n_kept;
    return n_before - n_kept;
}
