/* Parses the source of a program, for all parts of the reduction of programs. */
#ifndef REDUCE_PROGRAM_P_H
#define REDUCE_PROGRAM_P_H

#include "python/tree.h"
#include "reduce/reduce_p.h"

/* The tree lives in the arena. false: the text is too large. */
bool program__parse(struct py_parser *parser, struct str text, struct arena *a, struct tree *out);

#endif
