/*
 * Escape attempts from the sandbox of a worker: made in its place, with the plan, environment,
 * folder and interpreter that the pool gives it.
 *
 *     struct worker_escape_options o = {.installation = i, .home = home};
 *     for (size_t at = 0; at < probe_n_escapes(); at++)
 *         if (!worker_escape_try(&o, at, &outcome, e)) ...
 */
#ifndef TARGET_WORKER_ESCAPE_H
#define TARGET_WORKER_ESCAPE_H

#include "os/probe.h"
#include "target/target.h"

struct worker_escape_options {
    const struct target_installation *installation; /* the attempts run in place of its worker */
    const char *home;
    const char *program;   /* runs "worker attempt"; NULL: the running one */
    uint64_t memory_bytes; /* small, so that bombs stay small; 0: the pool's */
    unsigned left_out;     /* SANDBOX_BITs: layers that are taken as missing */
};

bool worker_escape_try(const struct worker_escape_options *o, size_t attempt,
                       struct probe_outcome *out, struct err *e);

/* Gives the sandbox layers of such a worker. */
bool worker_escape_state(const struct worker_escape_options *o, struct sandbox_state *out,
                         struct err *e);

#endif
