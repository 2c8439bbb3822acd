/* assay eval: the reference's answer, to the screen and as .npy. */
#include <math.h>

#include "base/file.h"
#include "base/path.h"
#include "case/inputs.h"
#include "case/npy.h"
#include "cli/command.h"
#include "cli/model_inputs.h"
#include "onnx/check.h"
#include "onnx/eval.h"
#include "onnx/infer.h"
#include "onnx/io.h"

/* Smallest, largest and mean of the finite elements, and how many are not. */
static void add_summary(const struct value *v, struct strbuf *out)
{
    double low = INFINITY, high = -INFINITY, sum = 0;
    size_t n_finite = 0, n_undefined = 0;
    for (size_t i = 0; i < v->n; i++) {
        double x = value_get_double(v, i);
        n_undefined += v->undefined && v->undefined[i];
        if (!isfinite(x))
            continue;
        n_finite++;
        low = fmin(low, x);
        high = fmax(high, x);
        sum += x;
    }
    if (n_finite)
        strbuf_printf(out, "  min %.9g  max %.9g  mean %.9g", low, high, sum / (double)n_finite);
    if (n_finite < v->n)
        strbuf_printf(out, "  not finite %zu", v->n - n_finite);
    if (n_undefined)
        strbuf_printf(out, "  undefined %zu", n_undefined);
}

static void value_line(struct str name, const struct value *v, struct strbuf *out)
{
    strbuf_printf(out, "%-24.*s %s[", STR_ARG(name), dtype_name(v->dtype));
    for (uint32_t d = 0; d < v->rank; d++)
        strbuf_printf(out, d ? ",%lld" : "%lld", (long long)v->dims[d]);
    strbuf_addc(out, ']');
    if (v->storage != STORAGE_STRING)
        add_summary(v, out);
    strbuf_addc(out, '\n');
}

static bool collect(const struct settings *s, const struct model *m, const struct eval_result *r,
                    struct tensors *out, struct strbuf *text, struct err *e)
{
    const struct graph *g = m->graph;
    bool all = settings_flag(s, SETTING_eval_all);
    out->at = arena_new_array(s->arena, struct named_tensor, g->values.n + g->outputs.n);
    for (size_t i = 0; i < (all ? g->values.n : g->outputs.n); i++) {
        uint32_t v = all ? (uint32_t)i : g->outputs.at[i];
        const struct value *value = &r->values[v];
        if (value->dtype == DTYPE_UNDEFINED ||
            (all && g->values.at[v].origin == ORIGIN_INITIALIZER))
            continue;
        struct named_tensor *t = &out->at[out->n++];
        t->name = g->values.at[v].name;
        if (!value_to_tensor(value, s->arena, &t->tensor, e))
            return err_wrap(e, "value " STR_FMT, STR_ARG(t->name));
        value_line(t->name, value, text);
    }
    return true;
}

static bool write_dir(const struct settings *s, const struct tensors *t, struct strbuf *text,
                      struct err *e)
{
    const char *dir = settings_text(s, SETTING_out);
    struct strbuf list = {0};
    struct json_out w = json_open(&list, JSON_PRETTY);
    bool ok = file_make_dirs(dir, e);
    json_begin_array(&w);
    ok = ok && tensors_write_dir(dir, t, &w, e);
    json_end_array(&w);
    strbuf_addc(&list, '\n');
    ok = ok && file_write(path_join(s->arena, dir, "tensors.json"), list.at, list.n, e);
    strbuf_done(&list);
    if (ok)
        strbuf_printf(text, "%zu tensors written to %s\n", t->n, dir);
    return ok;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct model *m;
    struct tensors inputs = {0}, outputs = {0};
    struct eval_result result;
    struct strbuf text = {0};
    (void)exit_code;
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE,
                       "one model is expected, got %zu arguments; see assay eval --help",
                       s->n_args);
    if (!model_read_file(s->args[0], s->arena, &m, e))
        return false;
    if (!check_model(m, e) || !infer_model(m, e) || !model_inputs_find(s, m, &inputs, e) ||
        !eval_run(m, &inputs, &(struct eval_options){0}, s->arena, &result, e))
        return err_wrap(e, "%s", s->args[0]);
    bool ok = collect(s, m, &result, &outputs, &text, e);
    if (ok && settings_text(s, SETTING_out))
        ok = write_dir(s, &outputs, &text, e);
    if (ok)
        out_put(strbuf_str(&text));
    strbuf_done(&text);
    return ok;
}

const struct command command_eval = {
    .name = "eval",
    .arguments = "MODEL.onnx",
    .summary = "evaluate a model by the float64 reference",
    .details = "Inputs come from --input, or are made from the seed 0. Prints a line for each "
               "output (with --all for each\n"
               "value), and writes them as .npy to --out.",
    .examples = "  assay eval model.onnx\n  assay eval model.onnx --input data --out values --all",
    .run = run,
};
