/*
 * The sentences of a docstring, cleaned of markup, and which of them state a constraint. Each is a
 * quote: its words are in the document in this order, but for blanks and markup.
 *
 *     struct sentences list;
 *     sentences_of(record->doc, arena, &list);
 *     // list.at[3].text == "beta must be non-negative.", .constraint == "range"
 */
#ifndef DOCUMENTS_SENTENCE_H
#define DOCUMENTS_SENTENCE_H

#include "base/str.h"

struct sentence {
    struct str text;
    const char *constraint; /* kind of the constraint; NULL: none */
};

struct sentences {
    struct sentence *at;
    size_t n, cap;
};

/* Examples, formulas and directives are left out. */
void sentences_of(struct str doc, struct arena *a, struct sentences *out);

#endif
