/*
 * The generator diffuse: programs made of historical issues of optimisers (YANHUI, ISSTA'24).
 * A case of an index is a seed of a cluster with one to three rules applied to its parts.
 */
#ifndef GENERATE_DIFFUSE_DIFFUSE_P_H
#define GENERATE_DIFFUSE_DIFFUSE_P_H

#include "base/rng.h"
#include "generate/corpus/reading.h"
#include "generate/corpus/record.h"
#include "generate/diffuse/metric.h"
#include "generate/generate.h"

/* An issue whose program calls an optimiser, repaired; or one made to call it. */
struct diffuse_seed {
    struct str id, text;
    struct features features;
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
    struct reader *reader;
    const struct reading *was;
    const struct str *others; /* texts of the other members */
    size_t n_others;
    struct rng *rng;
    struct arena *a;
    struct strbuf *said; /* what the rule did, for people */
};

/* The new text; "": the rule finds no place. */
typedef struct str (*rule_fn)(struct mutation *m);

struct rule_row {
    const char *name;
    unsigned weight;
    rule_fn apply;
};
const struct rule_row *diffuse__rules(size_t *n);

/* Makes most calls of the expensive optimiser cheap ones. */
struct str diffuse__order_by_cost(struct mutation *m);

/* Without calls that run the model before its optimiser is met. */
struct str diffuse__drop_eager_calls(struct mutation *m);

/* The text with what a template says in place of a node; names in braces are replaced. */
struct filling {
    const char *name; /* "value" */
    struct str text;
};
struct str diffuse__fill(struct str template, const struct filling *f, size_t n, struct arena *a);
struct str diffuse__replace(const struct mutation *m, uint32_t node, struct str text);

/* A random one of a list of the table; "": it is empty. */
struct str diffuse__draw(struct mutation *m, const char *key);

#endif
