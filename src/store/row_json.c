/*
 * Decides how a row becomes a JSON object: columns are keys, hashes hexadecimal digits, and numbers
 * that JSON lacks are "nan", "inf", "-inf". For messages between processes of one version.
 */
#include <math.h>

#include "store/row_p.h"

void store_row_to_json(enum store_change_kind kind, const void *row, struct json_out *w)
{
    const struct table *t = row__table(kind);
    char hex[HASH_HEX_SIZE];
    json_begin_object(w);
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct column *c = &t->columns[i];
        if (c->type == COLUMN_I64) {
            json_pair_i64(w, c->name, *row__i64(row, c));
        } else if (c->type == COLUMN_F64) {
            json_pair_double(w, c->name, *row__f64(row, c));
        } else if (row__is_text(c)) {
            json_pair_str(w, c->name, *row__text(row, c));
        } else {
            hash_to_hex(row__hash(row, c), hex);
            json_pair_cstr(w, c->name, hex);
        }
    }
    json_end_object(w);
}

static bool read_column(const struct json *v, const struct column *c, struct arena *a, void *field)
{
    if (!v)
        return false;
    switch (c->type) {
    case COLUMN_I64:
        *(int64_t *)field = v->integer;
        return v->kind == JSON_KIND_INTEGER;
    case COLUMN_F64:
        *(double *)field = v->real;
        return v->kind == JSON_KIND_REAL || v->kind == JSON_KIND_INTEGER ||
               (v->kind == JSON_KIND_STRING && str_to_double(v->string, field));
    case COLUMN_TEXT:
    case COLUMN_WORDS:
        *(struct str *)field = (struct str){str_dup(a, v->string), v->string.n};
        return v->kind == JSON_KIND_STRING;
    case COLUMN_HASH:
        return v->kind == JSON_KIND_STRING && hash_from_hex(v->string, field);
    }
    return false;
}

bool store_row_from_json(enum store_change_kind kind, const struct json *j, struct arena *a,
                         void *row, struct err *e)
{
    const struct table *t = row__table(kind);
    memset(row, 0, t->row_size);
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct column *c = &t->columns[i];
        if (!read_column(json_get(j, c->name), c, a, row__field(row, c)))
            return err_set(e, ERR_DATA, "%s row: column %s is missing or of another kind", t->name,
                           c->name);
    }
    return true;
}

void store_row_copy(enum store_change_kind kind, const void *row, struct arena *a, void *to)
{
    row__copy(row__table(kind), row, a, to);
}

size_t store_row_size(enum store_change_kind kind)
{
    return row__table(kind)->row_size;
}
