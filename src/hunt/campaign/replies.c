/*
 * Decides which case indices may be handed out while a language model is queried: those whose reply
 * is recorded, those that want none, and all of them once the model is given up. One request is
 * out at a time, and nothing blocks on it. Pilots read the recorded replies; an index whose reply
 * failed gets its case without one. Must not know prompts, nor what of a reply is used.
 */
#include "base/compiler.h"
#include "base/log.h"
#include "hunt/campaign/campaign_p.h"
#include "hunt/options.h"

bool replies__open(struct hunt *h, struct err *e)
{
    struct replies *r = &h->replies;
    const struct generate_options options = hunt_generate_options(&h->options);
    arena_init(&r->arena);
    r->next = h->schedule.next;
    if (!h->options.llm || !h->options.llm->url || strcmp(h->options.llm->url, "cassette") == 0)
        return true;
    for (; r->n < h->options.generators.n; r->n++) {
        const struct generator_ops *ops;
        if (!generator_choose(h->options.generators.at[r->n], &ops, e) ||
            !ops->open(&options, &r->generators[r->n], e))
            return false;
    }
    schedule__ready(&h->schedule, r->next);
    return llm_open(h->options.llm, &r->llm, e);
}

void replies__close(struct hunt *h)
{
    struct replies *r = &h->replies;
    llm_end(r->call);
    llm_close(r->llm);
    for (size_t i = 0; i < r->n; i++)
        r->generators[i]->ops->close(r->generators[i]);
    arena_done(&r->arena);
    *r = (struct replies){0};
}

/* Counts an answer or a failure. Warns of the first failure and of the last. */
static void take(struct hunt *h, const struct err *failure)
{
    struct llm_stage *stage = &h->replies.stage;
    llm_stage_take(stage, failure);
    if (failure && (stage->n_failed == 1 || stage->is_over))
        log_warn("%s; %s", failure->text,
                 stage->is_over ? "the hunt goes on without a language model"
                                : "this case is made without it");
    h->replies.next++;
}

/* One step; false: an answer is awaited. */
static bool step(struct hunt *h)
{
    struct replies *r = &h->replies;
    struct llm_request request;
    struct llm_reply reply;
    struct err why;
    struct generator *g = r->generators[r->next % r->n];
    if (r->call) {
        enum llm_state state = llm_turn(r->call, 0, &reply, &why);
        if (state == LLM_PENDING)
            return false;
        llm_end(r->call);
        r->call = NULL;
        take(h, state == LLM_FAILED ? &why : NULL);
        return true;
    }
    arena_reset(&r->arena);
    if (!g->ops->wants || !g->ops->wants(g, r->next / r->n, &r->arena, &request))
        r->next++;
    else if (!llm_begin(r->llm, &request, &r->call, &why))
        take(h, &why);
    return true;
}

void replies__turn(struct hunt *h)
{
    struct replies *r = &h->replies;
    if (!r->llm)
        return;
    while (!h->draining && !r->stage.is_over && r->next < h->schedule.next + REPLIES_AHEAD &&
           (h->schedule.n_cases == 0 || r->next < h->schedule.n_cases) && step(h))
        continue;
    schedule__ready(&h->schedule, r->stage.is_over ? UINT64_MAX : r->next);
}
