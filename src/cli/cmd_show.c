/* assay show: one bug with its verdicts, places and notes. */
#include "cli/campaign.h"
#include "cli/command.h"
#include "report/report.h"

static bool write_report(const struct report *r, const char *format, struct err *e)
{
    struct strbuf text = {0};
    bool ok = report_find(str_of(format))->write(r, &text, e);
    if (ok)
        out_put(strbuf_str(&text));
    strbuf_done(&text);
    return ok;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct campaign_place place;
    struct store *store;
    struct store_bug row;
    struct report_bug bug;
    (void)exit_code;
    if (!campaign_open(s, STORE_READ, &place, &store, e))
        return false;
    bool ok = campaign_bug_argument(s, store, &row, e) &&
              report_bug_load(store, &row, place.out, s->arena, &bug, e);
    if (ok) {
        struct report r = {.bugs = &bug, .n = 1, .one = true};
        ok = write_report(&r, settings_want_json(s) ? "json" : "text", e);
    }
    store_close(store);
    return ok;
}

const struct command command_show = {
    .name = "show",
    .arguments = "ID",
    .summary = "show one bug: claim, numbers, where it starts, how often it fails",
    .examples = "  assay show 3f2a9c0b1e",
    .run = run,
};
