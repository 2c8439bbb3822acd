/*
 * Reruns of the reference with noise (models.md 5, "Noise"). Three suffice to clear nearly every
 * rounding error, but not to call an error a failure: the largest of three samples may be small by
 * chance in a slice of few elements. So errors that three do not clear are compared with twelve
 * more.
 *
 * The seeds of reruns are fixed, so a case is judged the same way everywhere.
 */
#include "judge/noise_p.h"

#include "judge/tolerance_p.h"
#include "onnx/eval.h"

static struct noise *find(struct reference *r, const struct noise *wanted)
{
    for (struct noise *n = r->noise; n; n = n->next)
        if (n->unit_at_least == wanted->unit_at_least && n->flushes == wanted->flushes &&
            n->computes_int64 == wanted->computes_int64)
            return n;
    return NULL;
}

static bool rerun(struct reference *r, const struct noise_need *need, struct noise *n,
                  const struct eval_options *o, struct err *e)
{
    struct eval_result *run = &n->runs[n->n_runs];
    need->counts->n_reruns++;
    if (eval_run(r->model, &r->c->input_sets[r->input_set], o, r->arena, run, e)) {
        n->n_runs++;
        return true;
    }
    if (e->code != ERR_DATA && e->code != ERR_UNSUPPORTED)
        return err_wrap(e, "rerun of the reference with noise");
    err_clear(e); /* noise changed a shape or an index */
    n->n_failed++;
    return true;
}

static bool perturb(struct reference *r, const struct noise_need *need, struct noise *n,
                    uint32_t n_more, struct err *e)
{
    uint32_t first = n->n_runs + n->n_failed;
    for (uint32_t i = 0; i < n_more; i++) {
        struct eval_options o = {.perturb_seed = 0x5eed + first + i,
                                 .unit_at_least = n->unit_at_least,
                                 .flushes = n->flushes,
                                 .exact = r->values.values};
        if (!rerun(r, need, n, &o, e))
            return false;
    }
    return true;
}

static bool force_ties(struct reference *r, const struct noise_need *need, struct noise *n,
                       struct err *e)
{
    for (enum eval_ties t = EVAL_TIES_UP; t <= EVAL_TIES_DOWN; t++) {
        struct eval_options o = {.ties = t, .margin_limit = n->tie_limit};
        if (!rerun(r, need, n, &o, e))
            return false;
    }
    return true;
}

bool noise__get(struct reference *r, const struct noise_need *need, struct noise **out,
                struct err *e)
{
    const struct target_traits *traits = need->target->traits;
    struct noise wanted = {.unit_at_least = tolerance__unit_at_least(r->model, traits),
                           .flushes = traits && traits->flushes_denormals,
                           .computes_int64 = tolerance__computes(traits, DTYPE_INT64)};
    *out = find(r, &wanted);
    if (*out)
        return true;
    struct noise *n = arena_new(r->arena, struct noise);
    *n = wanted;
    if (!perturb(r, need, n, NOISE_RERUNS, e) || !taint__spread(r, need, n, e))
        return false;
    if (n->has_quantum && !force_ties(r, need, n, e))
        return false;
    n->next = r->noise;
    r->noise = n;
    *out = n;
    return true;
}

bool noise__confirm(struct reference *r, const struct noise_need *need, struct noise *n,
                    struct err *e)
{
    if (n->confirmed)
        return true;
    n->confirmed = true;
    return perturb(r, need, n, NOISE_RERUNS_CONFIRM, e);
}
