/*
 * Calls as text: how the tables of share/align/ and stored evidence write the arguments of a call.
 *
 *     f[2,3], f[3], 1, keepdim=True          a function
 *     3, bias=False; f[2,3]                  a class: constructor; call of the object
 *     step lr=0.1; f[4], f[4]                an optimiser: three steps on a parameter and gradient
 *
 * A value is None, True, False, a number, 'text', [list], (tuple), @float32 for a dtype, or a
 * tensor: a letter for its dtype, its shape, and after a colon how its values are drawn (rows of
 * tensors.c). Tensors of one call differ: "#n" marks the n-th tensor of the same text,
 * and may be left out where they are numbered in order.
 *
 *     struct call c;
 *     if (!call_parse(STR("f[2,3], 1"), arena, &c, e)) ...
 *     call_print(&c, &text);                  // "f[2,3], 1"
 *
 * Immutable once parsed; all lives in the arena.
 */
#ifndef ALIGN_EXPRESSION_H
#define ALIGN_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"

enum arg_kind {
    ARG_NONE,
    ARG_BOOL,
    ARG_INT,
    ARG_FLOAT,
    ARG_STR,
    ARG_DTYPE,
    ARG_LIST,
    ARG_TUPLE,
    ARG_TENSOR
};

enum { ARG_RANK_MAX = 8, ARG_DEPTH_MAX = 6, CALL_ARGS_MAX = 24 };

struct arg {
    enum arg_kind kind;
    bool truth;       /* ARG_BOOL */
    int64_t integer;  /* ARG_INT */
    double real;      /* ARG_FLOAT, ARG_INT */
    struct str text;  /* ARG_STR, ARG_DTYPE: the name; ARG_TENSOR: "f[2,3]:pos" */
    uint32_t ordinal; /* ARG_TENSOR: among tensors of the same text in the call */
    const struct arg *items;
    size_t n;                   /* ARG_LIST, ARG_TUPLE */
    uint8_t perm[ARG_RANK_MAX]; /* ARG_TENSOR: its dimensions in another order */
    uint8_t n_perm;             /* 0: as they are */
    struct str cast;            /* ARG_TENSOR: dtype that it is cast to; "": none */
};

struct named_arg {
    struct str name; /* "": by position */
    struct arg value;
};

struct call_part {
    const struct named_arg *at;
    size_t n;
};

struct call {
    bool is_class, is_step;
    struct call_part make; /* is_class: arguments of the constructor; is_step: settings */
    struct call_part args;
    struct str weights; /* is_class: JSON for the worker, "": each weight unchanged */
};

bool call_parse(struct str text, struct arena *a, struct call *out, struct err *e);
/* One value: "1", "'ij'", "(1, 2)". */
bool arg_parse(struct str text, struct arena *a, struct arg *out, struct err *e);

void arg_print(const struct arg *v, struct strbuf *out);
void call_print(const struct call *c, struct strbuf *out);
bool arg_eq(const struct arg *x, const struct arg *y);

/* The number of positional arguments, and a named one; NULL: not given. */
size_t call_part_n_positional(const struct call_part *p);
const struct arg *call_part_find(const struct call_part *p, struct str name);

/* The kind of the call's input, as letters of dtypes with ranks, of scalars and lists: "f2 i b". */
void call_print_kind(const struct call *c, struct strbuf *out);

/* The ranks of the call's tensors, "2 1", and their dtypes, each once: "float32 int64". Tensors of
 * one list that are alike count as one, however many they are. */
void call_print_ranks(const struct call *c, struct strbuf *out);
void call_print_dtypes(const struct call *c, struct strbuf *out);

/* The parts of "f[2,3]:pos": letter of the dtype, shape, and the draw after the colon. */
struct tensor_spec {
    char letter;
    size_t rank;
    int64_t dims[ARG_RANK_MAX];
    struct str draw;
};
bool tensor_spec_parse(struct str text, struct tensor_spec *out);
const char *tensor_letter_dtype(char letter); /* "float32"; NULL: no such letter */

#endif
