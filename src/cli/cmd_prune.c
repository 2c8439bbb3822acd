/* assay prune: makes room in the folder of a campaign. */
#include "cli/campaign.h"
#include "cli/command.h"
#include "hunt/hunt.h"

static void print(const struct settings *s, const struct hunt_pruned *done)
{
    struct strbuf text = {0};
    if (!settings_want_json(s)) {
        out_putf("%zu folder%s removed, %.1f MB\n", done->n_folders,
                 done->n_folders == 1 ? "" : "s", (double)done->n_bytes / 1e6);
        return;
    }
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_u64(&w, "folders", done->n_folders);
    json_pair_u64(&w, "bytes", done->n_bytes);
    json_end_object(&w);
    out_json(&text);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct campaign_place place;
    struct store *store;
    struct hunt_pruned done;
    (void)exit_code;
    if (s->n_args)
        return err_set(e, ERR_USAGE,
                       "no arguments are expected, got \"%s\"; --out names the folder", s->args[0]);
    if (!campaign_open(s, STORE_READ, &place, &store, e))
        return false;
    bool ok = hunt_prune(store, place.out, &done, e);
    store_close(store);
    if (ok)
        print(s, &done);
    return ok;
}

const struct command command_prune = {
    .name = "prune",
    .arguments = "",
    .summary = "remove the cases of a campaign that no bug and no waiting reduction needs",
    .details = "Bugs keep their folders, and --resume finds all that it needs. A campaign that is "
               "running is left alone.",
    .examples = "  assay prune --out nightly",
    .run = run,
};
