/*
 * struct sides: failures of another kind that a reduction meets on its way. Which of them are kept
 * is a matter of the sequence of candidates, never of which answer came first.
 *
 *     struct sides s = {.out = out, .scratch = "pilot-0", .a = arena};
 *     if (!sides__note(&s, &seen, e)) ...                 // each candidate that fails otherwise
 *     if (!sides__choose(&s, reduction, runner, e)) ...   // in the end
 *     ... s.chosen.at[0 .. s.chosen.n) ...
 */
#ifndef HUNT_SIDES_P_H
#define HUNT_SIDES_P_H

#include "base/vec.h"
#include "hunt/runner_p.h"
#include "reduce/reduce.h"

enum { SIDES_MAX = 4 }; /* of one reduction */

/* A failure of another kind that was met on the way. */
struct side_find {
    struct str key, folder;
};

/* One that may be kept: known by its key before localisation. */
struct side_noted {
    struct hash content;
    struct str key, folder;
    uint32_t place; /* in the sequence of candidates */
};

struct sides {
    const char *out, *scratch;
    struct arena *a; /* holds what follows */
    VEC(struct side_noted) noted;
    VEC(struct side_find) chosen;
};

/* The case of a candidate is kept for each of its keys, unless it was noted with it before. */
bool sides__note(struct sides *s, const struct judged *seen, enum bug_class class, struct str guard,
                 struct err *e);

/* The first tried of each key are run again in all targets and localised: the keys that they get
 * then are what they are known by. r is not confined. */
bool sides__choose(struct sides *s, const struct reduction *reduction, struct runner *r,
                   struct err *e);

#endif
