/*
 * Passes each call to a store on unchanged and logs it in one line, for tests and for `--verbose`:
 * the calls to the database in order.
 */
#include "base/compiler.h"
#include "store/store.h"

struct trace {
    struct store store;
    struct store *inner;
    void (*tell)(void *ctx, const char *line);
    void *ctx;
};

static bool told(struct trace *t, bool ok, const struct err *e, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

static bool told(struct trace *t, bool ok, const struct err *e, const char *fmt, ...)
{
    struct strbuf line = {0};
    va_list args;
    va_start(args, fmt);
    strbuf_vprintf(&line, fmt, args);
    va_end(args);
    strbuf_printf(&line, ": %s", ok ? "ok" : e->text);
    t->tell(t->ctx, line.at);
    strbuf_done(&line);
    return ok;
}

static bool trace_commit(struct store *s, const struct store_change *changes, size_t n,
                         struct err *e)
{
    struct trace *t = (struct trace *)s;
    return told(t, store_commit(t->inner, changes, n, e), e, "commit %zu", n);
}

static bool trace_claim(struct store *s, const struct store_claim *claim, struct arena *a,
                        struct store_jobs *out, struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_claim(t->inner, claim, a, out, e);
    return told(t, ok, e, "claim " STR_FMT " at most %zu got %zu", STR_ARG(claim->owner),
                claim->n_most, ok ? out->n : 0);
}

static bool trace_campaigns(struct store *s, struct arena *a, struct store_campaigns *out,
                            struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_campaigns(t->inner, a, out, e);
    return told(t, ok, e, "campaigns got %zu", ok ? out->n : 0);
}

static bool trace_targets(struct store *s, int64_t campaign, struct arena *a,
                          struct store_targets *out, struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_targets(t->inner, campaign, a, out, e);
    return told(t, ok, e, "targets got %zu", ok ? out->n : 0);
}

static bool trace_jobs(struct store *s, int64_t campaign, struct str state, struct arena *a,
                       struct store_jobs *out, struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_jobs(t->inner, campaign, state, a, out, e);
    return told(t, ok, e, "jobs got %zu", ok ? out->n : 0);
}

static bool trace_results(struct store *s, int64_t campaign, int64_t from, int64_t to,
                          struct arena *a, struct store_results *out, struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_results(t->inner, campaign, from, to, a, out, e);
    return told(t, ok, e, "results %lld..%lld got %zu", (long long)from, (long long)to,
                ok ? out->n : 0);
}

static bool trace_lost(struct store *s, int64_t campaign, struct arena *a,
                       struct store_results *out, struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_lost(t->inner, campaign, a, out, e);
    return told(t, ok, e, "lost got %zu", ok ? out->n : 0);
}

static bool trace_failures(struct store *s, int64_t campaign, struct str bug, size_t n_most,
                           struct arena *a, struct store_failures *out, struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_failures(t->inner, campaign, bug, n_most, a, out, e);
    return told(t, ok, e, "failures got %zu", ok ? out->n : 0);
}

static bool trace_bugs(struct store *s, struct str id_prefix, struct arena *a,
                       struct store_bugs *out, struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_bugs(t->inner, id_prefix, a, out, e);
    return told(t, ok, e, "bugs got %zu", ok ? out->n : 0);
}

static bool trace_aliases(struct store *s, int64_t campaign, struct arena *a,
                          struct store_aliases *out, struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_aliases(t->inner, campaign, a, out, e);
    return told(t, ok, e, "aliases got %zu", ok ? out->n : 0);
}

static bool trace_runs(struct store *s, struct str bug, struct arena *a, struct store_runs *out,
                       struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_runs(t->inner, bug, a, out, e);
    return told(t, ok, e, "runs got %zu", ok ? out->n : 0);
}

static bool trace_events(struct store *s, struct str subject, struct arena *a,
                         struct store_events *out, struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_events(t->inner, subject, a, out, e);
    return told(t, ok, e, "events got %zu", ok ? out->n : 0);
}

static bool trace_totals(struct store *s, int64_t campaign, struct store_totals *io, struct err *e)
{
    struct trace *t = (struct trace *)s;
    return told(t, store_totals(t->inner, campaign, io, e), e, "totals");
}

static bool trace_snapshot(struct store *s, int64_t campaign, struct arena *a,
                           struct store_snapshot *out, struct err *e)
{
    struct trace *t = (struct trace *)s;
    bool ok = store_snapshot(t->inner, campaign, a, out, e);
    return told(t, ok, e, "snapshot got %zu bytes", ok ? out->state.n : 0);
}

static void trace_close(struct store *s)
{
    struct trace *t = (struct trace *)s;
    t->tell(t->ctx, "close");
    store_close(t->inner);
    free(t);
}

static const struct store_ops trace_ops = {
    .name = "trace",
    .commit = trace_commit,
    .claim = trace_claim,
    .campaigns = trace_campaigns,
    .targets = trace_targets,
    .jobs = trace_jobs,
    .results = trace_results,
    .lost = trace_lost,
    .failures = trace_failures,
    .bugs = trace_bugs,
    .aliases = trace_aliases,
    .runs = trace_runs,
    .events = trace_events,
    .totals = trace_totals,
    .snapshot = trace_snapshot,
    .close = trace_close,
};

struct store *store_new_trace(struct store *inner, void (*tell)(void *ctx, const char *line),
                              void *ctx)
{
    struct trace *t = mem_alloc(sizeof *t);
    *t = (struct trace){{&trace_ops}, inner, tell, ctx};
    return &t->store;
}
