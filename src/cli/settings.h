/*
 * Settings: built-in < assay.toml or [tool.assay] of the nearest pyproject.toml < ASSAY_*
 * environment < flags. Paths and globs in such a file are relative to its folder; those in --config
 * FILE to the working folder, as in ruff. settings.def is the only list; help, manual pages and
 * checks come from it.
 *
 *     struct settings s;
 *     if (!settings_load(&s, command, argc, argv, arena, e)) ...
 *     int64_t n = settings_int(&s, SETTING_seed);
 *     for (size_t i = 0; i < s.n_args; i++) use(s.args[i]);
 *
 * Unknown flags and keys are errors that name the nearest known one. The error for a value out of
 * range names the range.
 */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"

enum setting_id {
#define SETTING(id, section, name, letter, kind, argument, otherwise, limits, commands, help)      \
    SETTING_##id,
#include "cli/settings.def"
#undef SETTING
    SETTING_COUNT
};

enum setting_kind {
    SETTING_KIND_FLAG,
    SETTING_KIND_INT,
    SETTING_KIND_REAL,
    SETTING_KIND_TEXT,
    SETTING_KIND_CHOICE,
    SETTING_KIND_LIST
};

struct setting_row {
    const char *section, *name;
    char letter;
    enum setting_kind kind;
    const char *argument, *otherwise, *limits, *commands, *help;
};

enum setting_origin {
    SETTING_ORIGIN_UNSET,
    SETTING_ORIGIN_DEFAULT,
    SETTING_ORIGIN_FILE,
    SETTING_ORIGIN_ENVIRONMENT,
    SETTING_ORIGIN_FLAG
};

struct setting_value {
    enum setting_origin origin;
    const char *text;        /* as given; of a list the last element */
    int64_t integer;         /* INT; FLAG: 0 or 1; CHOICE: which one */
    double real;             /* REAL */
    const char *const *list; /* LIST */
    size_t n_list;
};

struct settings {
    struct arena *arena;
    const char *command;
    const char *config_path; /* the file that was read, or NULL */
    const char *folder;      /* of that file, for its paths and globs; NULL: the working folder */
    bool is_fixed;           /* --isolated or --config: no other file is looked for */
    const struct json
        *config; /* its [tool.assay] table, for commands with tables of their own; or NULL */
    struct setting_value values[SETTING_COUNT];
    const char **args; /* without command and flags */
    size_t n_args;
};

const struct setting_row *setting_row(enum setting_id id);
bool setting_applies(enum setting_id id, const char *command);

/* argv without program and command. A settings file is looked for from start_dir upwards; NULL:
 * none is read. */
bool settings_load(struct settings *s, const char *command, int argc, char **argv,
                   const char *start_dir, struct arena *a, struct err *e);

/* The settings with the file of this folder instead of the one read, and the same flags and
 * environment. *found: the folder has a file with settings of the command. */
bool settings_in_folder(const struct settings *of, const char *folder, struct settings *out,
                        bool *found, struct err *e);

bool settings_given(const struct settings *s,
                    enum setting_id id); /* by file, environment or flag */
bool settings_flag(const struct settings *s, enum setting_id id);
int64_t settings_int(const struct settings *s, enum setting_id id);
double settings_real(const struct settings *s, enum setting_id id);
const char *settings_text(const struct settings *s, enum setting_id id); /* NULL when unset */
/* The folder that a path or glob of this setting is relative to; NULL: the working folder. */
const char *settings_folder(const struct settings *s, enum setting_id id);
const char *settings_path(const struct settings *s, enum setting_id id); /* joined; NULL: unset */
const char *const *settings_list(const struct settings *s, enum setting_id id, size_t *n);

/* Does the user want results as JSON: --json or --format json? */
bool settings_want_json(const struct settings *s);

#endif
