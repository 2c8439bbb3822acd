/*
 * A case as a folder:
 *
 *     case.json  model.onnx | program.py  inputs/0/NAME.npy ...
 *
 * The folder is written under another name and renamed, so a reader sees a whole case or none. A
 * case that is read is sealed again, and refused if its id is not the one in the file: then the
 * files or the rules of identity have changed. Unsigned 64-bit numbers are stored as text, since
 * JSON readers differ above 2^63.
 */
#include "case/disk.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/file.h"
#include "base/path.h"
#include "case/disk_p.h"
#include "case/npy.h"
#include "case/subject.h"

enum { CASE_FORMAT = 1, CASE_JSON_MAX = 64 << 20 };

void case__pair_u64(struct json_out *w, const char *key, uint64_t v)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, v);
    json_pair_cstr(w, key, text);
}

bool case__need_u64(const struct json *j, const char *key, uint64_t *out, struct err *e)
{
    struct str s;
    if (!json_need_str(j, key, &s, e))
        return false;
    return str_to_u64(s, out) ||
           err_set(e, ERR_DATA, "line %u: \"%s\": a number in quotes is expected", j->line, key);
}

void case__pair_hash(struct json_out *w, const char *key, const struct hash *h)
{
    char hex[HASH_HEX_SIZE];
    hash_to_hex(h, hex);
    json_pair_cstr(w, key, hex);
}

bool case__need_hash(const struct json *j, const char *key, struct hash *out, struct err *e)
{
    struct str s;
    if (!json_need_str(j, key, &s, e))
        return false;
    return hash_from_hex(s, out) ||
           err_set(e, ERR_DATA, "line %u: \"%s\": 64 hexadecimal digits are expected", j->line,
                   key);
}

bool case__replace_dir(const char *partial, const char *dir, struct err *e)
{
    struct arena a;
    arena_init(&a);
    const char *old = arena_printf(&a, "%s.old", dir);
    bool ok = file_remove_tree(old, e);
    if (ok && file_stat(dir).kind != FILE_MISSING && rename(dir, old) != 0)
        ok = err_errno(e, ERR_IO, "%s: cannot be moved away", dir);
    if (ok && rename(partial, dir) != 0)
        ok = err_errno(e, ERR_IO, "%s: cannot be renamed to %s", partial, dir);
    if (ok)
        ok = file_remove_tree(old, e);
    arena_done(&a);
    return ok;
}

bool case__make_partial_dir(const char *dir, struct arena *a, const char **partial, struct err *e)
{
    *partial = arena_printf(a, "%s.partial", dir);
    return file_remove_tree(*partial, e) && file_make_dirs(*partial, e);
}

/* Writing. */

static bool put_input_sets(const char *dir, const struct tcase *c, struct json_out *w,
                           struct arena *a, struct err *e)
{
    bool ok = true;
    json_key(w, "input_sets");
    json_begin_array(w);
    for (size_t i = 0; ok && i < c->n_input_sets; i++)
        ok = tensors_write_dir(arena_printf(a, "%s/inputs/%zu", dir, i), &c->input_sets[i], w, e);
    json_end_array(w);
    return ok;
}

static bool put_json(const char *dir, const struct tcase *c, struct arena *a, struct err *e)
{
    struct strbuf b = {0};
    struct json_out w = json_open(&b, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_i64(&w, "format", CASE_FORMAT);
    case__pair_hash(&w, "id", &c->id);
    case__pair_hash(&w, "content", &c->content);
    json_pair_cstr(&w, "kind", case_subject(c)->name);
    bool ok = case_subject(c)->write(dir, c, &w, a, e);
    json_pair_cstr(&w, "lane", lane_name(c->lane));
    json_pair_bool(&w, "preserves_function", c->preserves_function);
    json_pair_str(&w, "generator", str_of(c->from.generator));
    json_pair_i64(&w, "version", c->from.version);
    case__pair_u64(&w, "seed", c->from.seed);
    case__pair_u64(&w, "index", c->from.index);
    case__pair_hash(&w, "parent", &c->from.parent);
    json_pair_str(&w, "edits", c->from.edits);
    ok = ok && put_input_sets(dir, c, &w, a, e);
    json_end_object(&w);
    strbuf_addc(&b, '\n');
    ok = ok && file_write(path_join(a, dir, "case.json"), b.at, b.n, e);
    strbuf_done(&b);
    return ok;
}

bool case_write(const char *dir, const struct tcase *c, struct err *e)
{
    struct arena a;
    const char *partial;
    arena_init(&a);
    bool ok = case__make_partial_dir(dir, &a, &partial, e) && put_json(partial, c, &a, e) &&
              case__replace_dir(partial, dir, e);
    arena_done(&a);
    return ok || err_wrap(e, "case %s", dir);
}

/* Reading. */

static bool get_provenance(const struct json *j, struct arena *a, struct provenance *out,
                           struct err *e)
{
    struct str generator, edits;
    int64_t version;
    if (!json_need_str(j, "generator", &generator, e) ||
        !json_need_i64(j, "version", &version, e) || !case__need_u64(j, "seed", &out->seed, e) ||
        !case__need_u64(j, "index", &out->index, e) ||
        !case__need_hash(j, "parent", &out->parent, e) || !json_need_str(j, "edits", &edits, e))
        return false;
    if (version < 0 || version > UINT32_MAX)
        return err_set(e, ERR_DATA, "line %u: \"version\" is out of range", j->line);
    out->generator = str_dup(a, generator);
    out->version = (uint32_t)version;
    out->edits = (struct str){str_dup(a, edits), edits.n};
    return true;
}

static bool get_subject(const char *dir, const struct json *j, struct arena *a, struct tcase *c,
                        struct err *e)
{
    struct str kind;
    if (!json_need_str(j, "kind", &kind, e))
        return false;
    const struct subject *subject = subject_find(kind);
    if (!subject)
        return err_set(e, ERR_DATA, "line %u: kind \"" STR_FMT "\"; graph or program is expected",
                       j->line, STR_ARG(kind));
    c->kind = subject->kind;
    return subject->read(dir, j, a, c, e);
}

static bool get_input_sets(const char *dir, const struct json *j, struct arena *a, struct tcase *c,
                           struct err *e)
{
    const struct json *sets;
    if (!json_need(j, "input_sets", JSON_KIND_ARRAY, &sets, e))
        return false;
    c->n_input_sets = sets->n;
    c->input_sets = arena_new_array(a, struct tensors, sets->n);
    for (size_t i = 0; i < sets->n; i++) {
        if (!tensors_read_dir(arena_printf(a, "%s/inputs/%zu", dir, i), &sets->items[i], a,
                              &c->input_sets[i], e))
            return false;
    }
    return true;
}

static bool get_case(const char *dir, const struct json *j, struct arena *a, struct tcase *c,
                     struct err *e)
{
    struct str lane;
    struct hash id;
    int64_t format;
    if (!json_need_i64(j, "format", &format, e))
        return false;
    if (format != CASE_FORMAT)
        return err_set(e, ERR_UNSUPPORTED, "format %lld; %d is read", (long long)format,
                       (int)CASE_FORMAT);
    if (!case__need_hash(j, "id", &id, e) || !json_need_str(j, "lane", &lane, e) ||
        !get_provenance(j, a, &c->from, e) || !get_subject(dir, j, a, c, e) ||
        !get_input_sets(dir, j, a, c, e))
        return false;
    if (!lane_find(lane, &c->lane))
        return err_set(e, ERR_DATA, "unknown lane \"" STR_FMT "\"", STR_ARG(lane));
    c->preserves_function = json_get_bool(j, "preserves_function", false);
    case_seal(c);
    return hash_eq(&id, &c->id) ||
           err_set(e, ERR_DATA, "its content is not the one its id was made from");
}

bool case_read(const char *dir, struct arena *a, struct tcase **out, struct err *e)
{
    const struct json *j;
    struct tcase *c = arena_new(a, struct tcase);
    if (!json_read_file(path_join(a, dir, "case.json"), CASE_JSON_MAX, a, &j, e) ||
        !get_case(dir, j, a, c, e))
        return err_wrap(e, "case %s", dir);
    *out = c;
    return true;
}
