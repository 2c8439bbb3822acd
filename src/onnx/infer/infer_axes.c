/*
 * Axes of a node, and arithmetic on dims, for the shape functions of several families.
 * Knows nothing of single operators.
 */
#include "onnx/infer/infer_axes_p.h"

#include "base/number.h"

bool infer__axes(const struct infer *in, uint32_t input, struct axes_list *out, struct err *e)
{
    *out = (struct axes_list){.is_known = true};
    if (op_fact_attr(in->n->fact, "axes")) {
        out->is_given = node_attr(in->n, "axes") != NULL;
        size_t n;
        const int64_t *at = node_ints(in->n, "axes", &n);
        if (n > COUNT_OF(out->at))
            return err_set(e, ERR_DATA, "%zu axes", n);
        for (size_t i = 0; i < n; i++)
            out->at[i] = at[i];
        out->n = n;
        return true;
    }
    if (!infer__has(in, input))
        return true;
    out->is_given = true;
    if (!infer__need_rank(in, input, 0, 1, e))
        return false;
    out->is_known = infer__numbers(in, input, out->at, COUNT_OF(out->at), &out->n);
    if (!out->is_known)
        out->n = 0;
    return true;
}

bool axes__set(const struct axes_list *axes, uint32_t rank, uint32_t *set, struct err *e)
{
    *set = 0;
    for (size_t i = 0; i < axes->n; i++) {
        int64_t axis = axes->at[i];
        if (!infer__fix_axis(&axis, rank, e))
            return err_wrap(e, "axes");
        if (*set & (1u << axis))
            return err_set(e, ERR_DATA, "axis %lld is named twice", (long long)axis);
        *set |= 1u << axis;
    }
    return true;
}

struct dim dim__product(const struct dim *dims, uint32_t n)
{
    int64_t product = 1;
    struct dim other = dim_of(1);
    bool fits = true;
    for (uint32_t i = 0; i < n; i++)
        if (dims[i].value == 0)
            return dim_of(0);
    for (uint32_t i = 0; i < n; i++) {
        if (dims[i].value >= 0)
            fits = number_mul_i64(product, dims[i].value, &product) && fits;
        else
            other = other.value == 1 ? dims[i] : dim_unknown();
    }
    if (!fits)
        return dim_unknown();
    if (other.value == 1)
        return dim_of(product);
    return product == 1 ? other : dim_unknown();
}

bool infer__need_vector(const struct infer *in, uint32_t i, struct dim n, struct err *e)
{
    const struct shape *s = infer__shape(in, i);
    if (!infer__need_rank(in, i, 1, 1, e))
        return false;
    if (s->known && dim__differ(s->dims[0], n))
        return err_set(e, ERR_DATA, "input %u has %lld elements, %lld are expected", i,
                       (long long)s->dims[0].value, (long long)n.value);
    return true;
}
