/* The tables of columns.def as data, so that a back end is written once for all tables. */
#ifndef STORE_ROW_P_H
#define STORE_ROW_P_H

#include "base/arena.h"
#include "store/store.h"

enum column_type { COLUMN_I64, COLUMN_F64, COLUMN_TEXT, COLUMN_WORDS, COLUMN_HASH };
enum column_role { COLUMN_KEY, COLUMN_FIXED, COLUMN_DATA, COLUMN_LEAST, COLUMN_COMPUTED };

struct column {
    enum store_change_kind table;
    const char *name;
    enum column_type type;
    enum column_role role;
    size_t offset;   /* of the field in the row's struct */
    const char *sql; /* COLUMN_COMPUTED */
};

struct table {
    const char *name;
    size_t row_size;
    const struct column *columns; /* those of this table, in order */
    size_t n_columns;
};

/* The table of a kind of row; NULL for STORE_JOB_END, which has none. */
const struct table *row__table(enum store_change_kind kind);

/* Copies the row; the copy's texts live in the arena. */
void row__copy(const struct table *t, const void *from, struct arena *a, void *to);

/* The key columns as bytes, for maps. */
void row__key(const struct table *t, const void *row, struct strbuf *out);

/* Is the field a struct str? */
static inline bool row__is_text(const struct column *c)
{
    return c->type == COLUMN_TEXT || c->type == COLUMN_WORDS;
}

static inline const int64_t *row__i64(const void *row, const struct column *c)
{
    return (const int64_t *)(const void *)((const char *)row + c->offset);
}

static inline const double *row__f64(const void *row, const struct column *c)
{
    return (const double *)(const void *)((const char *)row + c->offset);
}

static inline const struct str *row__text(const void *row, const struct column *c)
{
    return (const struct str *)(const void *)((const char *)row + c->offset);
}

static inline const struct hash *row__hash(const void *row, const struct column *c)
{
    return (const struct hash *)(const void *)((const char *)row + c->offset);
}

static inline void *row__field(void *row, const struct column *c)
{
    return (char *)row + c->offset;
}

#endif
