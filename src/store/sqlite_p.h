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
};

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
