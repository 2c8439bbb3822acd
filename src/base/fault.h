/*
 * Injected failures for tests: with FAULT=open:3 the third call of fault_hit("open") in this
 * process returns true, with FAULT=open:3+ all from the third on. A child that inherits FAULT
 * counts anew, so each pilot of a campaign fails. FAULT=open:3@FILE counts in a file that all
 * processes share: only the third call of the whole campaign fails; with 0 none fails, and FILE
 * holds the number of calls afterwards (8 bytes in the machine's order). FAULT=*:0@FILE counts the
 * calls of every point, 8 bytes each in the order below. Without FAULT the cost is one comparison.
 * Engine workers do not inherit FAULT.
 *
 * Points: open read write rename fsync mkdir unlink readdir mmap (base/file, os/), send recv
 * fork pipe exec wait (os/), commit (store/), and the files of SQLite, whose file layer is replaced
 * only when FAULT is set: db-open db-read db-write db-sync db-truncate db-delete db-lock db-map
 * (store/fault_vfs.c).
 */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <stdbool.h>

/* true: this call at the point must fail; errno is set to EIO. */
bool fault_hit(const char *point);

bool fault_is_set(void); /* the environment names a fault */

#endif
