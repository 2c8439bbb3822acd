/*
 * One table and four sources, of which later ones outweigh earlier ones; each value is checked
 * against its row wherever it came from. A flag applies to a command when the row names the
 * command; the file may hold settings of all commands.
 */
#include "cli/settings.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/path.h"
#include "base/toml.h"
#include "base/vec.h"
#include "cli/settings_p.h"

enum { CONFIG_BYTES_MAX = 1 << 20 };

static bool parse_range(const struct setting_row *row, struct str text, struct setting_value *v,
                        const char *what, struct err *e)
{
    struct str limits = str_of(row->limits);
    size_t dots = str_find(limits, STR(".."));
    struct str low = str_sub(limits, 0, dots), high = str_sub(limits, dots + 2, limits.n);
    bool ok;
    if (row->kind == SETTING_KIND_INT) {
        int64_t min, max;
        ok = str_to_i64(text, &v->integer) && str_to_i64(low, &min) && str_to_i64(high, &max) &&
             v->integer >= min && v->integer <= max;
    } else {
        double min, max;
        ok = str_to_double(text, &v->real) && str_to_double(low, &min) &&
             str_to_double(high, &max) && v->real >= min && v->real <= max;
    }
    return ok ||
           err_set(e, ERR_USAGE,
                   "%s: a number from " STR_FMT " to " STR_FMT " is expected, got \"" STR_FMT "\"",
                   what, STR_ARG(low), STR_ARG(high), STR_ARG(text));
}

static bool parse_choice(const struct setting_row *row, struct str text, struct setting_value *v,
                         const char *what, struct err *e)
{
    struct str rest = str_of(row->limits), choice;
    for (v->integer = 0; str_split(&rest, '|', &choice); v->integer++)
        if (str_eq(choice, text))
            return true;
    return err_set(e, ERR_USAGE, "%s: one of %s is expected, got \"" STR_FMT "\"", what,
                   row->limits, STR_ARG(text));
}

static void append_list(struct settings *s, struct str text, struct setting_value *v)
{
    VEC(const char *) list = {0};
    for (size_t i = 0; i < v->n_list; i++)
        vec_push(&list, s->arena, v->list[i]);
    struct str part;
    while (str_split(&text, ',', &part))
        if (str_trim(part).n)
            vec_push(&list, s->arena, str_dup(s->arena, str_trim(part)));
    v->list = list.at;
    v->n_list = list.n;
}

/* `what` is its name in messages: "--seed", "assay.toml:3: hunt.seed". */
static bool set_value(struct settings *s, enum setting_id id, struct str text,
                      enum setting_origin origin, const char *what, struct err *e)
{
    const struct setting_row *row = setting_row(id);
    struct setting_value v = {.origin = origin, .text = str_dup(s->arena, text)};
    switch (row->kind) {
    case SETTING_KIND_FLAG:
        if (!str_is(text, "true") && !str_is(text, "false") && !str_is(text, "1") &&
            !str_is(text, "0"))
            return err_set(e, ERR_USAGE, "%s: true or false is expected, got \"" STR_FMT "\"", what,
                           STR_ARG(text));
        v.integer = str_is(text, "true") || str_is(text, "1");
        break;
    case SETTING_KIND_INT:
    case SETTING_KIND_REAL:
        if (!parse_range(row, text, &v, what, e))
            return false;
        break;
    case SETTING_KIND_CHOICE:
        if (!parse_choice(row, text, &v, what, e))
            return false;
        break;
    case SETTING_KIND_LIST:
        if (s->values[id].origin ==
            origin) { /* repeated flag: adds; a weightier source: replaces */
            v.list = s->values[id].list;
            v.n_list = s->values[id].n_list;
        }
        append_list(s, text, &v);
        break;
    case SETTING_KIND_TEXT:
        break;
    }
    s->values[id] = v;
    return true;
}

static bool load_defaults(struct settings *s, struct err *e)
{
    for (int id = 0; id < SETTING_COUNT; id++)
        if (setting_row((enum setting_id)id)->otherwise &&
            !set_value(s, (enum setting_id)id, str_of(setting_row((enum setting_id)id)->otherwise),
                       SETTING_ORIGIN_DEFAULT, setting_row((enum setting_id)id)->name, e))
            return false;
    return true;
}

static bool set_from_file(struct settings *s, enum setting_id id, const struct json *v,
                          struct err *e)
{
    const char *what = arena_printf(s->arena, "%s:%u: %s", s->config_path, v->line,
                                    setting_row((enum setting_id)id)->name);
    struct strbuf text = {0};
    bool ok = true;
    if (setting_row((enum setting_id)id)->kind == SETTING_KIND_LIST && v->kind == JSON_KIND_ARRAY) {
        for (size_t i = 0; ok && i < v->n; i++) {
            ok = v->items[i].kind == JSON_KIND_STRING ||
                 err_set(e, ERR_USAGE, "%s: a list of strings is expected", what);
            ok = ok && set_value(s, id, v->items[i].string, SETTING_ORIGIN_FILE, what, e);
        }
        return ok;
    }
    enum setting_kind kind = setting_row((enum setting_id)id)->kind;
    if (kind == SETTING_KIND_LIST && v->kind != JSON_KIND_STRING)
        return err_set(e, ERR_USAGE, "%s: a list of strings is expected, got %s", what,
                       json_kind_name(v->kind));
    if (kind == SETTING_KIND_TEXT && v->kind == JSON_KIND_REAL)
        return err_set(e, ERR_USAGE, "%s: text is expected; write the number in quotes, as \"2.4\"",
                       what);
    if (v->kind == JSON_KIND_STRING)
        strbuf_addstr(&text, v->string);
    else if (v->kind == JSON_KIND_BOOL)
        strbuf_adds(&text, v->truth ? "true" : "false");
    else if (v->kind == JSON_KIND_INTEGER)
        strbuf_printf(&text, "%lld", (long long)v->integer);
    else if (v->kind == JSON_KIND_REAL)
        strbuf_printf(&text, "%.17g", v->real);
    else
        ok = err_set(e, ERR_USAGE, "%s: %s is not expected here", what, json_kind_name(v->kind));
    ok = ok && set_value(s, id, strbuf_str(&text), SETTING_ORIGIN_FILE, what, e);
    strbuf_done(&text);
    return ok;
}

/* Is the key a table that its command reads itself (lint's per-file-ignores)? */
static bool is_own_table(const char *section, struct str key)
{
    return strcmp(section, "lint") == 0 && str_is(key, "per-file-ignores");
}

static bool load_section(struct settings *s, const char *section, const struct json *table,
                         struct err *e)
{
    for (size_t i = 0; i < table->n; i++) {
        int hit = -1;
        if (is_own_table(section, table->keys[i]) ||
            (!section[0] && table->items[i].kind == JSON_KIND_OBJECT))
            continue;
        for (int id = 0; id < SETTING_COUNT; id++)
            if (strcmp(setting_row((enum setting_id)id)->section, section) == 0 &&
                str_is(table->keys[i], setting_row((enum setting_id)id)->name))
                hit = id;
        if (hit < 0)
            return settings__unknown_key(
                arena_printf(s->arena, "%s:%u", s->config_path, table->items[i].line), section,
                table->keys[i], s->arena, e);
        if (!set_from_file(s, (enum setting_id)hit, &table->items[i], e))
            return false;
    }
    return true;
}

/* Does a row name the section? "hunt", "lint". */
static bool is_section(struct str name)
{
    for (int id = 0; id < SETTING_COUNT; id++)
        if (setting_row((enum setting_id)id)->section[0] &&
            str_is(name, setting_row((enum setting_id)id)->section))
            return true;
    return false;
}

static bool load_config(struct settings *s, struct err *e)
{
    if (!load_section(s, "", s->config, e))
        return false;
    for (size_t i = 0; i < s->config->n; i++) {
        if (s->config->items[i].kind != JSON_KIND_OBJECT)
            continue;
        if (!is_section(s->config->keys[i]))
            return settings__unknown_table(
                arena_printf(s->arena, "%s:%u", s->config_path, s->config->items[i].line),
                s->config->keys[i], s->arena, e);
        if (!load_section(s, str_dup(s->arena, s->config->keys[i]), &s->config->items[i], e))
            return false;
    }
    return true;
}

/* Commands that look for settings folder by folder ignore a file that has only settings of other
 * commands. */
static bool speaks_of_command(const struct settings *s, const struct json *config)
{
    bool has_tables = false;
    if (!setting_applies(SETTING_isolated, s->command))
        return true;
    for (size_t i = 0; i < config->n; i++)
        has_tables |= config->items[i].kind == JSON_KIND_OBJECT;
    return !has_tables || json_get(config, "lint");
}

/* Reads one settings file: assay.toml, or [tool.assay] of a file with another name. A file without
 * that table is ignored, and one that does not contain the word "assay" is not even parsed, since
 * it belongs to other tools. */
static bool read_config(struct settings *s, const char *path, bool is_own, bool is_named,
                        struct err *e)
{
    struct str text;
    const struct json *root = NULL;
    if (!file_read(path, CONFIG_BYTES_MAX, s->arena, &text, e) ||
        ((is_own || is_named || str_find(text, STR("assay")) < text.n) &&
         !toml_parse(text, path, s->arena, &root, e))) {
        if (e->code != ERR_IO) /* the file's content is wrong, not the disk */
            e->code = ERR_USAGE;
        return false;
    }
    s->config = is_own ? root : json_get(json_get(root, "tool"), "assay");
    if (s->config && !is_named && !speaks_of_command(s, s->config))
        s->config = NULL;
    s->config_path = s->config ? path : NULL;
    return !s->config || load_config(s, e);
}

/* Reads assay.toml of the folder, or [tool.assay] of its pyproject.toml. */
static bool read_folder(struct settings *s, const char *dir, struct err *e)
{
    const char *own = path_join(s->arena, dir, "assay.toml");
    const char *project = path_join(s->arena, dir, "pyproject.toml");
    bool is_own = file_stat(own).kind == FILE_REGULAR;
    if (!is_own && file_stat(project).kind != FILE_REGULAR)
        return true;
    if (!read_config(s, is_own ? own : project, is_own, false, e))
        return false;
    if (s->config)
        s->folder = dir;
    return true;
}

/* Looks for a settings file from `dir` upwards. */
static bool find_config(struct settings *s, const char *dir, struct err *e)
{
    for (struct str at = str_of(dir);; at = path_dir(at)) {
        if (!read_folder(s, str_dup(s->arena, at), e))
            return false;
        if (s->config || at.n <= 1)
            return true;
    }
}

bool settings_in_folder(const struct settings *of, const char *folder, struct settings *out,
                        bool *found, struct err *e)
{
    *out = (struct settings){
        .arena = of->arena, .command = of->command, .args = of->args, .n_args = of->n_args};
    if (!load_defaults(out, e) || !read_folder(out, str_dup(of->arena, str_of(folder)), e))
        return false;
    for (int id = 0; id < SETTING_COUNT; id++)
        if (of->values[id].origin > SETTING_ORIGIN_FILE)
            out->values[id] = of->values[id];
    *found = out->config != NULL;
    return true;
}

/* --isolated and --config decide about the file, so they are looked for before it is read. */
static bool choose_config(struct settings *s, int argc, char **argv, const char *dir, struct err *e)
{
    const char *path = NULL;
    for (int i = 0; i < argc && setting_applies(SETTING_isolated, s->command); i++) {
        struct str text = str_of(argv[i]);
        if (str_is(text, "--"))
            break;
        s->is_fixed = s->is_fixed || str_is(text, "--isolated");
        if (s->is_fixed)
            return true;
        if (str_is(text, "--config") && i + 1 < argc)
            path = argv[++i];
        else if (str_starts(text, STR("--config=")))
            path = argv[i] + strlen("--config=");
    }
    if (!path)
        return find_config(s, dir, e);
    s->is_fixed = true;
    return read_config(s, path, !str_is(path_base(str_of(path)), "pyproject.toml"), true, e);
}

static bool load_environment(struct settings *s, struct err *e)
{
    for (int id = 0; id < SETTING_COUNT; id++) {
        if (strcmp(setting_row((enum setting_id)id)->section, "-") == 0)
            continue;
        const char *name = settings__variable((enum setting_id)id, s->arena);
        const char *text = getenv(name);
        if (text &&
            !set_value(s, (enum setting_id)id, str_of(text), SETTING_ORIGIN_ENVIRONMENT, name, e))
            return false;
    }
    return settings__check_environment(s->arena, e);
}

static bool unknown_flag(const struct settings *s, struct str name, struct err *e)
{
    const char *known[SETTING_COUNT];
    size_t n_known = 0;
    for (int id = 0; id < SETTING_COUNT; id++)
        if (setting_applies((enum setting_id)id, s->command))
            known[n_known++] = setting_row((enum setting_id)id)->name;
    const char *near = str_nearest(name, known, n_known);
    return err_set(e, ERR_USAGE, "unknown flag --" STR_FMT "%s%s%s; see assay %s --help",
                   STR_ARG(name), near ? ", did you mean --" : "", near ? near : "",
                   near ? "?" : "", s->command);
}

static int find_flag(const struct settings *s, struct str name, char letter)
{
    for (int id = 0; id < SETTING_COUNT; id++)
        if (setting_applies((enum setting_id)id, s->command) &&
            (letter ? setting_row((enum setting_id)id)->letter == letter
                    : str_is(name, setting_row((enum setting_id)id)->name)))
            return id;
    return -1;
}

struct arguments {
    int argc, at;
    char **argv;
};

/* Takes one argument that begins with '-': "--name", "--name=value", "--name value", "-n 5", "-n5",
 * "-qv". */
static bool load_flag(struct settings *s, struct arguments *args, struct err *e)
{
    struct str text = str_of(args->argv[args->at]);
    bool is_long = str_starts(text, STR("--"));
    size_t equals = str_find_byte(text, '=');
    struct str name = is_long ? str_sub(text, 2, equals) : str_sub(text, 1, 2);
    struct str attached = is_long ? str_sub(text, equals + 1, text.n) : str_sub(text, 2, text.n);
    bool has_attached = is_long ? equals < text.n : attached.n > 0;
    int id = find_flag(s, name, is_long ? '\0' : name.at[0]);
    if (id < 0)
        return unknown_flag(s, name, e);
    const char *what = arena_printf(s->arena, "--%s", setting_row((enum setting_id)id)->name);
    if (setting_row((enum setting_id)id)->kind == SETTING_KIND_FLAG) {
        if (!is_long && has_attached) { /* -qv: the rest as flags of their own */
            args->argv[args->at] = arena_printf(s->arena, "-" STR_FMT, STR_ARG(attached));
            args->at--;
            return set_value(s, (enum setting_id)id, STR("true"), SETTING_ORIGIN_FLAG, what, e);
        }
        return set_value(s, (enum setting_id)id, has_attached ? attached : STR("true"),
                         SETTING_ORIGIN_FLAG, what, e);
    }
    if (!has_attached && ++args->at >= args->argc)
        return err_set(e, ERR_USAGE, "%s: a value is expected: %s %s", what, what,
                       setting_row((enum setting_id)id)->argument);
    return set_value(s, (enum setting_id)id, has_attached ? attached : str_of(args->argv[args->at]),
                     SETTING_ORIGIN_FLAG, what, e);
}

static bool load_arguments(struct settings *s, int argc, char **argv, struct err *e)
{
    VEC(const char *) positional = {0};
    bool only_positional = false;
    for (struct arguments args = {argc, 0, argv}; args.at < argc; args.at++) {
        const char *text = argv[args.at];
        if (!only_positional && strcmp(text, "--") == 0) {
            only_positional = true;
        } else if (!only_positional && text[0] == '-' && text[1]) {
            if (!load_flag(s, &args, e))
                return false;
        } else {
            vec_push(&positional, s->arena, text);
        }
    }
    s->args = positional.at;
    s->n_args = positional.n;
    return true;
}

bool settings_load(struct settings *s, const char *command, int argc, char **argv,
                   const char *start_dir, struct arena *a, struct err *e)
{
    *s = (struct settings){.arena = a, .command = command};
    return load_defaults(s, e) && (!start_dir || choose_config(s, argc, argv, start_dir, e)) &&
           load_environment(s, e) && load_arguments(s, argc, argv, e) &&
           settings__refuse_empty_lists(s, e);
}

bool settings_flag(const struct settings *s, enum setting_id id)
{
    return s->values[id].integer != 0;
}

int64_t settings_int(const struct settings *s, enum setting_id id)
{
    return s->values[id].integer;
}

double settings_real(const struct settings *s, enum setting_id id)
{
    return s->values[id].real;
}

const char *settings_text(const struct settings *s, enum setting_id id)
{
    return s->values[id].text;
}

const char *settings_folder(const struct settings *s, enum setting_id id)
{
    return s->values[id].origin == SETTING_ORIGIN_FILE ? s->folder : NULL;
}

const char *settings_path(const struct settings *s, enum setting_id id)
{
    const char *text = settings_text(s, id), *folder = settings_folder(s, id);
    return text && folder ? path_join(s->arena, folder, text) : text;
}

const char *const *settings_list(const struct settings *s, enum setting_id id, size_t *n)
{
    *n = s->values[id].n_list;
    return s->values[id].list;
}

bool settings_want_json(const struct settings *s)
{
    const char *format = settings_text(s, SETTING_format);
    return settings_flag(s, SETTING_json) || (format && strcmp(format, "json") == 0);
}
