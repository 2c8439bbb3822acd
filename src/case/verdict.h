/*
 * struct verdict: one oracle's decision about a case on one target, with its measure and threshold.
 * An oracle is known here by name only; judge/ decides.
 */
#ifndef CASE_VERDICT_H
#define CASE_VERDICT_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "case/observation.h"

enum decision {
    DECISION_PASS,
    DECISION_FAIL,
    DECISION_UNSURE, /* this input shows nothing: noise too large, or all elements left out */
    DECISION_REFERENCE_SUSPECT, /* two engine families agree against the reference: our own may be
                                   wrong, so it is not reported */
    DECISION_SECOND_OPINION,    /* one family fails, and the operator's row is not certified: not
                                   reported */
    DECISION_NOT_APPLICABLE
};
const char *decision_name(enum decision d); /* "pass", "fail", ..., "needs-second-opinion" */
bool decision_find(struct str name, enum decision *out);

/* A place in the outputs or the graph. */
struct place {
    struct str output;  /* name of the graph output or intermediate; empty: the whole case */
    struct str node;    /* first wrong node when localised; else empty */
    struct str op_type; /* of that node, or of the output's producer */
    size_t element;     /* flat index of the worst element; SIZE_MAX: none */
};

/* In which way a result is wrong, for buckets. */
enum wrong_kind {
    WRONG_NOTHING,
    WRONG_VALUE,
    WRONG_NAN,         /* NaN instead of a number */
    WRONG_INF,         /* infinity instead of a finite number, or one of the other sign */
    WRONG_MISSING_NAN, /* a number instead of NaN */
    WRONG_SHAPE,
    WRONG_DTYPE,
    WRONG_OUTCOME, /* a failure of a valid case */
    WRONG_BITS,    /* two runs differ */
    WRONG_SLOW
};
const char *wrong_kind_name(enum wrong_kind k); /* "value", "nan", "missing-nan", ... */
bool wrong_kind_find(struct str name, enum wrong_kind *out);

struct verdict {
    const char *oracle; /* "reference", "crash", ... */
    enum decision decision;
    enum wrong_kind wrong;
    double measure, threshold; /* as the oracle defines them */
    double expected, observed; /* at place.element, when there is one */
    bool beyond_rounding;      /* WRONG_BITS: the second run's value is wrong, too */
    struct target_id target;
    uint32_t input_set;
    struct place place;
    struct str claim; /* one sentence for people */
};

struct verdicts {
    struct verdict *at;
    size_t n;
};

/* The worst decision of all: FAIL before REFERENCE_SUSPECT, SECOND_OPINION, UNSURE, PASS,
 * NOT_APPLICABLE. NULL: none. */
const struct verdict *verdicts_worst(const struct verdicts *v);

#endif
