/* The table of settings, and how its rows are found. */
#include <string.h>

#include "cli/settings.h"

/* The names of a table as the limits of a choice: "|text|json". */
static const char report_formats[] =
#define FORMAT(name, extension, for_one, write, help) "|" name
#include "report/formats.def"
#undef FORMAT
    ;
static const char lint_formats[] = "text"
#define LINT_FORMAT(name, fn) "|" name
#include "report/lint_format.def"
#undef LINT_FORMAT
    ;
#define REPORT_FORMATS (report_formats + 1)
#define LINT_FORMATS (lint_formats + sizeof "text")
#define TEXT_AND_LINT_FORMATS lint_formats

static const struct setting_row rows[SETTING_COUNT] = {
#define SETTING(id, section, name, letter, kind, argument, otherwise, limits, commands, help)      \
    {section, name, letter, SETTING_KIND_##kind, argument, otherwise, limits, commands, help},
#include "cli/settings.def"
#undef SETTING
};

const struct setting_row *setting_row(enum setting_id id)
{
    return &rows[id];
}

bool setting_applies(enum setting_id id, const char *command)
{
    struct str rest = str_of(rows[id].commands), name;
    if (str_is(rest, "*"))
        return true;
    while (str_split(&rest, ' ', &name))
        if (str_is(name, command))
            return true;
    return false;
}

bool settings_given(const struct settings *s, enum setting_id id)
{
    return s->values[id].origin > SETTING_ORIGIN_DEFAULT;
}
