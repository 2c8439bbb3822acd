/*
 * Decides what a document says about a default and whether the signature says the same. Must not
 * know frameworks. Invariant: unless both sides are literals it abstains.
 */
#include "documents/defaults.h"

enum { PARAGRAPH_MAX = 4000, TEXT_MAX = 80, QUOTE_MAX = 300 };

static size_t word_length(struct str s, size_t at)
{
    size_t n = at;
    while (n < s.n && str_is_word(s.at[n]))
        n++;
    return n - at;
}

static struct str strip(struct str s, const char *marks)
{
    s = str_trim(s);
    while (s.n && strchr(marks, s.at[0]))
        s = str_sub(s, 1, s.n);
    while (s.n && strchr(marks, s.at[s.n - 1]))
        s = str_sub(s, 0, s.n - 1);
    return s;
}

/* Literals -------------------------------------------------------------------------------------*/

static bool tuple_literal(struct str text, struct arena *a, struct str *out)
{
    struct strbuf b = {0};
    struct str rest = str_sub(text, 1, text.n - 1), part, one;
    bool ok = true;
    strbuf_addc(&b, '(');
    while (ok && str_split(&rest, ',', &part)) {
        if (!str_trim(part).n)
            continue;
        ok = !str_starts(str_trim(part), STR("(")) && default_literal(part, a, &one);
        if (ok)
            strbuf_printf(&b, STR_FMT ",", STR_ARG(one));
    }
    strbuf_addc(&b, ')');
    *out = strbuf_dup(&b, a);
    strbuf_done(&b);
    return ok;
}

bool default_literal(struct str text, struct arena *a, struct str *out)
{
    static const char *const words[] = {"None", "True", "False"};
    double number;
    struct str s = strip(text, "`* \n");
    if (!s.n || s.n > TEXT_MAX)
        return false;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (str_is(s, words[i])) {
            *out = str_of(words[i]);
            return true;
        }
    if (str_to_double(s, &number)) {
        *out = str_of(arena_printf(a, "%.12g", number));
        return true;
    }
    if (s.n >= 2 && strchr("([", s.at[0]) && strchr(")]", s.at[s.n - 1]))
        return tuple_literal(s, a, out);
    if (s.n >= 2 && (s.at[0] == '\'' || s.at[0] == '"') && s.at[s.n - 1] == s.at[0]) {
        *out = str_of(arena_printf(a, "'" STR_FMT "'", STR_ARG(str_sub(s, 1, s.n - 1))));
        return true;
    }
    return false;
}

/* What the text says ---------------------------------------------------------------------------*/

/* The value after "Default:": in backticks, quotes or brackets, or up to a blank or full stop. */
static struct str value_at(struct str text, size_t at)
{
    while (at < text.n && strchr(" :=\n", text.at[at]))
        at++;
    if (at == text.n)
        return STR("");
    char c = text.at[at];
    size_t n = 0;
    if (c == '`') {
        while (at < text.n && text.at[at] == '`')
            at++;
        struct str rest = str_sub(text, at, text.n);
        n = str_find_byte(rest, '`');
        return n < rest.n ? str_sub(rest, 0, n) : STR("");
    }
    struct str rest = str_sub(text, at, text.n);
    if (strchr("([", c))
        return str_sub(rest, 0, str_find_byte(rest, c == '(' ? ')' : ']') + 1);
    if (c == '\'' || c == '"')
        return str_sub(rest, 0, str_find_byte(str_sub(rest, 1, rest.n), c) + 2);
    while (n < rest.n && !strchr(" ,;)\n]", rest.at[n]))
        n++;
    if (n && rest.at[n - 1] == '.' &&
        (n < 2 || !str_is_digit(rest.at[n - 2]) || n == rest.n || rest.at[n] != ' '))
        n--;
    return str_sub(rest, 0, n);
}

static bool find_default(struct str text, struct str *value)
{
    static const char *const words[] = {
        "Defaults to", "defaults to", "Default:",         "default:",         "default =",
        "default=",    "Default is",  "default is",       "default value is", "Default value:",
        "Default `",   "default `",   "Default value is", "Default to",       "default to"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t at = str_find(text, str_of(words[i]));
        if (at == text.n)
            continue;
        size_t behind = at + strlen(words[i]);
        *value = value_at(text, words[i][strlen(words[i]) - 1] == '`' ? behind - 1 : behind);
        return value->n > 0;
    }
    return false;
}

/* "linear (default)", "`zeros`(default)" */
static bool marked_default(struct str text, struct arena *a, struct str *value)
{
    size_t mark = str_find(text, STR("(default"));
    struct str before = strip(str_sub(text, 0, mark), "`'\" ");
    size_t at = before.n;
    double number;
    while (at && (str_is_word(before.at[at - 1]) || strchr(".-", before.at[at - 1])))
        at--;
    struct str word = str_sub(before, at, before.n);
    if (mark == text.n || !word.n)
        return false;
    *value = str_to_double(word, &number) ? word
                                          : str_of(arena_printf(a, "'" STR_FMT "'", STR_ARG(word)));
    return true;
}

static size_t indent_of(struct str line)
{
    size_t n = 0;
    while (n < line.n && line.at[n] == ' ')
        n++;
    return n;
}

/* The name, if the line begins a parameter: "name (type): ...", "name: ...", "name : type". */
static struct str parameter_of(struct str line)
{
    struct str s = str_trim(line);
    s = strip(s, "*`-");
    size_t n = word_length(s, 0);
    struct str rest = str_trim(str_sub(s, n, s.n));
    bool named = n && rest.n &&
                 (rest.at[0] == ':' || (rest.at[0] == '(' && str_find_byte(rest, ':') < rest.n));
    return named ? str_sub(s, 0, n) : STR("");
}

/* The paragraph of a parameter: its line and the more indented lines after it. */
static struct str paragraph_at(struct str doc, size_t at)
{
    struct str rest = str_sub(doc, at, doc.n), line;
    size_t indent = 0, n = 0;
    bool first = true;
    while (str_split(&rest, '\n', &line)) {
        if (first)
            indent = indent_of(line);
        else if (str_trim(line).n == 0 || indent_of(line) <= indent)
            break;
        first = false;
        n += line.n + 1;
    }
    return str_sub(doc, at, MIN(at + n, at + PARAGRAPH_MAX));
}

/* What the signatures say ----------------------------------------------------------------------*/

static bool schema_default(struct str schema, struct str parameter, struct str *value)
{
    char key[128];
    if (parameter.n > sizeof key - 4)
        return false;
    size_t n = (size_t)snprintf(key, sizeof key, " " STR_FMT "=", STR_ARG(parameter));
    size_t at = str_find(schema, (struct str){key, n});
    if (at == schema.n)
        return false;
    *value = value_at(schema, at + n);
    if (value->n && !strchr("([\"'", value->at[0]))
        *value = str_sub(*value, 0, str_find_byte(*value, ','));
    return true;
}

/* Of "attribute axis: INT=0", as in ONNX; text is there bytes, b'linear'. */
static bool attribute_default(struct str schema, struct str parameter, struct str *value)
{
    struct str rest = str_sub(schema, strlen("attribute "), schema.n);
    if (!str_starts(schema, STR("attribute ")) || !str_starts(rest, parameter) ||
        rest.at[parameter.n] != ':')
        return false;
    *value = str_sub(rest, str_find_byte(rest, '=') + 1, rest.n);
    if (str_starts(*value, STR("b'")))
        *value = str_sub(*value, 1, value->n);
    return value->n > 0;
}

static bool same_number(struct str a, struct str b)
{
    double x, y;
    return str_to_double(a, &x) && str_to_double(b, &y) && (float)x == (float)y;
}

static bool is_text(struct str literal)
{
    return str_starts(literal, STR("'"));
}

static bool same_truth(struct str a, struct str b)
{
    return (str_is(a, "False") && str_is(b, "0")) || (str_is(a, "True") && str_is(b, "1"));
}

/* Equal, also as float32 or as a truth value, or a number and a tuple with only that number in it,
 * or None and an empty tuple. */
static bool same_default(struct str documented, struct str actual)
{
    if (str_eq(documented, actual) || same_number(documented, actual) ||
        same_truth(documented, actual) || (str_is(documented, "None") && str_is(actual, "()")))
        return true;
    struct str rest = str_sub(actual, 1, actual.n - 1), part;
    if (actual.n < 4 || actual.at[0] != '(')
        return false;
    while (str_split(&rest, ',', &part))
        if (part.n && !str_eq(part, documented))
            return false;
    return true;
}

/* Does a signature have this default? *actual: the first signature's. */
static bool agrees(const struct api_record *r, struct str parameter, struct str documented,
                   struct arena *a, struct str *actual, bool *known)
{
    struct str value, literal;
    *known = false;
    for (size_t i = 0; i < r->n_parameters; i++) {
        const struct api_parameter *p = &r->parameters[i];
        if (!str_eq(p->name, parameter) || !p->has_default ||
            !default_literal(p->value, a, &literal))
            continue;
        *known = true;
        *actual = literal;
        return same_default(documented, literal);
    }
    for (size_t i = 0; i < r->n_schemas; i++) {
        if ((!schema_default(r->schemas[i], parameter, &value) &&
             !attribute_default(r->schemas[i], parameter, &value)) ||
            !default_literal(value, a, &literal) || is_text(literal) != is_text(documented))
            continue;
        if (!*known)
            *actual = literal;
        *known = true;
        if (same_default(documented, literal))
            return true;
    }
    return false;
}

static void compare(const struct api_record *r, struct str parameter, struct str value,
                    struct str sentence, struct arena *a, struct default_findings *out,
                    struct default_tally *tally)
{
    struct str documented, actual = {0};
    bool known;
    if (!default_literal(value, a, &documented) || str_is(parameter, "dtype")) {
        tally->n_abstained++;
        return;
    }
    bool same = agrees(r, parameter, documented, a, &actual, &known);
    if (!known || (!same && str_is(actual, "None"))) {
        tally->n_abstained++;
        return;
    }
    tally->n_compared++;
    tally->n_equal += same;
    if (same)
        return;
    struct default_finding f = {.record = r,
                                .parameter = parameter,
                                .documented = documented,
                                .actual = actual,
                                .sentence = str_sub(str_trim(sentence), 0, QUOTE_MAX)};
    vec_push(out, a, f);
}

/* "name(a, b=1, *, c=None) -> Tensor" on top of a docstring. */
static void check_signature_line(const struct api_record *r, struct arena *a,
                                 struct default_findings *out, struct default_tally *tally)
{
    struct str line = str_sub(r->doc, 0, str_find_byte(r->doc, '\n'));
    size_t at = word_length(line, 0);
    while (at < line.n && line.at[at] == '.')
        at += 1 + word_length(line, at + 1);
    if (at == 0 || at >= line.n || line.at[at] != '(')
        return;
    for (size_t i = at + 1; i < line.n; i++) {
        size_t n = word_length(line, i);
        if (n && i + n < line.n && line.at[i + n] == '=' && strchr(" (,", line.at[i - 1]))
            compare(r, str_sub(line, i, i + n), value_at(line, i + n + 1), line, a, out, tally);
        i += n;
    }
}

void defaults_check(const struct api_record *r, struct arena *a, struct default_findings *out,
                    struct default_tally *tally)
{
    struct str rest = r->doc, line, value;
    if (!r->doc.n || (!r->n_parameters && !r->n_schemas))
        return;
    check_signature_line(r, a, out, tally);
    while (str_split(&rest, '\n', &line)) {
        struct str name = parameter_of(line);
        if (!name.n)
            continue;
        struct str paragraph = paragraph_at(r->doc, (size_t)(line.at - r->doc.at));
        if (find_default(paragraph, &value))
            compare(r, name, value, paragraph, a, out, tally);
    }
    for (size_t i = 0; i < r->n_texts; i++)
        if (find_default(r->texts[i].text, &value) || marked_default(r->texts[i].text, a, &value))
            compare(r, r->texts[i].name, value, r->texts[i].text, a, out, tally);
}
