/* The only file that calls CBLAS. Sizes are checked to fit its int. */
#include "onnx/eval/matrix_p.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* OpenBLAS's own, which reads OPENBLAS_CORETYPE; the second call does nothing. */
__attribute__((weak)) void gotoblas_dynamic_init(void);

/*
 * OpenBLAS chooses kernels by the processor: their sums differ in the last bits, and it takes a
 * processor newer than itself for one of 2004. So wherever they run it takes those of AVX2, before
 * it chooses itself: one seed gives the same values on all of them, and a new processor is not
 * slow. OPENBLAS_CORETYPE, where it is set already, says otherwise; children do not inherit the
 * choice, since workers may run on an emulated processor.
 */
__attribute__((constructor(101))) static void choose_kernels(void)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (getenv("OPENBLAS_CORETYPE") || !gotoblas_dynamic_init || !__builtin_cpu_supports("avx2") ||
        !__builtin_cpu_supports("fma"))
        return;
    setenv("OPENBLAS_CORETYPE", "Haswell", 0);
    gotoblas_dynamic_init();
    unsetenv("OPENBLAS_CORETYPE");
#endif
}

bool matrix__multiply(const struct product *p, double *y, struct err *e)
{
    if (p->m > INT_MAX || p->n > INT_MAX || p->k > INT_MAX)
        return err_set(e, ERR_LIMIT, "a matrix product with a dim above %d", INT_MAX);
    if (!p->m || !p->n)
        return true;
    if (!p->k || p->alpha == 0) { /* nothing is added; at 0 only some kernels would read A and B */
        for (size_t i = 0; i < p->m * p->n; i++)
            y[i] = p->beta == 0 ? 0 : p->beta * y[i];
        return true;
    }
    int m = (int)p->m, n = (int)p->n, k = (int)p->k;
    cblas_dgemm(CblasRowMajor, p->trans_a ? CblasTrans : CblasNoTrans,
                p->trans_b ? CblasTrans : CblasNoTrans, m, n, k, p->alpha, p->a, p->trans_a ? m : k,
                p->b, p->trans_b ? k : n, p->beta, y, n);
    return true;
}

double matrix__sum_abs(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i += INT_MAX)
        sum += cblas_dasum((int)MIN(n - i, (size_t)INT_MAX), x + i, 1);
    return sum;
}

double sum__factor(size_t k)
{
    return MAX(1.0, sqrt((double)k) / 8);
}

void matrix__row_norms(const double *a, size_t n_rows, size_t n, double *out)
{
    for (size_t i = 0; i < n_rows; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += a[i * n + j] * a[i * n + j];
        out[i] = sqrt(sum);
    }
}

void matrix__column_norms(const double *a, size_t n_rows, size_t n, double *out)
{
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n; j++)
            out[j] += a[i * n + j] * a[i * n + j];
    for (size_t j = 0; j < n; j++)
        out[j] = sqrt(out[j]);
}

bool matrix__is_exact(const struct value *a, const struct value *b, const struct value *c, size_t k,
                      enum dtype out)
{
    struct grid ga, gb, gc = {0, 0};
    if (!a->exact || !b->exact || (c && !c->exact) || !kernel__grid(a, &ga) ||
        !kernel__grid(b, &gb) || (c && !kernel__grid(c, &gc)))
        return false;
    struct grid y = {ga.low + gb.low, ga.high + gb.high};
    for (size_t n = 1; n < k; n *= 2)
        y.high++;
    if (c) {
        y.low = MIN(y.low, gc.low);
        y.high = MAX(y.high, gc.high) + 1;
    }
    return kernel__grid_fits(out, y);
}
