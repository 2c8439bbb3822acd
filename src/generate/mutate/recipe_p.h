/*
 * Recipes: one operator applied to any value, with its other inputs made and its attributes drawn
 * from their corners. The one-operator models, layers that are added, and the links of near-miss
 * chains all come from here; recipes.def has a row for each op_type.
 */
#ifndef GENERATE_MUTATE_RECIPE_P_H
#define GENERATE_MUTATE_RECIPE_P_H

#include "generate/mutate/corner_p.h"
#include "generate/mutate/graph_builder_p.h"

struct recipe {
    const char *op_type;
    /* The value that stands for the operator's result, or VALUE_NONE (then the builder has failed).
     */
    uint32_t (*apply)(struct graph_builder *b, const struct recipe *row, uint32_t x);
    double domain_low, domain_high; /* of unary operators: where the function is defined */
};

const struct recipe *recipe__list(size_t *n); /* in the order of recipes.def */
const struct recipe *recipe__find(const char *op_type);
uint32_t recipe__apply(struct graph_builder *b, const struct recipe *row, uint32_t x);

/* x as a value of a dtype that input 0 of op_type takes: x, or a Cast of it to float. */
uint32_t recipe__fit(struct graph_builder *b, const char *op_type, uint32_t x);

/* x with rank r: Unsqueeze in front, or leading dims flattened into one. */
uint32_t recipe__rank(struct graph_builder *b, uint32_t x, uint32_t rank);

/* x in [low, high], by Clip, Abs or Sigmoid, unless it is there already. */
uint32_t recipe__domain(struct graph_builder *b, uint32_t x, double low, double high);

/* A shape that broadcasts with x's: equal, scalar, a suffix, ones mixed in, or of a higher rank
 * (rarely). */
struct dims recipe__broadcast_shape(struct graph_builder *b, uint32_t x);

#define RECIPE(op_type, fn, low, high)                                                             \
    uint32_t recipe__##fn(struct graph_builder *b, const struct recipe *row, uint32_t x);
#include "generate/mutate/recipes.def"
#undef RECIPE

#endif
