/* Confirmation with a runner that is already open, for pilots. */
#ifndef HUNT_CONFIRM_CASE_H
#define HUNT_CONFIRM_CASE_H

#include "hunt/confirm.h"
#include "hunt/runner/runner.h"

/* Of the kind that confirm_next names, how many more repetitions are needed whatever each shows:
 * these can run at the same time. */
size_t confirm_n_ahead(const struct confirm_run *runs, size_t n);

/* guard empty: any failing key counts. n_runs 0: until the state is settled. */
bool confirm_case(struct runner *r, struct run_plan plan, const struct tcase *c, struct str guard,
                  uint32_t n_runs, struct arena *a, struct confirm_result *out, struct err *e);

#endif
