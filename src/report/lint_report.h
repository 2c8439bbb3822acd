/*
 * Findings of lint as text for people and tools: one row a format, written in lint_*.c. Nothing
 * here prints.
 *
 *     const struct lint_format *f = lint_format_find(STR("sarif"));
 *     f->write(&(struct lint_run){.files = files, .n_files = n, .rules = rules, ...}, &text);
 *
 * Lines and columns count from 1, columns in characters; SARIF's in UTF-16 units. Severities map:
 * info to note, warning to warning, error to error.
 */
#ifndef REPORT_LINT_REPORT_H
#define REPORT_LINT_REPORT_H

#include "lint/finding.h"
#include "lint/rule.h"

struct lint_run {
    const struct file_report *files;
    size_t n_files;
    const struct rule_set *rules;
    const char *version;
    uint64_t n_fixed;
    bool unsafe_fixes; /* unsafe fixes count as fixable, as with --unsafe-fixes */
    bool color;
    bool quiet;         /* findings alone, no closing lines */
    const char *folder; /* absolute working folder, for URIs; or NULL */
};

struct lint_format {
    const char *name;
    void (*write)(const struct lint_run *run, struct strbuf *out);
};

const struct lint_format *lint_format_find(struct str name); /* NULL */

/* How often each rule fires: "12  SB091  [*] variable-is-obsolete". */
void lint_write_statistics(const struct lint_run *run, struct strbuf *out);
void lint_write_statistics_json(const struct lint_run *run, struct strbuf *out);

/* What was fixed, by file and rule: --show-fixes. Nothing when nothing was. */
void lint_write_fixes(const struct lint_run *run, struct strbuf *out);

/* Unified diff of two texts of one file; nothing when they are equal. */
void lint_write_diff(struct str path, struct str before, struct str after, struct strbuf *out);

/* The address of a rule's page below ASSAY_RULES_URL, which the build names; empty: none is
 * published.
 */
void lint_rule_url(const struct finding *f, struct strbuf *out);

#endif
