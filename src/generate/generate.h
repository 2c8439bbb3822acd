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
    const char *translate_to;   /* framework that transfer translates issues to; NULL: "keras" */
    const char *const *targets; /* what runs the cases: "jax@0.10.2/jit"; NULL: not known */
    size_t n_targets;
    unsigned lanes; /* bit set of enum lane; 0: the default shares */
    /* Cassettes and model of a language model; a generator only reads recorded replies. NULL: no
     * language model. */
    const struct llm_options *llm;
    /* What is left out is reported here (NULL: not reported): a seed model with an operator that
     * the reference lacks, pairs that were verified with another version than a target's.
     * ERR_UNSUPPORTED: none is left. */
    void (*on_skip)(void *ctx, const char *what, const struct err *why);
    void *ctx;
};

/* Counts of events inside next(), for the screen and the figures. */
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
    /* Makes the case of an index, in up to 16 tries with the index's random stream. All fail: true
     * with *out NULL, counted in n_gave_up. false: an error. */
    bool (*next)(struct generator *g, uint64_t index, struct arena *a, struct tcase **out,
                 struct err *e);
    /* The request to a language model that next() of this index reads the reply of, a function of
     * generator, options and index; false: none. The caller sends it and records the reply in a
     * cassette; without a reply next() makes the case as without a model. NULL: never any. */
    bool (*wants)(const struct generator *g, uint64_t index, struct arena *a,
                  struct llm_request *out);
    /* Gives next() the rewards of earlier cases; `l` must live as long as the generator. NULL: the
     * generator does not learn. */
    void (*learn)(struct generator *g, const struct learned *l);
    void (*counts)(const struct generator *g, struct generate_counts *out);
    void (*close)(struct generator *g);
};

/* First field of every generator's own struct. */
struct generator {
    const struct generator_ops *ops;
};

const struct generator_ops *generator_find(struct str name); /* NULL: unknown */
const struct generator_ops *const *generator_list(size_t *n);

/* ERR_USAGE, with the nearest name: there is no such generator. */
bool generator_choose(const char *name, const struct generator_ops **out, struct err *e);

/*
 * Calls `add` with each seed model of the options. One with an operator that the reference lacks
 * (ERR_UNSUPPORTED) is left out and reported; if none is left, the first such error is returned.
 */
bool generate_add_models(const struct generate_options *o,
                         bool (*add)(void *ctx, const char *name, struct err *e), void *ctx,
                         struct err *e);

#endif
