#include "unit/hunt/double_fixture.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "double/double.h"
#include "onnx/io.h"
#include "unit/hunt/fake_bench.h"
#include "unit/test.h"

const char *const planted_optimizers[N_OF_GROUP] = {
    "ConvAddFusion", "ReshapeFusion", "ConvMulFusion", "MatMulActivationFusion", "ConvBNFusion"};
const char *const planted_levels[N_OF_GROUP] = {"off", "basic", "extended", "layout", "all"};
const char *const planted_sources[N_OF_GROUP] = {"Softplus", "Sigmoid", "Erf", "Elu", "Selu"};

enum { LEVEL_EXTENDED = 2, LEVEL_ALL = 99, CONTEXT = 4 };
static const int64_t level_numbers[N_OF_GROUP] = {0, 1, LEVEL_EXTENDED, 3, LEVEL_ALL};

/* The edges of E0 .. E4. */
static const struct {
    const char *producer;
    uint32_t input; /* of the Conv: data, weight, bias */
} edges[N_OF_GROUP] = {{"Abs", 0}, {"Abs", 1}, {"Abs", 2}, {"Floor", 0}, {"Floor", 1}};

static const char *const context[CONTEXT * N_OF_GROUP] = {
    "Ceil", "Round",    "HardSigmoid", "HardSwish", "LeakyRelu", "Celu",      "ThresholdedRelu",
    "Sin",  "Cos",      "Atan",        "Asinh",     "Sign",      "Gelu",      "Mish",
    "Sinh", "Identity", "Softmax",     "Shrink",    "Hardmax",   "LogSoftmax"};

/* ---- models ---- */

/* The attribute by which a Conv shows the k-th fault of groups O and L. */
static void mark(struct model *m, struct node *n, uint32_t rank, size_t k)
{
    static const int64_t twos[] = {2, 2}, ones[] = {1, 1, 1, 1};
    if (k == 0)
        node_set_ints(m, n, "strides", twos, rank);
    else if (k == 1)
        node_set_ints(m, n, "dilations", twos, rank);
    else if (k == 2)
        node_set_ints(m, n, "pads", ones, 2 * rank);
    else
        node_set_string(m, n, "auto_pad", k == 3 ? "SAME_UPPER" : "VALID");
}

/* Which attribute a Conv has; N_OF_GROUP: none of them. */
static size_t mark_of(const struct node *n)
{
    if (node_attr(n, "strides"))
        return 0;
    if (node_attr(n, "dilations"))
        return 1;
    if (node_attr(n, "pads"))
        return 2;
    struct str pad = node_string(n, "auto_pad", STR(""));
    return str_is(pad, "SAME_UPPER") ? 3 : str_is(pad, "VALID") ? 4 : N_OF_GROUP;
}

static uint32_t add(struct model *m, const char *op_type, uint32_t input)
{
    return graph_add_node(m, m->graph, op_type, &input, 1, 1);
}

static uint32_t add_weight(struct model *m, const char *name, const int64_t *dims, uint32_t rank)
{
    struct tensor *t = arena_new(m->arena, struct tensor);
    struct err e;
    double values[64];
    for (size_t i = 0; i < COUNT_OF(values); i++)
        values[i] = 0.25 * (double)(i % 7) - 0.5;
    check_ok(tensor_from_doubles(DTYPE_FLOAT, dims, rank, values, m->arena, t, &e), &e);
    return graph_add_initializer(m, m->graph, str_of(name), t);
}

/* Adds the Conv of a group's k-th fault behind x. */
static uint32_t add_conv(struct model *m, size_t group, size_t k, uint32_t x)
{
    static const int64_t w_dims[] = {2, 2, 3, 3}, b_dims[] = {2};
    bool is_flat = group == 1 || group == 3; /* L and N have one spatial dim */
    uint32_t in[] = {x, add_weight(m, "w", w_dims, is_flat ? 3 : 4), add_weight(m, "b", b_dims, 1)};
    if (group == 0)
        in[0] = add(m, "Relu", x);
    else if (group == 1)
        in[0] = add(m, "Neg", x);
    else if (group == 2)
        in[edges[k].input] = add(m, edges[k].producer, in[edges[k].input]);
    else
        in[0] = add(m, "Softsign", add(m, planted_sources[k], x));
    uint32_t y = graph_add_node(m, m->graph, "Conv", in, COUNT_OF(in), 1);
    if (group < 2)
        mark(m, graph_last_node(m->graph), is_flat ? 1 : 2, k);
    return y;
}

static void write_model(size_t at, const char *path)
{
    static const int64_t dims[] = {1, 2, 7, 7};
    size_t group = at / N_OF_GROUP, k = at % N_OF_GROUP;
    struct arena a;
    struct err e;
    arena_init(&a);
    struct model *m = model_new(&a, 20);
    uint32_t v = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, group % 2 ? 3 : 4);
    for (size_t i = 0; i < CONTEXT; i++)
        v = add(m, context[CONTEXT * k + i], v);
    graph_add_output(m->graph, add_conv(m, group, k, v));
    check_ok(model_finish(m, &e) && model_write_file(m, false, path, &e), &e);
    arena_done(&a);
}

/* ---- the double ---- */

static const struct node *producer_of(const struct graph *g, const struct node *n, uint32_t input)
{
    if (input >= n->n_inputs || n->inputs[input] == VALUE_NONE)
        return NULL;
    const struct graph_value *v = &g->values.at[n->inputs[input]];
    return v->origin == ORIGIN_NODE ? &g->nodes.at[v->origin_at] : NULL;
}

static bool is_of(const struct node *n, const char *op_type)
{
    return n && str_is(n->op_type, op_type);
}

static bool fails_at(const struct double_run *run, const struct node *conv)
{
    const struct graph *g = run->m->graph;
    const struct node *before = producer_of(g, conv, 0);
    size_t k = mark_of(conv);
    if (is_of(before, "Relu"))
        return k < N_OF_GROUP && run->level >= LEVEL_EXTENDED &&
               double_has_optimizer(run, planted_optimizers[k]);
    if (is_of(before, "Neg"))
        return k < N_OF_GROUP && run->level >= level_numbers[k];
    for (size_t i = 0; i < N_OF_GROUP; i++)
        if (is_of(before, "Softsign") && is_of(producer_of(g, before, 0), planted_sources[i]))
            return true;
    for (size_t i = 0; run->level == LEVEL_ALL && i < N_OF_GROUP; i++)
        if (is_of(producer_of(g, conv, edges[i].input), edges[i].producer))
            return true;
    return false;
}

/* Without a Conv behind it a faulty source shows its wrong value. */
static void decide(const struct double_run *run, struct double_fault *out)
{
    const struct graph *g = run->m->graph;
    for (size_t i = 0; i < g->nodes.n; i++)
        if (is_of(&g->nodes.at[i], "Conv") && fails_at(run, &g->nodes.at[i])) {
            snprintf(out->refusal, sizeof out->refusal,
                     "Non-zero status code returned while running Conv node. Name:'' Status "
                     "Message: the shapes of the operands do not agree");
            return;
        }
    for (size_t i = 0; i < g->nodes.n; i++)
        for (size_t k = 0; k < N_OF_GROUP; k++)
            if (is_of(&g->nodes.at[i], planted_sources[k])) {
                out->is_wrong = true;
                out->wrong_at = g->nodes.at[i].outputs[0];
            }
}

/* The test program started again is a pilot, or a worker with the double. */
int test_child(int argc, char **argv)
{
    struct err e;
    int code;
    if (double_child(argc, argv, decide, &code))
        return code;
    if (argc == 3 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "pilot") == 0)
        return hunt_pilot(HUNT_PILOT_FD, &e) ? 0 : 1;
    return 99;
}

/* ---- campaigns ---- */

void double_campaign_open(struct double_campaign *c)
{
    struct err e;
    *c = (struct double_campaign){0};
    arena_init(&c->arena);
    check_ok(file_make_temp_dir(&c->arena, "assay-home", &c->home, &e), &e);
    check_ok(file_make_temp_dir(&c->arena, "assay-out", &c->out, &e), &e);
    check_ok(double_register(c->home, "ort", "1.32.0", &e), &e);
    for (size_t i = 0; i < N_PLANTED; i++) {
        c->models[i] = path_join(&c->arena, c->home, arena_printf(&c->arena, "m%zu.onnx", i));
        write_model(i, c->models[i]);
    }
}

void double_campaign_close(struct double_campaign *c)
{
    struct err e;
    check_ok(file_remove_tree(c->home, &e), &e);
    check_ok(file_remove_tree(c->out, &e), &e);
    arena_done(&c->arena);
}

struct hunt_options double_campaign_options(const struct double_campaign *c)
{
    static const char *const corpus[] = {"corpus"};
    static const char *const targets[] = {"ort/off", "ort/basic", "ort/extended", "ort/layout",
                                          "ort/all"};
    return (struct hunt_options){.out = c->out,
                                 .home = c->home,
                                 .generators = {corpus, 1},
                                 .models = {c->models, N_PLANTED},
                                 .targets = {targets, COUNT_OF(targets)},
                                 .seed = 3,
                                 .n_cases = N_PLANTED,
                                 .n_pilots = 1,
                                 .best_effort = true};
}
