/*
 * Decides how a Python module of ours is run once over an order. Must not know what it is asked.
 */
#include "target/ask.h"

#include "base/path.h"
#include "os/process.h"
#include "target/launch_p.h"
#include "target/python_p.h"
#include "target/wear_p.h"

enum { GRACE_MS = 2000, SAID_MAX = 600 };
#define MEMORY_BYTES ((uint64_t)4 << 30)

struct asking {
    const struct ask *q;
    struct arena *a;
    struct scratch *cases, *place;
    const char *files, *folder, *order;
};

static bool put_order(struct asking *k, struct err *e)
{
    if (!k->q->order.n)
        return true;
    k->order = path_join(k->a, scratch_path(k->cases), "order.json");
    return scratch_put(k->cases, "order.json", &k->q->order, 1, e);
}

static const char *const *arguments(const struct asking *k)
{
    const char **argv = arena_new_array(k->a, const char *, 7);
    size_t n = 0;
    argv[n++] = str_dup(k->a, k->q->installation->python);
    argv[n++] = "-I";
    argv[n++] = "-B";
    argv[n++] = arena_printf(k->a, "%s/assay_worker/%s", k->files, k->q->module);
    if (k->q->argument)
        argv[n++] = k->q->argument;
    if (k->order)
        argv[n++] = k->order;
    return argv;
}

static bool check_end(const struct asking *k, const struct process_end *end, struct err *e)
{
    struct strbuf how = {0};
    struct str said = str_trim(end->err);
    if (end->flooded)
        return err_set(e, ERR_LIMIT, "%s: the answer is longer than %d bytes", k->q->module,
                       ASK_ANSWER_MAX);
    if (end->exited && end->exit_code == 0)
        return true;
    process_end_print(end, &how);
    err_set(e, ERR_ENVIRONMENT, STR_FMT ": %s: %s%s; it said: " STR_FMT,
            STR_ARG(k->q->installation->python), k->q->module, how.at,
            end->timed_out ? ", its time was over" : "",
            STR_ARG(str_sub(said, said.n - MIN(said.n, (size_t)SAID_MAX), said.n)));
    strbuf_done(&how);
    return false;
}

static bool run(struct asking *k, struct str *answer, struct err *e)
{
    struct sandbox_plan *plan;
    struct process_end end;
    const struct wear w = {.installation = k->q->installation,
                           .worker_path = k->files,
                           .place = k->place,
                           .cases = scratch_path(k->cases),
                           .folder = k->folder,
                           .memory_bytes = k->q->memory_bytes ? k->q->memory_bytes : MEMORY_BYTES};
    if (!wear__plan(&w, k->a, &plan, e))
        return false;
    const struct process_spec spec = {.program = str_dup(k->a, k->q->installation->python),
                                      .argv = arguments(k),
                                      .env = launch__environment(k->folder, k->a),
                                      .folder = k->folder,
                                      .out = PROCESS_CAPTURE,
                                      .err = PROCESS_CAPTURE,
                                      .output_max = ASK_ANSWER_MAX,
                                      .deadline_ms = k->q->deadline_ms,
                                      .grace_ms = GRACE_MS,
                                      .sandbox = plan};
    bool ok = process_run(&spec, k->a, &end, e) && check_end(k, &end, e);
    sandbox_plan_close(plan);
    *answer = ok ? end.out : (struct str){0};
    return ok;
}

bool ask_worker(const struct ask *q, struct arena *a, struct str *answer, struct err *e)
{
    struct asking k = {.q = q, .a = a};
    bool ok = python__extract(q->home, a, &k.files, e) && scratch_open(&k.place, e) &&
              scratch_make_dir(k.place, "cases", e) &&
              scratch_attach_dir(k.place, "cases", &k.cases, e) &&
              wear__folder(k.place, 1, a, &k.folder, e) && put_order(&k, e) && run(&k, answer, e);
    scratch_close(k.cases);
    scratch_close(k.place);
    return ok;
}
