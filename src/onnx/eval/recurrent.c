/*
 * Activation functions by the text of the recurrent operators. alpha and beta are "consumed in the
 * order of activation functions" by the functions that take one. Lists that could be read in two
 * ways are refused.
 */
#include "onnx/eval/recurrent_p.h"

#include <math.h>

static const struct activation_row {
    const char *name;
    bool has_alpha, has_beta, has_defaults;
    double alpha, beta;
} rows[] = {
    [ACTIVATION_RELU] = {"Relu", false, false, true, 0, 0},
    [ACTIVATION_TANH] = {"Tanh", false, false, true, 0, 0},
    [ACTIVATION_SIGMOID] = {"Sigmoid", false, false, true, 0, 0},
    [ACTIVATION_AFFINE] = {"Affine", true, true, false, 0, 0},
    [ACTIVATION_LEAKY_RELU] = {"LeakyRelu", true, false, true, 0.01, 0},
    [ACTIVATION_THRESHOLDED_RELU] = {"ThresholdedRelu", true, false, true, 1, 0},
    [ACTIVATION_SCALED_TANH] = {"ScaledTanh", true, true, false, 0, 0},
    [ACTIVATION_HARD_SIGMOID] = {"HardSigmoid", true, true, true, 0.2, 0.5},
    [ACTIVATION_ELU] = {"Elu", true, false, true, 1, 0},
    [ACTIVATION_SOFTSIGN] = {"Softsign", false, false, true, 0, 0},
    [ACTIVATION_SOFTPLUS] = {"Softplus", false, false, true, 0, 0},
};

double recurrent__activate(const struct activation *a, double x)
{
    switch (a->kind) {
    case ACTIVATION_RELU:
        return x > 0 || isnan(x) ? x : 0;
    case ACTIVATION_TANH:
        return tanh(x);
    case ACTIVATION_SIGMOID:
        return 1 / (1 + exp(-x));
    case ACTIVATION_AFFINE:
        return a->alpha * x + a->beta;
    case ACTIVATION_LEAKY_RELU:
        return x >= 0 ? x : a->alpha * x;
    case ACTIVATION_THRESHOLDED_RELU:
        return x >= a->alpha || isnan(x) ? x : 0;
    case ACTIVATION_SCALED_TANH:
        return a->alpha * tanh(a->beta * x);
    case ACTIVATION_HARD_SIGMOID:
        x = a->alpha * x + a->beta;
        return x < 0 ? 0 : x > 1 ? 1 : x;
    case ACTIVATION_ELU:
        return x >= 0 ? x : a->alpha * expm1(x);
    case ACTIVATION_SOFTSIGN:
        return x / (1 + fabs(x));
    case ACTIVATION_SOFTPLUS:
        return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
    }
    return x;
}

static bool find_kind(struct str name, enum activation_kind *out, struct err *e)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (str_is(name, rows[i].name)) {
            *out = (enum activation_kind)i;
            return true;
        }
    return err_set(e, ERR_DATA, "activation '" STR_FMT "' does not exist", STR_ARG(name));
}

/* Gives the numbers of a list, in order, to the functions that take one. */
static bool consume(const struct kernel *k, bool is_beta, struct activation *at, uint32_t n,
                    struct err *e)
{
    const char *name = is_beta ? "activation_beta" : "activation_alpha";
    const struct attr *list = node_attr(k->n, name);
    uint32_t n_takers = 0, n_used = 0;
    for (uint32_t i = 0; i < n; i++)
        n_takers += is_beta ? rows[at[i].kind].has_beta : rows[at[i].kind].has_alpha;
    if (list && list->n && list->n != n_takers)
        return err_set(e, ERR_UNSUPPORTED, "%s has %zu numbers for %u functions that take one",
                       name, list->n, n_takers);
    for (uint32_t i = 0; i < n; i++) {
        const struct activation_row *row = &rows[at[i].kind];
        double *to = is_beta ? &at[i].beta : &at[i].alpha;
        *to = is_beta ? row->beta : row->alpha;
        if (!(is_beta ? row->has_beta : row->has_alpha))
            continue;
        if (list && list->n)
            *to = list->floats[n_used++];
        else if (!row->has_defaults)
            return err_set(e, ERR_UNSUPPORTED, "%s has no default %s", row->name,
                           is_beta ? "beta" : "alpha");
    }
    return true;
}

bool recurrent__activations(const struct kernel *k, const enum activation_kind *defaults,
                            uint32_t n_defaults, uint32_t n, struct activation *out, struct err *e)
{
    const struct attr *names = node_attr(k->n, "activations");
    if (names && names->n && names->n != n)
        return err_set(e, ERR_DATA, "%zu activations, %u are expected", names->n, n);
    for (uint32_t i = 0; i < n; i++) {
        out[i].kind = defaults[i % n_defaults];
        if (names && names->n && !find_kind(names->strings[i], &out[i].kind, e))
            return false;
    }
    return consume(k, false, out, n, e) && consume(k, true, out, n, e);
}
