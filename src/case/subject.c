/* The table of kinds of cases. */
#include "case/subject.h"

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
