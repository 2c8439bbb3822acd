/* How a worker is called and what it sees of the world: the same for a pool's and for one on trial.
 */
#ifndef TARGET_LAUNCH_P_H
#define TARGET_LAUNCH_P_H

#include "base/arena.h"
#include "target/target.h"

/* Variables, and no others; both folders are the scratch. NULL ends the list. */
const char *const *launch__environment(const char *scratch, struct arena *a);

/* argv of an installation's worker: our own program for a native one, else its Python, which runs
 * the files under worker_path. NULL ends the list. */
const char *const *launch__arguments(const struct target_installation *i, const char *worker_path,
                                     struct arena *a);

#endif
