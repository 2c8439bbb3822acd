/*
 * Decides how rows are kept in SQLite (WAL, synchronous=NORMAL: a commit survives the death of the
 * process, and readers do not wait for the writer). Knows tables only through columns.def and
 * queries.def; statements are prepared once. A commit is one transaction: it makes all changes, or
 * none, and then the caller still has them. Messages of failures say what to do: disk full, locked,
 * not writable, no store, another version.
 */
#include "store/sqlite_p.h"

#include "base/clock.h"
#include "base/compiler.h"
#include "base/fault.h"
#include "base/vec.h"
#include "store/backend_p.h"

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
    "UPDATE job SET state = ?3, owner = '', attempts = attempts + ?6"
    " WHERE campaign = ?1 AND name = ?2 AND epoch = ?4 AND state = ?5";

/* A value bound to ?1, ?2, ... */
struct arg {
    bool is_text;
    int64_t i;
    struct str s;
};
#define ARG_INT(v) ((struct arg){.i = (v)})
#define ARG_TEXT(v) ((struct arg){.is_text = true, .s = (v)})

static void bind_args(sqlite3_stmt *stmt, const struct arg *args, int n)
{
    for (int i = 0; i < n; i++) {
        if (args[i].is_text)
            sqlite__bind_text(stmt, i + 1, args[i].s);
        else
            sqlite3_bind_int64(stmt, i + 1, args[i].i);
    }
}

static bool has_column(struct sqlite *s, const struct table *t, const struct column *c)
{
    sqlite3_stmt *stmt = NULL;
    static const char sql[] = "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2";
    if (!s->is_older)
        return true;
    sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);
    sqlite__bind_text(stmt, 1, str_of(t->name));
    sqlite__bind_text(stmt, 2, str_of(c->name));
    bool found = sqlite3_step(stmt) == SQLITE_ROW;
    sqlite3_finalize(stmt);
    return found;
}

/* The SQL expression of a column; one that an older store lacks has its initial value. */
static const char *expression(struct sqlite *s, const struct table *t, const struct column *c)
{
    if (c->role == COLUMN_COMPUTED)
        return c->sql;
    return has_column(s, t, c) ? c->name : row__is_text(c) ? "''" : "0";
}

static void add_columns(struct sqlite *s, const struct table *t, bool with_computed,
                        struct strbuf *sql)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct column *c = &t->columns[i];
        if (c->role == COLUMN_COMPUTED && !with_computed)
            continue;
        strbuf_printf(sql, "%s%s", i ? ", " : "", expression(s, t, c));
    }
}

/* Adds "ON CONFLICT (keys) DO UPDATE SET ..." by the columns' roles, if the table has a key. */
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
    add_columns(s, t, false, &sql);
    strbuf_adds(&sql, ") VALUES (");
    for (size_t i = 0, n = 0; i < t->n_columns; i++)
        if (t->columns[i].role != COLUMN_COMPUTED)
            strbuf_printf(&sql, n++ ? ", ?" : "?");
    strbuf_adds(&sql, ")");
    add_conflict(t, &sql);
    bool ok = sqlite__prepare(s, sql.at, &s->inserts[kind], e);
    strbuf_done(&sql);
    return ok;
}

static bool put_row(struct sqlite *s, enum store_change_kind kind, const void *row, struct err *e)
{
    const struct table *t = row__table(kind);
    int at = 0;
    if (!prepare_insert(s, kind, e))
        return false;
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->columns[i].role != COLUMN_COMPUTED &&
            !sqlite__bind_column(s, s->inserts[kind], ++at, &t->columns[i], row, e))
            return false;
    return sqlite__run(s, s->inserts[kind], e);
}

static bool end_job(struct sqlite *s, const struct store_job_end *end, struct err *e)
{
    const struct arg args[] = {ARG_INT(end->campaign),
                               ARG_TEXT(end->name),
                               ARG_TEXT(end->state),
                               ARG_INT(end->epoch),
                               ARG_TEXT(end->from.n ? end->from : STR("claimed")),
                               ARG_INT(end->add_attempts)};
    if (!sqlite__prepare(s, job_end_sql, &s->job_end, e))
        return false;
    bind_args(s->job_end, args, COUNT_OF(args));
    if (!sqlite__run(s, s->job_end, e))
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
    return sqlite__run_sql(s, "COMMIT", &s->commit, e);
}

static bool sqlite_commit(struct store *store, const struct store_change *changes, size_t n,
                          struct err *e)
{
    struct sqlite *s = (struct sqlite *)store;
    struct err ignored;
    if (s->n_wal_pages >= WAL_MOST_PAGES)
        return err_set(e, ERR_ENVIRONMENT,
                       "store %s: another program reads it and does not end, so that %s-wal grows "
                       "without limit; what was committed is kept: end that program, then go on "
                       "with --resume",
                       s->path, s->path);
    if (!sqlite__run_sql(s, "BEGIN IMMEDIATE", &s->begin, e))
        return false;
    if (put_changes(s, changes, n, e))
        return true;
    if (!sqlite3_get_autocommit(s->db)) /* else the failure has rolled back already */
        sqlite__run_sql(s, "ROLLBACK", &s->rollback, &ignored);
    words__done(&s->words); /* words that were added in the transaction are gone */
    words__init(&s->words);
    return false;
}

/* Steps through a prepared, bound statement of a table's columns. */
static bool fetch_rows(struct sqlite *s, sqlite3_stmt *stmt, const struct table *t, struct arena *a,
                       void **rows, size_t *n, struct err *e)
{
    size_t cap = 0;
    char *at = NULL;
    int code;
    bool ok = true;
    *n = 0;
    while (ok && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        if (*n == cap) {
            cap = cap ? cap * 2 : 16;
            at = mem_realloc(at, cap * t->row_size);
        }
        void *row = at + *n * t->row_size;
        memset(row, 0, t->row_size);
        for (size_t i = 0; ok && i < t->n_columns; i++)
            ok = sqlite__fetch_column(s, stmt, (int)i, &t->columns[i], a, row, e);
        ++*n;
    }
    if (ok && code != SQLITE_DONE)
        ok = sqlite__tell(s, e);
    if (ok)
        *rows = *n ? arena_dup(a, at, *n * t->row_size) : arena_alloc(a, 0);
    free(at);
    sqlite3_reset(stmt);
    return ok;
}

static bool read_rows(struct sqlite *s, enum query q, const struct arg *args, int n_args,
                      struct arena *a, void **rows, size_t *n, struct err *e)
{
    const struct table *t = row__table(queries[q].table);
    struct strbuf sql = {0};
    if (!s->reads[q]) {
        strbuf_adds(&sql, "SELECT ");
        add_columns(s, t, true, &sql);
        strbuf_printf(&sql, " FROM %s %s", t->name, queries[q].tail);
    }
    bool ok = sqlite__prepare(s, sql.at, &s->reads[q], e);
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
        add_columns(s, t, false, &sql);
    }
    bool ok = sqlite__prepare(s, sql.at, &s->claim, e);
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

static bool sqlite_lost(struct store *s, int64_t campaign, struct arena *a,
                        struct store_results *out, struct err *e)
{
    const struct arg args[] = {ARG_INT(campaign)};
    void *rows = NULL;
    bool ok = read_rows((struct sqlite *)s, QUERY_LOST, args, 1, a, &rows, &out->n, e);
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
    if (!sqlite__prepare(s, totals_sql, &s->totals, e))
        return false;
    bind_args(s->totals, args, 2);
    int code = sqlite3_step(s->totals);
    if (code != SQLITE_ROW)
        sqlite__tell(s, e);
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

static bool sqlite_snapshot(struct store *s, int64_t campaign, struct arena *a,
                            struct store_snapshot *out, struct err *e)
{
    const struct arg args[] = {ARG_INT(campaign)};
    void *rows = NULL;
    size_t n;
    *out = (struct store_snapshot){.campaign = campaign};
    if (!read_rows((struct sqlite *)s, QUERY_SNAPSHOT, args, 1, a, &rows, &n, e))
        return false;
    if (n > 0)
        *out = *(struct store_snapshot *)rows;
    return true;
}

void sqlite__close(struct store *store)
{
    struct sqlite *s = (struct sqlite *)store;
    sqlite3_stmt *const single[] = {s->claim,  s->job_end,  s->totals,   s->begin,
                                    s->commit, s->rollback, s->word_add, s->word_list};
    for (size_t i = 0; i < COUNT_OF(single); i++)
        sqlite3_finalize(single[i]);
    for (size_t i = 0; i < STORE_CHANGE_COUNT; i++)
        sqlite3_finalize(s->inserts[i]);
    for (size_t i = 0; i < QUERY_COUNT; i++)
        sqlite3_finalize(s->reads[i]);
    sqlite3_close(s->db);
    words__done(&s->words);
    free(s->path);
    free(s);
}

const struct store_ops sqlite__ops = {
    .name = "sqlite",
    .commit = sqlite_commit,
    .claim = sqlite_claim,
    .campaigns = sqlite_campaigns,
    .targets = sqlite_targets,
    .jobs = sqlite_jobs,
    .results = sqlite_results,
    .lost = sqlite_lost,
    .failures = sqlite_failures,
    .bugs = sqlite_bugs,
    .aliases = sqlite_aliases,
    .runs = sqlite_runs,
    .events = sqlite_events,
    .totals = sqlite_totals,
    .snapshot = sqlite_snapshot,
    .close = sqlite__close,
};
