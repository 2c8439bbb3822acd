/*
 * The full probe of an engine: it runs models of one operator in the engine's own worker and
 * default modes, for each row of the operator table that has a layer builder and each dtype that
 * the standard allows as its first input. A converter's result is run too.
 */
#ifndef CLI_PROBE_H
#define CLI_PROBE_H

#include "target/pool.h"

struct probe_options {
    const char *home;
    const struct targets *all;
    const struct target_installation *installation;
    void (*on_progress)(void *ctx, size_t n_done, size_t n_all); /* operators; may be NULL */
    void *ctx;
};

/* It takes seconds to minutes. A crash or hang of the engine costs one model. */
bool probe_operators(const struct probe_options *o, struct arena *a, struct accepted *out,
                     struct err *e);

#endif
