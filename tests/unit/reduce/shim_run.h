/* A faulty shim engine beside an honest one, as reduction and localisation see targets. */
#ifndef TESTS_UNIT_REDUCE_SHIM_RUN_H
#define TESTS_UNIT_REDUCE_SHIM_RUN_H

#include "judge/bucket.h"
#include "planted/plant.h"
#include "reduce/localise.h"

/* Runs c on the shim, honest as "off" and faulty as "all", and judges: keys in the arena. */
struct keys shim_keys(const struct plant *p, const struct tcase *c, struct arena *a);

/* The first failing verdict of "all"; NULL: none. */
const struct verdict *shim_failure(const struct plant *p, const struct tcase *c,
                                   struct reference **refs, struct arena *a);

struct localise_runner shim_runner(const struct plant *p);

#endif
