/* `assay docs foretell FRAMEWORK --corpus ISSUE|all`: predicts the calls that issues' snippets
 * make, from documents and from calls without elements, runs them, and compares. */
#ifndef CLI_DOCS_CORPUS_H
#define CLI_DOCS_CORPUS_H

#include "cli/settings.h"

bool docs_corpus(const struct settings *s, const char *framework, struct err *e);

#endif
