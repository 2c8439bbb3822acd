/*
 * Decides whether an escape attempt was held: sets the scene, runs the attempt in a child under
 * every layer that the machine offers, compares errno, deadline or reaping with the row. Must not
 * know how a layer works. An attempt is made only when a layer that should stop it is on.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "os/escape_p.h"
#include "os/probe.h"
#include "os/process.h"

enum {
    ATTEMPT_DEADLINE_MS = 20000,
    ATTEMPT_HANG_MS = 150, /* of attempts whose proof is that they are killed, once they hang */
    ATTEMPT_GRACE_MS = 50
};

struct stage {
    struct arena a;
    struct loop *loop;
    struct process *sibling, *child;
    struct sandbox_plan *plan;
    struct escape_scene scene;
    const char *root;
    const struct escape_row *row;
    struct process_end end;
    bool ended;
};

static const char *const verdict_names[] = {[PROBE_HELD] = "held",
                                            [PROBE_ESCAPED] = "escaped",
                                            [PROBE_WRONG_ERROR] = "wrong error",
                                            [PROBE_NOT_COVERED] = "not covered"};

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

static int wait_for_end(void *ctx)
{
    (void)ctx;
    while (pause() != 0) {
    }
    return 0;
}

static int run_attempt(void *ctx)
{
    const struct stage *stage = ctx;
    escape__say(2, stage->row->attempt(&stage->scene));
    return 0;
}

static bool build_scene(struct stage *stage, struct err *e)
{
    struct arena *a = &stage->a;
    if (!file_make_temp_dir(a, "assay-escape", &stage->root, e))
        return false;
    const char *scratch = path_join(a, stage->root, "scratch");
    const char *outside = path_join(a, stage->root, "outside");
    const char *canary = path_join(a, outside, "canary");
    if (!file_make_dirs(scratch, e) || !file_make_dirs(outside, e) ||
        !file_write(canary, "secret", 6, e))
        return false;
    struct process_spec sibling = {.entry = wait_for_end};
    if (!process_open(stage->loop, &sibling, NULL, NULL, &stage->sibling, e))
        return false;
    int fd = open("/dev/null", O_RDONLY);
    if (fd < 0)
        return err_errno(e, ERR_IO, "/dev/null: cannot open");
    const char *home = getenv("HOME");
    stage->scene = (struct escape_scene){
        .scratch = scratch,
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

static bool open_plan(struct stage *stage, struct err *e)
{
    struct sandbox_policy policy = sandbox_policy_default();
    policy.writable = &stage->scene.scratch;
    policy.n_writable = 1;
    policy.limits = (struct sandbox_limits){.file_bytes = ESCAPE_FILE_BYTES,
                                            .memory_bytes = ESCAPE_MEMORY_BYTES,
                                            .address_bytes = UINT64_C(1) << 45,
                                            .n_files = 64};
    return sandbox_plan_open(&policy, &stage->plan, e);
}

static bool run_child(struct stage *stage, struct err *e)
{
    bool hangs = stage->row->proof == ESCAPE_BY_DEADLINE;
    struct process_spec spec = {
        .entry = run_attempt,
        .entry_ctx = stage,
        .out = PROCESS_CAPTURE,
        .err = PROCESS_CAPTURE,
        .output_max = 4096,
        .deadline_ms = ATTEMPT_DEADLINE_MS,
        .grace_ms = ATTEMPT_GRACE_MS,
        .sandbox = stage->plan,
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

static bool is_covered(const struct stage *stage)
{
    const struct sandbox_state *state = sandbox_plan_state(stage->plan);
    for (int i = 0; i < SANDBOX_N_LAYERS; i++)
        if (stage->row->stopped_by & SANDBOX_BIT(i) && state->layer[i].mode != SANDBOX_OFF)
            return true;
    return false;
}

static void judge_errno(const struct stage *stage, struct probe_outcome *out)
{
    int64_t got;
    if (!stage->end.exited || !str_to_i64(stage->end.err, &got)) {
        struct strbuf how = {0};
        process_end_print(&stage->end, &how);
        out->verdict = PROBE_WRONG_ERROR;
        snprintf(out->detail, sizeof out->detail, "the attempt ended by %s", how.at);
        strbuf_done(&how);
        return;
    }
    int expected = stage->row->expected ? stage->row->expected : ESCAPE_HELD;
    out->got = (int)got;
    out->verdict = got == expected ? PROBE_HELD : got == 0 ? PROBE_ESCAPED : PROBE_WRONG_ERROR;
    if (out->verdict == PROBE_WRONG_ERROR)
        snprintf(out->detail, sizeof out->detail, "%s instead of %s", strerror((int)got),
                 strerror(expected));
}

static void judge_deadline(const struct stage *stage, struct probe_outcome *out)
{
    bool killed = stage->end.timed_out && !stage->end.exited && stage->end.signo == SIGKILL;
    out->verdict = killed ? PROBE_HELD : PROBE_ESCAPED;
    if (!killed)
        snprintf(out->detail, sizeof out->detail, "it ended by itself before its deadline");
}

static void judge_reaping(const struct stage *stage, struct probe_outcome *out)
{
    int64_t pid;
    if (!str_to_i64(stage->end.out, &pid)) {
        out->verdict = PROBE_WRONG_ERROR;
        snprintf(out->detail, sizeof out->detail, "no grandchild was made");
        return;
    }
    process_reap_orphans(stage->loop);
    out->verdict = kill((pid_t)pid, 0) != 0 && errno == ESRCH ? PROBE_HELD : PROBE_ESCAPED;
}

static void judge(const struct stage *stage, struct probe_outcome *out)
{
    static void (*const judges[])(const struct stage *, struct probe_outcome *) = {
        [ESCAPE_BY_ERRNO] = judge_errno,
        [ESCAPE_BY_DEADLINE] = judge_deadline,
        [ESCAPE_BY_REAPING] = judge_reaping,
    };
    judges[stage->row->proof](stage, out);
}

bool probe_escape_run(size_t at, struct probe_outcome *out, struct err *e)
{
    struct stage stage = {.row = &escape__rows[at], .scene = {.open_fd = -1}};
    struct err ignored;
    arena_init(&stage.a);
    *out = (struct probe_outcome){.verdict = PROBE_NOT_COVERED};
    bool ok = process_become_subreaper(e) && loop_open(&stage.loop, e) && build_scene(&stage, e) &&
              open_plan(&stage, e);
    bool covered = ok && is_covered(&stage);
    ok = ok && (!covered || run_child(&stage, e));
    if (ok && covered)
        judge(&stage, out);
    else if (ok) /* a bomb that nothing stops is not set off */
        snprintf(out->detail, sizeof out->detail, "no layer that stops it is on");
    process_close(stage.child);
    process_close(stage.sibling);
    sandbox_plan_close(stage.plan);
    loop_close(stage.loop);
    if (stage.scene.open_fd >= 0)
        close(stage.scene.open_fd);
    if (stage.root && !file_remove_tree(stage.root, &ignored))
        err_clear(&ignored);
    arena_done(&stage.a);
    return ok;
}
