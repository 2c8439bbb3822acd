/*
 * RotaryEmbedding: pairs of elements of each head turned by angles whose cosines and sines are
 * given; the pairs are halves apart or neighbours. Elements after rotary_embedding_dim stay.
 */
#include <math.h>

#include "onnx/eval/kernel_p.h"

struct rotary {
    size_t batch, heads, length, size, half;
    bool is_flat, is_interleaved;
};

static bool read_rotary(const struct kernel *k, struct rotary *r, struct err *e)
{
    const struct value *x = k->in[0];
    int64_t heads = node_int(k->n, "num_heads", 0),
            part = node_int(k->n, "rotary_embedding_dim", 0);
    r->is_flat = x->rank == 3;
    if ((x->rank != 3 && x->rank != 4) || (r->is_flat && (heads < 1 || x->dims[2] % heads)))
        return err_set(e, ERR_DATA, "an input of rank %u, %lld heads", x->rank, (long long)heads);
    r->batch = (size_t)x->dims[0];
    r->heads = (size_t)(r->is_flat ? heads : x->dims[1]);
    r->length = (size_t)x->dims[r->is_flat ? 1 : 2];
    r->size = (size_t)(r->is_flat ? x->dims[2] / heads : x->dims[3]);
    part = part ? part : (int64_t)r->size;
    if (part < 0 || part % 2 || (size_t)part > r->size)
        return err_set(e, ERR_DATA, "rotary_embedding_dim is %lld of %zu", (long long)part,
                       r->size);
    r->half = (size_t)part / 2;
    r->is_interleaved = node_int(k->n, "interleaved", 0) != 0;
    return true;
}

/* Row of the caches for each (batch, position). */
static bool cache_rows(struct kernel *k, const struct rotary *r, size_t *rows, struct err *e)
{
    const struct value *c = k->in[1], *s = k->in[2], *at = kernel__in(k, 3);
    size_t n = r->batch * r->length;
    bool fits = c->rank == (at ? 2u : 3u) && s->rank == c->rank && c->n == s->n &&
                (size_t)c->dims[c->rank - 1] == r->half;
    fits = fits &&
           (at ? at->n == n : (size_t)c->dims[0] == r->batch && (size_t)c->dims[1] == r->length);
    if (!fits)
        return err_set(e, ERR_DATA, "the caches or position_ids do not fit");
    for (size_t i = 0; i < n; i++) {
        if (at && (at->i[i] < 0 || at->i[i] >= c->dims[0]))
            return err_set(e, ERR_DATA, "position %lld in caches of %lld", (long long)at->i[i],
                           (long long)c->dims[0]);
        rows[i] = at ? (size_t)at->i[i] : i;
    }
    return true;
}

static void turn(struct kernel *k, const struct rotary *r, size_t from, size_t row)
{
    const double *x = k->in[0]->f + from, *c = k->in[1]->f + row * r->half;
    const double *s = k->in[2]->f + row * r->half;
    double *y = k->to[0].f + from;
    for (size_t j = 0; j < r->half; j++) {
        size_t a = r->is_interleaved ? 2 * j : j, b = r->is_interleaved ? 2 * j + 1 : j + r->half;
        y[a] = c[j] * x[a] - s[j] * x[b];
        y[b] = s[j] * x[a] + c[j] * x[b];
        if (k->want_noise) {
            kernel__scales(k, 0)[from + a] = fabs(c[j] * x[a]) + fabs(s[j] * x[b]);
            kernel__scales(k, 0)[from + b] = fabs(s[j] * x[a]) + fabs(c[j] * x[b]);
        }
    }
    for (size_t j = 2 * r->half; j < r->size; j++)
        y[j] = x[j];
}

/* RotaryEmbedding: X (B, heads, length, size) or (B, length, heads size), cos, sin, positions -> as
 * X. */
bool kernel__rotary(struct kernel *k, struct err *e)
{
    struct rotary r;
    if (!read_rotary(k, &r, e))
        return false;
    size_t *rows = arena_new_array(k->scratch, size_t, r.batch * r.length);
    if (!cache_rows(k, &r, rows, e) || !kernel__charge(k, 4 * k->in[0]->n, e) ||
        !kernel__output_like(k, 0, 0, e))
        return false;
    for (size_t b = 0; b < r.batch; b++)
        for (size_t h = 0; h < r.heads; h++)
            for (size_t i = 0; i < r.length; i++) {
                size_t at =
                    r.is_flat ? (b * r.length + i) * r.heads + h : (b * r.heads + h) * r.length + i;
                turn(k, &r, at * r.size, rows[b * r.length + i]);
            }
    return true;
}
