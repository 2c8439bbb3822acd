/* The settings of the language model, for the commands that use one. */
#ifndef CLI_LLM_SETTINGS_H
#define CLI_LLM_SETTINGS_H

#include "cli/settings.h"
#include "llm/llm.h"

/* "none" becomes url NULL; "cassette" only replays; with a server's address, replies that the
 * cassettes lack are requested and recorded. Texts live in the settings' arena. */
struct llm_options llm_settings(const struct settings *s, const char *home);

/* The file that records what was spent, one request per line: home/llm-usage.jsonl. */
const char *llm_settings_ledger(const struct settings *s, const char *home);

#endif
