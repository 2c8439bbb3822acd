/*
 * Prints the scripts and reports of made-up bugs of a model: each kind of bug in modes of engines
 * that take the model itself, a converted one, or a program. Recorded by
 * tests/golden/commands/reports.txt.
 *
 *     model_reports MODEL.onnx...
 */
#include <stdio.h>

#include "case/inputs.h"
#include "facts/print.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"
#include "planted/nets.h"
#include "report/report.h"

enum { SEED = 5 };

static const struct {
    const char *engine, *mode, *pass;
} modes[] = {
    {"ort", "off", ""},
    {"ort", "all-avx2", "ConstantFolding"},
    {"openvino", "f32", ""},
    {"onnxsim", "no-fold", ""},
    {"tract", "default", ""},
    {"mnn", "high", ""},
    {"torch", "eager", ""},
    {"torch", "inductor", "pattern_matcher"},
    {"torch", "export-saved", ""},
    {"torch", "train-aot_eager", ""},
    {"jax", "jit-o0", ""},
    {"jax", "train", ""},
    {"tensorflow", "xla", ""},
    {"tensorflow", "saved", ""},
};

/* The base mode of the engine has passed, or nothing is known of it. */
static const struct {
    const char *class, *oracle, *wrong, *outcome;
    double measure, threshold, expected, observed;
    bool base_passed;
} bugs[] = {
    {"wrong-result", "reference", "value", "ok", 0.5, 1e-6, 2, 3, false},
    {"wrong-result", "levels", "dtype", "ok", 1, 0, 1, 2, true},
    {"wrong-result", "nondeterminism", "value", "ok", 0.125, 0, 2, 2.25, false},
    {"wrong-result", "gradient", "value", "ok", 0.25, 1e-3, 4, 5, true},
    {"wrong-exception", "outcome", "outcome", "exception", 1, 0, 0, 0, false},
    {"crash", "crash", "outcome", "abort", 1, 0, 0, 0, false},
    {"hang", "crash", "outcome", "timeout-cpu", 1, 0, 0, 0, true},
};

static struct verdict base_verdict(const struct store_bug *row)
{
    return (struct verdict){
        .oracle = "reference",
        .decision = DECISION_PASS,
        .measure = 1e-9,
        .threshold = 1e-6,
        .claim = STR("agrees"),
        .target = {.engine = row->engine,
                   .version = row->version,
                   .mode = STR("base"),
                   .is_base = true},
    };
}

static void print_bug(struct store_bug row, const struct tcase *c, bool base_passed, struct err *e)
{
    struct verdict passed = base_verdict(&row);
    const struct report_bug bug = {
        .row = row,
        .c = c,
        .verdicts = {.at = &passed, .n = base_passed},
        .machine = {STR("Debian GNU/Linux 12"), STR("6.1.2"), STR("x86-64")},
        .sandbox = STR("full"),
    };
    size_t n;
    const struct report_format *formats = report_list(&n);
    for (size_t i = 0; i < n; i++) {
        struct strbuf text = {0};
        const struct report r = {.bugs = &bug, .n = 1, .one = true, .version = "test"};
        bool ok = formats[i].write(&r, &text, e);
        printf("== " STR_FMT "/" STR_FMT " " STR_FMT " " STR_FMT " %s\n", STR_ARG(row.engine),
               STR_ARG(row.mode), STR_ARG(row.class), STR_ARG(row.oracle), formats[i].name);
        if (ok)
            printf(STR_FMT "\n", STR_ARG(strbuf_str(&text)));
        else
            printf("  %s\n", e->text);
        strbuf_done(&text);
    }
}

bool print_model(const char *path, struct arena *a, struct err *e)
{
    struct model *m;
    struct tensors inputs;
    struct rng r;
    rng_init(&r, SEED, RNG_INPUT, 0);
    if (!model_read_file(path, a, &m, e) || !check_model(m, e) || !infer_model(m, e) ||
        !inputs_generate(m, &(struct input_options){.style = INPUT_GRID}, &r, a, &inputs, e))
        return false;
    const struct graph *g = m->graph;
    const struct tcase *c = net_case_of(m, LANE_NUMERIC, &inputs, a);
    for (size_t i = 0; i < COUNT_OF(modes); i++)
        for (size_t k = 0; k < COUNT_OF(bugs); k++) {
            struct store_bug row = {
                .id = STR("0123456789"),
                .key = STR("a|key|with <&> \"signs\""),
                .title = STR("Op: wrong \"value\""),
                .state = STR("confirmed"),
                .severity = STR("S1"),
                .class = str_of(bugs[k].class),
                .oracle = str_of(bugs[k].oracle),
                .taxonomy = STR("F2"),
                .engine = str_of(modes[i].engine),
                .version = STR("1"),
                .mode = str_of(modes[i].mode),
                .pass = str_of(modes[i].pass),
                .ops = g->nodes.n ? g->nodes.at[0].op_type : STR(""),
                .dtype = STR("float"),
                .nodes = (int64_t)g->nodes.n,
                .measure = bugs[k].measure,
                .threshold = bugs[k].threshold,
                .expected = bugs[k].expected,
                .observed = bugs[k].observed,
                .wrong = str_of(bugs[k].wrong),
                .outcome = str_of(bugs[k].outcome),
                .message = STR("Node (n0) cannot be run:\n12 of x.cc:33"),
                .output = g->values.at[g->outputs.at[g->outputs.n - 1]].name,
                .claim = STR("expected 2, got 3"),
                .first_bad = STR("1"),
                .k = 9,
                .n = 10,
            };
            print_bug(row, c, bugs[k].base_passed, e);
        }
    return true;
}
