/* Targets for reduction and localisation: a shim engine with a fault and one without. */
#ifndef TESTS_UNIT_REDUCE_SHIM_RUN_H
#define TESTS_UNIT_REDUCE_SHIM_RUN_H

#include "judge/bucket.h"
#include "planted/plant.h"
#include "reduce/localise.h"

/* Runs c on the shim, without the fault as "off" and with it as "all", and judges; the keys live in
 * the arena. */
struct keys shim_keys(const struct plant *p, const struct tcase *c, struct arena *a);

/* The first failing verdict of "all"; NULL: none. */
const struct verdict *shim_failure(const struct plant *p, const struct tcase *c,
                                   struct reference **refs, struct arena *a);

struct localise_runner shim_runner(const struct plant *p);

#endif
