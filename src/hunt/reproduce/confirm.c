/*
 * Decides when a failure counts: which repetitions are made, the confidence interval, and the runs
 * themselves. A repetition fails when it shows the guard key of the failure, that is the same
 * oracle, kind and mode: the culprit is not looked for again each time.
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
    if (t.n_failed == n) { /* each time so far */
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

/* Repetitions of one kind, becoming rows. */
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

bool confirm_folder(const struct confirm_options *o, struct arena *a, struct confirm_result *out,
                    struct err *e)
{
    const struct runner_options options = {.home = o->home,
                                           .program = o->program,
                                           .best_effort = o->best_effort,
                                           .targets = {o->targets, o->n_targets},
                                           .oracles = {o->oracles, o->n_oracles}};
    struct runner r;
    struct tcase *c;
    struct judged seen;
    struct str guard = STR("");
    if (!case_read(o->folder, a, &c, e))
        return false;
    if (!runner_open(&options, &r, e))
        return false;
    bool ok = true;
    if (o->key.n) { /* the strict key needs a localised failure; its guard is what repeats */
        const struct str key = key_without_doubt(o->key);
        ok = runner_run(&r, runner_plan(&r, POOL_ANY), c, RUNNER_REDUCED, a, &seen, e);
        const struct key *k = ok ? judged_find_strict(&seen, key) : NULL;
        if (ok && !k)
            k = judged_find_older(&seen, key);
        guard = k ? k->guard : key;
    }
    ok = ok && confirm_case(&r, runner_plan(&r, POOL_ANY), c, guard, o->n_runs, a, out, e);
    runner_close(&r);
    return ok;
}
