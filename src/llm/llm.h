/*
 * A language model behind HTTP: providers are data (share/llm/providers.json), every reply lands in
 * a cassette, and every budget is kept. It lives in the coordinator: generators say what they want,
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
 * The key comes from the environment or a file, never from argv, and stands in no log, cassette or
 * error text: texts of the provider are searched for it. A reply is data: whatever it says is never
 * an instruction to assay.
 *
 * Failures: a busy or failing server (408, 409, 429, 5xx) and a broken connection are tried again
 * with back-off, as the server's headers say; an exhausted quota, a wrong key or a wrong request is
 * not. A budget that is used up is ERR_LIMIT before the request that would exceed it.
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
    CASSETTE_RECORD,         /* always asks, and keeps the reply */
    CASSETTE_RECORD_MISSING, /* asks for what is not there */
    CASSETTE_REPLAY          /* a miss is an error */
};

/* 0: no limit. */
struct llm_budget {
    uint64_t requests, tokens;
    int64_t seconds;
    double money; /* of prices per million tokens, in their currency */
};

struct llm_options {
    const char *url;       /* "http://host:port", "cassette"; NULL: no provider */
    const char *provider;  /* "openai" (NULL), "anthropic" */
    const char *model;     /* NULL: "default" */
    const char *key_file;  /* NULL: the environment variable of the provider */
    const char *cassettes; /* folder; NULL: none are kept */
    const char *ledger;    /* file of what was spent, a JSON line a request; NULL: none */
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
    uint32_t sample;    /* of several replies to one prompt */
    const char *schema; /* JSON schema of the answer, where the provider knows them; NULL */
};

struct llm_reply {
    struct str text;
    struct str stop; /* why the model ended: "stop", "length"; "" when it is not said */
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

/* The reply that was recorded, and no other; *found is false where there is none. */
bool llm_find(struct llm *llm, const struct llm_request *r, struct arena *a, struct llm_reply *out,
              bool *found, struct err *e);

/*
 * The same without waiting, one at a time: begin, turns until it is no longer pending, end.
 *
 *     struct llm_call *call;
 *     if (!llm_begin(llm, &request, &call, e)) ...       // ERR_LIMIT: a budget is used up
 *     while ((state = llm_turn(call, 0, &reply, e)) == LLM_PENDING) ...
 *     llm_end(call);                                     // the reply's texts go with it
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
 * A stage: many requests, each of which may fail. It goes on without the reply, and is over when a
 * budget is used up, the key or the disk is refused, or five in a row have failed.
 */
struct llm_stage {
    uint64_t n_asked, n_failed;
    uint32_t n_in_row;
    bool is_over;
    struct err last; /* why it is over, or the first failure */
};
void llm_stage_take(struct llm_stage *s, const struct err *failure); /* NULL: it was answered */

/* Programs in a reply: fenced, or what is left when prose and reasoning are taken away; "": none.
 * *rest (may be NULL) is behind the one that was found. */
struct str llm_extract_code(struct str reply, struct str *rest, struct arena *a);
/* The first JSON value of a reply; "": none. */
struct str llm_extract_json(struct str reply);

#endif
