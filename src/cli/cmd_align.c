/* assay align: which symbols of two frameworks do the same, verified by running them. */
#include "align/pairs.h"
#include "align/verify/verify.h"
#include "base/clock.h"
#include "base/path.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "cli/screen.h"

#include <stdio.h>

static const char *folder_of(const struct settings *s, const char *home)
{
    const char *given = settings_text(s, SETTING_align_out);
    return given ? given : path_join(s->arena, home, "pairs");
}

struct telling {
    int64_t began;
    bool quiet;
};

static void tell(void *ctx, const char *line)
{
    const struct telling *t = ctx;
    if (!t->quiet)
        fprintf(stderr, "%5lld s  %s\n", (long long)((clock_now_ns() - t->began) / 1000000000),
                line);
}

static void print_result(const struct verify_result *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct verify_counts *c = &r->files[i].counts;
        out_putf(STR_FMT " and " STR_FMT ": %zu operators and %zu names verified (%zu need an "
                         "adapter)\n    %zu pairs: %zu equal, %zu equal with an adapter, %zu "
                         "mixed, %zu unverified, %zu rejected\n",
                 STR_ARG(r->files[i].a), STR_ARG(r->files[i].b), c->operators, c->names,
                 c->needs_adapter, c->n_pairs, c->equal, c->adapted, c->mixed, c->unverified,
                 c->rejected);
    }
    out_putf("%zu calls; %zu sides are not installed\n", r->n_calls, r->n_left_out);
}

static bool make(const struct settings *s, struct err *e)
{
    struct campaign_place place;
    struct targets targets;
    struct verify_result result;
    struct telling t = {clock_now_ns(), settings_flag(s, SETTING_quiet)};
    size_t n_symbols;
    const char *const *symbols = settings_list(s, SETTING_align_symbol, &n_symbols);
    if (n_symbols && !settings_text(s, SETTING_align_out))
        return err_set(e, ERR_USAGE,
                       "align --symbol: --pairs DIR is expected, since the files in "
                       "$ASSAY_HOME/pairs would lose all other pairs");
    if (!campaign_find(s, &place, e) || !targets_load(place.home, s->arena, &targets, e))
        return false;
    const struct verify_options o = {.home = place.home,
                                     .targets = &targets,
                                     .out = folder_of(s, place.home),
                                     .only = s->args,
                                     .n_only = s->n_args,
                                     .symbols = symbols,
                                     .n_symbols = n_symbols,
                                     .best_effort = true,
                                     .stored_only = settings_flag(s, SETTING_align_stored),
                                     .tell = tell,
                                     .ctx = &t};
    if (!verify_run(&o, s->arena, &result, e))
        return false;
    print_result(&result);
    return true;
}

static bool load(const struct settings *s, struct pair_files *out, struct err *e)
{
    struct campaign_place place;
    return campaign_find(s, &place, e) && pairs_load(folder_of(s, place.home), s->arena, out, e);
}

static void row_to_json(const struct pair_row *r, struct json_out *w)
{
    json_begin_object(w);
    json_pair_str(w, "op", r->op);
    json_pair_str(w, "a", r->a);
    json_pair_str(w, "b", r->b);
    json_pair_str(w, "status", r->status);
    json_key(w, "adapter");
    adapter_put_json(&r->adapter, w);
    json_key(w, "evidence");
    if (r->evidence)
        json_put_json(w, r->evidence);
    else
        json_put_null(w);
    json_end_object(w);
}

static bool list(const struct settings *s, struct err *e)
{
    struct pair_files all;
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    if (!load(s, &all, e))
        return false;
    bool as_json = settings_want_json(s);
    if (as_json)
        json_begin_array(&w);
    for (size_t i = 0; i < all.n; i++) {
        for (size_t k = 0; k < all.at[i].n; k++) {
            const struct pair_row *r = &all.at[i].rows[k];
            if (as_json)
                row_to_json(r, &w);
            else if (r->is_verified)
                strbuf_printf(&text, "%-40.*s %-44.*s " STR_FMT "\n", STR_ARG(r->a), STR_ARG(r->b),
                              STR_ARG(r->adapter.text));
        }
    }
    if (as_json) {
        json_end_array(&w);
        out_json(&text);
        return true;
    }
    out_put(strbuf_str(&text));
    strbuf_done(&text);
    return true;
}

/* Showing one pair ------------------------------------------------------------------------------*/

static void show_calls(const struct json *list, const char *title)
{
    if (!list || !list->n)
        return;
    out_putf("  %s\n", title);
    for (size_t i = 0; i < list->n; i++)
        out_putf("    " STR_FMT "\n", STR_ARG(list->items[i].string));
}

/* "equal on ranks 1 1, 2 1": of the tensors of calls that gave the same. */
static void show_domain(const struct json *list, const char *what)
{
    for (size_t i = 0; list && i < list->n; i++)
        out_putf("%s" STR_FMT, i ? ", " : what,
                 STR_ARG(list->items[i].string.n ? list->items[i].string : STR("no tensor")));
    out_putf("%s", list && list->n ? "\n" : "");
}

static void show_disagreements(const struct json *list)
{
    for (size_t i = 0; list && i < list->n; i++) {
        const struct json *d = &list->items[i];
        out_putf("  differs (" STR_FMT ") on " STR_FMT "\n    a: " STR_FMT "\n    b: " STR_FMT "\n",
                 STR_ARG(json_get_str(d, "domain", STR(""))),
                 STR_ARG(json_get_str(d, "call", STR(""))), STR_ARG(json_get_str(d, "a", STR(""))),
                 STR_ARG(json_get_str(d, "b", STR(""))));
    }
}

static void show_row(const struct pair_row *r)
{
    const struct json *v = r->evidence;
    out_putf(STR_FMT " (" STR_FMT " " STR_FMT ")\n" STR_FMT " (" STR_FMT " " STR_FMT ")\n",
             STR_ARG(r->a), STR_ARG(r->file->a), STR_ARG(r->file->version_a), STR_ARG(r->b),
             STR_ARG(r->file->b), STR_ARG(r->file->version_b));
    out_putf("  status   " STR_FMT "%s" STR_FMT "\n  adapter  " STR_FMT "\n", STR_ARG(r->status),
             r->reason.n ? ": " : "", STR_ARG(r->reason), STR_ARG(r->adapter.text));
    out_putf("  %lld calls returned in both, %lld gave the same, of those not used to choose the "
             "adapter %lld of %lld;\n  without the adapter %lld of %lld; %lld kinds of input, %lld "
             "distinct results\n",
             (long long)json_get_i64(v, "common", 0), (long long)json_get_i64(v, "equal", 0),
             (long long)json_get_i64(v, "held_out_equal", 0),
             (long long)json_get_i64(v, "held_out", 0),
             (long long)json_get_i64(v, "equal_without_adapter", 0),
             (long long)json_get_i64(v, "common_without_adapter", 0),
             (long long)json_get_i64(v, "input_kinds", 0),
             (long long)json_get_i64(v, "distinct_outputs", 0));
    show_domain(json_get(v, "ranks"), "  ranks    ");
    show_domain(json_get(v, "dtypes"), "  dtypes   ");
    show_calls(json_get(v, "agree"), "the same on, among others");
    show_disagreements(json_get(v, "disagree"));
    out_putf("\n");
}

static bool show(const struct settings *s, struct err *e)
{
    struct pair_files all;
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    size_t n = 0;
    if (s->n_args != 2)
        return err_set(e, ERR_USAGE, "align show: the name of one symbol is expected");
    struct str name = str_of(s->args[1]);
    bool as_json = settings_want_json(s);
    if (!load(s, &all, e))
        return false;
    if (as_json)
        json_begin_array(&w);
    for (size_t i = 0; i < all.n; i++) {
        for (size_t k = 0; k < all.at[i].n; k++) {
            const struct pair_row *r = &all.at[i].rows[k];
            if (!str_eq(r->a, name) && !str_eq(r->b, name) && !pair_has_name(r->names_a, name) &&
                !pair_has_name(r->names_b, name))
                continue;
            if (as_json)
                row_to_json(r, &w);
            else
                show_row(r);
            n++;
        }
    }
    if (!n) {
        strbuf_done(&text);
        return err_set(e, ERR_USAGE, "no pair of \"%s\"; `assay align list` prints all",
                       s->args[1]);
    }
    if (as_json) {
        json_end_array(&w);
        out_json(&text);
    }
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    (void)exit_code;
    if (s->n_args && strcmp(s->args[0], "list") == 0)
        return list(s, e);
    if (s->n_args && strcmp(s->args[0], "show") == 0)
        return show(s, e);
    return make(s, e);
}

const struct command command_align = {
    .name = "align",
    .arguments = "[SIDE ...|list|show SYMBOL]",
    .summary = "which functions of two frameworks do the same, verified by running them",
    .details = "Runs the public functions of the installed frameworks (torch with jax, tensorflow "
               "and keras; keras with keras-numpy and keras-jax)\non shared arguments, joins them "
               "by adapters and writes the pairs with their evidence to $ASSAY_HOME/pairs. "
               "Outputs are kept,\nso that a second run goes on where the first stopped.\nlist and "
               "show read the pairs of your runs or, without "
               "any, those that are part of assay.",
    .examples = "  assay align                          # all that is installed\n  assay align jax "
                "                     # torch with jax only\n  assay align list --json\n  assay "
                "align show torch.nn.functional.pad\n  assay align jax --symbol "
                "torch.fmax,jax.numpy.fmax --pairs pairs",
    .run = run,
};
