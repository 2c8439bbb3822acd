/* Troubles that only files have: locked, disk full, read-only, of another kind or version, left by
 * a killed process. Each ends in a message that says what to do, and nothing committed is lost. */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/share.h"
#include "store/batch.h"
#include "unit/test.h"

struct place {
    struct arena arena;
    const char *dir, *path;
};

static void place_init(struct place *p)
{
    struct err e;
    arena_init(&p->arena);
    assert_true(file_make_temp_dir(&p->arena, "sqlite", &p->dir, &e));
    p->path = path_join(&p->arena, p->dir, "store.sqlite");
}

static void place_done(struct place *p)
{
    struct err e;
    assert_true(file_remove_tree(p->dir, &e));
    arena_done(&p->arena);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void make_nothing(const struct place *p)
{
    (void)p;
}

static void make_text_file(const struct place *p)
{
    struct err e;
    static const char text[] = "this file has been a text since long before any database came by";
    assert_true(file_write(p->path, text, sizeof text, &e));
}

static void make_foreign_database(const struct place *p)
{
    run_sql(p->path, "CREATE TABLE songs (title TEXT)");
}

static void make_newer_store(const struct place *p)
{
    struct store *s;
    struct err e;
    assert_true(store_open(p->path, STORE_CREATE, &s, &e));
    store_close(s);
    run_sql(p->path, "INSERT INTO schema_version VALUES (99, 0)");
}

static void make_store_of_version_0(const struct place *p)
{
    struct store *s;
    struct err e;
    assert_true(store_open(p->path, STORE_CREATE, &s, &e));
    store_close(s);
    run_sql(p->path, "UPDATE schema_version SET version = 0");
}

/* Makes a store of version 1 with one result and one bug. */
static void make_first_version(const struct place *p)
{
    struct strbuf sql = {0};
    struct str start;
    assert_true(share_find("migrations/0001_start.sql", &start));
    strbuf_addstr(&sql, start);
    strbuf_adds(&sql, "CREATE TABLE schema_version (version BIGINT NOT NULL, applied_ms BIGINT NOT"
                      " NULL); INSERT INTO schema_version VALUES (1, 0);"
                      "INSERT INTO result VALUES (1, 0, '', '', 'valid', 'pass', '', '', '', '', "
                      "'', 0.5, 1, 2, 3, 4, 5, 6);");
    run_sql(p->path, strbuf_str(&sql).at);
    strbuf_done(&sql);
}

static void an_older_store_is_brought_up_to_date(void **state)
{
    static const struct {
        const char *name;
        enum store_mode mode;
    } rows[] = {{"to read", STORE_READ}, {"to write", STORE_WRITE}, {"to go on", STORE_CREATE}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct place p;
        struct store *s = NULL;
        struct store_results results;
        struct err e = {0};
        place_init(&p);
        make_first_version(&p);
        for (int times = 0; times < 2; times++) { /* the second time there is nothing to migrate */
            if (!store_open(p.path, rows[i].mode, &s, &e))
                fail_msg("%s: %s", rows[i].name, e.text);
            assert_true(store_results(s, 1, 0, 10, &p.arena, &results, &e));
            ASSERT_ROW(results.n == 1 && results.at[0].edits.n == 0, rows[i].name);
            ASSERT_ROW(results.at[0].n_macs == 1 && results.at[0].at_ms == 6, rows[i].name);
            store_close(s);
        }
        run_sql(p.path, "CREATE TABLE sample (x); CREATE TABLE worker (x)"); /* both were dropped */
        place_done(&p);
    }
}

/* Reads the folder's store as a user who may not write there. Exit status 0: it has one result, of
 * version 1 or, if has_edits, with the words of this version. */
static int read_as_stranger(const struct place *p, bool has_edits)
{
    struct store *s = NULL;
    struct store_results results;
    struct store_bugs bugs;
    struct err e = {0};
    if (getuid() == 0 && setuid(65534) != 0)
        return 3;
    if (!store_open(p->path, STORE_READ, &s, &e)) {
        fprintf(stderr, "%s\n", e.text);
        return 1;
    }
    struct arena a;
    arena_init(&a);
    bool ok = store_results(s, 1, 0, 10, &a, &results, &e) && results.n == 1 &&
              results.at[0].n_macs == 1 &&
              str_eq(results.at[0].edits, has_edits ? STR("N4 residual at=Abs") : STR("")) &&
              store_bugs(s, STR(""), &a, &bugs, &e) && bugs.n == 0;
    arena_done(&a);
    store_close(s);
    return ok ? 0 : 2;
}

static void a_store_that_may_not_be_written_is_read(void **state)
{
    (void)state;
    for (int is_new = 0; is_new < 2; is_new++) {
        struct place p;
        struct err e;
        struct store *s;
        int status;
        place_init(&p);
        if (is_new) {
            const struct store_result row = {
                .campaign = 1, .n_macs = 1, .edits = STR("N4 residual at=Abs")};
            const struct store_change change = {.kind = STORE_RESULT, .result = &row};
            assert_true(store_open(p.path, STORE_CREATE, &s, &e));
            assert_true(store_commit(s, &change, 1, &e));
            store_close(s);
        } else {
            make_first_version(&p);
        }
        assert_int_equal(chmod(p.path, 0444), 0);
        assert_int_equal(chmod(p.dir, 0555), 0);
        pid_t pid = fork();
        if (pid == 0)
            _exit(read_as_stranger(&p, is_new));
        waitpid(pid, &status, 0);
        assert_int_equal(chmod(p.dir, 0755), 0);
        assert_int_equal(status, 0);
        place_done(&p);
    }
}

static void make_folder_there(const struct place *p)
{
    struct err e;
    assert_true(file_make_dirs(p->path, &e));
}

static void make_file_as_folder(const struct place *p)
{
    struct err e;
    assert_true(file_remove_tree(p->dir, &e));
    assert_true(file_write(p->dir, "x", 1, &e));
}

static void what_cannot_be_opened_says_why(void **state)
{
    static const struct {
        const char *name;
        void (*make)(const struct place *p);
        enum store_mode mode;
        const char *says;
    } rows[] = {
        {"missing", make_nothing, STORE_READ, "no such file; `assay hunt --out DIR` makes one"},
        {"missing, to write", make_nothing, STORE_WRITE, "no such file"},
        {"text", make_text_file, STORE_CREATE, "the file is not an SQLite database"},
        {"text, to read", make_text_file, STORE_READ, "the file is not an SQLite database"},
        {"foreign", make_foreign_database, STORE_CREATE, "but no store of assay"},
        {"newer", make_newer_store, STORE_CREATE, "made by a newer assay (schema 99"},
        {"newer, to read", make_newer_store, STORE_READ, "made by a newer assay (schema 99"},
        {"version 0", make_store_of_version_0, STORE_WRITE, "damaged: its schema_version is 0"},
        {"version 0, to read", make_store_of_version_0, STORE_READ, "schema_version is 0"},
        {"folder", make_folder_there, STORE_CREATE, "cannot be opened"},
        {"file as folder", make_file_as_folder, STORE_CREATE, "store "},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct place p;
        struct store *s = NULL;
        struct err e = {0};
        place_init(&p);
        rows[i].make(&p);
        ASSERT_ROW(!store_open(p.path, rows[i].mode, &s, &e), rows[i].name);
        ASSERT_ROW(strstr(e.text, rows[i].says) && strstr(e.text, p.dir), rows[i].name);
        place_done(&p);
    }
}

static struct store_change change_of(struct store_result *row, int64_t case_at)
{
    *row = (struct store_result){.campaign = 1, .case_at = case_at, .kind = STR("valid")};
    return (struct store_change){.kind = STORE_RESULT, .result = row};
}

static size_t count_results(struct store *s)
{
    struct arena a;
    struct store_results got;
    struct err e;
    arena_init(&a);
    assert_true(store_results(s, 1, 0, INT64_MAX, &a, &got, &e));
    size_t n = got.n;
    arena_done(&a);
    return n;
}

static void a_full_disk_keeps_batch_and_commits(void **state)
{
    struct place p;
    struct err e = {0};
    struct store *s;
    struct batch b;
    struct rlimit old;
    struct store_result row;
    (void)state;
    place_init(&p);
    assert_true(store_open(p.path, STORE_CREATE, &s, &e));
    batch_init(&b, s);
    batch_add(&b, change_of(&row, 0));
    assert_true(batch_flush(&b, &e));
    struct str large = {arena_alloc(&p.arena, 1 << 20), 1 << 20};
    for (int64_t i = 1; i < 4; i++) {
        struct store_change change = change_of(&row, i);
        row.outcomes = large;
        batch_add(&b, change);
    }
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    const struct rlimit small = {1 << 19, old.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool ok = batch_flush(&b, &e);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_false(ok);
    assert_non_null(strstr(e.text, "what was committed is kept"));
    assert_int_equal(count_results(s), 1);
    assert_true(batch_flush(&b, &e)); /* room again: nothing was lost */
    assert_int_equal(count_results(s), 4);
    batch_done(&b);
    store_close(s);
    place_done(&p);
}

static void a_locked_store_says_so_and_loses_nothing(void **state)
{
    struct place p;
    struct err e = {0};
    struct store *s;
    struct store_result row;
    sqlite3 *other;
    (void)state;
    place_init(&p);
    assert_true(store_open(p.path, STORE_CREATE, &s, &e));
    struct store_change change = change_of(&row, 0);
    assert_int_equal(sqlite3_open(p.path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_false(store_commit(s, &change, 1, &e));
    assert_non_null(strstr(e.text, "locked by another program"));
    assert_int_equal(count_results(s), 0); /* readers go on */
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    assert_true(store_commit(s, &change, 1, &e));
    assert_int_equal(count_results(s), 1);
    sqlite3_close(other);
    store_close(s);
    place_done(&p);
}

/* Commits row after row and writes each number to tell_fd when its commit has returned. */
static void write_until_killed(const char *path, int tell_fd)
{
    struct err e;
    struct store *s;
    struct store_result row;
    if (!store_open(path, STORE_CREATE, &s, &e))
        _exit(1);
    for (int64_t i = 0;; i++) {
        struct store_change change = change_of(&row, i);
        if (!store_commit(s, &change, 1, &e) || write(tell_fd, &i, sizeof i) != sizeof i)
            _exit(1);
    }
}

static void a_killed_writer_loses_nothing_committed(void **state)
{
    (void)state;
    for (int64_t kill_at = 1; kill_at <= 200; kill_at = kill_at * 3 + 1) {
        struct place p;
        struct err e;
        struct store *s;
        int ends[2], status;
        int64_t told = -1, next;
        place_init(&p);
        assert_int_equal(pipe(ends), 0);
        pid_t pid = fork();
        if (pid == 0)
            write_until_killed(p.path, ends[1]);
        close(ends[1]);
        while (told < kill_at && read(ends[0], &next, sizeof next) == sizeof next)
            told = next;
        kill(pid, SIGKILL);
        while (read(ends[0], &next, sizeof next) == sizeof next)
            told = next;
        close(ends[0]);
        waitpid(pid, &status, 0);
        assert_true(WIFSIGNALED(status));
        assert_true(told >= kill_at);
        assert_true(store_open(p.path, STORE_WRITE, &s, &e));
        size_t n = count_results(s);
        assert_in_range(n, (size_t)told + 1, (size_t)told + 2); /* one may be unreported */
        store_close(s);
        place_done(&p);
    }
}

/* Commits results with a long text; false: a commit failed. */
static bool commit_mebibytes(struct store *s, int64_t from, int64_t n, struct err *e)
{
    static char text[1 << 20];
    memset(text, 'x', sizeof text);
    for (int64_t i = 0; i < n; i++) {
        const struct store_result row = {
            .campaign = 1, .case_at = from + i, .keys = {text, sizeof text}};
        const struct store_change change = {.kind = STORE_RESULT, .result = &row};
        if (!store_commit(s, &change, 1, e))
            return false;
    }
    return true;
}

static sqlite3 *begin_reading(const char *path)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN; SELECT count(*) FROM result", NULL, NULL, NULL),
                     SQLITE_OK);
    return db;
}

static uint64_t log_mebibytes(const struct place *p)
{
    return file_stat(arena_printf(&((struct place *)(uintptr_t)p)->arena, "%s-wal", p->path))
               .size >>
           20;
}

/* Readers that take turns never leave the log alone, but each ends within the time that a commit
 * waits. One that stays makes commits fail before the log has grown without limit. */
static void readers_do_not_let_the_log_grow_without_limit(void **state)
{
    struct place p;
    struct store *s;
    struct err e = {0};
    (void)state;
    place_init(&p);
    assert_true(store_open(p.path, STORE_CREATE, &s, &e));
    sqlite3 *reader = begin_reading(p.path);
    for (int64_t from = 0; from < 150; from += 10) {
        sqlite3 *next = begin_reading(p.path);
        sqlite3_close(reader);
        reader = next;
        assert_true(commit_mebibytes(s, from, 10, &e));
    }
    sqlite3_close(reader);
    assert_true(commit_mebibytes(s, 150, 70, &e));
    assert_true(log_mebibytes(&p) < 140);
    reader = begin_reading(p.path);
    assert_false(commit_mebibytes(s, 300, 400, &e));
    assert_int_equal(e.code, ERR_ENVIRONMENT);
    assert_non_null(strstr(e.text, "another program reads it"));
    assert_true(log_mebibytes(&p) < 300);
    sqlite3_close(reader);
    store_close(s);
    assert_true(store_open(p.path, STORE_WRITE, &s, &e));
    assert_true(commit_mebibytes(s, 800, 10, &e));
    store_close(s);
    place_done(&p);
}

/* Each list of bugs asks for the lost cases: it must not read a million results for them. */
static void lost_cases_are_found_by_their_index(void **state)
{
    struct place p;
    struct store *s;
    struct err e;
    sqlite3 *db;
    sqlite3_stmt *stmt;
    (void)state;
    place_init(&p);
    assert_true(store_open(p.path, STORE_CREATE, &s, &e));
    store_close(s);
    assert_int_equal(sqlite3_open(p.path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db,
                           "EXPLAIN QUERY PLAN SELECT * FROM result WHERE campaign = ?1"
                           " AND kind = 'lost' ORDER BY case_at",
                           -1, &stmt, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    assert_non_null(strstr((const char *)sqlite3_column_text(stmt, 3), "result_lost"));
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    place_done(&p);
}

TEST_SUITE(store_sqlite, TEST(lost_cases_are_found_by_their_index),
           TEST(readers_do_not_let_the_log_grow_without_limit),
           TEST(what_cannot_be_opened_says_why), TEST(an_older_store_is_brought_up_to_date),
           TEST(a_store_that_may_not_be_written_is_read), TEST(a_full_disk_keeps_batch_and_commits),
           TEST(a_locked_store_says_so_and_loses_nothing),
           TEST(a_killed_writer_loses_nothing_committed))
