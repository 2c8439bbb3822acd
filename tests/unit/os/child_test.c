/* What the test program does when a test starts it as a child. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "os/inside.h"
#include "os/process.h"
#include "os/scratch.h"
#include "unit/test.h"

static int end_at_once(void *ctx)
{
    (void)ctx;
    return 0;
}

/* Run with FAULT in the environment: the first process must fail or count as killed; the message
 * goes to stderr. */
static int one_fault(void)
{
    struct arena a;
    struct process_end end;
    struct err e;
    struct process_spec spec = {.entry = end_at_once};
    arena_init(&a);
    bool ok = process_run(&spec, &a, &end, &e);
    bool killed = ok && !end.exited && end.signo == SIGKILL;
    fprintf(stderr, "%s", killed ? "killed" : ok ? "no failure" : e.text);
    arena_done(&a);
    return ok;
}

/* Run with FAULT in the environment: the first read of a file fails by the machine, the second does
 * not. */
static int scratch_fault(void)
{
    const struct str text = STR("x");
    struct scratch *s;
    struct arena a;
    struct str got;
    struct err e;
    arena_init(&a);
    if (!scratch_open(&s, &e) || !scratch_put(s, "x", &text, 1, &e))
        return 1;
    bool ok = !scratch_get(s, "x", 9, &a, &got, &e) && e.code == ERR_IO &&
              scratch_get(s, "x", 9, &a, &got, &e) && str_is(got, "x");
    scratch_close(s);
    arena_done(&a);
    return !ok;
}

static int wait_forever(void *ctx)
{
    (void)ctx;
    while (pause() != 0) {
    }
    return 0;
}

/* Leaves a child behind without closing it. */
static int orphan(void)
{
    struct loop *loop;
    struct process *p;
    struct err e;
    struct process_spec spec = {.entry = wait_forever};
    if (!loop_open(&loop, &e) || !process_open(loop, &spec, NULL, NULL, &p, &e))
        return 1;
    printf("%d", process_pid(p));
    fflush(stdout);
    _exit(0);
}

int test_child(int argc, char **argv)
{
    int code;
    if (inside_main(argc, argv, &code))
        return code;
    if (strcmp(argv[1], "--one-fault") == 0)
        return one_fault();
    if (strcmp(argv[1], "--scratch-fault") == 0)
        return scratch_fault();
    if (strcmp(argv[1], "--orphan") == 0)
        return orphan();
    return 99;
}
