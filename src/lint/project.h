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

/* A text that an editor holds: it is used instead of the file's bytes. */
struct held_text {
    const char *path;
    struct str text;
};

struct project {
    struct rule_set *rules;
    struct lint_options options;
    unsigned n_workers;    /* 0 or 1: in this process */
    const char *cache_dir; /* NULL: no cache */
    const char *identity;  /* version and settings, as text: part of the cache's key */
    bool finds_callers;    /* also reads the calls in files of the project that were not given */
    size_t n_hidden;       /* leading bytes of each path that reports do not show */
    const struct held_text *held;
    size_t n_held;
};

/* What the files of a project know of each other, of what they import and of their callers: for an
 * editor, and for fixing files one by one. A file that is linted with it gets the findings of
 * project_run. */
struct project_views {
    struct summary_set *set;    /* linked, with contexts; NULL: no file imports another */
    struct project_view *files; /* as given */
};

/* Reads summaries, from the cache where it has them. The views live in the arena until
 * project_views_close. Words and paths that they use are kept if linter_set_project is called
 * before the next file is linted. */
bool project_views_open(const struct project *p, const struct discovered_file *files, size_t n,
                        struct arena *a, struct project_views *out, struct err *e);
void project_views_close(struct project_views *v);
/* Fills in module, aliases and the rest of an input: the file number `at`. */
void project_views_use(const struct project_views *v, size_t at, struct linter *l,
                       struct lint_input *in);

/* Prints how the functions of these files are called from other files of the project. */
bool project_dump_contexts(const struct project *p, const struct discovered_file *files, size_t n,
                           struct arena *a, struct strbuf *out, struct err *e);

bool project_run(const struct project *p, const struct discovered_file *files, size_t n,
                 struct arena *a, struct file_report **out, struct err *e);

#endif
