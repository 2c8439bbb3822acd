/*
 * Activations of RNN, GRU and LSTM: which functions a node names, with their alpha and beta.
 */
#ifndef ONNX_EVAL_RECURRENT_P_H
#define ONNX_EVAL_RECURRENT_P_H

#include "onnx/eval/kernel_p.h"

enum { RECURRENT_ACTIVATIONS_MAX = 6 };

enum activation_kind {
    ACTIVATION_RELU,
    ACTIVATION_TANH,
    ACTIVATION_SIGMOID,
    ACTIVATION_AFFINE,
    ACTIVATION_LEAKY_RELU,
    ACTIVATION_THRESHOLDED_RELU,
    ACTIVATION_SCALED_TANH,
    ACTIVATION_HARD_SIGMOID,
    ACTIVATION_ELU,
    ACTIVATION_SOFTSIGN,
    ACTIVATION_SOFTPLUS
};

struct activation {
    enum activation_kind kind;
    double alpha, beta;
};

/* Gives n activations: the node's, or the defaults, repeated for each direction. */
bool recurrent__activations(const struct kernel *k, const enum activation_kind *defaults,
                            uint32_t n_defaults, uint32_t n, struct activation *out, struct err *e);

double recurrent__activate(const struct activation *a, double x);

#endif
