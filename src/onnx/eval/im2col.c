/* See im2col_p.h. */
#include "onnx/eval/im2col_p.h"

#include <string.h>

/* One row of the matrix: output positions of one channel at one kernel offset. */
struct column_row {
    const double *x;                   /* the channel */
    int64_t offset[TENSOR_RANK_MAX];   /* kernel offset times dilation less the padding */
    int64_t position[TENSOR_RANK_MAX]; /* output position of the next element */
    size_t n_left;
};

/* Fills n elements along the innermost dim, from the row's present position on. */
static void fill_run(const struct window *w, const struct column_row *r, const double *row,
                     size_t n, double *to)
{
    uint32_t last = w->n - 1;
    int64_t stride = w->stride[last], in = w->in[last];
    int64_t at = r->position[last] * stride + r->offset[last];
    for (size_t i = 0; i < n; i++, at += stride)
        to[i] = at >= 0 && at < in ? row[at] : 0;
}

/* The row of the input that the outer position reads, or NULL in the padding. */
static const double *input_row(const struct window *w, const struct column_row *r)
{
    int64_t at = 0;
    for (uint32_t d = 0; d + 1 < w->n; d++) {
        int64_t i = r->position[d] * w->stride[d] + r->offset[d];
        if (i < 0 || i >= w->in[d])
            return NULL;
        at = (at + i) * w->in[d + 1];
    }
    return r->x + at;
}

static void fill_row(const struct window *w, struct column_row *r, double *to)
{
    uint32_t last = w->n - 1;
    while (r->n_left) {
        size_t n = MIN(r->n_left, (size_t)(w->out[last] - r->position[last]));
        const double *row = input_row(w, r);
        if (row)
            fill_run(w, r, row, n, to);
        else
            memset(to, 0, n * sizeof *to);
        to += n;
        r->n_left -= n;
        r->position[last] = 0;
        for (uint32_t d = last; d-- > 0;) {
            if (++r->position[d] < w->out[d])
                break;
            r->position[d] = 0;
        }
    }
}

static void unravel(int64_t at, const int64_t *dims, uint32_t n, int64_t *index)
{
    for (uint32_t d = n; d-- > 0;) {
        index[d] = at % dims[d];
        at /= dims[d];
    }
}

void im2col__fill(const struct window *w, const struct im2col *job, double *col)
{
    int64_t n_kernel = window_count(w->kernel, w->n), n_in = window_count(w->in, w->n);
    if (!job->n_columns) /* an output without positions has none to start from */
        return;
    for (size_t c = 0; c < job->n_channels; c++)
        for (int64_t k = 0; k < n_kernel; k++) {
            struct column_row r = {.x = job->x + c * (size_t)n_in, .n_left = job->n_columns};
            unravel(k, w->kernel, w->n, r.offset);
            for (uint32_t d = 0; d < w->n; d++)
                r.offset[d] = r.offset[d] * w->dilation[d] - w->pad_begin[d];
            unravel((int64_t)job->from, w->out, w->n, r.position);
            fill_row(w, &r, col);
            col += job->n_columns;
        }
}
