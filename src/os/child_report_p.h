/* Messages of a child, or of the first process of its namespace, to the parent over a
 * SOCK_SEQPACKET pair: spawn.c reads them until the child runs, process.c how it ended. */
#ifndef OS_CHILD_REPORT_P_H
#define OS_CHILD_REPORT_P_H

#include "base/compiler.h"

enum child_report_word {
    CHILD_FAILED,  /* step, error, layer */
    CHILD_SCRATCH, /* with the descriptor of the private folder */
    CHILD_RUNS,    /* the wanted process has begun its program */
    CHILD_ENDED    /* status, as wait gives it */
};

struct child_report {
    enum child_report_word word;
    int step, error, layer, status;
};

void child_report__send(int fd, const struct child_report *m);

/* Called in the first process after it has made the wanted one. */
NORETURN void init__wait(int report_fd, int pid);

#endif
