/*
 * Small nets of the kinds that people deploy, built by code with seeded weights, for tests and
 * benches of judging and shrinking: a residual conv net, an attention block, chains of
 * normalisations, recurrent layers, and one whose inputs hold NaN and infinities.
 */
#ifndef TESTS_PLANTED_NETS_H
#define TESTS_PLANTED_NETS_H

#include "case/case.h"

struct net_row {
    const char *name; /* "conv", "attention", "norm", "recurrent", "values" */
    enum lane lane;
    struct model *(*build)(uint64_t seed, struct arena *a, struct err *e);
};
const struct net_row *net_list(size_t *n);

/* The net as a sealed case with n_sets input sets; NULL with *e set: an operator is missing. */
struct tcase *net_case(const struct net_row *row, uint64_t seed, uint32_t n_sets, struct arena *a,
                       struct err *e);

/* A model and its inputs as a sealed case. */
struct tcase *net_case_of(struct model *m, enum lane lane, const struct tensors *inputs,
                          struct arena *a);

#endif
