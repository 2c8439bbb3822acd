/*
 * What is known of a program's calls in the target: for each symbol of the source its verified pair
 * with what its adapter changes, in words, and calls on which both did the same; or the table's
 * row.
 *
 *     struct distinctions d;
 *     distinctions_find(&translator, &reader, program, arena, &d);
 *     distinctions_put(&d, &translator, arena, &text);
 *
 * Immutable; lives in the arena.
 */
#ifndef GENERATE_TRANSFER_DISTINCTION_H
#define GENERATE_TRANSFER_DISTINCTION_H

#include "generate/transfer/translate.h"

struct distinction {
    struct str symbol;           /* "torch.cat", or a method: "torch.Tensor.view" */
    const struct pair_row *pair; /* NULL: none */
    bool is_back;                /* the symbol is of the pair's second side */
    struct str row;              /* of the table; empty: none */
};

struct distinctions {
    VEC(struct distinction) list; /* each symbol once, in order of the program */
};

void distinctions_find(const struct translator *t, struct reader *reader, struct str program,
                       struct arena *a, struct distinctions *out);

/* What the symbol of the source is in the target. */
struct distinction distinction_of(const struct translator *t, struct str symbol);

/* The Python of the prelude's helper that the row calls; empty: it calls none. */
struct str distinction_helper(const struct translator *t, struct str row, struct arena *a);

void distinctions_put(const struct distinctions *d, const struct translator *t, struct arena *a,
                      struct strbuf *out);

/* What the adapter changes, in words: "argument 2 becomes axis=; keepdims= is always True". */
void distinction_put_adapter(const struct adapter *x, struct strbuf *out);

#endif
