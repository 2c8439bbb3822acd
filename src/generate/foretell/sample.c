/* Decides which calls are in a sample: each kind of change in turn gives the next call in its
 * order, until there are enough. */
#include "generate/foretell/sample.h"

#include <stdlib.h>

#include "base/compiler.h"

static int by_kind(const void *x, const void *y)
{
    const struct sample_item *a = x, *b = y;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static int by_round(const void *x, const void *y)
{
    const struct sample_item *a = x, *b = y;
    if (a->round != b->round)
        return a->round < b->round ? -1 : 1;
    return a->kind < b->kind ? -1 : a->kind > b->kind;
}

size_t sample_kinds(struct sample_item *list, size_t n, size_t most)
{
    qsort(list, n, sizeof *list, by_kind);
    for (size_t i = 0; i < n; i++)
        list[i].round = i && list[i].kind == list[i - 1].kind ? list[i - 1].round + 1 : 0;
    qsort(list, n, sizeof *list, by_round);
    return MIN(n, most);
}
