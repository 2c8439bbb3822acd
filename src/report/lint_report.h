/*
 * Findings of lint as text for people and tools: one row per format, written in lint_*.c. Nothing
 * here prints.
 *
 *     const struct lint_format *f = lint_format_find(STR("sarif"));
 *     f->write(&(struct lint_run){.files = files, .n_files = n, .rules = rules, ...}, &text);
 *
 * Lines and columns count from 1; columns are characters, in SARIF UTF-16 units. SARIF's level for
 * info is note; warning and error keep their names.
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
    bool quiet;         /* only findings, no closing lines */
    bool is_incomplete; /* a path given was not there: no findings is no pass */
    const char *folder; /* absolute working folder, for URIs; or NULL */
};

struct lint_format {
    const char *name;
    void (*write)(const struct lint_run *run, struct strbuf *out);
};

const struct lint_format *lint_format_find(struct str name); /* NULL */

/* Writes how often each rule fires: "12  SB091  [*] variable-is-obsolete". */
void lint_write_statistics(const struct lint_run *run, struct strbuf *out);
void lint_write_statistics_json(const struct lint_run *run, struct strbuf *out);

/* Lists what was fixed, by file and rule (--show-fixes); writes nothing if nothing was. */
void lint_write_fixes(const struct lint_run *run, struct strbuf *out);

/* Writes a unified diff of two texts of one file; nothing if they are equal. */
void lint_write_diff(struct str path, struct str before, struct str after, struct strbuf *out);

/* Adds the address of the rule's page below ASSAY_RULES_URL, a constant of the build; nothing where
 * that is empty. */
void lint_rule_url(const struct finding *f, struct strbuf *out);

#endif
