/*
 * Decides what a request becomes: files in a scratch folder, one observation per target, input set
 * and repeat, one job per installation; and when it is answered. Must not know processes.
 * Invariant: each observation is filled exactly once before the callback; the folder lives until
 * the callback is over and no child that may be replayed has run it.
 */
#include "target/pool_p.h"

#include "base/path.h"
#include "onnx/io.h"
#include "target/pack_p.h"

static const char model_name[] = "model.onnx";

struct observation *ticket__observation(struct ticket *t, uint32_t slot, size_t set,
                                        uint32_t repeat)
{
    return &t->observations[(slot * t->n_sets + set) * t->n_repeats + repeat];
}

void ticket__hold(struct ticket *t)
{
    t->n_users++;
}

void ticket__release(struct ticket *t)
{
    if (--t->n_users)
        return;
    for (struct ticket **at = &t->pool->tickets; *at; at = &(*at)->next)
        if (*at == t) {
            *at = t->next;
            break;
        }
    loop_timer_cancel(t->pool->options.loop, t->answer_timer);
    scratch_remove_dir(t->pool->scratch, t->folder);
    arena_done(&t->arena);
    free(t);
}

struct job *ticket__add_job(struct ticket *t, const struct target_installation *installation,
                            const char *model, size_t n_steps)
{
    struct job *job = arena_new(&t->arena, struct job);
    *job = (struct job){
        .ticket = t,
        .installation = installation,
        .steps = arena_new_array(&t->arena, struct step, n_steps),
        .model = model,
        .number = t->n_jobs++,
    };
    t->n_open++;
    return job;
}

static void add_step(struct job *job, const struct target_mode *mode, const uint32_t *slots,
                     size_t n_slots)
{
    job->steps[job->n_steps++] = (struct step){
        mode, arena_dup(&job->ticket->arena, slots, n_slots * sizeof *slots), n_slots};
}

/* The case's graph with every intermediate as an output, behind its own. */
static bool write_exposed(struct ticket *t, struct strbuf *bytes, struct err *e)
{
    struct model *m = model_copy(t->request.c->graph, &t->arena);
    size_t n = m->graph->outputs.n;
    for (uint32_t i = 0; i < m->graph->values.n; i++) {
        const struct graph_value *v = &m->graph->values.at[i];
        if (v->origin == ORIGIN_NODE && !v->is_output && !v->not_tensor &&
            v->dtype != DTYPE_UNDEFINED)
            graph_add_output(m->graph, i);
    }
    t->n_exposed = m->graph->outputs.n - n;
    struct json_out w;
    struct strbuf names = {0};
    w = json_open(&names, JSON_COMPACT);
    json_begin_array(&w);
    for (size_t i = 0; i < m->graph->outputs.n; i++)
        json_put_str(&w, m->graph->values.at[m->graph->outputs.at[i]].name);
    json_end_array(&w);
    t->outputs_json = strbuf_dup(&names, &t->arena);
    strbuf_done(&names);
    return model_finish(m, e) && model_write(m, false, bytes, e);
}

static void write_output_names(struct ticket *t)
{
    const struct graph *g = t->request.c->graph->graph;
    struct strbuf names = {0};
    struct json_out w = json_open(&names, JSON_COMPACT);
    json_begin_array(&w);
    for (size_t i = 0; i < g->outputs.n; i++)
        json_put_str(&w, g->values.at[g->outputs.at[i]].name);
    json_end_array(&w);
    t->outputs_json = strbuf_dup(&names, &t->arena);
    strbuf_done(&names);
}

static bool write_model(struct ticket *t, struct err *e)
{
    struct strbuf made = {0};
    struct str bytes = t->request.model_bytes;
    bool ok = true;
    t->n_outputs = t->request.c->graph->graph->outputs.n;
    write_output_names(t);
    if (t->request.variant == VARIANT_EXPOSED)
        ok = write_exposed(t, &made, e);
    else if (!bytes.n)
        ok = model_write(t->request.c->graph, false, &made, e);
    if (made.n)
        bytes = strbuf_str(&made);
    ok = ok &&
         scratch_put(t->pool->scratch, path_join(&t->arena, t->folder, model_name), &bytes, 1, e);
    strbuf_done(&made);
    return ok;
}

static bool write_set(struct ticket *t, size_t at, struct json_out *w, struct err *e)
{
    struct pack pack = {0};
    const char *name = arena_printf(&t->arena, "in%zu.bin", at);
    json_begin_object(w);
    json_pair_cstr(w, "file", name);
    json_key(w, "tensors");
    pack__tensors(&t->request.c->input_sets[at], &pack, &t->arena, w);
    json_end_object(w);
    return scratch_put(t->pool->scratch, path_join(&t->arena, t->folder, name), pack.parts.at,
                       pack.parts.n, e);
}

static bool write_files(struct ticket *t, struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    bool ok = scratch_make_dir(t->pool->scratch, t->folder, e) && write_model(t, e);
    json_begin_array(&w);
    for (size_t i = 0; ok && i < t->n_sets; i++)
        ok = write_set(t, i, &w, e);
    json_end_array(&w);
    t->sets_json = strbuf_dup(&text, &t->arena);
    strbuf_done(&text);
    return ok;
}

static void init_observations(struct ticket *t)
{
    const struct pool_request *r = &t->request;
    size_t n = r->n_targets * t->n_sets * t->n_repeats;
    t->observations = arena_new_array(r->arena, struct observation, n);
    t->converted = arena_new_array(r->arena, struct str, r->n_targets);
    for (uint32_t slot = 0; slot < r->n_targets; slot++) {
        for (size_t set = 0; set < t->n_sets; set++)
            for (uint32_t repeat = 0; repeat < t->n_repeats; repeat++)
                *ticket__observation(t, slot, set, repeat) = (struct observation){
                    .case_id = r->c->id,
                    .input_set = (uint32_t)set,
                    .repeat = repeat,
                    .variant = r->variant,
                    .target = r->targets[slot]->id,
                    .outcome = OUTCOME_NOT_TARGET,
                };
    }
}

/* What the description says the engine lacks is answered without asking it. */
static bool is_accepted(struct ticket *t, uint32_t slot)
{
    struct strbuf reason = {0};
    bool accepted = target_accepts(t->request.targets[slot], t->request.c->graph, &reason);
    for (size_t i = 0; !accepted && i < t->n_sets * t->n_repeats; i++) {
        struct observation *o = &ticket__observation(t, slot, 0, 0)[i];
        o->outcome = OUTCOME_UNSUPPORTED;
        o->message.raw = strbuf_dup(&reason, t->request.arena);
        o->message.type = STR("description");
    }
    strbuf_done(&reason);
    return accepted;
}

struct job *ticket__first_job(struct ticket *t, uint32_t slot)
{
    const struct target *target = t->request.targets[slot];
    struct job *job =
        ticket__add_job(t, target->installation, model_name, t->request.n_targets - slot);
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

bool ticket__new(struct pool *pool, const struct pool_request *request, struct ticket **out,
                 struct err *e)
{
    struct ticket *t = mem_alloc(sizeof *t);
    *t = (struct ticket){
        .next = pool->tickets,
        .pool = pool,
        .request = *request,
        .n_sets = request->c->n_input_sets,
        .n_repeats = MAX(request->n_repeats, 1u),
        .n_users = 1,
    };
    pool->tickets = t;
    arena_init(&t->arena);
    if (!t->request.arena)
        t->request.arena = &t->arena;
    t->folder = arena_printf(&t->arena, "%llu", (unsigned long long)pool->next_folder++);
    t->cost_ms = watch__cost_ms(request);
    if (!write_files(t, e)) {
        ticket__release(t);
        return false;
    }
    init_observations(t);
    *out = t;
    return true;
}

/* Models that converters made, of one runner, with equal ones run once. */
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
    if (job->installation->description->work == TARGET_CONVERTS)
        run_converted(t, job);
    memories__clear(&job->prefix);
    t->n_open--;
    if (!t->n_open && t->done)
        answer(t);
}
