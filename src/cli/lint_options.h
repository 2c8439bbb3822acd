/* Settings of lint and lsp as options of the linter. */
#ifndef CLI_LINT_OPTIONS_H
#define CLI_LINT_OPTIONS_H

#include "cli/settings.h"
#include "lint/discover.h"
#include "lint/lint.h"

struct lint_setup {
    const struct settings *settings;
    uint32_t torch; /* of the project; as lint_setup_load got it */
    struct rule_set *rules;
    struct selection *selection;
    struct lint_options options;
    struct discover_excludes excludes;
    const char *identity;  /* of version and settings, for the cache */
    const char *cache_dir; /* NULL: --no-cache */
    bool finds_callers;    /* --callers project */
};

/* Rules, selection and options; the caller frees setup->rules. torch: the version of the project,
 * used when the settings give none. Everything else lives in the arena of the settings. */
bool lint_setup_load(const struct settings *s, uint32_t torch, struct lint_setup *out,
                     struct err *e);

/* The folders with rules; relative ones are below the folder of the settings that name them. */
const char *const *lint_rule_folders(const struct settings *s, size_t *n);

/* Is there a pyproject.toml with [project] in the folder? *version: major * 1000 + minor of the
 * PyTorch it depends on, 2001 of "torch>=2.1,<3"; 0 when no lower end is given. */
bool lint_setup_torch_of_project(const char *folder, struct arena *a, uint32_t *version);

#endif
