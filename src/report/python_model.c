/*
 * Decides how a graph is written as calls of onnx.helper: one line per node, attributes as
 * keywords, subgraphs as variables of their own before the graph that uses them. No recursion:
 * subgraphs are listed breadth first and written from the last to the first.
 */
#include "base/compiler.h"
#include "base/vec.h"
#include "emit/literal.h"
#include "report/python_p.h"

struct graphs {
    VEC(const struct graph *) of;
};

static size_t number_of(const struct graphs *all, const struct graph *g)
{
    for (size_t i = 0; i < all->of.n; i++)
        if (all->of.at[i] == g)
            return i;
    return SIZE_MAX;
}

static void list_graphs(const struct model *m, struct graphs *all)
{
    vec_push(&all->of, NULL, m->graph);
    for (size_t i = 0; i < all->of.n; i++) {
        const struct graph *g = all->of.at[i];
        for (size_t k = 0; k < g->nodes.n; k++)
            for (uint32_t n = 0; n < g->nodes.at[k].n_attrs; n++)
                if (g->nodes.at[k].attrs[n].kind == ATTR_GRAPH)
                    vec_push(&all->of, NULL, g->nodes.at[k].attrs[n].g);
    }
}

static void add_graph_name(size_t number, struct strbuf *out)
{
    if (number)
        strbuf_printf(out, "body_%zu", number);
    else
        strbuf_adds(out, "graph");
}

static void add_values(const struct graph *g, const uint32_t *values, uint32_t n,
                       struct strbuf *out)
{
    strbuf_addc(out, '[');
    for (uint32_t i = 0; i < n; i++) {
        strbuf_adds(out, i ? ", " : "");
        literal_string(values[i] == VALUE_NONE ? STR("") : g->values.at[values[i]].name, out);
    }
    strbuf_addc(out, ']');
}

/* Adds the attribute's value as an expression; false: it is of a kind that cannot be written. */
static bool add_attr(const struct graphs *all, const struct attr *a, struct strbuf *out)
{
    switch (a->kind) {
    case ATTR_FLOAT:
        python__float((double)a->f, out);
        return true;
    case ATTR_INT:
        strbuf_printf(out, "%lld", (long long)a->i);
        return true;
    case ATTR_STRING:
        literal_string(a->s, out);
        return true;
    case ATTR_TENSOR:
        python__make_tensor(STR(""), a->t, out);
        return true;
    case ATTR_GRAPH:
        add_graph_name(number_of(all, a->g), out);
        return true;
    case ATTR_FLOATS:
    case ATTR_INTS:
    case ATTR_STRINGS:
        strbuf_addc(out, '[');
        for (size_t i = 0; i < a->n; i++) {
            strbuf_adds(out, i ? ", " : "");
            if (a->kind == ATTR_FLOATS)
                python__float((double)a->floats[i], out);
            else if (a->kind == ATTR_INTS)
                strbuf_printf(out, "%lld", (long long)a->ints[i]);
            else
                literal_string(a->strings[i], out);
        }
        strbuf_addc(out, ']');
        return true;
    default:
        return false;
    }
}

/* Is its value an empty list, whose type Python cannot tell? */
static bool is_empty_list(const struct attr *a)
{
    return a->n == 0 && (a->kind == ATTR_FLOATS || a->kind == ATTR_INTS || a->kind == ATTR_STRINGS);
}

static const char *list_type(enum attr_kind kind)
{
    return kind == ATTR_FLOATS ? "FLOATS" : kind == ATTR_INTS ? "INTS" : "STRINGS";
}

/* Adds the keywords that follow the node's inputs and outputs: ", axis=1, keepdims=0". */
static bool add_keywords(const struct graphs *all, const struct node *n, struct strbuf *out,
                         struct err *e)
{
    if (n->domain.n) {
        strbuf_adds(out, ", domain=");
        literal_string(n->domain, out);
    }
    for (uint32_t i = 0; i < n->n_attrs; i++) {
        const struct attr *a = &n->attrs[i];
        if (is_empty_list(a))
            continue;
        strbuf_printf(out, ", " STR_FMT "=", STR_ARG(a->name));
        if (!add_attr(all, a, out))
            return err_set(e, ERR_UNSUPPORTED,
                           "node " STR_FMT ": attribute " STR_FMT " cannot be written as Python",
                           STR_ARG(n->op_type), STR_ARG(a->name));
    }
    return true;
}

/* Writes the call in one line where it fits, else with the keywords in a second one. */
static bool add_node(const struct graphs *all, const struct graph *g, const struct node *n,
                     struct strbuf *out, struct err *e)
{
    enum { COLUMNS = 96 };
    struct strbuf head = {0}, keywords = {0};
    bool ok = add_keywords(all, n, &keywords, e);
    literal_string(n->op_type, &head);
    strbuf_adds(&head, ", ");
    add_values(g, n->inputs, n->n_inputs, &head);
    strbuf_adds(&head, ", ");
    add_values(g, n->outputs, n->n_outputs, &head);
    if (ok && head.n + keywords.n + strlen("        helper.make_node(),") <= COLUMNS)
        strbuf_printf(out, "        helper.make_node(" STR_FMT STR_FMT "),\n",
                      STR_ARG(strbuf_str(&head)), STR_ARG(strbuf_str(&keywords)));
    else if (ok)
        strbuf_printf(
            out,
            "        helper.make_node(\n            " STR_FMT STR_FMT STR_FMT ",\n        ),\n",
            STR_ARG(strbuf_str(&head)), STR_ARG(keywords.n ? STR(",\n            ") : STR("")),
            STR_ARG(str_sub(strbuf_str(&keywords), 2, keywords.n)));
    strbuf_done(&head);
    strbuf_done(&keywords);
    return ok;
}

/* make_node takes no empty list, because it cannot tell its type: these attributes are added later.
 */
static void add_empty_lists(const struct graph *g, size_t number, struct strbuf *out)
{
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        for (uint32_t k = 0; k < n->n_attrs; k++) {
            if (!is_empty_list(&n->attrs[k]))
                continue;
            add_graph_name(number, out);
            strbuf_printf(out, ".node[%zu].attribute.append(helper.make_attribute(", i);
            literal_string(n->attrs[k].name, out);
            strbuf_printf(out, ", [], attr_type=AttributeProto.%s))\n",
                          list_type(n->attrs[k].kind));
        }
    }
}

static void add_value_info(const struct model *m, const struct graph_value *v, struct strbuf *out)
{
    if (v->dtype == DTYPE_UNDEFINED) {
        strbuf_adds(out, "helper.make_empty_tensor_value_info(");
        literal_string(v->name, out);
        strbuf_addc(out, ')');
        return;
    }
    strbuf_adds(out, "helper.make_tensor_value_info(");
    literal_string(v->name, out);
    strbuf_printf(out, ", TensorProto.%s, ", python__type(v->dtype));
    if (!v->shape.known) {
        strbuf_adds(out, "None)");
        return;
    }
    strbuf_addc(out, '[');
    for (uint32_t i = 0; i < v->shape.rank; i++) {
        const struct dim *d = &v->shape.dims[i];
        strbuf_adds(out, i ? ", " : "");
        if (d->value >= 0)
            strbuf_printf(out, "%lld", (long long)d->value);
        else if (d->symbol)
            literal_string(intern_str(&m->symbols, d->symbol - 1), out);
        else
            strbuf_adds(out, "None");
    }
    strbuf_adds(out, "])");
}

/* Adds name=[...], with one entry per line where there are several. */
static void add_infos(const struct model *m, const struct graph *g, const char *name,
                      const uint32_t *values, size_t n, struct strbuf *out)
{
    const char *before = n > 1 ? "\n        " : "";
    strbuf_printf(out, "    %s=[", name);
    for (size_t i = 0; i < n; i++) {
        strbuf_adds(out, before);
        add_value_info(m, &g->values.at[values[i]], out);
        strbuf_adds(out, n > 1 ? "," : "");
    }
    strbuf_adds(out, n > 1 ? "\n    ],\n" : "],\n");
}

static void add_initializers(const struct graph *g, struct strbuf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < g->values.n; i++) {
        const struct graph_value *v = &g->values.at[i];
        if (!v->initializer)
            continue;
        strbuf_adds(out, n++ ? "" : "    initializer=[\n");
        strbuf_adds(out, "        ");
        python__make_tensor(v->name, v->initializer, out);
        strbuf_adds(out, ",\n");
    }
    strbuf_adds(out, n ? "    ],\n" : "");
}

static bool add_graph(const struct model *m, const struct graphs *all, size_t number,
                      struct strbuf *out, struct err *e)
{
    const struct graph *g = all->of.at[number];
    add_graph_name(number, out);
    strbuf_adds(out, " = helper.make_graph(\n    [\n");
    for (size_t i = 0; i < g->nodes.n; i++)
        if (!add_node(all, g, &g->nodes.at[i], out, e))
            return false;
    strbuf_adds(out, "    ],\n    \"");
    add_graph_name(number, out);
    strbuf_adds(out, "\",\n");
    add_infos(m, g, "inputs", g->inputs.at, g->inputs.n, out);
    add_infos(m, g, "outputs", g->outputs.at, g->outputs.n, out);
    add_initializers(g, out);
    strbuf_adds(out, ")\n");
    add_empty_lists(g, number, out);
    return true;
}

bool python__model(const struct model *m, struct strbuf *out, struct err *e)
{
    struct graphs all = {0};
    bool ok = true;
    list_graphs(m, &all);
    for (size_t i = all.of.n; ok && i-- > 0;)
        ok = add_graph(m, &all, i, out, e);
    strbuf_adds(out, "model = helper.make_model(\n    graph,\n    opset_imports=[");
    for (size_t i = 0; i < m->opsets.n; i++) {
        strbuf_adds(out, i ? ", helper.make_opsetid(" : "helper.make_opsetid(");
        literal_string(m->opsets.at[i].domain, out);
        strbuf_printf(out, ", %lld)", (long long)m->opsets.at[i].version);
    }
    strbuf_printf(out, "],\n    ir_version=%lld,\n)\n", (long long)m->ir_version);
    vec_free(&all.of);
    return ok;
}
