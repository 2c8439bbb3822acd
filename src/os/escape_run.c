/*
 * Decides whether an escape attempt was held: sets the scene, starts a worker's process as the
 * caller says, which makes the attempt in a child as a case's process would, and compares errno,
 * figure, deadline or reaping with the row. Must not know how a layer works, nor how a worker is
 * started. An attempt is made only when a layer that should stop it is on.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "os/escape_p.h"
#include "os/fork.h"
#include "os/probe.h"
#include "os/process.h"
#include "os/scratch.h"

enum {
    ATTEMPT_DEADLINE_MS = 60000,
    ATTEMPT_HANG_MS = 150, /* deadline, from the hang on, of attempts that must be killed */
    ATTEMPT_GRACE_MS = 50,
    OUTPUT_MAX = 1 << 20,
    ATTEMPT_WORDS = 7, /* arguments that describe a scene */
    WRONG_WORDS = 64
};

struct stage {
    struct arena a;
    const struct probe_worker *worker;
    struct loop *loop;
    struct process *sibling, *child;
    struct escape_scene scene;
    struct scratch *foreign; /* holds `outside`, on the file system of the worker's scratch */
    size_t at;
    const struct escape_row *row;
    struct process_end end;
    bool ended;
};

static const char *const verdict_names[] = {[PROBE_HELD] = "held",
                                            [PROBE_BOUNDED] = "bounded",
                                            [PROBE_ESCAPED] = "escaped",
                                            [PROBE_WRONG_ERROR] = "wrong error",
                                            [PROBE_NOT_COVERED] = "not held"};

size_t probe_n_escapes(void)
{
    return escape__n_rows;
}

const char *probe_escape_name(size_t at)
{
    return escape__rows[at].name;
}

const char *probe_verdict_name(enum probe_verdict v)
{
    return verdict_names[v];
}

/* The worker's side ----------------------------------------------------------------------------*/

static bool read_number(const char *text, int *out)
{
    int64_t n;
    bool ok = str_to_i64(str_of(text), &n);
    *out = ok ? (int)n : 0;
    return ok;
}

/* Waits for the child and ends what it left behind, as a worker does with the child of a case. */
static int wait_as_worker(int pid)
{
    struct process_end end;
    struct err e;
    if (!fork_wait(pid, &end, &e) || !fork_end_orphans(&e))
        return WRONG_WORDS;
    if (!end.exited && end.signo == SIGKILL)
        escape__say(2, ESCAPE_KILLED);
    if (waitpid(-1, NULL, WNOHANG) != -1) /* a descendant is still there */
        escape__say(2, ESCAPE_OUT);
    return end.exited ? end.exit_code : 0;
}

int probe_attempt_main(int argc, char *const *argv)
{
    struct escape_scene scene;
    struct err e;
    int at, pid;
    if (argc != ATTEMPT_WORDS || !read_number(argv[0], &at) || at < 0 ||
        (size_t)at >= escape__n_rows || !read_number(argv[4], &scene.parent_pid) ||
        !read_number(argv[5], &scene.sibling_pid) || !read_number(argv[6], &scene.open_fd))
        return WRONG_WORDS;
    scene.scratch = argv[1];
    scene.outside = argv[2];
    scene.home = argv[3];
    signal(SIGTERM, SIG_IGN); /* a child that ignores it must be killed, not this worker ended */
    if (!fork_adopt_orphans(&e) || !fork_child(&pid, &e))
        return WRONG_WORDS;
    if (pid == 0) {
        escape__say(2, escape__rows[at].attempt(&scene));
        fork_exit(0);
    }
    return wait_as_worker(pid);
}

/* The stage ------------------------------------------------------------------------------------*/

static int wait_for_end(void *ctx)
{
    (void)ctx;
    while (pause() != 0) {
    }
    return 0;
}

/* Its mode lets all users in, so that only a layer can hold what is tried there. */
static bool make_outside(struct stage *stage, const char **out, struct err *e)
{
    const struct str secret = STR("secret");
    if (!scratch_open(&stage->foreign, e) || !scratch_make_dir(stage->foreign, "outside", e) ||
        !scratch_put(stage->foreign, "outside/canary", &secret, 1, e))
        return false;
    const char *root = scratch_path(stage->foreign);
    *out = path_join(&stage->a, root, "outside");
    return (chmod(root, 0777) == 0 && chmod(*out, 0777) == 0 &&
            chmod(path_join(&stage->a, *out, "canary"), 0666) == 0) ||
           err_errno(e, ERR_IO, "%s: cannot change its rights", *out);
}

static bool build_scene(struct stage *stage, struct err *e)
{
    const char *outside;
    if (!make_outside(stage, &outside, e))
        return false;
    struct process_spec sibling = {.entry = wait_for_end};
    if (!process_open(stage->loop, &sibling, NULL, NULL, &stage->sibling, e))
        return false;
    int fd = open("/dev/null", O_RDONLY);
    if (fd < 0)
        return err_errno(e, ERR_IO, "/dev/null: cannot open");
    setenv(ESCAPE_VARIABLE, "secret", 1);
    const char *home = getenv("HOME");
    stage->scene = (struct escape_scene){
        .scratch = stage->worker->folder,
        .outside = outside,
        .home = home && home[0] ? home : "/",
        .parent_pid = getpid(),
        .sibling_pid = process_pid(stage->sibling),
        .open_fd = fd,
    };
    return true;
}

static void on_child_end(void *ctx, struct process *p, const struct process_end *end)
{
    struct stage *stage = ctx;
    (void)p;
    stage->end = *end;
    stage->ended = true;
    loop_stop(stage->loop);
}

/* The words of struct probe_worker, then those that probe_attempt_main reads. */
static const char *const *command_line(struct stage *stage)
{
    const struct escape_scene *s = &stage->scene;
    struct arena *a = &stage->a;
    size_t n = 0;
    while (stage->worker->words[n])
        n++;
    const char **argv = arena_new_array(a, const char *, n + ATTEMPT_WORDS + 1);
    memcpy(argv, stage->worker->words, n * sizeof *argv);
    const char *const words[ATTEMPT_WORDS] = {
        arena_printf(a, "%zu", stage->at),
        s->scratch,
        s->outside,
        s->home,
        arena_printf(a, "%d", s->parent_pid),
        arena_printf(a, "%d", s->sibling_pid),
        arena_printf(a, "%d", s->open_fd),
    };
    memcpy(argv + n, words, sizeof words);
    argv[n + ATTEMPT_WORDS] = NULL;
    return argv;
}

static bool run_child(struct stage *stage, struct err *e)
{
    bool hangs = stage->row->proof == ESCAPE_BY_DEADLINE;
    const struct probe_worker *d = stage->worker;
    struct process_spec spec = {
        .program = d->program,
        .argv = command_line(stage),
        .env = d->env,
        .folder = d->folder,
        .out = PROCESS_CAPTURE,
        .err = PROCESS_CAPTURE,
        .output_max = OUTPUT_MAX,
        .deadline_ms = ATTEMPT_DEADLINE_MS,
        .grace_ms = ATTEMPT_GRACE_MS,
        .sandbox = d->plan,
    };
    if (!process_open(stage->loop, &spec, on_child_end, stage, &stage->child, e))
        return false;
    while (!stage->ended) {
        if (!loop_turn(stage->loop, LOOP_FOREVER, e))
            return false;
        if (hangs && process_output(stage->child, false).n) {
            process_set_deadline(stage->child, ATTEMPT_HANG_MS);
            hangs = false;
        }
    }
    return true;
}

/* Judging --------------------------------------------------------------------------------------*/

/* Is the layer on for this attempt? A group counts memory, tasks or both; its mode does not say. */
static bool is_on(const struct stage *stage, const struct escape_stop *stop)
{
    const struct sandbox_plan *plan = stage->worker->plan;
    const struct sandbox_facts facts = sandbox_plan_facts(plan);
    enum sandbox_mode mode = sandbox_plan_state(plan)->layer[stop->layer].mode;
    if (stop->layer == SANDBOX_CGROUP)
        return stop->error == ESCAPE_KILLED ? facts.counts_memory : facts.counts_processes;
    return stop->needs_complete ? mode == SANDBOX_ON : mode != SANDBOX_OFF;
}

static const struct escape_stop *find_stop(const struct stage *stage, int error, bool any)
{
    for (size_t i = 0; i < ESCAPE_STOPS_MAX && stage->row->stops[i].error; i++)
        if (is_on(stage, &stage->row->stops[i]) && (any || stage->row->stops[i].error == error))
            return &stage->row->stops[i];
    return NULL;
}

/* Finds the last number: the attempt writes one, and one of the worker after it overrules that. */
static bool last_number(struct str text, int64_t *out)
{
    struct str line;
    bool any = false;
    while (str_split(&text, '\n', &line))
        any |= str_to_i64(line, out);
    return any;
}

/* Removes the attempt's file in home. In its own root folder a process may have written to a folder
 * that only has home's name: then there is none. */
static bool take_trace(const struct stage *stage)
{
    struct arena a;
    arena_init(&a);
    bool was_there = unlink(path_join(&a, stage->scene.home, ESCAPE_TRACE)) == 0;
    arena_done(&a);
    return was_there;
}

static int result_of(const struct stage *stage, bool *told)
{
    int64_t got = ESCAPE_OUT;
    bool killed = !stage->end.exited && stage->end.signo == SIGKILL && !stage->end.timed_out;
    *told = last_number(stage->end.err, &got);
    if (!*told && killed) {
        *told = true;
        return ESCAPE_KILLED;
    }
    if (stage->row->proof == ESCAPE_BY_TRACE && got == ESCAPE_OUT && !take_trace(stage))
        return ESCAPE_HELD;
    return (int)got;
}

static const char *error_name(int error)
{
    return error == ESCAPE_HELD     ? "held"
           : error == ESCAPE_KILLED ? "killed"
           : error == ESCAPE_OUT    ? "out"
                                    : strerror(error);
}

static void judge_errno(const struct stage *stage, struct probe_outcome *out)
{
    bool told;
    int got = result_of(stage, &told);
    const struct escape_stop *stop = told ? find_stop(stage, got, false) : NULL;
    out->got = got;
    out->verdict = stop                        ? PROBE_HELD
                   : told && got == ESCAPE_OUT ? PROBE_ESCAPED
                                               : PROBE_WRONG_ERROR;
    if (stop) {
        out->layer = stop->layer;
        snprintf(out->detail, sizeof out->detail, "%s: %s", sandbox_layer_name(stop->layer),
                 error_name(got));
    } else if (told) {
        snprintf(out->detail, sizeof out->detail, "%s", error_name(got));
    } else {
        struct strbuf how = {0};
        process_end_print(&stage->end, &how);
        snprintf(out->detail, sizeof out->detail, "the attempt ended by %s " STR_FMT, how.at,
                 STR_ARG(str_sub(str_trim(stage->end.err), 0, 100)));
        strbuf_done(&how);
    }
}

static void judge_bound(const struct stage *stage, struct probe_outcome *out)
{
    int64_t figure = 0;
    judge_errno(stage, out);
    if (out->verdict != PROBE_HELD)
        return;
    last_number(stage->end.out, &figure);
    out->verdict = PROBE_BOUNDED;
    out->figure = figure;
    snprintf(out->detail, sizeof out->detail, "%s: %s at %lld", sandbox_layer_name(out->layer),
             error_name(out->got), (long long)figure);
}

static void judge_deadline(const struct stage *stage, struct probe_outcome *out)
{
    bool killed = stage->end.timed_out && !stage->end.exited && stage->end.signo == SIGKILL;
    out->verdict = killed ? PROBE_HELD : PROBE_ESCAPED;
    snprintf(out->detail, sizeof out->detail, "%s",
             killed ? "killed at its deadline" : "it ended by itself before its deadline");
}

static void judge(const struct stage *stage, struct probe_outcome *out)
{
    static void (*const judges[])(const struct stage *, struct probe_outcome *) = {
        [ESCAPE_BY_ERRNO] = judge_errno,       [ESCAPE_BY_BOUND] = judge_bound,
        [ESCAPE_BY_DEADLINE] = judge_deadline, [ESCAPE_BY_TRACE] = judge_errno,
        [ESCAPE_BY_REAPING] = judge_errno, /* the worker's number, written after it has reaped */
    };
    judges[stage->row->proof](stage, out);
}

bool probe_escape_run(size_t at, const struct probe_worker *worker, struct probe_outcome *out,
                      struct err *e)
{
    struct stage stage = {
        .worker = worker, .at = at, .row = &escape__rows[at], .scene = {.open_fd = -1}};
    arena_init(&stage.a);
    *out = (struct probe_outcome){.verdict = PROBE_NOT_COVERED};
    bool covered = find_stop(&stage, 0, true) != NULL;
    bool ok = !covered || (process_become_subreaper(e) && loop_open(&stage.loop, e) &&
                           build_scene(&stage, e) && run_child(&stage, e));
    if (ok && covered)
        judge(&stage, out);
    else if (ok) /* not attempted: nothing would stop a bomb */
        snprintf(out->detail, sizeof out->detail, "no layer that stops it is on");
    process_close(stage.child);
    process_close(stage.sibling);
    loop_close(stage.loop);
    if (stage.scene.open_fd >= 0)
        close(stage.scene.open_fd);
    scratch_close(stage.foreign);
    arena_done(&stage.a);
    return ok;
}
