/* Reads files of pairs. Decides nothing: pairs were verified when the files were made. */
#include "align/pairs.h"

#include "base/file.h"
#include "base/path.h"
#include "base/share.h"

enum { FILES_MAX = 16 };
#define FILE_MAX_BYTES ((size_t)64 << 20)

static bool read_row(const struct json *j, const struct pair_file *file, struct arena *a,
                     struct pair_row *out, struct err *e)
{
    struct str adapter;
    *out = (struct pair_row){.source = json_get_str(j, "source", STR("")),
                             .reason = json_get_str(j, "reason", STR("")),
                             .names_a = json_get(j, "names_a"),
                             .names_b = json_get(j, "names_b"),
                             .dtype = json_get(j, "dtype"),
                             .evidence = json_get(j, "evidence"),
                             .file = file};
    if (!json_need_str(j, "op", &out->op, e) || !json_need_str(j, "a", &out->a, e) ||
        !json_need_str(j, "b", &out->b, e) || !json_need_str(j, "status", &out->status, e))
        return false;
    adapter = json_get_str(json_get(j, "adapter"), "text", STR("*"));
    out->is_verified = str_starts(out->status, STR("equal"));
    return adapter_parse(adapter, a, &out->adapter, e);
}

static bool read_file(struct str text, const char *name, struct arena *a, struct pair_file *out,
                      struct err *e)
{
    const struct json *root, *list, *versions;
    if (!json_parse(text, name, a, &root, e))
        return false;
    if (!json_need_str(root, "a", &out->a, e) || !json_need_str(root, "b", &out->b, e) ||
        !json_need(root, "pairs", JSON_KIND_ARRAY, &list, e) ||
        !json_need(root, "versions", JSON_KIND_ARRAY, &versions, e))
        return err_wrap(e, "%s", name);
    if (versions->n == 2) {
        out->version_a = versions->items[0].string;
        out->version_b = versions->items[1].string;
    }
    struct pair_row *rows = arena_new_array(a, struct pair_row, list->n);
    for (size_t i = 0; i < list->n; i++)
        if (!read_row(&list->items[i], out, a, &rows[i], e))
            return err_wrap(e, "%s:%u", name, list->items[i].line);
    out->rows = rows;
    out->n = list->n;
    return true;
}

static bool load_compiled(struct arena *a, struct pair_files *out, struct err *e)
{
    size_t n;
    const struct share_file *files = share_list("pairs/", &n);
    out->at = arena_new_array(a, struct pair_file, n);
    for (size_t i = 0; i < n; i++)
        if (!read_file(files[i].bytes, files[i].path, a, &out->at[out->n++], e))
            return false;
    return true;
}

bool pairs_load(const char *folder, struct arena *a, struct pair_files *out, struct err *e)
{
    struct file_list names;
    *out = (struct pair_files){0};
    if (!folder || file_stat(folder).kind != FILE_DIRECTORY)
        return load_compiled(a, out, e);
    if (!file_list_dir(folder, a, &names, e))
        return false;
    out->at = arena_new_array(a, struct pair_file, names.n);
    for (size_t i = 0; i < names.n; i++) {
        struct str text;
        const char *path = path_join(a, folder, names.names[i]);
        if (!str_ends(str_of(names.names[i]), STR(".json")))
            continue;
        if (!file_read(path, FILE_MAX_BYTES, a, &text, e) ||
            !read_file(text, path, a, &out->at[out->n++], e))
            return false;
    }
    return true;
}

void pair_agreed_calls(const struct pair_row *r, struct arena *a, struct call_list *out)
{
    const struct json *agree = json_get(r->evidence, "agree");
    for (size_t i = 0; agree && i < agree->n; i++) {
        struct call from, *to = arena_new(a, struct call);
        struct err ignored = {0};
        if (call_parse(agree->items[i].string, a, &from, &ignored) &&
            adapter_apply(&r->adapter, &from, a, to))
            vec_push(&out->list, a, to);
    }
}

bool pair_has_name(const struct json *names, struct str name)
{
    for (size_t i = 0; names && i < names->n; i++)
        if (str_eq(names->items[i].string, name))
            return true;
    return false;
}

bool pair_knows_ranks(const struct pair_row *r, const struct call *call)
{
    const struct json *ranks = json_get(r->evidence, "ranks");
    struct strbuf text = {0};
    call_print_ranks(call, &text);
    bool known = !ranks || pair_has_name(ranks, strbuf_str(&text));
    strbuf_done(&text);
    return known;
}

static int64_t agreeing(const struct pair_row *r)
{
    /* An adapter that maps more calls is better than one that leaves arguments out. */
    return json_get_i64(r->evidence, "equal", 0);
}

static const struct pair_row *best(const struct pair_files *f, struct str symbol, struct str side,
                                   bool of_b)
{
    const struct pair_row *found = NULL;
    for (size_t i = 0; i < f->n; i++) {
        if (!str_eq(of_b ? f->at[i].a : f->at[i].b, side))
            continue;
        for (size_t k = 0; k < f->at[i].n; k++) {
            const struct pair_row *r = &f->at[i].rows[k];
            const struct json *names = of_b ? r->names_b : r->names_a;
            if (r->is_verified && pair_has_name(names, symbol) &&
                (!found || agreeing(r) > agreeing(found)))
                found = r;
        }
    }
    return found;
}

const struct pair_row *pairs_best(const struct pair_files *f, struct str symbol, struct str side)
{
    return best(f, symbol, side, false);
}

const struct pair_row *pairs_best_of_b(const struct pair_files *f, struct str symbol,
                                       struct str side)
{
    return best(f, symbol, side, true);
}
