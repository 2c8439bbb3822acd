/*
 * Which symbols of a side are described most like a given one: BM25 over the words of names and of
 * documents' first paragraphs (Robertson and Zaragoza, "The Probabilistic Relevance Framework",
 * 2009; k1 1.2, b 0.75).
 *
 *     struct descriptions d;
 *     descriptions_of(side, arena, &d);
 *     n = descriptions_nearest(&d, symbol, nearest, COUNT_OF(nearest));   // the most alike first
 */
#ifndef ALIGN_VERIFY_DESCRIPTIONS_H
#define ALIGN_VERIFY_DESCRIPTIONS_H

#include "align/verify/sides.h"

struct description {
    const struct symbol *symbol;
    struct map words; /* word -> how often */
    size_t n_words;
};

struct descriptions {
    VEC(struct description) list;
    struct map holders; /* word -> descriptions that hold it */
    double mean_words;
};

void descriptions_of(const struct side *s, struct arena *a, struct descriptions *out);

/* At most `most` symbols of the same kind (function or class) that share a word; returns how many.
 */
size_t descriptions_nearest(const struct descriptions *d, const struct symbol *asked,
                            const struct symbol **nearest, size_t most);

#endif
