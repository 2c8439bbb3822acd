/*
 * Decides when a warm worker has served long enough and gives way to a successor: after a number of
 * children or a time, when it has more memory than at its start (or after it prepared its engine
 * for programs) or new threads, or when its canary changes (canary.c). Must not know cases.
 * Invariant: the old worker serves until its successor has said hello; when a successor does not
 * start, the old worker goes on and another successor is tried later.
 */
#include "base/clock.h"
#include "os/probe.h"
#include "target/pool_p.h"

enum { GROWTH_PERCENT = 10 };
#define GROWTH_LEAST                                                                               \
    ((uint64_t)4 << 20) /* memory that the allocator keeps does not count as growth */

static void begin_anew(struct connection *conn)
{
    conn->n_children = 0;
    conn->born_ns = clock_now_ns();
    conn->first_bytes = probe_resident_bytes(process_main_pid(conn->process));
    conn->is_ageing = conn->has_successor = false;
}

void refresh__prepared(struct connection *conn)
{
    conn->first_bytes = probe_resident_bytes(process_main_pid(conn->process));
}

static bool has_grown(const struct connection *conn)
{
    uint64_t now = probe_resident_bytes(process_main_pid(conn->process));
    return conn->first_bytes && now > conn->first_bytes + GROWTH_LEAST &&
           now > conn->first_bytes + conn->first_bytes / 100 * GROWTH_PERCENT;
}

static bool has_threads(const struct connection *conn)
{
    return probe_n_tasks(process_main_pid(conn->process)) > target_n_tasks(conn->installation);
}

void refresh__child_ended(struct connection *conn)
{
    const struct pool_options *o = &conn->pool->options;
    conn->n_children++;
    conn->canary_in -= conn->canary_in > 0;
    if (conn->is_ageing || conn->worker_died)
        return;
    conn->is_ageing = conn->n_children >= o->refresh_children ||
                      clock_now_ns() - conn->born_ns >= o->refresh_ms * LOOP_MS ||
                      has_grown(conn) || has_threads(conn);
    if (conn->is_ageing)
        pool__wake(conn->pool);
}

void refresh__start_successors(struct pool *pool)
{
    for (struct connection *conn = pool->connections; conn; conn = conn->next) {
        struct connection *successor;
        struct err ignored;
        if (!conn->is_ageing || conn->has_successor || conn->state == CONNECTION_LOST)
            continue;
        if (!connection__new(pool, conn->installation, conn->is_quarantined, &successor,
                             &ignored)) {
            begin_anew(conn);
            continue;
        }
        successor->is_successor = conn->has_successor = true;
        successor->next = pool->connections;
        pool->connections = successor;
    }
}

static bool is_replaced_by(const struct connection *conn, const struct connection *successor)
{
    return conn != successor && conn->has_successor && conn->state != CONNECTION_LOST &&
           conn->installation == successor->installation &&
           conn->is_quarantined == successor->is_quarantined;
}

void refresh__said_hello(struct connection *conn)
{
    begin_anew(conn);
    if (!conn->is_successor)
        return;
    conn->is_successor = false;
    for (struct connection *old = conn->pool->connections; old; old = old->next)
        if (is_replaced_by(old, conn)) {
            conn->pool->statistics.n_refreshes++;
            old->is_replaced = true;
            if (old->state == CONNECTION_IDLE)
                connection__retire(old);
            return;
        }
}

void refresh__did_not_start(struct connection *conn)
{
    for (struct connection *old = conn->pool->connections; old; old = old->next)
        if (is_replaced_by(old, conn))
            begin_anew(old);
}
