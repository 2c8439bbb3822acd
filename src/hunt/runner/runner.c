/*
 * Decides how a case gets to its targets: to which of them, for how long, in how fresh a process,
 * how often; and awaits what was submitted. Must not know the store or the campaign, nor what an
 * observation means. An engine that crashes is an observation; an error here is our own failure.
 */
#include "hunt/runner/runner.h"

#include "base/compiler.h"
#include "base/hash.h"
#include "case/disk.h"
#include "onnx/infer.h"
#include "os/watchdog.h"
#include "reduce/localise.h"

#define AS_USER_DEADLINE_MS ((int64_t)7 * 24 * 3600 * 1000) /* a training script may take days */

static bool runs_every_case(const struct target *t, const void *unused)
{
    (void)unused;
    return t->one_in <= 1;
}

/* The runner's targets that fit, in their order. */
static struct target_list choose(const struct runner *r,
                                 bool (*fits)(const struct target *t, const void *ctx),
                                 const void *ctx, struct arena *a)
{
    const struct target **some = arena_new_array(a, const struct target *, r->targets.n);
    size_t n = 0;
    for (size_t i = 0; i < r->targets.n; i++)
        if (fits(r->targets.at[i], ctx))
            some[n++] = r->targets.at[i];
    return (struct target_list){some, n};
}

static bool resolve_targets(const struct runner_options *o, struct runner *r, struct err *e)
{
    if (!targets_load(o->home, &r->arena, &r->all, e))
        return false;
    for (size_t i = 0; i < o->targets.n; i++)
        if (!targets_resolve(&r->all, o->targets.at[i], &r->arena, &r->targets, e))
            return false;
    targets_add_runners(&r->targets, &r->arena);
    r->always = choose(r, runs_every_case, NULL, &r->arena);
    return targets_check_shares(&r->targets, e);
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
    return (struct run_plan){.targets = r->always, .fresh = fresh};
}

static bool runs_case(const struct target *t, const void *index)
{
    /* hash_mix64(0) is 0: a campaign's first case would run in all slow modes. */
    return hash_mix64(*(const uint64_t *)index + 1) % t->one_in == 0;
}

struct run_plan runner_plan_case(const struct runner *r, uint64_t index, enum pool_fresh fresh,
                                 struct arena *a)
{
    return (struct run_plan){.targets = choose(r, runs_case, &index, a), .fresh = fresh};
}

/* The version may be another one: bugs are tried in other releases. */
static bool is_always_or_this(const struct target *t, const void *id)
{
    const struct target_id *wanted = id;
    return t->one_in <= 1 ||
           (str_eq(t->id.engine, wanted->engine) && str_eq(t->id.mode, wanted->mode));
}

struct run_plan runner_plan_target(const struct runner *r, const struct target_id *id,
                                   enum pool_fresh fresh, struct arena *a)
{
    return (struct run_plan){.targets = choose(r, is_always_or_this, id, a), .fresh = fresh};
}

static bool is_of_family(const struct target *t, const void *id)
{
    const struct target_id *wanted = id;
    return str_eq(t->id.family, wanted->family) && is_always_or_this(t, id);
}

static bool is_this(const struct target *t, const void *id)
{
    return target_id_eq(&t->id, id);
}

struct target_id key_target(const struct key *k)
{
    struct target_id id = k->verdict->target;
    id.mode = k->mode;
    return id;
}

struct run_plan runner_plan_key(const struct runner *r, const struct key *k, struct arena *a)
{
    struct target_id id = key_target(k);
    if (oracle_against(str_of(k->verdict->oracle)) == AGAINST_TARGETS)
        return runner_plan(r, POOL_ANY); /* the other frameworks are its witnesses */
    struct run_plan plan = {.targets = choose(r, is_of_family, &id, a)};
    if (k->class == BUG_RESOURCE) {
        struct target_list alone = choose(r, is_this, &id, a);
        plan.is_brief = true;
        plan.fresh = POOL_FRESH_FORK; /* a hang in a shared process would be run again, alone */
        plan.targets = alone.n ? alone : plan.targets;
    }
    return plan.targets.n ? plan : runner_plan(r, plan.fresh);
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
