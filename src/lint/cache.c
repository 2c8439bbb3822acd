/*
 * The cache file: {"version", "files": {"path": {"h": hash, "r": report}}}. Its name holds the hash
 * of rules, settings and version, so nothing of another run is ever read.
 */
#include "lint/cache.h"

#include "base/file.h"
#include "base/map.h"
#include "base/path.h"
#include "lint/report_io.h"

enum { CACHE_BYTES_MAX = 256 << 20 };

struct entry {
    char hex[HASH_HEX_SIZE];
    const struct json *old;        /* as read */
    const struct file_report *now; /* as put */
};

struct cache {
    struct arena *arena;
    const struct rule_set *rules;
    const char *dir, *path;
    struct map entries; /* path to struct entry * */
    bool is_changed;
};

static struct entry *entry_at(struct cache *c, struct str path)
{
    bool added;
    uint64_t *at = map_at(&c->entries, c->arena, path, &added);
    if (added)
        *at = (uint64_t)(uintptr_t)arena_new(c->arena, struct entry);
    return (struct entry *)(uintptr_t)*at;
}

struct cache *cache_open(const char *dir, const struct rule_set *rules, const char *identity,
                         struct arena *a)
{
    struct cache *c = arena_new(a, struct cache);
    const struct json *root, *files;
    struct err e = {0};
    struct hasher h;
    char hex[HASH_HEX_SIZE];
    hasher_init(&h);
    hasher_add_str(&h, str_of(identity));
    hasher_add_u64(&h, rule_set_hash(rules));
    struct hash key = hasher_done(&h);
    hash_to_hex(&key, hex);
    hex[16] = '\0';
    *c = (struct cache){.arena = a, .rules = rules, .dir = dir};
    c->path = path_join(a, dir, arena_printf(a, "lint-%s.json", hex));
    if (file_stat(c->path).kind != FILE_REGULAR ||
        !json_read_file(c->path, CACHE_BYTES_MAX, a, &root, &e))
        return c;
    files = json_get(root, "files");
    for (size_t i = 0; files && i < files->n; i++) {
        struct entry *entry = entry_at(c, files->keys[i]);
        struct str hash = json_get_str(&files->items[i], "h", STR(""));
        entry->old = json_get(&files->items[i], "r");
        if (hash.n == HASH_HEX_SIZE - 1)
            memcpy(entry->hex, hash.at, hash.n);
    }
    return c;
}

bool cache_get(const struct cache *c, struct str path, const struct hash *content, struct arena *a,
               struct file_report *out)
{
    char hex[HASH_HEX_SIZE];
    uint64_t *at = map_get(&c->entries, path);
    const struct entry *entry = at ? (const struct entry *)(uintptr_t)*at : NULL;
    hash_to_hex(content, hex);
    return entry && entry->old && strcmp(entry->hex, hex) == 0 &&
           report_read(entry->old, c->rules, a, out);
}

void cache_put(struct cache *c, const struct hash *content, const struct file_report *r)
{
    struct entry *entry = entry_at(c, r->path);
    hash_to_hex(content, entry->hex);
    entry->now = r;
    c->is_changed = true;
}

/* An old report copied as it was read. */
static void put_json(const struct json *j, struct json_out *w);

static void put_items(const struct json *j, struct json_out *w)
{
    for (size_t i = 0; i < j->n; i++) {
        if (j->kind == JSON_KIND_OBJECT)
            json_key(w, j->keys[i].at);
        put_json(&j->items[i], w);
    }
}

/* Depth: a report has four levels. */
static void put_json(const struct json *j, struct json_out *w)
{
    switch (j->kind) {
    case JSON_KIND_OBJECT:
        json_begin_object(w);
        put_items(j, w);
        json_end_object(w);
        break;
    case JSON_KIND_ARRAY:
        json_begin_array(w);
        put_items(j, w);
        json_end_array(w);
        break;
    case JSON_KIND_STRING:
        json_put_str(w, j->string);
        break;
    case JSON_KIND_INTEGER:
        json_put_i64(w, j->integer);
        break;
    case JSON_KIND_BOOL:
        json_put_bool(w, j->truth);
        break;
    default:
        json_put_null(w);
    }
}

bool cache_save(struct cache *c, struct err *e)
{
    struct strbuf text = {0};
    if (!c->is_changed)
        return true;
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    json_key(&w, "files");
    json_begin_object(&w);
    for (size_t i = 0; i < c->entries.entries.n; i++) {
        const struct map_entry *m = &c->entries.entries.at[i];
        const struct entry *entry = (const struct entry *)(uintptr_t)m->value;
        if (!entry->now && !entry->old)
            continue;
        json_key(&w, str_dup(c->arena, m->key));
        json_begin_object(&w);
        json_pair_cstr(&w, "h", entry->hex);
        json_key(&w, "r");
        if (entry->now)
            report_write(entry->now, &w);
        else
            put_json(entry->old, &w);
        json_end_object(&w);
    }
    json_end_object(&w);
    json_end_object(&w);
    const char *ignore = path_join(c->arena, c->dir, ".gitignore");
    bool ok = file_make_dirs(c->dir, e) &&
              (file_stat(ignore).kind == FILE_REGULAR || file_write(ignore, "*\n", 2, e)) &&
              file_write(c->path, text.at, text.n, e);
    strbuf_done(&text);
    return ok;
}
