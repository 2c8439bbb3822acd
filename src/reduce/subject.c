/* The table of kinds of cases. */
#include "reduce/reduce_p.h"

const struct reduce_subject *reduce__subject(const struct tcase *c)
{
    static const struct reduce_subject *const rows[] = {&reduce__graph, &reduce__program};
    return rows[c->kind];
}
