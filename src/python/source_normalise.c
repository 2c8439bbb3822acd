/*
 * Repairs lines that the parser could not read: what people paste from web pages, sessions and
 * patches. Only lines that a damaged range touches are changed, never inside strings or comments;
 * these are found by a separate scan, because the parser failed there. Invariant: every byte of the
 * new text is a copy from a piece of raw, or was inserted and is in a repaired range. A file is
 * repaired at most once.
 */
#include "base/vec.h"
#include "python/source_p.h"

/* What one character becomes outside strings and comments. */
static const struct {
    const char *from, *to;
} characters[] = {
    {"\xEF\xBB\xBF", ""},   {"\xC2\xA0", " "},     {"\xE2\x80\x8B", ""},   {"\xE2\x80\x8C", ""},
    {"\xE2\x80\x8D", ""},   {"\xE2\x81\xA0", ""},  {"\xE2\x80\x80", " "},  {"\xE2\x80\x81", " "},
    {"\xE2\x80\x82", " "},  {"\xE2\x80\x83", " "}, {"\xE2\x80\x84", " "},  {"\xE2\x80\x85", " "},
    {"\xE2\x80\x86", " "},  {"\xE2\x80\x87", " "}, {"\xE2\x80\x88", " "},  {"\xE2\x80\x89", " "},
    {"\xE2\x80\x8A", " "},  {"\xE2\x80\xAF", " "}, {"\xE3\x80\x80", "  "}, {"\xE2\x80\x98", "'"},
    {"\xE2\x80\x99", "'"},  {"\xE2\x80\x9A", "'"}, {"\xE2\x80\x9C", "\""}, {"\xE2\x80\x9D", "\""},
    {"\xE2\x80\x9E", "\""}, {"\xC2\xAB", "\""},    {"\xC2\xBB", "\""},     {"\xE2\x80\x90", "-"},
    {"\xE2\x80\x91", "-"},  {"\xE2\x80\x93", "-"}, {"\xE2\x80\x94", "-"},  {"\xE2\x88\x92", "-"},
    {"\xC3\x97", "*"},      {"\xE3\x80\x81", ","}, {"\xE3\x80\x82", "."},  {"\xE2\x80\xA6", "..."},
    {"\xE3\x80\x90", "["},  {"\xE3\x80\x91", "]"}, {"\xE2\x89\xA4", "<="}, {"\xE2\x89\xA5", ">="},
    {"\xE2\x89\xA0", "!="},
};

struct rewriter {
    struct source *s;
    struct str old;
    struct strbuf text;
    VEC(struct source_piece) pieces;
    VEC(struct span) repaired;
    bool changed, has_prompts, is_patch;
};

/* ---- where strings and comments are ---- */

/* The spans of strings and comments, ascending. */
static struct span_list find_protected(struct str text, struct arena *a)
{
    VEC(struct span) out = {0};
    for (size_t i = 0; i < text.n;) {
        char c = text.at[i];
        size_t start = i;
        if (c == '#') {
            while (i < text.n && text.at[i] != '\n')
                i++;
        } else if (c == '"' || c == '\'') {
            bool is_triple = i + 2 < text.n && text.at[i + 1] == c && text.at[i + 2] == c;
            i += is_triple ? 3 : 1;
            for (; i < text.n; i++) {
                if (text.at[i] == '\\')
                    i++;
                else if (!is_triple && (text.at[i] == '\n' || text.at[i] == c))
                    break;
                else if (is_triple && text.at[i] == c && i + 2 < text.n && text.at[i + 1] == c &&
                         text.at[i + 2] == c)
                    break;
            }
            i = MIN(i + (is_triple ? 3 : 1), text.n);
        } else {
            i++;
            continue;
        }
        vec_push(&out, a, (struct span){(uint32_t)start, (uint32_t)i});
    }
    return (struct span_list){out.at, out.n};
}

static bool is_protected(const struct span_list *list, uint32_t at, size_t *next)
{
    while (*next < list->n && list->at[*next].end <= at)
        ++*next;
    return *next < list->n && list->at[*next].start <= at;
}

/* ---- building the new text ---- */

static void copy(struct rewriter *r, size_t from, size_t n)
{
    if (!n)
        return;
    struct source_piece *last = r->pieces.n ? &vec_last(&r->pieces) : NULL;
    if (last && last->text_at + last->len == r->text.n && last->raw_at + last->len == from)
        last->len += (uint32_t)n;
    else
        vec_push(&r->pieces, r->s->arena,
                 (struct source_piece){(uint32_t)r->text.n, (uint32_t)from, (uint32_t)n});
    strbuf_add(&r->text, r->old.at + from, n);
}

static void put(struct rewriter *r, const char *what)
{
    strbuf_adds(&r->text, what);
    r->changed = true;
}

/* ASCII punctuation for the full-width form U+FF01..U+FF5E; letters and digits are left alone. */
static bool full_width(const unsigned char *p, size_t n, char out[2])
{
    if (n < 3 || p[0] != 0xEF || (p[1] != 0xBC && p[1] != 0xBD))
        return false;
    unsigned code = ((p[1] & 0x3Fu) << 6) | (p[2] & 0x3Fu); /* low 12 bits: 0xF01..0xF5E */
    if (code < 0xF01 || code > 0xF5E)
        return false;
    char c = (char)(code - 0xF01 + 0x21);
    if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
        return false;
    out[0] = c;
    out[1] = 0;
    return true;
}

/* The number of bytes to replace at `at`, and by what; 0: none. */
static size_t replacement(struct str text, size_t at, char buffer[2], const char **to)
{
    const unsigned char *p = (const unsigned char *)text.at + at;
    size_t n = text.n - at;
    if (p[0] < 0x80)
        return 0;
    if (full_width(p, n, buffer)) {
        *to = buffer;
        return 3;
    }
    for (size_t i = 0; i < COUNT_OF(characters); i++) {
        size_t len = strlen(characters[i].from);
        if (len <= n && memcmp(p, characters[i].from, len) == 0) {
            *to = characters[i].to;
            return len;
        }
    }
    return 0;
}

/* ---- what stands before the code of a line ---- */

static size_t skip_digits(struct str s, size_t i)
{
    while (i < s.n && s.at[i] >= '0' && s.at[i] <= '9')
        i++;
    return i;
}

/* The length of ">>> ", "... ", "In [3]: ", " ...: " at the line's start (after blanks), or 0. */
static size_t prompt_length(struct str line)
{
    size_t i = 0;
    while (i < line.n && (line.at[i] == ' ' || line.at[i] == '\t'))
        i++;
    struct str rest = str_sub(line, i, line.n);
    size_t n = 0;
    if (str_starts(rest, STR(">>>")) || str_starts(rest, STR("...:"))) {
        n = rest.at[0] == '.' ? 4 : 3;
    } else if (str_starts(rest, STR("... ")) || str_is(str_trim(rest), "...")) {
        n = 3;
    } else if (str_starts(rest, STR("In ["))) {
        n = skip_digits(rest, 4);
        n = n + 1 < rest.n && rest.at[n] == ']' && rest.at[n + 1] == ':' ? n + 2 : 0;
    }
    if (!n)
        return 0;
    return i + n + (n < rest.n && rest.at[n] == ' ');
}

static bool is_out_line(struct str line)
{
    struct str rest = str_trim(line);
    return str_starts(rest, STR("Out[")) || str_starts(rest, STR("Traceback (most recent"));
}

static bool is_hunk_line(struct str line)
{
    return str_starts(line, STR("@@ ")) || str_starts(line, STR("+++ ")) ||
           str_starts(line, STR("--- ")) || str_starts(line, STR("diff --git "));
}

/* The offset of the blank after print in Python 2's `print x`, which the grammar does not accept,
 * or 0. */
static size_t print_blank(struct str line)
{
    size_t i = 0;
    while (i < line.n && (line.at[i] == ' ' || line.at[i] == '\t'))
        i++;
    if (!str_starts(str_sub(line, i, line.n), STR("print ")))
        return 0;
    struct str rest = str_trim(str_sub(line, i + 6, line.n));
    return rest.n && !strchr("(=.,:[)]%+-*/|&^<>", rest.at[0]) ? i + 5 : 0;
}

/* ---- defaults of type parameters (PEP 696), which the grammar does not know ---- */

/* The offset of the bracket that closes one opened before `at`, or the end of the line. */
static size_t closing(struct str line, size_t at)
{
    for (unsigned depth = 1; at < line.n; at++) {
        depth += strchr("[({", line.at[at]) != NULL;
        depth -= strchr("])}", line.at[at]) != NULL;
        if (!depth)
            break;
    }
    return at;
}

/* Where is the list of type parameters in `class A[T = int]:`, `def f[T = int](x)`, `type X[T =
 * int] = ...`? False: there is none. */
static bool find_type_parameters(struct str line, struct span *out)
{
    static const char *const words[] = {"class ", "def ", "type ", "async def "};
    size_t i = 0;
    while (i < line.n && (line.at[i] == ' ' || line.at[i] == '\t'))
        i++;
    size_t begin = i;
    for (size_t w = 0; w < COUNT_OF(words); w++)
        if (str_starts(str_sub(line, begin, line.n), str_of(words[w])))
            i = begin + strlen(words[w]);
    size_t name = i;
    while (i < line.n && (str_is_digit(line.at[i]) || line.at[i] == '_' ||
                          ((line.at[i] | 0x20) >= 'a' && (line.at[i] | 0x20) <= 'z')))
        i++;
    if (name == begin || i == name || i >= line.n || line.at[i] != '[')
        return false;
    *out = (struct span){(uint32_t)i + 1, (uint32_t)closing(line, i + 1)};
    return true;
}

/* The end of a default that begins with the '=' at `at`: at the comma or the bracket. */
static size_t default_end(struct str line, size_t at, size_t end)
{
    unsigned depth = 0;
    for (; at < end; at++) {
        if (!depth && line.at[at] == ',')
            break;
        depth += strchr("[({", line.at[at]) != NULL;
        depth -= strchr("])}", line.at[at]) != NULL;
    }
    return at;
}

static void rewrite_line(struct rewriter *r, size_t start, size_t end,
                         const struct span_list *protect, size_t *next)
{
    struct str line = str_sub(r->old, start, end);
    size_t i = start, close_print = 0;
    size_t prompt = prompt_length(line);
    if (prompt) {
        i += prompt;
        r->changed = true;
    } else if ((r->has_prompts && line.n) || is_out_line(line) ||
               (r->is_patch && is_hunk_line(line))) {
        put(r, "#"); /* output of the session, or head of a patch */
    } else if (r->is_patch && line.n && (line.at[0] == '+' || line.at[0] == '-')) {
        put(r, line.at[0] == '+' ? " " : "#");
        i++;
    }
    size_t at_print = print_blank(str_sub(r->old, i, end));
    if (at_print)
        at_print += i;
    size_t code_end = end;
    while (code_end > i && strchr(" \t\r", r->old.at[code_end - 1]))
        code_end--;
    struct span types = {0, 0};
    bool has_types = find_type_parameters(line, &types);
    while (i < end) {
        char buffer[2];
        const char *to = NULL;
        bool in_text = is_protected(protect, (uint32_t)i, next);
        if (has_types && !in_text && i >= start + types.start && i < start + types.end &&
            r->old.at[i] == '=') {
            i = start + default_end(line, i - start, types.end);
            r->changed = true;
            continue;
        }
        size_t n = in_text ? 0 : replacement(r->old, i, buffer, &to);
        if (close_print && !in_text && r->old.at[i] == ';')
            code_end = i;
        if (close_print && (i == code_end || (in_text && r->old.at[i] == '#'))) {
            put(r, ")");
            close_print = 0;
        }
        if (n) {
            put(r, to);
        } else if (at_print && i == at_print) {
            put(r, "(");
            close_print = n = 1;
        } else {
            copy(r, i, n = 1);
        }
        i += n;
    }
    if (close_print)
        put(r, ")");
}

static bool line_is_damaged(const struct span_list *damaged, size_t start, size_t end, size_t *next)
{
    while (*next < damaged->n && damaged->at[*next].end < start)
        ++*next;
    return *next < damaged->n && damaged->at[*next].start <= end;
}

/* Do the damaged lines look like an interactive session, or a patch? */
static void look(struct rewriter *r, const struct span_list *damaged)
{
    size_t n_prompts = 0, n_lines = 0, n_marks = 0, next = 0;
    for (size_t line = 0; line < r->s->n_lines; line++) {
        struct str text = source_line(r->s, (uint32_t)line + 1);
        if (!str_trim(text).n)
            continue;
        n_lines++;
        n_prompts += prompt_length(text) > 0;
        size_t start = r->s->lines[line];
        if ((text.at[0] == '+' || text.at[0] == '-') &&
            line_is_damaged(damaged, start, start + text.n, &next))
            n_marks++;
        r->is_patch |= is_hunk_line(text);
    }
    r->has_prompts = n_prompts * 2 > n_lines;
    r->is_patch |= n_marks > 0;
}

static void finish(struct rewriter *r)
{
    struct source *s = r->s;
    s->text = strbuf_dup(&r->text, s->arena);
    s->pieces = r->pieces.at;
    s->n_pieces = r->pieces.n;
    s->repaired = (struct span_list){r->repaired.at, r->repaired.n};
    source__find_lines(s);
}

/* The leading blanks that all lines share, as in a fragment cut out of a file; 0: none. */
static size_t shared_indent(const struct source *s)
{
    size_t shared = SIZE_MAX;
    for (size_t line = 1; line <= s->n_lines && shared; line++) {
        struct str text = source_line(s, (uint32_t)line);
        size_t n = 0;
        while (n < text.n && (text.at[n] == ' ' || text.at[n] == '\t'))
            n++;
        if (n < text.n)
            shared = MIN(shared, n);
    }
    return shared == SIZE_MAX ? 0 : shared;
}

bool source_normalise(struct source *s, const struct span_list *damaged)
{
    if (s->form == SOURCE_NOTEBOOK || s->n_pieces || !damaged->n)
        return false;
    struct rewriter r = {.s = s, .old = s->text};
    struct span_list protect = find_protected(s->text, s->arena);
    size_t next_protect = 0, next_damage = 0, indent = shared_indent(s);
    look(&r, damaged);
    for (size_t line = 0; line < s->n_lines; line++) {
        size_t start = s->lines[line];
        size_t behind = line + 1 < s->n_lines ? s->lines[line + 1] : s->text.n;
        struct str text = source_line(s, (uint32_t)line + 1);
        size_t end = start + text.n, begin = r.text.n;
        bool touch =
            r.has_prompts || r.is_patch || line_is_damaged(damaged, start, end, &next_damage);
        bool in_text =
            next_protect < protect.n && is_protected(&protect, (uint32_t)start, &next_protect);
        bool was_changed = r.changed;
        r.changed = false;
        if (indent && text.n >= indent && !in_text) {
            start += indent;
            r.changed = true;
        }
        if (touch && !(in_text && protect.at[next_protect].end >= end))
            rewrite_line(&r, start, end, &protect, &next_protect);
        else
            copy(&r, start, end - start);
        if (r.changed)
            vec_push(&r.repaired, s->arena, (struct span){(uint32_t)begin, (uint32_t)r.text.n + 1});
        r.changed |= was_changed;
        copy(&r, end, behind - end);
    }
    bool changed = r.changed;
    if (changed)
        finish(&r);
    strbuf_done(&r.text);
    return changed;
}
