/*
 * LinearAttention and CausalConvWithState, which carry a state from step to step and return it; and
 * SwiGLU.
 *
 * Rounding: s of the recurrence is the magnitudes summed so far, times the square root of the
 * number of steps.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/kernel_p.h"

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* SwiGLU: A, B of one shape -> A sigmoid(alpha A) B. */
bool kernel__swiglu(struct kernel *k, struct err *e)
{
    const struct value *a = k->in[0], *b = k->in[1];
    double alpha = node_float(k->n, "alpha", 1);
    if (a->rank != b->rank || memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) != 0)
        return err_set(e, ERR_DATA, "A and B differ in their shapes");
    if (!kernel__output_like(k, 0, 0, e))
        return false;
    for (size_t i = 0; i < a->n; i++) {
        k->to[0].f[i] = a->f[i] * sigmoid(alpha * a->f[i]) * b->f[i];
        if (k->want_noise)
            kernel__scales(k, 0)[i] = fabs(a->f[i] * b->f[i]);
    }
    kernel__broadcast_taint(k, 0, 0, 2);
    return true;
}

struct causal {
    size_t batch, channels, length, n; /* n taps */
    bool is_silu;
    const double *bias;
};

static bool read_causal(const struct kernel *k, struct causal *c, struct err *e)
{
    const struct value *x = k->in[0], *w = k->in[1], *bias = kernel__in(k, 2),
                       *past = kernel__in(k, 3);
    struct str activation = node_string(k->n, "activation", STR("none"));
    if (x->rank != 3 || w->rank != 3 || w->dims[0] != x->dims[1] || w->dims[1] != 1 ||
        w->dims[2] < 1)
        return err_set(e, ERR_DATA, "the weights do not fit the input");
    *c = (struct causal){(size_t)x->dims[0], (size_t)x->dims[1],          (size_t)x->dims[2],
                         (size_t)w->dims[2], !str_is(activation, "none"), bias ? bias->f : NULL};
    if (c->is_silu && !str_is(activation, "silu") && !str_is(activation, "swish"))
        return err_set(e, ERR_DATA, "activation '" STR_FMT "' does not exist", STR_ARG(activation));
    bool fits = (!bias || bias->n == c->channels) &&
                (!past || (past->rank == 3 && past->n == c->batch * c->channels * (c->n - 1)));
    return fits || err_set(e, ERR_DATA, "the bias or the state do not fit");
}

/* Convolves one channel of one batch row: puts past and input side by side, then applies the taps.
 */
static void convolve(struct kernel *k, const struct causal *c, size_t row, double *line)
{
    size_t n_past = c->n - 1, channel = row % c->channels;
    const double *w = k->in[1]->f + channel * c->n;
    memset(line, 0, n_past * sizeof *line);
    if (kernel__in(k, 3))
        memcpy(line, k->in[3]->f + row * n_past, n_past * sizeof *line);
    memcpy(line + n_past, k->in[0]->f + row * c->length, c->length * sizeof *line);
    memcpy(k->to[1].f + row * n_past, line + c->length, n_past * sizeof *line);
    for (size_t t = 0; t < c->length; t++) {
        double sum = c->bias ? c->bias[channel] : 0, noise = fabs(sum);
        for (size_t j = 0; j < c->n; j++) {
            sum += w[j] * line[t + j];
            noise += fabs(w[j] * line[t + j]);
        }
        k->to[0].f[row * c->length + t] = c->is_silu ? sum * sigmoid(sum) : sum;
        if (k->want_noise)
            kernel__scales(k, 0)[row * c->length + t] = noise;
    }
}

/* CausalConvWithState: input (B, C, L), weight (C, 1, k), bias, past (B, C, k - 1) -> as input,
 * state. */
bool kernel__causal_conv(struct kernel *k, struct err *e)
{
    struct causal c;
    if (!read_causal(k, &c, e))
        return false;
    int64_t dims[] = {k->in[0]->dims[0], k->in[0]->dims[1], (int64_t)c.n - 1};
    if (!kernel__charge(k, (uint64_t)k->in[0]->n * c.n, e) || !kernel__output_like(k, 0, 0, e) ||
        !kernel__output(k, 1, k->in[0]->dtype, 3, dims, e))
        return false;
    double *line = arena_new_array(k->scratch, double, c.length + c.n);
    for (size_t row = 0; row < c.batch * c.channels; row++)
        convolve(k, &c, row, line);
    return true;
}

enum linear_rule { LINEAR_PLAIN, LINEAR_GATED, LINEAR_DELTA, LINEAR_GATED_DELTA };
static const char *const linear_rules[] = {"linear", "gated", "delta", "gated_delta"};

struct linear {
    enum linear_rule rule;
    size_t batch, length, q_heads, heads, dk, dv;
    size_t n_decay, n_beta; /* numbers per step: 1, heads or heads * dk */
    double scale;
    double *state, *read; /* dk x dv of one head; dv */
};

static bool packed(const struct value *v, size_t batch, size_t length, size_t size)
{
    return v && v->rank == 3 && (size_t)v->dims[0] == batch && (size_t)v->dims[1] == length &&
           (size_t)v->dims[2] == size;
}

static bool read_gates(const struct kernel *k, struct linear *l, struct err *e)
{
    const struct value *decay = kernel__in(k, 4), *beta = kernel__in(k, 5);
    bool has_decay = l->rule == LINEAR_GATED || l->rule == LINEAR_GATED_DELTA;
    bool has_beta = l->rule == LINEAR_DELTA || l->rule == LINEAR_GATED_DELTA;
    l->n_decay = decay && decay->rank == 3 ? (size_t)decay->dims[2] : 0;
    l->n_beta = beta && beta->rank == 3 ? (size_t)beta->dims[2] : 0;
    bool fits = !has_decay || (packed(decay, l->batch, l->length, l->n_decay) &&
                               (l->n_decay == l->heads || l->n_decay == l->heads * l->dk));
    fits = fits && (!has_beta || (packed(beta, l->batch, l->length, l->n_beta) &&
                                  (l->n_beta == 1 || l->n_beta == l->heads)));
    return fits || err_set(e, ERR_DATA, "decay or beta do not fit the update rule");
}

static bool read_linear(const struct kernel *k, struct linear *l, struct err *e)
{
    const struct value *q = k->in[0], *v = k->in[2], *past = kernel__in(k, 3);
    struct str rule = node_string(k->n, "update_rule", STR("gated_delta"));
    int64_t nq = node_int(k->n, "q_num_heads", 0), nk = node_int(k->n, "kv_num_heads", 0);
    size_t i = 0;
    while (i < COUNT_OF(linear_rules) && !str_is(rule, linear_rules[i]))
        i++;
    if (i == COUNT_OF(linear_rules) || nq < 1 || nk < 1 || nq % nk || q->rank != 3 ||
        v->rank != 3 || q->dims[2] % nq || v->dims[2] % nk)
        return err_set(e, ERR_DATA,
                       "rule '" STR_FMT "' with %lld and %lld heads does not fit the inputs",
                       STR_ARG(rule), (long long)nq, (long long)nk);
    l->rule = (enum linear_rule)i;
    l->batch = (size_t)q->dims[0];
    l->length = (size_t)q->dims[1];
    l->q_heads = (size_t)nq;
    l->heads = (size_t)nk;
    l->dk = (size_t)(q->dims[2] / nq);
    l->dv = (size_t)(v->dims[2] / nk);
    double scale = node_float(k->n, "scale", 0);
    l->scale = scale != 0 ? scale : 1 / sqrt((double)l->dk);
    if (!packed(k->in[1], l->batch, l->length, l->heads * l->dk) ||
        !packed(v, l->batch, l->length, l->heads * l->dv) ||
        (past && past->n != l->batch * l->heads * l->dk * l->dv))
        return err_set(e, ERR_DATA, "key, value or past_state do not fit the query");
    return read_gates(k, l, e);
}

/* Adds one token to the state of head h; `row` is (batch, step). */
static void update(struct kernel *k, const struct linear *l, size_t row, size_t h)
{
    const double *key = k->in[1]->f + (row * l->heads + h) * l->dk;
    const double *value = k->in[2]->f + (row * l->heads + h) * l->dv;
    bool decays = l->rule == LINEAR_GATED || l->rule == LINEAR_GATED_DELTA;
    bool corrects = l->rule == LINEAR_DELTA || l->rule == LINEAR_GATED_DELTA;
    for (size_t i = 0; decays && i < l->dk; i++) {
        size_t at = l->n_decay == l->heads ? h : h * l->dk + i;
        double gate = exp(k->in[4]->f[row * l->n_decay + at]);
        for (size_t j = 0; j < l->dv; j++)
            l->state[i * l->dv + j] *= gate;
    }
    double beta = corrects ? k->in[5]->f[row * l->n_beta + (l->n_beta == 1 ? 0 : h)] : 1;
    memset(l->read, 0, l->dv * sizeof *l->read);
    for (size_t i = 0; corrects && i < l->dk; i++)
        for (size_t j = 0; j < l->dv; j++)
            l->read[j] += l->state[i * l->dv + j] * key[i];
    for (size_t i = 0; i < l->dk; i++)
        for (size_t j = 0; j < l->dv; j++)
            l->state[i * l->dv + j] += beta * key[i] * (value[j] - l->read[j]);
}

/* Writes what the query heads of a group read from the state. */
static void read_out(struct kernel *k, const struct linear *l, size_t row, size_t h, double steps)
{
    size_t group = l->q_heads / l->heads;
    for (size_t q = h * group; q < (h + 1) * group; q++) {
        const double *query = k->in[0]->f + (row * l->q_heads + q) * l->dk;
        size_t to = (row * l->q_heads + q) * l->dv;
        for (size_t j = 0; j < l->dv; j++) {
            double sum = 0, size = 0;
            for (size_t i = 0; i < l->dk; i++) {
                sum += query[i] * l->state[i * l->dv + j];
                size += fabs(query[i] * l->state[i * l->dv + j]);
            }
            k->to[0].f[to + j] = l->scale * sum;
            if (k->want_noise)
                kernel__scales(k, 0)[to + j] = sqrt(steps) * fabs(l->scale) * size;
        }
    }
}

/* LinearAttention: query, key, value, past state, decay, beta -> (B, T, Hq dv), state (B, H, dk,
 * dv). */
bool kernel__linear_attention(struct kernel *k, struct err *e)
{
    struct linear l = {0};
    const struct value *past = kernel__in(k, 3);
    if (!read_linear(k, &l, e))
        return false;
    int64_t out[] = {(int64_t)l.batch, (int64_t)l.length, (int64_t)(l.q_heads * l.dv)};
    int64_t state[] = {(int64_t)l.batch, (int64_t)l.heads, (int64_t)l.dk, (int64_t)l.dv};
    size_t n_state = l.dk * l.dv;
    if (!kernel__charge(k, (uint64_t)l.batch * l.length * (3 * l.heads + l.q_heads) * n_state, e) ||
        !kernel__output(k, 0, k->in[0]->dtype, 3, out, e) ||
        !kernel__output(k, 1, past ? past->dtype : k->in[0]->dtype, 4, state, e))
        return false;
    l.read = arena_new_array(k->scratch, double, l.dv);
    for (size_t i = 0; i < l.batch * l.heads; i++) {
        l.state = k->to[1].f + i * n_state;
        if (past && n_state)
            memcpy(l.state, past->f + i * n_state, n_state * sizeof *l.state);
        for (size_t t = 0; t < l.length; t++) {
            size_t row = i / l.heads * l.length + t;
            update(k, &l, row, i % l.heads);
            read_out(k, &l, row, i % l.heads, (double)(t + 1));
        }
        for (size_t j = 0; k->want_noise && j < n_state; j++)
            kernel__scales(k, 1)[i * n_state + j] = sqrt((double)l.length) * fabs(l.state[j]);
    }
    return true;
}
