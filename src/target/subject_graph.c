/*
 * A graph as a worker gets it: the model's file, with every intermediate as an output where that is
 * asked for, and the names of the outputs in order.
 */
#include "base/path.h"
#include "case/subject.h"
#include "onnx/io.h"
#include "target/pool_p.h"
#include "target/subject_p.h"

static bool lacks_operator(const struct target_description *d, const struct node *node)
{
    for (size_t i = 0; i < d->n_missing_operators; i++)
        if (str_eq(d->missing_operators[i], node->op_type))
            return true;
    return false;
}

static bool accepts(const struct target *t, const struct tcase *c, struct strbuf *reason)
{
    const struct target_description *d = t->installation->description;
    const struct model *m = case_model(c);
    int largest = t->installation->traits.largest_opset;
    if (!d->accepts_graphs && !d->emit.n) {
        strbuf_adds(reason, "the engine runs programs, no models");
        return false;
    }
    if (t->mode->no_graphs) {
        strbuf_adds(reason, "a mode of programs");
        return false;
    }
    if (m->opset > largest) {
        strbuf_printf(reason, "opset %d, the engine knows up to %d", m->opset, largest);
        return false;
    }
    for (size_t i = 0; i < m->graph->nodes.n; i++)
        if (lacks_operator(d, &m->graph->nodes.at[i])) {
            strbuf_printf(reason, "the engine lacks the operator " STR_FMT,
                          STR_ARG(m->graph->nodes.at[i].op_type));
            return false;
        }
    for (size_t i = 0; i < m->graph->values.n; i++) {
        enum dtype dtype = m->graph->values.at[i].dtype;
        if (dtype != DTYPE_UNDEFINED && d->missing_dtypes & dtype_bit(dtype)) {
            strbuf_printf(reason, "the engine lacks the dtype %s", dtype_name(dtype));
            return false;
        }
    }
    return true;
}

/* The case's graph with every intermediate as an output, behind its own. */
static bool write_exposed(struct ticket *t, struct strbuf *bytes, struct err *e)
{
    struct model *m = model_copy(case_model(t->request.c), &t->arena);
    size_t n = m->graph->outputs.n;
    for (uint32_t i = 0; i < m->graph->values.n; i++) {
        const struct graph_value *v = &m->graph->values.at[i];
        if (v->origin == ORIGIN_NODE && !v->is_output && !v->not_tensor &&
            v->dtype != DTYPE_UNDEFINED)
            graph_add_output(m->graph, i);
    }
    t->n_exposed = m->graph->outputs.n - n;
    struct json_out w;
    struct strbuf names = {0};
    w = json_open(&names, JSON_COMPACT);
    json_begin_array(&w);
    for (size_t i = 0; i < m->graph->outputs.n; i++)
        json_put_str(&w, m->graph->values.at[m->graph->outputs.at[i]].name);
    json_end_array(&w);
    t->outputs_json = strbuf_dup(&names, &t->arena);
    strbuf_done(&names);
    return model_finish(m, e) && model_write(m, false, bytes, e);
}

static void write_output_names(struct ticket *t)
{
    const struct graph *g = case_model(t->request.c)->graph;
    struct strbuf names = {0};
    struct json_out w = json_open(&names, JSON_COMPACT);
    json_begin_array(&w);
    for (size_t i = 0; i < g->outputs.n; i++)
        json_put_str(&w, g->values.at[g->outputs.at[i]].name);
    json_end_array(&w);
    t->outputs_json = strbuf_dup(&names, &t->arena);
    strbuf_done(&names);
}

static bool write_model(struct ticket *t, struct err *e)
{
    struct strbuf made = {0};
    struct str bytes = t->request.model_bytes;
    bool ok = true;
    t->n_outputs = case_model(t->request.c)->graph->outputs.n;
    write_output_names(t);
    if (t->request.variant == VARIANT_EXPOSED)
        ok = write_exposed(t, &made, e);
    else if (!bytes.n)
        ok = model_write(case_model(t->request.c), false, &made, e);
    if (made.n)
        bytes = strbuf_str(&made);
    ok = ok &&
         scratch_put(t->pool->scratch, path_join(&t->arena, t->folder, TICKET_MODEL), &bytes, 1, e);
    strbuf_done(&made);
    return ok;
}

static void add_keys(const struct ticket *t, const char *file, struct json_out *w)
{
    json_pair_cstr(w, "model", file);
    json_key(w, "outputs");
    json_put_raw(w, t->outputs_json);
}

const struct target_subject target__graph = {
    .accepts = accepts, .put = write_model, .add_keys = add_keys};
