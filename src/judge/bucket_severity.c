/*
 * How grave a failure is and which of the study's types it has (campaign.md 2). Pure: facts found
 * later (flaky, regression) change the severity by severity_adjust.
 */
#include <signal.h>

#include "judge/bucket_p.h"

static const struct taxonomy_row taxonomy[] = {
#define TAXONOMY(label, meaning) {label, meaning},
#include "judge/taxonomy.def"
#undef TAXONOMY
};

static const struct {
    const char *name, *meaning;
} severities[] = {
    [SEVERITY_S0] = {"S0", "memory corruption"},
    [SEVERITY_S1] = {"S1", "silently wrong result, default settings, valid input"},
    [SEVERITY_S2] = {"S2", "crash or internal assertion on valid input"},
    [SEVERITY_S3] = {"S3", "hang, memory, wrong gradient, rare mode"},
    [SEVERITY_S4] = {"S4", "crash on input documented as invalid, quality of messages"},
};

const struct taxonomy_row *taxonomy_list(size_t *n)
{
    *n = COUNT_OF(taxonomy);
    return taxonomy;
}

const char *severity_name(enum severity s)
{
    return s < COUNT_OF(severities) ? severities[s].name : "unknown";
}

const char *severity_meaning(enum severity s)
{
    return s < COUNT_OF(severities) ? severities[s].meaning : "";
}

enum severity severity_adjust(enum severity s, const struct severity_facts *facts)
{
    int level = (int)s + (facts->flaky || facts->unusual_flags) -
                (facts->regression || facts->two_against_one);
    return (enum severity)(level < SEVERITY_S0   ? SEVERITY_S0
                           : level > SEVERITY_S4 ? SEVERITY_S4
                                                 : level);
}

static bool says(struct str text, const char *const *what, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_find(text, str_of(what[i])) < text.n)
            return true;
    return false;
}

static bool is_corruption(const struct observation *x)
{
    static const char *const texts[] = {"corrupted",
                                        "double free",
                                        "free(): invalid",
                                        "malloc(): ",
                                        "munmap_chunk(): invalid",
                                        "stack smashing",
                                        "heap-buffer-overflow",
                                        "use-after-free"};
    return x->outcome == OUTCOME_SANITIZER || says(x->message.raw, texts, COUNT_OF(texts));
}

static bool has_undefined(const struct evidence *ev, uint32_t input_set)
{
    if (!ev->refs || input_set >= ev->c->n_input_sets || !ev->refs[input_set].usable)
        return false;
    const struct eval_result *r = &ev->refs[input_set].values;
    for (size_t i = 0; i < r->n_values; i++) {
        for (size_t k = 0; r->values[i].undefined && k < r->values[i].n; k++)
            if (r->values[i].undefined[k])
                return true;
    }
    return false;
}

static enum severity of_crash(const struct group *g)
{
    if (!g->seen)
        return SEVERITY_S2;
    if (is_corruption(g->seen))
        return SEVERITY_S0;
    if (g->ev->c->lane == LANE_VALUES && has_undefined(g->ev, g->verdict->input_set))
        return SEVERITY_S4;
    return SEVERITY_S2;
}

/* Two runs that differ by rounding are a matter of taste; a second run that is wrong is as grave as
 * a first. NaN and infinities are one step milder where the inputs are extreme, since few programs
 * have such. A wrong shape or dtype is not: it does not depend on the values. */
static enum severity of_wrong(const struct group *g)
{
    enum wrong_kind w = g->verdict->wrong;
    bool is_class = w == WRONG_NAN || w == WRONG_INF || w == WRONG_MISSING_NAN;
    if (w == WRONG_BITS && !g->verdict->beyond_rounding)
        return SEVERITY_S3;
    return is_class && g->ev->c->lane == LANE_VALUES ? SEVERITY_S2 : SEVERITY_S1;
}

enum severity bucket__severity(const struct group *g)
{
    switch (g->class) {
    case BUG_NATIVE_CRASH:
        return of_crash(g);
    case BUG_WRONG_EXCEPTION:
        if (str_is(str_of(g->verdict->oracle), "shadow")) /* eager rejects the program too */
            return SEVERITY_S3;
        if (g->seen && g->seen->outcome != OUTCOME_EXCEPTION)
            return SEVERITY_S2;
        return g->all_modes ? SEVERITY_S3 : SEVERITY_S2;
    case BUG_WRONG_RESULT:
        return of_wrong(g);
    case BUG_RESOURCE:
        break;
    }
    return SEVERITY_S3;
}

static const char *label_of_exception(const struct observation *x)
{
    static const char *const load[] = {
        "INVALID_GRAPH", "INVALID_PROTOBUF", "INVALID_ARGUMENT", "NO_MODEL",
        "oad model",     "type inference",   "ShapeInference",   "export"};
    static const char *const build[] = {"ptimiz", "ompil",     "fusion",
                                        "Fusion", "transform", "nitialization"};
    if (says(x->message.raw, build, COUNT_OF(build)))
        return "G1";
    if (says(x->message.raw, load, COUNT_OF(load)) || says(x->message.type, load, COUNT_OF(load)))
        return "G3";
    return "G2";
}

const char *bucket__taxonomy(const struct group *g)
{
    enum { COMPLEX_NODES = 4 };
    switch (g->class) {
    case BUG_NATIVE_CRASH:
        return g->top && g->top->nodes.n > COMPLEX_NODES ? "G5" : "B1";
    case BUG_WRONG_EXCEPTION:
        return g->seen ? label_of_exception(g->seen) : "G2";
    case BUG_RESOURCE:
        if (g->seen && (g->seen->outcome == OUTCOME_TIMEOUT_CPU ||
                        g->seen->outcome == OUTCOME_TIMEOUT_BLOCKED))
            return "B3";
        return "B1";
    case BUG_WRONG_RESULT:
        break;
    }
    switch (g->verdict->wrong) {
    case WRONG_SHAPE:
    case WRONG_DTYPE:
        return "C1";
    case WRONG_BITS:
        return "F1";
    case WRONG_SLOW:
        return "E1";
    case WRONG_VALUE:
        return g->all_modes ? "F2" : "F1";
    default:
        return "F2";
    }
}
