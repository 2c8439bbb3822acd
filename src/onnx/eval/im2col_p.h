/* Convolution as a matrix product: the input under a sliding window, laid out in columns. */
#ifndef ONNX_EVAL_IM2COL_P_H
#define ONNX_EVAL_IM2COL_P_H

#include "onnx/window.h"

/* Columns from .. from + n_columns of the im2col matrix of one channel group: row (c, kernel
 * offset), column = output position; zero where the window lies in the padding. col is row-major,
 * n_columns per row. */
struct im2col {
    const double *x; /* n_channels x positions of the input */
    size_t n_channels, from, n_columns;
};
void im2col__fill(const struct window *w, const struct im2col *job, double *col);

#endif
