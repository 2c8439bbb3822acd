/*
 * struct incidentals: failures of another kind that a reduction meets on its way. Which of them are
 * kept is a matter of the sequence of candidates, never of which answer came first.
 *
 *     struct incidentals s = {.out = out, .scratch = "pilot-0", .a = arena};
 *     if (!incidental__note(&s, &seen, e)) ...                 // each candidate that fails
 * otherwise if (!incidental__choose(&s, reduction, runner, e)) ...   // in the end
 *     ... s.chosen.at[0 .. s.chosen.n) ...
 */
#ifndef HUNT_REPRODUCE_INCIDENTAL_P_H
#define HUNT_REPRODUCE_INCIDENTAL_P_H

#include "base/vec.h"
#include "hunt/reproduce/reproduce.h"
#include "reduce/reduce.h"

enum { INCIDENTALS_MAX = 4 }; /* of one reduction */

/* One that may be kept: known by its key before localisation. */
struct incidental_noted {
    struct hash content;
    struct str key, folder;
    uint32_t place; /* in the sequence of candidates */
};

struct incidentals {
    const char *out, *scratch;
    struct arena *a; /* holds what follows */
    VEC(struct incidental_noted) noted;
    VEC(struct incidental_failure) chosen;
};

/* The case of a candidate is kept for each of its keys, unless it was noted with it before. */
bool incidental__note(struct incidentals *s, const struct judged *seen, enum bug_class class,
                      struct str guard, struct err *e);

/* The first tried of each key are run again in all targets and localised: the keys that they get
 * then are what they are known by. r is not confined. */
bool incidental__choose(struct incidentals *s, const struct reduction *reduction, struct runner *r,
                        struct err *e);

#endif
