/*
 * Attention: softmax(scale Q K' + bias) V, with cached keys in front, grouped heads, masks and
 * windows.
 *
 * One query row at a time: scores, soft cap, bias, softmax, weighted values. A row that may attend
 * to no key gives zeros, as the text says. Rounding: the error of a score has a part from its sum
 * and one from its own size; the error of the result is twice the largest of these, times the
 * weighted magnitude of the values. Their unit is at least float's: the standard's function body
 * takes the root of the scale in float, whatever dtype Q has, and the softmax in softmax_precision.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/kernel_p.h"

struct attention {
    size_t batch, q_heads, kv_heads, n_q, n_k, n_past, n_total, size, v_size;
    bool is_flat; /* inputs of rank 3 */
    double scale, softcap;
    int64_t left, right, mode;
    bool is_causal;
    const struct value *mask;
    const int64_t *valid;        /* keys that count in each batch row, or NULL */
    const double *keys, *values; /* (batch, kv_heads, n_total, size) */
    double *scores;              /* of one row */
};

static bool need_dims(const struct value *v, const size_t *dims, const char *name, struct err *e)
{
    bool fits = v->rank == 4;
    for (uint32_t d = 0; fits && d < 4; d++)
        fits = (size_t)v->dims[d] == dims[d];
    return fits || err_set(e, ERR_DATA, "the shape of %s does not fit", name);
}

static bool read_sizes(const struct kernel *k, struct attention *a, struct err *e)
{
    const struct value *q = k->in[0], *key = k->in[1], *v = k->in[2], *past = kernel__in(k, 4);
    a->is_flat = q->rank == 3;
    if ((q->rank != 3 && q->rank != 4) || key->rank != q->rank || v->rank != q->rank)
        return err_set(e, ERR_DATA, "Q, K, V of ranks %u, %u, %u", q->rank, key->rank, v->rank);
    int64_t nq = a->is_flat ? node_int(k->n, "q_num_heads", 0) : q->dims[1];
    int64_t nk = a->is_flat ? node_int(k->n, "kv_num_heads", 0) : key->dims[1];
    if (nq < 1 || nk < 1 || nq % nk || q->dims[0] != key->dims[0] || q->dims[0] != v->dims[0])
        return err_set(e, ERR_DATA, "%lld heads of Q, %lld of K and V", (long long)nq,
                       (long long)nk);
    a->batch = (size_t)q->dims[0];
    a->q_heads = (size_t)nq;
    a->kv_heads = (size_t)nk;
    uint32_t at = a->is_flat ? 1 : 2;
    a->n_q = (size_t)q->dims[at];
    a->n_k = (size_t)key->dims[at];
    a->size = (size_t)q->dims[at + 1] / (a->is_flat ? a->q_heads : 1);
    a->v_size = (size_t)v->dims[at + 1] / (a->is_flat ? a->kv_heads : 1);
    a->n_past = past && past->rank == 4 ? (size_t)past->dims[2] : 0;
    a->n_total = a->n_past + a->n_k;
    size_t each = a->is_flat ? a->kv_heads : 1;
    bool fits = (size_t)q->dims[at + 1] == a->size * (a->is_flat ? a->q_heads : 1) &&
                (size_t)key->dims[at + 1] == a->size * each && (size_t)v->dims[at] == a->n_k &&
                (size_t)v->dims[at + 1] == a->v_size * each &&
                (a->is_flat || v->dims[1] == key->dims[1]);
    if (!fits)
        return err_set(e, ERR_DATA, "the shapes of Q, K and V do not fit");
    return a->size || err_set(e, ERR_UNSUPPORTED, "heads of size 0: 1 / sqrt(0) is no scale");
}

static bool read_options(const struct kernel *k, struct attention *a, struct err *e)
{
    const struct value *valid = kernel__in(k, 6), *past = kernel__in(k, 4), *pv = kernel__in(k, 5);
    a->scale = node_attr(k->n, "scale") ? node_float(k->n, "scale", 1) : 1 / sqrt((double)a->size);
    a->softcap = node_float(k->n, "softcap", 0);
    a->is_causal = node_int(k->n, "is_causal", 0) != 0;
    a->left = node_int(k->n, "left_window_size", -1);
    a->right = node_int(k->n, "right_window_size", -1);
    a->mode = node_int(k->n, "qk_matmul_output_mode", 0);
    a->mask = kernel__in(k, 3);
    if (!past != !pv || (past && valid))
        return err_set(e, ERR_DATA, "past_key, past_value and nonpad_kv_seqlen do not fit");
    if (past &&
        (!need_dims(past, (size_t[]){a->batch, a->kv_heads, a->n_past, a->size}, "past_key", e) ||
         !need_dims(pv, (size_t[]){a->batch, a->kv_heads, a->n_past, a->v_size}, "past_value", e)))
        return false;
    if (a->mask && a->mask->storage != STORAGE_F64 && a->mask->storage != STORAGE_BOOL)
        return err_set(e, ERR_UNSUPPORTED, "a mask of %s", dtype_name(a->mask->dtype));
    if (valid && valid->n != a->batch)
        return err_set(e, ERR_DATA, "nonpad_kv_seqlen has %zu elements", valid->n);
    a->valid = valid ? valid->i : NULL;
    return a->mode >= 0 && a->mode <= 3
               ? true
               : err_set(e, ERR_DATA, "qk_matmul_output_mode is %lld", (long long)a->mode);
}

static bool check_mask(const struct attention *a, struct err *e)
{
    const struct value *m = a->mask;
    const size_t full[4] = {a->batch, a->q_heads, a->n_q, a->n_total};
    bool fits = !m || (m->rank >= 1 && m->rank <= 4);
    for (uint32_t d = 0; m && fits && d < m->rank; d++) {
        size_t size = full[4 - m->rank + d], own = (size_t)m->dims[d];
        fits = own == size || own == 1 || (d + 1 == m->rank && own < size);
    }
    return fits || err_set(e, ERR_DATA, "the mask cannot be broadcast to the scores");
}

/* Joins the past and the new keys or values: (batch, kv_heads, n_total, size) as output o. */
static bool join_cache(struct kernel *k, const struct attention *a, uint32_t o, size_t size,
                       struct err *e)
{
    uint32_t in = o, past = o + 3;
    int64_t dims[] = {(int64_t)a->batch, (int64_t)a->kv_heads, (int64_t)a->n_total, (int64_t)size};
    if (!kernel__output(k, o, k->in[in]->dtype, 4, dims, e))
        return false;
    for (size_t row = 0; row < a->batch * a->kv_heads; row++) {
        size_t b = row / a->kv_heads, h = row % a->kv_heads, to = row * a->n_total * size;
        if (a->n_past)
            kernel__copy_run(k, o, to, past, row * a->n_past * size, a->n_past * size);
        for (size_t j = 0; j < a->n_k; j++) {
            size_t from = a->is_flat ? ((b * a->n_k + j) * a->kv_heads + h) * size
                                     : (row * a->n_k + j) * size;
            kernel__copy_run(k, o, to + (a->n_past + j) * size, in, from, size);
        }
    }
    kernel__no_taint(k, o);
    kernel__set_exact(k, o, k->in[in]->exact && (!a->n_past || k->in[past]->exact));
    return true;
}

/* What mask, causality, window and padding add to score j of a row. -infinity: key j is not
 * attended to. */
static double bias_of(const struct attention *a, const size_t row[3], size_t j)
{
    size_t b = row[0], i = row[2];
    int64_t offset = a->valid ? a->valid[b] - (int64_t)a->n_q : (int64_t)a->n_past;
    int64_t position = offset + (int64_t)i, key = (int64_t)j;
    double none = -(double)INFINITY, bias = 0;
    if ((a->valid && key >= a->valid[b]) || (a->is_causal && key > position) ||
        (a->left >= 0 && key < position - a->left) || (a->right >= 0 && key > position + a->right))
        return none;
    const struct value *m = a->mask;
    if (!m)
        return 0;
    const size_t at[4] = {row[0], row[1], i, j};
    size_t from = 0;
    for (uint32_t d = 0; d < m->rank; d++) {
        size_t own = (size_t)m->dims[d], here = at[4 - m->rank + d];
        if (own <= here && own != 1)
            return none; /* a shorter last dim is padded */
        from = from * own + (own == 1 ? 0 : here);
    }
    if (m->rank && m->dims[m->rank - 1] == 1 && a->n_total > 1 && j > 0)
        return none; /* a mask of one key is a short one, too */
    bias = m->storage == STORAGE_BOOL ? (m->b[from] ? 0 : none) : m->f[from];
    return bias;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Writes output 3 for one row, if it is wanted and qk_matmul_output_mode names this stage. */
static void show(struct kernel *k, const struct attention *a, int64_t stage, size_t at,
                 double noise)
{
    if (a->mode != stage || !kernel__wants(k, 3))
        return;
    memcpy(k->to[3].f + at, a->scores, a->n_total * sizeof *a->scores);
    for (size_t j = 0; k->want_noise && j < a->n_total; j++)
        kernel__scales(k, 3)[at + j] = stage == 3 ? noise * a->scores[j] : noise;
}

/* Turns scores into probabilities; a row without keys becomes zeros. */
static void softmax_row(double *s, size_t n)
{
    double most = -(double)INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++)
        most = s[j] > most || isnan(s[j]) ? s[j] : most;
    for (size_t j = 0; j < n; j++) {
        s[j] = most == -(double)INFINITY ? 0 : exp(s[j] - most);
        sum += s[j];
    }
    for (size_t j = 0; j < n && sum != 0; j++)
        s[j] /= sum;
}

/* Computes the result of one query; `row` is (batch, head, position). */
static void attend(struct kernel *k, const struct attention *a, const size_t row[3])
{
    size_t b = row[0], h = row[1], i = row[2], group = a->q_heads / a->kv_heads;
    size_t q_at =
        a->is_flat ? (b * a->n_q + i) * a->q_heads + h : (b * a->q_heads + h) * a->n_q + i;
    size_t cache = (b * a->kv_heads + h / group) * a->n_total;
    size_t score_at = ((b * a->q_heads + h) * a->n_q + i) * a->n_total;
    const double *q = k->in[0]->f + q_at * a->size, *keys = a->keys + cache * a->size;
    double *s = a->scores, noise = 0, factor = MAX(1, sqrt((double)a->size) / 8);
    for (size_t j = 0; j < a->n_total; j++) {
        const double *key = keys + j * a->size;
        s[j] = a->scale * dot(q, key, a->size);
        if (k->want_noise)
            noise = MAX(noise, fabs(s[j]) + fabs(a->scale) * factor *
                                                sqrt(dot(q, q, a->size) * dot(key, key, a->size)));
    }
    show(k, a, 0, score_at, noise);
    for (size_t j = 0; a->softcap != 0 && j < a->n_total; j++)
        s[j] = a->softcap * tanh(s[j] / a->softcap);
    show(k, a, 1, score_at, noise + fabs(a->softcap));
    for (size_t j = 0; j < a->n_total; j++) {
        double bias = bias_of(a, row, j);
        s[j] += bias;
        noise = isfinite(bias) ? MAX(noise, noise + fabs(bias)) : noise;
    }
    show(k, a, 2, score_at, noise);
    softmax_row(s, a->n_total);
    show(k, a, 3, score_at, 2 * noise + 1);
    const double *values = a->values + cache * a->v_size;
    for (size_t c = 0; c < a->v_size; c++) {
        double sum = 0, size = 0;
        for (size_t j = 0; j < a->n_total; j++) {
            if (s[j] == 0)
                continue; /* not attended to, whatever its value */
            sum += s[j] * values[j * a->v_size + c];
            size += s[j] * fabs(values[j * a->v_size + c]);
        }
        k->to[0].f[q_at * a->v_size + c] = sum;
        if (k->want_noise)
            kernel__scales(k, 0)[q_at * a->v_size + c] = (2 * noise + 1) * size;
    }
}

/* The coarsest precision on the way from Q, K and V to outputs 0 and 3. */
static double unit_of(const struct kernel *k)
{
    int64_t t = node_int(k->n, "softmax_precision", DTYPE_FLOAT);
    bool is_float = t > 0 && t < DTYPE_COUNT && dtype_is_float((enum dtype)t);
    return MAX(dtype_unit(DTYPE_FLOAT), is_float ? dtype_unit((enum dtype)t) : 0);
}

/* Attention: Q (B, H, q, d) or (B, q, H d), K, V, mask, past key and value, valid lengths -> Y,
 * caches, scores. */
bool kernel__attention(struct kernel *k, struct err *e)
{
    struct attention a = {0};
    const struct value *q = k->in[0];
    int64_t dims[4];
    if (!read_sizes(k, &a, e) || !read_options(k, &a, e) || !check_mask(&a, e))
        return false;
    uint64_t n_work = (uint64_t)a.batch * a.q_heads * a.n_q * a.n_total * (a.size + a.v_size);
    memcpy(dims, q->dims, q->rank * sizeof *dims);
    dims[q->rank - 1] = (int64_t)(a.v_size * (a.is_flat ? a.q_heads : 1));
    if (!kernel__charge(k, n_work, e) || !kernel__output(k, 0, q->dtype, q->rank, dims, e) ||
        !join_cache(k, &a, 1, a.size, e) || !join_cache(k, &a, 2, a.v_size, e))
        return false;
    int64_t scores[] = {(int64_t)a.batch, (int64_t)a.q_heads, (int64_t)a.n_q, (int64_t)a.n_total};
    if (kernel__wants(k, 3) && !kernel__output(k, 3, q->dtype, 4, scores, e))
        return false;
    k->out[0].unit = unit_of(k);
    if (kernel__wants(k, 3))
        k->out[3].unit = unit_of(k);
    a.keys = k->out[1].f;
    a.values = k->out[2].f;
    a.scores = arena_new_array(k->scratch, double, a.n_total);
    for (size_t i = 0; i < a.batch * a.q_heads * a.n_q; i++)
        attend(k, &a, (size_t[]){i / (a.q_heads * a.n_q), i / a.n_q % a.q_heads, i % a.n_q});
    return true;
}
