/* Unknown names, and which setting was meant: for settings.c alone. */
#ifndef CLI_SETTINGS_P_H
#define CLI_SETTINGS_P_H

#include "cli/settings.h"

/* ERR_USAGE for a key of a section ("": the top level) or for a table that no row has. place:
 * "assay.toml:3". Keys of other sections are named too. */
bool settings__unknown_key(const char *place, const char *section, struct str key, struct arena *a,
                           struct err *e);
bool settings__unknown_table(const char *place, struct str name, struct arena *a, struct err *e);

/* "ASSAY_HUNT_SEED". */
const char *settings__variable(enum setting_id id, struct arena *a);

/* A variable ASSAY_... whose name is close to that of a setting is an error; any other unknown one
 * is a warning. */
bool settings__check_environment(struct arena *a, struct err *e);

/* A list without elements is an error, except in the settings of lint. */
bool settings__refuse_empty_lists(const struct settings *s, struct err *e);

#endif
