/* assay ignore and assay merge: what people know about bugs, kept as events. */
#include "base/compiler.h"
#include "cli/campaign.h"
#include "cli/command.h"

/* Prints the bug with its new state. */
static void print_json(const struct store_bug *bug, struct str state)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_str(&w, "id", bug->id);
    json_pair_str(&w, "state", state);
    json_pair_str(&w, "reason", bug->reason);
    json_pair_cstr(&w, "merged_into", bug->merged_into.n ? bug->merged_into.at : NULL);
    json_end_object(&w);
    out_json(&text);
}

/* The state that the bug had before a person changed it: the last one that a hunt recorded. */
static bool state_before(struct store *store, const struct store_bug *bug, struct arena *a,
                         struct str *out, struct err *e)
{
    static const char *const states[] = {"confirmed", "flaky", "needs-second-opinion", "new"};
    struct store_events events;
    if (!store_events(store, bug->id, a, &events, e))
        return false;
    *out = STR("confirmed");
    for (size_t i = events.n; i-- > 0;)
        for (size_t k = 0; k < COUNT_OF(states); k++)
            if (str_is(events.at[i].who, "hunt") && str_is(events.at[i].what, states[k])) {
                *out = events.at[i].what;
                return true;
            }
    return true;
}

/* assay ignore --undo, assay merge --undo. */
static bool count_again(const struct settings *s, struct store *store, struct err *e)
{
    struct store_bug bug;
    struct str state;
    if (!campaign_bug_argument(s, store, &bug, e))
        return false;
    if (!str_is(bug.state, "ignored"))
        return err_set(e, ERR_USAGE, "bug " STR_FMT " is neither ignored nor merged",
                       STR_ARG(bug.id));
    if (!state_before(store, &bug, s->arena, &state, e))
        return false;
    bug.reason = bug.merged_into = STR("");
    bug.expires_ms = 0;
    if (!store_set_bug_state(store, &bug, str_dup(s->arena, state), "user", "counts again", e))
        return false;
    if (settings_want_json(s))
        print_json(&bug, state);
    else
        out_putf(STR_FMT " counts again: " STR_FMT "\n", STR_ARG(bug.id), STR_ARG(state));
    return true;
}

static bool undo(const struct settings *s, struct err *e)
{
    struct campaign_place place;
    struct store *store;
    if (!campaign_open(s, STORE_WRITE, &place, &store, e))
        return false;
    bool ok = count_again(s, store, e);
    store_close(store);
    return ok;
}

static bool run_ignore(const struct settings *s, int *exit_code, struct err *e)
{
    struct campaign_place place;
    struct store *store;
    struct store_bug bug;
    const char *reason = settings_text(s, SETTING_reason);
    (void)exit_code;
    if (settings_flag(s, SETTING_undo))
        return undo(s, e);
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
        print_json(&bug, STR("ignored"));
    else if (ok)
        out_putf(STR_FMT " ignored: %s\n", STR_ARG(bug.id), reason);
    store_close(store);
    return ok;
}

const struct command command_ignore = {
    .name = "ignore",
    .arguments = "ID",
    .summary = "ignore a bug from now on, with a reason; it no longer fails a run",
    .examples = "  assay ignore 3f2a9c0b1e --reason 'intended, see the release notes'\n"
                "  assay ignore 3f2a9c0b1e --undo",
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
        print_json(&from, STR("ignored"));
    else
        out_putf(STR_FMT " merged into " STR_FMT "\n", STR_ARG(from.id), STR_ARG(into.id));
    return true;
}

static bool run_merge(const struct settings *s, int *exit_code, struct err *e)
{
    struct campaign_place place;
    struct store *store;
    (void)exit_code;
    if (settings_flag(s, SETTING_undo))
        return undo(s, e);
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
