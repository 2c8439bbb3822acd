/*
 * Decides which jobs a ticket has (one per installation, and those that run what converters made)
 * and that it is answered when the last of them is done. Must not know processes.
 */
#include "target/pool_p.h"

#include "base/path.h"
#include "case/subject.h"

/* Does the target take the case? If not, answers for it at once. */
static bool is_accepted(struct ticket *t, uint32_t slot)
{
    struct strbuf reason = {0};
    bool accepted = target_accepts(t->request.targets[slot], t->request.c, &reason);
    for (size_t i = 0; !accepted && i < t->n_sets * t->n_repeats; i++) {
        struct observation *o = &ticket__observation(t, slot, 0, 0)[i];
        o->outcome = OUTCOME_UNSUPPORTED;
        o->message.raw = strbuf_dup(&reason, t->request.arena);
        o->message.type = STR("description");
    }
    strbuf_done(&reason);
    return accepted;
}

static void add_step(struct job *job, const struct target_mode *mode, const uint32_t *slots,
                     size_t n_slots)
{
    job->steps[job->n_steps++] = (struct step){
        mode, arena_dup(&job->ticket->arena, slots, n_slots * sizeof *slots), n_slots};
}

struct job *ticket__first_job(struct ticket *t, uint32_t slot)
{
    const struct target *target = t->request.targets[slot];
    struct job *job = ticket__add_job(t, target->installation, case_subject(t->request.c)->file,
                                      t->request.n_targets - slot);
    add_step(job, target->mode, &slot, 1);
    return job;
}

void ticket__make_jobs(struct ticket *t)
{
    const struct pool_request *r = &t->request;
    bool *taken = arena_new_array(&t->arena, bool, r->n_targets);
    for (uint32_t slot = 0; slot < r->n_targets; slot++)
        taken[slot] = !is_accepted(t, slot);
    for (uint32_t slot = 0; slot < r->n_targets; slot++) {
        if (taken[slot])
            continue;
        struct job *job = ticket__first_job(t, slot);
        for (uint32_t other = slot + 1; other < r->n_targets; other++)
            if (!taken[other] && r->targets[other]->installation == job->installation) {
                taken[other] = true;
                add_step(job, r->targets[other]->mode, &other, 1);
            }
        pool__enqueue(t->pool, job, false);
    }
}

/* Adds jobs for the models that this converter job made; equal models are run once. */
static void run_converted(struct ticket *t, const struct job *job)
{
    struct arena *a = &t->arena;
    uint32_t *slots = arena_new_array(a, uint32_t, job->n_steps);
    bool *taken = arena_new_array(a, bool, job->n_steps);
    for (size_t i = 0; i < job->n_steps; i++) {
        struct str bytes = t->converted[job->steps[i].slots[0]];
        if (taken[i] || !bytes.n)
            continue;
        size_t n = 0;
        for (size_t k = i; k < job->n_steps; k++) {
            uint32_t slot = job->steps[k].slots[0];
            if (!taken[k] && str_eq(t->converted[slot], bytes)) {
                taken[k] = true;
                slots[n++] = slot;
            }
        }
        const struct target *runner = t->request.targets[slots[0]]->runs_in;
        char *name = arena_printf(a, "converted%u-%zu.onnx", job->number, i);
        struct job *next = ticket__add_job(t, runner->installation, name, 1);
        struct err failure;
        add_step(next, runner->mode, slots, n);
        if (scratch_put(t->pool->scratch, path_join(a, t->folder, name), &bytes, 1, &failure)) {
            pool__enqueue(t->pool, next, true);
        } else {
            job__refuse(next, &next->steps[0], OUTCOME_LOST_WORKER, "scratch",
                        str_of(failure.text));
            t->n_open--;
        }
    }
}

static void answer(struct ticket *t)
{
    for (uint32_t slot = 0; slot < t->request.n_targets; slot++)
        for (size_t set = 0; set < t->n_sets; set++)
            for (uint32_t repeat = 0; repeat < t->n_repeats; repeat++)
                ticket__observation(t, slot, set, repeat)->converted = t->converted[slot];
    struct pool_result result = {
        .c = t->request.c,
        .observations = t->observations,
        .n_observations = t->request.n_targets * t->n_sets * t->n_repeats,
    };
    pool_done_fn done = t->done;
    void *ctx = t->ctx;
    struct pool *pool = t->pool;
    pool->statistics.n_cases++;
    pool->statistics.n_runs += result.n_observations;
    t->done = NULL;
    ticket__release(t);
    done(ctx, &result);
}

static void on_answer(void *ctx)
{
    answer(ctx);
}

void ticket__answer_later(struct ticket *t)
{
    t->answer_timer = loop_timer_add(t->pool->options.loop, 0, on_answer, t);
}

void ticket__job_done(struct job *job)
{
    struct ticket *t = job->ticket;
    if (job->installation->description->work == TARGET_CONVERTS && !t->is_cancelled)
        run_converted(t, job);
    history__clear(&job->prefix);
    t->n_open--;
    if (!t->n_open && t->done)
        answer(t);
    else if (!t->n_open && t->is_cancelled)
        ticket__release(t);
}

void ticket__cancel(struct ticket *t)
{
    t->is_cancelled = true;
    t->done = NULL;
    if (t->n_open)
        pool__wake(t->pool); /* so that its queued jobs leave the queue */
    else
        ticket__release(t);
}
