/* Reads the rows of section lint; per-file-ignores is a table of its own in the settings file. */
#include "cli/lint_options.h"

#include "base/file.h"
#include "base/path.h"
#include "base/toml.h"
#include "base/vec.h"
#include "cli/version.h"

enum { PROJECT_BYTES_MAX = 1 << 20 };

struct ignores {
    VEC(struct path_ignore) list;
};

static struct code_list codes(const struct settings *s, enum setting_id id)
{
    struct code_list l;
    l.at = settings_list(s, id, &l.n);
    return l;
}

static void add_ignore(struct ignores *to, struct arena *a, struct str pattern, struct str code)
{
    const char **list;
    size_t n = 0;
    if (to->list.n && str_eq(vec_last(&to->list).pattern, pattern))
        n = vec_last(&to->list).codes.n;
    list = arena_new_array(a, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        list[i] = vec_last(&to->list).codes.at[i];
    list[n] = str_dup(a, code);
    if (n)
        vec_last(&to->list).codes = (struct code_list){list, n + 1};
    else
        vec_push(&to->list, a, (struct path_ignore){pattern, {list, 1}});
}

/* --per-file-ignores "tests/x.py:SB021,SB022": codes behind a comma belong to the same pattern. */
static bool read_flag(const struct settings *s, struct ignores *to, struct err *e)
{
    size_t n;
    const char *const *list = settings_list(s, SETTING_lint_per_file_ignores, &n);
    struct str pattern = {0};
    for (size_t i = 0; i < n; i++) {
        struct str one = str_of(list[i]);
        size_t colon = str_find_byte(one, ':');
        if (colon < one.n)
            pattern = str_trim(str_sub(one, 0, colon));
        if (!pattern.n)
            return err_set(e, ERR_USAGE, "--per-file-ignores: GLOB:CODE is expected, got \"%s\"",
                           list[i]);
        add_ignore(to, s->arena, pattern,
                   str_trim(colon < one.n ? str_sub(one, colon + 1, one.n) : one));
    }
    return true;
}

static bool read_table(const struct settings *s, struct ignores *to, struct err *e)
{
    const struct json *table = json_get(json_get(s->config, "lint"), "per-file-ignores");
    for (size_t i = 0; table && i < table->n; i++) {
        const struct json *list = &table->items[i];
        if (list->kind != JSON_KIND_ARRAY)
            return err_set(e, ERR_USAGE,
                           "%s:%u: lint.per-file-ignores: a list of codes is expected",
                           s->config_path, list->line);
        for (size_t k = 0; k < list->n; k++)
            add_ignore(to, s->arena, table->keys[i], list->items[k].string);
    }
    return true;
}

/* "torch>=2.1" and the like; the first number behind the name. */
static uint32_t version_of(struct str text)
{
    size_t at = 0;
    uint64_t major, minor = 0;
    while (at < text.n && (text.at[at] < '0' || text.at[at] > '9'))
        at++;
    struct str number = str_sub(text, at, text.n);
    size_t end = 0;
    while (end < number.n && number.at[end] >= '0' && number.at[end] <= '9')
        end++;
    if (!str_to_u64(str_sub(number, 0, end), &major))
        return 0;
    if (end < number.n && number.at[end] == '.') {
        size_t last = end + 1;
        while (last < number.n && number.at[last] >= '0' && number.at[last] <= '9')
            last++;
        (void)str_to_u64(str_sub(number, end + 1, last), &minor);
    }
    return (uint32_t)(major * 1000 + minor);
}

static uint32_t version_of_project(struct arena *a)
{
    struct str text;
    const struct json *root, *list;
    struct err e = {0};
    if (file_stat("pyproject.toml").kind != FILE_REGULAR ||
        !file_read("pyproject.toml", PROJECT_BYTES_MAX, a, &text, &e) ||
        !toml_parse(text, "pyproject.toml", a, &root, &e))
        return 0;
    list = json_get(json_get(root, "project"), "dependencies");
    for (size_t i = 0; list && list->kind == JSON_KIND_ARRAY && i < list->n; i++) {
        struct str one = list->items[i].string;
        if (str_starts(one, STR("torch")) && one.n > 5 && strchr(" =<>~!(", one.at[5]))
            return str_find_byte(one, '>') < one.n || str_find_byte(one, '=') < one.n
                       ? version_of(str_sub(one, 5, one.n))
                       : 0;
    }
    return 0;
}

uint32_t lint_setup_torch(const struct settings *s, struct arena *a)
{
    const char *given = settings_text(s, SETTING_lint_torch_version);
    return given ? version_of(str_of(given)) : version_of_project(a);
}

/* Everything that changes what is found. */
static const char *identity_of(const struct settings *s, uint32_t torch, struct arena *a)
{
    static const enum setting_id ids[] = {
        SETTING_lint_select,           SETTING_lint_ignore,         SETTING_lint_extend_select,
        SETTING_lint_per_file_ignores, SETTING_lint_min_confidence, SETTING_lint_ignore_noqa,
        SETTING_lint_fragment,         SETTING_lint_no_prefilter,   SETTING_verbose,
        SETTING_lint_max_file_size};
    struct strbuf text = {0};
    strbuf_printf(&text, "%s torch %u", ASSAY_VERSION, torch);
    for (size_t i = 0; i < COUNT_OF(ids); i++) {
        const struct setting_value *v = &s->values[ids[i]];
        strbuf_printf(&text, "\n%zu %lld %s", i, (long long)v->integer, v->text ? v->text : "");
        for (size_t k = 0; k < v->n_list; k++)
            strbuf_printf(&text, ",%s", v->list[k]);
    }
    const struct json *table = json_get(json_get(s->config, "lint"), "per-file-ignores");
    for (size_t i = 0; table && i < table->n; i++) {
        strbuf_printf(&text, "\n" STR_FMT, STR_ARG(table->keys[i]));
        for (size_t k = 0; k < table->items[i].n; k++)
            strbuf_printf(&text, "," STR_FMT, STR_ARG(table->items[i].items[k].string));
    }
    const char *result = strbuf_dup(&text, a).at;
    strbuf_done(&text);
    return result;
}

/* Does the user ask for SB901 by name? */
static bool wants_notes(const struct settings *s)
{
    const enum setting_id ids[] = {SETTING_lint_select, SETTING_lint_extend_select};
    for (size_t i = 0; i < COUNT_OF(ids); i++) {
        struct code_list l = codes(s, ids[i]);
        for (size_t k = 0; k < l.n; k++)
            if (str_starts(str_of(l.at[k]), STR("SB9")))
                return true;
    }
    return settings_flag(s, SETTING_verbose);
}

bool lint_setup_load(const struct settings *s, struct lint_setup *out, struct err *e)
{
    struct rule_set_options o = {0};
    struct ignores ignores = {0};
    *out = (struct lint_setup){0};
    o.dirs = settings_list(s, SETTING_lint_rules, &o.n_dirs);
    if (!rule_set_new(&o, &out->rules, e))
        return false;
    struct choice choice = {.select = codes(s, SETTING_lint_select),
                            .ignore = codes(s, SETTING_lint_ignore),
                            .extend_select = codes(s, SETTING_lint_extend_select),
                            .fixable = codes(s, SETTING_lint_fixable),
                            .unfixable = codes(s, SETTING_lint_unfixable)};
    bool ok = read_flag(s, &ignores, e) && read_table(s, &ignores, e);
    choice.per_file = ignores.list.at;
    choice.n_per_file = ignores.list.n;
    if (!ok || !selection_new(out->rules, &choice, s->arena, &out->selection, e)) {
        rule_set_free(out->rules);
        return false;
    }
    uint32_t torch = lint_setup_torch(s, s->arena);
    out->options = (struct lint_options){
        .selection = out->selection,
        .min_confidence =
            (enum confidence)(CONFIDENCE_LOW + settings_int(s, SETTING_lint_min_confidence)),
        .ignore_noqa = settings_flag(s, SETTING_lint_ignore_noqa),
        .is_fragment = settings_flag(s, SETTING_lint_fragment),
        .no_prefilter = settings_flag(s, SETTING_lint_no_prefilter),
        .with_notes = wants_notes(s),
        .max_file_size = (uint64_t)settings_int(s, SETTING_lint_max_file_size),
        .torch_version = torch};
    out->identity = identity_of(s, torch, s->arena);
    return true;
}
