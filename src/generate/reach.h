/*
 * Reach: a list of cells, which are the things that the operator table allows, and which of them a
 * model meets. Cells that no generated model meets show where hunts cannot find bugs.
 *
 *     struct reach r;
 *     reach_init(&r);
 *     struct reach_cells met = reach_meet(&r, model, arena);
 *     for (size_t i = 0; i < met.n; i++) n_cases[met.at[i]]++;   // r.cells.at[met.at[i]]
 *
 * A cell is one operator of opset REACH_OPSET with one property: a value of an attribute (or its
 * absence), an optional input absent or present, a dtype of a type parameter, a rank or a size of a
 * dim of input 0, a form of a parameter, or another operator before its first or a later input. A
 * node meets cells only if it depends on a graph input, reaches a graph output and cannot be
 * folded: a node that depends only on static shapes can. Nodes of subgraphs do not count.
 *
 * reach_init makes the same list in every run; nothing changes it afterwards.
 */
#ifndef GENERATE_REACH_H
#define GENERATE_REACH_H

#include "base/str.h"
#include "onnx/model.h"

enum { REACH_OPSET = 26, REACH_RANK_MAX = 6 };

enum reach_kind {
    REACH_ATTRIBUTE,
    REACH_OPTIONAL,
    REACH_DTYPE,
    REACH_RANK,
    REACH_SIZE,
    REACH_PARAMETER,
    REACH_DATA_EDGE,   /* before input 0 */
    REACH_WEIGHT_EDGE, /* before a later input */
    REACH_KINDS
};
const char *reach_kind_name(enum reach_kind kind);

struct reach_cell {
    uint32_t key; /* ascending */
    enum reach_kind kind;
    const char *op_type;
    const char *what, *value; /* "auto_pad", "VALID"; of an edge: "" and the earlier operator */
    const char *excluded;     /* why no generator makes it; NULL: generators should */
};

struct reach_op;

struct reach {
    struct arena a;
    VEC(struct reach_cell) cells;
    struct reach_op *ops; /* by row of the operator table */
};

void reach_init(struct reach *r);
void reach_done(struct reach *r);

/* The cell with this key; NULL: there is none. */
const struct reach_cell *reach_find(const struct reach *r, uint64_t key);

/* How many cells generators should meet. */
size_t reach_n_wanted(const struct reach *r);

struct reach_cells {
    uint32_t *at; /* indices of r->cells, ascending, each once */
    size_t n;
};

/* The cells that `m` meets; its shapes must have been inferred. */
struct reach_cells reach_meet(const struct reach *r, const struct model *m, struct arena *a);

/* "Conv attribute auto_pad=VALID" */
void reach_print(const struct reach_cell *c, struct strbuf *out);

#endif
