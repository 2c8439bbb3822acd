/* What one run of the evaluator has used of its budget (struct eval_budget). */
#ifndef ONNX_EVAL_BUDGET_P_H
#define ONNX_EVAL_BUDGET_P_H

#include <stdint.h>

#include "base/err.h"

struct budget {
    uint64_t n_macs, n_bytes, max_macs, max_bytes;
};

/* Charge the budget. ERR_LIMIT: it is used up. */
bool budget__charge_bytes(struct budget *b, uint64_t n_bytes, struct err *e);
bool budget__charge_macs(struct budget *b, uint64_t n_macs, struct err *e);

#endif
