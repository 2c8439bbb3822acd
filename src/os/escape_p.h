/* Escape attempts (escape.c) and the scene they are made in (escape_run.c). */
#ifndef OS_ESCAPE_P_H
#define OS_ESCAPE_P_H

#include <stddef.h>

struct escape_scene {
    const char *scratch; /* may be written */
    const char *outside; /* may not; holds the file "canary" */
    const char *home;
    int parent_pid, sibling_pid;
    int open_fd; /* open in the parent, not passed */
};

enum escape_proof { ESCAPE_BY_ERRNO, ESCAPE_BY_DEADLINE, ESCAPE_BY_REAPING };

/* In the child: 0 it got out, -1 held without an errno, else the errno that held it. It must not
 * allocate, for its memory is limited. An attempt that is to be killed writes a number to its
 * stdout once only SIGKILL can end it. */
typedef int (*escape_fn)(const struct escape_scene *scene);

struct escape_row {
    const char *name;
    unsigned stopped_by;
    int expected;
    enum escape_proof proof;
    escape_fn attempt;
};

extern const struct escape_row escape__rows[];
extern const size_t escape__n_rows;

void escape__say(int fd, int number); /* without allocating, as stdio would */

enum { ESCAPE_HELD = -1, ESCAPE_FILE_BYTES = 1 << 20, ESCAPE_MEMORY_BYTES = 256 << 20 };

#endif
