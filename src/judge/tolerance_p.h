/* Units, factors and absolute errors that one target's arithmetic is allowed. */
#ifndef JUDGE_TOLERANCE_P_H
#define JUDGE_TOLERANCE_P_H

#include "judge/judge.h"

struct gauge {
    double unit;    /* u: the coarsest of the value's, its dtype's and the target's */
    double factor;  /* F */
    double minimum; /* 4u */
    double eta;     /* absolute error that subnormal numbers explain */
    double largest; /* beyond 0.9 of it an infinity is accepted */
};
struct gauge tolerance__gauge(const struct judge_options *o, const struct value *v,
                              const struct target_id *t);

/* u of a target that computes a float dtype of the model in a coarser one; 0: it does not. */
double tolerance__unit_at_least(const struct model *m, const struct target_traits *traits);

/* The dtype in which the target computes t. */
enum dtype tolerance__computes(const struct target_traits *traits, enum dtype t);

/* A row of the table of F: for a family and dtype. */
struct tolerance_row {
    const char *family;
    enum dtype dtype;
    double factor;
    uint32_t n_models;
    const char *evidence;
};
const struct tolerance_row *tolerance__row(struct str family, enum dtype t);

#endif
