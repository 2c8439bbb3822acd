/*
 * Decides what the observations of a case say: verdicts, who is to blame for a wrong value, and
 * keys. Localisation runs small models on the one target that fails. Must not know how the case
 * came into the pool.
 */
#include "hunt/runner/runner.h"

#include "onnx/infer.h"
#include "reduce/localise.h"

/* Localisation runs small models on the one target that fails. */
struct localising {
    struct runner *r;
    const struct target *target;
    enum pool_fresh fresh;
};

static void keep_first(void *ctx, const struct pool_result *result)
{
    if (result->n_observations > 0)
        *(struct observation *)ctx = result->observations[0];
}

static bool turn(void *ctx, struct err *e)
{
    return runner_wait(ctx, e);
}

static bool run_small(void *ctx, const struct tcase *const *cases, size_t n, struct arena *a,
                      struct observation *out, struct err *e)
{
    struct localising *l = ctx;
    struct pool_batch batch;
    bool ok = true;
    pool_batch_init(&batch, l->r->pool);
    for (size_t i = 0; ok && i < n; i++) {
        const struct pool_request request = {
            .c = cases[i], .targets = &l->target, .n_targets = 1, .arena = a, .fresh = l->fresh};
        out[i] = (struct observation){.outcome = OUTCOME_LOST_WORKER, .target = l->target->id};
        ok = pool_batch_submit(&batch, &request, keep_first, &out[i], e);
    }
    ok = ok && pool_batch_wait(&batch, turn, l->r, e);
    pool_batch_done(&batch);
    return ok;
}

static bool is_against_parent(const struct verdict *v)
{
    return oracle_against(str_of(v->oracle)) == AGAINST_PARENT;
}

bool key_needs_parent(const struct key *k)
{
    return k->verdict && is_against_parent(k->verdict);
}

/* Hangs are not: each part that hangs would take its whole deadline. */
static bool is_localisable(const struct key *k, enum runner_keys want)
{
    if (k->class == BUG_NATIVE_CRASH || k->class == BUG_WRONG_EXCEPTION)
        return want == RUNNER_REDUCED && k->node.n == 0;
    return k->provisional && k->class == BUG_WRONG_RESULT && k->verdict->wrong != WRONG_BITS &&
           k->verdict->place.output.n > 0 && !key_needs_parent(k);
}

/* Names the culprit in every failing verdict of the key's family and class, so that they fold into
 * one key again. */
static void name_culprit(const struct evidence *ev, struct verdicts *v, const struct key *k,
                         const struct localised *found)
{
    for (size_t i = 0; i < v->n; i++) {
        struct verdict *x = &v->at[i];
        if (x->decision != k->decision || x->wrong == WRONG_NOTHING ||
            bug_class_of(ev, x) != k->class ||
            !str_eq(x->target.family, k->verdict->target.family) || x->place.node.n > 0)
            continue;
        x->place.node = found->name;
        x->place.op_type = found->n_group > 1 ? found->pattern : found->op_type;
    }
}

/* Does a mode fail in this way that users or hunts run without naming it? */
static bool shows_by_default(const struct runner *r, const struct verdicts *all,
                             const struct key *k)
{
    const struct verdict *speaker = k->verdict;
    for (size_t i = 0; i < all->n; i++) {
        const struct verdict *v = &all->at[i];
        const struct target *t = runner_target(r, &v->target);
        if (v->decision == k->decision && v->wrong != WRONG_NOTHING &&
            (v->wrong == WRONG_OUTCOME) == (speaker->wrong == WRONG_OUTCOME) &&
            str_eq(v->target.family, speaker->target.family) &&
            (!t || t->mode->is_default || t->mode->one_in))
            return true;
    }
    return false;
}

static void make_keys(const struct runner *r, const struct evidence *ev, struct judged *j,
                      enum runner_keys want, struct arena *a)
{
    if (want == RUNNER_REDUCED)
        bucket_keys_in_doubt(ev, &j->verdicts, a, &j->keys);
    else
        bucket_keys(ev, &j->verdicts, a, &j->keys);
    for (size_t i = 0; i < j->keys.n; i++) {
        struct key *k = &j->keys.at[i];
        bool is_grave = k->severity == SEVERITY_S1 || k->severity == SEVERITY_S2;
        if (is_grave && !shows_by_default(r, &j->verdicts, k))
            k->severity = SEVERITY_S3;
    }
}

bool runner_localise(struct runner *r, struct judged *j, enum runner_keys want, struct arena *a,
                     struct err *e)
{
    const struct evidence ev = {.c = j->c,
                                .refs = j->refs,
                                .observations = j->observations,
                                .n_observations = j->n_observations};
    bool changed = false;
    for (size_t i = 0; i < j->keys.n; i++) {
        const struct key *k = &j->keys.at[i];
        struct localised found = {0};
        if (!is_localisable(k, want) || !j->refs[k->verdict->input_set].usable)
            continue;
        struct localising l = {r, runner_target(r, &k->verdict->target),
                               k->class == BUG_WRONG_RESULT ? POOL_ANY : POOL_FRESH_FORK};
        const struct localise_runner runner = {run_small, &l};
        if (!l.target)
            continue;
        if (!localise_graph(&r->judge, &j->refs[k->verdict->input_set], k, &runner, a, &found, e))
            return false;
        j->n_localise_runs += found.n_runs;
        if (!found.found || !found.confirmed)
            continue;
        name_culprit(&ev, &j->verdicts, k, &found);
        changed = true;
    }
    if (changed)
        make_keys(r, &ev, j, want, a);
    return true;
}

/* Does another oracle than the metamorphic one reach the same decision on the family? */
static bool is_seen_without(const struct verdicts *all, const struct verdict *v)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct verdict *x = &all->at[i];
        if (!is_against_parent(x) && x->decision == v->decision && x->wrong != WRONG_NOTHING &&
            x->wrong != WRONG_OUTCOME && x->wrong != WRONG_SLOW &&
            str_eq(x->target.family, v->target.family))
            return true;
    }
    return false;
}

static void drop_seen_without(struct verdicts *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct verdict v = all->at[i];
        bool drop = is_against_parent(&v) && v.wrong != WRONG_NOTHING && is_seen_without(all, &v);
        if (!drop)
            all->at[n++] = v;
    }
    all->n = n;
}

/* A step that was given up before its deadline proves nothing: its failures become unsure. */
static void doubt_presumed(struct judged *j)
{
    for (size_t i = 0; i < j->n_observations; i++) {
        const struct observation *o = &j->observations[i];
        for (size_t k = 0; pool_is_presumed(o) && k < j->verdicts.n; k++) {
            struct verdict *v = &j->verdicts.at[k];
            if (v->decision == DECISION_FAIL && v->wrong == WRONG_OUTCOME &&
                target_id_eq(&v->target, &o->target))
                v->decision = DECISION_UNSURE;
        }
    }
}

bool runner_judge_submission(struct runner *r, const struct submission *t, enum runner_keys want,
                             struct arena *a, struct judged *out, struct err *e)
{
    *out = (struct judged){.c = t->result.c,
                           .observations = t->result.observations,
                           .n_observations = t->result.n_observations};
    if (!reference_make(out->c, a, &out->refs, e))
        return false;
    const struct evidence ev = {.c = out->c,
                                .refs = out->refs,
                                .observations = out->observations,
                                .n_observations = out->n_observations,
                                .parents = t->parent.observations,
                                .n_parents = t->parent.n_observations};
    if (!judge_case(&r->judge, &ev, a, &out->verdicts, e))
        return false;
    doubt_presumed(out);
    drop_seen_without(&out->verdicts);
    make_keys(r, &ev, out, want, a);
    return want == RUNNER_KEYS || runner_localise(r, out, want, a, e);
}

bool runner_judge(struct runner *r, const struct pool_result *result, enum runner_keys want,
                  struct arena *a, struct judged *out, struct err *e)
{
    return runner_judge_submission(r, &(struct submission){.result = *result}, want, a, out, e);
}
