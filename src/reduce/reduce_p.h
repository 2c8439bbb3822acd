/*
 * Shared by the engine (reduce.c), the subjects (subject_graph.c, subject_program.c) and their
 * passes: the state to shrink, and a trial that is built from it.
 */
#ifndef REDUCE_REDUCE_P_H
#define REDUCE_REDUCE_P_H

#include "base/err.h"
#include "case/case.h"

struct py_parser;
struct reader;

/* The smallest failing case so far. */
struct state {
    struct tensors inputs;
    /* of a graph */
    const struct model *m;
    struct eval_result ref; /* its reference on these inputs */
    /* of a program */
    const struct program *program;
    struct py_parser *parser; /* one for the whole reduction */
    struct reader *reader;    /* with that parser; NULL: the family has no table */
};

/* A candidate that is being built: a copy of the state that a pass edits. Lives in arena `a`. */
struct trial {
    const struct state *from;
    struct arena *a;
    struct tensors inputs; /* the list is the trial's own, tensors are shared */
    struct str output;     /* name of the failing output, or empty */
    uint64_t seed;
    struct model *m;   /* of a graph */
    bool is_unvalued;  /* inputs may stay without a value if the reference has none */
    struct str source; /* of a program */
};

/* How a pass begins: with all its sites at once, half of them, or one by one. */
enum pass_start { PASS_WHOLE, PASS_HALF, PASS_SINGLE };

/* A pass: count gives the number of its sites in a state; apply edits sites lo .. hi - 1 of the
 * trial. false: there is nothing to edit. Dead nodes, unused inputs and stale shapes that it leaves
 * are cleaned up afterwards. */
struct pass {
    const char *name;
    enum pass_start start;
    uint32_t smallest_share; /* chunks are at least 1 / this of all sites; 0: down to one site */
    uint32_t (*count)(const struct state *s);
    bool (*apply)(struct trial *t, uint32_t lo, uint32_t hi);
};

#define PASS(id, name, start, share)                                                               \
    uint32_t pass__count_##id(const struct state *s);                                              \
    bool pass__apply_##id(struct trial *t, uint32_t lo, uint32_t hi);
#include "reduce/graph_passes.def"
#include "reduce/program_passes.def"
#undef PASS

/* One kind of case: the functions of it that the engine calls. */
struct reduce_subject {
    const struct pass *passes;
    size_t n_passes;
    /* Makes the state of the case, which fails in an engine of this family ("torch"); *out is zero
     * but for the inputs. */
    bool (*open)(const struct tcase *c, uint32_t input_set, struct str family, struct arena *a,
                 struct state *out, struct err *e);
    void (*close)(struct state *first);
    /* Fills in a trial that a pass may edit. */
    void (*begin)(const struct state *from, struct trial *t);
    /* Makes a state of the trial; false: it is no valid case, or breaks a demand that `first`
     * meets. */
    bool (*settle)(struct trial *t, const struct state *first, struct state *out);
    /* Fills in the fields of the case that belong to the kind. */
    void (*fill)(const struct state *s, struct tcase *c);
    uint32_t (*size)(const struct state *s); /* nodes without Constant; statements */
};

const struct reduce_subject *reduce__subject(const struct tcase *c);

extern const struct reduce_subject reduce__graph, reduce__program;

/* Keeps only the marked nodes; outputs of others that they read become graph inputs with the
 * reference's value. frontier: values that removed nodes read become outputs too. false: nothing
 * would be left or removed. */
bool graph__keep(struct trial *t, const bool *keep, bool frontier);

/* The values of the top graph that a node and its subgraphs read. */
struct value_list {
    uint32_t *at;
    size_t n, cap;
};
void graph__reads(const struct node *n, struct arena *a, struct value_list *out);
/* Does a node other than Constant give the value? */
bool graph__is_computed(const struct graph *g, uint32_t value);

/* Removes dead nodes and unused inputs, infers shapes anew, and checks the model. */
bool graph__tidy(struct trial *t, struct err *e);

/* Calls graph__tidy and evaluates the reference into *ref. false: the case is not valid. */
bool graph__settle(struct trial *t, struct eval_result *ref, struct err *e);

/* Demands on a state that the checker does not make. All outputs are numbers. */
bool state__is_finite(const struct state *s);
/* Scales of quantisation are above 0: for others the standard defines no value. */
bool state__has_positive_scales(const struct state *s);
/* Every output has a known rank: without it the model's file names no shape. */
bool state__has_known_ranks(const struct state *s);
/* The standard's text says what every node means. */
bool state__has_no_gap(const struct state *s);

/* Replaces (or adds) the tensor of the input `name`. */
void trial__set_input(struct trial *t, struct str name, struct tensor value);

#endif
