/* What `assay run` prints of a judged case: one line a target in the summary, then all rows. */
#include <stdio.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/run_text.h"
#include "unit/test.h"

enum { TARGETS = 4, REPEATS = 2 };

struct fixture {
    struct arena arena;
    struct tcase *c;
    struct reference ref;
    struct tensors inputs;
    struct observation observations[TARGETS * REPEATS];
    struct verdict verdicts[2 * TARGETS * REPEATS];
    struct judged seen;
};

static const struct target_id targets[TARGETS] = {
    {.engine = TEXT("ort"), .version = TEXT("1.0"), .mode = TEXT("off")},
    {.engine = TEXT("ort"), .version = TEXT("1.0"), .mode = TEXT("all")},
    {.engine = TEXT("ort"), .version = TEXT("1.0"), .mode = TEXT("basic")},
    {.engine = TEXT("openvino"), .version = TEXT("2.1"), .mode = TEXT("f32")}};

/* y = Relu(x), x float[N,2] run as [3,2]; the targets answer 1, 1, 2 and by a signal. */
static void open_fixture(struct fixture *f)
{
    static const double outputs[TARGETS] = {1, 1, 2, 0};
    struct err e;
    *f = (struct fixture){0};
    arena_init(&f->arena);
    struct model *m = model_new(&f->arena, 21);
    uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, (int64_t[]){-1, 2}, 2);
    graph_add_output(m->graph, graph_add_node(m, m->graph, "Relu", &x, 1, 1));
    f->inputs.at = arena_new_array(&f->arena, struct named_tensor, 1);
    f->inputs.n = 1;
    f->inputs.at[0].name = STR("x");
    assert_true(tensor_from_doubles(DTYPE_FLOAT, (int64_t[]){3, 2}, 2, (double[]){1, 2, 3, 4, 5, 6},
                                    &f->arena, &f->inputs.at[0].tensor, &e));
    f->c = case_of_graph(m, &f->inputs, 1, (struct provenance){0}, &f->arena);
    f->ref = (struct reference){.c = f->c, .model = m, .usable = true, .arena = &f->arena};
    for (uint32_t i = 0; i < TARGETS * REPEATS; i++) {
        struct observation *o = &f->observations[i];
        *o = (struct observation){.target = targets[i / REPEATS], .repeat = i % REPEATS};
        o->usage.wall_ns = 1500000 + i;
        o->outputs.at = arena_new_array(&f->arena, struct named_tensor, 1);
        o->outputs.n = 1;
        o->outputs.at[0].name = STR("y");
        assert_true(tensor_from_doubles(DTYPE_FLOAT, (int64_t[]){1}, 1, &outputs[i / REPEATS],
                                        &f->arena, &o->outputs.at[0].tensor, &e));
        if (i / REPEATS == TARGETS - 1) {
            o->outcome = OUTCOME_SIGNAL;
            o->message.raw = STR("first line\nsecond line");
            o->usage.wall_ns = 0;
        }
    }
    f->seen = (struct judged){.c = f->c,
                              .refs = &f->ref,
                              .observations = f->observations,
                              .n_observations = TARGETS * REPEATS,
                              .verdicts = {f->verdicts, 0}};
}

static void add_verdict(struct fixture *f, const char *oracle, const struct target_id *t,
                        enum decision decision, double measure, const char *claim)
{
    f->verdicts[f->seen.verdicts.n++] = (struct verdict){.oracle = oracle,
                                                         .decision = decision,
                                                         .measure = measure,
                                                         .threshold = 8,
                                                         .target = *t,
                                                         .place = {.element = SIZE_MAX},
                                                         .claim = str_of(claim)};
}

/* Checks what a function prints to stdout. */
static void assert_prints(struct fixture *f, void (*print)(struct fixture *f), const char *expected)
{
    char text[4096];
    FILE *to = tmpfile();
    int out = dup(STDOUT_FILENO);
    out_flush();
    dup2(fileno(to), STDOUT_FILENO);
    print(f);
    out_flush();
    dup2(out, STDOUT_FILENO);
    close(out);
    rewind(to);
    text[fread(text, 1, sizeof text - 1, to)] = '\0';
    fclose(to);
    assert_string_equal(text, expected);
}

static void summary(struct fixture *f)
{
    run_print_summary(&f->seen);
}

static void rows(struct fixture *f)
{
    run_print_rows(&f->seen, &f->arena);
}

static void a_line_says_what_each_target_did(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    add_verdict(&f, "crash", &targets[0], DECISION_NOT_APPLICABLE, 0, "");
    add_verdict(&f, "modes", &targets[0], DECISION_PASS, 1, "");
    add_verdict(&f, "reference", &targets[0], DECISION_PASS, 4, "");
    add_verdict(&f, "reference", &targets[1], DECISION_PASS, 3, "");
    add_verdict(&f, "reference", &targets[1], DECISION_FAIL, 90, "y is wrong");
    f.verdicts[f.seen.verdicts.n - 1].place =
        (struct place){STR("y"), STR("relu_1"), STR("Relu"), 5};
    add_verdict(&f, "reference", &targets[2], DECISION_UNSURE, 9, "it may be");
    f.verdicts[f.seen.verdicts.n - 1].place = (struct place){.op_type = STR("Add"), .element = 0};
    add_verdict(&f, "crash", &targets[3], DECISION_FAIL, 0, "it died");
    assert_prints(&f, summary,
                  "summary:\n"
                  "  1 node, opset 21, 1 set of inputs\n"
                  "  input x float [?,2] as [3,2]\n"
                  "  ort@1.0/off  agrees, largest error 0.5 of what is allowed\n"
                  "  ort@1.0/all  WRONG: y is wrong; output y element 5; first bad Relu (node "
                  "relu_1)\n"
                  "  ort@1.0/basic  unsure: it may be element 0; made by Add\n"
                  "  openvino@2.1/f32  signal  WRONG: it died\n");
    arena_done(&f.arena);
}

static void targets_without_a_reference_are_held_against_each_other(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    f.ref.usable = false;
    f.ref.why_not = STR("no kernel");
    assert_prints(&f, summary,
                  "summary:\n"
                  "  1 node, opset 21, 1 set of inputs\n"
                  "  input x float [?,2] as [3,2]\n"
                  "  no reference values (no kernel): targets are compared with each other\n"
                  "  ort@1.0/off  agrees with ort@1.0/all\n"
                  "  ort@1.0/all  agrees with ort@1.0/off\n"
                  "  ort@1.0/basic  differs from ort@1.0/off by 8.85e+04 default tolerances\n"
                  "  openvino@2.1/f32  signal\n");
    arena_done(&f.arena);
}

static void verdicts_of_both_runs_are_printed_once(void **state)
{
    struct fixture f;
    (void)state;
    open_fixture(&f);
    f.seen.n_observations = 3;
    f.observations[1] = f.observations[TARGETS * REPEATS - 1];
    add_verdict(&f, "reference", &targets[0], DECISION_PASS, 4, "");
    add_verdict(&f, "reference", &targets[1], DECISION_FAIL, 90, "y is wrong");
    add_verdict(&f, "reference", &targets[0], DECISION_PASS, 5, "");
    add_verdict(&f, "modes", &targets[0], DECISION_SECOND_OPINION, 9, "perhaps");
    assert_prints(&f, rows,
                  "observations:\n"
                  "  ort@1.0/off  inputs 0  run 1  ok  1.500 ms\n"
                  "  openvino@2.1/f32  inputs 0  run 2  signal  first line\n"
                  "  ort@1.0/all  inputs 0  run 1  ok  1.500 ms\n"
                  "verdicts:\n"
                  "  reference            ort@1.0/off  inputs 0  pass  (2 times)\n"
                  "  reference            ort@1.0/all  inputs 0  fail  measure 90 threshold 8  "
                  "y is wrong\n"
                  "  modes                ort@1.0/off  inputs 0  needs-second-opinion  measure 9 "
                  "threshold 8  perhaps\n");
    arena_done(&f.arena);
}

TEST_SUITE(cli_run_text, TEST(a_line_says_what_each_target_did),
           TEST(targets_without_a_reference_are_held_against_each_other),
           TEST(verdicts_of_both_runs_are_printed_once))
