/* Decides which of the campaign's generators makes the case of an index, and what the generator has
 * learned by then. */
#include "base/compiler.h"
#include "hunt/options.h"
#include "hunt/pilot/pilot_p.h"

bool generators__open(struct generators *g, const struct hunt_options *o, struct err *e)
{
    const struct generate_options options = hunt_generate_options(o);
    g->n = 0;
    learning_init(&g->learning, o->generators.n);
    for (size_t i = 0; i < o->generators.n; i++) {
        const struct generator_ops *ops = generator_find(str_of(o->generators.at[i]));
        if (!ops)
            return err_set(e, ERR_USAGE, "generator \"%s\" does not exist", o->generators.at[i]);
        if (!ops->open(&options, &g->at[g->n], e))
            return false;
        if (ops->learn)
            ops->learn(g->at[g->n], &g->learning.of[i]);
        g->n++;
    }
    return true;
}

void generators__close(struct generators *g)
{
    for (size_t i = 0; i < g->n; i++)
        g->at[i]->ops->close(g->at[i]);
    g->n = 0;
    learning_done(&g->learning);
    strbuf_done(&g->state);
}

bool generators__take_state(struct generators *g, const struct json *body, struct err *e)
{
    strbuf_addstr(&g->state, json_get_str(body, "text", STR("")));
    if (!json_get_bool(body, "last", false))
        return true;
    bool ok = learning_load(&g->learning, strbuf_str(&g->state), e);
    strbuf_done(&g->state);
    return ok;
}

bool generators__take_rewards(struct generators *g, const struct json *body, struct err *e)
{
    const struct json *list;
    int64_t from;
    if (!json_need_i64(body, "from", &from, e) ||
        !json_need(body, "rewards", JSON_KIND_ARRAY, &list, e))
        return false;
    if ((uint64_t)from != g->learning.n_rewards)
        return err_set(e, ERR_DATA, "rewards from index %lld, those from %llu are expected",
                       (long long)from, (unsigned long long)g->learning.n_rewards);
    for (size_t i = 0; i < list->n; i++) {
        const struct json *row = &list->items[i];
        if (row->n != 5 || row->items[4].kind != JSON_KIND_STRING)
            return err_set(e, ERR_DATA, "a reward of %zu values, 5 are expected", row->n);
        const struct reward r = {.n_new_rewrites = (uint32_t)row->items[0].integer,
                                 .n_new_cells = (uint32_t)row->items[1].integer,
                                 .n_failing_keys = (uint32_t)row->items[2].integer,
                                 .n_macs = (uint64_t)row->items[3].integer,
                                 .edits = row->items[4].string};
        learning_reward(&g->learning, &r);
    }
    return true;
}

/* The difference between two states of the counts. */
static struct generate_counts counts_since(const struct generate_counts *old,
                                           const struct generate_counts *now)
{
    return (struct generate_counts){
        .n_edits = now->n_edits - old->n_edits,
        .n_discarded_check = now->n_discarded_check - old->n_discarded_check,
        .n_discarded_infer = now->n_discarded_infer - old->n_discarded_infer,
        .n_discarded_budget = now->n_discarded_budget - old->n_discarded_budget,
        .n_discarded_range = now->n_discarded_range - old->n_discarded_range,
        .n_discarded_noop = now->n_discarded_noop - old->n_discarded_noop,
        .n_emitted = now->n_emitted - old->n_emitted,
        .n_gave_up = now->n_gave_up - old->n_gave_up,
    };
}

bool generators__next(struct generators *g, uint64_t index, struct arena *a, struct tcase **out,
                      struct generate_counts *counts, struct err *e)
{
    struct generator *one = g->at[index % g->n];
    struct generate_counts before = {0}, after = {0};
    one->ops->counts(one, &before);
    bool ok = one->ops->next(one, index / g->n, a, out, e);
    one->ops->counts(one, &after);
    *counts = counts_since(&before, &after);
    return ok;
}
