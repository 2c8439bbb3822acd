/*
 * struct model: an ONNX model in memory, bound to the operator table.
 *
 * A graph is two dense tables, values and nodes, that refer to each other by index:
 *
 *     values: [x] [w] [y]      nodes: [Conv  inputs 0 1  outputs 2]
 *
 * Invariants after model_finish, with which reading and building end: nodes are in topological
 * order; each value has one origin; names of values are unique in a graph; each node has its row of
 * the operator table (op and fact; op is NULL when the table lacks it); functions are inlined;
 * subgraphs (If, Loop, Scan) see the values of the enclosing graph through values of origin OUTER.
 *
 * Everything lives in the model's arena; weights may be in another arena that outlives it (the
 * parent's). A mutant is made by model_copy (tables copied, tensors shared) and edits of the copy,
 * then model_finish.
 */
#ifndef ONNX_MODEL_H
#define ONNX_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "onnx/dtype.h"
#include "onnx/tensor.h"

#define VALUE_NONE UINT32_MAX
#define NODE_NONE UINT32_MAX
enum { MODEL_OPSET_OLDEST = 7, MODEL_OPSET_NEWEST = 28, MODEL_IR_OLDEST = 3, MODEL_IR_NEWEST = 14 };

struct op;
struct op_fact;

/* One dimension: a number, a name, or unknown. Equal symbols mean equal sizes. */
struct dim {
    int64_t value;   /* >= 0, or -1 */
    uint32_t symbol; /* when value is -1: model->symbols id + 1, or 0 for an anonymous unknown */
};

struct shape {
    bool known; /* the rank is known */
    uint32_t rank;
    struct dim *dims;
};

enum value_origin {
    ORIGIN_NOTHING, /* nothing refers to it: only before model_finish */
    ORIGIN_INPUT,   /* of the graph; may have an initializer as its default */
    ORIGIN_INITIALIZER,
    ORIGIN_NODE,
    ORIGIN_OUTER /* of the graph that encloses this subgraph */
};

struct graph_value {
    struct str name;
    enum dtype dtype; /* DTYPE_UNDEFINED: not known (yet) */
    struct shape shape;
    enum value_origin origin;
    uint32_t origin_at; /* NODE: producer's index; OUTER: value's index in the parent graph */
    const struct tensor *initializer; /* INITIALIZER, or an INPUT's default, else NULL */
    bool is_output;                   /* of its graph */
    bool is_declared; /* the file declares dtype and shape: infer_model compares them, once */
    bool not_tensor;  /* declared as sequence, optional, map or sparse: refused as unsupported */
};

enum attr_kind { /* numbers of AttributeProto.AttributeType */
                 ATTR_UNDEFINED = 0,
                 ATTR_FLOAT = 1,
                 ATTR_INT = 2,
                 ATTR_STRING = 3,
                 ATTR_TENSOR = 4,
                 ATTR_GRAPH = 5,
                 ATTR_FLOATS = 6,
                 ATTR_INTS = 7,
                 ATTR_STRINGS = 8,
                 ATTR_TENSORS = 9,
                 ATTR_GRAPHS = 10
};

struct graph;

struct attr {
    struct str name;
    enum attr_kind kind;
    union {
        float f;
        int64_t i;
        struct str s;
        const struct tensor *t;
        struct graph *g;
    };
    size_t n; /* of the list kinds */
    union {
        const float *floats;
        const int64_t *ints;
        const struct str *strings;
        const struct tensor *tensors;
        struct graph **graphs;
    };
};

struct node {
    struct str name, op_type, domain; /* domain "" for ai.onnx */
    const uint32_t *inputs; /* value indices; VALUE_NONE where an optional input is left out */
    uint32_t n_inputs;
    const uint32_t *outputs; /* value indices; VALUE_NONE where an output has no name */
    uint32_t n_outputs;
    const struct attr *attrs;
    uint32_t n_attrs;
    const struct op *op;        /* our row; NULL: unsupported operator */
    const struct op_fact *fact; /* the standard's row at the model's opset; NULL: none */
};

struct graph {
    struct arena *arena; /* the model's */
    struct str name;
    struct graph *parent; /* NULL at the top */
    VEC(struct graph_value) values;
    VEC(struct node) nodes;
    VEC(uint32_t) inputs;  /* value indices, in order */
    VEC(uint32_t) outputs; /* value indices, in order; a value may occur twice */
    struct map by_name;    /* name -> value index; kept by graph_add_value */
};

/* How deep subgraphs may be nested; code that walks them may recurse to this depth. */
enum { GRAPH_DEPTH_MAX = 16 };

struct opset {
    struct str domain;
    int64_t version;
};

struct model {
    struct arena *arena;
    int64_t ir_version;
    VEC(struct opset) opsets;
    int opset; /* version of the default domain */
    struct graph *graph;
    struct intern symbols;
    struct str producer;
    struct str unsorted; /* the file's first node that came before what it reads; empty: none */
};

/* An empty model of an opset, with the oldest ir_version that may have it. */
struct model *model_new(struct arena *a, int opset);

int64_t model_opset_of(const struct model *m, struct str domain); /* 0: not imported */

/* Copies the tables, of subgraphs too; shares tensors and strings with `from`, which must live as
 * long. */
struct model *model_copy(const struct model *from, struct arena *a);

/* Sorts nodes, sets origins, binds operator rows, drops values that nothing refers to. Refuses
 * cycles, values with two producers or none; the message names node and value. May be called again
 * after edits. */
bool model_finish(struct model *m, struct err *e);

/* Hash of the content: opsets, structure, attributes, tensors; not names of nodes, producer or doc
 * strings. */
struct hash model_hash(const struct model *m);

/* Make an empty graph, for a subgraph, and a deep copy of one (tensors shared), for a copied node.
 */
struct graph *graph_new(struct model *m, struct str name);
struct graph *graph_copy(const struct graph *from, struct graph *parent, struct arena *a);

/* Building. Names are copied. A name that is taken gets a suffix: see the name of the returned
 * value. */
uint32_t graph_add_value(struct model *m, struct graph *g, struct str name);
uint32_t graph_find_value(const struct graph *g, struct str name); /* VALUE_NONE */
uint32_t graph_add_input(struct model *m, struct graph *g, struct str name, enum dtype dtype,
                         const int64_t *dims, uint32_t rank); /* a dim of -1: anonymous unknown */
uint32_t graph_add_initializer(struct model *m, struct graph *g, struct str name,
                               const struct tensor *t);
void graph_add_output(struct graph *g, uint32_t value);
/* In the place of the output `old` stands an Identity of `value`. */
void graph_copy_output(struct model *m, struct graph *g, uint32_t old, uint32_t value);

/* Adds a node with one fresh output (or n_outputs of them, consecutive) and returns the first one's
 * index. The node is the graph's last; node_set_* then adds attributes to it. */
uint32_t graph_add_node(struct model *m, struct graph *g, const char *op_type,
                        const uint32_t *inputs, uint32_t n_inputs, uint32_t n_outputs);
struct node *graph_last_node(struct graph *g);

void node_set_int(struct model *m, struct node *n, const char *name, int64_t v);
void node_set_float(struct model *m, struct node *n, const char *name, float v);
void node_set_string(struct model *m, struct node *n, const char *name, const char *v);
void node_set_ints(struct model *m, struct node *n, const char *name, const int64_t *v, size_t n_v);
void node_set_floats(struct model *m, struct node *n, const char *name, const float *v, size_t n_v);
void node_set_tensor(struct model *m, struct node *n, const char *name, const struct tensor *t);
void node_set_graph(struct model *m, struct node *n, const char *name, struct graph *g);
void node_remove_attr(struct model *m, struct node *n, const char *name);
void node_set_inputs(struct model *m, struct node *n, const uint32_t *inputs, uint32_t n_inputs);

/* For messages: "node 'conv1' (Conv)" and the like. The text lives in the arena. */
const char *node_label(const struct graph *g, const struct node *n, struct arena *a);

const struct attr *node_attr(const struct node *n, const char *name); /* NULL when absent */

/* The attribute's value, else the standard's default, else `otherwise`. */
int64_t node_int(const struct node *n, const char *name, int64_t otherwise);
double node_float(const struct node *n, const char *name, double otherwise);
struct str node_string(const struct node *n, const char *name, struct str otherwise);
/* The attribute's list; absent: NULL, and *n_out is 0. */
const int64_t *node_ints(const struct node *n, const char *name, size_t *n_out);

/* Replaces every use of value `from` in nodes and outputs of the graph, and in its subgraphs, by
 * `to`. */
void graph_replace_uses(struct graph *g, uint32_t from, uint32_t to);

/* Removes nodes that no output of the graph depends on; returns how many. Call model_finish after
 * it. */
uint32_t graph_remove_dead(struct model *m, struct graph *g);

/* Consumers of each value v: nodes[uses_at[v]] to nodes[uses_at[v + 1] - 1]. */
struct graph_uses {
    const uint32_t *uses_at; /* n_values + 1 */
    const uint32_t *nodes;   /* a node occurs once for each of its inputs */
};
struct graph_uses graph_uses(const struct graph *g, struct arena *a);

/* Are all dims known? shape_to_dims also gives them as plain numbers. */
bool shape_is_static(const struct shape *s);
bool shape_to_dims(const struct shape *s, int64_t dims[static TENSOR_RANK_MAX]);
struct shape shape_from_dims(const int64_t *dims, uint32_t rank, struct arena *a);
void shape_print(const struct model *m, const struct shape *s,
                 struct strbuf *out); /* "[N,3,224,224]" */

#endif
