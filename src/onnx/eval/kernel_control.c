/*
 * If, Loop, Scan: subgraphs run through kernel__graph, which keeps the budget and the depth. The
 * number of iterations is bounded by the budget: each one is charged.
 *
 * A condition that is itself undefined is refused, since the standard then defines neither branch.
 */
#include <string.h>

#include "onnx/eval/kernel_p.h"

enum { TURN_MACS = 1000 }; /* least cost of an iteration, so that endless loops end */

static bool bool_of(const struct value *v, bool *out, struct err *e)
{
    if (v->n != 1)
        return err_set(e, ERR_DATA, "a condition of %zu elements", v->n);
    if (kernel__is_tainted(v))
        return err_set(e, ERR_UNSUPPORTED, "the condition is an element that is not defined");
    *out = v->b[0];
    return true;
}

static const struct graph *body_of(const struct kernel *k, const char *name, struct err *e)
{
    const struct attr *t = node_attr(k->n, name);
    if (t && t->kind == ATTR_GRAPH)
        return t->g;
    err_set(e, ERR_DATA, "attribute %s is no graph", name);
    return NULL;
}

/* Makes a value of a subgraph the node's output, with what is known of its error. */
static void hand_out(struct kernel *k, uint32_t o, const struct value *v)
{
    k->out[o] = *v;
    k->out[o].scales = NULL;
    k->out[o].noise_scale = 0;
    kernel__no_taint(k, o);
}

/* If: the outputs of the branch that the condition chooses. */
bool kernel__if(struct kernel *k, struct err *e)
{
    bool cond;
    if (!bool_of(k->in[0], &cond, e))
        return false;
    const struct graph *g = body_of(k, cond ? "then_branch" : "else_branch", e);
    if (!g || g->outputs.n != k->n->n_outputs)
        return g ? err_set(e, ERR_DATA, "a branch with %zu outputs", g->outputs.n) : false;
    struct value *out = arena_new_array(k->scratch, struct value, g->outputs.n);
    if (!kernel__graph(k, g, &(struct kernel_call){.outputs = out}, e))
        return false;
    for (uint32_t o = 0; o < k->n->n_outputs; o++)
        hand_out(k, o, &out[o]);
    return true;
}

static struct value number_value(enum dtype t, int64_t v, struct arena *a)
{
    struct value x = {.dtype = t, .storage = storage_of(t), .n = 1, .exact = true};
    if (t == DTYPE_BOOL) {
        uint8_t b = v != 0;
        x.b = arena_dup(a, &b, 1);
    } else {
        x.i = arena_dup(a, &v, sizeof v);
    }
    x.dims = arena_alloc(a, sizeof *x.dims);
    return x;
}

/* The elements of one scan output, one per iteration. */
struct gathered {
    VEC(struct value) turns;
};

/* Makes one output of its elements, side by side along a new axis, in the order of iterations or
 * backward. */
static bool stack(struct kernel *k, uint32_t o, const struct gathered *g, int64_t axis,
                  bool backward, struct err *e)
{
    const struct value *first = &g->turns.at[0];
    int64_t dims[TENSOR_RANK_MAX + 1];
    if (first->rank + 1 > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "a scan output of rank %u", first->rank + 1);
    if (!kernel__fix_axis(&axis, first->rank + 1, e))
        return false;
    for (uint32_t d = 0; d <= first->rank; d++)
        dims[d] = d == axis ? (int64_t)g->turns.n : first->dims[d - (d > axis)];
    if (!kernel__output(k, o, first->dtype, first->rank + 1, dims, e))
        return false;
    struct axis_split s = axis_split(&k->out[o], axis);
    size_t size = storage_size(first->storage);
    bool exact = true;
    kernel__no_taint(k, o);
    for (size_t t = 0; t < g->turns.n; t++) {
        const struct value *v = &g->turns.at[backward ? g->turns.n - 1 - t : t];
        if (v->dtype != first->dtype || v->rank != first->rank ||
            memcmp(v->dims, first->dims, v->rank * sizeof *v->dims) != 0)
            return err_set(e, ERR_DATA, "scan output %u changes its shape or type", o);
        exact &= v->exact;
        k->out[o].unit = MAX(k->out[o].unit, v->unit);
        for (size_t i = 0; i < s.outer && s.inner; i++) {
            size_t to = (i * s.n + t) * s.inner;
            memcpy(k->to[o].b + to * size, v->b + i * s.inner * size, s.inner * size);
            if (v->undefined)
                memcpy(kernel__undefined(k, o) + to, v->undefined + i * s.inner, s.inner);
        }
    }
    kernel__set_exact(k, o, exact);
    return true;
}

/* A scan output without iterations: its elements have the shape that inference found in the body;
 * where that is not known, the node is refused. */
static bool stack_nothing(struct kernel *k, uint32_t o, const struct graph_value *element,
                          int64_t axis, struct err *e)
{
    int64_t dims[TENSOR_RANK_MAX + 1], own[TENSOR_RANK_MAX];
    const struct shape *s = &element->shape;
    if (!s->known || s->rank + 1 > TENSOR_RANK_MAX || !shape_to_dims(s, own))
        return err_set(e, ERR_UNSUPPORTED,
                       "a scan output of no iterations, whose elements have no known shape");
    if (!kernel__fix_axis(&axis, s->rank + 1, e))
        return false;
    for (uint32_t d = 0; d <= s->rank; d++)
        dims[d] = d == axis ? 0 : own[d - (d > axis)];
    return kernel__output(k, o, element->dtype, s->rank + 1, dims, e);
}

/* A running loop. What an iteration makes lives in `turn` until the next one begins; the state is
 * copied out of it, each time into the other of two arenas, since it may refer to the state before.
 * So memory does not grow with the number of iterations, but for scan outputs. */
struct loop {
    const struct graph *body;
    size_t n_state, n_scans;
    bool keeps_shape;               /* of its state: Scan's text requires it, Loop's does not */
    struct value *inputs, *outputs; /* of the body */
    const struct value **given;
    struct gathered *scans;
    struct arena turn, states[2];
    unsigned state_at; /* states[state_at] holds the state, but before the first iteration */
};

static void open_loop(struct kernel *k, struct loop *l)
{
    size_t n = l->body->inputs.n;
    l->inputs = arena_new_array(k->scratch, struct value, n);
    l->given = arena_new_array(k->scratch, const struct value *, n);
    l->outputs = arena_new_array(k->scratch, struct value, l->body->outputs.n);
    l->scans = arena_new_array(k->scratch, struct gathered, l->n_scans);
    for (size_t i = 0; i < n; i++)
        l->given[i] = &l->inputs[i];
    arena_init(&l->turn);
    arena_init(&l->states[0]);
    arena_init(&l->states[1]);
}

static void close_loop(struct loop *l)
{
    arena_done(&l->turn);
    arena_done(&l->states[0]);
    arena_done(&l->states[1]);
}

static bool run_turn(struct kernel *k, struct loop *l, struct err *e)
{
    const struct kernel_call call = {l->given, l->body->inputs.n, l->outputs, &l->turn};
    return kernel__charge(k, TURN_MACS, e) && kernel__graph(k, l->body, &call, e);
}

static bool copy_value(struct kernel *k, const struct value *v, struct arena *a, struct value *out,
                       struct err *e)
{
    *out = value_copy(v, a);
    return kernel__charge(k, v->n, e);
}

static bool check_state(const struct loop *l, const struct value *before, const struct value *after,
                        size_t i, struct err *e)
{
    if (before->dtype != after->dtype)
        return err_set(e, ERR_DATA, "state %zu is %s before the body, %s after it", i,
                       dtype_name(before->dtype), dtype_name(after->dtype));
    bool same = before->rank == after->rank &&
                (!before->rank ||
                 memcmp(before->dims, after->dims, before->rank * sizeof *before->dims) == 0);
    return same || !l->keeps_shape || err_set(e, ERR_DATA, "state %zu changes its shape", i);
}

/* Takes the body's outputs as state of the next iteration and as elements of the scan outputs; the
 * first `lead` are neither. */
static bool take_results(struct kernel *k, struct loop *l, size_t first_in, size_t lead,
                         struct err *e)
{
    struct arena *to = &l->states[l->state_at = !l->state_at];
    arena_reset(to);
    for (size_t i = 0; i < l->n_state; i++) {
        struct value *state = &l->inputs[first_in + i];
        if (!check_state(l, state, &l->outputs[lead + i], i, e) ||
            !copy_value(k, &l->outputs[lead + i], to, state, e))
            return false;
    }
    for (size_t i = 0; i < l->n_scans; i++) {
        struct value element;
        if (!copy_value(k, &l->outputs[lead + l->n_state + i], k->a, &element, e) ||
            !budget__charge_bytes(k->budget, sizeof element, e))
            return false;
        vec_push(&l->scans[i].turns, k->a, element);
    }
    return true;
}

static bool give_results(struct kernel *k, const struct loop *l, size_t first_in, size_t lead,
                         const int64_t *axes, const int64_t *backward, struct err *e)
{
    for (uint32_t o = 0; o < l->n_state; o++) {
        struct value last = value_copy(&l->inputs[first_in + o], k->a);
        hand_out(k, o, &last);
    }
    for (size_t i = 0; i < l->n_scans; i++) {
        uint32_t o = (uint32_t)(l->n_state + i);
        const struct graph_value *element =
            &l->body->values.at[l->body->outputs.at[lead + l->n_state + i]];
        int64_t axis = axes ? axes[i] : 0;
        if (l->scans[i].turns.n ? !stack(k, o, &l->scans[i], axis, backward && backward[i], e)
                                : !stack_nothing(k, o, element, axis, e))
            return false;
    }
    return true;
}

static bool trip_count(const struct kernel *k, int64_t *n, struct err *e)
{
    const struct value *m = kernel__in(k, 0);
    *n = INT64_MAX;
    if (!m)
        return true;
    if (m->n != 1 || kernel__is_tainted(m))
        return err_set(e, ERR_DATA, "a trip count of %zu elements, or an undefined one", m->n);
    *n = m->i[0];
    return true;
}

static bool run_loop(struct kernel *k, struct loop *l, int64_t n_turns, bool goes_on, struct err *e)
{
    for (size_t i = 0; i < l->n_state; i++)
        l->inputs[i + 2] = *k->in[i + 2];
    for (int64_t turn = 0; turn < n_turns && goes_on; turn++) {
        bool cond;
        arena_reset(&l->turn);
        l->inputs[0] = number_value(DTYPE_INT64, turn, &l->turn);
        l->inputs[1] = number_value(DTYPE_BOOL, goes_on, &l->turn);
        if (!run_turn(k, l, e) || !take_results(k, l, 2, 1, e) ||
            !bool_of(&l->outputs[0], &cond, e))
            return false;
        goes_on = !kernel__in(k, 1) || cond;
    }
    return give_results(k, l, 2, 1, NULL, NULL, e);
}

/* Loop: trip count, condition, state -> state, scan outputs (iterations, ..). */
bool kernel__loop(struct kernel *k, struct err *e)
{
    struct loop l = {.body = body_of(k, "body", e)};
    int64_t n_turns;
    bool goes_on = true;
    if (!l.body || !trip_count(k, &n_turns, e) ||
        (kernel__in(k, 1) && !bool_of(k->in[1], &goes_on, e)))
        return false;
    l.n_state = k->n_in < 2 ? 0 : k->n_in - 2;
    if (l.body->inputs.n != l.n_state + 2 || l.body->outputs.n != k->n->n_outputs + 1 ||
        k->n->n_outputs < l.n_state)
        return err_set(e, ERR_DATA, "the body's inputs or outputs do not fit the node's");
    l.n_scans = k->n->n_outputs - l.n_state;
    open_loop(k, &l);
    bool ok = run_loop(k, &l, n_turns, goes_on, e);
    close_loop(&l);
    return ok;
}

/* Element t of a scanned input, without the axis. */
static bool element_at(const struct value *v, int64_t axis, size_t t, struct arena *a,
                       struct value *out, struct err *e)
{
    if (!kernel__fix_axis(&axis, v->rank, e))
        return false;
    struct axis_split s = axis_split(v, axis);
    size_t size = storage_size(v->storage), n = s.outer * s.inner;
    int64_t *dims = arena_new_array(a, int64_t, v->rank);
    for (uint32_t d = 0; d < v->rank; d++)
        if (d != axis)
            dims[d - (d > axis)] = v->dims[d];
    uint8_t *data = arena_alloc(a, n * size), *flags = v->undefined ? arena_alloc(a, n) : NULL;
    for (size_t o = 0; o < s.outer && s.inner; o++) {
        size_t from = (o * s.n + t) * s.inner;
        memcpy(data + o * s.inner * size, v->b + from * size, s.inner * size);
        if (flags)
            memcpy(flags + o * s.inner, v->undefined + from, s.inner);
    }
    *out = *v;
    out->rank = v->rank - 1;
    out->dims = dims;
    out->n = n;
    out->b = data;
    out->undefined = flags;
    out->margin = out->scales = NULL;
    return true;
}

static bool list_of(const struct kernel *k, const char *name, size_t wanted, const int64_t **out,
                    struct err *e)
{
    size_t n;
    *out = node_ints(k->n, name, &n);
    return !*out || n == wanted ||
           err_set(e, ERR_DATA, "%s has %zu numbers, %zu are expected", name, n, wanted);
}

/* One run over the steps; lists of axes and directions may be NULL. */
struct scan {
    const struct value *inputs; /* state, then scanned */
    size_t n_inputs;
    const int64_t *in_axes, *in_back, *out_axes, *out_back;
    int64_t n_turns;
};

static bool scan_turns(struct kernel *k, struct loop *l, const struct scan *s, struct err *e)
{
    for (size_t i = 0; i < l->n_state; i++)
        l->inputs[i] = s->inputs[i];
    for (int64_t turn = 0; turn < s->n_turns; turn++) {
        arena_reset(&l->turn);
        for (size_t i = l->n_state; i < s->n_inputs; i++) {
            size_t j = i - l->n_state;
            int64_t at = s->in_back && s->in_back[j] ? s->n_turns - 1 - turn : turn;
            int64_t axis = s->in_axes ? s->in_axes[j] : 0;
            if (!element_at(&s->inputs[i], axis, (size_t)at, &l->turn, &l->inputs[i], e))
                return false;
        }
        if (!run_turn(k, l, e) || !take_results(k, l, 0, 0, e))
            return false;
    }
    return give_results(k, l, 0, 0, s->out_axes, s->out_back, e);
}

static bool run_scan(struct kernel *k, struct loop *l, const struct scan *s, struct err *e)
{
    open_loop(k, l);
    bool ok = scan_turns(k, l, s, e);
    close_loop(l);
    return ok;
}

/* Scan of opset 8 has a batch: one run for each element b of it, results side by side. All must
 * have every step: results after a shorter sequence have no defined value. */
static bool run_scan8(struct kernel *k, struct loop *l, struct scan *s, struct err *e)
{
    size_t n = k->n_in - 1, n_lens, n_out = k->n->n_outputs;
    const int64_t *lens = kernel__ints(k, 0, &n_lens);
    struct value *now = arena_new_array(k->scratch, struct value, n);
    struct gathered *all = arena_new_array(k->scratch, struct gathered, n_out);
    if (k->in[1]->rank < 1 || k->in[n]->rank < 2 || k->in[1]->dims[0] < 1)
        return err_set(e, ERR_UNSUPPORTED, "an empty batch");
    int64_t n_batch = k->in[1]->dims[0];
    s->inputs = now;
    s->n_inputs = n;
    s->n_turns = k->in[n]->dims[1];
    for (int64_t b = 0; b < n_batch; b++) {
        if (lens && ((size_t)b >= n_lens || lens[b] != s->n_turns))
            return err_set(e, ERR_UNSUPPORTED, "sequences that end before their tensor");
        for (size_t i = 0; i < n; i++) {
            const struct value *v = k->in[i + 1];
            if (v->rank < 1 || v->dims[0] != n_batch ||
                (i >= l->n_state && (v->rank < 2 || v->dims[1] != s->n_turns)))
                return err_set(e, ERR_DATA, "input %zu has another batch or other steps", i + 1);
            if (!element_at(v, 0, (size_t)b, k->a, &now[i], e))
                return false;
        }
        if (!run_scan(k, l, s, e))
            return false;
        for (size_t o = 0; o < n_out; o++)
            vec_push(&all[o].turns, k->scratch, k->out[o]);
    }
    for (size_t o = 0; o < n_out; o++)
        if (!stack(k, (uint32_t)o, &all[o], 0, false, e))
            return false;
    return true;
}

/* Scan: state, scanned inputs -> state, scan outputs. */
bool kernel__scan(struct kernel *k, struct err *e)
{
    struct loop l = {.body = body_of(k, "body", e), .keeps_shape = true};
    struct scan s = {.n_turns = -1};
    bool is_old = k->n->fact->since_version < 9;
    int64_t n_given = node_int(k->n, "num_scan_inputs", 0);
    size_t n_in = k->n_in - is_old;
    if (!l.body)
        return false;
    if (n_given < 1 || n_given > (int64_t)n_in || l.body->inputs.n != n_in ||
        l.body->outputs.n != k->n->n_outputs || k->n->n_outputs < n_in - (size_t)n_given)
        return err_set(e, ERR_DATA, "the body's inputs or outputs do not fit the node's");
    l.n_state = n_in - (size_t)n_given;
    l.n_scans = k->n->n_outputs - l.n_state;
    if (!list_of(k, is_old ? "directions" : "scan_input_directions", (size_t)n_given, &s.in_back,
                 e))
        return false;
    if (is_old)
        return run_scan8(k, &l, &s, e);
    if (!list_of(k, "scan_input_axes", (size_t)n_given, &s.in_axes, e) ||
        !list_of(k, "scan_output_axes", l.n_scans, &s.out_axes, e) ||
        !list_of(k, "scan_output_directions", l.n_scans, &s.out_back, e))
        return false;
    struct value *inputs = arena_new_array(k->scratch, struct value, n_in);
    for (size_t i = 0; i < n_in; i++) {
        inputs[i] = *k->in[i];
        if (i < l.n_state)
            continue;
        int64_t axis = s.in_axes ? s.in_axes[i - l.n_state] : 0;
        if (!kernel__fix_axis(&axis, k->in[i]->rank, e))
            return false;
        if (s.n_turns >= 0 && s.n_turns != k->in[i]->dims[axis])
            return err_set(e, ERR_DATA, "scan inputs of %lld and %lld steps", (long long)s.n_turns,
                           (long long)k->in[i]->dims[axis]);
        s.n_turns = k->in[i]->dims[axis];
    }
    s.inputs = inputs;
    s.n_inputs = n_in;
    return run_scan(k, &l, &s, e);
}

/* OptionalHasElement: is there an input? A tensor always has an element. */
bool kernel__optional_has_element(struct kernel *k, struct err *e)
{
    if (!kernel__output(k, 0, DTYPE_BOOL, 0, NULL, e))
        return false;
    k->to[0].b[0] = kernel__in(k, 0) != NULL;
    kernel__no_taint(k, 0);
    kernel__set_exact(k, 0, true);
    return true;
}

/* OptionalGetElement of a tensor: the tensor. */
bool kernel__optional_get_element(struct kernel *k, struct err *e)
{
    (void)e;
    kernel__alias(k, 0, 0, k->in[0]->rank, k->in[0]->dims);
    return true;
}
