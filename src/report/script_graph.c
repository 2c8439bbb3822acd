/*
 * Decides what a graph's reproducer consists of: one Python file, read from top to bottom by a
 * maintainer, that needs the engine, onnx and numpy but nothing of assay: the model by onnx.helper
 * calls, the inputs, what the reference expects, how the engine is run, the comparison. It exits 1
 * while the bug lives, 0 when it is gone, 2 when it cannot be checked. The fixed parts are data
 * (share/script/) whose $WORDS are filled in here. Elements that the standard leaves undefined are
 * not compared.
 */
#include <ctype.h>
#include <math.h>

#include "base/compiler.h"
#include "base/share.h"
#include "case/subject.h"
#include "emit/literal.h"
#include "judge/judge.h"
#include "onnx/eval.h"
#include "report/python_p.h"
#include "report/report_p.h"
#include "report/script_p.h"

/* One report's script while it is written. */
struct script {
    const struct report_bug *b;
    const struct tensors *inputs;
    const struct graph *graph;
    const struct json *description; /* of the engine */
    const struct json *options;     /* of the mode; NULL: none */
    const char *check;              /* "values", "bits", "error", "died": a part's name */
    size_t output_at;
    bool all_defined;
    double tolerance;
    struct arena *a;
};

/* A $WORD of a part, and what writes its value. */
struct word {
    const char *name;
    void (*add)(const struct script *s, struct strbuf *out);
};

static void add_scalar(const struct json *j, struct strbuf *out)
{
    switch (j->kind) {
    case JSON_KIND_BOOL:
        strbuf_adds(out, j->truth ? "True" : "False");
        return;
    case JSON_KIND_STRING:
        literal_string(j->string, out);
        return;
    case JSON_KIND_INTEGER:
        strbuf_printf(out, "%lld", (long long)j->integer);
        return;
    case JSON_KIND_REAL:
        strbuf_printf(out, "%.17g", j->real);
        return;
    default:
        strbuf_adds(out, "None");
    }
}

/* A scalar, or a list or object of scalars: options of modes hold nothing deeper. */
static void add_literal(const struct json *j, struct strbuf *out)
{
    if (j->kind != JSON_KIND_ARRAY && j->kind != JSON_KIND_OBJECT) {
        add_scalar(j, out);
        return;
    }
    strbuf_addc(out, j->kind == JSON_KIND_ARRAY ? '[' : '{');
    for (size_t i = 0; i < j->n; i++) {
        strbuf_adds(out, i ? ", " : "");
        if (j->kind == JSON_KIND_OBJECT) {
            literal_string(j->keys[i], out);
            strbuf_adds(out, ": ");
        }
        add_scalar(&j->items[i], out);
    }
    strbuf_addc(out, j->kind == JSON_KIND_ARRAY ? ']' : '}');
}

static void add_output(const struct script *s, struct strbuf *out)
{
    strbuf_printf(out, "%zu", s->output_at);
}

static void add_tolerance(const struct script *s, struct strbuf *out)
{
    strbuf_printf(out, "%.3g", s->tolerance);
}

static void add_defined(const struct script *s, struct strbuf *out)
{
    strbuf_adds(out, s->all_defined ? "" : " & defined");
}

static void add_seconds(const struct script *s, struct strbuf *out)
{
    (void)s;
    strbuf_printf(out, "%d", SCRIPT_TIMEOUT_S);
}

static void add_mode(const struct script *s, struct strbuf *out)
{
    strbuf_addstr(out, s->b->row.mode);
}

static void add_threads(const struct script *s, struct strbuf *out)
{
    strbuf_printf(out, "%d", str_find(s->b->row.mode, STR("threads")) < s->b->row.mode.n ? 4 : 1);
}

static void add_level(const struct script *s, struct strbuf *out)
{
    static const struct {
        int64_t level;
        const char *name;
    } levels[] = {
        {0, "ORT_DISABLE_ALL"},   {1, "ORT_ENABLE_BASIC"}, {2, "ORT_ENABLE_EXTENDED"},
        {3, "ORT_ENABLE_LAYOUT"}, {99, "ORT_ENABLE_ALL"},
    };
    const struct json *level = s->options ? json_get(s->options, "level") : NULL;
    for (size_t i = 0; i < COUNT_OF(levels); i++)
        if (level && level->kind == JSON_KIND_INTEGER && level->integer == levels[i].level) {
            strbuf_adds(out, levels[i].name);
            return;
        }
    strbuf_adds(out, "ORT_ENABLE_ALL");
}

/* Adds a note to the script where the engine without optimisations passed every oracle. */
static void add_note(const struct script *s, struct strbuf *out)
{
    bool has_off = false, off_fails = false;
    for (size_t i = 0; i < s->b->verdicts.n; i++) {
        const struct verdict *v = &s->b->verdicts.at[i];
        if (!str_eq(v->target.engine, s->b->row.engine) || !str_is(v->target.mode, "off"))
            continue;
        has_off |= v->decision == DECISION_PASS;
        off_fails |= v->decision != DECISION_PASS && v->decision != DECISION_NOT_APPLICABLE;
    }
    if (has_off && !off_fails && !str_is(s->b->row.mode, "off"))
        strbuf_adds(out, "  # ORT_DISABLE_ALL is right");
}

static void add_properties(const struct script *s, struct strbuf *out)
{
    const struct json *properties = s->options ? json_get(s->options, "properties") : NULL;
    if (properties)
        add_literal(properties, out);
    else
        strbuf_adds(out, "{}");
}

static void add_keywords(const struct script *s, struct strbuf *out)
{
    for (size_t i = 0; s->options && i < s->options->n; i++) {
        strbuf_printf(out, ", " STR_FMT "=", STR_ARG(s->options->keys[i]));
        add_literal(&s->options->items[i], out);
    }
}

/* The version converter's target opset: the mode names it, or its distance from the model's. */
static void add_version(const struct script *s, struct strbuf *out)
{
    const struct json *to = s->options ? json_get(s->options, "to") : NULL;
    const struct json *step = s->options ? json_get(s->options, "step") : NULL;
    int64_t version = to ? to->integer : case_model(s->b->c)->opset + (step ? step->integer : 0);
    strbuf_printf(out, "%lld", (long long)version);
}

/* Parts of the messages by which the engine says that it lacks something: opset, kernel, dtype. */
static void add_lacks(const struct script *s, struct strbuf *out)
{
    const struct json *messages = json_get(s->description, "messages");
    const struct json *list = messages ? json_get(messages, "unsupported") : NULL;
    strbuf_addc(out, '(');
    for (size_t i = 0; list && i < list->n; i++) {
        strbuf_adds(out, "\n        ");
        literal_string(list->items[i].string, out);
        strbuf_addc(out, ',');
    }
    strbuf_adds(out, list && list->n ? "\n    )" : ")");
}

static bool has_narrow_input(const struct script *s)
{
    for (size_t i = 0; i < s->inputs->n; i++) {
        enum dtype t = s->inputs->at[i].tensor.dtype;
        if (t != DTYPE_STRING && !python__numpy(t))
            return true;
    }
    return false;
}

/* How the engine, or the ONNX Runtime behind a converter, is given inputs that NumPy has no type
 * for. */
static void add_narrow(const struct script *s, struct strbuf *out)
{
    struct str part;
    struct err ignored;
    const char *own = arena_printf(s->a, STR_FMT "_narrow", STR_ARG(s->b->row.engine));
    if (has_narrow_input(s) &&
        (script__part(own, &part, &ignored) || script__part("ort_narrow", &part, &ignored))) {
        strbuf_addstr(out, part);
        strbuf_adds(out, "\n\n");
    }
}

static void add_feed(const struct script *s, struct strbuf *out)
{
    strbuf_adds(out, has_narrow_input(s) ? "narrow(model, name, feeds[name])" : "feeds[name]");
}

static void add_all_feeds(const struct script *s, struct strbuf *out)
{
    strbuf_adds(out, has_narrow_input(s)
                         ? "{name: narrow(model, name, feeds[name]) for name in feeds}"
                         : "feeds");
}

static const struct word words[] = {
    {"OUTPUT", add_output},     {"TOLERANCE", add_tolerance}, {"DEFINED", add_defined},
    {"SECONDS", add_seconds},   {"MODE", add_mode},           {"THREADS", add_threads},
    {"LEVEL", add_level},       {"NOTE", add_note},           {"PROPERTIES", add_properties},
    {"KEYWORDS", add_keywords}, {"VERSION", add_version},     {"LACKS", add_lacks},
    {"NARROW", add_narrow},     {"FEED", add_feed},           {"FEEDS", add_all_feeds},
};

/* Adds the value of a word: of the table, or of the mode's option: $ENGINE is "engine". */
static void add_word(const struct script *s, struct str name, struct strbuf *out)
{
    for (size_t k = 0; k < COUNT_OF(words); k++)
        if (str_is(name, words[k].name)) {
            words[k].add(s, out);
            return;
        }
    char *key = str_dup(s->a, name);
    for (char *c = key; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (s->options)
        strbuf_addstr(out, json_get_str(s->options, key, STR("")));
}

/* The text with its $WORDS filled in. */
static void add_filled(const struct script *s, struct str text, struct strbuf *out)
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

/* A part's own imports, up to its first blank line. */
static size_t imports_end(struct str part)
{
    for (size_t i = 0; i + 1 < part.n; i++)
        if (part.at[i] == '\n' && part.at[i + 1] == '\n')
            return i + 1;
    return part.n;
}

static bool uses(const struct strbuf *body, const char *word)
{
    return strstr(body->at, word) != NULL;
}

/* Imports only what the body uses. */
static void add_imports(const struct strbuf *body, struct str engine, struct strbuf *out)
{
    static const char *const standard[] = {"base64", "ctypes", "subprocess"};
    for (size_t i = 0; i < COUNT_OF(standard); i++)
        if (uses(body, standard[i]))
            strbuf_printf(out, "import %s\n", standard[i]);
    strbuf_printf(out, "import sys\n%s\ntry:\n",
                  uses(body, "tempfile.") ? "import tempfile\n" : "");
    if (uses(body, "np."))
        strbuf_adds(out, "    import numpy as np\n");
    while (engine.n) {
        size_t line = str_find_byte(engine, '\n');
        strbuf_printf(out, "    " STR_FMT "\n", STR_ARG(str_sub(engine, 0, line)));
        engine = line < engine.n ? str_sub(engine, line + 1, engine.n) : STR("");
    }
    strbuf_printf(out, "    from onnx import %sTensorProto, helper%s\n",
                  uses(body, "AttributeProto.") ? "AttributeProto, " : "",
                  uses(body, "numpy_helper.") ? ", numpy_helper" : "");
    strbuf_adds(out, "except ImportError as missing:\n    print(\"cannot be checked here:\", "
                     "missing)\n    sys.exit(2)\n\n");
}

static void add_feeds(const struct tensors *inputs, struct strbuf *out)
{
    strbuf_adds(out, "feeds = {");
    for (size_t i = 0; i < inputs->n; i++) {
        strbuf_adds(out, "\n    ");
        literal_string(inputs->at[i].name, out);
        strbuf_adds(out, ": ");
        python__array(&inputs->at[i].tensor, out);
        strbuf_addc(out, ',');
    }
    strbuf_adds(out, inputs->n ? "\n}\n" : "}\n");
}

/* NumPy has no type for some outputs: they are read through a Cast to this one, exactly. */
static enum dtype wide_dtype(enum dtype t)
{
    if (t == DTYPE_STRING || python__numpy(t))
        return t;
    if (dtype_is_float(t))
        return DTYPE_FLOAT;
    return t == DTYPE_UINT4 || t == DTYPE_UINT2 ? DTYPE_UINT8 : DTYPE_INT8;
}

static void add_cast(const struct script *s, enum dtype wide, struct strbuf *out)
{
    const struct graph_value *v = &s->graph->values.at[s->graph->outputs.at[s->output_at]];
    strbuf_printf(out,
                  "# NumPy has no %s: the output is read through a Cast.\n"
                  "model.graph.node.append(helper.make_node(\"Cast\", [\"" STR_FMT
                  "\"], [\"" STR_FMT "_wide\"], to=TensorProto.%s))\n"
                  "model.graph.output[%zu].CopyFrom(\n"
                  "    helper.make_tensor_value_info(\"" STR_FMT "_wide\", TensorProto.%s, None)\n"
                  ")\n",
                  dtype_name(v->dtype), STR_ARG(v->name), STR_ARG(v->name), python__type(wide),
                  s->output_at, STR_ARG(v->name), python__type(wide));
}

static bool add_mask(struct script *s, const struct value *v, struct strbuf *out, struct err *e)
{
    struct tensor mask;
    uint8_t *counts;
    s->all_defined = true;
    for (size_t i = 0; v->undefined && i < v->n; i++)
        s->all_defined &= !v->undefined[i];
    if (s->all_defined)
        return true;
    if (!tensor_make(DTYPE_BOOL, v->dims, v->rank, s->a, &mask, (void **)&counts, e))
        return false;
    for (size_t i = 0; i < v->n; i++)
        counts[i] = !v->undefined[i];
    strbuf_adds(out, "# Elements that the standard leaves undefined do not count.\ndefined = ");
    python__array(&mask, out);
    strbuf_addc(out, '\n');
    return true;
}

/* Adds expected = ..., by our reference evaluator, rounded once to the declared dtype. */
static bool add_expected(struct script *s, struct strbuf *out, struct err *e)
{
    const struct store_bug *row = &s->b->row;
    struct eval_result r;
    struct tensor expected, wide;
    void *data;
    if (!eval_run(case_model(s->b->c), s->inputs, &(struct eval_options){0}, s->a, &r, e))
        return err_wrap(e, "reference of bug " STR_FMT, STR_ARG(row->id));
    const struct value *v = &r.values[s->graph->outputs.at[s->output_at]];
    if (v->storage == STORAGE_STRING)
        return err_set(e, ERR_UNSUPPORTED, "an expected output of strings cannot be written");
    if (!value_to_tensor(v, s->a, &expected, e) ||
        !tensor_make(wide_dtype(expected.dtype), expected.dims, expected.rank, s->a, &wide, &data,
                     e))
        return false;
    for (size_t i = 0; i < expected.n; i++)
        if (dtype_is_float(expected.dtype))
            tensor_put_double(wide.dtype, data, i, tensor_get_double(&expected, i));
        else
            tensor_put_i64(wide.dtype, data, i, tensor_get_i64(&expected, i));
    s->tolerance = script__tolerance(row, v);
    if (wide.dtype != expected.dtype)
        add_cast(s, wide.dtype, out);
    strbuf_adds(out, "# By a float64 evaluation of the text of the ONNX standard.\nexpected = ");
    python__array(&wide, out);
    strbuf_addc(out, '\n');
    return add_mask(s, v, out, e);
}

static bool write_body(struct script *s, struct str engine, struct strbuf *out, struct err *e)
{
    struct str converted, check;
    if (!script__part("converted", &converted, e) || !script__part(s->check, &check, e) ||
        !python__model(case_model(s->b->c), out, e))
        return false;
    add_feeds(s->inputs, out);
    if (strcmp(s->check, "values") == 0 && !add_expected(s, out, e))
        return false;
    strbuf_adds(out, "\n\n");
    add_filled(s, engine, out);
    if (str_is(json_get_str(s->description, "work", STR("")), "converts")) {
        strbuf_adds(out, "\n\n");
        add_filled(s, converted, out);
        strbuf_adds(out, "\n\n");
    }
    add_filled(s, check, out);
    return true;
}

static bool write_parts(struct script *s, const char *version, struct strbuf *out, struct err *e)
{
    struct str engine;
    struct strbuf body = {0};
    const char *name = str_dup(s->a, s->b->row.engine);
    const char *path = arena_printf(s->a, "targets/%s.json", name);
    struct str text;
    if (!share_find(path, &text))
        return err_set(e, ERR_UNSUPPORTED, "no description of engine %s", name);
    if (!json_parse(text, path, s->a, &s->description, e))
        return false;
    if (json_get_str(s->description, "emit", STR("")).n)
        return script__write_emitted(s->b, s->description, version, out, e);
    if (!script__part(name, &engine, e))
        return false;
    s->options = script__mode_options(s->description, s->b->row.mode);
    size_t end = imports_end(engine);
    while (end < engine.n && engine.at[end] == '\n')
        end++;
    bool ok = write_body(s, str_sub(engine, end, engine.n), &body, e);
    if (ok) {
        script__docstring(s->b, version, out);
        script__cpu(s->description, s->b->row.mode, out);
        add_imports(&body, str_sub(engine, 0, imports_end(engine)), out);
        strbuf_add(out, body.at, body.n);
    }
    strbuf_done(&body);
    return ok;
}

bool script__write_graph(const struct report_bug *b, const char *version, struct strbuf *out,
                         struct err *e)
{
    struct arena a;
    const struct graph *graph = case_model(b->c)->graph;
    arena_init(&a);
    size_t set = (size_t)b->row.input_set < b->c->n_input_sets ? (size_t)b->row.input_set : 0;
    struct script s = {.b = b,
                       .inputs = &b->c->input_sets[set],
                       .graph = graph,
                       .check = script__check(&b->row),
                       .output_at = script__output_at(graph, b->row.output),
                       .all_defined = true,
                       .a = &a};
    bool ok = write_parts(&s, version, out, e);
    arena_done(&a);
    return ok;
}
