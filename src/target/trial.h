/*
 * The trial of an adapter: does a worker follow the protocol (docs/protocol.md)? It is started anew
 * for each check and gets small cases (good, refused and broken), wrong greetings and broken
 * frames. Of its numbers only this is checked: outputs must equal the inputs' absolute values.
 *
 *     struct trial_options o = {.argv = argv, .tell = on_check};
 *     if (!trial_run(&o, &result, e)) ...     // the trial itself failed
 *     // result.n_failed == 0: it can serve
 */
#ifndef TARGET_TRIAL_H
#define TARGET_TRIAL_H

#include "target/target.h"

struct trial_options {
    const struct target *target; /* an installed engine in one mode; NULL: argv is the worker */
    const char *const *argv;     /* ends with NULL; it finds the socket on WORKER_FD */
    enum target_work work;       /* of argv's worker */
    const char *home;            /* for the Python files of a target's worker */
    int64_t deadline_ms;         /* for its start, each answer and its end; 0: a minute */
    uint64_t memory_bytes;       /* of the worker at most; 0: 4 GiB */
    bool first_failure;          /* the trial ends there */
    /* Gets each check's name and what was wrong. failure NULL: passed. */
    void (*tell)(void *ctx, const char *check, const char *failure);
    void *ctx;
};

struct trial_result {
    unsigned n_passed, n_failed;
};

bool trial_run(const struct trial_options *o, struct trial_result *out, struct err *e);

#endif
