/*
 * One of our Python modules run once in an installed environment: what it writes to its standard
 * output is the answer. It wears a worker's sandbox, for what it imports and runs is not ours.
 *
 *     struct ask q = {.installation = i, .home = home, .module = "records.py",
 *                     .argument = "torch", .deadline_ms = 120000};
 *     if (!ask_worker(&q, arena, &answer, e)) ...
 */
#ifndef TARGET_ASK_H
#define TARGET_ASK_H

#include "target/target.h"

enum { ASK_ANSWER_MAX = 256 << 20 };

struct ask {
    const struct target_installation *installation;
    const char *home;     /* for the Python files */
    const char *module;   /* a file of py/assay_worker: "examples.py" */
    const char *argument; /* NULL: none */
    struct str order;     /* given as a file, whose path is the last argument; "": none */
    int64_t deadline_ms;
    uint64_t memory_bytes; /* 0: 4 GiB */
};

/* ERR_ENVIRONMENT: it could not be started, did not end by itself or not with 0; the message holds
 * the end of what it said. ERR_LIMIT: more than ASK_ANSWER_MAX bytes. */
bool ask_worker(const struct ask *q, struct arena *a, struct str *answer, struct err *e);

#endif
