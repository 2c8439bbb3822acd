/* Lists of words as one text, such as a case's operators in rows and keys. */
#include <stdlib.h>

#include "case/subject.h"

static int by_text(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

struct str subject_join_sorted(struct str *words, size_t n, char separator, struct arena *a)
{
    struct strbuf b = {0};
    if (n > 0)
        qsort(words, n, sizeof *words, by_text);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && str_eq(words[i], words[i - 1]))
            continue;
        strbuf_addstr(&b, words[i]);
        strbuf_addc(&b, separator);
    }
    struct str joined = strbuf_dup(&b, a);
    strbuf_done(&b);
    return joined;
}
