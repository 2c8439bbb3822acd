/* Private to emit/: a framework's facts, names of values, and filling in a row's form. */
#ifndef EMIT_EMIT_P_H
#define EMIT_EMIT_P_H

#include "base/map.h"
#include "emit/emit.h"

/* An operator's forms: the first that can be filled in is used. fill.c describes the language of
 * forms. */
enum { EMIT_FORMS_MAX = 8 };
struct emit_row {
    const char *op_type;
    const char *forms[EMIT_FORMS_MAX]; /* NULL after the last */
};

/* The facts of a framework. In its texts $N is replaced by a name, $V by a value, $T by a dtype, $D
 * by dims. */
struct emit_framework {
    const char *name;    /* "torch" */
    const char *module;  /* the module with infinities and NaN: "torch" */
    const char *helpers; /* of share/; a program gets the functions it calls, also of
                            emit/common.py */
    const char *imports;
    const char *dtypes[DTYPE_COUNT]; /* NULL: it has none */
    const struct emit_row *rows;     /* sorted by op_type */
    size_t n_rows;
    const char *scalar, *list, *bytes, *empty; /* a tensor; of more than one dimension
                                                  $V.reshape($D) where the text has no $D */
    const char *to_list; /* numbers of a tensor of rank 1; NULL: unknown at compile time */
    const char *as_bool; /* of a one-element tensor, for If and Loop; NULL: not possible */
    const char *stack;   /* makes one tensor of a list, for Loop */
    const char *head;    /* before the weights */
    const char *weight;  /* the line that defines one */
    const char *use;     /* the name of a defined one */
    const char *begin;   /* before the operators; $V: the arguments */
    const char *entry;   /* "Model" */
    unsigned indent;     /* of the operators */
};

extern const struct emit_framework emit__torch, emit__jax, emit__tensorflow;

const struct emit_framework *emit__framework(struct str name); /* NULL: there is none */

/* Names of a graph's values. Values of the graph around it keep their names. */
struct emit_scope {
    const struct graph *graph;
    const struct emit_scope *outer;
    struct str *names;
    bool *is_weight; /* its name has the form of the framework's `use` */
};

struct emitter {
    const struct emit_framework *framework;
    const struct model *model;
    enum emit_weights where;
    struct arena *a;
    struct map taken;      /* names in use */
    struct strbuf weights; /* lines that define them */
    struct strbuf body;    /* lines of operators */
    VEC(struct named_tensor) beside;
    struct map kept; /* weights that have their line */
    uint32_t n_fresh;
};

/* One node, while a form of its row is filled in. */
struct filling {
    struct emitter *w;
    const struct emit_scope *scope;
    const struct node *node;
    struct strbuf *out;
    struct err *e;      /* why the last form does not apply */
    VEC(uint32_t) used; /* values that the form names */
    VEC(struct str)
    heeded; /* attributes that the form names; it must name all */
};

/* name.c */
struct emit_scope *emit__scope(struct emitter *w, const struct graph *g,
                               const struct emit_scope *outer);
struct str emit__fresh(struct emitter *w, const char *stem); /* an unused name */
struct str emit__name(const struct emitter *w, const struct emit_scope *s, uint32_t value);

/* weight.c */
/* The value's numbers if they are constant: an initializer or a Constant; NULL: they are not. */
const struct tensor *emit__constant(const struct emitter *w, const struct emit_scope *s,
                                    uint32_t value);
/* Adds the line of a value that is a weight, once. */
bool emit__keep(struct emitter *w, const struct emit_scope *s, uint32_t value, struct err *e);
/* An expression for a tensor. */
bool emit__tensor(const struct emit_framework *f, const struct tensor *t, struct strbuf *out,
                  struct err *e);
/* Appends the pattern with its $X filled in. */
void emit__put(struct strbuf *out, const char *pattern, struct str name, struct str value,
               const char *dtype, struct str dims);

/* fill.c: false with the reason when the form does not apply. */
bool emit__fill(struct filling *f, const char *form);

/* word.c: the $words of forms, which are texts computed from a node. */
bool emit__word(struct filling *f, struct str word);
/* Input i of the node as a list of constant integers; false with a reason: it is not one. */
bool emit__ints(struct filling *f, uint32_t input, const int64_t **at, size_t *n);
const struct graph_value *emit__input(const struct filling *f, uint32_t i); /* NULL: left out */

/* graph.c: writes the operators of a graph, one per line. emit__row: an operator's row; NULL:
 * none. */
const struct emit_row *emit__row(const struct emit_framework *f, struct str op_type);
bool emit__graph(struct emitter *w, const struct emit_scope *s, unsigned indent, struct err *e);

/* control.c: If, Loop and Scan as statements. */
bool emit__control(struct emitter *w, const struct emit_scope *s, const struct node *n,
                   unsigned indent, struct err *e);
bool emit__is_control(const struct node *n);

#endif
