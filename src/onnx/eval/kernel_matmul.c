/*
 * MatMul (numpy.matmul) and Gemm. Floats through CBLAS; integers by plain loops that wrap.
 * Noise: every result is a sum of K products.
 */
#include <math.h>
#include <string.h>

#include "onnx/eval/matrix_p.h"

/* Dims of the factors, with rank 1 promoted to 2, and strides of their batches. */
struct matmul {
    size_t m, n, k;
    struct kernel_shape batch, out;
    const struct value *a, *b;
};

static bool plan_batch(struct matmul *p, struct err *e)
{
    uint32_t lead_a = p->a->rank > 2 ? p->a->rank - 2 : 0;
    uint32_t lead_b = p->b->rank > 2 ? p->b->rank - 2 : 0;
    p->batch.rank = MAX(lead_a, lead_b);
    for (uint32_t d = 0; d < p->batch.rank; d++) {
        int64_t x = d + lead_a < p->batch.rank ? 1 : p->a->dims[d + lead_a - p->batch.rank];
        int64_t y = d + lead_b < p->batch.rank ? 1 : p->b->dims[d + lead_b - p->batch.rank];
        if (x != y && x != 1 && y != 1)
            return err_set(e, ERR_DATA, "batch dims %lld and %lld cannot be broadcast",
                           (long long)x, (long long)y);
        p->batch.dims[d] = x == 1 ? y : x;
    }
    return true;
}

static bool plan(struct matmul *p, const struct value *a, const struct value *b, struct err *e)
{
    if (!a->rank || !b->rank)
        return err_set(e, ERR_DATA, "a scalar cannot be multiplied as a matrix");
    p->a = a;
    p->b = b;
    p->m = a->rank > 1 ? (size_t)a->dims[a->rank - 2] : 1;
    p->k = (size_t)a->dims[a->rank - 1];
    p->n = b->rank > 1 ? (size_t)b->dims[b->rank - 1] : 1;
    int64_t inner = b->dims[b->rank > 1 ? b->rank - 2 : 0];
    if ((int64_t)p->k != inner)
        return err_set(e, ERR_DATA, "inner dims %zu and %lld differ", p->k, (long long)inner);
    if (!plan_batch(p, e))
        return false;
    p->out = p->batch;
    if (a->rank > 1)
        p->out.dims[p->out.rank++] = (int64_t)p->m;
    if (b->rank > 1)
        p->out.dims[p->out.rank++] = (int64_t)p->n;
    return true;
}

/* Which matrices of `a` and `b` make matrix i of the result. */
static void batch_at(const struct matmul *p, size_t i, size_t *at_a, size_t *at_b)
{
    size_t step_a = 1, step_b = 1;
    *at_a = *at_b = 0;
    for (uint32_t d = p->batch.rank; d-- > 0;) {
        size_t index = i % (size_t)p->batch.dims[d];
        i /= (size_t)p->batch.dims[d];
        uint32_t from_end = p->batch.rank - d + 2;
        int64_t x = p->a->rank >= from_end ? p->a->dims[p->a->rank - from_end] : 1;
        int64_t y = p->b->rank >= from_end ? p->b->dims[p->b->rank - from_end] : 1;
        *at_a += x == 1 ? 0 : index * step_a;
        *at_b += y == 1 ? 0 : index * step_b;
        step_a *= (size_t)x;
        step_b *= (size_t)y;
    }
}

static void multiply_integers(const struct matmul *p, const uint64_t *a, const uint64_t *b,
                              uint64_t *y)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t l = 0; l < p->k; l++)
            for (size_t j = 0; j < p->n; j++)
                y[i * p->n + j] += a[i * p->k + l] * b[l * p->n + j];
}

/* Fills the scales of one matrix: factor |row of a| |column of b|. */
static void fill_scales(struct kernel *k, const struct matmul *p, const struct product *one,
                        double *scales)
{
    double *rows = arena_new_array(k->scratch, double, p->m);
    double *columns = arena_new_array(k->scratch, double, p->n);
    matrix__row_norms(one->a, p->m, p->k, rows);
    matrix__column_norms(one->b, p->k, p->n, columns);
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++)
            scales[i * p->n + j] = sum__factor(p->k) * rows[i] * columns[j];
}

static bool multiply_floats(struct kernel *k, const struct matmul *p, size_t n_batch, struct err *e)
{
    double *scales = k->want_noise ? kernel__scales(k, 0) : NULL;
    for (size_t i = 0; i < n_batch; i++) {
        size_t at_a, at_b;
        batch_at(p, i, &at_a, &at_b);
        struct product one = {.m = p->m, .n = p->n, .k = p->k, .alpha = 1};
        one.a = p->a->f + at_a * p->m * p->k;
        one.b = p->b->f + at_b * p->k * p->n;
        if (!matrix__multiply(&one, k->to[0].f + i * p->m * p->n, e))
            return false;
        if (scales)
            fill_scales(k, p, &one, scales + i * p->m * p->n);
    }
    kernel__set_exact(k, 0, matrix__is_exact(p->a, p->b, NULL, p->k, k->out[0].dtype));
    return true;
}

/* A row of `a` taints its row of the result, a column of `b` its column. */
static void taint_products(struct kernel *k, const struct matmul *p, size_t n_batch)
{
    kernel__no_taint(k, 0);
    if (!kernel__is_tainted(p->a) && !kernel__is_tainted(p->b))
        return;
    uint8_t *flags = kernel__undefined(k, 0);
    for (size_t i = 0; i < n_batch; i++) {
        size_t at_a, at_b;
        batch_at(p, i, &at_a, &at_b);
        uint8_t *to = flags + i * p->m * p->n;
        for (size_t r = 0; p->a->undefined && r < p->m * p->k; r++)
            if (p->a->undefined[at_a * p->m * p->k + r])
                memset(to + r / p->k * p->n, 1, p->n);
        for (size_t c = 0; p->b->undefined && c < p->k * p->n; c++)
            for (size_t r = 0; p->b->undefined[at_b * p->k * p->n + c] && r < p->m; r++)
                to[r * p->n + c % p->n] = 1;
    }
}

bool kernel__matmul(struct kernel *k, struct err *e)
{
    struct matmul p;
    const struct value *a = k->in[0], *b = k->in[1];
    if (!plan(&p, a, b, e) || !kernel__output(k, 0, a->dtype, p.out.rank, p.out.dims, e) ||
        !kernel__charge(k, (uint64_t)k->out[0].n * p.k, e))
        return false;
    size_t n_batch = 1;
    for (uint32_t d = 0; d < p.batch.rank; d++)
        n_batch *= (size_t)p.batch.dims[d];
    if (b->rank <= 2 && a->rank > 1) { /* one matrix b: the batches of `a` count as more rows */
        p.m *= n_batch;
        p.batch.rank = 0;
        n_batch = n_batch != 0;
    }
    taint_products(k, &p, n_batch);
    if (a->storage == STORAGE_F64)
        return multiply_floats(k, &p, n_batch, e);
    for (size_t i = 0; i < n_batch; i++) {
        size_t at_a, at_b;
        batch_at(&p, i, &at_a, &at_b);
        multiply_integers(&p, a->u + at_a * p.m * p.k, b->u + at_b * p.k * p.n,
                          k->to[0].u + i * p.m * p.n);
    }
    for (size_t i = 0; a->storage == STORAGE_I64 && i < k->out[0].n; i++)
        k->to[0].i[i] = kernel__wrap(a->dtype, k->to[0].i[i]);
    return true;
}

struct gemm {
    struct product p;
    const struct value *a, *b, *c;
    double beta; /* of C, which fill_c has put into the result */
};

static bool plan_gemm(const struct kernel *k, struct gemm *g, struct err *e)
{
    const struct value *a = g->a = k->in[0], *b = g->b = k->in[1];
    g->c = kernel__in(k, 2);
    g->p = (struct product){.a = a->f, .b = b->f, .beta = 1};
    g->p.alpha = node_float(k->n, "alpha", 1);
    g->beta = node_float(k->n, "beta", 1);
    g->p.trans_a = node_int(k->n, "transA", 0) != 0;
    g->p.trans_b = node_int(k->n, "transB", 0) != 0;
    if (a->rank != 2 || b->rank != 2 || (g->c && g->c->rank > 2))
        return err_set(e, ERR_DATA, "ranks %u and %u, matrices are expected", a->rank, b->rank);
    g->p.m = (size_t)a->dims[g->p.trans_a];
    g->p.k = (size_t)a->dims[!g->p.trans_a];
    g->p.n = (size_t)b->dims[!g->p.trans_b];
    if (a->dims[!g->p.trans_a] != b->dims[g->p.trans_b])
        return err_set(e, ERR_DATA, "inner dims %zu and %lld differ", g->p.k,
                       (long long)b->dims[g->p.trans_b]);
    for (uint32_t i = 0; g->c && i < g->c->rank; i++) {
        int64_t d = g->c->dims[g->c->rank - 1 - i];
        if (d != 1 && d != (int64_t)(i ? g->p.m : g->p.n))
            return err_set(e, ERR_DATA, "C has %lld in a dim where the product has %zu",
                           (long long)d, i ? g->p.m : g->p.n);
    }
    return true;
}

/* The result starts as beta C. */
static void fill_c(struct kernel *k, const struct gemm *g)
{
    struct walk w;
    if (!g->c)
        return;
    walk__open(&w, k->out[0].dims, 2);
    walk__broadcast(&w, g->c->dims, g->c->rank);
    while (walk__next(&w))
        for (size_t i = 0; i < w.n_inner; i++)
            k->to[0].f[w.out + i] = g->beta * g->c->f[w.at[0] + (ptrdiff_t)i * w.step[0]];
}

static void scale_gemm(struct kernel *k, const struct gemm *g)
{
    const struct product *p = &g->p;
    double *scales = kernel__scales(k, 0);
    double *rows = arena_new_array(k->scratch, double, p->m);
    double *columns = arena_new_array(k->scratch, double, p->n);
    if (p->trans_a)
        matrix__column_norms(p->a, p->k, p->m, rows);
    else
        matrix__row_norms(p->a, p->m, p->k, rows);
    if (p->trans_b)
        matrix__row_norms(p->b, p->n, p->k, columns);
    else
        matrix__column_norms(p->b, p->k, p->n, columns);
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++) /* the result still holds C */
            scales[i * p->n + j] = fabs(p->alpha) * sum__factor(p->k) * rows[i] * columns[j] +
                                   fabs(k->to[0].f[i * p->n + j]);
}

static uint64_t gemm_integer(const struct gemm *g, size_t i, size_t j)
{
    uint64_t sum = 0;
    const struct product *p = &g->p;
    for (size_t l = 0; l < p->k; l++)
        sum += g->a->u[p->trans_a ? l * p->m + i : i * p->k + l] *
               g->b->u[p->trans_b ? j * p->k + l : l * p->n + j];
    return sum;
}

static bool run_integers(struct kernel *k, const struct gemm *g, struct err *e)
{
    struct walk w;
    if (g->p.alpha != 1 || g->beta != 1)
        return err_set(e, ERR_UNSUPPORTED, "integers with alpha %g, beta %g", g->p.alpha, g->beta);
    for (size_t i = 0; i < g->p.m; i++)
        for (size_t j = 0; j < g->p.n; j++)
            k->to[0].u[i * g->p.n + j] = gemm_integer(g, i, j);
    if (g->c) {
        walk__open(&w, k->out[0].dims, 2);
        walk__broadcast(&w, g->c->dims, g->c->rank);
        while (walk__next(&w))
            for (size_t i = 0; i < w.n_inner; i++)
                k->to[0].u[w.out + i] += g->c->u[w.at[0] + (ptrdiff_t)i * w.step[0]];
    }
    for (size_t i = 0; g->a->storage == STORAGE_I64 && i < k->out[0].n; i++)
        k->to[0].i[i] = kernel__wrap(g->a->dtype, k->to[0].i[i]);
    return true;
}

/* Y = alpha A' B' + beta C. */
bool kernel__gemm(struct kernel *k, struct err *e)
{
    struct gemm g;
    if (!plan_gemm(k, &g, e))
        return false;
    int64_t dims[] = {(int64_t)g.p.m, (int64_t)g.p.n};
    if (!kernel__output(k, 0, g.a->dtype, 2, dims, e) ||
        !kernel__charge(k, (uint64_t)k->out[0].n * g.p.k, e))
        return false;
    if (g.a->storage != STORAGE_F64)
        return run_integers(k, &g, e);
    fill_c(k, &g);
    if (k->want_noise)
        scale_gemm(k, &g);
    bool is_plain = g.p.alpha == 1 && (g.beta == 1 || !g.c);
    kernel__set_exact(k, 0, is_plain && matrix__is_exact(g.a, g.b, g.c, g.p.k, k->out[0].dtype));
    return matrix__multiply(&g.p, k->to[0].f, e);
}
