/*
 * Shapes of operators that join, cut and repeat along axes: Concat, Split, Slice, Tile, Expand,
 * Trilu, ReverseSequence. Concat, Split and Slice fold integers.
 */
#include "base/number.h"
#include "onnx/infer/infer_axes_p.h"
#include "onnx/slice.h"

static void fold_concat(struct infer *in)
{
    struct folded at[INFER_INTS_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->n->n_inputs; i++) {
        const struct fold *f = infer__ints(in, i);
        if (!f || f->rank != 1 || n + f->n > COUNT_OF(at))
            return;
        for (uint32_t j = 0; j < f->n; j++)
            at[n++] = f->at[j];
    }
    infer__set_ints(in, 0, (struct fold){1, n, arena_dup(in->a, at, n * sizeof *at)});
}

/* Merges one input's dims into the result's; dims of the axis are summed. */
static bool join(struct shape *out, const struct shape *s, uint32_t axis, uint32_t i, struct err *e)
{
    if (s->rank != out->rank)
        return err_set(e, ERR_DATA, "input %u has rank %u, input 0 has %u", i, s->rank, out->rank);
    for (uint32_t d = 0; d < s->rank; d++) {
        if (d != axis) {
            if (dim__differ(out->dims[d], s->dims[d]))
                return err_set(e, ERR_DATA, "axis %u has %lld elements in input %u, %lld in others",
                               d, (long long)s->dims[d].value, i, (long long)out->dims[d].value);
            out->dims[d] = dim__merge(out->dims[d], s->dims[d]);
        } else if (out->dims[d].value >= 0 && s->dims[d].value >= 0) {
            int64_t sum;
            out->dims[d] = number_add_i64(out->dims[d].value, s->dims[d].value, &sum)
                               ? dim_of(sum)
                               : dim_unknown();
        } else if (out->dims[d].value == 0) {
            out->dims[d] = s->dims[d];
        } else if (s->dims[d].value != 0) {
            out->dims[d] = dim_unknown();
        }
    }
    return true;
}

/* Concat: shapes are equal except on the axis, whose dims add up. */
bool infer__concat(struct infer *in, struct err *e)
{
    struct shape out = infer__unknown_shape();
    bool all_known = true;
    int64_t axis = node_int(in->n, "axis", 1);
    for (uint32_t i = 0; i < in->n->n_inputs; i++) {
        const struct shape *s = infer__shape(in, i);
        if (!infer__need_rank(in, i, 1, TENSOR_RANK_MAX, e))
            return false;
        if (!s->known) {
            all_known = false;
        } else if (!out.known) {
            if (!infer__fix_axis(&axis, s->rank, e))
                return false;
            out = infer__copy_shape(in, s);
        } else if (!join(&out, s, (uint32_t)axis, i, e)) {
            return false;
        }
    }
    if (out.known && !all_known)
        out.dims[axis] = dim_unknown();
    infer__set(in, 0, infer__dtype(in, 0), out);
    fold_concat(in);
    return true;
}

/* Lengths of the parts: as given, or equal (the last may be smaller since opset 18). */
static bool split_lengths(const struct infer *in, struct dim size, struct dim *out, struct err *e)
{
    uint32_t n = in->n->n_outputs;
    int64_t given[INFER_INTS_MAX], sum = 0;
    size_t n_given = 0;
    bool by_attr = op_fact_attr(in->n->fact, "split") != NULL;
    bool is_given = by_attr ? node_attr(in->n, "split") != NULL : infer__has(in, 1);
    const struct attr *n_outputs = node_attr(in->n, "num_outputs");
    for (uint32_t o = 0; o < n; o++)
        out[o] = dim_unknown();
    if (n_outputs && (is_given || n_outputs->i != n))
        return err_set(e, ERR_DATA, "num_outputs %lld is given with %s", (long long)n_outputs->i,
                       is_given ? "lengths of the parts" : "another number of outputs");
    if (in->n->fact->since_version >= 18 && !n_outputs && !is_given)
        return err_set(e, ERR_DATA, "neither split nor num_outputs is given");
    if (!is_given) {
        if (size.value < 0)
            return true;
        int64_t part = size.value / n + (size.value % n != 0);
        if (in->n->fact->since_version < 18 && size.value % n)
            return err_set(e, ERR_DATA, "%lld elements cannot be split into %u equal parts",
                           (long long)size.value, n);
        if (part * (n - 1) > size.value)
            return err_set(e, ERR_UNSUPPORTED,
                           "%lld elements in %u parts: the standard gives no lengths",
                           (long long)size.value, n);
        for (uint32_t o = 0; o < n; o++)
            out[o] = dim_of(o + 1 < n ? part : size.value - part * (n - 1));
        return true;
    }
    if (by_attr) {
        const int64_t *at = node_ints(in->n, "split", &n_given);
        for (size_t i = 0; i < n_given && i < COUNT_OF(given); i++)
            given[i] = at[i];
    } else if (!infer__numbers(in, 1, given, COUNT_OF(given), &n_given)) {
        return true;
    }
    if (n_given != n || n > COUNT_OF(given))
        return err_set(e, ERR_DATA, "%zu lengths for %u outputs", n_given, n);
    for (uint32_t o = 0; o < n; o++) {
        if (given[o] < 0 || !number_add_i64(sum, given[o], &sum))
            return err_set(e, ERR_DATA, "part %u has length %lld", o, (long long)given[o]);
        out[o] = dim_of(given[o]);
    }
    if (size.value >= 0 && sum != size.value)
        return err_set(e, ERR_DATA, "the parts have %lld elements, the axis has %lld",
                       (long long)sum, (long long)size.value);
    return true;
}

/* Split: each output with its part of the axis. */
bool infer__split(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    const struct fold *f = infer__ints(in, 0);
    struct dim *parts = arena_new_array(in->a, struct dim, in->n->n_outputs);
    int64_t axis, at = 0;
    if (!infer__need_rank(in, 0, 1, TENSOR_RANK_MAX, e) || !infer__need_rank(in, 1, 1, 1, e) ||
        !infer__axis(in, "axis", 0, &axis, e))
        return false;
    if (!split_lengths(in, s->known ? s->dims[axis] : dim_unknown(), parts, e))
        return false;
    for (uint32_t o = 0; o < in->n->n_outputs; o++) {
        struct shape out = *s;
        if (s->known) {
            out = infer__copy_shape(in, s);
            out.dims[axis] = parts[o];
        }
        infer__set(in, o, infer__dtype(in, 0), out);
        if (f && f->rank == 1 && at >= 0 && parts[o].value >= 0 && at + parts[o].value <= f->n)
            infer__set_ints(in, o, (struct fold){1, (uint32_t)parts[o].value, f->at + at});
        at = at < 0 || parts[o].value < 0 ? -1 : at + parts[o].value;
    }
    return true;
}

/* Parameters of Slice, from attributes (opset 1) or inputs; unknown ones are flagged. */
struct slice_params {
    size_t n;
    int64_t starts[TENSOR_RANK_MAX], ends[TENSOR_RANK_MAX], axes[TENSOR_RANK_MAX],
        steps[TENSOR_RANK_MAX];
    bool axes_known, known; /* is it known which axes are cut; and where */
};

static bool slice_attrs(const struct infer *in, struct slice_params *p, struct err *e)
{
    size_t n_ends, n_axes;
    const int64_t *starts = node_ints(in->n, "starts", &p->n);
    const int64_t *ends = node_ints(in->n, "ends", &n_ends);
    const int64_t *axes = node_ints(in->n, "axes", &n_axes);
    bool has_axes = node_attr(in->n, "axes") != NULL;
    if (p->n > TENSOR_RANK_MAX || n_ends != p->n || (has_axes && n_axes != p->n))
        return err_set(e, ERR_DATA, "%zu starts, %zu ends, %zu axes", p->n, n_ends, n_axes);
    for (size_t i = 0; i < p->n; i++) {
        p->starts[i] = starts[i];
        p->ends[i] = ends[i];
        p->axes[i] = has_axes ? axes[i] : (int64_t)i;
        p->steps[i] = 1;
    }
    p->known = p->axes_known = true;
    return true;
}

static bool slice_inputs(const struct infer *in, struct slice_params *p, struct err *e)
{
    size_t n_axes = 0, n_steps = 0, n_ends = 0;
    for (uint32_t i = 1; i < 5; i++)
        if (infer__has(in, i) && !infer__need_rank(in, i, 1, 1, e))
            return false;
    const struct shape *count = infer__shape(in, 1);
    bool has_starts = infer__numbers(in, 1, p->starts, TENSOR_RANK_MAX, &p->n);
    bool has_ends = infer__numbers(in, 2, p->ends, TENSOR_RANK_MAX, &n_ends);
    bool has_steps = !infer__has(in, 4);
    for (size_t i = 0; has_steps && i < TENSOR_RANK_MAX; i++)
        p->steps[i] = 1;
    if (!has_steps)
        has_steps = infer__numbers(in, 4, p->steps, TENSOR_RANK_MAX, &n_steps);
    if (infer__has(in, 3)) {
        p->axes_known = infer__numbers(in, 3, p->axes, TENSOR_RANK_MAX, &n_axes);
        if (!has_starts)
            p->n = n_axes;
    } else {
        if (!has_starts)
            p->n = count->known && count->dims[0].value >= 0 ? (size_t)count->dims[0].value : 0;
        p->axes_known = has_starts || (count->known && count->dims[0].value >= 0);
        for (size_t i = 0; i < TENSOR_RANK_MAX; i++)
            p->axes[i] = (int64_t)i;
    }
    if (p->n > TENSOR_RANK_MAX || (has_starts && has_ends && n_ends != p->n) ||
        (n_axes && n_axes != p->n) || (n_steps && has_starts && n_steps != p->n))
        return err_set(e, ERR_DATA, "%zu starts, %zu ends, %zu axes, %zu steps", p->n, n_ends,
                       n_axes, n_steps);
    p->known = has_starts && has_ends && has_steps;
    return true;
}

static struct dim sliced_dim(struct dim d, const struct slice_params *p, size_t i)
{
    if (d.value >= 0)
        return dim_of(slice_range(p->starts[i], p->ends[i], p->steps[i], d.value).n);
    bool is_whole = p->steps[i] == 1 && p->starts[i] == 0 && p->ends[i] >= INT32_MAX;
    return is_whole ? d : dim_unknown();
}

static void fold_slice(struct infer *in, const struct slice_params *p)
{
    const struct fold *f = infer__ints(in, 0);
    if (!f || f->rank != 1 || !p->known || p->n != 1)
        return;
    struct slice_range r = slice_range(p->starts[0], p->ends[0], p->steps[0], f->n);
    struct folded *at = arena_new_array(in->a, struct folded, (size_t)r.n);
    for (int64_t j = 0; j < r.n; j++)
        at[j] = f->at[r.first + j * p->steps[0]];
    infer__set_ints(in, 0, (struct fold){1, (uint32_t)r.n, at});
}

/* Slice: each named axis cut to the elements that start, end and step leave. */
bool infer__slice(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    struct slice_params p = {0};
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 0, 1, TENSOR_RANK_MAX, e))
        return false;
    if (in->n->fact->since_version < 10 ? !slice_attrs(in, &p, e) : !slice_inputs(in, &p, e))
        return false;
    for (size_t i = 0; p.known && i < p.n; i++)
        if (!p.steps[i])
            return err_set(e, ERR_DATA, "a step of 0");
    if (s->known) {
        out = p.axes_known ? infer__copy_shape(in, s) : infer__new_shape(in, s->rank);
        uint32_t seen = 0;
        for (size_t i = 0; p.axes_known && i < p.n; i++) {
            int64_t axis = p.axes[i];
            if (!infer__fix_axis(&axis, s->rank, e))
                return err_wrap(e, "axes");
            if (seen >> axis & 1)
                return err_set(e, ERR_DATA, "axis %lld is named twice", (long long)axis);
            seen |= 1u << axis;
            out.dims[axis] = p.known ? sliced_dim(s->dims[axis], &p, i) : dim_unknown();
        }
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    if (p.axes_known)
        fold_slice(in, &p);
    return true;
}

/* Tile: dims times repeats. */
bool infer__tile(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    const struct fold *f = infer__ints(in, 1);
    struct shape out = infer__unknown_shape();
    if (!infer__need_rank(in, 1, 1, 1, e))
        return false;
    if (s->known) {
        out = infer__new_shape(in, s->rank);
        if (f && f->n != s->rank)
            return err_set(e, ERR_DATA, "%u repeats for a tensor of rank %u", f->n, s->rank);
        for (uint32_t d = 0; f && d < s->rank; d++) {
            if (f->at[d].is_known && f->at[d].value < 0)
                return err_set(e, ERR_DATA, "a repeat of %lld", (long long)f->at[d].value);
            out.dims[d] = dim__product((struct dim[]){s->dims[d], folded__dim(f->at[d])}, 2);
        }
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}

/* Expand: the two shapes broadcast. */
bool infer__expand(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0), *count = infer__shape(in, 1);
    const struct fold *f = infer__ints(in, 1);
    struct shape wanted = infer__unknown_shape(), out;
    if (!infer__need_rank(in, 1, 1, 1, e))
        return false;
    if (f) {
        wanted = infer__new_shape(in, f->n);
        for (uint32_t d = 0; d < f->n; d++) {
            if (f->at[d].is_known && f->at[d].value < 0)
                return err_set(e, ERR_DATA, "a dim of %lld", (long long)f->at[d].value);
            wanted.dims[d] = folded__dim(f->at[d]);
        }
    } else if (count->known && count->dims[0].value >= 0 &&
               count->dims[0].value <= TENSOR_RANK_MAX) {
        wanted = infer__new_shape(in, (uint32_t)count->dims[0].value);
    }
    if (!infer__broadcast_shapes(in, s, &wanted, &out, e))
        return false;
    infer__set(in, 0, infer__dtype(in, 0), out);
    const struct fold *v = infer__ints(in, 0);
    if (v && v->n == 1 && out.known && out.rank == 1 && out.dims[0].value >= 0 &&
        out.dims[0].value <= INFER_INTS_MAX) {
        uint32_t n = (uint32_t)out.dims[0].value;
        struct folded *at = arena_new_array(in->a, struct folded, n);
        for (uint32_t i = 0; i < n; i++)
            at[i] = v->at[0];
        infer__set_ints(in, 0, (struct fold){1, n, at});
    }
    return true;
}

/* Trilu: as input, of rank 2 or more. */
bool infer__trilu(struct infer *in, struct err *e)
{
    return infer__need_rank(in, 0, 2, TENSOR_RANK_MAX, e) && infer__need_rank(in, 1, 0, 1, e) &&
           infer__same_as_input(in, 0, 0);
}

/* ReverseSequence: as input; one length per element of the batch axis. */
bool infer__reverse_sequence(struct infer *in, struct err *e)
{
    const struct shape *s = infer__shape(in, 0);
    int64_t batch = node_int(in->n, "batch_axis", 1), time = node_int(in->n, "time_axis", 0);
    if ((batch != 0 && batch != 1) || (time != 0 && time != 1) || batch == time)
        return err_set(e, ERR_DATA, "batch_axis %lld and time_axis %lld: one is 0, the other 1",
                       (long long)batch, (long long)time);
    return infer__need_rank(in, 0, 2, TENSOR_RANK_MAX, e) &&
           infer__need_vector(in, 1, s->known ? s->dims[batch] : dim_unknown(), e) &&
           infer__same_as_input(in, 0, 0);
}
