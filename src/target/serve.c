/*
 * Decides what a worker does next: the steps of its job, a fresh child before a case that needs
 * one, the settling of a step whose process was lost (settle.c says how), or the end, when another
 * worker is to take over. Must not know processes or frames: connection.c reports what happened.
 */
#include "target/pool_p.h"

enum { UNSTARTED_MAX = 2, FOREIGN_MAX = 8 };

static struct step *current_step(const struct connection *conn)
{
    return &conn->job->steps[conn->job->step_at];
}

static void settled(struct job *job)
{
    job->settling = SETTLE_NOT;
    history__clear(&job->prefix);
    job->step_at++;
}

/* Copies the text, because the death is looked at only after other deaths may have replaced it. */
static struct death kept_death(struct job *job, const struct death *d)
{
    struct death copy = *d;
    copy.text.at = str_dup(&job->ticket->arena, d->text);
    return copy;
}

static void say_lost_in_company(struct job *job, struct step *step)
{
    job->death.note = arena_printf(
        &job->ticket->arena,
        "the process was lost after it had run %zu other cases, twice; alone the case passes",
        job->prefix.list.n);
    job__take_death(job, step, &job->death);
}

static bool wants_fresh_child(const struct connection *conn)
{
    const struct job *job = conn->job;
    if (job->settling == SETTLE_NOT)
        return job->ticket->request.fresh != POOL_ANY;
    return job->settling == SETTLE_ALONE || job->prefix_at == 0;
}

/* A worker that does not fork is fresh only before its first case. */
static bool wants_other_worker(const struct connection *conn)
{
    const struct job *job = conn->job;
    if (!conn->n_cases)
        return false;
    if (job->ticket->request.fresh == POOL_FRESH_WORKER && !job->had_fresh_worker)
        return true;
    return conn->installation->description->fork == TARGET_FORK_NEVER && wants_fresh_child(conn);
}

/* Adds the case to the history of the process, for a replay. */
static void remember(struct connection *conn)
{
    struct job *job = conn->job;
    if (job->ticket->request.fresh == POOL_ANY)
        history__add(&conn->history, strbuf_take(&conn->body), conn->n_modes, job->ticket);
}

/* Writes the next frame: in a replay a case that had run before, else the steps that are left. */
static void compose(struct connection *conn)
{
    struct job *job = conn->job;
    strbuf_clear(&conn->body);
    job->had_fresh_worker = true;
    if (job->settling == SETTLE_REPLAY && job->prefix_at < job->prefix.list.n) {
        const struct past_run *run = &job->prefix.list.at[job->prefix_at];
        strbuf_adds(&conn->body, run->body);
        conn->n_modes = run->n_modes;
        return;
    }
    bool alone = job->settling != SETTLE_NOT || job->ticket->request.fresh != POOL_ANY;
    conn->n_modes = job->settling != SETTLE_NOT ? 1 : job->n_steps - job->step_at;
    job__write_body(job, conn->n_modes, alone, &conn->body);
}

static void job_over(struct connection *conn, struct job *job)
{
    if (job->is_canary)
        canary__ended(conn, job);
    else
        ticket__job_done(job);
}

static void end_job(struct connection *conn)
{
    struct job *job = conn->job;
    connection__set_idle(conn);
    bool is_spent = conn->installation->description->fork == TARGET_FORK_NEVER &&
                    conn->history.list.n >= conn->pool->options.batch;
    if (is_spent || conn->is_replaced)
        connection__retire(conn);
    job_over(conn, job);
    pool__wake(conn->pool);
}

/* Sends what the job needs next, or finishes it. */
static void go_on(struct connection *conn)
{
    struct job *job = conn->job;
    if (job->ticket->is_cancelled)
        job->step_at = job->n_steps;
    if (job->step_at == job->n_steps) {
        end_job(conn);
    } else if (wants_other_worker(conn)) {
        connection__retire(conn);
        pool__enqueue(conn->pool, job, true);
    } else if (conn->child && wants_fresh_child(conn)) {
        connection__end_child(conn);
    } else {
        compose(conn);
        connection__run(conn);
    }
}

void serve__job(struct connection *conn, struct job *job)
{
    conn->job = job;
    job->results = conn->results;
    go_on(conn);
}

/* The job goes on with another worker, or is over. */
static void leave_job(struct connection *conn)
{
    struct job *job = conn->job;
    connection__retire(conn);
    if (!job)
        return;
    if (job->step_at == job->n_steps || job->is_canary)
        job_over(conn, job);
    else
        pool__enqueue(conn->pool, job, true);
}

static void give_up(struct connection *conn)
{
    struct job *job = conn->job;
    struct str why = conn->death.note         ? str_of(conn->death.note)
                     : conn->death.is_foreign ? STR("its process was killed from outside each time")
                                              : STR("no process began with the case");
    while (job->step_at < job->n_steps) {
        job__refuse(job, current_step(conn), OUTCOME_LOST_WORKER, "unstarted", why);
        job->step_at++;
    }
    job->settling = SETTLE_NOT;
}

static void blame(struct connection *conn)
{
    if (conn->death.timed_out) {
        watch__record_of(conn, current_step(conn))->n_hangs++;
        conn->pool->statistics.n_hangs++;
    }
    job__take_death(conn->job, current_step(conn), &conn->death);
    settled(conn->job);
}

/* Takes the step out of the job, whose other steps go on at once. */
static struct step take_out(struct connection *conn)
{
    struct job *job = conn->job;
    struct step step = *current_step(conn);
    job->n_steps--;
    memmove(&job->steps[job->step_at], &job->steps[job->step_at + 1],
            (job->n_steps - job->step_at) * sizeof step);
    return step;
}

static void presume(struct connection *conn)
{
    struct death d = kept_death(conn->job, &conn->death);
    struct step step = take_out(conn);
    d.presumed = true;
    d.note = "stopped early: far slower than similar steps, in a mode that is known to hang";
    job__take_death(conn->job, &step, &d);
    conn->pool->statistics.n_presumed++;
}

static void quarantine(struct connection *conn)
{
    struct job *job = conn->job;
    struct job *alone = ticket__add_job(job->ticket, job->installation, job->file, 1);
    alone->steps[alone->n_steps++] = take_out(conn);
    alone->settling = SETTLE_ALONE;
    alone->death = kept_death(alone, &conn->death);
    alone->is_quarantined = true;
    pool__enqueue(conn->pool, alone, false);
}

static void run_alone(struct connection *conn)
{
    struct job *job = conn->job;
    job->settling = SETTLE_ALONE;
    job->death = kept_death(job, &conn->death);
    job->prefix = conn->history;
    job->prefix_at = 0;
    conn->history = (struct run_history){0};
}

static unsigned facts_of(const struct connection *conn)
{
    const struct job *job = conn->job;
    if (job->is_canary || job->ticket->is_cancelled)
        return SETTLE_FACT_UNWANTED;
    unsigned facts = conn->started ? 0 : SETTLE_FACT_UNSTARTED;
    facts |= conn->death.is_foreign ? SETTLE_FACT_FOREIGN : 0;
    facts |= job->n_unstarted > UNSTARTED_MAX || job->n_foreign > FOREIGN_MAX
                 ? SETTLE_FACT_TOO_OFTEN
                 : 0;
    facts |= job->settling == SETTLE_ALONE ? SETTLE_FACT_ALONE : 0;
    facts |= job->settling == SETTLE_REPLAY ? SETTLE_FACT_REPLAY : 0;
    facts |= conn->is_suspect ? SETTLE_FACT_SUSPECT : 0;
    facts |= conn->history.list.n > 0 ? SETTLE_FACT_COMPANY : 0;
    facts |= job->death.timed_out ? SETTLE_FACT_TIMED_OUT : 0;
    if (job->step_at < job->n_steps &&
        watch__presumes(&job->ticket->request, watch__record_of(conn, current_step(conn))))
        facts |= SETTLE_FACT_PRESUMES;
    return facts;
}

static void on_lost(struct connection *conn)
{
    struct job *job = conn->job;
    if (conn->death.is_foreign)
        job->n_foreign++;
    else
        job->n_unstarted += !conn->started;
    switch (settle__after_loss(facts_of(conn))) {
    case SETTLE_NO_ANSWER:
        job->step_at = job->n_steps;
        break;
    case SETTLE_TRY_AGAIN:
        job->prefix_at = 0; /* a replay begins anew */
        break;
    case SETTLE_GIVE_UP:
        give_up(conn);
        break;
    case SETTLE_BLAME_IN_COMPANY:
        say_lost_in_company(job, current_step(conn));
        settled(job);
        break;
    case SETTLE_PRESUME:
        presume(conn);
        break;
    case SETTLE_QUARANTINE:
        quarantine(conn);
        break;
    case SETTLE_RUN_ALONE:
        run_alone(conn);
        break;
    default:
        blame(conn);
    }
    history__clear(&conn->history);
    if (conn->worker_died)
        leave_job(conn);
    else
        go_on(conn);
}

/* A step that is being settled has passed. The result of the run alone is taken now; only a replay
 * that dies overwrites it. */
static void take_pass(struct connection *conn, const struct json *result)
{
    struct job *job = conn->job;
    struct err e;
    if (job->settling == SETTLE_ALONE && !job__take_result(job, current_step(conn), result, &e)) {
        connection__break(conn, e.text);
        return;
    }
    enum settle_action action = settle__after_pass(facts_of(conn));
    if (action == SETTLE_RUN_COMPANY) {
        conn->pool->statistics.n_replays++;
        job->settling = SETTLE_REPLAY;
    } else {
        if (action == SETTLE_REFUTED)
            watch__step_refuted(watch__record_of(conn, current_step(conn)));
        conn->pool->statistics.n_lost++;
        settled(job);
    }
    go_on(conn);
}

/* For a cancelled ticket: the answers are dropped, but the process has run the case, which goes
 * into its history. */
static void pass_over(struct connection *conn)
{
    struct job *job = conn->job;
    if (conn->n_answers < conn->n_modes) {
        job->step_at += job->settling == SETTLE_NOT;
        watch__begin_step(conn);
        return;
    }
    if (job->settling == SETTLE_NOT)
        remember(conn);
    go_on(conn);
}

static void on_result(struct connection *conn, const struct json *result)
{
    struct job *job = conn->job;
    struct err e;
    watch__step_ended(conn);
    if (job->ticket->is_cancelled) {
        pass_over(conn);
        return;
    }
    if (job->settling == SETTLE_REPLAY && job->prefix_at < job->prefix.list.n) {
        if (conn->n_answers == conn->n_modes) {
            job->prefix_at++;
            go_on(conn);
        }
        return;
    }
    if (job->settling != SETTLE_NOT) {
        take_pass(conn, result);
        return;
    }
    if (!job__take_result(job, &job->steps[job->step_at], result, &e)) {
        connection__break(conn, e.text);
        return;
    }
    job->step_at++;
    if (conn->n_answers < conn->n_modes) {
        watch__begin_step(conn);
        return;
    }
    remember(conn);
    go_on(conn);
}

static void on_child_ended(struct connection *conn, bool was_running)
{
    refresh__child_ended(conn);
    if (was_running)
        return;
    history__clear(&conn->history);
    if (conn->state == CONNECTION_ENDING)
        go_on(conn);
}

static void on_ready(struct connection *conn)
{
    pool__started(conn->pool, conn->installation);
    refresh__said_hello(conn);
    pool__wake(conn->pool);
}

static void on_not_started(struct connection *conn, struct str why)
{
    if (conn->is_successor)
        refresh__did_not_start(conn);
    else
        pool__start_failed(conn->pool, conn->installation, why);
    connection__retire(conn);
}

const struct connection_events serve__events = {.ready = on_ready,
                                                .not_started = on_not_started,
                                                .started = watch__begin_step,
                                                .prepared = refresh__prepared,
                                                .result = on_result,
                                                .child_ended = on_child_ended,
                                                .lost = on_lost,
                                                .worker_ended = leave_job};
