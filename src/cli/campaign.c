/* Finds the campaign's folder and database from --out, --store and $ASSAY_HOME. */
#include "cli/campaign.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/command.h"

bool campaign_find(const struct settings *s, struct campaign_place *out, struct err *e)
{
    const char *home = getenv("ASSAY_HOME"), *user = getenv("HOME");
    if (!home || !home[0]) {
        if (!user || !user[0])
            return err_set(e, ERR_ENVIRONMENT,
                           "neither ASSAY_HOME nor HOME is set: set ASSAY_HOME to a folder for "
                           "environments and campaigns");
        home = path_join(s->arena, user, ".local/share/assay");
    }
    out->home = home;
    out->out = settings_text(s, SETTING_out) ? settings_text(s, SETTING_out) : home;
    out->url = settings_text(s, SETTING_store) ? settings_text(s, SETTING_store)
                                               : path_join(s->arena, out->out, "store.sqlite");
    return true;
}

bool campaign_open(const struct settings *s, enum store_mode mode, struct campaign_place *place,
                   struct store **out, struct err *e)
{
    if (!campaign_find(s, place, e))
        return false;
    if (mode != STORE_CREATE && !settings_text(s, SETTING_store) &&
        file_stat(place->url).kind == FILE_MISSING)
        return err_set(
            e, ERR_DATA,
            "%s: no campaign there; assay hunt makes one, --out or --store names another",
            place->url);
    return store_open(place->url, mode, out, e);
}

bool campaign_bug_argument(const struct settings *s, struct store *store, struct store_bug *out,
                           struct err *e)
{
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE,
                       "one bug id is expected, got %zu arguments; assay bugs lists them",
                       s->n_args);
    return store_bug(store, str_of(s->args[0]), s->arena, out, e);
}

const char *campaign_bug_folder(const struct campaign_place *p, const struct store_bug *b,
                                struct arena *a)
{
    return b->folder.n ? path_join(a, p->out, str_dup(a, b->folder)) : NULL;
}
