/*
 * Open documents: their text, which edits change by range, and their reports. Positions count lines
 * from 0 and columns in the units agreed with the client; a line ends at \n, \r\n or \r.
 */
#include "lint/lsp_p.h"

#include "base/path.h"

struct lsp_document *lsp__find(struct lsp *l, struct str uri)
{
    for (size_t i = 0; i < l->documents.n; i++)
        if (l->documents.at[i]->is_open && str_is(uri, l->documents.at[i]->uri))
            return l->documents.at[i];
    return NULL;
}

struct lsp_document *lsp__open(struct lsp *l, struct str uri)
{
    struct lsp_document *d = lsp__find(l, uri);
    if (d)
        return d;
    for (size_t i = 0; i < l->documents.n && !d;
         i++) /* numbers are kept: a closed document's slot is reused */
        if (!l->documents.at[i]->is_open)
            d = l->documents.at[i];
    if (!d) {
        d = mem_alloc(sizeof *d);
        *d = (struct lsp_document){0};
        vec_push(&l->documents, NULL, d);
    }
    struct strbuf name = {0};
    strbuf_addstr(&name, uri);
    *d = (struct lsp_document){.uri = strbuf_take(&name), .is_open = true};
    arena_init(&d->arena);
    return d;
}

void lsp__close(struct lsp *l, struct lsp_document *d)
{
    (void)l;
    lsp__close_view(d);
    free(d->uri);
    strbuf_done(&d->text);
    arena_done(&d->arena);
    *d = (struct lsp_document){0};
}

void lsp__free_documents(struct lsp *l)
{
    for (size_t i = 0; i < l->documents.n; i++) {
        if (l->documents.at[i]->is_open)
            lsp__close(l, l->documents.at[i]);
        free(l->documents.at[i]);
    }
    vec_free(&l->documents);
}

/* Length and UTF-16 units of the character at `at`; a byte that is not UTF-8 counts as one. */
static size_t character(struct str s, size_t at, unsigned *utf16)
{
    unsigned char c = (unsigned char)s.at[at];
    size_t n = c < 0x80 ? 1 : c >= 0xF0 && c < 0xF8 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 1;
    if (c >= 0xF8 || at + n > s.n)
        n = 1;
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)s.at[at + i] & 0xC0) != 0x80)
            n = 1;
    *utf16 = n == 4 ? 2 : 1;
    return n;
}

/* The offset after `*line` ends of lines from `at` on; *line becomes the number of those
 * missing. */
static size_t skip_lines(struct str text, size_t at, uint64_t *line)
{
    while (*line && at < text.n) {
        char c = text.at[at++];
        if (c == '\r' && at < text.n && text.at[at] == '\n')
            continue;
        *line -= c == '\n' || c == '\r';
    }
    return at;
}

static size_t line_start(struct str text, uint64_t line)
{
    return skip_lines(text, 0, &line);
}

static bool is_line_end(struct str text, size_t at)
{
    return at >= text.n || text.at[at] == '\n' || text.at[at] == '\r';
}

size_t lsp__offset(const struct lsp *l, struct str text, const struct json *position)
{
    int64_t line = json_get_i64(position, "line", 0),
            column = json_get_i64(position, "character", 0);
    size_t at = line_start(text, line > 0 ? (uint64_t)line : 0);
    for (int64_t units = 0; units < column && !is_line_end(text, at);) {
        unsigned utf16;
        size_t n = character(text, at, &utf16);
        units += l->encoding == LSP_UTF8    ? (int64_t)n
                 : l->encoding == LSP_UTF16 ? (int64_t)utf16
                                            : 1;
        at += n;
    }
    return at;
}

size_t lsp__place_offset(struct str text, const struct source_place *p)
{
    size_t at = line_start(text, p->line ? p->line - 1 : 0);
    for (uint32_t column = 1; column < p->column && !is_line_end(text, at); column++) {
        unsigned utf16;
        at += character(text, at, &utf16);
    }
    return at;
}

static void put_line_and_character(struct json_out *w, const char *key, uint64_t line,
                                   uint64_t column)
{
    json_key(w, key);
    json_begin_object(w);
    json_pair_u64(w, "line", line);
    json_pair_u64(w, "character", column);
    json_end_object(w);
}

void lsp__put_position(const struct lsp *l, struct json_out *w, const char *key, struct str text,
                       size_t offset)
{
    uint64_t line = 0, column = 0;
    size_t start = 0;
    offset = MIN(offset, text.n);
    for (size_t at = 0; at < offset; at++)
        if (text.at[at] == '\n' ||
            (text.at[at] == '\r' && (at + 1 == text.n || text.at[at + 1] != '\n'))) {
            line++;
            start = at + 1;
        }
    for (size_t at = start; at < offset;) {
        unsigned utf16;
        size_t n = character(text, at, &utf16);
        column += l->encoding == LSP_UTF8 ? n : l->encoding == LSP_UTF16 ? utf16 : 1;
        at += n;
    }
    put_line_and_character(w, key, line, column);
}

struct lsp_lines lsp__lines(struct str text, struct arena *a)
{
    VEC(size_t) starts = {0};
    for (size_t at = 0; at <= text.n;) {
        uint64_t one = 1;
        vec_push(&starts, a, at);
        at = skip_lines(text, at, &one);
        if (one)
            break;
    }
    return (struct lsp_lines){starts.at, starts.n};
}

void lsp__put_place(const struct lsp *l, struct json_out *w, const char *key, struct str text,
                    const struct source_place *p, const struct lsp_lines *lines)
{
    uint64_t line = p->line ? p->line - 1 : 0, units = 0;
    if (line >= lines->n) { /* after the last line */
        lsp__put_position(l, w, key, text, text.n);
        return;
    }
    size_t at = lines->start[line];
    for (uint32_t column = 1; column < p->column && !is_line_end(text, at); column++) {
        unsigned utf16;
        size_t n = character(text, at, &utf16);
        units += l->encoding == LSP_UTF8 ? n : l->encoding == LSP_UTF16 ? utf16 : 1;
        at += n;
    }
    put_line_and_character(w, key, line, units);
}

bool lsp__change(struct lsp *l, struct lsp_document *d, const struct json *change)
{
    const struct json *range = json_get(change, "range");
    struct str with = json_get_str(change, "text", (struct str){0}), text = strbuf_str(&d->text);
    struct strbuf next = {0};
    if (!json_get(change, "text"))
        return false;
    d->is_linted = false;
    d->is_edited = true;
    if (!range || range->kind != JSON_KIND_OBJECT) {
        strbuf_clear(&d->text);
        strbuf_addstr(&d->text, with);
        return true;
    }
    size_t start = lsp__offset(l, text, json_get(range, "start"));
    size_t end = lsp__offset(l, text, json_get(range, "end"));
    end = MAX(start, end);
    strbuf_add(&next, text.at, start);
    strbuf_addstr(&next, with);
    strbuf_addstr(&next, str_sub(text, end, text.n));
    strbuf_done(&d->text);
    d->text = next;
    return true;
}

/* Makes "/a/b c.py" of "file:///a/b%20c.py"; other schemes stay as they are. */
struct str lsp__path(struct str uri, struct arena *a)
{
    struct strbuf out = {0};
    if (!str_starts(uri, STR("file://")))
        return uri;
    uri = str_sub(uri, 7, uri.n);
    for (size_t i = 0; i < uri.n; i++) {
        static const char hex[] = "0123456789abcdef";
        const char *high = i + 2 < uri.n ? strchr(hex, uri.at[i + 1] | 0x20) : NULL;
        const char *low = i + 2 < uri.n ? strchr(hex, uri.at[i + 2] | 0x20) : NULL;
        if (uri.at[i] == '%' && high && low && *high && *low) {
            strbuf_addc(&out, (char)((high - hex) * 16 + (low - hex)));
            i += 2;
        } else {
            strbuf_addc(&out, uri.at[i]);
        }
    }
    struct str result = strbuf_dup(&out, a);
    strbuf_done(&out);
    return result;
}

/* The notebook's cells in its file format, so that notebooks are read in one way only. */
struct str lsp__notebook_text(struct lsp *l, const struct lsp_document *notebook, struct arena *a)
{
    struct strbuf out = {0};
    struct json_out w = json_open(&out, JSON_COMPACT);
    uint32_t number = 0;
    while (number < l->documents.n && l->documents.at[number] != notebook)
        number++;
    json_begin_object(&w);
    json_key(&w, "cells");
    json_begin_array(&w);
    for (uint32_t cell = 1; cell <= notebook->cell; cell++) {
        const struct lsp_document *found = NULL;
        for (size_t i = 0; i < l->documents.n; i++)
            if (l->documents.at[i]->notebook == number + 1 && l->documents.at[i]->cell == cell)
                found = l->documents.at[i];
        json_begin_object(&w);
        json_pair_cstr(&w, "cell_type", found && found->is_code ? "code" : "markdown");
        json_pair_str(&w, "source", found ? strbuf_str(&found->text) : STR(""));
        json_end_object(&w);
    }
    json_end_array(&w);
    json_end_object(&w);
    struct str result = strbuf_dup(&out, a);
    strbuf_done(&out);
    return result;
}

/* ---- settings ---- */

void lsp__forget_settings(struct lsp *l)
{
    for (size_t i = 0; i < l->documents.n; i++) {
        l->documents.at[i]->is_linted = false;
        l->documents.at[i]->setup = 0;
        l->documents.at[i]->among = 0;
        lsp__forget_view(l, l->documents.at[i]);
    }
    for (size_t i = 0; i < l->setups.n; i++) {
        linter_free(l->setups.at[i].linter);
        project_views_close(&l->setups.at[i].views);
        arena_done(&l->setups.at[i].arena);
    }
    vec_free(&l->setups);
    l->project = (struct project){0};
    l->linter = NULL;
    if (l->hooks.forget)
        l->hooks.forget(l->hooks.ctx);
}

/* The path of a document on disk; NULL: it has none. */
static const char *path_of(struct lsp *l, const struct lsp_document *d)
{
    struct str uri = str_of(d->uri);
    return str_starts(uri, STR("file://")) ? path_normalise(&l->arena, lsp__path(uri, &l->arena))
                                           : NULL;
}

static size_t number_of_setup(struct lsp *l, const char *folder)
{
    struct lsp_setup now = {0};
    struct err e = {0};
    if (!l->hooks.load(l->hooks.ctx, folder, &now.project, &e)) {
        l->problem = e;
        if (!l->hooks.load(l->hooks.ctx, NULL, &now.project, &e))
            return 0;
    }
    for (size_t i = 0; i < l->setups.n; i++)
        if (l->setups.at[i].project.rules == now.project.rules)
            return i + 1;
    now.linter = linter_new(now.project.rules, &now.project.options);
    arena_init(&now.arena);
    vec_push(&l->setups, NULL, now);
    return l->setups.n;
}

bool lsp__use_settings(struct lsp *l, struct lsp_document *d)
{
    if (!d->setup) {
        const char *path = path_of(l, d);
        const char *folder = path ? str_dup(&l->arena, path_dir(str_of(path))) : l->root;
        d->setup = number_of_setup(l, folder);
        d->is_excluded = path && l->hooks.is_excluded && l->hooks.is_excluded(l->hooks.ctx, path);
    }
    if (!d->setup)
        return false;
    const struct lsp_setup *s = &l->setups.at[d->setup - 1];
    l->project = s->project;
    l->linter = s->linter;
    return true;
}

/* ---- a document with what it imports, or among those whose callers are known (lsp_project.c) ----
 */

struct lint_input lsp__input(struct lsp *l, struct lsp_document *d, struct arena *a)
{
    struct lint_input in = {.path = lsp__path(str_of(d->uri), a),
                            .bytes = strbuf_str(&d->text),
                            .is_notebook = d->is_notebook};
    if (d->is_notebook)
        in.bytes = lsp__notebook_text(l, d, a);
    return in;
}

void lsp__close_view(struct lsp_document *d)
{
    if (!d->own.files)
        return;
    project_views_close(&d->own);
    arena_done(&d->own_arena);
    d->own = (struct project_views){0};
}

void lsp__forget_view(struct lsp *l, struct lsp_document *d)
{
    l->wants_callers = true;
    if (!d->among) /* else what is known serves until it is read again */
        d->is_linted = false;
    lsp__close_view(d);
}

void lsp__use_view(struct lsp *l, struct lsp_document *d, struct lint_input *in)
{
    struct project p = {.rules = l->project.rules, .options = l->project.options};
    struct err e = {0};
    if (d->among) {
        project_views_use(&l->setups.at[d->setup - 1].views, d->among - 1, l->linter, in);
        return;
    }
    if (!d->own.files) {
        arena_init(&d->own_arena);
        struct held_text held = {str_dup(&d->own_arena, in->path), in->bytes};
        struct discovered_file file = {.path = held.path};
        p.held = &held;
        p.n_held = 1;
        if (!project_views_open(&p, &file, 1, &d->own_arena, &d->own, &e))
            project_views_close(&d->own);
        l->wants_callers |= l->project.finds_callers;
    }
    project_views_use(&d->own, 0, l->linter, in);
}

const struct file_report *lsp__report(struct lsp *l, struct lsp_document *d)
{
    if (d->notebook)
        d = l->documents.at[d->notebook - 1];
    if (!lsp__use_settings(l, d) || d->is_excluded)
        d->report = (struct file_report){0};
    if (d->is_linted || d->is_excluded || !d->setup)
        return &d->report;
    arena_reset(&d->arena);
    struct lint_input in = lsp__input(l, d, &d->arena);
    lsp__use_view(l, d, &in);
    linter_run(l->linter, &in, &d->arena, &d->report);
    d->is_linted = true;
    return &d->report;
}

bool lsp__is_of(const struct lsp_document *d, const struct finding *f)
{
    return !d->notebook || f->start.cell == d->cell;
}
