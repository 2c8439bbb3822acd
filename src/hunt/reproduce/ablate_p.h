/* Which mode and which single optimiser of an engine a reduced failure stands on. */
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

/* The engine's modes with as many threads as the key's, in the description's order, then its
 * optimisers, one run each. Nothing is found for what hangs, for what needs other modes or a parent
 * to be seen, and, of pass, for what shows in the first mode. Texts live in the arena. */
bool ablate__find(struct runner *r, const struct tcase *c, const struct key *k,
                  const struct optimizers *optimizers, struct arena *a, struct ablation *out,
                  struct err *e);

#endif
