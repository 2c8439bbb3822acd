/*
 * struct kernel: what a kernel sees of one node, and how it answers.
 *
 * A kernel is in kernel_<family>.c, is named in the operator's row of ops.def, and computes the
 * outputs by the standard's text in wide numbers: all floats in double, signed and narrow unsigned
 * integers in int64_t, uint64 in uint64_t, bool in uint8_t.
 *
 *     // Reciprocal: Y = 1 / X, elementwise.  X: float.
 *     bool kernel__reciprocal(struct kernel *k, struct err *e)
 *     {
 *         const struct value *x = k->in[0];
 *         if (!kernel__output(k, 0, x->dtype, x->rank, x->dims, e))
 *             return false;
 *         for (size_t i = 0; i < x->n; i++)
 *             k->to[0].f[i] = 1 / x->f[i];
 *         kernel__pass_taint(k, 0, 0);
 *         return true;
 *     }
 *
 * When it is called, arity and dtypes of inputs are as the standard's facts allow. After it has
 * run, eval.c sets what it left unset, by the operator's row:
 *
 *     unit       the coarsest of the data inputs' units and that of the output's own dtype
 *     exact      with OP_EXACT: all inputs are exact; else false, unless kernel__set_exact
 *     undefined  where an input has any, all of the output is marked, unless the kernel has marked
 *                it (kernel__undefined, kernel__pass_taint, kernel__move ...)
 *     noise      when perturbing, with s of the rounding model: UNIT 1, INPUT |x| of input 0;
 *                SCALE, NORM, SUM, SCAN: kernel__scales, which the kernel fills if k->want_noise
 *
 * Integer results must be wrapped to the declared dtype (kernel__wrap) or marked undefined. Nothing
 * traps: divisions and conversions go through base/number.h.
 *
 * What a kernel does not support (an attribute, a dtype) it refuses with ERR_UNSUPPORTED and a
 * reason; inputs that the standard forbids are ERR_DATA.
 */
#ifndef ONNX_EVAL_KERNEL_P_H
#define ONNX_EVAL_KERNEL_P_H

#include "onnx/eval.h"
#include "onnx/eval/budget_p.h"
#include "onnx/eval/walk_p.h"
#include "onnx/model.h"
#include "onnx/op.h"

/* Writable data of a value, whose storage says which member it is. */
union kernel_data {
    double *f;
    int64_t *i;
    uint64_t *u;
    uint8_t *b;
    struct str *s;
    void *any;
};

struct eval_state; /* one run (eval.c) */
struct eval_frame; /* one graph in it */
struct kernel;

struct kernel_call { /* of a subgraph */
    const struct value *const *inputs;
    size_t n_inputs;
    struct value *outputs;
    struct arena *a; /* for all that the subgraph computes; NULL: the kernel's arena */
};
/* Runs a subgraph of the kernel's node: eval.c has the function, kernel__graph calls it. */
typedef bool (*kernel_graph_fn)(const struct kernel *k, const struct graph *g,
                                const struct kernel_call *call, struct err *e);

struct kernel {
    const struct node *n;
    const struct model *m;
    int opset;                     /* of the node's domain */
    const struct value *const *in; /* NULL where an optional input is left out */
    uint32_t n_in;
    const struct value *exact; /* input 0 of the run without noise; NULL: not perturbing, not known
                                */
    struct value *out;         /* one for each output of the node */
    uint32_t n_out;
    union kernel_data *to; /* writable data of the outputs, after kernel__output */
    const struct eval_options *options;
    bool want_noise;       /* perturbing: fill scales */
    bool want_margins;     /* the caller reads margins, or ties are forced */
    struct arena *a;       /* results */
    struct arena *scratch; /* gone when the node is done */
    bool *taint_done;      /* by output */
    struct budget *budget;
    struct eval_state *run;
    struct eval_frame *frame;
    kernel_graph_fn run_graph;
};

/* Input i; NULL where it is left out or beyond the node's inputs. */
static inline const struct value *kernel__in(const struct kernel *k, uint32_t i)
{
    return i < k->n_in ? k->in[i] : NULL;
}

/* -1, 0 or 1: element i of `a` is below, equal to or above element j of `b`, of the same storage;
 * NaN is equal to all. */
static inline int kernel__order(const struct value *a, size_t i, const struct value *b, size_t j)
{
    int order;
    switch (a->storage) {
    case STORAGE_F64:
        return (a->f[i] > b->f[j]) - (a->f[i] < b->f[j]);
    case STORAGE_I64:
        return (a->i[i] > b->i[j]) - (a->i[i] < b->i[j]);
    case STORAGE_U64:
        return (a->u[i] > b->u[j]) - (a->u[i] < b->u[j]);
    case STORAGE_BOOL:
        return (a->b[i] > b->b[j]) - (a->b[i] < b->b[j]);
    case STORAGE_STRING:
        order = str_cmp(a->s[i], b->s[j]);
        return (order > 0) - (order < 0);
    }
    return 0;
}

bool kernel__wants(const struct kernel *k, uint32_t o); /* the node names this output */

/* Makes a zero-filled output, which is charged to the budget. The node need not name it. */
bool kernel__output(struct kernel *k, uint32_t o, enum dtype dtype, uint32_t rank,
                    const int64_t *dims, struct err *e);
bool kernel__output_like(struct kernel *k, uint32_t o, uint32_t i, struct err *e);

/* Makes output o input i with other dims of the same count: nothing is copied, all flags are kept.
 */
void kernel__alias(struct kernel *k, uint32_t o, uint32_t i, uint32_t rank, const int64_t *dims);

/* The dims that the present inputs are broadcast to; ERR_DATA when they cannot be. */
struct kernel_shape {
    uint32_t rank;
    int64_t dims[TENSOR_RANK_MAX];
};
bool kernel__broadcast(const struct kernel *k, uint32_t first, uint32_t n, struct kernel_shape *out,
                       struct err *e);

/* Counts multiply-adds against the budget before the work is done. */
bool kernel__charge(struct kernel *k, uint64_t n_macs, struct err *e);

int64_t kernel__wrap(enum dtype t, int64_t v); /* v wrapped to the width of an integer dtype */

/* Input i (integers or bool) as numbers in the arena; absent: *n 0 and NULL. */
const int64_t *kernel__ints(const struct kernel *k, uint32_t i, size_t *n);
/* Makes *axis non-negative; ERR_DATA outside -rank .. rank - 1. */
bool kernel__fix_axis(int64_t *axis, uint32_t rank, struct err *e);

/* dims as outer x n x inner around an axis: element (o, j, i) is at (o * n + j) * inner + i. */
struct axis_split {
    size_t outer, n, inner;
};
struct axis_split axis_split(const struct value *v, int64_t axis);

/* Writable flags of output o, made on the first call. */
uint8_t *kernel__undefined(struct kernel *k, uint32_t o);
double *kernel__margin(struct kernel *k, uint32_t o); /* starts at infinity: no switch */
double *kernel__scales(struct kernel *k, uint32_t o);
void kernel__set_exact(struct kernel *k, uint32_t o, bool exact);
bool kernel__inputs_exact(const struct kernel *k);

bool kernel__is_tainted(const struct value *v); /* any element undefined; NULL: false */
/* Marks all of output o as undefined when any element of an input is. This is the default for
 * outputs that the kernel does not mark; a kernel that marks single elements calls it first. */
void kernel__taint_all(struct kernel *k, uint32_t o);
/* For elementwise outputs with as many elements as input i: copies its flags. */
void kernel__pass_taint(struct kernel *k, uint32_t o, uint32_t i);
/* For outputs of broadcast inputs: the union of the flags of n inputs from `first` on. */
void kernel__broadcast_taint(struct kernel *k, uint32_t o, uint32_t first, uint32_t n);
void kernel__no_taint(struct kernel *k,
                      uint32_t o); /* the output does not depend on values (Shape) */

/* Data movement: element i of output o is element from[i] of input `in`, or stays zero where
 * from[i] is negative. Moves data and flags of any storage. */
void kernel__move(struct kernel *k, uint32_t o, uint32_t in, const int64_t *from);
/* The same, with the sources given by a walk of one operand (input `in`) over the output. */
void kernel__move_walk(struct kernel *k, uint32_t o, uint32_t in, struct walk *w);
/* Copies n elements, for kernels that move piecewise, with their flags if `in` has any. */
void kernel__copy_run(struct kernel *k, uint32_t o, size_t to, uint32_t in, size_t from, size_t n);

/* Grid of a float value: every element is a multiple of 2^low and below 2^high in magnitude; false
 * when an element is not finite or the grid is wider than 106 bits. Only zeros: low 0, high 0. */
struct grid {
    int low, high;
};
bool kernel__grid(const struct value *v, struct grid *g);
/* Can the dtype hold every multiple of 2^low below 2^high? Then sums on that grid are exact. */
bool kernel__grid_fits(enum dtype t, struct grid g);
/* Is a sum of n products of elements of two exact values exact? b NULL: a sum of elements of `a`.
 */
bool kernel__sum_is_exact(const struct value *a, const struct value *b, size_t n, enum dtype out);

/* How an element at this distance from a rounding tie is to be rounded in a rerun: -1 down, +1 up,
 * 0 as usual. `magnitude` is the largest of the input tensor (kernel__max_abs). */
int kernel__tie(const struct kernel *k, double distance, double magnitude);
double kernel__max_abs(const struct value *v); /* of finite elements; also of integers */

/* Runs a subgraph; outputs are in order, in the call's arena or outside the subgraph. */
static inline bool kernel__graph(struct kernel *k, const struct graph *g,
                                 const struct kernel_call *call, struct err *e)
{
    return k->run_graph(k, g, call, e);
}

/* Every kernel that ops.def names. */
typedef bool (*kernel_function)(struct kernel *k, struct err *e);
#define OP(name, infer_fn, kernel_fn, exactness, rounding, parameters, certified)                  \
    bool kernel__##kernel_fn(struct kernel *k, struct err *e);
#include "onnx/ops.def"
#undef OP
kernel_function kernel__of(const struct op *op);

#endif
