/* A program that prints facts of models, one after the other (main.c). */
#ifndef TESTS_FACTS_PRINT_H
#define TESTS_FACTS_PRINT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"

/* Prints what the program tells of a model. false: why it cannot is printed instead of the rest. */
bool print_model(const char *path, struct arena *a, struct err *e);

#endif
