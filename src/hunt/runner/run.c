/* Decides how one case runs and is awaited: once, or n times in parallel. */
#include "hunt/runner/runner.h"

static bool submit(struct runner *r, struct run_plan plan, const struct tcase *c, struct arena *a,
                   struct submission *submission, struct err *e)
{
    struct pool_request request = runner_request(r, plan, c, a);
    request.dump_rewrites = false;
    if (plan.fresh != POOL_ANY) /* a run that counts gets the full time */
        request.busy_ms = RUNNER_BUSY_MS;
    return runner_submit(r, &request, submission, e);
}

bool runner_run(struct runner *r, struct run_plan plan, const struct tcase *c,
                enum runner_keys want, struct arena *a, struct judged *out, struct err *e)
{
    struct submission s;
    bool ok = submit(r, plan, c, a, &s, e) && runner_await(r, &s, e) &&
              runner_judge_submission(r, &s, want, a, out, e);
    submission_done(&s);
    return ok;
}

bool runner_repeat(struct runner *r, struct run_plan plan, const struct tcase *c, size_t n,
                   runner_seen_fn seen, void *ctx, struct err *e)
{
    struct arena a;
    struct judged judged;
    bool ok = true;
    arena_init(&a);
    struct submission *all = arena_new_array(&a, struct submission, n);
    for (size_t i = 0; ok && i < n; i++)
        ok = submit(r, plan, c, &a, &all[i], e);
    for (size_t i = 0; ok && i < n; i++)
        ok = runner_await(r, &all[i], e) &&
             runner_judge_submission(r, &all[i], RUNNER_KEYS, &a, &judged, e) &&
             seen(ctx, i, &judged, e);
    for (size_t i = 0; i < n; i++)
        submission_done(&all[i]);
    arena_done(&a);
    return ok;
}
