/* Finds the setting that an unknown name was meant for. Reads the table of settings, decides no
 * value. */
#include "cli/settings_p.h"

#include <ctype.h>

#include "base/log.h"
#include "os/process.h"

enum { SECTIONS_MAX = 8 };

/* Variables of assay that are no settings: the folder of engines, the interpreter of tests and
 * benches. */
static const char *const others[] = {"ASSAY_HOME", "ASSAY_PYTHON", "ASSAY_TEST_PYTHON"};

static bool is_in_files(enum setting_id id)
{
    return strcmp(setting_row(id)->section, "-") != 0;
}

static bool contains(const char *const *list, size_t n, struct str name)
{
    for (size_t i = 0; i < n; i++)
        if (str_is(name, list[i]))
            return true;
    return false;
}

/* Lists the names of a section's keys. */
static size_t keys_of(const char *section, const char *out[SETTING_COUNT])
{
    size_t n = 0;
    for (int id = 0; id < SETTING_COUNT; id++)
        if (strcmp(setting_row((enum setting_id)id)->section, section) == 0)
            out[n++] = setting_row((enum setting_id)id)->name;
    return n;
}

/* Lists the sections that rows name, without the top level: "hunt", "lint". */
static size_t sections(const char *out[SECTIONS_MAX])
{
    size_t n = 0;
    for (int id = 0; id < SETTING_COUNT && n < SECTIONS_MAX; id++) {
        const char *section = setting_row((enum setting_id)id)->section;
        if (section[0] && is_in_files((enum setting_id)id) && !contains(out, n, str_of(section)))
            out[n++] = section;
    }
    return n;
}

/* ", did you mean ..." from the key's own section, else from another one; "" when none is near. */
static const char *meant_key(const char *section, struct str key, struct arena *a)
{
    const char *keys[SETTING_COUNT], *all[SECTIONS_MAX + 1];
    size_t n = sections(all);
    const char *near = str_nearest(key, keys, keys_of(section, keys));
    if (near)
        return arena_printf(a, ", did you mean \"%s\"?", near);
    all[n++] = "";
    for (size_t i = 0; i < n; i++) {
        near = str_nearest(key, keys, keys_of(all[i], keys));
        if (near && all[i][0])
            return arena_printf(a, ", did you mean \"%s\" of [%s]?", near, all[i]);
        if (near)
            return arena_printf(a, ", did you mean \"%s\" of the top level?", near);
    }
    return "";
}

bool settings__unknown_key(const char *place, const char *section, struct str key, struct arena *a,
                           struct err *e)
{
    return err_set(e, ERR_USAGE, "%s: unknown setting \"%s%s" STR_FMT "\"%s", place, section,
                   section[0] ? "." : "", STR_ARG(key), meant_key(section, key, a));
}

bool settings__unknown_table(const char *place, struct str name, struct arena *a, struct err *e)
{
    const char *known[SECTIONS_MAX];
    size_t n = sections(known);
    return err_set(e, ERR_USAGE, "%s: unknown table \"" STR_FMT "\"%s", place, STR_ARG(name),
                   str_known(name, known, n, a));
}

const char *settings__variable(enum setting_id id, struct arena *a)
{
    const struct setting_row *row = setting_row(id);
    char *name =
        arena_printf(a, "ASSAY_%s%s%s", row->section, row->section[0] ? "_" : "", row->name);
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    return name;
}

/* The variable whose name is nearest, with its section or without. */
static const char *meant_variable(struct str name, const char *const *full, const char *const *bare,
                                  size_t n)
{
    const char *near = str_nearest(name, full, n);
    if (near)
        return near;
    near = str_nearest(str_sub(name, strlen("ASSAY_"), name.n), bare, n);
    for (size_t i = 0; near && i < n; i++)
        if (bare[i] == near)
            return full[i];
    return NULL;
}

bool settings__check_environment(struct arena *a, struct err *e)
{
    const char *full[SETTING_COUNT], *bare[SETTING_COUNT];
    size_t n = 0;
    for (int id = 0; id < SETTING_COUNT; id++) {
        if (!is_in_files((enum setting_id)id))
            continue;
        full[n] = settings__variable((enum setting_id)id, a);
        bare[n++] = setting_row((enum setting_id)id)->name;
    }
    for (const char *const *at = process_environment(); *at; at++) {
        struct str line = str_of(*at), name = str_sub(line, 0, str_find_byte(line, '='));
        if (!str_starts(name, STR("ASSAY_")) || contains(full, n, name) ||
            contains(others, COUNT_OF(others), name))
            continue;
        const char *near = meant_variable(name, full, bare, n);
        if (near)
            return err_set(e, ERR_USAGE,
                           "the environment's " STR_FMT " is no setting, did you mean %s?",
                           STR_ARG(name), near);
        log_warn("the environment's " STR_FMT " is no setting of assay", STR_ARG(name));
    }
    return true;
}

bool settings__refuse_empty_lists(const struct settings *s, struct err *e)
{
    for (int id = 0; id < SETTING_COUNT; id++) {
        const struct setting_row *row = setting_row((enum setting_id)id);
        if (row->kind != SETTING_KIND_LIST || s->values[id].n_list > 0 ||
            !settings_given(s, (enum setting_id)id) ||
            setting_applies((enum setting_id)id, "lint") ||
            !setting_applies((enum setting_id)id, s->command))
            continue;
        return err_set(e, ERR_USAGE, "--%s: the list is empty; name at least one, or leave it out",
                       row->name);
    }
    return true;
}
