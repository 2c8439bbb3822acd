/*
 * The run for false alarms: runs fresh models in engines under the reference oracle and keeps every
 * alarm for a person to judge. Resumable: each finished group of cases appends a line of totals to
 * OUT/progress.jsonl, and a new start continues after the last.
 *
 *     bench_alarms run OUT SEED N TARGET...     cases 0..N-1 of the seed; alarms go to
 *                                               OUT/alarms.jsonl and OUT/alarms/INDEX/
 *     bench_alarms triage OUT EACH TARGET...    names the culprit of alarms that are not in
 *                                               OUT/triage.jsonl yet; the first EACH alarms of each
 *                                               engine, culprit and kind are shrunk, to OUT/small
 *     bench_alarms parents OUT SEED N TARGET... cases that keep their parent's function, with the
 *                                               parent, under the metamorphic oracle alone; one
 *                                               line per alarm on stdout, its case to OUT/alarms
 *
 * A person who reads the standard's text decides whether an alarm is false.
 * ASSAY_HOME holds the environments.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/path.h"
#include "base/vec.h"
#include "case/disk.h"
#include "generate/generate.h"
#include "hunt/runner/runner.h"
#include "os/inside.h"
#include "os/signal.h"
#include "reduce/reduce.h"
#include "target/worker.h"

enum { N_INFLIGHT = 16, STRETCH = 64, TARGETS_MAX = 8 };

struct inflight_case {
    struct arena arena;
    struct tcase *c; /* NULL: the index gives no case */
    uint64_t index;
    struct pool_result result;
    bool is_done;
};

struct totals {
    uint64_t n_cases, n_runs, n_refused, n_alarms;
    uint64_t n_by_decision[DECISION_NOT_APPLICABLE + 1];
};

struct alarms {
    struct arena arena;
    const char *out;
    struct runner runner;
    struct pool_batch batch;
    struct generator *generator;
    struct inflight_case inflight[N_INFLIGHT];
    struct totals totals;
    uint64_t next, n;
    struct map reduced; /* triage: how many of each kind were reduced */
    uint64_t each;
};

static bool append_line(const char *path, struct strbuf *line, struct err *e)
{
    strbuf_addc(line, '\n');
    bool ok = file_append(path, line->at, line->n, e);
    strbuf_done(line);
    return ok;
}

/* ---- run */

static void put_verdict(const struct verdict *v, struct json_out *w)
{
    json_begin_object(w);
    json_pair_cstr(w, "oracle", v->oracle);
    json_pair_cstr(w, "decision", decision_name(v->decision));
    json_pair_cstr(w, "wrong", wrong_kind_name(v->wrong));
    json_pair_str(w, "engine", v->target.engine);
    json_pair_str(w, "mode", v->target.mode);
    json_pair_i64(w, "set", v->input_set);
    json_pair_str(w, "op", v->place.op_type);
    json_pair_double(w, "measure", v->measure);
    json_pair_double(w, "threshold", v->threshold);
    json_pair_str(w, "claim", v->claim);
    json_end_object(w);
}

static bool is_alarm(const struct verdict *v)
{
    return v->decision == DECISION_FAIL || v->decision == DECISION_SECOND_OPINION ||
           v->decision == DECISION_REFERENCE_SUSPECT;
}

static bool keep_alarm(struct alarms *x, struct inflight_case *f, const struct judged *seen,
                       struct err *e)
{
    struct strbuf line = {0};
    struct json_out w = json_open(&line, JSON_COMPACT);
    const char *name = arena_printf(&f->arena, "alarms/%06" PRIu64, f->index);
    const char *dir = path_join(&f->arena, x->out, name);
    json_begin_object(&w);
    json_pair_u64(&w, "index", f->index);
    json_pair_cstr(&w, "lane", lane_name(f->c->lane));
    json_pair_str(&w, "edits", f->c->from.edits);
    json_key(&w, "keys");
    json_begin_array(&w);
    for (size_t i = 0; i < seen->keys.n; i++)
        json_put_str(&w, seen->keys.at[i].strict);
    json_end_array(&w);
    json_key(&w, "verdicts");
    json_begin_array(&w);
    for (size_t i = 0; i < seen->verdicts.n; i++)
        if (is_alarm(&seen->verdicts.at[i]))
            put_verdict(&seen->verdicts.at[i], &w);
    json_end_array(&w);
    json_end_object(&w);
    return file_remove_tree(dir, e) && case_write(dir, f->c, e) &&
           append_line(path_join(&f->arena, x->out, "alarms.jsonl"), &line, e);
}

static bool judge_inflight(struct alarms *x, struct inflight_case *f, struct err *e)
{
    struct judged seen;
    bool alarmed = false;
    if (!f->c)
        return true;
    if (!runner_judge(&x->runner, &f->result, RUNNER_KEYS, &f->arena, &seen, e))
        return false;
    x->totals.n_cases++;
    for (size_t i = 0; i < seen.n_observations; i++) {
        x->totals.n_runs += seen.observations[i].outcome == OUTCOME_OK;
        x->totals.n_refused += seen.observations[i].outcome != OUTCOME_OK;
    }
    for (size_t i = 0; i < seen.verdicts.n; i++) {
        x->totals.n_by_decision[seen.verdicts.at[i].decision]++;
        alarmed = alarmed || is_alarm(&seen.verdicts.at[i]);
    }
    x->totals.n_alarms += alarmed;
    return !alarmed || keep_alarm(x, f, &seen, e);
}

static void on_done(void *ctx, const struct pool_result *result)
{
    struct inflight_case *f = ctx;
    f->result = *result;
    f->is_done = true;
}

static bool launch(struct alarms *x, struct inflight_case *f, uint64_t index, struct err *e)
{
    f->c = NULL;
    f->index = index;
    f->is_done = true;
    arena_reset(&f->arena);
    if (!x->generator->ops->next(x->generator, index, &f->arena, &f->c, e))
        return false;
    if (!f->c)
        return true;
    struct pool_request request =
        runner_request(&x->runner, runner_plan(&x->runner, POOL_ANY), f->c, &f->arena);
    f->is_done = false;
    return pool_batch_submit(&x->batch, &request, on_done, f, e);
}

/* Finishes the case in this slot; called in the order of indices. */
static bool land(struct alarms *x, struct inflight_case *f, struct err *e)
{
    while (!f->is_done)
        if (!loop_turn(x->runner.loop, LOOP_FOREVER, e))
            return false;
    if (!judge_inflight(x, f, e)) {
        fprintf(stderr, "case %" PRIu64 ": %s\n", f->index, e->text);
        err_clear(e);
    }
    f->c = NULL;
    return true;
}

static bool run_stretch(struct alarms *x, uint64_t to, struct err *e)
{
    uint64_t from = x->next;
    for (uint64_t i = from; i < to + N_INFLIGHT; i++) {
        struct inflight_case *f = &x->inflight[i % N_INFLIGHT];
        if (i >= from + N_INFLIGHT && i - N_INFLIGHT < to && !land(x, f, e))
            return false;
        if (i < to && !launch(x, f, i, e))
            return false;
    }
    x->next = to;
    return true;
}

static const char *const total_keys[] = {"next", "cases", "runs", "refused", "alarms"};

static uint64_t *total_at(struct alarms *x, size_t i)
{
    uint64_t *const at[] = {&x->next, &x->totals.n_cases, &x->totals.n_runs, &x->totals.n_refused,
                            &x->totals.n_alarms};
    return at[i];
}

static bool note_progress(struct alarms *x, const char *path, struct err *e)
{
    struct strbuf line = {0};
    struct json_out w = json_open(&line, JSON_COMPACT);
    json_begin_object(&w);
    for (size_t i = 0; i < COUNT_OF(total_keys); i++)
        json_pair_u64(&w, total_keys[i], *total_at(x, i));
    for (int d = 0; d <= DECISION_NOT_APPLICABLE; d++)
        json_pair_u64(&w, decision_name((enum decision)d), x->totals.n_by_decision[d]);
    json_end_object(&w);
    return append_line(path, &line, e);
}

static bool take_up(struct alarms *x, const char *path, struct err *e)
{
    struct str text;
    const struct json *last;
    if (file_stat(path).kind != FILE_REGULAR)
        return true;
    if (!file_read(path, 64 << 20, &x->arena, &text, e))
        return false;
    size_t end = text.n, from;
    while (end > 0 && text.at[end - 1] == '\n')
        end--;
    for (from = end; from > 0 && text.at[from - 1] != '\n'; from--)
        ;
    if (from == end)
        return true;
    if (!json_parse(str_sub(text, from, end), path, &x->arena, &last, e))
        return false;
    for (size_t i = 0; i < COUNT_OF(total_keys); i++)
        *total_at(x, i) = (uint64_t)json_get_i64(last, total_keys[i], 0);
    for (int d = 0; d <= DECISION_NOT_APPLICABLE; d++)
        x->totals.n_by_decision[d] =
            (uint64_t)json_get_i64(last, decision_name((enum decision)d), 0);
    return true;
}

static bool run(struct alarms *x, uint64_t seed, struct err *e)
{
    const char *path = path_join(&x->arena, x->out, "progress.jsonl");
    struct generate_options o = {.seed = seed, .strategy = "random"};
    bool ok = file_make_dirs(x->out, e) && take_up(x, path, e) &&
              generator_find(STR("mutate"))->open(&o, &x->generator, e);
    while (ok && x->next < x->n && !signal_interrupted())
        ok = run_stretch(x, MIN(x->next + STRETCH, x->n), e) && note_progress(x, path, e);
    if (x->generator)
        x->generator->ops->close(x->generator);
    return ok;
}

/* ---- parents */

static bool judge_with_parent(struct alarms *x, const struct tcase *c, const struct tcase *parent,
                              struct arena *a, struct err *e)
{
    struct pool_result seen, before;
    struct verdicts v;
    struct evidence ev = {.c = c};
    struct pool_request request =
        runner_request(&x->runner, runner_plan(&x->runner, POOL_ANY), c, a);
    if (!pool_run(x->runner.pool, &request, &seen, e))
        return false;
    request.c = parent;
    if (!pool_run(x->runner.pool, &request, &before, e) || !reference_make(c, a, &ev.refs, e))
        return false;
    ev.observations = seen.observations;
    ev.n_observations = seen.n_observations;
    ev.parents = before.observations;
    ev.n_parents = before.n_observations;
    if (!judge_case(&x->runner.judge, &ev, a, &v, e))
        return false;
    x->totals.n_cases++;
    for (size_t i = 0; i < v.n; i++) {
        const struct verdict *w = &v.at[i];
        x->totals.n_by_decision[w->decision]++;
        if (!is_alarm(w))
            continue;
        x->totals.n_alarms++;
        printf("%" PRIu64 " " STR_FMT "/" STR_FMT " " STR_FMT ": " STR_FMT " [" STR_FMT "]\n",
               c->from.index, STR_ARG(w->target.engine), STR_ARG(w->target.mode),
               STR_ARG(w->place.op_type), STR_ARG(w->claim), STR_ARG(str_trim(c->from.edits)));
        fflush(stdout);
        if (!case_write(arena_printf(a, "%s/alarms/%06" PRIu64, x->out, c->from.index), c, e))
            return false;
    }
    return true;
}

static bool run_parents(struct alarms *x, uint64_t seed, struct err *e)
{
    static const char *const keep[] = {"N3", "N9", "N12", "N13", "N14", "N19", "N20"};
    struct generate_options o = {
        .seed = seed, .strategy = "random", .operators = keep, .n_operators = COUNT_OF(keep)};
    struct arena *a = &x->inflight[0].arena;
    bool ok = file_make_dirs(path_join(&x->arena, x->out, "alarms"), e) &&
              generator_find(STR("mutate"))->open(&o, &x->generator, e);
    for (uint64_t i = 0; ok && i < x->n && !signal_interrupted(); i++) {
        struct tcase *c = NULL;
        arena_reset(a);
        ok = x->generator->ops->next(x->generator, i, a, &c, e);
        const struct tcase *parent = ok && c ? case_of_parent(c, a) : NULL;
        if (parent)
            ok = judge_with_parent(x, c, parent, a, e);
    }
    if (x->generator)
        x->generator->ops->close(x->generator);
    printf("{\"bench\":\"alarms/parents\",\"cases\":%" PRIu64 ",\"pass\":%" PRIu64
           ",\"unsure\":%" PRIu64 ",\"alarms\":%" PRIu64 "}\n",
           x->totals.n_cases, x->totals.n_by_decision[DECISION_PASS],
           x->totals.n_by_decision[DECISION_UNSURE], x->totals.n_alarms);
    return ok;
}

/* ---- triage */

/* Shrinks the case while it keeps the key's guard, on the failing engine alone, and writes the
 * shrunk case beside the alarm. */
static bool shrink(struct alarms *x, const struct judged *seen, const struct key *k, const char *to,
                   struct arena *a, struct judged *small, struct err *e)
{
    struct reduction *r;
    const struct tcase *c;
    struct arena each;
    bool ok = true;
    if (!reduce_open(&(struct reduce_options){.n_outstanding = 1}, seen->c, k, &r, e))
        return false;
    arena_init(&each);
    const struct run_plan plan = runner_plan_key(&x->runner, k, a);
    while (ok && !reduce_is_done(r) && reduce_next(r, &c)) {
        struct judged tried;
        arena_reset(&each);
        ok = runner_run(&x->runner, plan, c, RUNNER_KEYS, &each, &tried, e);
        if (ok)
            reduce_tell(r, &c->id, &tried.keys);
    }
    arena_done(&each);
    struct tcase *back = NULL;
    ok = ok && case_write(to, reduce_best(r), e) && case_read(to, a, &back, e) &&
         runner_run(&x->runner, runner_plan(&x->runner, POOL_ANY), back, RUNNER_CULPRITS, a, small,
                    e);
    small->c = back;
    reduce_close(r);
    return ok;
}

static struct str ops_of(const struct graph *g, struct arena *a)
{
    struct strbuf b = {0};
    for (size_t i = 0; i < g->nodes.n; i++)
        strbuf_printf(&b, "%s" STR_FMT, i ? " " : "", STR_ARG(g->nodes.at[i].op_type));
    struct str s = strbuf_dup(&b, a);
    strbuf_done(&b);
    return s;
}

/* Writes the shrunk case's verdicts in all targets. */
static void put_small(const struct judged *small, struct arena *a, struct json_out *w)
{
    json_pair_str(w, "ops", ops_of(small->c->graph->graph, a));
    json_key(w, "small");
    json_begin_array(w);
    for (size_t i = 0; i < small->verdicts.n; i++)
        put_verdict(&small->verdicts.at[i], w);
    json_end_array(w);
}

/* Equal for alarms that probably have one cause: same engine, culprit and kind of wrong. */
static struct str coarse(const struct key *k, struct arena *a)
{
    const struct verdict *v = k->verdict;
    return str_of(arena_printf(a, STR_FMT " " STR_FMT " %s %s", STR_ARG(v->target.family),
                               STR_ARG(v->place.op_type), wrong_kind_name(v->wrong),
                               k->provisional ? "unlocalised" : ""));
}

/* Triages one key of an alarm: shrinks its case if few of its kind have been, else only names its
 * culprit. */
static bool triage_key(struct alarms *x, const struct judged *seen, uint64_t index,
                       const struct key *k, struct arena *a, struct err *e)
{
    struct strbuf line = {0};
    struct judged small;
    struct str kind = coarse(k, a);
    uint64_t *n = map_at(&x->reduced, &x->arena, kind, NULL);
    bool shrinks = *n < x->each;
    const char *to = arena_printf(a, "%s/small/%06" PRIu64 "-" STR_FMT, x->out, index,
                                  STR_ARG(k->verdict->target.engine));
    *n += 1;
    if (shrinks && !shrink(x, seen, k, to, a, &small, e))
        return false;
    struct json_out w = json_open(&line, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_u64(&w, "index", index);
    json_pair_cstr(&w, "lane", lane_name(seen->c->lane));
    json_pair_str(&w, "kind", kind);
    json_pair_str(&w, "key", k->strict);
    json_key(&w, "verdict");
    put_verdict(k->verdict, &w);
    if (shrinks)
        put_small(&small, a, &w);
    json_end_object(&w);
    return append_line(path_join(a, x->out, "triage.jsonl"), &line, e);
}

static bool note_no_key(struct alarms *x, uint64_t index, struct arena *a, struct err *e)
{
    struct strbuf line = {0};
    strbuf_printf(&line, "{\"index\":%" PRIu64 ",\"state\":\"no key\"}", index);
    return append_line(path_join(a, x->out, "triage.jsonl"), &line, e);
}

static bool triage_alarm(struct alarms *x, uint64_t index, struct err *e)
{
    struct arena a;
    struct tcase *c;
    struct judged seen;
    arena_init(&a);
    const char *dir = arena_printf(&a, "%s/alarms/%06" PRIu64, x->out, index);
    bool ok = case_read(dir, &a, &c, e) && runner_run(&x->runner, runner_plan(&x->runner, POOL_ANY),
                                                      c, RUNNER_CULPRITS, &a, &seen, e);
    for (size_t i = 0; ok && i < seen.keys.n; i++)
        ok = triage_key(x, &seen, index, &seen.keys.at[i], &a, e);
    if (ok && seen.keys.n == 0)
        ok = note_no_key(x, index, &a, e);
    arena_done(&a);
    return ok;
}

/* Reads what earlier starts have done: indices, and how many of each kind were reduced. */
static bool take_up_triage(struct alarms *x, struct map *done, struct err *e)
{
    const char *path = path_join(&x->arena, x->out, "triage.jsonl");
    struct str text, line;
    if (file_stat(path).kind != FILE_REGULAR)
        return true;
    if (!file_read(path, 256 << 20, &x->arena, &text, e))
        return false;
    while (str_split(&text, '\n', &line)) {
        const struct json *j;
        if (line.n == 0)
            continue;
        if (!json_parse(line, path, &x->arena, &j, e))
            return false;
        int64_t index = json_get_i64(j, "index", -1);
        map_put(done, &x->arena, str_of(arena_printf(&x->arena, "%" PRId64, index)), 1);
        *map_at(&x->reduced, &x->arena, json_get_str(j, "kind", STR("")), NULL) += 1;
    }
    return true;
}

static bool triage(struct alarms *x, struct err *e)
{
    struct map done = {0};
    struct file_list names = {0};
    if (!take_up_triage(x, &done, e) ||
        !file_list_dir(path_join(&x->arena, x->out, "alarms"), &x->arena, &names, e))
        return false;
    for (size_t i = 0; i < names.n && !signal_interrupted(); i++) {
        uint64_t index = strtoull(names.names[i], NULL, 10);
        if (map_get(&done, str_of(arena_printf(&x->arena, "%" PRIu64, index))))
            continue;
        if (!triage_alarm(x, index, e)) {
            fprintf(stderr, "case %" PRIu64 ": %s\n", index, e->text);
            err_clear(e);
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int first_target;
        const char *oracles[4];
        size_t n_oracles;
    } modes[] = {
        {"run", 5, {"reference", "outcome", "crash"}, 3},
        {"parents", 5, {"metamorphic"}, 1},
        {"triage", 4, {"reference"}, 1},
    };
    struct err e = {0};
    size_t mode = 0, n = 0;
    int code;
    if (inside_main(argc, argv, &code))
        return code;
    if (argc == 4 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "ort") == 0)
        return worker_ort_main(argv[3], WORKER_FD);
    while (mode < COUNT_OF(modes) && (argc < 2 || strcmp(argv[1], modes[mode].name) != 0))
        mode++;
    if (mode == COUNT_OF(modes) || argc <= modes[mode].first_target) {
        fprintf(stderr, "usage: bench_alarms run|parents OUT SEED N TARGET... | "
                        "triage OUT EACH TARGET...\n");
        return 64;
    }
    struct alarms x = {.out = argv[2]};
    const char *targets[TARGETS_MAX];
    arena_init(&x.arena);
    for (size_t i = 0; i < N_INFLIGHT; i++)
        arena_init(&x.inflight[i].arena);
    for (int i = modes[mode].first_target; i < argc && n < TARGETS_MAX; i++)
        targets[n++] = argv[i];
    const struct runner_options o = {.home = getenv("ASSAY_HOME"),
                                     .best_effort = true,
                                     .targets = {targets, n},
                                     .oracles = {modes[mode].oracles, modes[mode].n_oracles}};
    bool ok = signal_catch_interrupts(&e) && runner_open(&o, &x.runner, &e);
    pool_batch_init(&x.batch, x.runner.pool);
    if (ok) {
        x.n = x.each = strtoull(argv[modes[mode].first_target - 1], NULL, 10);
        uint64_t seed = strtoull(argv[3], NULL, 10);
        ok = mode == 0 ? run(&x, seed, &e) : mode == 1 ? run_parents(&x, seed, &e) : triage(&x, &e);
        pool_batch_done(&x.batch), runner_close(&x.runner);
    }
    if (!ok)
        fprintf(stderr, "bench_alarms: %s\n", e.text);
    for (size_t i = 0; i < N_INFLIGHT; i++)
        arena_done(&x.inflight[i].arena);
    arena_done(&x.arena);
    return ok ? 0 : 70;
}
