/* What os/process.c keeps on the loop: the list of the processes that were opened on it. */
#ifndef OS_LOOP_P_H
#define OS_LOOP_P_H

#include "os/loop.h"

struct process;
struct process **loop__processes(struct loop *loop);

#endif
