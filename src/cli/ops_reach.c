/*
 * assay ops --reach: which cells of the operator table cases reach: those of a campaign, or cases
 * that are generated here, without engines, where nothing is learned from them.
 */
#include "cli/ops_reach_p.h"

#include "case/subject.h"
#include "cli/campaign.h"
#include "generate/generate.h"
#include "generate/reach.h"

#include <string.h>

enum { ROWS_AT_ONCE = 4096 };

struct tally {
    struct reach reach;
    bool *is_met;   /* per cell */
    bool *is_asked; /* per cell: its operator was named, or none was */
    uint64_t n;     /* cases */
};

struct share {
    size_t n_cells, n_excluded, n_met;
};

static void count_case(struct tally *t, const struct tcase *c, struct arena *a)
{
    struct reach_cells met = reach_meet(&t->reach, case_model(c), a);
    t->n++;
    for (size_t i = 0; i < met.n; i++)
        t->is_met[met.at[i]] = true;
}

/* Notes the cells whose keys a result names. */
static void count_keys(struct tally *t, struct str keys)
{
    struct str key;
    uint64_t number;
    while (str_split(&keys, ' ', &key)) {
        const struct reach_cell *c =
            str_to_u64(key, &number) ? reach_find(&t->reach, number) : NULL;
        if (c)
            t->is_met[c - t->reach.cells.at] = true;
    }
}

static bool read_campaign(struct store *store, const struct store_campaign *c, struct tally *t,
                          struct err *e)
{
    struct store_results rows = {.n = 1};
    struct arena a;
    bool ok = true;
    arena_init(&a);
    for (int64_t from = 0; ok && rows.n > 0; from += ROWS_AT_ONCE) {
        arena_reset(&a);
        ok = store_results(store, c->id, from, from + ROWS_AT_ONCE, &a, &rows, e);
        for (size_t i = 0; ok && i < rows.n; i++)
            count_keys(t, rows.at[i].cells);
        t->n += ok ? rows.n : 0;
    }
    arena_done(&a);
    return ok;
}

/* Counts the cases of the campaigns of --out. */
static bool read_campaigns(const struct settings *s, struct tally *t, struct err *e)
{
    struct campaign_place place;
    struct store_campaigns all;
    struct store *store;
    if (!campaign_open(s, STORE_READ, &place, &store, e))
        return false;
    bool ok = store_campaigns(store, s->arena, &all, e);
    for (size_t i = 0; ok && i < all.n; i++)
        ok = read_campaign(store, &all.at[i], t, e);
    store_close(store);
    return ok;
}

static bool generate(const struct settings *s, struct tally *t, struct err *e)
{
    const struct generate_options o = {.seed = (uint64_t)settings_int(s, SETTING_seed)};
    struct generator *g;
    if (!generator_find(STR("mutate"))->open(&o, &g, e))
        return false;
    uint64_t n = (uint64_t)settings_int(s, SETTING_reach_cases);
    struct arena a;
    bool ok = true;
    arena_init(&a);
    for (uint64_t i = 0; ok && i < n; i++) {
        struct tcase *c = NULL;
        arena_reset(&a);
        ok = g->ops->next(g, i, &a, &c, e);
        if (ok && c)
            count_case(t, c, &a);
        if (i % 1024 == 0)
            out_status(s, "%llu of %llu cases", (unsigned long long)i, (unsigned long long)n);
    }
    out_status(s, "%s", "");
    arena_done(&a);
    g->ops->close(g);
    return ok;
}

static struct share share_of(const struct tally *t, enum reach_kind kind)
{
    struct share x = {0};
    for (size_t i = 0; i < t->reach.cells.n; i++) {
        const struct reach_cell *c = &t->reach.cells.at[i];
        if (c->kind != kind || !t->is_asked[i])
            continue;
        x.n_cells++;
        x.n_excluded += c->excluded != NULL;
        x.n_met += !c->excluded && t->is_met[i];
    }
    return x;
}

static double percent(size_t n, size_t of)
{
    return of ? 100.0 * (double)n / (double)of : 100;
}

static void print_text(const struct tally *t, bool in_detail)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "%llu cases\n%-12s %7s %9s %7s %7s\n", (unsigned long long)t->n, "",
                  "cells", "excluded", "met", "%");
    for (int k = 0; k < REACH_KINDS; k++) {
        struct share x = share_of(t, (enum reach_kind)k);
        strbuf_printf(&text, "%-12s %7zu %9zu %7zu %7.2f\n", reach_kind_name((enum reach_kind)k),
                      x.n_cells, x.n_excluded, x.n_met, percent(x.n_met, x.n_cells - x.n_excluded));
    }
    for (size_t i = 0; i < t->reach.cells.n; i++) {
        const struct reach_cell *c = &t->reach.cells.at[i];
        if (t->is_met[i] || !t->is_asked[i] || !in_detail)
            continue;
        reach_print(c, &text);
        strbuf_printf(&text, ": %s\n", c->excluded ? c->excluded : "not met");
    }
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}

static void kinds_to_json(const struct tally *t, struct json_out *w)
{
    json_key(w, "kinds");
    json_begin_array(w);
    for (int k = 0; k < REACH_KINDS; k++) {
        struct share x = share_of(t, (enum reach_kind)k);
        json_begin_object(w);
        json_pair_cstr(w, "kind", reach_kind_name((enum reach_kind)k));
        json_pair_u64(w, "cells", x.n_cells);
        json_pair_u64(w, "excluded", x.n_excluded);
        json_pair_u64(w, "met", x.n_met);
        json_end_object(w);
    }
    json_end_array(w);
}

static void print_json(const struct tally *t)
{
    struct strbuf text = {0}, name = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_u64(&w, "cases", t->n);
    kinds_to_json(t, &w);
    json_key(&w, "unmet");
    json_begin_array(&w);
    for (size_t i = 0; i < t->reach.cells.n; i++) {
        const struct reach_cell *c = &t->reach.cells.at[i];
        if (t->is_met[i] || !t->is_asked[i])
            continue;
        strbuf_clear(&name);
        reach_print(c, &name);
        json_begin_object(&w);
        json_pair_cstr(&w, "kind", reach_kind_name(c->kind));
        json_pair_str(&w, "cell", strbuf_str(&name));
        if (c->excluded)
            json_pair_cstr(&w, "excluded", c->excluded);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    strbuf_done(&name);
    out_json(&text);
}

static void ask(struct tally *t, const struct op *const *ops, size_t n)
{
    t->is_met = arena_new_array(&t->reach.a, bool, t->reach.cells.n);
    t->is_asked = arena_new_array(&t->reach.a, bool, t->reach.cells.n);
    for (size_t i = 0; i < t->reach.cells.n; i++)
        for (size_t k = 0; k < n && !t->is_asked[i]; k++)
            t->is_asked[i] = strcmp(t->reach.cells.at[i].op_type, ops[k]->name) == 0;
}

bool ops_reach(const struct settings *s, const struct op *const *ops, size_t n, struct err *e)
{
    struct tally t = {0};
    reach_init(&t.reach);
    ask(&t, ops, n);
    bool ok = settings_text(s, SETTING_out) ? read_campaigns(s, &t, e) : generate(s, &t, e);
    if (ok && settings_want_json(s))
        print_json(&t);
    else if (ok)
        print_text(&t, settings_flag(s, SETTING_verbose));
    reach_done(&t.reach);
    return ok;
}
