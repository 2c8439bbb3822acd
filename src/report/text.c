/* Decides what a person reads on a terminal about a bug: one paragraph of facts. */
#include <math.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "report/report_p.h"

static void add_row(struct strbuf *out, const char *name, struct str value)
{
    if (value.n)
        strbuf_printf(out, "  %-12s " STR_FMT "\n", name, STR_ARG(value));
}

static void add_numbers(const struct store_bug *b, struct strbuf *out)
{
    if (b->threshold > 0)
        strbuf_printf(out, "  %-12s %.3g, threshold %.3g (" STR_FMT ")\n", "measure", b->measure,
                      b->threshold, STR_ARG(b->oracle));
    if (!isnan(b->expected) || !isnan(b->observed))
        strbuf_printf(
            out, "  %-12s expected %.9g, observed %.9g, element %lld of output " STR_FMT "\n",
            "values", b->expected, b->observed, (long long)b->element, STR_ARG(b->output));
}

static void add_bug(const struct report_bug *bug, struct strbuf *out)
{
    const struct store_bug *b = &bug->row;
    struct strbuf line = {0};
    report_bug_line(b, out);
    strbuf_addc(out, '\n');
    add_row(out, "title", b->title);
    add_row(out, "claim", b->claim);
    add_row(out, "graph", b->ops);
    add_row(out, "dtype", b->dtype);
    add_numbers(b, out);
    add_row(out, "place", b->op_type);
    add_row(out, "pass", b->pass);
    add_row(out, "message", str_sub(b->message, 0, 600));
    strbuf_printf(out, "  %-12s " STR_FMT ", " STR_FMT ", type " STR_FMT "\n", "kind",
                  STR_ARG(b->class), STR_ARG(b->state), STR_ARG(b->taxonomy));
    strbuf_printf(out, "  %-12s failed %lld of %lld times in fresh processes\n", "reproduced",
                  (long long)b->k, (long long)b->n);
    clock_format_iso(b->first_seen_ms, &line);
    strbuf_printf(out, "  %-12s %s, after %lld cases, seen %lld times\n", "found", line.at,
                  (long long)b->case_at + 1, (long long)b->n_failures);
    add_row(out, "reason", b->reason);
    add_row(out, "merged into", b->merged_into);
    add_row(out, "key", b->key);
    add_row(out, "folder", str_of(bug->folder));
    add_row(out, "no case", str_of(bug->why_no_case));
    for (size_t i = 0; i < bug->events.n; i++)
        strbuf_printf(out, "  %-12s " STR_FMT ": " STR_FMT "\n", "note",
                      STR_ARG(bug->events.at[i].what), STR_ARG(bug->events.at[i].text));
    strbuf_done(&line);
}

bool report__text(const struct report *r, struct strbuf *out, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < r->n; i++) {
        strbuf_adds(out, i ? "\n" : "");
        add_bug(&r->bugs[i], out);
    }
    return true;
}
