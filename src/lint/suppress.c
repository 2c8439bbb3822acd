/*
 * Reading suppressions and judging them. Only SB codes are looked at: other tools' codes are
 * theirs. A bare noqa is never unused.
 */
#include "lint/suppress_p.h"

#include "lint/rule_p.h"

static bool is_code_byte(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

static void read_codes(const struct lint_file *f, struct span span, uint32_t of, struct arena *a,
                       struct suppressions *out)
{
    const char *text = f->source.text.at;
    uint32_t at = span.start;
    while (at < span.end) {
        uint32_t end = at;
        while (end < span.end && is_code_byte(text[end]))
            end++;
        if (end > at) {
            struct span word = {at, end};
            vec_push(&out->codes, a,
                     (struct suppressed_code){of, word, source_slice(&f->source, word), false});
        }
        at = MAX(end, at + 1);
    }
}

static size_t skip_blanks(struct str s, size_t at)
{
    while (at < s.n && (s.at[at] == ' ' || s.at[at] == '\t'))
        at++;
    return at;
}

static bool equals_folded(struct str s, size_t at, const char *word)
{
    for (; *word; word++, at++)
        if (at >= s.n || (s.at[at] | 0x20) != *word)
            return false;
    return true;
}

/* "assay: ignore[...]" at the offset; false when it is none. */
static bool read_native(struct str text, size_t at, struct suppression *s)
{
    at = skip_blanks(text, at + 5);
    if (at >= text.n || text.at[at] != ':')
        return false;
    at = skip_blanks(text, at + 1);
    if (!equals_folded(text, at, "ignore"))
        return false;
    at += 6;
    if (str_starts(str_sub(text, at, text.n), STR("-file"))) {
        s->is_file = true;
        at += 5;
    }
    at = skip_blanks(text, at);
    if (at < text.n && text.at[at] == '[') {
        size_t end = at + str_find_byte(str_sub(text, at, text.n), ']');
        s->codes = (struct span){(uint32_t)at + 1, (uint32_t)end};
    }
    return true;
}

/* "noqa" or "noqa: A, B C" at the offset: codes end at the first word that is none. */
static void read_noqa(struct str text, size_t at, struct suppression *s)
{
    s->is_noqa = true;
    at = skip_blanks(text, at + 4);
    if (at >= text.n || text.at[at] != ':')
        return;
    size_t begin = at + 1, end = begin;
    for (at = begin; at < text.n;) {
        while (at < text.n && (text.at[at] == ' ' || text.at[at] == ',' || text.at[at] == '\t'))
            at++;
        size_t word = at;
        bool digits = false;
        while (at < text.n && text.at[at] >= 'A' && text.at[at] <= 'Z')
            at++;
        size_t letters = at;
        while (at < text.n && text.at[at] >= '0' && text.at[at] <= '9')
            digits = true, at++;
        if (letters == word || !digits || (at < text.n && is_code_byte(text.at[at])))
            break;
        end = at;
    }
    s->codes = (struct span){(uint32_t)begin, (uint32_t)end};
}

static bool ends_word(struct str s, size_t at)
{
    return at >= s.n || s.at[at] == ':' || s.at[at] == ' ' || s.at[at] == '\t' || s.at[at] == '#' ||
           s.at[at] == ',';
}

static void read_comment(const struct lint_file *f, struct span comment, struct arena *a,
                         struct suppressions *out)
{
    struct str text = source_slice(&f->source, comment);
    for (size_t at = 0; at < text.n; at++) {
        if (text.at[at] != '#')
            continue;
        size_t word = skip_blanks(text, at + 1);
        struct suppression s = {.comment = {comment.start + (uint32_t)at, comment.end}};
        bool is = equals_folded(text, word, "assay") && read_native(text, word, &s);
        if (!is && equals_folded(text, word, "noqa") && ends_word(text, word + 4)) {
            read_noqa(text, word, &s);
            is = true;
        }
        if (!is)
            continue;
        if (s.codes.end > s.codes.start) {
            s.codes.start += comment.start;
            s.codes.end += comment.start;
        }
        s.line = s.first_line = source_line_of(&f->source, comment.start);
        vec_push(&out->list, a, s);
        read_codes(f, s.codes, (uint32_t)out->list.n - 1, a, out);
        return;
    }
}

/* A comment behind the end of a multi-line string speaks of the line where the string begins. */
static void extend_over_strings(const struct lint_file *f, struct suppressions *out)
{
    const struct tree *t = &f->tree;
    for (uint32_t n = 1; n < t->n_nodes && out->list.n; n++) {
        if (tree_kind(t, n) != PY_STRING)
            continue;
        struct span span = tree_span(t, n);
        uint32_t first = source_line_of(&f->source, span.start);
        uint32_t last = source_line_of(&f->source, span.end);
        for (size_t k = 0; first != last && k < out->list.n; k++)
            if (out->list.at[k].line == last)
                out->list.at[k].first_line = MIN(out->list.at[k].first_line, first);
    }
}

void suppress__read(const struct lint_file *f, struct arena *a, struct suppressions *out)
{
    for (size_t i = 0; i < f->tree.comments.n; i++)
        read_comment(f, f->tree.comments.at[i], a, out);
    extend_over_strings(f, out);
}

static bool is_at(const struct suppression *s, const struct finding *f)
{
    return s->is_file || f->first_line == s->line || f->last_line == s->line ||
           f->first_line == s->first_line;
}

bool suppress__is_silent(struct suppressions *s, const struct finding *f, bool ignore_noqa)
{
    bool silent = false;
    for (size_t i = 0; i < s->list.n; i++) {
        const struct suppression *one = &s->list.at[i];
        if (!is_at(one, f) || (one->is_noqa && ignore_noqa))
            continue;
        if (one->codes.start == one->codes.end)
            silent = true;
        for (size_t c = 0; c < s->codes.n; c++)
            if (s->codes.at[c].of == i && str_eq(s->codes.at[c].code, f->code))
                silent = s->codes.at[c].was_used = true;
    }
    return silent;
}

/* Takes one code out, or the whole comment when it is the only one. */
static void add_removal(const struct suppressions *s, size_t at, const struct lint_file *f,
                        struct finding *out, struct arena *a)
{
    const struct suppressed_code *c = &s->codes.at[at];
    const struct suppression *of = &s->list.at[c->of];
    size_t n_codes = 0;
    for (size_t i = 0; i < s->codes.n; i++)
        n_codes += s->codes.at[i].of == c->of;
    struct span span = c->span;
    const char *text = f->source.text.at;
    if (n_codes == 1) {
        span = of->comment;
        while (span.start && (text[span.start - 1] == ' ' || text[span.start - 1] == '\t'))
            span.start--;
    } else if (span.start > of->codes.start) {
        while (span.start > of->codes.start &&
               (text[span.start - 1] == ' ' || text[span.start - 1] == ','))
            span.start--;
    } else {
        while (span.end < of->codes.end && (text[span.end] == ' ' || text[span.end] == ','))
            span.end++;
    }
    if (source_is_repaired(&f->source, span))
        return;
    struct text_edit *edit = arena_new(a, struct text_edit);
    bool is_notebook = f->source.form == SOURCE_NOTEBOOK;
    edit->start = is_notebook ? span.start : source_raw_offset(&f->source, span.start);
    edit->end = is_notebook ? span.end : source_raw_offset(&f->source, span.end);
    edit->text = STR("");
    out->fix = (struct finding_fix){SAFETY_SAFE, STR("Remove the suppression"), edit, 1};
}

static void report_code(const struct suppressions *s, size_t at, struct checker *k,
                        const struct rule *rule, const char *what)
{
    const struct suppressed_code *c = &s->codes.at[at];
    const struct lint_file *f = k->file;
    struct finding out = {.code = rule->code,
                          .name = rule->name,
                          .severity = rule->severity,
                          .confidence = CONFIDENCE_HIGH,
                          .help = rule->fix,
                          .span = c->span};
    struct str line;
    out.start = source_place(&f->source, c->span.start);
    out.end = source_place(&f->source, c->span.end);
    out.first_line = out.last_line = source_line_of(&f->source, c->span.start);
    line = source_line(&f->source, out.first_line);
    out.line_text = (struct str){str_dup(k->arena, line), line.n};
    out.context = out.line_text;
    out.message = str_of(arena_printf(k->arena, "%s " STR_FMT, what, STR_ARG(c->code)));
    add_removal(s, at, f, &out, k->arena);
    vec_push(&k->findings, k->arena, out);
}

void suppress__judge(const struct suppressions *s, struct checker *k,
                     const struct selection *selection, bool ignore_noqa)
{
    const struct rule *unused = rule_find(k->file->rules, STR("SB903"));
    const struct rule *unknown = rule_find(k->file->rules, STR("SB904"));
    struct str path = k->file->source.path;
    for (size_t i = 0; i < s->codes.n; i++) {
        const struct suppressed_code *c = &s->codes.at[i];
        const struct rule *rule = rule_find(k->file->rules, c->code);
        if (!str_starts(c->code, STR("SB")) || (s->list.at[c->of].is_noqa && ignore_noqa))
            continue;
        if (!rule && unknown && selection_has_in(selection, unknown, path))
            report_code(s, i, k, unknown, "no rule has the code");
        if (rule && !c->was_used && unused && selection_has_in(selection, unused, path) &&
            selection_has_in(selection, rule, path) && !rule->is_builtin_code)
            report_code(s, i, k, unused, "nothing here is suppressed by");
    }
}
