/*
 * Replies on disk, one file per request and sample, named by the request's hash. A cassette holds
 * request and reply, but no API key: this file has no access to one.
 */
#include "base/file.h"
#include "base/path.h"
#include "llm/llm_p.h"

static const char *path_of(const char *dir, const struct hash *key, struct arena *a)
{
    char hex[HASH_HEX_SIZE];
    hash_to_hex(key, hex);
    return path_join(a, dir, arena_printf(a, "%.2s/%s.json", hex, hex));
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

bool cassette__read(const char *dir, const struct hash *key, struct arena *a, struct llm_reply *out,
                    bool *found, struct err *e)
{
    const char *path = path_of(dir, key, a);
    const struct json *j;
    *out = (struct llm_reply){0};
    *found = file_stat(path).kind == FILE_REGULAR;
    return !*found || (json_read_file(path, REPLY_MAX * 2, a, &j, e) && read_one(j, out, e)) ||
           err_wrap(e, "cassette %s", path);
}

bool cassette__write(const char *dir, const struct hash *key, const struct llm_request *r,
                     const char *model, const struct llm_reply *reply, struct err *e)
{
    struct arena a;
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    arena_init(&a);
    const char *path = path_of(dir, key, &a);
    json_begin_object(&w);
    json_pair_cstr(&w, "model", model);
    json_pair_str(&w, "system", r->instruction);
    json_pair_str(&w, "prompt", r->prompt);
    json_pair_u64(&w, "sample", r->sample);
    json_pair_str(&w, "text", reply->text);
    json_pair_str(&w, "stop", reply->stop);
    json_pair_u64(&w, "tokens_in", reply->tokens_in);
    json_pair_u64(&w, "tokens_out", reply->tokens_out);
    json_pair_bool(&w, "refusal", reply->is_refusal);
    json_end_object(&w);
    bool ok = file_make_dirs(str_dup(&a, path_dir(str_of(path))), e) &&
              file_write(path, text.at, text.n, e);
    strbuf_done(&text);
    arena_done(&a);
    return ok;
}
