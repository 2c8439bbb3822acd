/*
 * Bytes as one node of the operator table: which row, opset, inputs and attributes. Inference and
 * the evaluator must refuse it or compute it, with margins and with noise; where both succeed, the
 * shape that was inferred is the shape computed. Protobuf cannot reach most of these.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "onnx/check.h"
#include "onnx/eval.h"
#include "onnx/infer.h"
#include "onnx/op.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

enum { INPUTS_MAX = 6, RANK_MAX = 5, DIM_MAX = 5, LIST_MAX = 8 };

struct bytes {
    const uint8_t *at;
    size_t n;
};

static uint8_t next(struct bytes *b)
{
    if (!b->n)
        return 0;
    b->n--;
    return *b->at++;
}

/* Mostly small numbers, now and then a corner. */
static int64_t next_number(struct bytes *b)
{
    static const int64_t corners[] = {INT64_MIN, INT64_MAX, INT32_MAX, INT32_MIN, 1 << 30, -1000};
    uint8_t x = next(b);
    return x < 240 ? (int64_t)(x % 16) - 4 : corners[x % COUNT_OF(corners)];
}

static double next_double(struct bytes *b)
{
    static const double corners[] = {1e300, -1e300, 3e38, -3e38, 1e-310, 65504, 0.5, -0.0};
    uint8_t x = next(b);
    return x < 224    ? (x - 112) / 4.0
           : x < 232  ? (double)INFINITY * (x & 1 ? -1 : 1)
           : x == 232 ? (double)NAN
                      : corners[x % COUNT_OF(corners)];
}

static enum dtype pick_dtype(struct bytes *b, const struct op_fact *f, uint32_t i)
{
    const struct op_param_fact *p = op_fact_input(f, i);
    enum dtype t = (enum dtype)(next(b) % DTYPE_COUNT);
    for (int tries = 0; p && tries < DTYPE_COUNT; tries++) {
        if (p->dtypes & dtype_bit(t) && t != DTYPE_STRING && t != DTYPE_UNDEFINED)
            return t;
        t = (enum dtype)((t + 1) % DTYPE_COUNT);
    }
    return DTYPE_FLOAT;
}

static bool make_tensor(struct bytes *b, enum dtype t, struct arena *a, struct tensor *out)
{
    int64_t dims[RANK_MAX];
    uint32_t rank = next(b) % (RANK_MAX + 1);
    void *data;
    struct err e = {0};
    for (uint32_t d = 0; d < rank; d++)
        dims[d] = next(b) % (DIM_MAX + 1);
    if (dtype_row(t)->class == DTYPE_CLASS_COMPLEX ||
        !tensor_make(t, dims, rank, a, out, &data, &e))
        return false;
    for (size_t i = 0; i < out->n; i++) {
        if (dtype_is_float(t))
            tensor_put_double(t, data, i, next_double(b));
        else
            tensor_put_i64(t, data, i, next_number(b));
    }
    return true;
}

struct job {
    struct arena a;
    struct model *m;
    struct named_tensor at[INPUTS_MAX];
    struct tensors inputs;
};

static uint32_t add_input(struct job *j, struct bytes *b, const struct op_fact *f, uint32_t i)
{
    struct tensor t;
    uint8_t form = next(b);
    if (form % 8 == 0 || !make_tensor(b, pick_dtype(b, f, i), &j->a, &t))
        return VALUE_NONE;
    if (form % 2)
        return graph_add_initializer(j->m, j->m->graph, STR("w"), arena_dup(&j->a, &t, sizeof t));
    uint32_t v = graph_add_input(j->m, j->m->graph, STR("x"), t.dtype, t.dims, t.rank);
    j->at[j->inputs.n++] = (struct named_tensor){j->m->graph->values.at[v].name, t};
    return v;
}

static const char *text_of(uint8_t x)
{
    static const char *const texts[] = {"none",
                                        "mean",
                                        "sum",
                                        "linear",
                                        "cubic",
                                        "nearest",
                                        "constant",
                                        "reflect",
                                        "edge",
                                        "wrap",
                                        "SAME_UPPER",
                                        "SAME_LOWER",
                                        "VALID",
                                        "NOTSET",
                                        "ij,jk->ik",
                                        "...i->...",
                                        "ii->i",
                                        "zeros",
                                        "border",
                                        "reflection",
                                        "max",
                                        "avg",
                                        "half_pixel",
                                        "align_corners",
                                        "asymmetric",
                                        "add",
                                        "mul",
                                        "min",
                                        "tanh",
                                        "bidirectional",
                                        "reverse",
                                        "TF",
                                        "TFIDF",
                                        "DCR",
                                        "CRD",
                                        "",
                                        "pytorch_half_pixel",
                                        "tf_crop_and_resize",
                                        "floor",
                                        "ceil",
                                        "round_prefer_floor",
                                        "LEFT"};
    return texts[x % COUNT_OF(texts)];
}

static void add_attr(struct job *j, struct bytes *b, const struct op_attr_fact *f)
{
    struct node *n = graph_last_node(j->m->graph);
    int64_t ints[LIST_MAX];
    float floats[LIST_MAX];
    size_t count = next(b) % (LIST_MAX + 1);
    struct tensor t;
    switch ((enum attr_kind)f->kind) {
    case ATTR_INT:
        node_set_int(j->m, n, f->name, next_number(b));
        break;
    case ATTR_FLOAT:
        node_set_float(j->m, n, f->name, (float)next_number(b) / 2);
        break;
    case ATTR_STRING:
        node_set_string(j->m, n, f->name, text_of(next(b)));
        break;
    case ATTR_INTS:
        for (size_t i = 0; i < count; i++)
            ints[i] = next_number(b);
        node_set_ints(j->m, n, f->name, ints, count);
        break;
    case ATTR_FLOATS:
        for (size_t i = 0; i < count; i++)
            floats[i] = (float)next_number(b) / 2;
        node_set_floats(j->m, n, f->name, floats, count);
        break;
    case ATTR_TENSOR:
        if (make_tensor(b, DTYPE_FLOAT, &j->a, &t))
            node_set_tensor(j->m, n, f->name, arena_dup(&j->a, &t, sizeof t));
        break;
    default:
        break;
    }
}

static void compare_shapes(const struct job *j, const struct eval_result *r)
{
    const struct graph *g = j->m->graph;
    for (size_t i = 0; i < g->outputs.n; i++) {
        const struct graph_value *said = &g->values.at[g->outputs.at[i]];
        const struct value *got = &r->values[g->outputs.at[i]];
        if (got->dtype == DTYPE_UNDEFINED)
            continue;
        if (said->dtype != got->dtype || (said->shape.known && said->shape.rank != got->rank))
            abort();
        for (uint32_t d = 0; said->shape.known && d < got->rank; d++)
            if (said->shape.dims[d].value >= 0 && said->shape.dims[d].value != got->dims[d])
                abort();
    }
}

static void run(struct job *j)
{
    static const struct eval_options forms[] = {
        {.want_margins = true, .budget = {1 << 20, 1 << 22}},
        {.perturb_seed = 1, .budget = {1 << 20, 1 << 22}},
        {.ties = EVAL_TIES_UP, .margin_limit = 0.5, .budget = {1 << 20, 1 << 22}}};
    struct err e = {0};
    if (!model_finish(j->m, &e) || !check_model(j->m, &e) || !infer_model(j->m, &e))
        return;
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        struct eval_result r;
        err_clear(&e);
        if (eval_run(j->m, &j->inputs, &forms[i], &j->a, &r, &e))
            compare_shapes(j, &r);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct bytes b = {data, n};
    struct job j = {.inputs = {.n = 0}};
    size_t n_ops;
    const struct op *ops = op_list(&n_ops);
    const struct op *op = &ops[next(&b) % n_ops];
    int opset = MODEL_OPSET_OLDEST + next(&b) % (MODEL_OPSET_NEWEST - MODEL_OPSET_OLDEST + 1);
    const struct op_fact *f = op_fact_find(STR(""), str_of(op->name), opset);
    uint32_t in[INPUTS_MAX], n_in = 0;
    if (!f)
        return 0;
    arena_init(&j.a);
    j.m = model_new(&j.a, opset);
    j.inputs.at = j.at;
    uint32_t most = f->max_inputs < INPUTS_MAX ? (uint32_t)f->max_inputs : INPUTS_MAX;
    for (uint32_t i = 0; i < most; i++) {
        in[i] = add_input(&j, &b, f, i);
        n_in = in[i] == VALUE_NONE ? n_in : i + 1;
    }
    uint32_t n_out = 1 + next(&b) % (f->max_outputs < 4 ? (uint32_t)f->max_outputs : 4);
    uint32_t y = graph_add_node(j.m, j.m->graph, op->name, in, n_in, n_out);
    for (int i = 0; i < f->n_attrs; i++)
        if (next(&b) % 2 || f->attrs[i].required)
            add_attr(&j, &b, &f->attrs[i]);
    for (uint32_t o = 0; o < n_out; o++)
        graph_add_output(j.m->graph, y + o);
    run(&j);
    arena_done(&j.a);
    return 0;
}
