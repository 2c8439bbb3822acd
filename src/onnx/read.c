/*
 * ModelProto to struct model. Bytes are scanned (wire.c), unpacked into the arena, functions are
 * inlined (inline.c), and then graphs are read from a work list, never by recursion.
 *
 * Every error message begins with the place: "graph: node[3]: attribute[1]: t: ...".
 */
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "onnx.pb-c.h"
#include "onnx/model_p.h"
#include "onnx/read_p.h"
#include "onnx/wire_p.h"

struct pending_graph {
    const OnnxPb__GraphProto *from;
    struct graph *to;
    const char *place;
};

struct model_reader {
    struct reader r;
    struct model *m;
    VEC(struct pending_graph) pending;
};

static uint32_t value_named(struct model *m, struct graph *g, struct str name)
{
    uint32_t v = graph_find_value(g, name);
    return v == VALUE_NONE ? graph_add_value(m, g, name) : v;
}

static bool read_dim(struct model *m, const OnnxPb__TensorShapeProto__Dimension *d, struct dim *out,
                     struct err *e)
{
    struct str symbol;
    if (!read__name(d->dim_param, "dim_param", &symbol, e))
        return false;
    *out = (struct dim){.value = -1};
    if (d->has_dim_value && d->dim_value >= 0)
        out->value = d->dim_value;
    else if (symbol.n)
        out->symbol = intern_id(&m->symbols, m->arena, symbol) + 1;
    return true;
}

static bool read_type(struct model *m, const OnnxPb__TypeProto *t, struct graph_value *v,
                      struct err *e)
{
    if (!t)
        return true;
    if (t->has_map_type || t->has_sparse_tensor_type)
        return err_set(e, ERR_UNSUPPORTED, "%s types are not supported",
                       t->has_map_type ? "map" : "sparse tensor");
    v->not_tensor = t->has_sequence_type || t->has_optional_type;
    if (!t->tensor_type)
        return true;
    int32_t dtype = t->tensor_type->elem_type;
    if (dtype < 0 || dtype >= DTYPE_COUNT)
        return err_set(e, ERR_UNSUPPORTED, "elem_type %d is unknown", dtype);
    v->dtype = (enum dtype)dtype;
    v->is_declared = dtype != DTYPE_UNDEFINED;
    const OnnxPb__TensorShapeProto *shape = t->tensor_type->shape;
    if (!shape || !v->is_declared) /* no shape counts without a dtype */
        return true;
    if (shape->n_dim > TENSOR_RANK_MAX)
        return err_set(e, ERR_LIMIT, "rank %zu, at most %d is read", shape->n_dim, TENSOR_RANK_MAX);
    v->shape = (struct shape){true, (uint32_t)shape->n_dim,
                              arena_new_array(m->arena, struct dim, shape->n_dim)};
    for (uint32_t i = 0; i < v->shape.rank; i++)
        if (!read_dim(m, shape->dim[i], &v->shape.dims[i], e))
            return false;
    return true;
}

static bool queue_graph(struct model_reader *mr, const OnnxPb__GraphProto *from,
                        struct graph *parent, const char *place, struct graph **out)
{
    struct graph *g = graph_new(mr->m, STR("graph"));
    g->parent = parent;
    vec_push(&mr->pending, mr->r.a, (struct pending_graph){from, g, place});
    *out = g;
    return true;
}

/* The type of an attribute that has none, as in old files: that of the field that is set. */
static int guess_type(const OnnxPb__AttributeProto *t)
{
    const struct {
        bool present;
        int type;
    } rows[] = {{t->has_f, ATTR_FLOAT},       {t->has_i, ATTR_INT},
                {t->has_s, ATTR_STRING},      {t->t != NULL, ATTR_TENSOR},
                {t->g != NULL, ATTR_GRAPH},   {t->n_floats, ATTR_FLOATS},
                {t->n_ints, ATTR_INTS},       {t->n_strings, ATTR_STRINGS},
                {t->n_tensors, ATTR_TENSORS}, {t->n_graphs, ATTR_GRAPHS}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].present)
            return rows[i].type;
    return ATTR_UNDEFINED;
}

static bool read_attr_tensors(struct model_reader *mr, const OnnxPb__AttributeProto *from,
                              struct attr *to, struct err *e)
{
    struct arena *a = mr->r.a;
    if (to->kind == ATTR_TENSOR) {
        struct tensor *t = arena_new(a, struct tensor);
        to->t = t;
        if (!from->t)
            return err_set(e, ERR_DATA, "t: missing");
        return read__tensor(&mr->r, from->t, t, e) || err_wrap(e, "t");
    }
    struct tensor *list = arena_new_array(a, struct tensor, from->n_tensors);
    to->n = from->n_tensors;
    to->tensors = list;
    for (size_t i = 0; i < from->n_tensors; i++)
        if (!read__tensor(&mr->r, from->tensors[i], &list[i], e))
            return err_wrap(e, "tensors[%zu]", i);
    return true;
}

static bool read_attr_graphs(struct model_reader *mr, const OnnxPb__AttributeProto *from,
                             struct graph *g, const char *place, struct attr *to, struct err *e)
{
    struct arena *a = mr->r.a;
    const char *name = str_dup(a, to->name);
    if (to->kind == ATTR_GRAPH) {
        if (!from->g)
            return err_set(e, ERR_DATA, "g: missing");
        return queue_graph(mr, from->g, g, arena_printf(a, "%s.%s", place, name), &to->g);
    }
    struct graph **list = arena_new_array(a, struct graph *, from->n_graphs);
    to->n = from->n_graphs;
    to->graphs = list;
    for (size_t i = 0; i < from->n_graphs; i++)
        queue_graph(mr, from->graphs[i], g, arena_printf(a, "%s.%s[%zu]", place, name, i),
                    &list[i]);
    return true;
}

static void read_strings(struct arena *a, const OnnxPb__AttributeProto *from, struct attr *to)
{
    struct str *list = arena_new_array(a, struct str, from->n_strings);
    for (size_t i = 0; i < from->n_strings; i++)
        list[i] = (struct str){(const char *)from->strings[i].data, from->strings[i].len};
    to->n = from->n_strings;
    to->strings = list;
}

static bool read_attr(struct model_reader *mr, const OnnxPb__AttributeProto *from, struct graph *g,
                      const char *place, struct attr *to, struct err *e)
{
    if (!read__name(from->name, "name", &to->name, e))
        return false;
    if (from->has_ref_attr_name && from->ref_attr_name.len)
        return err_set(e, ERR_DATA, "ref_attr_name outside a function");
    int type = from->has_type && from->type ? from->type : guess_type(from);
    to->kind = (enum attr_kind)type;
    switch (type) {
    case ATTR_FLOAT:
        to->f = from->f;
        return true;
    case ATTR_INT:
        to->i = from->i;
        return true;
    case ATTR_STRING:
        to->s = (struct str){from->s.len ? (const char *)from->s.data : "", from->s.len};
        return true;
    case ATTR_TENSOR:
    case ATTR_TENSORS:
        return read_attr_tensors(mr, from, to, e);
    case ATTR_GRAPH:
    case ATTR_GRAPHS:
        return read_attr_graphs(mr, from, g, place, to, e);
    case ATTR_FLOATS:
        to->n = from->n_floats;
        to->floats = from->floats;
        return true;
    case ATTR_INTS:
        to->n = from->n_ints;
        to->ints = from->ints;
        return true;
    case ATTR_STRINGS:
        read_strings(mr->r.a, from, to);
        return true;
    default: /* sparse tensors, types: the checker refuses them */
        to->kind = ATTR_UNDEFINED;
        return true;
    }
}

static bool read_value_list(struct model_reader *mr, struct graph *g,
                            const ProtobufCBinaryData *names, size_t n, const uint32_t **out,
                            struct err *e)
{
    uint32_t *list = arena_new_array(mr->r.a, uint32_t, n);
    *out = list;
    for (size_t i = 0; i < n; i++) {
        struct str name;
        if (!read__name(names[i], "a value's name", &name, e))
            return false;
        list[i] = name.n ? value_named(mr->m, g, name) : (uint32_t)VALUE_NONE;
    }
    return true;
}

static bool read_node(struct model_reader *mr, const OnnxPb__NodeProto *from, struct graph *g,
                      const char *place, struct err *e)
{
    struct node n = {.n_inputs = (uint32_t)from->n_input, .n_outputs = (uint32_t)from->n_output};
    if (!read__name(from->name, "name", &n.name, e) ||
        !read__name(from->op_type, "op_type", &n.op_type, e) ||
        !read__name(from->domain, "domain", &n.domain, e) ||
        !read_value_list(mr, g, from->input, from->n_input, &n.inputs, e) ||
        !read_value_list(mr, g, from->output, from->n_output, &n.outputs, e))
        return false;
    if (str_is(n.domain, "ai.onnx"))
        n.domain = STR("");
    struct attr *attrs = arena_new_array(mr->r.a, struct attr, from->n_attribute);
    for (size_t i = 0; i < from->n_attribute; i++)
        if (!read_attr(mr, from->attribute[i], g, place, &attrs[i], e))
            return err_wrap(e, "attribute[%zu]", i);
    n.attrs = attrs;
    n.n_attrs = (uint32_t)from->n_attribute;
    vec_push(&g->nodes, mr->r.a, n);
    return true;
}

static bool read_initializer(struct model_reader *mr, const OnnxPb__TensorProto *from,
                             struct graph *g, struct err *e)
{
    struct str name;
    struct tensor *t = arena_new(mr->r.a, struct tensor);
    if (!read__name(from->name, "name", &name, e) || !read__tensor(&mr->r, from, t, e))
        return false;
    if (!name.n)
        return err_set(e, ERR_DATA, "has no name");
    uint32_t at = value_named(mr->m, g, name); /* may move the table */
    struct graph_value *v = &g->values.at[at];
    if (v->initializer)
        return err_set(e, ERR_DATA, "'" STR_FMT "' is given twice", STR_ARG(name));
    v->initializer = t;
    if (v->origin == ORIGIN_INPUT)
        return true;
    v->dtype = t->dtype;
    v->shape = shape_from_dims(t->dims, t->rank, mr->r.a);
    return true;
}

/* Reads one entry of graph.input, graph.output or graph.value_info. */
static bool read_value_info(struct model_reader *mr, const OnnxPb__ValueInfoProto *from,
                            struct graph *g, uint32_t *out, struct err *e)
{
    struct str name;
    if (!read__name(from->name, "name", &name, e))
        return false;
    if (!name.n)
        return err_set(e, ERR_DATA, "has no name");
    *out = value_named(mr->m, g, name);
    struct graph_value *v = &g->values.at[*out];
    if (v->initializer || v->is_declared) /* the tensor or the first declaration wins */
        return true;
    return read_type(mr->m, from->type, v, e) || err_wrap(e, "'" STR_FMT "'", STR_ARG(name));
}

static bool read_graph_ends(struct model_reader *mr, const OnnxPb__GraphProto *from,
                            struct graph *g, struct err *e)
{
    uint32_t v;
    for (size_t i = 0; i < from->n_input; i++) {
        if (!read_value_info(mr, from->input[i], g, &v, e))
            return err_wrap(e, "input[%zu]", i);
        if (g->values.at[v].origin == ORIGIN_INPUT)
            return err_set(e, ERR_DATA, "input[%zu]: '" STR_FMT "' is given twice", i,
                           STR_ARG(g->values.at[v].name));
        g->values.at[v].origin = ORIGIN_INPUT;
        vec_push(&g->inputs, mr->r.a, v);
    }
    for (size_t i = 0; i < from->n_initializer; i++)
        if (!read_initializer(mr, from->initializer[i], g, e))
            return err_wrap(e, "initializer[%zu]", i);
    for (size_t i = 0; i < from->n_output; i++) {
        if (!read_value_info(mr, from->output[i], g, &v, e))
            return err_wrap(e, "output[%zu]", i);
        vec_push(&g->outputs, mr->r.a, v);
    }
    return true;
}

static bool read_graph(struct model_reader *mr, struct pending_graph p, struct err *e)
{
    uint32_t v;
    if (p.from->n_sparse_initializer)
        return err_set(e, ERR_UNSUPPORTED, "sparse_initializer is not supported");
    if (!read__name(p.from->name, "name", &p.to->name, e) || !read_graph_ends(mr, p.from, p.to, e))
        return false;
    for (size_t i = 0; i < p.from->n_node; i++) {
        const char *place = arena_printf(mr->r.a, "%s.node[%zu]", p.place, i);
        if (!read_node(mr, p.from->node[i], p.to, place, e))
            return err_wrap(e, "node[%zu]", i);
    }
    for (size_t i = 0; i < p.from->n_value_info; i++)
        if (!read_value_info(mr, p.from->value_info[i], p.to, &v, e))
            return err_wrap(e, "value_info[%zu]", i);
    return true;
}

static bool read_opsets(const OnnxPb__ModelProto *from, struct model *m, struct err *e)
{
    for (size_t i = 0; i < from->n_opset_import; i++) {
        struct opset o = {.version = from->opset_import[i]->version};
        if (!read__name(from->opset_import[i]->domain, "opset_import.domain", &o.domain, e))
            return false;
        if (str_is(o.domain, "ai.onnx"))
            o.domain = STR("");
        if (model_opset_of(m, o.domain))
            return err_set(e, ERR_DATA, "opset_import: domain '" STR_FMT "' is listed twice",
                           STR_ARG(o.domain));
        vec_push(&m->opsets, m->arena, o);
    }
    int64_t version = model_opset_of(m, STR(""));
    if (version < MODEL_OPSET_OLDEST || version > MODEL_OPSET_NEWEST)
        return err_set(e, version || m->opsets.n ? ERR_UNSUPPORTED : ERR_DATA,
                       "opset %lld of the default domain; %d to %d are read", (long long)version,
                       MODEL_OPSET_OLDEST, MODEL_OPSET_NEWEST);
    m->opset = (int)version;
    return true;
}

static bool read_model(struct model_reader *mr, OnnxPb__ModelProto *from, struct err *e)
{
    struct model *m = mr->m;
    m->arena = mr->r.a;
    m->ir_version = from->ir_version;
    if (!from->graph)
        return err_set(e, ERR_DATA, "no graph: the bytes are no ONNX model");
    if (m->ir_version < MODEL_IR_OLDEST || m->ir_version > MODEL_IR_NEWEST)
        return err_set(e, ERR_UNSUPPORTED, "ir_version %lld; %d to %d are read",
                       (long long)m->ir_version, MODEL_IR_OLDEST, MODEL_IR_NEWEST);
    if (from->n_training_info)
        return err_set(e, ERR_UNSUPPORTED, "training_info is not supported");
    if (!read__name(from->producer_name, "producer_name", &m->producer, e) ||
        !read_opsets(from, m, e) || !read__inline_functions(from, m->arena, e))
        return false;
    queue_graph(mr, from->graph, NULL, "graph", &m->graph);
    for (size_t i = 0; i < mr->pending.n; i++)
        if (!read_graph(mr, mr->pending.at[i], e))
            return err_wrap(e, "%s", mr->pending.at[i].place);
    return model__finish_read(m, e);
}

bool model_read(struct str bytes, const char *dir, struct arena *a, struct model **out,
                struct err *e)
{
    if (bytes.n > MODEL_BYTES_MAX)
        return err_set(e, ERR_LIMIT, "%zu bytes, at most %zu are read", bytes.n, MODEL_BYTES_MAX);
    if (!wire__scan(bytes, &onnx_pb__model_proto__descriptor, e))
        return false;
    ProtobufCAllocator allocator = read__allocator(a);
    OnnxPb__ModelProto *from =
        onnx_pb__model_proto__unpack(&allocator, bytes.n, (const uint8_t *)bytes.at);
    if (!from)
        return err_set(e, ERR_DATA, "the bytes are no ONNX model");
    struct model_reader mr = {.r = {.a = a, .dir = dir}, .m = arena_new(a, struct model)};
    *out = mr.m;
    return read_model(&mr, from, e);
}

bool model_read_file(const char *path, struct arena *a, struct model **out, struct err *e)
{
    struct str bytes;
    const char *dir = str_dup(a, path_dir(str_of(path)));
    if (!file_map(path, MODEL_BYTES_MAX, a, &bytes, e))
        return false;
    return model_read(bytes, dir, a, out, e) || err_wrap(e, "%s", path);
}
