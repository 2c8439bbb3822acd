/*
 * The pool: workers of engines on the event loop. A case goes in with the targets that shall run
 * it; a list of observations comes back, one per target, input set and repeat.
 *
 *     struct pool_options options = {.loop = loop, .home = home};
 *     struct pool *pool;
 *     if (!pool_open(&options, &pool, e)) ...
 *     struct pool_request request = {.c = c, .targets = list.at, .n_targets = list.n, .arena = a};
 *     if (!pool_batch_submit(&batch, &request, on_done, ctx, e)) ...
 *     loop_run(loop, e);                    // on_done(ctx, &result), once
 *     pool_close(pool);                     // unfinished requests are never called back
 *
 * Targets of one installation that need the same process run there one after the other, in the
 * order given. A crash, abort, hang or flood of output by an engine costs one case and is an
 * observation: the case is run again alone and, if it passes then, once more after all that ran
 * before it in the same process. A hang holds up no queue: see pool_request.quarantines. Nothing
 * that a worker sends or writes is trusted.
 */
#ifndef TARGET_POOL_H
#define TARGET_POOL_H

#include "base/arena.h"
#include "case/case.h"
#include "case/observation.h"
#include "os/loop.h"
#include "os/sandbox.h"
#include "target/target.h"

struct pool;

enum { POOL_BATCH = 128, POOL_DEADLINE_MS = 10000, POOL_MESSAGE_MAX = 16 << 10 };

struct pool_options {
    struct loop *loop;
    const char *home;
    const char *program;       /* started as a native worker; NULL: the running one */
    const char *worker_path;   /* folder that holds assay_worker/; NULL: the compiled-in files */
    bool best_effort;          /* missing sandbox layers are accepted; else limits and seccomp are
                                  required, and for programs landlock or namespaces too */
    unsigned left_out;         /* SANDBOX_BITs: layers that are taken as missing */
    uint64_t memory_bytes;     /* of a worker; 0: 4 GiB */
    int64_t deadline_ms;       /* of a case in one target, by the clock; 0: POOL_DEADLINE_MS */
    uint32_t n_workers;        /* processes per installation and thread count; 0: 1 */
    uint32_t batch;            /* cases a process runs before a fresh one; 0: POOL_BATCH */
    uint32_t refresh_children; /* forks of a warm worker before it is replaced; 0: 512 */
    int64_t refresh_ms;        /* age of a warm worker; 0: half an hour */
    uint32_t canary_children;  /* forks between two canaries; 0: 64 */
    /* A user's own program: workers have the user's environment, folder and terminal, and no
     * sandbox but a session of their own. */
    bool as_user;
    bool is_mute; /* with as_user: what the program prints on its standard output is dropped */
};

/* How fresh the process is that runs the case. */
enum pool_fresh {
    POOL_ANY,         /* one that has run other cases of the batch */
    POOL_FRESH_FORK,  /* a new child of the warm worker */
    POOL_FRESH_WORKER /* a worker started for this case */
};

struct pool_request {
    const struct tcase *c;
    const struct target *const *targets;
    size_t n_targets;
    struct arena *arena;  /* observations live here; outlives the callback */
    uint32_t n_repeats;   /* 0: 1 */
    enum variant variant; /* EXPOSED: every intermediate of the top graph becomes an output */
    bool dump_rewrites;   /* op histogram of the optimised graph, where the engine has one */
    enum pool_fresh fresh;
    int64_t deadline_ms; /* 0: the pool's */
    int64_t busy_ms;     /* deadline in CPU time, longer for a costly case; 0: deadline_ms */
    bool quarantines;    /* a step that seems to hang runs to its deadline outside the queue */
    bool presumes; /* ... or is stopped at once where its mode is known to hang: pool_is_presumed */
    const char *const *disabled_optimizers; /* where the engine can switch single ones off */
    size_t n_disabled_optimizers;
    struct str model_bytes; /* empty: the model of the case is written */
};

/* The answer to a request with `presumes` for a step that took far longer than similar ones, in a
 * mode that has hung for a whole deadline before: OUTCOME_TIMEOUT_CPU with this as the type of its
 * message. It proves nothing; one in sixteen such steps is still run to the deadline. */
#define POOL_PRESUMED "presumed"
bool pool_is_presumed(const struct observation *o);

struct pool_result {
    const struct tcase *c;
    const struct observation *observations; /* by target, input set, repeat */
    size_t n_observations;
};

typedef void (*pool_done_fn)(void *ctx, const struct pool_result *result);

struct pool_statistics {
    uint64_t n_cases, n_runs;
    uint64_t n_workers_started, n_restarts; /* restarts: after a death, not by age */
    uint64_t n_children_lost;               /* deaths of processes that ran cases */
    uint64_t n_replays,
        n_lost; /* reruns after the same earlier cases; deaths that did not happen again */
    uint64_t n_refreshes;                    /* warm workers that gave way to a successor */
    uint64_t n_canaries, n_canaries_changed; /* run; with another answer than the worker's first */
    uint64_t n_hangs, n_presumed; /* steps given up at their deadline; given up earlier */
    int64_t hang_ns;              /* worker time of these, and of steps that only seemed to hang */
    uint32_t n_workers, n_busy;
    size_t n_queued;
};

bool pool_open(const struct pool_options *options, struct pool **out, struct err *e);
void pool_close(struct pool *pool); /* NULL is allowed; kills the workers */

/*
 * The owner of submitted requests. However a function ends, pool_batch_done withdraws the requests
 * that have no answer yet, so that no callback reaches memory that is gone.
 *
 *     struct pool_batch batch;
 *     pool_batch_init(&batch, pool);
 *     bool ok = pool_batch_submit(&batch, &request, on_done, ctx, e) &&
 *               pool_batch_wait(&batch, turn, ctx, e);
 *     pool_batch_done(&batch);              // before the requests' cases and arenas go
 *
 * A withdrawn case that is running runs to its end, and its result is dropped; one that waits
 * leaves the queue.
 */
struct pool_batch {
    struct pool *pool;
    struct pool_entry *first; /* submitted, no answer yet */
    size_t n_out;
};

void pool_batch_init(struct pool_batch *batch, struct pool *pool);
void pool_batch_done(struct pool_batch *batch); /* also of a zeroed batch, and twice */

/* Errors are about the request (a model that cannot be written); everything that an engine does
 * ends in the result. done may be called only from the loop. */
bool pool_batch_submit(struct pool_batch *batch, const struct pool_request *request,
                       pool_done_fn done, void *ctx, struct err *e);

/* Calls `turn` until every request has its answer. */
bool pool_batch_wait(struct pool_batch *batch, bool (*turn)(void *ctx, struct err *e), void *ctx,
                     struct err *e);

size_t pool_n_pending(const struct pool *pool); /* requests whose callback has not run yet */
struct pool_statistics pool_statistics(const struct pool *pool);

/* The sandbox layers of the pool's workers. */
const struct sandbox_state *pool_sandbox(const struct pool *pool);

/* Submits one request and runs the loop until its answer. */
bool pool_run(struct pool *pool, const struct pool_request *request, struct pool_result *out,
              struct err *e);

#endif
