/*
 * Decides how a case gets to its targets: to which of them, for how long, in how fresh a process,
 * how often; and awaits what was submitted. Must not know the store or the campaign, nor what an
 * observation means. An engine that crashes is an observation; an error here is our own failure.
 */
#include "hunt/runner/runner.h"

#include "base/compiler.h"
#include "case/disk.h"
#include "onnx/infer.h"
#include "os/watchdog.h"
#include "reduce/localise.h"

#define AS_USER_DEADLINE_MS ((int64_t)7 * 24 * 3600 * 1000) /* a training script may take days */

static bool resolve_targets(const struct runner_options *o, struct runner *r, struct err *e)
{
    if (!targets_load(o->home, &r->arena, &r->all, e))
        return false;
    for (size_t i = 0; i < o->targets.n; i++)
        if (!targets_resolve(&r->all, o->targets.at[i], &r->arena, &r->targets, e))
            return false;
    targets_add_runners(&r->targets, &r->arena);
    return true;
}

static bool open_pool(const struct runner_options *o, struct runner *r, struct err *e)
{
    const struct pool_options pool = {.loop = r->loop,
                                      .home = o->home,
                                      .program = o->program,
                                      .best_effort = o->best_effort,
                                      .as_user = o->as_user,
                                      .is_mute = o->is_mute,
                                      .deadline_ms = o->as_user ? AS_USER_DEADLINE_MS : 0,
                                      .n_workers = o->n_workers};
    return pool_open(&pool, &r->pool, e);
}

bool runner_open(const struct runner_options *o, struct runner *r, struct err *e)
{
    *r = (struct runner){.unhurried = o->unhurried};
    arena_init(&r->arena);
    bool ok = oracle_choose(o->oracles.at, o->oracles.n, &r->judge.oracles, e) &&
              resolve_targets(o, r, e) && loop_open(&r->loop, e);
    uint32_t oracles = r->judge.oracles ? r->judge.oracles : oracle_defaults();
    r->judge.counts = &r->counts;
    r->n_repeats = oracles_against(oracles, AGAINST_RERUN) ? 2 : 1;
    ok = ok && open_pool(o, r, e);
    if (!ok)
        runner_close(r);
    return ok;
}

bool runner_open_second(const struct runner_options *o, struct runner *r, struct runner *out,
                        struct err *e)
{
    *out = *r; /* the resolved names live in r */
    out->is_second = true;
    out->pool = NULL;
    arena_init(&out->arena);
    if (open_pool(o, out, e))
        return true;
    runner_close(out);
    return false;
}

bool runner_wait(struct runner *r, struct err *e)
{
    bool did = false;
    if (r->watchdog_s)
        watchdog_feed(r->watchdog_s);
    if (r->meanwhile && !r->meanwhile(r->meanwhile_ctx, &did, e))
        return false;
    return loop_turn(r->loop, did ? 0 : LOOP_SECOND, e);
}

void runner_close(struct runner *r)
{
    pool_close(r->pool);
    if (!r->is_second)
        loop_close(r->loop);
    arena_done(&r->arena);
    *r = (struct runner){0};
}

struct run_plan runner_plan(const struct runner *r, enum pool_fresh fresh)
{
    return (struct run_plan){.targets = r->targets, .fresh = fresh};
}

struct run_plan runner_plan_family(const struct runner *r, struct str family, struct arena *a)
{
    struct run_plan plan = runner_plan(r, POOL_ANY);
    const struct target **some = arena_new_array(a, const struct target *, r->targets.n);
    size_t n = 0;
    for (size_t i = 0; i < r->targets.n; i++)
        if (str_eq(r->targets.at[i]->id.family, family))
            some[n++] = r->targets.at[i];
    if (n > 0)
        plan.targets = (struct target_list){some, n};
    return plan;
}

struct run_plan runner_plan_key(const struct runner *r, const struct key *k, struct arena *a)
{
    struct target_id id = k->verdict->target;
    if (oracle_against(str_of(k->verdict->oracle)) == AGAINST_TARGETS)
        return runner_plan(r, POOL_ANY); /* the other frameworks are its witnesses */
    id.mode = k->mode;
    struct run_plan plan = runner_plan_family(r, id.family, a);
    if (k->class != BUG_RESOURCE)
        return plan;
    plan.is_brief = true;
    plan.fresh = POOL_FRESH_FORK; /* a hang in a shared process would be run again, alone */
    for (size_t i = 0; i < plan.targets.n; i++)
        if (target_id_eq(&plan.targets.at[i]->id, &id)) {
            plan.targets = (struct target_list){&plan.targets.at[i], 1};
            break;
        }
    return plan;
}

struct pool_request runner_request(const struct runner *r, struct run_plan plan,
                                   const struct tcase *c, struct arena *a)
{
    return (struct pool_request){.c = c,
                                 .targets = plan.targets.at,
                                 .n_targets = plan.targets.n,
                                 .arena = a,
                                 .n_repeats = r->n_repeats,
                                 .dump_rewrites = r->dump_rewrites,
                                 .fresh = plan.fresh,
                                 .deadline_ms = r->unhurried      ? 0
                                                : plan.is_patient ? RUNNER_PATIENCE_MS
                                                                  : RUNNER_DEADLINE_MS,
                                 .busy_ms = r->unhurried    ? 0
                                            : plan.is_brief ? RUNNER_BUSY_BRIEF_MS
                                                            : RUNNER_BUSY_MS};
}

const struct target *runner_target(const struct runner *r, const struct target_id *id)
{
    for (size_t i = 0; i < r->targets.n; i++)
        if (target_id_eq(&r->targets.at[i]->id, id))
            return r->targets.at[i];
    return NULL;
}

static void keep_result(void *ctx, const struct pool_result *result)
{
    *(struct pool_result *)ctx = *result;
}

static bool submit_parent(struct runner *r, const struct pool_request *request,
                          struct submission *s, struct err *e)
{
    struct pool_request again = *request;
    again.c = judge_parent(&r->judge, request->c, request->arena);
    again.n_repeats = 1;
    again.dump_rewrites = false;
    return !again.c || pool_batch_submit(&s->batch, &again, keep_result, &s->parent, e) ||
           err_wrap(e, "the parent");
}

bool runner_submit(struct runner *r, const struct pool_request *request, struct submission *s,
                   struct err *e)
{
    *s = (struct submission){0};
    pool_batch_init(&s->batch, r->pool);
    return pool_batch_submit(&s->batch, request, keep_result, &s->result, e) &&
           submit_parent(r, request, s, e);
}

static bool turn(void *ctx, struct err *e)
{
    return runner_wait(ctx, e);
}

bool runner_await(struct runner *r, struct submission *s, struct err *e)
{
    return pool_batch_wait(&s->batch, turn, r, e);
}

void submission_done(struct submission *s)
{
    pool_batch_done(&s->batch);
}
