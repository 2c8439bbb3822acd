/* Children: how they end, what they inherit, that none escapes. */
#include "os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/test.h"

static int leave_with_seven(void *ctx)
{
    (void)ctx;
    return 7;
}

static int die_of_segv(void *ctx)
{
    (void)ctx;
    signal(SIGSEGV, SIG_DFL);
    return raise(SIGSEGV);
}

static int abort_now(void *ctx)
{
    (void)ctx;
    abort();
}

/* Hangs until it is killed; it writes when the hang begins, and the deadline counts from then. */
static int hang(void *ctx)
{
    (void)ctx;
    if (write(1, "h", 1) < 0)
        return 1;
    while (pause() != 0) {
    }
    return 0;
}

static int hang_stubbornly(void *ctx)
{
    signal(SIGTERM, SIG_IGN);
    return hang(ctx);
}

static int stop_oneself(void *ctx)
{
    sigset_t ends;
    (void)ctx;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM); /* the child may be killed before it ignores the signal */
    sigprocmask(SIG_BLOCK, &ends, NULL);
    if (write(1, "h", 1) < 0)
        return 1;
    return raise(SIGSTOP);
}

static int flood(void *ctx)
{
    char block[4096];
    (void)ctx;
    memset(block, 'x', sizeof block);
    for (int i = 0; i < 1000; i++)
        if (write(1, block, sizeof block) < 0)
            return 1;
    return 0;
}

static int leave_a_child_in_the_group(void *ctx)
{
    (void)ctx;
    if (fork() == 0)
        hang(NULL);
    return 0;
}

static const struct {
    const char *name;
    int (*entry)(void *ctx);
    bool exited, timed_out, flooded, flood_kills;
    int code, signo;
} ends[] = {
    {"exit code", leave_with_seven, .exited = true, .code = 7},
    {"segmentation fault", die_of_segv, .signo = SIGSEGV},
    {"abort", abort_now, .signo = SIGABRT},
    {"hang", hang, .timed_out = true, .signo = SIGTERM},
    {"hang that ignores SIGTERM", hang_stubbornly, .timed_out = true, .signo = SIGKILL},
    {"stopped", stop_oneself, .timed_out = true, .signo = SIGKILL},
    {"flood", flood, .exited = true, .flooded = true},
    {"flood that is stopped", flood, .flooded = true, .flood_kills = true, .signo = SIGKILL},
    {"streams held open by a descendant", leave_a_child_in_the_group, .exited = true},
};

static void keep_end(void *ctx, struct process *p, const struct process_end *end)
{
    (void)p;
    *(struct process_end *)ctx = *end;
}

/* The streams of *end live as long as the process. */
static struct process *run_to_its_end(struct loop *loop, const struct process_spec *spec,
                                      bool hangs, struct process_end *end)
{
    struct process *p;
    struct err e;
    *end = (struct process_end){0};
    if (!process_open(loop, spec, keep_end, end, &p, &e))
        fail_msg("%s", e.text);
    while (hangs && !process_output(p, false).n)
        assert_true(loop_turn(loop, LOOP_FOREVER, &e));
    if (hangs)
        process_set_deadline(p, 80);
    assert_true(loop_run(loop, &e));
    return p;
}

static void each_end_is_told_apart(void **state)
{
    struct loop *loop;
    struct err e;
    (void)state;
    assert_true(loop_open(&loop, &e));
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        struct process_end end;
        struct process_spec spec = {.entry = ends[i].entry,
                                    .out = PROCESS_CAPTURE,
                                    .err = PROCESS_CAPTURE,
                                    .output_max = 1 << 16,
                                    .flood_kills = ends[i].flood_kills,
                                    .grace_ms = ends[i].signo == SIGKILL ? 80 : 60000};
        struct process *p = run_to_its_end(loop, &spec, ends[i].timed_out, &end);
        ASSERT_ROW(end.exited == ends[i].exited, ends[i].name);
        ASSERT_ROW(end.exit_code == ends[i].code, ends[i].name);
        ASSERT_ROW(end.signo == ends[i].signo, ends[i].name);
        ASSERT_ROW(end.timed_out == ends[i].timed_out, ends[i].name);
        ASSERT_ROW(end.flooded == ends[i].flooded, ends[i].name);
        ASSERT_ROW(end.out.n <= 1 << 16, ends[i].name);
        ASSERT_ROW(end.usage.wall_ns > 0 && end.usage.peak_bytes > 0, ends[i].name);
        process_close(p);
    }
    loop_close(loop);
}

static void a_program_gets_its_arguments_variables_folder_and_input(void **state)
{
    static const char *const argv[] = {"sh", "-c", "cat; echo $0 $A; pwd; env | wc -l; echo e >&2",
                                       "zero", NULL};
    static const char *const env[] = {"A=1", "B=2", NULL};
    struct arena a;
    struct process_end end;
    struct err e;
    struct process_spec spec = {.program = "/bin/sh",
                                .argv = argv,
                                .env = env,
                                .folder = "/usr",
                                .input = STR("in\n"),
                                .out = PROCESS_CAPTURE,
                                .err = PROCESS_CAPTURE,
                                .output_max = 4096};
    (void)state;
    arena_init(&a);
    assert_true(process_run(&spec, &a, &end, &e));
    assert_true(end.exited && end.exit_code == 0);
    assert_string_equal(end.out.at, "in\nzero 1\n/usr\n3\n"); /* the shell adds PWD */
    assert_string_equal(end.err.at, "e\n");
    arena_done(&a);
}

static void a_failing_step_is_named_with_its_errno(void **state)
{
    static const char *const argv[] = {"x", NULL};
    static const struct {
        const char *program, *folder, *message;
    } rows[] = {
        {"/proc/nonexistent/program", NULL,
         "/proc/nonexistent/program: cannot run the program: No such file or directory"},
        {"/usr", NULL, "/usr: cannot run the program: Permission denied"},
        {"/bin/true", "/proc/nonexistent",
         "/bin/true: cannot enter the working folder: No such file or directory"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct process_end end;
        struct err e;
        struct process_spec spec = {
            .program = rows[i].program, .argv = argv, .folder = rows[i].folder};
        arena_init(&a);
        ASSERT_ROW(!process_run(&spec, &a, &end, &e), rows[i].message);
        assert_string_equal(e.text, rows[i].message);
        arena_done(&a);
    }
}

static void injected_failures_are_reported(void **state)
{
    static const struct {
        const char *fault, *message;
    } rows[] = {
        {"fork:1", "/proc/self/exe: cannot make a process: Input/output error"},
        {"pipe:1", "cannot make a pipe for a child: Input/output error"},
        {"exec:1", "/proc/self/exe: cannot run the program: Input/output error"},
        {"read:1", "/proc/self/exe: cannot run the program: Input/output error"},
        {"wait:1", "killed"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char variable[64];
        struct arena a;
        struct process_end end;
        struct err e;
        const char *program = "/proc/self/exe";
        const char *argv[] = {program, "--one-fault", NULL};
        const char *env[] = {variable, "ASAN_OPTIONS=detect_leaks=0", NULL};
        struct process_spec spec = {.argv = argv,
                                    .env = env,
                                    .out = PROCESS_CAPTURE,
                                    .err = PROCESS_CAPTURE,
                                    .output_max = 4096};
        snprintf(variable, sizeof variable, "FAULT=%s", rows[i].fault);
        arena_init(&a);
        ASSERT_ROW(process_run(&spec, &a, &end, &e), rows[i].fault);
        if (!str_eq(end.err, str_of(rows[i].message)))
            fail_msg("%s: %s", rows[i].fault, end.err.at);
        arena_done(&a);
    }
}

static int list_descriptors(void *ctx)
{
    (void)ctx;
    for (int fd = 0; fd < 256; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            printf("%d ", fd);
    fflush(stdout);
    return 0;
}

static void only_passed_descriptors_are_inherited(void **state)
{
    struct arena a;
    struct process_end end;
    struct err e;
    int pair[2], stray = open("/dev/null", O_RDONLY);
    (void)state;
    assert_int_equal(pipe(pair), 0);
    /* each wants the number that the other has */
    struct process_fd fds[] = {{pair[0], pair[1]}, {pair[1], pair[0]}};
    struct process_spec spec = {.entry = list_descriptors,
                                .out = PROCESS_CAPTURE,
                                .output_max = 4096,
                                .fds = fds,
                                .n_fds = 2};
    arena_init(&a);
    assert_true(process_run(&spec, &a, &end, &e));
    char expected[64];
    snprintf(expected, sizeof expected, "0 1 2 %d %d ", pair[0], pair[1]);
    assert_string_equal(end.out.at, expected);
    close(pair[0]);
    close(pair[1]);
    close(stray);
    arena_done(&a);
}

/* A page in which the descendants write their pids. */
struct shared {
    volatile int child, grandchild;
};

static int fork_twice(void *ctx)
{
    struct shared *shared = ctx;
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            shared->grandchild = getpid();
            hang(NULL);
        }
        _exit(0);
    }
    while (!shared->grandchild)
        usleep(100);
    return 0;
}

static bool is_gone(int pid)
{
    return kill(pid, 0) != 0 && errno == ESRCH;
}

static void count_end(void *ctx, struct process *p, const struct process_end *end)
{
    (void)p, (void)end;
    ++*(int *)ctx;
}

static void a_double_fork_does_not_escape(void **state)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct loop *loop;
    struct process *p;
    struct err e;
    int n_ends = 0;
    struct process_spec spec = {.entry = fork_twice, .entry_ctx = shared};
    (void)state;
    assert_true(process_become_subreaper(&e) && loop_open(&loop, &e));
    assert_true(process_open(loop, &spec, count_end, &n_ends, &p, &e));
    assert_true(loop_run(loop, &e));
    assert_int_equal(n_ends, 1);
    assert_false(is_gone(shared->grandchild));
    assert_true(process_reap_orphans(loop) >= 1);
    assert_true(is_gone(shared->grandchild));
    process_close(p);
    loop_close(loop);
    munmap(shared, sizeof *shared);
}

/* The signal that ended a child that became ours by its parent's end; -1: it ran for 20 s. */
static int signal_of_orphan(int pid)
{
    int status = 0;
    for (int i = 0; i < 20000; i++) {
        if (waitpid(pid, &status, WNOHANG) == pid)
            return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        usleep(1000);
    }
    return -1;
}

static int fork_and_leave(void *ctx)
{
    struct shared *shared = ctx;
    int pid = fork();
    if (pid == 0)
        hang(NULL);
    shared->grandchild = pid;
    return 0;
}

/* A member of the group that holds no stream and gets no signal of its own. */
static void the_group_ends_with_its_leader(void **state)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct loop *loop;
    struct process *p;
    struct err e;
    int n_ends = 0;
    struct process_spec spec = {
        .entry = fork_and_leave, .entry_ctx = shared, .out = PROCESS_NULL, .err = PROCESS_NULL};
    (void)state;
    assert_true(process_become_subreaper(&e) && loop_open(&loop, &e));
    assert_true(process_open(loop, &spec, count_end, &n_ends, &p, &e));
    assert_true(loop_run(loop, &e));
    assert_int_equal(n_ends, 1);
    assert_int_equal(signal_of_orphan(shared->grandchild), SIGKILL);
    process_close(p);
    loop_close(loop);
    munmap(shared, sizeof *shared);
}

static int fork_and_wait(void *ctx)
{
    fork_and_leave(ctx);
    while (pause() != 0) {
    }
    return 0;
}

/* A pid that a worker sends gets a signal only if it is a child of the worker. */
static void only_a_child_of_the_process_is_signalled(void **state)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct loop *loop;
    struct process *p, *other;
    struct err e;
    struct process_spec spec = {
        .entry = fork_and_wait, .entry_ctx = shared, .out = PROCESS_NULL, .err = PROCESS_NULL};
    struct process_spec alone = {.entry = hang, .out = PROCESS_NULL, .err = PROCESS_NULL};
    (void)state;
    assert_true(process_become_subreaper(&e) && loop_open(&loop, &e));
    assert_true(process_open(loop, &spec, NULL, NULL, &p, &e));
    assert_true(process_open(loop, &alone, NULL, NULL, &other, &e));
    for (int i = 0; !shared->grandchild && i < 20000; i++)
        usleep(1000);
    process_signal_child(p, process_pid(other), SIGKILL);
    process_signal_child(other, shared->grandchild, SIGKILL);
    process_signal_child(p, process_pid(p), SIGKILL);
    process_signal_child(p, 1, SIGKILL);
    usleep(20000);
    assert_true(waitpid(process_pid(other), NULL, WNOHANG) == 0);
    assert_true(waitpid(process_pid(p), NULL, WNOHANG) == 0);
    assert_false(is_gone(shared->grandchild));
    process_signal_child(p, shared->grandchild, SIGKILL);
    process_close(p); /* the child's descendants become our children */
    assert_int_equal(signal_of_orphan(shared->grandchild), SIGKILL);
    process_close(other);
    loop_close(loop);
    munmap(shared, sizeof *shared);
}

static void closing_kills_and_does_not_call_back(void **state)
{
    struct loop *loop;
    struct process *p;
    struct err e;
    int n_ends = 0;
    struct process_spec spec = {.entry = hang_stubbornly, .out = PROCESS_CAPTURE};
    (void)state;
    assert_true(loop_open(&loop, &e));
    assert_true(process_open(loop, &spec, count_end, &n_ends, &p, &e));
    int pid = process_pid(p);
    assert_true(process_is_alive(p));
    process_close(p);
    assert_true(is_gone(pid));
    assert_int_equal(loop_n_watches(loop), 0);
    assert_true(loop_run(loop, &e));
    assert_int_equal(n_ends, 0);
    loop_close(loop);
}

static void a_child_dies_with_its_parent(void **state)
{
    static const char *const argv[] = {"assay-test", "--orphan", NULL};
    static const char *const env[] = {"ASAN_OPTIONS=detect_leaks=0", NULL};
    struct arena a;
    struct process_end end;
    struct err e;
    struct process_spec spec = {
        .argv = argv, .env = env, .out = PROCESS_CAPTURE, .output_max = 64, .deadline_ms = 20000};
    int64_t pid;
    int status;
    (void)state;
    arena_init(&a);
    assert_true(process_become_subreaper(&e));
    assert_true(process_run(&spec, &a, &end, &e));
    assert_true(str_to_i64(end.out, &pid));
    assert_int_equal(waitpid((pid_t)pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    arena_done(&a);
}

static void programs_are_found_on_the_path(void **state)
{
    struct arena a;
    struct err e;
    const char *path;
    (void)state;
    arena_init(&a);
    assert_true(process_find_program("sh", &a, &path, &e));
    assert_non_null(strstr(path, "/sh"));
    assert_false(process_find_program("no-such-program", &a, &path, &e));
    assert_string_equal(e.text, "no-such-program: no such program on the PATH");
    assert_false(process_find_program("/etc/passwd", &a, &path, &e));
    arena_done(&a);
}

TEST_SUITE(os_process, TEST(each_end_is_told_apart),
           TEST(a_program_gets_its_arguments_variables_folder_and_input),
           TEST(a_failing_step_is_named_with_its_errno), TEST(injected_failures_are_reported),
           TEST(only_passed_descriptors_are_inherited), TEST(a_double_fork_does_not_escape),
           TEST(the_group_ends_with_its_leader), TEST(only_a_child_of_the_process_is_signalled),
           TEST(closing_kills_and_does_not_call_back), TEST(a_child_dies_with_its_parent),
           TEST(programs_are_found_on_the_path))
