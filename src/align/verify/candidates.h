/*
 * Which adapters may make calls of one symbol into calls of another: candidates, smallest
 * description first, at most CANDIDATES_MAX. Which of them is right is found by running them.
 */
#ifndef ALIGN_VERIFY_CANDIDATES_H
#define ALIGN_VERIFY_CANDIDATES_H

#include "align/verify/book.h"

enum { CANDIDATES_MAX = 60 };

struct candidate_list {
    VEC(struct adapter) list;
    size_t n_likely; /* the first ones: as it stands, from the table, by names of parameters */
};

/* n_args: the most positional arguments of the calls that shall be adapted. */
void candidates_make(const struct book *b, const struct symbol *from, const struct symbol *to,
                     size_t n_args, struct arena *a, struct candidate_list *out);

#endif
