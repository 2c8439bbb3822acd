/*
 * The bytes of one file and their positions for people: opening, lines, columns, and the map from
 * repaired text back to the file. The tree finds damage, source_normalise.c repairs it,
 * source_notebook.c reads cells. Invariant: pieces ascend in text, and lines always fit text.
 * Columns count code points after RFC 3629; a byte that is no valid UTF-8 counts as one character.
 */
#include "python/source.h"

#include "base/vec.h"
#include "python/source_p.h"

enum {
    DEFAULT_MAX_BYTES = 1 << 20,
    DEFAULT_MAX_STEPS = 4000000,
    DEFAULT_MAX_ARENA = 256 << 20,
    HARD_MAX_BYTES = 1 << 30, /* offsets are 32 bits */
};

static struct source_limits limits_with_defaults(const struct source_limits *given)
{
    struct source_limits l = given ? *given : (struct source_limits){0};
    if (!l.max_bytes)
        l.max_bytes = DEFAULT_MAX_BYTES;
    if (!l.max_steps)
        l.max_steps = DEFAULT_MAX_STEPS;
    if (!l.max_arena)
        l.max_arena = DEFAULT_MAX_ARENA;
    l.max_bytes = MIN(l.max_bytes, (uint64_t)HARD_MAX_BYTES);
    return l;
}

void source__find_lines(struct source *s)
{
    const char *at = s->text.at;
    size_t n = s->text.n, n_lines = 1;
    for (size_t i = 0; i < n; i++)
        n_lines += at[i] == '\n' || (at[i] == '\r' && !(i + 1 < n && at[i + 1] == '\n'));
    uint32_t *lines = arena_new_array(s->arena, uint32_t, n_lines);
    size_t line = 1;
    for (size_t i = 0; i < n; i++)
        if (at[i] == '\n' || (at[i] == '\r' && !(i + 1 < n && at[i + 1] == '\n')))
            lines[line++] = (uint32_t)i + 1;
    s->lines = lines;
    s->n_lines = n_lines;
}

bool source_open(const struct source_input *in, const struct source_limits *limits, struct arena *a,
                 struct source *out, struct err *e)
{
    *out = (struct source){.path = in->path,
                           .form = in->form,
                           .raw = in->bytes,
                           .text = in->bytes,
                           .limits = limits_with_defaults(limits),
                           .arena = a};
    if (in->bytes.n > out->limits.max_bytes)
        return err_set(e, ERR_LIMIT, "%zu bytes, at most %llu are read (max-file-size)",
                       in->bytes.n, (unsigned long long)out->limits.max_bytes);
    if (in->form == SOURCE_NOTEBOOK && !source__join_cells(out, e))
        return false;
    source__find_lines(out);
    return true;
}

/* Length of the valid UTF-8 sequence at p, or 1. */
static size_t sequence_length(const unsigned char *p, size_t n)
{
    size_t len = p[0] < 0x80   ? 1
                 : p[0] < 0xC2 ? 0
                 : p[0] < 0xE0 ? 2
                 : p[0] < 0xF0 ? 3
                 : p[0] < 0xF5 ? 4
                               : 0;
    if (len == 0 || len > n)
        return 1;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 1;
    return len;
}

/* "# -*- coding: latin-1 -*-" on one of the first two lines. */
static bool declares_coding(struct str text)
{
    struct str line;
    for (int i = 0; i < 2 && str_split(&text, '\n', &line); i++) {
        struct str comment = str_trim(line);
        if (!str_starts(comment, STR("#")))
            continue;
        size_t at = str_find(comment, STR("coding"));
        struct str name = str_sub(comment, MIN(at + 6, comment.n), comment.n);
        if (name.n && (name.at[0] == ':' || name.at[0] == '=')) {
            name = str_trim(str_sub(name, 1, name.n));
            return !str_starts(name, STR("utf")) && !str_starts(name, STR("UTF"));
        }
    }
    return false;
}

bool source_find_invalid(const struct source *s, struct span *out)
{
    const unsigned char *at = (const unsigned char *)s->text.at;
    for (size_t i = 0; i < s->text.n;) {
        size_t len = at[i] < 0x80 ? 1 : sequence_length(at + i, s->text.n - i);
        if (len == 1 && at[i] >= 0x80) {
            *out = (struct span){(uint32_t)i, (uint32_t)i + 1};
            return !declares_coding(s->raw);
        }
        i += len;
    }
    return false;
}

static void count_columns(struct str text, uint32_t *characters, uint32_t *utf16)
{
    const unsigned char *at = (const unsigned char *)text.at;
    *characters = *utf16 = 0;
    for (size_t i = 0; i < text.n;) {
        size_t len = sequence_length(at + i, text.n - i);
        *characters += 1;
        *utf16 += len == 4 ? 2 : 1;
        i += len;
    }
}

uint32_t source_line_of(const struct source *s, uint32_t offset)
{
    size_t low = 0, high = s->n_lines;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low + 1;
}

uint32_t source_raw_offset(const struct source *s, uint32_t offset)
{
    if (!s->n_pieces || s->form == SOURCE_NOTEBOOK)
        return offset;
    size_t low = 0, high = s->n_pieces;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->pieces[middle].text_at <= offset)
            low = middle;
        else
            high = middle;
    }
    const struct source_piece *piece = &s->pieces[low];
    if (offset < piece->text_at)
        return piece->raw_at;
    return piece->raw_at + MIN(offset - piece->text_at, piece->len);
}

static const struct source_cell *cell_of(const struct source *s, uint32_t offset)
{
    const struct source_cell *found = s->n_cells ? &s->cells[0] : NULL;
    for (size_t i = 0; i < s->n_cells && s->cells[i].text_at <= offset; i++)
        found = &s->cells[i];
    return found;
}

/* Start of the line with offset `at` in bytes that have no line table, and the line's number. */
static size_t raw_line_start(struct str raw, size_t at, uint32_t *line)
{
    size_t start = 0;
    *line = 1;
    for (size_t i = 0; i < at && i < raw.n; i++) {
        if (raw.at[i] == '\n' || (raw.at[i] == '\r' && !(i + 1 < raw.n && raw.at[i + 1] == '\n'))) {
            start = i + 1;
            *line += 1;
        }
    }
    return start;
}

struct source_place source_place(const struct source *s, uint32_t offset)
{
    struct source_place p = {.line = 1};
    offset = (uint32_t)MIN((size_t)offset, s->text.n);
    struct str before;
    if (s->n_pieces && s->form == SOURCE_FILE) {
        /* rare: only repaired text differs from the file */
        p.offset = source_raw_offset(s, offset);
        size_t start = raw_line_start(s->raw, p.offset, &p.line);
        before = str_sub(s->raw, start, p.offset);
    } else {
        p.offset = offset;
        p.line = source_line_of(s, offset);
        before = str_sub(s->text, s->lines[p.line - 1], offset);
    }
    count_columns(before, &p.column, &p.utf16);
    p.column++;
    const struct source_cell *cell = cell_of(s, offset);
    if (cell) {
        p.cell = cell->number;
        p.line -= source_line_of(s, cell->text_at) - 1;
    }
    return p;
}

uint32_t source_offset_utf16(const struct source *s, uint32_t line, uint32_t utf16)
{
    if (line == 0 || line > s->n_lines)
        return line == 0 ? 0 : (uint32_t)s->text.n;
    struct str text = source_line(s, line);
    const unsigned char *at = (const unsigned char *)text.at;
    size_t i = 0;
    for (uint32_t units = 0; i < text.n && units < utf16;) {
        size_t len = sequence_length(at + i, text.n - i);
        units += len == 4 ? 2 : 1;
        i += len;
    }
    return s->lines[line - 1] + (uint32_t)i;
}

struct str source_line(const struct source *s, uint32_t line)
{
    if (line == 0 || line > s->n_lines)
        return (struct str){"", 0};
    size_t end = line < s->n_lines ? s->lines[line] : s->text.n;
    size_t start = s->lines[line - 1];
    while (end > start && (s->text.at[end - 1] == '\n' || s->text.at[end - 1] == '\r'))
        end--;
    return str_sub(s->text, start, end);
}

struct str source_slice(const struct source *s, struct span span)
{
    return str_sub(s->text, span.start, span.end);
}

bool source_is_repaired(const struct source *s, struct span span)
{
    for (size_t i = 0; i < s->repaired.n; i++)
        if (s->repaired.at[i].start < span.end + (span.start == span.end) &&
            span.start < s->repaired.at[i].end)
            return true;
    return false;
}
