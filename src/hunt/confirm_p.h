/* Confirmation with a runner that is open already: as pilots do it. */
#ifndef HUNT_CONFIRM_P_H
#define HUNT_CONFIRM_P_H

#include "hunt/confirm.h"
#include "hunt/runner_p.h"

/* How many more of the kind that confirm_next names may run at once, whatever each shows. */
size_t confirm__n_ahead(const struct confirm_run *runs, size_t n);

/* guard empty: any failing key counts. n_runs 0: until the state is settled. */
bool confirm__case(struct runner *r, const struct tcase *c, struct str guard, uint32_t n_runs,
                   struct arena *a, struct confirm_result *out, struct err *e);

#endif
