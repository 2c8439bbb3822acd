/* Gives every oracle the reference of an observation, a place in the graph, an empty verdict and
 * counts of what is left out. Must not know any oracle. */
#include "case/subject.h"
#include "judge/judge_p.h"

#include <math.h>

struct verdict judge__verdict(enum oracle o, const struct observation *x)
{
    return (struct verdict){.oracle = oracle_name(o),
                            .decision = DECISION_PASS,
                            .target = x->target,
                            .input_set = x->input_set,
                            .place = {.element = SIZE_MAX}};
}

void judge__add(struct judging *j, struct verdict v)
{
    vec_push(&j->found, j->a, v);
}

void judge__count(struct judging *j, enum not_bug n, uint64_t by)
{
    j->counts->of[n] += by;
}

static double excess(const struct verdict *v)
{
    if (v->wrong != WRONG_VALUE && v->wrong != WRONG_NOTHING)
        return INFINITY;
    return v->threshold > 0 ? v->measure / v->threshold : v->measure;
}

bool judge__is_worse(const struct verdict *v, const struct verdict *than)
{
    struct verdict pair[2] = {*than, *v};
    if (v->decision == than->decision)
        return excess(v) > excess(than);
    return verdicts_worst(&(struct verdicts){pair, 2}) == &pair[1];
}

struct reference *judge__reference(const struct judging *j, const struct observation *x)
{
    if (!j->ev->refs || x->input_set >= j->ev->c->n_input_sets)
        return NULL;
    struct reference *r = &j->ev->refs[x->input_set];
    return r->usable ? r : NULL;
}

bool judge__base_passes(const struct judging *j, const struct observation *x)
{
    for (size_t i = 0; !x->target.is_base && i < j->ev->n_observations; i++) {
        const struct observation *y = &j->ev->observations[i];
        if (y->target.is_base && y->input_set == x->input_set && y->outcome == OUTCOME_OK &&
            str_eq(y->target.engine, x->target.engine) &&
            str_eq(y->target.version, x->target.version))
            return true;
    }
    return false;
}

bool judge__is_measured(const struct observation *x)
{
    return x->captures && x->outputs.n > 0 && x->captures[0].measures;
}

bool judge__has_outputs(const struct observation *x)
{
    return x->outcome == OUTCOME_OK && x->repeat == 0 && x->variant == VARIANT_PLAIN;
}

const struct model *judge__model(const struct judging *j)
{
    return case_model(j->ev->c);
}

struct place judge__place(const struct model *m, uint32_t value, size_t element)
{
    struct place p = {.element = element};
    if (value >= m->graph->values.n)
        return p;
    const struct graph_value *v = &m->graph->values.at[value];
    p.output = v->name;
    if (v->origin == ORIGIN_NODE)
        p.op_type = m->graph->nodes.at[v->origin_at].op_type;
    return p;
}

struct str judge__family(const struct observation *x)
{
    return x->target.runner ? x->target.runner->family : x->target.family;
}
