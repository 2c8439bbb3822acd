/* Decides how the result of a probe is stored in a registration, and summed up in one line. Must
 * not know how it was found. */
#include "target/accepted.h"

enum { NAMES_SHOWN = 6 };

static void write_dtypes(const char *key, uint32_t set, struct json_out *w)
{
    if (!set)
        return;
    json_key(w, key);
    json_begin_array(w);
    for (int t = DTYPE_UNDEFINED + 1; t < DTYPE_COUNT; t++)
        if (set & dtype_bit((enum dtype)t))
            json_put_cstr(w, dtype_name((enum dtype)t));
    json_end_array(w);
}

void accepted_write(const struct accepted *all, struct json_out *w)
{
    json_begin_object(w);
    for (size_t i = 0; i < all->n; i++) {
        const struct accepted_operator *row = &all->rows[i];
        char name[64];
        snprintf(name, sizeof name, STR_FMT, STR_ARG(row->op_type));
        json_key(w, name);
        json_begin_object(w);
        write_dtypes("accepted", row->accepted, w);
        write_dtypes("unsupported", row->unsupported, w);
        write_dtypes("failed", row->failed, w);
        if (row->reason.n)
            json_pair_str(w, "reason", row->reason);
        json_end_object(w);
    }
    json_end_object(w);
}

static bool read_dtypes(const struct json *row, const char *key, uint32_t *out, struct err *e)
{
    const struct json *list = json_get(row, key);
    for (size_t i = 0; list && i < list->n; i++) {
        enum dtype t = dtype_find(list->items[i].string);
        if (t == DTYPE_UNDEFINED)
            return err_set(e, ERR_DATA, "line %u: key \"%s\": no dtype is called \"" STR_FMT "\"",
                           list->items[i].line, key, STR_ARG(list->items[i].string));
        *out |= dtype_bit(t);
    }
    return true;
}

bool accepted_read(const struct json *j, struct arena *a, struct accepted *out, struct err *e)
{
    if (j->kind != JSON_KIND_OBJECT)
        return err_set(e, ERR_DATA, "line %u: an object with operators as keys is expected",
                       j->line);
    struct accepted_operator *rows = arena_new_array(a, struct accepted_operator, j->n);
    for (size_t i = 0; i < j->n; i++) {
        const struct json *row = &j->items[i];
        rows[i] = (struct accepted_operator){.op_type = j->keys[i],
                                             .reason = json_get_str(row, "reason", STR(""))};
        if (!read_dtypes(row, "accepted", &rows[i].accepted, e) ||
            !read_dtypes(row, "unsupported", &rows[i].unsupported, e) ||
            !read_dtypes(row, "failed", &rows[i].failed, e))
            return false;
    }
    *out = (struct accepted){rows, j->n};
    return true;
}

static unsigned count_bits(uint32_t set)
{
    unsigned n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

/* Adds what never ran: "; not seen to run: Det, Unique and 3 more". */
static void print_refused(const struct accepted *all, struct strbuf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (all->rows[i].accepted)
            continue;
        if (n < NAMES_SHOWN)
            strbuf_printf(out, "%s" STR_FMT,
                          n ? ", " : "; not seen to run: ", STR_ARG(all->rows[i].op_type));
        n++;
    }
    if (n > NAMES_SHOWN)
        strbuf_printf(out, " and %zu more", n - NAMES_SHOWN);
}

void accepted_print(const struct accepted *all, struct strbuf *out)
{
    uint32_t tried = 0, accepted = 0;
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct accepted_operator *row = &all->rows[i];
        tried |= row->accepted | row->unsupported | row->failed;
        accepted |= row->accepted;
        n += row->accepted != 0;
    }
    strbuf_printf(out, "%zu of %zu operators, %u of %u dtypes", n, all->n, count_bits(accepted),
                  count_bits(tried));
    print_refused(all, out);
}
