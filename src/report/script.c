/*
 * Decides what a reproducer consists of: prelude, the model, the inputs, what the reference
 * expects, how the engine is run, and the comparison; all in one Python file that needs the engine,
 * onnx and numpy. The fixed parts are data (share/script/). The expectation is computed here, by
 * our reference evaluator, from the case alone; elements that the standard leaves undefined are
 * left out.
 */
#include <math.h>

#include "base/compiler.h"
#include "base/share.h"
#include "case/case.h"
#include "onnx/eval.h"
#include "report/python_p.h"
#include "report/report_p.h"

#define SCRIPT_LIMIT_DEFAULT 1e-3
enum { SCRIPT_TIMEOUT_S = 60 };

static bool add_part(const char *name, struct strbuf *out, struct err *e)
{
    char path[200];
    struct str text;
    snprintf(path, sizeof path, "script/%s.py", name);
    if (!share_find(path, &text))
        return err_set(e, ERR_UNSUPPORTED, "no reproducer is known for engine %s", name);
    strbuf_addstr(out, text);
    strbuf_adds(out, "\n\n");
    return true;
}

/* The mode's options from the engine's description; NULL: none. */
static const struct json *mode_options(const struct json *description, struct str mode)
{
    const struct json *modes = json_get(description, "modes");
    for (size_t i = 0; modes && i < modes->n; i++)
        if (str_eq(json_get_str(&modes->items[i], "name", STR("")), mode))
            return json_get(&modes->items[i], "options");
    return NULL;
}

static bool read_description(struct str engine, struct arena *a, const struct json **out,
                             struct err *e)
{
    struct str text;
    const char *path = arena_printf(a, "targets/" STR_FMT ".json", STR_ARG(engine));
    if (!share_find(path, &text))
        return err_set(e, ERR_UNSUPPORTED, "no description of engine " STR_FMT, STR_ARG(engine));
    return json_parse(text, path, a, out, e);
}

static void add_header(const struct report_bug *b, const char *version, struct strbuf *out)
{
    const struct store_bug *row = &b->row;
    strbuf_adds(out, "#!/usr/bin/env python3\n\"\"\"");
    for (size_t i = 0; i < row->title.n; i++)
        strbuf_addc(out,
                    row->title.at[i] == '"' || row->title.at[i] == '\\' ? '\'' : row->title.at[i]);
    strbuf_adds(out,
                "\n\nStand-alone reproducer: exits 1 while the bug lives, 0 when it is gone.\n");
    strbuf_printf(out,
                  "Bug " STR_FMT ", severity " STR_FMT ", operators: " STR_FMT
                  ".\nNeeds the engine, onnx and numpy. Written by assay %s.\n\"\"\"\n\n",
                  STR_ARG(row->id), STR_ARG(row->severity), STR_ARG(row->ops),
                  version ? version : "");
}

/* Levels below a failing level of the same engine show where it starts. */
static void add_modes(const struct report_bug *b, struct strbuf *out)
{
    bool has_off = false;
    for (size_t i = 0; i < b->verdicts.n; i++) {
        const struct target_id *t = &b->verdicts.at[i].target;
        has_off |= str_eq(t->engine, b->row.engine) && str_is(t->mode, "off");
    }
    strbuf_adds(out, "MODE = ");
    python__string(b->row.mode, out);
    strbuf_printf(out, "\nOTHER_MODES = [%s]\n",
                  has_off && !str_is(b->row.mode, "off") ? "\"off\"" : "");
}

static void add_json(const struct json *j, struct strbuf *out)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_put_json(&w, j);
    strbuf_adds(out, "__import__(\"json\").loads(");
    python__string(strbuf_str(&text), out);
    strbuf_adds(out, ")");
    strbuf_done(&text);
}

static const char *check_of(const struct store_bug *b)
{
    if (str_is(b->class, "wrong-result"))
        return str_is(b->oracle, "nondeterminism") ? "bits" : "values";
    return "error";
}

static double limit_of(const struct store_bug *b)
{
    bool usable = b->threshold > 0 && isfinite(b->threshold) &&
                  (!(b->measure > 0) || b->threshold < b->measure);
    return usable ? b->threshold : SCRIPT_LIMIT_DEFAULT;
}

static void add_settings(const struct report_bug *b, const struct json *description,
                         struct strbuf *out)
{
    const struct json *options = mode_options(description, b->row.mode);
    strbuf_printf(out, "CHECK = \"%s\"\n", check_of(&b->row));
    add_modes(b, out);
    strbuf_adds(out, "OPTIONS = ");
    if (options)
        add_json(options, out);
    else
        strbuf_adds(out, "{}");
    strbuf_adds(out, "\nFOUND_WITH = ");
    struct strbuf target = {0};
    report__target(&b->row, &target);
    python__string(strbuf_str(&target), out);
    strbuf_done(&target);
    strbuf_adds(out, "\nCLAIM = ");
    python__string(b->row.claim.n ? b->row.claim : b->row.title, out);
    strbuf_printf(out, "\nLIMIT = %.6g\nTIMEOUT_S = %d\n\n\n", limit_of(&b->row), SCRIPT_TIMEOUT_S);
}

static void add_inputs(const struct tensors *inputs, struct strbuf *out)
{
    strbuf_adds(out, "\n\ndef inputs():\n    return {\n");
    for (size_t i = 0; i < inputs->n; i++) {
        strbuf_adds(out, "        ");
        python__string(inputs->at[i].name, out);
        strbuf_adds(out, ": array(");
        python__tensor(&inputs->at[i].tensor, out);
        strbuf_adds(out, "),\n");
    }
    strbuf_adds(out, "    }\n\n\n");
}

/* The reference's value as a float64 tensor, and which elements count. */
static bool expected_of(const struct value *v, struct arena *a, struct tensor *values,
                        struct tensor *where, struct err *e)
{
    double *x;
    uint8_t *counts;
    if (!tensor_make(DTYPE_DOUBLE, v->dims, v->rank, a, values, (void **)&x, e) ||
        !tensor_make(DTYPE_BOOL, v->dims, v->rank, a, where, (void **)&counts, e))
        return false;
    for (size_t i = 0; i < v->n; i++) {
        x[i] = value_get_double(v, i);
        counts[i] = !v->undefined || !v->undefined[i];
    }
    return true;
}

static size_t output_of(const struct graph *g, struct str name)
{
    for (size_t i = 0; i < g->outputs.n; i++)
        if (str_eq(g->values.at[g->outputs.at[i]].name, name))
            return i;
    return 0;
}

static bool add_expected(const struct report_bug *b, const struct tensors *inputs, struct arena *a,
                         struct strbuf *out, struct err *e)
{
    const struct graph *g = b->c->graph->graph;
    size_t output = output_of(g, b->row.output);
    const struct graph_value *gv = &g->values.at[g->outputs.at[output]];
    const char *type = python__numpy(gv->dtype); /* of others only the values are compared */
    struct eval_result r;
    struct tensor values, where;
    strbuf_printf(out, "OUTPUT = %zu\n", output);
    if (strcmp(check_of(&b->row), "values") != 0) {
        strbuf_adds(out, "EXPECTED_TYPE = \"\"\nSCALE_AT_LEAST = 1e-30\n\n\n");
        return true;
    }
    if (!eval_run(b->c->graph, inputs, &(struct eval_options){0}, a, &r, e))
        return err_wrap(e, "reference of bug " STR_FMT, STR_ARG(b->row.id));
    const struct value *v = &r.values[g->outputs.at[output]];
    if (v->storage == STORAGE_STRING || !expected_of(v, a, &values, &where, e))
        return v->storage != STORAGE_STRING ||
               err_set(e, ERR_UNSUPPORTED, "an expected output of strings is not written");
    strbuf_printf(out, "EXPECTED_TYPE = \"%s\"\nSCALE_AT_LEAST = %.9g\n\n\n", type ? type : "",
                  MAX(1e-30, v->scales ? 1e-30 : dtype_unit(gv->dtype) * v->noise_scale));
    strbuf_adds(out, "def expected_output():\n    \"\"\"By a float64 evaluation of the standard's "
                     "text, and which elements count.\"\"\"\n    return array(");
    python__tensor(&values, out);
    strbuf_adds(out, "), array(");
    python__tensor(&where, out);
    strbuf_adds(out, ")\n\n\n");
    return true;
}

static bool write_parts(const struct report_bug *b, const char *version, struct arena *a,
                        struct strbuf *out, struct err *e)
{
    const struct json *description;
    const char *engine = str_dup(a, b->row.engine);
    size_t set = (size_t)b->row.input_set < b->c->n_input_sets ? (size_t)b->row.input_set : 0;
    const struct tensors *inputs = &b->c->input_sets[set];
    if (!read_description(b->row.engine, a, &description, e))
        return false;
    add_header(b, version, out);
    if (!add_part("prelude", out, e))
        return false;
    add_settings(b, description, out);
    if (!python__model(b->c->graph, out, e))
        return false;
    add_inputs(inputs, out);
    bool converts = str_is(json_get_str(description, "work", STR("")), "converts");
    return add_expected(b, inputs, a, out, e) && add_part(engine, out, e) &&
           (!converts || add_part("converted", out, e)) && add_part("main", out, e);
}

bool report__write_script(const struct report_bug *b, const char *version, struct strbuf *out,
                          struct err *e)
{
    struct arena a;
    if (!b->c)
        return err_set(e, ERR_DATA, "bug " STR_FMT ": %s", STR_ARG(b->row.id),
                       b->why_no_case ? b->why_no_case : "its case is gone");
    if (b->c->kind != CASE_GRAPH)
        return err_set(e, ERR_UNSUPPORTED, "bug " STR_FMT ": a program is its own reproducer",
                       STR_ARG(b->row.id));
    arena_init(&a);
    bool ok = write_parts(b, version, &a, out, e);
    arena_done(&a);
    while (ok && out->n > 1 && out->at[out->n - 1] == '\n' && out->at[out->n - 2] == '\n')
        out->at[--out->n] = '\0';
    return ok;
}

bool report__script(const struct report *r, struct strbuf *out, struct err *e)
{
    if (r->n != 1)
        return err_set(e, ERR_USAGE, "a script reproduces one bug: name its id");
    return report__write_script(&r->bugs[0], r->version, out, e);
}
