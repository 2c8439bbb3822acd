/*
 * Decides how predictions are scored. Must not know what was predicted. The measures: Brier 1950;
 * calibration error in bins of equal mass; the area under the ROC curve by rank statistic.
 */
#include "generate/foretell/score.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/rng.h"

enum { RESAMPLES = 200, BOOTSTRAP_SEED = 1 };

static int by_confidence(const void *x, const void *y)
{
    const struct scored *a = x, *b = y;
    return a->confidence > b->confidence ? -1 : a->confidence < b->confidence;
}

/* How far the sum of confidences is from the number of right ones. */
static double miss_of(const struct scored *list, size_t from, size_t to)
{
    double confidence = 0, right = 0;
    for (size_t i = from; i < to; i++) {
        confidence += list[i].confidence;
        right += list[i].right;
    }
    return fabs(confidence - right);
}

static double expected_calibration_error(const struct scored *list, size_t n)
{
    double sum = 0;
    for (size_t bin = 0; bin < SCORE_BINS; bin++)
        sum += miss_of(list, n * bin / SCORE_BINS, n * (bin + 1) / SCORE_BINS);
    return n ? sum / (double)n : 0;
}

double score_levels(const struct scored *list, size_t n)
{
    double sum = 0;
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && list[to].confidence == list[from].confidence;)
            to++;
        sum += miss_of(list, from, to);
    }
    return n ? sum / (double)n : 0;
}

/* The share of pairs, one right and one wrong, in which the right one is more confident; ties count
 * half. */
static double area_under_curve(const struct scored *list, size_t n)
{
    double wins = 0, right_above = 0, pairs;
    size_t n_right = 0;
    for (size_t i = 0; i < n;) {
        size_t to = i;
        double right = 0, wrong = 0;
        for (; to < n && list[to].confidence == list[i].confidence; to++) {
            right += list[to].right;
            wrong += !list[to].right;
        }
        wins += wrong * (right_above + right / 2);
        right_above += right;
        n_right += (size_t)right;
        i = to;
    }
    pairs = (double)n_right * (double)(n - n_right);
    return pairs > 0 ? wins / pairs : 0.5;
}

void score_predictions(struct scored *list, struct figures *out)
{
    size_t n = out->n_given;
    double brier = 0, base = n ? (double)out->n_right / (double)n : 0, right = 0;
    qsort(list, n, sizeof list[0], by_confidence);
    for (size_t i = 0; i < n; i++)
        brier += pow(list[i].confidence - list[i].right, 2);
    out->brier = n ? brier / (double)n : 0;
    out->skill = base > 0 && base < 1 ? 1 - out->brier / (base * (1 - base)) : 0;
    out->ece = expected_calibration_error(list, n);
    out->auroc = area_under_curve(list, n);
    for (size_t step = 0, i = 0; step < SCORE_STEPS; step++) {
        size_t to = out->n_population * (step + 1) / SCORE_STEPS;
        for (; i < MIN(to, n); i++)
            right += list[i].right;
        out->accuracy_at[step] = to && to <= n ? right / (double)to : -1;
    }
}

/* Bootstrap
 * --------------------------------------------------------------------------------------*/

static int by_group(const void *x, const void *y)
{
    const struct scored *a = x, *b = y;
    return (a->group > b->group) - (a->group < b->group);
}

static int by_size(const void *x, const void *y)
{
    const double *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* Where each group of a sorted list begins, and n at the end. Returns how many there are. */
static size_t group_starts(const struct scored *list, size_t n, size_t *starts)
{
    size_t n_groups = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || list[i].group != list[i - 1].group)
            starts[n_groups++] = i;
    starts[n_groups] = n;
    return n_groups;
}

static struct interval interval_of(double *values)
{
    qsort(values, RESAMPLES, sizeof values[0], by_size);
    return (struct interval){values[RESAMPLES / 40], values[RESAMPLES - 1 - RESAMPLES / 40]};
}

void score_bootstrap(struct scored *list, size_t n, struct arena *a, struct score_intervals *out)
{
    double accuracy[RESAMPLES], ece[RESAMPLES], skill[RESAMPLES], auroc[RESAMPLES];
    size_t *starts = arena_new_array(a, size_t, n + 1), largest = 0;
    qsort(list, n, sizeof list[0], by_group);
    size_t n_groups = group_starts(list, n, starts);
    for (size_t g = 0; g < n_groups; g++)
        largest = MAX(largest, starts[g + 1] - starts[g]);
    struct scored *drawn = arena_new_array(a, struct scored, n_groups * largest);
    for (uint64_t i = 0; i < RESAMPLES; i++) {
        struct figures f = {0};
        struct rng r;
        rng_init(&r, BOOTSTRAP_SEED, RNG_CASE, i);
        for (size_t k = 0; k < n_groups; k++) {
            size_t g = (size_t)rng_below(&r, n_groups);
            for (size_t at = starts[g]; at < starts[g + 1]; at++) {
                drawn[f.n_given++] = list[at];
                f.n_right += list[at].right;
            }
        }
        f.n_population = f.n_given;
        score_predictions(drawn, &f);
        accuracy[i] = f.n_given ? (double)f.n_right / (double)f.n_given : 0;
        ece[i] = f.ece;
        skill[i] = f.skill;
        auroc[i] = f.auroc;
    }
    *out = (struct score_intervals){interval_of(accuracy), interval_of(ece), interval_of(skill),
                                    interval_of(auroc)};
}
