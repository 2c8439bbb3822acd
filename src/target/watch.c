/*
 * Decides when a step that does not end is given up, and what is remembered of each mode for that.
 * There are two limits. After the deadline a step is a hang; the deadline counts CPU time, because
 * a busy process gets little of it on a crowded machine, and wall time for a process that waits.
 * Where the request allows it, an earlier limit follows from the time of similar steps and the
 * expected cost: after it the step only seems to hang and leaves the queue. Must not know frames,
 * nor how a process is ended.
 */
#include "base/clock.h"
#include "base/compiler.h"
#include "os/probe.h"
#include "target/pool_p.h"

enum {
    SUSPECT_LEAST_MS = 60,
    SUSPECT_TIMES = 20,  /* times the duration of similar steps */
    SUSPECT_STEPS = 16,  /* steps that must have ended before one can be suspected */
    SUSPECT_DOUBLES = 6, /* doublings at most, one for each wrong suspicion */
    BUSY_TIMES = 10,
    BLOCKED_PART =
        10, /* a process that uses less than 1/10 of the time as CPU time counts as waiting */
    STARVED_TIMES = 5, /* of the deadline in wall time, for a process that computes */
    PRESUMED_PART =
        16, /* one in so many suspects of a mode known to hang is still run to the deadline */
    MEAN_OF = 16,
    PERIODS = 8, /* looks at a step before its deadline */
    PERIOD_LEAST_MS = 10,
    PERIOD_MOST_MS = 250
};
#define MACS_PER_MS 1e6 /* of an engine at its slowest */

double watch__cost_ms(const struct pool_request *r)
{
    const struct tcase *c = r->c;
    double macs = 0;
    for (size_t i = 0; c->reference && i < c->n_input_sets; i++)
        macs += (double)c->reference[i].n_macs;
    return macs * MAX(r->n_repeats, 1u) / MACS_PER_MS;
}

struct mode_record *watch__record(struct pool *pool, const struct target_installation *installation,
                                  const struct target_mode *mode)
{
    for (size_t i = 0; i < pool->records.n; i++)
        if (pool->records.at[i].installation == installation && pool->records.at[i].mode == mode)
            return &pool->records.at[i];
    vec_push(&pool->records, &pool->arena,
             (struct mode_record){.installation = installation, .mode = mode});
    return &vec_last(&pool->records);
}

struct watch_limits watch__limits(const struct pool_request *r, int64_t deadline_ms, double cost_ms,
                                  const struct mode_record *record)
{
    struct watch_limits l = {.busy = deadline_ms, .wall = deadline_ms};
    double like_ms = MAX(cost_ms, record->mean_ms);
    if (r->busy_ms)
        l.busy = MAX(r->busy_ms, (int64_t)(BUSY_TIMES * like_ms));
    if (!r->quarantines || r->fresh != POOL_ANY || record->n_ended < SUSPECT_STEPS)
        return l;
    int64_t suspect = MAX((int64_t)SUSPECT_LEAST_MS, (int64_t)(SUSPECT_TIMES * like_ms));
    suspect <<= MIN(record->n_refuted, (uint32_t)SUSPECT_DOUBLES);
    if (suspect < l.busy && suspect < l.wall)
        l.suspect = suspect;
    return l;
}

/* CPU time counts from the first look on and in the kernel's coarse ticks, so a third of the early
 * limit is enough of it. */
enum watch_word watch__judge(const struct watch_limits *l, int64_t wall_ms, int64_t cpu_ms)
{
    bool waits = cpu_ms * BLOCKED_PART < wall_ms;
    if (cpu_ms >= l->busy || (wall_ms >= l->wall && waits) || wall_ms >= l->wall * STARVED_TIMES)
        return WATCH_OVER;
    return l->suspect && wall_ms >= l->suspect && cpu_ms * 3 >= l->suspect ? WATCH_SUSPECT
                                                                           : WATCH_GO_ON;
}

bool watch__presumes(const struct pool_request *r, const struct mode_record *record)
{
    return r->presumes && record->n_hangs > 0 && r->c->id.bytes[0] % PRESUMED_PART != 0;
}

struct mode_record *watch__record_of(const struct connection *conn, const struct step *step)
{
    return watch__record(conn->pool, conn->installation, step->mode);
}

static int64_t period_ms(const struct watch_limits *l)
{
    int64_t period = l->suspect ? l->suspect / 2 : MIN(l->busy, l->wall) / PERIODS;
    return MAX((int64_t)PERIOD_LEAST_MS, MIN(period, (int64_t)PERIOD_MOST_MS));
}

static void on_look(void *ctx)
{
    struct connection *conn = ctx;
    int64_t now_ns = clock_now_ns();
    int64_t cpu_ns = probe_cpu_ns(conn->child ? conn->child : process_main_pid(conn->process));
    conn->timer = 0;
    if (conn->step_cpu_ns < 0)
        conn->step_cpu_ns = cpu_ns;
    enum watch_word word = watch__judge(&conn->limits, (now_ns - conn->step_ns) / LOOP_MS,
                                        (cpu_ns - conn->step_cpu_ns) / LOOP_MS);
    if (word == WATCH_GO_ON) {
        connection__set_timer(conn, period_ms(&conn->limits), on_look);
        return;
    }
    conn->pool->statistics.hang_ns += now_ns - conn->step_ns;
    conn->is_suspect = word == WATCH_SUSPECT;
    connection__time_out(conn);
}

void watch__begin_step(struct connection *conn)
{
    const struct job *job = conn->job;
    const struct pool_request *r = &job->ticket->request;
    const struct step *step = &job->steps[job->step_at];
    int64_t deadline_ms = r->deadline_ms ? r->deadline_ms : conn->pool->options.deadline_ms;
    deadline_ms = MAX(deadline_ms, step->mode->deadline_ms);
    conn->limits =
        watch__limits(r, deadline_ms, job->ticket->cost_ms, watch__record_of(conn, step));
    conn->limits.busy = MAX(conn->limits.busy, step->mode->deadline_ms);
    if (step->mode->deadline_ms)
        conn->limits.suspect = 0; /* its cases differ too much in their times */
    if (job->settling != SETTLE_NOT)
        conn->limits.suspect = 0;
    conn->step_ns = clock_now_ns();
    conn->step_cpu_ns = -1;
    connection__set_timer(conn, period_ms(&conn->limits), on_look);
}

void watch__step_ended(struct connection *conn)
{
    const struct job *job = conn->job;
    if (job->settling == SETTLE_REPLAY || job->is_canary) /* not a step of the request */
        return;
    struct mode_record *record = watch__record_of(conn, &job->steps[job->step_at]);
    double ms = (double)(clock_now_ns() - conn->step_ns) / (double)LOOP_MS;
    record->n_ended++;
    uint32_t n = MIN(record->n_ended, (uint32_t)MEAN_OF);
    record->mean_ms += (ms - record->mean_ms) / n;
}

void watch__step_refuted(struct mode_record *record)
{
    record->n_hangs = 0;
    record->n_refuted++;
}
