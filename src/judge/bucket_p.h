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
    bool all_modes;                 /* every mode of the family that ran fails */
};

enum severity bucket__severity(const struct group *g);
const char *bucket__taxonomy(const struct group *g);

/* A message with the names of the case's graph taken out, then normalised. */
struct str bucket__template(const struct evidence *ev, struct str raw, struct arena *a);

/* Rank of a mode among the levels of an engine: "off" 0 ... "all" 4; others in between by name. */
int bucket__mode_rank(struct str mode);

#endif
