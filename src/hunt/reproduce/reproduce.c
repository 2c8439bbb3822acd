/*
 * Decides what becomes of one failing case: it is run again, shrunk while it keeps its guard key,
 * localised, confirmed in fresh processes, and described as a bug's row. Must not know the store's
 * database or other pilots. The final key is that of the shrunk case, so that two cases that fail
 * by one defect get the same key.
 */
#include "hunt/reproduce/reproduce.h"

#include <math.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/path.h"
#include "case/subject.h"
#include "hunt/reproduce/ablate_p.h"
#include "hunt/reproduce/cause_p.h"
#include "hunt/reproduce/keep.h"
#include "hunt/reproduce/shrink_p.h"
#include "hunt/runner/key.h"
#include "judge/normalise.h"

static struct str kept(struct arena *a, struct str s)
{
    return (struct str){str_dup(a, s), s.n};
}

/* Like "Pad+MaxPool: wrong value (float32)"; a key without a culprit has the graph's operators. */
static struct str title_of(const struct key *k, struct str ops, struct arena *a)
{
    if (k->op_type.n || ops.n == 0 || ops.n > 60)
        return kept(a, k->title);
    return str_of(arena_printf(a, STR_FMT ": " STR_FMT, STR_ARG(ops), STR_ARG(k->title)));
}

/* What a message says is wrong: the error that it wraps, or the last sentence of its first line, as
 * earlier ones say where. Empty: it is over 80 bytes or a single word. */
static struct str gist_of(struct str message)
{
    struct str wrapped = normalise_wrapped(message);
    if (wrapped.n && wrapped.n <= 80)
        return wrapped;
    struct str line = str_trim(str_sub(message, 0, str_find_byte(message, '\n')));
    for (size_t i = line.n; str_ends(line, STR(",")) && i > 1; i--) /* a list, not a sentence */
        if (line.at[i - 2] == '.' && line.at[i - 1] == ' ')
            line = str_trim(str_sub(line, 0, i - 1));
    while (line.n && line.at[line.n - 1] == '.')
        line.n--;
    for (size_t i = line.n; i > 1; i--)
        if ((line.at[i - 2] == '.' || line.at[i - 2] == ':') && line.at[i - 1] == ' ') {
            line = str_sub(line, i, line.n);
            break;
        }
    return line.n <= 80 && str_find_byte(line, ' ') < line.n ? line : STR("");
}

/* Adds the engine's words: "Pad+AveragePool: exception (float): Pad should be smaller than ...". */
static void add_symptom(struct store_bug *bug, struct arena *a)
{
    struct str gist = gist_of(bug->message);
    if (str_is(bug->class, bug_class_name(BUG_WRONG_EXCEPTION)) && gist.n)
        bug->title =
            str_of(arena_printf(a, STR_FMT ": " STR_FMT, STR_ARG(bug->title), STR_ARG(gist)));
}

static bool has_no_element(const struct judged *seen)
{
    for (size_t k = 0; k < seen->c->n_input_sets; k++) {
        for (size_t i = 0; i < seen->c->input_sets[k].n; i++)
            if (seen->c->input_sets[k].at[i].tensor.n == 0)
                return true;
        const struct eval_result *all = &seen->refs[k].values;
        for (size_t i = 0; seen->refs[k].usable && i < all->n_values; i++)
            if (all->values[i].dtype != DTYPE_UNDEFINED && all->values[i].n == 0)
                return true;
    }
    return false;
}

static bool has_non_finite(const struct tcase *c)
{
    for (size_t k = 0; k < c->n_input_sets; k++)
        for (size_t i = 0; i < c->input_sets[k].n; i++) {
            const struct tensor *t = &c->input_sets[k].at[i].tensor;
            for (size_t j = 0; dtype_is_float(t->dtype) && j < t->n; j++)
                if (!isfinite(tensor_get_double(t, j)))
                    return true;
        }
    return false;
}

/* Was the case a seed program without any edit? Then the seed itself shows the defect. */
static bool is_of_seed(const struct tcase *c)
{
    struct str rest = c->from.edits, line;
    bool is_seed = false;
    while (str_split(&rest, '\n', &line)) {
        if (line.n && !str_starts(line, STR("seed=")))
            return false;
        is_seed |= line.n > 0;
    }
    return is_seed && !case_model(c);
}

/* Traits for which maintainers often reject a case. */
static const char *traits_of(const struct judged *seen)
{
    static const char *const names[] = {"", "zero-size", "non-finite", "zero-size non-finite"};
    return names[has_no_element(seen) + 2 * has_non_finite(seen->c)];
}

/* Sets the bug's key and id, and the keys that earlier rules gave. */
static void identify(const struct key *k, struct str pass, struct arena *a, struct store_bug *bug)
{
    const struct str strict = k->of_rules_5.n ? k->of_rules_5 : k->strict;
    const struct str old[] = {key_of_rules_3(key_of_rules_4(strict, a), k->detail, a),
                              key_of_rules_4(key_of_rules_5(strict, bug->mode, pass, a), a),
                              key_of_rules_5(strict, bug->mode, pass, a)};
    struct strbuf olds = {0};
    bug->key = key_final(k->strict, bug->mode, pass, a);
    bug->id = store_bug_id(bug->key, a);
    for (size_t i = 0; i < COUNT_OF(old); i++)
        if (!str_eq(old[i], bug->key) && (i == 0 || !str_eq(old[i], old[i - 1])))
            strbuf_printf(&olds, "%s" STR_FMT, olds.n ? "\n" : "", STR_ARG(old[i]));
    bug->old_key = strbuf_dup(&olds, a);
    strbuf_done(&olds);
}

/* Does the verdict hold two numbers that were compared? */
static bool has_numbers(const struct verdict *v)
{
    return v->place.element != SIZE_MAX || oracle_against(str_of(v->oracle)) == AGAINST_DIFFERENCES;
}

static void describe(const struct judged *seen, const struct key *k, struct arena *a,
                     struct store_bug *bug)
{
    const struct verdict *v = k->verdict;
    const struct observation *o = judged_observation(seen, k);
    *bug = (struct store_bug){
        .rule_version = BUCKET_RULE_VERSION,
        .severity = str_of(severity_name(k->severity)),
        .class = str_of(bug_class_name(k->class)),
        .oracle = str_of(v->oracle),
        .taxonomy = str_of(k->taxonomy),
        .engine = kept(a, v->target.engine),
        .version = kept(a, v->target.version),
        .mode = kept(a, k->mode),
        .measure = v->measure,
        .threshold = v->threshold,
        .expected = has_numbers(v) ? v->expected : (double)NAN,
        .observed = has_numbers(v) ? v->observed : (double)NAN,
        .wrong = str_of(wrong_kind_name(v->wrong)),
        .output = kept(a, v->place.output),
        .node = kept(a, k->node),
        .op_type = kept(a, k->op_type),
        .element = v->place.element == SIZE_MAX ? -1 : (int64_t)v->place.element,
        .input_set = v->input_set,
        .claim = kept(a, v->claim),
        .dtype = str_of(k->dtype),
        .portable = kept(a, k->portable),
        .detail = kept(a, k->detail),
        .traits = str_of(traits_of(seen)),
        .first_seen_ms = clock_wall_ms(),
    };
    identify(k, (struct str){0}, a, bug);
    bug->ops = case_subject(seen->c)->parts(seen->c, seen->observations, seen->n_observations, a,
                                            &bug->nodes);
    bug->title = title_of(k, bug->ops, a);
    if (o) {
        bug->outcome = str_of(outcome_name(o->outcome));
        bug->message = kept(a, str_sub(o->message.raw, 0, 4000));
    }
    add_symptom(bug, a);
}

static bool is_approximate(const struct optimizers *optimizers, struct str pass)
{
    for (size_t i = 0; i < optimizers->n_approximate; i++)
        if (str_is(pass, optimizers->approximate[i]))
            return true;
    return false;
}

/* One bug stands for all values that the optimiser changes. */
static void mark_by_design(struct arena *a, struct store_bug *bug)
{
    store_bug_add_trait(bug, STORE_TRAIT_BY_DESIGN, a);
    bug->severity = str_of(severity_name(SEVERITY_S4));
    bug->key = key_by_design(bug->key, a);
    bug->id = store_bug_id(bug->key, a);
}

/* Notes the lowest level that shows the failure, and the optimiser at fault there, if there is one.
 */
static bool ablate(struct runner *r, const struct tcase *c, const struct key *k, struct arena *a,
                   struct store_bug *bug, struct err *e)
{
    struct optimizers optimizers;
    struct ablation found;
    if (!ablate__optimizers(bug->engine, a, &optimizers, e) ||
        !ablate__find(r, c, k, &optimizers, a, &found, e))
        return false;
    if (found.mode.n > 0)
        bug->mode = kept(a, found.mode);
    bug->pass = kept(a, found.pass);
    if (bug->pass.n)
        bug->title = str_of(
            arena_printf(a, STR_FMT ", in " STR_FMT, STR_ARG(bug->title), STR_ARG(bug->pass)));
    identify(k, bug->pass, a, bug);
    if (k->verdict->wrong == WRONG_VALUE && is_approximate(&optimizers, bug->pass))
        mark_by_design(a, bug);
    return true;
}

/* Runs the case, with the long deadline when the key is of time or memory. */
static bool look(struct runner *r, struct run_plan plan, const struct tcase *c, struct str key,
                 enum runner_keys want, struct arena *a, struct judged *seen, struct err *e)
{
    plan.is_patient = str_starts(key, STR("resource|"));
    return runner_run(r, plan, c, want, a, seen, e);
}

/* Marks the bug as needing a second opinion: engines of two families fail in the same way, or only
 * one engine ran the case and our reference of an operator in it was never cross-checked. */
static void put_in_doubt(struct arena *a, struct reproducer *out)
{
    out->state = CONFIRM_CONFIRMED;
    out->second_opinion = true;
    out->bug.key = key_put_in_doubt(out->bug.key, a);
    out->bug.id = store_bug_id(out->bug.key, a);
    out->bug.state = str_of(decision_name(DECISION_SECOND_OPINION));
}

static bool confirm(struct runner *r, const struct tcase *c, const struct key *k, struct arena *a,
                    struct reproducer *out, struct err *e)
{
    if (!confirm_case(r, runner_plan_key(r, k, a), c, k->guard, 0, a, &out->runs, e))
        return false;
    out->state = out->runs.state;
    out->bug.state = str_of(out->state == CONFIRM_FLAKY ? "flaky" : "confirmed");
    if (out->state == CONFIRM_FLAKY)
        out->bug.severity = str_of(
            severity_name(severity_adjust(k->severity, &(struct severity_facts){.flaky = 1})));
    out->why = STR("not reproduced: too few of the runs in fresh processes fail");
    if (out->state == CONFIRM_CONFIRMED && !ablate(r, c, k, a, &out->bug, e))
        return false;
    for (size_t i = 0; i < out->runs.n_runs; i++)
        out->runs.runs[i].bug = out->bug.id;
    return true;
}

/* Runs the shrunk case again, localises it, writes the bug's row and folder, and confirms it. */
static bool conclude(struct runner *r, const struct reproducer_options *o, const struct tcase *c,
                     const struct key *wanted, struct arena *a, struct reproducer *out,
                     struct err *e)
{
    struct judged seen;
    const struct target_id id = key_target(wanted);
    struct run_plan plan = runner_plan_target(r, &id, POOL_FRESH_FORK, a);
    if (!look(r, plan, c, wanted->strict, RUNNER_REDUCED, a, &seen, e))
        return false;
    const struct key *k = judged_find_guard(&seen, wanted->guard);
    out->state = CONFIRM_GONE;
    out->why = STR("not reproduced: the reduced case does not fail again");
    if (!k)
        return true;
    describe(&seen, k, a, &out->bug);
    out->reduced_key = kept(a, k->strict);
    if (k->decision != DECISION_FAIL)
        put_in_doubt(a, out);
    else if (!confirm(r, c, k, a, out, e))
        return false;
    if (out->state == CONFIRM_GONE)
        return true;
    if (!keep_case(o->out, o->scratch, "reproducer", c, a, &out->artifact, e))
        return false;
    out->bug.folder = out->artifact.folder;
    const struct target *t = runner_target(r, &k->verdict->target);
    const char *dir = artifact_path(o->out, out->artifact.folder, a);
    return keep_evidence(dir, &seen, k, a, e) &&
           (!t || keep_runner(dir, c, t->installation->description->script, a, e));
}

/* Confirms the smallest case of the reduction; where that fails too rarely, the one of a more
 * careful reduction (*again), and at last the case as it was found. */
static bool prove(const struct reduce_job *job, const struct tcase *best, struct arena *a,
                  struct reproducer *out, struct reduction **again, struct err *e)
{
    struct reduce_job wary = *job;
    bool ok = conclude(job->r, job->o, best, job->key, a, out, e);
    wary.is_wary = true;
    if (ok && out->state == CONFIRM_GONE && best != job->c && job->key->class != BUG_RESOURCE)
        /* it slipped to another failure: reduce again, each candidate in a fresh process */
        ok = shrink__case(&wary, a, out, &best, again, e) &&
             conclude(job->r, job->o, best, job->key, a, out, e);
    if (ok && out->state == CONFIRM_GONE && best != job->c) {
        out->unreduced = true;
        ok = conclude(job->r, job->o, job->c, job->key, a, out, e);
    }
    return ok;
}

enum { REDUCTIONS = 4 };

/* Reduces and confirms; a refusal that an earlier wrong result explains becomes a bug of that
 * result. Reductions stay open, since smaller cases share the tensors of larger ones. */
static bool reduce_and_prove(const struct reduce_job *job, struct arena *a, struct reproducer *out,
                             struct reduction *kept[static REDUCTIONS], struct err *e)
{
    struct reduce_job of_cause = *job;
    const struct tcase *best, *small;
    if (!shrink__or_keep(job, a, out, &best, &kept[0], e))
        return false;
    of_cause.c = NULL;
    if (!out->unreduced && /* an unreduced graph has nodes that are not needed */
        !cause__find(job->r, best, job->key, a, &of_cause.c, &of_cause.key, e))
        return false;
    if (of_cause.c) {
        struct reproducer *of = arena_new(a, struct reproducer);
        if (!shrink__or_keep(&of_cause, a, of, &small, &kept[1], e) ||
            !prove(&of_cause, small, a, of, &kept[2], e))
            return false;
        if (of->state != CONFIRM_GONE) {
            of->counts.n_nodes_before = out->counts.n_nodes_before;
            of->counts.n_runs += out->counts.n_runs;
            *out = *of;
            return true;
        }
    }
    return prove(job, best, a, out, &kept[3], e);
}

bool reproduce_case(struct runner *r, const struct reproducer_options *o, const struct tcase *c,
                    struct str key, struct arena *a, struct reproducer *out, struct err *e)
{
    struct judged seen;
    struct reduction *kept[REDUCTIONS] = {NULL};
    *out = (struct reproducer){.state = CONFIRM_GONE};
    struct run_plan plan = runner_plan_case(r, o->case_at, POOL_FRESH_FORK, a);
    if (!look(r, plan, c, key, RUNNER_CULPRITS, a, &seen, e))
        return false;
    const struct key *k = judged_find_strict(&seen, key);
    if (!k) {
        const char *now = seen.keys.n ? str_dup(a, seen.keys.at[0].strict) : "none";
        out->why = str_of(arena_printf(a, "not reproduced: run again, its key is %s", now));
        return true;
    }
    const struct reduce_job job = {r, o, c, k, false};
    int64_t begun_ns = clock_now_ns();
    bool ok = reduce_and_prove(&job, a, out, kept, e);
    if (is_of_seed(c))
        store_bug_add_trait(&out->bug, STORE_TRAIT_SEED, a);
    out->bug.nodes_before = kept[0] ? out->counts.n_nodes_before : out->bug.nodes;
    out->bug.reduce_ms = (clock_now_ns() - begun_ns) / 1000000;
    out->bug.reduce_runs = out->counts.n_runs;
    for (size_t i = 0; i < REDUCTIONS; i++)
        if (kept[i])
            reduce_close(kept[i]);
    return ok;
}
