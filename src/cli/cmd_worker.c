/* assay worker NAME: internal; one engine or one pilot in a process of its own, speaking on a fixed
 * descriptor. */
#include "cli/command.h"
#include "hunt/hunt.h"
#include "target/worker.h"

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    if (s->n_args == 2 && strcmp(s->args[0], "ort") == 0) {
        *exit_code = worker_ort_main(s->args[1], WORKER_FD);
        return true;
    }
    if (s->n_args == 1 && strcmp(s->args[0], "pilot") == 0)
        return hunt_pilot(HUNT_PILOT_FD, e);
    return err_set(e, ERR_USAGE,
                   "\"ort LIBRARY\" or \"pilot\" is expected; assay starts its workers itself");
}

const struct command command_worker = {
    .name = "worker",
    .arguments = "ort LIBRARY | pilot",
    .summary = "internal: one engine or one pilot in a process of its own",
    .hidden = true,
    .run = run,
};
