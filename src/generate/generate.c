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

bool generate_add_models(const struct generate_options *o,
                         bool (*add)(void *ctx, const char *name, struct err *e), void *ctx,
                         struct err *e)
{
    struct err first = {0};
    size_t n_added = 0;
    for (size_t i = 0; i < o->n_seed_models; i++) {
        struct err why = {0};
        if (add(ctx, o->seed_models[i], &why)) {
            n_added++;
            continue;
        }
        if (why.code != ERR_UNSUPPORTED) {
            *e = why;
            return false;
        }
        if (first.code == ERR_NONE)
            first = why;
        if (o->on_skip)
            o->on_skip(o->ctx, o->seed_models[i], &why);
    }
    if (n_added || first.code == ERR_NONE)
        return true;
    *e = first;
    return false;
}
