/*
 * A baseline: findings that are known and accepted. A finding is recognised by file, code and its
 * statement without white space, so it stays known when lines move; as many of a kind as were
 * written are accepted.
 */
#ifndef LINT_BASELINE_H
#define LINT_BASELINE_H

#include "base/json.h"
#include "lint/finding.h"

void baseline_write(const struct file_report *files, size_t n, struct strbuf *out);

/* Takes the known findings out of the reports; *n_known counts them. */
bool baseline_apply(struct str text, const char *name, struct file_report *files, size_t n,
                    struct arena *a, uint64_t *n_known, struct err *e);

#endif
