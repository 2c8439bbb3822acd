/* SQLite's files under injected failures (base/fault.h). */
#ifndef STORE_FAULT_VFS_P_H
#define STORE_FAULT_VFS_P_H

/* The name of a file layer for sqlite3_open_v2 that fails where FAULT says so and else acts as the
 * default one. To be called only if fault_is_set(): registers it for the life of the process. */
const char *fault__vfs(void);

#endif
