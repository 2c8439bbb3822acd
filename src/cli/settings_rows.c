/* The table of settings, and what is asked of it. */
#include <string.h>

#include "cli/settings.h"

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
