/*
 * What a candidate must meet besides being a valid model: a smaller model whose results the
 * standard leaves open would show another failure. The reduction demands only what the original
 * case meets.
 */
#include <math.h>

#include "onnx/gaps.h"
#include "reduce/reduce_p.h"

bool state__is_finite(const struct state *s)
{
    const struct graph *g = s->m->graph;
    for (size_t i = 0; i < g->outputs.n; i++) {
        const struct value *v = &s->ref.values[g->outputs.at[i]];
        for (size_t k = 0; v->storage == STORAGE_F64 && k < v->n; k++)
            if (!isfinite(v->f[k]))
                return false;
    }
    return true;
}

/* The inputs of operators that are scales of a quantisation. */
static const struct {
    const char *op_type;
    uint32_t input;
} scales[] = {{"QuantizeLinear", 1}, {"DequantizeLinear", 1}, {"QLinearConv", 1},
              {"QLinearConv", 4},    {"QLinearConv", 6},      {"QLinearMatMul", 1},
              {"QLinearMatMul", 4},  {"QLinearMatMul", 6}};

static bool is_positive(const struct value *v)
{
    for (size_t i = 0; v->storage == STORAGE_F64 && i < v->n; i++)
        if (!(v->f[i] > 0 && isfinite(v->f[i])))
            return false;
    return true;
}

bool state__has_positive_scales(const struct state *s)
{
    const struct graph *g = s->m->graph;
    for (size_t k = 0; k < g->nodes.n; k++) {
        const struct node *n = &g->nodes.at[k];
        for (size_t i = 0; i < COUNT_OF(scales); i++)
            if (str_is(n->op_type, scales[i].op_type) && scales[i].input < n->n_inputs &&
                n->inputs[scales[i].input] != VALUE_NONE &&
                !is_positive(&s->ref.values[n->inputs[scales[i].input]]))
                return false;
    }
    return true;
}

bool state__has_known_ranks(const struct state *s)
{
    const struct graph *g = s->m->graph;
    for (size_t i = 0; i < g->outputs.n; i++)
        if (!g->values.at[g->outputs.at[i]].shape.known)
            return false;
    return true;
}

bool state__has_no_gap(const struct state *s)
{
    return !model_has_gap(s->m);
}
