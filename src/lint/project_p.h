/* Shared by the files that lint a project: jobs and their results. */
#ifndef LINT_PROJECT_P_H
#define LINT_PROJECT_P_H

#include "lint/modules_p.h"
#include "lint/project.h"

/* One reading of one file. */
struct job {
    const struct module_file *file;
    bool is_told; /* contexts matter: it is relevant even if it names no framework */
    bool wants_report, wants_summary;
    struct file_report report; /* in the arena of the run */
    struct str summary;        /* bytes, in the same arena; empty: none */
    bool has_missed;           /* needed names of a module that was not read yet */
};

/* Does all jobs, in this process or in forks of it; a job's result does not depend on which. */
bool project__do_jobs(const struct project *p, const struct summary_set *set, struct job *jobs,
                      size_t n, struct arena *a, struct err *e);

#endif
