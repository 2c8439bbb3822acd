/* Decides which of two versions is the later one: runs of digits count as numbers. */
#include "target/target.h"

/* Reads the number at *at and moves *at past it; leading zeros do not count. */
static struct str take_number(struct str s, size_t *at)
{
    while (*at < s.n && s.at[*at] == '0')
        ++*at;
    size_t from = *at;
    while (*at < s.n && str_is_digit(s.at[*at]))
        ++*at;
    return str_sub(s, from, *at);
}

static int sign(int64_t v)
{
    return v < 0 ? -1 : v > 0;
}

int target_version_compare(struct str a, struct str b)
{
    size_t i = 0, k = 0;
    while (i < a.n && k < b.n) {
        if (str_is_digit(a.at[i]) && str_is_digit(b.at[k])) {
            struct str x = take_number(a, &i), y = take_number(b, &k);
            int order = x.n != y.n ? (x.n < y.n ? -1 : 1) : sign(str_cmp(x, y));
            if (order)
                return order;
        } else if (a.at[i] != b.at[k]) {
            return a.at[i] < b.at[k] ? -1 : 1;
        } else {
            i++;
            k++;
        }
    }
    return i < a.n ? 1 : k < b.n ? -1 : 0;
}
