/*
 * The engine of reduction: delta debugging (Zeller and Hildebrandt, 2002) over the sites of each
 * pass of its subject, in turn, until a whole round changes nothing.
 *
 * Candidates are handed out ahead of the answers, on the guess that earlier ones pass. Answers are
 * taken in the order of handing out; when one fails in the same way, the candidates after it were
 * guessed wrong and are dropped. So the result is that of trying one by one. Answers are kept by
 * content hash.
 *
 * Invariant: `best` is a case that failed with the guard key; it and all that it shares live in
 * arenas that stay until reduce_close.
 */
#include "reduce/reduce.h"

#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "reduce/reduce_p.h"

enum { ROUNDS_MAX = 6, QUEUE_MAX = 256 };

/* A position in the sequence of candidates. */
struct cursor {
    uint32_t pass, chunk, at, round;
    bool progressed; /* a candidate was accepted in this round */
    bool ended;
};

enum answer { ANSWER_WAITING, ANSWER_SAME, ANSWER_OTHER };
enum { MET_LIMIT = 4 }; /* flag that is added to the answer in the map of answers */

/* A candidate handed out, or answered from the cache. */
struct pending {
    struct arena arena;
    struct tcase c;
    struct state state;
    struct cursor cursor; /* the position of this candidate */
    enum answer answer;
    bool met_limit; /* of time or memory */
};

struct reduction {
    const struct reduce_subject *subject;
    struct reduce_options o;
    const struct tcase *original;
    struct state first;
    const struct tcase *best;
    const struct state *state; /* of best */
    struct key key;            /* texts in arena */
    double measure;            /* the original's */
    struct arena arena;
    struct map answers; /* content hash -> enum answer, plus MET_LIMIT */
    struct map tried;   /* content hash -> place in the sequence, from 1 */
    struct pending *queue[QUEUE_MAX];
    size_t n_queue;
    VEC(struct pending *) overtaken; /* dropped, but their answers are still to come */
    VEC(struct pending *) kept;      /* accepted: later ones share their tensors */
    VEC(struct pending *) retired;   /* answered, but the caller may still read them */
    struct cursor cursor;
    uint32_t n_spent; /* of the budget */
    struct reduce_counts counts;
};

static void pending_free(struct pending *p)
{
    arena_done(&p->arena);
    free(p);
}

static void free_retired(struct reduction *r)
{
    for (size_t i = 0; i < r->retired.n; i++)
        pending_free(r->retired.at[i]);
    vec_clear(&r->retired);
}

static struct str copy(struct reduction *r, struct str s)
{
    return (struct str){str_dup(&r->arena, s), s.n};
}

static struct cursor cursor_start(uint32_t round)
{
    return (struct cursor){.round = round};
}

bool reduce_open(const struct reduce_options *o, const struct tcase *c, const struct key *key,
                 struct reduction **out, struct err *e)
{
    uint32_t set = key->verdict ? key->verdict->input_set : 0;
    if (set >= c->n_input_sets)
        return err_set(e, ERR_DATA, "the case has no input set %u", (unsigned)set);
    struct reduction *r = mem_alloc(sizeof *r);
    *r = (struct reduction){.subject = reduce__subject(c), .o = *o, .original = c, .best = c};
    arena_init(&r->arena);
    r->o.budget_runs = o->budget_runs ? o->budget_runs : REDUCE_BUDGET_RUNS;
    r->o.n_outstanding = o->n_outstanding ? o->n_outstanding : 4;
    r->o.n_outstanding = MIN(r->o.n_outstanding, (uint32_t)REDUCE_OUTSTANDING_MAX);
    r->key = *key;
    r->key.guard = copy(r, key->guard);
    r->key.verdict = NULL;
    r->measure = key->verdict ? key->verdict->measure : 0;
    r->key.title = key->verdict ? copy(r, key->verdict->place.output) : (struct str){0};
    r->first.inputs = c->input_sets[set];
    r->state = &r->first;
    r->cursor = cursor_start(0);
    struct str family = key->verdict ? key->verdict->target.family : (struct str){0};
    if (!r->subject->open(c, set, family, &r->arena, &r->first, e)) {
        reduce_close(r);
        return err_wrap(e, "the case to reduce");
    }
    r->counts.n_nodes_before = r->counts.n_nodes = r->subject->size(&r->first);
    *out = r;
    return true;
}

/* ---- the sequence of candidates */

static uint32_t first_chunk(const struct pass *p, uint32_t n)
{
    switch (p->start) {
    case PASS_WHOLE:
        return n;
    case PASS_HALF:
        return (n + 1) / 2;
    default:
        return n > 0;
    }
}

static uint32_t next_chunk(const struct pass *p, uint32_t chunk, uint32_t n)
{
    uint32_t smallest = p->smallest_share > 0 ? n / p->smallest_share : 0;
    chunk = chunk / 2;
    return chunk > 0 && chunk >= smallest ? chunk : 0;
}

static void next_pass(struct cursor *c, const struct reduce_subject *subject)
{
    c->chunk = c->at = 0;
    if (++c->pass < subject->n_passes)
        return;
    if (c->progressed && c->round + 1 < ROUNDS_MAX)
        *c = cursor_start(c->round + 1);
    else
        c->ended = true;
}

/* Moves on to the next position that may have a candidate; false: the end. */
static bool cursor_settle(struct cursor *c, const struct reduce_subject *subject,
                          const struct state *s)
{
    while (!c->ended) {
        const struct pass *p = &subject->passes[c->pass];
        uint32_t n = p->count(s);
        if (c->chunk == 0)
            c->chunk = first_chunk(p, n);
        else if (c->at >= n) {
            c->chunk = next_chunk(p, MIN(c->chunk, n), n);
            c->at = 0;
            if (c->chunk == 0)
                next_pass(c, subject);
            continue;
        }
        if (n > 0 && c->at < n)
            return true;
        next_pass(c, subject);
    }
    return false;
}

static void seal(struct reduction *r, struct pending *p, const char *pass)
{
    struct tcase *c = &p->c;
    *c = (struct tcase){.kind = r->original->kind,
                        .input_sets = &p->state.inputs,
                        .n_input_sets = 1,
                        .lane = r->original->lane};
    r->subject->fill(&p->state, c);
    c->from = (struct provenance){.generator = "reduce",
                                  .version = 1,
                                  .seed = r->o.seed,
                                  .parent = r->original->content,
                                  .edits = str_of(pass)};
    case_seal(c);
}

/* Builds the candidate at a position; NULL: there is nothing to edit, or the case is not valid. */
static struct pending *build(struct reduction *r, const struct cursor *at)
{
    const struct pass *pass = &r->subject->passes[at->pass];
    uint32_t n = pass->count(r->state), hi = at->at + MIN(at->chunk, n - at->at);
    struct pending *p = mem_alloc(sizeof *p);
    *p = (struct pending){.cursor = *at};
    arena_init(&p->arena);
    struct trial t = {.from = r->state, .a = &p->arena, .output = r->key.title, .seed = r->o.seed};
    t.inputs.n = r->state->inputs.n;
    t.inputs.at = arena_dup(&p->arena, r->state->inputs.at, t.inputs.n * sizeof *t.inputs.at);
    r->subject->begin(r->state, &t);
    bool made = pass->apply(&t, at->at, hi);
    if (!made || !r->subject->settle(&t, &r->first, &p->state)) {
        r->counts.n_invalid += made;
        pending_free(p);
        return NULL;
    }
    seal(r, p, pass->name);
    if (hash_eq(&p->c.content, &r->best->content)) { /* would be accepted for ever */
        pending_free(p);
        return NULL;
    }
    return p;
}

static struct str content_key(const struct pending *p)
{
    return (struct str){(const char *)p->c.content.bytes, sizeof p->c.content.bytes};
}

static bool same_content(const struct pending *a, const struct pending *b)
{
    return a->answer == ANSWER_WAITING && hash_eq(&a->c.content, &b->c.content);
}

static bool is_outstanding(const struct reduction *r, const struct pending *p)
{
    bool found = false;
    for (size_t i = 0; i < r->n_queue; i++)
        found = found || same_content(r->queue[i], p);
    for (size_t i = 0; i < r->overtaken.n; i++)
        found = found || same_content(r->overtaken.at[i], p);
    return found;
}

/* Moves on as if the candidate at the cursor passed. */
static void step(struct cursor *c)
{
    c->at += c->chunk;
}

/* ---- answers, taken in order */

static void abandon_guesses(struct reduction *r, size_t from)
{
    for (size_t i = from; i < r->n_queue; i++) {
        if (r->queue[i]->answer == ANSWER_WAITING)
            vec_push(&r->overtaken, NULL, r->queue[i]);
        else
            vec_push(&r->retired, NULL, r->queue[i]);
    }
    r->n_queue = 0;
}

static void accept(struct reduction *r, struct pending *p)
{
    vec_push(&r->kept, NULL, p);
    r->best = &p->c;
    r->state = &p->state;
    r->cursor = p->cursor;
    r->cursor.progressed = true;
    r->counts.n_kept++;
    r->counts.n_nodes = r->subject->size(&p->state);
    abandon_guesses(r, 1);
}

static void out_of_budget(struct reduction *r)
{
    r->counts.out_of_budget = true;
    r->cursor.ended = true;
    abandon_guesses(r, 0);
}

static void note_tried(struct reduction *r, const struct pending *p)
{
    bool added;
    uint64_t *place = map_at(&r->tried, &r->arena, content_key(p), &added);
    if (!added)
        return;
    *place = ++r->counts.n_tried;
    r->n_spent += p->met_limit ? REDUCE_LIMIT_RUNS : 1;
}

static void commit(struct reduction *r)
{
    while (r->n_queue > 0 && r->queue[0]->answer != ANSWER_WAITING) {
        struct pending *p = r->queue[0];
        bool same = p->answer == ANSWER_SAME;
        note_tried(r, p);
        if (same) {
            accept(r, p);
        } else {
            vec_push(&r->retired, NULL, p);
            memmove(r->queue, r->queue + 1, --r->n_queue * sizeof *r->queue);
        }
        if (r->n_spent >= r->o.budget_runs)
            out_of_budget(r);
        if (same)
            return;
    }
}

static size_t n_waiting(const struct reduction *r)
{
    size_t n = r->overtaken.n;
    for (size_t i = 0; i < r->n_queue; i++)
        n += r->queue[i]->answer == ANSWER_WAITING;
    return n;
}

static void take_answer(struct pending *p, uint64_t known)
{
    p->answer = (enum answer)(known % MET_LIMIT);
    p->met_limit = known >= MET_LIMIT;
}

bool reduce_next(struct reduction *r, const struct tcase **candidate)
{
    free_retired(r);
    while (n_waiting(r) < r->o.n_outstanding && r->n_queue < QUEUE_MAX) {
        if (!cursor_settle(&r->cursor, r->subject, r->state))
            return false;
        struct pending *p = build(r, &r->cursor);
        if (p && is_outstanding(r, p)) { /* an equal candidate is running: waits for its answer */
            pending_free(p);
            return false;
        }
        step(&r->cursor);
        if (!p)
            continue;
        const uint64_t *known = map_get(&r->answers, content_key(p));
        r->queue[r->n_queue++] = p;
        if (!known) {
            r->counts.n_runs++;
            *candidate = &p->c;
            return true;
        }
        r->counts.n_cached++;
        take_answer(p, *known);
        commit(r);
    }
    return false;
}

bool reduce_is_done(const struct reduction *r)
{
    return r->cursor.ended && r->n_queue == 0 && r->overtaken.n == 0;
}

/* Is it the same failure? The guard key must be equal, and the error not tiny compared with the
 * original's; else the reduction would slip to another failure. */
static bool is_same(const struct reduction *r, const struct key *k)
{
    if (k->class != r->key.class || !str_eq(k->guard, r->key.guard))
        return false;
    const struct verdict *v = k->verdict;
    if (k->class != BUG_WRONG_RESULT || !v || v->wrong != WRONG_VALUE)
        return true;
    return v->measure >= 10 * v->threshold || v->measure >= r->measure / 2;
}

static enum reduce_told weigh(const struct reduction *r, const struct keys *seen)
{
    for (size_t i = 0; seen && i < seen->n; i++)
        if (is_same(r, &seen->at[i]))
            return REDUCE_TOLD_SAME;
    return seen && seen->n > 0 ? REDUCE_TOLD_OTHER : REDUCE_TOLD_PASS;
}

static bool has_met_limit(const struct keys *seen)
{
    for (size_t i = 0; seen && i < seen->n; i++)
        if (seen->at[i].class == BUG_RESOURCE)
            return true;
    return false;
}

enum reduce_told reduce_tell(struct reduction *r, const struct hash *candidate,
                             const struct keys *seen)
{
    enum reduce_told told = weigh(r, seen);
    free_retired(r);
    uint64_t answer = told == REDUCE_TOLD_SAME ? ANSWER_SAME : ANSWER_OTHER;
    answer += has_met_limit(seen) ? MET_LIMIT : 0;
    for (size_t i = 0; i < r->overtaken.n; i++) {
        struct pending *p = r->overtaken.at[i];
        if (!hash_eq(&p->c.id, candidate))
            continue;
        map_put(&r->answers, &r->arena, content_key(p), answer);
        r->overtaken.at[i] = vec_pop(&r->overtaken);
        vec_push(&r->retired, NULL, p);
        return told;
    }
    for (size_t i = 0; i < r->n_queue; i++) {
        struct pending *p = r->queue[i];
        if (p->answer != ANSWER_WAITING || !hash_eq(&p->c.id, candidate))
            continue;
        map_put(&r->answers, &r->arena, content_key(p), answer);
        take_answer(p, answer);
        commit(r);
        return told;
    }
    return REDUCE_TOLD_UNKNOWN;
}

uint32_t reduce_place(const struct reduction *r, const struct hash *content)
{
    const struct str key = {(const char *)content->bytes, sizeof content->bytes};
    const uint64_t *place = map_get(&r->tried, key);
    return place ? (uint32_t)*place : 0;
}

const struct tcase *reduce_best(const struct reduction *r)
{
    return r->best;
}

struct reduce_counts reduce_counts(const struct reduction *r)
{
    return r->counts;
}

void reduce_close(struct reduction *r)
{
    for (size_t i = 0; i < r->n_queue; i++)
        pending_free(r->queue[i]);
    for (size_t i = 0; i < r->overtaken.n; i++)
        pending_free(r->overtaken.at[i]);
    for (size_t i = 0; i < r->kept.n; i++)
        pending_free(r->kept.at[i]);
    r->subject->close(&r->first);
    free_retired(r);
    vec_free(&r->retired);
    vec_free(&r->overtaken);
    vec_free(&r->kept);
    arena_done(&r->arena);
    free(r);
}
