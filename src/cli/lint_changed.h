/* --changed-since: findings on lines that git knows as changed. */
#ifndef CLI_LINT_CHANGED_H
#define CLI_LINT_CHANGED_H

#include "base/err.h"
#include "lint/finding.h"

/* Keeps findings whose lines changed since the revision, and all findings in files that git does
 * not know. */
bool lint_keep_changed(const char *revision, struct file_report *files, size_t n, struct arena *a,
                       struct err *e);

#endif
