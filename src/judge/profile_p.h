/*
 * Errors of a tensor as a whole and along two axes, so that a large channel does not hide a fault
 * in a small one: slice 0 is the whole tensor, then come the slices of the channel axis (1) and of
 * the last axis, at most PROFILE_SLICES each (of a longer axis neighbours share a slice).
 */
#ifndef JUDGE_PROFILE_P_H
#define JUDGE_PROFILE_P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROFILE_SLICES = 256, PROFILE_MAX = 1 + 2 * PROFILE_SLICES };

struct profile {
    uint32_t n;                /* slices */
    double error[PROFILE_MAX]; /* max |x - r| */
    double scale[PROFILE_MAX]; /* max |r| */
    size_t at[PROFILE_MAX];    /* element of the largest error */
    size_t n_counted;          /* elements that took part */
};

/* The tensors that are measured: n numbers of a shape. skip: elements to leave out, or NULL.
 * Elements that are not finite in both tensors are left out too. */
struct profile_shape {
    const int64_t *dims;
    uint32_t rank;
    size_t n;
    const uint8_t *skip;
};
void profile__measure(const struct profile_shape *s, const double *x, const double *r,
                      struct profile *out);

/* error / scale; 0 for no error. */
double profile__relative(const struct profile *p, uint32_t slice);

#endif
