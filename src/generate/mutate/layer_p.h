/*
 * Layer builders: each adds one operator after any value, makes its other inputs, and draws its
 * attributes from their corners. One-operator models, added layers and near-miss chains are made
 * with them; layers.def has a row for each op_type.
 */
#ifndef GENERATE_MUTATE_LAYER_P_H
#define GENERATE_MUTATE_LAYER_P_H

#include "generate/mutate/corner_p.h"
#include "generate/mutate/graph_builder_p.h"

struct layer_builder {
    const char *op_type;
    /* The value of the operator's result, or VALUE_NONE (then the builder has failed). */
    uint32_t (*apply)(struct graph_builder *b, const struct layer_builder *row, uint32_t x);
    double domain_low, domain_high; /* for unary operators: where the function is defined */
};

const struct layer_builder *layer__list(size_t *n); /* in the order of layers.def */
const struct layer_builder *layer__find(const char *op_type);
uint32_t layer__apply(struct graph_builder *b, const struct layer_builder *row, uint32_t x);

/* x in a dtype that input 0 of op_type takes: x itself, or a Cast of it to float. */
uint32_t layer__fit(struct graph_builder *b, const char *op_type, uint32_t x);

/* x with this rank: by Unsqueeze in front, or with leading dims flattened into one. */
uint32_t layer__rank(struct graph_builder *b, uint32_t x, uint32_t rank);

/* x with these dims: its elements, repeated as often as needed. A graph input without a reader gets
 * the dims as its shape. */
uint32_t layer__shaped(struct graph_builder *b, uint32_t x, const int64_t *dims, uint32_t rank);

/* x with dims that are known only at run time, where an input may be added; else x. */
uint32_t layer__dynamic(struct graph_builder *b, uint32_t x);

/* A dtype of the set, except strings and complex numbers; DTYPE_UNDEFINED: none. */
enum dtype layer__some_dtype(struct graph_builder *b, uint32_t dtypes);
/* A dtype that this input of the operator takes; DTYPE_UNDEFINED: none. */
enum dtype layer__input_dtype(struct graph_builder *b, const char *op_type, uint32_t input);
/* A dtype that its first output may have. */
enum dtype layer__output_dtype(struct graph_builder *b, const char *op_type);

/* Numbers stored in the model (sizes, axes, thresholds), never placed like a float parameter. Some
 * are computed from a graph input, where one may be added. */
uint32_t layer__fixed(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                      const double *values);
uint32_t layer__computed(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                         const double *values);

/* x limited to [low, high] by Clip, Abs or Sigmoid, unless it is in that range already. */
uint32_t layer__domain(struct graph_builder *b, uint32_t x, double low, double high);

/* A shape that broadcasts with that of x: equal, scalar, a suffix, with some ones, or (rarely) of a
 * higher rank. */
struct dims layer__broadcast_shape(struct graph_builder *b, uint32_t x);

#define LAYER(op_type, fn, low, high)                                                              \
    uint32_t layer__##fn(struct graph_builder *b, const struct layer_builder *row, uint32_t x);
#include "generate/mutate/layers.def"
#undef LAYER

#endif
