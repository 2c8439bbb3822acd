/*
 * POSTs over libcurl, which is opened when it is first needed. A call advances by http_turn, so
 * callers need not block. Decides nothing: a broken connection is a reply without a status.
 */
#include <ctype.h>
#include <stdlib.h>

#include "base/number.h"
#include "llm/llm_p.h"
#include "os/library.h"

enum {
#define OPTION(name, number) CURL_OPTION_##name = number,
#define INFO(name, number) CURL_INFO_##name = number,
#include "llm/curl.def"
#undef OPTION
#undef INFO
    CURL_ERROR_SIZE = 256
};

struct curl_list;

/* CURLMsg of libcurl's interface. */
struct curl_message {
    int kind; /* 1: the transfer is done */
    void *easy;
    union {
        void *whatever;
        int code;
    } data;
};

struct http {
    struct library *library;
    void *multi;
    void *(*easy_init)(void);
    int (*easy_setopt)(void *, int, ...);
    void *(*multi_init)(void);
    int (*multi_add)(void *, void *);
    int (*multi_remove)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned, int, int *);
    struct curl_message *(*multi_info)(void *, int *);
    int (*multi_cleanup)(void *);
    int (*easy_getinfo)(void *, int, ...);
    void (*easy_cleanup)(void *);
    const char *(*easy_strerror)(int);
    struct curl_list *(*list_append)(struct curl_list *, const char *);
    void (*list_free)(struct curl_list *);
};

struct http_call {
    struct http *http;
    void *easy;
    struct curl_list *headers;
    struct strbuf body;
    struct http_reply reply;
    char failure[CURL_ERROR_SIZE];
    bool too_long;
};

static bool find_functions(struct http *h, struct err *e)
{
    struct {
        const char *name;
        library_function_ptr *to;
    } rows[] = {{"curl_easy_init", (library_function_ptr *)&h->easy_init},
                {"curl_easy_setopt", (library_function_ptr *)&h->easy_setopt},
                {"curl_multi_init", (library_function_ptr *)&h->multi_init},
                {"curl_multi_add_handle", (library_function_ptr *)&h->multi_add},
                {"curl_multi_remove_handle", (library_function_ptr *)&h->multi_remove},
                {"curl_multi_perform", (library_function_ptr *)&h->multi_perform},
                {"curl_multi_poll", (library_function_ptr *)&h->multi_poll},
                {"curl_multi_info_read", (library_function_ptr *)&h->multi_info},
                {"curl_multi_cleanup", (library_function_ptr *)&h->multi_cleanup},
                {"curl_easy_getinfo", (library_function_ptr *)&h->easy_getinfo},
                {"curl_easy_cleanup", (library_function_ptr *)&h->easy_cleanup},
                {"curl_easy_strerror", (library_function_ptr *)&h->easy_strerror},
                {"curl_slist_append", (library_function_ptr *)&h->list_append},
                {"curl_slist_free_all", (library_function_ptr *)&h->list_free}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!library_function(h->library, rows[i].name, rows[i].to, e))
            return false;
    return true;
}

bool http_open(struct http **out, struct err *e)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"};
    struct http *h = mem_alloc(sizeof *h);
    *h = (struct http){0};
    for (size_t i = 0; !h->library && i < COUNT_OF(names); i++)
        if (!library_open(names[i], &h->library, e))
            h->library = NULL;
    if (!h->library) {
        free(h);
        return err_set(e, ERR_ENVIRONMENT,
                       "libcurl is missing: install it (Debian: apt-get install libcurl4), or use "
                       "--llm none or --llm cassette");
    }
    if (!find_functions(h, e)) {
        http_close(h);
        return false;
    }
    h->multi = h->multi_init();
    *out = h;
    return true;
}

void http_close(struct http *h)
{
    if (!h)
        return;
    if (h->multi)
        h->multi_cleanup(h->multi);
    library_close(h->library);
    free(h);
}

static size_t on_body(char *bytes, size_t size, size_t n, void *ctx)
{
    struct http_call *r = ctx;
    if (r->body.n + size * n > REPLY_MAX) {
        r->too_long = true;
        return 0;
    }
    strbuf_add(&r->body, bytes, size * n);
    return size * n;
}

static bool is_header(struct str line, const char *name, struct str *value)
{
    size_t n = strlen(name);
    if (line.n <= n || line.at[n] != ':')
        return false;
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)line.at[i]) != name[i])
            return false;
    *value = str_trim(str_sub(line, n + 1, line.n));
    return true;
}

static size_t on_header(char *bytes, size_t size, size_t n, void *ctx)
{
    struct http_call *r = ctx;
    struct str line = {bytes, size * n}, value;
    double seconds;
    int64_t ms;
    if (is_header(line, "retry-after-ms", &value) && str_to_i64(value, &ms) && ms >= 0)
        r->reply.retry_after_ms = ms;
    else if (is_header(line, "retry-after", &value) && r->reply.retry_after_ms < 0 &&
             str_to_double(value, &seconds) && seconds >= 0 && seconds < 86400)
        r->reply.retry_after_ms = (int64_t)(seconds * 1000);
    else if (is_header(line, "x-should-retry", &value))
        r->reply.should_retry = str_is(value, "true");
    return size * n;
}

struct http_call *http_begin(struct http *h, const struct http_request *r)
{
    struct http_call *c = mem_alloc(sizeof *c);
    *c = (struct http_call){
        .http = h, .easy = h->easy_init(), .reply = {.retry_after_ms = -1, .should_retry = -1}};
    for (size_t i = 0; r->headers[i]; i++)
        c->headers = h->list_append(c->headers, r->headers[i]);
    h->easy_setopt(c->easy, CURL_OPTION_URL, r->url);
    h->easy_setopt(c->easy, CURL_OPTION_NOSIGNAL, 1L);
    h->easy_setopt(c->easy, CURL_OPTION_HTTPHEADER, c->headers);
    h->easy_setopt(c->easy, CURL_OPTION_POSTFIELDS, r->body.at);
    h->easy_setopt(c->easy, CURL_OPTION_POSTFIELDSIZE, (long)r->body.n);
    h->easy_setopt(c->easy, CURL_OPTION_TIMEOUT_MS, (long)r->deadline_ms);
    h->easy_setopt(c->easy, CURL_OPTION_CONNECTTIMEOUT_MS, (long)r->connect_ms);
    h->easy_setopt(c->easy, CURL_OPTION_WRITEFUNCTION, on_body);
    h->easy_setopt(c->easy, CURL_OPTION_WRITEDATA, c);
    h->easy_setopt(c->easy, CURL_OPTION_HEADERFUNCTION, on_header);
    h->easy_setopt(c->easy, CURL_OPTION_HEADERDATA, c);
    h->easy_setopt(c->easy, CURL_OPTION_ERRORBUFFER, c->failure);
    h->multi_add(h->multi, c->easy);
    return c;
}

static void take_end(struct http_call *c, int code, struct arena *a, struct http_reply *out)
{
    *out = c->reply;
    c->http->easy_getinfo(c->easy, CURL_INFO_RESPONSE_CODE, &out->status);
    if (code != 0) {
        out->status = c->too_long ? out->status : 0;
        out->failure = c->too_long ? "the answer is longer than 8 MiB"
                                   : arena_strdup(a, c->failure[0] ? c->failure
                                                                   : c->http->easy_strerror(code));
    }
    out->body = strbuf_dup(&c->body, a);
}

bool http_turn(struct http_call *c, int64_t wait_ms, struct arena *a, struct http_reply *out)
{
    struct http *h = c->http;
    int n_running, n_left;
    h->multi_perform(h->multi, &n_running);
    if (n_running > 0 && wait_ms > 0) {
        h->multi_poll(h->multi, NULL, 0, (int)MIN(wait_ms, (int64_t)60000), &n_left);
        h->multi_perform(h->multi, &n_running);
    }
    for (struct curl_message *m; (m = h->multi_info(h->multi, &n_left));)
        if (m->easy == c->easy) {
            take_end(c, m->data.code, a, out);
            return true;
        }
    return false;
}

void http_end(struct http_call *c)
{
    if (!c)
        return;
    c->http->multi_remove(c->http->multi, c->easy);
    c->http->easy_cleanup(c->easy);
    c->http->list_free(c->headers);
    strbuf_done(&c->body);
    free(c);
}
