/* The reduction of one failing case, through the pool. */
#ifndef HUNT_REPRODUCE_SHRINK_P_H
#define HUNT_REPRODUCE_SHRINK_P_H

#include "hunt/reproduce/reproduce.h"

struct reduce_job {
    struct runner *r;
    const struct reproducer_options *o;
    const struct tcase *c;
    const struct key *key;
    bool is_wary;
};

/* Fills in the fields of `out` that describe the reduction. *best lives as long as *kept, which the
 * caller closes. */
bool shrink__case(const struct reduce_job *job, struct arena *a, struct reproducer *out,
                  const struct tcase **best, struct reduction **kept, struct err *e);

/* Shrinks the case unless it fails only against its parent, which smaller cases do not have, or its
 * reduction never ended in earlier attempts; then *best is the case itself. */
bool shrink__or_keep(const struct reduce_job *job, struct arena *a, struct reproducer *out,
                     const struct tcase **best, struct reduction **kept, struct err *e);

#endif
