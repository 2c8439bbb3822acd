/*
 * Shapes of If, Loop and Scan: the bodies are inferred with what is known of their inputs. Where
 * the state of a Loop changes its shape between iterations, dims are made unknown until nothing
 * changes; by the text the state of a Scan keeps its shape.
 */
#include "onnx/infer/infer_p.h"

static struct graph *body_of(const struct infer *in, const char *name, struct err *e)
{
    const struct attr *t = node_attr(in->n, name);
    if (t && t->kind == ATTR_GRAPH)
        return t->g;
    err_set(e, ERR_DATA, "attribute %s is no graph", name);
    return NULL;
}

/* What holds of both shapes; where they differ it is unknown. */
static struct shape common_shape(const struct infer *in, const struct shape *a,
                                 const struct shape *b)
{
    if (!a->known || !b->known || a->rank != b->rank)
        return infer__unknown_shape();
    struct shape s = infer__copy_shape(in, a);
    for (uint32_t d = 0; d < s.rank; d++)
        if (!dim__equal(a->dims[d], b->dims[d]))
            s.dims[d] = dim_unknown();
    return s;
}

static const struct graph_value *output_of(const struct graph *g, size_t i)
{
    return &g->values.at[g->outputs.at[i]];
}

/* Is the condition the same in every run? Then only its branch counts. */
static bool known_branch(const struct infer *in, bool *cond)
{
    int64_t v;
    size_t n;
    bool known = infer__numbers(in, 0, &v, 1, &n) && n == 1;
    *cond = known && v;
    return known;
}

/* If: each output has what holds in both branches; a branch that is never taken does not count. */
bool infer__if(struct infer *in, struct err *e)
{
    struct graph *yes = body_of(in, "then_branch", e), *no = body_of(in, "else_branch", e);
    const struct shape *cond = infer__shape(in, 0);
    if (!yes || !no)
        return false;
    for (uint32_t d = 0; cond->known && d < cond->rank; d++)
        if (dim__differ(cond->dims[d], dim_of(1)))
            return err_set(e, ERR_DATA, "the condition has more than one element");
    bool is_true, known = known_branch(in, &is_true);
    if (!(known && !is_true) && !infer__graph(in, yes, NULL, 0, e))
        return err_wrap(e, "then_branch");
    if (!(known && is_true) && !infer__graph(in, no, NULL, 0, e))
        return err_wrap(e, "else_branch");
    if (yes->outputs.n != in->n->n_outputs || no->outputs.n != in->n->n_outputs)
        return err_set(e, ERR_DATA, "branches with %zu and %zu outputs for %u of the node",
                       yes->outputs.n, no->outputs.n, in->n->n_outputs);
    for (uint32_t o = 0; o < in->n->n_outputs; o++) {
        const struct graph_value *a = output_of(known && !is_true ? no : yes, o);
        const struct graph_value *b = output_of(known && is_true ? yes : no, o);
        if (a->not_tensor || b->not_tensor)
            return err_set(e, ERR_UNSUPPORTED, "output %u is no tensor", o);
        if (a->dtype != b->dtype)
            return err_set(e, ERR_DATA, "output %u is %s in one branch, %s in the other", o,
                           dtype_name(a->dtype), dtype_name(b->dtype));
        infer__set(in, o, a->dtype, common_shape(in, &a->shape, &b->shape));
    }
    return true;
}

/* Infers the body and widens its state until one more iteration changes nothing. State is at
 * inputs[first ..] and at outputs[first_out ..] of the body. The state of a Scan keeps its shape.
 */
struct turn {
    struct graph *body;
    struct infer_input *inputs;
    size_t n_inputs, n_state, first, first_out;
    bool keeps_shape;
};

static bool shapes_differ(const struct shape *a, const struct shape *b)
{
    bool differ = a->known && b->known && a->rank != b->rank;
    for (uint32_t d = 0; a->known && b->known && !differ && d < a->rank; d++)
        differ = dim__differ(a->dims[d], b->dims[d]);
    return differ;
}

static bool settle(struct infer *in, const struct turn *t, struct err *e)
{
    for (unsigned round = 0; round < TENSOR_RANK_MAX + 2; round++) {
        if (!infer__graph(in, t->body, t->inputs, t->n_inputs, e))
            return err_wrap(e, "body");
        bool has_changed = false;
        for (size_t i = 0; i < t->n_state; i++) {
            struct infer_input *state = &t->inputs[t->first + i];
            const struct graph_value *after = output_of(t->body, t->first_out + i);
            if (after->not_tensor)
                return err_set(e, ERR_UNSUPPORTED, "state %zu is no tensor", i);
            if (after->dtype != state->dtype)
                return err_set(e, ERR_DATA, "state %zu is %s before the body, %s after it", i,
                               dtype_name(state->dtype), dtype_name(after->dtype));
            if (t->keeps_shape && shapes_differ(&state->shape, &after->shape))
                return err_set(e, ERR_DATA, "state %zu changes its shape", i);
            struct shape both = common_shape(in, &state->shape, &after->shape);
            bool same = both.known == state->shape.known;
            for (uint32_t d = 0; same && both.known && d < both.rank; d++)
                same = dim__equal(both.dims[d], state->shape.dims[d]) ||
                       (state->shape.dims[d].value < 0 && !state->shape.dims[d].symbol);
            has_changed |= !same;
            state->shape = both;
        }
        if (!has_changed)
            return true;
    }
    return err_set(e, ERR_INTERNAL, "the shapes of a loop's state do not settle");
}

/* The shape of an element with one more dim at an axis. */
static bool inserted(const struct infer *in, const struct shape *s, int64_t axis, struct dim dim,
                     struct shape *out, struct err *e)
{
    *out = infer__unknown_shape();
    if (!s->known)
        return true;
    if (s->rank + 1 > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "the output has more than %d dims", TENSOR_RANK_MAX);
    if (!infer__fix_axis(&axis, s->rank + 1, e))
        return false;
    *out = infer__new_shape(in, s->rank + 1);
    for (uint32_t d = 0; d < out->rank; d++)
        out->dims[d] = d == axis ? dim : s->dims[d - (d > axis)];
    return true;
}

static bool need_one(const struct infer *in, uint32_t i, struct err *e)
{
    const struct shape *s = infer__shape(in, i);
    for (uint32_t d = 0; s->known && d < s->rank; d++)
        if (dim__differ(s->dims[d], dim_of(1)))
            return err_set(e, ERR_DATA, "input %u has more than one element", i);
    return true;
}

/* Loop: the widened state, then scan outputs with one more dim in front. */
bool infer__loop(struct infer *in, struct err *e)
{
    struct graph *body = body_of(in, "body", e);
    size_t n_state = in->n->n_inputs < 2 ? 0 : in->n->n_inputs - 2;
    if (!body || !need_one(in, 0, e) || !need_one(in, 1, e))
        return false;
    if (body->inputs.n != n_state + 2 || body->outputs.n != in->n->n_outputs + 1 ||
        body->outputs.n < n_state + 1)
        return err_set(e, ERR_DATA, "a body with %zu inputs and %zu outputs for %zu states",
                       body->inputs.n, body->outputs.n, n_state);
    struct infer_input *inputs = arena_new_array(in->a, struct infer_input, n_state + 2);
    inputs[0] = (struct infer_input){DTYPE_INT64, infer__new_shape(in, 0), NULL};
    inputs[1] = (struct infer_input){DTYPE_BOOL, infer__new_shape(in, 0), NULL};
    for (uint32_t i = 0; i < n_state; i++)
        inputs[i + 2] =
            (struct infer_input){infer__dtype(in, i + 2), *infer__shape(in, i + 2), NULL};
    if (!settle(in, &(struct turn){body, inputs, n_state + 2, n_state, 2, 1, false}, e))
        return false;
    for (uint32_t o = 0; o < in->n->n_outputs; o++) {
        const struct graph_value *v = output_of(body, o + 1);
        struct shape s = inputs[o < n_state ? o + 2 : 0].shape;
        if (v->not_tensor)
            return err_set(e, ERR_UNSUPPORTED, "output %u is no tensor", o);
        if (o >= n_state && !inserted(in, &v->shape, 0, dim_unknown(), &s, e))
            return false;
        infer__set(in, o, v->dtype, s);
    }
    return true;
}

/* Number i of a list attribute, or 0. */
static int64_t entry(const struct infer *in, const char *name, size_t i)
{
    size_t n;
    const int64_t *at = node_ints(in->n, name, &n);
    return i < n ? at[i] : 0;
}

/* The element of a scanned input that one iteration sees. */
static bool element_of(const struct infer *in, uint32_t i, int64_t axis, struct shape *out,
                       struct dim *length, struct err *e)
{
    const struct shape *s = infer__shape(in, i);
    *out = infer__unknown_shape();
    if (!s->known)
        return true;
    if (!infer__fix_axis(&axis, s->rank, e))
        return err_wrap(e, "scan input %u", i);
    *out = infer__new_shape(in, s->rank - 1);
    for (uint32_t d = 0; d < s->rank; d++)
        if (d != axis)
            out->dims[d - (d > axis)] = s->dims[d];
    if (dim__differ(*length, s->dims[axis]))
        return err_set(e, ERR_DATA, "scan inputs of %lld and %lld steps", (long long)length->value,
                       (long long)s->dims[axis].value);
    *length = dim__merge(*length, s->dims[axis]);
    return true;
}

/* Scan of opset 8: every value has a batch dim in front, scanned inputs then one for the steps;
 * input 0 holds the lengths. */
static bool infer_scan8(struct infer *in, struct graph *body, uint32_t n_scans, struct err *e)
{
    uint32_t n = in->n->n_inputs - 1, n_state = n - n_scans;
    struct infer_input *inputs = arena_new_array(in->a, struct infer_input, n);
    struct dim length = dim_unknown(), batch = dim_unknown();
    for (uint32_t i = 0; i < n; i++) {
        inputs[i].dtype = infer__dtype(in, i + 1);
        if (!element_of(in, i + 1, 0, &inputs[i].shape, &batch, e))
            return false;
        if (i >= n_state && inputs[i].shape.known) {
            struct shape *s = &inputs[i].shape;
            if (!s->rank || dim__differ(length, s->dims[0]))
                return err_set(e, ERR_DATA, "scan input %u has another number of steps, or none",
                               i);
            length = dim__merge(length, s->dims[0]);
            *s = (struct shape){true, s->rank - 1, s->dims + 1};
        }
    }
    if (!settle(in, &(struct turn){body, inputs, n, n_state, 0, 0, true}, e))
        return false;
    for (uint32_t o = 0; o < in->n->n_outputs; o++) {
        const struct graph_value *v = output_of(body, o);
        struct shape s = o < n_state ? inputs[o].shape : v->shape;
        if ((o >= n_state && !inserted(in, &s, 0, length, &s, e)) ||
            !inserted(in, &s, 0, batch, &s, e))
            return false;
        infer__set(in, o, v->dtype, s);
    }
    return true;
}

/* Scan: the body's state, then scan outputs with a dim for the steps at their axis. */
bool infer__scan(struct infer *in, struct err *e)
{
    struct graph *body = body_of(in, "body", e);
    int64_t n_scans = node_int(in->n, "num_scan_inputs", 0);
    struct dim length = dim_unknown();
    if (!body)
        return false;
    bool is_old = in->n->fact->since_version < 9;
    if (n_scans < 1 || n_scans > in->n->n_inputs - is_old ||
        body->inputs.n != in->n->n_inputs - is_old || body->outputs.n != in->n->n_outputs)
        return err_set(e, ERR_DATA, "%lld scan inputs, a body with %zu inputs and %zu outputs",
                       (long long)n_scans, body->inputs.n, body->outputs.n);
    uint32_t n = in->n->n_inputs, n_state = n - (uint32_t)n_scans;
    if (body->outputs.n < n_state - is_old)
        return err_set(e, ERR_DATA, "%zu outputs for %u states", body->outputs.n, n_state);
    if (is_old)
        return infer_scan8(in, body, (uint32_t)n_scans, e);
    struct infer_input *inputs = arena_new_array(in->a, struct infer_input, n);
    for (uint32_t i = 0; i < n; i++) {
        inputs[i] = (struct infer_input){infer__dtype(in, i), *infer__shape(in, i), NULL};
        if (i >= n_state && !element_of(in, i, entry(in, "scan_input_axes", i - n_state),
                                        &inputs[i].shape, &length, e))
            return false;
    }
    if (!settle(in, &(struct turn){body, inputs, n, n_state, 0, 0, true}, e))
        return false;
    for (uint32_t o = 0; o < in->n->n_outputs; o++) {
        const struct graph_value *v = output_of(body, o);
        struct shape s = o < n_state ? inputs[o].shape : infer__unknown_shape();
        if (o >= n_state &&
            !inserted(in, &v->shape, entry(in, "scan_output_axes", o - n_state), length, &s, e))
            return false;
        infer__set(in, o, v->dtype, s);
    }
    return true;
}

/* OptionalHasElement: a bool of rank 0. */
bool infer__optional_has_element(struct infer *in, struct err *e)
{
    (void)e;
    infer__set(in, 0, DTYPE_BOOL, infer__new_shape(in, 0));
    return true;
}

/* OptionalGetElement of a tensor: the tensor. */
bool infer__optional_get_element(struct infer *in, struct err *e)
{
    (void)e;
    return infer__same_as_input(in, 0, 0);
}
