/* What a hunt reads from the text of a strict key, and writes into it (judge/bucket.c: fields
 * joined by '|'). */
#ifndef HUNT_RUNNER_KEY_H
#define HUNT_RUNNER_KEY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* Does the failure depend on the case and the engine alone? False for time and memory, and for an
 * engine that gives other bits each time. */
bool key_is_steady(struct str key);

/* The key of a bug that needs a second opinion. It differs from the key of a bug that counts, so
 * that neither hides the other. */
struct str key_put_in_doubt(struct str key, struct arena *a);
/* The key that judging gives, without that mark. */
struct str key_without_doubt(struct str key);

/* The identity of the bug that a reduced case shows: the level where it begins among all levels of
 * the engine, and the optimiser at fault (empty: not known) instead of the operators round the
 * place; without what holds for one build only. */
struct str key_final(struct str key, struct str mode, struct str pass, struct arena *a);

/* The key that rules before version 4 gave to the same bug: an id, an entry of a file of known
 * defects or an alias may still name it. detail: of struct key. */
struct str key_of_rules_3(struct str key, struct str detail, struct arena *a);

/* The key without the producers of its culprit ("Conv<Pad,Relu") and the decade behind the kind of
 * error ("value small"). */
struct str key_coarse(struct str key, struct arena *a);

#endif
