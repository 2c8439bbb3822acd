/*
 * Decides what a graph's reproducer consists of for an engine that runs emitted programs: the
 * program itself, the inputs, what is expected, the mode's own call, the comparison; nothing but
 * the framework is needed. A mode is compared with the engine's base mode where that passed, else
 * with numbers of the reference. The fixed parts are data (share/script/NAME.py, emitted_*.py).
 */
#include <ctype.h>
#include <math.h>

#include "base/compiler.h"
#include "case/subject.h"
#include "emit/emit.h"
#include "emit/literal.h"
#include "onnx/eval.h"
#include "report/report_p.h"
#include "report/script_p.h"

struct emitted {
    const struct report_bug *b;
    const struct json *description;
    const struct tensors *inputs;
    const struct graph *graph;
    struct str framework;
    size_t output_at;
    const char *check;
    double tolerance;
    bool is_class; /* the program's entry is a class, the model an instance of it */
    struct arena *a;
};

/* Adds the lines that define what the mode's expression calls; nothing: it calls the framework
 * only.
 */
static void add_prelude(const struct emitted *s, const struct json *options, struct strbuf *out)
{
    const struct json *lines = options ? json_get(options, "prelude") : NULL;
    struct str file = {0};
    struct err no_file;
    if (lines && lines->kind == JSON_KIND_STRING) {
        const struct json *other = script__mode_options(s->description, lines->string);
        if (!other)
            (void)script__part(str_dup(s->a, lines->string), &file, &no_file);
        lines = other ? json_get(other, "prelude") : lines;
    }
    strbuf_addstr(out, file);
    for (size_t i = 0; lines && i < lines->n; i++)
        strbuf_printf(out, STR_FMT "\n", STR_ARG(lines->items[i].string));
    strbuf_adds(out, lines ? "\n\n" : "");
}

/* The numbers of the arguments that have a gradient: "0, 2". */
static void add_arguments(const struct emitted *s, struct strbuf *out)
{
    const char *separator = "";
    for (size_t i = 0, k = 0; i < s->graph->inputs.n; i++) {
        const struct graph_value *v = &s->graph->values.at[s->graph->inputs.at[i]];
        if (!v->initializer && dtype_is_wide_float(v->dtype)) {
            strbuf_printf(out, "%s%zu", separator, k);
            separator = ", ";
        }
        k += !v->initializer;
    }
}

static void add_word(const struct emitted *s, struct str word, struct strbuf *out)
{
    const struct json *options = script__mode_options(s->description, s->b->row.mode);
    if (str_is(word, "OUTPUT"))
        strbuf_printf(out, "%zu", s->output_at);
    else if (str_is(word, "TOLERANCE"))
        strbuf_printf(out, "%.3g", s->tolerance);
    else if (str_is(word, "ARGUMENTS"))
        add_arguments(s, out);
    else if (str_is(word, "SECONDS"))
        strbuf_printf(out, "%d", SCRIPT_TIMEOUT_S);
    else if (str_is(word, "MODE"))
        strbuf_addstr(out, s->b->row.mode);
    else if (str_is(word, "PRELUDE"))
        add_prelude(s, options, out);
    else if (str_is(word, "OPEN"))
        strbuf_addstr(out, options ? json_get_str(options, "open", STR("model")) : STR("model"));
}

static void add_filled(const struct emitted *s, struct str text, struct strbuf *out)
{
    for (size_t i = 0; i < text.n;) {
        size_t end = i + 1;
        if (text.at[i] != '$') {
            strbuf_addc(out, text.at[i++]);
            continue;
        }
        while (end < text.n && isupper((unsigned char)text.at[end]))
            end++;
        add_word(s, str_sub(text, i + 1, end), out);
        i = end;
    }
}

/* The inputs in the order of the program's arguments. */
static bool add_inputs(const struct emitted *s, struct strbuf *out, struct err *e)
{
    strbuf_adds(out, "inputs = (\n");
    for (size_t i = 0; i < s->graph->inputs.n; i++) {
        const struct graph_value *v = &s->graph->values.at[s->graph->inputs.at[i]];
        const struct tensor *t = tensors_find(s->inputs, v->name);
        if (v->initializer)
            continue;
        if (!t)
            return err_set(e, ERR_DATA, "input " STR_FMT " has no value", STR_ARG(v->name));
        strbuf_adds(out, "    ");
        if (!emit_tensor(s->framework, t, out, e))
            return false;
        strbuf_adds(out, ",\n");
    }
    strbuf_adds(out, ")\n");
    return true;
}

/* Did the engine's base mode pass what this mode failed? */
static bool base_passed(const struct emitted *s)
{
    bool passed = false, failed = false;
    for (size_t i = 0; i < s->b->verdicts.n; i++) {
        const struct verdict *v = &s->b->verdicts.at[i];
        if (!str_eq(v->target.engine, s->b->row.engine) || !v->target.is_base)
            continue;
        passed |= v->decision == DECISION_PASS;
        failed |= v->decision != DECISION_PASS && v->decision != DECISION_NOT_APPLICABLE;
    }
    return passed && !failed;
}

/* Adds expected = (dtype, shape, numbers) of the reference; None where the standard leaves it open.
 */
static bool add_numbers(struct emitted *s, const struct value *v, struct strbuf *out, struct err *e)
{
    struct strbuf zero = {0};
    int64_t none = 0;
    struct tensor empty = {v->dtype, 1, &none, 0, NULL, NULL}, t;
    if (!value_to_tensor(v, s->a, &t, e))
        return false;
    if (!emit_tensor(s->framework, &empty, &zero, e))
        return false;
    strbuf_printf(out,
                  "# By a float64 evaluation; None: the operators leave it undefined.\n"
                  "expected = (str(" STR_FMT ".dtype), (",
                  STR_ARG(strbuf_str(&zero)));
    strbuf_done(&zero);
    for (uint32_t i = 0; i < t.rank; i++)
        strbuf_printf(out, "%lld, ", (long long)t.dims[i]);
    strbuf_adds(out, "), [");
    for (size_t i = 0; i < t.n; i++) {
        strbuf_adds(out, i ? ", " : "");
        if (v->undefined && v->undefined[i])
            strbuf_adds(out, "None");
        else
            literal_element(&t, i, emit_module(s->framework), out);
    }
    strbuf_adds(out, "])\n");
    return true;
}

static bool add_expected(struct emitted *s, struct strbuf *out, struct err *e)
{
    struct eval_result r;
    if (!eval_run(case_model(s->b->c), s->inputs, &(struct eval_options){0}, s->a, &r, e))
        return err_wrap(e, "reference of bug " STR_FMT, STR_ARG(s->b->row.id));
    const struct value *v = &r.values[s->graph->outputs.at[s->output_at]];
    if (v->storage == STORAGE_STRING)
        return err_set(e, ERR_UNSUPPORTED, "an expected output of strings cannot be written");
    s->tolerance = script__tolerance(&s->b->row, v);
    if (!base_passed(s))
        return add_numbers(s, v, out, e);
    strbuf_printf(out, "expected = outputs(model)[%zu]\n", s->output_at);
    return true;
}

/* What the gradients are held against, and how far off they may be: the oracle's threshold times
 * the scale that it measured by, but so little that the observed error does not pass. */
static void add_slope(struct emitted *s, struct strbuf *out)
{
    const struct store_bug *b = &s->b->row;
    double off = fabs(b->observed - b->expected);
    bool usable = isfinite(off) && b->measure > 0;
    s->output_at = s->graph->outputs.n;
    s->tolerance = usable ? off * fmin(b->threshold / b->measure, 0.5) : 1e-3 * fabs(b->expected);
    strbuf_printf(out, "expected = %.17g\n", b->expected);
}

static bool write_body(struct emitted *s, struct strbuf *out, struct err *e)
{
    struct str engine, check;
    const char *name = arena_printf(s->a, "emitted_%s", s->check);
    struct strbuf expected = {0};
    if (!script__part(str_dup(s->a, s->b->row.engine), &engine, e) ||
        !script__part(name, &check, e))
        return false;
    bool ok = strcmp(s->check, "values") != 0 || add_expected(s, &expected, e);
    if (strcmp(s->check, "gradient") == 0)
        add_slope(s, &expected);
    strbuf_adds(out, s->is_class ? "\n\nmodel = Model()\n" : "\n\n");
    ok = ok && add_inputs(s, out, e);
    strbuf_adds(out, "\n\n");
    add_filled(s, engine, out);
    strbuf_addstr(out, strbuf_str(&expected));
    add_filled(s, check, out);
    strbuf_done(&expected);
    return ok;
}

bool script__write_emitted(const struct report_bug *b, const struct json *description,
                           const char *version, struct strbuf *out, struct err *e)
{
    struct arena a;
    struct program p;
    struct strbuf body = {0};
    const struct graph *graph = case_model(b->c)->graph;
    arena_init(&a);
    size_t set = (size_t)b->row.input_set < b->c->n_input_sets ? (size_t)b->row.input_set : 0;
    struct emitted s = {.b = b,
                        .description = description,
                        .inputs = &b->c->input_sets[set],
                        .graph = graph,
                        .framework = json_get_str(description, "emit", STR("")),
                        .output_at = script__output_at(graph, b->row.output),
                        .check = script__check(&b->row),
                        .a = &a};
    bool ok = emit_program(case_model(b->c), s.framework, EMIT_WEIGHTS_INLINE, &a, &p, e);
    s.is_class = ok && str_is(p.entry, "Model");
    ok = ok && write_body(&s, &body, e);
    if (ok) {
        bool bytes =
            strstr(body.at, "base64.") && str_find(p.source, STR("import base64")) == p.source.n;
        script__docstring(b, version, out);
        script__cpu(description, b->row.mode, out);
        strbuf_adds(out, bytes ? "import base64\n" : "");
        strbuf_adds(out, strstr(body.at, "subprocess.") ? "import subprocess\n" : "");
        strbuf_adds(out, "import sys\n\n");
        strbuf_addstr(out, p.source);
        strbuf_addstr(out, strbuf_str(&body));
    }
    strbuf_done(&body);
    arena_done(&a);
    return ok;
}
