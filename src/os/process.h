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
 *     process_close(p);                                         // any time; kills what still runs
 *
 * The child is set up in a fixed order: new session, death signal, signal state, descriptors,
 * folder, sandbox, exec; a step that fails is reported through a socket that exec closes. It
 * inherits no descriptor but 0, 1, 2 and those passed, and no variable but those in env. Signals go
 * to its whole group; when the leader ends, the rest of the group is killed. Past its deadline it
 * gets SIGTERM, then SIGKILL; one that is stopped counts as running.
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
    int from; /* our descriptor; stays open here */
    int to;   /* its number in the child, 3 or more */
};

struct process_spec {
    const char *program;     /* NULL: the running program itself (/proc/self/exe) */
    const char *const *argv; /* NULL-terminated */
    const char *const *env;  /* "NAME=value", NULL-terminated; NULL: none */
    const char *folder;      /* working folder; NULL: ours */

    /* Instead of a program: the child is a fork that calls this and exits with its result. For
     * escape attempts and tests. */
    int (*entry)(void *ctx);
    void *entry_ctx;

    struct str input; /* all of stdin, at most 64 KiB; empty: /dev/null */
    enum process_stream out, err;
    size_t output_max; /* captured bytes per stream; more is read and dropped */
    bool flood_kills;  /* a stream beyond output_max ends the process */

    const struct process_fd *fds;
    size_t n_fds;

    int64_t deadline_ms;          /* 0: none */
    int64_t grace_ms;             /* between SIGTERM and SIGKILL; 0: SIGKILL at once */
    struct sandbox_plan *sandbox; /* NULL: none. Serves one process */
};

struct process_usage {
    int64_t wall_ns, cpu_ns; /* cpu_ns: of the child and the children it waited for */
    uint64_t peak_bytes;     /* largest resident set of these, or ours at the fork if larger */
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

/* Kills the group if it still runs, reaps it and frees p; done is not called. NULL is allowed. */
void process_close(struct process *p);

int process_pid(const struct process *p);

/* The pid of the process that runs the program: the child or, in a process namespace, the one that
 * the first process made. 0: it is gone. */
int process_main_pid(const struct process *p);
/* Our pid of a process that has the pid inner_pid in the program's namespace: the program's process
 * or a child of it. 0: there is no such process. */
int process_find(const struct process *p, int inner_pid);

/* What a process and all its descendants use now. */
struct process_tree {
    uint64_t memory_bytes; /* the sum of each process's private and touched shared memory */
    uint64_t n_tasks;
};
void process_look_at_tree(const struct process *p, struct process_tree *out);

/* The descriptor of the sandbox's private folder, which the caller then owns; -1: none. */
int process_take_scratch(struct process *p);
bool process_is_alive(const struct process *p);
void process_signal(struct process *p, int signo); /* to the whole group; an ended one is fine */

/* Sends a signal to one child of the process if pid is still that, not to a grandchild. */
void process_signal_child(const struct process *p, int pid, int signo);

/* Sets a new deadline, counted from now (0: none), so that each case of a worker has its own. */
void process_set_deadline(struct process *p, int64_t after_ms);

/* The text captured so far; process_output_clear drops it and counts output_max anew. */
struct str process_output(const struct process *p, bool of_stderr);
void process_output_clear(struct process *p);
/* Reads what is in the pipes now: all that the process has written, if it has ended. */
void process_output_drain(struct process *p);
bool process_is_flooded(const struct process *p);

/* Runs to the end on a loop of its own; captured text lives in the arena. */
bool process_run(const struct process_spec *spec, struct arena *a, struct process_end *out,
                 struct err *e);

/* The environment that this process was started with: "NAME=value", NULL-terminated. */
const char *const *process_environment(void);

/* The path of a program; searched on PATH unless the name has a slash. ERR_ENVIRONMENT: none. */
bool process_find_program(const char *name, struct arena *a, const char **out, struct err *e);

/* Makes us the parent of our children's orphans, so that none escapes by forking twice. */
bool process_become_subreaper(struct err *e);

/* Kills and reaps every child that was not opened on this loop (orphans that came to the
 * subreaper); returns how many. Called when a worker has ended. */
size_t process_reap_orphans(struct loop *loop);

/* "exit 3", "signal 11 (SIGSEGV)" */
void process_end_print(const struct process_end *end, struct strbuf *out);
const char *process_signal_name(int signo); /* "SIGSEGV"; "?" when unknown */

#endif
