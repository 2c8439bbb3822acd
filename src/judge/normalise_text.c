/* Finds letters, words and numbers in a text, for all steps of message normalisation. */
#include "judge/normalise_p.h"

bool normalise__is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char normalise__byte_at(struct str s, size_t i)
{
    return i < s.n ? s.at[i] : '\0';
}

bool normalise__starts_word(struct str s, size_t at)
{
    return at == 0 || !str_is_word(s.at[at - 1]);
}

size_t normalise__run_of(struct str s, size_t at, bool (*is)(char))
{
    size_t n = 0;
    while (at + n < s.n && is(s.at[at + n]))
        n++;
    return n;
}

size_t normalise__number_length(struct str s, size_t at)
{
    size_t i = at;
    if (normalise__byte_at(s, i) == '-' || normalise__byte_at(s, i) == '+')
        i++;
    size_t digits = normalise__run_of(s, i, str_is_digit);
    i += digits;
    if (normalise__byte_at(s, i) == '.' &&
        (digits > 0 || str_is_digit(normalise__byte_at(s, i + 1)))) {
        size_t fraction = normalise__run_of(s, i + 1, str_is_digit);
        if (fraction > 0 || !normalise__is_letter(normalise__byte_at(s, i + 1)))
            i += 1 + fraction;
        digits += fraction;
    }
    if (digits == 0)
        return 0;
    if (normalise__byte_at(s, i) == 'e' || normalise__byte_at(s, i) == 'E') {
        size_t sign = normalise__byte_at(s, i + 1) == '-' || normalise__byte_at(s, i + 1) == '+';
        size_t exponent = normalise__run_of(s, i + 1 + sign, str_is_digit);
        if (exponent > 0)
            i += 1 + sign + exponent;
    }
    return i - at;
}
