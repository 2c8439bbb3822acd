/*
 * Reduction of graphs: a state is a model with its reference; a trial is a valid candidate if the
 * checker accepts it, the reference runs it, and it meets the demands that the first state meets.
 */
#include "case/subject.h"
#include "onnx/eval.h"
#include "reduce/reduce_p.h"

static const struct pass passes[] = {
#define PASS(id, name, start, share) {name, start, share, pass__count_##id, pass__apply_##id},
#include "reduce/graph_passes.def"
#undef PASS
};

static bool open_graph(const struct tcase *c, uint32_t input_set, struct str family,
                       struct arena *a, struct state *out, struct err *e)
{
    (void)family;
    out->m = case_model(c);
    if (c->reference) {
        out->ref = c->reference[input_set];
        return true;
    }
    return eval_run(out->m, &out->inputs, &(struct eval_options){0}, a, &out->ref, e) ||
           err_wrap(e, "its reference");
}

static void close_graph(struct state *first)
{
    (void)first;
}

static void begin(const struct state *from, struct trial *t)
{
    t->m = model_copy(from->m, t->a);
}

/* Does the candidate meet all demands that the original case meets? */
static bool keeps_to(const struct state *first, const struct state *s)
{
    static bool (*const demands[])(const struct state *) = {
        state__is_finite, state__has_positive_scales, state__has_known_ranks, state__has_no_gap};
    for (size_t i = 0; i < COUNT_OF(demands); i++)
        if (!demands[i](s) && demands[i](first))
            return false;
    return true;
}

static bool settle(struct trial *t, const struct state *first, struct state *out)
{
    struct err invalid = {0};
    bool ok = graph__settle(t, &out->ref, &invalid);
    out->m = t->m;
    out->inputs = t->inputs;
    return ok && keeps_to(first, out);
}

static void fill(const struct state *s, struct tcase *c)
{
    c->graph = s->m;
    c->reference = &s->ref;
}

static uint32_t size(const struct state *s)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s->m->graph->nodes.n; i++)
        n += !str_is(s->m->graph->nodes.at[i].op_type, "Constant");
    return n;
}

const struct reduce_subject reduce__graph = {passes, COUNT_OF(passes), open_graph, close_graph,
                                             begin,  settle,           fill,       size};
