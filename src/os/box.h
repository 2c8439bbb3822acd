/*
 * The first process of a sandboxed process's own process namespace: starts the one that is wanted,
 * waits for whatever is left to it, says how the wanted one ended, and ends, whereupon the kernel
 * kills the rest. It runs in the sandbox itself and holds nothing but its report descriptor.
 *
 *     assay worker box REPORT_FD PROGRAM ARGV0 ARGV1 ...
 *
 * spawn.c starts it; a program that opens sandboxes with NAMESPACES must answer to these words by
 * calling box_main. A process of a signal's own would not do in its place: the first process of a
 * namespace ignores every signal without a handler, its own abort among them.
 */
#ifndef OS_BOX_H
#define OS_BOX_H

enum { BOX_ARGUMENTS = 3 }; /* "assay", "worker", "box" */

/* argv holds what follows these words. */
int box_main(int argc, char *const *argv);

#endif
