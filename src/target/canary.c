/*
 * Decides when a warm worker runs its canary, a tiny case that every engine can run, and what the
 * answer means: if it differs from the first answer of the same worker, the worker is replaced
 * (refresh.c). Invariants: a canary runs in a child of its own, is not counted as a case and is
 * never replayed; where a worker's first canary fails, no worker starts with a canary in that mode
 * again.
 */
#include "target/pool_p.h"
#include "target/tiny_p.h"

/* Converters have no canary, because they may write equal models as different bytes; nor have
 * workers that do not fork, because they end with their batch. No canary runs before a case that is
 * being settled or confirmed: it needs the worker as it is. */
static bool is_due(const struct connection *conn, const struct job *before)
{
    const struct target_description *d = conn->installation->description;
    return conn->canary_in == 0 && !conn->is_ageing && !conn->is_quarantined &&
           d->work == TARGET_RUNS && d->fork != TARGET_FORK_NEVER &&
           before->ticket->request.fresh == POOL_ANY && before->settling == SETTLE_NOT;
}

/* An ordinary step must end between the first canaries of two workers, so that an engine that
 * crashes on the canary still runs cases. */
static bool choose(struct connection *conn, const struct target_mode *mode)
{
    struct mode_record *record = watch__record(conn->pool, conn->installation, mode);
    if (record->n_ended < record->canary_at)
        return false;
    record->canary_at = record->n_ended + 1;
    const struct target as = {.installation = conn->installation, .mode = mode};
    conn->canary = arena_dup(&conn->pool->arena, &as, sizeof as);
    return true;
}

static const struct tcase *canary_case(struct pool *pool)
{
    struct arena *a = &pool->arena;
    struct model *m;
    struct err ignored;
    if (pool->canary)
        return pool->canary;
    struct tensors *set = arena_new(a, struct tensors);
    if (!tiny__model("Abs", a, &m, &ignored) || !tiny__inputs(0, a, set, &ignored))
        return NULL;
    pool->canary = case_of_graph(m, set, 1, (struct provenance){.generator = "canary"}, a);
    return pool->canary;
}

struct job *canary__next(struct connection *conn, const struct job *before)
{
    struct ticket *t;
    struct err ignored;
    if (!is_due(conn, before))
        return NULL;
    conn->canary_in = conn->pool->options.canary_children;
    if (!conn->canary && !choose(conn, before->steps[before->step_at].mode))
        return NULL;
    const struct pool_request request = {.c = canary_case(conn->pool),
                                         .targets = &conn->canary,
                                         .n_targets = 1,
                                         .fresh = POOL_FRESH_FORK,
                                         .deadline_ms = before->ticket->request.deadline_ms};
    if (!request.c || !ticket__new(conn->pool, &request, &t, &ignored))
        return NULL;
    struct job *canary = ticket__first_job(t, 0);
    canary->is_canary = true;
    return canary;
}

/* Zero when the canary's process died: its observation was never filled. */
static struct hash answer_of(const struct observation *o)
{
    struct hasher hasher;
    if (o->outcome != OUTCOME_OK)
        return (struct hash){{0}};
    hasher_init(&hasher);
    for (size_t i = 0; i < o->outputs.n; i++)
        tensor_hash(&o->outputs.at[i].tensor, &hasher);
    return hasher_done(&hasher);
}

void canary__ended(struct connection *conn, struct job *canary)
{
    struct hash answer = answer_of(ticket__observation(canary->ticket, 0, 0, 0));
    conn->pool->statistics.n_canaries++;
    if (hash_is_zero(&conn->canary_answer)) {
        conn->canary_answer = answer;
        if (hash_is_zero(&answer)) {
            watch__record(conn->pool, conn->installation, conn->canary->mode)->canary_at =
                UINT32_MAX;
            conn->canary = NULL;
        }
    } else if (!hash_eq(&conn->canary_answer, &answer)) {
        conn->pool->statistics.n_canaries_changed++;
        conn->is_ageing = true;
    }
    ticket__release(canary->ticket);
    pool__wake(conn->pool);
}
