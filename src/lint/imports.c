/*
 * A scanner for import statements that stand alone on their line (Python reference, section 7.11),
 * with names in parentheses or continued by a backslash. In a notebook's JSON a line begins with a
 * quote and ends with \n written out.
 */
#include "lint/imports_p.h"

struct scanner {
    struct str text;
    size_t at;
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static char here(const struct scanner *s)
{
    return s->at < s->text.n ? s->text.at[s->at] : '\0';
}

/* Skips blanks, and line ends that do not end the statement. */
static void skip_blanks(struct scanner *s, bool in_parentheses)
{
    for (; s->at < s->text.n; s->at++) {
        char c = s->text.at[s->at];
        bool is_end = c == '\n' || c == '\r';
        bool goes_on = c == '\\' && s->at + 1 < s->text.n &&
                       (s->text.at[s->at + 1] == '\n' || s->text.at[s->at + 1] == '\r');
        if (goes_on)
            s->at++;
        else if (c == '#' && in_parentheses)
            s->at += str_find_byte(str_sub(s->text, s->at, s->text.n), '\n') - 1;
        else if (c != ' ' && c != '\t' && !(is_end && in_parentheses))
            return;
    }
}

static struct str take_dotted(struct scanner *s)
{
    size_t start = s->at;
    while (is_word(here(s)) || (here(s) == '.' && s->at > start))
        s->at++;
    return str_sub(s->text, start, s->at);
}

static bool take_keyword(struct scanner *s, const char *word)
{
    struct str w = str_of(word), rest = str_sub(s->text, s->at, s->text.n);
    if (!str_starts(rest, w) || rest.n == w.n || is_word(rest.at[w.n]))
        return false;
    s->at += w.n;
    skip_blanks(s, false);
    return true;
}

static void skip_alias(struct scanner *s, bool in_parentheses)
{
    skip_blanks(s, in_parentheses);
    if (!take_keyword(s, "as"))
        return;
    (void)take_dotted(s);
    skip_blanks(s, in_parentheses);
}

static void scan_import(struct scanner *s, struct arena *a, struct import_list *out)
{
    for (;;) {
        struct str module = take_dotted(s);
        if (!module.n)
            return;
        vec_push(&out->refs, a, (struct import_ref){.module = module});
        skip_alias(s, false);
        if (here(s) != ',')
            return;
        s->at++;
        skip_blanks(s, false);
    }
}

static void scan_from(struct scanner *s, struct arena *a, struct import_list *out)
{
    struct import_ref ref = {0};
    while (here(s) == '.') {
        ref.n_dots++;
        s->at++;
    }
    skip_blanks(s, false);
    size_t behind_dots = s->at;
    ref.module = take_dotted(s);
    if (ref.n_dots && str_is(ref.module, "import")) { /* from . import x */
        ref.module = (struct str){0};
        s->at = behind_dots;
    }
    skip_blanks(s, false);
    if ((!ref.n_dots && !ref.module.n) || !take_keyword(s, "import"))
        return;
    bool in_parentheses = here(s) == '(';
    s->at += in_parentheses;
    for (;;) {
        skip_blanks(s, in_parentheses);
        ref.name = here(s) == '*' ? str_sub(s->text, s->at, s->at + 1) : take_dotted(s);
        if (!ref.name.n)
            return;
        vec_push(&out->refs, a, ref);
        if (ref.name.at[0] == '*')
            return;
        skip_alias(s, in_parentheses);
        if (here(s) != ',')
            return;
        s->at++;
    }
}

void imports__scan(struct str bytes, bool is_notebook, struct arena *a, struct import_list *out)
{
    struct scanner s = {.text = bytes};
    while (s.at < bytes.n) {
        size_t start = s.at;
        while (here(&s) == ' ' || here(&s) == '\t' || (is_notebook && here(&s) == '"'))
            s.at++;
        if (here(&s) == 'i' && take_keyword(&s, "import"))
            scan_import(&s, a, out);
        else if (here(&s) == 'f' && take_keyword(&s, "from"))
            scan_from(&s, a, out);
        if (s.at < start)
            s.at = start;
        const char *end = s.at < bytes.n ? memchr(bytes.at + s.at, '\n', bytes.n - s.at) : NULL;
        s.at = end ? (size_t)(end - bytes.at) + 1 : bytes.n;
    }
}
