/*
 * The rule set: built-in rules and the user's, compiled against one table of words, paths and APIs.
 * Does not know what any rule finds.
 */
#include "lint/rule_p.h"

#include "base/file.h"
#include "base/path.h"
#include "lint/packed_p.h"

enum { RULE_BYTES_MAX = 1 << 20 };

static bool add_rule(struct rule_set *s, const char *file, const struct json *root, struct err *e)
{
    struct compile c = {.set = s, .arena = &s->arena, .file = file, .guards = &s->guards};
    c.kinds = predicate__list(&c.n_kinds);
    struct rule rule = {0};
    if (!compile__rule(&c, root, &rule, e))
        return false;
    if (rule_find(s, rule.code))
        return err_set(e, ERR_DATA, "%s: code " STR_FMT " is used by another rule", file,
                       STR_ARG(rule.code));
    vec_push(&s->rules, NULL, rule);
    return true;
}

static bool add_guards(struct rule_set *s, const struct json *root, struct err *e)
{
    const struct json *list;
    if (!json_need(root, "guards", JSON_KIND_OBJECT, &list, e))
        return false;
    for (size_t i = 0; i < list->n; i++)
        map_put(&s->guards, &s->arena, list->keys[i], (uint64_t)(uintptr_t)&list->items[i]);
    return true;
}

/* rules/SBnnn-name.json; not guards.json, the schema, or files in subfolders. */
static bool is_rule_file(struct str path)
{
    struct str base = path_base(path);
    return str_ends(base, STR(".json")) && base.n > 6 && base.at[0] >= 'A' && base.at[0] <= 'Z';
}

static bool is_below(const char *path, const char *folder)
{
    return str_starts(str_of(path), str_of(folder));
}

/* A kind of packed file. A compiled rule keeps nothing of its JSON; guards are kept for as long as
 * rules are added. */
enum builtin { BUILTIN_NONE, BUILTIN_API, BUILTIN_GUARDS, BUILTIN_RULES };

static bool add_builtin(struct rule_set *s, enum builtin which, const char *path,
                        const struct json *root, struct api_lists *lists, struct err *e)
{
    const char *shown = arena_printf(&s->arena, "share/%s", path);
    if (which == BUILTIN_API)
        return api__read(s, shown, root, lists, e);
    return which == BUILTIN_GUARDS ? add_guards(s, root, e) : add_rule(s, shown, root, e);
}

static bool load_builtin(struct rule_set *s, enum builtin which, struct err *e)
{
    struct packed p = packed__open(), value;
    struct arena work;
    struct api_lists lists = {0};
    const char *path;
    bool ok = true;
    arena_init(&work);
    while (ok && packed__next(&p, &path, &value)) {
        enum builtin is = is_below(path, "rules/api/")                ? BUILTIN_API
                          : is_rule_file(str_of(path))                ? BUILTIN_RULES
                          : str_is(str_of(path), "rules/guards.json") ? BUILTIN_GUARDS
                                                                      : BUILTIN_NONE;
        if (is != which)
            continue;
        ok = add_builtin(s, which, path,
                         packed__value(value, which == BUILTIN_GUARDS ? &s->arena : &work), &lists,
                         e);
        arena_reset(&work);
    }
    arena_done(&work);
    return ok && (which != BUILTIN_API || api__finish(s, &lists, e));
}

static bool load_dir(struct rule_set *s, const char *dir, struct err *e)
{
    struct file_list list;
    size_t before = s->rules.n;
    if (!file_list_dir(dir, &s->arena, &list, e))
        return err_wrap(e, "rules");
    for (size_t i = 0; i < list.n; i++) {
        const char *path = path_join(&s->arena, dir, list.names[i]);
        struct str text;
        if (!is_rule_file(str_of(list.names[i])))
            continue;
        const struct json *root;
        if (!file_read(path, RULE_BYTES_MAX, &s->arena, &text, e) ||
            !json_parse(text, path, &s->arena, &root, e) || !add_rule(s, path, root, e))
            return false;
        hasher_add_str(&s->hasher, text);
    }
    return s->rules.n > before ||
           err_set(e, ERR_DATA, "%s: no rule file such as AB001-name.json in it", dir);
}

static int by_code(const void *a, const void *b)
{
    return str_cmp(((const struct rule *)a)->code, ((const struct rule *)b)->code);
}

static bool load(struct rule_set *s, const struct rule_set_options *o, struct err *e)
{
    if (!py_parser_open(&s->parser, e))
        return false;
    s->paths = paths_new(s->parser);
    if (!load_builtin(s, BUILTIN_API, e) || !load_builtin(s, BUILTIN_GUARDS, e))
        return false;
    if (!o->only_dirs && !load_builtin(s, BUILTIN_RULES, e))
        return false;
    hasher_add_str(&s->hasher, str_of(packed__hash));
    hasher_add_u64(&s->hasher, o->only_dirs);
    for (size_t i = 0; i < o->n_dirs; i++)
        if (!load_dir(s, o->dirs[i], e))
            return false;
    if (s->rules.n)
        qsort(s->rules.at, s->rules.n, sizeof *s->rules.at, by_code);
    s->n_words = py_parser_word_count(s->parser);
    s->n_paths = paths_count(s->paths);
    prefilter__index_words(s);
    s->hash = hasher_done(&s->hasher);
    return true;
}

bool rule_set_new(const struct rule_set_options *o, struct rule_set **out, struct err *e)
{
    struct rule_set *s = mem_alloc(sizeof *s);
    *s = (struct rule_set){0};
    hasher_init(&s->hasher);
    arena_init(&s->arena);
    if (!load(s, o, e)) {
        rule_set_free(s);
        return false;
    }
    *out = s;
    return true;
}

void rule_set_free(struct rule_set *s)
{
    if (!s)
        return;
    api_table_free(s->api);
    if (s->paths)
        paths_free(s->paths);
    py_parser_close(s->parser);
    vec_free(&s->rules);
    arena_done(&s->arena);
    free(s);
}

const struct rule *rule_list(const struct rule_set *s, size_t *n)
{
    *n = s->rules.n;
    return s->rules.at;
}

const struct rule *rule_find(const struct rule_set *s, struct str code)
{
    for (size_t i = 0; i < s->rules.n; i++)
        if (str_eq(s->rules.at[i].code, code))
            return &s->rules.at[i];
    return NULL;
}

uint64_t rule_set_hash(const struct rule_set *s)
{
    return hash_prefix(&s->hash);
}
