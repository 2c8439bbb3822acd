/*
 * Shapes of RNN, GRU and LSTM: Y (T, D, B, H), Y_h and Y_c (D, B, H); with layout 1 the batch comes
 * first.
 */
#include "onnx/infer/infer_axes_p.h"

static const struct {
    const char *name;
    int64_t n_gates;
} cells[] = {{"RNN", 1}, {"GRU", 3}, {"LSTM", 4}};

static int64_t gates_of(const struct infer *in)
{
    for (size_t i = 0; i < COUNT_OF(cells); i++)
        if (str_is(in->n->op_type, cells[i].name))
            return cells[i].n_gates;
    return 1;
}

static bool directions_of(const struct infer *in, int64_t *n, struct err *e)
{
    struct str d = node_string(in->n, "direction", STR("forward"));
    *n = str_is(d, "bidirectional") ? 2 : 1;
    return *n == 2 || str_is(d, "forward") || str_is(d, "reverse") ||
           err_set(e, ERR_DATA, "direction '" STR_FMT "' does not exist", STR_ARG(d));
}

static bool need_shape(const struct infer *in, uint32_t i, const struct dim *wanted, uint32_t rank,
                       struct err *e)
{
    const struct shape *s = infer__shape(in, i);
    if (!infer__need_rank(in, i, rank, rank, e))
        return false;
    for (uint32_t d = 0; s->known && d < rank; d++)
        if (dim__differ(s->dims[d], wanted[d]))
            return err_set(e, ERR_DATA, "dim %u of input %u is %lld, %lld is expected", d, i,
                           (long long)s->dims[d].value, (long long)wanted[d].value);
    return true;
}

static struct dim times(struct dim d, int64_t by)
{
    return d.value >= 0 ? dim__product((struct dim[]){d, dim_of(by)}, 2) : dim_unknown();
}

/* Sizes of one node. */
struct sizes {
    struct dim t, b, i, h, d;
    int64_t g;
    bool batch_first;
};

static bool sizes_of(const struct infer *in, struct sizes *z, struct err *e)
{
    const struct shape *x = infer__shape(in, 0), *r = infer__shape(in, 2);
    int64_t n_directions, hidden = node_int(in->n, "hidden_size", -1);
    *z = (struct sizes){dim_unknown(),
                        dim_unknown(),
                        dim_unknown(),
                        dim_unknown(),
                        dim_unknown(),
                        gates_of(in),
                        node_int(in->n, "layout", 0) != 0};
    if (!directions_of(in, &n_directions, e) || !infer__need_rank(in, 0, 3, 3, e) ||
        !infer__need_rank(in, 2, 3, 3, e))
        return false;
    z->d = dim_of(n_directions);
    if (x->known) {
        z->t = x->dims[z->batch_first];
        z->b = x->dims[!z->batch_first];
        z->i = x->dims[2];
    }
    z->h = r->known ? r->dims[2] : dim_unknown();
    if (hidden >= 0 && dim__differ(z->h, dim_of(hidden)))
        return err_set(e, ERR_DATA, "hidden_size is %lld, R has %lld", (long long)hidden,
                       (long long)z->h.value);
    if (hidden >= 0)
        z->h = dim_of(hidden);
    return true;
}

static bool check_parameters(const struct infer *in, const struct sizes *z, struct err *e)
{
    struct dim state[] = {z->d, z->b, z->h}, turned[] = {z->b, z->d, z->h};
    const struct dim *start = z->batch_first ? turned : state;
    return need_shape(in, 1, (struct dim[]){z->d, times(z->h, z->g), z->i}, 3, e) &&
           need_shape(in, 2, (struct dim[]){z->d, times(z->h, z->g), z->h}, 3, e) &&
           need_shape(in, 3, (struct dim[]){z->d, times(z->h, 2 * z->g)}, 2, e) &&
           need_shape(in, 4, (struct dim[]){z->b}, 1, e) && need_shape(in, 5, start, 3, e) &&
           need_shape(in, 6, start, 3, e) &&
           need_shape(in, 7, (struct dim[]){z->d, times(z->h, 3)}, 2, e);
}

/* RNN, GRU, LSTM: X (T, B, I), W (D, g H, I), R (D, g H, H), B, lengths, initial states, P. */
bool infer__recurrent(struct infer *in, struct err *e)
{
    struct sizes z;
    if (!sizes_of(in, &z, e) || !check_parameters(in, &z, e))
        return false;
    struct shape y = infer__new_shape(in, 4), last = infer__new_shape(in, 3);
    y.dims[z.batch_first] = z.t;
    y.dims[z.batch_first ? 0 : 2] = last.dims[!z.batch_first] = z.b;
    y.dims[z.batch_first ? 2 : 1] = last.dims[z.batch_first] = z.d;
    y.dims[3] = last.dims[2] = z.h;
    infer__set(in, 0, infer__dtype(in, 0), y);
    infer__set(in, 1, infer__dtype(in, 0), last);
    infer__set(in, 2, infer__dtype(in, 0), last);
    return true;
}
