/* What a worker wears: its sandbox, for the pool, which starts workers, and for the trial of the
 * sandbox, which makes escape attempts in their place. */
#ifndef TARGET_WEAR_P_H
#define TARGET_WEAR_P_H

#include "os/sandbox.h"
#include "os/scratch.h"
#include "target/target.h"

struct wear {
    const struct target_installation *installation;
    const char *program;         /* a native worker's: ours */
    const char *worker_path;     /* folder above assay_worker/; a Python worker's */
    const char *also_readable;   /* NULL: nothing */
    const struct scratch *place; /* holds the worker's folder */
    const char *cases, *folder;  /* what it may read, what it may write */
    uint64_t memory_bytes;
    bool best_effort;  /* missing layers are accepted */
    unsigned left_out; /* SANDBOX_BIT: layers that it shall do without */
};

/* The plan, and the folder handed over to whom the worker will be. */
bool wear__plan(const struct wear *w, struct arena *a, struct sandbox_plan **out, struct err *e);

/* Of a worker whose processes may use so much memory each. */
struct sandbox_limits wear__limits(uint64_t memory_bytes);

/* A folder for one worker below place. */
bool wear__folder(const struct scratch *place, uint64_t number, struct arena *a, const char **out,
                  struct err *e);

#endif
