/* Three-valued answers, and how certain one is. A rule's `where` needs TRUTH_TRUE; its `unless`
 * also holds on TRUTH_UNKNOWN. */
#ifndef PYTHON_TRUTH_H
#define PYTHON_TRUTH_H

#include <stdbool.h>

enum truth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_UNKNOWN };

enum confidence { CONFIDENCE_NONE, CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

static inline enum truth truth_of(bool b)
{
    return b ? TRUTH_TRUE : TRUTH_FALSE;
}

static inline enum truth truth_not(enum truth a)
{
    return a == TRUTH_UNKNOWN ? a : truth_of(a == TRUTH_FALSE);
}

static inline enum truth truth_and(enum truth a, enum truth b)
{
    if (a == TRUTH_FALSE || b == TRUTH_FALSE)
        return TRUTH_FALSE;
    return a == TRUTH_TRUE ? b : a;
}

static inline enum truth truth_or(enum truth a, enum truth b)
{
    return truth_not(truth_and(truth_not(a), truth_not(b)));
}

const char *truth_name(enum truth t);           /* "false", "true", "unknown" */
const char *confidence_name(enum confidence c); /* "none", "low", "medium", "high" */

#endif
