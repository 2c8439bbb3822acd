/* What a child and the first process of its box say to the parent: spawn.c reads it until the child
 * runs, process.c how it ended. Messages of a SOCK_SEQPACKET pair. */
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

/* In the first process, after the wanted one was made: never returns. */
NORETURN void box__wait(int report_fd, int pid);

#endif
