/*
 * Decides how columns become values of SQLite and back, and what a failure of the database means to
 * the user. Gives the words of WORDS columns their numbers, in the table `word`.
 */
#include "store/sqlite_p.h"

#include <math.h>

#include "base/compiler.h"

bool sqlite__tell(struct sqlite *s, struct err *e)
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
    int code = sqlite3_errcode(s->db) & 0xff, cause = sqlite3_system_errno(s->db);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].code == code)
            return err_set(e, rows[i].err, "store %s: %s (%s)", s->path, rows[i].text,
                           code == SQLITE_IOERR && cause ? strerror(cause) /* "File too large" */
                                                         : sqlite3_errmsg(s->db));
    return err_set(e, ERR_INTERNAL, "store %s: %s", s->path, sqlite3_errmsg(s->db));
}

bool sqlite__prepare(struct sqlite *s, const char *sql, sqlite3_stmt **out, struct err *e)
{
    if (*out)
        return true;
    if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) != SQLITE_OK)
        return sqlite__tell(s, e);
    return true;
}

bool sqlite__run(struct sqlite *s, sqlite3_stmt *stmt, struct err *e)
{
    int code = sqlite3_step(stmt);
    bool ok = code == SQLITE_DONE || code == SQLITE_ROW;
    if (!ok)
        sqlite__tell(s, e);
    sqlite3_reset(stmt);
    return ok;
}

bool sqlite__run_sql(struct sqlite *s, const char *sql, sqlite3_stmt **kept, struct err *e)
{
    return sqlite__prepare(s, sql, kept, e) && sqlite__run(s, *kept, e);
}

void sqlite__bind_text(sqlite3_stmt *stmt, int at, struct str text)
{
    sqlite3_bind_text64(stmt, at, text.at ? text.at : "", text.n, SQLITE_STATIC, SQLITE_UTF8);
}

/* Reads the words of the table that this process does not know yet. */
static bool read_words(struct sqlite *s, struct err *e)
{
    int code;
    if (!sqlite__prepare(s, "SELECT id, text FROM word WHERE id >= ?1 ORDER BY id", &s->word_list,
                         e))
        return false;
    sqlite3_bind_int64(s->word_list, 1, (int64_t)s->words.texts.n);
    while ((code = sqlite3_step(s->word_list)) == SQLITE_ROW) {
        const struct str word = {(const char *)sqlite3_column_text(s->word_list, 1),
                                 (size_t)sqlite3_column_bytes(s->word_list, 1)};
        words__add(&s->words, (uint32_t)sqlite3_column_int64(s->word_list, 0), word);
    }
    if (code != SQLITE_DONE)
        sqlite__tell(s, e);
    sqlite3_reset(s->word_list);
    return code == SQLITE_DONE;
}

/* Gives the word a number, or takes the one that another process has given it meanwhile. */
static bool add_word(struct sqlite *s, struct str word, struct err *e)
{
    static const char sql[] = "INSERT INTO word (text) VALUES (?1)"
                              " ON CONFLICT (text) DO UPDATE SET text = text RETURNING id";
    if (!sqlite__prepare(s, sql, &s->word_add, e))
        return false;
    sqlite__bind_text(s->word_add, 1, word);
    int code = sqlite3_step(s->word_add);
    if (code == SQLITE_ROW)
        words__add(&s->words, (uint32_t)sqlite3_column_int64(s->word_add, 0), word);
    else
        sqlite__tell(s, e);
    sqlite3_reset(s->word_add);
    return code == SQLITE_ROW;
}

static bool bind_words(struct sqlite *s, sqlite3_stmt *stmt, int at, struct str text, struct err *e)
{
    struct strbuf bytes = {0};
    struct str rest = text, word;
    char behind;
    if (s->words.texts.n == 1 && !read_words(s, e))
        return false;
    while (words__split(&rest, &word, &behind))
        if (!words__find(&s->words, word) && words__has_room(&s->words, word) &&
            !add_word(s, word, e))
            return false;
    words__pack(&s->words, text, &bytes);
    sqlite3_bind_blob64(stmt, at, bytes.at ? bytes.at : "", bytes.n, SQLITE_TRANSIENT);
    strbuf_done(&bytes);
    return true;
}

/* Binds a hash as 32 bytes or, if it is a key, as hexadecimal text, as all versions do. */
static void bind_hash(sqlite3_stmt *stmt, int at, const struct column *c, const struct hash *h)
{
    char hex[HASH_HEX_SIZE];
    if (c->role != COLUMN_KEY) {
        sqlite3_bind_blob(stmt, at, h, sizeof *h, SQLITE_TRANSIENT);
        return;
    }
    hash_to_hex(h, hex);
    sqlite3_bind_text(stmt, at, hex, HASH_HEX_SIZE - 1, SQLITE_TRANSIENT);
}

bool sqlite__bind_column(struct sqlite *s, sqlite3_stmt *stmt, int at, const struct column *c,
                         const void *row, struct err *e)
{
    switch (c->type) {
    case COLUMN_I64:
        sqlite3_bind_int64(stmt, at, *row__i64(row, c));
        break;
    case COLUMN_F64:
        sqlite3_bind_double(stmt, at, *row__f64(row, c)); /* NaN becomes NULL */
        break;
    case COLUMN_TEXT:
        sqlite__bind_text(stmt, at, *row__text(row, c));
        break;
    case COLUMN_WORDS:
        return bind_words(s, stmt, at, *row__text(row, c), e);
    case COLUMN_HASH:
        bind_hash(stmt, at, c, row__hash(row, c));
        break;
    }
    return true;
}

static struct str column_bytes(sqlite3_stmt *stmt, int at)
{
    const char *bytes = sqlite3_column_blob(stmt, at);
    return (struct str){bytes ? bytes : "", (size_t)sqlite3_column_bytes(stmt, at)};
}

static bool fetch_words(struct sqlite *s, sqlite3_stmt *stmt, int at, struct arena *a,
                        struct str *out, struct err *e)
{
    struct str bytes = column_bytes(stmt, at);
    if (sqlite3_column_type(stmt, at) != SQLITE_BLOB) { /* written by an older version */
        *out = (struct str){str_dup(a, bytes), bytes.n};
        return true;
    }
    if (words__unpack(&s->words, bytes, a, out))
        return true;
    return read_words(s, e) &&
           (words__unpack(&s->words, bytes, a, out) ||
            err_set(e, ERR_DATA, "store %s: damaged: a row uses a word that is missing", s->path));
}

static void fetch_hash(sqlite3_stmt *stmt, int at, struct hash *out)
{
    struct str bytes = column_bytes(stmt, at);
    if (sqlite3_column_type(stmt, at) == SQLITE_BLOB && bytes.n == sizeof *out)
        memcpy(out, bytes.at, sizeof *out);
    else if (!hash_from_hex(bytes, out))
        *out = (struct hash){{0}};
}

bool sqlite__fetch_column(struct sqlite *s, sqlite3_stmt *stmt, int at, const struct column *c,
                          struct arena *a, void *row, struct err *e)
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
        text = column_bytes(stmt, at);
        *(struct str *)field = (struct str){str_dup(a, text), text.n};
        break;
    case COLUMN_WORDS:
        return fetch_words(s, stmt, at, a, field, e);
    case COLUMN_HASH:
        fetch_hash(stmt, at, field);
        break;
    }
    return true;
}
