/* Loading the seed models that were asked for: what every generator does with the list. */
#include "generate/generate.h"

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
