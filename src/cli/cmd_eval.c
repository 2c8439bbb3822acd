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

/* Minimum, maximum and mean of the finite elements, and how many are not finite or undefined by the
 * standard. */
struct summary {
    double low, high, mean;
    size_t n_finite, n_undefined;
};

static struct summary summarise(const struct value *v)
{
    struct summary s = {.low = INFINITY, .high = -INFINITY};
    double sum = 0;
    for (size_t i = 0; i < v->n; i++) {
        double x = value_get_double(v, i);
        s.n_undefined += v->undefined && v->undefined[i];
        if (!isfinite(x))
            continue;
        s.n_finite++;
        s.low = fmin(s.low, x);
        s.high = fmax(s.high, x);
        sum += x;
    }
    s.mean = s.n_finite ? sum / (double)s.n_finite : 0;
    return s;
}

static void value_line(struct str name, const struct value *v)
{
    struct strbuf line = {0};
    strbuf_printf(&line, "%-24.*s %s[", STR_ARG(name), dtype_name(v->dtype));
    for (uint32_t d = 0; d < v->rank; d++)
        strbuf_printf(&line, d ? ",%lld" : "%lld", (long long)v->dims[d]);
    strbuf_addc(&line, ']');
    if (v->storage != STORAGE_STRING) {
        struct summary s = summarise(v);
        if (s.n_finite)
            strbuf_printf(&line, "  min %.9g  max %.9g  mean %.9g", s.low, s.high, s.mean);
        if (s.n_finite < v->n)
            strbuf_printf(&line, "  not finite %zu", v->n - s.n_finite);
        if (s.n_undefined)
            strbuf_printf(&line, "  undefined %zu", s.n_undefined);
    }
    out_line(strbuf_str(&line));
    strbuf_done(&line);
}

static void value_to_json(size_t set, struct str name, const struct value *v, struct json_out *w)
{
    json_begin_object(w);
    json_pair_u64(w, "input_set", set);
    json_pair_str(w, "name", name);
    json_pair_cstr(w, "dtype", dtype_name(v->dtype));
    json_key(w, "shape");
    json_begin_array(w);
    for (uint32_t d = 0; d < v->rank; d++)
        json_put_i64(w, v->dims[d]);
    json_end_array(w);
    if (v->storage != STORAGE_STRING) {
        struct summary s = summarise(v);
        if (s.n_finite) {
            json_pair_double(w, "min", s.low);
            json_pair_double(w, "max", s.high);
            json_pair_double(w, "mean", s.mean);
        }
        json_pair_u64(w, "not_finite", v->n - s.n_finite);
        json_pair_u64(w, "undefined", s.n_undefined);
    }
    json_end_object(w);
}

/* The results of one set of inputs: the outputs, or with --all every value. */
struct shown {
    struct tensors tensors;
    const struct value **values; /* of each tensor */
};

static bool collect(const struct settings *s, const struct model *m, const struct eval_result *r,
                    struct shown *out, struct err *e)
{
    const struct graph *g = m->graph;
    bool all = settings_flag(s, SETTING_eval_all);
    struct tensors *t = &out->tensors;
    t->at = arena_new_array(s->arena, struct named_tensor, g->values.n + g->outputs.n);
    out->values = arena_new_array(s->arena, const struct value *, g->values.n + g->outputs.n);
    for (size_t i = 0; i < (all ? g->values.n : g->outputs.n); i++) {
        uint32_t v = all ? (uint32_t)i : g->outputs.at[i];
        const struct value *value = &r->values[v];
        if (value->dtype == DTYPE_UNDEFINED ||
            (all && g->values.at[v].origin == ORIGIN_INITIALIZER))
            continue;
        out->values[t->n] = value;
        t->at[t->n].name = g->values.at[v].name;
        if (!value_to_tensor(value, s->arena, &t->at[t->n].tensor, e))
            return err_wrap(e, "value " STR_FMT, STR_ARG(t->at[t->n].name));
        t->n++;
    }
    return true;
}

static bool write_dir(const char *dir, const struct tensors *t, struct arena *a, struct err *e)
{
    struct strbuf list = {0};
    struct json_out w = json_open(&list, JSON_PRETTY);
    bool ok = file_make_dirs(dir, e);
    json_begin_array(&w);
    ok = ok && tensors_write_dir(dir, t, &w, e);
    json_end_array(&w);
    strbuf_addc(&list, '\n');
    ok = ok && file_write(path_join(a, dir, "tensors.json"), list.at, list.n, e);
    strbuf_done(&list);
    return ok;
}

/* Several sets of inputs go to folders of their own: DIR/0, DIR/1. */
static bool write_all(const struct settings *s, const char *dir, const struct shown *sets, size_t n,
                      struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        const char *to = n == 1 ? dir : path_join(s->arena, dir, arena_printf(s->arena, "%zu", i));
        if (!write_dir(to, &sets[i].tensors, s->arena, e))
            return false;
    }
    return true;
}

static void print_json(const struct shown *sets, size_t n, const char *dir)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_key(&w, "values");
    json_begin_array(&w);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sets[i].tensors.n; k++)
            value_to_json(i, sets[i].tensors.at[k].name, sets[i].values[k], &w);
    json_end_array(&w);
    json_pair_cstr(&w, "folder", dir);
    json_end_object(&w);
    out_json(&text);
}

static void print_text(const struct shown *sets, size_t n, const char *dir)
{
    size_t n_tensors = 0;
    for (size_t i = 0; i < n; i++) {
        if (n > 1)
            out_putf("inputs %zu\n", i);
        for (size_t k = 0; k < sets[i].tensors.n; k++)
            value_line(sets[i].tensors.at[k].name, sets[i].values[k]);
        n_tensors += sets[i].tensors.n;
    }
    if (dir)
        out_putf(n_tensors == 1 ? "%zu tensor written to %s\n" : "%zu tensors written to %s\n",
                 n_tensors, dir);
}

static bool evaluate(const struct settings *s, struct model *m, struct shown **out, size_t *n,
                     struct err *e)
{
    struct input_sets inputs;
    if (!check_model(m, e) || !infer_model(m, e) || !model_inputs_find(s, m, &inputs, e))
        return false;
    *n = inputs.n;
    *out = arena_new_array(s->arena, struct shown, inputs.n);
    for (size_t i = 0; i < inputs.n; i++) {
        struct eval_result result;
        if (!eval_run(m, &inputs.at[i], &(struct eval_options){0}, s->arena, &result, e) ||
            !collect(s, m, &result, &(*out)[i], e))
            return false;
    }
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct model *m;
    struct shown *sets;
    size_t n;
    const char *dir = settings_text(s, SETTING_write_to);
    (void)exit_code;
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE,
                       "one model is expected, got %zu arguments; see assay eval --help",
                       s->n_args);
    if (!model_read_file(s->args[0], s->arena, &m, e))
        return false;
    if (!evaluate(s, m, &sets, &n, e))
        return err_wrap(e, "%s", s->args[0]);
    if (dir && !write_all(s, dir, sets, n, e))
        return false;
    if (settings_want_json(s))
        print_json(sets, n, dir);
    else
        print_text(sets, n, dir);
    return true;
}

const struct command command_eval = {
    .name = "eval",
    .arguments = "MODEL.onnx",
    .summary = "evaluate a model by the float64 reference",
    .details = "Inputs come from --input, or are made from --seed. Prints a line for each output "
               "(with --all for each\n"
               "value); with --out they are written as .npy.",
    .examples = "  assay eval model.onnx\n  assay eval model.onnx --input data --out values --all",
    .run = run,
};
