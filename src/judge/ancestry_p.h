/* Facts about the operators and values that each value of the top graph is computed from. */
#ifndef JUDGE_ANCESTRY_P_H
#define JUDGE_ANCESTRY_P_H

#include "judge/judge.h"

struct ancestry {
    bool moved;  /* elements only moved, or integer arithmetic: bit equality is expected */
    bool random; /* a random or training-mode node */
    bool open;   /* NaN or infinity at an operator that leaves its result open */
    bool made;   /* such an operator made NaN or infinity of finite inputs (a mask, an empty sum) */
    bool nonfinite;   /* NaN or infinity anywhere before it */
    bool uncertified; /* an operator whose row is not certified */
    bool empty;       /* a value without elements */
    bool undefined;   /* a value with undefined elements */
    bool switches;    /* an operator that jumps (Round, Cast to int, ArgMax) */
    bool bytes;       /* a product of 8-bit integers, or a quantising node */
    bool products;    /* an operator that sums products: an engine may compute them in u8 x s8 */
};

/* The facts per value of the top graph, made once and kept in the reference, which must be usable.
 * ancestry__of_graph looks at operators alone (open, nonfinite, empty and undefined stay false) and
 * costs next to nothing; ancestry__of_values looks at every element too. */
const struct ancestry *ancestry__of_graph(struct reference *r);
const struct ancestry *ancestry__of_values(struct reference *r);

/* Does the standard's text, read as IEEE 754 arithmetic, settle the operator's result when its
 * inputs hold NaN (nan) or infinities (inf)? */
bool ancestry__settles(struct str op_type, bool nan, bool inf);

#endif
