/*
 * The part of the reference evaluator that is the same for every node: it keeps the values of each
 * graph, runs nodes in order, and sets unit, exactness, taint and noise after each. Only kernels
 * know operators.
 *
 * Invariant: a value is written once, when its node has run. Subgraphs run in a frame of their own
 * that copies the values around it; nesting is bounded by GRAPH_DEPTH_MAX.
 */
#include "onnx/eval.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "onnx/eval/kernel_p.h"
#include "onnx/eval/overflow_p.h"
#include "onnx/eval/perturb_p.h"

enum { SMALL = 8 }; /* inputs and outputs of most nodes */
#define DEFAULT_MACS ((uint64_t)1 << 31)
#define DEFAULT_BYTES ((uint64_t)1 << 31)

/* Initializers of one graph, widened once per run. */
struct constants {
    const struct graph *g;
    struct value *values, *unperturbed;
};

struct eval_state {
    const struct model *m;
    const struct eval_options *options;
    struct arena *a;            /* of the subgraph that runs, or `constants_in` */
    struct arena *constants_in; /* as long as the run */
    struct arena scratch;
    struct budget budget;
    struct rng rng;
    VEC(struct constants) constants;
};

struct eval_frame {
    const struct graph *g;
    struct value *values;
    struct value *unperturbed; /* inputs and initializers as given, for parameter inputs; or NULL */
    unsigned depth;
};

static bool is_perturbing(const struct eval_state *s)
{
    return s->options->perturb_seed != 0;
}

static void perturb_given(struct eval_state *s, struct value *v, struct arena *a)
{
    if (is_perturbing(s) && v->storage == STORAGE_F64)
        perturb__input(v, perturb__unit(dtype_unit(v->dtype), s->options->unit_at_least), &s->rng,
                       a);
}

/* Finds or makes the widened initializers of a graph. */
static bool constants_of(struct eval_state *s, const struct graph *g, struct constants *out,
                         struct err *e)
{
    for (size_t i = 0; i < s->constants.n; i++)
        if (s->constants.at[i].g == g) {
            *out = s->constants.at[i];
            return true;
        }
    struct constants fresh = {
        .g = g, .values = arena_new_array(s->constants_in, struct value, g->values.n)};
    const struct value *given = g->parent ? NULL : s->options->given;
    for (size_t v = 0; v < g->values.n; v++) {
        if (!g->values.at[v].initializer || (given && given[v].dtype != DTYPE_UNDEFINED))
            continue;
        struct value *to = &fresh.values[v];
        if (!value_from_tensor(g->values.at[v].initializer, s->constants_in, to, e))
            return err_wrap(e, "initializer '" STR_FMT "'", STR_ARG(g->values.at[v].name));
        if (!budget__charge_bytes(&s->budget, to->n * storage_size(to->storage), e))
            return false;
    }
    if (is_perturbing(s)) {
        fresh.unperturbed =
            arena_dup(s->constants_in, fresh.values, g->values.n * sizeof *fresh.unperturbed);
        for (size_t v = 0; v < g->values.n; v++)
            if (g->values.at[v].origin == ORIGIN_INITIALIZER)
                perturb_given(s, &fresh.values[v], s->constants_in);
    }
    vec_push(&s->constants, s->constants_in, fresh);
    *out = fresh;
    return true;
}

static bool open_frame(struct eval_state *s, const struct graph *g, const struct eval_frame *outer,
                       struct eval_frame *out, struct err *e)
{
    struct constants fixed = {0};
    if (outer && outer->depth + 1 >= GRAPH_DEPTH_MAX)
        return err_set(e, ERR_LIMIT, "subgraphs are nested more than %d deep", GRAPH_DEPTH_MAX);
    if (!constants_of(s, g, &fixed, e))
        return false;
    *out = (struct eval_frame){.g = g, .depth = outer ? outer->depth + 1 : 0};
    out->values = arena_dup(s->a, fixed.values, g->values.n * sizeof *out->values);
    if (fixed.unperturbed)
        out->unperturbed =
            arena_dup(s->a, fixed.unperturbed, g->values.n * sizeof *out->unperturbed);
    for (size_t v = 0; outer && v < g->values.n; v++) {
        if (g->values.at[v].origin != ORIGIN_OUTER)
            continue;
        out->values[v] = outer->values[g->values.at[v].origin_at];
        if (out->unperturbed && outer->unperturbed)
            out->unperturbed[v] = outer->unperturbed[g->values.at[v].origin_at];
    }
    return true;
}

/* Sets unit and exactness from the row of the operator, unless the kernel has set exactness. */
static void inherit(const struct kernel *k, struct value *v)
{
    double unit = 0;
    bool exact = true, has_float = v->storage == STORAGE_F64;
    for (uint32_t i = 0; i < k->n_in; i++) {
        if (!k->in[i])
            continue;
        exact &= k->in[i]->exact;
        has_float |= k->in[i]->storage == STORAGE_F64;
        if (!(i < 32 && k->n->op->parameter_inputs >> i & 1))
            unit = MAX(unit, k->in[i]->unit);
    }
    bool is_float = v->storage == STORAGE_F64;
    v->unit = MAX(v->unit, is_float ? MAX(unit, dtype_unit(v->dtype)) : 0);
    if (k->n->op->exactness == OP_EXACT || !has_float)
        v->exact |= exact;
}

/* Fills the rounding scale s where the row of the operator determines it. */
static void scale_by_row(struct kernel *k, uint32_t o)
{
    struct value *v = &k->out[o];
    if (v->scales || v->noise_scale != 0)
        return;
    if (k->n->op->rounding == OP_ROUND_UNIT) {
        v->noise_scale = 1;
    } else if (k->n->op->rounding == OP_ROUND_INPUT && k->want_noise && k->in[0]->n == v->n) {
        double *scales = kernel__scales(k, o);
        for (size_t i = 0; i < v->n; i++)
            scales[i] = fabs(k->in[0]->f[i]);
    }
}

static void finish_output(struct kernel *k, uint32_t o, bool may_overflow)
{
    struct eval_state *s = k->run;
    struct value *v = &k->out[o];
    inherit(k, v);
    if (!k->taint_done[o])
        kernel__taint_all(k, o);
    if (may_overflow)
        overflow__mark(k, o);
    if (v->storage != STORAGE_F64 || k->n->op->rounding == OP_ROUND_NONE)
        return;
    scale_by_row(k, o);
    if (is_perturbing(s))
        perturb__result(v, perturb__unit(v->unit, s->options->unit_at_least),
                        perturb__eta(v->dtype, s->options->flushes), &s->rng, s->a);
}

static bool check_inputs(const struct kernel *k, struct err *e)
{
    enum dtype few[SMALL], *dtypes = few;
    if (k->n_in > SMALL)
        dtypes = arena_new_array(k->scratch, enum dtype, k->n_in);
    for (uint32_t i = 0; i < k->n_in; i++) {
        dtypes[i] = k->in[i] ? k->in[i]->dtype : DTYPE_UNDEFINED;
        if (k->in[i] && dtypes[i] == DTYPE_UNDEFINED)
            return err_set(e, ERR_UNSUPPORTED, "input %u is no tensor", i);
    }
    return op_check_types(k->n->fact, &(struct op_types){dtypes, NULL, k->n_in, 0}, e);
}

static bool run_kernel(struct kernel *k, struct err *e)
{
    if (!check_inputs(k, e))
        return false;
    bool may_overflow = overflow__is_near(k);
    k->want_noise |= may_overflow;
    if (!kernel__of(k->n->op)(k, e))
        return false;
    for (uint32_t o = 0; o < k->n_out; o++) {
        if (k->out[o].dtype != DTYPE_UNDEFINED)
            finish_output(k, o, may_overflow);
        else if (kernel__wants(k, o))
            return err_set(e, ERR_UNSUPPORTED, "output %u is not computed", o);
    }
    return true;
}

static const struct value *input_of(const struct eval_frame *f, const struct node *n, uint32_t i)
{
    uint32_t v = n->inputs[i];
    if (v == VALUE_NONE)
        return NULL;
    bool is_parameter = i < 32 && n->op->parameter_inputs >> i & 1;
    if (is_parameter && f->unperturbed && f->unperturbed[v].dtype != DTYPE_UNDEFINED)
        return &f->unperturbed[v];
    return &f->values[v];
}

/* Declared here since nodes run subgraphs, which run nodes. */
static bool run_subgraph(const struct kernel *k, const struct graph *g,
                         const struct kernel_call *call, struct err *e);

static bool run_node(struct eval_state *s, struct eval_frame *f, const struct node *n,
                     struct err *e)
{
    const struct value *in_few[SMALL], **in = in_few;
    struct value out_few[SMALL], *out = out_few;
    union kernel_data to_few[SMALL], *to = to_few;
    bool taint_few[SMALL], *taint = taint_few;
    if (!op_check_node(n, s->m->opset, e))
        return false;
    arena_reset(&s->scratch);
    if (n->n_inputs > SMALL)
        in = arena_new_array(&s->scratch, const struct value *, n->n_inputs);
    if (n->n_outputs > SMALL) {
        out = arena_new_array(&s->scratch, struct value, n->n_outputs);
        to = arena_new_array(&s->scratch, union kernel_data, n->n_outputs);
        taint = arena_new_array(&s->scratch, bool, n->n_outputs);
    }
    uint32_t n_out =
        MAX(n->n_outputs, (uint32_t)SMALL); /* also for outputs that it does not name */
    memset(out, 0, n_out * sizeof *out);
    memset(to, 0, n_out * sizeof *to);
    memset(taint, 0, n_out * sizeof *taint);
    for (uint32_t i = 0; i < n->n_inputs; i++)
        in[i] = input_of(f, n, i);
    struct kernel k = {
        .n = n, .m = s->m, .in = in, .n_in = n->n_inputs, .out = out, .n_out = n_out, .to = to};
    k.opset = n->domain.n ? (int)model_opset_of(s->m, n->domain) : s->m->opset;
    k.options = s->options;
    k.want_noise = is_perturbing(s);
    if (s->options->exact && !f->g->parent && n->n_inputs && n->inputs[0] != VALUE_NONE)
        k.exact = &s->options->exact[n->inputs[0]];
    k.want_margins = s->options->want_margins || s->options->ties != EVAL_TIES_AS_IS;
    k.a = s->a;
    k.scratch = &s->scratch;
    k.taint_done = taint;
    k.budget = &s->budget;
    k.run = s;
    k.frame = f;
    k.run_graph = run_subgraph;
    if (!run_kernel(&k, e))
        return false;
    for (uint32_t o = 0; o < n->n_outputs; o++)
        if (n->outputs[o] != VALUE_NONE && f->values[n->outputs[o]].dtype == DTYPE_UNDEFINED)
            f->values[n->outputs[o]] = out[o];
    return true;
}

static bool has_outputs(const struct eval_frame *f, const struct node *n)
{
    for (uint32_t o = 0; o < n->n_outputs; o++)
        if (n->outputs[o] != VALUE_NONE && f->values[n->outputs[o]].dtype == DTYPE_UNDEFINED)
            return false;
    return true;
}

static bool run_nodes(struct eval_state *s, struct eval_frame *f, struct err *e)
{
    for (size_t i = 0; i < f->g->nodes.n; i++) {
        const struct node *n = &f->g->nodes.at[i];
        if (!has_outputs(f, n) && !run_node(s, f, n, e))
            return err_wrap(e, "%s", node_label(f->g, n, s->a));
    }
    return true;
}

static bool run_subgraph(const struct kernel *k, const struct graph *g,
                         const struct kernel_call *call, struct err *e)
{
    struct eval_state *s = k->run;
    struct eval_frame f;
    struct arena caller_scratch = s->scratch; /* the owner node still uses its own */
    struct arena *caller_arena = s->a;
    arena_init(&s->scratch);
    s->a = call->a ? call->a : s->a;
    bool ok = open_frame(s, g, k->frame, &f, e);
    if (ok && call->n_inputs != g->inputs.n)
        ok = err_set(e, ERR_DATA, "subgraph '" STR_FMT "' has %zu inputs, gets %zu",
                     STR_ARG(g->name), g->inputs.n, call->n_inputs);
    for (size_t i = 0; ok && i < call->n_inputs; i++) {
        f.values[g->inputs.at[i]] = *call->inputs[i];
        if (f.unperturbed)
            f.unperturbed[g->inputs.at[i]] = (struct value){.dtype = DTYPE_UNDEFINED};
    }
    ok = ok && run_nodes(s, &f, e);
    for (size_t i = 0; ok && i < g->outputs.n; i++)
        call->outputs[i] = f.values[g->outputs.at[i]];
    arena_done(&s->scratch);
    s->scratch = caller_scratch;
    s->a = caller_arena;
    return ok;
}

/* `sizes` holds, per symbol, the size that it has in this run; -1: none yet. */
static bool check_input_shape(const struct model *m, const struct graph_value *v,
                              const struct tensor *t, int64_t *sizes, struct err *e)
{
    if (v->dtype != DTYPE_UNDEFINED && v->dtype != t->dtype)
        return err_set(e, ERR_DATA, "is %s, the model declares %s", dtype_name(t->dtype),
                       dtype_name(v->dtype));
    if (!v->shape.known)
        return true;
    if (v->shape.rank != t->rank)
        return err_set(e, ERR_DATA, "has rank %u, the model declares %u", t->rank, v->shape.rank);
    for (uint32_t i = 0; i < t->rank; i++) {
        const struct dim *d = &v->shape.dims[i];
        int64_t wanted = d->value;
        if (d->value < 0 && d->symbol) {
            if (sizes[d->symbol - 1] < 0)
                sizes[d->symbol - 1] = t->dims[i];
            wanted = sizes[d->symbol - 1];
        }
        if (wanted < 0 || wanted == t->dims[i])
            continue;
        struct str name = d->symbol ? intern_str(&m->symbols, d->symbol - 1) : STR("");
        return err_set(e, ERR_DATA, "has size %lld in dim %u, the model declares %lld%s" STR_FMT,
                       (long long)t->dims[i], i, (long long)wanted, name.n ? " = " : "",
                       STR_ARG(name));
    }
    return true;
}

static bool bind_inputs(struct eval_state *s, struct eval_frame *f, const struct tensors *inputs,
                        struct err *e)
{
    const struct graph *g = f->g;
    int64_t *sizes = arena_new_array(s->a, int64_t, intern_count(&s->m->symbols));
    for (size_t i = 0; i < intern_count(&s->m->symbols); i++)
        sizes[i] = -1;
    for (size_t i = 0; i < g->inputs.n; i++) {
        uint32_t at = g->inputs.at[i];
        const struct graph_value *v = &g->values.at[at];
        if (s->options->given && s->options->given[at].dtype != DTYPE_UNDEFINED)
            continue;
        const struct tensor *t = inputs ? tensors_find(inputs, v->name) : NULL;
        if (!t && !v->initializer)
            return err_set(e, v->not_tensor ? ERR_UNSUPPORTED : ERR_DATA,
                           "input '" STR_FMT "' is %s", STR_ARG(v->name),
                           v->not_tensor ? "no tensor" : "missing");
        if (t && (!check_input_shape(s->m, v, t, sizes, e) ||
                  !value_from_tensor(t, s->a, &f->values[at], e)))
            return err_wrap(e, "input '" STR_FMT "'", STR_ARG(v->name));
        if (f->unperturbed)
            f->unperturbed[at] = f->values[at];
        perturb_given(s, &f->values[at], s->a);
    }
    return true;
}

static bool run_model(struct eval_state *s, const struct tensors *inputs, struct eval_frame *f,
                      struct err *e)
{
    const struct value *given = s->options->given;
    if (!open_frame(s, s->m->graph, NULL, f, e) || !bind_inputs(s, f, inputs, e))
        return false;
    for (size_t v = 0; given && v < f->g->values.n; v++)
        if (given[v].dtype != DTYPE_UNDEFINED) {
            f->values[v] = given[v];
            if (f->unperturbed)
                f->unperturbed[v] = given[v];
        }
    return run_nodes(s, f, e);
}

bool eval_run(const struct model *m, const struct tensors *inputs,
              const struct eval_options *options, struct arena *a, struct eval_result *out,
              struct err *e)
{
    struct eval_state s = {.m = m, .options = options, .a = a, .constants_in = a};
    struct eval_frame f = {.g = m->graph};
    s.budget.max_macs = options->budget.n_macs ? options->budget.n_macs : DEFAULT_MACS;
    s.budget.max_bytes = options->budget.n_bytes ? options->budget.n_bytes : DEFAULT_BYTES;
    arena_init(&s.scratch);
    rng_init(&s.rng, options->perturb_seed, RNG_PERTURB, 0);
    bool ok = run_model(&s, inputs, &f, e);
    arena_done(&s.scratch);
    *out = (struct eval_result){f.values, m->graph->values.n, s.budget.n_macs};
    return ok;
}
