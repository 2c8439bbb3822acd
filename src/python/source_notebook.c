/*
 * Notebooks (nbformat 4; cells of nbformat 3 worksheets too): code cells joined by newlines into
 * one text, in which magics and shell escapes are blanked byte by byte, so that offsets inside a
 * cell stay those of its source. A cell magic (%%) of another language blanks the whole cell; one
 * of Python (%%time, %%capture, ...) only its line. Writing back parses the JSON again and replaces
 * the sources of the given cells, nothing else.
 */
#include "base/json.h"
#include "base/vec.h"
#include "python/source_p.h"

static const char *const python_cell_magics[] = {"time",   "timeit",  "capture", "prun",
                                                 "python", "python3", "pypy"};

/* A cell's source: one string, or a list of lines to be joined. */
static bool add_source(const struct json *cell, struct strbuf *out)
{
    const struct json *source = json_get(cell, "source");
    if (!source)
        source = json_get(cell, "input");
    if (!source)
        return true;
    if (source->kind == JSON_KIND_STRING) {
        strbuf_addstr(out, source->string);
        return true;
    }
    if (source->kind != JSON_KIND_ARRAY)
        return false;
    for (size_t i = 0; i < source->n; i++) {
        if (source->items[i].kind != JSON_KIND_STRING)
            return false;
        strbuf_addstr(out, source->items[i].string);
    }
    return true;
}

static void blank(char *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (at[i] != '\n' && at[i] != '\r')
            at[i] = ' ';
}

static bool is_python_magic(struct str line)
{
    struct str name = str_sub(line, 2, line.n);
    size_t n = 0;
    while (n < name.n && name.at[n] != ' ' && name.at[n] != '\t' && name.at[n] != '\r')
        n++;
    name = str_sub(name, 0, n);
    for (size_t i = 0; i < COUNT_OF(python_cell_magics); i++)
        if (str_is(name, python_cell_magics[i]))
            return true;
    return false;
}

/* Is it a line for IPython itself: %magic, !shell, ?help, help? A continued Python line may begin
 * with %. */
static bool is_magic_line(struct str line, bool is_continued)
{
    struct str text = str_trim(line);
    if (!text.n || is_continued)
        return false;
    if (text.at[0] == '!' || text.at[0] == '?')
        return true;
    if (text.at[0] == '%' && text.n > 1 && text.at[1] != ' ' && text.at[1] != '=')
        return true;
    return text.at[text.n - 1] == '?' && str_find_byte(text, '#') == text.n &&
           str_find_byte(text, '"') == text.n && str_find_byte(text, '\'') == text.n;
}

static void blank_magics(char *at, size_t n)
{
    struct str rest = {at, n}, line;
    bool is_first = true, is_continued = false;
    int depth = 0;
    for (size_t start = 0; str_split(&rest, '\n', &line); start += line.n + 1) {
        struct str text = str_trim(line);
        if (is_first && str_starts(text, STR("%%"))) {
            if (!is_python_magic(text)) {
                blank(at, n);
                return;
            }
            blank(at + start, line.n);
        } else if (is_magic_line(line, is_continued || depth > 0)) {
            blank(at + start, line.n);
        }
        for (size_t i = 0; i < line.n; i++) {
            char c = at[start + i];
            depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        }
        depth = MAX(depth, 0);
        is_continued = text.n && text.at[text.n - 1] == '\\';
        is_first = is_first && !text.n;
    }
}

/* Is the kernel's language Python, or not named? */
static bool is_python(const struct json *root)
{
    const struct json *metadata = json_get(root, "metadata");
    struct str kernel = json_get_str(json_get(metadata, "kernelspec"), "language", STR("python"));
    struct str name = json_get_str(json_get(metadata, "language_info"), "name", kernel);
    return !name.n || str_find(name, STR("ython")) < name.n;
}

/* The notebook's cells: none when it is in another language; NULL: it has no list of them. */
static const struct json *cells_of(const struct json *root)
{
    static const struct json none = {.kind = JSON_KIND_ARRAY};
    const struct json *cells = json_get(root, "cells");
    const struct json *sheets = json_get(root, "worksheets");
    if (!cells && sheets && sheets->kind == JSON_KIND_ARRAY && sheets->n)
        cells = json_get(&sheets->items[0], "cells");
    if (!cells || cells->kind != JSON_KIND_ARRAY)
        return NULL;
    return is_python(root) ? cells : &none;
}

static bool is_code(const struct json *cell)
{
    return str_is(json_get_str(cell, "cell_type", STR("")), "code");
}

static bool join(struct source *s, const struct json *cells, struct strbuf *text, struct err *e)
{
    struct source_cell *out = arena_new_array(s->arena, struct source_cell, cells->n + 1);
    for (size_t i = 0; i < cells->n; i++) {
        if (!is_code(&cells->items[i]))
            continue;
        struct source_cell *cell = &out[s->n_cells++];
        cell->number = (uint32_t)i + 1;
        cell->text_at = (uint32_t)text->n;
        if (!add_source(&cells->items[i], text))
            return err_set(e, ERR_DATA,
                           "notebook cell %zu: source is neither a string nor a list of strings",
                           i + 1);
        cell->text_end = (uint32_t)text->n;
        blank_magics(text->at + cell->text_at, text->n - cell->text_at);
        strbuf_addc(text, '\n');
    }
    s->cells = out;
    return true;
}

bool source__join_cells(struct source *s, struct err *e)
{
    struct arena json_arena;
    arena_init(&json_arena);
    const struct json *root, *cells = NULL;
    struct strbuf text = {0};
    bool ok = json_parse(s->raw, "notebook", &json_arena, &root, e);
    if (ok && !(cells = cells_of(root)))
        ok = err_set(e, ERR_DATA, "no notebook: a JSON object with a list \"cells\" is expected");
    strbuf_adds(&text, "");
    if (ok && (ok = join(s, cells, &text, e)))
        s->text = strbuf_dup(&text, s->arena);
    strbuf_done(&text);
    arena_done(&json_arena);
    return ok;
}

bool source_join_as_written(const struct source *s, struct arena *a, struct str *out, struct err *e)
{
    struct arena json_arena;
    const struct json *root, *cells;
    struct strbuf text = {0};
    arena_init(&json_arena);
    bool ok = json_parse(s->raw, "notebook", &json_arena, &root, e);
    cells = ok ? cells_of(root) : NULL;
    for (size_t i = 0; cells && i < cells->n; i++) {
        if (!is_code(&cells->items[i]))
            continue;
        ok = add_source(&cells->items[i], &text) && ok;
        strbuf_addc(&text, '\n');
    }
    *out = strbuf_dup(&text, a);
    strbuf_done(&text);
    arena_done(&json_arena);
    if (!ok || out->n != s->text.n)
        return err_set(e, ERR_INTERNAL, "the cells' sources are not found again");
    return true;
}

static const struct source_cell_text *find_cell(const struct source_cell_text *cells, size_t n,
                                                size_t number)
{
    for (size_t i = 0; i < n; i++)
        if (cells[i].number == number)
            return &cells[i];
    return NULL;
}

static size_t offset_of(struct str raw, const struct json *j)
{
    size_t at = 0;
    for (uint32_t line = 1; line < j->line && at < raw.n; line++)
        at += str_find_byte(str_sub(raw, at, raw.n), '\n') + 1;
    return MIN(at + j->column - 1, raw.n);
}

/* The offset after the string or list of strings that begins at `at`; `at` itself: neither begins
 * there. */
static size_t end_of_value(struct str raw, size_t at)
{
    if (at >= raw.n || (raw.at[at] != '"' && raw.at[at] != '['))
        return at;
    bool is_list = raw.at[at] == '[', in_string = false;
    for (size_t i = at; i < raw.n; i++) {
        if (in_string && raw.at[i] == '\\') {
            i++;
        } else if (raw.at[i] == '"') {
            in_string = !in_string;
            if (!in_string && !is_list)
                return i + 1;
        } else if (!in_string && raw.at[i] == ']') {
            return i + 1;
        }
    }
    return at;
}

static void put_string(struct str s, struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_COMPACT);
    json_put_str(&w, s);
}

/* Writes the JSON string of one line; an unchanged line keeps its bytes, however it was escaped. */
static void put_line(const struct json *lines, struct str *old, size_t *next, struct str line,
                     struct strbuf *out)
{
    struct str rest = *old;
    for (size_t i = *next; i < lines->n; i++) {
        size_t at = str_find_byte(rest, '"'), end = end_of_value(rest, at);
        if (at >= rest.n || end == at)
            break;
        struct str raw = str_sub(rest, at, end);
        rest = str_sub(rest, end, rest.n);
        if (!str_eq(lines->items[i].string, line))
            continue;
        strbuf_addstr(out, raw);
        *old = rest;
        *next = i + 1;
        return;
    }
    put_string(line, out);
}

/* The bytes from the end of the first string to the beginning of the second. */
static struct str between_items(struct str old, size_t first)
{
    size_t end = end_of_value(old, first);
    size_t next = end + str_find_byte(str_sub(old, end, old.n), '"');
    return next < old.n && end > first ? str_sub(old, end, next) : STR(",");
}

/* Writes a source in the form that the old value had: a string, or a list of lines, spaced as its
 * first item was. */
static void put_source(const struct json *lines, struct str old, struct str text,
                       struct strbuf *out)
{
    if (old.at[0] == '"') {
        put_string(text, out);
        return;
    }
    size_t first = 1, last = old.n - 1, next = 0;
    while (first < old.n && strchr(" \t\r\n", old.at[first]))
        first++;
    while (last > 0 && strchr(" \t\r\n", old.at[last - 1]))
        last--;
    struct str before = str_sub(old, 1, first), behind = str_sub(old, last, old.n - 1);
    struct str rest = str_sub(old, 1, old.n), between = between_items(old, first);
    strbuf_addc(out, '[');
    for (size_t start = 0; start < text.n;) {
        size_t end = MIN(start + str_find_byte(str_sub(text, start, text.n), '\n') + 1, text.n);
        strbuf_addstr(out, start ? between : before);
        put_line(lines, &rest, &next, str_sub(text, start, end), out);
        start = end;
    }
    if (text.n)
        strbuf_addstr(out, behind);
    strbuf_addc(out, ']');
}

bool source_write_notebook(const struct source *s, const struct source_cell_text *cells,
                           size_t n_cells, struct strbuf *out, struct err *e)
{
    struct arena json_arena;
    arena_init(&json_arena);
    const struct json *root, *list = NULL;
    bool ok = json_parse(s->raw, "notebook", &json_arena, &root, e);
    if (ok && !(list = cells_of(root)))
        ok = err_set(e, ERR_DATA, "no notebook: a JSON object with a list \"cells\" is expected");
    size_t copied = 0;
    for (size_t i = 0; ok && i < list->n; i++) {
        const struct source_cell_text *cell = find_cell(cells, n_cells, i + 1);
        const struct json *source = cell ? json_get(&list->items[i], "source") : NULL;
        if (!source)
            continue;
        size_t at = offset_of(s->raw, source), end = end_of_value(s->raw, at);
        if (at < copied || end == at) {
            ok =
                err_set(e, ERR_INTERNAL, "notebook cell %zu: its source is not found again", i + 1);
            break;
        }
        strbuf_addstr(out, str_sub(s->raw, copied, at));
        put_source(source, str_sub(s->raw, at, end), cell->text, out);
        copied = end;
    }
    if (ok)
        strbuf_addstr(out, str_sub(s->raw, copied, s->raw.n));
    arena_done(&json_arena);
    return ok;
}
