/*
 * Decides the order of work and of rewards. Must not know time, pilots or the store, so that the
 * same results give the same schedule after a resume. Invariants: next >= n_done; every index below
 * next is done, waiting, lost, or handed out.
 */
#include "hunt/campaign/schedule_p.h"

#include "base/compiler.h"
#include "hunt/runner/key.h"

void schedule__init(struct schedule *s, size_t n_generators, uint64_t epoch_size,
                    uint64_t range_size, uint64_t n_cases)
{
    *s = (struct schedule){.epoch_size = epoch_size * n_generators,
                           .range_size = range_size,
                           .n_cases = n_cases,
                           .n_ready = UINT64_MAX};
    arena_init(&s->seen_arena);
    learning_init(&s->learning, n_generators);
    for (size_t i = 0; i < SCHEDULE_EPOCHS; i++)
        arena_init(&s->recent[i].arena);
}

static void pending_free(struct pending *p)
{
    if (!p)
        return;
    struct arena a = p->arena; /* p lives in it */
    arena_done(&a);
}

void schedule__done(struct schedule *s)
{
    for (size_t i = 0; i < s->waiting.n; i++)
        pending_free(s->waiting.at[i]);
    pending_free(s->current);
    vec_free(&s->waiting);
    vec_free(&s->lost);
    vec_free(&s->retried);
    for (size_t i = 0; i < SCHEDULE_EPOCHS; i++)
        arena_done(&s->recent[i].arena);
    learning_done(&s->learning);
    arena_done(&s->seen_arena);
}

static size_t find_retried(const struct schedule *s, uint64_t index)
{
    size_t at = 0;
    while (at < s->retried.n && s->retried.at[at] != index)
        at++;
    return at;
}

bool schedule__is_put(const struct schedule *s, uint64_t index)
{
    if (index < s->n_done)
        return find_retried(s, index) == s->retried.n;
    return index - s->n_done < s->waiting.n && s->waiting.at[index - s->n_done] != NULL;
}

static uint64_t count_missing(const struct schedule *s, struct range r)
{
    uint64_t n = 0;
    for (uint64_t i = r.from; i < r.to; i++)
        n += !schedule__is_put(s, i);
    return n;
}

uint64_t schedule__n_rewards(const struct schedule *s, uint64_t index)
{
    uint64_t epoch = index / s->epoch_size;
    return epoch < 2 ? 0 : (epoch - 1) * s->epoch_size;
}

static bool take_lost(struct schedule *s, struct range *out)
{
    while (s->lost.n > 0) {
        *out = s->lost.at[0];
        memmove(s->lost.at, s->lost.at + 1, --s->lost.n * sizeof *s->lost.at);
        if (count_missing(s, *out) > 0)
            return true;
    }
    return false;
}

static bool take_fresh(struct schedule *s, struct range *out)
{
    while (s->n_cases == 0 || s->next < s->n_cases) {
        uint64_t epoch_end = (s->next / s->epoch_size + 1) * s->epoch_size;
        if (schedule__n_rewards(s, s->next) > s->n_done || s->next >= s->n_ready)
            return false;
        *out = (struct range){s->next, MIN(s->next + s->range_size, epoch_end), false};
        if (s->n_cases && out->to > s->n_cases)
            out->to = s->n_cases;
        out->to = MIN(out->to, s->n_ready);
        s->next = out->to;
        if (count_missing(s, *out) > 0)
            return true;
    }
    return false;
}

bool schedule__has_lost(const struct schedule *s)
{
    return s->lost.n > 0;
}

void schedule__ready(struct schedule *s, uint64_t n_ready)
{
    s->n_ready = n_ready;
}

bool schedule__next(struct schedule *s, bool careful_too, struct range *out)
{
    if (!(careful_too && take_lost(s, out)) && !take_fresh(s, out))
        return false;
    s->n_out += count_missing(s, *out);
    return true;
}

void schedule__give_back(struct schedule *s, struct range r, bool careful)
{
    size_t at = 0;
    r.careful = careful;
    s->n_out -= MIN(s->n_out, count_missing(s, r));
    while (at < s->lost.n && s->lost.at[at].from < r.from)
        at++;
    vec_push(&s->lost, NULL, r);
    memmove(s->lost.at + at + 1, s->lost.at + at, (s->lost.n - 1 - at) * sizeof *s->lost.at);
    s->lost.at[at] = r;
}

void schedule__retry(struct schedule *s, uint64_t index)
{
    if (find_retried(s, index) < s->retried.n)
        return;
    vec_push(&s->retried, NULL, index);
    s->n_out++;
    schedule__give_back(s, (struct range){index, index + 1, true}, true);
}

bool schedule__take_retried(struct schedule *s, uint64_t index)
{
    size_t at = find_retried(s, index);
    if (at == s->retried.n)
        return false;
    s->retried.at[at] = s->retried.at[--s->retried.n];
    s->n_out -= s->n_out > 0;
    return true;
}

bool schedule__is_past(const struct schedule *s, uint64_t index)
{
    return index / s->epoch_size < s->n_done / s->epoch_size;
}

static struct pending *pending_new(const struct store_result *row,
                                   const struct store_failure *failures, size_t n_failures)
{
    struct arena a;
    arena_init(&a);
    struct pending *p = arena_new(&a, struct pending);
    store_row_copy(STORE_RESULT, row, &a, &p->row);
    p->failures = arena_new_array(&a, struct store_failure, n_failures);
    p->n_failures = n_failures;
    for (size_t i = 0; i < n_failures; i++)
        store_row_copy(STORE_FAILURE, &failures[i], &a, &p->failures[i]);
    p->arena = a;
    return p;
}

bool schedule__put(struct schedule *s, const struct store_result *row,
                   const struct store_failure *failures, size_t n_failures)
{
    uint64_t index = (uint64_t)row->case_at;
    if (schedule__is_put(s, index))
        return false;
    while (s->waiting.n <= index - s->n_done)
        vec_push(&s->waiting, NULL, NULL);
    s->waiting.at[index - s->n_done] = pending_new(row, failures, n_failures);
    s->n_out -= s->n_out > 0 && index < s->next;
    return true;
}

/* Counts the parts of text that were not seen before, and adds them to `seen`. */
static uint32_t count_new(struct schedule *s, struct map *seen, struct str text, char separator)
{
    struct str rest = text, part;
    uint32_t n = 0;
    while (str_split(&rest, separator, &part)) {
        bool added = false;
        if (part.n)
            map_at(seen, &s->seen_arena, part, &added);
        n += added;
    }
    return n;
}

/* pairs: "Add/float Relu/double"; counts new pairs and new operators in them. */
static void count_ops(struct schedule *s, struct str pairs)
{
    struct str rest = pairs, pair;
    bool added;
    while (str_split(&rest, ' ', &pair))
        map_at(&s->seen_ops, &s->seen_arena, str_sub(pair, 0, str_find_byte(pair, '/')), &added);
    count_new(s, &s->seen_op_dtypes, pairs, ' ');
}

/* Counts the keys that the machine's load cannot cause: only these steer later cases. */
static uint32_t count_steady(struct str keys)
{
    struct str rest = keys, key;
    uint32_t n = 0;
    while (str_split(&rest, '\n', &key))
        n += key.n > 0 && key_is_steady(key);
    return n;
}

/* Adds the reward of index n_done; its epoch takes the place of the one SCHEDULE_EPOCHS before. */
static void add_reward(struct schedule *s, const struct reward *r)
{
    struct epoch_rewards *epoch = &s->recent[s->n_done / s->epoch_size % SCHEDULE_EPOCHS];
    struct reward kept = *r;
    if (s->n_done % s->epoch_size == 0) {
        uint64_t n_kept = (SCHEDULE_EPOCHS - 1) * s->epoch_size;
        arena_reset(&epoch->arena);
        epoch->at.n = epoch->at.cap = 0;
        s->recent_from = MAX(s->recent_from, s->n_done > n_kept ? s->n_done - n_kept : 0);
    }
    kept.edits.at = str_dup(&epoch->arena, r->edits);
    vec_push(&epoch->at, &epoch->arena, kept);
    learning_reward(&s->learning, r);
}

const struct reward *schedule__reward(const struct schedule *s, uint64_t index)
{
    const struct epoch_rewards *epoch = &s->recent[index / s->epoch_size % SCHEDULE_EPOCHS];
    uint64_t first = MAX(index / s->epoch_size * s->epoch_size, s->recent_from);
    return &epoch->at.at[index - first];
}

const struct pending *schedule__advance(struct schedule *s)
{
    if (s->waiting.n == 0 || !s->waiting.at[0])
        return NULL;
    pending_free(s->current);
    s->current = s->waiting.at[0];
    memmove(s->waiting.at, s->waiting.at + 1, --s->waiting.n * sizeof(struct pending *));
    const struct store_result *row = &s->current->row;
    struct reward reward = {.n_new_rewrites = count_new(s, &s->seen_rewrites, row->rewrites, '\n'),
                            .n_new_cells = count_new(s, &s->seen_cells, row->cells, ' '),
                            .n_failing_keys = count_steady(row->keys),
                            .n_macs = (uint64_t)row->n_macs,
                            .edits = row->edits};
    count_ops(s, row->ops);
    add_reward(s, &reward);
    s->n_done++;
    s->next = MAX(s->next, s->n_done);
    return s->current;
}

bool schedule__is_finished(const struct schedule *s)
{
    return s->n_cases > 0 && s->n_done >= s->n_cases && s->retried.n == 0;
}

static const struct {
    const char *name;
    size_t at; /* of the struct map in struct schedule */
} seen_maps[] = {
    {"rewrites", offsetof(struct schedule, seen_rewrites)},
    {"ops", offsetof(struct schedule, seen_ops)},
    {"op_dtypes", offsetof(struct schedule, seen_op_dtypes)},
    {"cells", offsetof(struct schedule, seen_cells)},
};

void schedule__save(const struct schedule *s, struct strbuf *out)
{
    struct strbuf learned = {0};
    struct json_out w = json_open(out, JSON_COMPACT);
    json_begin_object(&w);
    for (size_t i = 0; i < COUNT_OF(seen_maps); i++) {
        const struct map *m = (const struct map *)(const void *)((const char *)s + seen_maps[i].at);
        json_key(&w, seen_maps[i].name);
        json_begin_array(&w);
        for (size_t k = 0; k < m->entries.n; k++)
            json_put_str(&w, m->entries.at[k].key);
        json_end_array(&w);
    }
    learning_save(&s->learning, &learned);
    json_pair_str(&w, "learned", strbuf_str(&learned));
    json_end_object(&w);
    strbuf_done(&learned);
}

static bool load_maps(struct schedule *s, const struct json *j, struct err *e)
{
    for (size_t i = 0; i < COUNT_OF(seen_maps); i++) {
        struct map *m = (struct map *)(void *)((char *)s + seen_maps[i].at);
        const struct json *list;
        if (!json_need(j, seen_maps[i].name, JSON_KIND_ARRAY, &list, e))
            return false;
        for (size_t k = 0; k < list->n; k++)
            map_put(m, &s->seen_arena, list->items[k].string, 0);
    }
    return true;
}

bool schedule__load(struct schedule *s, struct str text, struct err *e)
{
    struct arena a;
    const struct json *j;
    arena_init(&a);
    bool ok = json_parse(text, "snapshot of the campaign", &a, &j, e) && load_maps(s, j, e) &&
              learning_load(&s->learning, json_get_str(j, "learned", STR("")), e);
    if (ok)
        s->n_done = s->next = s->recent_from = s->learning.n_rewards;
    arena_done(&a);
    return ok;
}
