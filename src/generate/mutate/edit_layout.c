/*
 * Layout and identity: pairs that undo each other (N9), operators that change nothing (N14), a
 * weight given in another way (N12). All of them preserve the function exactly.
 */
#include "generate/mutate/edit_p.h"
#include "generate/mutate/layer_p.h"

/* x transposed, and transposed back. */
static uint32_t transposed_pair(struct graph_builder *b, uint32_t x)
{
    int64_t perm[TENSOR_RANK_MAX], back[TENSOR_RANK_MAX];
    uint32_t n = builder__rank(b, x);
    builder__permutation(b, n, perm);
    for (uint32_t i = 0; i < n; i++)
        back[perm[i]] = i;
    return builder__transpose(b, builder__transpose(b, x, perm, n), back, n);
}

bool edit__layout_pair(struct edit *e)
{
    static const char *const forms[] = {"transpose", "reshape", "unsqueeze", "flatten", "split"};
    struct graph_builder *b = &e->b;
    uint32_t first = (uint32_t)b->g->nodes.n, x = e->at, y = VALUE_NONE;
    struct dims p = builder__dims(b, x), open = p;
    const char *form = ONE_OF(b, forms);
    int64_t axis, plain, minus = -1;
    e->bucket = form;
    if (strcmp(form, "transpose") == 0) {
        y = transposed_pair(b, x);
    } else if (strcmp(form, "unsqueeze") == 0) {
        axis = builder__between_i(b, 0, p.n);
        y = builder__squeeze(b, builder__unsqueeze(b, x, &axis, 1), &axis, 1);
    } else if (strcmp(form, "split") == 0) {
        axis = builder__axis(b, p.n, &plain);
        int64_t cut = builder__between_i(b, 1, MAX(p.at[plain] - 1, 1));
        if (p.at[plain] < 2)
            return false;
        uint32_t head = builder__slice(b, x, axis, 0, cut, 1);
        uint32_t tail = builder__slice(b, x, axis, cut, INT64_MAX, 1);
        y = OP(b, "Concat", head, tail);
        builder__int(b, "axis", axis);
    } else {
        open.at[builder__below(b, p.n)] = -1;
        y = strcmp(form, "reshape") == 0 ? builder__reshape(b, x, &minus, 1) : OP(b, "Flatten", x);
        y = builder__reshape(b, y, open.at, open.n);
    }
    if (!builder__ok(b) || !edit__same(e, x, y))
        return false;
    edit__splice(e, x, y, first);
    return true;
}

/* x op c, whose result is exactly x. */
static uint32_t neutral(struct graph_builder *b, uint32_t x)
{
    static const struct {
        const char *op_type;
        double value;
    } rows[] = {{"Mul", 1}, {"Div", 1}, {"Sub", 0}, {"Mul", 1}, {"Add", 0}};
    uint32_t at = builder__below(b, (uint32_t)COUNT_OF(rows));
    enum dtype t = builder__dtype(b, x);
    struct dims p = builder__dims(b, x), d = {builder__below(b, 2), {1}};
    if (t == DTYPE_BOOL || !builder__allows(b, rows[at].op_type, 0, t))
        return OP(b, "Identity", x);
    if (builder__chance(b, 30))
        d = p;
    uint32_t c = builder__filled(b, t, d.at, d.n, rows[at].value);
    builder__note(b, "%s %g", rows[at].op_type, rows[at].value);
    bool left = strcmp(rows[at].op_type, "Mul") == 0 && builder__chance(b, 50);
    return left ? OP(b, rows[at].op_type, c, x) : OP(b, rows[at].op_type, x, c);
}

static uint32_t full_slice(struct graph_builder *b, uint32_t x)
{
    int64_t plain, axis = builder__axis(b, builder__rank(b, x), &plain);
    return builder__slice(b, x, axis, 0,
                          builder__chance(b, 50) ? INT64_MAX : builder__dim(b, x, plain), 1);
}

bool edit__identity(struct edit *e)
{
    static const char *const forms[] = {"Identity", "Dropout", "neutral", "Concat",
                                        "Slice",    "Expand",  "Pad",     "Tile",
                                        "Cast",     "Sum",     "Max"};
    struct graph_builder *b = &e->b;
    uint32_t first = (uint32_t)b->g->nodes.n, x = e->at, y = VALUE_NONE;
    struct dims p = builder__dims(b, x), q = {0};
    enum dtype t = builder__dtype(b, x);
    const char *form = ONE_OF(b, forms);
    if (!edit__is_used(e, x))
        return false;
    if (p.n == 0 || (strcmp(form, "Dropout") == 0 && !builder__allows(b, form, 0, t)) ||
        (strcmp(form, "Pad") == 0 && !builder__allows(b, form, 0, t)) ||
        ((strcmp(form, "Sum") == 0 || strcmp(form, "Max") == 0) &&
         !builder__allows(b, form, 0, t)) ||
        (strcmp(form, "Cast") == 0 && dtype_is_float(t))) /* the reference rounds in a Cast */
        form = "Identity";
    e->bucket = form;
    q.n = p.n;
    for (uint32_t i = 0; i < p.n; i++)
        q.at[i] = 1;
    if (strcmp(form, "neutral") == 0)
        y = neutral(b, x);
    else if (strcmp(form, "Concat") == 0)
        y = OP(b, "Concat", x), builder__int(b, "axis", builder__axis(b, p.n, NULL));
    else if (strcmp(form, "Slice") == 0)
        y = full_slice(b, x);
    else if (strcmp(form, "Expand") == 0)
        y = OP(b, "Expand", x, builder__i64s(b, builder__chance(b, 50) ? p.at : q.at, p.n));
    else if (strcmp(form, "Pad") == 0)
        y = OP(b, "Pad", x, builder__i64s(b, (int64_t[2 * TENSOR_RANK_MAX]){0}, 2 * p.n));
    else if (strcmp(form, "Tile") == 0)
        y = OP(b, "Tile", x, builder__i64s(b, q.at, p.n));
    else if (strcmp(form, "Cast") == 0)
        y = builder__cast(b, x, t);
    else
        y = OP(b, form, x);
    if (!builder__ok(b) || !edit__same(e, x, y))
        return false;
    edit__splice(e, x, y, first);
    return true;
}

bool fits__has_initializer(const struct edit *e, uint32_t at)
{
    const struct node *n = edit__node(e, at);
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        if (n->inputs[i] == VALUE_NONE)
            continue;
        const struct graph_value *v = edit__value(e, n->inputs[i]);
        if (v->initializer && v->origin == ORIGIN_INITIALIZER && v->initializer->data)
            return true;
    }
    return false;
}

bool edit__weight_tying(struct edit *e)
{
    static const char *const forms[] = {"Constant", "Identity", "output",
                                        "copy",     "default",  "Reshape"};
    struct graph_builder *b = &e->b;
    struct node *n = edit__node(e, e->at);
    uint32_t i = 0, skip = builder__below(b, 3), v = VALUE_NONE;
    for (uint32_t k = 0; k < 2 * n->n_inputs; k++) {
        uint32_t at = k % n->n_inputs;
        if (n->inputs[at] == VALUE_NONE || !edit__value(e, n->inputs[at])->initializer ||
            edit__value(e, n->inputs[at])->origin != ORIGIN_INITIALIZER)
            continue;
        i = at;
        v = n->inputs[at];
        if (skip-- == 0)
            break;
    }
    if (v == VALUE_NONE)
        return false;
    const struct tensor *t = edit__value(e, v)->initializer;
    const char *form = ONE_OF(b, forms);
    bool is_shape = t->dtype == DTYPE_INT64;
    if (is_shape && strcmp(form, "Constant") != 0)
        form = "Constant"; /* shapes must stay known */
    e->bucket = form;
    builder__note(b, "input=%u", i);
    uint32_t y = v;
    if (strcmp(form, "Constant") == 0)
        y = builder__tensor(b, t, PLACE_CONSTANT);
    else if (strcmp(form, "Identity") == 0)
        y = OP(b, "Identity", v);
    else if (strcmp(form, "copy") == 0)
        y = builder__tensor(b, t, PLACE_INITIALIZER);
    else if (strcmp(form, "default") == 0)
        y = builder__tensor(b, t, PLACE_DEFAULT);
    else if (strcmp(form, "Reshape") == 0)
        y = t->rank > 0 ? builder__reshape(b, v, t->dims, t->rank) : OP(b, "Identity", v);
    else if (dtype_row(t->dtype)->n_bits >= 8)
        graph_add_output(b->g, v);
    if (!builder__ok(b))
        return false;
    if (y != v)
        edit__set_input(e, e->at, i, y);
    return true;
}
