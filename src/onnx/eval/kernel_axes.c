/*
 * See kernel_axes_p.h: sets of axes, and the groups of elements along them, for several families.
 * Knows no operator.
 */
#include "onnx/eval/kernel_axes_p.h"

bool kernel__axes(const struct kernel *k, uint32_t input, struct kernel_axes *out, struct err *e)
{
    *out = (struct kernel_axes){0};
    if (op_fact_attr(k->n->fact, "axes")) {
        out->is_given = node_attr(k->n, "axes") != NULL;
        out->at = node_ints(k->n, "axes", &out->n);
    } else if (kernel__in(k, input)) {
        if (k->in[input]->rank > 1)
            return err_set(e, ERR_DATA, "axes of rank %u", k->in[input]->rank);
        out->is_given = true;
        out->at = kernel__ints(k, input, &out->n);
    }
    return true;
}

bool kernel__axes_set(const struct kernel_axes *axes, uint32_t rank, uint32_t *set, struct err *e)
{
    *set = 0;
    for (size_t i = 0; i < axes->n; i++) {
        int64_t axis = axes->at[i];
        if (!kernel__fix_axis(&axis, rank, e))
            return err_wrap(e, "axes");
        if (*set & (1u << axis))
            return err_set(e, ERR_DATA, "axis %lld is named twice", (long long)axis);
        *set |= 1u << axis;
    }
    return true;
}

/* Offsets of all elements over the chosen dims, row-major. */
static const ptrdiff_t *offsets_over(const struct value *v, const ptrdiff_t *strides, uint32_t set,
                                     size_t *n, struct arena *a)
{
    *n = 1;
    for (uint32_t d = 0; d < v->rank; d++)
        if (set >> d & 1)
            *n *= (size_t)v->dims[d];
    ptrdiff_t *at = arena_new_array(a, ptrdiff_t, *n);
    size_t n_done = 1; /* at[0 .. n_done) covers the dims after d */
    for (uint32_t d = v->rank; *n && d-- > 0;) {
        if (!(set >> d & 1))
            continue;
        for (int64_t i = 1; i < v->dims[d]; i++)
            for (size_t j = 0; j < n_done; j++)
                at[(size_t)i * n_done + j] = at[j] + i * strides[d];
        n_done *= (size_t)v->dims[d];
    }
    return at;
}

struct axis_groups kernel__groups(const struct kernel *k, const struct value *v, uint32_t set)
{
    ptrdiff_t strides[TENSOR_RANK_MAX];
    struct axis_groups g;
    walk__strides(v->dims, v->rank, strides);
    g.base = offsets_over(v, strides, ~set, &g.n_groups, k->scratch);
    g.offset = offsets_over(v, strides, set, &g.n_each, k->scratch);
    return g;
}
