/* The rows of kinds of cases. */
#include "case/subject.h"

#include <stdlib.h>

static const struct subject *const subjects[] = {&subject_graph, &subject_program};

const struct subject *case_subject(const struct tcase *c)
{
    return subjects[c->kind];
}

const struct subject *subject_find(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(subjects); i++)
        if (str_is(name, subjects[i]->name))
            return subjects[i];
    return NULL;
}

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
