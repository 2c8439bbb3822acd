/*
 * NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: the loss of each sample, then the
 * reduction: none, sum or mean. The mean divides by the sum of the weights that were applied, so
 * ignored samples do not count. Also Det.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/kernel_p.h"

/* A node's samples: element (n, c, d) of the input is at (n * n_classes + c) * inner + d. */
struct loss {
    size_t n_classes, inner, n; /* n samples */
    bool has_ignored;
    int64_t ignored;
    const int64_t *target;
    const double *weight, *y; /* y: log-probabilities */
    double unit_scale;        /* s of one log-probability */
};

static bool read_loss(const struct kernel *k, struct loss *l, struct err *e)
{
    const struct value *x = k->in[0], *target = k->in[1], *weight = kernel__in(k, 2);
    bool fits = x->rank >= 2 && target->rank == x->rank - 1;
    for (uint32_t d = 0; fits && d < target->rank; d++)
        fits = target->dims[d] == x->dims[d + (d > 0)];
    if (!fits || (weight && (weight->rank != 1 || weight->dims[0] != x->dims[1])))
        return err_set(e, ERR_DATA, "the target or the weights do not fit the input");
    l->n_classes = (size_t)x->dims[1];
    l->inner = axis_split(x, 1).inner;
    l->n = target->n;
    l->has_ignored = node_attr(k->n, "ignore_index") != NULL;
    l->ignored = node_int(k->n, "ignore_index", 0);
    l->target = target->i;
    l->weight = weight ? weight->f : NULL;
    for (size_t i = 0; i < l->n; i++) {
        int64_t c = l->target[i];
        if (!(l->has_ignored && c == l->ignored) && (c < 0 || c >= (int64_t)l->n_classes))
            return err_set(e, ERR_DATA, "class %lld of %zu", (long long)c, l->n_classes);
    }
    return true;
}

/* Returns the weight of sample i, 0 when it is ignored; *loss is its loss. */
static double sample_of(const struct loss *l, size_t i, double *loss)
{
    int64_t c = l->target[i];
    *loss = 0;
    if (l->has_ignored && c == l->ignored)
        return 0;
    double w = l->weight ? l->weight[c] : 1;
    size_t at = (i / l->inner * l->n_classes + (size_t)c) * l->inner + i % l->inner;
    *loss = -l->y[at] * w;
    return w;
}

static bool reduce_loss(struct kernel *k, const struct loss *l, struct err *e)
{
    struct str reduction = node_string(k->n, "reduction", STR("mean"));
    bool is_none = str_is(reduction, "none"), is_mean = str_is(reduction, "mean");
    double sum = 0, weights = 0, noise = 0, loss;
    if (!is_none && !is_mean && !str_is(reduction, "sum"))
        return err_set(e, ERR_DATA, "reduction '" STR_FMT "' does not exist", STR_ARG(reduction));
    if (!kernel__output(k, 0, k->in[0]->dtype, is_none ? k->in[1]->rank : 0, k->in[1]->dims, e))
        return false;
    for (size_t i = 0; i < l->n; i++) {
        double w = sample_of(l, i, &loss), s = fabs(w) * l->unit_scale;
        sum += loss;
        weights += w;
        noise += s + fabs(loss);
        if (is_none)
            k->to[0].f[i] = loss;
        if (is_none && k->want_noise)
            kernel__scales(k, 0)[i] = s;
    }
    if (is_none)
        return true;
    k->to[0].f[0] = is_mean ? sum / weights : sum;
    if (k->want_noise)
        kernel__scales(k, 0)[0] = is_mean ? noise / fabs(weights) : noise;
    return true;
}

/* NegativeLogLikelihoodLoss: input (N, C, d..), target (N, d..), weight (C) -> loss. */
bool kernel__nll_loss(struct kernel *k, struct err *e)
{
    struct loss l = {.y = k->in[0]->f};
    return read_loss(k, &l, e) && kernel__charge(k, l.n, e) && reduce_loss(k, &l, e);
}

static void log_softmax(const struct value *x, const struct loss *l, double *y)
{
    for (size_t i = 0; i < l->n; i++) {
        size_t first = i / l->inner * l->n_classes * l->inner + i % l->inner;
        double most = -(double)INFINITY, sum = 0;
        for (size_t c = 0; c < l->n_classes; c++)
            most = fmax(most, x->f[first + c * l->inner]);
        for (size_t c = 0; c < l->n_classes; c++)
            sum += exp(x->f[first + c * l->inner] - most);
        for (size_t c = 0; c < l->n_classes; c++)
            y[first + c * l->inner] = x->f[first + c * l->inner] - most - log(sum);
    }
}

/* SoftmaxCrossEntropyLoss: scores (N, C, d..), labels (N, d..), weights (C) -> loss, log_prob as
 * scores. */
bool kernel__cross_entropy(struct kernel *k, struct err *e)
{
    struct loss l = {.unit_scale = 1};
    if (!k->in[0]->n)
        return err_set(e, ERR_UNSUPPORTED,
                       "scores without elements: the standard's function body "
                       "cannot reshape them");
    if (!read_loss(k, &l, e) || !kernel__charge(k, k->in[0]->n, e) ||
        !kernel__output_like(k, 1, 0, e))
        return false;
    log_softmax(k->in[0], &l, k->to[1].f);
    l.y = k->to[1].f;
    k->out[1].noise_scale = 1;
    return reduce_loss(k, &l, e);
}

/* Determinant of an n x n matrix, by elimination with pivots, which overwrites it. */
static double determinant(double *m, size_t n)
{
    double det = 1;
    for (size_t c = 0; c < n; c++) {
        size_t best = c;
        for (size_t r = c + 1; r < n; r++)
            if (fabs(m[r * n + c]) > fabs(m[best * n + c]))
                best = r;
        if (m[best * n + c] == 0)
            return 0;
        for (size_t j = 0; best != c && j < n; j++) {
            double swap = m[c * n + j];
            m[c * n + j] = m[best * n + j];
            m[best * n + j] = swap;
        }
        det *= best != c ? -m[c * n + c] : m[c * n + c];
        for (size_t r = c + 1; r < n; r++) {
            double factor = m[r * n + c] / m[c * n + c];
            for (size_t j = c; j < n; j++)
                m[r * n + j] -= factor * m[c * n + j];
        }
    }
    return det;
}

/* Product of the rows' lengths: an upper bound of a determinant's magnitude. */
static double hadamard(const double *m, size_t n)
{
    double product = 1;
    for (size_t r = 0; r < n; r++) {
        double squares = 0;
        for (size_t c = 0; c < n; c++)
            squares += m[r * n + c] * m[r * n + c];
        product *= sqrt(squares);
    }
    return product;
}

/* Det: (*, M, M) -> (*). */
bool kernel__det(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    if (x->rank < 2 || x->dims[x->rank - 1] != x->dims[x->rank - 2])
        return err_set(e, ERR_DATA, "the last two dims are no square");
    size_t n = (size_t)x->dims[x->rank - 1];
    if (!kernel__charge(k, x->n * n, e) || !kernel__output(k, 0, x->dtype, x->rank - 2, x->dims, e))
        return false;
    double *m = arena_new_array(k->scratch, double, n *n);
    for (size_t i = 0; i < k->out[0].n; i++) {
        memcpy(m, x->f + i * n * n, n * n * sizeof *m);
        k->to[0].f[i] = determinant(m, n);
        if (k->want_noise)
            kernel__scales(k, 0)[i] = (double)n * hadamard(x->f + i * n * n, n);
    }
    return true;
}
