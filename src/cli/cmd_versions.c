/* assay versions: runs one bug in the releases of its engine: first bad, fixed in. */
#include "base/clock.h"
#include "base/log.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "hunt/versions.h"
#include "target/environment.h"

enum { RUNS = 3 };

/* The bug, and how it is run. */
struct subject {
    const struct settings *s;
    struct campaign_place place;
    struct store_bug bug;
    const char *folder;
    const char *const *targets; /* of its campaign: the other engines are witnesses */
    size_t n_targets;
};

static void say_step(void *ctx, const char *line)
{
    (void)ctx;
    log_info("%s", line);
}

/* Takes the releases of the command line, else a selection of those that pip knows. */
static bool choose(const struct subject *x, struct str **out, size_t *n, struct err *e)
{
    const struct settings *s = x->s;
    struct targets all;
    struct environment_releases known;
    struct target_list own = {0};
    const char *name = arena_printf(s->arena, STR_FMT "@" STR_FMT, STR_ARG(x->bug.engine),
                                    STR_ARG(x->bug.version));
    if (!targets_load(x->place.home, s->arena, &all, e))
        return false;
    if (s->n_args > 1) {
        *n = s->n_args - 1;
        *out = arena_new_array(s->arena, struct str, *n);
        for (size_t i = 0; i < *n; i++)
            (*out)[i] = str_of(s->args[i + 1]);
        versions_sort(*out, *n);
        return true;
    }
    if (!targets_resolve(&all, name, s->arena, &own, e) ||
        !environment_releases_of(own.at[0]->installation, s->arena, &known, e))
        return false;
    *out = known.at;
    *n = versions_choose(known.at, known.n, own.at[0]->installation->description->least_version,
                         x->bug.version);
    return true;
}

/* Names the campaign's targets, with the engine in this release, which is installed where it is
 * missing. */
static bool install(const struct subject *x, struct str version, const char ***names, struct err *e)
{
    struct arena *a = x->s->arena;
    struct targets all;
    struct target_installation made;
    const char *name =
        arena_printf(a, STR_FMT "@" STR_FMT, STR_ARG(x->bug.engine), STR_ARG(version));
    const struct environment_options o = {.home = x->place.home, .name = name, .on_step = say_step};
    struct err missing = {0};
    struct target_list found = {0};
    if (!targets_load(x->place.home, a, &all, e))
        return false;
    if (!targets_resolve(&all, name, a, &found, &missing) && !environment_add(&o, a, &made, e))
        return false;
    *names = arena_new_array(a, const char *, x->n_targets);
    for (size_t i = 0; i < x->n_targets; i++) {
        struct str own = str_of(x->targets[i]);
        size_t at = str_find_byte(own, '@'), slash = str_find_byte(own, '/');
        bool is_its = str_eq(str_sub(own, 0, at < slash ? at : slash), x->bug.engine);
        (*names)[i] = is_its
                          ? arena_printf(a, "%s" STR_FMT, name, STR_ARG(str_sub(own, slash, own.n)))
                          : x->targets[i];
    }
    return true;
}

/* pip writes its reason last. */
static struct str last_line(struct str text)
{
    struct str line, last = text;
    while (str_split(&text, '\n', &line))
        if (str_trim(line).n)
            last = str_trim(line);
    return last;
}

static void try_one(const struct subject *x, struct version_row *row)
{
    struct err e = {0};
    struct confirm_result result = {0};
    struct confirm_options o = {
        .home = x->place.home,
        .best_effort = strcmp(settings_text(x->s, SETTING_sandbox), "best-effort") == 0,
        .folder = x->folder,
        .bug = &x->bug,
        .n_targets = x->n_targets,
        .n_runs = RUNS};
    const char **names;
    o.oracles = settings_list(x->s, SETTING_oracle, &o.n_oracles);
    bool ok = install(x, row->version, &names, &e);
    o.targets = names;
    ok = ok && confirm_folder(&o, x->s->arena, &result, &e);
    row->relation = ok ? result.relation : RELATION_CANNOT;
    row->text = ok ? result.text : last_line(str_of(arena_strdup(x->s->arena, e.text)));
    row->k = result.k;
    row->n = result.n;
}

static void print_row(const struct subject *x, const struct version_row *row)
{
    struct strbuf line = {0};
    strbuf_printf(&line, "%.*s@%-10.*s  %s", STR_ARG(x->bug.engine), STR_ARG(row->version),
                  confirm_relation_name(row->relation));
    if (row->n)
        strbuf_printf(&line, "  %llu of %llu", (unsigned long long)row->k,
                      (unsigned long long)row->n);
    if (row->text.n)
        strbuf_printf(&line, "  " STR_FMT,
                      STR_ARG(str_sub(row->text, 0, str_find_byte(row->text, '\n'))));
    out_line(strbuf_str(&line));
    strbuf_done(&line);
}

static void print_bounds(const struct versions_bounds *b)
{
    if (b->first_bad.n)
        out_putf("first bad: " STR_FMT "%s\n", STR_ARG(b->first_bad),
                 b->is_oldest ? ", the oldest that was run" : "");
    if (b->fixed_in.n)
        out_putf("fixed in: " STR_FMT "\n", STR_ARG(b->fixed_in));
}

static void print_json(const struct subject *x, const struct version_row *rows, size_t n,
                       const struct versions_bounds *b)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_str(&w, "id", x->bug.id);
    json_pair_str(&w, "engine", x->bug.engine);
    json_key(&w, "versions");
    json_begin_array(&w);
    for (size_t i = 0; i < n; i++) {
        json_begin_object(&w);
        json_pair_str(&w, "version", rows[i].version);
        json_pair_cstr(&w, "relation", confirm_relation_name(rows[i].relation));
        json_pair_u64(&w, "k", rows[i].k);
        json_pair_u64(&w, "n", rows[i].n);
        json_pair_str(&w, "text", rows[i].text);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_pair_str(&w, "first_bad", b->first_bad);
    json_pair_str(&w, "fixed_in", b->fixed_in);
    json_end_object(&w);
    out_json(&text);
}

/* Writes the bounds into the bug's row, from which reports read them. */
static bool keep(struct subject *x, const struct versions_bounds *b, struct err *e)
{
    struct store *store;
    struct campaign_place place;
    const struct store_event event = {
        .at_ms = clock_wall_ms(),
        .who = STR("user"),
        .what = STR("versions"),
        .subject = x->bug.id,
        .text = str_of(arena_printf(x->s->arena, "first bad " STR_FMT ", fixed in " STR_FMT,
                                    STR_ARG(b->first_bad), STR_ARG(b->fixed_in)))};
    if (b->first_bad.n) /* a run of few versions may find less than is known already */
        x->bug.first_bad = b->first_bad;
    if (b->fixed_in.n)
        x->bug.fixed_in = b->fixed_in;
    const struct store_change changes[] = {{.kind = STORE_BUG, .bug = &x->bug},
                                           {.kind = STORE_EVENT, .event = &event}};
    if (!campaign_open(x->s, STORE_WRITE, &place, &store, e))
        return false;
    bool ok = store_commit(store, changes, 2, e);
    store_close(store);
    if (ok)
        campaign_write_report(&x->place, &x->bug);
    return ok;
}

static bool find(const struct settings *s, struct subject *x, struct err *e)
{
    struct store *store;
    if (s->n_args == 0)
        return err_set(e, ERR_USAGE, "a bug id is expected; assay bugs lists them");
    x->s = s;
    if (!campaign_open(s, STORE_READ, &x->place, &store, e))
        return false;
    bool ok = store_bug(store, str_of(s->args[0]), s->arena, &x->bug, e) &&
              campaign_targets(s, store, &x->bug, &x->targets, &x->n_targets, e);
    store_close(store);
    if (!ok)
        return false;
    x->folder = campaign_bug_folder(&x->place, &x->bug, s->arena);
    return x->folder ||
           err_set(e, ERR_DATA, "bug " STR_FMT " has no folder any more", STR_ARG(x->bug.id));
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct subject x = {0};
    struct str *versions;
    size_t n;
    if (!find(s, &x, e) || !choose(&x, &versions, &n, e))
        return false;
    struct version_row *rows = arena_new_array(s->arena, struct version_row, n);
    for (size_t i = 0; i < n; i++) {
        rows[i].version = versions[i];
        out_status(s, STR_FMT "@" STR_FMT " (%zu of %zu)", STR_ARG(x.bug.engine),
                   STR_ARG(versions[i]), i + 1, n);
        try_one(&x, &rows[i]);
        out_status(s, "%s", "");
        if (!settings_want_json(s))
            print_row(&x, &rows[i]);
        out_flush();
    }
    struct versions_bounds bounds = versions_bounds(rows, n, x.bug.version);
    if (settings_want_json(s))
        print_json(&x, rows, n, &bounds);
    else
        print_bounds(&bounds);
    *exit_code = bounds.cannot_run     ? EXIT_INCONCLUSIVE
                 : bounds.is_in_newest ? EXIT_FOUND
                                       : EXIT_DONE;
    return keep(&x, &bounds, e);
}

const struct command command_versions = {
    .name = "versions",
    .arguments = "ID [VERSION...]",
    .summary = "run a bug in the releases of its engine: first bad, fixed in",
    .details =
        "Without versions: the newest of each minor version that the package index has, from "
        "the oldest that assay can drive.\n"
        "A release that is missing is installed into an environment of its own, once. Says of "
        "each whether it shows the same bug,\n"
        "fails in another way, is free of it, or cannot run the case, and keeps first bad and "
        "fixed in for the reports.\n"
        "Exit 1: the newest release that ran shows the bug; 0: it does not; 2: none ran.",
    .examples = "  assay versions 3f2a9c0b1e\n  assay versions 3f2a9c0b1e 1.20.1 1.31.1 1.32.0",
    .run = run,
};
