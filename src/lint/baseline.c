/* Baselines as JSON: {"version": 1, "findings": [{"path", "code", "key", "count"}]}. */
#include "lint/baseline.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/path.h"

enum { KEY_HEX = 16 };

static void key_of(const struct finding *f, char out[static HASH_HEX_SIZE])
{
    struct hash h = hash_of(f->context.at, f->context.n);
    hash_to_hex(&h, out);
    out[KEY_HEX] = '\0';
}

/* The folder that the paths of a baseline are relative to: its absolute path and the way there from
 * the working folder. */
struct place {
    const char *here, *folder;
};

static bool find_place(const char *name, struct arena *a, struct place *out, struct err *e)
{
    if (!file_current_dir(a, &out->here, e))
        return false;
    const char *whole = path_absolute(a, out->here, name);
    out->folder = str_dup(a, path_dir(str_of(whole)));
    return true;
}

/* For a baseline in "/a/d", "/a/b/c.py" is "../b/c.py". */
static struct str path_of(const struct place *from, struct str path, struct arena *a)
{
    struct str whole = str_of(path_absolute(a, from->here, str_dup(a, path)));
    struct str folder = str_of(strcmp(from->folder, "/") == 0 ? "" : from->folder);
    size_t n = path_common(whole, folder);
    struct strbuf out = {0};
    for (size_t i = n; i < folder.n; i++)
        if (folder.at[i] == '/')
            strbuf_adds(&out, "../");
    strbuf_addstr(&out, str_sub(whole, n + 1, whole.n));
    struct str result = strbuf_dup(&out, a);
    strbuf_done(&out);
    return result;
}

static char *entry_name(struct arena *a, struct str path, struct str code, const char *key)
{
    return arena_printf(a, STR_FMT "\n" STR_FMT "\n%s", STR_ARG(path), STR_ARG(code), key);
}

static void put_counts(const struct map *counts, struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_i64(&w, "version", 1);
    json_key(&w, "findings");
    json_begin_array(&w);
    for (size_t i = 0; i < counts->entries.n; i++) {
        struct str rest = counts->entries.at[i].key, path, code, key;
        str_split(&rest, '\n', &path);
        str_split(&rest, '\n', &code);
        str_split(&rest, '\n', &key);
        json_begin_object(&w);
        json_pair_str(&w, "path", path);
        json_pair_str(&w, "code", code);
        json_pair_str(&w, "key", key);
        json_pair_u64(&w, "count", counts->entries.at[i].value);
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    strbuf_addc(out, '\n');
}

bool baseline_write(const char *name, const struct file_report *files, size_t n, struct strbuf *out,
                    struct err *e)
{
    struct arena a;
    struct map counts = {0};
    struct place place;
    arena_init(&a);
    bool ok = find_place(name, &a, &place, e);
    for (size_t i = 0; ok && i < n; i++)
        for (size_t k = 0; k < files[i].n; k++) {
            char key[HASH_HEX_SIZE];
            key_of(&files[i].findings[k], key);
            const char *entry =
                entry_name(&a, path_of(&place, files[i].path, &a), files[i].findings[k].code, key);
            ++*map_at(&counts, &a, str_of(entry), NULL);
        }
    if (ok)
        put_counts(&counts, out);
    arena_done(&a);
    return ok;
}

static bool read_counts(struct str text, const char *name, struct arena *a, struct map *out,
                        struct err *e)
{
    const struct json *root, *list;
    if (!json_parse_with_nul(text, name, a, &root, e))
        return false;
    if (json_get_i64(root, "version", 0) != 1)
        return err_set(e, ERR_DATA, "%s: no baseline of version 1", name);
    if (!json_need(root, "findings", JSON_KIND_ARRAY, &list, e))
        return err_wrap(e, "%s", name);
    for (size_t i = 0; i < list->n; i++) {
        struct str path, code, key;
        if (!json_need_str(&list->items[i], "path", &path, e) ||
            !json_need_str(&list->items[i], "code", &code, e) ||
            !json_need_str(&list->items[i], "key", &key, e))
            return err_wrap(e, "%s", name);
        const char *entry = entry_name(a, path, code, str_dup(a, key));
        map_put(out, a, str_of(entry), (uint64_t)json_get_i64(&list->items[i], "count", 1));
    }
    return true;
}

bool baseline_apply(struct str text, const char *name, struct file_report *files, size_t n,
                    struct arena *a, uint64_t *n_known, struct err *e)
{
    struct map counts = {0};
    struct place place;
    *n_known = 0;
    if (!find_place(name, a, &place, e) || !read_counts(text, name, a, &counts, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t kept = 0;
        for (size_t k = 0; k < files[i].n; k++) {
            char key[HASH_HEX_SIZE];
            key_of(&files[i].findings[k], key);
            const char *entry =
                entry_name(a, path_of(&place, files[i].path, a), files[i].findings[k].code, key);
            uint64_t *left = map_get(&counts, str_of(entry));
            if (left && *left) {
                --*left;
                ++*n_known;
            } else {
                files[i].findings[kept++] = files[i].findings[k];
            }
        }
        files[i].n = kept;
    }
    return true;
}
