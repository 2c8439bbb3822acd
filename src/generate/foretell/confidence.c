/*
 * Decides how features are weighed. Must not know what they mean. Invariant: the result depends on
 * the samples and their order only. Method: logistic regression with a Gaussian prior of each
 * weight, by gradient steps of falling size for each weight (Duchi, Hazan, Singer 2011).
 */
#include "generate/foretell/confidence.h"

#include <math.h>

#include "base/vec.h"

enum { EPOCHS = 120 };

static const double priors[] = {0.3, 1, 3, 10};

void confidence_add(struct confidence *c, const struct str *features, size_t n, bool right,
                    bool fold, struct arena *a)
{
    struct confidence_sample s = {.right = right, .fold = fold};
    for (size_t i = 0; i < n && i < FEATURES_MAX; i++) {
        s.features[s.n++] = intern_id(&c->ids, a, features[i]);
    }
    vec_push(c, a, s);
}

static double probability(const struct confidence *c, const uint32_t *features, size_t n)
{
    double sum = c->bias;
    for (size_t i = 0; i < n; i++)
        sum += c->weights[features[i]];
    return 1 / (1 + exp(-sum));
}

/* Steps through the samples of the folds (bit 0: fold 0, bit 1: fold 1). */
static void fit(struct confidence *c, double prior, unsigned folds, struct arena *a)
{
    size_t n_weights = intern_count(&c->ids);
    double *squares = arena_new_array(a, double, n_weights + 1), bias_square = 1e-6;
    double *counts = arena_new_array(a, double, n_weights + 1);
    c->weights = arena_new_array(a, double, n_weights + 1);
    c->bias = 0;
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; folds >> c->at[i].fold & 1 && k < c->at[i].n; k++)
            counts[c->at[i].features[k]]++;
    for (int epoch = 0; epoch < EPOCHS; epoch++)
        for (size_t i = 0; i < c->n; i++) {
            const struct confidence_sample *s = &c->at[i];
            if (!(folds >> s->fold & 1))
                continue;
            double error = probability(c, s->features, s->n) - s->right;
            bias_square += error * error;
            c->bias -= 0.3 * error / sqrt(bias_square);
            for (size_t k = 0; k < s->n; k++) {
                double *w = &c->weights[s->features[k]];
                double gradient = error + prior * *w / counts[s->features[k]];
                squares[s->features[k]] += gradient * gradient;
                *w -= 0.3 * gradient / sqrt(squares[s->features[k]] + 1e-6);
            }
        }
}

static double loss(const struct confidence *c, unsigned fold)
{
    double sum = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct confidence_sample *s = &c->at[i];
        double p = probability(c, s->features, s->n);
        if (s->fold == fold)
            sum -= log(fmax(s->right ? p : 1 - p, 1e-6));
    }
    return sum;
}

void confidence_fit(struct confidence *c, struct arena *a)
{
    double best = INFINITY;
    for (size_t i = 0; i < COUNT_OF(priors); i++) {
        double sum = 0;
        for (unsigned fold = 0; fold < 2; fold++) {
            fit(c, priors[i], 1U << !fold, a);
            sum += loss(c, fold);
        }
        if (sum < best) {
            best = sum;
            c->prior = priors[i];
        }
    }
    fit(c, c->prior, 3, a);
}

double confidence_of(const struct confidence *c, const struct str *features, size_t n)
{
    double sum = c->bias;
    for (size_t i = 0; c->weights && i < n && i < FEATURES_MAX; i++) {
        uint32_t id = intern_find(&c->ids, features[i]);
        sum += id != INTERN_NONE ? c->weights[id] : 0;
    }
    return 1 / (1 + exp(-sum));
}
