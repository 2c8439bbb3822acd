/* The half of assay ops that generates cases. */
#ifndef CLI_OPS_REACH_P_H
#define CLI_OPS_REACH_P_H

#include "cli/command.h"

/* Prints which cells the cases of --seed and -n meet. */
bool ops_reach(const struct settings *s, struct err *e);

#endif
