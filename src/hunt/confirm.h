/*
 * Confirmation: does a case fail each time, in fresh processes? Three quick runs; when all fail,
 * ten in fresh forks and two in fresh interpreters. `assay replay` does the same.
 *
 * confirmed: 10 of 10 forks and 2 of 2 interpreters fail with the key. flaky: at least 2 of 30
 * fail. not reproduced: 0 of 20. The interval is Wilson's (1927) at 95 %.
 */
#ifndef HUNT_CONFIRM_H
#define HUNT_CONFIRM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "store/store.h"

enum {
    CONFIRM_QUICK = 3,
    CONFIRM_FORKS = 10,
    CONFIRM_INTERPRETERS = 2,
    CONFIRM_FLAKY_RUNS =
        30, /* fresh runs before a case that fails sometimes is called flaky or gone */
    CONFIRM_FLAKY_FAILURES = 2,
    CONFIRM_GONE_RUNS = 20
};

enum confirm_state { CONFIRM_CONFIRMED, CONFIRM_FLAKY, CONFIRM_GONE };
const char *confirm_state_name(enum confirm_state s); /* "confirmed", "flaky", "not reproduced" */

/* One repetition done so far. */
struct confirm_run {
    const char *kind; /* "quick", "fork", "interpreter" */
    bool failed;      /* with the key */
};

/* What to run next, decided from the runs so far. NULL: the state is settled. */
const char *confirm_next(const struct confirm_run *runs, size_t n, enum confirm_state *state);

struct confirm_interval {
    double low, high;
};
struct confirm_interval confirm_wilson(uint64_t k, uint64_t n); /* 95 % */

struct confirm_options {
    const char *home;
    const char *program; /* as hunt_options.program */
    bool best_effort;
    const char *folder;          /* of the bug: a case folder */
    const struct store_bug *bug; /* NULL: any failing key counts */
    const char *const *targets;  /* that run the case */
    size_t n_targets;
    const char *const *oracles;
    size_t n_oracles;
    uint32_t n_runs; /* assay replay --runs; 0: until the state is settled */
};

/* How what a replay shows relates to the bug. Portable keys are compared, since another release has
 * other levels, paths in messages and crash addresses. */
enum confirm_relation {
    RELATION_SAME,   /* the bug */
    RELATION_OTHER,  /* the case fails in another way */
    RELATION_GONE,   /* it does not fail */
    RELATION_CANNOT, /* no target can run it */
    RELATION_COUNT
};
const char *confirm_relation_name(enum confirm_relation r); /* "the same", ... */

struct confirm_result {
    enum confirm_state state;
    enum confirm_relation relation; /* of confirm_folder */
    struct str text;                /* OTHER: how it fails; CANNOT: why not */
    struct store_run *runs;
    size_t n_runs;
    uint64_t k, n; /* in fresh processes */
};

/* Runs the case of a folder over and over. Makes its own loop and pool. */
bool confirm_folder(const struct confirm_options *o, struct arena *a, struct confirm_result *out,
                    struct err *e);

#endif
