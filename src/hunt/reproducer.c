/*
 * Decides what becomes of one failing case: it is run again, shrunk while it keeps its guard key,
 * localised, confirmed in fresh processes, and described as a bug's row. Must not know the store's
 * database or other pilots. The final key is that of the shrunk case, so two failing cases of one
 * defect meet there.
 */
#include "hunt/reproducer_p.h"

#include <math.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "base/file.h"
#include "base/path.h"
#include "base/vec.h"
#include "case/disk.h"
#include "hunt/ablate_p.h"
#include "hunt/key_p.h"
#include "reduce/reduce.h"
#include "store/artifact.h"

bool reproducer__keep_case(const char *out, const char *scratch, const char *kind,
                           const struct tcase *c, struct arena *a, struct store_artifact *row,
                           struct err *e)
{
    const char *dir;
    return artifact_scratch(out, scratch, a, &dir, e) && case_write(dir, c, e) &&
           artifact_take(out, kind, dir, a, row, e);
}

/* One candidate of the reduction on its way through the pool. */
struct candidate {
    struct arena arena;
    const struct tcase *c; /* NULL: the place is free */
    struct pool_result result;
    bool is_done, is_fresh;
};

enum { CANDIDATES = 4 };

struct shrinking {
    struct runner *r;
    const struct reproducer_options *o;
    struct reduction *reduction;
    const struct key *key;
    bool is_wary; /* what seems the same is run in a fresh process before it counts */
    struct candidate places[CANDIDATES];
    struct sides sides;
    int64_t until_ns; /* 0: no clock */
    uint32_t told_nodes;
};

static void on_candidate_done(void *ctx, const struct pool_result *result)
{
    struct candidate *p = ctx;
    p->result = *result;
    p->is_done = true;
}

static bool submit_more(struct shrinking *s, struct err *e)
{
    for (size_t i = 0; i < CANDIDATES; i++) {
        struct candidate *p = &s->places[i];
        if (p->c)
            continue;
        if (!reduce_next(s->reduction, &p->c)) {
            p->c = NULL;
            return true;
        }
        struct pool_request request = runner__request(s->r, p->c, &p->arena);
        request.dump_rewrites = false;
        p->is_done = p->is_fresh = false;
        if (!pool_submit(s->r->pool, &request, on_candidate_done, p, e))
            return false;
    }
    return true;
}

static bool has_guard(const struct shrinking *s, const struct judged *seen)
{
    const struct key *k = judged__find_guard(seen, s->key->guard);
    return k && k->class == s->key->class;
}

/* When wary: what seems to be the same failure is run in a fresh process, and counts as it is
 * there, so that shrinking does not slip to what depends on the cases before. */
static bool verify(struct shrinking *s, struct candidate *p, const struct judged *seen, bool *again,
                   struct err *e)
{
    *again = s->is_wary && !p->is_fresh && s->key->class != BUG_RESOURCE && has_guard(s, seen);
    if (!*again)
        return true;
    struct pool_request request = runner__request(s->r, p->c, &p->arena);
    request.dump_rewrites = false;
    request.fresh = POOL_FRESH_FORK;
    p->is_done = false;
    p->is_fresh = true;
    return pool_submit(s->r->pool, &request, on_candidate_done, p, e);
}

static bool tell(struct shrinking *s, struct candidate *p, struct err *e)
{
    struct judged seen;
    bool again;
    if (!runner__judge(s->r, &p->result, RUNNER_KEYS, &p->arena, &seen, e) ||
        !verify(s, p, &seen, &again, e))
        return false;
    if (again)
        return true;
    struct hash id = p->c->id;
    bool ok = true;
    if (reduce_tell(s->reduction, &id, &seen.keys) == REDUCE_TOLD_OTHER)
        ok = sides__note(&s->sides, &seen, s->key->class, s->key->guard, e);
    p->c = NULL;
    arena_reset(&p->arena);
    struct reduce_counts counts = reduce_counts(s->reduction);
    if (s->o->on_progress && counts.n_nodes != s->told_nodes)
        s->o->on_progress(s->o->ctx, counts.n_nodes_before, counts.n_nodes);
    s->told_nodes = counts.n_nodes;
    return ok;
}

static bool is_over(const struct shrinking *s)
{
    return (s->until_ns && clock_now_ns() > s->until_ns) ||
           (s->o->should_stop && s->o->should_stop(s->o->ctx));
}

static bool shrink(struct shrinking *s, struct err *e)
{
    while (!reduce_is_done(s->reduction) && !is_over(s)) {
        bool told = false, waits = false;
        if (!submit_more(s, e))
            return false;
        for (size_t i = 0; i < CANDIDATES; i++) {
            struct candidate *p = &s->places[i];
            if (p->c && p->is_done) {
                told = true;
                if (!tell(s, p, e))
                    return false;
            }
            waits |= p->c != NULL;
        }
        if (!told && waits && !runner__wait(s->r, e))
            return false;
    }
    return true;
}

/* What still runs must end before its arena goes. */
static bool drain(struct shrinking *s, struct err *e)
{
    for (size_t i = 0; i < CANDIDATES; i++)
        while (s->places[i].c && !s->places[i].is_done)
            if (!runner__wait(s->r, e))
                return false;
    return true;
}

struct reduce_job {
    struct runner *r;
    const struct reproducer_options *o;
    const struct tcase *c;
    const struct key *key;
    bool is_wary;
};

static bool reduce_case(const struct reduce_job *job, struct arena *a, struct reproducer *out,
                        const struct tcase **best, struct reduction **kept, struct err *e)
{
    struct runner *r = job->r;
    const struct reproducer_options *o = job->o;
    const struct key *key = job->key;
    struct shrinking s = {.r = r,
                          .o = o,
                          .key = key,
                          .is_wary = job->is_wary,
                          .sides = {.out = o->out, .scratch = o->scratch, .a = a}};
    /* a guess ahead of the answers would cost a hang its deadline, for nothing */
    const struct reduce_options options = {.n_outstanding =
                                               key->class == BUG_RESOURCE ? 1 : CANDIDATES};
    if (!reduce_open(&options, job->c, key, &s.reduction, e))
        return false;
    runner__confine_to_key(r, key);
    if (!o->timeless || !key__is_steady(key->strict))
        s.until_ns = clock_now_ns() + REPRODUCER_SECONDS * LOOP_SECOND;
    for (size_t i = 0; i < CANDIDATES; i++)
        arena_init(&s.places[i].arena);
    bool ok = shrink(&s, e);
    ok = drain(&s, e) && ok;
    for (size_t i = 0; i < CANDIDATES; i++)
        arena_done(&s.places[i].arena);
    out->unreduced = !reduce_is_done(s.reduction) || reduce_counts(s.reduction).out_of_budget;
    out->counts = reduce_counts(s.reduction);
    *best = reduce_best(s.reduction);
    *kept = s.reduction;
    runner__confine(r, STR(""));
    ok = ok && sides__choose(&s.sides, s.reduction, r, e);
    out->sides = s.sides.chosen.at;
    out->n_sides = s.sides.chosen.n;
    return ok;
}

/* A smaller case has no parent to be held against: such a failure stays as it was found; as does
 * what never came to the end of its reduction. */
static bool shrink_or_keep(const struct reduce_job *job, struct arena *a, struct reproducer *out,
                           const struct tcase **best, struct reduction **kept, struct err *e)
{
    if (!job->o->whole && !key__needs_parent(job->key))
        return reduce_case(job, a, out, best, kept, e);
    *best = job->c;
    out->unreduced = true;
    return true;
}

static struct str kept(struct arena *a, struct str s)
{
    return (struct str){str_dup(a, s), s.n};
}

/* Op types in order, without Constant; how many. */
static struct str ops_of(const struct graph *g, struct arena *a, int64_t *n)
{
    struct strbuf text = {0};
    *n = 0;
    for (size_t i = 0; i < g->nodes.n; i++) {
        if (str_is(g->nodes.at[i].op_type, "Constant"))
            continue;
        strbuf_adds(&text, *n ? " " : "");
        strbuf_addstr(&text, g->nodes.at[i].op_type);
        ++*n;
    }
    struct str out = strbuf_dup(&text, a);
    strbuf_done(&text);
    return out;
}

/* "Pad+MaxPool: wrong value (float32)", with what the graph is made of when the key has no culprit.
 */
static struct str title_of(const struct key *k, struct str ops, struct arena *a)
{
    if (k->op_type.n || ops.n == 0 || ops.n > 60)
        return kept(a, k->title);
    return str_of(arena_printf(a, STR_FMT ": " STR_FMT, STR_ARG(ops), STR_ARG(k->title)));
}

static void describe(const struct judged *seen, const struct key *k, struct arena *a,
                     struct store_bug *bug)
{
    const struct verdict *v = k->verdict;
    const struct observation *o = judged__observation(seen, k);
    *bug = (struct store_bug){
        .id = store_bug_id(k->strict, a),
        .key = kept(a, k->strict),
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
        .expected = v->place.element == SIZE_MAX ? (double)NAN : v->expected,
        .observed = v->place.element == SIZE_MAX ? (double)NAN : v->observed,
        .wrong = str_of(wrong_kind_name(v->wrong)),
        .output = kept(a, v->place.output),
        .node = kept(a, k->node),
        .op_type = kept(a, k->op_type),
        .element = v->place.element == SIZE_MAX ? -1 : (int64_t)v->place.element,
        .input_set = v->input_set,
        .claim = kept(a, v->claim),
        .dtype = str_of(k->dtype),
        .first_seen_ms = clock_wall_ms(),
    };
    bug->ops = ops_of(seen->c->graph->graph, a, &bug->nodes);
    bug->title = title_of(k, bug->ops, a);
    if (o) {
        bug->outcome = str_of(outcome_name(o->outcome));
        bug->message = kept(a, str_sub(o->message.raw, 0, 4000));
    }
}

/* Verdicts and the failing observation, beside the case: for show and report. */
static bool write_evidence(const char *dir, const struct judged *seen, const struct key *k,
                           struct arena *a, struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_array(&w);
    for (size_t i = 0; i < seen->verdicts.n; i++)
        verdict_to_json(&seen->verdicts.at[i], &w);
    json_end_array(&w);
    strbuf_addc(&text, '\n');
    bool ok = file_write(path_join(a, dir, "verdicts.json"), text.at, text.n, e);
    strbuf_done(&text);
    const struct observation *o = judged__observation(seen, k);
    return ok && (!o || (file_make_dirs(path_join(a, dir, "observations"), e) &&
                         observation_write(path_join(a, dir, "observations/0"), o, e)));
}

/* The lowest level that shows it, and the optimiser that it needs there, as far as there is one. */
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
    return true;
}

/* In a fresh process; a seeming hang with patience. */
static bool look(struct runner *r, const struct tcase *c, struct str key, enum runner_keys want,
                 struct arena *a, struct judged *seen, struct err *e)
{
    r->is_patient = str_starts(key, STR("resource|"));
    bool ok = runner__run(r, c, POOL_FRESH_FORK, want, a, seen, e);
    r->is_patient = false;
    return ok;
}

/* Who is wrong cannot be said of what is left: engines of two families fail alike, or the only one
 * that ran it has an operator that our reference was not checked on. */
static void put_in_doubt(const struct key *k, struct arena *a, struct reproducer *out)
{
    out->state = CONFIRM_CONFIRMED;
    out->second_opinion = true;
    out->bug.key = key__put_in_doubt(k->strict, a);
    out->bug.id = store_bug_id(out->bug.key, a);
    out->bug.state = str_of(decision_name(DECISION_SECOND_OPINION));
}

static bool confirm(struct runner *r, const struct tcase *c, const struct key *k, struct arena *a,
                    struct reproducer *out, struct err *e)
{
    runner__confine_to_key(r, k);
    bool ok = confirm__case(r, c, k->guard, 0, a, &out->runs, e);
    runner__confine(r, STR(""));
    if (!ok)
        return false;
    out->state = out->runs.state;
    out->bug.state = str_of(out->state == CONFIRM_FLAKY ? "flaky" : "confirmed");
    if (out->state == CONFIRM_FLAKY)
        out->bug.severity = str_of(
            severity_name(severity_adjust(k->severity, &(struct severity_facts){.flaky = 1})));
    for (size_t i = 0; i < out->runs.n_runs; i++)
        out->runs.runs[i].bug = out->bug.id;
    out->why = STR("not reproduced: too few of the runs in fresh processes fail");
    return out->state != CONFIRM_CONFIRMED || ablate(r, c, k, a, &out->bug, e);
}

/* The shrunk case once more, with its culprit: the bug's row, its folder, its confirmation. */
static bool conclude(struct runner *r, const struct reproducer_options *o, const struct tcase *c,
                     const struct key *wanted, struct arena *a, struct reproducer *out,
                     struct err *e)
{
    struct judged seen;
    if (!look(r, c, wanted->strict, RUNNER_REDUCED, a, &seen, e))
        return false;
    const struct key *k = judged__find_guard(&seen, wanted->guard);
    out->state = CONFIRM_GONE;
    out->why = STR("not reproduced: the reduced case does not fail again");
    if (!k)
        return true;
    describe(&seen, k, a, &out->bug);
    if (k->decision != DECISION_FAIL)
        put_in_doubt(k, a, out);
    else if (!confirm(r, c, k, a, out, e))
        return false;
    if (out->state == CONFIRM_GONE)
        return true;
    if (!reproducer__keep_case(o->out, o->scratch, "reproducer", c, a, &out->artifact, e))
        return false;
    out->bug.folder = out->artifact.folder;
    return write_evidence(artifact_path(o->out, out->artifact.folder, a), &seen, k, a, e);
}

bool reproducer__make(struct runner *r, const struct reproducer_options *o, const struct tcase *c,
                      struct str key, struct arena *a, struct reproducer *out, struct err *e)
{
    struct judged seen;
    const struct tcase *best;
    struct reduction *reduction = NULL;
    *out = (struct reproducer){.state = CONFIRM_GONE};
    if (!look(r, c, key, RUNNER_CULPRITS, a, &seen, e))
        return false;
    const struct key *k = judged__find_strict(&seen, key);
    if (!k) {
        const char *now = seen.keys.n ? str_dup(a, seen.keys.at[0].strict) : "none";
        out->why = str_of(arena_printf(a, "not reproduced: run again, its key is %s", now));
        return true;
    }
    struct reduce_job job = {r, o, c, k, false};
    int64_t begun_ns = clock_now_ns();
    bool ok = shrink_or_keep(&job, a, out, &best, &reduction, e);
    int64_t reduce_ms = (clock_now_ns() - begun_ns) / 1000000;
    ok = ok && conclude(r, o, best, k, a, out, e);
    if (ok && out->state == CONFIRM_GONE && best != c && k->class != BUG_RESOURCE) {
        reduce_close(reduction); /* it slipped: once more, with care */
        reduction = NULL;
        job.is_wary = true;
        ok = reduce_case(&job, a, out, &best, &reduction, e) && conclude(r, o, best, k, a, out, e);
    }
    if (ok && out->state == CONFIRM_GONE && best != c) {
        out->unreduced = true; /* what was shrunk fails too rarely: the case as it was found */
        ok = conclude(r, o, c, k, a, out, e);
    }
    out->bug.nodes_before = reduction ? out->counts.n_nodes_before : out->bug.nodes;
    out->bug.reduce_ms = reduce_ms;
    out->bug.reduce_runs = out->counts.n_runs;
    if (reduction)
        reduce_close(reduction);
    return ok;
}
