/*
 * Decides what a request becomes: files in a scratch folder, one observation per target, input set
 * and repeat, one job per installation. Must not know processes. Invariant: each observation is
 * filled exactly once before the callback; the folder lives until the callback is over and no
 * history for a replay holds the ticket.
 */
#include "target/pool_p.h"

#include "base/path.h"
#include "target/pack_p.h"
#include "target/subject_p.h"

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
                            const char *file, size_t n_steps)
{
    struct job *job = arena_new(&t->arena, struct job);
    *job = (struct job){
        .ticket = t,
        .installation = installation,
        .steps = arena_new_array(&t->arena, struct step, n_steps),
        .file = file,
        .number = t->n_jobs++,
    };
    t->n_open++;
    return job;
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
    bool ok = scratch_make_dir(t->pool->scratch, t->folder, e) &&
              target__subject(t->request.c)->put(t, e);
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

/* Changes the request to what the kind of case demands. */
static void take_alone(struct ticket *t, const struct target_subject *s)
{
    struct pool_request *r = &t->request;
    if (!s->is_alone)
        return;
    t->n_repeats = 1;
    if (r->fresh == POOL_ANY)
        r->fresh = POOL_FRESH_FORK;
    r->deadline_ms = MAX(MAX(r->deadline_ms, t->pool->options.deadline_ms), s->least_ms);
    r->busy_ms = 0;
    r->quarantines = r->presumes = false;
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
    take_alone(t, target__subject(request->c));
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
