/*
 * Candidates: adapters that may turn calls of one symbol into calls of another, shortest text
 * first, at most CANDIDATES_MAX. Which of them is right is found by running them.
 */
#ifndef ALIGN_VERIFY_CANDIDATES_H
#define ALIGN_VERIFY_CANDIDATES_H

#include "align/verify/book.h"

enum { CANDIDATES_MAX = 60 };

struct candidate_list {
    VEC(struct adapter) list;
    size_t n_likely; /* the first so many: unchanged, from the table, by names of parameters */
};

/* n_args: the most positional arguments of any call to adapt. */
void candidates_make(const struct book *b, const struct symbol *from, const struct symbol *to,
                     size_t n_args, struct arena *a, struct candidate_list *out);

/* Only the call as it stands. */
void candidates_identity(struct arena *a, struct candidate_list *out);

#endif
