/* Decides which part of a key's text means what to a campaign. Knows the order of the fields, and
 * nothing of how they come about. */
#include "hunt/key_p.h"

/* Fields of a wrong result's key. */
enum { FIELD_CULPRIT = 4, FIELD_KIND = 7 };

bool key__is_steady(struct str key)
{
    return !str_starts(key, STR("resource|")) && str_find(key, STR("|nondeterminism|")) == key.n;
}

struct str key__kin(struct str key, struct arena *a)
{
    struct strbuf out = {0};
    struct str rest = key, field;
    bool is_wrong = str_starts(key, STR("wrong-result|"));
    for (int i = 0; str_split(&rest, '|', &field); i++) {
        char end = i == FIELD_CULPRIT ? '<' : i == FIELD_KIND ? ' ' : 0;
        strbuf_addstr(&out, is_wrong && end ? str_sub(field, 0, str_find_byte(field, end)) : field);
        strbuf_addc(&out, '|');
    }
    struct str kin = strbuf_dup(&out, a);
    strbuf_done(&out);
    return kin;
}
