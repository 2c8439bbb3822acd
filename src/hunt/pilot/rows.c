/*
 * Decides what is stored of a judged case: its result, a row for each failing key, and the case
 * itself where a key is new to this pilot. Later cases depend only on facts that do not change from
 * run to run: keys that a fresh process shows, rewrites, multiply-adds, edits. Distances and times
 * are stored but steer nothing.
 */
#include <math.h>

#include "base/clock.h"
#include "base/compiler.h"
#include "case/subject.h"
#include "hunt/pilot/pilot_p.h"
#include "hunt/reproduce/keep.h"

static struct str text_of(struct strbuf *b, struct arena *a)
{
    struct str s = strbuf_dup(b, a);
    strbuf_done(b);
    return s;
}

static const char *kind_of(const struct judged *seen)
{
    bool all_reject = seen->n_observations > 0, any_raises = false, usable = false;
    for (size_t i = 0; i < seen->n_observations; i++) {
        enum outcome o = seen->observations[i].outcome;
        usable |= !case_model(seen->c) && o == OUTCOME_OK;
        all_reject &= o == OUTCOME_EXCEPTION || o == OUTCOME_UNSUPPORTED;
        any_raises |= o == OUTCOME_EXCEPTION;
    }
    for (size_t i = 0; i < seen->c->n_input_sets; i++)
        usable |= seen->refs[i].usable;
    if (all_reject)
        return any_raises ? "illegal" : "unsupported";
    return usable ? "valid" : "unsupported";
}

/* A line per target with its outcome, from the first repeat of the first input set. */
static struct str outcomes_of(const struct judged *seen, struct arena *a)
{
    struct strbuf b = {0};
    for (size_t i = 0; i < seen->n_observations; i++) {
        const struct observation *o = &seen->observations[i];
        if (o->input_set != 0 || o->repeat != 0)
            continue;
        target_id_print(&o->target, &b);
        strbuf_printf(&b, " %s\n", outcome_name(o->outcome));
    }
    return text_of(&b, a);
}

struct words {
    VEC(struct str) of;
};

/* Compares one target's dump with the model: "+FusedConv" for an operator that is new or more
 * frequent, "-Relu" for one that is rarer. */
static void add_rewrites(struct str dump, const struct map *before, struct arena *a,
                         struct words *out)
{
    struct map after = {0};
    struct str rest = dump, line;
    while (str_split(&rest, '\n', &line)) {
        size_t blank = str_find_byte(line, ' ');
        uint64_t n;
        if (blank < line.n && str_to_u64(str_trim(str_sub(line, blank, line.n)), &n))
            map_put(&after, a, str_sub(line, 0, blank), n);
    }
    for (size_t i = 0; i < after.entries.n; i++) {
        const struct map_entry *x = &after.entries.at[i];
        const uint64_t *old = map_get(before, x->key);
        if (x->value > (old ? *old : 0))
            vec_push(&out->of, a, str_of(arena_printf(a, "+" STR_FMT, STR_ARG(x->key))));
    }
    for (size_t i = 0; i < before->entries.n; i++) {
        const struct map_entry *x = &before->entries.at[i];
        const uint64_t *now = map_get(&after, x->key);
        if ((now ? *now : 0) < x->value)
            vec_push(&out->of, a, str_of(arena_printf(a, "-" STR_FMT, STR_ARG(x->key))));
    }
}

static struct str rewrites_of(const struct judged *seen, const struct map *ops, struct arena *a)
{
    struct words words = {0};
    for (size_t i = 0; i < seen->n_observations; i++) {
        const struct observation *o = &seen->observations[i];
        if (o->rewrites.n && o->input_set == 0 && o->repeat == 0)
            add_rewrites(o->rewrites, ops, a, &words);
    }
    return subject_join_sorted(words.of.at, words.of.n, '\n', a);
}

/* The cells that the case meets and that this pilot did not send with a lower index: the
 * coordinator finds those that are new in order of index, whatever the order in which results come.
 */
static struct str new_cells(struct pilot *p, const struct inflight_case *f, struct arena *a)
{
    const struct model *m = case_model(f->c);
    struct strbuf b = {0};
    if (!m)
        return STR("");
    struct reach_cells met = reach_meet(&p->reach, m, a);
    for (size_t i = 0; i < met.n; i++) {
        uint64_t *at = &p->met_at[met.at[i]];
        if (*at > 0 && *at <= f->index + 1)
            continue;
        *at = f->index + 1;
        strbuf_printf(&b, "%s%u", b.n ? " " : "", p->reach.cells.at[met.at[i]].key);
    }
    return text_of(&b, a);
}

/* The largest quotient of measure and threshold among all comparisons. */
static double distance_of(const struct judged *seen)
{
    double largest = 0;
    for (size_t i = 0; i < seen->verdicts.n; i++) {
        const struct verdict *v = &seen->verdicts.at[i];
        double d = v->threshold > 0 ? v->measure / v->threshold : 0;
        if (isfinite(d) && d > largest)
            largest = d;
    }
    return largest;
}

static struct store_failure failure_of(const struct pilot *p, const struct inflight_case *f,
                                       const struct key *k, struct arena *a)
{
    const struct verdict *v = k->verdict;
    struct strbuf target = {0};
    target_id_print(&v->target, &target);
    return (struct store_failure){.campaign = (int64_t)p->campaign,
                                  .case_at = (int64_t)f->index,
                                  .case_id = f->c->id,
                                  .key = k->strict,
                                  .target = text_of(&target, a),
                                  .oracle = str_of(v->oracle),
                                  .soft_key = k->soft,
                                  .wrong = str_of(wrong_kind_name(v->wrong)),
                                  .output = v->place.output,
                                  .op_type = v->place.op_type,
                                  .measure = v->measure,
                                  .threshold = v->threshold,
                                  .claim = v->claim,
                                  .at_ms = clock_wall_ms()};
}

static void add_failures(const struct pilot *p, const struct inflight_case *f,
                         const struct judged *seen, struct arena *a, struct case_rows *out)
{
    struct strbuf keys = {0};
    size_t n_first = f->first ? f->first->keys.n : 0;
    out->failures = arena_new_array(a, struct store_failure, seen->keys.n + n_first);
    for (size_t i = 0; i < seen->keys.n; i++) {
        const struct key *k = &seen->keys.at[i];
        out->failures[out->n_failures++] = failure_of(p, f, k, a);
        if (judged_is_load_dependent(seen, k))
            continue;
        strbuf_addstr(&keys, k->strict);
        strbuf_addc(&keys, '\n');
    }
    /* seen in the first run but not in a fresh process: stored, but no key of the result */
    for (size_t i = 0; i < n_first && !p->timeless; i++) {
        const struct key *k = &f->first->keys.at[i];
        if (!judged_find_guard(seen, k->guard) && !judged_find_strict(seen, k->strict))
            out->failures[out->n_failures++] = failure_of(p, f, k, a);
    }
    out->result.keys = text_of(&keys, a);
}

void pilot__describe(struct pilot *p, const struct inflight_case *f, const struct judged *seen,
                     struct arena *a, struct case_rows *out)
{
    const struct generate_counts *n = &f->counts;
    *out = (struct case_rows){
        .result = {.campaign = (int64_t)p->campaign,
                   .case_at = (int64_t)f->index,
                   .kind = STR("none"),
                   .n_edits = (int64_t)n->n_edits,
                   .n_discarded = (int64_t)(n->n_discarded_check + n->n_discarded_infer +
                                            n->n_discarded_budget + n->n_discarded_range),
                   .n_noop = (int64_t)n->n_discarded_noop,
                   .wall_ns = clock_now_ns() - f->since_ns,
                   .at_ms = clock_wall_ms()}};
    if (!f->c)
        return;
    struct store_result *r = &out->result;
    r->case_id = f->c->id;
    r->content = f->c->content;
    r->lane = str_of(lane_name(f->c->lane));
    r->edits = f->c->from.edits;
    r->kind = STR("lost");
    if (!seen)
        return;
    struct map ops = {0};
    const struct verdict *worst = verdicts_worst(&seen->verdicts);
    const struct subject *subject = case_subject(f->c);
    subject->count(f->c, a, &ops);
    r->kind = str_of(kind_of(seen));
    r->decision = str_of(worst ? decision_name(worst->decision) : "");
    r->outcomes = outcomes_of(seen, a);
    r->ops = subject->words(f->c, seen->observations, seen->n_observations, a);
    r->rewrites = rewrites_of(f->first ? f->first : seen, &ops, a);
    r->cells = new_cells(p, f, a);
    r->distance = distance_of(seen);
    r->n_macs = (int64_t)seen->refs[0].values.n_macs;
    add_failures(p, f, seen, a, out);
    for (size_t i = 0; i < out->n_failures; i++)
        out->failures[i].ops = r->ops;
}

/* Is the index one of the lowest of its key so far? It is added to them then. */
static bool is_candidate(struct pilot *p, struct str key, uint64_t index)
{
    bool added;
    uint64_t *place = map_at(&p->saved, &p->arena, key, &added);
    if (added)
        *place = (uint64_t)(uintptr_t)arena_new(&p->arena, struct saved_indices);
    struct saved_indices *saved = (struct saved_indices *)(uintptr_t)*place;
    size_t at = saved->n;
    while (at > 0 && saved->at[at - 1] > index)
        at--;
    if (at == COUNT_OF(saved->at))
        return false;
    saved->n = MIN(saved->n + 1, COUNT_OF(saved->at));
    memmove(saved->at + at + 1, saved->at + at, (saved->n - 1 - at) * sizeof *saved->at);
    saved->at[at] = index;
    return true;
}

bool pilot__keep_failures(struct pilot *p, const struct inflight_case *f, struct case_rows *rows,
                          struct err *e)
{
    struct arena *a = &p->inflight[f - p->inflight].arena;
    struct str folder = {0};
    rows->artifacts = arena_new_array(a, struct store_artifact, 1);
    for (size_t i = 0; i < rows->n_failures; i++) {
        if (!is_candidate(p, rows->failures[i].key, f->index))
            continue;
        if (folder.n == 0) {
            if (!keep_case(p->options.out, p->scratch, "case", f->c, a, &rows->artifacts[0], e))
                return false;
            rows->n_artifacts = 1;
            folder = rows->artifacts[0].folder;
        }
        rows->failures[i].folder = folder;
    }
    return true;
}

bool pilot__send_rows(struct pilot *p, const struct case_rows *rows, struct err *e)
{
    struct json_out w = message_begin(&p->text);
    json_key(&w, "rows");
    json_begin_array(&w);
    for (size_t i = 0; i < rows->n_artifacts; i++)
        message_put_row(
            &w, &(struct store_change){.kind = STORE_ARTIFACT, .artifact = &rows->artifacts[i]});
    for (size_t i = 0; i < rows->n_failures; i++)
        message_put_row(
            &w, &(struct store_change){.kind = STORE_FAILURE, .failure = &rows->failures[i]});
    message_put_row(&w, &(struct store_change){.kind = STORE_RESULT, .result = &rows->result});
    json_end_array(&w);
    return message_send(p->stream, MESSAGE_ROWS, &w, e);
}
