/* Running rules over one file: shared by check.c, check_fix.c and lint.c. */
#ifndef LINT_CHECK_P_H
#define LINT_CHECK_P_H

#include "lint/predicate_p.h"

struct checker {
    struct lint_file *file;
    struct arena *arena; /* findings live here */
    enum confidence min_confidence;
    VEC(struct finding) findings;
    size_t n_before; /* findings of earlier rules */
};

void check__run(struct checker *k, const struct rule *rule);

/* Sets place and lines of a finding at a span, and its first line as context to recognise it by. */
void check__place_span(const struct lint_file *f, struct span span, struct finding *out,
                       struct arena *a);

/* The same at a node (0: the file), with the node's statement as context. */
void check__place(const struct lint_file *f, uint32_t node, struct finding *out, struct arena *a);

/* The first edit plan whose condition is true, as edits of the raw bytes. */
void check__fix(struct match *m, const struct check *check, struct finding *out, struct arena *a);

/* One edit of the text that was parsed. */
struct check_edit {
    struct span span;
    struct str text;
};

/* The edits of a finding's fix, carried to the bytes of the file. */
void check__set_edits(const struct lint_file *f, const struct check_edit *list, size_t n,
                      struct finding *out, struct arena *a);

/* A message with captures put in, shortened to one line. */
struct str check__expand(const struct match *m, const struct check *check, struct str text,
                         struct arena *a);

#endif
