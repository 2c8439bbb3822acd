/*
 * struct tcase: one test: a graph or a program, its inputs, and its provenance. generate/ makes it,
 * every later folder reads it, and nothing changes it once it is made. All of it lives in the
 * case's arena, except that weights may lie in the arena of the seed model.
 */
#ifndef CASE_CASE_H
#define CASE_CASE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"
#include "onnx/model.h"
#include "onnx/tensor.h"
#include "onnx/value.h"

enum case_kind { CASE_GRAPH, CASE_PROGRAM };

/* What a case explores, and so which oracles apply. */
enum lane {
    LANE_NUMERIC,   /* ordinary shapes and finite values: all oracles */
    LANE_VALUES,    /* infinities, NaN, extremes: classes of values */
    LANE_SHAPES,    /* zero-size dims, rank 0, rank 6+: shape, dtype and errors only */
    LANE_RESOURCES, /* large inputs: time and memory */
    LANE_TRAINING,
    LANE_DEPLOYMENT,
    LANE_COUNT
};
const char *lane_name(enum lane lane); /* "numeric", "values", ... */
bool lane_find(struct str name, enum lane *out);

struct provenance {
    const char *generator; /* "mutate" */
    uint32_t version;      /* of the generator; one version always makes the same bytes */
    uint64_t seed, index;
    struct hash parent; /* content of the model it was made from; zero: none */
    struct str edits;   /* a line per edit, for people and for reduction: "N7 pool-family node=pool1
                           ceil_mode=1" */
};

struct program {
    struct str source;      /* Python */
    struct str framework;   /* that it uses: "torch" */
    struct str entry;       /* the function whose results are compared; "": the whole program */
    struct tensors weights; /* loaded by name */
    struct str path;        /* where a user keeps and runs it, not part of it; "": it is ours */
};

struct tcase {
    struct hash id;      /* of content, lane and provenance */
    struct hash content; /* of content alone: finds duplicates */
    enum case_kind kind;
    const struct model *graph;     /* CASE_GRAPH */
    const struct program *program; /* CASE_PROGRAM */
    struct tensors *input_sets; /* several sets of values, also with other sizes of dynamic dims */
    size_t n_input_sets;
    const struct eval_result
        *reference; /* per input set, from the generator; NULL: not yet evaluated */
    enum lane lane;
    bool preserves_function;    /* computes the same as its parent, for the metamorphic oracle */
    const struct model *parent; /* preserves_function: what it was made from; NULL: not kept */
    struct provenance from;
};

/* Fills in id and content. The last step in making a case. */
void case_seal(struct tcase *c);

/* Makes a sealed case in the numeric lane of a graph and its inputs. */
struct tcase *case_of_graph(const struct model *m, struct tensors *input_sets, size_t n_input_sets,
                            struct provenance from, struct arena *a);
struct tcase *case_of_program(const struct program *p, struct tensors *input_sets,
                              size_t n_input_sets, struct provenance from, struct arena *a);

/* The parent as a case on the same input values, for the metamorphic oracle; NULL: it was not kept,
 * or an input set does not fit it. The case has no reference and no parent. */
struct tcase *case_of_parent(const struct tcase *c, struct arena *a);

#endif
