/*
 * Decides whether a file is a store, and brings an older one to this version's tables by numbered
 * migrations (share/migrations), each in its own transaction.
 */
#include <sqlite3.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/path.h"
#include "base/share.h"
#include "store/backend_p.h"
#include "store/fault_vfs_p.h"
#include "store/sqlite_p.h"

enum { BUSY_MS = 3000 };

static bool execute(struct sqlite *s, const char *sql, struct err *e)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || sqlite__tell(s, e);
}

/* Reads one number from the database. */
static bool ask_int(struct sqlite *s, const char *sql, int64_t *out, struct err *e)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return sqlite__tell(s, e);
    int code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        *out = sqlite3_column_int64(stmt, 0);
    else
        sqlite__tell(s, e);
    sqlite3_finalize(stmt);
    return code == SQLITE_ROW;
}

/* Applies the migrations after version `from`, each file and its row in one transaction. */
static bool migrate(struct sqlite *s, int64_t from, struct err *e)
{
    size_t n;
    const struct share_file *files = share_list("migrations/", &n);
    for (size_t i = (size_t)from; i < n; i++) {
        struct strbuf sql = {0};
        int64_t version = 0;
        if (!execute(s,
                     "BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS schema_version"
                     " (version BIGINT NOT NULL, applied_ms BIGINT NOT NULL)",
                     e) ||
            !ask_int(s, "SELECT coalesce(max(version), 0) FROM schema_version", &version, e))
            return false;
        if (version > (int64_t)i) { /* another program has migrated it meanwhile */
            if (!execute(s, "COMMIT", e))
                return false;
            continue;
        }
        strbuf_addstr(&sql, files[i].bytes);
        strbuf_printf(&sql, "\nINSERT INTO schema_version VALUES (%zu, %lld);\nCOMMIT;\n", i + 1,
                      (long long)clock_wall_ms());
        bool ok = execute(s, sql.at, e);
        strbuf_done(&sql);
        if (!ok)
            return err_wrap(e, STR_FMT, STR_ARG(path_base(str_of(files[i].path))));
    }
    return true;
}

static bool check_schema(struct sqlite *s, enum store_mode mode, struct err *e)
{
    int64_t n_tables = 0, is_ours = 0, version = 0;
    if (!ask_int(s, "SELECT count(*) FROM sqlite_master", &n_tables, e) ||
        !ask_int(s, "SELECT count(*) FROM sqlite_master WHERE name = 'schema_version'", &is_ours,
                 e))
        return false;
    if (n_tables > 0 && !is_ours)
        return err_set(e, ERR_DATA,
                       "store %s: an SQLite database, but no store of assay; give another file",
                       s->path);
    if (is_ours && !ask_int(s, "SELECT coalesce(max(version), 0) FROM schema_version", &version, e))
        return false;
    if (is_ours && version < 1)
        return err_set(e, ERR_DATA,
                       "store %s: damaged: its schema_version is %lld, at least 1 is expected; use "
                       "a copy, or give another --out",
                       s->path, (long long)version);
    if (version > STORE_SCHEMA_VERSION)
        return err_set(
            e, ERR_DATA,
            "store %s: made by a newer assay (schema %lld, this one knows up to %d); use "
            "that version, or give another --out",
            s->path, (long long)version, STORE_SCHEMA_VERSION);
    if (version == STORE_SCHEMA_VERSION)
        return true;
    if (!is_ours && mode == STORE_READ)
        return err_set(e, ERR_DATA, "store %s: empty; `assay hunt --out DIR` fills one", s->path);
    s->is_older = sqlite3_db_readonly(s->db, "main") == 1; /* columns may be missing */
    return s->is_older || migrate(s, version, e);          /* readers migrate too */
}

/* Opens a store on a read-only medium: there SQLite cannot make the files by which readers and
 * writers agree, but there are no writers either. */
static bool open_unchanging(struct sqlite *s, struct err *e)
{
    struct strbuf uri = {0};
    strbuf_adds(&uri, "file:");
    for (const char *at = s->path; *at; at++)
        strbuf_printf(&uri, strchr("?#%", *at) ? "%%%02x" : "%c", (unsigned char)*at);
    strbuf_adds(&uri, "?immutable=1");
    sqlite3_close(s->db);
    s->db = NULL;
    bool ok = sqlite3_open_v2(uri.at, &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) ==
                  SQLITE_OK ||
              sqlite__tell(s, e);
    strbuf_done(&uri);
    return ok;
}

static bool is_readable(struct sqlite *s)
{
    return sqlite3_exec(s->db, "SELECT 1 FROM sqlite_master", NULL, NULL, NULL) == SQLITE_OK;
}

/* Copies the write-ahead log into the database after a commit, as SQLite would do it by itself, and
 * empties it when it has become long. A reader that keeps it from doing so is no error here. */
static int on_commit(void *store, sqlite3 *db, const char *name, int n_pages)
{
    struct sqlite *s = store;
    s->n_wal_pages = n_pages;
    if (n_pages < s->n_wal_waited)
        s->n_wal_waited = 0;
    bool waits = n_pages - s->n_wal_waited >= WAL_WAIT_PAGES;
    if (waits)
        s->n_wal_waited = n_pages;
    if (n_pages >= WAL_COPY_PAGES &&
        sqlite3_wal_checkpoint_v2(db, name,
                                  waits ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE,
                                  NULL, NULL) == SQLITE_OK &&
        waits)
        s->n_wal_pages = s->n_wal_waited = 0;
    return SQLITE_OK;
}

static bool open_database(struct sqlite *s, enum store_mode mode, struct err *e)
{
    int flags = SQLITE_OPEN_READWRITE | (mode == STORE_CREATE ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(s->path, &s->db, flags, fault_is_set() ? fault__vfs() : NULL) != SQLITE_OK)
        return sqlite__tell(s, e);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    if (mode == STORE_READ && !fault_is_set() && sqlite3_db_readonly(s->db, "main") == 1 &&
        !is_readable(s) && !open_unchanging(s, e))
        return false;
    if (mode != STORE_READ && sqlite3_db_readonly(s->db, "main") == 1)
        return err_set(e, ERR_IO,
                       "store %s: not writable; give another --out, or change its permissions",
                       s->path);
    sqlite3_wal_hook(s->db, on_commit, s);
    return (mode == STORE_READ || execute(s, "PRAGMA journal_mode = WAL", e)) &&
           execute(s, "PRAGMA synchronous = NORMAL", e) &&
           execute(s, "PRAGMA journal_size_limit = 67108864", e) && /* when it starts anew */
           check_schema(s, mode, e);
}

bool store__open_sqlite(const char *path, enum store_mode mode, struct store **out, struct err *e)
{
    struct arena scratch;
    bool ok = true;
    arena_init(&scratch);
    if (mode == STORE_CREATE)
        ok = file_make_dirs(str_dup(&scratch, path_dir(str_of(path))), e) ||
             err_wrap(e, "store %s", path);
    else if (file_stat(path).kind == FILE_MISSING)
        ok = err_set(e, ERR_IO,
                     "store %s: no such file; `assay hunt --out DIR` makes one, --out "
                     "DIR finds it",
                     path);
    arena_done(&scratch);
    if (!ok)
        return false;
    struct sqlite *s = mem_alloc(sizeof *s);
    size_t n = strlen(path) + 1;
    s->store.ops = &sqlite__ops;
    words__init(&s->words);
    s->path = memcpy(mem_alloc(n), path, n);
    if (!open_database(s, mode, e)) {
        sqlite__close(&s->store);
        return false;
    }
    *out = &s->store;
    return true;
}
