/*
 * Decides which columns a row's struct has. Knows no database. Every column is in columns.def once,
 * in the order of its table, and a table's columns are consecutive there.
 */
#include "store/row_p.h"

#include "base/compiler.h"

static const struct column columns[] = {
#define COLUMN(kind, table, type, field, role)                                                     \
    {STORE_##kind, #field, COLUMN_##type, COLUMN_##role, offsetof(struct store_##table, field),    \
     NULL},
#define COMPUTED(kind, table, type, field, sql)                                                    \
    {STORE_##kind, #field, COLUMN_##type, COLUMN_COMPUTED, offsetof(struct store_##table, field),  \
     sql},
#include "store/columns.def"
#undef COLUMN
#undef COMPUTED
};

/* Where the columns of each table begin and how many it has, counted by the compiler from
 * columns.def. */
enum {
#define COLUMN(kind, table, type, field, role) AT_##table##_##field,
#define COMPUTED(kind, table, type, field, sql) AT_##table##_##field,
#include "store/columns.def"
#undef COLUMN
#undef COMPUTED
};

#define TABLE(name, first, last)                                                                   \
    {                                                                                              \
#name, sizeof(struct store_##name),                                                        \
            &columns[AT_##name##_##first], AT_##name##_##last - AT_##name##_##first + 1            \
    }

static const struct table tables[STORE_CHANGE_COUNT] = {
    [STORE_CAMPAIGN] = TABLE(campaign, id, used_ms),
    [STORE_TARGET] = TABLE(target, campaign, family),
    [STORE_JOB] = TABLE(job, campaign, attempts),
    [STORE_RESULT] = TABLE(result, campaign, at_ms),
    [STORE_FAILURE] = TABLE(failure, campaign, ops),
    [STORE_ARTIFACT] = TABLE(artifact, tree, n_bytes),
    [STORE_RUN] = TABLE(run, bug, at_ms),
    [STORE_EVENT] = TABLE(event, at_ms, text),
    [STORE_BUG] = TABLE(bug, id, last_seen_ms),
    [STORE_ALIAS] = TABLE(alias, key, reduced),
    [STORE_SNAPSHOT] = TABLE(snapshot, campaign, state),
};

const struct table *row__table(enum store_change_kind kind)
{
    return kind < STORE_CHANGE_COUNT && tables[kind].name ? &tables[kind] : NULL;
}

void row__copy(const struct table *t, const void *from, struct arena *a, void *to)
{
    memcpy(to, from, t->row_size);
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct column *c = &t->columns[i];
        if (row__is_text(c)) {
            const struct str *s = row__text(from, c);
            *(struct str *)row__field(to, c) = (struct str){str_dup(a, *s), s->n};
        }
    }
}

void row__key(const struct table *t, const void *row, struct strbuf *out)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct column *c = &t->columns[i];
        if (c->role != COLUMN_KEY)
            continue;
        if (c->type == COLUMN_TEXT) {
            const struct str *s = row__text(row, c);
            strbuf_printf(out, "%zu:", s->n);
            strbuf_addstr(out, *s);
        } else {
            strbuf_add(out, (const char *)row + c->offset,
                       c->type == COLUMN_HASH ? sizeof(struct hash) : sizeof(int64_t));
        }
    }
}
