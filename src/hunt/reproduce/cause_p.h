/* An engine's error whose cause is an earlier wrong result. */
#ifndef HUNT_REPRODUCE_CAUSE_P_H
#define HUNT_REPRODUCE_CAUSE_P_H

#include "hunt/runner/runner.h"

/* An engine refuses the reduced graph of c: runs the part up to each node but the last. *out: the
 * first part with a wrong result, *key: its failing key, both in the arena (tensors are those of
 * c). NULL: every part is right, c is no such graph, or the failure is of another class. */
bool cause__find(struct runner *r, const struct tcase *c, const struct key *k, struct arena *a,
                 const struct tcase **out, const struct key **key, struct err *e);

#endif
