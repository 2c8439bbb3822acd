/* Which row of functions a case's kind has. */
#include "target/subject_p.h"

const struct target_subject *target__subject(const struct tcase *c)
{
    static const struct target_subject *const rows[] = {&target__graph, &target__program};
    return rows[c->kind];
}
