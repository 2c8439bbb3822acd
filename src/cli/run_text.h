/* What `assay run` prints of a judged case. */
#ifndef CLI_RUN_TEXT_H
#define CLI_RUN_TEXT_H

#include "hunt/runner/runner.h"

/* The inputs with the sizes that were chosen, and a line for each target: does it agree, what is
 * wrong, where first, how large the largest error is. */
void run_print_summary(const struct judged *seen);

/* Each observation and each verdict. */
void run_print_rows(const struct judged *seen, struct arena *a);
void run_print_json(const struct judged *seen);

#endif
