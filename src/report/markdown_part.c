/*
 * Decides what each part of a draft says: the claim, the facts, the model in a few lines, what is
 * expected and seen and by which modes, a reproducer to paste, the operators' pages of the
 * standard, the system. Must not know the form or the field in which it will appear.
 */
#include <math.h>

#include "base/compiler.h"
#include "base/vec.h"
#include "case/subject.h"
#include "judge/judge.h"
#include "report/form_p.h"
#include "report/markdown_text_p.h"
#include "report/report_p.h"

enum { SCRIPT_INLINE_MAX = 48 << 10 };

static void add_line(const char *what, struct str text, struct strbuf *out)
{
    strbuf_adds(out, what);
    markdown__text(text, out);
    strbuf_addc(out, '\n');
}

void part__summary(const struct draft *d, struct strbuf *out)
{
    const struct store_bug *b = &d->bug->row;
    if (store_bug_needs_opinion(b))
        strbuf_adds(out,
                    "**Needs a second opinion:** only one engine family shows what is right for "
                    "this model, or two families fail alike. It may be no defect."
                    "\n\n");
    add_line("", b->claim, out);
}

void part__facts(const struct draft *d, struct strbuf *out)
{
    const struct store_bug *b = &d->bug->row;
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
    if (d->bug->sandbox.n && !str_is(d->bug->sandbox, "full")) {
        strbuf_adds(out, "- ran in a sandbox that was not full: ");
        markdown__text(d->bug->sandbox, out);
        strbuf_addc(out, '\n');
    }
    if (b->first_bad.n)
        strbuf_printf(out, "- first bad version: " STR_FMT "\n", STR_ARG(b->first_bad));
    if (b->fixed_in.n)
        strbuf_printf(out, "- fixed in: " STR_FMT "\n", STR_ARG(b->fixed_in));
}

void part__model(const struct draft *d, struct strbuf *out)
{
    const struct report_bug *bug = d->bug;
    struct strbuf text = {0};
    if (bug->c && case_program(bug->c))
        markdown__block(case_program(bug->c)->source, "python", out);
    if (!bug->c || !case_model(bug->c))
        return;
    report__graph_text(case_model(bug->c), &text);
    markdown__block(strbuf_str(&text), "", out);
    strbuf_done(&text);
}

/* The worst verdict of a target; it has at least one. */
static struct verdict worst_of(const struct verdicts *all, const struct target_id *t)
{
    VEC(struct verdict) own = {0};
    for (size_t i = 0; i < all->n; i++)
        if (target_id_eq(&all->at[i].target, t))
            vec_push(&own, NULL, all->at[i]);
    struct verdict worst = *verdicts_worst(&(struct verdicts){own.at, own.n});
    vec_free(&own);
    return worst;
}

static bool is_first_of_target(const struct verdicts *all, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (target_id_eq(&all->at[i].target, &all->at[at].target))
            return false;
    return true;
}

/* One line per target: which modes of the engine and which other engines agree with the standard.
 */
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
            strbuf_adds(out, " | passes | |\n");
            continue;
        }
        strbuf_printf(out, " | %s (%s) | ", decision_name(v.decision), v.oracle);
        markdown__text(str_sub(v.claim, 0, 200), out);
        strbuf_adds(out, " |\n");
    }
}

static void add_values(const struct store_bug *b, struct strbuf *out)
{
    const struct against_row *against = against_row(oracle_against(b->oracle));
    if (isnan(b->expected) && isnan(b->observed))
        return;
    strbuf_printf(out,
                  "- %s: `%.9g`%s\n"
                  "- %s: `%.9g`, element %lld of output ",
                  against->expected, b->expected, against->source, against->observed, b->observed,
                  (long long)b->element);
    markdown__code(b->output, out);
    strbuf_addc(out, '\n');
    if (b->threshold > 0)
        strbuf_printf(out, "- relative error %.3g; rounding explains at most %.3g\n", b->measure,
                      b->threshold);
}

void part__expected_observed(const struct draft *d, struct strbuf *out)
{
    size_t before = out->n;
    add_values(&d->bug->row, out);
    if (out->n > before && d->bug->verdicts.n)
        strbuf_addc(out, '\n');
    add_targets(&d->bug->verdicts, out);
}

/* What the engine printed. */
void part__log(const struct draft *d, struct strbuf *out)
{
    if (d->bug->row.message.n)
        markdown__block(str_trim(d->bug->row.message), "", out);
}

void part__reproduce(const struct draft *d, struct strbuf *out)
{
    struct strbuf script = {0};
    struct err e;
    if (!report__write_script(d->bug, d->version, &script, &e)) {
        add_line("No script: ", str_of(e.text), out);
        strbuf_done(&script);
        return;
    }
    strbuf_adds(out, "Save as `reproduce.py` and run; it exits 1 while the bug lives.\n\n");
    if (script.n > SCRIPT_INLINE_MAX)
        strbuf_adds(out, "The script is long; see `reproduce.py` beside this file.\n");
    else
        markdown__block(strbuf_str(&script), "python", out);
    strbuf_done(&script);
}

/* Lists each operator once. */
void part__standard(const struct draft *d, struct strbuf *out)
{
    const struct report_bug *bug = d->bug;
    const struct model *m = bug->c ? case_model(bug->c) : NULL;
    const struct graph *g = m ? m->graph : NULL;
    if (!g || g->nodes.n == 0)
        return;
    strbuf_printf(out, "The operators in the standard, opset %d:\n\n", m->opset);
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

/* "Debian GNU/Linux 12 (bookworm), Linux 6.1.0" */
static void add_os(const struct report_machine *m, struct strbuf *out)
{
    markdown__text(m->os, out);
    if (m->kernel.n) {
        strbuf_adds(out, m->os.n ? ", Linux " : "Linux ");
        markdown__text(m->kernel, out);
    }
}

void part__os(const struct draft *d, struct strbuf *out)
{
    const struct report_machine *m = &d->bug->machine;
    if (!m->os.n && !m->kernel.n) {
        part__person(d, out);
        return;
    }
    add_os(m, out);
    strbuf_addc(out, '\n');
}

void part__architecture(const struct draft *d, struct strbuf *out)
{
    if (d->bug->machine.architecture.n)
        add_line("", d->bug->machine.architecture, out);
    else
        part__person(d, out);
}

void part__version(const struct draft *d, struct strbuf *out)
{
    add_line("", d->bug->row.version, out);
}

void part__package(const struct draft *d, struct strbuf *out)
{
    strbuf_adds(out, "Python package ");
    markdown__code(d->package, out);
    add_line(" ", d->bug->row.version, out);
}

/* A converter's model is run by another engine, whose version counts too. */
static const struct target_id *runner_of(const struct report_bug *bug)
{
    for (size_t i = 0; i < bug->verdicts.n; i++) {
        const struct target_id *t = &bug->verdicts.at[i].target;
        if (str_eq(t->engine, bug->row.engine) && t->runner)
            return t->runner;
    }
    return NULL;
}

void part__system(const struct draft *d, struct strbuf *out)
{
    const struct target_id *runner = runner_of(d->bug);
    strbuf_adds(out, "- OS: ");
    part__os(d, out);
    strbuf_adds(out, "- architecture: ");
    part__architecture(d, out);
    strbuf_adds(out, "- ");
    markdown__text(d->package, out);
    add_line(": ", d->bug->row.version, out);
    if (runner) {
        strbuf_adds(out, "- result run by: ");
        target_id_print(runner, out);
        strbuf_addc(out, '\n');
    }
    strbuf_adds(out, "- Python: ");
    part__person(d, out);
}

void part__person(const struct draft *d, struct strbuf *out)
{
    (void)d;
    strbuf_adds(out, "_left to the person who files this_\n");
}
