/*
 * A graph as a worker gets it: the model's file or a program of the engine's framework, with every
 * intermediate as an output if the request says so, and the names of the outputs in order.
 */
#include "base/path.h"
#include "case/subject.h"
#include "emit/emit.h"
#include "onnx/io.h"
#include "target/pack_p.h"
#include "target/pool_p.h"
#include "target/subject_p.h"

static bool lacks_operator(const struct target_description *d, const struct node *node)
{
    for (size_t i = 0; i < d->n_missing_operators; i++)
        if (str_eq(d->missing_operators[i], node->op_type))
            return true;
    return false;
}

/* An input with a default is a weight of the program, so another value for it would be lost. */
static bool overrides_default(const struct tcase *c)
{
    const struct graph *g = case_model(c)->graph;
    for (size_t i = 0; i < g->inputs.n; i++) {
        const struct graph_value *v = &g->values.at[g->inputs.at[i]];
        for (size_t k = 0; v->initializer && k < c->n_input_sets; k++) {
            const struct tensor *t = tensors_find(&c->input_sets[k], v->name);
            if (t && !tensor_same_bits(t, v->initializer))
                return true;
        }
    }
    return false;
}

/* Can the graph be written as a program? */
static bool can_emit(const struct target_description *d, const struct tcase *c,
                     struct strbuf *reason)
{
    struct arena a;
    struct program p;
    struct err e;
    if (overrides_default(c)) {
        strbuf_adds(reason, "an input with a default has another value");
        return false;
    }
    arena_init(&a);
    bool ok = emit_program(case_model(c), d->emit, EMIT_WEIGHTS_BESIDE, &a, &p, &e);
    if (!ok)
        strbuf_adds(reason, e.text);
    arena_done(&a);
    return ok;
}

static bool accepts(const struct target *t, const struct tcase *c, struct strbuf *reason)
{
    const struct target_description *d = t->installation->description;
    const struct model *m = case_model(c);
    int largest = t->installation->traits.largest_opset;
    if (!d->accepts_graphs && !d->emit.n) {
        strbuf_adds(reason, "the engine runs programs only");
        return false;
    }
    if (t->mode->no_graphs) {
        strbuf_adds(reason, "the mode is for programs only");
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
    return !d->emit.n || can_emit(d, c, reason);
}

/* The case's graph with every intermediate as an output, after its own outputs. */
static struct model *expose(struct ticket *t)
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
    return m;
}

static struct str names_json(struct ticket *t, const struct graph *g, const uint32_t *values,
                             size_t n, bool without_defaults)
{
    struct strbuf names = {0};
    struct json_out w = json_open(&names, JSON_COMPACT);
    json_begin_array(&w);
    for (size_t i = 0; i < n; i++)
        if (!without_defaults || !g->values.at[values[i]].initializer)
            json_put_str(&w, g->values.at[values[i]].name);
    json_end_array(&w);
    struct str text = strbuf_dup(&names, &t->arena);
    strbuf_done(&names);
    return text;
}

static struct str dtypes_json(struct ticket *t, const struct graph *g)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_array(&w);
    for (size_t i = 0; i < g->outputs.n; i++)
        json_put_i64(&w, g->values.at[g->outputs.at[i]].dtype);
    json_end_array(&w);
    struct str made = strbuf_dup(&text, &t->arena);
    strbuf_done(&text);
    return made;
}

static bool write_model(struct ticket *t, const struct model *m, struct err *e)
{
    struct strbuf made = {0};
    struct str bytes = t->request.model_bytes;
    bool ok = true;
    if (m != case_model(t->request.c) || !bytes.n)
        ok = model_write(m, false, &made, e);
    if (made.n)
        bytes = strbuf_str(&made);
    ok = ok &&
         scratch_put(t->pool->scratch, path_join(&t->arena, t->folder, TICKET_MODEL), &bytes, 1, e);
    strbuf_done(&made);
    return ok;
}

static const struct emitted *emitted_for(const struct ticket *t, struct str framework)
{
    for (size_t i = 0; i < t->emitted.n; i++)
        if (str_eq(t->emitted.at[i].framework, framework))
            return &t->emitted.at[i];
    return NULL;
}

/* Writes the program and its large weights into the ticket's folder. */
static bool write_program(struct ticket *t, const struct model *m, struct str framework,
                          struct err *e)
{
    struct arena *a = &t->arena;
    struct program p;
    struct pack pack = {0};
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    struct emitted made = {.framework = framework,
                           .file = arena_printf(a, "emitted_" STR_FMT ".py", STR_ARG(framework))};
    const char *weights = arena_printf(a, "emitted_" STR_FMT ".bin", STR_ARG(framework));
    if (!emit_program(m, framework, EMIT_WEIGHTS_BESIDE, a, &p, e))
        return e->code == ERR_UNSUPPORTED; /* target_accepts has refused it already */
    json_begin_object(&w);
    json_pair_cstr(&w, "file", weights);
    json_key(&w, "tensors");
    pack__tensors(&p.weights, &pack, a, &w);
    json_end_object(&w);
    made.weights_json = strbuf_dup(&text, a);
    made.entry = p.entry;
    strbuf_done(&text);
    vec_push(&t->emitted, a, made);
    return scratch_put(t->pool->scratch, path_join(a, t->folder, made.file), &p.source, 1, e) &&
           scratch_put(t->pool->scratch, path_join(a, t->folder, weights), pack.parts.at,
                       pack.parts.n, e);
}

static bool put(struct ticket *t, struct err *e)
{
    const struct model *m = case_model(t->request.c);
    const struct pool_request *r = &t->request;
    t->n_outputs = m->graph->outputs.n;
    if (r->variant == VARIANT_EXPOSED) {
        struct model *exposed = expose(t);
        if (!model_finish(exposed, e))
            return false;
        m = exposed;
    }
    const struct graph *g = m->graph;
    t->outputs_json = names_json(t, g, g->outputs.at, g->outputs.n, false);
    t->dtypes_json = dtypes_json(t, g);
    t->arguments_json = names_json(t, g, g->inputs.at, g->inputs.n, true);
    for (size_t i = 0; i < r->n_targets; i++) {
        struct str emit = r->targets[i]->installation->description->emit;
        if (emit.n && !emitted_for(t, emit) && !write_program(t, m, emit, e))
            return false;
    }
    return write_model(t, m, e);
}

static void add_keys(const struct job *job, struct json_out *w)
{
    const struct ticket *t = job->ticket;
    const struct emitted *program = emitted_for(t, job->installation->description->emit);
    if (program) {
        json_pair_cstr(w, "emitted", program->file);
        json_pair_str(w, "entry", program->entry);
        json_key(w, "weights");
        json_put_raw(w, program->weights_json);
        json_key(w, "arguments");
        json_put_raw(w, t->arguments_json);
    } else {
        json_pair_cstr(w, "model", job->file);
    }
    json_key(w, "outputs");
    json_put_raw(w, t->outputs_json);
    json_key(w, "output_dtypes");
    json_put_raw(w, t->dtypes_json);
}

const struct target_subject target__graph = {.accepts = accepts, .put = put, .add_keys = add_keys};
