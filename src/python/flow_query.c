/*
 * Queries about paths through the control flow: each is one search over blocks, with positions
 * inside a block found by bisection in the sets of steps. Paths are never enumerated. Invariant: an
 * answer is TRUTH_UNKNOWN exactly when the flow was too large to solve or the file's budget is used
 * up.
 */
#include "python/flow_p.h"

struct flow_list flow_defs_of(const struct flow *f, uint32_t step)
{
    return (struct flow_list){f->use_defs + f->use_first[step],
                              f->use_first[step + 1] - f->use_first[step]};
}

struct flow_list flow_uses_of(const struct flow *f, uint32_t def)
{
    return (struct flow_list){f->def_uses + f->def_first[def],
                              f->def_first[def + 1] - f->def_first[def]};
}

uint32_t flow_only_def(const struct flow *f, uint32_t step)
{
    struct flow_list l = flow_defs_of(f, step);
    return l.n == 1 && f->defs[l.at[0]].kind != DEF_MAY ? l.at[0] : (uint32_t)DEF_NONE;
}

uint32_t flow_var_of(const struct flow *f, uint32_t step)
{
    if (f->use_var[step] != VAR_NONE)
        return f->use_var[step];
    return f->step_def[step] == DEF_NONE ? (uint32_t)VAR_NONE : f->defs[f->step_def[step]].var;
}

bool flow_same_value(const struct flow *f, uint32_t step_a, uint32_t step_b)
{
    struct flow_list a = flow_defs_of(f, step_a), b = flow_defs_of(f, step_b);
    if (f->use_var[step_a] == VAR_NONE || f->use_var[step_a] != f->use_var[step_b] || a.n != b.n ||
        !a.n)
        return false;
    for (uint32_t i = 0; i < a.n; i++)
        if (a.at[i] != b.at[i] || f->defs[a.at[i]].kind == DEF_MAY)
            return false;
    return true;
}

bool flow_is_live(const struct flow *f, uint32_t def)
{
    return flow_uses_of(f, def).n > 0;
}

/* ---- ways ---- */

/* The first member at or after `from` and before `end`; STEP_NONE. */
static uint32_t first_in(const struct step_set *set, uint32_t from, uint32_t end)
{
    if (!set)
        return STEP_NONE;
    uint32_t low = 0, high = set->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (set->at[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->n && set->at[low] < end ? set->at[low] : (uint32_t)STEP_NONE;
}

struct search {
    const struct flow *f;
    const struct flow_query *q;
    struct arena work;
    uint32_t *worklist, n_worklist;
    bool *seen;
    struct step_set *met; /* steps passed, or NULL */
    struct arena *met_arena;
    VEC(uint32_t) passed;
    bool found;
};

static bool may_follow(const struct search *s, uint32_t from, const struct cfg_edge *edge)
{
    const struct cfg *c = s->f->cfg;
    if (edge->kind == EDGE_EXCEPTION && !s->q->with_exceptions)
        return false;
    if (s->q->dead && s->q->dead[edge - c->out])
        return false;
    if (s->q->loop == LOOP_NONE)
        return true;
    bool is_round = edge->to == c->loops[s->q->loop].head && cfg_loop_holds(c, s->q->loop, from);
    if (s->q->once && is_round)
        return false;
    return cfg_loop_holds(c, s->q->loop, edge->to);
}

static void scan(struct search *s, uint32_t block, uint32_t from)
{
    const struct cfg *c = s->f->cfg;
    const struct cfg_block *b = &c->blocks[block];
    uint32_t stop = first_in(s->q->avoid, from, b->end);
    uint32_t hit = s->met ? (uint32_t)STEP_NONE : first_in(s->q->to, from, b->end);
    if ((hit != STEP_NONE && hit <= stop) ||
        (!s->met && !s->q->to && block == CFG_EXIT && stop == STEP_NONE)) {
        s->found = true;
        return;
    }
    for (uint32_t i = from; s->met && i < MIN(b->end, stop); i++)
        vec_push(&s->passed, &s->work, i);
    if (stop != STEP_NONE)
        return;
    for (uint32_t i = 0; i < b->n_out; i++) {
        const struct cfg_edge *edge = &c->out[b->first_out + i];
        if (!s->seen[edge->to] && may_follow(s, block, edge)) {
            s->seen[edge->to] = true;
            s->worklist[s->n_worklist++] = edge->to;
        }
    }
}

static void search_ways(struct search *s)
{
    const struct cfg *c = s->f->cfg;
    arena_init(&s->work);
    s->worklist = arena_new_array(&s->work, uint32_t, c->n_blocks);
    s->seen = arena_new_array(&s->work, bool, c->n_blocks);
    if (s->q->from) {
        for (uint32_t i = 0; i < s->q->from->n && !s->found; i++)
            if (c->blocks[c->steps[s->q->from->at[i]].block].is_reachable)
                scan(s, c->steps[s->q->from->at[i]].block, s->q->from->at[i] + 1);
    } else {
        s->seen[CFG_ENTRY] = true;
        scan(s, CFG_ENTRY, c->blocks[CFG_ENTRY].first);
    }
    while (s->n_worklist && !s->found) {
        uint32_t block = s->worklist[--s->n_worklist];
        scan(s, block, c->blocks[block].first);
    }
}

/* The cost of a search, with the collecting of its sets of steps, is about the size of the
 * function. */
static bool may_search(const struct flow *f, const struct flow_query *q)
{
    uint64_t n_from = q->from ? q->from->n : 0;
    return names_spend(f->cfg->names, f->cfg->n_blocks + f->cfg->n_steps / 2 + n_from);
}

enum truth flow_path(const struct flow *f, const struct flow_query *q)
{
    if (!f->is_known || !may_search(f, q))
        return TRUTH_UNKNOWN;
    struct search s = {.f = f, .q = q};
    search_ways(&s);
    arena_done(&s.work);
    return truth_of(s.found);
}

static int compare_steps(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

void flow_reach(const struct flow *f, const struct flow_query *q, struct arena *a,
                struct step_set *out)
{
    may_search(f, q);
    struct search s = {.f = f, .q = q, .met = out, .met_arena = a};
    search_ways(&s);
    if (s.passed.n)
        qsort(s.passed.at, s.passed.n, sizeof *s.passed.at, compare_steps);
    uint32_t n = 0;
    for (size_t i = 0; i < s.passed.n; i++)
        if (!n || s.passed.at[n - 1] != s.passed.at[i])
            s.passed.at[n++] = s.passed.at[i];
    out->n = n;
    out->at = arena_dup(a, s.passed.at, n * sizeof *out->at);
    arena_done(&s.work);
}

enum truth flow_dominates(const struct flow *f, uint32_t step_a, uint32_t step_b)
{
    struct step_set avoid = {&step_a, 1}, to = {&step_b, 1};
    if (step_a == step_b)
        return TRUTH_TRUE;
    struct flow_query q = {.to = &to, .avoid = &avoid, .loop = LOOP_NONE, .with_exceptions = true};
    return truth_not(flow_path(f, &q));
}

enum truth flow_may_follow(const struct flow *f, uint32_t step_a, uint32_t step_b)
{
    struct step_set from = {&step_a, 1}, to = {&step_b, 1};
    struct flow_query q = {.from = &from, .to = &to, .loop = LOOP_NONE, .with_exceptions = true};
    return flow_path(f, &q);
}

/* All writes of the variable that hide earlier ones, as a set. */
static struct step_set writes_of(const struct flow *f, uint32_t var, uint32_t except,
                                 struct arena *work)
{
    struct step_set set = {arena_new_array(work, uint32_t, f->vars[var].n_defs), 0};
    for (uint32_t d = f->vars[var].first_def; d < f->vars[var].first_def + f->vars[var].n_defs; d++)
        if (f->defs[d].step != STEP_NONE && f->defs[d].kind != DEF_MAY && d != except)
            set.at[set.n++] = f->defs[d].step;
    return set;
}

static bool is_carried_by(const struct flow *f, uint32_t def, uint32_t step, uint32_t loop,
                          struct arena *work)
{
    const struct cfg *c = f->cfg;
    const struct flow_def *d = &f->defs[def];
    if (d->step == STEP_NONE || !cfg_loop_holds(c, loop, c->steps[d->step].block))
        return false;
    uint32_t head = c->blocks[c->loops[loop].head].first, from_def = d->step;
    if (head >= c->blocks[c->loops[loop].head].end)
        return false;
    struct step_set start = {&from_def, 1}, round = {&head, 1}, use = {&step, 1};
    struct step_set others = writes_of(f, d->var, def, work),
                    all = writes_of(f, d->var, DEF_NONE, work);
    struct flow_query to_head = {.from = &start, .to = &round, .avoid = &others, .loop = loop};
    struct flow_query to_use = {.from = &round, .to = &use, .avoid = &all, .loop = loop};
    return flow_path(f, &to_head) == TRUTH_TRUE && flow_path(f, &to_use) == TRUTH_TRUE;
}

enum truth flow_is_carried(const struct flow *f, uint32_t step, uint32_t loop)
{
    if (!f->is_known)
        return TRUTH_UNKNOWN;
    struct arena work;
    arena_init(&work);
    bool carried = false;
    struct flow_list l = flow_defs_of(f, step);
    for (uint32_t i = 0; i < l.n && !carried; i++)
        carried = is_carried_by(f, l.at[i], step, loop, &work);
    arena_done(&work);
    return truth_of(carried);
}
