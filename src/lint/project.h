/*
 * Many files: read, linted in worker processes, answered from the cache where nothing changed, in
 * the order given.
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
};

bool project_run(const struct project *p, const struct discovered_file *files, size_t n,
                 struct arena *a, struct file_report **out, struct err *e);

#endif
