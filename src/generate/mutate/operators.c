/* The list of mutation operators: operators.def. */
#include "generate/mutate/edit_p.h"

static const struct mutation_operator operators[] = {
#define OPERATOR(id, name, family, anchor, fit_fn, edit_fn, preserves, share, legality, source)    \
    {id,        name,  family,   ANCHOR_##anchor, fits__##fit_fn, edit__##edit_fn,                 \
     preserves, share, legality, source},
#include "generate/mutate/operators.def"
#undef OPERATOR
};

const struct mutation_operator *operator__list(size_t *n)
{
    *n = COUNT_OF(operators);
    return operators;
}

const struct mutation_operator *operator__find(struct str id_or_name)
{
    for (size_t i = 0; i < COUNT_OF(operators); i++) {
        if (str_is(id_or_name, operators[i].id) || str_is(id_or_name, operators[i].name))
            return &operators[i];
    }
    return NULL;
}
