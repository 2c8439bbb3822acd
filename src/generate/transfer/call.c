/*
 * Decides which operator is called, which verified call is changed and how, and which frameworks
 * take part. Must not know how workers run programs.
 */
#include "generate/transfer/call.h"

#include "align/tensors.h"
#include "base/json.h"
#include "base/share.h"
#include "generate/transfer/call_p.h"

enum { FAMILIES_MIN = 3, SEEDS_MAX = 64 };

static const struct call_framework *find_framework(const struct call_groups *g, struct str name)
{
    for (size_t i = 0; i < g->frameworks.n; i++)
        if (str_eq(g->frameworks.at[i].name, name))
            return &g->frameworks.at[i];
    return NULL;
}

/* Is the pair's other side of another family than those of the n pairs before? */
static bool is_new_family(const struct call_groups *g, const struct pair_row *const *before,
                          size_t n, const struct pair_row *r)
{
    const struct call_framework *its = find_framework(g, r->file->b);
    for (size_t i = 0; its && i < n; i++)
        if (str_eq(find_framework(g, before[i]->file->b)->family, its->family))
            return false;
    return its != NULL;
}

/* Can a function be written as a program: its results are compared as they are. */
static bool is_plain(const struct pair_row *r)
{
    const struct adapter *x = &r->adapter;
    return r->is_verified && !x->is_class && !x->result_nchw && !x->result_t && !x->result_swap12 &&
           !x->result_sorted && x->leaf_a < 0 && x->leaf_b < 0;
}

static void add_seeds(struct call_group *g, const struct pair_row *r, struct arena *a)
{
    const struct json *agree = json_get(r->evidence, "agree");
    for (size_t i = 0; agree && i < agree->n && g->seeds.n < SEEDS_MAX; i++) {
        struct call *c = arena_new(a, struct call);
        struct err ignored = {0};
        if (call_parse(agree->items[i].string, a, c, &ignored) && !c->is_class && !c->is_step)
            vec_push(&g->seeds, a, c);
    }
}

static size_t count_families(const struct call_groups *groups, const struct call_group *g)
{
    size_t n = 1; /* the first side's */
    for (size_t i = 0; i < g->n; i++)
        n += is_new_family(groups, g->rows, i, g->rows[i]);
    return n;
}

static struct call_group *group_of(const struct call_groups *groups, struct str symbol)
{
    for (size_t i = 0; i < groups->list.n; i++)
        if (pair_has_name(groups->list.at[i].rows[0]->names_a, symbol))
            return &groups->list.at[i];
    return NULL;
}

static int64_t n_equal(const struct pair_row *r)
{
    return json_get_i64(r->evidence, "equal", 0);
}

static void add_row(struct call_groups *groups, const struct pair_row *r, struct arena *a)
{
    struct call_group *g = group_of(groups, r->a);
    if (!find_framework(groups, r->file->b))
        return;
    if (!g) {
        vec_push(&groups->list, a, (struct call_group){.n = 0});
        g = &groups->list.at[groups->list.n - 1];
    }
    for (size_t i = 0; i < g->n; i++) {
        if (g->rows[i]->file != r->file)
            continue; /* one partner per side: the one with the wider domain */
        if (n_equal(r) > n_equal(g->rows[i]) && str_eq(r->a, g->rows[0]->a))
            g->rows[i] = r;
        return;
    }
    if (g->n == CALL_SIDES_MAX)
        return;
    g->rows[g->n++] = r;
    add_seeds(g, r, a);
}

/* The array called `key` of a file that is compiled in. */
static bool read_rows(const char *name, const char *key, struct arena *a, const struct json **rows,
                      struct err *e)
{
    const struct json *table;
    return share_json(name, a, &table, e) && json_need(table, key, JSON_KIND_ARRAY, rows, e);
}

bool call_target_is_of(const char *target, struct str engine, struct str *version)
{
    struct str rest = str_of(target), name;
    return str_split(&rest, '@', &name) && str_eq(name, engine) && str_split(&rest, '/', version);
}

static bool is_target(const struct call_targets *targets, struct str name)
{
    struct str version;
    for (size_t i = 0; i < targets->n; i++)
        if (call_target_is_of(targets->at[i], name, &version))
            return true;
    return !targets->n;
}

static bool read_frameworks(const struct call_targets *targets, struct arena *a,
                            struct call_groups *out, struct err *e)
{
    const struct json *rows;
    if (!read_rows("align/sides.json", "sides", a, &rows, e))
        return false;
    for (size_t i = 0; i < rows->n; i++) {
        const struct json *p = json_get(&rows->items[i], "program");
        struct str name = json_get_str(&rows->items[i], "side", STR(""));
        if (p && is_target(targets, name))
            vec_push(&out->frameworks, a,
                     (struct call_framework){name, json_get_str(p, "family", STR("")),
                                             json_get(p, "opens"),
                                             json_get_str(p, "tensor", STR("%s")),
                                             json_get_str(p, "dtype", STR("%s"))});
    }
    return true;
}

static bool read_differences(struct arena *a, struct call_groups *out, struct err *e)
{
    const struct json *rows;
    if (!read_rows("align/differences.json", "differences", a, &rows, e))
        return false;
    for (size_t i = 0; i < rows->n; i++) {
        const struct json *edits = json_get(&rows->items[i], "edits");
        for (size_t k = 0; edits && k < edits->n; k++)
            vec_push(&out->documented, a,
                     (struct call_difference){json_get_str(&rows->items[i], "op", STR("")),
                                              edits->items[k].string});
    }
    return true;
}

static bool is_documented(const struct call_groups *g, struct str op, const char *edit)
{
    for (size_t i = 0; i < g->documented.n; i++) {
        const struct call_difference *d = &g->documented.at[i];
        if ((str_is(d->op, "*") || str_eq(d->op, op)) &&
            (str_is(d->edit, "*") || str_is(d->edit, edit)))
            return true;
    }
    return false;
}

/* The edit that the domain of a recorded disagreement amounts to. */
static const char *edit_of_domain(struct str domain)
{
    static const char *const rows[][2] = {{"nan", "extreme"},
                                          {"edge", "extreme"},
                                          {"ties", "ties"},
                                          {"no elements", "empty"},
                                          {"big", "large"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (str_find(domain, str_of(rows[i][0])) < domain.n)
            return rows[i][1];
    return "recorded";
}

static bool is_recorded(const struct call_groups *groups, const struct pair_row *r, struct str text)
{
    for (size_t i = 0; i < groups->recorded.n; i++) {
        const struct call_recorded *x = &groups->recorded.at[i];
        if (str_eq(x->row->a, r->a) && str_eq(x->row->file->b, r->file->b) && str_eq(x->text, text))
            return true;
    }
    return false;
}

static void add_recorded(struct call_groups *groups, const struct pair_row *r, struct arena *a)
{
    const struct json *list = json_get(r->evidence, "disagree");
    if (!list || !group_of(groups, r->a) || is_documented(groups, r->op, "recorded"))
        return;
    for (size_t i = 0; i < list->n; i++) {
        struct str text = json_get_str(&list->items[i], "call", STR(""));
        const char *edit = edit_of_domain(json_get_str(&list->items[i], "domain", STR("")));
        struct call *c = arena_new(a, struct call);
        struct err ignored = {0};
        if (!is_documented(groups, r->op, edit) && !is_recorded(groups, r, text) &&
            call_parse(text, a, c, &ignored) && !c->is_class && !c->is_step)
            vec_push(&groups->recorded, a, (struct call_recorded){r, c, text, edit});
    }
}

bool call_groups_make(const struct pair_files *pairs, const struct call_targets *targets,
                      struct arena *a, struct call_groups *out, struct err *e)
{
    struct call_groups all = {.list = {0}};
    if (!read_frameworks(targets, a, &all, e))
        return false;
    *out = all;
    for (size_t i = 0; i < pairs->n; i++)
        for (size_t k = 0; find_framework(&all, pairs->at[i].a) && k < pairs->at[i].n; k++)
            if (is_plain(&pairs->at[i].rows[k]))
                add_row(&all, &pairs->at[i].rows[k], a);
    for (size_t i = 0; i < all.list.n; i++)
        if (all.list.at[i].seeds.n && count_families(&all, &all.list.at[i]) >= FAMILIES_MIN)
            vec_push(&out->list, a, all.list.at[i]);
    if (!read_differences(a, out, e))
        return false;
    for (size_t i = 0; i < pairs->n; i++)
        for (size_t k = 0; find_framework(&all, pairs->at[i].b) && k < pairs->at[i].n; k++)
            if (is_plain(&pairs->at[i].rows[k]))
                add_recorded(out, &pairs->at[i].rows[k], a);
    return true;
}

/* A pair that is not of one name holds on the ranks that it was run on, no others: torch.inner
 * equals keras.ops.dot on vectors only. */
static bool holds_for(const struct pair_row *r, const struct call *call)
{
    return str_is(r->source, "name") || pair_knows_ranks(r, call);
}

static bool add_form(const struct call_groups *groups, const struct pair_row *row,
                     const struct call *call, struct arena *a, const struct pair_row **taken,
                     struct call_form *out, size_t *n)
{
    struct call_form form = {find_framework(groups, row->file->b), row->b, {0}, !row->dtype};
    if (!is_new_family(groups, taken, *n, row) || !holds_for(row, call) ||
        !adapter_apply(&row->adapter, call, a, &form.call))
        return false;
    taken[(*n)++] = row;
    out[*n] = form;
    return true;
}

/* The call in each framework; of a family's two sides one: that of `must`, or by the stream. */
static size_t forms_of(const struct call_groups *groups, const struct call_group *g,
                       const struct pair_row *must, const struct call *call, struct rng *r,
                       struct arena *a, struct call_form *out)
{
    const struct pair_row *taken[CALL_SIDES_MAX];
    size_t n = 0, first = rng_below(r, g->n);
    out[0] = (struct call_form){find_framework(groups, g->rows[0]->file->a),
                                must ? must->a : g->rows[0]->a, *call, true};
    if (must && !add_form(groups, must, call, a, taken, out, &n))
        return 1;
    for (size_t i = 0; i < g->n; i++)
        add_form(groups, g->rows[(first + i) % g->n], call, a, taken, out, &n);
    return n + 1;
}

static bool write_program(const struct call_form *forms, size_t n, bool same_dtypes,
                          struct arena *a, struct program *out)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < n; i++)
        same_dtypes = same_dtypes && forms[i].same_dtypes;
    bool ok = n >= FAMILIES_MIN && call__write(forms, n, same_dtypes, a, &text);
    if (ok)
        *out = (struct program){.source = strbuf_dup(&text, a), .entry = STR(CALL_ENTRY)};
    strbuf_done(&text);
    return ok;
}

static void describe(struct str symbol, const struct call *call, const char *edit,
                     struct strbuf *edits)
{
    strbuf_printf(edits, STR_FMT "(", STR_ARG(symbol));
    call_print(call, edits);
    strbuf_printf(edits, "), edit %s", edit);
}

bool call_program_make(const struct call_groups *groups, struct rng *r, struct arena *a,
                       struct program *out, struct strbuf *edits)
{
    const struct call_group *g = &groups->list.at[rng_below(r, groups->list.n)];
    const struct call *seed = g->seeds.at[rng_below(r, g->seeds.n)];
    enum call_edit edit = (enum call_edit)rng_below(r, CALL_N_EDITS);
    struct call_form forms[CALL_SIDES_MAX + 1];
    struct call call;
    if (is_documented(groups, g->rows[0]->op, call__edit_name(edit)) ||
        !call__edit(seed, edit, r, a, &call))
        return false;
    size_t n = forms_of(groups, g, NULL, &call, r, a, forms);
    if (!write_program(forms, n, call__keeps_dtypes(edit), a, out))
        return false;
    describe(g->rows[0]->a, &call, call__edit_name(edit), edits);
    return true;
}

bool call_program_recorded(const struct call_groups *groups, size_t at, struct rng *r,
                           struct arena *a, struct program *out, struct strbuf *edits)
{
    const struct call_recorded *x = &groups->recorded.at[at];
    struct call_form forms[CALL_SIDES_MAX + 1];
    size_t n = forms_of(groups, group_of(groups, x->row->a), x->row, x->call, r, a, forms);
    if (!write_program(forms, n, true, a, out))
        return false;
    describe(x->row->a, x->call, "recorded", edits);
    return true;
}
