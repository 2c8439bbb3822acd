/* Running rules over one file: shared by check.c, check_fix.c and lint.c. */
#ifndef LINT_CHECK_P_H
#define LINT_CHECK_P_H

#include "lint/predicate_p.h"

struct checker {
    struct lint_file *file;
    struct arena *arena; /* findings live here */
    enum confidence min_confidence;
    VEC(struct finding) findings;
    size_t n_before;             /* findings of earlier rules */
    struct lint_file **variants; /* the file with flags of one function assumed */
    size_t n_variants;
    bool has_variants; /* they were looked for */
};

/* Runs the checks of a rule; of one that is per call, under each way of calling a function too. */
void check__run(struct checker *k, const struct rule *rule);

/* Sets place and lines of a finding at a span. Its first line is the context that a baseline
 * recognises it by. */
void check__place_span(const struct lint_file *f, struct span span, struct finding *out,
                       struct arena *a);

/* Sets place and lines at a node (0: the file); the context is the node's statement. */
void check__place(const struct lint_file *f, uint32_t node, struct finding *out, struct arena *a);

/* The first edit plan whose condition is true, as edits of the raw bytes. */
void check__fix(struct match *m, const struct check *check, struct finding *out, struct arena *a);

/* One edit of the text that was parsed. */
struct check_edit {
    struct span span;
    struct str text;
};

/* Sets the finding's fix: the edits, mapped to the bytes of the file. */
void check__set_edits(const struct lint_file *f, const struct check_edit *list, size_t n,
                      struct finding *out, struct arena *a);

/* A message with the captured texts put in, each shortened to one line. */
struct str check__expand(const struct match *m, const struct check *check, struct str text,
                         struct arena *a);

#endif
