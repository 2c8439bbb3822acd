/* assay check: is a model valid, and which shapes follow. */
#include "cli/command.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"

static void print_text(const struct model *m)
{
    const struct graph *g = m->graph;
    out_putf("valid: opset %d, %zu nodes\n", m->opset, g->nodes.n);
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        struct strbuf line = {0};
        strbuf_printf(&line, "%-24.*s", STR_ARG(n->op_type));
        for (uint32_t o = 0; o < n->n_outputs; o++) {
            if (n->outputs[o] == VALUE_NONE)
                continue;
            const struct graph_value *v = &g->values.at[n->outputs[o]];
            strbuf_printf(&line, " " STR_FMT " %s", STR_ARG(v->name), dtype_name(v->dtype));
            shape_print(m, &v->shape, &line);
        }
        strbuf_addc(&line, '\n');
        out_put(strbuf_str(&line));
        strbuf_done(&line);
    }
}

static void value_to_json(const struct model *m, const struct graph_value *v, struct json_out *w)
{
    struct strbuf shape = {0};
    shape_print(m, &v->shape, &shape);
    json_begin_object(w);
    json_pair_str(w, "name", v->name);
    json_pair_cstr(w, "dtype", dtype_name(v->dtype));
    json_pair_str(w, "shape", strbuf_str(&shape));
    json_end_object(w);
    strbuf_done(&shape);
}

static void print_json(const struct model *m)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_bool(&w, "valid", true);
    json_pair_i64(&w, "opset", m->opset);
    json_key(&w, "values");
    json_begin_array(&w);
    for (size_t i = 0; i < m->graph->values.n; i++)
        value_to_json(m, &m->graph->values.at[i], &w);
    json_end_array(&w);
    json_end_object(&w);
    strbuf_addc(&text, '\n');
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct model *m;
    (void)exit_code;
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE,
                       "one model is expected, got %zu arguments; see assay check --help",
                       s->n_args);
    if (!model_read_file(s->args[0], s->arena, &m, e))
        return false;
    if (!check_model(m, e) || !infer_model(m, e))
        return err_wrap(e, "%s", s->args[0]);
    if (settings_want_json(s))
        print_json(m);
    else
        print_text(m);
    return true;
}

const struct command command_check = {
    .name = "check",
    .arguments = "MODEL.onnx",
    .summary = "check a model against the standard and print the inferred shapes",
    .details = "Reads the model, checks arity, attributes, types and graph structure by the ONNX "
               "standard, and infers the\n"
               "dtype and shape of every value. Exit 0: valid; 65: invalid, with the reason; 2: "
               "uses what assay lacks.",
    .examples = "  assay check model.onnx\n  assay check model.onnx --json",
    .run = run,
};
