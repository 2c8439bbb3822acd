/*
 * Decides how a small graph reads as text: a line for its inputs, one per node in topological
 * order, one for its outputs; small constants are shown as values. For reports, where a reader
 * wants to see the model before running anything. Names are escaped, so that each stays in its
 * line.
 */
#include "base/compiler.h"
#include "emit/literal.h"
#include "report/python_p.h"
#include "report/report_p.h"

enum { NODES_SHOWN = 40, ELEMENTS_SHOWN = 8 };

static void add_constant(const struct tensor *t, struct strbuf *out)
{
    strbuf_printf(out, "%s[", dtype_name(t->dtype));
    for (uint32_t i = 0; i < t->rank; i++)
        strbuf_printf(out, i ? ",%lld" : "%lld", (long long)t->dims[i]);
    strbuf_adds(out, "]");
    if (t->n > ELEMENTS_SHOWN || t->dtype == DTYPE_STRING)
        return;
    strbuf_adds(out, " {");
    for (size_t i = 0; i < t->n; i++)
        if (dtype_is_float(t->dtype))
            strbuf_printf(out, i ? ", %.9g" : "%.9g", tensor_get_double(t, i));
        else
            strbuf_printf(out, i ? ", %lld" : "%lld", (long long)tensor_get_i64(t, i));
    strbuf_addc(out, '}');
}

static void add_list(const struct model *m, const struct graph *g, const uint32_t *values, size_t n,
                     struct strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct graph_value *v = &g->values.at[values[i]];
        strbuf_adds(out, i ? ", " : "");
        strbuf_add_line(out, v->name);
        strbuf_printf(out, ": %s", dtype_name(v->dtype));
        if (v->shape.known)
            shape_print(m, &v->shape, out);
    }
    strbuf_addc(out, '\n');
}

static void add_attr(const struct attr *a, struct strbuf *out)
{
    strbuf_add_line(out, a->name);
    strbuf_addc(out, '=');
    switch (a->kind) {
    case ATTR_FLOAT:
        strbuf_printf(out, "%.9g", (double)a->f);
        return;
    case ATTR_INT:
        strbuf_printf(out, "%lld", (long long)a->i);
        return;
    case ATTR_STRING:
        literal_string(a->s, out);
        return;
    case ATTR_TENSOR:
        add_constant(a->t, out);
        return;
    case ATTR_FLOATS:
    case ATTR_INTS:
        strbuf_addc(out, '[');
        for (size_t i = 0; i < a->n; i++)
            if (a->kind == ATTR_FLOATS)
                strbuf_printf(out, i ? ", %.9g" : "%.9g", (double)a->floats[i]);
            else
                strbuf_printf(out, i ? ", %lld" : "%lld", (long long)a->ints[i]);
        strbuf_addc(out, ']');
        return;
    default:
        strbuf_adds(out, "...");
    }
}

static void add_names(const struct graph *g, const uint32_t *values, uint32_t n, struct strbuf *out)
{
    for (uint32_t i = 0; i < n; i++) {
        strbuf_adds(out, i ? ", " : "");
        if (values[i] == VALUE_NONE)
            strbuf_addc(out, '_');
        else
            strbuf_add_line(out, g->values.at[values[i]].name);
    }
}

static void add_node(const struct graph *g, const struct node *n, struct strbuf *out)
{
    add_names(g, n->outputs, n->n_outputs, out);
    strbuf_adds(out, " = ");
    strbuf_add_line(out, n->op_type);
    strbuf_addc(out, '(');
    add_names(g, n->inputs, n->n_inputs, out);
    strbuf_addc(out, ')');
    for (uint32_t i = 0; i < n->n_attrs; i++) {
        strbuf_adds(out, i ? ", " : "  ");
        add_attr(&n->attrs[i], out);
    }
    strbuf_addc(out, '\n');
}

void report__graph_text(const struct model *m, struct strbuf *out)
{
    const struct graph *g = m->graph;
    strbuf_printf(out, "opset    %d\ninputs   ", m->opset);
    add_list(m, g, g->inputs.at, g->inputs.n, out);
    for (size_t i = 0; i < g->values.n; i++) {
        if (!g->values.at[i].initializer)
            continue;
        strbuf_adds(out, "constant ");
        strbuf_add_line(out, g->values.at[i].name);
        strbuf_adds(out, ": ");
        add_constant(g->values.at[i].initializer, out);
        strbuf_addc(out, '\n');
    }
    for (size_t i = 0; i < g->nodes.n && i < NODES_SHOWN; i++) {
        strbuf_adds(out, "node     ");
        add_node(g, &g->nodes.at[i], out);
    }
    if (g->nodes.n > NODES_SHOWN)
        strbuf_printf(out, "         ... %zu nodes more\n", g->nodes.n - NODES_SHOWN);
    strbuf_adds(out, "outputs  ");
    add_list(m, g, g->outputs.at, g->outputs.n, out);
}
