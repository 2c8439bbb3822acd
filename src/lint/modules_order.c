/*
 * The order of reading: which summaries are wanted, and levels such that a file is above all it
 * imports. Components of files that import each other are found on the way (Tarjan 1972, with an
 * explicit stack). Within one, an import of a file that is still being visited does not count for
 * the order, and its importer waits.
 */
#include "lint/modules_p.h"

/* Files that were not given are kept when they import one that was, directly or not: their calls
 * show how its functions are called. The others import nothing that matters. */
static void keep_callers(struct module_graph *g, struct arena *work)
{
    size_t n = g->files.n;
    bool *leads = arena_new_array(work, bool, n);
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < n; i++) {
            const struct module_file *f = &g->files.at[i];
            bool is_reached = f->at != MODULE_NOT_GIVEN;
            for (size_t k = 0; k < f->imports.n && !is_reached; k++)
                is_reached = leads[f->imports.at[k]];
            changed |= is_reached && !leads[i];
            leads[i] |= is_reached;
        }
    }
    for (size_t i = 0; i < n; i++)
        g->files.at[i].may_call &= leads[i];
}

/* A file matters when it imports a framework, or a module of the project that does. Summaries are
 * wanted of all files that such a file imports, directly or not. */
static void mark_wanted(struct module_graph *g, struct arena *work)
{
    VEC(uint32_t) pending = {0};
    for (size_t i = 0; i < g->files.n; i++) {
        struct module_file *f = &g->files.at[i];
        f->is_relevant = f->names_framework;
        for (size_t k = 0; k < f->imports.n; k++)
            f->is_relevant |= g->files.at[f->imports.at[k]].names_framework;
        if (f->is_relevant && (f->at != MODULE_NOT_GIVEN || f->may_call))
            vec_push(&pending, work, (uint32_t)i);
    }
    while (pending.n) {
        const struct module_file *f = &g->files.at[vec_pop(&pending)];
        for (size_t k = 0; k < f->imports.n; k++) {
            struct module_file *to = &g->files.at[f->imports.at[k]];
            if (!to->is_wanted)
                vec_push(&pending, work, f->imports.at[k]);
            to->is_wanted = true;
        }
    }
}

struct visit {
    uint32_t file;
    size_t next; /* the next import to look at */
};

struct tarjan {
    struct module_graph *g;
    struct arena *work;
    uint32_t *index, *low; /* 0: not seen */
    bool *is_open, *is_on_path;
    uint32_t n_seen;
    VEC(uint32_t) open;
    VEC(struct visit) path;
};

static void close_component(struct tarjan *t, uint32_t root)
{
    struct module_graph *g = t->g;
    uint32_t file, component = g->n_components++;
    do {
        file = vec_pop(&t->open);
        t->is_open[file] = false;
        g->files.at[file].component = component;
        g->component_size[component]++;
    } while (file != root);
}

/* All its imports have their level, except those that lead back on the path. */
static void set_level(struct tarjan *t, uint32_t file)
{
    struct module_graph *g = t->g;
    struct module_file *f = &g->files.at[file];
    for (size_t k = 0; k < f->imports.n; k++) {
        struct module_file *to = &g->files.at[f->imports.at[k]];
        if (t->is_on_path[f->imports.at[k]]) {
            f->waits = true;
            to->is_awaited = true;
        } else {
            f->level = MAX(f->level, to->level + 1);
        }
    }
    g->n_levels = MAX(g->n_levels, f->level + 1);
}

static void enter(struct tarjan *t, uint32_t file)
{
    t->index[file] = t->low[file] = ++t->n_seen;
    t->is_open[file] = t->is_on_path[file] = true;
    vec_push(&t->open, t->work, file);
    vec_push(&t->path, t->work, (struct visit){file, 0});
}

static void visit_from(struct tarjan *t, uint32_t start)
{
    enter(t, start);
    while (t->path.n) {
        struct visit *v = &vec_last(&t->path);
        const struct module_file *f = &t->g->files.at[v->file];
        if (v->next < f->imports.n) {
            uint32_t to = f->imports.at[v->next++];
            if (!t->index[to])
                enter(t, to);
            else if (t->is_open[to])
                t->low[v->file] = MIN(t->low[v->file], t->index[to]);
            continue;
        }
        uint32_t file = v->file;
        set_level(t, file);
        (void)vec_pop(&t->path);
        t->is_on_path[file] = false;
        if (t->path.n)
            t->low[vec_last(&t->path).file] = MIN(t->low[vec_last(&t->path).file], t->low[file]);
        if (t->low[file] == t->index[file])
            close_component(t, file);
    }
}

void modules__order(struct module_graph *g)
{
    struct arena work;
    size_t n = g->files.n;
    arena_init(&work);
    if (g->has_callers)
        keep_callers(g, &work);
    mark_wanted(g, &work);
    for (size_t i = 0; i < n; i++) { /* an import whose summary is not wanted delays no file */
        struct module_file *f = &g->files.at[i];
        size_t kept = 0;
        bool is_told_of = f->at != MODULE_NOT_GIVEN || f->may_call || !g->has_callers;
        for (size_t k = 0; k < f->imports.n && (is_told_of || f->is_wanted); k++)
            if ((f->is_wanted || f->is_relevant) && g->files.at[f->imports.at[k]].is_wanted)
                f->imports.at[kept++] = f->imports.at[k];
        f->imports.n = kept;
        f->is_caller = kept > 0;
    }
    g->component_size = arena_new_array(g->arena, uint32_t, n);
    struct tarjan t = {.g = g, .work = &work};
    t.index = arena_new_array(&work, uint32_t, n);
    t.low = arena_new_array(&work, uint32_t, n);
    t.is_open = arena_new_array(&work, bool, n);
    t.is_on_path = arena_new_array(&work, bool, n);
    for (uint32_t i = 0; i < n; i++)
        if (!t.index[i])
            visit_from(&t, i);
    arena_done(&work);
}
