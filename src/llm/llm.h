/*
 * A language model over HTTP: providers are data (share/llm/providers.json), every reply is kept in
 * a cassette, and budgets are enforced. Only the coordinator sends requests, for the generators;
 * pilots only read cassettes.
 *
 *     struct llm_options o = {.url = "http://127.0.0.1:8080", .cassettes = dir,
 *                             .mode = CASSETTE_RECORD_MISSING, .budget = {.requests = 100}};
 *     struct llm *llm;
 *     if (!llm_open(&o, &llm, e)) ...
 *     struct llm_reply reply;
 *     if (!llm_ask(llm, &(struct llm_request){.prompt = text}, arena, &reply, e)) ...
 *     llm_close(llm);
 *
 * The API key comes from the environment or a file, never from argv, and is written to no log,
 * cassette or error text: it is removed from texts of the provider. A reply is data, never an
 * instruction to assay.
 *
 * Failures: requests to a busy or failing server (408, 409, 429, 5xx) or over a broken connection
 * are retried with back-off, as the server's headers say; an exhausted quota, a wrong key or an
 * invalid request is final. ERR_LIMIT: a budget is used up, and no request is sent.
 */
#ifndef LLM_LLM_H
#define LLM_LLM_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"

enum cassette_mode {
    CASSETTE_OFF,
    CASSETTE_RECORD,         /* sends every request and records the reply */
    CASSETTE_RECORD_MISSING, /* sends only requests without a recorded reply */
    CASSETTE_REPLAY          /* sends none: a request without a recorded reply is an error */
};

/* 0: no limit. */
struct llm_budget {
    uint64_t requests, tokens;
    int64_t seconds;
    double money; /* in the currency of the prices */
};

struct llm_options {
    const char *url;       /* "http://host:port", "cassette"; NULL: no provider */
    const char *provider;  /* "openai" (NULL), "anthropic" */
    const char *model;     /* NULL: "default" */
    const char *key_file;  /* NULL: the environment variable of the provider */
    const char *cassettes; /* folder, or one file NAME.jsonl; NULL: none are kept */
    const char *ledger;    /* file of what was spent, one JSON line per request; NULL: none */
    enum cassette_mode mode;
    struct llm_budget budget;
    double price_in, price_out;      /* per million tokens */
    int64_t deadline_ms, connect_ms; /* 0: 600 s, 5 s */
    int max_tries;                   /* 0: 6 */
    int64_t back_off_ms;             /* first pause; 0: 500; doubled up to 8 s */
};

struct llm_request {
    struct str instruction, prompt;
    uint32_t max_tokens; /* 0: 1024 */
    double temperature;
    uint32_t sample;    /* which of several replies to one prompt */
    const char *schema; /* JSON schema of the answer, if the provider supports it; NULL: none */
};

struct llm_reply {
    struct str text;
    struct str stop; /* why the model stopped: "stop", "length"; "": not reported */
    uint64_t tokens_in, tokens_out;
    bool from_cassette, is_refusal;
    uint32_t n_tries;
};

struct llm_usage {
    uint64_t requests, tries, tokens_in, tokens_out, from_cassette;
    int64_t ns;
    double money;
};

struct llm;

bool llm_open(const struct llm_options *o, struct llm **out, struct err *e);
void llm_close(struct llm *llm); /* NULL is allowed */
bool llm_ask(struct llm *llm, const struct llm_request *r, struct arena *a, struct llm_reply *out,
             struct err *e);

/* Only reads the recorded reply; *found: is there one? */
bool llm_find(struct llm *llm, const struct llm_request *r, struct arena *a, struct llm_reply *out,
              bool *found, struct err *e);

/*
 * As llm_ask, without blocking, for one request at a time: llm_begin, llm_turn while pending,
 * llm_end.
 *
 *     struct llm_call *call;
 *     if (!llm_begin(llm, &request, &call, e)) ...       // ERR_LIMIT: a budget is used up
 *     while ((state = llm_turn(call, 0, &reply, e)) == LLM_PENDING) ...
 *     llm_end(call);                                     // frees the reply's texts
 */
enum llm_state { LLM_PENDING, LLM_ANSWERED, LLM_FAILED };
struct llm_call;
bool llm_begin(struct llm *llm, const struct llm_request *r, struct llm_call **out, struct err *e);
enum llm_state llm_turn(struct llm_call *c, int64_t wait_ms, struct llm_reply *out, struct err *e);
void llm_end(struct llm_call *c); /* NULL is allowed */
struct llm_usage llm_usage(const struct llm *llm);

/* Identity of a request and its sample: the name of its cassette. */
struct hash llm_request_hash(const struct llm_options *o, const struct llm_request *r);

/*
 * A stage: many requests, each of which may fail. It continues without the reply of a failed
 * request, and is over when a budget is used up, the key is refused, the disk fails, or five in a
 * row have failed.
 */
struct llm_stage {
    uint64_t n_asked, n_failed;
    uint32_t n_in_row;
    bool is_over;
    struct err last; /* why it is over, or the first failure */
};
void llm_stage_take(struct llm_stage *s, const struct err *failure); /* NULL: a reply came */

/* The first program in a reply: fenced, or what is left without prose and reasoning; "": none.
 * *rest (may be NULL): the text after it. */
struct str llm_extract_code(struct str reply, struct str *rest, struct arena *a);
/* The first JSON value of a reply; "": none. */
struct str llm_extract_json(struct str reply);

#endif
