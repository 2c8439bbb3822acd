/*
 * The first process of the process namespace of a sandbox: starts the wanted process, waits for it
 * and for orphans, reports how the wanted one ended, and ends itself, whereupon the kernel kills
 * the rest. It runs in the sandbox too and holds nothing but its report descriptor.
 *
 *     assay worker init REPORT_FD PROGRAM ARGV0 ARGV1 ...
 *
 * spawn.c starts it; a program that opens sandboxes with NAMESPACES must call init_main when it
 * gets these words. The wanted process itself cannot be the first one of its namespace: that
 * ignores every signal without a handler, even its own abort.
 */
#ifndef OS_INIT_H
#define OS_INIT_H

enum { INIT_ARGUMENTS = 3 }; /* "assay", "worker", "init" */

/* argv holds what follows these words. */
int init_main(int argc, char *const *argv);

#endif
