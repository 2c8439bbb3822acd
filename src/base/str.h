/*
 * struct str: borrowed bytes, not NUL-terminated. struct strbuf: a text being built.
 *
 *     struct str s = STR("Conv");                       // from a literal
 *     if (str_eq(op, s)) ...
 *     printf(STR_FMT "\n", STR_ARG(s));
 *
 *     struct strbuf b = {0};
 *     strbuf_printf(&b, "%d nodes", n);
 *     char *text = strbuf_take(&b);           // NUL-terminated, caller's; b is empty again
 *
 * A str never owns. A strbuf owns heap memory until strbuf_done or strbuf_take; its bytes are
 * always followed by a NUL that is not counted.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

struct str {
    const char *at;
    size_t n;
};

#define STR(literal) ((struct str){("" literal), sizeof(literal) - 1})
#define STR_FMT "%.*s"
#define STR_ARG(s) ((int)(s).n), (s).at

/* The str of a NUL-terminated string; NULL gives the empty str. */
struct str str_of(const char *s);

static inline bool str_eq(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, a.n) == 0);
}

/* Equal to a NUL-terminated string? Most names of a table differ in the first byte. */
static inline bool str_is(struct str a, const char *b)
{
    if (a.n == 0)
        return *b == '\0';
    return *a.at == *b && strlen(b) == a.n && memcmp(a.at, b, a.n) == 0;
}

int str_cmp(struct str a, struct str b);          /* by bytes, as strcmp */
bool str_starts(struct str s, struct str prefix); /* s begins with prefix */
bool str_ends(struct str s, struct str suffix);
size_t str_find(struct str s, struct str what);           /* offset, or s.n when absent */
size_t str_find_byte(struct str s, char c);               /* offset, or s.n when absent */
struct str str_sub(struct str s, size_t from, size_t to); /* clamped to s */
struct str str_trim(struct str s); /* without ASCII white space at both ends */

/* Does s match the pattern? "*" matches any text, also none; other characters match themselves.
 * any_case: capital letters of s count as small ones. */
bool str_like(struct str s, struct str pattern, bool any_case);

static inline bool str_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* An ASCII letter, a digit or '_'. */
static inline bool str_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || str_is_digit(c) || c == '_';
}

/* Takes the part before sep from *rest, which then begins after sep. The last part sets rest->at to
 * NULL; false: it is NULL. "a,,b" gives "a", "", "b"; "a," gives "a", ""; "" gives "". */
bool str_split(struct str *rest, char sep, struct str *part);

/* Is `part` one of the parts into which sep divides the text? */
bool str_has_part(struct str text, char sep, struct str part);

/* The whole text as a number. false: it has blanks or other text, or is out of range. */
bool str_to_i64(struct str s, int64_t *out);
bool str_to_u64(struct str s, uint64_t *out);
bool str_to_double(struct str s, double *out); /* as strtod in the C locale; inf and nan accepted */

/* NUL-terminated copy in the arena. */
char *str_dup(struct arena *a, struct str s);

/* The candidate with the smallest edit distance to s, for "did you mean"; NULL: more than a third
 * of the letters differ in all. */
const char *str_nearest(struct str s, const char *const *candidates, size_t n_candidates);

/* The tail of a message about an unknown name, in the arena: ", did you mean "hunt"?", or if no
 * name is near the whole list: "; known are a, b, c". */
const char *str_known(struct str s, const char *const *known, size_t n_known, struct arena *a);

struct strbuf {
    char *at;
    size_t n, cap;
};

void strbuf_done(struct strbuf *b);
void strbuf_clear(struct strbuf *b); /* keeps the memory */
void strbuf_add(struct strbuf *b, const void *bytes, size_t n);
void strbuf_addc(struct strbuf *b, char c);
void strbuf_adds(struct strbuf *b, const char *s);
void strbuf_addstr(struct strbuf *b, struct str s);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list args) PRINTF_LIKE(2, 0);

/* Adds a text from outside, for one line of a terminal: control characters and those that change
 * the direction of writing become \n, \x1b, \u202e. Backslashes stay, since the line is not parsed.
 */
void strbuf_add_line(struct strbuf *b, struct str s);

/* Adds a number for people: "12,345,678". */
void strbuf_add_grouped(struct strbuf *b, uint64_t n);

char *strbuf_take(struct strbuf *b); /* heap, NUL-terminated; free() it */
struct str strbuf_str(const struct strbuf *b);
struct str strbuf_dup(const struct strbuf *b, struct arena *a); /* NUL-terminated too */

#endif
