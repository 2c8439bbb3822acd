/*
 * Decides what a form means. A form is an expression of the framework in which facts of the node
 * replace braces; when one of them cannot be filled in, the form does not apply.
 *
 *     {0} {2?}          an input by name; where it is missing, {0} does not apply, {2?} is None
 *     {*} {1*}          all inputs, from this one on, with commas
 *     {1:ints} {1:int} {1:num}   constant input: a list, one integer, one number
 *     {1:list}          as :ints, or the numbers of a tensor when they are not constant
 *     {0:dtype} {>0:dtype}       the framework's dtype of an input, of an output
 *     {0:shape} {>0:shape} {0:rank}   if known while the program is written
 *     {@axis} {@to:dtype}        attribute, or the standard's default; the dtype that it numbers
 *     {@axis=None}      as {@axis}, with a text for an attribute without default
 *     {#perm}           a word of word.c
 *     {-kernel_shape}   no text: the form already says what the attribute does. A form that names
 *                       not all attributes of the node does not apply
 *     {?...} {!...}     no text; the form applies if, or unless: 2 (the input is there), 0:float,
 *                       0:int, 0:bool, 0:const, 0:one, 0:empty, 0:DTYPE, 0:rank=4, @name=text,
 *                       out=1, in=3, opset=13 (at least), same (all inputs have one dtype)
 */
#include <math.h>

#include "emit/emit_p.h"
#include "emit/literal.h"
#include "onnx/op.h"

static bool lacks(struct filling *f, const char *what)
{
    return err_set(f->e, ERR_UNSUPPORTED, "operator " STR_FMT ": %s is not written for %s",
                   STR_ARG(f->node->op_type), what, f->w->framework->name);
}

const struct graph_value *emit__input(const struct filling *f, uint32_t i)
{
    if (i >= f->node->n_inputs || f->node->inputs[i] == VALUE_NONE)
        return NULL;
    return &f->scope->graph->values.at[f->node->inputs[i]];
}

static const struct graph_value *output(const struct filling *f, uint32_t i)
{
    if (i >= f->node->n_outputs || f->node->outputs[i] == VALUE_NONE)
        return NULL;
    return &f->scope->graph->values.at[f->node->outputs[i]];
}

static const struct tensor *constant_input(const struct filling *f, uint32_t i)
{
    return emit__input(f, i) ? emit__constant(f->w, f->scope, f->node->inputs[i]) : NULL;
}

bool emit__ints(struct filling *f, uint32_t input, const int64_t **at, size_t *n)
{
    const struct tensor *t = constant_input(f, input);
    if (!t || !dtype_is_integer(t->dtype))
        return lacks(f, "an input that is computed and says a shape or axes");
    int64_t *list = arena_new_array(f->w->a, int64_t, t->n);
    for (size_t i = 0; i < t->n; i++)
        list[i] = tensor_get_i64(t, i);
    *at = list;
    *n = t->n;
    return true;
}

static bool add_variable(struct filling *f, uint32_t i)
{
    if (!emit__input(f, i))
        return lacks(f, "a missing input");
    vec_push(&f->used, NULL, f->node->inputs[i]);
    strbuf_addstr(f->out, emit__name(f->w, f->scope, f->node->inputs[i]));
    return true;
}

static bool add_variables(struct filling *f, uint32_t from)
{
    for (uint32_t i = from; i < f->node->n_inputs; i++) {
        strbuf_adds(f->out, i > from ? ", " : "");
        if (!add_variable(f, i))
            return false;
    }
    return true;
}

static bool add_dtype(struct filling *f, enum dtype t)
{
    const char *name = t < DTYPE_COUNT ? f->w->framework->dtypes[t] : NULL;
    if (!name)
        return err_set(f->e, ERR_UNSUPPORTED, "operator " STR_FMT ": %s has no dtype %s",
                       STR_ARG(f->node->op_type), f->w->framework->name, dtype_name(t));
    strbuf_adds(f->out, name);
    return true;
}

static bool add_ints(struct filling *f, uint32_t i, bool one)
{
    const int64_t *at;
    size_t n;
    if (!emit__ints(f, i, &at, &n))
        return false;
    if (one && n != 1)
        return lacks(f, "a list where one number is meant");
    if (one)
        strbuf_printf(f->out, "%lld", (long long)at[0]);
    else
        literal_dims(at, (uint32_t)n, f->out);
    return true;
}

static bool add_number(struct filling *f, uint32_t i)
{
    const struct tensor *t = constant_input(f, i);
    if (!t || t->n != 1 || t->dtype == DTYPE_STRING)
        return lacks(f, "a number that is computed");
    literal_element(t, 0, f->w->framework->module, f->out);
    return true;
}

static bool add_list(struct filling *f, uint32_t i)
{
    const int64_t *at;
    size_t n;
    struct strbuf text = {0}, *out = f->out;
    if (emit__ints(f, i, &at, &n)) {
        literal_dims(at, (uint32_t)n, out);
        return true;
    }
    if (!f->w->framework->to_list)
        return false;
    f->out = &text;
    bool ok = add_variable(f, i);
    f->out = out;
    if (ok)
        emit__put(out, f->w->framework->to_list, STR(""), strbuf_str(&text), "", STR(""));
    strbuf_done(&text);
    return ok;
}

static bool add_shape(struct filling *f, const struct graph_value *v)
{
    int64_t dims[TENSOR_RANK_MAX];
    if (!shape_to_dims(&v->shape, dims))
        return lacks(f, "an unknown dim");
    literal_dims(dims, v->shape.rank, f->out);
    return true;
}

/* Adds the fact after ":" of a value. */
static bool add_fact(struct filling *f, const struct graph_value *v, uint32_t i, struct str what)
{
    if (str_is(what, "ints") || str_is(what, "int"))
        return add_ints(f, i, str_is(what, "int"));
    if (str_is(what, "num"))
        return add_number(f, i);
    if (str_is(what, "list"))
        return add_list(f, i);
    if (!v)
        return lacks(f, "a missing value");
    if (str_is(what, "dtype"))
        return add_dtype(f, v->dtype);
    if (str_is(what, "shape"))
        return add_shape(f, v);
    if (!v->shape.known)
        return lacks(f, "an unknown rank");
    strbuf_printf(f->out, "%u", v->shape.rank);
    return true;
}

/* Attributes ---------------------------------------------------------------------------------- */

/* Attributes are 32-bit floats: in a computation with doubles all their digits matter. */
static void add_float(struct filling *f, double x)
{
    const struct graph_value *v = emit__input(f, 0);
    enum dtype t = v && v->dtype == DTYPE_DOUBLE ? DTYPE_DOUBLE : DTYPE_FLOAT;
    literal_real(x, t, f->w->framework->module, f->out);
}

static void add_numbers(struct filling *f, const struct attr *a)
{
    strbuf_addc(f->out, '[');
    for (size_t i = 0; i < a->n; i++) {
        strbuf_adds(f->out, i ? ", " : "");
        if (a->kind == ATTR_FLOATS)
            add_float(f, (double)a->floats[i]);
        else if (a->kind == ATTR_INTS)
            strbuf_printf(f->out, "%lld", (long long)a->ints[i]);
        else
            literal_string(a->strings[i], f->out);
    }
    strbuf_addc(f->out, ']');
}

static bool add_present(struct filling *f, const struct attr *a)
{
    switch (a->kind) {
    case ATTR_FLOAT:
        add_float(f, (double)a->f);
        return true;
    case ATTR_INT:
        strbuf_printf(f->out, "%lld", (long long)a->i);
        return true;
    case ATTR_STRING:
        literal_string(a->s, f->out);
        return true;
    case ATTR_FLOATS:
    case ATTR_INTS:
    case ATTR_STRINGS:
        add_numbers(f, a);
        return true;
    case ATTR_TENSOR:
        if (a->t->n != 1)
            return lacks(f, "a tensor as an attribute");
        literal_element(a->t, 0, f->w->framework->module, f->out);
        return true;
    default:
        return lacks(f, "this kind of attribute");
    }
}

/* Adds the attribute, else the standard's default, else the text `otherwise`. */
static bool add_attribute(struct filling *f, struct str name, const struct str *otherwise)
{
    const char *key = str_dup(f->w->a, name);
    const struct attr *a = node_attr(f->node, key);
    vec_push(&f->heeded, NULL, name);
    const struct op_attr_fact *fact = f->node->fact ? op_fact_attr(f->node->fact, key) : NULL;
    if (a)
        return add_present(f, a);
    if (fact && fact->has_default && fact->kind == ATTR_INT)
        strbuf_printf(f->out, "%lld", (long long)fact->default_i);
    else if (fact && fact->has_default && fact->kind == ATTR_FLOAT)
        add_float(f, (double)fact->default_f);
    else if (fact && fact->has_default && fact->kind == ATTR_STRING)
        literal_string(str_of(fact->default_s), f->out);
    else if (otherwise)
        strbuf_addstr(f->out, *otherwise);
    else
        return err_set(f->e, ERR_UNSUPPORTED, "operator " STR_FMT " without attribute %s",
                       STR_ARG(f->node->op_type), key);
    return true;
}

static bool add_asked(struct filling *f, struct str asked)
{
    size_t equals = str_find_byte(asked, '='), colon = str_find_byte(asked, ':');
    if (colon < asked.n && equals == asked.n) {
        const char *key = str_dup(f->w->a, str_sub(asked, 0, colon));
        vec_push(&f->heeded, NULL, str_sub(asked, 0, colon));
        return add_dtype(f, (enum dtype)node_int(f->node, key, DTYPE_FLOAT));
    }
    struct str otherwise = str_sub(asked, equals + 1, asked.n);
    return add_attribute(f, str_sub(asked, 0, equals), equals < asked.n ? &otherwise : NULL);
}

/* Conditions ---------------------------------------------------------------------------------- */

static bool is_one(const struct tensor *t)
{
    return t && t->n == 1 && dtype_is_integer(t->dtype) && tensor_get_i64(t, 0) == 1;
}

static bool has_no_element(const struct graph_value *v)
{
    for (uint32_t i = 0; v->shape.known && i < v->shape.rank; i++)
        if (v->shape.dims[i].value == 0)
            return true;
    return false;
}

static bool value_is(const struct filling *f, uint32_t i, struct str what)
{
    const struct graph_value *v = emit__input(f, i);
    int64_t rank;
    if (!v)
        return false;
    if (str_is(what, "const"))
        return constant_input(f, i) != NULL;
    if (str_is(what, "one"))
        return is_one(constant_input(f, i));
    if (str_is(what, "empty"))
        return has_no_element(v);
    if (str_is(what, "float"))
        return dtype_is_float(v->dtype);
    if (str_is(what, "int"))
        return dtype_is_integer(v->dtype);
    if (str_starts(what, STR("rank=")))
        return v->shape.known && str_to_i64(str_sub(what, 5, what.n), &rank) &&
               v->shape.rank == (uint32_t)rank;
    return str_is(what, dtype_name(v->dtype));
}

static bool inputs_have_one_dtype(const struct filling *f)
{
    const struct graph_value *first = emit__input(f, 0);
    for (uint32_t i = 1; i < f->node->n_inputs; i++) {
        const struct graph_value *v = emit__input(f, i);
        if (v && v->dtype != first->dtype)
            return false;
    }
    return true;
}

/* Is the attribute's text, without quotes, equal to `asked`? "" means that it is absent. */
static bool attribute_is(struct filling *f, struct str asked)
{
    struct strbuf text = {0}, *out = f->out;
    struct str nothing = STR("");
    size_t equals = str_find_byte(asked, '=');
    struct str want = str_sub(asked, equals + 1, asked.n);
    f->out = &text;
    bool ok = add_attribute(f, str_sub(asked, 0, equals), &nothing);
    f->out = out;
    struct str got = strbuf_str(&text);
    if (got.n > 1 && got.at[0] == '"')
        got = str_sub(got, 1, got.n - 1);
    ok = ok && str_eq(got, want);
    strbuf_done(&text);
    return ok;
}

static bool number_is(struct str text, const char *name, int64_t *want)
{
    struct str key = str_of(name);
    return str_starts(text, key) && str_to_i64(str_sub(text, key.n, text.n), want);
}

static bool holds(struct filling *f, struct str c)
{
    int64_t want;
    if (str_is(c, "same"))
        return inputs_have_one_dtype(f);
    if (c.n && c.at[0] == '@')
        return attribute_is(f, str_sub(c, 1, c.n));
    if (number_is(c, "opset=", &want))
        return f->w->model->opset >= want;
    if (number_is(c, "out=", &want))
        return f->node->n_outputs == (uint32_t)want;
    if (number_is(c, "in=", &want))
        return f->node->n_inputs == (uint32_t)want;
    if (c.n == 1)
        return emit__input(f, (uint32_t)(c.at[0] - '0')) != NULL;
    return value_is(f, (uint32_t)(c.at[0] - '0'), str_sub(c, 2, c.n));
}

/* ---------------------------------------------------------------------------------------------- */

static bool add_value(struct filling *f, struct str token, bool is_output)
{
    uint32_t i = (uint32_t)(token.at[0] - '0');
    struct str rest = str_sub(token, 1, token.n);
    if (!rest.n)
        return add_variable(f, i);
    if (str_is(rest, "*"))
        return add_variables(f, i);
    if (str_is(rest, "?") && !emit__input(f, i)) {
        strbuf_adds(f->out, "None");
        return true;
    }
    if (str_is(rest, "?"))
        return add_variable(f, i);
    return add_fact(f, is_output ? output(f, i) : emit__input(f, i), i, str_sub(rest, 1, rest.n));
}

static bool add_token(struct filling *f, struct str token)
{
    struct str rest = str_sub(token, 1, token.n);
    switch (token.at[0]) {
    case '?':
        return holds(f, rest) || lacks(f, "this combination of inputs and attributes");
    case '!':
        return !holds(f, rest) || lacks(f, "this combination of inputs and attributes");
    case '@':
        return add_asked(f, rest);
    case '#':
        return emit__word(f, rest);
    case '-':
        vec_push(&f->heeded, NULL, rest);
        return true;
    case '*':
        return add_variables(f, 0);
    case '>':
        return add_value(f, rest, true);
    default:
        return add_value(f, token, false);
    }
}

bool emit__fill(struct filling *f, const char *form)
{
    struct str rest = str_of(form);
    while (rest.n) {
        size_t open = str_find_byte(rest, '{');
        strbuf_addstr(f->out, str_sub(rest, 0, open));
        if (open == rest.n)
            return true;
        rest = str_sub(rest, open + 1, rest.n);
        size_t close = str_find_byte(rest, '}');
        if (!add_token(f, str_sub(rest, 0, close)))
            return false;
        rest = str_sub(rest, close + 1, rest.n);
    }
    return true;
}
