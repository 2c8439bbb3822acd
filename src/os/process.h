/*
 * struct process: a child process in a session of its own, watched by the loop.
 *
 *     static const char *const argv[] = {"python3", "-c", "print(7)", NULL};
 *     struct process_spec spec = {.program = "/usr/bin/python3", .argv = argv,
 *                                 .out = PROCESS_CAPTURE, .output_max = 1 << 16,
 *                                 .deadline_ms = 5000, .grace_ms = 500};
 *     struct process *p;
 *     if (!process_open(loop, &spec, on_end, ctx, &p, e)) ...   // also when exec fails: the
 * message
 *                                                               // names the step and its errno
 *     ...                                                       // on_end(ctx, p, &end), once
 *     process_close(p);                                         // any time; kills what still lives
 *
 * The child is set up in a fixed order: new session, death signal, signal state, descriptors,
 * folder, sandbox, exec; a step that fails is reported through a pipe that exec closes. It inherits
 * no descriptor but 0, 1, 2 and those passed, and no variable but those in env. Signals go to its
 * whole group; when the leader ends, what is left of the group is killed. Past its deadline it gets
 * SIGTERM, then SIGKILL. A process that is stopped counts as running, so its deadline ends it too.
 *
 * Crash, hang and flood are results (struct process_end), not errors.
 */
#ifndef OS_PROCESS_H
#define OS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "os/loop.h"

struct process;
struct sandbox_plan;

enum process_stream { PROCESS_NULL, PROCESS_CAPTURE, PROCESS_INHERIT };

struct process_fd {
    int from; /* ours; stays open here */
    int to;   /* the number it has in the child, 3 or more */
};

struct process_spec {
    const char *program;     /* NULL: the running program itself (/proc/self/exe) */
    const char *const *argv; /* NULL-terminated */
    const char *const *env;  /* "NAME=value", NULL-terminated; NULL: none */
    const char *folder;      /* working folder; NULL: ours */

    /* Instead of a program: the child is a fork that runs this and exits with its result. For the
     * sandbox's escape attempts and the tests. */
    int (*entry)(void *ctx);
    void *entry_ctx;

    struct str input; /* given on stdin, then closed; empty: /dev/null. At most 64 KiB. */
    enum process_stream out, err;
    size_t output_max; /* captured bytes of each stream; what is beyond is read and dropped */
    bool flood_kills;  /* a stream beyond output_max ends the process */

    const struct process_fd *fds;
    size_t n_fds;

    int64_t deadline_ms;          /* 0: none */
    int64_t grace_ms;             /* between SIGTERM and SIGKILL; 0: SIGKILL at once */
    struct sandbox_plan *sandbox; /* NULL: none. Serves one process */
};

struct process_usage {
    int64_t wall_ns, cpu_ns; /* cpu of the child and the children it waited for */
    uint64_t peak_bytes;     /* largest resident set among them, or ours at the time of fork */
};

struct process_end {
    bool exited;   /* exit_code is valid; otherwise signo ended it */
    int exit_code; /* as given to exit */
    int signo;
    bool core_dumped;
    bool timed_out; /* our deadline ended it */
    bool flooded;   /* a stream went beyond output_max */
    struct process_usage usage;
    struct str out, err; /* captured; valid until process_close */
};

typedef void (*process_end_fn)(void *ctx, struct process *p, const struct process_end *end);

/* done is called once, in a turn of the loop, after both streams are read to their end (or 200 ms
 * after the leader's end, if a stray descendant holds them open). */
bool process_open(struct loop *loop, const struct process_spec *spec, process_end_fn done,
                  void *ctx, struct process **out, struct err *e);

/* Kills the group if it lives, reaps, frees. done is not called. NULL is allowed. */
void process_close(struct process *p);

int process_pid(const struct process *p);

/* The process that runs the program: itself, or in a box the one that its first process made. 0:
 * gone. */
int process_main_pid(const struct process *p);
/* Our number of a process that the program calls by the number it has in its own namespace; it is
 * the program's process or a child of that. 0: there is no such process. */
int process_find(const struct process *p, int inner_pid);

/* What it and all its descendants use now. */
struct process_tree {
    uint64_t memory_bytes; /* private memory and touched shared memory, each process by itself */
    uint64_t n_tasks;
};
void process_look_at_tree(const struct process *p, struct process_tree *out);

/* The folder that only the sandbox holds, as a descriptor that is now the caller's; -1: none. */
int process_take_scratch(struct process *p);
bool process_is_alive(const struct process *p);
void process_signal(struct process *p, int signo); /* to the whole group; an ended one is fine */

/* Sends a signal to one child of the process, if pid is still a child of it. Grandchildren get
 * none. */
void process_signal_child(const struct process *p, int pid, int signo);

/* Sets a new deadline, counted from now (0: none), so that each case of a worker has its own. */
void process_set_deadline(struct process *p, int64_t after_ms);

/* Captured so far; process_output_clear forgets it and starts counting output_max anew. */
struct str process_output(const struct process *p, bool of_stderr);
void process_output_clear(struct process *p);
/* Reads what is in the pipes now. After the process has ended, that is all it has written. */
void process_output_drain(struct process *p);
bool process_is_flooded(const struct process *p);

/* Runs to the end on a loop of its own; captured text lives in the arena. */
bool process_run(const struct process_spec *spec, struct arena *a, struct process_end *out,
                 struct err *e);

/* "NAME=value", up to a NULL: what this process was started with. */
const char *const *process_environment(void);

/* The path of a program, looked for on PATH unless the name has a slash. ERR_ENVIRONMENT. */
bool process_find_program(const char *name, struct arena *a, const char **out, struct err *e);

/* Orphaned descendants of children become ours, so that none escapes by forking twice. */
bool process_become_subreaper(struct err *e);

/* Kills and reaps every child that was not opened here on this loop (orphans handed to the
 * subreaper); how many. Called when a worker has ended. */
size_t process_reap_orphans(struct loop *loop);

/* "exit 3", "signal 11 (SIGSEGV)" */
void process_end_print(const struct process_end *end, struct strbuf *out);
const char *process_signal_name(int signo); /* "SIGSEGV"; "?" when unknown */

#endif
