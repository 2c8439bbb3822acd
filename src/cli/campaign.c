/* Finds the campaign's folder and database from --out, --store and $ASSAY_HOME, and the project's
 * file of known defects. */
#include "cli/campaign.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "cli/command.h"
#include "cli/version.h"
#include "report/report.h"

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
    /* Workers run in folders of their own, where a relative path leads elsewhere. */
    if (!file_absolute(s->arena, home, &home, e))
        return false;
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

/* "2026-11-22", UTC. */
static struct str today(struct arena *a)
{
    struct strbuf text = {0};
    clock_format_iso(clock_wall_ms(), &text);
    struct str day = strbuf_dup(&text, a);
    strbuf_done(&text);
    return str_sub(day, 0, strlen("2026-11-22"));
}

bool campaign_known(const struct settings *s, struct known_list *out, struct err *e)
{
    const char *path = settings_path(s, SETTING_known);
    struct str text;
    *out = (struct known_list){0};
    if (!path && file_stat("assay-known.toml").kind == FILE_MISSING)
        return true;
    path = path ? path : "assay-known.toml";
    if (!file_read(path, KNOWN_BYTES_MAX, s->arena, &text, e)) {
        e->code = ERR_USAGE;
        return err_wrap(e, "--known");
    }
    return known_read(text, path, today(s->arena), s->arena, out, e);
}

static bool names_any(const struct known_entry *entry, const struct store_bugs *bugs)
{
    for (size_t i = 0; i < bugs->n; i++)
        if (known_fits(entry, &bugs->at[i]))
            return true;
    return false;
}

void campaign_say_known(const struct known_list *known, const struct store_bugs *bugs)
{
    for (size_t i = 0; i < known->n; i++) {
        const struct known_entry *entry = &known->at[i];
        struct strbuf reason = {0};
        strbuf_add_line(&reason, entry->reason);
        if (entry->is_expired)
            log_warn("%s:%u: expired on " STR_FMT ", so it names no bug any more: %s; take it out, "
                     "or give it a later date",
                     known->file, entry->line, STR_ARG(entry->expires), reason.at);
        else if (!names_any(entry, bugs))
            log_debug("%s:%u: names no bug here: %s", known->file, entry->line, reason.at);
        strbuf_done(&reason);
    }
}

bool campaign_targets(const struct settings *s, struct store *store, const struct store_bug *bug,
                      const char *const **names, size_t *n, struct err *e)
{
    struct store_targets list;
    *names = settings_list(s, SETTING_target, n);
    if (s->values[SETTING_target].origin == SETTING_ORIGIN_FLAG)
        return true;
    if (!store_targets(store, bug->campaign, s->arena, &list, e))
        return false;
    const char **all = arena_new_array(s->arena, const char *, list.n);
    for (size_t i = 0; i < list.n; i++)
        all[i] = str_dup(s->arena, list.at[i].name);
    *names = all;
    *n = list.n;
    return true;
}

static bool write_report(const struct campaign_place *place, const struct store_bug *bug,
                         struct err *e)
{
    struct arena a;
    struct store *store;
    struct report_bug loaded;
    if (!store_open(place->url, STORE_READ, &store, e))
        return false;
    arena_init(&a);
    bool ok = report_bug_load(store, bug, place->out, &a, &loaded, e) &&
              report_write_folder(&loaded, ASSAY_VERSION, e);
    arena_done(&a);
    store_close(store);
    return ok;
}

void campaign_write_report(const struct campaign_place *place, const struct store_bug *bug)
{
    struct err e = {0};
    if (!write_report(place, bug, &e))
        log_warn("bug " STR_FMT ": no report in its folder: %s", STR_ARG(bug->id), e.text);
}

const char *campaign_bug_folder(const struct campaign_place *p, const struct store_bug *b,
                                struct arena *a)
{
    return b->folder.n ? path_join(a, p->out, str_dup(a, b->folder)) : NULL;
}
