/*
 * Decides who waits for the answer of a request, and that no callback reaches a caller that has
 * gone. Must not know jobs or workers. Invariant: an entry is in its batch's list until its
 * callback or its withdrawal; a ticket without callback and without owner ends with its last job.
 */
#include "target/pool_p.h"
#include "target/subject_p.h"

/* A submitted request that has no answer yet. */
struct pool_entry {
    struct pool_entry *next;
    struct pool_batch *batch;
    struct ticket *ticket;
    pool_done_fn done;
    void *ctx;
};

void pool_batch_init(struct pool_batch *batch, struct pool *pool)
{
    *batch = (struct pool_batch){.pool = pool};
}

static void unlink_entry(struct pool_batch *batch, struct pool_entry *entry)
{
    struct pool_entry **at = &batch->first;
    while (*at != entry)
        at = &(*at)->next;
    *at = entry->next;
    batch->n_out--;
}

static void on_answer(void *ctx, const struct pool_result *result)
{
    struct pool_entry *entry = ctx;
    pool_done_fn done = entry->done;
    void *done_ctx = entry->ctx;
    unlink_entry(entry->batch, entry);
    free(entry);
    done(done_ctx, result);
}

/* For a graph on an installed engine the layers that every pool requires are enough; a program may
 * do whatever its author wanted. */
static bool may_run(const struct pool *pool, const struct tcase *c, struct err *e)
{
    const struct pool_options *o = &pool->options;
    const struct sandbox_layer_state *layers = pool->sandbox.layer;
    if (!target__subject(c)->is_untrusted || o->as_user || o->best_effort ||
        layers[SANDBOX_LANDLOCK].mode != SANDBOX_OFF ||
        layers[SANDBOX_NAMESPACES].mode != SANDBOX_OFF)
        return true;
    return err_set(
        e, ERR_ENVIRONMENT,
        "sandbox: a program that assay was given runs only where its files are confined, "
        "by landlock (%s) or namespaces (%s): assay doctor says more, --sandbox "
        "best-effort goes without",
        layers[SANDBOX_LANDLOCK].reason, layers[SANDBOX_NAMESPACES].reason);
}

static bool submit(struct pool *pool, const struct pool_request *request, struct ticket **out,
                   struct err *e)
{
    if (!request->n_targets || !request->c->n_input_sets)
        return err_set(e, ERR_INTERNAL, "a request without targets or without inputs");
    if (!may_run(pool, request->c, e))
        return false;
    if (!ticket__new(pool, request, out, e))
        return err_wrap(e, "pool");
    ticket__make_jobs(*out);
    if (!(*out)->n_open) /* every target was answered by its description */
        ticket__answer_later(*out);
    return true;
}

bool pool_batch_submit(struct pool_batch *batch, const struct pool_request *request,
                       pool_done_fn done, void *ctx, struct err *e)
{
    struct ticket *ticket;
    if (!submit(batch->pool, request, &ticket, e))
        return false;
    struct pool_entry *entry = mem_alloc(sizeof *entry);
    *entry = (struct pool_entry){batch->first, batch, ticket, done, ctx};
    batch->first = entry;
    batch->n_out++;
    ticket->done = on_answer;
    ticket->ctx = entry;
    return true;
}

void batch__drop(struct ticket *t)
{
    struct pool_entry *entry = t->ctx;
    if (!t->done)
        return;
    t->done = NULL;
    unlink_entry(entry->batch, entry);
    free(entry);
}

void pool_batch_done(struct pool_batch *batch)
{
    while (batch->first) {
        struct pool_entry *entry = batch->first;
        unlink_entry(batch, entry);
        ticket__cancel(entry->ticket);
        free(entry);
    }
}

bool pool_batch_wait(struct pool_batch *batch, bool (*turn)(void *ctx, struct err *e), void *ctx,
                     struct err *e)
{
    while (batch->n_out > 0)
        if (!turn(ctx, e))
            return false;
    return true;
}

static void keep_result(void *ctx, const struct pool_result *result)
{
    *(struct pool_result *)ctx = *result;
}

static bool turn_loop(void *ctx, struct err *e)
{
    return loop_turn(((struct pool *)ctx)->options.loop, LOOP_FOREVER, e);
}

bool pool_run(struct pool *pool, const struct pool_request *request, struct pool_result *out,
              struct err *e)
{
    struct pool_batch batch;
    pool_batch_init(&batch, pool);
    bool ok = pool_batch_submit(&batch, request, keep_result, out, e) &&
              pool_batch_wait(&batch, turn_loop, pool, e);
    pool_batch_done(&batch);
    return ok;
}
