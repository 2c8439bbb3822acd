/* What the commands on campaigns share: where a campaign is stored, and how its store is opened. */
#ifndef CLI_CAMPAIGN_H
#define CLI_CAMPAIGN_H

#include "cli/settings.h"
#include "hunt/known.h"
#include "store/store.h"

struct campaign_place {
    const char *home; /* $ASSAY_HOME, or ~/.local/share/assay */
    const char *out;  /* --out, else home: has store.sqlite and artifacts/ */
    const char *url;  /* --store, else out/store.sqlite */
};

bool campaign_find(const struct settings *s, struct campaign_place *out, struct err *e);

/* Finds the campaign and opens its store. Where there is none the error says how to make one. */
bool campaign_open(const struct settings *s, enum store_mode mode, struct campaign_place *place,
                   struct store **out, struct err *e);

/* Finds the bug that the command's only argument names. */
bool campaign_bug_argument(const struct settings *s, struct store *store, struct store_bug *out,
                           struct err *e);

/* Reads the file of known defects as of today: --known, else assay-known.toml of the working
 * folder. Without a file there are no entries. */
bool campaign_known(const struct settings *s, struct known_list *out, struct err *e);

/* Prints a warning for each entry that has expired, and with --verbose a line for each that names
 * none of the bugs. */
void campaign_say_known(const struct known_list *known, const struct store_bugs *bugs);

/* The targets that the bug was found and judged with, unless --target names others. */
bool campaign_targets(const struct settings *s, struct store *store, const struct store_bug *bug,
                      const char *const **names, size_t *n, struct err *e);

/* Writes report.md and reproduce.py into the bug's folder. A failure is a warning: the campaign
 * goes on without them, and `assay report` makes them later. */
void campaign_write_report(const struct campaign_place *place, const struct store_bug *bug);

/* Absolute path of a bug's folder; NULL when it has none. */
const char *campaign_bug_folder(const struct campaign_place *p, const struct store_bug *b,
                                struct arena *a);

#endif
