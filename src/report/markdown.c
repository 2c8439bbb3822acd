/*
 * Decides what a maintainer reads first: the claim, what is expected and seen, the version, a
 * reproducer to paste. A draft: a person checks it, completes it and files it; nothing is sent.
 */
#include <math.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "report/report_p.h"

enum { SCRIPT_INLINE_MAX = 48 << 10 };

static void add_facts(const struct store_bug *b, struct strbuf *out)
{
    struct strbuf target = {0};
    report__target(b, &target);
    strbuf_printf(out, "| | |\n|---|---|\n| engine | %s |\n", target.at);
    strbuf_done(&target);
    strbuf_printf(out, "| operators | " STR_FMT " (%lld node%s) |\n", STR_ARG(b->ops),
                  (long long)b->nodes, b->nodes == 1 ? "" : "s");
    strbuf_printf(out, "| dtype | " STR_FMT " |\n| severity | " STR_FMT " |\n", STR_ARG(b->dtype),
                  STR_ARG(b->severity));
    strbuf_printf(out, "| class | " STR_FMT ", type " STR_FMT " |\n", STR_ARG(b->class),
                  STR_ARG(b->taxonomy));
    strbuf_printf(out, "| fails | %lld of %lld runs in fresh processes |\n", (long long)b->k,
                  (long long)b->n);
    if (b->first_bad.n)
        strbuf_printf(out, "| first bad version | " STR_FMT " |\n", STR_ARG(b->first_bad));
    if (b->fixed_in.n)
        strbuf_printf(out, "| fixed in | " STR_FMT " |\n", STR_ARG(b->fixed_in));
    strbuf_addc(out, '\n');
}

/* Which modes of the engine fail, and which do not. */
static void add_modes(const struct report_bug *bug, struct strbuf *out)
{
    if (bug->verdicts.n == 0)
        return;
    strbuf_adds(out,
                "| target | oracle | verdict | measure | threshold |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < bug->verdicts.n; i++) {
        const struct verdict *v = &bug->verdicts.at[i];
        if (v->decision == DECISION_NOT_APPLICABLE)
            continue;
        strbuf_addstr(out, STR("| "));
        target_id_print(&v->target, out);
        strbuf_printf(out, " | %s | %s | %.3g | %.3g |\n", v->oracle, decision_name(v->decision),
                      v->measure, v->threshold);
    }
    strbuf_addc(out, '\n');
}

static void add_values(const struct store_bug *b, struct strbuf *out)
{
    if (isnan(b->expected) && isnan(b->observed))
        return;
    strbuf_printf(out,
                  "- expected: `%.9g` (float64 evaluation of the standard's text)\n"
                  "- observed: `%.9g`, element %lld of output `" STR_FMT "`\n",
                  b->expected, b->observed, (long long)b->element, STR_ARG(b->output));
    if (b->threshold > 0)
        strbuf_printf(out, "- relative error %.3g, at most %.3g is explained by rounding\n",
                      b->measure, b->threshold);
    strbuf_addc(out, '\n');
}

static void add_script(const struct report_bug *bug, const char *version, struct strbuf *out)
{
    struct strbuf script = {0};
    struct err e;
    if (!report__write_script(bug, version, &script, &e))
        strbuf_printf(out, "No script: %s\n", e.text);
    else if (script.n > SCRIPT_INLINE_MAX)
        strbuf_adds(out, "The script is long; see `reproduce.py` beside this file.\n");
    else
        strbuf_printf(out, "```python\n%s```\n", script.at);
    strbuf_done(&script);
}

static void add_bug(const struct report_bug *bug, const char *version, struct strbuf *out)
{
    const struct store_bug *b = &bug->row;
    strbuf_printf(out, "# " STR_FMT "\n\n", STR_ARG(b->title));
    strbuf_printf(out, STR_FMT "\n\n", STR_ARG(b->claim));
    add_facts(b, out);
    strbuf_adds(out, "## Expected and observed\n\n");
    add_values(b, out);
    add_modes(bug, out);
    if (b->message.n)
        strbuf_printf(out, "```\n" STR_FMT "\n```\n\n", STR_ARG(b->message));
    strbuf_adds(out, "## What the standard says\n\n");
    strbuf_printf(out,
                  "Operator%s `" STR_FMT "`: https://onnx.ai/onnx/operators/ "
                  "(sentence to be quoted by the person who files this).\n\n",
                  str_find_byte(b->ops, ' ') < b->ops.n ? "s" : "", STR_ARG(b->ops));
    strbuf_adds(out, "## To reproduce\n\nSave as `reproduce.py` and run; it exits 1 while the bug "
                     "lives.\n\n");
    add_script(bug, version, out);
    strbuf_printf(out, "\n<!-- key: " STR_FMT " -->\n", STR_ARG(b->key));
}

bool report__markdown(const struct report *r, struct strbuf *out, struct err *e)
{
    (void)e;
    for (size_t i = 0; i < r->n; i++) {
        strbuf_adds(out, i ? "\n---\n\n" : "");
        add_bug(&r->bugs[i], r->version, out);
    }
    return true;
}
