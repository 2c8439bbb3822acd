/*
 * struct edit: one mutation operator being applied to a mutant's own copy of a model. For each
 * operator a row of operators.def names the test of a place (fits) and the change (edit). Between
 * two edits the model is finished and inferred, so `fits` sees dtypes and shapes. An edit that
 * proves impossible at its place returns false, and the copy is thrown away.
 */
#ifndef GENERATE_MUTATE_EDIT_P_H
#define GENERATE_MUTATE_EDIT_P_H

#include "generate/mutate/graph_builder_p.h"
#include "onnx/eval.h"

struct edit;

/* What an operator is applied to; edit.at is an index of it. */
enum anchor {
    ANCHOR_NODE,  /* a node of the top graph */
    ANCHOR_VALUE, /* a graph input or a node's output of known shape */
    ANCHOR_MODEL  /* the model; at is 0 */
};

struct mutation_operator {
    const char *id;   /* "N18" */
    const char *name; /* "near-miss-fusion" */
    const char *family;
    enum anchor anchor;
    bool (*fits)(const struct edit *e, uint32_t at);
    bool (*edit)(struct edit *e);
    bool preserves;       /* the result is the same function in real numbers */
    double share;         /* of the edits drawn, before the strategy has learned */
    const char *legality; /* why the result is valid */
    const char *source;
};

const struct mutation_operator *operator__list(size_t *n);
const struct mutation_operator *operator__find(struct str id_or_name);

struct edit {
    struct graph_builder b;
    uint32_t at;
    const struct graph_uses *uses;       /* of the model before the edit */
    const struct eval_result *reference; /* of an ancestor, by its own value indices; may be NULL */
    const struct model *reference_of;
    const char *bucket; /* pattern or op_type: the strategy learns about buckets */
    const char *wanted; /* the bucket that the strategy chose; NULL: the edit draws one */
    bool is_stem;       /* input values are made after the edits, for the nodes that read them */
};

/* Short accessors of the model under edit. */
static inline struct node *edit__node(const struct edit *e, uint32_t at)
{
    return &e->b.g->nodes.at[at];
}
static inline const struct graph_value *edit__value(const struct edit *e, uint32_t v)
{
    return &e->b.g->values.at[v];
}

bool edit__is_op(const struct edit *e, uint32_t node, const char *const *names, size_t n);
#define EDIT_IS(e, node, names) edit__is_op((e), (node), (names), COUNT_OF(names))

bool edit__static(const struct edit *e, uint32_t v); /* dtype and all dims known, none 0 */
bool edit__float(const struct edit *e, uint32_t v);
bool edit__same(const struct edit *e, uint32_t a, uint32_t b); /* dtype and static shape */
int64_t edit__count(const struct edit *e, uint32_t v);
bool edit__is_used(const struct edit *e, uint32_t v); /* by a node, or as an output */

/* The float initializer that is input i of the node; NULL: none. */
const struct tensor *edit__weight(const struct edit *e, uint32_t node, uint32_t i);
/* The first input with such a weight of at least two elements; VALUE_NONE: none. */
uint32_t edit__weight_at(const struct edit *e, uint32_t node);

/* Makes all users of v use y instead, except the nodes from first_node on. */
void edit__splice(struct edit *e, uint32_t v, uint32_t y, uint32_t first_node);

/* Mostly splices where dtype and shape agree, else makes y a graph output. False: building y
 * failed. */
bool edit__join(struct edit *e, uint32_t v, uint32_t y, uint32_t first_node);

/* Replaces input i of the node. The list of inputs is copied first: copies of a model share it. */
void edit__set_input(struct edit *e, uint32_t node, uint32_t i, uint32_t v);

/* The largest |value| and the rms of the value in the ancestor's reference, by name. False: not
 * there. */
bool edit__range(const struct edit *e, uint32_t v, double *largest, double *rms);

/* Makes a tensor like t and returns its data for writing. */
void *edit__copy_tensor(struct edit *e, const struct tensor *t, struct tensor **out);

#define OPERATOR(id, name, family, anchor, fit_fn, edit_fn, preserves, share, legality, source)    \
    bool edit__##edit_fn(struct edit *e);                                                          \
    bool fits__##fit_fn(const struct edit *e, uint32_t at);
#include "generate/mutate/operators.def"
#undef OPERATOR

#endif
