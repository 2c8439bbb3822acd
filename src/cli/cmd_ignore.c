/* assay ignore and assay merge: what people know about bugs, kept as events. */
#include "cli/campaign.h"
#include "cli/command.h"

/* The bug as it is now. */
static void print_json(const struct store_bug *bug)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_str(&w, "id", bug->id);
    json_pair_cstr(&w, "state", "ignored");
    json_pair_str(&w, "reason", bug->reason);
    json_pair_cstr(&w, "merged_into", bug->merged_into.n ? bug->merged_into.at : NULL);
    json_end_object(&w);
    out_json(&text);
}

static bool run_ignore(const struct settings *s, int *exit_code, struct err *e)
{
    struct campaign_place place;
    struct store *store;
    struct store_bug bug;
    const char *reason = settings_text(s, SETTING_reason);
    (void)exit_code;
    if (!reason)
        return err_set(e, ERR_USAGE, "say why: --reason TEXT is expected");
    if (!campaign_open(s, STORE_WRITE, &place, &store, e))
        return false;
    bool ok = campaign_bug_argument(s, store, &bug, e);
    if (ok) {
        bug.reason = str_of(reason);
        ok = store_set_bug_state(store, &bug, "ignored", "user", reason, e);
    }
    if (ok && settings_want_json(s))
        print_json(&bug);
    else if (ok)
        out_putf(STR_FMT " ignored: %s\n", STR_ARG(bug.id), reason);
    store_close(store);
    return ok;
}

const struct command command_ignore = {
    .name = "ignore",
    .arguments = "ID",
    .summary = "ignore a bug from now on, with a reason; it no longer fails a run",
    .examples = "  assay ignore 3f2a9c0b1e --reason 'intended, see the release notes'",
    .run = run_ignore,
};

static bool merge_rows(const struct settings *s, struct store *store, struct err *e)
{
    struct store_bug from, into;
    if (!store_bug(store, str_of(s->args[0]), s->arena, &from, e) ||
        !store_bug(store, str_of(s->args[1]), s->arena, &into, e))
        return false;
    if (str_eq(from.id, into.id))
        return err_set(e, ERR_USAGE, "both arguments name bug " STR_FMT, STR_ARG(from.id));
    from.merged_into = into.id;
    const char *why = arena_printf(s->arena, "same as " STR_FMT, STR_ARG(into.id));
    if (!store_set_bug_state(store, &from, "ignored", "user", why, e))
        return false;
    from.reason = str_of(why);
    if (settings_want_json(s))
        print_json(&from);
    else
        out_putf(STR_FMT " merged into " STR_FMT "\n", STR_ARG(from.id), STR_ARG(into.id));
    return true;
}

static bool run_merge(const struct settings *s, int *exit_code, struct err *e)
{
    struct campaign_place place;
    struct store *store;
    (void)exit_code;
    if (s->n_args != 2)
        return err_set(e, ERR_USAGE,
                       "two bug ids are expected: the bug to merge, then the bug to merge it into");
    if (!campaign_open(s, STORE_WRITE, &place, &store, e))
        return false;
    bool ok = merge_rows(s, store, e);
    store_close(store);
    return ok;
}

const struct command command_merge = {
    .name = "merge",
    .arguments = "A B",
    .summary = "merge bug A into bug B: they are the same defect",
    .run = run_merge,
};
