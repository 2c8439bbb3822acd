/*
 * Decides what a maintainer reads first and in which order: the title, then the fields of the
 * tracker's own form (form_p.h), or of the general draft. A draft: a person checks it against the
 * list at its end and files it; nothing is sent from here.
 */
#include "base/compiler.h"
#include "judge/judge.h"
#include "report/form_p.h"
#include "report/markdown_text_p.h"
#include "report/report_p.h"

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

/* What precedes this note is for the tracker, what follows is for the person who files it. */
static void add_form_note(const struct form *f, struct strbuf *out)
{
    strbuf_adds(out, "This is a draft and nothing was sent: the text above follows the form ");
    markdown__code(f->template, out);
    strbuf_printf(out, " of <" STR_FMT ">, the rest is for whoever files it.\n\n",
                  STR_ARG(f->tracker));
}

/* What must hold before a person files it. */
static void add_gate(const struct draft *d, struct strbuf *out)
{
    const struct store_bug *b = &d->bug->row;
    bool has_form = d->form.tracker.n > 0;
    strbuf_adds(out, has_form ? "---\n\n" : "");
    strbuf_adds(out, "## Before this draft is filed\n\n");
    if (has_form)
        add_form_note(&d->form, out);
    add_check(b->n >= 10 && b->k == b->n, "fails in every one of at least 10 fresh processes", out);
    add_check(d->bug->c != NULL, "reduced, with a reproducer of its own", out);
    add_check(against_row(oracle_against(b->oracle))->is_proof,
              "judged by the standard's text, not by another engine alone", out);
    add_check(false, "the sentence of the standard that is broken is quoted", out);
    add_check(false, "the newest release still shows it", out);
    if (store_bug_needs_opinion(b))
        add_check(false, "a person who knows the standard says that it is wrong", out);
    if (has_form)
        add_check(false, "the fields that are left to a person are filled in", out);
    add_search(b, out);
}

static void add_title(const struct draft *d, struct strbuf *out)
{
    const struct store_bug *b = &d->bug->row;
    strbuf_printf(out, "# " STR_FMT STR_FMT " " STR_FMT ": ", STR_ARG(d->form.title),
                  STR_ARG(b->engine), STR_ARG(b->version));
    markdown__text(b->title, out);
    strbuf_adds(out, "\n\n");
}

/* The parts of a field with a blank line between them. */
static void add_parts(const struct draft *d, const struct form_field *f, struct strbuf *out)
{
    static void (*const writers[])(const struct draft *, struct strbuf *) = {
#define FORM_PART(id, word, write) write,
#include "report/form.def"
#undef FORM_PART
    };
    for (size_t i = 0; i < f->n_parts; i++) {
        struct strbuf part = {0};
        writers[f->parts[i]](d, &part);
        if (part.n && out->n)
            strbuf_addc(out, '\n');
        strbuf_add(out, part.at, part.n);
        strbuf_done(&part);
    }
}

/* A form shows all of its fields, empty ones too, as GitHub does; the general draft leaves empty
 * ones out. */
static void add_field(const struct draft *d, const struct form_field *f, struct strbuf *out)
{
    struct strbuf body = {0};
    if (f->text)
        strbuf_printf(&body, "%s\n", f->text);
    else
        add_parts(d, f, &body);
    if (!body.n && d->form.tracker.n)
        strbuf_adds(&body, "_No response_\n");
    if (body.n) {
        if (f->heading)
            strbuf_printf(out, "%s\n\n", f->heading);
        strbuf_add(out, body.at, body.n);
        strbuf_addc(out, '\n');
    }
    strbuf_done(&body);
}

/* Adds the bug's key as a comment, by which the report can be found again. */
static void add_key(const struct store_bug *b, struct strbuf *out)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "key: " STR_FMT, STR_ARG(b->key));
    markdown__comment(strbuf_str(&text), out);
    strbuf_done(&text);
}

static bool add_bug(const struct report_bug *bug, const char *version, struct strbuf *out,
                    struct err *e)
{
    struct draft d = {.bug = bug, .version = version};
    struct arena a;
    arena_init(&a);
    bool ok = form__load(bug->row.engine, &a, &d, e);
    if (ok) {
        add_title(&d, out);
        for (size_t i = 0; i < d.form.n; i++)
            add_field(&d, &d.form.fields[i], out);
        add_gate(&d, out);
        strbuf_addc(out, '\n');
        add_key(&bug->row, out);
    }
    arena_done(&a);
    return ok;
}

bool report__markdown(const struct report *r, struct strbuf *out, struct err *e)
{
    for (size_t i = 0; i < r->n; i++) {
        strbuf_adds(out, i ? "\n---\n\n" : "");
        if (!add_bug(&r->bugs[i], r->version, out, e))
            return false;
    }
    return true;
}
