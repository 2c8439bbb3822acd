/* How a hunt reads and changes the text of a strict key (judge/bucket.c: fields joined by '|'). */
#ifndef HUNT_RUNNER_KEY_H
#define HUNT_RUNNER_KEY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* Does the failure depend on the case and the engine alone? False for failures of time and memory,
 * and for engines whose results differ from run to run. */
bool key_is_steady(struct str key);

/* The key of a bug that needs a second opinion. It differs from the key of a bug that counts, so
 * that neither hides the other. */
struct str key_put_in_doubt(struct str key, struct arena *a);
/* The key without that mark, as judging gives it. */
struct str key_without_doubt(struct str key);

/* The identity of the bug that a reduced case shows. mode: the lowest level of the engine that
 * shows it; pass: the optimiser at fault, instead of the operators round the place and of a wrong
 * result's dtype. Empty: the field stays as it is. What holds for one build only is left out. */
struct str key_final(struct str key, struct str mode, struct str pass, struct arena *a);

/* What rules 5 made of the key that they gave: the dtype stays. */
struct str key_of_rules_5(struct str key, struct str mode, struct str pass, struct arena *a);

/* The key that rules before version 4 gave to the same bug: ids, aliases and files of known defects
 * may still name it. detail: of struct key. */
struct str key_of_rules_3(struct str key, struct str detail, struct arena *a);

/* The key that rules 4 gave: without the inputs that producers feed ("Conv<W:Pad": "Conv<Pad"). */
struct str key_of_rules_4(struct str key, struct arena *a);

/* Do two texts share at least half of all their words (Jaccard index)? */
bool key_words_are_alike(struct str text, struct str other);

/* Do two portable keys (struct key) name one bug in two runs of its reproducer? Equal ones do; so
 * do those of refusals by the same operators with the same dtype whose messages share most of their
 * words, since releases change status codes, C++ signatures and single words; and those of wrong
 * results of one kind and dtype in the same output, since what is left in memory may look as if
 * another node had made it. */
bool key_is_alike(struct str portable, struct str other, bool same_output);

/* The key of a wrong value by an optimiser that changes values by design, from its final key: one
 * for all values that it changes. */
struct str key_by_design(struct str key, struct arena *a);

/* The key without the producers of its culprit ("Conv<Pad,Relu" becomes "Conv") and the size of its
 * error ("value small" becomes "value"). */
struct str key_coarse(struct str key, struct arena *a);

#endif
