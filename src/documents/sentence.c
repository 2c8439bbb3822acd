/* Decides where sentences of a docstring begin and end, and which words make one a constraint. Must
 * not know what a constraint means for a call. */
#include "documents/sentence.h"

#include "base/vec.h"

enum { SENTENCE_MAX = 600, SENTENCE_MIN = 8 };

static const char *constraint_of(struct str text)
{
    static const struct {
        const char *kind, *words;
    } rows[] = {
#define CONSTRAINT(kind, words) {kind, words},
#include "documents/constraint.def"
#undef CONSTRAINT
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (str_find(text, str_of(rows[i].words)) < text.n)
            return rows[i].kind;
    return NULL;
}

/* The length of the reStructuredText role (":attr:`") at `at`; 0: none. */
static size_t role_at(struct str s, size_t at)
{
    size_t i = at + 1;
    if (s.at[at] != ':')
        return 0;
    while (i < s.n && ((s.at[i] >= 'a' && s.at[i] <= 'z') || s.at[i] == ':'))
        i++;
    return i > at + 2 && i < s.n && s.at[i - 1] == ':' && s.at[i] == '`' ? i - at : 0;
}

/* Adds the line without markup, each run of blanks as one. */
static void add_clean(struct str line, struct strbuf *to)
{
    if (to->n)
        strbuf_addc(to, ' ');
    for (size_t i = 0; i < line.n; i++) {
        size_t role = role_at(line, i);
        char c = line.at[i];
        if (role)
            i += role - 1;
        else if (c == ' ' && to->n && to->at[to->n - 1] == ' ')
            continue;
        else if (c != '`' && c != '*')
            strbuf_addc(to, c);
    }
}

static void add_sentence(struct str text, struct arena *a, struct sentences *out)
{
    text = str_trim(text);
    if (text.n < SENTENCE_MIN || text.n > SENTENCE_MAX)
        return;
    struct sentence s = {{str_dup(a, text), text.n}, constraint_of(text)};
    vec_push(out, a, s);
}

/* A full stop before a blank and a capital letter ends a sentence. */
static void split_paragraph(struct strbuf *paragraph, struct arena *a, struct sentences *out)
{
    struct str text = strbuf_str(paragraph);
    size_t from = 0;
    for (size_t i = 0; i + 2 < text.n; i++) {
        char next = text.at[i + 2];
        if (text.at[i] != '.' || text.at[i + 1] != ' ' || next < 'A' || next > 'Z')
            continue;
        add_sentence(str_sub(text, from, i + 1), a, out);
        from = i + 2;
    }
    add_sentence(str_sub(text, from, text.n), a, out);
    strbuf_clear(paragraph);
}

static size_t indent_of(struct str line)
{
    size_t n = 0;
    while (n < line.n && line.at[n] == ' ')
        n++;
    return n;
}

/* Does the line begin a block that is no prose, to which the more indented lines after it belong?
 */
static bool opens_block(struct str line)
{
    struct str s = str_trim(line);
    return str_starts(s, STR(".. ")) || str_ends(s, STR("::"));
}

void sentences_of(struct str doc, struct arena *a, struct sentences *out)
{
    struct strbuf paragraph = {0};
    struct str rest = doc, line;
    size_t block = SIZE_MAX; /* indent of the line that opened one */
    bool in_example = false;
    *out = (struct sentences){0};
    while (str_split(&rest, '\n', &line)) {
        struct str text = str_trim(line);
        if (text.n && block != SIZE_MAX && indent_of(line) <= block)
            block = SIZE_MAX;
        in_example = text.n && (in_example || str_starts(text, STR(">>>")));
        bool ends = !text.n || in_example || block != SIZE_MAX || opens_block(line);
        if (!ends && str_find(text, STR(": ")) < text.n)
            split_paragraph(&paragraph, a, out); /* the text of another parameter */
        if (ends)
            split_paragraph(&paragraph, a, out);
        else
            add_clean(text, &paragraph);
        if (opens_block(line) && block == SIZE_MAX)
            block = indent_of(line);
    }
    split_paragraph(&paragraph, a, out);
    strbuf_done(&paragraph);
}
