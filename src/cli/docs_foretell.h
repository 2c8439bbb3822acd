/* `assay docs foretell FRAMEWORK|API`: predicts changed calls from documents and from calls without
 * elements, runs them, and compares. */
#ifndef CLI_DOCS_FORETELL_H
#define CLI_DOCS_FORETELL_H

#include "cli/settings.h"

bool docs_foretell(const struct settings *s, const char *what, int *exit_code, struct err *e);

#endif
