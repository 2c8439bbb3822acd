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
    const char *pattern; /* the last one's, as written */
};

static struct code_list codes(const struct settings *s, enum setting_id id)
{
    struct code_list l;
    l.at = settings_list(s, id, &l.n);
    return l;
}

/* Where globs and paths of a setting count from. */
static bool folder_of(const struct settings *s, const char *given, const char **out, struct err *e)
{
    *out = given;
    return given || file_current_dir(s->arena, out, e);
}

static bool add_ignore(struct ignores *to, const struct settings *s, const char *folder,
                       const char *pattern, struct str code, struct err *e)
{
    const char **list;
    size_t n = 0;
    if (to->list.n && strcmp(to->pattern, pattern) == 0)
        n = vec_last(&to->list).codes.n;
    list = arena_new_array(s->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        list[i] = vec_last(&to->list).codes.at[i];
    list[n] = str_dup(s->arena, code);
    if (n) {
        vec_last(&to->list).codes = (struct code_list){list, n + 1};
        return true;
    }
    struct path_ignore one = {.codes = {list, 1}};
    to->pattern = pattern;
    if (!path_glob_new(folder, pattern, s->arena, &one.glob, e))
        return err_wrap(e, "per-file-ignores");
    vec_push(&to->list, s->arena, one);
    return true;
}

/* --per-file-ignores "tests/x.py:SB021,SB022": codes after a comma belong to the same pattern. */
static bool read_flag(const struct settings *s, struct ignores *to, struct err *e)
{
    size_t n;
    const char *const *list = settings_list(s, SETTING_lint_per_file_ignores, &n);
    const char *pattern = "", *folder;
    if (!folder_of(s, NULL, &folder, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        struct str one = str_of(list[i]);
        size_t colon = str_find_byte(one, ':');
        if (colon < one.n)
            pattern = str_dup(s->arena, str_trim(str_sub(one, 0, colon)));
        if (!pattern[0])
            return err_set(e, ERR_USAGE, "--per-file-ignores: GLOB:CODE is expected, got \"%s\"",
                           list[i]);
        struct str code = str_trim(colon < one.n ? str_sub(one, colon + 1, one.n) : one);
        if (!add_ignore(to, s, folder, pattern, code, e))
            return false;
    }
    return true;
}

static bool read_table(const struct settings *s, struct ignores *to, struct err *e)
{
    const struct json *table = json_get(json_get(s->config, "lint"), "per-file-ignores");
    const char *folder;
    if (!folder_of(s, s->folder, &folder, e))
        return false;
    if (table && table->kind != JSON_KIND_OBJECT)
        return err_set(e, ERR_USAGE,
                       "%s:%u: lint.per-file-ignores: a table of patterns is expected, got %s",
                       s->config_path, table->line, json_kind_name(table->kind));
    for (size_t i = 0; table && i < table->n; i++) {
        const struct json *list = &table->items[i];
        if (list->kind != JSON_KIND_ARRAY)
            return err_set(e, ERR_USAGE,
                           "%s:%u: lint.per-file-ignores: a list of codes is expected",
                           s->config_path, list->line);
        for (size_t k = 0; k < list->n; k++)
            if (list->items[k].kind != JSON_KIND_STRING)
                return err_set(e, ERR_USAGE,
                               "%s:%u: lint.per-file-ignores: a list of codes is expected",
                               s->config_path, list->items[k].line);
            else if (!add_ignore(to, s, folder, str_dup(s->arena, table->keys[i]),
                                 list->items[k].string, e))
                return false;
    }
    return true;
}

static bool read_globs(const struct settings *s, enum setting_id id, const struct path_glob **out,
                       size_t *n, struct err *e)
{
    const char *const *list = settings_list(s, id, n);
    struct path_glob *globs = arena_new_array(s->arena, struct path_glob, *n + 1);
    const char *folder;
    if (!folder_of(s, settings_folder(s, id), &folder, e))
        return false;
    for (size_t i = 0; i < *n; i++)
        if (!path_glob_new(folder, list[i], s->arena, &globs[i], e))
            return err_wrap(e, "%s", setting_row(id)->name);
    *out = globs;
    return true;
}

static bool read_excludes(const struct settings *s, struct discover_excludes *out, struct err *e)
{
    const enum setting_id exclude = SETTING_lint_exclude, more = SETTING_lint_extend_exclude;
    return folder_of(s, s->folder, &out->folder, e) &&
           (!settings_given(s, exclude) ||
            read_globs(s, exclude, &out->exclude, &out->n_exclude, e)) &&
           read_globs(s, more, &out->extend_exclude, &out->n_extend_exclude, e);
}

/* "2.1", "2.1.0+cu118"; false when it is no number. */
static bool read_version(struct str text, uint32_t *out)
{
    struct str major, minor;
    uint64_t a, b = 0;
    text = str_trim(text);
    bool has_minor = str_find_byte(text, '.') < text.n;
    str_split(&text, '.', &major);
    size_t n = 0;
    while (n < text.n && text.at[n] >= '0' && text.at[n] <= '9')
        n++;
    minor = str_sub(text, 0, n);
    if (!str_to_u64(major, &a) || a > 1000 || (has_minor && !str_to_u64(minor, &b)) || b > 999)
        return false;
    *out = (uint32_t)(a * 1000 + b);
    return true;
}

/* The lowest version that a requirement lets in: ">=2.1,<3", "==2.1.*", "~=2.1"; 0: it sets no
 * lower end. */
static uint32_t lowest_version(struct str requirement)
{
    static const char *const floors[] = {">=", "==", "~=", "===", ">"};
    struct str part;
    uint32_t lowest = 0;
    requirement = str_sub(requirement, 0, str_find_byte(requirement, ';'));
    while (str_split(&requirement, ',', &part)) {
        uint32_t version;
        size_t n = 0;
        for (part = str_trim(part); n < part.n && strchr("<>=~!", part.at[n]);)
            n++;
        struct str sign = str_sub(part, 0, n), number = str_sub(part, n, part.n);
        number = str_sub(number, 0, str_find_byte(number, ')'));
        for (size_t i = 0; i < COUNT_OF(floors); i++)
            if (str_is(sign, floors[i]) && read_version(number, &version))
                lowest = MAX(lowest, version);
    }
    return lowest;
}

/* The text after "torch" or "torch[extras]" in a requirement; false: it is for another package. */
static bool is_torch(struct str requirement, struct str *rest)
{
    if (!str_starts(requirement, STR("torch")))
        return false;
    *rest = str_trim(str_sub(requirement, 5, requirement.n));
    if (rest->n && rest->at[0] == '[')
        *rest = str_trim(str_sub(*rest, str_find_byte(*rest, ']') + 1, rest->n));
    if (rest->n && rest->at[0] == '(')
        *rest = str_sub(*rest, 1, rest->n);
    return !rest->n || strchr("=<>~!;@", rest->at[0]);
}

bool lint_setup_torch_of_project(const char *folder, struct arena *a, uint32_t *version)
{
    struct str text, rest;
    const struct json *root, *list;
    struct err e = {0};
    const char *path = path_join(a, folder, "pyproject.toml");
    *version = 0;
    if (file_stat(path).kind != FILE_REGULAR || !file_read(path, PROJECT_BYTES_MAX, a, &text, &e) ||
        str_find(text, STR("project")) == text.n || !toml_parse(text, path, a, &root, &e) ||
        !json_get(root, "project"))
        return false;
    list = json_get(json_get(root, "project"), "dependencies");
    for (size_t i = 0; list && list->kind == JSON_KIND_ARRAY && i < list->n; i++)
        if (is_torch(list->items[i].string, &rest))
            *version = MAX(*version, lowest_version(rest));
    return true;
}

static bool torch_of(const struct settings *s, uint32_t project, uint32_t *out, struct err *e)
{
    const char *given = settings_text(s, SETTING_lint_torch_version);
    *out = project;
    return !given || read_version(str_of(given), out) ||
           err_set(e, ERR_USAGE, "torch-version: X.Y is expected, got \"%s\"", given);
}

/* The path from the settings' folder to the working folder. Cached reports hold paths relative to
 * one, per-file-ignores are relative to the other. */
static void add_folders(const struct settings *s, struct strbuf *text)
{
    const char *here;
    struct err e = {0};
    if (!s->folder || !file_current_dir(s->arena, &here, &e))
        return;
    size_t n = path_common(str_of(here), str_of(s->folder));
    strbuf_printf(text, "\nfrom %s to %s", here + n, s->folder + n);
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
    add_folders(s, &text);
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

static const char *cache_dir(const struct settings *s)
{
    const char *given = settings_path(s, SETTING_lint_cache_dir);
    if (settings_flag(s, SETTING_lint_no_cache))
        return NULL;
    if (given)
        return given;
    if (!s->config_path)
        return ".assay_cache";
    return path_join(s->arena, str_dup(s->arena, path_dir(str_of(s->config_path))), ".assay_cache");
}

const char *const *lint_rule_folders(const struct settings *s, size_t *n)
{
    const char *const *given = settings_list(s, SETTING_lint_rules, n);
    const char *folder = settings_folder(s, SETTING_lint_rules);
    const char **dirs = arena_new_array(s->arena, const char *, *n);
    for (size_t i = 0; i < *n; i++)
        dirs[i] = folder ? path_join(s->arena, folder, given[i]) : given[i];
    return dirs;
}

static bool load_selection(const struct settings *s, struct lint_setup *out, struct err *e)
{
    struct ignores ignores = {0};
    struct choice choice = {.select = codes(s, SETTING_lint_select),
                            .ignore = codes(s, SETTING_lint_ignore),
                            .extend_select = codes(s, SETTING_lint_extend_select),
                            .fixable = codes(s, SETTING_lint_fixable),
                            .unfixable = codes(s, SETTING_lint_unfixable)};
    if (!read_flag(s, &ignores, e) || !read_table(s, &ignores, e) ||
        !folder_of(s, NULL, &choice.folder, e))
        return false;
    choice.per_file = ignores.list.at;
    choice.n_per_file = ignores.list.n;
    return selection_new(out->rules, &choice, s->arena, &out->selection, e);
}

bool lint_setup_load(const struct settings *s, uint32_t torch, struct lint_setup *out,
                     struct err *e)
{
    uint32_t version;
    struct rule_set_options o = {0};
    *out = (struct lint_setup){.settings = s, .torch = torch};
    o.dirs = lint_rule_folders(s, &o.n_dirs);
    if (!torch_of(s, torch, &version, e) || !read_excludes(s, &out->excludes, e) ||
        !rule_set_new(&o, &out->rules, e))
        return false;
    if (!load_selection(s, out, e)) {
        rule_set_free(out->rules);
        return false;
    }
    out->options = (struct lint_options){
        .selection = out->selection,
        .min_confidence =
            (enum confidence)(CONFIDENCE_LOW + settings_int(s, SETTING_lint_min_confidence)),
        .ignore_noqa = settings_flag(s, SETTING_lint_ignore_noqa),
        .is_fragment = settings_flag(s, SETTING_lint_fragment),
        .no_prefilter = settings_flag(s, SETTING_lint_no_prefilter),
        .with_notes = wants_notes(s),
        .max_file_size = (uint64_t)settings_int(s, SETTING_lint_max_file_size),
        .torch_version = version};
    out->identity = identity_of(s, version, s->arena);
    out->cache_dir = cache_dir(s);
    out->finds_callers =
        settings_int(s, SETTING_lint_callers) == 1 && !settings_flag(s, SETTING_isolated);
    return true;
}
