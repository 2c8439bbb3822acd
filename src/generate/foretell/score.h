/*
 * Scores predictions with confidences: calibration (Brier score and its skill over the base rate,
 * expected calibration error in bins of equal mass), discrimination (area under the ROC curve), and
 * accuracy at coverage.
 *
 *     struct figures f = {.n_population = ..., .n_given = n, .n_right = ...};
 *     score_predictions(list, &f);                    // sorts the list
 *     score_bootstrap(list, n, arena, &intervals);    // how far chance moves them
 */
#ifndef GENERATE_FORETELL_SCORE_H
#define GENERATE_FORETELL_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { SCORE_BINS = 10, SCORE_STEPS = 20 };

struct scored {
    double confidence;
    bool right;
    uint64_t group; /* its operator: predictions of one operator are right or wrong together */
};

/* Figures of a set of columns on the operators that reliability was not measured on. */
struct figures {
    size_t n_population, n_given, n_right;
    size_t n_ok, n_raised, right_ok, right_raised; /* of those given, by the real outcome */
    double ece, brier, skill, auroc;
    double accuracy_at[SCORE_STEPS]; /* of the most confident (i + 1) / SCORE_STEPS of the
                                 population; -1: fewer given */
};

/* list: n_given predictions. Fills in the measures; the caller sets the counts. */
void score_predictions(struct scored *list, struct figures *out);

/* 95 % of resamples lie between low and high. */
struct interval {
    double low, high;
};
struct score_intervals {
    struct interval accuracy, ece, skill, auroc;
};

/* Percentile bootstrap over groups, 200 resamples of a fixed seed (Efron 1979). The list's order
 * changes. */
void score_bootstrap(struct scored *list, size_t n, struct arena *a, struct score_intervals *out);

/* The calibration error in groups of equal confidence, for a list of few values, as shares of votes
 * are, sorted by score_predictions. */
double score_levels(const struct scored *list, size_t n);

#endif
