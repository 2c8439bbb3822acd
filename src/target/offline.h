/*
 * A script of ours that runs alone in a target's environment: what needs a framework but is no case
 * of a hunt (calls of an alignment, records of its public API). Its sandbox is that of a worker.
 *
 *     struct offline_job job = {.installation = i, .home = home, .script = "calls.py",
 *                               .words = words, .n_words = 1, .given = folder};
 *     struct offline_run *run;
 *     if (!offline_run(&job, &run, e)) ...       // it could not be started
 *     offline_file(run, "results.jsonl", MAX, arena, &text, e);
 *     offline_close(run);
 *
 * Arguments of the script: the words, then, where a folder is given, that folder (readable) and
 * the script's own (writable).
 */
#ifndef TARGET_OFFLINE_H
#define TARGET_OFFLINE_H

#include "os/process.h"
#include "target/target.h"

struct scratch;

struct offline_job {
    const struct target_installation *installation;
    const char *home;
    const char *script; /* in assay_worker/ */
    const char *const *words;
    size_t n_words;
    const struct scratch *given; /* NULL: none */
    struct str order;            /* instead of that: text of a file whose path follows; "" */
    uint64_t memory_bytes;       /* 0: 8 GiB */
    int64_t deadline_ms;         /* 0: none */
    size_t output_max;           /* bytes kept of stdout; 0: 64 KiB */
    bool best_effort;            /* missing layers of the sandbox are accepted */
};

struct offline_run;

/* Runs the script to its end. How it ended is a result, not an error. */
bool offline_run(const struct offline_job *job, struct offline_run **out, struct err *e);
const struct process_end *offline_end(const struct offline_run *r);
/* A file of the script's own folder. ERR_DATA: there is none. */
bool offline_file(const struct offline_run *r, const char *name, size_t max_bytes, struct arena *a,
                  struct str *out, struct err *e);
void offline_close(struct offline_run *r); /* NULL is allowed */

enum { OFFLINE_ANSWER_MAX = 256 << 20 };

/* For a script whose answer is what it writes to its standard output: runs it to its end.
 * ERR_ENVIRONMENT: it did not exit by itself with status 0; the message holds the end of what it
 * wrote. ERR_LIMIT: more than OFFLINE_ANSWER_MAX bytes. */
bool offline_answer(const struct offline_job *job, struct arena *a, struct str *answer,
                    struct err *e);

#endif
