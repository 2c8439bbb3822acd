/* `assay docs foretell FRAMEWORK`: changed calls predicted from documents and without elements,
 * run, and compared. */
#ifndef CLI_DOCS_FORETELL_H
#define CLI_DOCS_FORETELL_H

#include "cli/settings.h"

bool docs_foretell(const struct settings *s, const char *framework, int *exit_code, struct err *e);

#endif
