/*
 * The double, for tests: follows the rules of the databases, with rows in this process's memory.
 * Knows tables through columns.def only; queries are loops. Nothing is ever removed.
 */
#include "base/clock.h"
#include "base/compiler.h"
#include "base/fault.h"
#include "base/map.h"
#include "store/backend_p.h"
#include "store/row_p.h"

struct rows {
    char *at; /* heap; row_size each */
    size_t n, cap;
    struct map by_key;
};

struct memory {
    struct store store;
    struct arena arena;
    struct rows rows[STORE_CHANGE_COUNT];
};

static void *row_at(const struct memory *m, enum store_change_kind kind, size_t i)
{
    return m->rows[kind].at + i * row__table(kind)->row_size;
}

/* Updates the columns that change when a row is written again. */
static void merge_row(const struct table *t, void *old, const void *fresh, struct arena *a)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct column *c = &t->columns[i];
        if (c->role == COLUMN_LEAST && *row__i64(fresh, c) < *row__i64(old, c))
            *(int64_t *)row__field(old, c) = *row__i64(fresh, c);
        if (c->role != COLUMN_DATA)
            continue;
        if (row__is_text(c)) {
            const struct str *s = row__text(fresh, c);
            *(struct str *)row__field(old, c) = (struct str){str_dup(a, *s), s->n};
        } else if (c->type == COLUMN_I64) {
            *(int64_t *)row__field(old, c) = *row__i64(fresh, c);
        } else if (c->type == COLUMN_F64) {
            *(double *)row__field(old, c) = *row__f64(fresh, c);
        } else {
            *(struct hash *)row__field(old, c) = *row__hash(fresh, c);
        }
    }
}

static void put_row(struct memory *m, enum store_change_kind kind, const void *row)
{
    const struct table *t = row__table(kind);
    struct rows *rows = &m->rows[kind];
    struct strbuf key = {0};
    bool added = true;
    uint64_t *at = NULL;
    row__key(t, row, &key);
    if (key.n)
        at = map_at(&rows->by_key, &m->arena, strbuf_str(&key), &added);
    strbuf_done(&key);
    if (!added) {
        merge_row(t, row_at(m, kind, *at), row, &m->arena);
        return;
    }
    if (at)
        *at = rows->n;
    if (rows->n == rows->cap) {
        rows->cap = rows->cap ? rows->cap * 2 : 16;
        rows->at = mem_realloc(rows->at, rows->cap * t->row_size);
    }
    row__copy(t, row, &m->arena, rows->at + rows->n++ * t->row_size);
}

static void end_job(struct memory *m, const struct store_job_end *end)
{
    for (size_t i = 0; i < m->rows[STORE_JOB].n; i++) {
        struct store_job *job = row_at(m, STORE_JOB, i);
        if (job->campaign != end->campaign || !str_eq(job->name, end->name) ||
            job->epoch != end->epoch ||
            !str_eq(job->state, end->from.n ? end->from : STR("claimed")))
            continue;
        job->attempts += end->add_attempts;
        job->state = (struct str){str_dup(&m->arena, end->state), end->state.n};
        job->owner = STR("");
    }
    if (end->note.n) {
        struct store_event event = {clock_wall_ms(), STR("hunt"), end->state, end->name, end->note};
        put_row(m, STORE_EVENT, &event);
    }
}

static bool memory_commit(struct store *s, const struct store_change *changes, size_t n,
                          struct err *e)
{
    struct memory *m = (struct memory *)s;
    if (fault_hit("commit"))
        return err_set(e, ERR_IO, "store :memory: cannot be written (injected)");
    for (size_t i = 0; i < n; i++) {
        if (changes[i].kind == STORE_JOB_END)
            end_job(m, changes[i].job_end);
        else
            put_row(m, changes[i].kind, changes[i].row);
    }
    return true;
}

/* Copies the rows for which keep() is true, in order of writing. */
static void *select_rows(struct memory *m, enum store_change_kind kind,
                         bool (*keep)(const void *row, const void *ctx), const void *ctx,
                         struct arena *a, size_t *n)
{
    const struct table *t = row__table(kind);
    char *out = arena_alloc_array(a, m->rows[kind].n + 1, t->row_size);
    *n = 0;
    for (size_t i = 0; i < m->rows[kind].n; i++)
        if (!keep || keep(row_at(m, kind, i), ctx))
            row__copy(t, row_at(m, kind, i), a, out + (*n)++ * t->row_size);
    return out;
}

static bool is_claimable(const struct store_job *job, const struct store_claim *c)
{
    return job->campaign == c->campaign && (c->kind.n == 0 || str_eq(job->kind, c->kind)) &&
           (c->name.n == 0 || str_eq(job->name, c->name)) &&
           (str_is(job->state, "ready") ||
            (str_is(job->state, "claimed") && job->lease_ms < c->now_ms));
}

static bool memory_claim(struct store *s, const struct store_claim *c, struct arena *a,
                         struct store_jobs *out, struct err *e)
{
    struct memory *m = (struct memory *)s;
    (void)e;
    *out = (struct store_jobs){arena_new_array(a, struct store_job, c->n_most), 0};
    while (out->n < c->n_most) {
        struct store_job *first = NULL;
        for (size_t i = 0; i < m->rows[STORE_JOB].n; i++) {
            struct store_job *job = row_at(m, STORE_JOB, i);
            if (is_claimable(job, c) && (!first || store__compare_jobs(job, first) < 0))
                first = job;
        }
        if (!first)
            break;
        first->state = STR("claimed");
        first->owner = (struct str){str_dup(&m->arena, c->owner), c->owner.n};
        first->lease_ms = c->now_ms + c->lease_ms;
        first->epoch++;
        first->attempts++;
        row__copy(row__table(STORE_JOB), first, a, &out->at[out->n++]);
    }
    return true;
}

static bool memory_campaigns(struct store *s, struct arena *a, struct store_campaigns *out,
                             struct err *e)
{
    (void)e;
    out->at = select_rows((struct memory *)s, STORE_CAMPAIGN, NULL, NULL, a, &out->n);
    return true;
}

static bool of_campaign(const void *row, const void *ctx)
{
    return ((const struct store_target *)row)->campaign == *(const int64_t *)ctx;
}

static int compare_targets(const void *a, const void *b)
{
    return str_cmp(((const struct store_target *)a)->name, ((const struct store_target *)b)->name);
}

static bool memory_targets(struct store *s, int64_t campaign, struct arena *a,
                           struct store_targets *out, struct err *e)
{
    (void)e;
    out->at = select_rows((struct memory *)s, STORE_TARGET, of_campaign, &campaign, a, &out->n);
    qsort(out->at, out->n, sizeof *out->at, compare_targets);
    return true;
}

struct job_filter {
    int64_t campaign;
    struct str state;
};

static bool job_in_state(const void *row, const void *ctx)
{
    const struct store_job *job = row;
    const struct job_filter *f = ctx;
    return job->campaign == f->campaign && (f->state.n == 0 || str_eq(job->state, f->state));
}

static bool memory_jobs(struct store *s, int64_t campaign, struct str state, struct arena *a,
                        struct store_jobs *out, struct err *e)
{
    const struct job_filter f = {campaign, state};
    (void)e;
    out->at = select_rows((struct memory *)s, STORE_JOB, job_in_state, &f, a, &out->n);
    qsort(out->at, out->n, sizeof *out->at, store__compare_jobs);
    return true;
}

struct range_filter {
    int64_t campaign, from, to;
};

static bool result_in_range(const void *row, const void *ctx)
{
    const struct store_result *r = row;
    const struct range_filter *f = ctx;
    return r->campaign == f->campaign && r->case_at >= f->from && r->case_at < f->to;
}

static int compare_results(const void *a, const void *b)
{
    int64_t x = ((const struct store_result *)a)->case_at;
    int64_t y = ((const struct store_result *)b)->case_at;
    return (x > y) - (x < y);
}

static bool memory_results(struct store *s, int64_t campaign, int64_t from, int64_t to,
                           struct arena *a, struct store_results *out, struct err *e)
{
    const struct range_filter f = {campaign, from, to};
    (void)e;
    out->at = select_rows((struct memory *)s, STORE_RESULT, result_in_range, &f, a, &out->n);
    qsort(out->at, out->n, sizeof *out->at, compare_results);
    return true;
}

static bool is_lost(const void *row, const void *ctx)
{
    const struct store_result *r = row;
    return r->campaign == *(const int64_t *)ctx && str_is(r->kind, "lost");
}

static bool memory_lost(struct store *s, int64_t campaign, struct arena *a,
                        struct store_results *out, struct err *e)
{
    (void)e;
    out->at = select_rows((struct memory *)s, STORE_RESULT, is_lost, &campaign, a, &out->n);
    qsort(out->at, out->n, sizeof *out->at, compare_results);
    return true;
}

/* The bug to which a key's alias leads; empty: none. */
static struct str bug_of_key(const struct memory *m, struct str key)
{
    for (size_t i = 0; i < m->rows[STORE_ALIAS].n; i++) {
        const struct store_alias *alias = row_at(m, STORE_ALIAS, i);
        if (str_eq(alias->key, key))
            return alias->bug;
    }
    return STR("");
}

static int compare_failures(const void *a, const void *b)
{
    const struct store_failure *x = a, *y = b;
    int by = (x->campaign > y->campaign) - (x->campaign < y->campaign);
    if (by == 0)
        by = (x->case_at > y->case_at) - (x->case_at < y->case_at);
    return by ? by : str_cmp(x->key, y->key);
}

static bool memory_failures(struct store *s, int64_t campaign, struct str bug, size_t n_most,
                            struct arena *a, struct store_failures *out, struct err *e)
{
    struct memory *m = (struct memory *)s;
    size_t n, n_kept = 0;
    (void)e;
    out->at = select_rows(m, STORE_FAILURE, NULL, NULL, a, &n);
    for (size_t i = 0; i < n; i++)
        if (bug.n ? str_eq(bug_of_key(m, out->at[i].key), bug) : out->at[i].campaign == campaign)
            out->at[n_kept++] = out->at[i];
    qsort(out->at, n_kept, sizeof *out->at, compare_failures);
    out->n = n_most && n_kept > n_most ? n_most : n_kept;
    return true;
}

static void compute_bug(const struct memory *m, struct store_bug *bug)
{
    int64_t last_round = 0;
    bug->k = bug->n = bug->n_failures = bug->last_seen_ms = 0;
    for (size_t i = 0; i < m->rows[STORE_RUN].n; i++) {
        const struct store_run *r = row_at(m, STORE_RUN, i);
        if (!str_eq(r->bug, bug->id) || !str_is(r->kind, "fork") || r->round < last_round)
            continue;
        if (r->round > last_round)
            bug->k = bug->n = 0;
        last_round = r->round;
        bug->n++;
        bug->k += r->failed == 1;
    }
    for (size_t i = 0; i < m->rows[STORE_FAILURE].n; i++) {
        const struct store_failure *f = row_at(m, STORE_FAILURE, i);
        if (str_eq(bug_of_key(m, f->key), bug->id)) {
            bug->n_failures++;
            bug->last_seen_ms = MAX(bug->last_seen_ms, f->at_ms);
        }
    }
}

static bool memory_bugs(struct store *s, struct str id_prefix, struct arena *a,
                        struct store_bugs *out, struct err *e)
{
    struct memory *m = (struct memory *)s;
    size_t n;
    (void)e;
    out->at = select_rows(m, STORE_BUG, NULL, NULL, a, &n);
    out->n = 0;
    for (size_t i = 0; i < n; i++)
        if (store__bug_matches(&out->at[i], id_prefix))
            out->at[out->n++] = out->at[i];
    for (size_t i = 0; i < out->n; i++)
        compute_bug(m, &out->at[i]);
    qsort(out->at, out->n, sizeof *out->at, store__compare_bugs);
    return true;
}

static int compare_aliases(const void *a, const void *b)
{
    return str_cmp(((const struct store_alias *)a)->key, ((const struct store_alias *)b)->key);
}

static bool memory_aliases(struct store *s, int64_t campaign, struct arena *a,
                           struct store_aliases *out, struct err *e)
{
    (void)e;
    (void)campaign;
    out->at = select_rows((struct memory *)s, STORE_ALIAS, NULL, NULL, a, &out->n);
    qsort(out->at, out->n, sizeof *out->at, compare_aliases);
    return true;
}

static bool of_bug(const void *row, const void *ctx)
{
    return str_eq(((const struct store_run *)row)->bug, *(const struct str *)ctx);
}

static int compare_runs(const void *a, const void *b)
{
    const struct store_run *x = a, *y = b;
    int by = (x->round > y->round) - (x->round < y->round);
    if (by == 0)
        by = str_cmp(x->kind, y->kind);
    return by ? by : (x->at > y->at) - (x->at < y->at);
}

static bool memory_runs(struct store *s, struct str bug, struct arena *a, struct store_runs *out,
                        struct err *e)
{
    (void)e;
    out->at = select_rows((struct memory *)s, STORE_RUN, of_bug, &bug, a, &out->n);
    qsort(out->at, out->n, sizeof *out->at, compare_runs);
    return true;
}

static bool of_subject(const void *row, const void *ctx)
{
    const struct str *subject = ctx;
    return subject->n == 0 || str_eq(((const struct store_event *)row)->subject, *subject);
}

static bool memory_events(struct store *s, struct str subject, struct arena *a,
                          struct store_events *out, struct err *e)
{
    (void)e;
    out->at = select_rows((struct memory *)s, STORE_EVENT, of_subject, &subject, a, &out->n);
    return true;
}

static bool memory_totals(struct store *s, int64_t campaign, struct store_totals *io, struct err *e)
{
    struct memory *m = (struct memory *)s;
    (void)e;
    for (size_t i = (size_t)io->after; i < m->rows[STORE_RESULT].n; i++) {
        const struct store_result *r = row_at(m, STORE_RESULT, i);
        if (r->campaign != campaign)
            continue;
        store__add_to_totals(io, r);
        io->after = (int64_t)i + 1;
    }
    return true;
}

static bool memory_snapshot(struct store *s, int64_t campaign, struct arena *a,
                            struct store_snapshot *out, struct err *e)
{
    size_t n;
    const struct store_snapshot *rows =
        select_rows((struct memory *)s, STORE_SNAPSHOT, NULL, NULL, a, &n);
    (void)e;
    *out = (struct store_snapshot){.campaign = campaign};
    for (size_t i = 0; i < n; i++)
        if (rows[i].campaign == campaign)
            *out = rows[i];
    return true;
}

static void memory_close(struct store *s)
{
    struct memory *m = (struct memory *)s;
    for (size_t i = 0; i < STORE_CHANGE_COUNT; i++)
        free(m->rows[i].at);
    arena_done(&m->arena);
    free(m);
}

static const struct store_ops memory_ops = {
    .name = "memory",
    .commit = memory_commit,
    .claim = memory_claim,
    .campaigns = memory_campaigns,
    .targets = memory_targets,
    .jobs = memory_jobs,
    .results = memory_results,
    .lost = memory_lost,
    .failures = memory_failures,
    .bugs = memory_bugs,
    .aliases = memory_aliases,
    .runs = memory_runs,
    .events = memory_events,
    .totals = memory_totals,
    .snapshot = memory_snapshot,
    .close = memory_close,
};

struct store *store_new_memory(void)
{
    struct memory *m = mem_alloc(sizeof *m);
    arena_init(&m->arena);
    m->store.ops = &memory_ops;
    return &m->store;
}
