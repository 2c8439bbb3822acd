/*
 * Shapes of reductions and of other operators along one axis: Reduce*, ArgMax, ArgMin, CumSum,
 * TopK. Sums and products of folded integers are folded, because models compute shapes with them.
 */
#include <string.h>

#include "base/number.h"
#include "onnx/infer/infer_axes_p.h"

/* [d0, ..., dn] without the reduced axes, or with 1 in their place. */
static struct shape reduced_shape(const struct infer *in, const struct shape *s, uint32_t set,
                                  bool keep)
{
    struct shape out = infer__new_shape(in, s->rank);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->rank; i++) {
        bool is_reduced = set >> i & 1;
        if (!is_reduced)
            out.dims[n++] = s->dims[i];
        else if (keep)
            out.dims[n++] = dim_of(1);
    }
    out.rank = n;
    return out;
}

static bool fold_step(const char *op, int64_t *sum, int64_t v)
{
    if (!strcmp(op, "ReduceSum"))
        return number_add_i64(*sum, v, sum);
    if (!strcmp(op, "ReduceProd"))
        return number_mul_i64(*sum, v, sum);
    if (!strcmp(op, "ReduceMax"))
        *sum = MAX(*sum, v);
    else if (!strcmp(op, "ReduceMin"))
        *sum = MIN(*sum, v);
    else
        return false;
    return true;
}

static void fold_reduction(struct infer *in, uint32_t set, uint32_t rank)
{
    int64_t v[INFER_INTS_MAX], sum;
    size_t n;
    if (!set || infer__dtype(in, 0) != DTYPE_INT64 || !infer__numbers(in, 0, v, COUNT_OF(v), &n) ||
        !n)
        return;
    sum = !strcmp(in->n->op->name, "ReduceSum")    ? 0
          : !strcmp(in->n->op->name, "ReduceProd") ? 1
                                                   : v[0];
    for (size_t i = 0; i < n; i++)
        if (!fold_step(in->n->op->name, &sum, v[i]))
            return;
    struct folded *at = arena_new(in->a, struct folded);
    *at = (struct folded){true, sum, 0};
    infer__set_ints(in, 0, (struct fold){rank, 1, at});
}

/* Reduce*: over the given axes, or all; keepdims leaves 1 in their place. */
bool infer__reduce(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    bool keep = node_int(in->n, "keepdims", 1) != 0;
    struct axes_list axes;
    if (!infer__axes(in, 1, &axes, e))
        return false;
    struct shape out = infer__unknown_shape();
    uint32_t set = 0;
    if (s->known && axes.is_known) {
        if (!axes__set(&axes, s->rank, &set, e))
            return false;
        if (!axes.n && !node_int(in->n, "noop_with_empty_axes", 0))
            set = s->rank == 32 ? UINT32_MAX : (1u << s->rank) - 1;
        out = reduced_shape(in, s, set, keep);
    } else if (s->known && keep) {
        out = infer__new_shape(in, s->rank);
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    if (out.known && out.rank <= 1)
        fold_reduction(in, set, out.rank);
    return true;
}

/* ArgMax, ArgMin: int64, one axis reduced. */
bool infer__arg_extreme(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    int64_t axis;
    if (!infer__axis(in, "axis", 0, &axis, e))
        return false;
    struct shape out = infer__unknown_shape();
    if (s->known) {
        out = reduced_shape(in, s, 1u << axis, node_int(in->n, "keepdims", 1) != 0);
        if (s->dims[axis].value == 0 && dim__product(out.dims, out.rank).value > 0)
            return err_set(e, ERR_DATA, "axis %lld has no elements to choose from",
                           (long long)axis);
    }
    infer__set(in, 0, DTYPE_INT64, out);
    return true;
}

/* CumSum, CumProd: as input; the axis is an input of rank 0 (a list of one element is accepted). */
bool infer__cum_sum(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    int64_t axis;
    size_t n;
    if (!infer__need_rank(in, 1, 0, 1, e))
        return false;
    if (infer__numbers(in, 1, &axis, 1, &n) && n == 1 && s->known &&
        !infer__fix_axis(&axis, s->rank, e))
        return err_wrap(e, "axis");
    return infer__same_as_input(in, 0, 0);
}

static bool count_top(const struct infer *in, struct folded *k, struct err *e)
{
    *k = (struct folded){0};
    if (op_fact_attr(in->n->fact, "k")) {
        *k = (struct folded){true, node_int(in->n, "k", 0), 0};
    } else {
        const struct fold *f = infer__ints(in, 1);
        if (!infer__need_rank(in, 1, 0, 1, e))
            return false;
        if (f && f->n != 1)
            return err_set(e, ERR_DATA, "K has %u elements, one is expected", f->n);
        if (f)
            *k = f->at[0];
    }
    if (k->is_known && k->value < 0)
        return err_set(e, ERR_DATA, "K is %lld", (long long)k->value);
    return true;
}

/* TopK: the axis' dim becomes k. */
bool infer__top_k(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    int64_t axis;
    struct folded k;
    if (!infer__axis(in, "axis", -1, &axis, e) || !count_top(in, &k, e))
        return false;
    struct shape out = infer__unknown_shape();
    if (s->known) {
        if (k.is_known && s->dims[axis].value >= 0 && k.value > s->dims[axis].value)
            return err_set(e, ERR_DATA, "K is %lld, the axis has %lld elements", (long long)k.value,
                           (long long)s->dims[axis].value);
        out = infer__copy_shape(in, s);
        out.dims[axis] = folded__dim(k);
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    infer__set(in, 1, DTYPE_INT64, out);
    return true;
}
