/*
 * Decides whether printed output agrees with the document. Must not know frameworks beyond the
 * words that open an array. Invariant: text that is not understood is compared word by word, and
 * never counts as a wrong value.
 */
#include "documents/printed_p.h"

#include <math.h>

#include "base/vec.h"

#define NOISE 5e-5
#define ROUNDING 1e-6  /* relative, of float32: allowed however many digits are printed */
#define EPSILON 1.2e-7 /* of float32: what an element may lose beside the largest of its array */

/* most: the largest magnitude beside the numbers; 0: they stand alone. */
static bool numbers_agree(const struct token *x, const struct token *y, double most, double slack)
{
    double tolerance = fmax(slack * fmax(x->tolerance, y->tolerance), ROUNDING * fabs(x->value));
    tolerance = fmax(tolerance, EPSILON * most);
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

/* The dtype, or "" if it is a default that need not be printed: torch's, and for other frameworks
 * also those of their back ends. */
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

/* The largest finite magnitude of an array of reals; 0 of others. */
static double largest(const struct array *x)
{
    double most = 0;
    for (size_t i = 0; i < x->n; i++)
        if (x->numbers[i].is_real && isfinite(x->numbers[i].value))
            most = fmax(most, fabs(x->numbers[i].value));
    return most;
}

/* An empty array prints no number to infer a dtype from, and noise (a printed rounding error) has
 * any dtype. */
static bool same_dtype(const struct array *x, const struct array *y)
{
    if (x->element == ELEMENT_NONE || y->element == ELEMENT_NONE)
        return !x->dtype.n || !y->dtype.n || str_eq(x->dtype, y->dtype);
    if (is_noise(x) && is_noise(y))
        return true;
    return x->element == y->element && str_eq(told_dtype(x), told_dtype(y));
}

/* What a comparison allows, and where its message goes. */
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
    double most = largest(x);
    for (size_t i = 0; i < MIN(x->n, y->n); i++)
        if (!numbers_agree(&x->numbers[i], &y->numbers[i], most, how->slack)) {
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
        if (x->is_imaginary == y->is_imaginary && numbers_agree(x, y, 0, how->slack))
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

/* Compares item by item; both rows have the same form. */
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

static size_t blanks_at(struct str s, size_t at)
{
    size_t n = at;
    while (n < s.n && strchr(" \n", s.at[n]))
        n++;
    return n - at;
}

/* Equal, however many blanks and line ends stand where both have one. */
static bool same_text(struct str x, struct str y)
{
    size_t i = 0, k = 0;
    while (i < x.n && k < y.n) {
        size_t n = blanks_at(x, i), m = blanks_at(y, k);
        if ((n > 0) != (m > 0) || (!n && x.at[i] != y.at[k]))
            return false;
        i += MAX(n, (size_t)1);
        k += MAX(m, (size_t)1);
    }
    return i == x.n && k == y.n;
}

enum agreement printed_compare(struct str documented, struct str printed, double slack,
                               struct arena *a, struct str *detail)
{
    struct items x = {0}, y = {0};
    const struct comparing allowed = {slack, a};
    *detail = (struct str){0};
    if (same_text(str_trim(documented), str_trim(printed)))
        return AGREEMENT_EQUAL;
    printed__items(documented, a, &x);
    printed__items(printed, a, &y);
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

/* shift: units of the last digit, added and subtracted alternately. */
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
    printed__items(text, a, &items);
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
