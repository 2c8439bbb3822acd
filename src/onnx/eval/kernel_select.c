/* Operators that choose or pass elements: Where, Clip, Identity, Dropout at inference, Constant. */
#include <math.h>
#include <string.h>

#include "onnx/eval/kernel_p.h"

/* Where(condition, X, Y). An element takes the taint of its condition and of the side chosen. */
bool kernel__where(struct kernel *k, struct err *e)
{
    struct kernel_shape s;
    const struct value *c = k->in[0], *x = k->in[1], *y = k->in[2];
    if (!kernel__broadcast(k, 0, 3, &s, e) || !kernel__output(k, 0, x->dtype, s.rank, s.dims, e))
        return false;
    size_t size = storage_size(x->storage);
    bool tainted = kernel__is_tainted(c) || kernel__is_tainted(x) || kernel__is_tainted(y);
    uint8_t *flags = tainted ? kernel__undefined(k, 0) : NULL;
    kernel__no_taint(k, 0);
    struct walk w;
    walk__open(&w, s.dims, s.rank);
    for (uint32_t i = 0; i < 3; i++)
        walk__broadcast(&w, k->in[i]->dims, k->in[i]->rank);
    while (walk__next(&w))
        for (size_t i = 0; i < w.n_inner; i++) {
            size_t at_c = (size_t)(w.at[0] + (ptrdiff_t)i * w.step[0]);
            unsigned side = c->b[at_c] ? 1 : 2;
            const struct value *from = k->in[side];
            size_t at = (size_t)(w.at[side] + (ptrdiff_t)i * w.step[side]);
            memcpy(k->to[0].b + (w.out + i) * size, from->b + at * size, size);
            if (flags)
                flags[w.out + i] = (c->undefined && c->undefined[at_c]) ||
                                   (from->undefined && from->undefined[at]);
        }
    return true;
}

static bool one_bound(const struct kernel *k, uint32_t i, struct err *e)
{
    const struct value *v = kernel__in(k, i);
    return !v || v->n == 1 ||
           err_set(e, ERR_DATA, "bound %u has %zu elements, a scalar is expected", i, v->n);
}

/* Bounds of a float Clip: inputs (opset 11), attributes before; the dtype's largest where absent.
 */
static void float_bounds(const struct kernel *k, double *low, double *high)
{
    const struct dtype_row *row = dtype_row(k->in[0]->dtype);
    const struct value *min = kernel__in(k, 1), *max = kernel__in(k, 2);
    double largest = row->format ? number_largest(row->format) : 1.7976931348623157e308;
    *low = -largest;
    *high = largest;
    if (k->opset < 11) {
        *low = node_float(k->n, "min", -largest);
        *high = node_float(k->n, "max", largest);
    }
    if (min)
        *low = min->f[0];
    if (max)
        *high = max->f[0];
}

/* Min(max, Max(input, min)). */
bool kernel__clip(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *min = kernel__in(k, 1), *max = kernel__in(k, 2);
    if (!one_bound(k, 1, e) || !one_bound(k, 2, e) || !kernel__output_like(k, 0, 0, e))
        return false;
    if (!kernel__is_tainted(min) && !kernel__is_tainted(max))
        kernel__pass_taint(k, 0, 0);
    double low = 0, high = 0;
    if (x->storage == STORAGE_F64)
        float_bounds(k, &low, &high);
    for (size_t i = 0; i < x->n; i++) {
        if (x->storage == STORAGE_F64) {
            double y = x->f[i] < low ? low : x->f[i];
            k->to[0].f[i] = y > high ? high : y;
        } else if (x->storage == STORAGE_I64) {
            int64_t y = min && x->i[i] < min->i[0] ? min->i[0] : x->i[i];
            k->to[0].i[i] = max && y > max->i[0] ? max->i[0] : y;
        } else {
            uint64_t y = min && x->u[i] < min->u[0] ? min->u[0] : x->u[i];
            k->to[0].u[i] = max && y > max->u[0] ? max->u[0] : y;
        }
    }
    return true;
}

bool kernel__identity(struct kernel *k, struct err *e)
{
    (void)e;
    kernel__alias(k, 0, 0, k->in[0]->rank, k->in[0]->dims);
    return true;
}

/* At inference the output is the input, and the mask is all true. */
bool kernel__dropout(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0], *ratio = kernel__in(k, 1), *training = kernel__in(k, 2);
    if ((ratio && ratio->n != 1) || (training && training->n != 1))
        return err_set(e, ERR_DATA, "ratio or training_mode is no scalar");
    if (ratio && !(value_get_double(ratio, 0) >= 0 && value_get_double(ratio, 0) < 1))
        return err_set(e, ERR_DATA, "a ratio outside of [0, 1)");
    if (training && training->b[0] && (!ratio || value_get_double(ratio, 0) != 0))
        return err_set(e, ERR_UNSUPPORTED, "training_mode draws random numbers");
    kernel__alias(k, 0, 0, x->rank, x->dims);
    if (!kernel__wants(k, 1))
        return true;
    enum dtype mask = k->opset < 10 ? x->dtype : DTYPE_BOOL;
    if (!kernel__output(k, 1, mask, x->rank, x->dims, e))
        return false;
    kernel__no_taint(k, 1);
    for (size_t i = 0; i < x->n; i++) {
        if (mask == DTYPE_BOOL)
            k->to[1].b[i] = 1;
        else
            k->to[1].f[i] = 1;
    }
    return true;
}

static bool constant_tensor(struct kernel *k, const struct tensor *t, struct err *e)
{
    return value_from_tensor(t, k->a, &k->out[0], e);
}

bool kernel__constant_node(struct kernel *k, struct err *e)
{
    const struct node *n = k->n;
    struct arena *a = k->a;
    struct tensor t;
    for (uint32_t i = 0; i < n->n_attrs; i++) {
        const struct attr *c = &n->attrs[i];
        int64_t count = (int64_t)c->n;
        uint32_t rank = 1;
        if (c->kind == ATTR_TENSOR)
            return constant_tensor(k, c->t, e);
        if (c->kind == ATTR_FLOAT || c->kind == ATTR_INT || c->kind == ATTR_STRING) {
            count = 1;
            rank = 0;
        }
        t = (struct tensor){.rank = rank, .dims = arena_dup(a, &count, 8), .n = (size_t)count};
        if (c->kind == ATTR_FLOAT || c->kind == ATTR_FLOATS) {
            t.dtype = DTYPE_FLOAT;
            t.data = rank ? (const void *)c->floats : &c->f;
        } else if (c->kind == ATTR_INT || c->kind == ATTR_INTS) {
            t.dtype = DTYPE_INT64;
            t.data = rank ? (const void *)c->ints : &c->i;
        } else if (c->kind == ATTR_STRING || c->kind == ATTR_STRINGS) {
            t.dtype = DTYPE_STRING;
            t.strings = rank ? c->strings : &c->s;
        } else {
            continue;
        }
        return constant_tensor(k, &t, e);
    }
    return err_set(e, ERR_UNSUPPORTED, "no value attribute of a kind that is supported");
}
