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

/* out gets what is known of the reduction; *best lives as long as *kept, which the caller closes.
 */
bool shrink__case(const struct reduce_job *job, struct arena *a, struct reproducer *out,
                  const struct tcase **best, struct reduction **kept, struct err *e);

/* A case that fails only against its parent stays as it was found, since smaller cases have no
 * parent; so does one whose reduction never ended in earlier attempts. */
bool shrink__or_keep(const struct reduce_job *job, struct arena *a, struct reproducer *out,
                     const struct tcase **best, struct reduction **kept, struct err *e);

#endif
