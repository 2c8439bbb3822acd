/*
 * Reads suppressions and judges them. Only SB codes count: others are those of other tools. A bare
 * noqa is never reported as unused.
 *
 * "ruff: noqa" and "flake8: noqa" are for the whole file. One comment may hold several ("# noqa:
 * E501 # assay: ignore[SB091]"). noqa is read as by ruff: codes are capital letters and digits, and
 * "noqa:" without a code silences nothing. assay's own form is "assay: ignore[CODES] reason", or
 * "assay: ignore" alone. A comment that begins so and goes on differently silences nothing and is
 * reported (SB904).
 */
#include "lint/suppress_p.h"

#include "lint/rule_p.h"

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_code_byte(char c)
{
    return is_upper(c) || str_is_digit(c) || is_lower(c);
}

static bool is_separator(char c)
{
    return c == ' ' || c == '\t' || c == ',';
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

/* A comment being read: its text begins at `start` of the file. */
struct reader {
    const struct lint_file *file;
    struct arena *arena;
    struct suppressions *out;
    struct str text;
    uint32_t start;
};

static void add_code(struct reader *r, size_t at, size_t end)
{
    struct span word = {r->start + (uint32_t)at, r->start + (uint32_t)end};
    struct suppressed_code code = {(uint32_t)r->out->list.n, word,
                                   source_slice(&r->file->source, word), false};
    vec_push(&r->out->codes, r->arena, code);
}

/* Reads what follows "assay: ignore" or "assay: ignore-file". */
static void read_brackets(struct reader *r, size_t at, struct suppression *s)
{
    struct str text = r->text;
    size_t begin = skip_blanks(text, at);
    size_t n_before = r->out->codes.n;
    s->is_wrong = true;
    if (begin >= text.n || text.at[begin] == '#') {
        s->is_all = true;
        s->is_wrong = false;
        return;
    }
    if (text.at[begin] != '[')
        return;
    size_t end = begin + str_find_byte(str_sub(text, begin, text.n), ']');
    if (end == text.n)
        return;
    for (at = ++begin; at < end;) {
        size_t word = at;
        while (at < end && !is_separator(text.at[at]))
            at++;
        if (at > word)
            add_code(r, word, at);
        else
            at++;
    }
    s->is_wrong = r->out->codes.n == n_before;
}

/* Reads "assay: ignore..." at the offset; false when it is none. */
static bool read_native(struct reader *r, size_t at, struct suppression *s)
{
    struct str text = r->text;
    if (!equals_folded(text, at, "assay"))
        return false;
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
    read_brackets(r, at, s);
    return true;
}

/* The end of a word of letters followed by digits, or the offset itself. */
static size_t code_end(struct str text, size_t at, bool *is_capital)
{
    size_t end = at;
    *is_capital = true;
    for (; end < text.n && (is_upper(text.at[end]) || is_lower(text.at[end])); end++)
        *is_capital = *is_capital && is_upper(text.at[end]);
    size_t letters = end;
    while (end < text.n && str_is_digit(text.at[end]))
        end++;
    bool whole = end >= text.n || !is_code_byte(text.at[end]);
    return letters > at && end > letters && whole ? end : at;
}

/* Reads "noqa" or "noqa: A, B C" at the offset: the list ends at the first word that is no code. An
 * SB code in lower case is kept as written: no rule has it, which is reported. */
static bool read_noqa(struct reader *r, size_t at, struct suppression *s)
{
    struct str text = r->text;
    size_t n_before = r->out->codes.n;
    if (!equals_folded(text, at, "noqa"))
        return false;
    s->is_noqa = true;
    at += 4;
    s->is_all = at >= text.n || text.at[at] == ' ' || text.at[at] == '\t' || text.at[at] == '#';
    size_t colon = skip_blanks(text, at);
    if (colon >= text.n || text.at[colon] != ':')
        return s->is_all;
    s->is_all = false;
    for (at = colon + 1; at < text.n;) {
        bool is_capital;
        while (at < text.n && is_separator(text.at[at]))
            at++;
        size_t end = code_end(text, at, &is_capital);
        if (end == at || (!is_capital && !equals_folded(text, at, "sb")))
            break;
        add_code(r, at, end);
        at = end;
    }
    return r->out->codes.n > n_before;
}

static bool is_alone_on_line(const struct reader *r)
{
    struct str line = source_line(&r->file->source, source_line_of(&r->file->source, r->start));
    line = str_trim(line);
    return line.n && line.at[0] == '#';
}

/* "ruff: noqa", "flake8: noqa" and the same with codes, on a line of their own: they are for the
 * whole file. */
static bool read_file_noqa(struct reader *r, size_t at, struct suppression *s)
{
    struct str text = r->text;
    size_t n = equals_folded(text, at, "ruff") ? 4 : equals_folded(text, at, "flake8") ? 6 : 0;
    size_t colon = skip_blanks(text, at + n);
    if (!n || colon >= text.n || text.at[colon] != ':' || !is_alone_on_line(r))
        return false;
    s->is_file = true;
    return read_noqa(r, skip_blanks(text, colon + 1), s);
}

/* Where the next comment after this '#' begins, or the end: "# noqa: SB031 # why". */
static size_t part_end(struct str text, size_t at)
{
    for (at++; at < text.n; at++)
        if (text.at[at] == '#' && (text.at[at - 1] == ' ' || text.at[at - 1] == '\t'))
            return at;
    return text.n;
}

static void read_comment(const struct lint_file *f, struct span comment, struct arena *a,
                         struct suppressions *out)
{
    struct reader r = {f, a, out, source_slice(&f->source, comment), comment.start};
    for (size_t at = 0; at < r.text.n; at++) {
        if (r.text.at[at] != '#')
            continue;
        size_t word = skip_blanks(r.text, at + 1), end = part_end(r.text, at);
        struct suppression s = {
            .comment = {comment.start + (uint32_t)at, comment.start + (uint32_t)end}};
        if (!read_native(&r, word, &s) && !read_noqa(&r, word, &s) && !read_file_noqa(&r, word, &s))
            continue;
        s.is_last = end == r.text.n;
        s.line = s.first_line = source_line_of(&f->source, comment.start);
        vec_push(&out->list, a, s);
        at = end - 1;
    }
}

/* A comment after the end of a multi-line string is also for the line where the string begins. */
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

/* Does a comment name the rule? A noqa gives its code; our form also the beginning of a code or the
 * rule's name: SB09, missing-zero-grad. */
static bool names_rule(struct str given, struct str code, struct str name, bool is_noqa)
{
    if (is_noqa)
        return str_eq(given, code);
    return (given.n > 2 && str_starts(code, given)) || str_eq(given, name);
}

bool suppress__is_silent(struct suppressions *s, const struct finding *f, bool ignore_noqa)
{
    bool silent = false;
    for (size_t i = 0; i < s->list.n; i++) {
        const struct suppression *one = &s->list.at[i];
        if (!is_at(one, f) || (one->is_noqa && ignore_noqa))
            continue;
        silent = silent || one->is_all;
        for (size_t c = 0; c < s->codes.n; c++)
            if (s->codes.at[c].of == i &&
                names_rule(s->codes.at[c].code, f->code, f->name, one->is_noqa))
                silent = s->codes.at[c].was_used = true;
    }
    return silent;
}

/* The whole comment with the blanks before it; the whole line if it is alone there. */
static struct span span_of_comment(const struct suppression *of, const struct lint_file *f)
{
    struct str text = f->source.text;
    struct span span = of->comment;
    if (!of->is_last)
        return span;
    while (span.start && (text.at[span.start - 1] == ' ' || text.at[span.start - 1] == '\t'))
        span.start--;
    bool is_alone =
        !span.start || text.at[span.start - 1] == '\n' || text.at[span.start - 1] == '\r';
    if (is_alone && span.end < text.n && text.at[span.end] == '\r')
        span.end++;
    if (is_alone && span.end < text.n && text.at[span.end] == '\n')
        span.end++;
    return span;
}

/* The text to remove for one code: it and a separator, or the whole comment when it is the only
 * one. */
static struct span span_of_removal(const struct suppressions *s, size_t at,
                                   const struct lint_file *f)
{
    const struct suppressed_code *c = &s->codes.at[at];
    bool has_before = at > 0 && s->codes.at[at - 1].of == c->of;
    bool has_next = at + 1 < s->codes.n && s->codes.at[at + 1].of == c->of;
    if (has_before)
        return (struct span){s->codes.at[at - 1].span.end, c->span.end};
    if (has_next)
        return (struct span){c->span.start, s->codes.at[at + 1].span.start};
    return span_of_comment(&s->list.at[c->of], f);
}

static void add_removal(const struct suppressions *s, size_t at, const struct lint_file *f,
                        struct finding *out, struct arena *a)
{
    struct span span = span_of_removal(s, at, f);
    if (source_is_repaired(&f->source, span))
        return;
    out->fix.safety = SAFETY_SAFE;
    out->fix.title = STR("Remove the suppression");
    check__set_edits(f, &(struct check_edit){span, STR("")}, 1, out, a);
}

/* A finding about a comment. */
static struct finding finding_at(struct checker *k, const struct rule *rule, struct span span)
{
    struct finding out = {.code = rule->code,
                          .name = rule->name,
                          .severity = rule->severity,
                          .confidence = CONFIDENCE_HIGH,
                          .help = rule->fix};
    check__place_span(k->file, span, &out, k->arena);
    return out;
}

static void report_unused(const struct suppressions *s, size_t at, struct checker *k,
                          const struct rule *rule)
{
    const struct suppressed_code *c = &s->codes.at[at];
    struct finding out = finding_at(k, rule, c->span);
    out.message =
        str_of(arena_printf(k->arena, "nothing here is suppressed by " STR_FMT, STR_ARG(c->code)));
    add_removal(s, at, k->file, &out, k->arena);
    vec_push(&k->findings, k->arena, out);
}

static struct str in_capitals(struct str code, struct arena *a)
{
    char *copy = str_dup(a, code);
    for (size_t i = 0; i < code.n; i++)
        copy[i] = is_lower(copy[i]) ? (char)(copy[i] - 32) : copy[i];
    return (struct str){copy, code.n};
}

/* Reports that no rule has a code. If only capital letters are missing, the fix does not remove
 * it. */
static void report_unknown(const struct suppressions *s, size_t at, struct checker *k,
                           const struct rule *rule)
{
    const struct suppressed_code *c = &s->codes.at[at];
    struct finding out = finding_at(k, rule, c->span);
    struct str meant = in_capitals(c->code, k->arena);
    const char *message = arena_printf(k->arena, "no rule has the code " STR_FMT, STR_ARG(c->code));
    if (rule_find(k->file->rules, meant))
        message = arena_printf(k->arena, "%s; codes are in capital letters: " STR_FMT, message,
                               STR_ARG(meant));
    else
        add_removal(s, at, k->file, &out, k->arena);
    out.message = str_of(message);
    vec_push(&k->findings, k->arena, out);
}

static void report_wrong(const struct suppression *s, struct checker *k, const struct rule *rule)
{
    struct finding out = finding_at(k, rule, s->comment);
    out.message =
        str_of(arena_printf(k->arena, "this suppresses nothing: `# assay: ignore%s[CODE]` does",
                            s->is_file ? "-file" : ""));
    vec_push(&k->findings, k->arena, out);
}

/* Should an unknown code be reported? In a noqa a code with other letters may be another tool's; in
 * our brackets, whatever has not the form of a code is reported. */
static bool is_ours(const struct suppressed_code *c, const struct suppression *of)
{
    bool is_capital;
    bool has_form = code_end(c->code, 0, &is_capital) == c->code.n && is_capital;
    return equals_folded(c->code, 0, "sb") || (!of->is_noqa && !has_form);
}

static bool names_any(const struct rule_set *rules, struct str given)
{
    for (size_t i = 0; i < rules->rules.n; i++)
        if (names_rule(given, rules->rules.at[i].code, rules->rules.at[i].name, false))
            return true;
    return false;
}

void suppress__judge(const struct suppressions *s, struct checker *k,
                     const struct selection *selection, bool ignore_noqa)
{
    const struct rule *unused = rule_find(k->file->rules, STR("SB903"));
    const struct rule *unknown = rule_find(k->file->rules, STR("SB904"));
    struct str path = k->file->source.path;
    if (unused && !selection_has_in(selection, unused, path))
        unused = NULL;
    if (unknown && !selection_has_in(selection, unknown, path))
        unknown = NULL;
    for (size_t i = 0; i < s->list.n && unknown; i++)
        if (s->list.at[i].is_wrong)
            report_wrong(&s->list.at[i], k, unknown);
    for (size_t i = 0; i < s->codes.n; i++) {
        const struct suppressed_code *c = &s->codes.at[i];
        const struct suppression *of = &s->list.at[c->of];
        const struct rule *rule = rule_find(k->file->rules, c->code);
        if (!is_ours(c, of) || (of->is_noqa && ignore_noqa))
            continue;
        bool is_known = rule || (!of->is_noqa && names_any(k->file->rules, c->code));
        if (!is_known && unknown)
            report_unknown(s, i, k, unknown);
        if (rule && !c->was_used && unused && selection_has_in(selection, rule, path) &&
            !rule->is_builtin_code)
            report_unused(s, i, k, unused);
    }
}
