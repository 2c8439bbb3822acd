/* Running rules over one file: shared by check.c, check_fix.c and lint.c. */
#ifndef LINT_CHECK_P_H
#define LINT_CHECK_P_H

#include "lint/form_p.h"

struct checker {
    struct lint_file *file;
    struct arena *arena; /* findings live here */
    enum confidence min_confidence;
    VEC(struct finding) findings;
    size_t n_before; /* findings of earlier rules */
};

void check__run(struct checker *k, const struct rule *rule);

/* Place, lines and context of a finding at a node (0: the file). */
void check__place(struct lint_file *f, uint32_t node, struct finding *out, struct arena *a);

/* The first edit plan whose condition is true, as edits of the raw bytes. */
void check__fix(struct match *m, const struct check *check, struct finding *out, struct arena *a);

/* A template with captures put in; whole: their source text as it stands. */
struct str check__expand(const struct match *m, const struct check *check, struct str text,
                         bool whole, struct arena *a);

#endif
