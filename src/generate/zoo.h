/*
 * Seed models, built by code: small versions of models that people deploy (zoo), models of one
 * operator (op:NAME), and of bare inputs (stem). Weights are seeded, and scaled so that activations
 * keep an rms near 1 at any depth.
 *
 *     const struct zoo_row *row = zoo_find(STR("resnet"));
 *     struct model *m;
 *     if (!zoo_build(row, &(struct zoo_options){.opset = 17}, arena, &m, e)) ...
 */
#ifndef GENERATE_ZOO_H
#define GENERATE_ZOO_H

#include "base/err.h"
#include "base/rng.h"
#include "onnx/model.h"

struct zoo_options {
    int opset;     /* 11 .. 26; 0: 17 */
    uint64_t seed; /* of the weights */
};

struct graph_builder;

struct zoo_row {
    const char *name, *help;
    int least_opset;
    /* Adds inputs and nodes to an empty model; returns the value that becomes its output. */
    uint32_t (*build)(struct graph_builder *b);
};

const struct zoo_row *zoo_list(size_t *n);
const struct zoo_row *zoo_find(struct str name); /* NULL: unknown */
bool zoo_build(const struct zoo_row *row, const struct zoo_options *o, struct arena *a,
               struct model **out, struct err *e);

/* Loads a seed model by its zoo name, "op:Conv", or the path of a model file. */
bool seed_model_load(const char *name, const struct zoo_options *o, struct arena *a,
                     struct model **out, struct err *e);

/* A model of one operator of layers.def on a suitable input; DTYPE_UNDEFINED: the dtype is drawn.
 */
bool zoo_build_operator(const char *op_type, enum dtype dtype, const struct zoo_options *o,
                        struct arena *a, struct model **out, struct err *e);

/* The same on any input, with what the operator table allows of dtypes, ranks, sizes, attributes
 * and forms of parameters drawn. */
bool zoo_vary_operator(const char *op_type, const struct zoo_options *o, struct arena *a,
                       struct model **out, struct err *e);

/* How mutation uses an operator. has_layer: a layer builder adds it, and it is a seed op:NAME;
 * has_corners: corner values of its attributes are tried. */
struct zoo_operator {
    bool has_layer, has_corners;
};
struct zoo_operator zoo_operator(const char *op_type);

#endif
