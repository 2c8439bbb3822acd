/*
 * Layer builders: each adds one operator after any value, makes its other inputs, and draws its
 * attributes from their corners. They make the one-operator models, the layers that are added, and
 * the links of near-miss chains; layers.def has a row for each op_type.
 */
#ifndef GENERATE_MUTATE_LAYER_P_H
#define GENERATE_MUTATE_LAYER_P_H

#include "generate/mutate/corner_p.h"
#include "generate/mutate/graph_builder_p.h"

struct layer_builder {
    const char *op_type;
    /* The value that stands for the operator's result, or VALUE_NONE (then the builder has failed).
     */
    uint32_t (*apply)(struct graph_builder *b, const struct layer_builder *row, uint32_t x);
    double domain_low, domain_high; /* of unary operators: where the function is defined */
};

const struct layer_builder *layer__list(size_t *n); /* in the order of layers.def */
const struct layer_builder *layer__find(const char *op_type);
uint32_t layer__apply(struct graph_builder *b, const struct layer_builder *row, uint32_t x);

/* x as a value of a dtype that input 0 of op_type takes: x, or a Cast of it to float. */
uint32_t layer__fit(struct graph_builder *b, const char *op_type, uint32_t x);

/* x with rank r: Unsqueeze in front, or leading dims flattened into one. */
uint32_t layer__rank(struct graph_builder *b, uint32_t x, uint32_t rank);

/* x in [low, high], by Clip, Abs or Sigmoid, unless it is there already. */
uint32_t layer__domain(struct graph_builder *b, uint32_t x, double low, double high);

/* A shape that broadcasts with x's: equal, scalar, a suffix, ones mixed in, or of a higher rank
 * (rarely). */
struct dims layer__broadcast_shape(struct graph_builder *b, uint32_t x);

#define LAYER(op_type, fn, low, high)                                                              \
    uint32_t layer__##fn(struct graph_builder *b, const struct layer_builder *row, uint32_t x);
#include "generate/mutate/layers.def"
#undef LAYER

#endif
