/*
 * One POST over libcurl, which is opened when it is first needed. Decides nothing: a broken
 * connection is a reply without a status.
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

struct http {
    struct library *library;
    void *(*easy_init)(void);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_perform)(void *);
    int (*easy_getinfo)(void *, int, ...);
    void (*easy_cleanup)(void *);
    const char *(*easy_strerror)(int);
    struct curl_list *(*list_append)(struct curl_list *, const char *);
    void (*list_free)(struct curl_list *);
};

struct receiving {
    struct strbuf body;
    struct http_reply *reply;
    bool too_long;
};

static bool find_functions(struct http *h, struct err *e)
{
    struct {
        const char *name;
        library_function_ptr *to;
    } rows[] = {{"curl_easy_init", (library_function_ptr *)&h->easy_init},
                {"curl_easy_setopt", (library_function_ptr *)&h->easy_setopt},
                {"curl_easy_perform", (library_function_ptr *)&h->easy_perform},
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
    *out = h;
    return true;
}

void http_close(struct http *h)
{
    if (!h)
        return;
    library_close(h->library);
    free(h);
}

static size_t on_body(char *bytes, size_t size, size_t n, void *ctx)
{
    struct receiving *r = ctx;
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
    struct receiving *r = ctx;
    struct str line = {bytes, size * n}, value;
    double seconds;
    int64_t ms;
    if (is_header(line, "retry-after-ms", &value) && str_to_i64(value, &ms) && ms >= 0)
        r->reply->retry_after_ms = ms;
    else if (is_header(line, "retry-after", &value) && r->reply->retry_after_ms < 0 &&
             str_to_double(value, &seconds) && seconds >= 0 && seconds < 86400)
        r->reply->retry_after_ms = (int64_t)(seconds * 1000);
    else if (is_header(line, "x-should-retry", &value))
        r->reply->should_retry = str_is(value, "true");
    return size * n;
}

void http_post(struct http *h, const struct http_request *r, struct arena *a,
               struct http_reply *out)
{
    char failure[CURL_ERROR_SIZE] = "";
    struct receiving receiving = {.reply = out};
    struct curl_list *headers = NULL;
    void *easy = h->easy_init();
    *out = (struct http_reply){.retry_after_ms = -1, .should_retry = -1};
    for (size_t i = 0; r->headers[i]; i++)
        headers = h->list_append(headers, r->headers[i]);
    h->easy_setopt(easy, CURL_OPTION_URL, r->url);
    h->easy_setopt(easy, CURL_OPTION_NOSIGNAL, 1L);
    h->easy_setopt(easy, CURL_OPTION_HTTPHEADER, headers);
    h->easy_setopt(easy, CURL_OPTION_POSTFIELDS, r->body.at);
    h->easy_setopt(easy, CURL_OPTION_POSTFIELDSIZE, (long)r->body.n);
    h->easy_setopt(easy, CURL_OPTION_TIMEOUT_MS, (long)r->deadline_ms);
    h->easy_setopt(easy, CURL_OPTION_CONNECTTIMEOUT_MS, (long)r->connect_ms);
    h->easy_setopt(easy, CURL_OPTION_WRITEFUNCTION, on_body);
    h->easy_setopt(easy, CURL_OPTION_WRITEDATA, &receiving);
    h->easy_setopt(easy, CURL_OPTION_HEADERFUNCTION, on_header);
    h->easy_setopt(easy, CURL_OPTION_HEADERDATA, &receiving);
    h->easy_setopt(easy, CURL_OPTION_ERRORBUFFER, failure);
    int code = h->easy_perform(easy);
    h->easy_getinfo(easy, CURL_INFO_RESPONSE_CODE, &out->status);
    if (code != 0) {
        out->status = receiving.too_long ? out->status : 0;
        out->failure = receiving.too_long
                           ? "the answer is longer than 8 MiB"
                           : arena_strdup(a, failure[0] ? failure : h->easy_strerror(code));
    }
    out->body = strbuf_dup(&receiving.body, a);
    strbuf_done(&receiving.body);
    h->list_free(headers);
    h->easy_cleanup(easy);
}
