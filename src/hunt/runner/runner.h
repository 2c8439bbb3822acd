/*
 * struct runner: runs a case in all targets, judges it and gives its failing keys, for pilots,
 * reductions, confirmations and replays alike.
 *
 *     struct runner r;
 *     if (!runner_open(&o, &r, e)) ...
 *     struct judged seen;
 *     struct run_plan plan = runner_plan(&r, POOL_FRESH_FORK);
 *     if (!runner_run(&r, plan, c, RUNNER_KEYS, arena, &seen, e)) ...
 *     const struct key *k = judged_find(&seen, guard);
 *     runner_close(&r);
 */
#ifndef HUNT_RUNNER_RUNNER_H
#define HUNT_RUNNER_RUNNER_H

#include "hunt/hunt.h"
#include "judge/bucket.h"
#include "target/pool.h"

struct runner_options {
    const char *home, *program;
    bool best_effort;
    struct hunt_names targets, oracles; /* at least one target runs every case */
    uint32_t n_workers;                 /* per installation; 0: 1 */
    bool unhurried; /* a person waits for one case: the pool's deadlines, not those of a hunt */
    bool as_user;   /* programs run as by their user, without a deadline (pool.h) */
    bool is_mute;   /* what such a program prints is dropped */
};

struct runner {
    struct arena arena;
    struct loop *loop;
    struct pool *pool;
    struct targets all;
    struct target_list targets;
    struct target_list always; /* those of them that run every case */
    struct judge_options judge;
    struct judge_counts counts;
    uint32_t n_repeats;
    bool dump_rewrites;  /* ask for op histograms of optimised graphs */
    bool unhurried;      /* of the options */
    bool is_second;      /* the loop belongs to another runner */
    unsigned watchdog_s; /* CPU time after which a step ends this process; 0: no limit */
    /* Called while results are awaited. *did is false when there was nothing to do. NULL: nothing
     * is called. */
    bool (*meanwhile)(void *ctx, bool *did, struct err *e);
    void *meanwhile_ctx;
};

struct judged {
    const struct tcase *c;
    struct reference *refs;
    const struct observation *observations;
    size_t n_observations;
    struct verdicts verdicts;
    struct keys keys; /* of failing and needs-second-opinion verdicts */
    uint32_t n_localise_runs;
};

/* A case on its way through the pool, with its parent on the same targets if it has one and the
 * metamorphic oracle is on. */
struct submission {
    struct pool_batch batch; /* n_out is 0 when every answer has come, or nothing was submitted */
    struct pool_result result, parent;
};

/* RUNNER_CULPRITS: wrong results are localised first, so that their keys are not provisional.
 * RUNNER_REDUCED, for reduced cases: crashes and refusals are localised too, in one process per
 * part of the graph, and failures that need a second opinion get keys (bucket_keys_in_doubt).
 */
enum runner_keys { RUNNER_KEYS, RUNNER_CULPRITS, RUNNER_REDUCED };

/* Deadlines of a case in one target; a generated case usually takes milliseconds. DEADLINE is wall
 * time, for an engine that waits; PATIENCE is the same where the outcome becomes a verdict. BUSY is
 * CPU time, for an engine that computes and does not end; BUSY_BRIEF is enough where the case will
 * run again before it counts: the first run in a hunt with a time limit, and candidates while a
 * hang is reduced. */
enum {
    RUNNER_DEADLINE_MS = 3000,
    RUNNER_PATIENCE_MS = 20000,
    RUNNER_BUSY_MS = 2000,
    RUNNER_BUSY_BRIEF_MS = 300
};

bool runner_open(const struct runner_options *o, struct runner *r, struct err *e);
void runner_close(struct runner *r);

/* A second runner on the loop of r, with workers of its own, so that neither waits for the other's
 * cases nor ends the other's warm processes. It is closed before r. */
bool runner_open_second(const struct runner_options *o, struct runner *r, struct runner *out,
                        struct err *e);

/* One turn of the loop and one call of meanwhile. */
bool runner_wait(struct runner *r, struct err *e);

/* Which targets run a case, in how fresh a process, how long. Passed by value, so that limits of
 * one run do not affect another. */
struct run_plan {
    struct target_list targets;
    enum pool_fresh fresh;
    bool is_patient; /* RUNNER_PATIENCE_MS instead of RUNNER_DEADLINE_MS */
    bool is_brief;   /* RUNNER_BUSY_BRIEF_MS instead of RUNNER_BUSY_MS: only a second run counts */
};

/* Plans a run in the targets that run every case. */
struct run_plan runner_plan(const struct runner *r, enum pool_fresh fresh);

/* Plans the run of a hunt's case: with the targets that run one case in so many, where its index is
 * one of these. A case that runs in one of them runs in all that run more cases, too, so that the
 * first mode that fails can be told. */
struct run_plan runner_plan_case(const struct runner *r, uint64_t index, enum pool_fresh fresh,
                                 struct arena *a);

/* Plans a run in the targets that run every case and in this engine and mode: enough to judge again
 * what was seen there. */
struct run_plan runner_plan_target(const struct runner *r, const struct target_id *id,
                                   enum pool_fresh fresh, struct arena *a);

/* Plans a run that repeats the key: of those targets, in the ones of its family, or in all if its
 * oracle compares them; for failures of time and memory in its mode alone, brief and in a fresh
 * process, since each mode takes its whole deadline. Enough to shrink and to repeat a failure; who
 * is wrong is judged with all targets. */
struct run_plan runner_plan_key(const struct runner *r, const struct key *k, struct arena *a);

/* The target in which the key fails first. */
struct target_id key_target(const struct key *k);

/* The runner's target of that engine, version and mode; NULL: it has none. */
const struct target *runner_target(const struct runner *r, const struct target_id *id);

/* A request with the settings that all runs of a case share. */
struct pool_request runner_request(const struct runner *r, struct run_plan plan,
                                   const struct tcase *c, struct arena *a);

/* submission_done withdraws the request, whether its answer has come or not. */
bool runner_submit(struct runner *r, const struct pool_request *request,
                   struct submission *submission, struct err *e);
bool runner_await(struct runner *r, struct submission *submission, struct err *e);
void submission_done(struct submission *submission);

/* A failure that shows only in modes that neither hunts nor users run unnamed is at most
 * SEVERITY_S3 ("rare mode"), unless memory is corrupted. A metamorphic verdict is dropped where
 * another oracle sees the same failure of the family: candidates of a reduction have no parent, and
 * their keys must be the same.
 */
bool runner_judge_submission(struct runner *r, const struct submission *submission,
                             enum runner_keys want, struct arena *a, struct judged *out,
                             struct err *e);

/* Judges a result as runner_judge_submission does, without a parent. */
bool runner_judge(struct runner *r, const struct pool_result *result, enum runner_keys want,
                  struct arena *a, struct judged *out, struct err *e);

/* Localises the failures of a case that is already judged, except metamorphic ones: there the
 * parent may be at fault. */
bool runner_localise(struct runner *r, struct judged *j, enum runner_keys want, struct arena *a,
                     struct err *e);

bool judged_has_timeout(const struct judged *j);

/* Did a process of the key's family meet a limit, or was it lost on our side? Then what was seen
 * may depend on the machine's load. */
bool judged_is_load_dependent(const struct judged *j, const struct key *k);

/* Does the case fail, or did it run out of time or memory? Both may be due to earlier cases in the
 * same process, to uninitialised memory or to other programs, and count only when a fresh process
 * shows them again. */
bool judged_needs_second_look(const struct judged *j);

/* Runs and judges a case; turns the loop until all targets have answered. */
bool runner_run(struct runner *r, struct run_plan plan, const struct tcase *c,
                enum runner_keys want, struct arena *a, struct judged *out, struct err *e);

/* Runs a case n times, all in the pool at once; `seen` gets each run in order, judged for keys. */
typedef bool (*runner_seen_fn)(void *ctx, size_t i, const struct judged *seen, struct err *e);
bool runner_repeat(struct runner *r, struct run_plan plan, const struct tcase *c, size_t n,
                   runner_seen_fn seen, void *ctx, struct err *e);

/* Does the key need the case's parent, so that no smaller case can show it? */
bool key_needs_parent(const struct key *k);

/* The failing key with this guard, or with this strict key; NULL: there is none. */
const struct key *judged_find_guard(const struct judged *j, struct str guard);
const struct key *judged_find_strict(const struct judged *j, struct str strict);
/* The observation of the key's target and input set; NULL: there is none. */
const struct observation *judged_observation(const struct judged *j, const struct key *k);

#endif
