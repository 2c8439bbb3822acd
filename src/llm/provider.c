/* Writes a provider's requests and reads its replies, by the rows of share/llm/providers.json. Must
 * not know the network. */
#include "base/share.h"
#include "llm/llm_p.h"

static const char table[] = "llm/providers.json";

bool provider__find(const char *name, struct arena *a, struct provider *out, struct err *e)
{
    const struct json *root, *rows;
    if (!share_json(table, a, &root, e) || !json_need(root, "providers", JSON_KIND_ARRAY, &rows, e))
        return false;
    for (size_t i = 0; i < rows->n; i++)
        if (str_is(json_get_str(&rows->items[i], "name", STR("")), name)) {
            *out = (struct provider){&rows->items[i], root};
            return true;
        }
    return err_set(e, ERR_USAGE, "no provider \"%s\": openai and anthropic are known", name);
}

struct str provider__text(const struct provider *p, const char *key)
{
    return json_get_str(p->row, key, STR(""));
}

static void put_message(struct json_out *w, const char *role, struct str text)
{
    json_begin_object(w);
    json_pair_cstr(w, "role", role);
    json_pair_str(w, "content", text);
    json_end_object(w);
}

struct str provider__body(const struct provider *p, const char *model, const struct llm_request *r,
                          struct arena *a)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    bool as_message = str_is(provider__text(p, "system"), "message");
    json_begin_object(&w);
    json_pair_cstr(&w, "model", model);
    json_pair_u64(&w, "max_tokens", r->max_tokens ? r->max_tokens : 1024);
    json_pair_double(&w, "temperature", r->temperature);
    if (r->instruction.n && !as_message)
        json_pair_str(&w, "system", r->instruction);
    json_key(&w, "messages");
    json_begin_array(&w);
    if (r->instruction.n && as_message)
        put_message(&w, "system", r->instruction);
    put_message(&w, "user", r->prompt);
    json_end_array(&w);
    if (r->schema && as_message) {
        json_key(&w, "response_format");
        json_begin_object(&w);
        json_pair_cstr(&w, "type", "json_schema");
        json_key(&w, "json_schema");
        json_begin_object(&w);
        json_pair_cstr(&w, "name", "answer");
        json_key(&w, "schema");
        json_put_raw(&w, str_of(r->schema));
        json_end_object(&w);
        json_end_object(&w);
    }
    json_end_object(&w);
    struct str body = strbuf_dup(&text, a);
    strbuf_done(&text);
    return body;
}

/* The value at a path of keys and indices; NULL: it is not there. */
static const struct json *at_path(const struct provider *p, const char *key, const struct json *j)
{
    const struct json *path = json_get(p->row, key);
    for (size_t i = 0; path && j && i < path->n; i++) {
        int64_t index;
        if (j->kind == JSON_KIND_ARRAY && str_to_i64(path->items[i].string, &index))
            j = index >= 0 && (size_t)index < j->n ? &j->items[index] : NULL;
        else
            j = json_get(j, path->items[i].string.at);
    }
    return path ? j : NULL;
}

static uint64_t number_at(const struct provider *p, const char *key, const struct json *j)
{
    const struct json *v = at_path(p, key, j);
    return v && v->kind == JSON_KIND_INTEGER && v->integer > 0 ? (uint64_t)v->integer : 0;
}

bool provider__read(const struct provider *p, struct str body, struct arena *a,
                    struct llm_reply *out, struct err *e)
{
    const struct json *j;
    struct err unread;
    if (!json_parse(body, "answer", a, &j, &unread))
        return err_set(e, ERR_DATA, "the provider's answer is no JSON");
    const struct json *text = at_path(p, "text", j), *stop = at_path(p, "stop", j);
    if (!text || text->kind != JSON_KIND_STRING)
        return err_set(e, ERR_DATA, "the provider's answer has no text");
    out->text = text->string;
    out->stop = stop && stop->kind == JSON_KIND_STRING ? stop->string : STR("");
    out->tokens_in = number_at(p, "tokens_in", j);
    out->tokens_out = number_at(p, "tokens_out", j);
    out->is_refusal = provider__refuses(p, out->text);
    return true;
}

static bool has_any(const struct provider *p, const char *key, struct str text)
{
    const struct json *words = json_get(p->root, key);
    for (size_t i = 0; words && i < words->n; i++)
        if (str_find(text, words->items[i].string) < text.n)
            return true;
    return false;
}

bool provider__refuses(const struct provider *p, struct str text)
{
    return has_any(p, "refusals", str_sub(text, 0, 200));
}

struct str provider__error(const struct provider *p, struct str body, struct arena *a,
                           bool *is_exhausted)
{
    const struct json *j;
    struct err unread;
    *is_exhausted = has_any(p, "exhausted", body);
    if (!json_parse(body, "answer", a, &j, &unread))
        return STR("");
    const struct json *text = at_path(p, "error", j);
    return text && text->kind == JSON_KIND_STRING ? str_sub(text->string, 0, 300) : STR("");
}
