/* Shared by the parts of bucket.c: a group of verdicts of one family, and what it says. */
#ifndef JUDGE_BUCKET_P_H
#define JUDGE_BUCKET_P_H

#include "judge/bucket.h"

/* The failing verdicts of one family and class, in the order of the evidence. */
struct group {
    const struct evidence *ev;
    struct str family;
    enum bug_class class;
    const struct verdict *verdict;  /* represents the group: a localised one, else the worst */
    const struct observation *seen; /* its observation; NULL: none */
    struct str mode;                /* first failing mode */
    uint32_t mode_rank;
    const struct graph *top;    /* NULL: the case is no graph */
    const struct node *culprit; /* NULL: not known (yet) */
    struct str called;          /* by a program whose process died; "": not known */
    bool all_modes;             /* every mode of the family that ran fails */
};

/* The node that the group blames. NULL: not known (yet), or the case is no graph. */
const struct node *culprit__find(const struct group *g);
/* Label and op_type of the culprit or of its pattern (struct key); both empty: not known. */
void culprit__name(const struct group *g, struct str *node, struct str *op_type);
/* Adds the culprit and the operators that feed it, each once, sorted: "Conv<Pad,Relu"; with_edges:
 * "Conv<W:Pad,Relu" if the Pad feeds the weight. */
void culprit__add(const struct group *g, bool with_edges, struct strbuf *out);
/* Adds the operators that the message names round the place, and words of names that the engine
 * made ("LayerNormFusion", "nchwc"). Adds nothing where the culprit is known. */
void culprit__add_around(const struct group *g, struct strbuf *out);
/* Adds the culprit and its producers without edges; where it is not known, all operators of the
 * graph. */
void culprit__add_operators(const struct group *g, struct strbuf *out);
/* The dtype of the culprit's data or else of its output; of the failing output where the culprit is
 * not known. "": not known. */
const char *culprit__dtype(const struct group *g);

/* What a program whose process died called in its innermost line, by name: "torch.bucketize". "":
 * not known, or the case is no program. */
struct str culprit__called(const struct group *g, struct arena *a);

enum severity bucket__severity(const struct group *g);
const char *bucket__taxonomy(const struct group *g);

/* Takes the names of the case's graph out of a message and normalises it. version: of the steps
 * (judge/normalise.h). */
struct str bucket__template(const struct evidence *ev, struct str raw, int version,
                            struct arena *a);

#endif
