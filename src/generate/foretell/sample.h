/*
 * A sample of calls with equal shares for each kind of change, where there are enough.
 *
 *     struct sample_item *list = ...;                    // kind, order: any hash of the call
 *     size_t n = sample_kinds(list, n_all, 50);          // list[0..n): the sample
 *
 * A pure function of kinds, orders and, where two calls of a kind have the same order, of `at`.
 */
#ifndef GENERATE_FORETELL_SAMPLE_H
#define GENERATE_FORETELL_SAMPLE_H

#include "generate/foretell/change.h"

struct sample_item {
    enum change_kind kind;
    uint64_t order;
    size_t at;    /* which call; all differ */
    size_t round; /* scratch: how many of its kind come before it */
};

/* Reorders the list, by round and kind; returns how many of it are the sample. */
size_t sample_kinds(struct sample_item *list, size_t n, size_t most);

#endif
