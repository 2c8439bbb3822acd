/*
 * A row with one operator, its inputs and the results by the standard's text, as strings:
 *
 *     {"sum of nothing", 18, "ReduceSum", "keepdims=0",
 *      {"float[0,2]", "!int64[1] 0"}, {"float[2] 0 0"}},
 *
 * A tensor is `dtype[dims] numbers`; "" leaves an input out, "!" makes it an initializer. In a
 * result "?" is an element that must be undefined. Attributes are name=1, name=0.5, name='text',
 * name=[1,2], name=(0.5,2). A result "data" or "unsupported" expects that error.
 */
#ifndef TESTS_UNIT_ONNX_EVAL_ONE_OP_P_H
#define TESTS_UNIT_ONNX_EVAL_ONE_OP_P_H

#include <math.h>
#include <stdlib.h>

#include "onnx/eval.h"
#include "onnx/infer.h"
#include "unit/test.h"

enum { ONE_OP_INPUTS_MAX = 9, ONE_OP_OUTPUTS_MAX = 4, ONE_OP_ELEMENTS_MAX = 256 };

struct one_op_row {
    const char *name;
    int opset;
    const char *op, *attrs, *inputs[ONE_OP_INPUTS_MAX], *outputs[ONE_OP_OUTPUTS_MAX];
};

/* A parsed tensor; undefined elements are "?". */
struct one_op_tensor {
    enum dtype dtype;
    uint32_t rank;
    int64_t dims[TENSOR_RANK_MAX];
    size_t n;
    double at[ONE_OP_ELEMENTS_MAX];
    bool undefined[ONE_OP_ELEMENTS_MAX];
};

static inline void one_op_parse(const char *text, struct one_op_tensor *t)
{
    const char *open = strchr(text, '['), *p = open;
    *t = (struct one_op_tensor){.dtype = dtype_find((struct str){text, (size_t)(open - text)})};
    if (t->dtype == DTYPE_UNDEFINED)
        fail_msg("no dtype in \"%s\"", text);
    for (p++; *p && *p != ']';) {
        char *end;
        t->dims[t->rank++] = strtoll(p, &end, 10);
        p = *end == ',' ? end + 1 : end;
    }
    for (p++; *p;) {
        char *end;
        while (*p == ' ')
            p++;
        if (!*p)
            break;
        t->undefined[t->n] = *p == '?';
        t->at[t->n] = *p == '?' ? 0 : strtod(p, &end);
        p = *p == '?' ? p + 1 : end;
        t->n++;
    }
}

static inline void one_op_list(struct model *m, struct node *n, const char *name, const char *text)
{
    int64_t ints[64];
    float floats[64];
    size_t count = 0;
    bool is_float = *text == '(';
    for (const char *p = text + 1; *p && *p != ']' && *p != ')';) {
        char *end;
        floats[count] = strtof(p, &end);
        ints[count++] = strtoll(p, NULL, 10);
        p = *end == ',' ? end + 1 : end;
    }
    if (is_float)
        node_set_floats(m, n, name, floats, count);
    else
        node_set_ints(m, n, name, ints, count);
}

static inline void one_op_attrs(struct model *m, struct node *n, const char *attrs)
{
    struct str rest = str_of(attrs), part;
    while (*attrs && str_split(&rest, ' ', &part)) {
        struct str name;
        str_split(&part, '=', &name);
        char *key = str_dup(m->arena, name), *value = str_dup(m->arena, part);
        if (*value == '\'') {
            value[part.n - 1] = 0;
            node_set_string(m, n, key, value + 1);
        } else if (*value == '[' || *value == '(') {
            one_op_list(m, n, key, value);
        } else if (strchr(value, '.')) {
            node_set_float(m, n, key, strtof(value, NULL));
        } else {
            node_set_int(m, n, key, strtoll(value, NULL, 10));
        }
    }
}

/* A model of the row's operator, built, inferred and run. */
struct one_op_run {
    bool is_blind; /* inference knows no shape of an input, so that kernels check them alone */
    struct arena a;
    struct model *m;
    struct err e;
    struct named_tensor at[ONE_OP_INPUTS_MAX];
    struct tensors inputs;
    struct eval_result r;
    bool ok;
};

static inline uint32_t one_op_input(struct one_op_run *run, const char *text)
{
    struct one_op_tensor t;
    struct tensor stored;
    if (!text || !*text)
        return VALUE_NONE;
    bool is_fixed = *text == '!';
    one_op_parse(text + is_fixed, &t);
    if (!tensor_from_doubles(t.dtype, t.dims, t.rank, t.at, &run->a, &stored, &run->e))
        fail_msg("\"%s\": %s", text, run->e.text);
    if (is_fixed)
        return graph_add_initializer(run->m, run->m->graph, STR("w"),
                                     arena_dup(&run->a, &stored, sizeof stored));
    uint32_t v = graph_add_input(run->m, run->m->graph, STR("x"), t.dtype, t.dims, t.rank);
    run->m->graph->values.at[v].shape.known = !run->is_blind;
    run->at[run->inputs.n++] = (struct named_tensor){run->m->graph->values.at[v].name, stored};
    return v;
}

static inline void one_op_start(struct one_op_run *run, const struct one_op_row *row,
                                const struct eval_options *options, bool is_blind)
{
    uint32_t in[ONE_OP_INPUTS_MAX], n_in = 0, n_out = 0;
    *run = (struct one_op_run){.is_blind = is_blind};
    arena_init(&run->a);
    run->m = model_new(&run->a, row->opset);
    run->inputs.at = run->at;
    for (uint32_t i = 0; i < ONE_OP_INPUTS_MAX; i++) {
        in[i] = one_op_input(run, row->inputs[i]);
        n_in = in[i] == VALUE_NONE ? n_in : i + 1;
    }
    while (n_out < ONE_OP_OUTPUTS_MAX && row->outputs[n_out])
        n_out++;
    uint32_t y = graph_add_node(run->m, run->m->graph, row->op, in, n_in, n_out);
    one_op_attrs(run->m, graph_last_node(run->m->graph), row->attrs ? row->attrs : "");
    for (uint32_t o = 0; o < n_out; o++)
        graph_add_output(run->m->graph, y + o);
    run->ok = model_finish(run->m, &run->e) && infer_model(run->m, &run->e) &&
              eval_run(run->m, &run->inputs, options, &run->a, &run->r, &run->e);
}

static inline void one_op_open(struct one_op_run *run, const struct one_op_row *row,
                               const struct eval_options *options)
{
    one_op_start(run, row, options, false);
}

static inline const struct value *one_op_output(const struct one_op_run *run, uint32_t o)
{
    return &run->r.values[run->m->graph->outputs.at[o]];
}

/* The value has the row's dtype, dims and elements; what inference said of it holds. */
static inline void one_op_compare(const struct one_op_run *run, const struct one_op_row *row,
                                  uint32_t o)
{
    struct one_op_tensor t;
    const struct value *v = one_op_output(run, o);
    const struct graph_value *said = &run->m->graph->values.at[run->m->graph->outputs.at[o]];
    one_op_parse(row->outputs[o], &t);
    ASSERT_ROW(v->dtype == t.dtype && said->dtype == t.dtype, row->name);
    ASSERT_ROW(v->rank == t.rank && (!said->shape.known || said->shape.rank == t.rank), row->name);
    for (uint32_t d = 0; d < t.rank; d++) {
        ASSERT_ROW(v->dims[d] == t.dims[d], row->name);
        if (said->shape.known && said->shape.dims[d].value >= 0)
            ASSERT_ROW(said->shape.dims[d].value == t.dims[d], row->name);
    }
    ASSERT_ROW(v->n == t.n, row->name);
    for (size_t i = 0; i < t.n; i++) {
        double x = value_get_double(v, i), d = fabs(x - t.at[i]);
        bool is_undefined = v->undefined && v->undefined[i];
        bool same = x == t.at[i] || (isnan(x) && isnan(t.at[i])) || d <= 1e-6 * (1 + fabs(t.at[i]));
        if (is_undefined != t.undefined[i] || (!is_undefined && !same))
            fail_msg("row \"%s\": element %zu of output %u is %.9g%s", row->name, i, o, x,
                     is_undefined ? ", undefined" : "");
    }
}

static inline void one_op_check_run(const struct one_op_row *row, bool is_blind)
{
    static const struct eval_options plain = {0};
    struct one_op_run run;
    one_op_start(&run, row, &plain, is_blind);
    bool is_data = !strcmp(row->outputs[0], "data");
    bool is_unsupported = !strcmp(row->outputs[0], "unsupported");
    if (is_data || is_unsupported) {
        ASSERT_ROW(!run.ok, row->name);
        ASSERT_ROW(run.e.code == (is_data ? ERR_DATA : ERR_UNSUPPORTED), row->name);
    } else {
        if (!run.ok)
            fail_msg("row \"%s\": %s", row->name, run.e.text);
        for (uint32_t o = 0; o < ONE_OP_OUTPUTS_MAX && row->outputs[o]; o++)
            one_op_compare(&run, row, o);
    }
    arena_done(&run.a);
}

static inline void one_op_check(const struct one_op_row *row)
{
    one_op_check_run(row, false);
    one_op_check_run(row, true);
}

#define ONE_OP_CHECK_ALL(rows)                                                                     \
    do {                                                                                           \
        for (size_t row_at = 0; row_at < COUNT_OF(rows); row_at++)                                 \
            one_op_check(&(rows)[row_at]);                                                         \
    } while (0)

#endif
