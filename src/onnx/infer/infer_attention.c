/* Shapes of Attention and RotaryEmbedding. */
#include "onnx/infer/infer_axes_p.h"

/* Q, K or V as (batch, heads, length, size), which may be given as (batch, length, heads * size).
 */
struct heads {
    struct dim batch, n, length, size;
};

static bool heads_of(const struct infer *in, uint32_t i, const char *attr, struct heads *h,
                     struct err *e)
{
    const struct shape *s = infer__shape(in, i);
    int64_t n = node_int(in->n, attr, 0);
    *h = (struct heads){dim_unknown(), dim_unknown(), dim_unknown(), dim_unknown()};
    if (!infer__need_rank(in, i, 3, 4, e))
        return false;
    if (!s->known)
        return true;
    if (s->rank == 4) {
        *h = (struct heads){s->dims[0], s->dims[1], s->dims[2], s->dims[3]};
        return !node_attr(in->n, attr) ||
               err_set(e, ERR_DATA, "%s beside inputs of rank 4, whose dim 1 has the heads", attr);
    }
    if (n < 1)
        return err_set(e, ERR_DATA, "inputs of rank 3 without %s", attr);
    if (s->dims[2].value >= 0 && s->dims[2].value % n)
        return err_set(e, ERR_DATA, "%lld elements for %lld heads", (long long)s->dims[2].value,
                       (long long)n);
    *h = (struct heads){s->dims[0], dim_of(n), s->dims[1], dim_unknown()};
    if (s->dims[2].value >= 0)
        h->size = dim_of(s->dims[2].value / n);
    return true;
}

static struct dim sum_of(struct dim a, struct dim b)
{
    if (a.value >= 0 && b.value >= 0)
        return dim_of(a.value + b.value);
    return b.value == 0 ? a : dim_unknown();
}

static struct shape four(const struct infer *in, struct dim a, struct dim b, struct dim c,
                         struct dim d)
{
    struct shape s = infer__new_shape(in, 4);
    s.dims[0] = a;
    s.dims[1] = b;
    s.dims[2] = c;
    s.dims[3] = d;
    return s;
}

static bool check_heads(const struct heads *q, const struct heads *k, const struct heads *v,
                        struct err *e)
{
    if (dim__differ(q->size, k->size) || dim__differ(k->n, v->n) ||
        dim__differ(k->length, v->length) || dim__differ(q->batch, k->batch) ||
        dim__differ(k->batch, v->batch))
        return err_set(e, ERR_DATA, "the shapes of Q, K and V do not fit");
    if (q->n.value >= 0 && k->n.value > 0 && q->n.value % k->n.value)
        return err_set(e, ERR_DATA, "%lld heads of Q for %lld of K", (long long)q->n.value,
                       (long long)k->n.value);
    return true;
}

/* Attention: Y as Q with V's size; the caches with the past in front; scores (B, heads, Q, keys).
 */
bool infer__attention(struct infer *in, struct err *e)
{
    const struct shape *sq = infer__shape(in, 0), *past = infer__shape(in, 4);
    struct heads q, k, v;
    enum dtype t = infer__dtype(in, 0), tv = infer__dtype(in, 2);
    if (!heads_of(in, 0, "q_num_heads", &q, e) || !heads_of(in, 1, "kv_num_heads", &k, e) ||
        !heads_of(in, 2, "kv_num_heads", &v, e) || !check_heads(&q, &k, &v, e) ||
        !infer__need_rank(in, 4, 4, 4, e) || !infer__need_rank(in, 5, 4, 4, e))
        return false;
    if (infer__has(in, 4) != infer__has(in, 5))
        return err_set(e, ERR_DATA, "past_key and past_value must be given together");
    if (infer__wants(in, 1) != infer__wants(in, 2))
        return err_set(e, ERR_DATA, "present_key and present_value must be taken together");
    struct dim before = !infer__has(in, 4) ? dim_of(0)
                        : past->known      ? past->dims[2]
                                           : dim_unknown();
    struct dim total = sum_of(k.length, before);
    struct shape y = infer__unknown_shape();
    if (sq->known && sq->rank == 4)
        y = four(in, q.batch, q.n, q.length, v.size);
    if (sq->known && sq->rank == 3) {
        y = infer__new_shape(in, 3);
        y.dims[0] = q.batch;
        y.dims[1] = q.length;
        y.dims[2] = dim__product((struct dim[]){q.n, v.size}, 2);
    }
    infer__set(in, 0, t, y);
    infer__set(in, 1, t, four(in, k.batch, k.n, total, k.size));
    infer__set(in, 2, tv, four(in, v.batch, v.n, total, v.size));
    infer__set(in, 3, t, four(in, q.batch, q.n, q.length, total));
    return true;
}

/* RotaryEmbedding: as X. */
bool infer__rotary(struct infer *in, struct err *e)
{
    const struct shape *x = infer__shape(in, 0);
    if (!infer__need_rank(in, 0, 3, 4, e))
        return false;
    if (x->known && x->rank == 3 && node_int(in->n, "num_heads", 0) < 1)
        return err_set(e, ERR_DATA, "an input of rank 3 without num_heads");
    uint32_t rank = infer__has(in, 3) ? 2 : 3;
    return infer__need_rank(in, 1, rank, rank, e) && infer__need_rank(in, 2, rank, rank, e) &&
           infer__need_rank(in, 3, 2, 2, e) && infer__same_as_input(in, 0, 0);
}
