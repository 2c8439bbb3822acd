/*
 * Facts about the machine, and the sandbox's proof: escape attempts made inside the real sandbox.
 *
 *     for (size_t i = 0; i < probe_n_escapes(); i++) {
 *         struct probe_outcome got;
 *         struct probe_worker worker = ...;     // with a fresh plan, see target/worker_escape.h
 *         if (!probe_escape_run(i, &worker, &got, e)) ...
 *     }
 *
 * An attempt is held only if it fails with the errno of its row: EFAULT or EINVAL instead of EPERM
 * would mean that it has reached the kernel's code.
 */
#ifndef OS_PROBE_H
#define OS_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "os/sandbox.h"

struct probe_machine {
    uint32_t n_cpus;           /* CPUs that this process may use */
    uint64_t memory_bytes;     /* of the machine */
    const char *cpu_model;     /* "" when unknown */
    const char *cpu_flags;     /* the vector extensions among the flags, sorted, with blanks */
    const char *kernel;        /* release */
    uint32_t n_cgroup_version; /* 0, 1 or 2 */
};
bool probe_machine(struct arena *a, struct probe_machine *out, struct err *e);

/* An x86 processor with AVX whose sums of u8 x s8 products may saturate, since it has neither
 * AVX512_VNNI nor AVX_VNNI. Asks the processor, so it cannot fail. */
bool probe_lacks_vnni(void);

/* Path of the running program. */
bool probe_self(struct arena *a, const char **out, struct err *e);

/* Free bytes on the file system that holds path; false when there is none. */
bool probe_free_bytes(const char *path, uint64_t *out);
bool probe_disk(const char *path, uint64_t *n_free, uint64_t *n_all); /* free bytes and all */

/* Kernel tasks (threads) of a process; 0 when it is gone. */
uint32_t probe_n_tasks(int pid);

/* CPU time that all threads of a process have used; 0 when it is gone. */
int64_t probe_cpu_ns(int pid);

/* Is the process running or ready to run? */
bool probe_is_runnable(int pid);

/* Largest resident set a process has had since its exec; 0 when it is gone. */
uint64_t probe_peak_bytes(int pid);
uint64_t probe_resident_bytes(int pid); /* now */

enum probe_verdict {
    PROBE_HELD,
    PROBE_BOUNDED, /* stopped at a limit: figure says how much it took */
    PROBE_ESCAPED,
    PROBE_WRONG_ERROR,
    PROBE_NOT_COVERED /* none of the layers that stop it is on here */
};

struct probe_outcome {
    enum probe_verdict verdict;
    int got;                  /* errno, or 0 */
    enum sandbox_layer layer; /* HELD, BOUNDED: the one that gives this errno */
    int64_t figure;           /* BOUNDED: MiB of memory or files; tasks, inodes, descriptors */
    char detail[160];
};

/* How the process of a worker is started. Its command line begins with the words; it must call
 * probe_attempt_main with those that follow. */
struct probe_worker {
    const char *program;      /* NULL: the running one */
    const char *const *words; /* NULL-terminated */
    const char *const *env;   /* NULL-terminated */
    const char *folder;       /* the plan's private folder */
    struct sandbox_plan *plan;
};

size_t probe_n_escapes(void);
const char *probe_escape_name(size_t at);

/* Sets the scene (a canary file that may not be read, a sibling process), starts the process, which
 * makes the attempt in a child as a case would, and judges. A plan serves one attempt. */
bool probe_escape_run(size_t at, const struct probe_worker *worker, struct probe_outcome *out,
                      struct err *e);

/* Called in the process with argv after the words. Returns the exit code. */
int probe_attempt_main(int argc, char *const *argv);
const char *probe_verdict_name(enum probe_verdict v);

#endif
