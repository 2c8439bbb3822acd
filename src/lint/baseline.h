/*
 * A baseline: findings that are known and accepted. A finding is recognised by file, code and its
 * statement without white space, so it stays known when lines move; as many of a kind as were
 * written are accepted. Paths count from the baseline's folder, so that it serves from every
 * folder.
 */
#ifndef LINT_BASELINE_H
#define LINT_BASELINE_H

#include "base/json.h"
#include "lint/finding.h"

/* name: of the file it will be. */
bool baseline_write(const char *name, const struct file_report *files, size_t n, struct strbuf *out,
                    struct err *e);

/* Takes the known findings out of the reports; *n_known counts them. name: of its file. */
bool baseline_apply(struct str text, const char *name, struct file_report *files, size_t n,
                    struct arena *a, uint64_t *n_known, struct err *e);

#endif
