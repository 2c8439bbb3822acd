/* Moves through the text of a call or an adapter. Must not know what either is made of. */
#include "align/reader_p.h"

#include <ctype.h>
#include <string.h>

enum { SHOWN_MAX = 200 }; /* bytes of the text in a message */

char reader__peek(struct reader *r)
{
    while (r->at < r->text.n && r->text.at[r->at] && strchr(r->blanks, r->text.at[r->at]))
        r->at++;
    return r->at < r->text.n ? r->text.at[r->at] : '\0';
}

bool reader__take(struct reader *r, char c)
{
    bool found = reader__peek(r) == c;
    r->at += found;
    return found;
}

bool reader__is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

struct str reader__name(struct reader *r)
{
    size_t from = r->at;
    while (r->at < r->text.n && reader__is_name_byte(r->text.at[r->at]))
        r->at++;
    return str_sub(r->text, from, r->at);
}

bool reader__fail(struct reader *r, const char *expected)
{
    return err_set(r->e, ERR_DATA, "%s \"" STR_FMT "\", byte %zu: %s is expected", r->what,
                   STR_ARG(str_sub(r->text, 0, SHOWN_MAX)), r->at, expected);
}
