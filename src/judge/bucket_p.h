/* The parts of bucket.c: what a group of verdicts of one family says. */
#ifndef JUDGE_BUCKET_P_H
#define JUDGE_BUCKET_P_H

#include "judge/bucket.h"

/* Failing verdicts of one family and class, in the order of the evidence. */
struct group {
    const struct evidence *ev;
    struct str family;
    enum bug_class class;
    const struct verdict *verdict;  /* the one that speaks: localised first, then worst */
    const struct observation *seen; /* its observation; NULL: none */
    struct str mode;                /* first failing mode */
    const struct graph *top;        /* NULL: the case is no graph */
    const struct node *culprit;     /* NULL: not known (yet) */
    bool all_modes;                 /* every mode of the family that ran fails */
};

/* NULL: not known (yet), or the case is no graph. */
const struct node *culprit__find(const struct group *g);
/* The culprit's label and op_type, or its pattern's (struct key); both empty: not known. */
void culprit__name(const struct group *g, struct str *node, struct str *op_type);
/* "Conv<Pad,Relu": the culprit and the operators that feed it, each once, sorted. */
void culprit__add(const struct group *g, struct strbuf *out);
/* Operators that the message names around the place, and words of names that the engine made itself
 * ("LayerNormFusion", "nchwc"); nothing where the culprit is known. */
void culprit__add_around(const struct group *g, struct strbuf *out);
/* The culprit and its producers, or where it is not known all operators of the graph. */
void culprit__add_operators(const struct group *g, struct strbuf *out);
/* dtype in which the culprit works: that of its data, or of what it gives; of the failing output
 * where the culprit is not known; "": the case is no graph. */
const char *culprit__dtype(const struct group *g);

enum severity bucket__severity(const struct group *g);
const char *bucket__taxonomy(const struct group *g);

/* A message with the names of the case's graph taken out, then normalised. */
struct str bucket__template(const struct evidence *ev, struct str raw, struct arena *a);

/* Rank of a mode among the levels of an engine: "off" 0 ... "all" 4; others in between by name. */
int bucket__mode_rank(struct str mode);

#endif
