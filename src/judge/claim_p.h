/* Claims about tensors, as sentences. */
#ifndef JUDGE_CLAIM_P_H
#define JUDGE_CLAIM_P_H

#include "judge/compare_p.h"

/* The dtype and shape that a tensor is compared with. */
struct form {
    enum dtype dtype;
    uint32_t rank;
    const int64_t *dims;
};

/* "output y has the shape [1,2], WHO gives [1,3]", or the dtypes where these differ. */
struct str claim__form(struct judging *j, struct str output, const struct tensor *seen,
                       const struct form *expected, const char *who);

/* "expected 1, got 0.5; relative error 5.00e-01, rounding explains at most 2.86e-06" */
struct str claim__value(struct judging *j, const struct finding *f);

/* "a valid model is refused: WHY", without first lines that only say where it was raised; of an
 * error that wraps another the other one alone. */
struct str claim__refusal(struct judging *j, struct str message);

/* "two runs of one session differ: 3.1 and 0; expected 0"; expected is NULL where there is no
 * reference. */
struct str claim__bits(struct judging *j, double first, double second, const double *expected);

#endif
