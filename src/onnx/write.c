/*
 * struct model to ModelProto bytes. Messages are built in a scratch arena from a work list of
 * graphs and packed once; tensor data is not copied before that.
 *
 * Same model, same bytes: everything is written in the order of the tables, with raw_data. In a
 * folder large tensors become files of their own, named by their content.
 */
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "onnx.pb-c.h"
#include "onnx/io.h"

struct pending_graph {
    const struct graph *from;
    OnnxPb__GraphProto *to;
};

struct writer {
    const struct model *m;
    struct arena *a;
    bool with_shapes;
    const char *dir;   /* for files of large tensors; NULL: all is in the message */
    struct err failed; /* the first such file that could not be written */
    VEC(struct pending_graph) pending;
};

/* A new message with its type's initial value. */
#define NEW_MESSAGE(a, type, INIT) (type *)arena_dup((a), &(const type)INIT, sizeof(type))

static ProtobufCBinaryData bytes_of(struct str s)
{
    ProtobufCBinaryData b = {.len = s.n};
    memcpy(&b.data, &s.at,
           sizeof b.data); /* protobuf-c's messages lack const; packing only reads */
    return b;
}

#define SET_BYTES(message, field, s) ((message)->has_##field = true, (message)->field = bytes_of(s))

static OnnxPb__StringStringEntryProto *write_entry(struct writer *w, struct str key,
                                                   struct str value)
{
    OnnxPb__StringStringEntryProto *to =
        NEW_MESSAGE(w->a, OnnxPb__StringStringEntryProto, ONNX_PB__STRING_STRING_ENTRY_PROTO__INIT);
    SET_BYTES(to, key, key);
    SET_BYTES(to, value, value);
    return to;
}

/* Writes the bytes to a file beside the model and names it in the message. */
static void write_apart(struct writer *w, struct str bytes, OnnxPb__TensorProto *to)
{
    struct hash h = hash_of(bytes.at, bytes.n);
    char hex[HASH_HEX_SIZE];
    hash_to_hex(&h, hex);
    const char *name = arena_printf(w->a, MODEL_WEIGHTS_DIR "/%s", hex);
    const char *path = path_join(w->a, w->dir, name);
    struct err e = {0};
    if (file_stat(path).kind != FILE_REGULAR &&
        !(file_make_dirs(path_join(w->a, w->dir, MODEL_WEIGHTS_DIR), &e) &&
          file_write(path, bytes.at, bytes.n, &e)) &&
        w->failed.code == ERR_NONE)
        w->failed = e;
    to->has_data_location = true;
    to->data_location = 1; /* EXTERNAL */
    to->external_data = arena_new_array(w->a, OnnxPb__StringStringEntryProto *, 1);
    to->external_data[to->n_external_data++] = write_entry(w, STR("location"), str_of(name));
}

static OnnxPb__TensorProto *write_tensor(struct writer *w, const struct tensor *t, struct str name)
{
    OnnxPb__TensorProto *to = NEW_MESSAGE(w->a, OnnxPb__TensorProto, ONNX_PB__TENSOR_PROTO__INIT);
    to->n_dims = t->rank;
    to->dims = arena_dup(w->a, t->dims, t->rank * sizeof *t->dims);
    to->has_data_type = true;
    to->data_type = (int32_t)t->dtype;
    if (name.n)
        SET_BYTES(to, name, name);
    if (t->dtype == DTYPE_STRING) {
        to->n_string_data = t->n;
        to->string_data = arena_new_array(w->a, ProtobufCBinaryData, t->n);
        for (size_t i = 0; i < t->n; i++)
            to->string_data[i] = bytes_of(t->strings[i]);
        return to;
    }
    struct str raw = {t->data, dtype_size(t->dtype, t->n)};
    if (w->dir && raw.n >= MODEL_APART_BYTES)
        write_apart(w, raw, to);
    else
        SET_BYTES(to, raw_data, raw);
    return to;
}

static OnnxPb__TensorShapeProto *write_shape(struct writer *w, const struct shape *s)
{
    OnnxPb__TensorShapeProto *to =
        NEW_MESSAGE(w->a, OnnxPb__TensorShapeProto, ONNX_PB__TENSOR_SHAPE_PROTO__INIT);
    to->n_dim = s->rank;
    to->dim = arena_new_array(w->a, OnnxPb__TensorShapeProto__Dimension *, s->rank);
    for (uint32_t i = 0; i < s->rank; i++) {
        OnnxPb__TensorShapeProto__Dimension *d =
            NEW_MESSAGE(w->a, OnnxPb__TensorShapeProto__Dimension,
                        ONNX_PB__TENSOR_SHAPE_PROTO__DIMENSION__INIT);
        d->has_dim_value = s->dims[i].value >= 0;
        d->dim_value = s->dims[i].value;
        if (!d->has_dim_value && s->dims[i].symbol)
            SET_BYTES(d, dim_param, intern_str(&w->m->symbols, s->dims[i].symbol - 1));
        to->dim[i] = d;
    }
    return to;
}

static OnnxPb__ValueInfoProto *write_value(struct writer *w, const struct graph_value *v)
{
    OnnxPb__ValueInfoProto *to =
        NEW_MESSAGE(w->a, OnnxPb__ValueInfoProto, ONNX_PB__VALUE_INFO_PROTO__INIT);
    SET_BYTES(to, name, v->name);
    if (v->dtype == DTYPE_UNDEFINED)
        return to;
    to->type = NEW_MESSAGE(w->a, OnnxPb__TypeProto, ONNX_PB__TYPE_PROTO__INIT);
    to->type->tensor_type =
        NEW_MESSAGE(w->a, OnnxPb__TypeProto__Tensor, ONNX_PB__TYPE_PROTO__TENSOR__INIT);
    to->type->tensor_type->has_elem_type = true;
    to->type->tensor_type->elem_type = (int32_t)v->dtype;
    if (v->shape.known)
        to->type->tensor_type->shape = write_shape(w, &v->shape);
    return to;
}

static OnnxPb__GraphProto *queue_graph(struct writer *w, const struct graph *g)
{
    OnnxPb__GraphProto *to = NEW_MESSAGE(w->a, OnnxPb__GraphProto, ONNX_PB__GRAPH_PROTO__INIT);
    vec_push(&w->pending, w->a, (struct pending_graph){g, to});
    return to;
}

static void write_attr_list(struct writer *w, const struct attr *t, OnnxPb__AttributeProto *to)
{
    switch (t->kind) {
    case ATTR_FLOATS:
        to->n_floats = t->n;
        to->floats = arena_dup(w->a, t->floats, t->n * sizeof *t->floats);
        break;
    case ATTR_INTS:
        to->n_ints = t->n;
        to->ints = arena_dup(w->a, t->ints, t->n * sizeof *t->ints);
        break;
    case ATTR_STRINGS:
        to->n_strings = t->n;
        to->strings = arena_new_array(w->a, ProtobufCBinaryData, t->n);
        for (size_t i = 0; i < t->n; i++)
            to->strings[i] = bytes_of(t->strings[i]);
        break;
    case ATTR_TENSORS:
        to->n_tensors = t->n;
        to->tensors = arena_new_array(w->a, OnnxPb__TensorProto *, t->n);
        for (size_t i = 0; i < t->n; i++)
            to->tensors[i] = write_tensor(w, &t->tensors[i], STR(""));
        break;
    case ATTR_GRAPHS:
        to->n_graphs = t->n;
        to->graphs = arena_new_array(w->a, OnnxPb__GraphProto *, t->n);
        for (size_t i = 0; i < t->n; i++)
            to->graphs[i] = queue_graph(w, t->graphs[i]);
        break;
    default:
        break;
    }
}

static OnnxPb__AttributeProto *write_attr(struct writer *w, const struct attr *t)
{
    OnnxPb__AttributeProto *to =
        NEW_MESSAGE(w->a, OnnxPb__AttributeProto, ONNX_PB__ATTRIBUTE_PROTO__INIT);
    SET_BYTES(to, name, t->name);
    to->has_type = true;
    to->type = (int32_t)t->kind;
    switch (t->kind) {
    case ATTR_FLOAT:
        to->has_f = true;
        to->f = t->f;
        break;
    case ATTR_INT:
        to->has_i = true;
        to->i = t->i;
        break;
    case ATTR_STRING:
        SET_BYTES(to, s, t->s);
        break;
    case ATTR_TENSOR:
        to->t = write_tensor(w, t->t, STR(""));
        break;
    case ATTR_GRAPH:
        to->g = queue_graph(w, t->g);
        break;
    default:
        write_attr_list(w, t, to);
        break;
    }
    return to;
}

/* A value that a subgraph captures has the name that it has in its own graph: edits may have put
 * another value in its place. */
static struct str name_of(const struct graph *g, uint32_t value)
{
    while (g->values.at[value].origin == ORIGIN_OUTER && g->parent) {
        value = g->values.at[value].origin_at;
        g = g->parent;
    }
    return g->values.at[value].name;
}

static ProtobufCBinaryData *write_names(struct writer *w, const struct graph *g,
                                        const uint32_t *values, uint32_t n)
{
    ProtobufCBinaryData *names = arena_new_array(w->a, ProtobufCBinaryData, n);
    for (uint32_t i = 0; i < n; i++)
        if (values[i] != VALUE_NONE)
            names[i] = bytes_of(name_of(g, values[i]));
    return names;
}

static OnnxPb__NodeProto *write_node(struct writer *w, const struct graph *g, const struct node *n)
{
    OnnxPb__NodeProto *to = NEW_MESSAGE(w->a, OnnxPb__NodeProto, ONNX_PB__NODE_PROTO__INIT);
    to->n_input = n->n_inputs;
    to->input = write_names(w, g, n->inputs, n->n_inputs);
    to->n_output = n->n_outputs;
    to->output = write_names(w, g, n->outputs, n->n_outputs);
    SET_BYTES(to, op_type, n->op_type);
    if (n->name.n)
        SET_BYTES(to, name, n->name);
    if (n->domain.n)
        SET_BYTES(to, domain, n->domain);
    to->n_attribute = n->n_attrs;
    to->attribute = arena_new_array(w->a, OnnxPb__AttributeProto *, n->n_attrs);
    for (uint32_t i = 0; i < n->n_attrs; i++)
        to->attribute[i] = write_attr(w, &n->attrs[i]);
    return to;
}

static OnnxPb__ValueInfoProto **write_values(struct writer *w, const struct graph *g,
                                             const uint32_t *values, size_t n)
{
    OnnxPb__ValueInfoProto **list = arena_new_array(w->a, OnnxPb__ValueInfoProto *, n);
    for (size_t i = 0; i < n; i++)
        list[i] = write_value(w, &g->values.at[values[i]]);
    return list;
}

static void write_inner_values(struct writer *w, const struct graph *g, OnnxPb__GraphProto *to)
{
    to->value_info = arena_new_array(w->a, OnnxPb__ValueInfoProto *, g->values.n);
    for (size_t v = 0; v < g->values.n; v++) {
        const struct graph_value *value = &g->values.at[v];
        if (value->origin == ORIGIN_NODE && !value->is_output && value->dtype != DTYPE_UNDEFINED)
            to->value_info[to->n_value_info++] = write_value(w, value);
    }
}

static void write_graph(struct writer *w, const struct graph *g, OnnxPb__GraphProto *to)
{
    SET_BYTES(to, name, g->name);
    to->n_input = g->inputs.n;
    to->input = write_values(w, g, g->inputs.at, g->inputs.n);
    to->n_output = g->outputs.n;
    to->output = write_values(w, g, g->outputs.at, g->outputs.n);
    to->initializer = arena_new_array(w->a, OnnxPb__TensorProto *, g->values.n);
    for (size_t v = 0; v < g->values.n; v++)
        if (g->values.at[v].initializer)
            to->initializer[to->n_initializer++] =
                write_tensor(w, g->values.at[v].initializer, g->values.at[v].name);
    to->n_node = g->nodes.n;
    to->node = arena_new_array(w->a, OnnxPb__NodeProto *, g->nodes.n);
    for (size_t i = 0; i < g->nodes.n; i++)
        to->node[i] = write_node(w, g, &g->nodes.at[i]);
    if (w->with_shapes)
        write_inner_values(w, g, to);
}

static void write_head(struct writer *w, OnnxPb__ModelProto *to)
{
    const struct model *m = w->m;
    to->has_ir_version = true;
    to->ir_version = m->ir_version;
    SET_BYTES(to, producer_name, m->producer);
    to->n_opset_import = m->opsets.n;
    to->opset_import = arena_new_array(w->a, OnnxPb__OperatorSetIdProto *, m->opsets.n);
    for (size_t i = 0; i < m->opsets.n; i++) {
        OnnxPb__OperatorSetIdProto *o =
            NEW_MESSAGE(w->a, OnnxPb__OperatorSetIdProto, ONNX_PB__OPERATOR_SET_ID_PROTO__INIT);
        SET_BYTES(o, domain, m->opsets.at[i].domain);
        o->has_version = true;
        o->version = m->opsets.at[i].version;
        to->opset_import[i] = o;
    }
}

static bool pack(const OnnxPb__ModelProto *to, struct strbuf *out, struct err *e)
{
    size_t n = onnx_pb__model_proto__get_packed_size(to);
    if (n > MODEL_BYTES_MAX)
        return err_set(e, ERR_LIMIT, "the model takes %zu bytes, at most %zu are written", n,
                       MODEL_BYTES_MAX);
    size_t wanted = out->n + n + 1;
    if (wanted > out->cap) {
        out->at = mem_realloc(out->at, wanted);
        out->cap = wanted;
    }
    onnx_pb__model_proto__pack(to, (uint8_t *)out->at + out->n);
    out->n += n;
    out->at[out->n] = '\0';
    return true;
}

static bool write_model(const struct model *m, bool with_shapes, const char *dir,
                        struct strbuf *out, struct err *e)
{
    struct arena scratch;
    arena_init(&scratch);
    struct writer w = {.m = m, .a = &scratch, .with_shapes = with_shapes, .dir = dir};
    OnnxPb__ModelProto to = ONNX_PB__MODEL_PROTO__INIT;
    write_head(&w, &to);
    to.graph = queue_graph(&w, m->graph);
    for (size_t i = 0; i < w.pending.n; i++)
        write_graph(&w, w.pending.at[i].from, w.pending.at[i].to);
    bool ok = w.failed.code == ERR_NONE && pack(&to, out, e);
    if (w.failed.code != ERR_NONE)
        *e = w.failed;
    arena_done(&scratch);
    return ok;
}

bool model_write(const struct model *m, bool with_shapes, struct strbuf *out, struct err *e)
{
    return write_model(m, with_shapes, NULL, out, e);
}

static bool write_file(const struct model *m, bool with_shapes, const char *dir, const char *path,
                       struct err *e)
{
    struct strbuf bytes = {0};
    bool ok = write_model(m, with_shapes, dir, &bytes, e) && file_write(path, bytes.at, bytes.n, e);
    strbuf_done(&bytes);
    return ok || err_wrap(e, "%s", path);
}

bool model_write_file(const struct model *m, bool with_shapes, const char *path, struct err *e)
{
    return write_file(m, with_shapes, NULL, path, e);
}

bool model_write_in(const char *dir, const char *name, const struct model *m, struct err *e)
{
    struct arena a;
    arena_init(&a);
    bool ok = write_file(m, false, dir, path_join(&a, dir, name), e);
    arena_done(&a);
    return ok;
}
