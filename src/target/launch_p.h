/* The command line and the environment of a worker, for the pool and for the trial of an adapter.
 */
#ifndef TARGET_LAUNCH_P_H
#define TARGET_LAUNCH_P_H

#include "base/arena.h"
#include "target/target.h"

/* All environment variables of a worker. Its home and temporary folder are the scratch folder. NULL
 * ends the list. */
const char *const *launch__environment(const char *scratch, struct arena *a);

/* The environment of this process, for a user's own program. */
const char *const *launch__user_environment(void);

/* What is started as an installation's worker: `native` (NULL: the running program) for a native
 * one, else its Python; for an emulated CPU the emulator. */
const char *launch__program(const struct target_installation *i, const char *native,
                            struct arena *a);

/* Its argv. self: the path of our own program; Python runs the files under worker_path. NULL ends
 * the list. */
const char *const *launch__arguments(const struct target_installation *i, const char *self,
                                     const char *worker_path, struct arena *a);

#endif
