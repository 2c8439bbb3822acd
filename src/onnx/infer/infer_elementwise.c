/* Shape functions of operators whose output follows the broadcast of their inputs, and of a few
 * whose output has the type of one input. Small integers are folded through + - * / and
 * comparisons, because exporters compute shapes with them. */
#include <string.h>

#include "onnx/infer/infer_p.h"

/* Output 0 as input 0. */
bool infer__unary(struct infer *in, struct err *e)
{
    (void)e;
    return infer__same_as_input(in, 0, 0);
}

static bool broadcast_inputs(struct infer *in, struct shape *out, struct err *e)
{
    *out = *infer__shape(in, 0);
    for (uint32_t i = 1; i < in->n->n_inputs; i++)
        if (infer__has(in, i) && !infer__broadcast_shapes(in, out, infer__shape(in, i), out, e))
            return false;
    return true;
}

enum fold_op { FOLD_NONE, FOLD_ADD, FOLD_SUB, FOLD_MUL, FOLD_DIV, FOLD_EQUAL, FOLD_MIN, FOLD_MAX };

static enum fold_op fold_op_of(const struct node *n)
{
    static const struct {
        const char *name;
        enum fold_op op;
    } rows[] = {{"Add", FOLD_ADD},     {"Sub", FOLD_SUB}, {"Mul", FOLD_MUL}, {"Div", FOLD_DIV},
                {"Equal", FOLD_EQUAL}, {"Min", FOLD_MIN}, {"Max", FOLD_MAX}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (str_is(n->op_type, rows[i].name))
            return rows[i].op;
    return FOLD_NONE;
}

static bool is_number(struct folded f, int64_t v)
{
    return f.is_known && f.value == v;
}

/* The result for two known numbers; false on overflow and division by zero. */
static bool fold_numbers(enum fold_op op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case FOLD_ADD:
        return number_add_i64(a, b, out);
    case FOLD_SUB:
        return number_sub_i64(a, b, out);
    case FOLD_MUL:
        return number_mul_i64(a, b, out);
    case FOLD_DIV:
        return number_div_i64(a, b, out);
    case FOLD_MIN:
        *out = MIN(a, b);
        return true;
    case FOLD_MAX:
        *out = MAX(a, b);
        return true;
    default:
        *out = a == b;
        return true;
    }
}

static struct folded fold_pair(enum fold_op op, struct folded a, struct folded b)
{
    struct folded out = {0};
    if (a.is_known && b.is_known) {
        out.is_known = fold_numbers(op, a.value, b.value, &out.value);
        return out;
    }
    if ((op == FOLD_ADD && is_number(b, 0)) || (op == FOLD_SUB && is_number(b, 0)) ||
        (op == FOLD_MUL && is_number(b, 1)) || (op == FOLD_DIV && is_number(b, 1)))
        return a;
    if ((op == FOLD_ADD && is_number(a, 0)) || (op == FOLD_MUL && is_number(a, 1)))
        return b;
    return out;
}

static void fold_binary(struct infer *in)
{
    enum fold_op op = fold_op_of(in->n);
    const struct fold *a, *b;
    if (op == FOLD_NONE || in->n->n_inputs != 2 || !(a = infer__ints(in, 0)) ||
        !(b = infer__ints(in, 1)))
        return;
    uint32_t n = a->n == 1 ? b->n : a->n;
    if (b->n != n && b->n != 1)
        return;
    struct folded *at = arena_new_array(in->a, struct folded, n);
    for (uint32_t i = 0; i < n; i++)
        at[i] = fold_pair(op, a->at[a->n == 1 ? 0 : i], b->at[b->n == 1 ? 0 : i]);
    infer__set_ints(in, 0, (struct fold){MAX(a->rank, b->rank), n, at});
}

/* Output 0: dtype of input 0, broadcast shape of all inputs. */
bool infer__broadcast(struct infer *in, struct err *e)
{
    struct shape s;
    if (!broadcast_inputs(in, &s, e))
        return false;
    infer__set(in, 0, infer__dtype(in, 0), s);
    fold_binary(in);
    return true;
}

/* PRelu: slope is broadcast to X, one way. */
bool infer__prelu(struct infer *in, struct err *e)
{
    struct shape s;
    if (!broadcast_inputs(in, &s, e))
        return false;
    const struct shape *x = infer__shape(in, 0);
    if (s.known && x->known && s.rank != x->rank)
        return err_set(e, ERR_DATA, "slope of rank %u for an input of rank %u",
                       infer__shape(in, 1)->rank, x->rank);
    for (uint32_t i = 0; s.known && i < s.rank; i++)
        if (dim__differ(s.dims[i], x->dims[i]))
            return err_set(e, ERR_DATA, "slope is larger than the input in dim %u", i);
    return infer__same_as_input(in, 0, 0);
}

/* Comparisons and tests: broadcast of the inputs, bool. */
bool infer__compare(struct infer *in, struct err *e)
{
    struct shape s;
    if (!broadcast_inputs(in, &s, e))
        return false;
    infer__set(in, 0, DTYPE_BOOL, s);
    fold_binary(in);
    return true;
}

/* Where(condition, X, Y): the type of X. */
bool infer__where(struct infer *in, struct err *e)
{
    struct shape s;
    if (!broadcast_inputs(in, &s, e))
        return false;
    infer__set(in, 0, infer__dtype(in, 1), s);
    const struct fold *c = infer__ints(in, 0), *x = infer__ints(in, 1), *y = infer__ints(in, 2);
    if (!c || !x || !y)
        return true;
    uint32_t n = MAX(c->n, MAX(x->n, y->n));
    struct folded *at = arena_new_array(in->a, struct folded, n);
    for (uint32_t i = 0; i < n; i++) {
        if ((c->n != 1 && i >= c->n) || (x->n != 1 && i >= x->n) || (y->n != 1 && i >= y->n))
            return true;
        struct folded which = c->at[c->n == 1 ? 0 : i];
        if (which.is_known)
            at[i] = which.value ? x->at[x->n == 1 ? 0 : i] : y->at[y->n == 1 ? 0 : i];
    }
    infer__set_ints(in, 0, (struct fold){MAX(c->rank, MAX(x->rank, y->rank)), n, at});
    return true;
}

/* Clip: bounds are scalars. */
bool infer__clip(struct infer *in, struct err *e)
{
    for (uint32_t i = 1; i < in->n->n_inputs; i++)
        if (!infer__need_rank(in, i, 0, 0, e))
            return false;
    return infer__same_as_input(in, 0, 0);
}

static void pass_ints(struct infer *in)
{
    const struct fold *f = infer__ints(in, 0);
    if (f)
        infer__set_ints(in, 0, *f);
}

bool infer__identity(struct infer *in, struct err *e)
{
    (void)e;
    infer__same_as_input(in, 0, 0);
    pass_ints(in);
    return true;
}

/* Dropout: output as input, mask (bool, before opset 10 the input's type) of the same shape. */
bool infer__dropout(struct infer *in, struct err *e)
{
    (void)e;
    infer__same_as_input(in, 0, 0);
    infer__set(in, 1, in->opset < 10 ? infer__dtype(in, 0) : DTYPE_BOOL, *infer__shape(in, 0));
    return true;
}

static bool set_cast(struct infer *in, enum dtype to)
{
    infer__set(in, 0, to, *infer__shape(in, 0));
    if (to == DTYPE_INT64 || to == DTYPE_INT32)
        pass_ints(in);
    return true;
}

bool infer__cast(struct infer *in, struct err *e)
{
    int64_t to = node_int(in->n, "to", 0);
    if (to <= 0 || to >= DTYPE_COUNT)
        return err_set(e, ERR_DATA, "attribute to is %lld, no known type", (long long)to);
    return set_cast(in, (enum dtype)to);
}

bool infer__castlike(struct infer *in, struct err *e)
{
    (void)e;
    return set_cast(in, infer__dtype(in, 1));
}

static const struct {
    const char *name;
    enum dtype dtype;
    bool is_list;
} constant_rows[] = {{"value_float", DTYPE_FLOAT, false},   {"value_floats", DTYPE_FLOAT, true},
                     {"value_int", DTYPE_INT64, false},     {"value_ints", DTYPE_INT64, true},
                     {"value_string", DTYPE_STRING, false}, {"value_strings", DTYPE_STRING, true}};

static bool constant_list(struct infer *in, struct err *e)
{
    for (size_t i = 0; i < COUNT_OF(constant_rows); i++) {
        const struct attr *t = node_attr(in->n, constant_rows[i].name);
        if (!t)
            continue;
        bool is_list = constant_rows[i].is_list;
        int64_t n = is_list ? (int64_t)t->n : 1;
        infer__set(in, 0, constant_rows[i].dtype, shape_from_dims(&n, is_list, in->a));
        if (constant_rows[i].dtype != DTYPE_INT64 || n > INFER_INTS_MAX)
            return true;
        struct folded *at = arena_new_array(in->a, struct folded, (size_t)n);
        for (int64_t j = 0; j < n; j++)
            at[j] = (struct folded){true, is_list ? t->ints[j] : t->i, 0};
        infer__set_ints(in, 0, (struct fold){is_list, (uint32_t)n, at});
        return true;
    }
    return err_set(e, ERR_UNSUPPORTED, "no value attribute of a kind that is supported");
}

bool infer__constant_node(struct infer *in, struct err *e)
{
    const struct attr *t = node_attr(in->n, "value");
    if (!t)
        return constant_list(in, e);
    if (t->kind != ATTR_TENSOR)
        return err_set(e, ERR_DATA, "attribute value is no tensor");
    infer__set(in, 0, t->t->dtype, shape_from_dims(t->t->dims, t->t->rank, in->a));
    infer__set_ints_of_tensor(in, 0, t->t);
    return true;
}
