/*
 * Matrix products in double through CBLAS, and the noise of sums.
 */
#ifndef ONNX_EVAL_MATRIX_P_H
#define ONNX_EVAL_MATRIX_P_H

#include "onnx/eval/kernel_p.h"

/* y (m x n) = alpha a (m x k) b (k x n) + beta y, row-major; `a` or `b` may be stored transposed.
 */
struct product {
    size_t m, n, k;
    const double *a, *b;
    bool trans_a, trans_b;
    double alpha, beta;
};
bool matrix__multiply(const struct product *p, double *y, struct err *e);

/* Sum of |x|; not finite where an element is not. */
double matrix__sum_abs(const double *x, size_t n);

/* The factor of the rounding model for a sum of k terms: max(1, sqrt(k) / 8). */
double sum__factor(size_t k);

/* Writes the Euclidean norms of the rows of a matrix (n_rows x n) into out. */
void matrix__row_norms(const double *a, size_t n_rows, size_t n, double *out);
/* The same of the columns. */
void matrix__column_norms(const double *a, size_t n_rows, size_t n, double *out);

/* Is y = sum of k products of a and b, plus one of c (or NULL), exact in the dtype? */
bool matrix__is_exact(const struct value *a, const struct value *b, const struct value *c, size_t k,
                      enum dtype out);

#endif
