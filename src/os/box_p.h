/* Messages of a child, or of the first process of its namespace, to the parent over a
 * SOCK_SEQPACKET pair: spawn.c reads them until the child runs, process.c how it ended. */
#ifndef OS_BOX_P_H
#define OS_BOX_P_H

#include "base/compiler.h"

enum box_word {
    BOX_FAILED,  /* step, error, layer */
    BOX_SCRATCH, /* with the descriptor of the private folder */
    BOX_RUNS,    /* the wanted process has begun its program */
    BOX_ENDED    /* status, as wait gives it */
};

struct box_message {
    enum box_word word;
    int step, error, layer, status;
};

void box__send(int fd, const struct box_message *m);

/* Called in the first process after it has made the wanted one. */
NORETURN void box__wait(int report_fd, int pid);

#endif
