/*
 * Decides what an engine is sent in a full probe, and what its answers mean. Must not know how the
 * result is kept (target/accepted.h). Invariant: an operator that did not run in a probe does not
 * count as missing, and hunts still send it: the model may have been refused for an attribute or
 * for another operator in it, or the engine may have crashed on it.
 */
#include "cli/probe.h"

#include "case/inputs.h"
#include "generate/zoo.h"
#include "onnx/op.h"

enum {
    TRIES = 3,       /* models per operator and dtype, until one runs */
    LAST_TRIES = 12, /* more of them for an operator that ran in no dtype */
    SEEDS = 6,       /* per model, until the layer can be added */
    OPSET_MAX = 26,  /* newest that layer builders write */
    REASON_MAX = 400,
    MODEL_DEADLINE_MS = 5000
};

enum answer { ANSWER_NOT_ASKED, ANSWER_RAN, ANSWER_UNSUPPORTED, ANSWER_FAILED };

struct prober {
    struct pool *pool;
    struct loop *loop;
    struct arena *kept; /* rows live here */
    const struct target *const *modes;
    size_t n_modes;
    int largest_opset;
    const struct op *ops;
    size_t n_ops;
    struct accepted_operator *rows; /* by operator; without dtypes: no model could be made */
};

/* Does the standard allow the dtype for some input? Operators without tensors get floats, of which
 * their layer builders make what they need. */
static bool takes(const struct op *op, int opset, enum dtype t)
{
    const struct op_fact *fact = op_fact_find(STR(""), str_of(op->name), opset);
    uint32_t dtypes = 0;
    if (!fact || fact->deprecated)
        return false;
    for (int i = 0; i < fact->n_input_facts; i++)
        dtypes |= fact->inputs[i].dtypes;
    return dtypes ? (dtypes & dtype_bit(t)) != 0 : t == DTYPE_FLOAT;
}

/* The opset of try `at`; 0: there is none. */
static int choose_opset(const struct prober *p, const struct op *op, enum dtype t, unsigned at)
{
    int largest = MIN(p->largest_opset, (int)OPSET_MAX);
    const int wanted[] = {17, largest, 21, 13, 11};
    int found[COUNT_OF(wanted)];
    unsigned n = 0;
    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        if (wanted[i] <= largest && takes(op, wanted[i], t))
            found[n++] = wanted[i];
    return n ? found[at % n] : 0;
}

static bool make_strings(const struct model *m, struct arena *a, struct tensors *out)
{
    static const char *const words[] = {"a", "bc", "", "a"};
    const struct graph *g = m->graph;
    struct named_tensor *rows = arena_new_array(a, struct named_tensor, g->inputs.n);
    for (size_t i = 0; i < g->inputs.n; i++) {
        const struct graph_value *v = &g->values.at[g->inputs.at[i]];
        int64_t *dims = arena_new_array(a, int64_t, v->shape.rank);
        struct tensor *t = &rows[i].tensor;
        for (uint32_t d = 0; d < v->shape.rank; d++)
            dims[d] = v->shape.dims[d].value;
        *t = (struct tensor){.dtype = v->dtype, .rank = v->shape.rank, .dims = dims};
        if (v->dtype != DTYPE_STRING || !tensor_count(t->dtype, dims, t->rank, &t->n))
            return false;
        struct str *strings = arena_new_array(a, struct str, t->n);
        for (size_t k = 0; k < t->n; k++)
            strings[k] = str_of(words[k % COUNT_OF(words)]);
        t->strings = strings;
        rows[i].name = v->name;
    }
    *out = (struct tensors){rows, g->inputs.n};
    return true;
}

/* Does a node of the operator read a value of the dtype, and not a Cast of it? */
static bool reads(const struct model *m, const struct op *op, enum dtype t)
{
    const struct graph *g = m->graph;
    for (size_t i = 0; i < g->nodes.n; i++)
        for (uint32_t k = 0; g->nodes.at[i].op == op && k < g->nodes.at[i].n_inputs; k++) {
            uint32_t v = g->nodes.at[i].inputs[k];
            if (v != VALUE_NONE && g->values.at[v].dtype == t)
                return true;
        }
    return false;
}

static struct tcase *make_case(const struct prober *p, const struct op *op, enum dtype t,
                               unsigned at, struct arena *a)
{
    struct zoo_options o = {.opset = choose_opset(p, op, t, at)};
    struct tensors *set = arena_new(a, struct tensors);
    for (unsigned i = 0; o.opset && i < SEEDS; i++) {
        struct model *m;
        struct err ignored;
        struct rng r;
        struct input_options style = {INPUT_GRID, 0};
        o.seed = at * SEEDS + i;
        rng_init(&r, o.seed, RNG_INPUT, 0);
        if (!zoo_build_operator(op->name, t, &o, a, &m, &ignored) ||
            (t != DTYPE_FLOAT && !reads(m, op, t)))
            continue;
        if (t == DTYPE_STRING ? !make_strings(m, a, set)
                              : !inputs_generate(m, &style, &r, a, set, &ignored))
            continue;
        return case_of_graph(m, set, 1, (struct provenance){.generator = "probe", .seed = o.seed},
                             a);
    }
    return NULL;
}

/* The answer over all modes: it ran in one, else it is unsupported in all, else it failed. */
static enum answer answer_of(const struct pool_result *seen, const struct observation **telling)
{
    enum answer answer = ANSWER_UNSUPPORTED;
    *telling = &seen->observations[0];
    for (size_t i = 0; i < seen->n_observations; i++) {
        if (seen->observations[i].outcome == OUTCOME_OK)
            return ANSWER_RAN;
        if (seen->observations[i].outcome != OUTCOME_UNSUPPORTED) {
            answer = ANSWER_FAILED;
            *telling = &seen->observations[i];
        }
    }
    return answer;
}

static bool ask(struct prober *p, size_t op_at, enum dtype t, unsigned at, enum answer *out,
                struct err *e)
{
    struct pool_result seen;
    struct arena a;
    *out = ANSWER_NOT_ASKED;
    arena_init(&a);
    struct tcase *c = make_case(p, &p->ops[op_at], t, at, &a);
    struct pool_request request = {.c = c,
                                   .targets = p->modes,
                                   .n_targets = p->n_modes,
                                   .arena = &a,
                                   .deadline_ms = MODEL_DEADLINE_MS};
    bool ok = !c || pool_run(p->pool, &request, &seen, e);
    if (c && ok) {
        const struct observation *o;
        *out = answer_of(&seen, &o);
        if (*out != ANSWER_RAN)
            p->rows[op_at].reason =
                str_of(arena_printf(p->kept, "%s: " STR_FMT, outcome_name(o->outcome),
                                    STR_ARG(str_sub(o->message.raw, 0, REASON_MAX))));
        if (o->outcome == OUTCOME_IMPORT_FAILURE)
            ok = err_set(e, ERR_ENVIRONMENT, "the worker does not start: " STR_FMT,
                         STR_ARG(o->message.raw));
    }
    arena_done(&a);
    return ok;
}

static bool ask_dtype(struct prober *p, size_t op_at, enum dtype t, unsigned from, unsigned n,
                      struct err *e)
{
    struct accepted_operator *row = &p->rows[op_at];
    for (unsigned at = from; at < from + n; at++) {
        enum answer answer;
        if (!ask(p, op_at, t, at, &answer, e))
            return false;
        if (answer == ANSWER_UNSUPPORTED)
            row->unsupported |= dtype_bit(t);
        if (answer == ANSWER_FAILED)
            row->failed |= dtype_bit(t);
        if (answer == ANSWER_RAN) {
            row->accepted |= dtype_bit(t);
            break;
        }
    }
    return true;
}

/* Leaves each tried dtype in one of the three sets. */
static void settle(struct accepted_operator *row)
{
    row->failed &= ~row->accepted;
    row->unsupported &= ~(row->accepted | row->failed);
    if (!row->unsupported && !row->failed)
        row->reason = STR(""); /* the reason is of an earlier try: a later one ran */
}

static bool ask_operator(struct prober *p, size_t op_at, struct err *e)
{
    struct accepted_operator *row = &p->rows[op_at];
    row->op_type = str_of(p->ops[op_at].name);
    for (int t = DTYPE_UNDEFINED + 1; t < DTYPE_COUNT; t++)
        if (!ask_dtype(p, op_at, (enum dtype)t, 0, TRIES, e))
            return false;
    for (int t = DTYPE_UNDEFINED + 1; t < DTYPE_COUNT && !row->accepted; t++)
        if ((row->unsupported | row->failed) & dtype_bit((enum dtype)t) &&
            !ask_dtype(p, op_at, (enum dtype)t, TRIES, LAST_TRIES, e))
            return false;
    settle(row);
    return true;
}

/* Collects the rows of operators that were tried. */
static struct accepted gather(const struct prober *p)
{
    struct accepted_operator *rows = arena_new_array(p->kept, struct accepted_operator, p->n_ops);
    size_t n = 0;
    for (size_t i = 0; i < p->n_ops; i++)
        if (p->rows[i].accepted | p->rows[i].unsupported | p->rows[i].failed)
            rows[n++] = p->rows[i];
    return (struct accepted){rows, n};
}

static bool open_prober(struct prober *p, const struct probe_options *o, struct arena *a,
                        struct err *e)
{
    struct target_list list = {0};
    const struct target_description *d = o->installation->description;
    const char *name =
        arena_printf(a, STR_FMT "@" STR_FMT, STR_ARG(d->engine), STR_ARG(o->installation->version));
    if (!targets_resolve(o->all, name, a, &list, e))
        return false;
    p->kept = a;
    p->modes = list.at;
    p->n_modes = list.n;
    p->largest_opset = o->installation->traits.largest_opset;
    p->ops = op_list(&p->n_ops);
    p->rows = arena_new_array(a, struct accepted_operator, p->n_ops);
    struct pool_options options = {.home = o->home};
    if (!loop_open(&p->loop, e))
        return false;
    options.loop = p->loop;
    return pool_open(&options, &p->pool, e);
}

bool probe_operators(const struct probe_options *o, struct arena *a, struct accepted *out,
                     struct err *e)
{
    struct prober p = {0};
    bool ok = open_prober(&p, o, a, e);
    for (size_t i = 0; ok && i < p.n_ops; i++) {
        ok = ask_operator(&p, i, e);
        if (o->on_progress)
            o->on_progress(o->ctx, i + 1, p.n_ops);
    }
    if (ok)
        *out = gather(&p);
    pool_close(p.pool);
    loop_close(p.loop);
    return ok;
}
