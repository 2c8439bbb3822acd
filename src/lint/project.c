/*
 * From the files of a project to reports. A file is read once, after all that it imports, so that
 * the summaries of the functions it calls are known. In a cycle of imports one file comes before
 * another that it imports; if it needed names of that one, it is read once more at the end.
 *
 * Invariant: reports depend on the files alone, not on the number of workers or on the cache.
 */
#include "lint/project_p.h"

#include "lint/cache.h"
#include "lint/rule_p.h"
#include "python/summary.h"

enum { CALLERS_MAX = 5000 };

struct job_list {
    VEC(struct job) jobs;
};

struct placed {
    uint32_t level, component, file;
};

/* One run. */
struct run {
    const struct project *project;
    bool is_view; /* only summaries are wanted, no reports */
    struct module_graph graph;
    struct arena *arena;
    struct summary_set *set; /* of all levels below this one */
    struct cache *cache;
    struct file_report *reports; /* by index of the given file */
    struct hash *keys;           /* by file: hash of all that its report depends on */
    struct hash *closures;       /* by component: hash of its contents and of all below it */
    struct hash *states;         /* by file: hash of all that others can learn from it */
    struct str *summaries;       /* by file: bytes */
    struct job_list waiting;     /* files that needed names not known yet */
};

/* ---- keys ---- */

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct hash));
}

/* Sorted, so that the order in which files were found does not matter. */
static void add_sorted(struct hasher *h, struct hash *list, size_t n)
{
    if (n > 1)
        qsort(list, n, sizeof *list, by_bytes);
    for (size_t i = 0; i < n; i++)
        hasher_add(h, &list[i], sizeof list[i]);
}

static struct hash identity_of(const struct module_file *f)
{
    struct hasher h;
    hasher_init(&h);
    hasher_add_str(&h, f->name);
    hasher_add(&h, &f->content, sizeof f->content);
    hasher_add_u64(&h, (uint64_t)f->is_relevant | (uint64_t)f->is_wanted << 1);
    for (size_t i = 0; i < f->aliases.n; i++) {
        hasher_add_str(&h, f->aliases.at[i].written);
        hasher_add_str(&h, f->aliases.at[i].name);
    }
    hasher_add_u64(&h, f->is_taken_whole);
    for (size_t i = 0; i < f->taken.n; i++)
        hasher_add_str(&h, f->taken.at[i]);
    return hasher_done(&h);
}

static bool is_in_circle(const struct run *r, const struct module_file *f)
{
    return r->graph.component_size[f->component] > 1;
}

/* Closures of components, whose numbers ascend from below. order: files by component. */
static void set_closures(struct run *r, const struct placed *order, size_t n)
{
    const struct module_file *files = r->graph.files.at;
    for (size_t i = 0, end; i < n; i = end) {
        VEC(struct hash) parts = {0};
        struct hasher h;
        struct arena work;
        arena_init(&work);
        for (end = i; end < n && order[end].component == order[i].component; end++) {
            const struct module_file *f = &files[order[end].file];
            vec_push(&parts, &work, identity_of(f));
            for (size_t k = 0; k < f->imports.n; k++)
                if (files[f->imports.at[k]].component != f->component)
                    vec_push(&parts, &work, r->closures[files[f->imports.at[k]].component]);
        }
        hasher_init(&h);
        add_sorted(&h, parts.at, parts.n);
        r->closures[order[i].component] = hasher_done(&h);
        arena_done(&work);
    }
}

/* Adds what is below a file: the states of its imports; in a cycle simply the contents of all its
 * files and of all below. */
static void add_below(const struct run *r, const struct module_file *f, struct hasher *h)
{
    VEC(struct hash) below = {0};
    struct arena work;
    arena_init(&work);
    if (is_in_circle(r, f))
        vec_push(&below, &work, r->closures[f->component]);
    for (size_t k = 0; k < f->imports.n && !is_in_circle(r, f); k++)
        vec_push(&below, &work, r->states[f->imports.at[k]]);
    add_sorted(h, below.at, below.n);
    arena_done(&work);
}

/* What a file's report depends on: the file, and what is below it. */
static void set_key(struct run *r, uint32_t file)
{
    const struct module_file *f = &r->graph.files.at[file];
    struct hasher h;
    if (!r->cache)
        return;
    struct hash own = identity_of(f);
    hasher_init(&h);
    hasher_add(&h, &own, sizeof own);
    add_below(r, f, &h);
    r->keys[file] = hasher_done(&h);
}

static void set_state(struct run *r, uint32_t file)
{
    const struct module_file *f = &r->graph.files.at[file];
    struct hasher h;
    if (!r->cache)
        return;
    hasher_init(&h);
    hasher_add_str(&h, r->summaries[file]);
    add_below(r, f, &h);
    r->states[file] = hasher_done(&h);
}

/* ---- levels ---- */

static void learn(struct run *r, uint32_t file)
{
    struct file_summary s;
    struct err e = {0};
    const struct rule_set *rules = r->project->rules;
    if (r->summaries[file].n &&
        summary_read(r->summaries[file], rules->paths, rules->parser, r->arena, &s, &e))
        summary_set_add(r->set, &s);
    set_state(r, file);
    if (!r->cache)
        r->summaries[file] = (struct str){0};
}

static void add_job(struct run *r, uint32_t file, struct job_list *out)
{
    const struct module_file *f = &r->graph.files.at[file];
    struct job job = {.file = f,
                      .wants_report = f->at != MODULE_NOT_GIVEN && !r->is_view,
                      .wants_summary = f->is_wanted || f->is_caller};
    set_key(r, file);
    if (r->cache && f->is_readable &&
        cache_get(r->cache, str_of(f->path), &r->keys[file], r->arena,
                  job.wants_report ? &r->reports[f->at] : NULL,
                  job.wants_summary ? &r->summaries[file] : NULL))
        return;
    if (job.wants_report || job.wants_summary)
        vec_push(&out->jobs, r->arena, job);
}

static void take_job(struct run *r, const struct job *job, bool may_wait)
{
    uint32_t file = (uint32_t)(job->file - r->graph.files.at);
    const struct file_report *report = NULL;
    if (job->wants_report) {
        r->reports[job->file->at] = job->report;
        report = arena_dup(r->arena, &job->report, sizeof job->report); /* may be replaced later */
    }
    if (job->wants_summary && may_wait)
        r->summaries[file] = job->summary;
    if (may_wait && job->wants_report && job->file->waits && job->has_missed) {
        vec_push(&r->waiting.jobs, r->arena, *job);
        return;
    }
    if (r->cache && job->file->is_readable && !(report && report->has_failed))
        cache_put(r->cache, str_of(job->file->path), &r->keys[file], report, r->summaries[file]);
}

static bool run_jobs(struct run *r, struct job_list *list, bool may_wait, struct err *e)
{
    if (!project__do_jobs(r->project, r->set, list->jobs.at, list->jobs.n, r->arena, e))
        return false;
    for (size_t i = 0; i < list->jobs.n; i++)
        take_job(r, &list->jobs.at[i], may_wait);
    return true;
}

static bool run_level(struct run *r, const struct placed *files, size_t n, struct err *e)
{
    struct job_list list = {0};
    for (size_t i = 0; i < n; i++)
        add_job(r, files[i].file, &list);
    if (!run_jobs(r, &list, true, e))
        return false;
    for (size_t i = 0; i < n; i++)
        learn(r, files[i].file);
    if (r->set)
        summary_set_link(r->set, r->project->rules->paths);
    return true;
}

static int by_component(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

static int by_level(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

/* Opens a set if any summary is wanted, and gives it the modules that are read after their
 * importers. */
static void open_set(struct run *r)
{
    const struct rule_set *rules = r->project->rules;
    for (size_t i = 0; i < r->graph.files.n; i++) {
        const struct module_file *f = &r->graph.files.at[i];
        if ((f->is_wanted || f->is_caller) && !r->set)
            r->set = summary_set_new();
        if (f->is_awaited && r->set)
            summary_set_expect(r->set, paths_add(rules->paths, f->name));
    }
    if (r->set)
        summary_set_link(r->set, rules->paths);
}

/* ---- once more, with what callers give ---- */

/* The key of a report that depends on how the file's functions are called. */
static struct hash context_key(const struct run *r, uint32_t file, uint32_t module)
{
    struct hasher h;
    hasher_init(&h);
    hasher_add(&h, &r->keys[file], sizeof r->keys[file]);
    summary_set_hash_contexts(r->set, module, r->project->rules->parser, &h);
    return hasher_done(&h);
}

/* The cache keeps this report beside the file's own, under a path that no file has. */
static bool add_context_job(struct run *r, uint32_t file, struct job_list *out)
{
    const struct module_file *f = &r->graph.files.at[file];
    uint32_t module = paths_find(r->project->rules->paths, f->name);
    if (f->at == MODULE_NOT_GIVEN || !f->is_wanted || module == PATH_NONE ||
        !summary_set_has_contexts(r->set, module))
        return false;
    r->keys[file] = context_key(r, file, module);
    const char *path = arena_printf(r->arena, "%s\n", f->path);
    if (r->cache && f->is_readable &&
        cache_get(r->cache, str_of(path), &r->keys[file], r->arena, &r->reports[f->at], NULL))
        return true;
    vec_push(&out->jobs, r->arena, (struct job){.file = f, .wants_report = true, .is_told = true});
    return true;
}

static bool has_finding(const struct file_report *r, const struct finding *f)
{
    for (size_t i = 0; i < r->n; i++)
        if (str_eq(r->findings[i].code, f->code) && r->findings[i].span.start == f->span.start)
            return true;
    return false;
}

/* The path of a module's file as reports show it; empty: there is none. */
static struct str path_of_module(const struct run *r, uint32_t module)
{
    for (size_t i = 0; i < r->graph.files.n; i++) {
        const struct module_file *f = &r->graph.files.at[i];
        struct str path = str_of(f->path);
        if (f->name.n && paths_find(r->project->rules->paths, f->name) == module)
            return str_sub(path, MIN(r->project->n_hidden, path.n), path.n);
    }
    return STR("");
}

/* A finding that only calls in another file revealed gets one of them as a related place. */
static void add_witnesses(const struct run *r, const struct file_report *before,
                          const struct module_file *file, struct file_report *report)
{
    const struct rule_set *rules = r->project->rules;
    uint32_t module = paths_find(rules->paths, file->name);
    for (size_t i = 0; i < report->n; i++) {
        struct finding *f = &report->findings[i];
        struct summary_witness c;
        bool is_told = !has_finding(before, f) &&
                       summary_set_witness(r->set, module, f->span.start, rules->parser, &c);
        struct str path = is_told ? path_of_module(r, c.module) : STR("");
        if (!path.n)
            continue;
        struct finding_related *list =
            arena_new_array(r->arena, struct finding_related, f->n_related + 1u);
        if (f->n_related)
            memcpy(list, f->related, f->n_related * sizeof *list);
        struct source_place place = {.line = c.line, .column = 1};
        struct str text = c.is_class ? STR("its fields are filled here") : STR("called from here");
        list[f->n_related++] = (struct finding_related){place, place, text, path};
        f->related = list;
    }
}

/* Makes new reports of files whose functions other files call in a way that tells more than their
 * own file does. A file that was not relevant before may be now. */
static bool run_again_with_contexts(struct run *r, struct err *e)
{
    struct job_list list = {0};
    if (!r->set || r->is_view)
        return true;
    summary_set_find_contexts(r->set);
    for (uint32_t i = 0; i < r->graph.files.n; i++)
        (void)add_context_job(r, i, &list);
    if (!project__do_jobs(r->project, r->set, list.jobs.at, list.jobs.n, r->arena, e))
        return false;
    for (size_t i = 0; i < list.jobs.n; i++) {
        struct job *job = &list.jobs.at[i];
        uint32_t file = (uint32_t)(job->file - r->graph.files.at);
        add_witnesses(r, &r->reports[job->file->at], job->file, &job->report);
        r->reports[job->file->at] = job->report;
        if (r->cache && job->file->is_readable && !job->report.has_failed)
            cache_put(r->cache, str_of(arena_printf(r->arena, "%s\n", job->file->path)),
                      &r->keys[file], &job->report, (struct str){0});
    }
    return true;
}

static bool run_levels(struct run *r, struct err *e)
{
    size_t n = r->graph.files.n;
    struct placed *order = arena_new_array(r->arena, struct placed, n);
    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct placed){r->graph.files.at[i].level, r->graph.files.at[i].component, i};
    if (n > 1)
        qsort(order, n, sizeof *order, by_component);
    if (r->cache)
        set_closures(r, order, n);
    if (n > 1)
        qsort(order, n, sizeof *order, by_level);
    open_set(r);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && order[end].level == order[i].level;)
            end++;
        if (!run_level(r, &order[i], end - i, e))
            return false;
    }
    struct job_list again = r->waiting;
    return run_jobs(r, &again, false, e) && run_again_with_contexts(r, e);
}

/* Adds files below the project folders of the given files. If there are too many, none is added.
 */
static bool add_callers(struct run *r, const struct discovered_file *files, size_t n, struct err *e)
{
    struct map seen = {0};
    struct discovered found;
    struct discover_options o = {.max_files = CALLERS_MAX};
    VEC(const char *) roots = {0};
    bool is_new;
    for (size_t i = 0; i < n; i++) {
        const char *root = modules__project_of(&r->graph, files[i].path);
        (void)map_at(&seen, r->arena, str_of(root), &is_new);
        if (is_new)
            vec_push(&roots, r->arena, root);
    }
    if (!discover_files(roots.at, roots.n, &o, r->arena, &found, e))
        return false;
    for (size_t i = 0; i < found.files.n && found.files.n <= CALLERS_MAX; i++)
        modules__add_caller(&r->graph, found.files.at[i].path);
    return true;
}

static void open_graph(struct run *r)
{
    struct arena *a = r->arena;
    modules__resolve(&r->graph);
    modules__order(&r->graph);
    size_t n = r->graph.files.n;
    r->keys = arena_new_array(a, struct hash, n);
    r->closures = arena_new_array(a, struct hash, n);
    r->states = arena_new_array(a, struct hash, n);
    r->summaries = arena_new_array(a, struct str, n);
}

/* The files given, and if the project wants it those that may call them; in order, not read yet. */
static bool open_run(struct run *r, const struct discovered_file *files, size_t n, struct err *e)
{
    const struct project *p = r->project;
    r->cache = p->cache_dir ? cache_open(p->cache_dir, p->rules, p->identity, r->arena) : NULL;
    modules__init(&r->graph, p->options.max_file_size, r->cache != NULL, r->arena);
    for (size_t i = 0; i < p->n_held; i++)
        modules__hold(&r->graph, p->held[i].path, p->held[i].text);
    for (size_t i = 0; i < n; i++)
        modules__add(&r->graph, files[i].path, (uint32_t)i);
    bool ok = !p->finds_callers || add_callers(r, files, n, e);
    open_graph(r);
    return ok;
}

bool project_run(const struct project *p, const struct discovered_file *files, size_t n,
                 struct arena *a, struct file_report **out, struct err *e)
{
    struct run r = {.project = p, .arena = a};
    r.reports = arena_new_array(a, struct file_report, n);
    bool ok = open_run(&r, files, n, e) && run_levels(&r, e);
    summary_set_free(r.set);
    modules__done(&r.graph);
    *out = r.reports;
    return ok && (!r.cache || cache_save(r.cache, e));
}

bool project_dump_contexts(const struct project *p, const struct discovered_file *files, size_t n,
                           struct arena *a, struct strbuf *out, struct err *e)
{
    struct run r = {.project = p, .arena = a, .is_view = true};
    bool ok = open_run(&r, files, n, e) && run_levels(&r, e);
    if (ok && r.set) {
        summary_set_find_contexts(r.set);
        summary_set_dump_contexts(r.set, p->rules->parser, out);
    }
    summary_set_free(r.set);
    modules__done(&r.graph);
    return ok;
}

/* ---- what files know of each other ---- */

struct project_view {
    struct str module;
    bool is_package, is_relevant;
    const struct module_alias *aliases;
    size_t n_aliases;
};

bool project_views_open(const struct project *p, const struct discovered_file *files, size_t n,
                        struct arena *a, struct project_views *out, struct err *e)
{
    struct run r = {.project = p, .arena = a, .is_view = true};
    bool ok = open_run(&r, files, n, e) && run_levels(&r, e);
    *out = (struct project_views){r.set, arena_new_array(a, struct project_view, n)};
    if (ok && r.set)
        summary_set_find_contexts(r.set);
    for (size_t i = 0; i < n; i++) {
        const struct module_file *f = &r.graph.files.at[i];
        out->files[i] = (struct project_view){.module = f->name,
                                              .is_package = f->is_package,
                                              .is_relevant = f->is_relevant,
                                              .aliases = f->aliases.at,
                                              .n_aliases = f->aliases.n};
    }
    modules__done(&r.graph);
    if (ok && r.cache)
        (void)cache_save(r.cache, &(struct err){0}); /* without it the next time takes longer */
    return ok;
}

void project_views_close(struct project_views *v)
{
    summary_set_free(v->set);
    v->set = NULL;
}

void project_views_use(const struct project_views *v, size_t at, struct linter *l,
                       struct lint_input *in)
{
    const struct project_view *f = &v->files[at];
    linter_set_project(l, v->set);
    in->module = f->module;
    in->is_package = f->is_package;
    in->is_relevant = f->is_relevant;
    in->aliases = f->aliases;
    in->n_aliases = f->n_aliases;
}
