/* The row of the generator corpus. */
#ifndef GENERATE_CORPUS_CORPUS_P_H
#define GENERATE_CORPUS_CORPUS_P_H

#include "generate/generate.h"

extern const struct generator_ops corpus_generator;

#endif
