/* Which mode and which single optimiser of an engine cause a reduced failure. */
#ifndef HUNT_REPRODUCE_ABLATE_P_H
#define HUNT_REPRODUCE_ABLATE_P_H

#include "hunt/runner/runner.h"

/* Names of single optimisers, as the engine knows them. */
struct optimizers {
    const char *const *at;
    size_t n;
};

/* Of share/optimizers/ENGINE.json; none: the engine has no such switch. */
bool ablate__optimizers(struct str engine, struct arena *a, struct optimizers *out, struct err *e);

struct ablation {
    struct str mode; /* the first of the engine's modes that shows the failure */
    struct str pass; /* the optimiser without which that mode shows nothing; empty: no single one */
};

/* Runs the case once in each mode of the engine with the key's number of threads, in the order of
 * the description, then once without each optimiser. Finds nothing for hangs and for failures that
 * show only beside other modes or a parent; pass stays empty when the first mode shows the failure
 * already. Texts live in the arena. */
bool ablate__find(struct runner *r, const struct tcase *c, const struct key *k,
                  const struct optimizers *optimizers, struct arena *a, struct ablation *out,
                  struct err *e);

#endif
