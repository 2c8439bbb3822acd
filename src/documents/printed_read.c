/*
 * Decides how printed text is read: tokens, arrays, items. Must not know what they are compared
 * with. Invariant: every byte outside blanks and comments belongs to one item.
 */
#include "documents/printed_p.h"

#include <math.h>

#include "base/vec.h"

enum { FINE_DECIMALS = 3 };

#define WHOLE_TOLERANCE 1e-4 /* of "1.": a number with a fraction would show four decimals */

/* Tokens ---------------------------------------------------------------------------------------*/

static bool is_letter(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool begins_number(struct str s, size_t at)
{
    size_t i = at + (s.at[at] == '-' || s.at[at] == '+');
    if (i < s.n && s.at[i] == '.')
        i++;
    if (i < s.n && str_is_digit(s.at[i]))
        return true;
    struct str word = str_sub(s, i, i + 3);
    bool named = str_is(word, "inf") || str_is(word, "nan");
    return named && !(i + 3 < s.n && (is_letter(s.at[i + 3]) || s.at[i + 3] == '.'));
}

/* The length of the number at `at`, 0: none; its value, unit and tolerance go to t. */
static size_t read_number(struct str s, size_t at, struct token *t)
{
    size_t i = at, decimals = 0, exponent_at;
    int64_t exponent = 0;
    bool point = false;
    i += s.at[i] == '-' || s.at[i] == '+';
    if (i < s.n && is_letter(s.at[i])) {
        t->is_real = true;
        i += 3;
    }
    for (; i < s.n && (str_is_digit(s.at[i]) || (s.at[i] == '.' && !point)); i++) {
        decimals += point;
        point = point || s.at[i] == '.';
    }
    exponent_at = i;
    if (i + 1 < s.n && (s.at[i] == 'e' || s.at[i] == 'E')) {
        size_t from = i + 1;
        for (i = from + (s.at[from] == '-' || s.at[from] == '+'); i < s.n && str_is_digit(s.at[i]);)
            i++;
        size_t digits = from + (s.at[from] == '+');
        if (!str_to_i64(str_sub(s, digits, i), &exponent))
            i = exponent_at;
    }
    t->is_real = t->is_real || point || i != exponent_at;
    struct str text = str_sub(s, at + (s.at[at] == '+'), i);
    if (!str_to_double(text, &t->value))
        t->value = 0;
    if (point && !decimals && i == exponent_at) {
        t->tolerance = WHOLE_TOLERANCE;
    } else {
        t->unit = t->is_real ? pow(10, (double)exponent - (double)decimals) : 0;
        t->tolerance = t->unit * (decimals >= FINE_DECIMALS ? 1.01 : 0.51);
    }
    if (i < s.n && s.at[i] == 'j') {
        t->is_imaginary = true;
        i++;
    }
    return i - at;
}

static size_t read_word(struct str s, size_t at)
{
    size_t i = at;
    while (i < s.n && (is_letter(s.at[i]) || str_is_digit(s.at[i]) || s.at[i] == '.'))
        i++;
    return i - at;
}

static size_t read_string(struct str s, size_t at)
{
    size_t i = at + 1;
    while (i < s.n && s.at[i] != s.at[at] && s.at[i] != '\n')
        i += s.at[i] == '\\' ? 2 : 1;
    return MIN(i + 1, s.n) - at;
}

static size_t read_token(struct str s, size_t at, struct token *t)
{
    size_t n = 1;
    char c = s.at[at];
    *t = (struct token){.kind = TOKEN_MARK};
    if (begins_number(s, at)) {
        t->kind = TOKEN_NUMBER;
        n = read_number(s, at, t);
    } else if (is_letter(c)) {
        t->kind = TOKEN_WORD;
        n = read_word(s, at);
    } else if (c == '"' || c == '\'') {
        t->kind = TOKEN_STRING;
        n = read_string(s, at);
    } else if (str_starts(str_sub(s, at, s.n), STR("..."))) {
        n = 3;
    }
    t->text = str_sub(s, at, at + n);
    if (t->kind == TOKEN_STRING)
        t->text = str_sub(t->text, 1, t->text.n - 1);
    return n;
}

static void read_tokens(struct str s, struct arena *a, struct tokens *out)
{
    for (size_t i = 0; i < s.n;) {
        struct token t;
        if (s.at[i] == '#') {
            i += str_find_byte(str_sub(s, i, s.n), '\n');
        } else if (strchr(" \t\n\r", s.at[i])) {
            i++;
        } else {
            i += read_token(s, i, &t);
            vec_push(out, a, t);
        }
    }
}

/* Arrays ---------------------------------------------------------------------------------------*/

static bool is_mark(const struct tokens *t, size_t at, char c)
{
    return at < t->n && t->at[at].kind == TOKEN_MARK && t->at[at].text.n == 1 &&
           t->at[at].text.at[0] == c;
}

static bool is_elision(const struct tokens *t, size_t at)
{
    return at < t->n && t->at[at].kind == TOKEN_MARK && t->at[at].text.n == 3;
}

static bool is_word(const struct tokens *t, size_t at, const char *word)
{
    return at < t->n && t->at[at].kind == TOKEN_WORD && str_is(t->at[at].text, word);
}

static bool opens_array(const struct tokens *t, size_t at)
{
    static const char *const words[] = {"tensor", "array", "Array", "torch.tensor", "np.array"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (is_word(t, at, words[i]) && is_mark(t, at + 1, '('))
            return !is_mark(t, at + 3, '='); /* "tensor(indices=..." holds arrays */
    return false;
}

static void add_element(struct array *out, struct token t, struct tokens *numbers, struct arena *a)
{
    enum element e = t.is_imaginary ? ELEMENT_COMPLEX : t.is_real ? ELEMENT_REAL : ELEMENT_INT;
    if (t.kind == TOKEN_WORD) {
        e = ELEMENT_BOOL;
        t.value = str_is(t.text, "True");
        t.tolerance = 0;
    }
    out->element = MAX(out->element, e);
    vec_push(numbers, a, t);
}

static bool is_element(const struct tokens *t, size_t at)
{
    return at < t->n &&
           (t->at[at].kind == TOKEN_NUMBER || is_word(t, at, "True") || is_word(t, at, "False"));
}

/* Reads nested lists from `at`; returns where they end. Lists of unlike sizes break the array. */
static size_t read_lists(const struct tokens *t, size_t at, struct array *out, struct arena *a)
{
    size_t counts[PRINTED_DIMS_MAX] = {0};
    bool known[PRINTED_DIMS_MAX] = {false};
    struct tokens numbers = {0};
    unsigned depth = 0;
    do {
        if (is_mark(t, at, '[')) {
            if (depth)
                counts[depth - 1]++;
            if (depth == PRINTED_DIMS_MAX)
                break;
            counts[depth++] = 0;
            out->rank = MAX(out->rank, depth);
        } else if (is_mark(t, at, ']') && depth) {
            depth--;
            out->is_broken = out->is_broken || (known[depth] && out->dims[depth] != counts[depth]);
            known[depth] = true;
            out->dims[depth] = counts[depth];
        } else if (is_element(t, at)) {
            bool is_second_part = t->at[at].is_imaginary && t->at[at - 1].kind == TOKEN_NUMBER;
            if (depth && !is_second_part)
                counts[depth - 1]++;
            add_element(out, t->at[at], &numbers, a);
        } else if (is_elision(t, at)) {
            out->is_elided = true;
        } else if (!is_mark(t, at, ',')) {
            break;
        }
        at++;
    } while (at < t->n && (depth || t->at[at].is_imaginary));
    out->is_broken = out->is_broken || depth;
    out->numbers = numbers.at;
    out->n = numbers.n;
    return at;
}

/* Reads "size=(0, 3)" of an empty array. */
static size_t read_size(const struct tokens *t, size_t at, struct array *out)
{
    if (!is_mark(t, at, '('))
        return at;
    out->rank = 0;
    for (at++; at < t->n && !is_mark(t, at, ')'); at++)
        if (t->at[at].kind == TOKEN_NUMBER && out->rank < PRINTED_DIMS_MAX)
            out->dims[out->rank++] = (size_t)t->at[at].value;
    return at + 1;
}

static size_t skip_value(const struct tokens *t, size_t at)
{
    int depth = 0;
    for (; at < t->n; at++) {
        if (is_mark(t, at, '(') || is_mark(t, at, '[') || is_mark(t, at, '<'))
            depth++;
        else if (depth && (is_mark(t, at, ')') || is_mark(t, at, ']') || is_mark(t, at, '>')))
            depth--;
        else if (!depth && (is_mark(t, at, ',') || is_mark(t, at, ')')))
            break;
    }
    return at;
}

/* Reads "tensor([...], dtype=..., grad_fn=...)" from its first word; returns where it ends. */
static size_t read_array(const struct tokens *t, size_t at, struct array *out, struct arena *a)
{
    *out = (struct array){.is_tensor = str_ends(t->at[at].text, STR("tensor"))};
    at = read_lists(t, at + 2, out, a);
    while (is_mark(t, at, ',')) {
        if (is_word(t, at + 1, "dtype") && is_mark(t, at + 2, '=') && at + 3 < t->n) {
            out->dtype = t->at[at + 3].text;
            if (str_starts(out->dtype, STR("torch.")))
                out->dtype = str_sub(out->dtype, 6, out->dtype.n);
            at += 4;
        } else if (is_word(t, at + 1, "size") && is_mark(t, at + 2, '=')) {
            at = read_size(t, at + 3, out);
        } else {
            at = skip_value(t, at + 1);
        }
    }
    if (!is_mark(t, at, ')'))
        out->is_broken = true;
    return at + 1;
}

/* Items ----------------------------------------------------------------------------------------*/

void printed__items(struct str text, struct arena *a, struct items *out)
{
    struct tokens t = {0};
    read_tokens(text, a, &t);
    for (size_t at = 0; at < t.n;) {
        struct item i = {0};
        if (is_word(&t, at, "Parameter") && is_word(&t, at + 1, "containing") &&
            is_mark(&t, at + 2, ':')) {
            at += 3;
            continue;
        }
        if (opens_array(&t, at)) {
            i.is_array = true;
            at = read_array(&t, at, &i.array, a);
            out->is_elided = out->is_elided || i.array.is_elided;
        } else {
            i.token = t.at[at++];
            out->is_elided = out->is_elided || (i.token.kind == TOKEN_MARK && i.token.text.n == 3);
        }
        vec_push(out, a, i);
    }
}
