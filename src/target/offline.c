/*
 * Decides how a script of ours is started outside of the pool: the interpreter, environment and
 * sandbox of a worker, without its protocol. Must not know what the script does. Invariant: what it
 * writes is read through a descriptor that only it and we hold, or from a folder of its own.
 */
#include "target/offline.h"

#include "base/compiler.h"
#include "base/path.h"
#include "os/scratch.h"
#include "target/launch_p.h"
#include "target/python_p.h"
#include "target/worker_sandbox_p.h"

#define ORDER "order.json"
#define OFFLINE_MEMORY ((uint64_t)8 << 30)
enum { OUTPUT_MAX = 64 << 10, WORDS_MAX = 24 };

struct offline_run {
    struct arena arena;
    struct scratch *place, *cases, *own;
    struct sandbox_plan *plan;
    struct process *process;
    struct loop *loop;
    struct process_end end;
    bool has_ended;
    const char *folder;
};

/* Writes the order into a folder that the script may read. */
static bool put_order(const struct offline_job *job, struct offline_run *r, struct err *e)
{
    return job->order.n == 0 || (scratch_make_dir(r->place, "cases", e) &&
                                 scratch_attach_dir(r->place, "cases", &r->cases, e) &&
                                 scratch_put(r->cases, ORDER, &job->order, 1, e));
}

static void on_end(void *ctx, struct process *p, const struct process_end *end)
{
    struct offline_run *r = ctx;
    (void)p;
    r->end = *end;
    r->has_ended = true;
    loop_stop(r->loop);
}

static const char *const *words_of(const struct offline_job *job, struct offline_run *r,
                                   const char *files)
{
    struct arena *a = &r->arena;
    const char **words = arena_new_array(a, const char *, WORDS_MAX);
    size_t n = 0;
    words[n++] = str_dup(a, job->installation->python);
    words[n++] = "-I";
    words[n++] = "-B";
    words[n++] = path_join(a, path_join(a, files, "assay_worker"), job->script);
    for (size_t i = 0; i < job->n_words && n < WORDS_MAX - 3; i++)
        words[n++] = job->words[i];
    if (r->cases)
        words[n++] = path_join(a, scratch_path(r->cases), ORDER);
    if (job->given) {
        words[n++] = scratch_path(job->given);
        words[n++] = r->folder;
    }
    words[n] = NULL;
    return words;
}

static bool start(const struct offline_job *job, struct offline_run *r, struct err *e)
{
    struct arena *a = &r->arena;
    struct worker_sandbox sandbox = {.installation = job->installation,
                                     .memory_bytes =
                                         job->memory_bytes ? job->memory_bytes : OFFLINE_MEMORY,
                                     .best_effort = job->best_effort};
    if (!scratch_open(&r->place, e) || !put_order(job, r, e) ||
        !worker_sandbox__folder(r->place, 0, a, &r->folder, e) ||
        !python__extract(job->home, a, &sandbox.worker_path, e))
        return false;
    sandbox.place = r->place;
    sandbox.cases = r->cases     ? scratch_path(r->cases)
                    : job->given ? scratch_path(job->given)
                                 : r->folder;
    sandbox.folder = r->folder;
    if (job->given && !scratch_let_pass(job->given, e))
        return false;
    if (!worker_sandbox__plan(&sandbox, a, &r->plan, e) || !loop_open(&r->loop, e))
        return false;
    const struct process_spec spec = {.program = str_dup(a, job->installation->python),
                                      .argv = words_of(job, r, sandbox.worker_path),
                                      .env = launch__environment(r->folder, a),
                                      .folder = r->folder,
                                      .out = PROCESS_CAPTURE,
                                      .err = PROCESS_CAPTURE,
                                      .output_max = job->output_max ? job->output_max : OUTPUT_MAX,
                                      .deadline_ms = job->deadline_ms,
                                      .sandbox = r->plan};
    if (!process_open(r->loop, &spec, on_end, r, &r->process, e))
        return false;
    int fd = process_take_scratch(r->process);
    return fd >= 0 ? scratch_adopt(fd, r->folder, &r->own, e)
                   : scratch_attach(r->folder, &r->own, e);
}

bool offline_run(const struct offline_job *job, struct offline_run **out, struct err *e)
{
    struct offline_run *r = mem_alloc(sizeof *r);
    *r = (struct offline_run){.has_ended = false};
    arena_init(&r->arena);
    bool ok = start(job, r, e);
    while (ok && !r->has_ended)
        ok = loop_turn(r->loop, LOOP_SECOND, e);
    if (ok) {
        *out = r;
        return true;
    }
    offline_close(r);
    return err_wrap(e, "%s", job->script);
}

const struct process_end *offline_end(const struct offline_run *r)
{
    return &r->end;
}

bool offline_file(const struct offline_run *r, const char *name, size_t max_bytes, struct arena *a,
                  struct str *out, struct err *e)
{
    return scratch_get(r->own, name, max_bytes, a, out, e);
}

void offline_close(struct offline_run *r)
{
    if (!r)
        return;
    process_close(r->process);
    sandbox_plan_close(r->plan);
    loop_close(r->loop);
    scratch_close(r->own);
    scratch_close(r->cases);
    scratch_close(r->place);
    arena_done(&r->arena);
    free(r);
}

static bool check_end(const struct offline_job *job, const struct process_end *end, struct err *e)
{
    enum { SAID_MAX = 600 };
    struct strbuf how = {0};
    struct str said = str_trim(end->err);
    if (end->flooded)
        return err_set(e, ERR_LIMIT, "%s: the answer is longer than %d bytes", job->script,
                       OFFLINE_ANSWER_MAX);
    if (end->exited && end->exit_code == 0)
        return true;
    process_end_print(end, &how);
    err_set(e, ERR_ENVIRONMENT, STR_FMT ": %s: %s%s; it said: " STR_FMT,
            STR_ARG(job->installation->python), job->script, how.at,
            end->timed_out ? " after its deadline" : "",
            STR_ARG(str_sub(said, said.n - MIN(said.n, (size_t)SAID_MAX), said.n)));
    strbuf_done(&how);
    return false;
}

bool offline_answer(const struct offline_job *job, struct arena *a, struct str *answer,
                    struct err *e)
{
    struct offline_job whole = *job;
    struct offline_run *run;
    whole.output_max = OFFLINE_ANSWER_MAX;
    if (!offline_run(&whole, &run, e))
        return false;
    const struct process_end *end = offline_end(run);
    bool ok = check_end(&whole, end, e);
    *answer = ok ? (struct str){str_dup(a, end->out), end->out.n} : (struct str){0};
    offline_close(run);
    return ok;
}
