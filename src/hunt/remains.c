/* Decides which work of a store counts as left open, and says it in words. */
#include "base/compiler.h"
#include "base/map.h"
#include "hunt/hunt.h"

static void count_jobs(const struct store_jobs *jobs, struct hunt_remains *out)
{
    for (size_t i = 0; i < jobs->n; i++) {
        const struct store_job *job = &jobs->at[i];
        out->n_waiting += str_is(job->state, "ready") || str_is(job->state, "claimed");
        out->n_given_up += str_is(job->state, "dead");
    }
}

/* Counts the keys whose job is done and led to no bug. */
static bool count_unproved(const struct store_jobs *jobs, const struct store_aliases *aliases,
                           struct arena *a, struct hunt_remains *out, struct err *e)
{
    struct map without = {0};
    for (size_t i = 0; i < aliases->n; i++)
        if (aliases->at[i].bug.n == 0)
            map_put(&without, a, aliases->at[i].key, 1);
    for (size_t i = 0; i < jobs->n; i++) {
        const struct json *subject;
        if (!str_is(jobs->at[i].state, "done"))
            continue;
        if (!json_parse(jobs->at[i].subject, "job", a, &subject, e))
            return err_wrap(e, "job " STR_FMT, STR_ARG(jobs->at[i].name));
        out->n_unproved += map_get(&without, json_get_str(subject, "key", STR(""))) != NULL;
    }
    return true;
}

static bool add_campaign(struct store *s, int64_t id, struct arena *a, struct hunt_remains *out,
                         struct err *e)
{
    struct store_jobs jobs;
    struct store_results lost;
    struct store_aliases aliases;
    if (!store_jobs(s, id, STR(""), a, &jobs, e) || !store_lost(s, id, a, &lost, e) ||
        !store_aliases(s, id, a, &aliases, e))
        return false;
    out->n_lost += lost.n;
    count_jobs(&jobs, out);
    return count_unproved(&jobs, &aliases, a, out, e);
}

bool hunt_remains_of(struct store *s, struct hunt_remains *out, struct err *e)
{
    struct arena a;
    struct store_campaigns campaigns;
    *out = (struct hunt_remains){0};
    arena_init(&a);
    bool ok = store_campaigns(s, &a, &campaigns, e);
    for (size_t i = 0; ok && i < campaigns.n; i++)
        ok = add_campaign(s, campaigns.at[i].id, &a, out, e);
    arena_done(&a);
    return ok;
}

void hunt_remains_print(const struct hunt_remains *r, struct strbuf *out)
{
    const struct {
        size_t n;
        const char *one, *many;
    } rows[] = {
        {r->n_waiting, "failure waits for its reduction", "failures wait for their reduction"},
        {r->n_unproved, "failure did not come again", "failures did not come again"},
        {r->n_given_up, "reduction was given up", "reductions were given up"},
        {r->n_lost, "case was lost", "cases were lost"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].n > 0)
            strbuf_printf(out, ", %zu %s", rows[i].n, rows[i].n == 1 ? rows[i].one : rows[i].many);
}
