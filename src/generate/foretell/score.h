/*
 * What predictions with a confidence are worth: calibration (Brier score and its skill over the
 * base rate, expected calibration error in bins of equal mass), discrimination (area under the ROC
 * curve), and accuracy at coverage.
 *
 *     struct figures f = {.n_population = ..., .n_given = n, .n_right = ...};
 *     score_predictions(list, &f);                    // sorts the list
 */
#ifndef GENERATE_FORETELL_SCORE_H
#define GENERATE_FORETELL_SCORE_H

#include <stdbool.h>
#include <stddef.h>

enum { SCORE_BINS = 10 };

struct scored {
    double confidence;
    bool right;
};

/* What a set of columns reaches on the operators that measured nothing. */
struct figures {
    size_t n_population, n_given, n_right;
    size_t n_ok, n_raised, right_ok, right_raised; /* of given, by what really happened */
    double ece, brier, skill, auroc;
    double accuracy_at[SCORE_BINS]; /* of the most confident (i + 1) / SCORE_BINS of the population;
                                 -1: fewer given */
};

/* list: n_given predictions. Fills in the measures; counts are the caller's. */
void score_predictions(struct scored *list, struct figures *out);

#endif
