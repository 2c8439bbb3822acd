/*
 * Tensors made from numbers: ConstantOfShape, Range, EyeLike; and Col2Im, which adds blocks into an
 * image.
 */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "onnx/eval/kernel_p.h"
#include "onnx/range.h"

/* ConstantOfShape: shape -> that shape, filled with the attribute value (float 0 without it). */
bool kernel__constant_of_shape(struct kernel *k, struct err *e)
{
    size_t n;
    const int64_t *dims = kernel__ints(k, 0, &n);
    const struct attr *t = node_attr(k->n, "value");
    struct value v = {.dtype = DTYPE_FLOAT};
    if (n > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "%zu dims", n);
    if (t && (t->t->n != 1 || !value_from_tensor(t->t, k->scratch, &v, e)))
        return t->t->n == 1 ? false : err_set(e, ERR_DATA, "value has %zu elements", t->t->n);
    if (!kernel__output(k, 0, v.dtype, (uint32_t)n, dims, e))
        return false;
    size_t size = storage_size(v.storage);
    for (size_t i = 0; t && i < k->out[0].n; i++)
        memcpy(k->to[0].b + i * size, v.b, size);
    kernel__set_exact(k, 0, true);
    return true;
}

static void fill_range(struct kernel *k)
{
    bool is_float = k->out[0].storage == STORAGE_F64;
    for (size_t i = 0; i < k->out[0].n; i++) {
        if (is_float) {
            double start = k->in[0]->f[0], way = (double)i * k->in[2]->f[0];
            k->to[0].f[i] = start + way;
            if (k->want_noise)
                kernel__scales(k, 0)[i] = fabs(start) + fabs(way);
        } else {
            uint64_t y = k->in[0]->u[0] + (uint64_t)i * k->in[2]->u[0];
            k->to[0].i[i] = kernel__wrap(k->out[0].dtype, (int64_t)y);
        }
    }
}

/* Range: start, limit, delta -> (n), start + i delta. */
bool kernel__range(struct kernel *k, struct err *e)
{
    enum dtype t = k->in[0]->dtype;
    int64_t n;
    for (uint32_t i = 0; i < 3; i++) {
        if (k->in[i]->n != 1)
            return err_set(e, ERR_DATA, "input %u has %zu elements, one is expected", i,
                           k->in[i]->n);
        if (kernel__is_tainted(k->in[i]))
            return err_set(e, ERR_UNSUPPORTED, "the shape depends on an undefined element");
    }
    const struct value *const *in = k->in;
    bool ok = in[0]->storage == STORAGE_F64
                  ? range_count_floats(t, (double[]){in[0]->f[0], in[1]->f[0], in[2]->f[0]}, &n, e)
                  : range_count_ints(in[0]->i[0], in[1]->i[0], in[2]->i[0], &n, e);
    if (!ok || !kernel__output(k, 0, t, 1, &n, e))
        return false;
    fill_range(k);
    return true;
}

/* EyeLike: (n, m) -> (n, m) with ones at [i, i + k]. */
bool kernel__eye_like(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t diagonal = node_int(k->n, "k", 0), t = node_int(k->n, "dtype", x->dtype);
    if (x->rank != 2 || t <= 0 || t >= DTYPE_COUNT)
        return err_set(e, ERR_DATA, "rank %u, dtype %lld", x->rank, (long long)t);
    if (!kernel__output(k, 0, (enum dtype)t, 2, x->dims, e))
        return false;
    int64_t n_cols = x->dims[1];
    if (diagonal > n_cols || diagonal < -x->dims[0])
        diagonal = n_cols; /* outside: no ones */
    for (int64_t i = 0; i < x->dims[0]; i++) {
        int64_t j = i + diagonal;
        if (j < 0 || j >= n_cols)
            continue;
        size_t at = (size_t)(i * n_cols + j);
        if (k->out[0].storage == STORAGE_F64)
            k->to[0].f[at] = 1;
        else if (k->out[0].storage == STORAGE_BOOL)
            k->to[0].b[at] = 1;
        else
            k->to[0].i[at] = 1;
    }
    kernel__no_taint(k, 0);
    kernel__set_exact(k, 0, true);
    return true;
}

/* Geometry of Col2Im along its spatial axes. */
struct blocks {
    uint32_t rank;
    const int64_t *image, *block, *strides, *pads, *dilations; /* the last three may be NULL */
    int64_t counts[TENSOR_RANK_MAX];                           /* blocks along each axis */
    size_t n_image, n_block, n_places;
};

static const int64_t *list_or_null(const struct kernel *k, const char *name, size_t wanted,
                                   bool *fits)
{
    size_t n;
    const int64_t *at = node_ints(k->n, name, &n);
    *fits &= !at || n == wanted;
    return at;
}

static bool blocks_of(const struct kernel *k, struct blocks *b, struct err *e)
{
    size_t n, n_block;
    bool fits = true;
    *b = (struct blocks){.image = kernel__ints(k, 1, &n), .block = kernel__ints(k, 2, &n_block)};
    b->rank = (uint32_t)n;
    b->strides = list_or_null(k, "strides", n, &fits);
    b->dilations = list_or_null(k, "dilations", n, &fits);
    b->pads = list_or_null(k, "pads", 2 * n, &fits);
    if (!fits || n_block != n || n > TENSOR_RANK_MAX - 2 || k->in[0]->rank != 3)
        return err_set(e, ERR_DATA, "a list does not have one entry for each of %zu spatial axes",
                       n);
    b->n_image = b->n_block = b->n_places = 1;
    for (uint32_t d = 0; d < b->rank; d++) {
        int64_t dilation = b->dilations ? b->dilations[d] : 1,
                step = b->strides ? b->strides[d] : 1;
        int64_t room = b->image[d] + (b->pads ? b->pads[d] + b->pads[d + n] : 0);
        int64_t reach = dilation * (b->block[d] - 1) + 1;
        if (b->image[d] < 1 || b->block[d] < 1 || step < 1 || dilation < 1 || room < reach)
            return err_set(e, ERR_DATA, "blocks of %lld do not fit an image of %lld",
                           (long long)b->block[d], (long long)b->image[d]);
        b->counts[d] = (room - reach) / step + 1;
        b->n_image *= (size_t)b->image[d];
        b->n_block *= (size_t)b->block[d];
        b->n_places *= (size_t)b->counts[d];
    }
    return true;
}

/* The pixel of element `at` of the block at `place`; -1: outside the image. */
static int64_t pixel_of(const struct blocks *b, size_t at, size_t place)
{
    int64_t pixel = 0, stride = 1;
    for (uint32_t d = b->rank; d-- > 0;) {
        int64_t i = (int64_t)(place % (size_t)b->counts[d]) * (b->strides ? b->strides[d] : 1) +
                    (int64_t)(at % (size_t)b->block[d]) * (b->dilations ? b->dilations[d] : 1) -
                    (b->pads ? b->pads[d] : 0);
        if (i < 0 || i >= b->image[d])
            return -1;
        pixel += i * stride;
        stride *= b->image[d];
        place /= (size_t)b->counts[d];
        at /= (size_t)b->block[d];
    }
    return pixel;
}

/* Col2Im: (N, C * block, L), image shape, block shape -> (N, C, image...), blocks added up. */
bool kernel__col2im(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    struct blocks b;
    int64_t dims[TENSOR_RANK_MAX];
    if (!blocks_of(k, &b, e))
        return false;
    if (x->storage != STORAGE_F64)
        return err_set(e, ERR_UNSUPPORTED, "%s elements", dtype_name(x->dtype));
    if ((size_t)x->dims[1] % b.n_block || (size_t)x->dims[2] != b.n_places)
        return err_set(e, ERR_DATA,
                       "dims 1 and 2 of the input are %lld and %lld, not a multiple of %zu and %zu",
                       (long long)x->dims[1], (long long)x->dims[2], b.n_block, b.n_places);
    dims[0] = x->dims[0];
    dims[1] = x->dims[1] / (int64_t)b.n_block;
    memcpy(dims + 2, b.image, b.rank * sizeof *dims);
    if (!kernel__charge(k, x->n, e) || !kernel__output(k, 0, x->dtype, b.rank + 2, dims, e))
        return false;
    for (size_t row = 0; b.n_places && row < x->n / b.n_places; row++)
        for (size_t place = 0; place < b.n_places; place++) {
            int64_t pixel = pixel_of(&b, row % b.n_block, place);
            if (pixel < 0)
                continue;
            size_t from = row * b.n_places + place;
            size_t to = row / b.n_block * b.n_image + (size_t)pixel;
            k->to[0].f[to] += x->f[from];
            if (k->want_noise)
                kernel__scales(k, 0)[to] += fabs(x->f[from]);
            if (x->undefined && x->undefined[from])
                kernel__undefined(k, 0)[to] = 1;
        }
    kernel__no_taint(k, 0);
    return true;
}
