/*
 * struct incidentals: failures with another key that candidates of a reduction show. Which of them
 * are kept depends on the order of the candidates, never on which answer came first.
 *
 *     struct incidentals s = {.out = out, .scratch = "pilot-0", .a = arena};
 *     if (!incidental__note(&s, &seen, class, guard, e)) ...    // a candidate with another failure
 *     if (!incidental__choose(&s, reduction, runner, e)) ...    // in the end
 *     ... s.chosen.at[0 .. s.chosen.n) ...
 */
#ifndef HUNT_REPRODUCE_INCIDENTAL_P_H
#define HUNT_REPRODUCE_INCIDENTAL_P_H

#include "base/vec.h"
#include "hunt/reproduce/reproduce.h"
#include "reduce/reduce.h"

enum { INCIDENTALS_MAX = 4 }; /* of one reduction */

/* A failure that may be kept, with its key before localisation. */
struct incidental_noted {
    struct hash content;
    struct str key, folder;
    uint32_t place; /* in the sequence of candidates */
};

struct incidentals {
    const char *out, *scratch;
    uint64_t case_at; /* of the case that is reduced */
    struct arena *a;  /* holds what follows */
    VEC(struct incidental_noted) noted;
    VEC(struct incidental_failure) chosen;
};

/* Notes the candidate's case for each of its keys but that of `class` and `guard`, which is the one
 * being reduced. */
bool incidental__note(struct incidentals *s, const struct judged *seen, enum bug_class class,
                      struct str guard, struct err *e);

/* Runs the first candidate of each key again, as a hunt runs the case of the index, and localises
 * its failures; the keys that this gives are stored. */
bool incidental__choose(struct incidentals *s, const struct reduction *reduction, struct runner *r,
                        struct err *e);

#endif
