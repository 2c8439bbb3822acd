/*
 * struct finding: what a lint rule reports at a place in a file. struct file_report: all results of
 * one file. Findings live in the arena of the report; texts of rules are borrowed from the rule
 * set.
 *
 * Places are kept for people and tools at once (line, column in characters, UTF-16 column, byte
 * offset), because the tree and the source are gone when a finding is shown, baselined or cached.
 */
#ifndef LINT_FINDING_H
#define LINT_FINDING_H

#include "python/edit.h"
#include "python/source.h"
#include "python/truth.h"

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR };
enum safety { SAFETY_NONE, SAFETY_UNSAFE, SAFETY_SAFE };

struct finding_related {
    struct source_place start, end;
    struct str message;
    struct str path; /* of another file; empty: the file of the finding */
};

struct finding_edit {
    uint32_t start, end; /* offsets of the raw bytes; notebooks: of the joined text */
    struct str text;
    struct source_place from, to; /* the same range for people and editors */
};

struct finding_fix {
    enum safety safety; /* SAFETY_NONE: there is no fix */
    struct str title;
    const struct finding_edit *edits;
    uint32_t n_edits;
};

struct finding {
    struct str code, name;
    enum severity severity;
    enum confidence confidence;
    struct span span; /* in the text that was parsed */
    struct source_place start, end;
    uint32_t last_line; /* of the statement; a suppression may be here too; as source_line_of
                           counts */
    uint32_t first_line;
    struct str message, help;
    struct str line_text; /* the first line, which is shown above the caret */
    struct str context;   /* the statement without white space: what a baseline recognises it by */
    const struct finding_related *related;
    uint32_t n_related;
    struct finding_fix fix;
    bool is_note; /* SB901: shown only on request, never changes the exit code */
};

/* How many fixes of one rule were made. */
struct fix_tally {
    struct str code, name;
    uint32_t n;
};

struct file_report {
    struct str path;
    struct finding *findings; /* by place, then code */
    size_t n;
    bool is_analysed; /* the prefilter let it through */
    bool is_notebook;
    bool has_failed;               /* SB902: the file could not be read */
    bool is_damaged;               /* parts could not be read, which SB901 shows */
    const struct fix_tally *fixed; /* per code, what linter_fix fixed */
    size_t n_fixed_rules;
    uint32_t n_refused; /* fixes left out because the file would not parse with them */
};

const char *finding_severity_name(enum severity s);
const char *safety_name(enum safety s);

/* Compares by place, then code: the order of reports. */
int finding_compare(const void *a, const void *b);

#endif
