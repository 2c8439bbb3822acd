/*
 * struct sketch: nodes being added to a model, with shapes known as they are added.
 *
 *     uint32_t h = OP(s, "MatMul", x, w);
 *     uint32_t y = OP(s, "Softmax", h);
 *     sketch__int(s, "axis", -1);              // of the node added last
 *     const struct shape *p = sketch__shape(s, y);
 *
 * A node that inference refuses fails the sketch: from then on every call does nothing and returns
 * VALUE_NONE or NULL, and the caller looks once, at the end (sketch__ok). All random choices come
 * from the sketch's rng, and are told in its note, so that an edit can be read and repeated.
 */
#ifndef GENERATE_MUTATE_SKETCH_P_H
#define GENERATE_MUTATE_SKETCH_P_H

#include "base/rng.h"
#include "onnx/model.h"
#include "onnx/op.h"

/* Where a parameter of an added operator comes from. */
enum place {
    PLACE_INITIALIZER,
    PLACE_CONSTANT, /* a Constant node */
    PLACE_INPUT,    /* a graph input: nothing can be folded */
    PLACE_DEFAULT   /* a graph input with an initializer as default */
};

enum { SKETCH_NOTE_MAX = 240 };

struct sketch {
    struct model *m;
    struct graph *g;
    struct rng *r;
    uint32_t n_settled; /* nodes whose outputs have their shapes */
    bool failed;
    bool refused;       /* failed because inference said no */
    bool values_lane;   /* infinite and NaN constants are wanted */
    enum place weights; /* of float parameters */
    enum place shapes;  /* of shapes, axes, pads: initializer or Constant only */
    char note[SKETCH_NOTE_MAX];
    size_t note_n;
    struct err e;
};

void sketch__init(struct sketch *s, struct model *m, struct rng *r);
bool sketch__ok(struct sketch *s); /* settles first */
void sketch__fail(struct sketch *s, const char *why);
void sketch__note(struct sketch *s, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Nodes. The first output's index; further ones follow it. */
uint32_t sketch__op(struct sketch *s, const char *op_type, uint32_t n_outputs, const uint32_t *in,
                    uint32_t n_in);
#define OP_N(s, op_type, n_outputs, ...)                                                           \
    sketch__op((s), (op_type), (n_outputs), (const uint32_t[]){__VA_ARGS__},                       \
               (uint32_t)COUNT_OF(((const uint32_t[]){__VA_ARGS__})))
#define OP(s, op_type, ...) OP_N(s, op_type, 1, __VA_ARGS__)

/* Attributes of the node added last. */
void sketch__int(struct sketch *s, const char *name, int64_t v);
void sketch__float(struct sketch *s, const char *name, double v);
void sketch__string(struct sketch *s, const char *name, const char *v);
void sketch__int_list(struct sketch *s, const char *name, const int64_t *v, size_t n);

/* Facts about values, inference run as far as needed. NULL or DTYPE_UNDEFINED: failed or unknown.
 */
const struct shape *sketch__shape(struct sketch *s, uint32_t v); /* rank and all dims known */
struct dims {
    uint32_t n;
    int64_t at[TENSOR_RANK_MAX];
};
struct dims sketch__dims(struct sketch *s, uint32_t v); /* a copy; four ones when failed */
enum dtype sketch__dtype(struct sketch *s, uint32_t v);
int64_t sketch__dim(struct sketch *s, uint32_t v, int64_t axis); /* negative from the end; else 1 */
uint32_t sketch__rank(struct sketch *s, uint32_t v);
int64_t sketch__count(struct sketch *s, uint32_t v); /* elements */
/* The standard's type constraint of input 0 of op_type at the model's opset holds for t. */
bool sketch__allows(const struct sketch *s, const char *op_type, uint32_t input, enum dtype t);
bool sketch__same_type(struct sketch *s, uint32_t a, uint32_t b); /* dtype and shape */

/* Parameters. Doubles are rounded to the dtype once. */
uint32_t sketch__tensor(struct sketch *s, const struct tensor *t, enum place place);
uint32_t sketch__scalar(struct sketch *s, enum dtype t, double v);
uint32_t sketch__values(struct sketch *s, enum dtype t, const int64_t *dims, uint32_t rank,
                        const double *values);
uint32_t sketch__filled(struct sketch *s, enum dtype t, const int64_t *dims, uint32_t rank,
                        double v);
uint32_t sketch__i64s(struct sketch *s, const int64_t *v, size_t n); /* rank 1 int64, as a shape */
uint32_t sketch__i64(struct sketch *s, int64_t v);                   /* rank 0 int64 */
/* Random: normals or quarters times scale; integers small. */
uint32_t sketch__random(struct sketch *s, enum dtype t, const int64_t *dims, uint32_t rank,
                        double scale);
/* Random, in [low, high] on a grid of (high - low) / 16. */
uint32_t sketch__between(struct sketch *s, enum dtype t, const int64_t *dims, uint32_t rank,
                         double low, double high);

/* Operators whose parameters moved from attributes to inputs between opsets. */
uint32_t sketch__squeeze(struct sketch *s, uint32_t x, const int64_t *axes, size_t n);
uint32_t sketch__unsqueeze(struct sketch *s, uint32_t x, const int64_t *axes, size_t n);
uint32_t sketch__reduce(struct sketch *s, const char *op_type, uint32_t x, const int64_t *axes,
                        size_t n, int keepdims);
uint32_t sketch__reshape(struct sketch *s, uint32_t x, const int64_t *dims, size_t n);
uint32_t sketch__transpose(struct sketch *s, uint32_t x, const int64_t *perm, size_t n);
uint32_t sketch__cast(struct sketch *s, uint32_t x, enum dtype to);
uint32_t sketch__slice(struct sketch *s, uint32_t x, int64_t axis, int64_t start, int64_t end,
                       int64_t step);

/* Random choices. */
int64_t sketch__between_i(struct sketch *s, int64_t low, int64_t high);
uint32_t sketch__below(struct sketch *s, uint32_t n);
bool sketch__chance(struct sketch *s, int percent);
#define PICK(s, array) ((array)[sketch__below((s), (uint32_t)COUNT_OF(array))])
/* An axis of a rank >= 1, written from the end half of the time; *plain is it from the front. */
int64_t sketch__axis(struct sketch *s, uint32_t rank, int64_t *plain);

#endif
