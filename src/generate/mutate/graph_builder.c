/*
 * Adds nodes and parameters to a model, with shape inference at each. Does not decide what is
 * built; knows which opset moved a parameter from attribute to input. The model is the mutant's own
 * copy: if building fails, the copy is thrown away.
 */
#include "generate/mutate/graph_builder_p.h"

#include <stdarg.h>
#include <stdio.h>

#include "onnx/infer.h"

/* The rank that a failed builder returns, so that callers may go on computing with shapes. */
enum { FAILED_RANK = 4 };

void builder__init(struct graph_builder *b, struct model *m, struct rng *r)
{
    *b = (struct graph_builder){.m = m, .g = m->graph, .r = r};
    b->n_inferred = (uint32_t)m->graph->nodes.n;
}

void builder__fail(struct graph_builder *b, const char *why)
{
    if (!b->failed)
        err_set(&b->e, ERR_DATA, "%s", why);
    b->failed = true;
}

static bool infer_added(struct graph_builder *b)
{
    if (b->failed)
        return false;
    if (b->n_inferred < b->g->nodes.n) {
        if (!infer_model_from(b->m, b->n_inferred, &b->e)) {
            b->failed = b->refused = true;
            return false;
        }
        b->n_inferred = (uint32_t)b->g->nodes.n;
    }
    return true;
}

bool builder__ok(struct graph_builder *b)
{
    return infer_added(b);
}

void builder__note(struct graph_builder *b, const char *fmt, ...)
{
    va_list args;
    size_t room = BUILDER_NOTE_MAX - b->note_n;
    if (room < 4)
        return;
    if (b->note_n > 0)
        b->note[b->note_n++] = ' ', room--;
    va_start(args, fmt);
    int n = vsnprintf(b->note + b->note_n, room, fmt, args);
    va_end(args);
    b->note_n += n < 0 ? 0 : MIN((size_t)n, room - 1);
}

uint32_t builder__op(struct graph_builder *b, const char *op_type, uint32_t n_outputs,
                     const uint32_t *in, uint32_t n_in)
{
    if (b->failed)
        return VALUE_NONE;
    while (n_in > 0 && in[n_in - 1] == VALUE_NONE)
        n_in--;
    uint32_t v = graph_add_node(b->m, b->g, op_type, in, n_in, n_outputs);
    const struct node *n = graph_last_node(b->g);
    if (!n->fact || !n->op)
        builder__fail(b, op_type);
    return v;
}

void builder__int(struct graph_builder *b, const char *name, int64_t v)
{
    if (!b->failed)
        node_set_int(b->m, graph_last_node(b->g), name, v);
}

void builder__float(struct graph_builder *b, const char *name, double v)
{
    if (!b->failed)
        node_set_float(b->m, graph_last_node(b->g), name, (float)v);
}

void builder__string(struct graph_builder *b, const char *name, const char *v)
{
    if (!b->failed)
        node_set_string(b->m, graph_last_node(b->g), name, v);
}

void builder__int_list(struct graph_builder *b, const char *name, const int64_t *v, size_t n)
{
    if (!b->failed)
        node_set_ints(b->m, graph_last_node(b->g), name, v, n);
}

/* Facts. */

static const struct graph_value *value_at(struct graph_builder *b, uint32_t v)
{
    if (v == VALUE_NONE || v >= b->g->values.n || !infer_added(b))
        return NULL;
    return &b->g->values.at[v];
}

const struct shape *builder__shape(struct graph_builder *b, uint32_t v)
{
    const struct graph_value *value = value_at(b, v);
    if (value && shape_is_static(&value->shape))
        return &value->shape;
    builder__fail(b, "a shape is not known");
    return NULL;
}

struct dims builder__dims(struct graph_builder *b, uint32_t v)
{
    struct dims d = {.n = FAILED_RANK};
    const struct shape *p = builder__shape(b, v);
    for (uint32_t i = 0; i < TENSOR_RANK_MAX; i++)
        d.at[i] = p && i < p->rank ? p->dims[i].value : 1;
    if (p)
        d.n = MIN(p->rank, (uint32_t)TENSOR_RANK_MAX);
    return d;
}

enum dtype builder__dtype(struct graph_builder *b, uint32_t v)
{
    const struct graph_value *value = value_at(b, v);
    return value ? value->dtype : DTYPE_UNDEFINED;
}

uint32_t builder__rank(struct graph_builder *b, uint32_t v)
{
    const struct shape *p = builder__shape(b, v);
    return p ? p->rank : (uint32_t)FAILED_RANK;
}

int64_t builder__dim(struct graph_builder *b, uint32_t v, int64_t axis)
{
    const struct shape *p = builder__shape(b, v);
    if (p && axis < 0)
        axis += p->rank;
    return p && axis >= 0 && axis < p->rank ? p->dims[axis].value : 1;
}

int64_t builder__count(struct graph_builder *b, uint32_t v)
{
    const struct shape *p = builder__shape(b, v);
    int64_t n = 1;
    for (uint32_t i = 0; p && i < p->rank; i++)
        n *= p->dims[i].value;
    return n;
}

bool builder__allows(const struct graph_builder *b, const char *op_type, uint32_t input,
                     enum dtype t)
{
    const struct op_fact *f = op_fact_find(STR(""), str_of(op_type), b->m->opset);
    const struct op_param_fact *p = f ? op_fact_input(f, input) : NULL;
    return p && (p->dtypes & dtype_bit(t)) != 0;
}

bool builder__same_type(struct graph_builder *b, uint32_t v, uint32_t w)
{
    const struct graph_value *x = value_at(b, v), *y = value_at(b, w);
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

uint32_t builder__tensor(struct graph_builder *b, const struct tensor *t, enum place place)
{
    if (b->failed)
        return VALUE_NONE;
    if (place == PLACE_CONSTANT) {
        uint32_t v = graph_add_node(b->m, b->g, "Constant", NULL, 0, 1);
        node_set_tensor(b->m, graph_last_node(b->g), "value", t);
        return v;
    }
    if (place == PLACE_INPUT)
        return graph_add_input(b->m, b->g, STR("p"), t->dtype, t->dims, t->rank);
    uint32_t v = graph_add_initializer(b->m, b->g, STR("w"), t);
    if (place == PLACE_DEFAULT) {
        vec_push(&b->g->inputs, b->m->arena, v);
        b->g->values.at[v].origin = ORIGIN_INPUT;
    }
    return v;
}

static void *new_tensor(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                        struct tensor **out)
{
    void *data;
    *out = arena_new(b->m->arena, struct tensor);
    if (b->failed)
        return NULL;
    if (!tensor_make(t, dims, rank, b->m->arena, *out, &data, &b->e)) {
        b->failed = true;
        return NULL;
    }
    return data;
}

uint32_t builder__values(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                         const double *values)
{
    struct tensor *out;
    void *data = new_tensor(b, t, dims, rank, &out);
    if (!data)
        return VALUE_NONE;
    for (size_t i = 0; i < out->n; i++)
        tensor_put_double(t, data, i, values[i]);
    return builder__tensor(b, out, b->weights);
}

uint32_t builder__filled(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                         double v)
{
    struct tensor *out;
    void *data = new_tensor(b, t, dims, rank, &out);
    if (!data)
        return VALUE_NONE;
    for (size_t i = 0; i < out->n; i++)
        tensor_put_double(t, data, i, v);
    return builder__tensor(b, out, b->weights == PLACE_INPUT ? PLACE_INITIALIZER : b->weights);
}

uint32_t builder__scalar(struct graph_builder *b, enum dtype t, double v)
{
    return builder__filled(b, t, NULL, 0, v);
}

uint32_t builder__i64s(struct graph_builder *b, const int64_t *v, size_t n)
{
    struct tensor *t = arena_new(b->m->arena, struct tensor);
    *t = tensor_from_i64s(v, n, b->m->arena);
    return builder__tensor(b, t, b->shapes);
}

uint32_t builder__i64(struct graph_builder *b, int64_t v)
{
    struct tensor *out;
    void *data = new_tensor(b, DTYPE_INT64, NULL, 0, &out);
    if (!data)
        return VALUE_NONE;
    tensor_put_i64(DTYPE_INT64, data, 0, v);
    return builder__tensor(b, out, b->shapes);
}

uint32_t builder__random(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                         double scale)
{
    struct tensor *out;
    void *data = new_tensor(b, t, dims, rank, &out);
    if (!data)
        return VALUE_NONE;
    bool grid = rng_chance(b->r, 0.5);
    for (size_t i = 0; i < out->n; i++) {
        if (dtype_is_float(t))
            tensor_put_double(t, data, i,
                              grid ? scale * (double)rng_between(b->r, -8, 8) / 4
                                   : scale * rng_normal(b->r));
        else
            tensor_put_i64(t, data, i, rng_between(b->r, 0, t == DTYPE_BOOL ? 1 : 3));
    }
    return builder__tensor(b, out, b->weights);
}

uint32_t builder__between(struct graph_builder *b, enum dtype t, const int64_t *dims, uint32_t rank,
                          double low, double high)
{
    struct tensor *out;
    void *data = new_tensor(b, t, dims, rank, &out);
    if (!data)
        return VALUE_NONE;
    for (size_t i = 0; i < out->n; i++)
        tensor_put_double(t, data, i, low + (high - low) * (double)rng_between(b->r, 0, 16) / 16);
    return builder__tensor(b, out, b->weights == PLACE_INPUT ? PLACE_INITIALIZER : b->weights);
}

uint32_t builder__computed(struct graph_builder *b, uint32_t v, bool keeps_places)
{
    const struct graph_value *value = &b->g->values.at[v];
    const struct tensor *t = value->initializer;
    uint32_t other = v;
    if (b->failed || !t || !builder__allows(b, "Where", 1, t->dtype))
        return VALUE_NONE;
    if (!keeps_places) { /* the elements in reverse order */
        struct tensor *turned = arena_new(b->m->arena, struct tensor);
        void *data;
        if (!tensor_make(t->dtype, t->dims, t->rank, b->m->arena, turned, &data, &b->e))
            return VALUE_NONE;
        for (size_t i = 0; i < t->n; i++) {
            if (dtype_is_float(t->dtype))
                tensor_put_double(t->dtype, data, i, tensor_get_double(t, t->n - 1 - i));
            else
                tensor_put_i64(t->dtype, data, i, tensor_get_i64(t, t->n - 1 - i));
        }
        other = graph_add_initializer(b->m, b->g, STR("w"), turned);
    }
    uint32_t c = graph_add_input(b->m, b->g, STR("c"), DTYPE_BOOL, NULL, 0);
    return OP(b, "Where", c, v, other);
}

/* Operators whose form changed between opsets. */

static uint32_t with_axes(struct graph_builder *b, const char *op_type, uint32_t x,
                          const int64_t *axes, size_t n, int input_since)
{
    uint32_t v;
    if (b->m->opset >= input_since)
        return OP(b, op_type, x, builder__i64s(b, axes, n));
    v = OP(b, op_type, x);
    builder__int_list(b, "axes", axes, n);
    return v;
}

uint32_t builder__squeeze(struct graph_builder *b, uint32_t x, const int64_t *axes, size_t n)
{
    return with_axes(b, "Squeeze", x, axes, n, 13);
}

uint32_t builder__unsqueeze(struct graph_builder *b, uint32_t x, const int64_t *axes, size_t n)
{
    return with_axes(b, "Unsqueeze", x, axes, n, 13);
}

uint32_t builder__reduce(struct graph_builder *b, const char *op_type, uint32_t x,
                         const int64_t *axes, size_t n, int keepdims)
{
    int since = strcmp(op_type, "ReduceSum") == 0 ? 13 : 18;
    uint32_t v = axes ? with_axes(b, op_type, x, axes, n, since) : OP(b, op_type, x);
    if (keepdims >= 0)
        builder__int(b, "keepdims", keepdims);
    return v;
}

uint32_t builder__reshape(struct graph_builder *b, uint32_t x, const int64_t *dims, size_t n)
{
    return OP(b, "Reshape", x, builder__i64s(b, dims, n));
}

uint32_t builder__transpose(struct graph_builder *b, uint32_t x, const int64_t *perm, size_t n)
{
    uint32_t v = OP(b, "Transpose", x);
    builder__int_list(b, "perm", perm, n);
    return v;
}

uint32_t builder__cast(struct graph_builder *b, uint32_t x, enum dtype to)
{
    uint32_t v = OP(b, "Cast", x);
    builder__int(b, "to", to);
    return v;
}

uint32_t builder__slice(struct graph_builder *b, uint32_t x, int64_t axis, int64_t start,
                        int64_t end, int64_t step)
{
    return OP(b, "Slice", x, builder__i64s(b, &start, 1), builder__i64s(b, &end, 1),
              builder__i64s(b, &axis, 1), builder__i64s(b, &step, 1));
}

/* Choices. */

int64_t builder__between_i(struct graph_builder *b, int64_t low, int64_t high)
{
    return rng_between(b->r, low, MAX(low, high));
}

uint32_t builder__below(struct graph_builder *b, uint32_t n)
{
    return (uint32_t)rng_below(b->r, n);
}

bool builder__chance(struct graph_builder *b, int percent)
{
    return rng_below(b->r, 100) < (uint64_t)percent;
}

void builder__permutation(struct graph_builder *b, uint32_t n, int64_t perm[static TENSOR_RANK_MAX])
{
    for (uint32_t i = 0; i < n; i++)
        perm[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = builder__below(b, i);
        int64_t t = perm[i - 1];
        perm[i - 1] = perm[j];
        perm[j] = t;
    }
}

int64_t builder__axis(struct graph_builder *b, uint32_t rank, int64_t *plain)
{
    int64_t axis = rank > 0 ? (int64_t)builder__below(b, rank) : 0;
    if (plain)
        *plain = axis;
    return rank > 0 && builder__chance(b, 50) ? axis - rank : axis;
}
