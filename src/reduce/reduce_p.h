/*
 * What the engine (reduce.c), the subjects (subject_graph.c, subject_program.c) and their passes
 * share: the state to shrink, and a trial that is built from it.
 */
#ifndef REDUCE_REDUCE_P_H
#define REDUCE_REDUCE_P_H

#include "base/err.h"
#include "case/case.h"

struct py_parser;

/* The smallest failing case so far. */
struct state {
    struct tensors inputs;
    /* of a graph */
    const struct model *m;
    struct eval_result ref; /* of these inputs */
    /* of a program */
    const struct program *program;
    struct py_parser *parser; /* of the whole reduction */
};

/* A smaller candidate in the making: a copy of the state that a pass edits. Lives in a. */
struct trial {
    const struct state *from;
    struct arena *a;
    struct tensors inputs; /* the list is the trial's own, tensors are shared */
    struct str output;     /* name of the failing output, or empty */
    uint64_t seed;
    struct model *m;   /* of a graph */
    bool is_unvalued;  /* inputs may be left without a value, where the reference has none */
    struct str source; /* of a program */
};

/* How a pass begins: with all its sites at once, half of them, or one by one. */
enum pass_start { PASS_WHOLE, PASS_HALF, PASS_SINGLE };

/* A pass offers a number of sites in a state; apply edits sites lo .. hi - 1 of the trial's copy.
 * false: nothing to edit there. What it leaves (dead nodes, unused inputs, stale shapes) is
 * cleaned up after it. */
struct pass {
    const char *name;
    enum pass_start start;
    uint32_t smallest_share; /* chunks are not made smaller than 1 / this of all sites; 0: down to 1
                              */
    uint32_t (*count)(const struct state *s);
    bool (*apply)(struct trial *t, uint32_t lo, uint32_t hi);
};

#define PASS(id, name, start, share)                                                               \
    uint32_t pass__count_##id(const struct state *s);                                              \
    bool pass__apply_##id(struct trial *t, uint32_t lo, uint32_t hi);
#include "reduce/graph_passes.def"
#include "reduce/program_passes.def"
#undef PASS

/* One kind of case: what the engine asks of it. */
struct reduce_subject {
    const struct pass *passes;
    size_t n_passes;
    /* The case's own state; *out is zeroed and has the inputs. */
    bool (*open)(const struct tcase *c, uint32_t input_set, struct arena *a, struct state *out,
                 struct err *e);
    void (*close)(struct state *first);
    /* A trial that a pass may edit. */
    void (*begin)(const struct state *from, struct trial *t);
    /* The trial as a state; false: it is no valid case, or breaks what the first state holds to. */
    bool (*settle)(struct trial *t, const struct state *first, struct state *out);
    /* The fields of the case that the kind has. */
    void (*fill)(const struct state *s, struct tcase *c);
    uint32_t (*size)(const struct state *s); /* nodes without Constant, statements */
};

const struct reduce_subject *reduce__subject(const struct tcase *c);

extern const struct reduce_subject reduce__graph, reduce__program;

/* Keeps only the nodes marked; what the others produce and kept nodes read becomes a graph input
 * with the value recorded in the reference. frontier: values that removed nodes read become
 * outputs; else outputs of removed nodes just go. false: nothing would be left. */
bool graph__keep(struct trial *t, const bool *keep, bool frontier);

/* Values of the top graph that a node reads, its subgraphs' included. */
struct value_list {
    uint32_t *at;
    size_t n, cap;
};
void graph__reads(const struct node *n, struct arena *a, struct value_list *out);

/* Dead nodes and unused inputs go, shapes are inferred afresh, the checker accepts. */
bool graph__tidy(struct trial *t, struct err *e);

/* graph__tidy; then the reference is evaluated into *ref. false: no valid case. */
bool graph__settle(struct trial *t, struct eval_result *ref, struct err *e);

/* Demands on a state that the checker does not make. All outputs are numbers. */
bool state__is_finite(const struct state *s);
/* Scales of quantisation are above 0: for others the standard defines no value. */
bool state__has_positive_scales(const struct state *s);
/* Every output has a known rank: without it the model's file names no shape. */
bool state__has_known_ranks(const struct state *s);

/* Replaces (or adds) the tensor of the input `name`. */
void trial__set_input(struct trial *t, struct str name, struct tensor value);

#endif
