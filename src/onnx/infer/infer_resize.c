/* Shapes of Resize, Upsample, GridSample and AffineGrid. */
#include "onnx/infer/infer_p.h"
#include "onnx/resize.h"

/* Numbers of a constant float list. */
static bool floats_of(const struct infer *in, uint32_t i, double *out, size_t max, size_t *n)
{
    const struct tensor *t = infer__constant(in, i);
    *n = t ? t->n : 0;
    for (size_t j = 0; t && j < t->n && j < max; j++)
        out[j] = tensor_get_double(t, j);
    return !infer__has(in, i) || (t && t->n <= max);
}

/* Which input is which parameter, by operator and version. */
struct resize_inputs {
    uint32_t roi, scales, sizes;
};

static struct resize_inputs inputs_of(const struct infer *in)
{
    const uint32_t none = UINT32_MAX;
    if (str_is(in->n->op_type, "Upsample") || in->n->fact->since_version < 11)
        return (struct resize_inputs){none, 1, none};
    return (struct resize_inputs){1, 2, 3};
}

static bool plan_of(const struct infer *in, struct resize_plan *plan, bool *known, struct err *e)
{
    double scales[TENSOR_RANK_MAX], roi[2 * TENSOR_RANK_MAX];
    int64_t sizes[TENSOR_RANK_MAX], dims[TENSOR_RANK_MAX];
    struct resize_given g = {scales, roi, sizes, 0, 0, 0};
    struct resize_inputs at = inputs_of(in);
    const struct attr *own = node_attr(in->n, "scales");
    for (size_t i = 0; own && i < own->n && i < TENSOR_RANK_MAX; i++)
        scales[g.n_scales++] = own->floats[i];
    *known = shape_to_dims(infer__shape(in, 0), dims) &&
             (own || floats_of(in, at.scales, scales, TENSOR_RANK_MAX, &g.n_scales)) &&
             floats_of(in, at.roi, roi, 2 * TENSOR_RANK_MAX, &g.n_roi) &&
             (!infer__has(in, at.sizes) ||
              infer__numbers(in, at.sizes, sizes, TENSOR_RANK_MAX, &g.n_sizes));
    if (!*known)
        return true;
    return resize_plan(in->n, dims, infer__shape(in, 0)->rank, &g, plan, e);
}

/* Resize, Upsample: rank as X; sizes by scales or sizes where they are known. */
bool infer__resize(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0);
    struct resize_plan plan;
    bool known;
    if (!plan_of(in, &plan, &known, e))
        return false;
    struct shape out = x->known ? infer__new_shape(in, x->rank) : infer__unknown_shape();
    for (uint32_t d = 0; known && d < x->rank; d++)
        out.dims[d] = dim_of(plan.axes[d].out);
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* GridSample: X (N, C, ..), grid (N, o1, .., or, r) -> (N, C, o1, .., or). */
bool infer__grid_sample(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *grid = infer__shape(in, 1);
    uint32_t most = in->n->fact->since_version < 20 ? 4 : TENSOR_RANK_MAX;
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 0, most == 4 ? 4 : 3, most, e))
        return false;
    if (x->known && !infer__need_rank(in, 1, x->rank, x->rank, e))
        return false;
    if (x->known)
        out = infer__new_shape(in, x->rank);
    if (x->known && grid->known) {
        if (dim__differ(grid->dims[grid->rank - 1], dim_of(x->rank - 2)) ||
            dim__differ(grid->dims[0], x->dims[0]))
            return err_set(e, ERR_DATA, "the grid does not fit X");
        out.dims[0] = dim__merge(x->dims[0], grid->dims[0]);
        for (uint32_t d = 2; d < x->rank; d++)
            out.dims[d] = grid->dims[d - 1];
    }
    if (x->known)
        out.dims[1] = x->dims[1];
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* AffineGrid: theta (N, r, r + 1), size (N, C, d1, .., dr) -> (N, d1, .., dr, r). */
bool infer__affine_grid(struct infer *in, struct err *e)
{
    const struct shape *theta = infer__shape(in, 0);
    const struct fold *f = infer__ints(in, 1);
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 0, 3, 3, e) || !infer__need_rank(in, 1, 1, 1, e))
        return false;
    if (f && f->n != 4 && f->n != 5)
        return err_set(e, ERR_DATA, "size has %u numbers, 4 or 5 are expected", f->n);
    if (f) {
        out = infer__new_shape(in, f->n);
        out.dims[0] = theta->known ? theta->dims[0] : folded__dim(f->at[0]);
        for (uint32_t d = 2; d < f->n; d++)
            out.dims[d - 1] = folded__dim(f->at[d]);
        out.dims[f->n - 1] = dim_of(f->n - 2);
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}
