/*
 * Decides when a warm worker has served long enough and gives way to a successor: after so many
 * children, so long a time, with more memory than at its start, with threads it did not have, or
 * when its canary changes (canary.c). Must not know cases. Invariant: the old one serves until its
 * successor has said hello; a successor that does not start changes nothing but the time of the
 * next try.
 */
#include "base/clock.h"
#include "os/probe.h"
#include "target/pool_p.h"

enum { GROWTH_PERCENT = 10 };
#define GROWTH_LEAST ((uint64_t)4 << 20) /* what an allocator keeps is no growth */

static void begin_anew(struct hand *h)
{
    h->n_children = 0;
    h->born_ns = clock_now_ns();
    h->first_bytes = probe_resident_bytes(process_pid(h->process));
    h->is_ageing = h->has_successor = false;
}

static bool has_grown(const struct hand *h)
{
    uint64_t now = probe_resident_bytes(process_pid(h->process));
    return h->first_bytes && now > h->first_bytes + GROWTH_LEAST &&
           now > h->first_bytes + h->first_bytes / 100 * GROWTH_PERCENT;
}

static bool has_threads(const struct hand *h)
{
    return probe_n_tasks(process_pid(h->process)) > MAX(h->installation->description->n_tasks, 1u);
}

void refresh__child_ended(struct hand *h)
{
    const struct pool_options *o = &h->pool->options;
    h->n_children++;
    h->canary_in -= h->canary_in > 0;
    if (h->is_ageing || h->worker_died)
        return;
    h->is_ageing = h->n_children >= o->refresh_children ||
                   clock_now_ns() - h->born_ns >= o->refresh_ms * LOOP_MS || has_grown(h) ||
                   has_threads(h);
    if (h->is_ageing)
        pool__wake(h->pool);
}

void refresh__start_successors(struct pool *pool)
{
    for (struct hand *h = pool->hands; h; h = h->next) {
        struct hand *successor;
        struct err ignored;
        if (!h->is_ageing || h->has_successor || h->state == HAND_LOST)
            continue;
        if (!hand__new(pool, h->installation, h->is_aside, &successor, &ignored)) {
            begin_anew(h);
            continue;
        }
        successor->is_successor = h->has_successor = true;
        successor->next = pool->hands;
        pool->hands = successor;
    }
}

static bool is_replaced_by(const struct hand *h, const struct hand *successor)
{
    return h != successor && h->has_successor && h->state != HAND_LOST &&
           h->installation == successor->installation && h->is_aside == successor->is_aside;
}

void refresh__said_hello(struct hand *h)
{
    begin_anew(h);
    if (!h->is_successor)
        return;
    h->is_successor = false;
    for (struct hand *old = h->pool->hands; old; old = old->next)
        if (is_replaced_by(old, h)) {
            h->pool->statistics.n_refreshes++;
            old->is_replaced = true;
            if (old->state == HAND_IDLE)
                hand__retire(old);
            return;
        }
}

void refresh__did_not_start(struct hand *h)
{
    for (struct hand *old = h->pool->hands; old; old = old->next)
        if (is_replaced_by(old, h))
            begin_anew(old);
}
