/*
 * Replies on disk: in a folder, one file per request and sample, named by the request's hash; or in
 * one file NAME.jsonl, a line each, where only the first sample has the prompt. A cassette holds
 * request and reply, but no API key: this file has no access to one.
 */
#include "base/file.h"
#include "base/path.h"
#include "llm/llm_p.h"

enum { LINES_MAX = 256 << 20 };

static bool is_one_file(const char *place)
{
    return str_ends(str_of(place), STR(".jsonl"));
}

static const char *path_of(const char *place, const char *hex, struct arena *a)
{
    return is_one_file(place) ? place
                              : path_join(a, place, arena_printf(a, "%.2s/%s.json", hex, hex));
}

static bool read_one(const struct json *j, struct llm_reply *out, struct err *e)
{
    if (!json_need_str(j, "text", &out->text, e))
        return false;
    out->stop = json_get_str(j, "stop", STR(""));
    out->tokens_in = (uint64_t)json_get_i64(j, "tokens_in", 0);
    out->tokens_out = (uint64_t)json_get_i64(j, "tokens_out", 0);
    out->is_refusal = json_get_bool(j, "refusal", false);
    out->from_cassette = true;
    return true;
}

/* The line of this request; "": there is none. */
static bool find_line(const char *path, const char *hex, struct arena *a, struct str *out,
                      struct err *e)
{
    struct str start = str_of(arena_printf(a, "{\"key\":\"%s\"", hex)), rest;
    if (!file_map(path, LINES_MAX, a, &rest, e))
        return false;
    while (rest.n && str_split(&rest, '\n', out))
        if (str_starts(*out, start))
            return true;
    *out = (struct str){0};
    return true;
}

static bool read_line(const char *path, const char *hex, struct arena *a, struct llm_reply *out,
                      bool *found, struct err *e)
{
    const struct json *j;
    struct str line;
    if (!find_line(path, hex, a, &line, e))
        return false;
    *found = line.n > 0;
    return !*found || (json_parse(line, path, a, &j, e) && read_one(j, out, e));
}

bool cassette__read(const char *place, const struct hash *key, struct arena *a,
                    struct llm_reply *out, bool *found, struct err *e)
{
    char hex[HASH_HEX_SIZE];
    const struct json *j;
    hash_to_hex(key, hex);
    const char *path = path_of(place, hex, a);
    *out = (struct llm_reply){0};
    *found = file_stat(path).kind == FILE_REGULAR;
    if (!*found)
        return true;
    bool ok = is_one_file(place)
                  ? read_line(path, hex, a, out, found, e)
                  : json_read_file(path, REPLY_MAX * 2, a, &j, e) && read_one(j, out, e);
    return ok || err_wrap(e, "cassette %s", path);
}

static void put_reply(struct json_out *w, const struct llm_reply *reply)
{
    json_pair_str(w, "text", reply->text);
    json_pair_str(w, "stop", reply->stop);
    json_pair_u64(w, "tokens_in", reply->tokens_in);
    json_pair_u64(w, "tokens_out", reply->tokens_out);
    json_pair_bool(w, "refusal", reply->is_refusal);
}

static bool append_line(const char *path, const char *hex, const struct llm_request *r,
                        const char *model, const struct llm_reply *reply, struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_cstr(&w, "key", hex);
    json_pair_u64(&w, "sample", r->sample);
    if (r->sample == 0) {
        json_pair_cstr(&w, "model", model);
        json_pair_str(&w, "prompt", r->prompt);
    }
    put_reply(&w, reply);
    json_end_object(&w);
    strbuf_addc(&text, '\n');
    bool ok = file_append(path, text.at, text.n, e);
    strbuf_done(&text);
    return ok;
}

static bool write_file(const char *path, const struct llm_request *r, const char *model,
                       const struct llm_reply *reply, struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_cstr(&w, "model", model);
    json_pair_str(&w, "system", r->instruction);
    json_pair_str(&w, "prompt", r->prompt);
    json_pair_u64(&w, "sample", r->sample);
    put_reply(&w, reply);
    json_end_object(&w);
    bool ok = file_write(path, text.at, text.n, e);
    strbuf_done(&text);
    return ok;
}

bool cassette__write(const char *place, const struct hash *key, const struct llm_request *r,
                     const char *model, const struct llm_reply *reply, struct err *e)
{
    char hex[HASH_HEX_SIZE];
    struct arena a;
    hash_to_hex(key, hex);
    arena_init(&a);
    const char *path = path_of(place, hex, &a);
    bool ok = file_make_dirs(str_dup(&a, path_dir(str_of(path))), e) &&
              (is_one_file(place) ? append_line(path, hex, r, model, reply, e)
                                  : write_file(path, r, model, reply, e));
    arena_done(&a);
    return ok;
}
