/* assay check: checks that a model is valid, and infers its shapes. */
#include "cli/command.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"

static void print_text(const struct model *m)
{
    const struct graph *g = m->graph;
    out_putf(g->nodes.n == 1 ? "valid: opset %d, %zu node\n" : "valid: opset %d, %zu nodes\n",
             m->opset, g->nodes.n);
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
        out_line(strbuf_str(&line));
        strbuf_done(&line);
    }
}

/* [2, "N", null]: numbers, names of symbols, unknown dims; null for an unknown rank. */
static void shape_to_json(const struct model *m, const struct shape *s, struct json_out *w)
{
    json_key(w, "shape");
    if (!s->known) {
        json_put_null(w);
        return;
    }
    json_begin_array(w);
    for (uint32_t i = 0; i < s->rank; i++) {
        const struct dim *d = &s->dims[i];
        if (d->value >= 0)
            json_put_i64(w, d->value);
        else if (d->symbol)
            json_put_str(w, intern_str(&m->symbols, d->symbol - 1));
        else
            json_put_null(w);
    }
    json_end_array(w);
}

static void value_to_json(const struct model *m, const struct graph_value *v, struct json_out *w)
{
    json_begin_object(w);
    json_pair_str(w, "name", v->name);
    json_pair_cstr(w, "dtype", dtype_name(v->dtype));
    shape_to_json(m, &v->shape, w);
    json_end_object(w);
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
    out_json(&text);
}

/* For this command the reason why a model is not valid is a result, not an error. */
static int print_json_invalid(const struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_bool(&w, "valid", false);
    error_to_json(e, &w);
    json_end_object(&w);
    out_json(&text);
    return err_exit_code(e->code);
}

static bool read_valid(const char *path, struct arena *a, struct model **out, struct err *e)
{
    if (!model_read_file(path, a, out, e))
        return false;
    return (check_model(*out, e) && infer_model(*out, e)) || err_wrap(e, "%s", path);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct model *m;
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE,
                       "one model is expected, got %zu arguments; see assay check --help",
                       s->n_args);
    bool valid = read_valid(s->args[0], s->arena, &m, e);
    if (!settings_want_json(s)) {
        if (valid)
            print_text(m);
        return valid;
    }
    if (valid)
        print_json(m);
    else
        *exit_code = print_json_invalid(e);
    return true;
}

const struct command command_check = {
    .name = "check",
    .arguments = "MODEL.onnx",
    .summary = "check a model against the standard and print the inferred shapes",
    .details = "Reads the model, checks arity, attributes, types and graph structure by the ONNX "
               "standard, and infers the\n"
               "dtype and shape of every value. Exit 0: valid; 65: invalid, with the reason; 2: "
               "uses what assay does not support.",
    .examples = "  assay check model.onnx\n  assay check model.onnx --json",
    .run = run,
};
