/*
 * Lints many files in worker processes; unchanged ones are answered from the cache. Reports are in
 * the order of the files.
 *
 *     struct project p = {.rules = rules, .options = options, .n_workers = 2, .cache_dir = dir};
 *     if (!project_run(&p, files, n, arena, &reports, e)) ...
 *
 * A worker is a fork that holds the compiled rules; it writes its reports to its standard output
 * and ends. A worker that crashes leaves SB902 for the files it had not answered.
 */
#ifndef LINT_PROJECT_H
#define LINT_PROJECT_H

#include "lint/discover.h"
#include "lint/lint.h"

struct project {
    struct rule_set *rules;
    struct lint_options options;
    unsigned n_workers;    /* 0 or 1: in this process */
    const char *cache_dir; /* NULL: no cache */
    const char *identity;  /* version and settings, as text: part of the cache's key */
    bool finds_callers;    /* also reads the calls in files of the project that were not given */
    size_t n_hidden;       /* leading bytes of each path that reports do not show */
};

/* What one file sees of its project: for an editor, and for fixing a single file. */
struct project_view {
    struct summary_set *set; /* of all that it imports, linked; NULL: it imports nothing */
    struct str module;
    bool is_package, is_relevant;
    const struct module_alias *aliases;
    size_t n_aliases;
};

/* Reads the file's imports from disk. held: empty, or the file's own text in an editor. The view
 * lives in the arena until project_view_close. Words and paths that it uses are kept if
 * linter_set_project is called before the next file is linted. */
bool project_view_open(const struct project *p, const char *path, struct str held, struct arena *a,
                       struct project_view *out, struct err *e);
void project_view_close(struct project_view *v);
/* Fills in module, aliases and the rest of an input. */
void project_view_use(const struct project_view *v, struct linter *l, struct lint_input *in);

/* Prints how the functions of these files are called from other files of the project. */
bool project_dump_contexts(const struct project *p, const struct discovered_file *files, size_t n,
                           struct arena *a, struct strbuf *out, struct err *e);

bool project_run(const struct project *p, const struct discovered_file *files, size_t n,
                 struct arena *a, struct file_report **out, struct err *e);

#endif
