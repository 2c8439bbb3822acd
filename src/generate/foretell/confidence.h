/*
 * How sure a prediction is: a logistic regression on features of the situation, fitted on one half
 * of the operators. A feature is a short text; a situation has a set of them. The strength of the
 * prior is chosen on operators of that same half which a first fit has not seen.
 *
 *     struct confidence c = {0};
 *     confidence_add(&c, features, n, right, fold, arena);   // fold: 0 or 1, by operator
 *     confidence_fit(&c, arena);
 *     double p = confidence_of(&c, features, n);
 */
#ifndef GENERATE_FORETELL_CONFIDENCE_H
#define GENERATE_FORETELL_CONFIDENCE_H

#include "base/map.h"

enum { FEATURES_MAX = 72 };

struct confidence_sample {
    uint32_t features[FEATURES_MAX];
    uint8_t n;
    bool right, fold;
};

struct confidence {
    struct intern ids; /* of features */
    struct confidence_sample *at;
    size_t n, cap;
    double *weights;
    double bias;
    double prior; /* the chosen strength */
};

void confidence_add(struct confidence *c, const struct str *features, size_t n, bool right,
                    bool fold, struct arena *a);
void confidence_fit(struct confidence *c, struct arena *a);

/* Features that no sample had count nothing. Before a fit: 0.5. */
double confidence_of(const struct confidence *c, const struct str *features, size_t n);

#endif
