/*
 * Decides whether a request is answered from a cassette, whether a budget allows it, and what a
 * failure means to the caller. Must not know libcurl nor a provider's answers.
 */
#include "llm/llm_p.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"

enum {
    KEY_LEAST = 8, /* shorter keys may be ordinary words */
    KEY_MAX = 4096,
    TRIES = 6,
    BACK_OFF_MS = 500,
    DEADLINE_MS = 600000,
    CONNECT_MS = 5000
};

struct llm {
    struct arena arena;
    struct llm_options o;
    struct provider provider;
    struct http *http; /* opened with the first request */
    struct str key;    /* "": none */
    struct llm_usage usage;
    int64_t began_ns;
};

static bool read_key(struct llm *llm, struct err *e)
{
    const char *name = str_dup(&llm->arena, provider__text(&llm->provider, "key"));
    const char *found = getenv(name);
    struct str text = found ? str_of(found) : STR("");
    if (llm->o.key_file && !file_read(llm->o.key_file, KEY_MAX, &llm->arena, &text, e))
        return err_wrap(e, "the key of the language model");
    text = str_trim(text);
    llm->key = (struct str){str_dup(&llm->arena, text), text.n};
    return true;
}

bool llm_open(const struct llm_options *o, struct llm **out, struct err *e)
{
    struct llm *llm = mem_alloc(sizeof *llm);
    *llm = (struct llm){.o = *o, .began_ns = clock_now_ns()};
    arena_init(&llm->arena);
    llm->o.provider = o->provider ? o->provider : "openai";
    llm->o.model = o->model ? o->model : "default";
    llm->o.max_tries = o->max_tries ? o->max_tries : TRIES;
    llm->o.back_off_ms = o->back_off_ms ? o->back_off_ms : BACK_OFF_MS;
    llm->o.deadline_ms = o->deadline_ms ? o->deadline_ms : DEADLINE_MS;
    llm->o.connect_ms = o->connect_ms ? o->connect_ms : CONNECT_MS;
    if (o->url && strcmp(o->url, "cassette") == 0)
        llm->o.mode = CASSETTE_REPLAY;
    bool ok = provider__find(llm->o.provider, &llm->arena, &llm->provider, e) && read_key(llm, e);
    if (ok && llm->o.mode == CASSETTE_REPLAY && !o->cassettes)
        ok = err_set(e, ERR_USAGE, "a folder of cassettes is needed to replay them");
    if (!ok) {
        llm_close(llm);
        return false;
    }
    *out = llm;
    return true;
}

void llm_close(struct llm *llm)
{
    if (!llm)
        return;
    http_close(llm->http);
    arena_done(&llm->arena);
    free(llm);
}

struct llm_usage llm_usage(const struct llm *llm)
{
    return llm->usage;
}

struct hash llm_request_hash(const struct llm_options *o, const struct llm_request *r)
{
    struct hasher h;
    struct strbuf number = {0};
    hasher_init(&h);
    hasher_add_str(&h, str_of(o->model ? o->model : "default"));
    hasher_add_str(&h, r->instruction);
    hasher_add_str(&h, r->prompt);
    hasher_add_str(&h, str_of(r->schema ? r->schema : ""));
    hasher_add_u64(&h, r->max_tokens ? r->max_tokens : 1024);
    strbuf_printf(&number, "%.6g", r->temperature);
    hasher_add_str(&h, strbuf_str(&number));
    hasher_add_u64(&h, r->sample);
    strbuf_done(&number);
    return hasher_done(&h);
}

/* ---- budgets: checked before a request, so that at most one request exceeds them */

static double money_of(const struct llm *llm, uint64_t in, uint64_t out)
{
    return ((double)in * llm->o.price_in + (double)out * llm->o.price_out) / 1e6;
}

static bool has_budget(const struct llm *llm, struct err *e)
{
    const struct llm_budget *b = &llm->o.budget;
    const struct llm_usage *u = &llm->usage;
    int64_t seconds = (clock_now_ns() - llm->began_ns) / 1000000000;
    const char *used = b->requests && u->requests >= b->requests                ? "requests"
                       : b->tokens && u->tokens_in + u->tokens_out >= b->tokens ? "tokens"
                       : b->seconds && seconds >= b->seconds                    ? "seconds"
                       : b->money > 0 && u->money >= b->money                   ? "money"
                                                                                : NULL;
    return !used || err_set(e, ERR_LIMIT,
                            "the budget of %s for the language model is used up: %llu requests, "
                            "%llu tokens, %lld seconds, %.4g",
                            used, (unsigned long long)u->requests,
                            (unsigned long long)(u->tokens_in + u->tokens_out), (long long)seconds,
                            u->money);
}

static int64_t deadline_of(const struct llm *llm)
{
    int64_t left = llm->o.deadline_ms;
    if (llm->o.budget.seconds)
        left = MIN(left, llm->o.budget.seconds * 1000 - (clock_now_ns() - llm->began_ns) / 1000000);
    return MAX(left, (int64_t)1);
}

/* A copy of the provider's text with the key removed. */
static struct str without_key(const struct llm *llm, struct str text, struct arena *a)
{
    struct strbuf out = {0};
    while (llm->key.n >= KEY_LEAST) {
        size_t at = str_find(text, llm->key);
        strbuf_addstr(&out, str_sub(text, 0, at));
        if (at == text.n)
            break;
        strbuf_adds(&out, "[key]");
        text = str_sub(text, at + llm->key.n, text.n);
    }
    struct str made = llm->key.n >= KEY_LEAST ? strbuf_dup(&out, a) : text;
    strbuf_done(&out);
    return made;
}

static void write_ledger(const struct llm *llm, const struct llm_reply *r, int64_t ns)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    struct err ignored;
    if (!llm->o.ledger)
        return;
    json_begin_object(&w);
    json_pair_i64(&w, "at_ms", clock_wall_ms());
    json_pair_cstr(&w, "provider", llm->o.provider);
    json_pair_cstr(&w, "model", llm->o.model);
    json_pair_u64(&w, "tokens_in", r->tokens_in);
    json_pair_u64(&w, "tokens_out", r->tokens_out);
    json_pair_u64(&w, "tries", r->n_tries);
    json_pair_i64(&w, "ms", ns / 1000000);
    json_pair_double(&w, "money", money_of(llm, r->tokens_in, r->tokens_out));
    json_end_object(&w);
    strbuf_addc(&text, '\n');
    if (!file_append(llm->o.ledger, text.at, text.n, &ignored))
        err_clear(&ignored); /* this run still counts what was spent */
    strbuf_done(&text);
}

/* ---- a call: found in a cassette, or requested until an answer counts */

struct llm_call {
    struct llm *llm;
    struct arena arena;
    struct llm_request request;
    struct hash key;
    struct http_request http;
    struct http_call *exchange; /* NULL: found in a cassette, or waiting before the next try */
    struct retry_state retry;
    int64_t began_ns, again_ns;
    struct llm_reply found;
    bool is_found;
};

static bool keeps(const struct llm *llm)
{
    return llm->o.cassettes && llm->o.mode != CASSETTE_OFF;
}

static bool find_recorded(struct llm_call *c, struct err *e)
{
    struct llm *llm = c->llm;
    if (!keeps(llm) || llm->o.mode == CASSETTE_RECORD)
        return true;
    if (!cassette__read(llm->o.cassettes, &c->key, &c->arena, &c->found, &c->is_found, e))
        return false;
    llm->usage.from_cassette += c->is_found;
    if (c->is_found || llm->o.mode != CASSETTE_REPLAY)
        return true;
    char hex[HASH_HEX_SIZE];
    hash_to_hex(&c->key, hex);
    return err_set(e, ERR_DATA, "no cassette %.12s of this request in %s: record it first", hex,
                   llm->o.cassettes);
}

bool llm_find(struct llm *llm, const struct llm_request *r, struct arena *a, struct llm_reply *out,
              bool *found, struct err *e)
{
    struct hash key = llm_request_hash(&llm->o, r);
    return cassette__read(llm->o.cassettes, &key, a, out, found, e);
}

static void make_http(struct llm_call *c)
{
    struct llm *llm = c->llm;
    const struct provider *p = &llm->provider;
    struct str path = provider__text(p, "path"), auth = provider__text(p, "header");
    struct str extra = provider__text(p, "extra");
    const char **headers = arena_new_array(&c->arena, const char *, HEADERS_MAX);
    size_t n = 0;
    headers[n++] = "Content-Type: application/json";
    if (llm->key.n)
        headers[n++] = arena_printf(&c->arena, STR_FMT STR_FMT, STR_ARG(auth), STR_ARG(llm->key));
    if (extra.n)
        headers[n++] = str_dup(&c->arena, extra);
    c->http = (struct http_request){
        .url = arena_printf(&c->arena, "%s" STR_FMT, llm->o.url, STR_ARG(path)),
        .headers = headers,
        .body = provider__body(p, llm->o.model, &c->request, &c->arena),
        .connect_ms = llm->o.connect_ms};
    c->retry = (struct retry_state){0, llm->o.max_tries, llm->o.back_off_ms, 0};
}

static void start_exchange(struct llm_call *c)
{
    c->http.deadline_ms = deadline_of(c->llm);
    c->llm->usage.tries++;
    c->found.n_tries = (uint32_t)++c->retry.n_tries;
    c->exchange = http_begin(c->llm->http, &c->http);
}

static bool open_exchange(struct llm_call *c, struct err *e)
{
    struct llm *llm = c->llm;
    if (!llm->o.url)
        return err_set(e, ERR_USAGE, "no language model: name one with --llm URL");
    if (!has_budget(llm, e) || (!llm->http && !http_open(&llm->http, e)))
        return false;
    llm->usage.requests++;
    make_http(c);
    start_exchange(c);
    return true;
}

bool llm_begin(struct llm *llm, const struct llm_request *r, struct llm_call **out, struct err *e)
{
    struct llm_call *c = mem_alloc(sizeof *c);
    *c = (struct llm_call){
        .llm = llm, .request = *r, .key = llm_request_hash(&llm->o, r), .began_ns = clock_now_ns()};
    arena_init(&c->arena);
    c->request.prompt.at = str_dup(&c->arena, r->prompt);
    c->request.instruction.at = str_dup(&c->arena, r->instruction);
    if (!find_recorded(c, e) || (!c->is_found && !open_exchange(c, e))) {
        llm_end(c);
        return false;
    }
    *out = c;
    return true;
}

void llm_end(struct llm_call *c)
{
    if (!c)
        return;
    http_end(c->exchange);
    arena_done(&c->arena);
    free(c);
}

/* Counts what was spent, with or without an answer. */
static void close_exchange(struct llm_call *c)
{
    struct llm *llm = c->llm;
    int64_t ns = clock_now_ns() - c->began_ns;
    llm->usage.ns += ns;
    llm->usage.tokens_in += c->found.tokens_in;
    llm->usage.tokens_out += c->found.tokens_out;
    llm->usage.money += money_of(llm, c->found.tokens_in, c->found.tokens_out);
    write_ledger(llm, &c->found, ns);
}

/* Schedules the next try; false: there is none. */
static bool try_again(struct llm_call *c, const struct http_reply *got, struct err *e)
{
    struct llm *llm = c->llm;
    bool is_exhausted = false;
    struct str said = without_key(
        llm, provider__error(&llm->provider, got->body, &c->arena, &is_exhausted), &c->arena);
    c->retry.jitter = (uint64_t)clock_now_ns();
    int64_t wait = retry__wait_ms(got, is_exhausted, &c->retry);
    if (wait < 0 || (llm->o.budget.seconds && wait > deadline_of(llm)))
        return err_set(e, got->status == 401 || got->status == 403 ? ERR_USAGE : ERR_ENVIRONMENT,
                       "the language model at %s: %s%.0ld%s" STR_FMT " (%d tries)", llm->o.url,
                       got->failure ? got->failure : "status ", got->failure ? 0L : got->status,
                       said.n ? ": " : "", STR_ARG(said), c->retry.n_tries);
    c->again_ns = clock_now_ns() + wait * 1000000;
    return true;
}

static enum llm_state take_answer(struct llm_call *c, const struct http_reply *got, struct err *e)
{
    struct llm *llm = c->llm;
    bool is_answer = got->status == 200 && !got->failure;
    if (!is_answer && try_again(c, got, e))
        return LLM_PENDING;
    bool ok = is_answer && provider__read(&llm->provider, without_key(llm, got->body, &c->arena),
                                          &c->arena, &c->found, e);
    close_exchange(c);
    c->is_found = ok && (!keeps(llm) || cassette__write(llm->o.cassettes, &c->key, &c->request,
                                                        llm->o.model, &c->found, e));
    return c->is_found ? LLM_ANSWERED : LLM_FAILED;
}

enum llm_state llm_turn(struct llm_call *c, int64_t wait_ms, struct llm_reply *out, struct err *e)
{
    enum llm_state state = c->is_found ? LLM_ANSWERED : LLM_PENDING;
    struct http_reply got;
    if (!c->is_found && !c->exchange) {
        int64_t left_ms = (c->again_ns - clock_now_ns()) / 1000000;
        if (left_ms > 0 && wait_ms > 0)
            clock_sleep_ms(MIN(left_ms, wait_ms));
        if (clock_now_ns() >= c->again_ns)
            start_exchange(c);
    }
    if (c->exchange && http_turn(c->exchange, wait_ms, &c->arena, &got)) {
        http_end(c->exchange);
        c->exchange = NULL;
        state = take_answer(c, &got, e);
    }
    *out = c->found;
    return state;
}

bool llm_ask(struct llm *llm, const struct llm_request *r, struct arena *a, struct llm_reply *out,
             struct err *e)
{
    enum { PATIENCE_MS = 1000 };
    struct llm_call *c;
    enum llm_state state;
    *out = (struct llm_reply){0};
    if (!llm_begin(llm, r, &c, e))
        return false;
    while ((state = llm_turn(c, PATIENCE_MS, out, e)) == LLM_PENDING)
        continue;
    out->text.at = str_dup(a, out->text);
    out->stop.at = str_dup(a, out->stop);
    llm_end(c);
    return state == LLM_ANSWERED;
}
