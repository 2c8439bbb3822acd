/*
 * struct graph_builder adds nodes to a model and knows the shapes of what it has added.
 *
 *     uint32_t h = OP(b, "MatMul", x, w);
 *     uint32_t y = OP(b, "Softmax", h);
 *     builder__int(b, "axis", -1);              // of the node added last
 *     const struct shape *p = builder__shape(b, y);
 *
 * A node that inference refuses fails the builder: from then on every call does nothing and returns
 * VALUE_NONE or NULL, so the caller checks once, at the end (builder__ok). All random choices come
 * from the builder's rng and are recorded in its note, so that an edit can be read and repeated.
 */
#ifndef GENERATE_MUTATE_GRAPH_BUILDER_P_H
#define GENERATE_MUTATE_GRAPH_BUILDER_P_H

#include "base/rng.h"
#include "onnx/model.h"
#include "onnx/op.h"

/* Where a parameter of an added operator comes from. */
enum place {
    PLACE_INITIALIZER,
    PLACE_CONSTANT, /* a Constant node */
    PLACE_INPUT,    /* a graph input: an optimiser cannot fold it */
    PLACE_DEFAULT   /* a graph input with an initializer as default */
};

enum { BUILDER_NOTE_MAX = 240 };

struct graph_builder {
    struct model *m;
    struct graph *g;
    struct rng *r;
    uint32_t n_inferred; /* nodes whose outputs have their shapes */
    bool failed;
    bool refused;       /* failed because inference refused a node */
    bool values_lane;   /* infinite and NaN constants are wanted */
    bool fixed_inputs;  /* the graph's inputs stay as they are */
    enum place weights; /* of float parameters */
    enum place shapes;  /* of shapes, axes and pads: initializer or Constant only */
    char note[BUILDER_NOTE_MAX];
    size_t note_n;
    struct err e;
};

void builder__init(struct graph_builder *b, struct model *m, struct rng *r);
bool builder__ok(struct graph_builder *b); /* infers first */
void builder__fail(struct graph_builder *b, const char *why);
void builder__note(struct graph_builder *b, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Adds a node. Returns its first output's index; the others follow it. */
uint32_t builder__op(struct graph_builder *b, const char *op_type, uint32_t n_outputs,
                     const uint32_t *in, uint32_t n_in);
#define OP_N(b, op_type, n_outputs, ...)                                                           \
    builder__op((b), (op_type), (n_outputs), (const uint32_t[]){__VA_ARGS__},                      \
                (uint32_t)COUNT_OF(((const uint32_t[]){__VA_ARGS__})))
#define OP(b, op_type, ...) OP_N(b, op_type, 1, __VA_ARGS__)

/* Attributes of the newest node. */
void builder__int(struct graph_builder *b, const char *name, int64_t v);
void builder__float(struct graph_builder *b, const char *name, double v);
void builder__string(struct graph_builder *b, const char *name, const char *v);
void builder__int_list(struct graph_builder *b, const char *name, const int64_t *v, size_t n);

/* Facts about values; inference runs as far as needed. NULL, DTYPE_UNDEFINED: failed or unknown. */
const struct shape *builder__shape(struct graph_builder *b,
                                   uint32_t v); /* rank and all dims known */
struct dims {
    uint32_t n;
    int64_t at[TENSOR_RANK_MAX];
};
struct dims builder__dims(struct graph_builder *b, uint32_t v); /* a copy; four ones when failed */
enum dtype builder__dtype(struct graph_builder *b, uint32_t v);
int64_t builder__dim(struct graph_builder *b, uint32_t v,
                     int64_t axis); /* the size of an axis, negative: from the end; 1: failed */
uint32_t builder__rank(struct graph_builder *b, uint32_t v);
int64_t builder__count(struct graph_builder *b, uint32_t v); /* elements */
/* Does the standard's type constraint of this input, at the model's opset, allow t? */
bool builder__allows(const struct graph_builder *b, const char *op_type, uint32_t input,
                     enum dtype t);
bool builder__same_type(struct graph_builder *b, uint32_t v, uint32_t w); /* dtype and shape */

/* Parameters. Doubles are rounded to the dtype once. */
uint32_t builder__tensor(struct graph_builder *b, const struct tensor *t, enum place place);
uint32_t builder__scalar(struct graph_builder *b, enum dtype t, double v);
uint32_t builder__values(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                         const double *values);
uint32_t builder__filled(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                         double v);
uint32_t builder__i64s(struct graph_builder *b, const int64_t *v,
                       size_t n);                          /* rank 1 int64, as a shape */
uint32_t builder__i64(struct graph_builder *b, int64_t v); /* rank 0 int64 */
/* Random floats: normally distributed or multiples of 1/4, times scale. Integers: 0 to 3. */
uint32_t builder__random(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                         double scale);
/* Random, in [low, high] on a grid of (high - low) / 16. */
uint32_t builder__between(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                          double low, double high);

/* The initializer v, computed with a new graph input so that it cannot be folded: the input chooses
 * between v and its elements in reverse order; keeps_places: v in both cases. VALUE_NONE: not
 * possible for its dtype. */
uint32_t builder__computed(struct graph_builder *b, uint32_t v, bool keeps_places);

/* Operators whose parameters moved from attributes to inputs between opsets. */
uint32_t builder__squeeze(struct graph_builder *b, uint32_t x, const int64_t *axes, size_t n);
uint32_t builder__unsqueeze(struct graph_builder *b, uint32_t x, const int64_t *axes, size_t n);
uint32_t builder__reduce(struct graph_builder *b, const char *op_type, uint32_t x,
                         const int64_t *axes, size_t n, int keepdims);
uint32_t builder__reshape(struct graph_builder *b, uint32_t x, const int64_t *dims, size_t n);
uint32_t builder__transpose(struct graph_builder *b, uint32_t x, const int64_t *perm, size_t n);
uint32_t builder__cast(struct graph_builder *b, uint32_t x, enum dtype to);
uint32_t builder__slice(struct graph_builder *b, uint32_t x, int64_t axis, int64_t start,
                        int64_t end, int64_t step);

/* Random choices. */
int64_t builder__between_i(struct graph_builder *b, int64_t low, int64_t high);
uint32_t builder__below(struct graph_builder *b, uint32_t n);
bool builder__chance(struct graph_builder *b, int percent);
/* The numbers 0 to n - 1 in random order, each order equally likely. */
void builder__permutation(struct graph_builder *b, uint32_t n,
                          int64_t perm[static TENSOR_RANK_MAX]);
#define ONE_OF(b, array) ((array)[builder__below((b), (uint32_t)COUNT_OF(array))])
/* An axis of a rank >= 1, half of the time counted from the end; *plain counts from the front. */
int64_t builder__axis(struct graph_builder *b, uint32_t rank, int64_t *plain);

#endif
