/*
 * The list of cells, from the standard's facts (onnx/op.h), the values of attributes, the allowed
 * ranks and the neighbours. Knows no generator: cells that none can make are in excluded.def with
 * the reason.
 */
#include "generate/reach/reach_p.h"

#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
    [REACH_ATTRIBUTE] = "attribute", [REACH_OPTIONAL] = "optional",
    [REACH_DTYPE] = "dtype",         [REACH_RANK] = "rank",
    [REACH_SIZE] = "size",           [REACH_PARAMETER] = "parameter",
    [REACH_DATA_EDGE] = "data edge", [REACH_WEIGHT_EDGE] = "weight edge",
};
static const char *const size_names[] = {"0", "1", "2", "odd", "even"};
static const char *const form_names[] = {"initializer", "Constant", "computed"};

static const struct {
    const char *op_type;
    uint32_t low, high;
} ranks[] = {
#define RANK(op_type, low, high) {op_type, low, high},
#include "generate/reach/ranks.def"
#undef RANK
};

static const char *const neighbours[] = {
#define NEIGHBOUR(op_type) op_type,
#include "generate/reach/neighbours.def"
#undef NEIGHBOUR
};

/* NULL: any. A pattern of a value may end in '*'. */
static const struct excluded {
    const char *kind, *op_type, *what, *value, *why;
} excluded[] = {
#define EXCLUDED(kind, op_type, what, value, why) {kind, op_type, what, value, why},
#include "generate/reach/excluded.def"
#undef EXCLUDED
};

const char *reach_kind_name(enum reach_kind kind)
{
    return kind_names[kind];
}

static bool fits(const char *pattern, const char *text)
{
    return !pattern || str_like(str_of(text), str_of(pattern), false);
}

static const char *why_excluded(const struct reach_cell *c)
{
    for (size_t i = 0; i < COUNT_OF(excluded); i++) {
        const struct excluded *x = &excluded[i];
        if (fits(x->kind, kind_names[c->kind]) && fits(x->op_type, c->op_type) &&
            fits(x->what, c->what) && fits(x->value, c->value))
            return x->why;
    }
    return NULL;
}

static void add(struct reach *r, enum reach_kind kind, const struct op *op, uint32_t at,
                uint32_t value, const char *what, const char *name)
{
    struct reach_cell c = {reach__key(kind, op->row, at, value), kind, op->name, what, name, NULL};
    c.excluded = why_excluded(&c);
    vec_push(&r->cells, &r->a, c);
}

static void add_attribute(struct reach *r, const struct op *op, uint32_t at)
{
    struct reach_op *own = &r->ops[op->row];
    const struct op_attr_fact *attr = &own->fact->attrs[at];
    size_t n;
    const struct attribute_row *rows = attribute_list(&n);
    uint32_t bucket = 1;
    if (!attr->required)
        add(r, REACH_ATTRIBUTE, op, at, 0, attr->name, "absent");
    for (size_t i = 0; i < n; i++) {
        const char *name;
        if (strcmp(rows[i].op_type, op->name) != 0 || strcmp(rows[i].attr, attr->name) != 0)
            continue;
        vec_push(&own->attrs, &r->a, (struct reach_attr){&rows[i], at, bucket});
        for (uint32_t k = 0; (name = reach__bucket_name(&rows[i], k, &r->a)); k++)
            add(r, REACH_ATTRIBUTE, op, at, bucket++, attr->name, name);
    }
}

static void add_inputs(struct reach *r, const struct op *op, const struct op_fact *f)
{
    static const char *const counts[] = {"1", "2", "more"};
    for (uint32_t i = 0; i < (uint32_t)f->n_input_facts; i++) {
        const struct op_param_fact *p = &f->inputs[i];
        if (p->arity == OP_OPTIONAL) {
            add(r, REACH_OPTIONAL, op, i, 0, p->name, "absent");
            add(r, REACH_OPTIONAL, op, i, 1, p->name, "present");
        }
        for (uint32_t k = 0; p->arity == OP_VARIADIC && k < COUNT_OF(counts); k++)
            add(r, REACH_OPTIONAL, op, i, k, p->name, counts[k]);
        for (uint32_t k = 0; reach__has_forms(op, f, i) && k < REACH_FORMS; k++)
            add(r, REACH_PARAMETER, op, i, k, p->name, form_names[k]);
    }
}

bool reach__has_forms(const struct op *op, const struct op_fact *f, uint32_t i)
{
    const struct op_param_fact *p = op_fact_input(f, i);
    return p && p->arity != OP_VARIADIC && (i > 0 || (op->parameter_inputs & 1) != 0);
}

uint32_t reach__type_at(const struct op_fact *f, const char *type)
{
    for (uint32_t i = 0; i < (uint32_t)f->n_input_facts; i++) {
        if (strcmp(f->inputs[i].type, type) == 0)
            return i;
    }
    for (uint32_t i = 0; i < (uint32_t)f->n_output_facts; i++) {
        if (strcmp(f->outputs[i].type, type) == 0)
            return REACH_OUTPUT + i;
    }
    return UINT32_MAX;
}

/* Adds cells for a type parameter at its first occurrence; one with a single dtype has none. */
static void add_dtypes_of(struct reach *r, const struct op *op, const struct op_param_fact *p,
                          uint32_t at)
{
    if (reach__type_at(r->ops[op->row].fact, p->type) != at || !(p->dtypes & (p->dtypes - 1)))
        return;
    for (int t = 1; t < DTYPE_COUNT; t++) {
        if (p->dtypes & dtype_bit((enum dtype)t))
            add(r, REACH_DTYPE, op, at, (uint32_t)t, p->type, dtype_name((enum dtype)t));
    }
}

static void add_dtypes(struct reach *r, const struct op *op, const struct op_fact *f)
{
    for (uint32_t i = 0; i < (uint32_t)f->n_input_facts; i++)
        add_dtypes_of(r, op, &f->inputs[i], i);
    for (uint32_t i = 0; i < (uint32_t)f->n_output_facts; i++)
        add_dtypes_of(r, op, &f->outputs[i], REACH_OUTPUT + i);
}

static void add_ranks(struct reach *r, const struct op *op)
{
    static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6"};
    uint32_t low = 0, high = REACH_RANK_MAX;
    for (size_t i = 0; i < COUNT_OF(ranks); i++) {
        if (strcmp(ranks[i].op_type, op->name) == 0) {
            low = ranks[i].low;
            high = ranks[i].high;
        }
    }
    for (uint32_t i = low; i <= high; i++)
        add(r, REACH_RANK, op, 0, i, "", names[i]);
    for (uint32_t i = 0; high > 0 && i < REACH_SIZES; i++)
        add(r, REACH_SIZE, op, 0, i, "", size_names[i]);
}

/* Does the standard allow the first operator's output dtypes as data, or as weights, of the
 * second? */
static bool may_feed(const struct op_fact *from, const struct op_fact *to, bool by_data)
{
    uint32_t given = from->outputs[0].dtypes, taken = 0;
    for (uint32_t i = by_data ? 0 : 1; (int64_t)i < to->max_inputs && i < (by_data ? 1u : 16u); i++)
        taken |= op_fact_input(to, i) ? op_fact_input(to, i)->dtypes : 0;
    return (given & taken) != 0;
}

static void add_edges(struct reach *r)
{
    for (size_t i = 0; i < COUNT_OF(neighbours); i++) {
        const struct op *from = op_find(STR(""), str_of(neighbours[i]));
        r->ops[from->row].is_neighbour = true;
        for (size_t k = 0; k < COUNT_OF(neighbours); k++) {
            const struct op *to = op_find(STR(""), str_of(neighbours[k]));
            const struct op_fact *x = r->ops[from->row].fact, *y = r->ops[to->row].fact;
            if (may_feed(x, y, true))
                add(r, REACH_DATA_EDGE, to, 0, (uint32_t)from->row, "", from->name);
            if (may_feed(x, y, false))
                add(r, REACH_WEIGHT_EDGE, to, 0, (uint32_t)from->row, "", from->name);
        }
    }
}

static int by_key(const void *x, const void *y)
{
    uint32_t a = ((const struct reach_cell *)x)->key, b = ((const struct reach_cell *)y)->key;
    return a < b ? -1 : a > b;
}

void reach_init(struct reach *r)
{
    size_t n;
    const struct op *ops = op_list(&n);
    *r = (struct reach){0};
    arena_init(&r->a);
    r->ops = arena_new_array(&r->a, struct reach_op, n);
    for (size_t i = 0; i < n; i++) {
        const struct op_fact *f = op_fact_find(STR(""), str_of(ops[i].name), REACH_OPSET);
        if (!f || f->deprecated || strcmp(f->name, "Constant") == 0)
            continue;
        r->ops[i].fact = f;
        for (uint32_t k = 0; k < (uint32_t)f->n_attrs; k++)
            add_attribute(r, &ops[i], k);
        add_inputs(r, &ops[i], f);
        add_dtypes(r, &ops[i], f);
        if (f->n_input_facts > 0)
            add_ranks(r, &ops[i]);
    }
    add_edges(r);
    qsort(r->cells.at, r->cells.n, sizeof *r->cells.at, by_key);
}

const struct reach_cell *reach_find(const struct reach *r, uint64_t key)
{
    const struct reach_cell wanted = {.key = (uint32_t)key};
    if (key > UINT32_MAX)
        return NULL;
    return bsearch(&wanted, r->cells.at, r->cells.n, sizeof wanted, by_key);
}

size_t reach_n_wanted(const struct reach *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->cells.n; i++)
        n += r->cells.at[i].excluded == NULL;
    return n;
}

void reach_done(struct reach *r)
{
    arena_done(&r->a);
}

void reach_print(const struct reach_cell *c, struct strbuf *out)
{
    if (c->kind == REACH_DATA_EDGE || c->kind == REACH_WEIGHT_EDGE)
        strbuf_printf(out, "%s>%s %s", c->value, c->op_type, kind_names[c->kind]);
    else
        strbuf_printf(out, "%s %s %s%s%s", c->op_type, kind_names[c->kind], c->what,
                      c->what[0] ? "=" : "", c->value);
}
