/*
 * N8, a precision island: one node runs in another dtype, between Casts, if the reference's values
 * fit that dtype. N11, a Quantize/Dequantize pair with a scale from the reference's range.
 */
#include <math.h>

#include "generate/mutate/edit_p.h"
#include "generate/mutate/pattern_p.h"

bool fits__float_node(const struct edit *e, uint32_t at)
{
    static const char *const not_these[] = {
        "Cast", "Constant", "If", "Loop", "Scan", "Resize", "QuantizeLinear", "DequantizeLinear"};
    const struct node *n = edit__node(e, at);
    if (n->n_inputs == 0 || n->n_outputs != 1 || n->inputs[0] == VALUE_NONE ||
        EDIT_IS(e, at, not_these))
        return false;
    return edit__float(e, n->inputs[0]) && edit__float(e, n->outputs[0]) &&
           edit__is_used(e, n->outputs[0]) && edit__count(e, n->outputs[0]) < 1 << 17;
}

/* The largest finite number of a float of dtype t. */
static double largest_of(enum dtype t)
{
    const struct number_format *f = dtype_row(t)->format;
    return f ? number_largest(f) : 1e300;
}

bool edit__precision_island(struct edit *e)
{
    static const enum dtype types[] = {DTYPE_FLOAT16, DTYPE_DOUBLE, DTYPE_BFLOAT16,
                                       DTYPE_FLOAT16, DTYPE_DOUBLE, DTYPE_FLOAT};
    struct graph_builder *b = &e->b;
    struct node copy = *edit__node(e, e->at);
    uint32_t first = (uint32_t)b->g->nodes.n, from = copy.outputs[0];
    enum dtype t = edit__value(e, copy.inputs[0])->dtype, to = ONE_OF(b, types);
    const char *op_type = str_dup(b->m->arena, copy.op_type);
    double largest, rms;
    e->bucket = dtype_name(to);
    if (to == t || !builder__allows(b, op_type, 0, to) ||
        (to == DTYPE_BFLOAT16 && b->m->opset < 13))
        return false;
    if (edit__range(e, from, &largest, &rms) && largest > largest_of(to) / 16)
        return false;
    uint32_t *inputs = arena_new_array(b->m->arena, uint32_t, copy.n_inputs);
    for (uint32_t i = 0; i < copy.n_inputs; i++) {
        inputs[i] = copy.inputs[i];
        bool same = inputs[i] != VALUE_NONE && edit__value(e, inputs[i])->dtype == t;
        if (same && builder__allows(b, op_type, i, to))
            inputs[i] = builder__cast(b, inputs[i], to);
    }
    uint32_t y = builder__op(b, op_type, 1, inputs, copy.n_inputs);
    if (b->failed)
        return false;
    graph_last_node(b->g)->attrs = copy.attrs;
    graph_last_node(b->g)->n_attrs = copy.n_attrs;
    if (builder__dtype(b, y) != edit__value(e, from)->dtype)
        y = builder__cast(b, y, edit__value(e, from)->dtype);
    if (!builder__ok(b) || !edit__same(e, from, y))
        return false;
    edit__splice(e, from, y, first);
    graph_remove_dead(b->m, b->g);
    return true;
}

bool edit__quantise_pair(struct edit *e)
{
    static const enum dtype types[] = {DTYPE_UINT8, DTYPE_INT8,   DTYPE_UINT8,
                                       DTYPE_INT8,  DTYPE_UINT16, DTYPE_INT16};
    struct graph_builder *b = &e->b;
    uint32_t first = (uint32_t)b->g->nodes.n, x = e->at;
    enum dtype t = edit__value(e, x)->dtype,
               q = types[builder__below(b, b->m->opset >= 21 ? 6 : 4)];
    double largest = 4, rms = 1;
    e->bucket = dtype_name(q);
    if (!builder__allows(b, "QuantizeLinear", 0, t) || !builder__allows(b, "QuantizeLinear", 1, t))
        return false;
    if (!edit__range(e, x, &largest, &rms) || largest == 0)
        largest = 4;
    double steps = dtype_row(q)->n_bits == 8 ? 127 : 32767, scale = largest / steps;
    if (builder__chance(b, 50)) { /* a power of two: ties are exact */
        int exponent;
        frexp(scale, &exponent);
        scale = ldexp(1, exponent);
    }
    bool is_signed = dtype_row(q)->class == DTYPE_CLASS_SIGNED;
    double zero = is_signed ? 0 : dtype_row(q)->n_bits == 8 ? 128 : 32768;
    b->weights = b->shapes;
    uint32_t sv = builder__scalar(b, t, scale), zv = builder__scalar(b, q, zero);
    uint32_t y = OP(b, "DequantizeLinear", OP(b, "QuantizeLinear", x, sv, zv), sv, zv);
    builder__note(b, "scale=%g", scale);
    if (!builder__ok(b) || !edit__same(e, x, y))
        return false;
    edit__splice(e, x, y, first);
    return true;
}
