/*
 * Decides how the candidates of a reduction run: several at once through the pool. Each is judged,
 * and the reduction learns whether it shows the key; failures with another key are noted. Must not
 * know what becomes of the smallest case. Invariant: no candidate is in the pool on return.
 */
#include "hunt/reproduce/shrink_p.h"

#include "base/clock.h"
#include "hunt/reproduce/incidental_p.h"
#include "hunt/runner/key.h"

enum { CANDIDATES = 4 }; /* in the pool at once */

/* One candidate of the reduction on its way through the pool. */
struct candidate {
    struct arena arena;
    struct pool_batch batch; /* of one request */
    const struct tcase *c;   /* NULL: the place is free */
    struct pool_result result;
    bool is_fresh;
};

struct shrinking {
    struct runner *r;
    struct run_plan plan;
    const struct reproducer_options *o;
    struct reduction *reduction;
    const struct key *key;
    bool is_wary; /* a candidate counts only after a run in a fresh process */
    struct candidate places[CANDIDATES];
    struct incidentals incidentals;
    int64_t until_ns; /* 0: no clock */
    uint32_t told_nodes;
};

static void keep_result(void *ctx, const struct pool_result *result)
{
    *(struct pool_result *)ctx = *result;
}

static bool submit(struct shrinking *s, struct candidate *p, bool is_fresh, struct err *e)
{
    struct pool_request request = runner_request(s->r, s->plan, p->c, &p->arena);
    request.dump_rewrites = false;
    if (is_fresh)
        request.fresh = POOL_FRESH_FORK;
    p->is_fresh = is_fresh;
    return pool_batch_submit(&p->batch, &request, keep_result, &p->result, e);
}

static bool submit_more(struct shrinking *s, struct err *e)
{
    for (size_t i = 0; i < CANDIDATES; i++) {
        struct candidate *p = &s->places[i];
        if (p->c)
            continue;
        if (!reduce_next(s->reduction, &p->c)) {
            p->c = NULL;
            return true;
        }
        if (!submit(s, p, false, e))
            return false;
    }
    return true;
}

static bool has_guard(const struct shrinking *s, const struct judged *seen)
{
    const struct key *k = judged_find_guard(seen, s->key->guard);
    return k && k->class == s->key->class;
}

/* When wary, a candidate that seems to fail in the same way runs again in a fresh process, and that
 * run counts. So the reduction cannot slip to a failure that depends on the cases run before. */
static bool verify(struct shrinking *s, struct candidate *p, const struct judged *seen, bool *again,
                   struct err *e)
{
    *again = s->is_wary && !p->is_fresh && s->key->class != BUG_RESOURCE && has_guard(s, seen);
    return !*again || submit(s, p, true, e);
}

static bool tell(struct shrinking *s, struct candidate *p, struct err *e)
{
    struct judged seen;
    bool again;
    if (!runner_judge(s->r, &p->result, RUNNER_KEYS, &p->arena, &seen, e) ||
        !verify(s, p, &seen, &again, e))
        return false;
    if (again)
        return true;
    struct hash id = p->c->id;
    bool ok = true;
    if (reduce_tell(s->reduction, &id, &seen.keys) == REDUCE_TOLD_OTHER)
        ok = incidental__note(&s->incidentals, &seen, s->key->class, s->key->guard, e);
    p->c = NULL;
    arena_reset(&p->arena);
    struct reduce_counts counts = reduce_counts(s->reduction);
    if (s->o->on_progress && counts.n_nodes != s->told_nodes)
        s->o->on_progress(s->o->ctx, counts.n_nodes_before, counts.n_nodes);
    s->told_nodes = counts.n_nodes;
    return ok;
}

static bool is_over(const struct shrinking *s)
{
    return (s->until_ns && clock_now_ns() > s->until_ns) ||
           (s->o->should_stop && s->o->should_stop(s->o->ctx));
}

static bool shrink(struct shrinking *s, struct err *e)
{
    while (!reduce_is_done(s->reduction) && !is_over(s)) {
        bool told = false, waits = false;
        if (!submit_more(s, e))
            return false;
        for (size_t i = 0; i < CANDIDATES; i++) {
            struct candidate *p = &s->places[i];
            if (p->c && p->batch.n_out == 0) {
                told = true;
                if (!tell(s, p, e))
                    return false;
            }
            waits |= p->c != NULL;
        }
        if (!told && waits && !runner_wait(s->r, e))
            return false;
    }
    return true;
}

bool shrink__case(const struct reduce_job *job, struct arena *a, struct reproducer *out,
                  const struct tcase **best, struct reduction **kept, struct err *e)
{
    struct runner *r = job->r;
    const struct reproducer_options *o = job->o;
    const struct key *key = job->key;
    struct shrinking s = {
        .r = r,
        .plan = runner_plan_key(r, key, a),
        .o = o,
        .key = key,
        .is_wary = job->is_wary,
        .incidentals = {.out = o->out, .scratch = o->scratch, .case_at = o->case_at, .a = a}};
    /* a candidate that hangs and is not needed would still take its whole deadline */
    const struct reduce_options options = {.n_outstanding =
                                               key->class == BUG_RESOURCE ? 1 : CANDIDATES};
    if (!reduce_open(&options, job->c, key, &s.reduction, e))
        return false;
    if (!o->timeless || !key_is_steady(key->strict))
        s.until_ns = clock_now_ns() + REPRODUCER_SECONDS * LOOP_SECOND;
    for (size_t i = 0; i < CANDIDATES; i++) {
        arena_init(&s.places[i].arena);
        pool_batch_init(&s.places[i].batch, r->pool);
    }
    bool ok = shrink(&s, e);
    for (size_t i = 0; i < CANDIDATES; i++) {
        pool_batch_done(&s.places[i].batch);
        arena_done(&s.places[i].arena);
    }
    out->unreduced = !reduce_is_done(s.reduction) || reduce_counts(s.reduction).out_of_budget;
    out->counts = reduce_counts(s.reduction);
    *best = reduce_best(s.reduction);
    *kept = s.reduction;
    ok = ok && incidental__choose(&s.incidentals, s.reduction, r, e);
    out->incidentals = s.incidentals.chosen.at;
    out->n_incidentals = s.incidentals.chosen.n;
    return ok;
}

bool shrink__or_keep(const struct reduce_job *job, struct arena *a, struct reproducer *out,
                     const struct tcase **best, struct reduction **kept, struct err *e)
{
    if (!job->o->whole && !key_needs_parent(job->key))
        return shrink__case(job, a, out, best, kept, e);
    *best = job->c;
    out->unreduced = true;
    return true;
}
