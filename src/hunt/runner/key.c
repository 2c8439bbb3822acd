/* Decides which part of a key's text means what to a campaign. Knows the order of the fields, and
 * nothing of how they come about. */
#include "hunt/runner/key.h"

/* Fields of a wrong result's key. The culprit of the others is their last field. */
enum { FIELD_CULPRIT = 4, FIELD_KIND = 7 };

bool key_is_steady(struct str key)
{
    return !str_starts(key, STR("resource|")) && str_find(key, STR("|nondeterminism|")) == key.n;
}

static const char doubt[] = "|needs-second-opinion";

struct str key_put_in_doubt(struct str key, struct arena *a)
{
    return str_of(arena_printf(a, STR_FMT "%s", STR_ARG(key), doubt));
}

struct str key_without_doubt(struct str key)
{
    size_t n = sizeof doubt - 1;
    return str_ends(key, str_of(doubt)) ? str_sub(key, 0, key.n - n) : key;
}

struct str key_coarse(struct str key, struct arena *a)
{
    struct strbuf out = {0};
    struct str rest = key, field;
    if (!str_starts(key, STR("wrong-result|"))) {
        size_t culprit = key.n;
        while (culprit > 0 && key.at[culprit - 1] != '|')
            culprit--;
        size_t n = str_find_byte(str_sub(key, culprit, key.n), '<');
        return (struct str){str_dup(a, str_sub(key, 0, culprit + n)), culprit + n};
    }
    for (int i = 0; str_split(&rest, '|', &field); i++) {
        char end = i == FIELD_CULPRIT ? '<' : i == FIELD_KIND ? ' ' : 0;
        strbuf_addstr(&out, end ? str_sub(field, 0, str_find_byte(field, end)) : field);
        strbuf_addc(&out, '|');
    }
    struct str coarse = strbuf_dup(&out, a);
    strbuf_done(&out);
    return coarse;
}
