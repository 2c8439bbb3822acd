/* The list of processes that were opened on a loop, which os/process.c keeps there. */
#ifndef OS_LOOP_P_H
#define OS_LOOP_P_H

#include "os/loop.h"

struct process;
struct process **loop__processes(struct loop *loop);

#endif
