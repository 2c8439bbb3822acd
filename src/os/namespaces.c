/*
 * Layer 3: user, mount, process, network, ipc and uts namespaces. Probed and reported; plans leave
 * it out, so a policy that requires it is refused with the reason.
 */
#include "base/file.h"
#include "os/sandbox_p.h"

static void probe(struct sandbox_layer_state *out)
{
    struct arena a;
    struct str text = {0};
    struct err ignored;
    int64_t n = 0;
    arena_init(&a);
    bool known = file_read("/proc/sys/user/max_user_namespaces", 64, &a, &text, &ignored) &&
                 str_to_i64(str_trim(text), &n);
    sandbox__set_state(out, SANDBOX_OFF, "needs a prepared root folder to pivot into%s",
                       known && n > 0 ? "" : ", and user namespaces, which this kernel refuses");
    arena_done(&a);
}

static bool prepare(const struct sandbox_policy *policy, struct sandbox_plan *plan, struct err *e)
{
    (void)policy, (void)plan;
    return err_set(e, ERR_ENVIRONMENT, "needs a prepared root folder to pivot into");
}

static int apply(const struct sandbox_plan *plan)
{
    (void)plan;
    return 0;
}

const struct sandbox_layer_ops sandbox__namespaces = {probe, prepare, apply};
