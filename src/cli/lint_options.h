/* Settings of lint and lsp as options of the linter. */
#ifndef CLI_LINT_OPTIONS_H
#define CLI_LINT_OPTIONS_H

#include "cli/settings.h"
#include "lint/lint.h"

struct lint_setup {
    struct rule_set *rules;
    struct selection *selection;
    struct lint_options options;
    const char *identity; /* of version and settings, for the cache */
};

/* Rules, selection and options; the caller frees setup->rules. */
bool lint_setup_load(const struct settings *s, struct lint_setup *out, struct err *e);

/* major * 1000 + minor of "2.1" or of a requirement such as "torch>=2.1,<3"; 0: none. */
uint32_t lint_setup_torch(const struct settings *s, struct arena *a);

#endif
