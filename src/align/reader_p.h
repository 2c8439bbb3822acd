/*
 * struct reader: a position in the text of a call or an adapter that is being read.
 *
 *     struct reader r = {.what = "call", .blanks = " ", .text = text, .a = arena, .e = e};
 *     if (reader__peek(&r) == '(') ...
 *     return reader__fail(&r, "a number");      // call "f[2", byte 3: a number is expected
 */
#ifndef ALIGN_READER_P_H
#define ALIGN_READER_P_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct reader {
    const char *what;   /* for messages: "call" */
    const char *blanks; /* bytes that are skipped */
    struct str text;
    size_t at;
    unsigned depth;
    struct arena *a;
    struct err *e;
};

/* The next byte that is no blank; '\0' at the end. */
char reader__peek(struct reader *r);

/* Skips `c` if it is next; false: it is not. */
bool reader__take(struct reader *r, char c);

/* Takes letters, digits and underscores from here on; may be empty. */
struct str reader__name(struct reader *r);
bool reader__is_name_byte(char c);

/* Sets ERR_DATA with the text, the position and what is expected; always false. */
bool reader__fail(struct reader *r, const char *expected);

#endif
