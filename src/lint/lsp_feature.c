/* Diagnostics, code actions and hovers as JSON. */
#include "lint/ignore.h"
#include "lint/lsp_p.h"

static void put_range(const struct lsp *l, struct json_out *w, const char *key, struct str text,
                      const struct source_place *start, const struct source_place *end,
                      const struct lsp_lines *lines)
{
    json_key(w, key);
    json_begin_object(w);
    lsp__put_place(l, w, "start", text, start, lines);
    lsp__put_place(l, w, "end", text, end, lines);
    json_end_object(w);
}

static void put_related(struct lsp *l, const struct lsp_document *d, const struct finding *f,
                        const struct lsp_lines *lines, struct json_out *w)
{
    json_key(w, "relatedInformation");
    json_begin_array(w);
    for (uint32_t i = 0; i < f->n_related; i++) {
        if (f->related[i].path.n || (d->notebook && f->related[i].start.cell != d->cell))
            continue;
        json_begin_object(w);
        json_key(w, "location");
        json_begin_object(w);
        json_pair_cstr(w, "uri", d->uri);
        put_range(l, w, "range", strbuf_str(&d->text), &f->related[i].start, &f->related[i].end,
                  lines);
        json_end_object(w);
        json_pair_str(w, "message", f->related[i].message);
        json_end_object(w);
    }
    json_end_array(w);
}

/* A rule's page. Finding it reads the disk: done once per rule and message. */
static const char *page_of(struct lsp *l, const struct rule *rule)
{
    for (size_t i = 0; i < l->pages.n; i++)
        if (l->pages.at[i].rule == rule)
            return l->pages.at[i].uri;
    const char *uri = l->hooks.page ? l->hooks.page(l->hooks.ctx, rule, &l->arena) : NULL;
    vec_push(&l->pages, &l->arena, (struct lsp_page){rule, uri});
    return uri;
}

static void put_diagnostic(struct lsp *l, const struct lsp_document *d, const struct finding *f,
                           const struct lsp_lines *lines, struct json_out *w)
{
    static const int severities[] = {3, 2, 1}; /* information, warning, error */
    const struct rule *rule = rule_find(l->project.rules, f->code);
    const char *page = rule ? page_of(l, rule) : NULL;
    json_begin_object(w);
    put_range(l, w, "range", strbuf_str(&d->text), &f->start, &f->end, lines);
    json_pair_i64(w, "severity", f->is_note ? 4 : severities[f->severity]);
    json_pair_str(w, "code", f->code);
    if (page) {
        json_key(w, "codeDescription");
        json_begin_object(w);
        json_pair_cstr(w, "href", page);
        json_end_object(w);
    }
    json_pair_cstr(w, "source", "assay");
    json_pair_str(w, "message", f->message);
    put_related(l, d, f, lines, w);
    json_end_object(w);
}

void lsp__put_diagnostics(struct lsp *l, struct lsp_document *d, struct json_out *w)
{
    const struct file_report *r = lsp__report(l, d);
    struct lsp_lines lines = lsp__lines(strbuf_str(&d->text), &l->arena);
    json_begin_array(w);
    for (size_t i = 0; i < r->n; i++)
        if (lsp__is_of(d, &r->findings[i]))
            put_diagnostic(l, d, &r->findings[i], &lines, w);
    json_end_array(w);
}

/* ---- code actions ---- */

static void put_edit(const struct lsp *l, struct json_out *w, struct str text, size_t start,
                     size_t end, struct str with)
{
    json_begin_object(w);
    json_key(w, "range");
    json_begin_object(w);
    lsp__put_position(l, w, "start", text, start);
    lsp__put_position(l, w, "end", text, end);
    json_end_object(w);
    json_pair_str(w, "newText", with);
    json_end_object(w);
}

/* Begins the edits of an action: begin_document for each text, put_edit calls, end_document. */
static void begin_edits(const struct lsp *l, struct json_out *w)
{
    json_key(w, "edit");
    json_begin_object(w);
    json_key(w, l->can_version_edits ? "documentChanges" : "changes");
    if (l->can_version_edits)
        json_begin_array(w);
    else
        json_begin_object(w);
}

static void begin_document(const struct lsp *l, const struct lsp_document *d, struct json_out *w)
{
    if (!l->can_version_edits) {
        json_key(w, d->uri);
        json_begin_array(w);
        return;
    }
    json_begin_object(w);
    json_key(w, "textDocument");
    json_begin_object(w);
    json_pair_cstr(w, "uri", d->uri);
    json_pair_i64(w, "version", d->version);
    json_end_object(w);
    json_key(w, "edits");
    json_begin_array(w);
}

static void end_document(const struct lsp *l, struct json_out *w)
{
    json_end_array(w);
    if (l->can_version_edits)
        json_end_object(w);
}

static void end_edits(const struct lsp *l, struct json_out *w)
{
    if (l->can_version_edits)
        json_end_array(w);
    else
        json_end_object(w);
    json_end_object(w);
}

static void begin_action(struct json_out *w, struct str title, const char *kind)
{
    json_begin_object(w);
    json_pair_str(w, "title", title);
    json_pair_cstr(w, "kind", kind);
}

/* Where an edit begins in the text of a file, or of a cell. */
static size_t edit_offset(const struct lsp_document *d, uint32_t offset,
                          const struct source_place *place)
{
    return d->notebook ? lsp__place_offset(strbuf_str(&d->text), place) : offset;
}

/* An action edits only the text it was requested for: a fix that reaches other cells is not
 * offered. */
static bool is_fix_of(const struct lsp_document *d, const struct finding *f)
{
    for (uint32_t i = 0; i < f->fix.n_edits && d->notebook; i++)
        if (f->fix.edits[i].from.cell != d->cell || f->fix.edits[i].to.cell != d->cell)
            return false;
    return f->fix.safety != SAFETY_NONE;
}

static void put_own_diagnostic(struct lsp *l, const struct lsp_document *d, const struct finding *f,
                               struct json_out *w)
{
    struct lsp_lines lines = lsp__lines(strbuf_str(&d->text), &l->arena);
    json_key(w, "diagnostics");
    json_begin_array(w);
    put_diagnostic(l, d, f, &lines, w);
    json_end_array(w);
}

static void put_fix(struct lsp *l, struct lsp_document *d, const struct finding *f,
                    struct json_out *w)
{
    const char *title =
        arena_printf(&l->arena, "%s (" STR_FMT "%s)", f->fix.title.at, STR_ARG(f->code),
                     f->fix.safety == SAFETY_UNSAFE ? ", may change behaviour" : "");
    begin_action(w, str_of(title), "quickfix");
    json_pair_bool(w, "isPreferred", f->fix.safety == SAFETY_SAFE);
    put_own_diagnostic(l, d, f, w);
    begin_edits(l, w);
    begin_document(l, d, w);
    for (uint32_t i = 0; i < f->fix.n_edits; i++) {
        const struct finding_edit *e = &f->fix.edits[i];
        put_edit(l, w, strbuf_str(&d->text), edit_offset(d, e->start, &e->from),
                 edit_offset(d, e->end, &e->to), e->text);
    }
    end_document(l, w);
    end_edits(l, w);
    json_end_object(w);
}

static void put_ignore(struct lsp *l, struct lsp_document *d, const struct finding *f,
                       struct json_out *w)
{
    struct str text = strbuf_str(&d->text);
    struct source_place at = f->start;
    at.column = 1;
    if (!d->notebook)
        at.line = f->last_line;
    size_t begin = lsp__place_offset(text, &at), start, end;
    size_t length = str_find_byte(str_sub(text, begin, text.n), '\n');
    struct str line = str_sub(text, begin, begin + length);
    struct str piece = ignore_edit(line, f->code, &l->arena, &start, &end);
    const char *title =
        arena_printf(&l->arena, "Ignore " STR_FMT " on this line", STR_ARG(f->code));
    begin_action(w, str_of(title), "quickfix");
    put_own_diagnostic(l, d, f, w);
    begin_edits(l, w);
    begin_document(l, d, w);
    put_edit(l, w, text, begin + start, begin + end, piece);
    end_document(l, w);
    end_edits(l, w);
    json_end_object(w);
}

static struct str source_of(const struct json *cell, struct arena *a)
{
    const struct json *source = json_get(cell, "source");
    if (!source || source->kind == JSON_KIND_STRING)
        return source ? source->string : STR("");
    struct strbuf out = {0};
    for (size_t i = 0; i < source->n; i++)
        strbuf_addstr(&out, source->items[i].string);
    struct str text = strbuf_dup(&out, a);
    strbuf_done(&out);
    return text;
}

/* Writes the cells of a fixed notebook whose text has changed. */
static void put_cells(struct lsp *l, uint32_t notebook, struct str fixed, struct json_out *w)
{
    const struct json *root;
    struct err e = {0};
    if (!json_parse(fixed, "notebook", &l->arena, &root, &e))
        return;
    const struct json *cells = json_get(root, "cells");
    for (size_t i = 0; i < l->documents.n; i++) {
        const struct lsp_document *d = l->documents.at[i];
        if (!d->is_open || d->notebook != notebook || d->cell == 0 || d->cell > cells->n)
            continue;
        struct str before = strbuf_str(&d->text);
        struct str after = source_of(&cells->items[d->cell - 1], &l->arena);
        if (str_eq(before, after))
            continue;
        begin_document(l, d, w);
        put_edit(l, w, before, 0, before.n, after);
        end_document(l, w);
    }
}

/* Applies all safe fixes to a fixpoint: one edit that replaces the text; for a cell, the texts of
 * its notebook. */
static void put_fix_all(struct lsp *l, struct lsp_document *d, struct json_out *w)
{
    struct lsp_document *file = d->notebook ? l->documents.at[d->notebook - 1] : d;
    struct fix_options o = {.fixable = l->project.options.selection};
    struct lint_input in = {.path = lsp__path(str_of(file->uri), &l->arena),
                            .is_notebook = file->is_notebook};
    struct file_report left;
    struct str fixed;
    struct err e = {0};
    uint32_t n = 0;
    in.bytes = file->is_notebook ? lsp__notebook_text(l, file, &l->arena) : strbuf_str(&file->text);
    if (file->is_excluded || !linter_fix(l->linter, &in, &o, &l->arena, &fixed, &n, &left, &e) ||
        n == 0)
        return;
    begin_action(w, STR("Fix all (assay)"), "source.fixAll.assay");
    begin_edits(l, w);
    if (d->notebook) {
        put_cells(l, d->notebook, fixed, w);
    } else {
        begin_document(l, d, w);
        put_edit(l, w, in.bytes, 0, in.bytes.n, fixed);
        end_document(l, w);
    }
    end_edits(l, w);
    json_end_object(w);
}

/* Does the client want this kind? It names kinds, each of which includes those below it. */
static bool wants(const struct json *params, const char *kind)
{
    const struct json *only = json_get(json_get(params, "context"), "only");
    if (!only || only->kind != JSON_KIND_ARRAY)
        return true;
    for (size_t i = 0; i < only->n; i++) {
        struct str one = only->items[i].string;
        if (str_starts(str_of(kind), one) && (kind[one.n] == '\0' || kind[one.n] == '.'))
            return true;
    }
    return false;
}

static bool overlaps(struct str text, const struct finding *f, size_t start, size_t end)
{
    return lsp__place_offset(text, &f->start) <= end && lsp__place_offset(text, &f->end) >= start;
}

void lsp__code_actions(struct lsp *l, const struct json *params, struct json_out *w)
{
    struct str uri = json_get_str(json_get(params, "textDocument"), "uri", STR(""));
    struct lsp_document *d = lsp__find(l, uri);
    json_begin_array(w);
    if (d) {
        const struct json *range = json_get(params, "range");
        struct str text = strbuf_str(&d->text);
        size_t start = lsp__offset(l, text, json_get(range, "start"));
        size_t end = lsp__offset(l, text, json_get(range, "end"));
        const struct file_report *r = lsp__report(l, d);
        for (size_t i = 0; i < r->n && wants(params, "quickfix"); i++) {
            const struct finding *f = &r->findings[i];
            if (!lsp__is_of(d, f) || f->is_note || !overlaps(text, f, start, end))
                continue;
            if (is_fix_of(d, f))
                put_fix(l, d, f, w);
            put_ignore(l, d, f, w);
        }
        if (wants(params, "source.fixAll.assay"))
            put_fix_all(l, d, w);
    }
    json_end_array(w);
}

void lsp__hover(struct lsp *l, const struct json *params, struct json_out *w)
{
    struct str uri = json_get_str(json_get(params, "textDocument"), "uri", STR(""));
    struct lsp_document *d = lsp__find(l, uri);
    const struct file_report *r = d ? lsp__report(l, d) : NULL;
    struct str text = d ? strbuf_str(&d->text) : STR("");
    size_t at = lsp__offset(l, text, json_get(params, "position"));
    for (size_t i = 0; r && i < r->n; i++) {
        const struct finding *f = &r->findings[i];
        const struct rule *rule = rule_find(l->project.rules, f->code);
        if (!rule || !lsp__is_of(d, f) || !overlaps(text, f, at, at))
            continue;
        const char *value =
            arena_printf(&l->arena, "**" STR_FMT "** " STR_FMT "\n\n" STR_FMT "\n\n*Fix:* " STR_FMT,
                         STR_ARG(rule->code), STR_ARG(rule->summary), STR_ARG(rule->explanation),
                         STR_ARG(rule->fix));
        json_begin_object(w);
        json_key(w, "contents");
        json_begin_object(w);
        json_pair_cstr(w, "kind", "markdown");
        json_pair_cstr(w, "value", value);
        json_end_object(w);
        struct lsp_lines lines = lsp__lines(text, &l->arena);
        put_range(l, w, "range", text, &f->start, &f->end, &lines);
        json_end_object(w);
        return;
    }
    json_put_null(w);
}
