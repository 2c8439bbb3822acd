/* The inside of emit/: a framework's facts, names of values, and how a row's form is filled in. */
#ifndef EMIT_EMIT_P_H
#define EMIT_EMIT_P_H

#include "base/map.h"
#include "emit/emit.h"

/* An operator's forms: the first that can be filled in is used. The language of forms stands in
 * fill.c. */
enum { EMIT_FORMS_MAX = 8 };
struct emit_row {
    const char *op_type;
    const char *forms[EMIT_FORMS_MAX]; /* NULL behind the last */
};

/* What is known of a framework. In its texts $N stands for a name, $V for a value, $T for a dtype,
 * $D for dims. */
struct emit_framework {
    const char *name;    /* "torch" */
    const char *module;  /* where infinities and NaN stand: "torch" */
    const char *helpers; /* of share/: functions; with those of emit/common.py, a program holds what
                            it calls */
    const char *imports;
    const char *dtypes[DTYPE_COUNT]; /* NULL: it has none */
    const struct emit_row *rows;     /* sorted by op_type */
    size_t n_rows;
    const char *scalar, *list, *bytes, *empty; /* a tensor; of more than one dimension
                                                  $V.reshape($D) where the text has no $D */
    const char *to_list; /* the numbers of a tensor of one dimension; NULL: not known while the
                            program is compiled */
    const char *as_bool; /* of a tensor of one element, for If and Loop; NULL: there are none */
    const char *stack;   /* a list of tensors as one, for Loop */
    const char *head;    /* before the weights */
    const char *weight;  /* the line that keeps one */
    const char *use;     /* how a kept one is named */
    const char *begin;   /* before the operators; $V: the arguments */
    const char *entry;   /* "Model" */
    unsigned indent;     /* of the operators */
};

extern const struct emit_framework emit__torch, emit__jax, emit__tensorflow;

/* Names of a graph's values. A value of the graph around it has that one's name. */
struct emit_scope {
    const struct graph *graph;
    const struct emit_scope *outer;
    struct str *names;
    bool *is_weight; /* named by the framework's `use` */
};

struct emitter {
    const struct emit_framework *framework;
    const struct model *model;
    enum emit_weights where;
    struct arena *a;
    struct map taken;      /* names in use */
    struct strbuf weights; /* lines that keep them */
    struct strbuf body;    /* lines of operators */
    VEC(struct named_tensor) beside;
    struct map kept; /* names of weights that have their line */
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
    heeded; /* attributes that it names; a form that leaves one out does not apply */
};

/* name.c */
struct emit_scope *emit__scope(struct emitter *w, const struct graph *g,
                               const struct emit_scope *outer);
struct str emit__fresh(struct emitter *w, const char *stem); /* a name that nothing has */
struct str emit__name(const struct emitter *w, const struct emit_scope *s, uint32_t value);

/* weight.c */
/* The value's numbers when they do not change: an initializer or a Constant; NULL: they do. */
const struct tensor *emit__constant(const struct emitter *w, const struct emit_scope *s,
                                    uint32_t value);
/* Its line, once, when the value is a weight. */
bool emit__keep(struct emitter *w, const struct emit_scope *s, uint32_t value, struct err *e);
/* An expression for a tensor. */
bool emit__tensor(const struct emit_framework *f, const struct tensor *t, struct strbuf *out,
                  struct err *e);
/* pattern with its $X filled in. */
void emit__put(struct strbuf *out, const char *pattern, struct str name, struct str value,
               const char *dtype, struct str dims);

/* fill.c: false with the reason when the form does not apply. */
bool emit__fill(struct filling *f, const char *form);

/* word.c: the $words of forms: texts that are computed from a node. */
bool emit__word(struct filling *f, struct str word);
/* Input i of the node as a list of constant integers; false with a reason: it is none. */
bool emit__ints(struct filling *f, uint32_t input, const int64_t **at, size_t *n);
const struct graph_value *emit__input(const struct filling *f, uint32_t i); /* NULL: left out */

/* graph.c: the operators of a graph, each a line; an operator's row, NULL: none. */
const struct emit_row *emit__row(const struct emit_framework *f, struct str op_type);
bool emit__graph(struct emitter *w, const struct emit_scope *s, unsigned indent, struct err *e);

/* control.c: If, Loop and Scan as statements. */
bool emit__control(struct emitter *w, const struct emit_scope *s, const struct node *n,
                   unsigned indent, struct err *e);
bool emit__is_control(const struct node *n);

#endif
