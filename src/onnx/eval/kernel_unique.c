/*
 * Unique: the different elements, or slices of an axis, of a tensor; sorted, or in the order of
 * their first occurrence.
 *
 * Slices are compared element by element, as the text's example sorts them. NaN has no place in
 * that order and is refused. A run with noise takes order and equality from the run without, since
 * noise would separate equal elements.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/kernel_p.h"

struct slices {
    const struct value *v;
    struct axis_split s;
};

static int compare_slices(const struct slices *all, size_t i, size_t j)
{
    struct axis_split s = all->s;
    for (size_t o = 0; o < s.outer; o++)
        for (size_t k = 0; k < s.inner; k++) {
            int order = kernel__order(all->v, (o * s.n + i) * s.inner + k, all->v,
                                      (o * s.n + j) * s.inner + k);
            if (order)
                return order;
        }
    return 0;
}

/* Indices of slices in ascending order; equal ones keep theirs (merge sort, bottom up). */
static size_t *sorted_order(const struct slices *all, struct arena *a)
{
    size_t n = all->s.n;
    size_t *at = arena_new_array(a, size_t, n), *spare = arena_new_array(a, size_t, n);
    for (size_t i = 0; i < n; i++)
        at[i] = i;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low < n; low += 2 * width) {
            size_t middle = MIN(low + width, n), high = MIN(low + 2 * width, n);
            size_t i = low, j = middle;
            for (size_t to = low; to < high; to++) {
                bool left = j >= high || (i < middle && compare_slices(all, at[i], at[j]) <= 0);
                spare[to] = at[left ? i++ : j++];
            }
        }
        size_t *swap = at;
        at = spare;
        spare = swap;
    }
    return at;
}

/* What was found: first[u] is the first slice equal to the u-th result. */
struct found {
    size_t n, *first, *count, *inverse;
};

static void renumber_by_appearance(struct found *f, size_t n, struct arena *a)
{
    size_t *new_of = arena_new_array(a, size_t, f->n), n_new = 0;
    size_t *first = arena_new_array(a, size_t, f->n), *count = arena_new_array(a, size_t, f->n);
    bool *seen = arena_new_array(a, bool, f->n);
    for (size_t i = 0; i < n; i++) {
        size_t u = f->inverse[i];
        if (!seen[u]) {
            seen[u] = true;
            new_of[u] = n_new;
            first[n_new] = f->first[u];
            count[n_new++] = f->count[u];
        }
        f->inverse[i] = new_of[u];
    }
    f->first = first;
    f->count = count;
}

static struct found find_unique(const struct slices *all, bool is_sorted, struct arena *a)
{
    size_t n = all->s.n, *order = sorted_order(all, a);
    struct found f = {0, arena_new_array(a, size_t, n), arena_new_array(a, size_t, n),
                      arena_new_array(a, size_t, n)};
    for (size_t i = 0; i < n; i++) {
        if (!i || compare_slices(all, order[i - 1], order[i]))
            f.first[f.n++] = order[i];
        f.count[f.n - 1]++;
        f.inverse[order[i]] = f.n - 1;
    }
    if (!is_sorted)
        renumber_by_appearance(&f, n, a);
    return f;
}

static bool output_list(struct kernel *k, uint32_t o, const size_t *at, size_t n, struct err *e)
{
    if (!kernel__wants(k, o))
        return true;
    if (!kernel__output(k, o, DTYPE_INT64, 1, (int64_t[]){(int64_t)n}, e))
        return false;
    for (size_t i = 0; i < n; i++)
        k->to[o].i[i] = (int64_t)at[i];
    return true;
}

static bool check_order(const struct value *x, struct err *e)
{
    bool has_nan = false;
    for (size_t i = 0; x->storage == STORAGE_F64 && i < x->n; i++)
        has_nan |= isnan(x->f[i]);
    if (has_nan || kernel__is_tainted(x))
        return err_set(e, ERR_UNSUPPORTED, "%s among the elements: their order is not defined",
                       has_nan ? "NaN" : "undefined ones");
    return true;
}

/* Unique: X -> Y (u) or (.., u, ..), first indices (u), inverse (n), counts (u). */
bool kernel__unique(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    bool is_flat = !node_attr(k->n, "axis");
    int64_t axis = node_int(k->n, "axis", 0), dims[TENSOR_RANK_MAX];
    if (!check_order(x, e) || (!is_flat && !kernel__fix_axis(&axis, x->rank, e)))
        return false;
    bool has_exact = k->exact && k->exact->n == x->n && k->exact->storage == x->storage;
    struct slices all = {has_exact ? k->exact : x,
                         is_flat ? (struct axis_split){1, x->n, 1} : axis_split(x, axis)};
    if (!kernel__charge(k, x->n * 8, e))
        return false;
    struct found f = find_unique(&all, node_int(k->n, "sorted", 1), k->scratch);
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[is_flat ? 0 : axis] = (int64_t)f.n;
    if (!kernel__output(k, 0, x->dtype, is_flat ? 1 : x->rank, dims, e))
        return false;
    for (size_t o = 0; o < all.s.outer; o++)
        for (size_t u = 0; u < f.n; u++)
            kernel__copy_run(k, 0, (o * f.n + u) * all.s.inner, 0,
                             (o * all.s.n + f.first[u]) * all.s.inner, all.s.inner);
    return output_list(k, 1, f.first, f.n, e) && output_list(k, 2, f.inverse, all.s.n, e) &&
           output_list(k, 3, f.count, f.n, e);
}
