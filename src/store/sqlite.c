/*
 * Decides how rows lie in SQLite (WAL, synchronous=NORMAL: a commit survives the death of the
 * process, and readers go on beside the writer). Knows tables only through columns.def and
 * queries.def; statements are prepared once. A commit is one transaction: all of its changes are
 * there afterwards, or none, and the caller still has them. Failures are named so that the user
 * knows what to do: full, locked, not writable, no store, another version.
 */
#include <limits.h>
#include <math.h>
#include <sqlite3.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/path.h"
#include "base/share.h"
#include "base/vec.h"
#include "store/backend_p.h"
#include "store/fault_vfs_p.h"
#include "store/row_p.h"

enum { BUSY_MS = 3000 };

enum query {
#define QUERY(id, table, tail) QUERY_##id,
#include "store/queries.def"
#undef QUERY
    QUERY_COUNT
};

static const struct {
    enum store_change_kind table;
    const char *tail;
} queries[] = {
#define QUERY(id, table, tail) {STORE_##table, tail},
#include "store/queries.def"
#undef QUERY
};

static const char totals_sql[] =
    "SELECT max(rowid), count(*), sum(CASE WHEN kind = 'valid' THEN 1 ELSE 0 END),"
    " sum(CASE WHEN kind = 'illegal' THEN 1 ELSE 0 END),"
    " sum(CASE WHEN kind = 'none' THEN 1 ELSE 0 END),"
    " sum(CASE WHEN kind = 'unsupported' THEN 1 ELSE 0 END),"
    " sum(CASE WHEN kind = 'lost' THEN 1 ELSE 0 END),"
    " sum(CASE WHEN decision = 'fail' THEN 1 ELSE 0 END),"
    " sum(CASE WHEN decision = 'reference-suspect' THEN 1 ELSE 0 END),"
    " sum(CASE WHEN decision = 'needs-second-opinion' THEN 1 ELSE 0 END),"
    " sum(CASE WHEN decision = 'unsure' THEN 1 ELSE 0 END),"
    " sum(n_edits), sum(n_discarded), sum(n_noop), max(at_ms)"
    " FROM result WHERE campaign = ?1 AND rowid > ?2";

static const char job_end_sql[] =
    "UPDATE job SET state = ?3, owner = '' WHERE campaign = ?1 AND name = ?2 AND epoch = ?4"
    " AND state = 'claimed'";

struct sqlite {
    struct store store;
    sqlite3 *db;
    char *path;
    sqlite3_stmt *inserts[STORE_CHANGE_COUNT];
    sqlite3_stmt *reads[QUERY_COUNT];
    sqlite3_stmt *claim, *job_end, *totals, *begin, *commit, *rollback;
};

/* A value bound to ?1, ?2, ... */
struct arg {
    bool is_text;
    int64_t i;
    struct str s;
};
#define ARG_INT(v) ((struct arg){.i = (v)})
#define ARG_TEXT(v) ((struct arg){.is_text = true, .s = (v)})

/* What the database's last failure means to the user. */
static bool tell_failure(struct sqlite *s, struct err *e)
{
    static const struct {
        int code;
        enum err_code err;
        const char *text;
    } rows[] = {
        {SQLITE_BUSY, ERR_IO,
         "locked by another program; wait until it ends, or give another --out"},
        {SQLITE_LOCKED, ERR_IO, "locked by another program; wait until it ends"},
        {SQLITE_PROTOCOL, ERR_IO, "locked by another program; wait until it ends"},
        {SQLITE_FULL, ERR_IO,
         "the disk is full; what was committed is kept: free some space, then go on with --resume"},
        {SQLITE_READONLY, ERR_IO, "not writable; give another --out, or change its permissions"},
        {SQLITE_PERM, ERR_IO, "not writable; give another --out, or change its permissions"},
        {SQLITE_CANTOPEN, ERR_IO,
         "cannot be opened; its folder must exist and be writable, or give another --out"},
        {SQLITE_NOTADB, ERR_DATA, "no store: the file is not an SQLite database"},
        {SQLITE_CORRUPT, ERR_DATA,
         "damaged; keep a copy, then `sqlite3 FILE .recover` saves what can be read"},
        {SQLITE_IOERR, ERR_IO, "cannot be read or written; what was committed is kept"},
    };
    int code = sqlite3_errcode(s->db) & 0xff;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].code == code)
            return err_set(e, rows[i].err, "store %s: %s (%s)", s->path, rows[i].text,
                           sqlite3_errmsg(s->db));
    return err_set(e, ERR_INTERNAL, "store %s: %s", s->path, sqlite3_errmsg(s->db));
}

static bool prepare(struct sqlite *s, const char *sql, sqlite3_stmt **out, struct err *e)
{
    if (*out)
        return true;
    if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) != SQLITE_OK)
        return tell_failure(s, e);
    return true;
}

/* Runs a statement that gives no rows. */
static bool run(struct sqlite *s, sqlite3_stmt *stmt, struct err *e)
{
    int code = sqlite3_step(stmt);
    bool ok = code == SQLITE_DONE || code == SQLITE_ROW;
    if (!ok)
        tell_failure(s, e);
    sqlite3_reset(stmt);
    return ok;
}

static bool run_sql(struct sqlite *s, const char *sql, sqlite3_stmt **kept, struct err *e)
{
    return prepare(s, sql, kept, e) && run(s, *kept, e);
}

static void bind_text(sqlite3_stmt *stmt, int at, struct str text)
{
    sqlite3_bind_text64(stmt, at, text.at ? text.at : "", text.n, SQLITE_STATIC, SQLITE_UTF8);
}

static void bind_args(sqlite3_stmt *stmt, const struct arg *args, int n)
{
    for (int i = 0; i < n; i++) {
        if (args[i].is_text)
            bind_text(stmt, i + 1, args[i].s);
        else
            sqlite3_bind_int64(stmt, i + 1, args[i].i);
    }
}

/* hex: room for one hash that is bound until the statement has run. */
static void bind_column(sqlite3_stmt *stmt, int at, const struct column *c, const void *row,
                        char hex[static HASH_HEX_SIZE])
{
    switch (c->type) {
    case COLUMN_I64:
        sqlite3_bind_int64(stmt, at, *row__i64(row, c));
        break;
    case COLUMN_F64:
        sqlite3_bind_double(stmt, at, *row__f64(row, c)); /* NaN becomes NULL */
        break;
    case COLUMN_TEXT:
        bind_text(stmt, at, *row__text(row, c));
        break;
    case COLUMN_HASH:
        hash_to_hex(row__hash(row, c), hex);
        sqlite3_bind_text(stmt, at, hex, HASH_HEX_SIZE - 1, SQLITE_TRANSIENT);
        break;
    }
}

static void fetch_column(sqlite3_stmt *stmt, int at, const struct column *c, struct arena *a,
                         void *row)
{
    void *field = row__field(row, c);
    struct str text;
    switch (c->type) {
    case COLUMN_I64:
        *(int64_t *)field = sqlite3_column_int64(stmt, at);
        break;
    case COLUMN_F64:
        *(double *)field = sqlite3_column_type(stmt, at) == SQLITE_NULL
                               ? (double)NAN
                               : sqlite3_column_double(stmt, at);
        break;
    case COLUMN_TEXT:
    case COLUMN_HASH:
        text.at = (const char *)sqlite3_column_text(stmt, at);
        text.n = (size_t)sqlite3_column_bytes(stmt, at);
        if (c->type == COLUMN_TEXT)
            *(struct str *)field = (struct str){str_dup(a, text), text.n};
        else if (!hash_from_hex(text, field))
            *(struct hash *)field = (struct hash){{0}};
        break;
    }
}

static void add_columns(const struct table *t, bool with_computed, struct strbuf *sql)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct column *c = &t->columns[i];
        if (c->role == COLUMN_COMPUTED && !with_computed)
            continue;
        strbuf_adds(sql, i ? ", " : "");
        strbuf_adds(sql, c->role == COLUMN_COMPUTED ? c->sql : c->name);
    }
}

/* "ON CONFLICT (keys) DO UPDATE SET ..." by the columns' roles; nothing for a table without key. */
static void add_conflict(const struct table *t, struct strbuf *sql)
{
    size_t n_keys = 0, n_set = 0;
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].role == COLUMN_KEY)
            strbuf_printf(sql, "%s%s", n_keys++ ? ", " : " ON CONFLICT (", t->columns[i].name);
    if (n_keys == 0)
        return;
    strbuf_adds(sql, ") DO ");
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct column *c = &t->columns[i];
        const char *begin = n_set ? ", " : "UPDATE SET ";
        if (c->role == COLUMN_DATA)
            strbuf_printf(sql, "%s%s = excluded.%s", begin, c->name, c->name);
        else if (c->role == COLUMN_LEAST)
            strbuf_printf(sql,
                          "%s%s = CASE WHEN excluded.%s < %s.%s THEN excluded.%s ELSE %s.%s END",
                          begin, c->name, c->name, t->name, c->name, c->name, t->name, c->name);
        n_set += c->role == COLUMN_DATA || c->role == COLUMN_LEAST;
    }
    if (n_set == 0)
        strbuf_adds(sql, "NOTHING");
}

static bool prepare_insert(struct sqlite *s, enum store_change_kind kind, struct err *e)
{
    const struct table *t = row__table(kind);
    struct strbuf sql = {0};
    if (s->inserts[kind])
        return true;
    strbuf_printf(&sql, "INSERT INTO %s (", t->name);
    add_columns(t, false, &sql);
    strbuf_adds(&sql, ") VALUES (");
    for (size_t i = 0, n = 0; i < t->n_columns; i++)
        if (t->columns[i].role != COLUMN_COMPUTED)
            strbuf_printf(&sql, n++ ? ", ?" : "?");
    strbuf_adds(&sql, ")");
    add_conflict(t, &sql);
    bool ok = prepare(s, sql.at, &s->inserts[kind], e);
    strbuf_done(&sql);
    return ok;
}

static bool put_row(struct sqlite *s, enum store_change_kind kind, const void *row, struct err *e)
{
    const struct table *t = row__table(kind);
    char hex[HASH_HEX_SIZE];
    int at = 0;
    if (!prepare_insert(s, kind, e))
        return false;
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].role != COLUMN_COMPUTED)
            bind_column(s->inserts[kind], ++at, &t->columns[i], row, hex);
    return run(s, s->inserts[kind], e);
}

static bool end_job(struct sqlite *s, const struct store_job_end *end, struct err *e)
{
    const struct arg args[] = {ARG_INT(end->campaign), ARG_TEXT(end->name), ARG_TEXT(end->state),
                               ARG_INT(end->epoch)};
    if (!prepare(s, job_end_sql, &s->job_end, e))
        return false;
    bind_args(s->job_end, args, COUNT_OF(args));
    if (!run(s, s->job_end, e))
        return false;
    if (end->note.n == 0)
        return true;
    struct store_event event = {clock_wall_ms(), STR("hunt"), end->state, end->name, end->note};
    return put_row(s, STORE_EVENT, &event, e);
}

static bool put_changes(struct sqlite *s, const struct store_change *changes, size_t n,
                        struct err *e)
{
    if (fault_hit("commit"))
        return err_set(e, ERR_IO, "store %s: cannot be read or written (injected)", s->path);
    for (size_t i = 0; i < n; i++) {
        bool ok = changes[i].kind == STORE_JOB_END ? end_job(s, changes[i].job_end, e)
                                                   : put_row(s, changes[i].kind, changes[i].row, e);
        if (!ok)
            return false;
    }
    return run_sql(s, "COMMIT", &s->commit, e);
}

static bool sqlite_commit(struct store *store, const struct store_change *changes, size_t n,
                          struct err *e)
{
    struct sqlite *s = (struct sqlite *)store;
    struct err ignored;
    if (!run_sql(s, "BEGIN IMMEDIATE", &s->begin, e))
        return false;
    if (put_changes(s, changes, n, e))
        return true;
    if (!sqlite3_get_autocommit(s->db)) /* some failures have rolled back already */
        run_sql(s, "ROLLBACK", &s->rollback, &ignored);
    return false;
}

/* Steps through a prepared, bound statement of a table's columns. */
static bool fetch_rows(struct sqlite *s, sqlite3_stmt *stmt, const struct table *t, struct arena *a,
                       void **rows, size_t *n, struct err *e)
{
    size_t cap = 0;
    char *at = NULL;
    int code;
    *n = 0;
    while ((code = sqlite3_step(stmt)) == SQLITE_ROW) {
        if (*n == cap) {
            cap = cap ? cap * 2 : 16;
            at = mem_realloc(at, cap * t->row_size);
        }
        void *row = at + *n * t->row_size;
        memset(row, 0, t->row_size);
        for (size_t i = 0; i < t->n_columns; i++)
            fetch_column(stmt, (int)i, &t->columns[i], a, row);
        ++*n;
    }
    if (code == SQLITE_DONE)
        *rows = *n ? arena_dup(a, at, *n * t->row_size) : arena_alloc(a, 0);
    else
        tell_failure(s, e);
    free(at);
    sqlite3_reset(stmt);
    return code == SQLITE_DONE;
}

static bool read_rows(struct sqlite *s, enum query q, const struct arg *args, int n_args,
                      struct arena *a, void **rows, size_t *n, struct err *e)
{
    const struct table *t = row__table(queries[q].table);
    struct strbuf sql = {0};
    if (!s->reads[q]) {
        strbuf_adds(&sql, "SELECT ");
        add_columns(t, true, &sql);
        strbuf_printf(&sql, " FROM %s %s", t->name, queries[q].tail);
    }
    bool ok = prepare(s, sql.at, &s->reads[q], e);
    strbuf_done(&sql);
    if (!ok)
        return false;
    bind_args(s->reads[q], args, n_args);
    return fetch_rows(s, s->reads[q], t, a, rows, n, e);
}

static bool sqlite_claim(struct store *store, const struct store_claim *claim, struct arena *a,
                         struct store_jobs *out, struct err *e)
{
    struct sqlite *s = (struct sqlite *)store;
    const struct table *t = row__table(STORE_JOB);
    const struct arg args[] = {
        ARG_INT(claim->campaign), ARG_TEXT(claim->owner), ARG_INT(claim->now_ms + claim->lease_ms),
        ARG_INT(claim->now_ms),   ARG_TEXT(claim->kind),  ARG_INT((int64_t)claim->n_most),
        ARG_TEXT(claim->name)};
    struct strbuf sql = {0};
    void *rows = NULL;
    if (!s->claim) {
        strbuf_adds(&sql,
                    "UPDATE job SET state = 'claimed', owner = ?2, lease_ms = ?3,"
                    " epoch = epoch + 1, attempts = attempts + 1 WHERE campaign = ?1 AND name IN"
                    " (SELECT name FROM job WHERE campaign = ?1 AND (state = 'ready' OR"
                    " (state = 'claimed' AND lease_ms < ?4)) AND (?5 = '' OR kind = ?5) AND (?7 = "
                    "'' OR name = ?7)"
                    " ORDER BY case_at, name LIMIT ?6) RETURNING ");
        add_columns(t, false, &sql);
    }
    bool ok = prepare(s, sql.at, &s->claim, e);
    strbuf_done(&sql);
    if (!ok)
        return false;
    bind_args(s->claim, args, COUNT_OF(args));
    if (!fetch_rows(s, s->claim, t, a, &rows, &out->n, e))
        return false;
    out->at = rows;
    qsort(out->at, out->n, sizeof *out->at, store__compare_jobs); /* RETURNING has no order */
    return true;
}

static bool sqlite_campaigns(struct store *s, struct arena *a, struct store_campaigns *out,
                             struct err *e)
{
    void *rows = NULL;
    bool ok = read_rows((struct sqlite *)s, QUERY_CAMPAIGNS, NULL, 0, a, &rows, &out->n, e);
    out->at = rows;
    return ok;
}

static bool sqlite_targets(struct store *s, int64_t campaign, struct arena *a,
                           struct store_targets *out, struct err *e)
{
    const struct arg args[] = {ARG_INT(campaign)};
    void *rows = NULL;
    bool ok = read_rows((struct sqlite *)s, QUERY_TARGETS, args, 1, a, &rows, &out->n, e);
    out->at = rows;
    return ok;
}

static bool sqlite_jobs(struct store *s, int64_t campaign, struct str state, struct arena *a,
                        struct store_jobs *out, struct err *e)
{
    const struct arg args[] = {ARG_INT(campaign), ARG_TEXT(state)};
    void *rows = NULL;
    bool ok = read_rows((struct sqlite *)s, state.n ? QUERY_JOBS_IN_STATE : QUERY_JOBS, args,
                        state.n ? 2 : 1, a, &rows, &out->n, e);
    out->at = rows;
    return ok;
}

static bool sqlite_results(struct store *s, int64_t campaign, int64_t from, int64_t to,
                           struct arena *a, struct store_results *out, struct err *e)
{
    const struct arg args[] = {ARG_INT(campaign), ARG_INT(from), ARG_INT(to)};
    void *rows = NULL;
    bool ok = read_rows((struct sqlite *)s, QUERY_RESULTS, args, 3, a, &rows, &out->n, e);
    out->at = rows;
    return ok;
}

static bool sqlite_failures(struct store *s, int64_t campaign, struct str bug, size_t n_most,
                            struct arena *a, struct store_failures *out, struct err *e)
{
    const struct arg args[] = {bug.n ? ARG_TEXT(bug) : ARG_INT(campaign),
                               ARG_INT(n_most ? (int64_t)n_most : INT64_MAX)};
    void *rows = NULL;
    bool ok = read_rows((struct sqlite *)s, bug.n ? QUERY_FAILURES_OF_BUG : QUERY_FAILURES, args, 2,
                        a, &rows, &out->n, e);
    out->at = rows;
    return ok;
}

static bool sqlite_bugs(struct store *s, struct str id_prefix, struct arena *a,
                        struct store_bugs *out, struct err *e)
{
    void *rows = NULL;
    size_t n, n_kept = 0;
    if (!read_rows((struct sqlite *)s, QUERY_BUGS, NULL, 0, a, &rows, &n, e))
        return false;
    out->at = rows;
    for (size_t i = 0; i < n; i++)
        if (store__bug_matches(&out->at[i], id_prefix))
            out->at[n_kept++] = out->at[i];
    out->n = n_kept;
    qsort(out->at, out->n, sizeof *out->at, store__compare_bugs);
    return true;
}

static bool sqlite_aliases(struct store *s, int64_t campaign, struct arena *a,
                           struct store_aliases *out, struct err *e)
{
    void *rows = NULL;
    (void)campaign;
    bool ok = read_rows((struct sqlite *)s, QUERY_ALIASES, NULL, 0, a, &rows, &out->n, e);
    out->at = rows;
    return ok;
}

static bool sqlite_runs(struct store *s, struct str bug, struct arena *a, struct store_runs *out,
                        struct err *e)
{
    const struct arg args[] = {ARG_TEXT(bug)};
    void *rows = NULL;
    bool ok = read_rows((struct sqlite *)s, QUERY_RUNS, args, 1, a, &rows, &out->n, e);
    out->at = rows;
    return ok;
}

static bool sqlite_events(struct store *s, struct str subject, struct arena *a,
                          struct store_events *out, struct err *e)
{
    const struct arg args[] = {ARG_TEXT(subject)};
    void *rows = NULL;
    bool ok = read_rows((struct sqlite *)s, subject.n ? QUERY_EVENTS_OF_SUBJECT : QUERY_EVENTS,
                        args, subject.n ? 1 : 0, a, &rows, &out->n, e);
    out->at = rows;
    return ok;
}

static bool sqlite_totals(struct store *store, int64_t campaign, struct store_totals *io,
                          struct err *e)
{
    struct sqlite *s = (struct sqlite *)store;
    int64_t *const sums[] = {
        &io->n_cases, &io->n_valid,     &io->n_illegal, &io->n_none,           &io->n_unsupported,
        &io->n_lost,  &io->n_failing,   &io->n_suspect, &io->n_second_opinion, &io->n_unsure,
        &io->n_edits, &io->n_discarded, &io->n_noop};
    const struct arg args[] = {ARG_INT(campaign), ARG_INT(io->after)};
    if (!prepare(s, totals_sql, &s->totals, e))
        return false;
    bind_args(s->totals, args, 2);
    int code = sqlite3_step(s->totals);
    if (code != SQLITE_ROW)
        tell_failure(s, e);
    else if (sqlite3_column_int64(s->totals, 1) > 0) {
        io->after = sqlite3_column_int64(s->totals, 0);
        for (size_t i = 0; i < COUNT_OF(sums); i++)
            *sums[i] += sqlite3_column_int64(s->totals, (int)i + 1);
        int64_t last = sqlite3_column_int64(s->totals, (int)COUNT_OF(sums) + 1);
        io->last_at_ms = MAX(io->last_at_ms, last);
    }
    sqlite3_reset(s->totals);
    return code == SQLITE_ROW;
}

static void sqlite_close(struct store *store)
{
    struct sqlite *s = (struct sqlite *)store;
    sqlite3_stmt *const single[] = {s->claim, s->job_end, s->totals,
                                    s->begin, s->commit,  s->rollback};
    for (size_t i = 0; i < COUNT_OF(single); i++)
        sqlite3_finalize(single[i]);
    for (size_t i = 0; i < STORE_CHANGE_COUNT; i++)
        sqlite3_finalize(s->inserts[i]);
    for (size_t i = 0; i < QUERY_COUNT; i++)
        sqlite3_finalize(s->reads[i]);
    sqlite3_close(s->db);
    free(s->path);
    free(s);
}

static const struct store_ops sqlite_ops = {
    .name = "sqlite",
    .commit = sqlite_commit,
    .claim = sqlite_claim,
    .campaigns = sqlite_campaigns,
    .targets = sqlite_targets,
    .jobs = sqlite_jobs,
    .results = sqlite_results,
    .failures = sqlite_failures,
    .bugs = sqlite_bugs,
    .aliases = sqlite_aliases,
    .runs = sqlite_runs,
    .events = sqlite_events,
    .totals = sqlite_totals,
    .close = sqlite_close,
};

static bool execute(struct sqlite *s, const char *sql, struct err *e)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || tell_failure(s, e);
}

/* One number from the database. */
static bool ask_int(struct sqlite *s, const char *sql, int64_t *out, struct err *e)
{
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return tell_failure(s, e);
    int code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        *out = sqlite3_column_int64(stmt, 0);
    else
        tell_failure(s, e);
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
        if (version > (int64_t)i) { /* another program was faster */
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
    if (sqlite3_db_readonly(s->db, "main") == 1)
        return err_set(e, ERR_DATA,
                       "store %s: schema %lld of an older assay, this one needs %d and may not "
                       "write the file; copy it to where it may",
                       s->path, (long long)version, STORE_SCHEMA_VERSION);
    return migrate(s, version, e); /* readers too: what is added has defaults */
}

static bool open_database(struct sqlite *s, enum store_mode mode, struct err *e)
{
    int flags = SQLITE_OPEN_READWRITE | (mode == STORE_CREATE ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(s->path, &s->db, flags, fault_is_set() ? fault__vfs() : NULL) != SQLITE_OK)
        return tell_failure(s, e);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    if (mode != STORE_READ && sqlite3_db_readonly(s->db, "main") == 1)
        return err_set(e, ERR_IO,
                       "store %s: not writable; give another --out, or change its permissions",
                       s->path);
    return (mode == STORE_READ || execute(s, "PRAGMA journal_mode = WAL", e)) &&
           execute(s, "PRAGMA synchronous = NORMAL", e) && check_schema(s, mode, e);
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
    s->store.ops = &sqlite_ops;
    s->path = memcpy(mem_alloc(n), path, n);
    if (!open_database(s, mode, e)) {
        sqlite_close(&s->store);
        return false;
    }
    *out = &s->store;
    return true;
}
