/* What the reduction of programs shares: a source and its tree. */
#ifndef REDUCE_PROGRAM_P_H
#define REDUCE_PROGRAM_P_H

#include "python/tree.h"
#include "reduce/reduce_p.h"

/* false: it is too large to be read. Lives in a. */
bool program__parse(struct py_parser *parser, struct str text, struct arena *a, struct tree *out);

#endif
