/*
 * Two files: {"files": {"path": {"h": hash, "r": report}}}, and the summaries: for each path its
 * length and text, the hash, and the summary's length and bytes. Their names hold the hash of
 * rules, settings and version, so nothing of another run is ever read.
 */
#include "lint/cache.h"

#include "base/file.h"
#include "base/map.h"
#include "base/path.h"
#include "lint/report_io.h"

enum { CACHE_BYTES_MAX = 256 << 20 };

struct entry {
    char hex[HASH_HEX_SIZE];
    const struct json *old;        /* read from the file */
    const struct file_report *now; /* put in this run */
    struct str summary;            /* either */
};

struct cache {
    struct arena *arena;
    const struct rule_set *rules;
    const char *dir, *path, *summaries;
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

/* ---- summaries ---- */

static void put_count(struct strbuf *out, size_t n)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        strbuf_addc(out, (char)(n >> shift & 0xFF));
}

static bool take_bytes(struct str *rest, size_t n, struct str *out)
{
    if (n > rest->n)
        return false;
    *out = str_sub(*rest, 0, n);
    *rest = str_sub(*rest, n, rest->n);
    return true;
}

static bool take_counted(struct str *rest, struct str *out)
{
    struct str head;
    size_t n = 0;
    if (!take_bytes(rest, 4, &head))
        return false;
    for (unsigned i = 0; i < 4; i++)
        n |= (size_t)(unsigned char)head.at[i] << (8 * i);
    return take_bytes(rest, n, out);
}

static void read_summaries(struct cache *c)
{
    struct str rest, path, hex, bytes;
    struct err e = {0};
    if (file_stat(c->summaries).kind != FILE_REGULAR ||
        !file_read(c->summaries, CACHE_BYTES_MAX, c->arena, &rest, &e))
        return;
    while (take_counted(&rest, &path) && take_bytes(&rest, HASH_HEX_SIZE - 1, &hex) &&
           take_counted(&rest, &bytes)) {
        struct entry *entry = entry_at(c, path);
        if (!entry->hex[0])
            memcpy(entry->hex, hex.at, hex.n);
        if (str_is(hex, entry->hex))
            entry->summary = bytes;
    }
}

static void put_summaries(const struct cache *c, struct strbuf *out)
{
    for (size_t i = 0; i < c->entries.entries.n; i++) {
        const struct map_entry *m = &c->entries.entries.at[i];
        const struct entry *entry = (const struct entry *)(uintptr_t)m->value;
        if (!entry->summary.n)
            continue;
        put_count(out, m->key.n);
        strbuf_addstr(out, m->key);
        strbuf_add(out, entry->hex, HASH_HEX_SIZE - 1);
        put_count(out, entry->summary.n);
        strbuf_addstr(out, entry->summary);
    }
}

/* ---- the cache ---- */

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
    c->summaries = path_join(a, dir, arena_printf(a, "lint-%s.summaries", hex));
    if (file_stat(c->path).kind != FILE_REGULAR ||
        !json_read_file(c->path, CACHE_BYTES_MAX, a, &root, &e)) {
        read_summaries(c);
        return c;
    }
    files = json_get(root, "files");
    for (size_t i = 0; files && i < files->n; i++) {
        struct entry *entry = entry_at(c, files->keys[i]);
        struct str hash = json_get_str(&files->items[i], "h", STR(""));
        entry->old = json_get(&files->items[i], "r");
        if (hash.n == HASH_HEX_SIZE - 1)
            memcpy(entry->hex, hash.at, hash.n);
    }
    read_summaries(c);
    return c;
}

bool cache_get(const struct cache *c, struct str path, const struct hash *key, struct arena *a,
               struct file_report *out, struct str *summary)
{
    char hex[HASH_HEX_SIZE];
    uint64_t *at = map_get(&c->entries, path);
    const struct entry *entry = at ? (const struct entry *)(uintptr_t)*at : NULL;
    hash_to_hex(key, hex);
    if (!entry || strcmp(entry->hex, hex) != 0 || (out && !entry->old) ||
        (summary && !entry->summary.n))
        return false;
    if (summary)
        *summary = entry->summary;
    return !out || report_read(entry->old, c->rules, a, out);
}

void cache_put(struct cache *c, struct str path, const struct hash *key,
               const struct file_report *r, struct str summary)
{
    char hex[HASH_HEX_SIZE];
    struct entry *entry = entry_at(c, path);
    hash_to_hex(key, hex);
    if (strcmp(entry->hex, hex) != 0)
        *entry = (struct entry){0};
    memcpy(entry->hex, hex, sizeof hex);
    if (r)
        entry->now = r;
    entry->summary = summary;
    c->is_changed = true;
}

/* Copies an old report as it was read. */
static void put_json(const struct json *j, struct json_out *w);

static void put_items(const struct json *j, struct json_out *w)
{
    for (size_t i = 0; i < j->n; i++) {
        if (j->kind == JSON_KIND_OBJECT)
            json_key(w, j->keys[i].at);
        put_json(&j->items[i], w);
    }
}

/* Recursive: a report has four levels. */
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
    strbuf_clear(&text);
    put_summaries(c, &text);
    ok = ok && file_write(c->summaries, text.at, text.n, e);
    strbuf_done(&text);
    return ok;
}
