/* `assay docs seeds FRAMEWORK`: searches seed calls for `docs foretell` (share/foretell/). */
#ifndef CLI_DOCS_SEEDS_H
#define CLI_DOCS_SEEDS_H

#include "cli/settings.h"

bool docs_seeds(const struct settings *s, const char *framework, struct err *e);

#endif
