/*
 * Decides in which order jobs wait for a worker. Pure but for the timer that wakes the pool: must
 * not know workers. A job that was queued, a worker that became idle, lost or did not start: each
 * wakes the pool, so that no job is forgotten.
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

const struct str *pool__start_failure(const struct pool *pool,
                                      const struct target_installation *installation)
{
    for (size_t i = 0; i < pool->failures.n; i++)
        if (pool->failures.at[i].installation == installation)
            return &pool->failures.at[i].text;
    return NULL;
}

void pool__start_failed(struct pool *pool, const struct target_installation *installation,
                        struct str text)
{
    if (!pool__start_failure(pool, installation))
        vec_push(&pool->failures, &pool->arena, (struct start_failure){installation, text});
}
