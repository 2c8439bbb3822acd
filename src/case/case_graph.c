/* Graph cases: one made of a model, and the parent of one as a case. */
#include "case/subject.h"

const struct model *case_model(const struct tcase *c)
{
    return c->kind == CASE_GRAPH ? c->graph : NULL;
}

struct tcase *case_of_graph(const struct model *m, struct tensors *input_sets, size_t n_input_sets,
                            struct provenance from, struct arena *a)
{
    struct tcase *c = arena_new(a, struct tcase);
    *c = (struct tcase){.kind = CASE_GRAPH,
                        .graph = m,
                        .input_sets = input_sets,
                        .n_input_sets = n_input_sets,
                        .from = from};
    case_seal(c);
    return c;
}

/* Selects values for the parent's inputs; false: one is missing or of another dtype or shape. */
static bool select_inputs(const struct model *m, const struct tensors *from, struct arena *a,
                          struct tensors *out)
{
    const struct graph *g = m->graph;
    *out = (struct tensors){arena_new_array(a, struct named_tensor, g->inputs.n), 0};
    for (size_t i = 0; i < g->inputs.n; i++) {
        const struct graph_value *v = &g->values.at[g->inputs.at[i]];
        const struct tensor *t = tensors_find(from, v->name);
        if (!t && v->initializer)
            continue;
        if (!t || t->dtype != v->dtype)
            return false;
        if (v->shape.known && v->shape.rank != t->rank)
            return false;
        for (uint32_t k = 0; v->shape.known && k < t->rank; k++)
            if (v->shape.dims[k].value >= 0 && v->shape.dims[k].value != t->dims[k])
                return false;
        out->at[out->n++] = (struct named_tensor){v->name, *t};
    }
    return true;
}

struct tcase *case_of_parent(const struct tcase *c, struct arena *a)
{
    if (!case_model(c) || !c->preserves_function || !c->parent)
        return NULL;
    struct tcase *p = arena_new(a, struct tcase);
    *p = (struct tcase){.kind = c->kind,
                        .graph = c->parent,
                        .input_sets = arena_new_array(a, struct tensors, c->n_input_sets),
                        .n_input_sets = c->n_input_sets,
                        .lane = c->lane,
                        .from = c->from};
    p->from.edits = STR("parent");
    for (size_t i = 0; i < c->n_input_sets; i++)
        if (!select_inputs(c->parent, &c->input_sets[i], a, &p->input_sets[i]))
            return NULL;
    case_seal(p);
    return p;
}
