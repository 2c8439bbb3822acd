/* Shared by the formats of lint findings. */
#ifndef REPORT_LINT_P_H
#define REPORT_LINT_P_H

#include "base/json.h"
#include "report/lint_report.h"

/* The writers, one per format. */
#define LINT_FORMAT(name, fn) void fn(const struct lint_run *run, struct strbuf *out);
#include "report/lint_format.def"
#undef LINT_FORMAT

bool lint__is_fixable(const struct lint_run *run, const struct finding *f);
uint64_t lint__count(const struct lint_run *run, bool only_fixable);

/* Writes one finding as ruff's JSON object with our own keys added. */
void lint__json_finding(const struct lint_run *run, const struct file_report *file,
                        const struct finding *f, struct json_out *w);

/* Escapes for XML: <, >, &, quotes and control characters. */
void lint__add_xml(struct strbuf *out, struct str text);

#endif
