/*
 * Decides what a maintainer reads first: the claim, the model in a few lines, what is expected and
 * seen and by which modes, a reproducer to paste, the operators' pages of the standard. A draft: a
 * person checks it against the list at its end and files it; nothing is sent from here.
 */
#include <math.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/vec.h"
#include "report/markdown_text_p.h"
#include "report/report_p.h"

enum { SCRIPT_INLINE_MAX = 48 << 10 };

static void add_facts(const struct store_bug *b, struct strbuf *out)
{
    struct strbuf target = {0};
    report__target(b, &target);
    strbuf_printf(out, "- engine: %s\n", target.at);
    if (b->pass.n) {
        strbuf_adds(out, "- goes away without the optimiser ");
        markdown__code(b->pass, out);
        strbuf_addc(out, '\n');
    }
    strbuf_done(&target);
    if (b->n > 0)
        strbuf_printf(out, "- fails: %lld of %lld runs, each in a fresh process\n", (long long)b->k,
                      (long long)b->n);
    strbuf_printf(out, "- severity: " STR_FMT " (" STR_FMT ", type " STR_FMT ")\n",
                  STR_ARG(b->severity), STR_ARG(b->class), STR_ARG(b->taxonomy));
    if (b->first_bad.n)
        strbuf_printf(out, "- first bad version: " STR_FMT "\n", STR_ARG(b->first_bad));
    if (b->fixed_in.n)
        strbuf_printf(out, "- fixed in: " STR_FMT "\n", STR_ARG(b->fixed_in));
    strbuf_addc(out, '\n');
}

static bool same_target(const struct target_id *a, const struct target_id *b)
{
    return str_eq(a->engine, b->engine) && str_eq(a->version, b->version) &&
           str_eq(a->mode, b->mode) && a->n_threads == b->n_threads;
}

/* The verdict of one target, which has some, that says most about it. */
static struct verdict worst_of(const struct verdicts *all, const struct target_id *t)
{
    VEC(struct verdict) own = {0};
    for (size_t i = 0; i < all->n; i++)
        if (same_target(&all->at[i].target, t))
            vec_push(&own, NULL, all->at[i]);
    struct verdict worst = *verdicts_worst(&(struct verdicts){own.at, own.n});
    vec_free(&own);
    return worst;
}

static bool is_first_of_target(const struct verdicts *all, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (same_target(&all->at[i].target, &all->at[at].target))
            return false;
    return true;
}

/* One line a target: which modes of the engine and which other engines agree with the standard. */
static void add_targets(const struct verdicts *all, struct strbuf *out)
{
    if (all->n == 0)
        return;
    strbuf_adds(out, "| target | verdict | |\n|---|---|---|\n");
    for (size_t i = 0; i < all->n; i++) {
        if (!is_first_of_target(all, i))
            continue;
        struct verdict v = worst_of(all, &all->at[i].target);
        strbuf_adds(out, "| ");
        target_id_print(&v.target, out);
        if (v.decision == DECISION_PASS) {
            strbuf_adds(out, " | as the standard gives | |\n");
            continue;
        }
        strbuf_printf(out, " | %s (%s) | ", decision_name(v.decision), v.oracle);
        markdown__text(str_sub(v.claim, 0, 200), out);
        strbuf_adds(out, " |\n");
    }
    strbuf_addc(out, '\n');
}

/* What the oracle held the observed number against. */
static const struct {
    const char *oracle, *expected, *observed, *source;
} held_against[] = {
    {"nondeterminism", "first run", "second run", ""},
    {"levels", "without optimisations", "observed", ""},
    {"metamorphic", "the model that it was made from", "observed", ""},
    {"", "expected", "observed", " (float64 evaluation of the standard's text)"},
};

static void add_values(const struct store_bug *b, struct strbuf *out)
{
    size_t at = 0;
    if (isnan(b->expected) && isnan(b->observed))
        return;
    while (*held_against[at].oracle && !str_is(b->oracle, held_against[at].oracle))
        at++;
    strbuf_printf(out,
                  "- %s: `%.9g`%s\n"
                  "- %s: `%.9g`, element %lld of output ",
                  held_against[at].expected, b->expected, held_against[at].source,
                  held_against[at].observed, b->observed, (long long)b->element);
    markdown__code(b->output, out);
    strbuf_addc(out, '\n');
    if (b->threshold > 0)
        strbuf_printf(out, "- relative error %.3g; rounding explains at most %.3g\n", b->measure,
                      b->threshold);
    strbuf_addc(out, '\n');
}

static void add_line(const char *what, struct str text, struct strbuf *out)
{
    strbuf_adds(out, what);
    markdown__text(text, out);
    strbuf_addc(out, '\n');
}

static void add_script(const struct report_bug *bug, const char *version, struct strbuf *out)
{
    struct strbuf script = {0};
    struct err e;
    if (!report__write_script(bug, version, &script, &e))
        add_line("No script: ", str_of(e.text), out);
    else if (script.n > SCRIPT_INLINE_MAX)
        strbuf_adds(out, "The script is long; see `reproduce.py` beside this file.\n");
    else
        markdown__block(strbuf_str(&script), "python", out);
    strbuf_done(&script);
}

/* Each operator once. */
static void add_standard(const struct report_bug *bug, struct strbuf *out)
{
    const struct graph *g = bug->c && bug->c->graph ? bug->c->graph->graph : NULL;
    if (!g || g->nodes.n == 0)
        return;
    strbuf_printf(out, "\n## What the standard says (opset %d)\n\n", bug->c->graph->opset);
    for (size_t i = 0; i < g->nodes.n; i++) {
        struct str op = g->nodes.at[i].op_type;
        bool is_new = g->nodes.at[i].domain.n == 0;
        for (size_t k = 0; k < i; k++)
            is_new &= !str_eq(g->nodes.at[k].op_type, op);
        if (is_new) /* the standard's names are letters and digits */
            strbuf_printf(
                out, "- [" STR_FMT "](https://onnx.ai/onnx/operators/onnx__" STR_FMT ".html)\n",
                STR_ARG(op), STR_ARG(op));
    }
}

static void add_check(bool holds, const char *text, struct strbuf *out)
{
    strbuf_printf(out, "- [%c] %s\n", holds ? 'x' : ' ', text);
}

static void add_search(const struct store_bug *b, struct strbuf *out)
{
    bool is_wrong = str_is(b->class, "wrong-result");
    struct strbuf words = {0};
    strbuf_printf(&words, STR_FMT " %s", STR_ARG(b->ops),
                  is_wrong ? "wrong result" : "crash OR exception");
    strbuf_adds(out, "- [ ] the tracker has no such issue; search: ");
    markdown__code(strbuf_str(&words), out);
    strbuf_addc(out, '\n');
    strbuf_done(&words);
}

/* What must hold before a person files it. */
static void add_gate(const struct report_bug *bug, struct strbuf *out)
{
    const struct store_bug *b = &bug->row;
    strbuf_adds(out, "\n## Before this draft is filed\n\n");
    add_check(b->n >= 10 && b->k == b->n, "fails in every one of at least 10 fresh processes", out);
    add_check(bug->c != NULL, "reduced, with a reproducer of its own", out);
    add_check(str_is(b->oracle, "reference") || str_is(b->oracle, "outcome") ||
                  str_is(b->oracle, "crash") || str_is(b->oracle, "nondeterminism"),
              "judged by the standard's text, not by another engine alone", out);
    add_check(false, "the sentence of the standard that is broken is quoted", out);
    add_check(false, "the newest release still shows it", out);
    if (store_bug_needs_opinion(b))
        add_check(false, "somebody who knows the standard says that it is wrong", out);
    add_search(b, out);
}

static void add_head(const struct store_bug *b, struct strbuf *out)
{
    strbuf_printf(out, "# " STR_FMT " " STR_FMT ": ", STR_ARG(b->engine), STR_ARG(b->version));
    add_line("", b->title, out);
    strbuf_addc(out, '\n');
    if (store_bug_needs_opinion(b))
        strbuf_adds(out, "**Needs a second opinion:** of this model nobody but one engine family "
                         "can say what is right, or two of them fail alike. It may be no defect."
                         "\n\n");
    add_line("", b->claim, out);
    strbuf_addc(out, '\n');
}

static void add_model(const struct report_bug *bug, struct strbuf *out)
{
    struct strbuf text = {0};
    if (!bug->c || !bug->c->graph)
        return;
    report__graph_text(bug->c->graph, &text);
    strbuf_adds(out, "## Model\n\n");
    markdown__block(strbuf_str(&text), "", out);
    strbuf_addc(out, '\n');
    strbuf_done(&text);
}

/* For whoever looks for this report again. */
static void add_key(const struct store_bug *b, struct strbuf *out)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "key: " STR_FMT, STR_ARG(b->key));
    markdown__comment(strbuf_str(&text), out);
    strbuf_done(&text);
}

static void add_bug(const struct report_bug *bug, const char *version, struct strbuf *out)
{
    const struct store_bug *b = &bug->row;
    add_head(b, out);
    add_facts(b, out);
    add_model(bug, out);
    strbuf_adds(out, "## Expected and observed\n\n");
    add_values(b, out);
    add_targets(&bug->verdicts, out);
    if (b->message.n) {
        markdown__block(b->message, "", out);
        strbuf_addc(out, '\n');
    }
    strbuf_adds(out, "## To reproduce\n\nSave as `reproduce.py` and run; it exits 1 while the bug "
                     "lives.\n\n");
    add_script(bug, version, out);
    add_standard(bug, out);
    add_gate(bug, out);
    strbuf_addc(out, '\n');
    add_key(b, out);
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
