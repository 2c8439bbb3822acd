/* Decides what a person reads on a terminal about a bug: one paragraph of facts. Text from models
 * and engines is escaped: it may hold control sequences of a terminal. */
#include <math.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "report/report_p.h"

enum { NAME_WIDTH = 12 };

static void add_name(struct strbuf *out, const char *name)
{
    strbuf_printf(out, "  %-*s ", NAME_WIDTH, name);
}

/* Aligns the lines of a longer text in one column. */
static void add_row(struct strbuf *out, const char *name, struct str value)
{
    struct str rest = str_trim(value), line;
    while (value.n && str_split(&rest, '\n', &line)) {
        add_name(out, name);
        strbuf_add_line(out, line);
        strbuf_addc(out, '\n');
        name = "";
    }
}

static void add_output(const struct store_bug *b, struct strbuf *out)
{
    add_name(out, "values");
    strbuf_printf(out, "expected %.9g, observed %.9g, element %lld of output ", b->expected,
                  b->observed, (long long)b->element);
    strbuf_add_line(out, b->output);
    strbuf_addc(out, '\n');
}

/* What happened to the bug, one line per event. */
static void add_notes(const struct store_events *events, struct strbuf *out)
{
    for (size_t i = 0; i < events->n; i++) {
        add_name(out, "note");
        strbuf_printf(out, STR_FMT ": ", STR_ARG(events->at[i].what));
        strbuf_add_line(out, events->at[i].text);
        strbuf_addc(out, '\n');
    }
}

static void add_numbers(const struct store_bug *b, struct strbuf *out)
{
    if (b->threshold > 0) {
        add_name(out, "measure");
        strbuf_printf(out, "%.3g, threshold %.3g (" STR_FMT ")\n", b->measure, b->threshold,
                      STR_ARG(b->oracle));
    }
    if (!isnan(b->expected) || !isnan(b->observed))
        add_output(b, out);
}

static void add_history(const struct store_bug *b, struct strbuf *out)
{
    struct strbuf when = {0};
    add_name(out, "kind");
    strbuf_printf(out, STR_FMT ", " STR_FMT ", type " STR_FMT "\n", STR_ARG(b->class),
                  STR_ARG(b->state), STR_ARG(b->taxonomy));
    if (b->n > 0) {
        add_name(out, "reproduced");
        strbuf_printf(out, "failed %lld of %lld times in fresh processes\n", (long long)b->k,
                      (long long)b->n);
    }
    add_name(out, "found");
    clock_format_iso(b->first_seen_ms, &when);
    strbuf_printf(out, "%s, after %lld cases, seen %lld times\n", when.at,
                  (long long)b->case_at + 1, (long long)b->n_failures);
    strbuf_done(&when);
}

static void add_bug(const struct report_bug *bug, struct strbuf *out)
{
    const struct store_bug *b = &bug->row;
    report_bug_line(b, out);
    strbuf_addc(out, '\n');
    add_row(out, "title", b->title);
    add_row(out, "claim", b->claim);
    add_row(out, "graph", b->ops);
    add_row(out, "dtype", b->dtype);
    add_numbers(b, out);
    add_row(out, "place", b->op_type);
    add_row(out, "node", b->node);
    add_row(out, "pass", b->pass);
    add_row(out, "message", str_sub(b->message, 0, 600));
    add_history(b, out);
    add_row(out, "reason", b->reason);
    add_row(out, "merged into", b->merged_into);
    add_row(out, "key", b->key);
    add_row(out, "sandbox", bug->sandbox);
    add_row(out, "folder", str_of(bug->folder));
    add_row(out, "no case", str_of(bug->why_no_case));
    add_notes(&bug->events, out);
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
