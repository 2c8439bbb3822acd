/* Decides what the settings of the language model mean to its client. */
#include "cli/llm_settings.h"

#include "base/path.h"

const char *llm_settings_ledger(const struct settings *s, const char *home)
{
    return path_join(s->arena, home, "llm-usage.jsonl");
}

struct llm_options llm_settings(const struct settings *s, const char *home)
{
    const char *url = settings_text(s, SETTING_llm);
    const char *cassettes = settings_path(s, SETTING_llm_cassettes);
    return (struct llm_options){
        .url = strcmp(url, "none") == 0 ? NULL : url,
        .provider = settings_text(s, SETTING_llm_provider),
        .model = settings_text(s, SETTING_llm_model),
        .key_file = settings_path(s, SETTING_llm_key_file),
        .cassettes = cassettes ? cassettes : path_join(s->arena, home, "cassettes"),
        .ledger = llm_settings_ledger(s, home),
        .mode = CASSETTE_RECORD_MISSING,
        .budget = {.seconds = settings_int(s, SETTING_llm_seconds),
                   .requests = (uint64_t)settings_int(s, SETTING_llm_requests),
                   .tokens = (uint64_t)settings_int(s, SETTING_llm_tokens)},
        .max_tries = (int)settings_int(s, SETTING_llm_tries)};
}
