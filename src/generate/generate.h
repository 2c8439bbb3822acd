/*
 * The interface of generators, one row each in generators.def. A generator makes cases by index:
 * the case of an index is a function of (generator, its version, seed, index, rewards of earlier
 * epochs), so any number of pilots makes the same cases.
 */
#ifndef GENERATE_GENERATE_H
#define GENERATE_GENERATE_H

#include "base/err.h"
#include "case/case.h"
#include "generate/learned.h"
#include "llm/llm.h"

enum { GENERATE_EPOCH = 256 }; /* cases of epoch k depend on rewards of epochs <= k-2 */

struct generate_options {
    uint64_t seed;
    const char *strategy;           /* "assay", "random" */
    const char *const *seed_models; /* files or zoo names; NULL: the generator's own */
    size_t n_seed_models;
    const char *const *operators; /* only these mutation operators; NULL: all */
    size_t n_operators;
    unsigned lanes; /* bit set of enum lane; 0: the default shares */
    /* Cassettes and model of a language model's replies; a generator only reads them. NULL: there
     * is none. */
    const struct llm_options *llm;
    /* A seed model that uses what the reference lacks is left out and reported here (NULL: not
     * reported). ERR_UNSUPPORTED when none is left. */
    void (*on_skip)(void *ctx, const char *model, const struct err *why);
    void *ctx;
};

/* Counts of what happened inside next(), for the screen and the figures. */
struct generate_counts {
    uint64_t n_edits, n_discarded_check, n_discarded_infer, n_discarded_budget, n_discarded_range,
        n_discarded_noop;
    uint64_t n_emitted, n_gave_up;
};

struct generator;

struct generator_ops {
    const char *name, *help;
    uint32_t version;
    bool (*open)(const struct generate_options *o, struct generator **out, struct err *e);
    /* Tries up to 16 times, with the random stream of the index. If all fail: true with *out NULL,
     * and counted. false means an error. */
    bool (*next)(struct generator *g, uint64_t index, struct arena *a, struct tcase **out,
                 struct err *e);
    /* What a language model is to be asked before next() of this index, a function of generator,
     * options and index; false: nothing. Whoever drives the generator puts the reply into the
     * cassettes; without one next() makes the case as it does without a model. NULL: never. */
    bool (*wants)(const struct generator *g, uint64_t index, struct arena *a,
                  struct llm_request *out);
    /* Where next() looks up what earlier cases earned; valid as long as the generator. NULL: it
     * does not learn. */
    void (*learn)(struct generator *g, const struct learned *l);
    void (*counts)(const struct generator *g, struct generate_counts *out);
    void (*close)(struct generator *g);
};

/* First field of every generator's own struct. */
struct generator {
    const struct generator_ops *ops;
};

const struct generator_ops *generator_find(struct str name); /* NULL */
const struct generator_ops *const *generator_list(size_t *n);

/* ERR_USAGE with the nearest name when there is no such generator. */
bool generator_choose(const char *name, const struct generator_ops **out, struct err *e);

/*
 * Calls `add` with each seed model that was asked for. One that uses what the reference lacks
 * (ERR_UNSUPPORTED) is left out and reported; when none is left, the first error is the result.
 */
bool generate_add_models(const struct generate_options *o,
                         bool (*add)(void *ctx, const char *name, struct err *e), void *ctx,
                         struct err *e);

#endif
