/*
 * Runs calls of one framework and keeps their outputs: a call may be requested any number of times
 * and is run once. Each framework runs in a sandboxed process of its own (target/offline.h).
 *
 *     runs_want(r, symbol, &call);                  // any number of times
 *     if (!runs_do(r, e)) ...                       // runs what has not run yet
 *     const struct output *o = runs_output(r, symbol, &call);     // NULL: has not run
 *
 * Outputs are valid until the next runs_do.
 */
#ifndef ALIGN_VERIFY_RUNS_H
#define ALIGN_VERIFY_RUNS_H

#include "align/verify/outputs.h"
#include "target/target.h"

struct runs_options {
    const struct target_installation *installation;
    const char *home;
    const char *opens;  /* "keras-jax" */
    const char *folder; /* of the stored outputs */
    bool best_effort;
    bool stored_only; /* nothing runs: outputs that are not stored stay unknown */
    void (*tell)(void *ctx, const char *opens, size_t n_done, size_t n_all);
    void *ctx;
};

struct runs;

bool runs_open(const struct runs_options *o, struct arena *a, struct runs **out, struct err *e);
void runs_close(struct runs *r); /* NULL is allowed */

void runs_want(struct runs *r, struct str symbol, const struct call *c);
bool runs_do(struct runs *r, struct err *e);
const struct output *runs_output(const struct runs *r, struct str symbol, const struct call *c);
size_t runs_n(const struct runs *r); /* outputs that are stored */

/* "torch.sum(f[2,3], 1)" */
void runs_print_call(struct str symbol, const struct call *c, struct strbuf *out);

#endif
