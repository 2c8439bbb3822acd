/*
 * Injected failures for tests: FAULT=open:3 makes the third call of fault_hit("open") in this
 * process true, FAULT=open:3+ all from the third on. A child that inherits FAULT counts anew, so
 * each pilot of a campaign fails once more. FAULT=open:3@FILE counts in a file that all processes
 * share: the third call of the whole campaign fails, and no other; with 0 none fails, and FILE
 * holds the number of calls afterwards (8 bytes in the machine's order). Without FAULT the cost is
 * one comparison. Engine workers do not inherit FAULT.
 *
 * Points: open read write rename fsync mkdir unlink readdir mmap (base/file, os/), send recv
 * fork pipe exec wait (os/), commit (store/), and the files of SQLite, through a file layer that
 * only FAULT puts in: db-open db-read db-write db-sync db-truncate db-delete db-lock db-map
 * (store/fault_vfs.c).
 */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <stdbool.h>

/* True when the call under this name must fail; errno is set to EIO. */
bool fault_hit(const char *point);

bool fault_is_set(void); /* the environment names a fault */

#endif
