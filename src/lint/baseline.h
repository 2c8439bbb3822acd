/*
 * A baseline: findings that are known and accepted. A finding is recognised by file, code and its
 * statement without white space, so it stays known when lines move. Of equal ones as many are
 * accepted as were written. Paths are relative to the baseline's folder, so that it can be used
 * from every folder.
 */
#ifndef LINT_BASELINE_H
#define LINT_BASELINE_H

#include "base/json.h"
#include "lint/finding.h"

/* name: the file it will be written to. */
bool baseline_write(const char *name, const struct file_report *files, size_t n, struct strbuf *out,
                    struct err *e);

/* Takes the known findings out of the reports and counts them in *n_known. name: the baseline's
 * file. */
bool baseline_apply(struct str text, const char *name, struct file_report *files, size_t n,
                    struct arena *a, uint64_t *n_known, struct err *e);

#endif
