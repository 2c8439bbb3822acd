/* The row of the generator mutate. */
#ifndef GENERATE_MUTATE_MUTATE_P_H
#define GENERATE_MUTATE_MUTATE_P_H

#include "generate/generate.h"

extern const struct generator_ops mutate_generator;

#endif
