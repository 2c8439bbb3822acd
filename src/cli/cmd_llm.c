/* assay llm: checks that the language model answers, and shows what was spent on it. */
#include "base/file.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "cli/llm_settings.h"

enum { LEDGER_MAX = 256 << 20 };

static bool ping(const struct settings *s, struct err *e)
{
    struct campaign_place place;
    struct llm *llm;
    struct llm_reply reply;
    if (!campaign_find(s, &place, e) || !file_make_dirs(place.home, e))
        return false;
    struct llm_options o = llm_settings(s, place.home);
    o.mode = CASSETTE_OFF;
    if (!llm_open(&o, &llm, e))
        return false;
    bool ok = llm_ask(llm, &(struct llm_request){.prompt = STR("Say: ready"), .max_tokens = 16},
                      s->arena, &reply, e);
    struct llm_usage used = llm_usage(llm);
    llm_close(llm);
    if (!ok)
        return false;
    struct str line = str_sub(reply.text, 0, str_find_byte(reply.text, '\n'));
    out_line(str_of(arena_printf(
        s->arena, "answers in %.1f s, %llu tokens in, %llu out, %u tries: " STR_FMT,
        (double)used.ns / 1e9, (unsigned long long)reply.tokens_in,
        (unsigned long long)reply.tokens_out, reply.n_tries, STR_ARG(str_sub(line, 0, 200)))));
    return true;
}

struct spent {
    uint64_t requests, tries, tokens_in, tokens_out;
    int64_t ms;
    double money;
};

static bool read_ledger(const char *path, struct arena *a, struct spent *out, struct err *e)
{
    struct str text, line;
    *out = (struct spent){0};
    if (file_stat(path).kind == FILE_MISSING)
        return true;
    if (!file_read(path, LEDGER_MAX, a, &text, e))
        return false;
    while (str_split(&text, '\n', &line)) {
        const struct json *j;
        struct err cut; /* the last line of a process that was killed */
        if (!line.n || !json_parse(line, path, a, &j, &cut))
            continue;
        out->requests++;
        out->tries += (uint64_t)json_get_i64(j, "tries", 0);
        out->tokens_in += (uint64_t)json_get_i64(j, "tokens_in", 0);
        out->tokens_out += (uint64_t)json_get_i64(j, "tokens_out", 0);
        out->ms += json_get_i64(j, "ms", 0);
        out->money += json_get_double(j, "money", 0);
    }
    return true;
}

static bool usage(const struct settings *s, struct err *e)
{
    struct campaign_place place;
    struct spent n;
    if (!campaign_find(s, &place, e) ||
        !read_ledger(llm_settings_ledger(s, place.home), s->arena, &n, e))
        return false;
    if (settings_want_json(s)) {
        struct strbuf text = {0};
        struct json_out w = json_open(&text, JSON_PRETTY);
        json_begin_object(&w);
        json_pair_u64(&w, "requests", n.requests);
        json_pair_u64(&w, "tries", n.tries);
        json_pair_u64(&w, "tokens_in", n.tokens_in);
        json_pair_u64(&w, "tokens_out", n.tokens_out);
        json_pair_i64(&w, "ms", n.ms);
        json_pair_double(&w, "money", n.money);
        json_end_object(&w);
        out_json(&text);
        return true;
    }
    out_putf("%llu requests, %llu tries, %llu tokens in, %llu out, %.1f s, %.4g spent\n",
             (unsigned long long)n.requests, (unsigned long long)n.tries,
             (unsigned long long)n.tokens_in, (unsigned long long)n.tokens_out, (double)n.ms / 1e3,
             n.money);
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    (void)exit_code;
    if (s->n_args == 1 && strcmp(s->args[0], "ping") == 0)
        return ping(s, e);
    if (s->n_args == 1 && strcmp(s->args[0], "usage") == 0)
        return usage(s, e);
    return err_set(e, ERR_USAGE, "ping or usage is expected");
}

const struct command command_llm = {
    .name = "llm",
    .arguments = "ping|usage",
    .summary = "check that the language model answers, and show what was spent on it",
    .details = "--llm names a server that speaks OpenAI's chat completions (llama.cpp, Ollama, "
               "vLLM) or, with --llm-provider anthropic,\nAnthropic's messages. The key is read "
               "from OPENAI_API_KEY or ANTHROPIC_API_KEY, or from --llm-key-file; it is in no\n"
               "log, cassette or message.",
    .examples = "  assay llm ping --llm http://127.0.0.1:8080\n  assay llm usage --json",
    .run = run,
};
