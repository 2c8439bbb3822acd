/*
 * Decides which adapters are tried: by names of parameters (synonyms), by order, by arity, with
 * additional arguments that the target may need, for each result. Must not know results of runs.
 */
#include "align/verify/candidates.h"

#include <stdlib.h>

enum { POSITIONS_MAX = 6 };

struct making {
    const struct book *b;
    const struct symbol *from, *to;
    size_t n_args;
    struct arena *a;
    struct candidate_list *out;
};

static void add(struct making *m, const char *text)
{
    struct adapter x;
    struct err e = {0};
    if (m->out->list.n >= CANDIDATES_MAX || !adapter_parse(str_of(text), m->a, &x, &e))
        return;
    for (size_t i = 0; i < m->out->list.n; i++)
        if (str_eq(m->out->list.at[i].text, x.text))
            return;
    vec_push(&m->out->list, m->a, x);
}

static struct str target_parameter(const struct making *m, struct str name)
{
    for (size_t i = 0; i < m->to->parameters.n; i++)
        if (book_same_parameter(m->b, name, m->to->parameters.at[i]))
            return m->to->parameters.at[i];
    return (struct str){0};
}

static bool is_among(struct str name, const struct text_array *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (str_eq(list->at[i], name))
            return true;
    return false;
}

/* "0, axis=1/@dim, keepdims=2/@keepdim": one overload's parameters under the target's names. */
static void print_renamed(const struct making *m, const struct text_array *names,
                          struct strbuf *out)
{
    bool by_name = false;
    for (size_t i = 0; i < names->n && i < POSITIONS_MAX + 2; i++) {
        struct str to = target_parameter(m, names->at[i]);
        if (i > 0 && to.n) {
            by_name = true;
            strbuf_printf(out, "%s" STR_FMT "=%zu/@" STR_FMT, i ? ", " : "", STR_ARG(to), i,
                          STR_ARG(names->at[i]));
        } else if (!by_name && i < m->n_args) {
            strbuf_printf(out, "%s%zu", i ? ", " : "", i);
        } else if (to.n) {
            strbuf_printf(out, ", " STR_FMT "=@" STR_FMT, STR_ARG(to), STR_ARG(names->at[i]));
        }
    }
}

static void add_injected(struct making *m, const char *base)
{
    for (size_t i = 0; i < m->b->injections.n; i++) {
        const struct injection *one = &m->b->injections.at[i];
        struct strbuf named = {0};
        if (!is_among(one->parameter, &m->to->parameters))
            continue;
        strbuf_printf(&named, STR_FMT "=", STR_ARG(one->parameter));
        bool taken = strstr(base, named.at) != NULL;
        for (size_t k = 0; k < one->n && !taken; k++) {
            struct strbuf text = {0};
            strbuf_printf(&text, "%s, " STR_FMT "=!", base, STR_ARG(one->parameter));
            arg_print(&one->values[k], &text);
            add(m, text.at);
            strbuf_done(&text);
        }
        strbuf_done(&named);
    }
}

static void add_renamed(struct making *m, const struct text_array *names, bool more)
{
    static const char *const ends[] = {" -> B0", " -> A0", " -> B1", " -> A1"};
    struct strbuf text = {0};
    if (!names->n)
        return;
    print_renamed(m, names, &text);
    if (text.n) {
        add(m, text.at);
        if (more)
            add_injected(m, text.at);
        for (size_t i = 0; i < COUNT_OF(ends) && more; i++)
            add(m, arena_printf(m->a, "%s%s", text.at, ends[i]));
    }
    strbuf_done(&text);
}

static void add_orders(struct making *m)
{
    static const char *const orders[] = {"1, 0",          "1, 0, *",
                                         "0, 2, 1",       "2, 1, 0",
                                         "1, 2, 0",       "2, 0, 1",
                                         "[*]",           "(*)",
                                         "0, [*]",        "0, (*)",
                                         "0.list",        "0.item",
                                         "0, 1.list",     "0, 1.tuple",
                                         "0, 1.item",     "0, 1.pair",
                                         "* -> B0",       "* -> B1",
                                         "* -> A0",       "* -> A1",
                                         "0.tuple",       "0, 1.list, 2.list",
                                         "0.int64",       "0.float32",
                                         "0, 1.int64",    "0.t -> t",
                                         "1.int64, 0",    "0.int64, 1",
                                         "0, 1.padseach", "0, 1.pads",
                                         "0, 1.neg",      "0, 1.inverse",
                                         "0, 1.minus1",   "0, 1.plus1",
                                         "1, 0.int64"};
    for (size_t i = 0; i < COUNT_OF(orders); i++)
        add(m, orders[i]);
}

static int by_length(const void *x, const void *y)
{
    const struct adapter *a = x, *b = y;
    return a->text.n != b->text.n ? (a->text.n < b->text.n ? -1 : 1) : str_cmp(a->text, b->text);
}

static void add_from_table(struct making *m)
{
    for (size_t i = 0; i < m->b->proposals.n; i++) {
        const struct proposal_row *row = &m->b->proposals.at[i];
        if (is_among(row->a, &m->from->names) && is_among(row->b, &m->to->names))
            add(m, str_dup(m->a, row->adapter));
    }
}

void candidates_make(const struct book *b, const struct symbol *from, const struct symbol *to,
                     size_t n_args, struct arena *a, struct candidate_list *out)
{
    struct making m = {b, from, to, n_args, a, out};
    add_from_table(&m);
    bool is_known = out->list.n > 0; /* in the table, from documents that a person read */
    add(&m, "*");
    for (int more = 0; more < 2 && !is_known; more++) {
        add_renamed(&m, &from->parameters, more);
        for (size_t i = 0; i < from->n_overloads; i++)
            add_renamed(&m, &from->overloads[i], more);
        if (!more)
            out->n_likely = out->list.n;
    }
    if (is_known) {
        out->n_likely = out->list.n;
        return;
    }
    add_injected(&m, "*");
    add_orders(&m);
    size_t n = out->n_likely;
    qsort(out->list.at + n, out->list.n - n, sizeof *out->list.at, by_length);
}

void candidates_identity(struct arena *a, struct candidate_list *out)
{
    struct making m = {.a = a, .out = out};
    add(&m, "*");
    out->n_likely = out->list.n;
}
