/*
 * What open documents and their callers know of each other. Callers are read in the background, by
 * a child that fills the cache; until then, and in settings that do not ask for them, they are not
 * known. Open documents count as their editor holds them.
 */
#include "lint/lsp_p.h"

/* Is it a text of its own with these settings? */
static bool is_file_of(struct lsp *l, struct lsp_document *d, size_t setup)
{
    return d->is_open && !d->notebook && lsp__use_settings(l, d) && d->setup == setup + 1 &&
           str_starts(str_of(d->uri), STR("file://"));
}

static bool open_views(struct lsp *l, size_t setup, struct arena *a, struct project_views *out)
{
    VEC(struct held_text) held = {0};
    VEC(struct discovered_file) files = {0};
    struct err e = {0};
    *out = (struct project_views){0};
    for (size_t i = 0; i < l->documents.n; i++) {
        struct lsp_document *d = l->documents.at[i];
        if (!is_file_of(l, d, setup))
            continue;
        struct lint_input in = lsp__input(l, d, a);
        const char *path = str_dup(a, in.path);
        vec_push(&held, a, ((struct held_text){path, in.bytes}));
        vec_push(&files, a, ((struct discovered_file){.path = path}));
    }
    struct project p = l->setups.at[setup].project;
    p.held = held.at;
    p.n_held = held.n;
    return files.n && p.finds_callers && project_views_open(&p, files.at, files.n, a, out, &e);
}

/* The documents of a setup see its new views from now on. */
static void use_new_views(struct lsp *l, size_t setup)
{
    size_t at = 0;
    for (size_t i = 0; i < l->documents.n; i++) {
        struct lsp_document *d = l->documents.at[i];
        if (!is_file_of(l, d, setup))
            continue;
        d->among = ++at;
        d->is_linted = false;
        lsp__close_view(d);
    }
}

/* Does the text tell others something else than when they were last linked? */
static bool tells_anew(struct lsp *l, struct lsp_document *d)
{
    struct strbuf summary = {0};
    struct lint_input in = lsp__input(l, d, &l->arena);
    lsp__use_view(l, d, &in);
    linter_summarise(l->linter, &in, &summary);
    struct hash now = hash_of(summary.at, summary.n);
    bool is_new = memcmp(&now, &d->told, sizeof now) != 0;
    d->told = now;
    strbuf_done(&summary);
    return is_new;
}

static bool finds_callers(const struct lsp *l)
{
    for (size_t i = 0; i < l->setups.n; i++)
        if (l->setups.at[i].project.finds_callers)
            return true;
    return false;
}

bool lsp_wants_callers(struct lsp *l, bool rested)
{
    bool wants = l->wants_callers && finds_callers(l);
    for (size_t i = 0; i < l->documents.n && rested; i++) {
        struct lsp_document *d = l->documents.at[i];
        if (!d->is_open || !d->is_edited || d->notebook || !lsp__use_settings(l, d))
            continue;
        wants |= l->project.finds_callers && tells_anew(l, d);
        d->is_edited = false;
    }
    l->wants_callers = false;
    arena_reset(&l->arena);
    return wants;
}

void lsp_read_callers(struct lsp *l)
{
    for (size_t i = 0; i < l->setups.n; i++) {
        struct project_views views;
        struct arena a;
        arena_init(&a);
        (void)open_views(l, i, &a, &views);
        project_views_close(&views);
        arena_done(&a);
    }
}

/* False: there is nothing to know. */
static bool renew(struct lsp *l, size_t setup)
{
    struct project_views views;
    struct arena a;
    arena_init(&a);
    if (!open_views(l, setup, &a, &views)) {
        project_views_close(&views);
        arena_done(&a);
        return false;
    }
    struct lsp_setup *s = &l->setups.at[setup];
    project_views_close(&s->views);
    arena_done(&s->arena);
    s->views = views;
    s->arena = a;
    linter_set_project(s->linter, views.set);
    use_new_views(l, setup);
    return true;
}

bool lsp__renew_views(struct lsp *l)
{
    bool any = false;
    for (size_t i = 0; i < l->setups.n; i++)
        any |= renew(l, i);
    return any;
}
