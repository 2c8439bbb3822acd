/*
 * Names of decisions and kinds of wrong, and which of several decisions counts. Only judge/ knows
 * how a decision is reached.
 */
#include "case/verdict.h"

static const struct {
    const char *name;
    int rank; /* the larger, the worse */
} decisions[] = {
    [DECISION_PASS] = {"pass", 1},
    [DECISION_FAIL] = {"fail", 5},
    [DECISION_UNSURE] = {"unsure", 2},
    [DECISION_REFERENCE_SUSPECT] = {"reference-suspect", 4},
    [DECISION_SECOND_OPINION] = {"needs-second-opinion", 3},
    [DECISION_NOT_APPLICABLE] = {"not-applicable", 0},
};

static const char *const wrong_names[] = {
    [WRONG_NOTHING] = "nothing",
    [WRONG_VALUE] = "value",
    [WRONG_NAN] = "nan",
    [WRONG_INF] = "inf",
    [WRONG_MISSING_NAN] = "missing-nan",
    [WRONG_SHAPE] = "shape",
    [WRONG_DTYPE] = "dtype",
    [WRONG_OUTCOME] = "outcome",
    [WRONG_BITS] = "bits",
    [WRONG_SLOW] = "slow",
};

const char *decision_name(enum decision d)
{
    return d < COUNT_OF(decisions) ? decisions[d].name : "unknown";
}

bool decision_find(struct str name, enum decision *out)
{
    for (unsigned i = 0; i < COUNT_OF(decisions); i++) {
        if (str_is(name, decisions[i].name)) {
            *out = (enum decision)i;
            return true;
        }
    }
    return false;
}

const char *wrong_kind_name(enum wrong_kind k)
{
    return k < COUNT_OF(wrong_names) ? wrong_names[k] : "unknown";
}

bool wrong_kind_find(struct str name, enum wrong_kind *out)
{
    for (unsigned i = 0; i < COUNT_OF(wrong_names); i++) {
        if (str_is(name, wrong_names[i])) {
            *out = (enum wrong_kind)i;
            return true;
        }
    }
    return false;
}

const struct verdict *verdicts_worst(const struct verdicts *v)
{
    const struct verdict *worst = NULL;
    for (size_t i = 0; i < v->n; i++) {
        if (!worst || decisions[v->at[i].decision].rank > decisions[worst->decision].rank)
            worst = &v->at[i];
    }
    return worst;
}
