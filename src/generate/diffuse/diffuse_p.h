/*
 * The generator diffuse: programs made of historical issues of optimisers (YANHUI, ISSTA'24).
 * A case of an index is a seed of a cluster with one to three rules applied to its parts.
 */
#ifndef GENERATE_DIFFUSE_DIFFUSE_P_H
#define GENERATE_DIFFUSE_DIFFUSE_P_H

#include "base/rng.h"
#include "generate/corpus/record.h"
#include "generate/diffuse/metric.h"
#include "generate/generate.h"
#include "llm/llm.h"
#include "python/reading.h"

/* An issue whose program calls an optimiser, repaired; or one made to call it. */
struct diffuse_seed {
    struct str id, text;
    struct features features;
    const struct issue_record *record;
    struct str model, api, data, from; /* for people and prompts, a line each */
};

struct diffuse_seeds {
    VEC(struct diffuse_seed) at;
    size_t n_records, n_without_optimizer, n_damaged, n_foreign;
};

/* Records of the reader's framework as seeds. */
void diffuse__seeds(struct reader *r, const struct issue_corpus *corpus, struct arena *a,
                    struct diffuse_seeds *out);

/* What a rule works on: a text as it was read, and its companions in the cluster. */
struct mutation {
    struct str rule;               /* whose arms are chosen from */
    struct str optimizer;          /* a template; "": optimisers stay, the expensive one is rare */
    const struct learned *learned; /* NULL: nothing is learned */
    uint64_t epoch;
    uint64_t in_turn; /* lists are walked, this is the place from 1; 0: they are drawn from */
    struct reader *reader;
    const struct reading *was;
    const struct str *others; /* texts of the other members */
    size_t n_others;
    struct rng *rng;
    struct arena *a;
    struct strbuf *said; /* what the rule did, for people */
    size_t n_operators;  /* that diffuse__add_operators has added so far */
};

/* The new text; "": the rule finds no place. */
typedef struct str (*rule_fn)(struct mutation *m);

struct rule_row {
    const char *name;
    rule_fn apply;
};
enum { RULES_MAX = 16 };
const struct rule_row *diffuse__rules(size_t *n);

/* recombine.c */
struct str diffuse__recombine(struct mutation *m);
struct str diffuse__splice(struct mutation *m);

/* operators.c: one call of {x} behind a model's result, and operators of the table beside one
 * another on operands that depend on it. */
struct str diffuse__add_call(struct mutation *m, uint32_t value, struct str template);
struct str diffuse__add_operators(struct mutation *m, uint32_t value);

/* optimizer.c: an optimiser that gives a model for a model; NULL: none. */
const struct program_part *diffuse__draw_optimizer(struct mutation *m);
/* Its call as a template says; a decorator becomes one that calls it. */
struct str diffuse__put_call(struct mutation *m, const struct program_part *p, struct str template);

/* Makes most calls of the expensive optimiser cheap ones. */
struct str diffuse__order_by_cost(struct mutation *m);

/* Makes a call of an optimiser one of m->optimizer. */
struct str diffuse__use_optimizer(struct mutation *m);

/* Without calls that run the model before its optimiser is met. */
struct str diffuse__drop_eager_calls(struct mutation *m);

/* The text with what a template says in place of a node; names in braces are replaced. */
struct filling {
    const char *name; /* "value" */
    struct str text;
};
struct str diffuse__fill(struct str template, const struct filling *f, size_t n, struct arena *a);
struct str diffuse__replace(const struct mutation *m, uint32_t node, struct str text);

/*
 * What a rule chooses among is an arm, and the optimiser that it happens to is another one; what
 * was said of earlier cases moves their shares. Names are cut to a word: "torch.add", "half".
 */
struct choice {
    struct str name;
    double weight;
};
/* Draws one, n >= 1, and says which. */
size_t diffuse__choose(struct mutation *m, const struct choice *c, size_t n);
/* The next one in turn where the strategy walks its lists, else as diffuse__choose. */
size_t diffuse__pick(struct mutation *m, const struct choice *c, size_t n);
/* The least number above n's share `near` that has no divisor in common with n: its multiples visit
 * all of n. */
uint64_t diffuse__stride(uint64_t n, uint64_t near);
/* One of a list of the table; "": it is empty. */
struct str diffuse__draw(struct mutation *m, const char *key);

/* ---- strategy.c: a row of share/diffuse/strategies.json */
struct diffuse_strategy {
    struct str name;
    double weights[RULES_MAX]; /* of diffuse__rules, in their order */
    bool has_rules;            /* false: without a model there are no cases */
    bool random_companions;    /* instead of those of the cluster */
    bool learns;
    bool in_turn;          /* entries of lists one after the other, instead of by chance */
    bool runs_seeds;       /* also as they stand */
    struct str optimizer;  /* of all programs: "torch.compile({model})"; "": their own */
    uint64_t prompt_every; /* one index in so many asks a model, if there is one */
    size_t n_examples;     /* at random */
    bool prompt_rules;     /* does an instruction of a rule end it? */
    const struct json *header;
};
/* ERR_USAGE: no such strategy, with the nearest name. */
bool diffuse__strategy(const char *name, struct arena *a, struct diffuse_strategy *out,
                       struct err *e);

/* ---- prompts.c */
struct prompts {
    struct str instruction, without_rules;
    const struct json *labels, *rules;
    uint32_t max_tokens;
    double temperature;
};
bool prompts__open(struct arena *a, struct prompts *out, struct err *e);

/* What an index asks for: each (cluster, rule) once, then the next sample of each. */
struct prompt_place {
    const struct diffuse_seeds *seeds;
    const struct cluster *cluster;
    uint64_t rule;
    uint32_t sample;
    struct rng rng; /* for examples at random */
};
struct str prompts__rule(const struct prompts *p, const struct diffuse_strategy *how,
                         const struct prompt_place *at);
void prompts__request(const struct prompts *p, const struct diffuse_strategy *how,
                      const struct prompt_place *at, struct arena *a, struct llm_request *out);
/* The first program of a reply that is Python, repaired; "": there is none. */
struct str prompts__program(struct reader *reader, struct str reply, struct arena *a);

#endif
