/*
 * Localisation by parts: runs every node as a separate model on the reference's values of its
 * inputs, in one batch; then, if none is wrong alone, connected groups of growing size. A culprit
 * is confirmed on the whole graph cut after it, because an optimiser may treat a part differently.
 *
 * It decides which node or pattern is to blame for one failure on one target. It must not know how
 * the target is run. Invariant: at most LOCALISE_RUNS_MAX runs.
 */
#include "reduce/localise.h"

#include <string.h>

#include "base/vec.h"
#include "reduce/reduce_p.h"

struct localiser {
    const struct judge_options *o;
    struct reference *r;
    const struct verdict *failing;
    struct str guard; /* of a crash or a refusal */
    const struct localise_runner *runner;
    struct arena *a;
    struct state state;
    bool *is_ancestor;   /* nodes before the failing output */
    uint32_t *ancestors; /* these nodes in order, without Constant */
    uint32_t n_ancestors;
    uint32_t n_runs;
};

/* A part of the graph and its result. */
struct part {
    uint32_t nodes[LOCALISE_GROUP_MAX];
    uint32_t n;
    struct tcase *c;               /* NULL: the part is no valid model */
    const struct verdict *verdict; /* NULL: the part does not fail */
};

static void mark_ancestors(struct localiser *l)
{
    const struct graph *g = l->r->model->graph;
    uint32_t output = graph_find_value(g, l->failing->place.output);
    bool *needed = arena_new_array(l->a, bool, g->values.n);
    l->is_ancestor = arena_new_array(l->a, bool, g->nodes.n);
    l->ancestors = arena_new_array(l->a, uint32_t, g->nodes.n);
    for (size_t i = 0; i < g->outputs.n; i++)
        needed[g->outputs.at[i]] = output == VALUE_NONE;
    if (output != VALUE_NONE)
        needed[output] = true;
    for (size_t k = g->nodes.n; k-- > 0;) {
        const struct node *n = &g->nodes.at[k];
        for (uint32_t i = 0; i < n->n_outputs; i++)
            if (n->outputs[i] != VALUE_NONE && needed[n->outputs[i]])
                l->is_ancestor[k] = true;
        struct value_list reads = {0};
        if (l->is_ancestor[k])
            graph__reads(n, l->a, &reads);
        for (size_t i = 0; i < reads.n; i++)
            needed[reads.at[i]] = true;
    }
    for (size_t k = 0; k < g->nodes.n; k++)
        if (l->is_ancestor[k] && !str_is(g->nodes.at[k].op_type, "Constant"))
            l->ancestors[l->n_ancestors++] = (uint32_t)k;
}

static struct tcase *seal(struct localiser *l, struct trial *t, struct eval_result *ref)
{
    struct tcase *c = arena_new(l->a, struct tcase);
    struct tensors *inputs = arena_dup(l->a, &t->inputs, sizeof *inputs);
    *c = (struct tcase){.kind = CASE_GRAPH,
                        .graph = t->m,
                        .input_sets = inputs,
                        .n_input_sets = 1,
                        .reference = ref,
                        .lane = l->r->c->lane};
    c->from = (struct provenance){
        .generator = "localise", .version = 1, .parent = l->r->c->content, .edits = STR("")};
    case_seal(c);
    return c;
}

/* Makes a case of the kept nodes; NULL: they are no valid model. */
static struct tcase *make_case(struct localiser *l, const bool *keep)
{
    struct trial t = {.from = &l->state, .a = l->a, .m = model_copy(l->state.m, l->a)};
    struct eval_result *ref = arena_new(l->a, struct eval_result);
    struct err invalid = {0};
    t.inputs.n = l->state.inputs.n;
    t.inputs.at = arena_dup(l->a, l->state.inputs.at, t.inputs.n * sizeof *t.inputs.at);
    bool all = true;
    for (size_t k = 0; k < l->state.m->graph->nodes.n; k++)
        all = all && keep[k];
    if (!(all || graph__keep(&t, keep, true)) || !graph__settle(&t, ref, &invalid))
        return NULL;
    return seal(l, &t, ref);
}

/* Keeps the Constants that the part reads: engines treat them unlike inputs. */
static void keep_constants(const struct localiser *l, const struct part *p, bool *keep)
{
    const struct graph *g = l->state.m->graph;
    for (uint32_t k = 0; k < p->n; k++) {
        struct value_list reads = {0};
        graph__reads(&g->nodes.at[p->nodes[k]], l->a, &reads);
        for (size_t i = 0; i < reads.n; i++) {
            const struct graph_value *v = &g->values.at[reads.at[i]];
            if (v->origin == ORIGIN_NODE && str_is(g->nodes.at[v->origin_at].op_type, "Constant"))
                keep[v->origin_at] = true;
        }
    }
}

static void make_part(struct localiser *l, struct part *p)
{
    bool *keep = arena_new_array(l->a, bool, l->state.m->graph->nodes.n);
    for (uint32_t i = 0; i < p->n; i++)
        keep[p->nodes[i]] = true;
    keep_constants(l, p, keep);
    p->c = make_case(l, keep);
}

static const struct verdict *wrong_result(const struct verdicts *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->at[i].wrong != WRONG_NOTHING && v->at[i].wrong != WRONG_OUTCOME)
            return &v->at[i];
    return NULL;
}

/* The verdict with the failure's guard key; NULL: none. A node alone may be refused for another
 * reason. */
static const struct verdict *same_outcome(const struct localiser *l, const struct evidence *ev,
                                          const struct verdicts *v)
{
    struct keys keys;
    bucket_keys(ev, v, l->a, &keys);
    for (size_t i = 0; i < keys.n; i++)
        if (str_eq(keys.at[i].guard, l->guard))
            return keys.at[i].verdict;
    return NULL;
}

static bool judge_part(struct localiser *l, struct part *p, const struct observation *x,
                       struct err *e)
{
    struct reference *ref;
    struct verdicts v;
    struct judge_options o = {.oracles = oracle_bit(ORACLE_CRASH) | oracle_bit(ORACLE_OUTCOME) |
                                         oracle_bit(ORACLE_REFERENCE),
                              .factor = l->o->factor};
    if (!reference_make(p->c, l->a, &ref, e))
        return false;
    struct evidence ev = {.c = p->c, .refs = ref, .observations = x, .n_observations = 1};
    if (!judge_case(&o, &ev, l->a, &v, e))
        return err_wrap(e, "judging a part of the graph");
    p->verdict = l->failing->wrong == WRONG_OUTCOME ? same_outcome(l, &ev, &v) : wrong_result(&v);
    return true;
}

/* Runs and judges all parts that are valid models. */
static bool probe(struct localiser *l, struct part *parts, size_t n, struct err *e)
{
    const struct tcase **cases = arena_new_array(l->a, const struct tcase *, n);
    struct observation *seen = arena_new_array(l->a, struct observation, n);
    size_t n_cases = 0;
    for (size_t i = 0; i < n && l->n_runs + n_cases < LOCALISE_RUNS_MAX; i++) {
        make_part(l, &parts[i]);
        if (parts[i].c)
            cases[n_cases++] = parts[i].c;
    }
    l->n_runs += (uint32_t)n_cases;
    if (n_cases > 0 && !l->runner->run(l->runner->ctx, cases, n_cases, l->a, seen, e))
        return false;
    for (size_t i = 0, k = 0; i < n && k < n_cases; i++)
        if (parts[i].c && parts[i].c == cases[k] && !judge_part(l, &parts[i], &seen[k++], e))
            return false;
    return true;
}

/* Does the graph up to the part's last node fail too? */
static bool confirm(struct localiser *l, const struct part *p, bool *out, struct err *e)
{
    const struct graph *g = l->state.m->graph;
    uint32_t last = p->nodes[p->n - 1];
    bool *keep = arena_new_array(l->a, bool, g->nodes.n);
    bool *needed = arena_new_array(l->a, bool, g->values.n);
    for (size_t k = last + 1; k-- > 0;) {
        const struct node *n = &g->nodes.at[k];
        keep[k] = k == last;
        for (uint32_t i = 0; i < n->n_outputs; i++)
            keep[k] = keep[k] || (n->outputs[i] != VALUE_NONE && needed[n->outputs[i]]);
        struct value_list reads = {0};
        if (keep[k])
            graph__reads(n, l->a, &reads);
        for (size_t i = 0; i < reads.n; i++)
            needed[reads.at[i]] = true;
    }
    struct part whole = {.n = 1, .nodes = {last}};
    whole.c = make_case(l, keep);
    *out = false;
    if (!whole.c || l->n_runs >= LOCALISE_RUNS_MAX)
        return true;
    const struct tcase *one = whole.c;
    struct observation x = {0};
    l->n_runs++;
    if (!l->runner->run(l->runner->ctx, &one, 1, l->a, &x, e) || !judge_part(l, &whole, &x, e))
        return false;
    *out = whole.verdict != NULL;
    return true;
}

static struct str label_of(const struct graph *g, const struct node *n)
{
    if (n->name.n > 0 || n->n_outputs == 0 || n->outputs[0] == VALUE_NONE)
        return n->name;
    return g->values.at[n->outputs[0]].name;
}

static void report(struct localiser *l, const struct part *p, bool confirmed, struct localised *out)
{
    const struct graph *g = l->state.m->graph;
    const struct node *last = &g->nodes.at[p->nodes[p->n - 1]];
    struct strbuf b = {0};
    for (uint32_t i = 0; i < p->n; i++) {
        if (i > 0)
            strbuf_addc(&b, '+');
        strbuf_addstr(&b, g->nodes.at[p->nodes[i]].op_type);
    }
    *out = (struct localised){.found = true,
                              .confirmed = confirmed,
                              .node = p->nodes[p->n - 1],
                              .name = label_of(g, last),
                              .op_type = last->op_type,
                              .n_group = p->n,
                              .pattern = strbuf_dup(&b, l->a),
                              .verdict = p->verdict,
                              .n_runs = l->n_runs};
    out->group = arena_dup(l->a, p->nodes, p->n * sizeof *p->nodes);
    strbuf_done(&b);
}

/* Chooses the first part that is wrong alone and confirmed on the whole graph; if there is none,
 * the first that is wrong alone. */
static bool pick(struct localiser *l, const struct part *parts, size_t n, struct localised *out,
                 struct err *e)
{
    enum { CONFIRM_MAX = 6 };
    const struct part *first = NULL;
    uint32_t n_tried = 0;
    for (size_t i = 0; i < n && n_tried < CONFIRM_MAX; i++) {
        if (!parts[i].verdict)
            continue;
        bool confirmed;
        if (!confirm(l, &parts[i], &confirmed, e))
            return false;
        if (!first || confirmed) {
            first = &parts[i];
            report(l, first, confirmed, out);
        }
        if (confirmed)
            return true;
        n_tried++;
    }
    return true;
}

static bool try_single_nodes(struct localiser *l, struct localised *out, struct err *e)
{
    struct part *parts = arena_new_array(l->a, struct part, l->n_ancestors);
    for (uint32_t i = 0; i < l->n_ancestors; i++)
        parts[i] = (struct part){.n = 1, .nodes = {l->ancestors[i]}};
    return probe(l, parts, l->n_ancestors, e) && pick(l, parts, l->n_ancestors, out, e);
}

static bool contains(const struct part *p, uint32_t node)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->nodes[i] == node)
            return true;
    return false;
}

/* Adds nodes that feed the group, nearest first, until it has the wanted size. */
static void grow_backwards(const struct localiser *l, struct part *p, uint32_t wanted)
{
    const struct graph *g = l->state.m->graph;
    for (uint32_t at = 0; at < p->n && p->n < wanted; at++) {
        struct value_list reads = {0};
        graph__reads(&g->nodes.at[p->nodes[at]], l->a, &reads);
        for (size_t i = 0; i < reads.n && p->n < wanted; i++) {
            uint32_t from = g->values.at[reads.at[i]].origin_at;
            if (graph__is_computed(g, reads.at[i]) && l->is_ancestor[from] && !contains(p, from))
                p->nodes[p->n++] = from;
        }
    }
    for (uint32_t i = 1; i < p->n; i++) { /* sorts them in the graph's order */
        uint32_t node = p->nodes[i], k = i;
        for (; k > 0 && p->nodes[k - 1] > node; k--)
            p->nodes[k] = p->nodes[k - 1];
        p->nodes[k] = node;
    }
}

static bool try_groups(struct localiser *l, uint32_t size, struct localised *out, struct err *e)
{
    struct part *parts = arena_new_array(l->a, struct part, l->n_ancestors);
    size_t n = 0;
    for (uint32_t i = 0; i < l->n_ancestors; i++) {
        struct part p = {.n = 1, .nodes = {l->ancestors[i]}};
        grow_backwards(l, &p, size);
        if (p.n == size)
            parts[n++] = p;
    }
    return probe(l, parts, n, e) && pick(l, parts, n, out, e);
}

bool localise_graph(const struct judge_options *o, struct reference *r, const struct key *failing,
                    const struct localise_runner *runner, struct arena *a, struct localised *out,
                    struct err *e)
{
    static const uint32_t sizes[] = {2, 3, 4, 6, 8, LOCALISE_GROUP_MAX};
    *out = (struct localised){0};
    if (!r->usable || r->c->kind != CASE_GRAPH)
        return err_set(e, ERR_UNSUPPORTED, "only a graph with a reference can be localised");
    struct localiser l = {.o = o,
                          .r = r,
                          .failing = failing->verdict,
                          .guard = failing->guard,
                          .runner = runner,
                          .a = a};
    l.state = (struct state){
        .m = r->c->graph, .inputs = r->c->input_sets[r->input_set], .ref = r->values};
    mark_ancestors(&l);
    if (!try_single_nodes(&l, out, e))
        return false;
    for (size_t i = 0; i < COUNT_OF(sizes) && !out->found && sizes[i] <= l.n_ancestors; i++)
        if (!try_groups(&l, sizes[i], out, e))
            return false;
    out->n_runs = l.n_runs;
    return true;
}
