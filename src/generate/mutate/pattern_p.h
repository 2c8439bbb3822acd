/*
 * Patterns: groups of nodes that optimisers rewrite, built after any value, each with deviations
 * from the form that the rewrite expects. A rewrite that matches too loosely then changes the
 * result. patterns.def has a row for each; the reference decides what is right.
 */
#ifndef GENERATE_MUTATE_PATTERN_P_H
#define GENERATE_MUTATE_PATTERN_P_H

#include "generate/mutate/layer_p.h"

struct pattern {
    const char *name;
    uint32_t (*build)(struct graph_builder *b, uint32_t x); /* its result, or VALUE_NONE */
    double weight;
};

const struct pattern *pattern__list(size_t *n);

/* Draws which of n deviations (at most 32) to make, as a mask: none in a quarter of the cases,
 * mostly one, sometimes two. The note holds the mask. */
uint32_t pattern__deviate(struct graph_builder *b, uint32_t n);
#define DEV(mask, k) (((mask) >> (k)&1u) != 0)

/* A constant of x's dtype: of rank 0, of rank 1, of x's rank, or rarely above it. */
uint32_t pattern__const(struct graph_builder *b, uint32_t x, double v);

/* x as a float of at least this rank (for norms, attention, products). */
uint32_t pattern__float(struct graph_builder *b, uint32_t x, uint32_t least_rank);

/* x op y, or y op x: for commutative operators. */
uint32_t pattern__either(struct graph_builder *b, const char *op_type, uint32_t x, uint32_t y);

#define PATTERN(name, fn, weight) uint32_t pattern__##fn(struct graph_builder *b, uint32_t x);
#include "generate/mutate/patterns.def"
#undef PATTERN

#endif
