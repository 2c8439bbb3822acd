/*
 * Model-local functions (IR 8 and later) are inlined in the unpacked message, before graphs are
 * read: the function's nodes replace the call, with formal names replaced by actual ones, inner
 * names made unique, and references to attributes replaced by the call's attribute or the
 * function's default.
 *
 * The total of nodes and the rounds of expansion are bounded, so that functions that call each
 * other end in an error. A function that imports another opset of the default domain than the model
 * does is refused.
 */
#include <string.h>

#include "onnx.pb-c.h"
#include "onnx/read_p.h"

enum { INLINE_NODES_MAX = 1 << 20, INLINE_DEPTH_MAX = 64 };

struct call {
    const OnnxPb__FunctionProto *f;
    const OnnxPb__NodeProto *n;
    struct map names; /* formal or inner name -> number in actual */
    VEC(ProtobufCBinaryData) actual;
    unsigned serial;
};

struct inliner {
    struct arena *a;
    const OnnxPb__ModelProto *model;
    struct map names; /* of functions: most nodes are not in it, so they are no calls */
    unsigned n_calls;
    size_t n_nodes;
    VEC(OnnxPb__GraphProto *) pending; /* graphs whose nodes are still to be expanded */
};

static struct str str_from(ProtobufCBinaryData b)
{
    return (struct str){b.len ? (const char *)b.data : "", b.len};
}

static struct str domain_of(ProtobufCBinaryData b)
{
    struct str s = str_from(b);
    return str_is(s, "ai.onnx") ? STR("") : s;
}

static const OnnxPb__FunctionProto *find_function(const struct inliner *in,
                                                  const OnnxPb__NodeProto *n)
{
    if (!map_get(&in->names, str_from(n->op_type)))
        return NULL;
    for (size_t i = 0; i < in->model->n_functions; i++) {
        const OnnxPb__FunctionProto *f = in->model->functions[i];
        if (str_eq(str_from(f->name), str_from(n->op_type)) &&
            str_eq(domain_of(f->domain), domain_of(n->domain)) &&
            str_eq(str_from(f->overload), str_from(n->overload)))
            return f;
    }
    return NULL;
}

static bool check_opsets(const struct inliner *in, const OnnxPb__FunctionProto *f, struct err *e)
{
    for (size_t i = 0; i < f->n_opset_import; i++)
        for (size_t j = 0; j < in->model->n_opset_import; j++) {
            const OnnxPb__OperatorSetIdProto *a = f->opset_import[i],
                                             *b = in->model->opset_import[j];
            if (str_eq(domain_of(a->domain), domain_of(b->domain)) && a->version != b->version)
                return err_set(e, ERR_UNSUPPORTED,
                               "function '" STR_FMT "' imports opset %lld of domain '" STR_FMT
                               "', the model %lld",
                               STR_ARG(str_from(f->name)), (long long)a->version,
                               STR_ARG(str_from(a->domain)), (long long)b->version);
        }
    return true;
}

static void bind_name(struct inliner *in, struct call *c, ProtobufCBinaryData formal,
                      ProtobufCBinaryData actual)
{
    map_put(&c->names, in->a, str_from(formal), c->actual.n);
    vec_push(&c->actual, in->a, actual);
}

static ProtobufCBinaryData actual_name(struct inliner *in, struct call *c, ProtobufCBinaryData name)
{
    if (!name.len)
        return name;
    const uint64_t *known = map_get(&c->names, str_from(name));
    if (known)
        return c->actual.at[*known];
    char *text = arena_printf(in->a, "call%u/%.*s", c->serial, (int)MIN(name.len, 1u << 20),
                              (const char *)name.data);
    ProtobufCBinaryData fresh = {strlen(text), (uint8_t *)text};
    bind_name(in, c, name, fresh);
    return fresh;
}

static void rename_list(struct inliner *in, struct call *c, size_t n, ProtobufCBinaryData **names)
{
    ProtobufCBinaryData *fresh = arena_new_array(in->a, ProtobufCBinaryData, n);
    for (size_t i = 0; i < n; i++)
        fresh[i] = actual_name(in, c, (*names)[i]);
    *names = fresh;
}

/* The attribute that a reference in a function body means; NULL: the call leaves it out. */
static const OnnxPb__AttributeProto *referred(const struct call *c, ProtobufCBinaryData name)
{
    for (size_t i = 0; i < c->n->n_attribute; i++)
        if (str_eq(str_from(c->n->attribute[i]->name), str_from(name)))
            return c->n->attribute[i];
    for (size_t i = 0; i < c->f->n_attribute_proto; i++)
        if (str_eq(str_from(c->f->attribute_proto[i]->name), str_from(name)))
            return c->f->attribute_proto[i];
    return NULL;
}

struct body_graphs {
    VEC(OnnxPb__GraphProto *) at;
};

static OnnxPb__GraphProto *copy_graph(struct inliner *in, const OnnxPb__GraphProto *g,
                                      struct body_graphs *inner)
{
    OnnxPb__GraphProto *copy = arena_dup(in->a, g, sizeof *g);
    vec_push(&inner->at, in->a, copy);
    return copy;
}

static void bind_attributes(struct inliner *in, struct call *c, OnnxPb__NodeProto *n,
                            struct body_graphs *inner)
{
    OnnxPb__AttributeProto **list =
        arena_new_array(in->a, OnnxPb__AttributeProto *, n->n_attribute);
    size_t n_kept = 0;
    for (size_t i = 0; i < n->n_attribute; i++) {
        const OnnxPb__AttributeProto *from = n->attribute[i];
        ProtobufCBinaryData name = from->name;
        if (from->has_ref_attr_name && from->ref_attr_name.len)
            from = referred(c, from->ref_attr_name);
        if (!from)
            continue;
        OnnxPb__AttributeProto *to = arena_dup(in->a, from, sizeof *from);
        to->name = name;
        if (to->g && from == n->attribute[i])
            to->g = copy_graph(in, to->g, inner);
        for (size_t j = 0; j < to->n_graphs && from == n->attribute[i]; j++) {
            if (j == 0)
                to->graphs = arena_dup(in->a, to->graphs, to->n_graphs * sizeof *to->graphs);
            to->graphs[j] = copy_graph(in, to->graphs[j], inner);
        }
        list[n_kept++] = to;
    }
    n->attribute = list;
    n->n_attribute = n_kept;
}

static OnnxPb__NodeProto *copy_node(struct inliner *in, struct call *c,
                                    const OnnxPb__NodeProto *from, struct body_graphs *inner)
{
    OnnxPb__NodeProto *n = arena_dup(in->a, from, sizeof *from);
    rename_list(in, c, n->n_input, &n->input);
    rename_list(in, c, n->n_output, &n->output);
    n->name = actual_name(in, c, n->name);
    bind_attributes(in, c, n, inner);
    in->n_nodes++;
    return n;
}

/* Value infos and initializers of a subgraph inside a body are renamed like everything else. */
static void copy_body_graph(struct inliner *in, struct call *c, OnnxPb__GraphProto *g,
                            struct body_graphs *inner)
{
    OnnxPb__ValueInfoProto **infos[] = {g->input, g->output};
    size_t counts[] = {g->n_input, g->n_output};
    for (size_t k = 0; k < COUNT_OF(infos); k++) {
        infos[k] = arena_dup(in->a, infos[k], counts[k] * sizeof *infos[k]);
        for (size_t i = 0; i < counts[k]; i++) {
            infos[k][i] = arena_dup(in->a, infos[k][i], sizeof *infos[k][i]);
            infos[k][i]->name = actual_name(in, c, infos[k][i]->name);
        }
    }
    g->input = infos[0];
    g->output = infos[1];
    g->n_value_info = 0;
    g->initializer = arena_dup(in->a, g->initializer, g->n_initializer * sizeof *g->initializer);
    for (size_t i = 0; i < g->n_initializer; i++) {
        g->initializer[i] = arena_dup(in->a, g->initializer[i], sizeof *g->initializer[i]);
        g->initializer[i]->name = actual_name(in, c, g->initializer[i]->name);
    }
    OnnxPb__NodeProto **nodes = arena_new_array(in->a, OnnxPb__NodeProto *, g->n_node);
    for (size_t i = 0; i < g->n_node; i++)
        nodes[i] = copy_node(in, c, g->node[i], inner);
    g->node = nodes;
}

struct node_list {
    VEC(OnnxPb__NodeProto *) at;
};

static bool expand(struct inliner *in, const OnnxPb__NodeProto *n, const OnnxPb__FunctionProto *f,
                   struct node_list *out, struct err *e)
{
    struct call c = {.f = f, .n = n, .serial = ++in->n_calls};
    struct body_graphs inner = {0};
    if (!check_opsets(in, f, e))
        return false;
    if (n->n_input > f->n_input || n->n_output > f->n_output)
        return err_set(e, ERR_DATA, "call of function '" STR_FMT "' with too many values",
                       STR_ARG(str_from(f->name)));
    for (size_t i = 0; i < f->n_input; i++)
        bind_name(in, &c, f->input[i], i < n->n_input ? n->input[i] : (ProtobufCBinaryData){0});
    for (size_t i = 0; i < n->n_output; i++)
        if (n->output[i].len)
            bind_name(in, &c, f->output[i], n->output[i]);
    for (size_t i = 0; i < f->n_node; i++)
        vec_push(&out->at, in->a, copy_node(in, &c, f->node[i], &inner));
    for (size_t i = 0; i < inner.at.n; i++)
        copy_body_graph(in, &c, inner.at.at[i], &inner);
    return true;
}

/* One round over a graph's nodes; *changed: a call was found. */
static bool expand_graph(struct inliner *in, OnnxPb__GraphProto *g, bool *changed, struct err *e)
{
    struct node_list out = {0};
    *changed = false;
    for (size_t i = 0; i < g->n_node; i++) {
        const OnnxPb__FunctionProto *f = find_function(in, g->node[i]);
        if (f) {
            *changed = true;
            if (!expand(in, g->node[i], f, &out, e))
                return false;
        } else {
            vec_push(&out.at, in->a, g->node[i]);
        }
        if (in->n_nodes > INLINE_NODES_MAX)
            return err_set(e, ERR_LIMIT, "functions expand to more than %d nodes",
                           INLINE_NODES_MAX);
    }
    if (*changed) {
        g->node = out.at.at;
        g->n_node = out.at.n;
    }
    return true;
}

static void queue_subgraphs(struct inliner *in, const OnnxPb__GraphProto *g)
{
    for (size_t i = 0; i < g->n_node; i++)
        for (size_t j = 0; j < g->node[i]->n_attribute; j++) {
            const OnnxPb__AttributeProto *t = g->node[i]->attribute[j];
            if (t->g)
                vec_push(&in->pending, in->a, t->g);
            for (size_t k = 0; k < t->n_graphs; k++)
                vec_push(&in->pending, in->a, t->graphs[k]);
        }
}

bool read__inline_functions(OnnxPb__ModelProto *model, struct arena *a, struct err *e)
{
    struct inliner in = {.a = a, .model = model};
    if (!model->n_functions)
        return true;
    for (size_t i = 0; i < model->n_functions; i++)
        map_put(&in.names, a, str_from(model->functions[i]->name), i);
    vec_push(&in.pending, a, model->graph);
    for (size_t p = 0; p < in.pending.n; p++) {
        bool changed = true;
        for (unsigned round = 0; changed; round++) {
            if (round == INLINE_DEPTH_MAX)
                return err_set(e, ERR_LIMIT, "functions call each other more than %d deep",
                               INLINE_DEPTH_MAX);
            if (!expand_graph(&in, in.pending.at[p], &changed, e))
                return false;
        }
        queue_subgraphs(&in, in.pending.at[p]);
    }
    return true;
}
