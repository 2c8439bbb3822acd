/* What `assay run` prints of a judged case. */
#ifndef CLI_RUN_TEXT_H
#define CLI_RUN_TEXT_H

#include "hunt/runner/runner.h"

/* Prints the inputs with the sizes that were chosen, and a line for each target: whether it agrees,
 * what is wrong, where it starts, and the largest error. */
void run_print_summary(const struct judged *seen);

/* Prints each observation and each verdict. */
void run_print_rows(const struct judged *seen, struct arena *a);
void run_print_json(const char *path, const struct judged *seen);

#endif
