/*
 * Decides what in a docstring is an example. Must not know Python beyond brackets, strings and
 * blocks: the interpreter finds out whether a statement can be run. Invariant: every line belongs
 * to at most one statement or its output.
 */
#include "documents/example.h"

struct lines {
    const struct str *at;
    size_t n;
};

/* What is still open at the end of a statement's lines so far. */
struct scan {
    int depth;      /* open brackets */
    char quote;     /* of an open string, or 0 */
    bool is_triple; /* that string spans lines */
    bool is_block;  /* a line outside brackets ended with ':', or is a decorator */
    bool continues; /* the last line ended with a backslash */
};

static bool is_blank(struct str line)
{
    return str_trim(line).n == 0;
}

static size_t indent_of(struct str line)
{
    size_t n = 0;
    while (n < line.n && line.at[n] == ' ')
        n++;
    return n;
}

/* The text after a prompt, without one blank; false: the line has no such prompt. */
static bool prompted(struct str line, struct str prompt, struct str *content)
{
    struct str text = str_sub(line, indent_of(line), line.n);
    if (!str_starts(text, prompt))
        return false;
    *content = str_sub(text, prompt.n, text.n);
    if (content->n && content->at[0] == ' ')
        *content = str_sub(*content, 1, content->n);
    else if (content->n && content->at[0] == '.')
        return false; /* "....", an elision */
    return true;
}

static bool opens_triple(struct str line, size_t at)
{
    return at + 2 < line.n && line.at[at + 1] == line.at[at] && line.at[at + 2] == line.at[at];
}

/* One character outside strings; false: the rest is a comment. */
static bool scan_code(struct scan *s, struct str line, size_t *at, char *last)
{
    char c = line.at[*at];
    if (c == '#')
        return false;
    if (c == '"' || c == '\'') {
        s->quote = c;
        s->is_triple = opens_triple(line, *at);
        *at += s->is_triple ? 2 : 0;
    } else if (c && strchr("([{", c)) {
        s->depth++;
    } else if (c && strchr(")]}", c) && s->depth > 0) {
        s->depth--;
    }
    if (c != ' ')
        *last = c;
    return true;
}

static void scan_string(struct scan *s, struct str line, size_t *at)
{
    if (line.at[*at] == '\\')
        ++*at;
    else if (line.at[*at] == s->quote && !s->is_triple)
        s->quote = 0;
    else if (line.at[*at] == s->quote && opens_triple(line, *at)) {
        s->quote = 0;
        *at += 2;
    }
}

static bool is_open(const struct scan *s)
{
    return s->depth > 0 || s->quote || s->continues;
}

static void scan_line(struct scan *s, struct str line)
{
    char last = 0;
    bool is_decorator = !is_open(s) && line.n && line.at[0] == '@';
    for (size_t i = 0; i < line.n; i++) {
        if (s->quote)
            scan_string(s, line, &i);
        else if (!scan_code(s, line, &i, &last))
            break;
    }
    if (s->quote && !s->is_triple)
        s->quote = 0; /* a string ends with its line */
    s->continues = last == '\\';
    if (is_decorator || (s->depth == 0 && !s->quote && last == ':'))
        s->is_block = true;
}

/* Does a line continue the block: indented, else/except and the like, or after a decorator? */
static bool stays_in_block(struct str content, struct str before)
{
    static const char *const words[] = {"else", "elif", "except", "finally"};
    if (!content.n || content.at[0] == ' ' || content.at[0] == '\t')
        return true;
    if (before.n && before.at[0] == '@')
        return true;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (str_starts(content, str_of(words[i])))
            return true;
    return false;
}

static void add_line(struct strbuf *text, struct scan *s, struct str line)
{
    strbuf_addstr(text, line);
    strbuf_addc(text, '\n');
    scan_line(s, line);
}

/* Adds the lines of a statement after its first one; returns where its output begins. */
static size_t read_more(struct lines l, size_t at, struct str first, struct scan *s,
                        struct strbuf *text)
{
    struct str content, before = first;
    for (; at < l.n; at++) {
        bool dots = prompted(l.at[at], STR("..."), &content);
        if (dots) {
            if (!is_open(s) && !s->is_block)
                break;
        } else if (prompted(l.at[at], STR(">>>"), &content)) {
            if (!is_open(s) && !(s->is_block && stays_in_block(content, before)))
                break;
        } else if (is_open(s) && !is_blank(l.at[at])) {
            content = l.at[at];
        } else {
            break;
        }
        add_line(text, s, content);
        before = content;
    }
    return at;
}

static bool is_prompt(struct str line)
{
    struct str content;
    return prompted(line, STR(">>>"), &content);
}

static bool next_is_prompt(struct lines l, size_t at)
{
    while (at < l.n && is_blank(l.at[at]))
        at++;
    return at == l.n || is_prompt(l.at[at]);
}

static size_t read_expected(struct lines l, size_t at, size_t indent, struct arena *a,
                            struct str *out)
{
    struct scan s = {0};
    struct strbuf text = {0};
    bool only_comments = true;
    for (; at < l.n && !is_prompt(l.at[at]); at++) {
        struct str line = str_trim(l.at[at]);
        if (!line.n && (s.depth <= 0 || next_is_prompt(l, at)))
            break;
        if (line.n && indent_of(l.at[at]) < indent)
            break;
        scan_line(&s, line);
        only_comments = only_comments && (!line.n || line.at[0] == '#');
        if (text.n)
            strbuf_addc(&text, '\n');
        if (!str_is(line, "<BLANKLINE>"))
            strbuf_addstr(&text, line);
    }
    *out = only_comments ? STR("") : strbuf_dup(&text, a);
    strbuf_done(&text);
    return at;
}

static size_t word_length(struct str s)
{
    size_t n = 0;
    while (n < s.n && str_is_word(s.at[n]))
        n++;
    return n && str_is_digit(s.at[0]) ? 0 : n;
}

static struct str shown_by(struct str source, size_t *n)
{
    struct str s = str_trim(source), rest, name;
    if (str_starts(s, STR("print(")) && str_ends(s, STR(")")))
        s = str_sub(s, 6, s.n - 1);
    *n = 0;
    for (rest = s; str_split(&rest, ',', &name); ++*n)
        if (!str_trim(name).n || word_length(str_trim(name)) != str_trim(name).n)
            return STR("");
    return s;
}

static bool sets_seed(struct str source)
{
    static const char *const words[] = {"seed(", "Generator(", "PRNGKey(", "random.key(",
                                        "set_rng_state("};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (str_find(source, str_of(words[i])) < source.n)
            return true;
    return false;
}

static struct lines split_lines(struct str doc, struct arena *a)
{
    VEC(struct str) lines = {0};
    struct str rest = doc, line;
    while (str_split(&rest, '\n', &line))
        vec_push(&lines, a, line);
    return (struct lines){lines.at, lines.n};
}

void example_find(struct str doc, struct arena *a, struct example_list *out)
{
    VEC(struct example) list = {0};
    struct lines l = split_lines(doc, a);
    struct str content;
    bool prompts = false; /* ">>>" was seen: before, dots are an elision */
    *out = (struct example_list){0};
    for (size_t at = 0; at < l.n;) {
        size_t indent = indent_of(l.at[at]);
        struct example x = {.line = (uint32_t)at + 1};
        struct scan s = {0};
        struct strbuf text = {0};
        bool begins = prompted(l.at[at], STR(">>>"), &content);
        prompts = prompts || begins;
        if (!begins && !(prompts && prompted(l.at[at], STR("..."), &content))) {
            at++;
            continue;
        }
        struct str code = str_trim(content);
        add_line(&text, &s, s.is_block ? content : str_sub(content, indent_of(content), content.n));
        at = read_more(l, at + 1, code, &s, &text);
        x.source = strbuf_dup(&text, a);
        strbuf_done(&text);
        at = read_expected(l, at, indent, a, &x.expected);
        if (!code.n ||
            (code.at[0] == '#' && str_find_byte(str_trim(x.source), '\n') == str_trim(x.source).n))
            continue;
        x.shown = shown_by(x.source, &x.n_shown);
        out->seeds = out->seeds || sets_seed(x.source);
        vec_push(&list, a, x);
    }
    out->at = list.at;
    out->n = list.n;
}
