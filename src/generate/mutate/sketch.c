/*
 * Adding nodes and parameters to a model, settling shapes on the way. Decides nothing about what to
 * build; knows which opset moved a parameter from attribute to input. The model in hand is a
 * mutant's own copy: a failed sketch leaves it to be thrown away.
 */
#include "generate/mutate/sketch_p.h"

#include <stdarg.h>
#include <stdio.h>

#include "onnx/infer.h"

/* What a failed sketch answers, so that arithmetic on shapes stays harmless until it is looked at.
 */
enum { FAILED_RANK = 4 };

void sketch__init(struct sketch *s, struct model *m, struct rng *r)
{
    *s = (struct sketch){.m = m, .g = m->graph, .r = r};
    s->n_settled = (uint32_t)m->graph->nodes.n;
}

void sketch__fail(struct sketch *s, const char *why)
{
    if (!s->failed)
        err_set(&s->e, ERR_DATA, "%s", why);
    s->failed = true;
}

static bool settle(struct sketch *s)
{
    if (s->failed)
        return false;
    if (s->n_settled < s->g->nodes.n) {
        if (!infer_model_from(s->m, s->n_settled, &s->e)) {
            s->failed = s->refused = true;
            return false;
        }
        s->n_settled = (uint32_t)s->g->nodes.n;
    }
    return true;
}

bool sketch__ok(struct sketch *s)
{
    return settle(s);
}

void sketch__note(struct sketch *s, const char *fmt, ...)
{
    va_list args;
    size_t room = SKETCH_NOTE_MAX - s->note_n;
    if (room < 4)
        return;
    if (s->note_n > 0)
        s->note[s->note_n++] = ' ', room--;
    va_start(args, fmt);
    int n = vsnprintf(s->note + s->note_n, room, fmt, args);
    va_end(args);
    s->note_n += n < 0 ? 0 : MIN((size_t)n, room - 1);
}

uint32_t sketch__op(struct sketch *s, const char *op_type, uint32_t n_outputs, const uint32_t *in,
                    uint32_t n_in)
{
    if (s->failed)
        return VALUE_NONE;
    while (n_in > 0 && in[n_in - 1] == VALUE_NONE)
        n_in--;
    uint32_t v = graph_add_node(s->m, s->g, op_type, in, n_in, n_outputs);
    const struct node *n = graph_last_node(s->g);
    if (!n->fact || !n->op)
        sketch__fail(s, op_type);
    return v;
}

void sketch__int(struct sketch *s, const char *name, int64_t v)
{
    if (!s->failed)
        node_set_int(s->m, graph_last_node(s->g), name, v);
}

void sketch__float(struct sketch *s, const char *name, double v)
{
    if (!s->failed)
        node_set_float(s->m, graph_last_node(s->g), name, (float)v);
}

void sketch__string(struct sketch *s, const char *name, const char *v)
{
    if (!s->failed)
        node_set_string(s->m, graph_last_node(s->g), name, v);
}

void sketch__int_list(struct sketch *s, const char *name, const int64_t *v, size_t n)
{
    if (!s->failed)
        node_set_ints(s->m, graph_last_node(s->g), name, v, n);
}

/* Facts. */

static const struct graph_value *value_at(struct sketch *s, uint32_t v)
{
    if (v == VALUE_NONE || v >= s->g->values.n || !settle(s))
        return NULL;
    return &s->g->values.at[v];
}

const struct shape *sketch__shape(struct sketch *s, uint32_t v)
{
    const struct graph_value *value = value_at(s, v);
    if (value && shape_is_static(&value->shape))
        return &value->shape;
    sketch__fail(s, "a shape is not known");
    return NULL;
}

struct dims sketch__dims(struct sketch *s, uint32_t v)
{
    struct dims d = {.n = FAILED_RANK};
    const struct shape *p = sketch__shape(s, v);
    for (uint32_t i = 0; i < TENSOR_RANK_MAX; i++)
        d.at[i] = p && i < p->rank ? p->dims[i].value : 1;
    if (p)
        d.n = MIN(p->rank, (uint32_t)TENSOR_RANK_MAX);
    return d;
}

enum dtype sketch__dtype(struct sketch *s, uint32_t v)
{
    const struct graph_value *value = value_at(s, v);
    return value ? value->dtype : DTYPE_UNDEFINED;
}

uint32_t sketch__rank(struct sketch *s, uint32_t v)
{
    const struct shape *p = sketch__shape(s, v);
    return p ? p->rank : (uint32_t)FAILED_RANK;
}

int64_t sketch__dim(struct sketch *s, uint32_t v, int64_t axis)
{
    const struct shape *p = sketch__shape(s, v);
    if (p && axis < 0)
        axis += p->rank;
    return p && axis >= 0 && axis < p->rank ? p->dims[axis].value : 1;
}

int64_t sketch__count(struct sketch *s, uint32_t v)
{
    const struct shape *p = sketch__shape(s, v);
    int64_t n = 1;
    for (uint32_t i = 0; p && i < p->rank; i++)
        n *= p->dims[i].value;
    return n;
}

bool sketch__allows(const struct sketch *s, const char *op_type, uint32_t input, enum dtype t)
{
    const struct op_fact *f = op_fact_find(STR(""), str_of(op_type), s->m->opset);
    const struct op_param_fact *p = f ? op_fact_input(f, input) : NULL;
    return p && (p->dtypes & dtype_bit(t)) != 0;
}

bool sketch__same_type(struct sketch *s, uint32_t a, uint32_t b)
{
    const struct graph_value *x = value_at(s, a), *y = value_at(s, b);
    if (!x || !y || x->dtype != y->dtype || !shape_is_static(&x->shape) ||
        !shape_is_static(&y->shape) || x->shape.rank != y->shape.rank)
        return false;
    for (uint32_t i = 0; i < x->shape.rank; i++) {
        if (x->shape.dims[i].value != y->shape.dims[i].value)
            return false;
    }
    return true;
}

/* Parameters. */

uint32_t sketch__tensor(struct sketch *s, const struct tensor *t, enum place place)
{
    if (s->failed)
        return VALUE_NONE;
    if (place == PLACE_CONSTANT) {
        uint32_t v = graph_add_node(s->m, s->g, "Constant", NULL, 0, 1);
        node_set_tensor(s->m, graph_last_node(s->g), "value", t);
        return v;
    }
    if (place == PLACE_INPUT)
        return graph_add_input(s->m, s->g, STR("p"), t->dtype, t->dims, t->rank);
    uint32_t v = graph_add_initializer(s->m, s->g, STR("w"), t);
    if (place == PLACE_DEFAULT) {
        vec_push(&s->g->inputs, s->m->arena, v);
        s->g->values.at[v].origin = ORIGIN_INPUT;
    }
    return v;
}

static void *new_tensor(struct sketch *s, enum dtype t, const int64_t *dims, uint32_t rank,
                        struct tensor **out)
{
    void *data;
    *out = arena_new(s->m->arena, struct tensor);
    if (s->failed)
        return NULL;
    if (!tensor_make(t, dims, rank, s->m->arena, *out, &data, &s->e)) {
        s->failed = true;
        return NULL;
    }
    return data;
}

uint32_t sketch__values(struct sketch *s, enum dtype t, const int64_t *dims, uint32_t rank,
                        const double *values)
{
    struct tensor *out;
    void *data = new_tensor(s, t, dims, rank, &out);
    if (!data)
        return VALUE_NONE;
    for (size_t i = 0; i < out->n; i++)
        tensor_put_double(t, data, i, values[i]);
    return sketch__tensor(s, out, s->weights);
}

uint32_t sketch__filled(struct sketch *s, enum dtype t, const int64_t *dims, uint32_t rank,
                        double v)
{
    struct tensor *out;
    void *data = new_tensor(s, t, dims, rank, &out);
    if (!data)
        return VALUE_NONE;
    for (size_t i = 0; i < out->n; i++)
        tensor_put_double(t, data, i, v);
    return sketch__tensor(s, out, s->weights == PLACE_INPUT ? PLACE_INITIALIZER : s->weights);
}

uint32_t sketch__scalar(struct sketch *s, enum dtype t, double v)
{
    return sketch__filled(s, t, NULL, 0, v);
}

uint32_t sketch__i64s(struct sketch *s, const int64_t *v, size_t n)
{
    struct tensor *t = arena_new(s->m->arena, struct tensor);
    *t = tensor_from_i64s(v, n, s->m->arena);
    return sketch__tensor(s, t, s->shapes);
}

uint32_t sketch__i64(struct sketch *s, int64_t v)
{
    struct tensor *out;
    void *data = new_tensor(s, DTYPE_INT64, NULL, 0, &out);
    if (!data)
        return VALUE_NONE;
    tensor_put_i64(DTYPE_INT64, data, 0, v);
    return sketch__tensor(s, out, s->shapes);
}

uint32_t sketch__random(struct sketch *s, enum dtype t, const int64_t *dims, uint32_t rank,
                        double scale)
{
    struct tensor *out;
    void *data = new_tensor(s, t, dims, rank, &out);
    if (!data)
        return VALUE_NONE;
    bool grid = rng_chance(s->r, 0.5);
    for (size_t i = 0; i < out->n; i++) {
        if (dtype_is_float(t))
            tensor_put_double(t, data, i,
                              grid ? scale * (double)rng_between(s->r, -8, 8) / 4
                                   : scale * rng_normal(s->r));
        else
            tensor_put_i64(t, data, i, rng_between(s->r, 0, t == DTYPE_BOOL ? 1 : 3));
    }
    return sketch__tensor(s, out, s->weights);
}

uint32_t sketch__between(struct sketch *s, enum dtype t, const int64_t *dims, uint32_t rank,
                         double low, double high)
{
    struct tensor *out;
    void *data = new_tensor(s, t, dims, rank, &out);
    if (!data)
        return VALUE_NONE;
    for (size_t i = 0; i < out->n; i++)
        tensor_put_double(t, data, i, low + (high - low) * (double)rng_between(s->r, 0, 16) / 16);
    return sketch__tensor(s, out, s->weights == PLACE_INPUT ? PLACE_INITIALIZER : s->weights);
}

/* Operators that changed their form. */

static uint32_t with_axes(struct sketch *s, const char *op_type, uint32_t x, const int64_t *axes,
                          size_t n, int input_since)
{
    uint32_t v;
    if (s->m->opset >= input_since)
        return OP(s, op_type, x, sketch__i64s(s, axes, n));
    v = OP(s, op_type, x);
    sketch__int_list(s, "axes", axes, n);
    return v;
}

uint32_t sketch__squeeze(struct sketch *s, uint32_t x, const int64_t *axes, size_t n)
{
    return with_axes(s, "Squeeze", x, axes, n, 13);
}

uint32_t sketch__unsqueeze(struct sketch *s, uint32_t x, const int64_t *axes, size_t n)
{
    return with_axes(s, "Unsqueeze", x, axes, n, 13);
}

uint32_t sketch__reduce(struct sketch *s, const char *op_type, uint32_t x, const int64_t *axes,
                        size_t n, int keepdims)
{
    int since = strcmp(op_type, "ReduceSum") == 0 ? 13 : 18;
    uint32_t v = axes ? with_axes(s, op_type, x, axes, n, since) : OP(s, op_type, x);
    if (keepdims >= 0)
        sketch__int(s, "keepdims", keepdims);
    return v;
}

uint32_t sketch__reshape(struct sketch *s, uint32_t x, const int64_t *dims, size_t n)
{
    return OP(s, "Reshape", x, sketch__i64s(s, dims, n));
}

uint32_t sketch__transpose(struct sketch *s, uint32_t x, const int64_t *perm, size_t n)
{
    uint32_t v = OP(s, "Transpose", x);
    sketch__int_list(s, "perm", perm, n);
    return v;
}

uint32_t sketch__cast(struct sketch *s, uint32_t x, enum dtype to)
{
    uint32_t v = OP(s, "Cast", x);
    sketch__int(s, "to", to);
    return v;
}

uint32_t sketch__slice(struct sketch *s, uint32_t x, int64_t axis, int64_t start, int64_t end,
                       int64_t step)
{
    return OP(s, "Slice", x, sketch__i64s(s, &start, 1), sketch__i64s(s, &end, 1),
              sketch__i64s(s, &axis, 1), sketch__i64s(s, &step, 1));
}

/* Choices. */

int64_t sketch__between_i(struct sketch *s, int64_t low, int64_t high)
{
    return rng_between(s->r, low, MAX(low, high));
}

uint32_t sketch__below(struct sketch *s, uint32_t n)
{
    return (uint32_t)rng_below(s->r, n);
}

bool sketch__chance(struct sketch *s, int percent)
{
    return rng_below(s->r, 100) < (uint64_t)percent;
}

int64_t sketch__axis(struct sketch *s, uint32_t rank, int64_t *plain)
{
    int64_t axis = rank > 0 ? (int64_t)sketch__below(s, rank) : 0;
    if (plain)
        *plain = axis;
    return rank > 0 && sketch__chance(s, 50) ? axis - rank : axis;
}
