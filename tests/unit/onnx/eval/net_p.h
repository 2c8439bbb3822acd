/* Small models in one call, for tests of inference and evaluation. */
#ifndef TESTS_UNIT_ONNX_EVAL_NET_P_H
#define TESTS_UNIT_ONNX_EVAL_NET_P_H

#include "onnx/eval.h"
#include "onnx/infer.h"

enum { NET_INPUTS_MAX = 4 };

struct net {
    struct arena a;
    struct model *m;
    struct err e;
    struct named_tensor at[NET_INPUTS_MAX];
    struct tensors inputs;
    struct eval_result r;
};

static inline void net_open(struct net *n, int opset)
{
    *n = (struct net){.e = {.code = ERR_NONE}};
    arena_init(&n->a);
    n->m = model_new(&n->a, opset);
    n->inputs.at = n->at;
}

static inline void net_close(struct net *n)
{
    arena_done(&n->a);
}

/* Adds a graph input with its value; returns its index. */
static inline uint32_t net_input(struct net *n, enum dtype dtype, const int64_t *dims,
                                 uint32_t rank, const double *values)
{
    struct named_tensor *t = &n->at[n->inputs.n++];
    uint32_t v = graph_add_input(n->m, n->m->graph, STR("x"), dtype, dims, rank);
    t->name = n->m->graph->values.at[v].name;
    return tensor_from_doubles(dtype, dims, rank, values, &n->a, &t->tensor, &n->e)
               ? v
               : (uint32_t)VALUE_NONE;
}

static inline uint32_t net_list(struct net *n, enum dtype dtype, int64_t count,
                                const double *values)
{
    return net_input(n, dtype, &count, 1, values);
}

static inline uint32_t net_node(struct net *n, const char *op, const uint32_t *in, uint32_t n_in)
{
    return graph_add_node(n->m, n->m->graph, op, in, n_in, 1);
}

static inline struct node *net_last(struct net *n)
{
    return graph_last_node(n->m->graph);
}

/* Finishes, infers and runs the model. Returns the value of y; NULL: n->e says why not. */
static inline const struct value *net_run(struct net *n, uint32_t y,
                                          const struct eval_options *options)
{
    struct graph *g = n->m->graph;
    if (!g->outputs.n)
        graph_add_output(g, y);
    if (!model_finish(n->m, &n->e) || !infer_model(n->m, &n->e) ||
        !eval_run(n->m, &n->inputs, options, &n->a, &n->r, &n->e))
        return NULL;
    return &n->r.values[g->outputs.at[0]];
}

#endif
