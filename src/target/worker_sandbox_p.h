/* The sandbox of a worker: for the pool, which starts workers, for scripts (offline.h) and for the
 * escape attempts, which are made in a worker's place. */
#ifndef TARGET_WORKER_SANDBOX_P_H
#define TARGET_WORKER_SANDBOX_P_H

#include "os/sandbox.h"
#include "os/scratch.h"
#include "target/target.h"

struct worker_sandbox {
    const struct target_installation *installation;
    const char *program;         /* of a native worker: our own */
    const char *worker_path;     /* of a Python worker: the folder above assay_worker/ */
    const char *also_readable;   /* NULL: nothing */
    const struct scratch *place; /* holds the worker's folder */
    const char *cases, *folder;  /* which it may read; which it may write */
    uint64_t memory_bytes;
    bool best_effort;  /* missing layers are accepted */
    unsigned left_out; /* SANDBOX_BITs: layers that are taken as missing */
};

/* Makes the plan, and gives the worker's folder to the user that the worker will have. */
bool worker_sandbox__plan(const struct worker_sandbox *w, struct arena *a,
                          struct sandbox_plan **out, struct err *e);

/* The limits of a worker whose processes may each use that much memory. */
struct sandbox_limits worker_sandbox__limits(uint64_t memory_bytes);

/* Makes a folder for one worker below `place`. */
bool worker_sandbox__folder(const struct scratch *place, uint64_t number, struct arena *a,
                            const char **out, struct err *e);

#endif
