/*
 * Decides when a failure counts: which repetitions are made, the confidence interval, and the runs
 * themselves. A repetition fails when it has the failure's guard key (the same oracle, kind and
 * mode). It is not localised again, so its full key is not known.
 */
#include "hunt/confirm.h"
#include "case/disk.h"

#include <math.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "hunt/reproduce/confirm_case.h"
#include "hunt/runner/key.h"

const char *confirm_state_name(enum confirm_state s)
{
    static const char *const names[] = {
        [CONFIRM_CONFIRMED] = "confirmed",
        [CONFIRM_FLAKY] = "flaky",
        [CONFIRM_GONE] = "not reproduced",
    };
    return names[s];
}

struct tally {
    size_t n_quick, n_forks, n_interpreters, n_failed, n_fresh_failed;
};

static struct tally tally_of(const struct confirm_run *runs, size_t n)
{
    struct tally t = {0};
    for (size_t i = 0; i < n; i++) {
        bool quick = strcmp(runs[i].kind, "quick") == 0;
        t.n_quick += quick;
        t.n_forks += strcmp(runs[i].kind, "fork") == 0;
        t.n_interpreters += strcmp(runs[i].kind, "interpreter") == 0;
        t.n_failed += runs[i].failed;
        t.n_fresh_failed += !quick && runs[i].failed;
    }
    return t;
}

const char *confirm_next(const struct confirm_run *runs, size_t n, enum confirm_state *state)
{
    struct tally t = tally_of(runs, n);
    size_t n_fresh = t.n_forks + t.n_interpreters;
    if (t.n_quick < CONFIRM_QUICK)
        return "quick";
    if (t.n_failed == n) { /* has failed each time so far */
        if (t.n_forks < CONFIRM_FORKS)
            return "fork";
        if (t.n_interpreters < CONFIRM_INTERPRETERS)
            return "interpreter";
        *state = CONFIRM_CONFIRMED;
        return NULL;
    }
    if (n_fresh < CONFIRM_GONE_RUNS || (t.n_fresh_failed > 0 && n_fresh < CONFIRM_FLAKY_RUNS))
        return "fork";
    *state = t.n_fresh_failed >= CONFIRM_FLAKY_FAILURES ? CONFIRM_FLAKY : CONFIRM_GONE;
    return NULL;
}

struct confirm_interval confirm_wilson(uint64_t k, uint64_t n)
{
    const double z = 1.959963984540054, trials = (double)n;
    if (n == 0)
        return (struct confirm_interval){0, 1};
    double p = (double)k / trials, shrink = 1 + z * z / trials;
    double middle = (p + z * z / (2 * trials)) / shrink;
    double half = z * sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials)) / shrink;
    return (struct confirm_interval){MAX(0, middle - half), MIN(1, middle + half)};
}

static enum pool_fresh fresh_of(const char *kind)
{
    return strcmp(kind, "quick") == 0  ? POOL_ANY
           : strcmp(kind, "fork") == 0 ? POOL_FRESH_FORK
                                       : POOL_FRESH_WORKER;
}

size_t confirm_n_ahead(const struct confirm_run *runs, size_t n)
{
    enum confirm_state state;
    struct tally t = tally_of(runs, n);
    size_t n_fresh = t.n_forks + t.n_interpreters;
    const char *kind = confirm_next(runs, n, &state);
    if (!kind)
        return 0;
    if (strcmp(kind, "quick") == 0)
        return CONFIRM_QUICK - t.n_quick;
    if (strcmp(kind, "interpreter") == 0)
        return CONFIRM_INTERPRETERS - t.n_interpreters;
    if (t.n_failed == n)
        return CONFIRM_FORKS - t.n_forks;
    return (n_fresh < CONFIRM_GONE_RUNS ? CONFIRM_GONE_RUNS : CONFIRM_FLAKY_RUNS) - n_fresh;
}

/* Turns repetitions of one kind into rows. */
struct repeating {
    struct str guard;
    const char *kind;
    size_t first_at; /* number of the first one of its kind */
    struct arena *a;
    struct store_run *rows;
};

static bool on_repeated(void *ctx, size_t i, const struct judged *seen, struct err *e)
{
    const struct repeating *p = ctx;
    struct strbuf target = {0};
    const struct key *k = p->guard.n         ? judged_find_guard(seen, p->guard)
                          : seen->keys.n > 0 ? &seen->keys.at[0]
                                             : NULL;
    (void)e;
    if (k && k->verdict)
        target_id_print(&k->verdict->target, &target);
    p->rows[i] =
        (struct store_run){.kind = str_of(p->kind),
                           .at = (int64_t)(p->first_at + i),
                           .failed = k != NULL,
                           .key = k ? (struct str){str_dup(p->a, k->guard), k->guard.n} : STR(""),
                           .target = strbuf_dup(&target, p->a),
                           .measure = k && k->verdict ? k->verdict->measure : 0,
                           .at_ms = clock_wall_ms()};
    strbuf_done(&target);
    return true;
}

static size_t count_kind(const struct confirm_result *out, const char *kind)
{
    size_t n = 0;
    for (size_t i = 0; i < out->n_runs; i++)
        n += str_is(out->runs[i].kind, kind);
    return n;
}

static void count_fresh(struct confirm_result *out)
{
    for (size_t i = 0; i < out->n_runs; i++) {
        bool fresh = !str_is(out->runs[i].kind, "quick");
        out->n += fresh;
        out->k += fresh && out->runs[i].failed;
    }
}

bool confirm_case(struct runner *r, struct run_plan plan, const struct tcase *c, struct str guard,
                  uint32_t n_runs, struct arena *a, struct confirm_result *out, struct err *e)
{
    enum { RUNS_MAX = CONFIRM_QUICK + CONFIRM_FLAKY_RUNS + CONFIRM_INTERPRETERS + 1, GROUP = 10 };
    struct confirm_run runs[RUNS_MAX];
    size_t n_most = n_runs ? n_runs : RUNS_MAX, n;
    *out = (struct confirm_result){.runs = arena_new_array(a, struct store_run, n_most)};
    while ((n = n_runs ? n_runs - out->n_runs : confirm_n_ahead(runs, out->n_runs)) > 0) {
        const char *kind = n_runs ? "fork" : confirm_next(runs, out->n_runs, &out->state);
        struct repeating p = {guard, kind, count_kind(out, kind), a, &out->runs[out->n_runs]};
        n = MIN(n, GROUP);
        plan.fresh = fresh_of(kind);
        if (!runner_repeat(r, plan, c, n, on_repeated, &p, e))
            return false;
        for (size_t i = 0; i < n && !n_runs; i++)
            runs[out->n_runs + i] = (struct confirm_run){kind, p.rows[i].failed};
        out->n_runs += n;
    }
    if (!n_runs)
        confirm_next(runs, out->n_runs, &out->state);
    count_fresh(out);
    if (n_runs)
        out->state = out->k == out->n ? CONFIRM_CONFIRMED : out->k ? CONFIRM_FLAKY : CONFIRM_GONE;
    return true;
}

const char *confirm_relation_name(enum confirm_relation r)
{
    static const char *const names[RELATION_COUNT] = {
        [RELATION_SAME] = "the same",
        [RELATION_OTHER] = "fails in another way",
        [RELATION_GONE] = "gone",
        [RELATION_CANNOT] = "cannot run there",
    };
    return names[r];
}

/* The key without the mark of a second opinion, and without the number that tells apart crashes in
 * several places. */
static struct str judged_key(const struct store_bug *bug)
{
    struct str key = key_without_doubt(bug->key);
    size_t at = str_find_byte(key, '#');
    return str_starts(key, STR("native-crash|")) ? str_sub(key, 0, at) : key;
}

/* A store of an earlier version has no portable key. */
static bool is_same(const struct key *k, const struct store_bug *bug, struct arena *a)
{
    bool same_output =
        k->verdict && bug->output.n > 0 && str_eq(k->verdict->place.output, bug->output);
    return bug->portable.n ? key_is_alike(k->portable, bug->portable, same_output)
                           : str_eq(key_of_rules_3(k->strict, k->detail, a), judged_key(bug));
}

static const struct key *find_same(const struct judged *seen, const struct store_bug *bug,
                                   struct arena *a)
{
    for (size_t i = 0; i < seen->keys.n; i++)
        if (is_same(&seen->keys.at[i], bug, a))
            return &seen->keys.at[i];
    return NULL;
}

/* The first key of the bug's family, or else the first of all. */
static const struct key *find_other(const struct judged *seen, const struct store_bug *bug)
{
    for (size_t i = 0; i < seen->keys.n; i++)
        if (seen->keys.at[i].verdict &&
            str_eq(seen->keys.at[i].verdict->target.engine, bug->engine))
            return &seen->keys.at[i];
    return seen->keys.n ? &seen->keys.at[0] : NULL;
}

/* Why no target of the bug's engine can run the case; NULL: one did. */
static const struct observation *find_refusal(const struct judged *seen,
                                              const struct store_bug *bug)
{
    const struct observation *refusal = NULL;
    for (size_t i = 0; i < seen->n_observations; i++) {
        const struct observation *o = &seen->observations[i];
        if (!str_eq(o->target.engine, bug->engine))
            continue;
        if (o->outcome != OUTCOME_UNSUPPORTED && o->outcome != OUTCOME_IMPORT_FAILURE &&
            o->outcome != OUTCOME_LOST_WORKER)
            return NULL;
        refusal = o;
    }
    return refusal;
}

static struct run_plan plan_of(const struct runner *r, const struct store_bug *bug, struct arena *a)
{
    const struct target_id id = {.engine = bug->engine, .mode = bug->mode};
    return runner_plan_target(r, &id, POOL_ANY, a);
}

/* Runs the case once and says how what it shows relates to the bug; *guard: the key to repeat. */
static bool relate(struct runner *r, const struct tcase *c, const struct store_bug *bug,
                   struct arena *a, struct confirm_result *out, struct str *guard, struct err *e)
{
    struct judged seen;
    if (!runner_run(r, plan_of(r, bug, a), c, RUNNER_REDUCED, a, &seen, e))
        return false;
    const struct key *k = find_same(&seen, bug, a);
    const struct observation *refusal = k ? NULL : find_refusal(&seen, bug);
    out->relation = k ? RELATION_SAME : refusal ? RELATION_CANNOT : RELATION_GONE;
    if (!k && !refusal && (k = find_other(&seen, bug))) {
        out->relation = RELATION_OTHER;
        out->text = k->title;
    }
    if (refusal)
        out->text = refusal->message.raw;
    *guard = k ? k->guard : (struct str){0};
    return true;
}

bool confirm_folder(const struct confirm_options *o, struct arena *a, struct confirm_result *out,
                    struct err *e)
{
    const struct runner_options options = {.home = o->home,
                                           .program = o->program,
                                           .best_effort = o->best_effort,
                                           .targets = {o->targets, o->n_targets},
                                           .oracles = {o->oracles, o->n_oracles}};
    struct confirm_result related = {.relation = RELATION_GONE};
    struct runner r;
    struct tcase *c;
    struct str guard = STR("");
    if (!case_read(o->folder, a, &c, e) || !runner_open(&options, &r, e))
        return false;
    bool ok = !o->bug || relate(&r, c, o->bug, a, &related, &guard, e);
    struct run_plan plan = o->bug ? plan_of(&r, o->bug, a) : runner_plan(&r, POOL_ANY);
    if (ok && related.relation == RELATION_CANNOT)
        *out = related;
    else
        ok = ok && confirm_case(&r, plan, c, guard, o->n_runs, a, out, e);
    out->relation = related.relation;
    out->text = related.text;
    if (ok && out->k > 0 && out->relation == RELATION_GONE) /* fails sometimes, or no bug given */
        out->relation = o->bug ? RELATION_OTHER : RELATION_SAME;
    runner_close(&r);
    return ok;
}
