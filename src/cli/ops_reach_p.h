/* The half of assay ops that generates cases. */
#ifndef CLI_OPS_REACH_P_H
#define CLI_OPS_REACH_P_H

#include "cli/command.h"
#include "onnx/op.h"

/* Prints which cells of these operators the cases of --out reach, or without it those of --seed and
 * -n. */
bool ops_reach(const struct settings *s, const struct op *const *ops, size_t n, struct err *e);

#endif
