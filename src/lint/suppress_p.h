/* Comments that silence findings: "# assay: ignore[SB031] reason", "# assay: ignore-file[...]",
 * "# noqa: SB031", "# noqa". */
#ifndef LINT_SUPPRESS_P_H
#define LINT_SUPPRESS_P_H

#include "lint/check_p.h"
#include "lint/select.h"

struct suppression {
    uint32_t line, first_line; /* of the comment; first_line: where a multi-line string before it
                                  begins */
    struct span comment;       /* from its '#' to the next comment's, or to the end */
    bool is_file, is_noqa;
    bool is_all;   /* without codes: silences every rule */
    bool is_last;  /* nothing follows it on the line */
    bool is_wrong; /* begins as one of ours but is not: silences nothing */
};

/* One code of a suppression and whether it silenced something. */
struct suppressed_code {
    uint32_t of; /* suppression */
    struct span span;
    struct str code;
    bool was_used;
};

struct suppressions {
    VEC(struct suppression) list;
    VEC(struct suppressed_code) codes;
};

void suppress__read(const struct lint_file *f, struct arena *a, struct suppressions *out);
bool suppress__is_silent(struct suppressions *s, const struct finding *f, bool ignore_noqa);

/* Adds the findings SB903 and SB904 to the checker's list. */
void suppress__judge(const struct suppressions *s, struct checker *k,
                     const struct selection *selection, bool ignore_noqa);

#endif
