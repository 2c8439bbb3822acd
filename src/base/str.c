/* Byte runs and text building. Knows nothing of encodings but ASCII white space. */
#include "base/str.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct str str_of(const char *s)
{
    return (struct str){s ? s : "", s ? strlen(s) : 0};
}

int str_cmp(struct str a, struct str b)
{
    size_t n = MIN(a.n, b.n);
    int c = n ? memcmp(a.at, b.at, n) : 0;
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

bool str_starts(struct str s, struct str prefix)
{
    return s.n >= prefix.n && str_eq((struct str){s.at, prefix.n}, prefix);
}

/* When the text after a "*" does not match, the "*" takes one character more. */
bool str_like(struct str s, struct str pattern, bool any_case)
{
    size_t p = 0, t = 0, star = SIZE_MAX, mark = 0;
    while (t < s.n) {
        char c = any_case && s.at[t] >= 'A' && s.at[t] <= 'Z' ? (char)(s.at[t] + 32) : s.at[t];
        if (p < pattern.n && pattern.at[p] == '*') {
            star = p++;
            mark = t;
        } else if (p < pattern.n && pattern.at[p] == c) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.n && pattern.at[p] == '*')
        p++;
    return p == pattern.n;
}

bool str_ends(struct str s, struct str suffix)
{
    return s.n >= suffix.n && str_eq(str_sub(s, s.n - suffix.n, s.n), suffix);
}

size_t str_find(struct str s, struct str what)
{
    if (what.n == 0)
        return 0;
    for (size_t i = 0; i + what.n <= s.n; i++) {
        const char *hit = memchr(s.at + i, what.at[0], s.n - what.n - i + 1);
        if (!hit)
            break;
        i = (size_t)(hit - s.at);
        if (memcmp(hit, what.at, what.n) == 0)
            return i;
    }
    return s.n;
}

size_t str_find_byte(struct str s, char c)
{
    const char *hit = s.n ? memchr(s.at, c, s.n) : NULL;
    return hit ? (size_t)(hit - s.at) : s.n;
}

struct str str_sub(struct str s, size_t from, size_t to)
{
    to = MIN(to, s.n);
    from = MIN(from, to);
    return (struct str){s.at + from, to - from};
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str str_trim(struct str s)
{
    while (s.n && is_blank(s.at[0]))
        s.at++, s.n--;
    while (s.n && is_blank(s.at[s.n - 1]))
        s.n--;
    return s;
}

bool str_split(struct str *rest, char sep, struct str *part)
{
    if (!rest->at)
        return false;
    size_t at = str_find_byte(*rest, sep);
    *part = str_sub(*rest, 0, at);
    *rest = at < rest->n ? str_sub(*rest, at + 1, rest->n) : (struct str){NULL, 0};
    return true;
}

bool str_has_part(struct str text, char sep, struct str part)
{
    struct str rest = text, x;
    while (str_split(&rest, sep, &x))
        if (str_eq(x, part))
            return true;
    return false;
}

/* The strto* functions need a NUL, so texts are copied; longer ones count as no numbers. */
enum { NUMBER_MAX = 64 };

static bool number_text(struct str s, char text[static NUMBER_MAX])
{
    if (s.n == 0 || s.n >= NUMBER_MAX || is_blank(s.at[0]))
        return false;
    memcpy(text, s.at, s.n);
    text[s.n] = '\0';
    return true;
}

bool str_to_i64(struct str s, int64_t *out)
{
    char text[NUMBER_MAX], *end;
    if (!number_text(s, text))
        return false;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return errno == 0 && end == text + s.n;
}

bool str_to_u64(struct str s, uint64_t *out)
{
    char text[NUMBER_MAX], *end;
    if (!number_text(s, text) || text[0] == '-')
        return false;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return errno == 0 && end == text + s.n;
}

bool str_to_double(struct str s, double *out)
{
    char text[NUMBER_MAX], *end;
    if (!number_text(s, text))
        return false;
    errno = 0;
    *out = strtod(text, &end);
    return end == text + s.n && !(errno == ERANGE && fabs(*out) > 1.0);
}

char *str_dup(struct arena *a, struct str s)
{
    char *copy = arena_alloc(a, s.n + 1);
    if (s.n)
        memcpy(copy, s.at, s.n);
    return copy;
}

enum { NAME_MAX_LEN = 64 };

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The least number of changes, insertions, removals and swaps of neighbours (optimal string
 * alignment), in three rows. Case is ignored. SIZE_MAX: `a` is too long. */
static size_t edit_distance(struct str a, struct str b)
{
    size_t rows[3][NAME_MAX_LEN];
    if (a.n >= NAME_MAX_LEN)
        return SIZE_MAX;
    for (size_t i = 0; i <= a.n; i++)
        rows[0][i] = i;
    for (size_t j = 1; j <= b.n; j++) {
        size_t *now = rows[j % 3], *last = rows[(j + 2) % 3];
        const size_t *before = rows[(j + 1) % 3];
        now[0] = j;
        for (size_t i = 1; i <= a.n; i++) {
            size_t change = last[i - 1] + !same_letter(a.at[i - 1], b.at[j - 1]);
            now[i] = MIN(change, MIN(last[i], now[i - 1]) + 1);
            if (i > 1 && j > 1 && same_letter(a.at[i - 1], b.at[j - 2]) &&
                same_letter(a.at[i - 2], b.at[j - 1]))
                now[i] = MIN(now[i], before[i - 2] + 1);
        }
    }
    return rows[b.n % 3][a.n];
}

const char *str_nearest(struct str s, const char *const *candidates, size_t n_candidates)
{
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;
    for (size_t i = 0; i < n_candidates; i++) {
        struct str c = str_of(candidates[i]);
        size_t d = edit_distance(s, c);
        if (d < best_distance && d * 3 <= MAX(c.n, s.n)) {
            best = candidates[i];
            best_distance = d;
        }
    }
    return best;
}

const char *str_known(struct str s, const char *const *known, size_t n_known, struct arena *a)
{
    const char *near = str_nearest(s, known, n_known);
    struct strbuf text = {0};
    if (near)
        strbuf_printf(&text, ", did you mean \"%s\"?", near);
    for (size_t i = 0; !near && i < n_known; i++)
        strbuf_printf(&text, "%s%s", i ? ", " : "; known are ", known[i]);
    struct str copy = strbuf_dup(&text, a);
    strbuf_done(&text);
    return copy.at;
}

static void reserve(struct strbuf *b, size_t more)
{
    if (more > SIZE_MAX - b->n - 1)
        mem_exhausted(more);
    size_t wanted = b->n + more + 1;
    if (wanted <= b->cap)
        return;
    b->cap = MAX(wanted, b->cap ? b->cap * 2 : 64);
    b->at = mem_realloc(b->at, b->cap);
}

void strbuf_done(struct strbuf *b)
{
    free(b->at);
    *b = (struct strbuf){0};
}

void strbuf_clear(struct strbuf *b)
{
    b->n = 0;
    if (b->at)
        b->at[0] = '\0';
}

void strbuf_add(struct strbuf *b, const void *bytes, size_t n)
{
    reserve(b, n);
    if (n)
        memcpy(b->at + b->n, bytes, n);
    b->n += n;
    b->at[b->n] = '\0';
}

void strbuf_addc(struct strbuf *b, char c)
{
    strbuf_add(b, &c, 1);
}

void strbuf_adds(struct strbuf *b, const char *s)
{
    strbuf_add(b, s, strlen(s));
}

void strbuf_addstr(struct strbuf *b, struct str s)
{
    strbuf_add(b, s.at, s.n);
}

void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    reserve(b, 64);
    int n = vsnprintf(b->at + b->n, b->cap - b->n, fmt, args);
    if ((size_t)n >= b->cap - b->n) {
        reserve(b, (size_t)n);
        vsnprintf(b->at + b->n, b->cap - b->n, fmt, again);
    }
    va_end(again);
    b->n += (size_t)n;
}

void strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    strbuf_vprintf(b, fmt, args);
    va_end(args);
}

/* The length of a control character at the start of s on which a terminal would act; 0: none. */
static size_t control_length(struct str s, unsigned *code)
{
    const unsigned char *c = (const unsigned char *)s.at;
    *code = c[0];
    if (c[0] < 0x20 || c[0] == 0x7f)
        return 1;
    if (s.n >= 2 && c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) { /* C1: U+0080 to U+009F */
        *code = c[1];
        return 2;
    }
    if (s.n < 3 || c[0] != 0xe2 || (c[1] != 0x80 && c[1] != 0x81))
        return 0;
    *code = 0x2000u + (c[1] & 1u) * 0x40u + (c[2] & 0x3fu);
    bool turns = (*code >= 0x2028 && *code <= 0x202e) || (*code >= 0x2066 && *code <= 0x2069);
    return turns ? 3 : 0;
}

void strbuf_add_line(struct strbuf *b, struct str s)
{
    for (size_t i = 0; i < s.n;) {
        unsigned code;
        size_t n = control_length(str_sub(s, i, s.n), &code);
        if (n == 0)
            strbuf_addc(b, s.at[i]);
        else if (code == '\n')
            strbuf_adds(b, "\\n");
        else
            strbuf_printf(b, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
        i += MAX(n, (size_t)1);
    }
}

void strbuf_add_grouped(struct strbuf *b, uint64_t n)
{
    char digits[24];
    int n_digits = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    for (int i = 0; i < n_digits; i++) {
        if (i && (n_digits - i) % 3 == 0)
            strbuf_addc(b, ',');
        strbuf_addc(b, digits[i]);
    }
}

char *strbuf_take(struct strbuf *b)
{
    reserve(b, 0);
    b->at[b->n] = '\0';
    char *text = b->at;
    *b = (struct strbuf){0};
    return text;
}

struct str strbuf_str(const struct strbuf *b)
{
    return (struct str){b->at ? b->at : "", b->n};
}

struct str strbuf_dup(const struct strbuf *b, struct arena *a)
{
    return (struct str){str_dup(a, strbuf_str(b)), b->n};
}
