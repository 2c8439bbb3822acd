/* assay report: what a maintainer receives, in the format they read. Nothing is ever filed from
 * here. */
#include "base/file.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "cli/version.h"
#include "report/report.h"

static bool load_all(const struct settings *s, struct store *store,
                     const struct campaign_place *place, struct report *r, struct err *e)
{
    struct store_bugs rows = {0};
    bool all = settings_flag(s, SETTING_eval_all);
    if (all && s->n_args)
        return err_set(e, ERR_USAGE, "--all and a bug id exclude each other");
    if (all) { /* a report of one bug is for its maintainers, to whom the list does not matter */
        struct known_list known;
        if (!campaign_known(s, &known, e) || !store_bugs(store, STR(""), s->arena, &rows, e))
            return false;
        known_mark(&known, &rows);
    } else {
        rows.at = arena_new(s->arena, struct store_bug);
        rows.n = 1;
        if (!campaign_bug_argument(s, store, rows.at, e))
            return false;
    }
    struct report_bug *bugs = arena_new_array(s->arena, struct report_bug, rows.n);
    for (size_t i = 0; i < rows.n; i++)
        if (!report_bug_load(store, &rows.at[i], place->out, s->arena, &bugs[i], e))
            return false;
    *r = (struct report){.bugs = bugs, .n = rows.n, .one = !all, .version = ASSAY_VERSION};
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct campaign_place place;
    struct store *store;
    struct report r;
    struct strbuf text = {0};
    const char *name =
        settings_flag(s, SETTING_json) ? "json" : settings_text(s, SETTING_report_format);
    const struct report_format *format = report_find(str_of(name));
    (void)exit_code;
    if (!format)
        return err_set(e, ERR_USAGE, "--format: \"%s\" is no report format", name);
    if (!campaign_open(s, STORE_READ, &place, &store, e))
        return false;
    bool ok = load_all(s, store, &place, &r, e);
    if (ok && format->for_one && r.n != 1)
        ok = err_set(e, ERR_USAGE, "--format %s reports one bug: name its id", name);
    ok = ok && format->write(&r, &text, e);
    if (ok)
        out_put(strbuf_str(&text));
    strbuf_done(&text);
    store_close(store);
    return ok;
}

const struct command command_report = {
    .name = "report",
    .arguments = "ID|--all",
    .summary = "write a report: text, JSON, Markdown, SARIF, JUnit, or one stand-alone script",
    .details = "Reports are drafts for a person to read and file; assay never submits anything.\n"
               "--format script prints one Python file that builds the reduced model, runs it, and "
               "exits 1 while the bug lives.",
    .examples = "  assay report 3f2a9c0b1e --format md\n  assay report 3f2a9c0b1e --format script "
                "> reproduce.py\n"
                "  assay report --all --format sarif",
    .run = run,
};
