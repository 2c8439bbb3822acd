/*
 * Whose fault a wrong result of a converted model is. Another engine, the runner, runs what a
 * converter makes: the converter is blamed only if its runner is right on the unconverted model.
 * Where the runner fails on that too, or where our reference gives the right result for the
 * converted model, nothing is said about the converter.
 */
#include "judge/judge_p.h"

#include "onnx/eval.h"
#include "onnx/infer.h"
#include "onnx/io.h"

static bool fails(enum decision d)
{
    return d == DECISION_FAIL || d == DECISION_SECOND_OPINION || d == DECISION_REFERENCE_SUSPECT;
}

/* Did the runner fail with the unconverted model, or is it blamed there? */
static bool runner_fails(const struct judging *j, const struct verdict *v)
{
    const struct target_id *runner = v->target.runner;
    for (size_t i = 0; i < j->ev->n_observations; i++) {
        const struct observation *y = &j->ev->observations[i];
        if (y->input_set == v->input_set && target_id_eq(&y->target, runner) &&
            y->outcome != OUTCOME_OK)
            return true;
    }
    for (size_t i = 0; i < j->found.n; i++) {
        const struct verdict *w = &j->found.at[i];
        if (w->input_set == v->input_set && target_id_eq(&w->target, runner) && fails(w->decision))
            return true;
    }
    return false;
}

/* The outputs that our reference gives for a model and the case's inputs. */
static bool run_by_reference(const struct judging *j, struct str bytes, uint32_t input_set,
                             struct tensors *out, struct err *e)
{
    struct model *m;
    struct eval_result r;
    if (!model_read(bytes, NULL, j->a, &m, e) || !infer_model(m, e) ||
        !eval_run(m, &j->ev->c->input_sets[input_set], &(struct eval_options){0}, j->a, &r, e))
        return false;
    const struct graph *g = m->graph;
    *out = (struct tensors){arena_new_array(j->a, struct named_tensor, g->outputs.n), g->outputs.n};
    for (size_t i = 0; i < out->n; i++) {
        uint32_t value = g->outputs.at[i];
        out->at[i].name = g->values.at[value].name;
        if (!value_to_tensor(&r.values[value], j->a, &out->at[i].tensor, e))
            return false;
    }
    return true;
}

/* Does our reference give the same results for the converted model as for the case's? Then a wrong
 * result is the runner's. False for refusals: whether an engine may refuse is not decided here. */
static bool is_converted_right(const struct judging *j, const struct verdict *v)
{
    struct err ignored;
    struct observation x = {0};
    for (size_t i = 0; i < j->ev->n_observations && !x.converted.n; i++)
        if (j->ev->observations[i].input_set == v->input_set &&
            target_id_eq(&j->ev->observations[i].target, &v->target))
            x = j->ev->observations[i];
    if (v->wrong == WRONG_OUTCOME || !x.converted.n || !judge__reference(j, &x) ||
        !run_by_reference(j, x.converted, v->input_set, &x.outputs, &ignored))
        return false;
    x.outcome = OUTCOME_OK;
    x.repeat = 0;
    x.target.runner = NULL;
    struct judge_counts uncounted = {0};
    const struct evidence ev = {
        .c = j->ev->c, .refs = j->ev->refs, .observations = &x, .n_observations = 1};
    struct judging again = {.o = j->o, .ev = &ev, .a = j->a, .counts = &uncounted};
    if (!oracle__reference(&again, &ignored))
        return false;
    for (size_t i = 0; i < again.found.n; i++)
        if (again.found.at[i].wrong != WRONG_NOTHING)
            return false;
    return true;
}

void judge__settle_converted(struct judging *j)
{
    size_t n_kept = 0;
    for (size_t i = 0; i < j->found.n; i++) {
        struct verdict *v = &j->found.at[i];
        if (!v->target.runner || !fails(v->decision) ||
            (!runner_fails(j, v) && !is_converted_right(j, v)))
            continue;
        judge__count(j, NOT_BUG_RUNNER, 1);
        v->decision = DECISION_NOT_APPLICABLE;
        v->wrong = WRONG_NOTHING;
    }
    for (size_t i = 0; i < j->found.n; i++)
        if (!j->found.at[i].target.is_witness)
            j->found.at[n_kept++] = j->found.at[i];
    j->found.n = n_kept;
}
