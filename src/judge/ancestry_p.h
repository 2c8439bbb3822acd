/* What stands before each value of the top graph: the operators and values it is computed from. */
#ifndef JUDGE_ANCESTRY_P_H
#define JUDGE_ANCESTRY_P_H

#include "judge/judge.h"

struct ancestry {
    bool moved; /* elements of inputs and initializers, moved or integer arithmetic: bit equality */
    bool random; /* a random or training-mode node */
    bool open;   /* NaN or infinity at an operator that leaves its result open */
    bool made;   /* such an operator made NaN or infinity of finite inputs (a mask, an empty sum) */
    bool nonfinite;   /* NaN or infinity anywhere before it */
    bool uncertified; /* an operator whose row is not certified */
    bool empty;       /* a value without elements */
    bool undefined;   /* a value with undefined elements */
    bool switches;    /* an operator that jumps (Round, Cast to int, ArgMax) */
    bool bytes;       /* a product of 8-bit integers, or a quantising node */
};

/* Per value of the top graph, made once and kept in the reference, which must be usable. The first
 * looks at operators alone (open, nonfinite, empty and undefined stay false) and costs nothing
 * worth counting; the second at every value too. */
const struct ancestry *ancestry__of_graph(struct reference *r);
const struct ancestry *ancestry__of_values(struct reference *r);

/* Does the text, read as IEEE 754 arithmetic, settle what the operator makes of a NaN, of an
 * infinity among its inputs? */
bool ancestry__settles(struct str op_type, bool nan, bool inf);

#endif
