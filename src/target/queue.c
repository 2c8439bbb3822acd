/*
 * Decides in which order jobs wait for a worker. Pure except for the timer that wakes the pool.
 * Must not know workers. The pool is woken when a job is queued and when a worker becomes idle,
 * dies or does not start, so that no job is forgotten.
 */
#include "target/pool_p.h"

void pool__wake(struct pool *pool)
{
    if (!pool->wake_timer)
        pool->wake_timer = loop_timer_add(pool->options.loop, 0, pool->on_wake, pool);
}

void pool__enqueue(struct pool *pool, struct job *job, bool first)
{
    struct job **at = &pool->queue;
    while (*at && !first)
        at = &(*at)->next;
    job->next = *at;
    *at = job;
    pool->statistics.n_queued++;
    pool__wake(pool);
}

static struct start_failure *find_failure(const struct pool *pool,
                                          const struct target_installation *installation)
{
    for (size_t i = 0; i < pool->failures.n; i++)
        if (pool->failures.at[i].installation == installation)
            return &pool->failures.at[i];
    return NULL;
}

const struct str *pool__start_failure(const struct pool *pool,
                                      const struct target_installation *installation)
{
    const struct start_failure *f = find_failure(pool, installation);
    return f && f->n_tries >= START_TRIES ? &f->text : NULL;
}

void pool__start_failed(struct pool *pool, const struct target_installation *installation,
                        struct str text)
{
    struct start_failure *f = find_failure(pool, installation);
    if (!f) {
        vec_push(&pool->failures, &pool->arena,
                 (struct start_failure){.installation = installation});
        f = &pool->failures.at[pool->failures.n - 1];
    }
    f->n_tries++;
    f->text = text;
    pool__wake(pool);
}

void pool__started(struct pool *pool, const struct target_installation *installation)
{
    struct start_failure *f = find_failure(pool, installation);
    if (f)
        f->n_tries = 0;
}
