/*
 * Bucket keys: which failures are one bug. Pure functions of case, observations and verdicts;
 * triage and reduction's slippage guard use the same keys.
 *
 * One key per family and class of failure: the verdicts of a family's modes fold into one key that
 * names the first mode in which it fails. Until a wrong result is localised its culprit is unknown
 * and its key provisional.
 */
#ifndef JUDGE_BUCKET_H
#define JUDGE_BUCKET_H

#include "judge/judge.h"

enum { BUCKET_RULE_VERSION = 4 }; /* stored beside each key */

enum bug_class { BUG_NATIVE_CRASH, BUG_WRONG_EXCEPTION, BUG_WRONG_RESULT, BUG_RESOURCE };
const char *bug_class_name(enum bug_class c); /* "native-crash", ... */
/* Of a failing verdict of the evidence. */
enum bug_class bug_class_of(const struct evidence *ev, const struct verdict *v);

enum severity { SEVERITY_S0, SEVERITY_S1, SEVERITY_S2, SEVERITY_S3, SEVERITY_S4 };
const char *severity_name(enum severity s); /* "S0" */
const char *severity_meaning(enum severity s);

/* The 21 types of high-priority defects (the mutation study's table). */
struct taxonomy_row {
    const char *label, *meaning; /* "F2", "outputs wrong or outliers" */
};
const struct taxonomy_row *taxonomy_list(size_t *n);

struct key {
    struct str
        strict;      /* which failures are reduced as one; key_final makes a bug's identity of it */
    struct str soft; /* "maybe the same" */
    struct str portable; /* the same bug in another release: without level, frames, paths */
    struct str detail;   /* where in the engine's library a crash without symbols began, as
                            "libengine+0x1b"; of this build only, and part of strict behind '@' */
    struct str guard;    /* strict without culprit and decade: what a smaller case must keep */
    enum bug_class class;
    enum severity severity;
    const char *taxonomy;     /* label: "F2" */
    bool provisional;         /* a wrong result without localised culprit */
    enum decision decision;   /* DECISION_FAIL, or DECISION_SECOND_OPINION: reduce it, judge again,
                                 and never report it while it stays so. bucket_keys_in_doubt gives
                                 DECISION_REFERENCE_SUSPECT as well. */
    struct str node, op_type; /* of the culprit; node empty: not known, and op_type is at most that
                                 of the failing output's producer */
    struct str mode;          /* first mode in which it fails */
    const char *dtype; /* in which the culprit works, or of the failing output; "": neither */
    struct str title;  /* one line for people: "Pad, MaxPool: wrong value" */
    const struct verdict *verdict; /* the verdict that represents the key */
};
struct keys {
    struct key *at;
    size_t n;
};

/* Keys of all failing verdicts first, then of those that need a second opinion; reference-suspect
 * ones have none. The evidence must always hold the same modes of a family; otherwise the first
 * failing mode means nothing. */
void bucket_keys(const struct evidence *ev, const struct verdicts *v, struct arena *a,
                 struct keys *out);
/* The same, followed by the keys of reference-suspect verdicts, for a reduced case whose original
 * could still be judged. */
void bucket_keys_in_doubt(const struct evidence *ev, const struct verdicts *v, struct arena *a,
                          struct keys *out);

/* Facts found after judging. Each moves the severity by one step, within S0 to S4. */
struct severity_facts {
    bool flaky, unusual_flags;        /* milder */
    bool regression, two_against_one; /* graver */
};
enum severity severity_adjust(enum severity s, const struct severity_facts *facts);

#endif
