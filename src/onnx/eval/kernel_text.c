/*
 * StringConcat, StringSplit, StringNormalizer: strings are bytes of UTF-8.
 *
 * White space is that of ASCII. Changing the case of letters beyond ASCII is refused: it depends on
 * a locale, which the standard leaves to the implementation.
 */
#include <string.h>

#include "onnx/eval/kernel_p.h"

/* StringConcat: X, Y -> broadcast, each X before its Y. */
bool kernel__string_concat(struct kernel *k, struct err *e)
{
    struct kernel_shape s;
    struct walk w;
    if (!kernel__broadcast(k, 0, 2, &s, e) ||
        !kernel__output(k, 0, DTYPE_STRING, s.rank, s.dims, e))
        return false;
    walk__open(&w, k->out[0].dims, k->out[0].rank);
    for (uint32_t i = 0; i < 2; i++)
        walk__broadcast(&w, k->in[i]->dims, k->in[i]->rank);
    while (walk__next(&w))
        for (size_t i = 0; i < w.n_inner; i++) {
            struct str a = k->in[0]->s[w.at[0] + (ptrdiff_t)i * w.step[0]];
            struct str b = k->in[1]->s[w.at[1] + (ptrdiff_t)i * w.step[1]];
            k->to[0].s[w.out + i] =
                str_of(arena_printf(k->a, STR_FMT STR_FMT, STR_ARG(a), STR_ARG(b)));
        }
    kernel__broadcast_taint(k, 0, 0, 2);
    return true;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct pieces {
    VEC(struct str) at;
};

static void split_at_spaces(struct str s, int64_t most, struct pieces *out, struct arena *a)
{
    for (;;) {
        s = str_trim(s);
        if (!s.n)
            return;
        size_t end = 0;
        while (end < s.n && !is_space(s.at[end]))
            end++;
        if ((int64_t)out->at.n == most)
            end = s.n;
        vec_push(&out->at, a, str_sub(s, 0, end));
        s = str_sub(s, end, s.n);
    }
}

static void split_at_text(struct str s, struct str by, int64_t most, struct pieces *out,
                          struct arena *a)
{
    for (;;) {
        size_t at = (int64_t)out->at.n == most ? s.n : str_find(s, by);
        vec_push(&out->at, a, str_sub(s, 0, at));
        if (at == s.n)
            return;
        s = str_sub(s, at + by.n, s.n);
    }
}

/* StringSplit: X -> pieces (X, most), padded with empty ones; their counts (X). */
bool kernel__string_split(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    struct str by = node_string(k->n, "delimiter", STR(""));
    int64_t most = node_int(k->n, "maxsplit", INT64_MAX), widest = 0;
    int64_t dims[TENSOR_RANK_MAX + 1];
    struct pieces *all = arena_new_array(k->scratch, struct pieces, x->n);
    if (kernel__is_tainted(x) || most < 0)
        return err_set(e, ERR_UNSUPPORTED, "undefined elements, or maxsplit %lld", (long long)most);
    for (size_t i = 0; i < x->n; i++) {
        if (by.n)
            split_at_text(x->s[i], by, most, &all[i], k->scratch);
        else
            split_at_spaces(x->s[i], most, &all[i], k->scratch);
        widest = MAX(widest, (int64_t)all[i].at.n);
    }
    memcpy(dims, x->dims, x->rank * sizeof *dims);
    dims[x->rank] = widest;
    if (!kernel__output(k, 0, DTYPE_STRING, x->rank + 1, dims, e) ||
        !kernel__output(k, 1, DTYPE_INT64, x->rank, x->dims, e))
        return false;
    for (size_t i = 0; i < k->out[0].n; i++)
        k->to[0].s[i] = STR("");
    for (size_t i = 0; i < x->n; i++) {
        k->to[1].i[i] = (int64_t)all[i].at.n;
        if (!x->s[i].n && by.n) /* one empty piece, or none: the standard does not say */
            kernel__undefined(k, 1)[i] = 1;
        for (size_t j = 0; j < all[i].at.n; j++)
            k->to[0].s[i * (size_t)widest + j] = all[i].at.at[j];
    }
    return true;
}

enum case_change { CASE_NONE, CASE_LOWER, CASE_UPPER };

static struct str change_case(struct str s, enum case_change to, struct arena *a)
{
    char *at = str_dup(a, s);
    for (size_t i = 0; i < s.n; i++) {
        bool is_upper = at[i] >= 'A' && at[i] <= 'Z', is_lower = at[i] >= 'a' && at[i] <= 'z';
        if ((to == CASE_LOWER && is_upper) || (to == CASE_UPPER && is_lower))
            at[i] ^= 0x20;
    }
    return (struct str){at, s.n};
}

static bool is_ascii(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.at[i] & 0x80)
            return false;
    return true;
}

struct stopwords {
    const struct attr *words; /* NULL: none */
    bool is_case_sensitive;
};

static bool is_stopword(const struct stopwords *w, struct str s, struct arena *a)
{
    for (size_t i = 0; w->words && i < w->words->n; i++) {
        struct str word = w->words->strings[i];
        if (str_eq(word, s) || (!w->is_case_sensitive && str_eq(change_case(word, CASE_LOWER, a),
                                                                change_case(s, CASE_LOWER, a))))
            return true;
    }
    return false;
}

static bool read_case(const struct kernel *k, enum case_change *out, struct err *e)
{
    struct str action = node_string(k->n, "case_change_action", STR("NONE"));
    *out = str_is(action, "LOWER") ? CASE_LOWER : str_is(action, "UPPER") ? CASE_UPPER : CASE_NONE;
    return *out != CASE_NONE || str_is(action, "NONE") ||
           err_set(e, ERR_DATA, "case_change_action is '" STR_FMT "'", STR_ARG(action));
}

/* StringNormalizer: X (C) or (1, C) -> the strings that are no stop words, in the wanted case; one
 * empty string when none is left. */
bool kernel__string_normalizer(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    struct stopwords words = {node_attr(k->n, "stopwords"), node_int(k->n, "is_case_sensitive", 0)};
    enum case_change change;
    VEC(struct str) left = {0};
    if (!read_case(k, &change, e))
        return false;
    if ((x->rank != 1 && (x->rank != 2 || x->dims[0] != 1)) ||
        (words.words && words.words->kind != ATTR_STRINGS))
        return err_set(e, ERR_DATA, "X is not (C) or (1, C), or stopwords are no strings");
    if (kernel__is_tainted(x))
        return err_set(e, ERR_UNSUPPORTED, "undefined elements");
    bool needs_ascii = change != CASE_NONE || (words.words && !words.is_case_sensitive);
    for (size_t i = 0; i < x->n; i++) {
        if (needs_ascii && !is_ascii(x->s[i]))
            return err_set(e, ERR_UNSUPPORTED, "the case of letters beyond ASCII is the locale's");
        if (!is_stopword(&words, x->s[i], k->scratch))
            vec_push(&left, k->scratch, change_case(x->s[i], change, k->a));
    }
    if (!left.n)
        vec_push(&left, k->scratch, STR(""));
    int64_t dims[] = {1, 1};
    dims[x->rank - 1] = (int64_t)left.n;
    if (!kernel__output(k, 0, DTYPE_STRING, x->rank, dims, e))
        return false;
    memcpy(k->to[0].s, left.at, left.n * sizeof *left.at);
    return true;
}
