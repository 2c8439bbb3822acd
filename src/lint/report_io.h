/*
 * File reports as bytes (JSON): what workers hand to the parent and what the cache keeps.
 */
#ifndef LINT_REPORT_IO_H
#define LINT_REPORT_IO_H

#include "base/json.h"
#include "lint/finding.h"
#include "lint/rule.h"

void report_write(const struct file_report *r, struct json_out *w);

/* Texts of rules are taken from the rule set. False, too, for a code that it does not know. */
bool report_read(const struct json *j, const struct rule_set *rules, struct arena *a,
                 struct file_report *out);

#endif
