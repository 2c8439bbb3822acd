/*
 * The tables of an alignment in share/align/: the calls to make (calls.json), synonyms of names
 * (names.json), and adapters that are proposed besides the inferred ones (adapters.json).
 *
 *     struct book b;
 *     if (!book_load(arena, &b, e)) ...
 *     book_samples(&b, symbol)                // calls for this operator, besides b.generic
 *
 * Names of operators and of parameters come in groups of synonyms, which have numbers; 0: no group.
 */
#ifndef ALIGN_VERIFY_BOOK_H
#define ALIGN_VERIFY_BOOK_H

#include "align/adapter.h"
#include "align/verify/sides.h"
#include "base/map.h"

struct calls {
    const struct call *at;
    size_t n;
};

struct injection {
    struct str parameter;
    const struct arg *values;
    size_t n;
};

struct proposal_row {
    struct str a, b, adapter;
};

struct book {
    struct calls generic;
    size_t n_brief;     /* the first so many of `generic` are run by all symbols of a second side */
    struct map samples; /* operator or full name -> index of sample_lists */
    VEC(struct calls) sample_lists;
    struct map operators, parameters; /* name -> number of its group */
    VEC(struct injection) injections;
    VEC(struct proposal_row) proposals;
};

bool book_load(struct arena *a, struct book *out, struct err *e);
/* The samples of its full name, else those of its operator. */
struct calls book_samples(const struct book *b, const struct symbol *s);
bool book_same_operator(const struct book *b, struct str x, struct str y);
bool book_same_parameter(const struct book *b, struct str x, struct str y);
/* NULL: the parameter has none. */
const struct injection *book_injection(const struct book *b, struct str parameter);

#endif
