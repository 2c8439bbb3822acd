/* The SQLite back end's parts: sqlite_open.c (files and versions), sqlite.c (the calls of struct
 * store_ops), sqlite_row.c (columns and failures). */
#ifndef STORE_SQLITE_P_H
#define STORE_SQLITE_P_H

#include <sqlite3.h>

#include "store/row_p.h"
#include "store/words_p.h"

enum query {
#define QUERY(id, table, tail) QUERY_##id,
#include "store/queries.def"
#undef QUERY
    QUERY_COUNT
};

struct sqlite {
    struct store store;
    sqlite3 *db;
    char *path;
    bool is_older; /* read-only and of an earlier version: columns may be missing */
    sqlite3_stmt *inserts[STORE_CHANGE_COUNT];
    sqlite3_stmt *reads[QUERY_COUNT];
    sqlite3_stmt *claim, *job_end, *totals, *begin, *commit, *rollback;
    sqlite3_stmt *word_add, *word_list;
    struct words words; /* of the table `word`, as far as read */
    int n_wal_pages;    /* of the write-ahead log, after the last commit */
    int n_wal_waited;   /* so many it had when readers were last waited for */
};

/*
 * The write-ahead log grows while readers use it: SQLite starts it anew only when none does. From
 * WAL_WAIT_PAGES on a commit therefore waits for readers, once per so many pages; new ones then
 * read the database alone. A reader that stays for ever makes commits fail from WAL_MOST_PAGES on.
 */
enum { WAL_COPY_PAGES = 1000, WAL_WAIT_PAGES = 16384, WAL_MOST_PAGES = 65536 }; /* of 4 KiB */

extern const struct store_ops sqlite__ops;
void sqlite__close(struct store *store);

/* Sets *e to what the database's last failure means to the user; returns false. */
bool sqlite__tell(struct sqlite *s, struct err *e);

/* Prepares the statement unless *out is it already. */
bool sqlite__prepare(struct sqlite *s, const char *sql, sqlite3_stmt **out, struct err *e);
/* Runs a statement that gives no rows. */
bool sqlite__run(struct sqlite *s, sqlite3_stmt *stmt, struct err *e);
bool sqlite__run_sql(struct sqlite *s, const char *sql, sqlite3_stmt **kept, struct err *e);

/* The text must live until the statement has run. */
void sqlite__bind_text(sqlite3_stmt *stmt, int at, struct str text);
bool sqlite__bind_column(struct sqlite *s, sqlite3_stmt *stmt, int at, const struct column *c,
                         const void *row, struct err *e);
bool sqlite__fetch_column(struct sqlite *s, sqlite3_stmt *stmt, int at, const struct column *c,
                          struct arena *a, void *row, struct err *e);

#endif
