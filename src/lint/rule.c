/*
 * The rule set: built-in rules and the user's, compiled against one table of words, paths and APIs.
 * Which rule does what is not known here.
 */
#include "lint/rule_p.h"

#include "base/file.h"
#include "base/path.h"
#include "base/share.h"

enum { RULE_BYTES_MAX = 1 << 20 };

uint32_t rule_set__word(struct rule_set *s, struct str text)
{
    return py_parser_word(s->parser, text);
}

uint32_t rule_set__path(struct rule_set *s, struct str dotted)
{
    return paths_add(s->paths, dotted);
}

static bool add_rule(struct rule_set *s, const char *file, struct str text, struct err *e)
{
    const struct json *root;
    struct compile c = {.set = s, .arena = &s->arena, .file = file, .guards = &s->guards};
    struct rule rule = {0};
    if (!json_parse(text, file, &s->arena, &root, e) || !compile__rule(&c, root, &rule, e))
        return false;
    if (rule_find(s, rule.code))
        return err_set(e, ERR_DATA, "%s: code " STR_FMT " is used by another rule", file,
                       STR_ARG(rule.code));
    vec_push(&s->rules, NULL, rule);
    hasher_add_str(&s->hasher, text);
    return true;
}

static bool load_guards(struct rule_set *s, struct err *e)
{
    struct str text;
    const struct json *root, *list;
    if (!share_find("rules/guards.json", &text))
        return true;
    if (!json_parse(text, "share/rules/guards.json", &s->arena, &root, e) ||
        !json_need(root, "guards", JSON_KIND_OBJECT, &list, e))
        return false;
    for (size_t i = 0; i < list->n; i++)
        map_put(&s->guards, &s->arena, list->keys[i], (uint64_t)(uintptr_t)&list->items[i]);
    hasher_add_str(&s->hasher, text);
    return true;
}

/* rules/SBnnn-name.json; not guards.json, the schema, or what stands in folders below. */
static bool is_rule_file(struct str path)
{
    struct str base = path_base(path);
    return str_ends(base, STR(".json")) && base.n > 6 && base.at[0] >= 'A' && base.at[0] <= 'Z';
}

static bool load_builtin(struct rule_set *s, struct err *e)
{
    size_t n;
    const struct share_file *files = share_list("rules/", &n);
    for (size_t i = 0; i < n; i++)
        if (is_rule_file(str_of(files[i].path)) &&
            !add_rule(s, arena_printf(&s->arena, "share/%s", files[i].path), files[i].bytes, e))
            return false;
    return true;
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
        if (!file_read(path, RULE_BYTES_MAX, &s->arena, &text, e) || !add_rule(s, path, text, e))
            return false;
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
    if (!api__load(s, e) || !load_guards(s, e))
        return false;
    if (!o->only_dirs && !load_builtin(s, e))
        return false;
    for (size_t i = 0; i < o->n_dirs; i++)
        if (!load_dir(s, o->dirs[i], e))
            return false;
    if (s->rules.n)
        qsort(s->rules.at, s->rules.n, sizeof *s->rules.at, by_code);
    s->n_words = py_parser_word_count(s->parser);
    s->n_paths = paths_count(s->paths);
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
