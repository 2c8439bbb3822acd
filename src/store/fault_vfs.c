/*
 * A file layer of SQLite (sqlite.org/vfs.html): each call fails if base/fault.h says so, else goes
 * to the default layer. Decides nothing else. A file of ours is SQLite's part followed by the file
 * of the default layer, whose szOsFile gives the size.
 */
#include "store/fault_vfs_p.h"

#include <sqlite3.h>
#include <string.h>

#include "base/arena.h"
#include "base/fault.h"

#define VFS_NAME "assay-fault"

struct fault_file {
    sqlite3_file base;
    sqlite3_file *real; /* in memory right after this struct */
};

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((struct fault_file *)file)->real;
}

/* Defines a file method that calls that of the real file, or fails with `code`. */
#define FILE_METHOD(name, method, point, code, parameters, ...)                                    \
    static int name parameters                                                                     \
    {                                                                                              \
        sqlite3_file *real = real_of(file);                                                        \
        return fault_hit(point) ? (code) : real->pMethods->method(__VA_ARGS__);                    \
    }
FILE_METHOD(read_file, xRead, "db-read", SQLITE_IOERR_READ,
            (sqlite3_file * file, void *to, int n, sqlite3_int64 at), real, to, n, at)
FILE_METHOD(write_file, xWrite, "db-write", SQLITE_IOERR_WRITE,
            (sqlite3_file * file, const void *from, int n, sqlite3_int64 at), real, from, n, at)
FILE_METHOD(truncate_file, xTruncate, "db-truncate", SQLITE_IOERR_TRUNCATE,
            (sqlite3_file * file, sqlite3_int64 n), real, n)
FILE_METHOD(sync_file, xSync, "db-sync", SQLITE_IOERR_FSYNC, (sqlite3_file * file, int flags), real,
            flags)
FILE_METHOD(lock_file, xLock, "db-lock", SQLITE_IOERR_LOCK, (sqlite3_file * file, int level), real,
            level)
FILE_METHOD(map_shared, xShmMap, "db-map", SQLITE_IOERR_SHMMAP,
            (sqlite3_file * file, int region, int n, int extend, void volatile **out), real, region,
            n, extend, out)

static int file_size(sqlite3_file *file, sqlite3_int64 *out)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), out);
}

/* Releasing a lock never fails: SQLite does not check the result. */
static int lock_shared(sqlite3_file *file, int at, int n, int flags)
{
    bool fails = (flags & SQLITE_SHM_LOCK) && fault_hit("db-lock");
    return fails ? SQLITE_IOERR_SHMLOCK
                 : real_of(file)->pMethods->xShmLock(real_of(file), at, n, flags);
}

static int unlock_file(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int check_lock(sqlite3_file *file, int *out)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int control_file(sqlite3_file *file, int op, void *arg)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), op, arg);
}

static int sector_size(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int device_traits(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static void shared_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int unmap_shared(sqlite3_file *file, int remove)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

static int close_file(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static const sqlite3_io_methods methods = {
    .iVersion = 2, /* with shared memory, without mapped pages */
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = device_traits,
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = shared_barrier,
    .xShmUnmap = unmap_shared,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *got)
{
    sqlite3_vfs *real = vfs->pAppData;
    struct fault_file *f = (struct fault_file *)file;
    f->base.pMethods = NULL; /* tells SQLite not to close a file that was not opened */
    f->real = (sqlite3_file *)(f + 1);
    if (fault_hit("db-open"))
        return SQLITE_CANTOPEN;
    int code = real->xOpen(real, name, f->real, flags, got);
    if (code == SQLITE_OK)
        f->base.pMethods = &methods;
    else if (f->real->pMethods) /* a file that failed to open and must be closed nevertheless */
        f->real->pMethods->xClose(f->real);
    return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync)
{
    sqlite3_vfs *real = vfs->pAppData;
    return fault_hit("db-delete") ? SQLITE_IOERR_DELETE : real->xDelete(real, name, sync);
}

const char *fault__vfs(void)
{
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    if (sqlite3_vfs_find(VFS_NAME))
        return VFS_NAME;
    sqlite3_vfs *ours = mem_alloc(sizeof *ours);
    *ours = *real;
    ours->zName = VFS_NAME;
    ours->pAppData = real;
    ours->szOsFile = (int)sizeof(struct fault_file) + real->szOsFile;
    ours->pNext = NULL;
    ours->xOpen = open_file;
    ours->xDelete = delete_file;
    sqlite3_vfs_register(ours, 0);
    return VFS_NAME;
}
