/*
 * The parts of a program that uses a framework: its models, their layers, its inputs, calls of an
 * optimiser and their arguments, training steps, and places that name a device.
 *
 *     struct framework_table table;
 *     if (!framework_table_read(text, "decompose/torch.json", arena, &table, e)) ...
 *     struct program_parts parts;
 *     decompose(&tree, &names, &table, arena, &parts);
 *
 * Nothing here knows a framework: symbols come from the table (share/decompose/). Any function,
 * lambda, module instance or class that is given to an optimiser is a model. Parts are in source
 * order and refer to nodes of the tree, so that an edit of one (python/edit.h) leaves all other
 * bytes unchanged.
 */
#ifndef PYTHON_DECOMPOSE_H
#define PYTHON_DECOMPOSE_H

#include "base/json.h"
#include "base/vec.h"
#include "python/names.h"

enum { TABLE_WORDS_MAX = 4096 };

struct text_list {
    const struct str *at;
    size_t n;
};

/* One optimiser's entry point. */
struct optimizer_row {
    struct str symbol;     /* "torch.jit.trace" */
    int64_t model, inputs; /* positional arguments that hold them; -1: none */
    struct str oracle,
        status;       /* "shadow", "invariant", "outcome"; "supported", "deprecated", "removed" */
    struct str level; /* keyword that says how much is optimised: "backend"; "": none */
    struct text_list levels; /* its values as source, the least first */
};

struct framework_table {
    struct str framework, module; /* framework: "pytorch", as in issues; module: "torch", to
                                     import */
    struct text_list model_bases, factories, devices, device_methods;
    struct text_list wrappers;       /* calls that give another form of their first argument */
    struct text_list model_methods;  /* methods that give another form of their receiver */
    struct str model_method, layers; /* "forward"; the package of layers: "torch.nn" */
    const struct optimizer_row *optimizers;
    size_t n_optimizers;
    const struct json *root; /* the whole table, also lists that generators use */
};

/* ERR_DATA names the file, the key and what is expected. The table borrows nothing from `text`. */
bool framework_table_read(struct str text, const char *name, struct arena *a,
                          struct framework_table *out, struct err *e);

/* A list of strings under a key; empty when there is none. */
struct text_list framework_table_list(const struct framework_table *t, const char *key,
                                      struct arena *a);

enum part_kind {
    PART_MODEL,     /* class, function, lambda or expression; node: the definition or expression */
    PART_LAYER,     /* call of a class in the package of layers */
    PART_INPUT,     /* call of a tensor factory */
    PART_OPTIMIZER, /* call, or decorator */
    PART_DEVICE,    /* string that names a device, or a call of a method that moves to one */
    PART_STEP,      /* backward(), step() */
    PART_UNBOUND,   /* name that is never bound; symbol: the name */
    PART_COUNT
};
const char *part_kind_name(enum part_kind kind); /* "model", "layer", ... */

struct program_part {
    enum part_kind kind;
    uint32_t node;
    uint32_t model;    /* PART_OPTIMIZER: node of its model argument; 0: not found */
    struct str symbol; /* qualified name of the call, or the model's form: "class", "function",
                          "lambda", "expression" */
    const struct optimizer_row *row; /* PART_OPTIMIZER */
    bool is_decorator;
};

struct program_parts {
    const struct program_part *at;
    size_t n;
};

void decompose(const struct tree *t, const struct names *n, const struct framework_table *table,
               struct arena *a, struct program_parts *out);

/* The first part of a kind after `after` (NULL: of all); NULL: none. */
const struct program_part *parts_next(const struct program_parts *p, enum part_kind kind,
                                      const struct program_part *after);

#endif
