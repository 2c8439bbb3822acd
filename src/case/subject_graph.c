/* Cases that are graphs: an ONNX model, and the parent that it was made from if that is kept. */
#include "base/file.h"
#include "base/path.h"
#include "case/subject.h"
#include "onnx/infer.h"
#include "onnx/io.h"

static void hash_graph(const struct tcase *c, struct hasher *h)
{
    struct hash model = model_hash(c->graph);
    hasher_add(h, model.bytes, sizeof model.bytes);
}

static bool write_graph(const char *dir, const struct tcase *c, struct json_out *w, struct arena *a,
                        struct err *e)
{
    (void)w;
    (void)a;
    return model_write_in(dir, subject_graph.file, c->graph, e) &&
           (!c->parent || model_write_in(dir, "parent.onnx", c->parent, e));
}

/* Reads a model and infers its shapes as far as possible. */
static bool read_model(const char *dir, const char *name, struct arena *a, const struct model **out,
                       struct err *e)
{
    struct model *m;
    if (!model_read_file(path_join(a, dir, name), a, &m, e))
        return false;
    if (!infer_model(m, e) && e->code != ERR_UNSUPPORTED) /* engines may still support it */
        return err_wrap(e, "%s/%s", dir, name);
    *out = m;
    return true;
}

static bool read_graph(const char *dir, const struct json *j, struct arena *a, struct tcase *c,
                       struct err *e)
{
    (void)j;
    if (!read_model(dir, subject_graph.file, a, &c->graph, e))
        return false;
    return file_stat(path_join(a, dir, "parent.onnx")).kind != FILE_REGULAR ||
           read_model(dir, "parent.onnx", a, &c->parent, e);
}

static struct str graph_parts(const struct tcase *c, const struct observation *seen, size_t n_seen,
                              struct arena *a, int64_t *n)
{
    const struct graph *g = c->graph->graph;
    struct strbuf text = {0};
    (void)seen;
    (void)n_seen;
    *n = 0;
    for (size_t i = 0; i < g->nodes.n; i++) {
        if (str_is(g->nodes.at[i].op_type, "Constant"))
            continue;
        strbuf_adds(&text, *n ? " " : "");
        strbuf_addstr(&text, g->nodes.at[i].op_type);
        ++*n;
    }
    struct str parts = strbuf_dup(&text, a);
    strbuf_done(&text);
    return parts;
}

static void count_operators(const struct tcase *c, struct arena *a, struct map *operators)
{
    const struct graph *g = c->graph->graph;
    bool added;
    for (size_t i = 0; i < g->nodes.n; i++)
        ++*map_at(operators, a, g->nodes.at[i].op_type, &added);
}

/* The dtype of a node's first input, or of its first output if it has no input. */
static const char *lead_dtype(const struct graph *g, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_inputs; i++)
        if (n->inputs[i] != VALUE_NONE)
            return dtype_name(g->values.at[n->inputs[i]].dtype);
    return n->n_outputs && n->outputs[0] != VALUE_NONE
               ? dtype_name(g->values.at[n->outputs[0]].dtype)
               : "";
}

static struct str graph_words(const struct tcase *c, const struct observation *seen, size_t n_seen,
                              struct arena *a)
{
    const struct graph *g = c->graph->graph;
    struct str *words = arena_new_array(a, struct str, g->nodes.n);
    (void)seen;
    (void)n_seen;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        words[i] = str_of(arena_printf(a, STR_FMT "/%s", STR_ARG(n->op_type), lead_dtype(g, n)));
    }
    return str_trim(subject_join_sorted(words, g->nodes.n, ' ', a));
}

const struct subject subject_graph = {.kind = CASE_GRAPH,
                                      .name = "graph",
                                      .file = "model.onnx",
                                      .hash = hash_graph,
                                      .write = write_graph,
                                      .read = read_graph,
                                      .parts = graph_parts,
                                      .count = count_operators,
                                      .words = graph_words};
