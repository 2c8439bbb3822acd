/* SQLite's files under injected failures (base/fault.h). */
#ifndef STORE_FAULT_VFS_P_H
#define STORE_FAULT_VFS_P_H

/* The name of a file layer for sqlite3_open_v2 that fails where FAULT says so, else does what the
 * default one does. Only with fault_is_set(): it is registered once, for the life of the process.
 */
const char *fault__vfs(void);

#endif
