/*
 * Decides how a JSON object or a file becomes a record, and the record's category. Must not know
 * the parts of a framework's program (reading.h). Reads two formats: ours, and issues as returned
 * by GitHub's API.
 */
#include "generate/corpus/record.h"

#include <ctype.h>

#include "base/file.h"
#include "base/path.h"
#include "base/share.h"

static const char *const category_names[CATEGORY_COUNT] = {
    [CATEGORY_WRONG_TYPE] = "wrong-type", [CATEGORY_SHAPE] = "shape",
    [CATEGORY_DTYPE] = "dtype",           [CATEGORY_OPERATION] = "operation",
    [CATEGORY_METADATA] = "metadata",     [CATEGORY_OTHER] = "other"};

const char *issue_category_name(enum issue_category c)
{
    return c < CATEGORY_COUNT ? category_names[c] : "other";
}

static enum issue_category category_find(struct str name)
{
    for (unsigned i = 0; i < CATEGORY_COUNT; i++)
        if (str_is(name, category_names[i]))
            return (enum issue_category)i;
    return CATEGORY_OTHER;
}

/* ---- category: that of the first row of the table with a word of the text */

static struct str lower(struct str s, struct arena *a)
{
    char *copy = str_dup(a, s);
    for (size_t i = 0; i < s.n; i++)
        copy[i] = (char)tolower((unsigned char)copy[i]);
    return (struct str){copy, s.n};
}

static bool has_word(const struct json *words, struct str text)
{
    for (size_t i = 0; words && i < words->n; i++)
        if (str_find(text, words->items[i].string) < text.n)
            return true;
    return false;
}

static enum issue_category classify(const struct json *table, struct str error, struct arena *a)
{
    const struct json *rows = json_get(table, "rows");
    struct str text = lower(error, a);
    for (size_t i = 0; text.n && rows && i < rows->n; i++)
        if (has_word(json_get(&rows->items[i], "words"), text))
            return category_find(json_get_str(&rows->items[i], "category", STR("other")));
    return CATEGORY_OTHER;
}

/* "RuntimeError" of "RuntimeError: ..."; "": no name before a colon. */
static struct str exception_of(struct str error)
{
    size_t n = 0;
    while (n < error.n &&
           (isalnum((unsigned char)error.at[n]) || error.at[n] == '_' || error.at[n] == '.'))
        n++;
    bool named =
        n > 0 && isupper((unsigned char)error.at[0]) && (n == error.n || error.at[n] == ':');
    return named ? str_sub(error, 0, n) : (struct str){0};
}

/* ---- one record */

static struct str copy_of(const struct json *j, const char *key, struct arena *a)
{
    struct str s = json_get_str(j, key, STR(""));
    return (struct str){str_dup(a, s), s.n};
}

/* Reads strings, or objects with a name like GitHub's labels. */
static const struct str *list_of(const struct json *j, const char *key, struct arena *a, size_t *n)
{
    const struct json *list = json_get(j, key);
    VEC(struct str) found = {0};
    for (size_t i = 0; list && list->kind == JSON_KIND_ARRAY && i < list->n; i++) {
        const struct json *one = &list->items[i];
        struct str s =
            one->kind == JSON_KIND_STRING ? one->string : json_get_str(one, "name", STR(""));
        if (s.n)
            vec_push(&found, a, (struct str){str_dup(a, s), s.n});
    }
    *n = found.n;
    return found.at;
}

/* "owner/name" of "https://github.com/owner/name/issues/7". */
static struct str repository_of(struct str url)
{
    struct str host = STR("github.com/"), rest;
    size_t at = str_find(url, host);
    if (at == url.n)
        return (struct str){0};
    rest = str_sub(url, at + host.n, url.n);
    struct str repos = STR("repos/");
    if (str_starts(rest, repos))
        rest = str_sub(rest, repos.n, rest.n);
    size_t owner = str_find_byte(rest, '/');
    size_t name = str_find_byte(str_sub(rest, owner + 1, rest.n), '/');
    return str_sub(rest, 0, owner + 1 + name);
}

static struct str framework_of(struct str repository, struct str code)
{
    static const struct {
        const char *word, *framework;
    } rows[] = {{"pytorch", "pytorch"},
                {"torch", "pytorch"},
                {"tensorflow", "tensorflow"},
                {"onnxruntime", "onnxruntime"},
                {"nncf", "nncf"},
                {"keras", "keras"},
                {"jax", "jax"}};
    for (size_t k = 0; k < 2; k++) {
        struct str where = k ? code : repository;
        for (size_t i = 0; i < COUNT_OF(rows); i++)
            if (str_find(where, str_of(rows[i].word)) < where.n)
                return str_of(rows[i].framework);
    }
    return STR("");
}

static void read_github(const struct json *j, struct arena *a, struct issue_record *r)
{
    struct str body = str_sub(json_get_str(j, "body", STR("")), 0, ISSUE_BODY_MAX);
    struct str error = issue_extract_error(body);
    r->url = copy_of(j, "html_url", a);
    r->code = issue_extract_code(body, a);
    r->error = (struct str){str_dup(a, error), error.n};
    r->framework = framework_of(repository_of(r->url), r->code);
}

static void read_record(const struct json *j, const struct json *categories, struct arena *a,
                        struct issue_record *r)
{
    bool is_ours = json_get(j, "code");
    *r = (struct issue_record){.title = copy_of(j, "title", a), .state = copy_of(j, "state", a)};
    if (is_ours) {
        r->url = copy_of(j, "url", a);
        r->code = copy_of(j, "code", a);
        r->error = copy_of(j, "error", a);
        r->text = copy_of(j, "text", a);
        r->framework = copy_of(j, "framework", a);
        r->apis = list_of(j, "api", a, &r->n_apis);
    } else {
        read_github(j, a, r);
    }
    r->labels = list_of(j, "labels", a, &r->n_labels);
    r->exception = exception_of(r->error);
    r->category = classify(categories, r->error.n ? r->error : r->title, a);
    r->id = str_of(arena_printf(a, STR_FMT "#%lld", STR_ARG(repository_of(r->url)),
                                (long long)json_get_i64(j, "number", 0)));
}

/* ---- many */

static void add(struct issue_corpus *c, struct arena *a, const struct issue_record *r)
{
    if (!r->code.n) {
        c->n_without_code++;
        return;
    }
    for (size_t i = 0; i < c->records.n; i++)
        if (str_eq(c->records.at[i].id, r->id)) {
            c->n_twice++;
            return;
        }
    vec_push(&c->records, a, *r);
}

static const struct json *categories_of(struct arena *a)
{
    struct str text;
    const struct json *j;
    struct err ignored;
    if (!share_find("corpus/categories.json", &text) ||
        !json_parse(text, "corpus/categories.json", a, &j, &ignored))
        return NULL;
    return j;
}

static void add_lines(struct issue_corpus *c, struct str text, const char *name, struct arena *a)
{
    const struct json *categories = categories_of(a);
    struct str rest = text, line;
    while (str_split(&rest, '\n', &line)) {
        const struct json *j;
        struct issue_record r;
        struct err ignored;
        if (!str_trim(line).n)
            continue;
        if (!json_parse(line, name, a, &j, &ignored) || j->kind != JSON_KIND_OBJECT) {
            c->n_unreadable++;
            continue;
        }
        read_record(j, categories, a, &r);
        add(c, a, &r);
    }
}

static bool add_answer(struct issue_corpus *c, const struct json *j, struct arena *a)
{
    const struct json *items = j->kind == JSON_KIND_ARRAY ? j : json_get(j, "items");
    const struct json *categories = categories_of(a);
    if (!items || items->kind != JSON_KIND_ARRAY)
        return false;
    for (size_t i = 0; i < items->n; i++) {
        struct issue_record r;
        if (items->items[i].kind != JSON_KIND_OBJECT ||
            json_get(&items->items[i], "pull_request")) {
            c->n_unreadable += items->items[i].kind != JSON_KIND_OBJECT;
            continue;
        }
        read_record(&items->items[i], categories, a, &r);
        add(c, a, &r);
    }
    return true;
}

struct walk {
    struct issue_corpus *c;
    struct arena *a;
};

static bool visit(void *ctx, const char *path, struct err *e)
{
    struct walk *w = ctx;
    struct issue_record r = {.id = str_of(arena_strdup(w->a, path)), .category = CATEGORY_OTHER};
    (void)e;
    struct err ignored;
    if (!str_ends(str_of(path), STR(".py")))
        return true;
    if (!file_read(path, ISSUE_BODY_MAX, w->a, &r.code, &ignored)) {
        w->c->n_unreadable++;
        return true;
    }
    r.url = r.id;
    r.title = path_base(r.id);
    r.framework = framework_of(STR(""), r.code);
    add(w->c, w->a, &r);
    return true;
}

bool issue_corpus_add(struct issue_corpus *c, const char *path, struct arena *a, struct err *e)
{
    struct str text;
    const struct json *j;
    struct err ignored;
    if (file_stat(path).kind == FILE_DIRECTORY) {
        struct walk w = {c, a};
        return file_walk_tree(path, &(struct file_walk){.visit = visit, .ctx = &w}, e);
    }
    if (!file_read(path, ISSUE_FILE_MAX, a, &text, e))
        return false;
    if (json_parse(text, path, a, &j, &ignored) && add_answer(c, j, a))
        return true;
    size_t before = c->records.n + c->n_without_code + c->n_twice;
    add_lines(c, text, path, a);
    return c->records.n + c->n_without_code + c->n_twice > before ||
           err_set(e, ERR_DATA,
                   "%s: neither lines of JSON objects, nor a GitHub reply (an array of issues, or "
                   "an object with items), nor a folder of .py files",
                   path);
}

bool issue_corpus_load(const char *home, struct arena *a, struct issue_corpus *out, struct err *e)
{
    static const char *const own[] = {"corpus/mob.jsonl", "corpus/framework.jsonl"};
    struct file_list files = {0};
    *out = (struct issue_corpus){0};
    for (size_t i = 0; i < COUNT_OF(own); i++) {
        struct str text;
        if (share_find(own[i], &text))
            add_lines(out, text, own[i], a);
    }
    const char *folder = home ? path_join(a, home, "corpus") : NULL;
    if (!folder || file_stat(folder).kind != FILE_DIRECTORY)
        return true;
    if (!file_list_dir(folder, a, &files, e))
        return false;
    for (size_t i = 0; i < files.n; i++)
        if (str_ends(str_of(files.names[i]), STR(".jsonl")) &&
            !issue_corpus_add(out, path_join(a, folder, files.names[i]), a, e))
            return false;
    return true;
}

const struct issue_record *issue_corpus_find(const struct issue_corpus *c, struct str id)
{
    for (size_t i = 0; id.n && i < c->records.n; i++) {
        struct str known = c->records.at[i].id;
        size_t mark = str_find_byte(known, '#');
        if (str_eq(known, id) || str_eq(str_sub(known, mark, known.n), id) ||
            str_eq(str_sub(known, mark + 1, known.n), id))
            return &c->records.at[i];
    }
    return NULL;
}

static void write_list(const char *key, const struct str *at, size_t n, struct json_out *w)
{
    json_key(w, key);
    json_begin_array(w);
    for (size_t i = 0; i < n; i++)
        json_put_str(w, at[i]);
    json_end_array(w);
}

void issue_record_write(const struct issue_record *r, struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_COMPACT);
    struct str number = str_sub(r->id, str_find_byte(r->id, '#') + 1, r->id.n);
    int64_t n = 0;
    json_begin_object(&w);
    json_pair_str(&w, "framework", r->framework);
    if (str_to_i64(number, &n))
        json_pair_i64(&w, "number", n);
    json_pair_str(&w, "url", r->url);
    json_pair_str(&w, "title", r->title);
    json_pair_str(&w, "state", r->state);
    write_list("labels", r->labels, r->n_labels, &w);
    json_pair_str(&w, "code", r->code);
    json_pair_str(&w, "error", r->error);
    write_list("api", r->apis, r->n_apis, &w);
    json_pair_str(&w, "text", r->text);
    json_end_object(&w);
    strbuf_addc(out, '\n');
}
