/*
 * What an error says about itself: does the engine lack something? Targets classify what they know
 * (OUTCOME_UNSUPPORTED); this reads the texts that engines write where they return a general error.
 * An operator's own "not supported" is believed: a false alarm is worse than a miss.
 */
#include "judge/judge_p.h"

static const char *const texts[] = {
#define UNSUPPORTED(text) text,
#include "judge/unsupported.def"
#undef UNSUPPORTED
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool contains(struct str s, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= s.n; i++) {
        size_t k = 0;
        while (k < n && lower(s.at[i + k]) == what[k])
            k++;
        if (k == n)
            return true;
    }
    return false;
}

bool judge__is_unsupported(const struct observation *x)
{
    if (x->outcome == OUTCOME_UNSUPPORTED)
        return true;
    if (x->outcome != OUTCOME_EXCEPTION && x->outcome != OUTCOME_INTERNAL_ERROR)
        return false;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        if (contains(x->message.raw, texts[i]) || contains(x->message.type, texts[i]))
            return true;
    return false;
}
