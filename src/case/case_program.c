/* Program cases: how one is made, and its program. */
#include "case/subject.h"

const struct program *case_program(const struct tcase *c)
{
    return c->kind == CASE_PROGRAM ? c->program : NULL;
}

struct tcase *case_of_program(const struct program *p, struct tensors *input_sets,
                              size_t n_input_sets, struct provenance from, struct arena *a)
{
    struct tcase *c = arena_new(a, struct tcase);
    *c = (struct tcase){.kind = CASE_PROGRAM,
                        .program = p,
                        .input_sets = input_sets,
                        .n_input_sets = n_input_sets,
                        .from = from};
    case_seal(c);
    return c;
}
