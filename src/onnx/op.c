/*
 * Look-up in the two tables of op.h. Both are sorted, so a look-up is a binary search. ops.def must
 * be sorted by name; a unit test checks it.
 */
#include "onnx/op.h"

#include <limits.h>
#include <string.h>

#include "onnx/op_p.h"

/* Row numbers: ROW_Abs is 0. */
enum row {
#define OP(name, infer_fn, kernel_fn, exactness, rounding, parameters, certified) ROW_##name,
#include "onnx/ops.def"
#undef OP
};

#define OP(name, infer_fn, kernel_fn, exactness, rounding, parameters, certified)                  \
    {#name, "", ROW_##name, OP_##exactness, OP_ROUND_##rounding, parameters, certified},
static const struct op rows[] = {
#include "onnx/ops.def"
};
#undef OP

static int compare(struct str name, const char *row)
{
    int order = name.n ? strncmp(name.at, row, name.n) : 0;
    return order ? order : row[name.n] ? -1 : 0;
}

const struct op *op_find(struct str domain, struct str name)
{
    size_t low = 0, high = COUNT_OF(rows);
    if (domain.n)
        return NULL;
    while (low < high) {
        size_t at = low + (high - low) / 2;
        int order = compare(name, rows[at].name);
        if (order == 0)
            return &rows[at];
        if (order < 0)
            high = at;
        else
            low = at + 1;
    }
    return NULL;
}

const struct op *op_list(size_t *n)
{
    *n = COUNT_OF(rows);
    return rows;
}

const struct op_fact *op_fact_find(struct str domain, struct str name, int opset)
{
    size_t low = 0, high = op__n_facts;
    while (low < high) { /* the first row after (domain, name, opset) */
        size_t at = low + (high - low) / 2;
        const struct op_fact *f = &op__facts[at];
        int order = compare(domain, f->domain);
        if (!order)
            order = compare(name, f->name);
        if (order > 0 || (order == 0 && f->since_version <= opset))
            low = at + 1;
        else
            high = at;
    }
    if (!low)
        return NULL;
    const struct op_fact *f = &op__facts[low - 1];
    return str_is(name, f->name) && str_is(domain, f->domain) ? f : NULL;
}

uint32_t op_lead_dtypes(const struct op *op)
{
    const struct op_fact *f = op_fact_find(STR(""), str_of(op->name), INT_MAX);
    if (!f)
        return 0;
    return f->n_input_facts ? f->inputs[0].dtypes : f->outputs[0].dtypes;
}

const struct op_fact *op_fact_list(size_t *n)
{
    *n = op__n_facts;
    return op__facts;
}

const struct op_attr_fact *op_fact_attr(const struct op_fact *f, const char *name)
{
    for (int i = 0; i < f->n_attrs; i++)
        if (!strcmp(f->attrs[i].name, name))
            return &f->attrs[i];
    return NULL;
}

static const struct op_param_fact *param_at(const struct op_param_fact *params, int n, uint32_t i)
{
    if ((int64_t)i < n)
        return &params[i];
    return n > 0 && params[n - 1].arity == OP_VARIADIC ? &params[n - 1] : NULL;
}

const struct op_param_fact *op_fact_input(const struct op_fact *f, uint32_t i)
{
    return param_at(f->inputs, f->n_input_facts, i);
}

const struct op_param_fact *op_fact_output(const struct op_fact *f, uint32_t i)
{
    return param_at(f->outputs, f->n_output_facts, i);
}

/* Type parameters bound so far; operators have at most a handful. */
struct bindings {
    const char *type[16];
    enum dtype dtype[16];
    size_t n;
};

static bool check_param(const struct op_param_fact *p, enum dtype dtype, struct bindings *bound,
                        const char *what, struct err *e)
{
    if (dtype == DTYPE_UNDEFINED)
        return true;
    if (!(p->dtypes & dtype_bit(dtype)))
        return err_set(e, ERR_DATA, "%s %s is %s, which the operator does not take", what, p->name,
                       dtype_name(dtype));
    if (p->mixed_types)
        return true;
    for (size_t i = 0; i < bound->n; i++)
        if (!strcmp(bound->type[i], p->type)) {
            if (bound->dtype[i] != dtype)
                return err_set(e, ERR_DATA, "%s %s is %s, but %s is already %s", what, p->name,
                               dtype_name(dtype), p->type, dtype_name(bound->dtype[i]));
            return true;
        }
    if (bound->n < COUNT_OF(bound->type)) {
        bound->type[bound->n] = p->type;
        bound->dtype[bound->n++] = dtype;
    }
    return true;
}

bool op_check_types(const struct op_fact *f, const struct op_types *t, struct err *e)
{
    struct bindings bound = {.n = 0};
    for (uint32_t i = 0; i < t->n_inputs; i++) {
        const struct op_param_fact *p = op_fact_input(f, i);
        if (!p)
            return err_set(e, ERR_DATA, "%u inputs, at most %d are taken", t->n_inputs,
                           f->n_input_facts);
        if (!check_param(p, t->inputs[i], &bound, "input", e))
            return false;
    }
    for (uint32_t i = 0; i < t->n_outputs; i++) {
        const struct op_param_fact *p = op_fact_output(f, i);
        if (!p)
            return err_set(e, ERR_DATA, "%u outputs, at most %d are given", t->n_outputs,
                           f->n_output_facts);
        if (!check_param(p, t->outputs[i], &bound, "output", e))
            return false;
    }
    return true;
}

bool op_check_node(const struct node *n, int opset, struct err *e)
{
    const struct op_fact *f = n->fact;
    if (f && f->deprecated)
        return err_set(e, ERR_DATA, "the operator is deprecated in opset %d", opset);
    if (!n->op)
        return err_set(e, ERR_UNSUPPORTED, "the operator is not supported");
    if (!f)
        return err_set(e, ERR_DATA, "the operator does not exist in opset %d", opset);
    if ((int64_t)n->n_inputs < f->min_inputs || (int64_t)n->n_inputs > f->max_inputs)
        return err_set(e, ERR_DATA, "%u inputs, %d to %d are taken", n->n_inputs, f->min_inputs,
                       f->max_inputs);
    if ((int64_t)n->n_outputs < f->min_outputs || (int64_t)n->n_outputs > f->max_outputs)
        return err_set(e, ERR_DATA, "%u outputs, %d to %d are given", n->n_outputs, f->min_outputs,
                       f->max_outputs);
    for (uint32_t i = 0; i < n->n_inputs; i++) {
        const struct op_param_fact *p = op_fact_input(f, i);
        if (n->inputs[i] == VALUE_NONE && p && p->arity != OP_OPTIONAL)
            return err_set(e, ERR_DATA, "input %s is missing", p->name);
    }
    return true;
}
