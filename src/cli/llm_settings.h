/* The settings of the language model, for the commands that ask one. */
#ifndef CLI_LLM_SETTINGS_H
#define CLI_LLM_SETTINGS_H

#include "cli/settings.h"
#include "llm/llm.h"

/* "none" is url NULL, "cassette" replays; a server's replies are recorded where they are missing.
 * Texts live in the settings' arena. */
struct llm_options llm_settings(const struct settings *s, const char *home);

/* The lines of what was spent: home/llm-usage.jsonl. */
const char *llm_settings_ledger(const struct settings *s, const char *home);

#endif
