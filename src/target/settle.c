/*
 * Decides what is said of a step whose process was lost: a process that had run other cases proves
 * nothing, so the case runs again alone; if it passes then, all that had run before it runs again
 * with it. Lost alone: that is the outcome. Lost only in company: the outcome, with a note. Passed
 * both: the result counts, and the loss is counted. What was ended on suspicion runs again alone
 * too, beside the others. Must not know frames.
 */
#include "target/pool_p.h"

enum { UNSTARTED_MAX = 2 };

void memories__clear(struct memories *m)
{
    for (size_t i = 0; i < m->list.n; i++) {
        free(m->list.at[i].body);
        ticket__release(m->list.at[i].ticket);
    }
    vec_free(&m->list);
}

static struct step *step_in_hand(const struct hand *h)
{
    return &h->job->steps[h->job->step_at];
}

static void settled(struct job *job)
{
    job->settling = SETTLE_NOT;
    memories__clear(&job->prefix);
    job->step_at++;
}

/* The death is looked at after others may have come: its text must stay. */
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

static void give_up_unstarted(struct hand *h)
{
    struct job *job = h->job;
    struct str why = h->death.note ? str_of(h->death.note) : STR("no process began with the case");
    while (job->step_at < job->n_steps) {
        job__refuse(job, step_in_hand(h), OUTCOME_LOST_WORKER, "unstarted", why);
        job->step_at++;
    }
    job->settling = SETTLE_NOT;
}

static void say_presumed(struct hand *h, struct step *step)
{
    struct death d = kept_death(h->job, &h->death);
    d.presumed = true;
    d.note = "it took far more than its like, in a mode that is known to hang: not waited for";
    job__take_death(h->job, step, &d);
    h->pool->statistics.n_presumed++;
}

/* The step leaves the job, whose others go on at once. */
static void put_aside(struct hand *h)
{
    struct job *job = h->job;
    struct step step = *step_in_hand(h);
    const struct mode_record *record = watch__record(h->pool, job->installation, step.mode);
    job->n_steps--;
    memmove(&job->steps[job->step_at], &job->steps[job->step_at + 1],
            (job->n_steps - job->step_at) * sizeof step);
    if (watch__presumes(&job->ticket->request, record)) {
        say_presumed(h, &step);
        return;
    }
    struct job *aside = ticket__add_job(job->ticket, job->installation, job->model, 1);
    aside->steps[aside->n_steps++] = step;
    aside->settling = SETTLE_ALONE;
    aside->death = kept_death(aside, &h->death);
    aside->is_aside = true;
    pool__enqueue(h->pool, aside, false);
}

static void settle_first(struct hand *h)
{
    struct job *job = h->job;
    if (h->is_suspect) {
        put_aside(h);
        return;
    }
    bool in_company = h->memories.list.n > 0;
    if (!in_company) {
        watch__step_hung(h, step_in_hand(h));
        job__take_death(job, step_in_hand(h), &h->death);
        settled(job);
        return;
    }
    job->settling = SETTLE_ALONE;
    job->death = kept_death(job, &h->death);
    job->prefix = h->memories;
    job->prefix_at = 0;
    h->memories = (struct memories){0};
}

void hand__settle(struct hand *h)
{
    struct job *job = h->job;
    if (job->is_canary) {
        job->step_at = job->n_steps; /* it has no answer */
    } else if (!h->started) {
        job->prefix_at = 0; /* a replay begins anew */
        if (++job->n_unstarted > UNSTARTED_MAX)
            give_up_unstarted(h);
    } else if (job->settling == SETTLE_NOT) {
        settle_first(h);
    } else {
        if (job->settling == SETTLE_ALONE) {
            watch__step_hung(h, step_in_hand(h));
            job__take_death(job, step_in_hand(h), &h->death);
        } else {
            say_lost_in_company(job, step_in_hand(h));
        }
        settled(job);
    }
    memories__clear(&h->memories);
    hand__proceed(h);
}

static void passed_again(struct hand *h)
{
    h->pool->statistics.n_lost++;
    settled(h->job);
    hand__go_on(h);
}

/* The result of the run alone is taken at once: a replay that is lost writes over it. */
static void passed_alone(struct hand *h, const struct json *result)
{
    struct job *job = h->job;
    struct err e;
    if (!job__take_result(job, step_in_hand(h), result, &e)) {
        hand__break(h, e.text);
    } else if (job->death.timed_out) { /* a slow machine, not a broken heap */
        watch__step_refuted(h, step_in_hand(h));
        passed_again(h);
    } else {
        h->pool->statistics.n_replays++;
        job->settling = SETTLE_REPLAY;
        hand__go_on(h);
    }
}

void hand__passed(struct hand *h, const struct json *result)
{
    struct job *job = h->job;
    if (job->settling == SETTLE_ALONE) {
        passed_alone(h, result);
    } else if (job->prefix_at == job->prefix.list.n) {
        passed_again(h);
    } else if (h->n_answers == h->n_modes) {
        job->prefix_at++;
        hand__go_on(h);
    }
}
