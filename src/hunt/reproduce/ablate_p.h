/* Which mode and which single optimiser of an engine cause a reduced failure. */
#ifndef HUNT_REPRODUCE_ABLATE_P_H
#define HUNT_REPRODUCE_ABLATE_P_H

#include "hunt/runner/runner.h"

/* Single optimisers, by the names that the engine knows. */
struct optimizers {
    const char *const *at;
    size_t n;
    const char *const *approximate; /* those that change values by design */
    size_t n_approximate;
};

/* Reads share/optimizers/ENGINE.json. None: the optimisers of the engine cannot be switched off. */
bool ablate__optimizers(struct str engine, struct arena *a, struct optimizers *out, struct err *e);

struct ablation {
    struct str mode; /* the first of the engine's modes that shows the failure */
    struct str pass; /* the optimiser without which that mode does not fail; empty: no single one */
};

/* Runs the case once in each mode of the engine with the key's number of threads, in the order of
 * the description, then once without each optimiser. Finds nothing for hangs, nor for failures that
 * need a comparison with other modes or a parent. `pass` stays empty when the first mode fails
 * already. Texts live in the arena. */
bool ablate__find(struct runner *r, const struct tcase *c, const struct key *k,
                  const struct optimizers *optimizers, struct arena *a, struct ablation *out,
                  struct err *e);

#endif
