/*
 * Decides how a case gets from the generator's hands to keys: run in all targets, judged against
 * the reference, wrong results localised. Must not know the store or the campaign. An engine that
 * crashes is an observation; an error here is our own failure.
 */
#include "hunt/runner_p.h"

#include "base/compiler.h"
#include "case/disk.h"
#include "onnx/infer.h"
#include "reduce/localise.h"

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
                                      .n_workers = o->n_workers};
    return pool_open(&pool, &r->pool, e);
}

bool runner__open(const struct runner_options *o, struct runner *r, struct err *e)
{
    *r = (struct runner){0};
    arena_init(&r->arena);
    bool ok = oracle_choose(o->oracles.at, o->oracles.n, &r->judge.oracles, e) &&
              resolve_targets(o, r, e) && loop_open(&r->loop, e);
    uint32_t oracles = r->judge.oracles ? r->judge.oracles : oracle_defaults();
    r->judge.counts = &r->counts;
    r->n_repeats = oracles & oracle_bit(ORACLE_NONDETERMINISM) ? 2 : 1;
    runner__confine(r, STR(""));
    ok = ok && open_pool(o, r, e);
    if (!ok)
        runner__close(r);
    return ok;
}

bool runner__open_second(const struct runner_options *o, struct runner *r, struct runner *out,
                         struct err *e)
{
    *out = *r; /* what was resolved lives in r */
    out->is_second = true;
    out->pool = NULL;
    arena_init(&out->arena);
    if (open_pool(o, out, e))
        return true;
    runner__close(out);
    return false;
}

bool runner__wait(struct runner *r, struct err *e)
{
    bool did = false;
    if (r->meanwhile && !r->meanwhile(r->meanwhile_ctx, &did, e))
        return false;
    return loop_turn(r->loop, did ? 0 : LOOP_SECOND, e);
}

void runner__close(struct runner *r)
{
    pool_close(r->pool);
    if (!r->is_second)
        loop_close(r->loop);
    arena_done(&r->arena);
    *r = (struct runner){0};
}

static bool is_target(const struct target_id *t, const struct target_id *id)
{
    return str_eq(t->engine, id->engine) && str_eq(t->version, id->version) &&
           str_eq(t->mode, id->mode);
}

void runner__confine(struct runner *r, struct str family)
{
    const struct target **some = arena_new_array(&r->arena, const struct target *, r->targets.n);
    size_t n = 0;
    r->chosen = r->targets;
    r->is_brief = false;
    if (family.n == 0)
        return;
    for (size_t i = 0; i < r->targets.n; i++)
        if (str_eq(r->targets.at[i]->id.family, family))
            some[n++] = r->targets.at[i];
    if (n > 0)
        r->chosen = (struct target_list){some, n};
}

void runner__confine_to_key(struct runner *r, const struct key *k)
{
    struct target_id id = k->verdict->target;
    id.mode = k->mode;
    runner__confine(r, id.family);
    r->is_brief = k->class == BUG_RESOURCE;
    for (size_t i = 0; r->is_brief && i < r->chosen.n; i++)
        if (is_target(&r->chosen.at[i]->id, &id)) {
            r->chosen = (struct target_list){&r->chosen.at[i], 1};
            return;
        }
}

struct pool_request runner__request(const struct runner *r, const struct tcase *c, struct arena *a)
{
    return (struct pool_request){.c = c,
                                 .targets = r->chosen.at,
                                 .n_targets = r->chosen.n,
                                 .arena = a,
                                 .n_repeats = r->n_repeats,
                                 .dump_rewrites = r->dump_rewrites,
                                 /* else each hang costs another run, alone */
                                 .fresh = r->is_brief ? POOL_FRESH_FORK : POOL_ANY,
                                 .deadline_ms =
                                     r->is_patient ? RUNNER_PATIENCE_MS : RUNNER_DEADLINE_MS,
                                 .busy_ms = r->is_brief ? RUNNER_BUSY_BRIEF_MS : RUNNER_BUSY_MS};
}

/* Localisation runs small models on the one target that fails. */
struct localising {
    struct runner *r;
    const struct target *target;
    enum pool_fresh fresh;
};

struct batch_slot {
    const struct tcase *c;
    struct observation *out;
    size_t *n_left;
};

static void on_small_done(void *ctx, const struct pool_result *result)
{
    struct batch_slot *slot = ctx;
    if (result->n_observations > 0)
        *slot->out = result->observations[0];
    --*slot->n_left;
}

static bool run_small(void *ctx, const struct tcase *const *cases, size_t n, struct arena *a,
                      struct observation *out, struct err *e)
{
    struct localising *l = ctx;
    struct batch_slot *slots = arena_new_array(a, struct batch_slot, n);
    size_t n_left = n;
    for (size_t i = 0; i < n; i++) {
        const struct pool_request request = {
            .c = cases[i], .targets = &l->target, .n_targets = 1, .arena = a, .fresh = l->fresh};
        slots[i] = (struct batch_slot){cases[i], &out[i], &n_left};
        out[i] = (struct observation){.outcome = OUTCOME_LOST_WORKER, .target = l->target->id};
        if (!pool_submit(l->r->pool, &request, on_small_done, &slots[i], e))
            return false;
    }
    while (n_left > 0)
        if (!runner__wait(l->r, e))
            return false;
    return true;
}

const struct target *runner__target(const struct runner *r, const struct target_id *id)
{
    for (size_t i = 0; i < r->targets.n; i++)
        if (is_target(&r->targets.at[i]->id, id))
            return r->targets.at[i];
    return NULL;
}

static bool is_metamorphic(const struct verdict *v)
{
    return str_is(str_of(v->oracle), oracle_name(ORACLE_METAMORPHIC));
}

bool key__needs_parent(const struct key *k)
{
    return k->verdict && is_metamorphic(k->verdict);
}

/* A hang has none: each part that hangs would cost its deadline. */
static bool is_localisable(const struct key *k, enum runner_keys want)
{
    if (k->class == BUG_NATIVE_CRASH || k->class == BUG_WRONG_EXCEPTION)
        return want == RUNNER_REDUCED && k->node.n == 0;
    return k->provisional && k->class == BUG_WRONG_RESULT && k->verdict->wrong != WRONG_BITS &&
           k->verdict->place.output.n > 0 && !key__needs_parent(k);
}

/* Names the culprit in every failing verdict of the key's family and class, so that they fold into
 * one key again. */
static void name_culprit(const struct evidence *ev, struct verdicts *v, const struct key *k,
                         const struct localised *found)
{
    for (size_t i = 0; i < v->n; i++) {
        struct verdict *x = &v->at[i];
        if (x->decision != k->decision || x->wrong == WRONG_NOTHING ||
            bug_class_of(ev, x) != k->class ||
            !str_eq(x->target.family, k->verdict->target.family) || x->place.node.n > 0)
            continue;
        x->place.node = found->name;
        x->place.op_type = found->n_group > 1 ? found->pattern : found->op_type;
    }
}

/* Does a mode that is run without being asked for fail in this way? */
static bool shows_by_default(const struct runner *r, const struct verdicts *all,
                             const struct key *k)
{
    const struct verdict *speaker = k->verdict;
    for (size_t i = 0; i < all->n; i++) {
        const struct verdict *v = &all->at[i];
        const struct target *t = runner__target(r, &v->target);
        if (v->decision == k->decision && v->wrong != WRONG_NOTHING &&
            (v->wrong == WRONG_OUTCOME) == (speaker->wrong == WRONG_OUTCOME) &&
            str_eq(v->target.family, speaker->target.family) && (!t || t->mode->is_default))
            return true;
    }
    return false;
}

static void make_keys(const struct runner *r, const struct evidence *ev, struct judged *j,
                      enum runner_keys want, struct arena *a)
{
    if (want == RUNNER_REDUCED)
        bucket_keys_in_doubt(ev, &j->verdicts, a, &j->keys);
    else
        bucket_keys(ev, &j->verdicts, a, &j->keys);
    for (size_t i = 0; i < j->keys.n; i++) {
        struct key *k = &j->keys.at[i];
        bool is_grave = k->severity == SEVERITY_S1 || k->severity == SEVERITY_S2;
        if (is_grave && !shows_by_default(r, &j->verdicts, k))
            k->severity = SEVERITY_S3;
    }
}

bool runner__localise(struct runner *r, struct judged *j, enum runner_keys want, struct arena *a,
                      struct err *e)
{
    const struct evidence ev = {.c = j->c,
                                .refs = j->refs,
                                .observations = j->observations,
                                .n_observations = j->n_observations};
    bool changed = false;
    for (size_t i = 0; i < j->keys.n; i++) {
        const struct key *k = &j->keys.at[i];
        struct localised found = {0};
        if (!is_localisable(k, want) || !j->refs[k->verdict->input_set].usable)
            continue;
        struct localising l = {r, runner__target(r, &k->verdict->target),
                               k->class == BUG_WRONG_RESULT ? POOL_ANY : POOL_FRESH_FORK};
        const struct localise_runner runner = {run_small, &l};
        if (!l.target)
            continue;
        if (!localise_graph(&r->judge, &j->refs[k->verdict->input_set], k, &runner, a, &found, e))
            return false;
        j->n_localise_runs += found.n_runs;
        if (!found.found || !found.confirmed)
            continue;
        name_culprit(&ev, &j->verdicts, k, &found);
        changed = true;
    }
    if (changed)
        make_keys(r, &ev, j, want, a);
    return true;
}

static void on_trip_back(void *ctx, const struct pool_result *result)
{
    struct trip *t = ctx;
    t->result = *result;
    t->n_left--;
}

static void on_parent_back(void *ctx, const struct pool_result *result)
{
    struct trip *t = ctx;
    t->parent = *result;
    t->n_left--;
}

static bool submit_parent(struct runner *r, const struct pool_request *request, struct trip *t,
                          struct err *e)
{
    struct pool_request again = *request;
    again.c = judge_parent(&r->judge, request->c, request->arena);
    again.n_repeats = 1;
    again.dump_rewrites = false;
    if (!again.c)
        return true;
    if (!pool_submit(r->pool, &again, on_parent_back, t, e))
        return err_wrap(e, "the parent");
    t->n_left++;
    return true;
}

bool runner__submit(struct runner *r, const struct pool_request *request, struct trip *t,
                    struct err *e)
{
    *t = (struct trip){0};
    if (!pool_submit(r->pool, request, on_trip_back, t, e))
        return false;
    t->n_left++;
    return submit_parent(r, request, t, e);
}

/* Does another oracle see this family give a wrong result, with as much confidence? */
static bool is_seen_without(const struct verdicts *all, const struct verdict *v)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct verdict *x = &all->at[i];
        if (!is_metamorphic(x) && x->decision == v->decision && x->wrong != WRONG_NOTHING &&
            x->wrong != WRONG_OUTCOME && x->wrong != WRONG_SLOW &&
            str_eq(x->target.family, v->target.family))
            return true;
    }
    return false;
}

static void drop_seen_without(struct verdicts *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct verdict v = all->at[i];
        bool drop = is_metamorphic(&v) && v.wrong != WRONG_NOTHING && is_seen_without(all, &v);
        if (!drop)
            all->at[n++] = v;
    }
    all->n = n;
}

/* What was not waited for to the end is no verdict. */
static void doubt_presumed(struct judged *j)
{
    for (size_t i = 0; i < j->n_observations; i++) {
        const struct observation *o = &j->observations[i];
        for (size_t k = 0; pool_is_presumed(o) && k < j->verdicts.n; k++) {
            struct verdict *v = &j->verdicts.at[k];
            if (v->decision == DECISION_FAIL && v->wrong == WRONG_OUTCOME &&
                is_target(&v->target, &o->target))
                v->decision = DECISION_UNSURE;
        }
    }
}

bool runner__judge_trip(struct runner *r, const struct trip *t, enum runner_keys want,
                        struct arena *a, struct judged *out, struct err *e)
{
    *out = (struct judged){.c = t->result.c,
                           .observations = t->result.observations,
                           .n_observations = t->result.n_observations};
    if (!reference_make(out->c, a, &out->refs, e))
        return false;
    const struct evidence ev = {.c = out->c,
                                .refs = out->refs,
                                .observations = out->observations,
                                .n_observations = out->n_observations,
                                .parents = t->parent.observations,
                                .n_parents = t->parent.n_observations};
    if (!judge_case(&r->judge, &ev, a, &out->verdicts, e))
        return false;
    doubt_presumed(out);
    drop_seen_without(&out->verdicts);
    make_keys(r, &ev, out, want, a);
    return want == RUNNER_KEYS || runner__localise(r, out, want, a, e);
}

bool runner__judge(struct runner *r, const struct pool_result *result, enum runner_keys want,
                   struct arena *a, struct judged *out, struct err *e)
{
    return runner__judge_trip(r, &(struct trip){.result = *result}, want, a, out, e);
}

bool judged__has_timeout(const struct judged *j)
{
    for (size_t i = 0; i < j->n_observations; i++)
        if (j->observations[i].outcome == OUTCOME_TIMEOUT_CPU ||
            j->observations[i].outcome == OUTCOME_TIMEOUT_BLOCKED)
            return true;
    return false;
}

static bool is_mood(enum outcome o)
{
    return o == OUTCOME_TIMEOUT_CPU || o == OUTCOME_TIMEOUT_BLOCKED || o == OUTCOME_OOM_LIMIT ||
           o == OUTCOME_OOM_ALLOCATOR || o == OUTCOME_OOM_KERNEL || o == OUTCOME_OUTPUT_FLOOD ||
           o == OUTCOME_LOST_WORKER || o == OUTCOME_IMPORT_FAILURE;
}

bool judged__is_moody(const struct judged *j, const struct key *k)
{
    for (size_t i = 0; i < j->n_observations; i++)
        if (is_mood(j->observations[i].outcome) &&
            (!k->verdict || str_eq(j->observations[i].target.family, k->verdict->target.family)))
            return true;
    return false;
}

bool judged__needs_second_look(const struct judged *j)
{
    for (size_t i = 0; i < j->n_observations; i++) {
        enum outcome o = j->observations[i].outcome;
        if (o == OUTCOME_OOM_LIMIT || o == OUTCOME_OOM_ALLOCATOR || o == OUTCOME_OOM_KERNEL ||
            o == OUTCOME_LOST_WORKER)
            return true;
    }
    for (size_t i = 0; i < j->verdicts.n; i++)
        if (j->verdicts.at[i].decision == DECISION_FAIL)
            return true;
    return j->keys.n > 0 || judged__has_timeout(j);
}

static bool submit(struct runner *r, const struct tcase *c, enum pool_fresh fresh, struct arena *a,
                   struct trip *trip, struct err *e)
{
    struct pool_request request = runner__request(r, c, a);
    request.fresh = fresh;
    request.dump_rewrites = false;
    if (fresh != POOL_ANY) /* these are what counts */
        request.busy_ms = RUNNER_BUSY_MS;
    return runner__submit(r, &request, trip, e);
}

static bool await(struct runner *r, const struct trip *trip, struct err *e)
{
    while (trip->n_left > 0)
        if (!runner__wait(r, e))
            return false;
    return true;
}

bool runner__run(struct runner *r, const struct tcase *c, enum pool_fresh fresh,
                 enum runner_keys want, struct arena *a, struct judged *out, struct err *e)
{
    struct trip *trip = arena_new(a, struct trip); /* outlives this call if it fails */
    return submit(r, c, fresh, a, trip, e) && await(r, trip, e) &&
           runner__judge_trip(r, trip, want, a, out, e);
}

bool runner__repeat(struct runner *r, const struct tcase *c, enum pool_fresh fresh, size_t n,
                    runner_seen_fn seen, void *ctx, struct err *e)
{
    struct arena a;
    struct judged judged;
    bool ok = true;
    arena_init(&a);
    struct trip *trips = arena_new_array(&a, struct trip, n);
    for (size_t i = 0; ok && i < n; i++)
        ok = submit(r, c, fresh, &a, &trips[i], e);
    for (size_t i = 0; i < n; i++) { /* all that was sent, before its arena goes */
        struct err ignored;
        ok = await(r, &trips[i], ok ? e : &ignored) && ok;
        ok = ok && runner__judge_trip(r, &trips[i], RUNNER_KEYS, &a, &judged, e) &&
             seen(ctx, i, &judged, e);
    }
    arena_done(&a);
    return ok;
}

const struct key *judged__find_guard(const struct judged *j, struct str guard)
{
    for (size_t i = 0; i < j->keys.n; i++)
        if (str_eq(j->keys.at[i].guard, guard))
            return &j->keys.at[i];
    return NULL;
}

const struct key *judged__find_strict(const struct judged *j, struct str strict)
{
    for (size_t i = 0; i < j->keys.n; i++)
        if (str_eq(j->keys.at[i].strict, strict))
            return &j->keys.at[i];
    return NULL;
}

const struct key *judged__find_older(const struct judged *j, struct str strict)
{
    for (size_t i = 0; i < j->keys.n; i++) {
        struct str guard = j->keys.at[i].guard;
        if (str_starts(strict, guard) && strict.n > guard.n && strict.at[guard.n] == '|')
            return &j->keys.at[i];
    }
    return NULL;
}

const struct observation *judged__observation(const struct judged *j, const struct key *k)
{
    const struct verdict *v = k->verdict;
    const struct observation *found = NULL;
    for (size_t i = 0; v && i < j->n_observations; i++) {
        const struct observation *o = &j->observations[i];
        if (o->input_set != v->input_set || !str_eq(o->target.engine, v->target.engine) ||
            !str_eq(o->target.version, v->target.version) ||
            !str_eq(o->target.mode, v->target.mode))
            continue;
        if (!found || (outcome_is_failure(o->outcome) && !outcome_is_failure(found->outcome)))
            found = o;
    }
    return found;
}
