/*
 * Layer 4: a control group for the whole tree of a worker. Probed and reported; plans leave it out,
 * so a policy that requires it is refused with the reason.
 */
#include "base/file.h"
#include "os/sandbox_p.h"

static void probe(struct sandbox_layer_state *out)
{
    bool v2 = file_stat("/sys/fs/cgroup/cgroup.controllers").kind == FILE_REGULAR;
    bool v1 = file_stat("/sys/fs/cgroup/memory").kind == FILE_DIRECTORY;
    sandbox__set_state(out, SANDBOX_OFF, "needs a control group delegated to assay (%s)",
                       v2   ? "version 2 is mounted"
                       : v1 ? "version 1 is mounted"
                            : "none is mounted");
}

static bool prepare(const struct sandbox_policy *policy, struct sandbox_plan *plan, struct err *e)
{
    (void)policy, (void)plan;
    return err_set(e, ERR_ENVIRONMENT, "needs a control group delegated to assay");
}

static int apply(const struct sandbox_plan *plan)
{
    (void)plan;
    return 0;
}

const struct sandbox_layer_ops sandbox__cgroup = {probe, prepare, apply};
