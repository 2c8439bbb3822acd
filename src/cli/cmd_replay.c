/* assay replay: does a bug still fail, here and now, in fresh processes? */
#include "base/file.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "hunt/confirm.h"

/* Finds a bug of the store, or a case folder given by path. */
static bool find_case(const struct settings *s, const struct campaign_place *place,
                      struct store_bug *bug, struct confirm_options *o, struct err *e)
{
    struct store *store;
    struct campaign_place opened;
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE, "one bug id or case folder is expected, got %zu arguments",
                       s->n_args);
    o->folder = s->args[0];
    o->targets = settings_list(s, SETTING_target, &o->n_targets);
    if (file_stat(s->args[0]).kind == FILE_DIRECTORY)
        return true;
    if (!campaign_open(s, STORE_READ, &opened, &store, e))
        return false;
    bool ok = campaign_bug_argument(s, store, bug, e) &&
              campaign_targets(s, store, bug, &o->targets, &o->n_targets, e);
    store_close(store);
    if (!ok)
        return false;
    o->folder = campaign_bug_folder(place, bug, s->arena);
    o->bug = bug;
    return o->folder ||
           err_set(e, ERR_DATA, "bug " STR_FMT " has no folder any more", STR_ARG(bug->id));
}

static void print_result(const struct settings *s, const struct confirm_result *r)
{
    struct confirm_interval interval = confirm_wilson(r->k, r->n);
    if (settings_want_json(s)) {
        struct strbuf text = {0};
        struct json_out w = json_open(&text, JSON_PRETTY);
        json_begin_object(&w);
        json_pair_cstr(&w, "state", confirm_state_name(r->state));
        json_pair_cstr(&w, "relation", confirm_relation_name(r->relation));
        json_pair_str(&w, "text", r->text);
        json_pair_u64(&w, "k", r->k);
        json_pair_u64(&w, "n", r->n);
        json_pair_double(&w, "low", interval.low);
        json_pair_double(&w, "high", interval.high);
        json_end_object(&w);
        out_json(&text);
        return;
    }
    if (r->relation == RELATION_CANNOT || r->relation == RELATION_OTHER) {
        struct strbuf text = {0};
        strbuf_printf(&text, "%s: ", confirm_relation_name(r->relation));
        strbuf_add_line(&text, r->text.n ? r->text : STR("not in the first run"));
        out_putf("%s\n", text.at);
        strbuf_done(&text);
    } else {
        out_putf("%s\n", confirm_relation_name(r->relation));
    }
    if (r->relation == RELATION_CANNOT)
        return;
    out_putf(
        "%s: failed %llu of %llu times in fresh processes (%.0f%% to %.0f%% at 95%% confidence)\n",
        confirm_state_name(r->state), (unsigned long long)r->k, (unsigned long long)r->n,
        100 * interval.low, 100 * interval.high);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct campaign_place place;
    struct confirm_options o = {.best_effort =
                                    strcmp(settings_text(s, SETTING_sandbox), "best-effort") == 0};
    struct confirm_result result;
    struct store_bug bug;
    if (!campaign_find(s, &place, e) || !find_case(s, &place, &bug, &o, e))
        return false;
    o.home = place.home;
    o.oracles = settings_list(s, SETTING_oracle, &o.n_oracles);
    if (!confirm_folder(&o, s->arena, &result, e))
        return false;
    print_result(s, &result);
    *exit_code = result.relation == RELATION_CANNOT ? EXIT_INCONCLUSIVE
                 : result.k                         ? EXIT_FOUND
                                                    : EXIT_DONE;
    return true;
}

const struct command command_replay = {
    .name = "replay",
    .arguments = "ID|CASE",
    .summary = "run a bug's reproducer again in fresh processes and say how often it fails",
    .details = "Exit 1: it shows the same bug, or fails in another way; 0: the bug is gone; 2: the "
               "target cannot run it.\n"
               "A bug runs in the targets of its campaign unless --target names others, say "
               "another version; a case\n"
               "folder runs in those of --target.",
    .examples = "  assay replay 3f2a9c0b1e\n  assay replay 3f2a9c0b1e --target ort@1.31.1",
    .run = run,
};
