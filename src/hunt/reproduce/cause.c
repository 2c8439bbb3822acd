/*
 * Decides whether a refusal follows from an earlier wrong value or shape: a fusion that loses
 * keepdims shows as an error of the next convolution. A reduced graph needs each of its nodes to
 * fail, so where a part of it gives a wrong result, that result is the failure.
 */
#include "hunt/reproduce/cause_p.h"

#include "case/subject.h"
#include "reduce/cut.h"

enum { NODES_MAX = 24 }; /* larger graphs are not searched: they were not reduced well */

static const struct key *find_wrong_result(const struct judged *seen, const struct key *k)
{
    for (size_t i = 0; i < seen->keys.n; i++) {
        const struct key *x = &seen->keys.at[i];
        if (x->class == BUG_WRONG_RESULT && x->decision == DECISION_FAIL &&
            str_eq(x->verdict->target.family, k->verdict->target.family))
            return x;
    }
    return NULL;
}

/* The graph up to the node; NULL: no valid case. */
static struct tcase *part_of(const struct tcase *c, uint32_t input_set, uint32_t node,
                             bool as_copies, struct arena *a)
{
    const struct cut_options o = {.m = case_model(c),
                                  .inputs = &c->input_sets[input_set],
                                  .node = node,
                                  .depth = CUT_ALL,
                                  .as_copies = as_copies};
    struct cut *part = arena_new(a, struct cut);
    struct err invalid = {0};
    if (!cut_graph(&o, a, part, &invalid) || part->why_open.n)
        return NULL;
    const struct provenance from = {
        .generator = "cause", .version = 1, .parent = c->content, .edits = c->from.edits};
    return case_of_graph(part->m, &part->inputs, 1, from, a);
}

bool cause__find(struct runner *r, const struct tcase *c, const struct key *k, struct arena *a,
                 const struct tcase **out, const struct key **key, struct err *e)
{
    const struct model *m = case_model(c);
    *out = NULL;
    if (!m || k->class != BUG_WRONG_EXCEPTION || m->graph->nodes.n > NODES_MAX)
        return true;
    /* Each part twice: with its result as the output, and with a copy of it. */
    for (uint32_t i = 0; i / 2 + 1 < m->graph->nodes.n; i++) {
        struct run_plan plan = runner_plan_key(r, k, a);
        struct judged seen;
        const struct tcase *part = part_of(c, k->verdict->input_set, i / 2, i % 2, a);
        plan.fresh = POOL_FRESH_FORK;
        if (!part)
            continue;
        if (!runner_run(r, plan, part, RUNNER_CULPRITS, a, &seen, e))
            return false;
        *key = find_wrong_result(&seen, k);
        if (*key) {
            *out = part;
            return true;
        }
    }
    return true;
}
