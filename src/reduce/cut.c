/* Decides which nodes belong to the part, and its inputs and outputs. Constants belong to the nodes
 * that read them, whatever the depth. */
#include "reduce/cut.h"

#include "base/compiler.h"
#include "base/vec.h"
#include "onnx/eval.h"
#include "reduce/reduce_p.h"

uint32_t cut_find_node(const struct graph *g, struct str name)
{
    uint64_t at;
    for (size_t k = 0; k < g->nodes.n; k++)
        if (name.n && str_eq(g->nodes.at[k].name, name))
            return (uint32_t)k;
    uint32_t v = graph_find_value(g, name);
    if (v != VALUE_NONE && g->values.at[v].origin == ORIGIN_NODE)
        return g->values.at[v].origin_at;
    if (str_starts(name, STR("#")) && str_to_u64(str_sub(name, 1, name.n), &at) && at < g->nodes.n)
        return (uint32_t)at;
    return NODE_NONE;
}

/* Marks the nodes of the part. Nodes are in topological order: going back from the node, each has
 * the least depth of its readers plus one. */
static bool *mark(const struct cut_options *o, struct arena *a)
{
    const struct graph *g = o->m->graph;
    bool *keep = arena_new_array(a, bool, g->nodes.n);
    uint32_t *depth = arena_new_array(a, uint32_t, g->values.n); /* a reader's, plus 1; 0: none */
    for (size_t k = (size_t)o->node + 1; k-- > 0;) {
        const struct node *n = &g->nodes.at[k];
        bool is_constant = str_is(n->op_type, "Constant");
        uint32_t least = k == o->node ? 1 : 0;
        struct value_list reads = {0};
        for (uint32_t i = 0; i < n->n_outputs; i++) {
            uint32_t d = n->outputs[i] == VALUE_NONE ? 0 : depth[n->outputs[i]];
            least = d && (!least || d < least) ? d : least;
        }
        if (!least || (!is_constant && o->depth != CUT_ALL && least - 1 > o->depth))
            continue;
        keep[k] = true;
        graph__reads(n, a, &reads);
        for (size_t i = 0; i < reads.n; i++) {
            uint32_t *d = &depth[reads.at[i]];
            *d = *d && *d < least + 1 ? *d : least + 1;
        }
    }
    return keep;
}

static bool keeps_all(const struct graph *g, const bool *keep)
{
    for (size_t k = 0; k < g->nodes.n; k++)
        if (!keep[k])
            return false;
    return true;
}

/* The first value that would become an input without a known dtype or rank; empty: none. */
static struct str find_unknown(const struct graph *g, const bool *keep, struct arena *a)
{
    for (size_t k = 0; k < g->nodes.n; k++) {
        struct value_list reads = {0};
        if (keep[k])
            graph__reads(&g->nodes.at[k], a, &reads);
        for (size_t i = 0; i < reads.n; i++) {
            const struct graph_value *v = &g->values.at[reads.at[i]];
            if (v->origin == ORIGIN_NODE && !keep[v->origin_at] &&
                (v->dtype == DTYPE_UNDEFINED || !v->shape.known))
                return v->name;
        }
    }
    return STR("");
}

static void set_outputs(struct model *m, const struct node *n, bool as_copies)
{
    m->graph->outputs.n = 0;
    for (uint32_t i = 0; i < n->n_outputs; i++) {
        if (n->outputs[i] == VALUE_NONE)
            continue;
        graph_add_output(m->graph, n->outputs[i]);
        if (as_copies)
            graph_copy_output(m, m->graph, n->outputs[i], n->outputs[i]);
    }
}

bool cut_graph(const struct cut_options *o, struct arena *a, struct cut *out, struct err *e)
{
    struct err refused = {0};
    const struct node last = o->m->graph->nodes.at[o->node];
    bool *keep = mark(o, a);
    struct state whole = {.inputs = *o->inputs, .m = o->m};
    struct trial t = {.from = &whole, .a = a, .m = model_copy(o->m, a), .is_unvalued = true};
    *out = (struct cut){0};
    if (!eval_run(o->m, o->inputs, &(struct eval_options){0}, a, &whole.ref, &refused)) {
        if (refused.code != ERR_UNSUPPORTED && refused.code != ERR_LIMIT) {
            *e = refused;
            return false;
        }
        whole.ref = (struct eval_result){0};
        out->why_open = str_of(arena_strdup(a, refused.text));
    }
    t.inputs.n = o->inputs->n;
    t.inputs.at = arena_dup(a, o->inputs->at, t.inputs.n * sizeof *t.inputs.at);
    if (!keeps_all(o->m->graph, keep) && !graph__keep(&t, keep, true)) {
        struct str name = find_unknown(o->m->graph, keep, a);
        return err_set(e, ERR_DATA,
                       "value " STR_FMT " would become an input, and its dtype and rank are not "
                       "known: take more nodes by a larger --depth",
                       STR_ARG(name));
    }
    set_outputs(t.m, &last, o->as_copies);
    if (!graph__tidy(&t, e) && e->code != ERR_UNSUPPORTED)
        return false;
    out->m = t.m;
    out->inputs = t.inputs;
    return true;
}
