/*
 * The plain values of the reference. Reruns live in noise.c. It must not know targets: traits of a
 * target (a coarser unit, flushing) count when that is judged.
 */
#include "judge/reference.h"

#include <string.h>

#include "case/subject.h"
#include "onnx/eval.h"

/* May the evaluator fail by this error although the case is valid? */
static bool is_refusal(const struct err *e)
{
    return e->code == ERR_UNSUPPORTED || e->code == ERR_LIMIT;
}

bool reference_init(struct reference *r, const struct tcase *c, uint32_t input_set, struct arena *a,
                    struct err *e)
{
    *r = (struct reference){.c = c, .model = case_model(c), .input_set = input_set, .arena = a};
    if (!r->model) {
        r->why_not = STR("a program has no reference values");
        return true;
    }
    if (c->reference) {
        r->values = c->reference[input_set];
        r->usable = true;
        return true;
    }
    struct err refused = {0};
    r->usable = eval_run(r->model, &c->input_sets[input_set], &(struct eval_options){0}, a,
                         &r->values, &refused);
    if (!r->usable && !is_refusal(&refused)) {
        *e = refused;
        return err_wrap(e, "reference of input set %u", (unsigned)input_set);
    }
    if (!r->usable)
        r->why_not = str_of(arena_strdup(a, refused.text));
    return true;
}

bool reference_make(const struct tcase *c, struct arena *a, struct reference **out, struct err *e)
{
    *out = arena_new_array(a, struct reference, c->n_input_sets);
    for (size_t i = 0; i < c->n_input_sets; i++)
        if (!reference_init(&(*out)[i], c, (uint32_t)i, a, e))
            return false;
    return true;
}

const struct value *reference_output(const struct reference *r, uint32_t i)
{
    if (!r->usable || i >= r->model->graph->outputs.n)
        return NULL;
    uint32_t at = r->model->graph->outputs.at[i];
    if (at >= r->values.n_values || r->values.values[at].dtype == DTYPE_UNDEFINED)
        return NULL;
    return &r->values.values[at];
}
