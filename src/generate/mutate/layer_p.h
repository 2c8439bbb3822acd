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

/* x with these dims: its elements over and over, as many as are needed. A graph input that nothing
 * reads yet gets them as its shape. */
uint32_t layer__shaped(struct graph_builder *b, uint32_t x, const int64_t *dims, uint32_t rank);

/* x with dims that are known only when it runs, where an input may be added; else x. */
uint32_t layer__dynamic(struct graph_builder *b, uint32_t x);

/* A dtype of the set, strings and complex numbers left out; DTYPE_UNDEFINED: none. */
enum dtype layer__some_dtype(struct graph_builder *b, uint32_t dtypes);
/* A dtype that this input of the operator takes; DTYPE_UNDEFINED: none. */
enum dtype layer__input_dtype(struct graph_builder *b, const char *op_type, uint32_t input);
/* A dtype that its first output may have. */
enum dtype layer__output_dtype(struct graph_builder *b, const char *op_type);

/* Numbers that stand in the model (sizes, axes, thresholds): never a float parameter's place. Some
 * are computed from an input of the graph, where one may be added. */
uint32_t layer__fixed(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                      const double *values);
uint32_t layer__computed(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                         const double *values);

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
