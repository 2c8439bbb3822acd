/* Decides how often one case runs and that all of it is awaited: once, or n times at once. */
#include "hunt/runner/runner.h"

static bool submit(struct runner *r, const struct tcase *c, enum pool_fresh fresh, struct arena *a,
                   struct submission *submission, struct err *e)
{
    struct pool_request request = runner_request(r, c, a);
    request.fresh = fresh;
    request.dump_rewrites = false;
    if (fresh != POOL_ANY) /* these are what counts */
        request.busy_ms = RUNNER_BUSY_MS;
    return runner_submit(r, &request, submission, e);
}

static bool await(struct runner *r, const struct submission *submission, struct err *e)
{
    while (submission->n_left > 0)
        if (!runner_wait(r, e))
            return false;
    return true;
}

bool runner_run(struct runner *r, const struct tcase *c, enum pool_fresh fresh,
                enum runner_keys want, struct arena *a, struct judged *out, struct err *e)
{
    struct submission *submission =
        arena_new(a, struct submission); /* outlives this call if it fails */
    return submit(r, c, fresh, a, submission, e) && await(r, submission, e) &&
           runner_judge_submission(r, submission, want, a, out, e);
}

bool runner_repeat(struct runner *r, const struct tcase *c, enum pool_fresh fresh, size_t n,
                   runner_seen_fn seen, void *ctx, struct err *e)
{
    struct arena a;
    struct judged judged;
    bool ok = true;
    arena_init(&a);
    struct submission *submissions = arena_new_array(&a, struct submission, n);
    for (size_t i = 0; ok && i < n; i++)
        ok = submit(r, c, fresh, &a, &submissions[i], e);
    for (size_t i = 0; i < n; i++) { /* all that was sent, before its arena goes */
        struct err ignored;
        ok = await(r, &submissions[i], ok ? e : &ignored) && ok;
        ok = ok && runner_judge_submission(r, &submissions[i], RUNNER_KEYS, &a, &judged, e) &&
             seen(ctx, i, &judged, e);
    }
    arena_done(&a);
    return ok;
}
