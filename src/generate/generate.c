/* The list of generators (generators.def). */
#include "generate/generate.h"

#define GENERATOR(variable) extern const struct generator_ops variable;
#include "generate/generators.def"
#undef GENERATOR

static const struct generator_ops *const generators[] = {
#define GENERATOR(variable) &variable,
#include "generate/generators.def"
#undef GENERATOR
};

const struct generator_ops *const *generator_list(size_t *n)
{
    *n = COUNT_OF(generators);
    return generators;
}

const struct generator_ops *generator_find(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(generators); i++) {
        if (str_is(name, generators[i]->name))
            return generators[i];
    }
    return NULL;
}

bool generator_choose(const char *name, const struct generator_ops **out, struct err *e)
{
    const char *known[COUNT_OF(generators)];
    struct arena a;
    for (size_t i = 0; i < COUNT_OF(generators); i++)
        known[i] = generators[i]->name;
    *out = generator_find(str_of(name));
    if (*out)
        return true;
    arena_init(&a);
    err_set(e, ERR_USAGE, "no generator \"%s\"%s", name,
            str_known(str_of(name), known, COUNT_OF(known), &a));
    arena_done(&a);
    return false;
}
