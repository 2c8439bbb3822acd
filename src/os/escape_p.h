/* Escape attempts (escape.c) and the scene in which they are made (escape_run.c). */
#ifndef OS_ESCAPE_P_H
#define OS_ESCAPE_P_H

#include <stdbool.h>
#include <stddef.h>

#include "os/sandbox.h"

struct escape_scene {
    const char *scratch; /* a folder that may be written */
    const char *outside; /* one that may not; holds the file "canary" */
    const char *home;
    int parent_pid, sibling_pid;
    int open_fd; /* open in the parent, not passed */
};

enum escape_proof {
    ESCAPE_BY_ERRNO,
    ESCAPE_BY_BOUND,
    ESCAPE_BY_TRACE,
    ESCAPE_BY_DEADLINE,
    ESCAPE_BY_REAPING
};

enum { ESCAPE_OUT = 0, ESCAPE_HELD = -1, ESCAPE_KILLED = -2, ESCAPE_STOPS_MAX = 5 };

/* Makes an attempt. ESCAPE_OUT: it escaped; ESCAPE_HELD: held without an errno; else the errno that
 * held it. It must not allocate, for its memory is limited. An attempt with a bound writes what it
 * reaches to stdout; one that is to be killed writes a number there once only SIGKILL can end it.
 */
typedef int (*escape_fn)(const struct escape_scene *scene);

struct escape_stop {
    enum sandbox_layer layer;
    int error;           /* an errno, ESCAPE_HELD or ESCAPE_KILLED; ESCAPE_OUT: the list ends */
    bool needs_complete; /* a degraded layer does not stop it */
};

struct escape_row {
    const char *name;
    enum escape_proof proof;
    escape_fn attempt;
    struct escape_stop stops[ESCAPE_STOPS_MAX];
};

extern const struct escape_row escape__rows[];
extern const size_t escape__n_rows;

/* The file that an attempt leaves in home. */
#define ESCAPE_TRACE ".assay-escape"
/* The variable that the parent has and the child must not. */
#define ESCAPE_VARIABLE "ASSAY_ESCAPE_CANARY"

void escape__say(int fd, int number); /* adds a newline; allocates nothing, unlike stdio */

#endif
