/*
 * Bucket keys: which failures are one bug. Pure functions of case, observations and verdicts.
 * Triage uses the same keys, and so does reduction, so that it does not slip to another failure.
 *
 * One key per family and class of failure: the verdicts of a family's modes fold into one key that
 * names the first mode in which it fails. Until a wrong result is localised its culprit is unknown
 * and its key provisional.
 */
#ifndef JUDGE_BUCKET_H
#define JUDGE_BUCKET_H

#include "judge/judge.h"

enum { BUCKET_RULE_VERSION = 6 }; /* stored beside each key */

enum bug_class { BUG_NATIVE_CRASH, BUG_WRONG_EXCEPTION, BUG_WRONG_RESULT, BUG_RESOURCE };
const char *bug_class_name(enum bug_class c); /* "native-crash", ... */
/* The class of a failing verdict of the evidence. */
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
    struct str strict; /* equal: reduced as one failure; key_final makes a bug's identity of it */
    struct str of_rules_5; /* the strict key of rules 5, whose ids are still known; "": as strict */
    struct str soft;       /* "maybe the same" */
    struct str portable;   /* names the bug in other releases too: without level, frames, paths */
    struct str detail;     /* where in the engine's library a crash without symbols began, as
                              "libengine+0x1b"; of this build only, and in strict after '@' */
    struct str guard;      /* strict without culprit and size: what a smaller case must keep */
    enum bug_class class;
    enum severity severity;
    const char *taxonomy;     /* label: "F2" */
    bool provisional;         /* a wrong result without localised culprit */
    enum decision decision;   /* FAIL, or SECOND_OPINION: is reduced, judged again, and not reported
                                 while it stays so. bucket_keys_in_doubt gives REFERENCE_SUSPECT
                                 too. */
    struct str node, op_type; /* of the culprit; node empty: not known, and op_type is empty or that
                                 of the failing output's producer */
    struct str mode;          /* first mode in which it fails */
    const char *dtype; /* of the culprit's data, or of the failing output; "": neither is known */
    struct str title;  /* one line for people: "Pad, MaxPool: wrong value" */
    const struct verdict *verdict; /* the verdict that represents the key */
};
struct keys {
    struct key *at;
    size_t n;
};

/* The keys of all failing verdicts, then of those that need a second opinion; reference-suspect
 * ones have none. Keys can be compared only if the evidence of all cases holds the same modes of a
 * family, since they name the first that fails. */
void bucket_keys(const struct evidence *ev, const struct verdicts *v, struct arena *a,
                 struct keys *out);
/* Adds the keys of reference-suspect verdicts at the end: for a reduced case whose original could
 * still be judged. */
void bucket_keys_in_doubt(const struct evidence *ev, const struct verdicts *v, struct arena *a,
                          struct keys *out);

/* Facts found after judging. Each moves the severity by one step, within S0 to S4. */
struct severity_facts {
    bool flaky, unusual_flags;        /* milder */
    bool regression, two_against_one; /* graver */
};
enum severity severity_adjust(enum severity s, const struct severity_facts *facts);

#endif
