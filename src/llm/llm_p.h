/* What the files of llm/ share: one exchange over HTTP, the decision to try again, providers. */
#ifndef LLM_LLM_P_H
#define LLM_LLM_P_H

#include "base/json.h"
#include "llm/llm.h"

enum { REPLY_MAX = 8 << 20, HEADERS_MAX = 8 };

/* ---- http.c: the only file that knows libcurl */
struct http;

struct http_request {
    const char *url;
    const char *const *headers; /* ends with NULL */
    struct str body;
    int64_t deadline_ms, connect_ms;
};

struct http_reply {
    long status; /* 0: no answer; text says why */
    struct str body;
    const char *failure;
    int64_t retry_after_ms; /* from retry-after-ms or retry-after; -1: not given */
    int should_retry;       /* from x-should-retry: 1, 0; -1: not given */
};

bool http_open(struct http **out, struct err *e); /* ERR_ENVIRONMENT: libcurl is missing */
void http_close(struct http *h);
/* One call at a time. What `r` points to must live until http_end. */
struct http_call;
struct http_call *http_begin(struct http *h, const struct http_request *r);
/* Waits at most wait_ms for progress; true: the call is done, *out has its texts in the arena. */
bool http_turn(struct http_call *c, int64_t wait_ms, struct arena *a, struct http_reply *out);
void http_end(struct http_call *c); /* answered or not; NULL is allowed */

/* ---- retry.c: pure */
struct retry_state {
    int n_tries, max_tries;
    int64_t back_off_ms;
    uint64_t jitter; /* any number */
};
/* Milliseconds to wait before the next try; -1: give up. */
int64_t retry__wait_ms(const struct http_reply *r, bool is_exhausted, const struct retry_state *s);

/* ---- provider.c */
struct provider {
    const struct json *row, *root;
};
bool provider__find(const char *name, struct arena *a, struct provider *out, struct err *e);
struct str provider__body(const struct provider *p, const char *model, const struct llm_request *r,
                          struct arena *a);
/* Reads a reply. ERR_DATA: it is not of this provider's format. */
bool provider__read(const struct provider *p, struct str body, struct arena *a,
                    struct llm_reply *out, struct err *e);
/* The message of an error reply; *is_exhausted: the quota is used up. */
struct str provider__error(const struct provider *p, struct str body, struct arena *a,
                           bool *is_exhausted);
bool provider__refuses(const struct provider *p, struct str text);
struct str provider__text(const struct provider *p, const char *key);

/* ---- cassette.c */
bool cassette__read(const char *place, const struct hash *key, struct arena *a,
                    struct llm_reply *out, bool *found, struct err *e);
bool cassette__write(const char *place, const struct hash *key, const struct llm_request *r,
                     const char *model, const struct llm_reply *reply, struct err *e);

#endif
