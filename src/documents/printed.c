/*
 * Decides when printed output is what the document shows. Must not know frameworks beyond the words
 * that open an array. Invariant: text that is not understood is compared word by word, and never
 * counts as a wrong value.
 */
#include "documents/printed.h"

#include <math.h>

#include "base/vec.h"

enum { DIMS_MAX = 16, FINE_DECIMALS = 3 };

#define NOISE 5e-5
#define ROUNDING 1e-6        /* relative: of float32, whatever is printed */
#define WHOLE_TOLERANCE 1e-4 /* "1.": with a fraction it would be printed in four decimals */

enum token_kind { TOKEN_NUMBER, TOKEN_WORD, TOKEN_STRING, TOKEN_MARK };

struct token {
    enum token_kind kind;
    struct str text;
    double value;     /* of a NUMBER */
    double unit;      /* of its last digit; 0: a whole number */
    double tolerance; /* half a unit; a whole one of fine digits, which another machine may round
                         the other way */
    bool is_real, is_imaginary;
};

struct tokens {
    struct token *at;
    size_t n, cap;
};

enum element { ELEMENT_NONE, ELEMENT_BOOL, ELEMENT_INT, ELEMENT_REAL, ELEMENT_COMPLEX };

struct array {
    size_t dims[DIMS_MAX];
    unsigned rank;
    const struct token *numbers;
    size_t n;
    enum element element;
    struct str dtype; /* "": the default one of its elements */
    bool is_tensor;   /* "tensor(": of torch, whose defaults are known */
    bool is_elided, is_broken;
};

struct item {
    bool is_array;
    struct token token;
    struct array array;
};

struct items {
    struct item *at;
    size_t n, cap;
    bool is_elided;
};

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

/* Bytes of a number at the place; its value and tolerance. */
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

/* Nested lists from `at`; where they end. Sizes that differ from list to list break the array. */
static size_t read_lists(const struct tokens *t, size_t at, struct array *out, struct arena *a)
{
    size_t counts[DIMS_MAX] = {0};
    bool known[DIMS_MAX] = {false};
    struct tokens numbers = {0};
    unsigned depth = 0;
    do {
        if (is_mark(t, at, '[')) {
            if (depth)
                counts[depth - 1]++;
            if (depth == DIMS_MAX)
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

/* "size=(0, 3)" of an empty array. */
static size_t read_size(const struct tokens *t, size_t at, struct array *out)
{
    if (!is_mark(t, at, '('))
        return at;
    out->rank = 0;
    for (at++; at < t->n && !is_mark(t, at, ')'); at++)
        if (t->at[at].kind == TOKEN_NUMBER && out->rank < DIMS_MAX)
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

/* "tensor([...], dtype=..., grad_fn=...)" from its word on; where it ends. */
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

static void read_items(struct str text, struct arena *a, struct items *out)
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

static bool numbers_agree(const struct token *x, const struct token *y, double slack)
{
    double tolerance = fmax(slack * fmax(x->tolerance, y->tolerance), ROUNDING * fabs(x->value));
    if (isnan(x->value) || isnan(y->value))
        return isnan(x->value) && isnan(y->value);
    if (isinf(x->value) || isinf(y->value))
        return x->value == y->value;
    if (fabs(x->value) < NOISE && fabs(y->value) < NOISE)
        return true;
    if (!x->is_real && !y->is_real)
        return x->value == y->value;
    return fabs(x->value - y->value) <= tolerance;
}

static char *shape_text(const struct array *x, struct arena *a)
{
    struct strbuf b = {0};
    strbuf_addc(&b, '(');
    for (unsigned i = 0; i < x->rank; i++)
        strbuf_printf(&b, "%s%zu", i ? ", " : "", x->dims[i]);
    strbuf_adds(&b, x->rank == 1 ? ",)" : ")");
    char *text = str_dup(a, strbuf_str(&b));
    strbuf_done(&b);
    return text;
}

static bool same_shape(const struct array *x, const struct array *y)
{
    return x->rank == y->rank && memcmp(x->dims, y->dims, x->rank * sizeof x->dims[0]) == 0;
}

static const char *dtype_text(const struct array *x, struct arena *a)
{
    static const char *const kinds[] = {"none", "bool", "integers", "reals", "complex numbers"};
    return x->dtype.n ? str_dup(a, x->dtype) : kinds[x->element];
}

/* "" for a type that may be left out, for it follows from the elements: with other frameworks than
 * torch that of their back end. */
static struct str told_dtype(const struct array *x)
{
    static const char *const usual[] = {"", "bool", "int64", "float32", "complex64"};
    static const char *const others[] = {"", "bool", "int32", "float64", "complex128"};
    bool left_out = str_is(x->dtype, usual[x->element]) ||
                    (!x->is_tensor && str_is(x->dtype, others[x->element]));
    return left_out ? STR("") : x->dtype;
}

static bool is_noise(const struct array *x)
{
    for (size_t i = 0; i < x->n; i++)
        if (!(fabs(x->numbers[i].value) < NOISE) || !x->numbers[i].is_real)
            return false;
    return x->n > 0;
}

/* An array without elements prints no number that would tell its type; an error that is printed is
 * noise, whatever its type. */
static bool same_dtype(const struct array *x, const struct array *y)
{
    if (x->element == ELEMENT_NONE || y->element == ELEMENT_NONE)
        return !x->dtype.n || !y->dtype.n || str_eq(x->dtype, y->dtype);
    if (is_noise(x) && is_noise(y))
        return true;
    return x->element == y->element && str_eq(told_dtype(x), told_dtype(y));
}

/* What a comparison allows, where its words go. */
struct comparing {
    double slack;
    struct arena *a;
};

static enum agreement compare_arrays(const struct array *x, const struct array *y,
                                     const struct comparing *how, struct str *detail)
{
    struct arena *a = how->a;
    if (x->is_elided || y->is_elided)
        return AGREEMENT_ELIDED;
    if (x->is_broken || y->is_broken)
        return AGREEMENT_TEXT;
    if (!same_shape(x, y)) {
        *detail = str_of(arena_printf(a, "shape %s is documented, %s is printed", shape_text(x, a),
                                      shape_text(y, a)));
        return AGREEMENT_SHAPE;
    }
    if (!same_dtype(x, y)) {
        *detail = str_of(arena_printf(a, "dtype %s is documented, %s is printed", dtype_text(x, a),
                                      dtype_text(y, a)));
        return AGREEMENT_DTYPE;
    }
    for (size_t i = 0; i < MIN(x->n, y->n); i++)
        if (!numbers_agree(&x->numbers[i], &y->numbers[i], how->slack)) {
            *detail = str_of(
                arena_printf(a, "element %zu: " STR_FMT " is documented, " STR_FMT " is printed", i,
                             STR_ARG(x->numbers[i].text), STR_ARG(y->numbers[i].text)));
            return AGREEMENT_VALUE;
        }
    return x->n == y->n ? AGREEMENT_EQUAL : AGREEMENT_TEXT;
}

static bool is_truth(const struct token *t)
{
    return t->kind == TOKEN_WORD && (str_is(t->text, "True") || str_is(t->text, "False"));
}

static enum agreement compare_tokens(const struct token *x, const struct token *y,
                                     const struct comparing *how, struct str *detail)
{
    struct arena *a = how->a;
    if (x->kind == TOKEN_NUMBER && y->kind == TOKEN_NUMBER) {
        if (x->is_imaginary == y->is_imaginary && numbers_agree(x, y, how->slack))
            return x->is_real == y->is_real ? AGREEMENT_EQUAL : AGREEMENT_REPR;
        *detail = str_of(arena_printf(a, STR_FMT " is documented, " STR_FMT " is printed",
                                      STR_ARG(x->text), STR_ARG(y->text)));
        return AGREEMENT_VALUE;
    }
    if (x->kind == y->kind && str_eq(x->text, y->text))
        return AGREEMENT_EQUAL;
    if (!is_truth(x) || !is_truth(y))
        return AGREEMENT_TEXT;
    *detail = str_of(arena_printf(a, STR_FMT " is documented, " STR_FMT " is printed",
                                  STR_ARG(x->text), STR_ARG(y->text)));
    return AGREEMENT_VALUE;
}

/* Item by item, both rows alike in form. */
static enum agreement compare_rows(const struct items *x, const struct items *y,
                                   const struct comparing *how, struct str *detail)
{
    enum agreement worst = AGREEMENT_EQUAL;
    if (x->n != y->n)
        return AGREEMENT_TEXT;
    for (size_t i = 0; i < x->n; i++) {
        struct str told = {0};
        enum agreement one;
        if (x->at[i].is_array != y->at[i].is_array)
            return AGREEMENT_TEXT;
        one = x->at[i].is_array ? compare_arrays(&x->at[i].array, &y->at[i].array, how, &told)
                                : compare_tokens(&x->at[i].token, &y->at[i].token, how, &told);
        if (one == AGREEMENT_TEXT)
            return AGREEMENT_TEXT;
        if (one > worst) {
            worst = one;
            *detail = told;
        }
    }
    return worst;
}

static void keep_arrays(const struct items *from, struct arena *a, struct items *out)
{
    for (size_t i = 0; i < from->n; i++)
        if (from->at[i].is_array)
            vec_push(out, a, from->at[i]);
}

static enum agreement compare_values(const struct items *x, const struct items *y,
                                     const struct comparing *how, struct str *detail)
{
    struct items xs = {0}, ys = {0};
    keep_arrays(x, how->a, &xs);
    keep_arrays(y, how->a, &ys);
    if (!xs.n || xs.n != ys.n)
        return AGREEMENT_TEXT;
    return MAX(compare_rows(&xs, &ys, how, detail), AGREEMENT_REPR);
}

enum agreement printed_compare(struct str documented, struct str printed, double slack,
                               struct arena *a, struct str *detail)
{
    struct items x = {0}, y = {0};
    const struct comparing allowed = {slack, a};
    *detail = (struct str){0};
    read_items(documented, a, &x);
    read_items(printed, a, &y);
    enum agreement how = compare_rows(&x, &y, &allowed, detail);
    if (how == AGREEMENT_TEXT)
        how = compare_values(&x, &y, &allowed, detail);
    if (how == AGREEMENT_TEXT && x.is_elided)
        how = AGREEMENT_ELIDED;
    return how;
}

const char *agreement_name(enum agreement how)
{
    static const char *const names[] = {
#define AGREEMENT(id, name, class, help) name,
#include "documents/agreement.def"
#undef AGREEMENT
    };
    return names[how];
}

static void put_element(const struct token *t, double shift, struct strbuf *b)
{
    if (t->kind == TOKEN_NUMBER && !isfinite(t->value))
        strbuf_adds(b, isnan(t->value) ? "1e999-1e999" : t->value > 0 ? "1e999" : "-1e999");
    else if (shift != 0 && t->unit > 0)
        strbuf_printf(b, "%.17g", t->value + shift * t->unit);
    else
        strbuf_addstr(b, t->text);
}

/* shift: units of the last digit, up and down in turn. */
static void put_literal(const struct array *x, unsigned depth, double shift, size_t *at,
                        struct strbuf *b)
{
    if (depth == x->rank) {
        put_element(&x->numbers[*at], *at % 2 ? -shift : shift, b);
        ++*at;
        return;
    }
    strbuf_addc(b, '[');
    for (size_t i = 0; i < x->dims[depth]; i++) {
        if (i)
            strbuf_adds(b, ", ");
        put_literal(x, depth + 1, shift, at, b);
    }
    strbuf_addc(b, ']');
}

static bool is_whole(const struct array *x)
{
    size_t wanted = 1;
    for (unsigned i = 0; i < x->rank; i++)
        wanted *= x->dims[i];
    return !x->is_broken && !x->is_elided && x->n == wanted && x->element != ELEMENT_COMPLEX;
}

bool printed_arrays(struct str text, size_t n, double shift, struct arena *a, struct str *literal)
{
    struct items items = {0}, arrays = {0};
    struct strbuf b = {0};
    read_items(text, a, &items);
    keep_arrays(&items, a, &arrays);
    if (arrays.n != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!is_whole(&arrays.at[i].array))
            return false;
    strbuf_addc(&b, '[');
    for (size_t i = 0; i < n; i++) {
        size_t at = 0;
        if (i)
            strbuf_adds(&b, ", ");
        put_literal(&arrays.at[i].array, 0, shift, &at, &b);
    }
    strbuf_addc(&b, ']');
    *literal = strbuf_dup(&b, a);
    strbuf_done(&b);
    return true;
}
