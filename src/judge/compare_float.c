/*
 * Floats: first the class of each element (NaN, infinities, finite), then the error of the whole
 * and of each slice against F max(e_peer, e_cond, 4u). NaN never enters a maximum.
 *
 * A tensor passes at once if no class differs and every slice is within F 4u. Otherwise the
 * reference is rerun with noise, three times and then twelve more if those do not clear it. An
 * element of another class fails only where the reference keeps its class under F times the noise.
 */
#include <math.h>
#include <string.h>

#include "judge/ancestry_p.h"
#include "judge/compare_p.h"
#include "judge/profile_p.h"
#include "onnx/eval.h"

/* Each moves an element up or down: of few all may go the same way. */
enum { CLASS_RERUNS = 16 };

enum number_class { CLASS_FINITE, CLASS_NAN, CLASS_PLUS, CLASS_MINUS };

static enum number_class class_of(double x)
{
    if (isnan(x))
        return CLASS_NAN;
    if (isinf(x))
        return x > 0 ? CLASS_PLUS : CLASS_MINUS;
    return CLASS_FINITE;
}

static enum wrong_kind kind_of(double r, double x)
{
    if (isnan(x))
        return WRONG_NAN;
    return isnan(r) ? WRONG_MISSING_NAN : WRONG_INF;
}

static double part_factor(uint32_t slice)
{
    return slice == 0 ? 1 : 2;
}

/* Twice F where two targets are compared, since both may be off. */
static double factor_of(const struct compared *c, uint32_t slice)
{
    return c->gauge.factor * part_factor(slice) * (c->s->other ? 2 : 1);
}

static void measure(const struct compared *c, const double *x, const double *r, struct profile *out)
{
    struct profile_shape s = {c->v->dims, c->v->rank, c->v->n, c->skip};
    profile__measure(&s, x, r, out);
}

/* The error of a slice; 0 where subnormal numbers explain it. */
static double error_of(const struct compared *c, const struct profile *p, uint32_t slice)
{
    return p->error[slice] > c->gauge.eta ? p->error[slice] : 0;
}

/* Is bit equality expected? Yes if elements only moved and the target computes in their dtype. */
static bool is_moved(const struct compared *c)
{
    const struct target_traits *traits = c->s->target->traits;
    return ancestry__of_graph(c->s->ref)[c->s->value].moved &&
           tolerance__computes(traits, c->v->dtype) == c->v->dtype &&
           !(traits && traits->flushes_denormals);
}

static size_t count_unlike(const struct compared *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->v->n; i++)
        n += class_of(c->x[i]) != class_of(c->r[i]);
    return n;
}

static bool is_clean(const struct compared *c, const struct profile *p)
{
    bool moved = is_moved(c);
    for (uint32_t i = 0; i < p->n; i++) {
        double allowed = factor_of(c, i) * c->gauge.minimum * p->scale[i];
        if (moved ? p->error[i] > 0 : error_of(c, p, i) > allowed)
            return false;
    }
    return true;
}

/* Marks the elements whose class changes when the reference is rerun under F times the noise. */
static bool find_unstable(struct compared *c, uint8_t *unstable, struct err *e)
{
    struct reference *r = c->s->ref;
    for (uint32_t k = 0; k < CLASS_RERUNS; k++) {
        struct eval_result run;
        struct eval_options o = {.perturb_seed = 0xc1a55 + k,
                                 .unit_at_least = c->gauge.factor * c->gauge.unit,
                                 .exact = r->values.values};
        c->j->counts->n_reruns++;
        if (!eval_run(r->model, &r->c->input_sets[r->input_set], &o, c->j->a, &run, e)) {
            if (e->code != ERR_DATA && e->code != ERR_UNSUPPORTED)
                return err_wrap(e, "stability of classes");
            err_clear(e); /* with so much noise a shape or an index moves */
            memset(unstable, 1, c->v->n);
            return true;
        }
        const struct value *w = &run.values[c->s->value];
        for (size_t i = 0; w->n == c->v->n && i < w->n; i++)
            unstable[i] |= class_of(w->f[i]) != class_of(c->v->f[i]);
    }
    return true;
}

/* Why element i was left out of the comparison. */
static enum not_bug why_left_out(const struct compared *c, const struct noise *n, size_t i)
{
    if (c->v->undefined && c->v->undefined[i])
        return NOT_BUG_UNDEFINED;
    if (n->n_of[TAINT_OPEN] > 0 && ancestry__of_values(c->s->ref)[c->s->value].open)
        return NOT_BUG_SPEC_GAP;
    if (fabs(c->r[i]) > 0.9 * c->gauge.largest || n->n_of[TAINT_SWITCH] == 0)
        return NOT_BUG_RANGE;
    return NOT_BUG_SWITCH;
}

/* Judges the elements whose class differs: fails at the first that nothing excuses. */
static bool judge_classes(struct compared *c, const struct noise *n, struct finding *out,
                          struct err *e)
{
    const struct ancestry *facts = &ancestry__of_values(c->s->ref)[c->s->value];
    uint8_t *unstable = arena_new_array(c->j->a, uint8_t, c->v->n);
    if (!find_unstable(c, unstable, e))
        return false;
    for (size_t i = 0; i < c->v->n; i++) {
        double r = c->r[i];
        if (class_of(c->x[i]) == class_of(r))
            continue;
        if (c->skip && c->skip[i])
            judge__count(c->j, why_left_out(c, n, i), 1);
        else if ((isfinite(r) && fabs(r) > 0.9 * c->gauge.largest) || unstable[i])
            judge__count(c->j, NOT_BUG_RANGE, 1);
        else if (facts->open || (facts->made && !isfinite(r)))
            judge__count(c->j, NOT_BUG_SPEC_GAP, 1);
        else if (++out->n_unlike == 1)
            compare__fail(c, kind_of(r, c->x[i]), i, out);
    }
    out->measure = (double)out->n_unlike;
    return true;
}

/* Raises the noise of each slice to the largest error of all reruns, over elements that count. */
static void noise_profile(const struct compared *c, const struct noise *n, double *largest,
                          struct profile *scratch)
{
    const double *r = noise__doubles(c->v, c->j->a);
    for (uint32_t k = 0; k < n->n_runs; k++) {
        const struct value *w = &n->runs[k].values[c->s->value];
        if (w->n != c->v->n || w->storage != STORAGE_F64)
            continue;
        measure(c, w->f, r, scratch);
        for (uint32_t i = 0; i < scratch->n; i++)
            largest[i] = fmax(largest[i], scratch->error[i]);
    }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median error of other families in each slice, at most 30 times the noise, so that equal bugs
 * do not excuse each other. */
static void peer_profile(const struct compared *c, const double *noise, double *out,
                         struct profile *scratch)
{
    size_t n = 0;
    double *errors[COMPARE_PEERS_MAX];
    for (size_t k = 0; k < c->s->n_peers; k++) {
        const struct tensor *t = c->s->peers[k];
        if (t->dtype != c->v->dtype || !tensor_same_shape(t, c->s->seen))
            continue;
        measure(c, compare__doubles(t, c->j->a), noise__doubles(c->v, c->j->a), scratch);
        errors[n] = arena_new_array(c->j->a, double, PROFILE_MAX);
        for (uint32_t i = 0; i < scratch->n; i++)
            errors[n][i] = scratch->error[i];
        n++;
    }
    for (uint32_t i = 0; n > 0 && i < scratch->n; i++) {
        double column[COMPARE_PEERS_MAX];
        for (size_t k = 0; k < n; k++)
            column[k] = errors[k][i];
        qsort(column, n, sizeof *column, by_value);
        out[i] = fmin(column[(n - 1) / 2], 30 * noise[i]);
    }
}

/* The slice with the largest ratio of error to threshold; UINT32_MAX: all are within. */
static uint32_t worst_slice(const struct compared *c, const struct profile *p, const double *noise)
{
    uint32_t worst = UINT32_MAX;
    double worst_ratio = 1;
    for (uint32_t i = 0; i < p->n; i++) {
        double allowed = factor_of(c, i) * noise[i], error = error_of(c, p, i);
        double ratio = allowed > 0 ? error / allowed : error > 0 ? INFINITY : 0;
        if (ratio > worst_ratio) {
            worst = i;
            worst_ratio = ratio;
        }
    }
    return worst;
}

/* Does an exact value go through a switch? Its ties are ties for every engine, so it has no noise.
 * Reruns would flip them nevertheless, because they perturb exact values too. */
static bool has_exact_ties(const struct compared *c)
{
    return c->v->exact && ancestry__of_graph(c->s->ref)[c->s->value].switches;
}

/* A slice this far below the scale of its function (Sigmoid, Softplus) lies in the function's tail:
 * there 4u of the scale is allowed, as 4u of the value is elsewhere. */
static const double tail = 1e-4;

/* Sets the noise of each slice by the reruns so far: at least 4u, or 0 if elements only moved. */
static void price(const struct compared *c, const struct noise *n, const struct profile *p,
                  double *noise, struct profile *scratch)
{
    bool moved = is_moved(c);
    for (uint32_t i = 0; i < p->n; i++) {
        double scale = p->scale[i] < tail * c->v->noise_scale ? c->v->noise_scale : p->scale[i];
        noise[i] = moved ? 0 : c->gauge.minimum * scale;
    }
    if (moved)
        return;
    for (uint32_t i = 1; i < p->n; i++) /* a slice of zeros takes the tensor's scale */
        if (p->scale[i] == 0)
            noise[i] = fmax(noise[i], c->gauge.unit * p->scale[0]);
    if (!has_exact_ties(c))
        noise_profile(c, n, noise, scratch);
}

static bool judge_errors(struct compared *c, struct noise *n, struct finding *out, struct err *e)
{
    struct profile *p = arena_new_array(c->j->a, struct profile, 2), *scratch = p + 1;
    double *noise = arena_new_array(c->j->a, double, PROFILE_MAX);
    double *peer = arena_new_array(c->j->a, double, PROFILE_MAX);
    measure(c, c->x, c->r, p);
    if (p->n_counted == 0 && c->v->n > 0) {
        out->decision = out->n_unlike > 0 ? DECISION_FAIL : DECISION_UNSURE;
        return true;
    }
    price(c, n, p, noise, scratch);
    uint32_t worst = worst_slice(c, p, noise);
    if (worst != UINT32_MAX) {
        if (!noise__confirm(c->s->ref, &c->need, n, e))
            return false;
        price(c, n, p, noise, scratch);
        peer_profile(c, noise, peer, scratch);
        for (uint32_t i = 0; i < p->n; i++)
            noise[i] = fmax(noise[i], peer[i]);
        worst = worst_slice(c, p, noise);
    }
    if (worst == UINT32_MAX) {
        judge__count(c->j, NOT_BUG_ROUNDING, 1);
        worst = 0;
    } else {
        compare__fail(c, WRONG_VALUE, p->at[worst], out);
    }
    double scale = p->scale[worst] > 0 ? p->scale[worst] : 1;
    out->measure = p->error[worst] / scale;
    out->noise = noise[worst] / scale;
    out->threshold = factor_of(c, worst) * out->noise;
    return true;
}

/* Leaves out finite elements that a rerun makes NaN or infinite: their noise cannot be measured. */
static void skip_unlike_reruns(struct compared *c, const struct noise *n)
{
    uint8_t *skip = NULL;
    for (uint32_t k = 0; k < n->n_runs; k++) {
        const struct value *w = &n->runs[k].values[c->s->value];
        if (w->n != c->v->n || w->storage != STORAGE_F64)
            continue;
        for (size_t i = 0; i < w->n; i++) {
            if (!isfinite(c->v->f[i]) || isfinite(w->f[i]) || (skip ? skip[i] : 0))
                continue;
            if (!skip) {
                skip = arena_new_array(c->j->a, uint8_t, w->n);
                if (c->skip)
                    memcpy(skip, c->skip, w->n);
            }
            skip[i] = 1;
            judge__count(c->j, NOT_BUG_RANGE, 1);
        }
    }
    if (skip)
        c->skip = skip;
}

bool compare__float(struct compared *c, struct finding *out, struct err *e)
{
    struct profile *p = arena_new(c->j->a, struct profile);
    size_t n_unlike = count_unlike(c);
    measure(c, c->x, c->r, p);
    out->measure = profile__relative(p, 0);
    out->noise = c->gauge.minimum;
    out->threshold = c->gauge.factor * out->noise;
    out->element = p->at[0];
    if (n_unlike == 0 && is_clean(c, p))
        return true;
    struct noise *n;
    if (!noise__get(c->s->ref, &c->need, &n, e))
        return false;
    if (n->open[c->s->value] || !noise__measures(n, c->s->ref, c->s->value)) {
        judge__count(c->j, NOT_BUG_SWITCH, c->v->n);
        out->decision = DECISION_UNSURE;
        return true;
    }
    const uint8_t *tainted = n->tainted[c->s->value].undefined;
    if (tainted)
        c->skip = tainted;
    skip_unlike_reruns(c, n);
    if (n_unlike > 0 && !judge_classes(c, n, out, e))
        return false;
    if (out->decision == DECISION_FAIL)
        return true;
    return judge_errors(c, n, out, e);
}
