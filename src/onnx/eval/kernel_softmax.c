/*
 * Softmax, LogSoftmax, Hardmax. Before opset 13 the input is coerced to two dims at the axis; since
 * then the axis alone counts.
 *
 * Exponentials are taken of x - max, which gives the text's quotient without overflow. In a slice
 * with +infinity that quotient and the standard's own function body differ, so finite elements are
 * marked undefined there.
 */
#include <math.h>

#include "onnx/eval/kernel_p.h"

/* The slices, each of which is one distribution. */
static bool slices_of(const struct kernel *k, struct axis_split *s, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t axis = node_int(k->n, "axis", -1);
    if (!kernel__fix_axis(&axis, x->rank, e))
        return false;
    *s = axis_split(x, axis);
    if (k->n->fact->since_version < 13)
        *s = (struct axis_split){s->outer, s->n * s->inner, 1};
    return true;
}

static double largest_of(const double *x, struct axis_split s)
{
    double most = -(double)INFINITY;
    for (size_t j = 0; j < s.n; j++)
        if (x[j * s.inner] > most)
            most = x[j * s.inner];
    return most;
}

static bool softmax(struct kernel *k, bool takes_log, struct err *e)
{
    const struct value *x = k->in[0];
    struct axis_split s;
    if (!slices_of(k, &s, e) || !kernel__charge(k, x->n, e) || !kernel__output_like(k, 0, 0, e))
        return false;
    for (size_t i = 0; i < s.outer * s.inner; i++) {
        size_t first = i / s.inner * s.n * s.inner + i % s.inner;
        double most = largest_of(x->f + first, s), sum = 0;
        bool is_open = false;
        for (size_t j = 0; j < s.n; j++) {
            size_t at = first + j * s.inner;
            sum += exp(x->f[at] - most);
            is_open |= x->undefined && x->undefined[at];
        }
        for (size_t j = 0; j < s.n; j++) {
            size_t at = first + j * s.inner;
            double y = x->f[at] - most;
            k->to[0].f[at] = takes_log ? y - log(sum) : exp(y) / sum;
            if (is_open || (isinf(most) && most > 0 && isfinite(x->f[at])))
                kernel__undefined(k, 0)[at] = 1;
        }
    }
    kernel__no_taint(k, 0);
    return true;
}

/* Softmax: as input; exp(x) / sum(exp(x)). */
bool kernel__softmax(struct kernel *k, struct err *e)
{
    return softmax(k, false, e);
}

/* LogSoftmax: as input; the logarithm of Softmax. */
bool kernel__log_softmax(struct kernel *k, struct err *e)
{
    return softmax(k, true, e);
}

/* The first maximum of a slice, and the distance of the next best value to it. */
struct winner {
    size_t at;
    double most, second;
    bool is_open; /* NaN or an undefined element: no order */
};

static struct winner winner_of(const struct value *x, struct axis_split s, size_t first)
{
    struct winner w = {0, -(double)INFINITY, -(double)INFINITY, false};
    bool has = false;
    for (size_t j = 0; j < s.n; j++) {
        double v = x->f[first + j * s.inner];
        w.is_open |= isnan(v) || (x->undefined && x->undefined[first + j * s.inner]);
        if (!has || v > w.most) {
            w.second = has ? w.most : w.second;
            w.most = v;
            w.at = j;
            has = true;
        } else if (v > w.second) {
            w.second = v;
        }
    }
    return w;
}

/* Hardmax: as input; 1 at the first maximum of each slice, else 0. */
bool kernel__hardmax(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    struct axis_split s;
    if (!slices_of(k, &s, e) || !kernel__charge(k, x->n, e) || !kernel__output_like(k, 0, 0, e))
        return false;
    for (size_t i = 0; i < s.outer * s.inner; i++) {
        size_t first = i / s.inner * s.n * s.inner + i % s.inner;
        struct winner w = winner_of(x, s, first);
        for (size_t j = 0; j < s.n; j++) {
            size_t at = first + j * s.inner;
            k->to[0].f[at] = j == w.at;
            if (w.is_open)
                kernel__undefined(k, 0)[at] = 1;
            if (k->want_margins) {
                double gap = w.most - (j == w.at ? w.second : x->f[at]);
                kernel__margin(k, 0)[at] = isnan(gap) ? 0 : gap / 2;
            }
        }
    }
    kernel__no_taint(k, 0);
    kernel__set_exact(k, 0, x->exact);
    return true;
}
