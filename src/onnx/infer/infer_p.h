/*
 * struct infer: what a shape function sees of one node, and how it answers.
 *
 * A shape function is in infer_<family>.c, is named in the operator's row of ops.def, and derives
 * the dtype and shape of each output from those of the inputs:
 *
 *     // Softmax: output as input; axis within the rank.
 *     bool infer__softmax(struct infer *in, struct err *e)
 *     {
 *         int64_t axis;
 *         return infer__axis(in, "axis", -1, &axis, e) && infer__same_as_input(in, 0, 0);
 *     }
 *
 * Before it is called, it has been checked that the node's arity and the types of its inputs are
 * those of the standard's facts, and that its inputs come before it. It answers for every output of
 * the node (extra answers are ignored), fails with ERR_DATA only where the standard forbids what is
 * *known* of the inputs, and leaves dims unknown where nothing is known.
 *
 * Integers are folded where shapes are computed: infer__ints gives the elements of an input when
 * each is known or a symbol; a shape function that computes shapes (Shape, Gather, Concat, Add ...)
 * answers with infer__set_ints too.
 */
#ifndef ONNX_INFER_INFER_P_H
#define ONNX_INFER_INFER_P_H

#include "onnx/infer.h"
#include "onnx/model.h"
#include "onnx/op.h"

enum { INFER_INTS_MAX = 256 }; /* longer integer tensors are not folded */

/* An integer from which shapes are computed: a number (of any sign), the size that a symbol stands
 * for, or unknown. */
struct folded {
    bool is_known; /* value is set */
    int64_t value;
    uint32_t symbol; /* when not known: as in struct dim; 0: none */
};

/* Elements of an int32, int64 or bool tensor of rank 0 or 1. */
struct fold {
    uint32_t rank, n;
    const struct folded *at;
};

struct infer;
struct infer_input;
struct infer_frame; /* what is known inside one graph (infer.c) */

/* Infers a subgraph: infer.c has the function, infer__graph calls it. */
typedef bool (*infer_graph_fn)(struct infer *in, struct graph *g, const struct infer_input *inputs,
                               size_t n_inputs, struct err *e);

struct infer {
    struct model *m;
    struct graph *g;
    const struct node *n;
    int opset;       /* of the node's domain */
    struct arena *a; /* results live here, as long as the model */
    struct infer_frame *frame;
    const struct fold **folds; /* of the frame, by value; NULL: none, or not looked up yet */
    infer_graph_fn run_graph;
};

bool infer__is_foldable(enum dtype t);

/* Inputs. An absent optional input has dtype UNDEFINED, an unknown shape and no ints. */
bool infer__has(const struct infer *in, uint32_t i);
enum dtype infer__dtype(const struct infer *in, uint32_t i);
const struct shape *infer__shape(const struct infer *in, uint32_t i);     /* never NULL */
const struct tensor *infer__constant(const struct infer *in, uint32_t i); /* initializer, or NULL */
const struct fold *infer__ints(const struct infer *in, uint32_t i);       /* NULL: not known */

/* Gives all elements of input i as numbers; false, without an error, when any is unknown. */
bool infer__numbers(const struct infer *in, uint32_t i, int64_t *out, size_t max, size_t *n);

/* Gives the attribute as a non-negative axis of input 0; ERR_DATA outside its rank. If the rank is
 * unknown the attribute is unchanged: test infer__shape(in, 0)->known first. */
bool infer__axis(const struct infer *in, const char *attr, int64_t otherwise, int64_t *axis,
                 struct err *e);
/* Makes *axis non-negative; ERR_DATA outside -rank .. rank - 1. */
bool infer__fix_axis(int64_t *axis, uint32_t rank, struct err *e);

/* Outputs. */
bool infer__wants(const struct infer *in, uint32_t o);
void infer__set(struct infer *in, uint32_t o, enum dtype dtype, struct shape shape);
void infer__set_ints(struct infer *in, uint32_t o, struct fold fold);
void infer__set_ints_of_tensor(struct infer *in, uint32_t o, const struct tensor *t);
bool infer__same_as_input(struct infer *in, uint32_t o, uint32_t i); /* dtype and shape; true */

/* Shapes. Dims of a new shape are unknown. */
struct shape infer__new_shape(const struct infer *in, uint32_t rank);
struct shape infer__copy_shape(const struct infer *in, const struct shape *s);
struct shape infer__unknown_shape(void); /* rank unknown */
static inline struct dim dim_of(int64_t value)
{
    return (struct dim){value, 0};
}
static inline struct dim dim_unknown(void)
{
    return (struct dim){-1, 0};
}
bool dim__equal(struct dim a, struct dim b);       /* surely equal */
bool dim__differ(struct dim a, struct dim b);      /* surely different */
struct dim dim__merge(struct dim a, struct dim b); /* of two equal dims the better known one */
struct folded dim__fold(struct dim d);
struct dim folded__dim(struct folded f); /* unknown for negative numbers */

/* The numpy broadcast of two shapes into *out; ERR_DATA when dims do not fit. */
bool infer__broadcast_shapes(const struct infer *in, const struct shape *a, const struct shape *b,
                             struct shape *out, struct err *e);

/* The shape of numpy.matmul's result. */
bool infer__matmul_shape(const struct infer *in, const struct shape *a, const struct shape *b,
                         struct shape *out, struct err *e);

/* ERR_DATA when input i has a known rank outside low .. high. */
bool infer__need_rank(const struct infer *in, uint32_t i, uint32_t low, uint32_t high,
                      struct err *e);

/* What is known of one input of a subgraph; unknown: dtype UNDEFINED, an unknown shape.
 * infer__graph sets dtype and shape of the graph's values, and may be called again with other
 * inputs. */
struct infer_input {
    enum dtype dtype;
    struct shape shape;
    const struct fold *ints; /* or NULL */
};
static inline bool infer__graph(struct infer *in, struct graph *g, const struct infer_input *inputs,
                                size_t n_inputs, struct err *e)
{
    return in->run_graph(in, g, inputs, n_inputs, e);
}

/* Every shape function that ops.def names. */
typedef bool (*infer_function)(struct infer *in, struct err *e);
#define OP(name, infer_fn, kernel_fn, exactness, rounding, parameters, certified)                  \
    bool infer__##infer_fn(struct infer *in, struct err *e);
#include "onnx/ops.def"
#undef OP
infer_function infer__function_of(const struct op *op);

#endif
