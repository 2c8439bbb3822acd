/*
 * Elementwise functions of two or more inputs with multidirectional broadcasting (ONNX
 * Broadcasting.md).
 *
 * Integers wrap to the declared dtype. Results that integers do not have (division by zero, INT_MIN
 * / -1, a shift by the width or more, Mod by 0) are marked undefined.
 */
#include <math.h>

#include "onnx/eval/kernel_p.h"

/* Loops over two operands, whose elements are `a` and `b` in `expr`. Contiguous and scalar operands
 * have their own loop, so that the compiler vectorises. */
#define PAIR_LOOPS(T, pa, pb, py, w, expr)                                                         \
    do {                                                                                           \
        const T *a_at = (pa) + (w).at[0], *b_at = (pb) + (w).at[1];                                \
        T *y_at = (py) + (w).out;                                                                  \
        size_t count = (w).n_inner;                                                                \
        if ((w).step[0] == 1 && (w).step[1] == 1) {                                                \
            for (size_t i = 0; i < count; i++) {                                                   \
                T a = a_at[i], b = b_at[i];                                                        \
                y_at[i] = (expr);                                                                  \
            }                                                                                      \
        } else if ((w).step[0] == 1 && (w).step[1] == 0) {                                         \
            for (size_t i = 0; i < count; i++) {                                                   \
                T a = a_at[i], b = b_at[0];                                                        \
                y_at[i] = (expr);                                                                  \
            }                                                                                      \
        } else {                                                                                   \
            for (size_t i = 0; i < count; i++) {                                                   \
                T a = a_at[(ptrdiff_t)i * (w).step[0]], b = b_at[(ptrdiff_t)i * (w).step[1]];      \
                y_at[i] = (expr);                                                                  \
            }                                                                                      \
        }                                                                                          \
    } while (0)

static void open_walk(const struct kernel *k, struct walk *w)
{
    walk__open(w, k->out[0].dims, k->out[0].rank);
    walk__broadcast(w, k->in[0]->dims, k->in[0]->rank);
    walk__broadcast(w, k->in[1]->dims, k->in[1]->rank);
}

/* Makes output 0 with the dtype and the broadcast shape of inputs 0 and 1. */
static bool open_pair(struct kernel *k, enum dtype dtype, struct walk *w, struct err *e)
{
    struct kernel_shape s;
    if (!kernel__broadcast(k, 0, 2, &s, e) || !kernel__output(k, 0, dtype, s.rank, s.dims, e))
        return false;
    kernel__broadcast_taint(k, 0, 0, 2);
    open_walk(k, w);
    return true;
}

/* Sets exactness by the grids of two exact floats: is a +- b, or a b, exact in the dtype? */
static void set_exact(struct kernel *k, bool is_product)
{
    const struct value *a = k->in[0], *b = k->in[1];
    struct grid ga, gb;
    if (!a->exact || !b->exact || !kernel__grid(a, &ga) || !kernel__grid(b, &gb))
        return;
    struct grid y = {ga.low + gb.low, ga.high + gb.high};
    if (!is_product)
        y = (struct grid){MIN(ga.low, gb.low), MAX(ga.high, gb.high) + 1};
    kernel__set_exact(k, 0, kernel__grid_fits(k->out[0].dtype, y));
}

#define ARITHMETIC(name, is_product, op)                                                           \
    bool kernel__##name(struct kernel *k, struct err *e)                                           \
    {                                                                                              \
        struct walk w;                                                                             \
        const struct value *va = k->in[0], *vb = k->in[1];                                         \
        if (!open_pair(k, va->dtype, &w, e))                                                       \
            return false;                                                                          \
        while (walk__next(&w)) {                                                                   \
            if (va->storage == STORAGE_F64)                                                        \
                PAIR_LOOPS(double, va->f, vb->f, k->to[0].f, w, a op b);                           \
            else /* the low bits are the same for both signs */                                    \
                PAIR_LOOPS(uint64_t, va->u, vb->u, k->to[0].u, w, a op b);                         \
        }                                                                                          \
        if (va->storage == STORAGE_F64)                                                            \
            set_exact(k, is_product);                                                              \
        else if (va->storage == STORAGE_I64 && dtype_row(va->dtype)->n_bits < 64)                  \
            for (size_t i = 0; i < k->out[0].n; i++)                                               \
                k->to[0].i[i] = kernel__wrap(va->dtype, k->to[0].i[i]);                            \
        return true;                                                                               \
    }

ARITHMETIC(add, false, +)
ARITHMETIC(sub, false, -)
ARITHMETIC(mul, true, *)

/* Integer functions that may have no value: false marks the element. */
struct integer_pair {
    bool (*of_signed)(int64_t a, int64_t b, unsigned n_bits, int64_t *out);
    bool (*of_unsigned)(uint64_t a, uint64_t b, unsigned n_bits, uint64_t *out);
};

static void run_integers(struct kernel *k, struct walk *w, const struct integer_pair *fn)
{
    const struct value *a = k->in[0], *b = k->in[1];
    unsigned n_bits = dtype_row(a->dtype)->n_bits;
    bool is_signed = dtype_row(a->dtype)->class == DTYPE_CLASS_SIGNED;
    while (walk__next(w))
        for (size_t i = 0; i < w->n_inner; i++) {
            size_t at_a = (size_t)(w->at[0] + (ptrdiff_t)i * w->step[0]);
            size_t at_b = (size_t)(w->at[1] + (ptrdiff_t)i * w->step[1]);
            size_t at = w->out + i;
            bool ok = is_signed ? fn->of_signed(a->i[at_a], b->i[at_b], n_bits, &k->to[0].i[at])
                                : fn->of_unsigned(a->u[at_a], b->u[at_b], n_bits, &k->to[0].u[at]);
            if (!ok)
                kernel__undefined(k, 0)[at] = 1;
        }
}

static bool div_signed(int64_t a, int64_t b, unsigned n_bits, int64_t *out)
{
    bool ok = number_div_i64(a, b, out);
    int64_t wrapped = number_wrap_signed(*out, n_bits);
    ok = ok && wrapped == *out;
    *out = wrapped;
    return ok;
}

static bool div_unsigned(uint64_t a, uint64_t b, unsigned n_bits, uint64_t *out)
{
    (void)n_bits;
    *out = b ? a / b : 0;
    return b != 0;
}

/* Integers: truncating division. */
bool kernel__div(struct kernel *k, struct err *e)
{
    struct walk w;
    const struct value *va = k->in[0], *vb = k->in[1];
    if (!open_pair(k, va->dtype, &w, e))
        return false;
    if (va->storage != STORAGE_F64) {
        run_integers(k, &w, &(struct integer_pair){div_signed, div_unsigned});
        return true;
    }
    while (walk__next(&w))
        PAIR_LOOPS(double, va->f, vb->f, k->to[0].f, w, a / b);
    return true;
}

/* Shifts by the width or more, and by a negative number, have no value before opset 28; since then
 * they have the value that sign extension alone gives. */
static bool shift_left_unsigned(uint64_t a, uint64_t b, unsigned n_bits, uint64_t *out)
{
    *out = b < n_bits ? number_wrap_unsigned(a << b, n_bits) : 0;
    return b < n_bits;
}

static bool shift_right_unsigned(uint64_t a, uint64_t b, unsigned n_bits, uint64_t *out)
{
    *out = b < n_bits ? a >> b : 0;
    return b < n_bits;
}

static bool shift_left_signed(int64_t a, int64_t b, unsigned n_bits, int64_t *out)
{
    bool ok = b >= 0 && b < (int64_t)n_bits;
    *out = ok ? number_wrap_signed((int64_t)((uint64_t)a << b), n_bits) : 0;
    return ok;
}

static bool shift_right_signed(int64_t a, int64_t b, unsigned n_bits, int64_t *out)
{
    bool ok = b >= 0 && b < (int64_t)n_bits;
    /* arithmetic: the complement of a negative number shifts zeros in */
    *out = !ok ? -(a < 0) : a < 0 ? ~(int64_t)(~(uint64_t)a >> b) : (int64_t)((uint64_t)a >> b);
    return ok;
}

bool kernel__bitshift(struct kernel *k, struct err *e)
{
    struct walk w;
    struct str direction = node_string(k->n, "direction", STR(""));
    bool left = str_is(direction, "LEFT");
    if (!left && !str_is(direction, "RIGHT"))
        return err_set(e, ERR_DATA, "direction is '" STR_FMT "', LEFT or RIGHT is expected",
                       STR_ARG(direction));
    if (!open_pair(k, k->in[0]->dtype, &w, e))
        return false;
    run_integers(k, &w,
                 left ? &(struct integer_pair){shift_left_signed, shift_left_unsigned}
                      : &(struct integer_pair){shift_right_signed, shift_right_unsigned});
    if (k->opset >= 28) {
        k->out[0].undefined = NULL;
        kernel__broadcast_taint(k, 0, 0, 2);
    }
    return true;
}

#define BITWISE(name, op)                                                                          \
    bool kernel__bitwise_##name(struct kernel *k, struct err *e)                                   \
    {                                                                                              \
        struct walk w;                                                                             \
        if (!open_pair(k, k->in[0]->dtype, &w, e))                                                 \
            return false;                                                                          \
        while (walk__next(&w))                                                                     \
            PAIR_LOOPS(uint64_t, k->in[0]->u, k->in[1]->u, k->to[0].u, w, a op b);                 \
        return true;                                                                               \
    }

BITWISE(and, &)
BITWISE(or, |)
BITWISE(xor, ^)

#define LOGIC(name, op)                                                                            \
    bool kernel__##name(struct kernel *k, struct err *e)                                           \
    {                                                                                              \
        struct walk w;                                                                             \
        if (!open_pair(k, DTYPE_BOOL, &w, e))                                                      \
            return false;                                                                          \
        while (walk__next(&w))                                                                     \
            PAIR_LOOPS(uint8_t, k->in[0]->b, k->in[1]->b, k->to[0].b, w, (uint8_t)(a op b));       \
        return true;                                                                               \
    }

LOGIC(and, &)
LOGIC(or, |)
LOGIC(xor, ^)

/* kernel__order; 2: one of the two is NaN. */
static int order_of(const struct value *a, size_t i, const struct value *b, size_t j)
{
    bool is_nan = a->storage == STORAGE_F64 && (isnan(a->f[i]) || isnan(b->f[j]));
    return is_nan ? 2 : kernel__order(a, i, b, j);
}

/* `accepts` is a set of bits: less 1, equal 2, greater 4. */
static bool compare(struct kernel *k, unsigned accepts, struct err *e)
{
    struct walk w;
    const struct value *a = k->in[0], *b = k->in[1];
    if (!open_pair(k, DTYPE_BOOL, &w, e))
        return false;
    kernel__set_exact(k, 0, a->exact && b->exact);
    double *margin = k->want_margins && a->storage == STORAGE_F64 ? kernel__margin(k, 0) : NULL;
    while (walk__next(&w))
        for (size_t i = 0; i < w.n_inner; i++) {
            size_t at_a = (size_t)(w.at[0] + (ptrdiff_t)i * w.step[0]);
            size_t at_b = (size_t)(w.at[1] + (ptrdiff_t)i * w.step[1]);
            int order = order_of(a, at_a, b, at_b);
            k->to[0].b[w.out + i] = order != 2 && accepts >> (order + 1) & 1;
            if (margin && order != 2)
                margin[w.out + i] = order ? fabs(a->f[at_a] - b->f[at_b]) : 0;
        }
    return true;
}

bool kernel__less(struct kernel *k, struct err *e)
{
    return compare(k, 1, e);
}

bool kernel__less_or_equal(struct kernel *k, struct err *e)
{
    return compare(k, 3, e);
}

bool kernel__equal(struct kernel *k, struct err *e)
{
    return compare(k, 2, e);
}

bool kernel__greater(struct kernel *k, struct err *e)
{
    return compare(k, 4, e);
}

bool kernel__greater_or_equal(struct kernel *k, struct err *e)
{
    return compare(k, 6, e);
}

/* f(x) = slope x for x < 0, x for x >= 0; slope is broadcast to X. */
bool kernel__prelu(struct kernel *k, struct err *e)
{
    struct walk w;
    const struct value *x = k->in[0], *slope = k->in[1];
    if (!open_pair(k, x->dtype, &w, e))
        return false;
    while (walk__next(&w)) {
        if (x->storage == STORAGE_F64)
            PAIR_LOOPS(double, x->f, slope->f, k->to[0].f, w, a < 0 ? a * b : a);
        else if (dtype_row(x->dtype)->class == DTYPE_CLASS_SIGNED)
            PAIR_LOOPS(int64_t, x->i, slope->i, k->to[0].i, w,
                       a < 0 ? kernel__wrap(x->dtype, (int64_t)((uint64_t)a * (uint64_t)b)) : a);
        else
            PAIR_LOOPS(uint64_t, x->u, slope->u, k->to[0].u, w, ((void)b, a));
    }
    return true;
}
