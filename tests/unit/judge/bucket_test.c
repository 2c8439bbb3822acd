/* Bucket keys: which failures are one bug, which are two, and what a key says. */
#include "judge/bucket.h"

#include <string.h>

#include "onnx/infer.h"
#include "planted/nets.h"
#include "unit/test.h"

struct scene {
    struct arena a;
    struct tcase *c;
    struct observation seen[4];
    struct verdict verdicts[4];
    size_t n_seen, n_verdicts;
};

/* x -> Neg (n0) -> Exp (n1) */
static void scene_open(struct scene *s, const char *first, const char *second)
{
    static const int64_t dims[] = {2};
    static const double ones[] = {1, 1};
    struct err e = {0};
    memset(s, 0, sizeof *s);
    arena_init(&s->a);
    struct model *m = model_new(&s->a, 21);
    uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 1);
    uint32_t h = graph_add_node(m, m->graph, first, &x, 1, 1);
    graph_last_node(m->graph)->name = STR("n0");
    uint32_t y = graph_add_node(m, m->graph, second, &h, 1, 1);
    graph_last_node(m->graph)->name = STR("n1");
    graph_add_output(m->graph, y);
    if (!model_finish(m, &e) || !infer_model(m, &e))
        fail_msg("%s", e.text);
    struct named_tensor *in = arena_new(&s->a, struct named_tensor);
    in->name = STR("x");
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 1, ones, &s->a, &in->tensor, &e));
    s->c = net_case_of(m, LANE_NUMERIC, &(struct tensors){in, 1}, &s->a);
}

static struct observation *see(struct scene *s, const char *family, const char *mode,
                               enum outcome outcome)
{
    struct observation *x = &s->seen[s->n_seen++];
    x->outcome = outcome;
    x->target = (struct target_id){.engine = str_of(family),
                                   .version = STR("1"),
                                   .mode = str_of(mode),
                                   .family = str_of(family)};
    return x;
}

static struct verdict *fail_with(struct scene *s, const struct observation *x, const char *oracle,
                                 enum wrong_kind wrong)
{
    struct verdict *v = &s->verdicts[s->n_verdicts++];
    const struct graph *g = s->c->graph->graph;
    *v = (struct verdict){.oracle = oracle,
                          .decision = DECISION_FAIL,
                          .wrong = wrong,
                          .measure = 1,
                          .threshold = 1e-6,
                          .target = x->target};
    v->place.output = g->values.at[g->outputs.at[0]].name;
    v->place.op_type = g->nodes.at[g->nodes.n - 1].op_type;
    v->place.element = 0;
    return v;
}

static struct keys keys_of(struct scene *s)
{
    struct keys k;
    struct evidence ev = {.c = s->c, .observations = s->seen, .n_observations = s->n_seen};
    bucket_keys(&ev, &(struct verdicts){s->verdicts, s->n_verdicts}, &s->a, &k);
    return k;
}

static void modes_of_a_family_fold_into_the_first_failing(void **state)
{
    struct scene s;
    (void)state;
    scene_open(&s, "Neg", "Exp");
    see(&s, "ort", "off", OUTCOME_OK);
    struct observation *all = see(&s, "ort", "all", OUTCOME_OK),
                       *extended = see(&s, "ort", "extended", OUTCOME_OK);
    all->target.mode_rank = 4;
    extended->target.mode_rank = 2;
    fail_with(&s, all, "reference", WRONG_VALUE);
    fail_with(&s, extended, "reference", WRONG_VALUE);
    fail_with(&s, see(&s, "ov", "f32", OUTCOME_OK), "reference", WRONG_NAN);
    struct keys k = keys_of(&s);
    assert_int_equal(k.n, 2);
    assert_true(str_is(k.at[0].mode, "extended"));
    assert_true(str_is(k.at[1].mode, "f32"));
    assert_string_equal(k.at[0].taxonomy, "F1");
    assert_string_equal(k.at[1].taxonomy, "F2");
    assert_int_equal(k.at[0].severity, SEVERITY_S1);
    assert_true(k.at[0].provisional);
    arena_done(&s.a);
}

static void a_localised_wrong_result_names_culprit_and_producers(void **state)
{
    struct scene s;
    (void)state;
    scene_open(&s, "Neg", "Exp");
    struct verdict *v = fail_with(&s, see(&s, "ort", "all", OUTCOME_OK), "reference", WRONG_VALUE);
    v->place.node = STR("n1");
    struct keys k = keys_of(&s);
    assert_false(k.at[0].provisional);
    assert_true(str_is(k.at[0].strict, "wrong-result|ort|reference|Exp<Neg|float|all|value large"));
    assert_true(str_is(k.at[0].guard, "wrong-result|ort|reference|value|all"));
    arena_done(&s.a);
}

static void equal_exceptions_have_equal_keys_whatever_their_names(void **state)
{
    static const struct {
        const char *a, *b, *type_b;
        bool same;
    } rows[] = {
        {"Node (n0) Op (Neg): bad shape {1,2}", "Node (n0) Op (Neg): bad shape {7,8,9}", "FAIL",
         true},
        {"Node (n0): bad shape", "Node (n0): bad type", "FAIL", false},
        {"bad shape", "bad shape", "INVALID_GRAPH", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str strict[2];
        struct scene s[2];
        for (int k = 0; k < 2; k++) {
            scene_open(&s[k], "Neg", "Exp");
            struct observation *x = see(&s[k], "ort", "all", OUTCOME_EXCEPTION);
            x->message.raw = str_of(k ? rows[i].b : rows[i].a);
            x->message.type = str_of(k ? rows[i].type_b : "FAIL");
            fail_with(&s[k], x, "outcome", WRONG_OUTCOME);
            struct keys keys = keys_of(&s[k]);
            assert_int_equal(keys.n, 1);
            strict[k] = keys.at[0].strict;
        }
        if (str_eq(strict[0], strict[1]) != rows[i].same)
            fail_msg("row \"%s\": " STR_FMT " / " STR_FMT, rows[i].a, STR_ARG(strict[0]),
                     STR_ARG(strict[1]));
        arena_done(&s[0].a);
        arena_done(&s[1].a);
    }
}

static void refuse(struct scene *s, const char *first, const char *second, const char *text)
{
    scene_open(s, first, second);
    struct observation *x = see(s, "ort", "off", OUTCOME_EXCEPTION);
    x->message.raw = str_of(text);
    x->message.type = STR("FAIL");
    fail_with(s, x, "outcome", WRONG_OUTCOME)->place = (struct place){.element = SIZE_MAX};
}

static void a_refusal_names_its_operator_and_what_feeds_it(void **state)
{
    static const struct {
        const char *first, *second, *text, *ends;
    } rows[] = {
        {"Neg", "Exp", "running Exp node. Name:'' Status: no", "|off||Exp<Neg"},
        {"Abs", "Exp", "running Exp node. Name:'' Status: no", "|off||Exp<Abs"},
        {"Abs", "Exp", "Node (n1) Op (Exp) [Error] no", "|off||Exp<Abs"},
        {"Exp", "Exp", "Node (n0) Op (Exp) [Error] no", "|off||Exp"},
        {"Exp", "Exp", "Node () Op (Exp) [Error] which of the two", "|off||"},
        {"Abs", "Exp", "Node (Exp_3_q) Op (Exp) [Error] made by an optimiser", "|off|q|"},
        {"Abs", "Exp", "no node is named", "|off||"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene s;
        refuse(&s, rows[i].first, rows[i].second, rows[i].text);
        struct keys k = keys_of(&s);
        struct str strict = k.at[0].strict, ends = str_of(rows[i].ends);
        if (strict.n < ends.n || !str_eq(str_sub(strict, strict.n - ends.n, strict.n), ends))
            fail_msg("row \"%s\": " STR_FMT, rows[i].text, STR_ARG(strict));
        assert_true(str_find(k.at[0].guard, STR("Abs")) == k.at[0].guard.n);
        arena_done(&s.a);
    }
}

static void a_crash_names_the_only_operator_left(void **state)
{
    static const struct {
        const char *first, *ends;
    } rows[] = {{"Constant", "|off||Exp@libe+0x12"}, {"Neg", "|off||@libe+0x12"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene s;
        scene_open(&s, "Neg", "Exp");
        if (i == 0)
            s.c->graph->graph->nodes.at[0].op_type = STR("Constant");
        struct observation *x = see(&s, "ort", "off", OUTCOME_SIGNAL);
        x->signal = 8;
        x->message.stack = STR("/x/libe.so.1(+0x12)[0x7f]\nassay(+0x9)[0x5]");
        fail_with(&s, x, "crash", WRONG_OUTCOME)->place = (struct place){.element = SIZE_MAX};
        struct str strict = keys_of(&s).at[0].strict, ends = str_of(rows[i].ends);
        if (strict.n < ends.n || !str_eq(str_sub(strict, strict.n - ends.n, strict.n), ends))
            fail_msg("row %zu: " STR_FMT, i, STR_ARG(strict));
        arena_done(&s.a);
    }
}

/* A program is blamed for a call on its innermost line: no optimiser, nothing that makes inputs. A
 * smaller one need not be blamed for the same.
 */
static void a_crash_of_a_program_names_its_call(void **state)
{
    const struct program p = {.source =
                                  STR("import torch\n"
                                      "x = torch.randn(2)\n"
                                      "torch.compile(lambda v: torch.neg(v))(torch.ones(1))\n"
                                      "torch.abs(torch.neg(x))\n"
                                      "(lambda *a: (lambda x: torch.roll())(torch.sort(*a)))(\n"
                                      "    x)\n")};
    static const struct {
        const char *message, *title;
    } rows[] = {
        {"Fatal\n  File \"/t/torch/_ops.py\", line 3 in f\n  File \"/t/program.py\", line 3 in g",
         "torch.neg: crash by signal 11"},
        {"File \"/t/program.py\", line 4 in g", "torch.abs: crash by signal 11"},
        {"File \"/t/program.py\", line 5 in g", "torch.sort: crash by signal 11"},
        {"File \"/t/program.py\", line 2 in g", "crash by signal 11"},
        {"File \"/t/program.py\", line 99 in g", "crash by signal 11"},
        {"File \"/t/program.py\", line", "crash by signal 11"},
        {"nothing", "crash by signal 11"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene s;
        scene_open(&s, "Neg", "Exp");
        struct observation *x = see(&s, "torch", "written", OUTCOME_SIGNAL);
        x->signal = 11;
        x->message.raw = str_of(rows[i].message);
        fail_with(&s, x, "crash", WRONG_OUTCOME)->place = (struct place){.element = SIZE_MAX};
        s.c = &(struct tcase){.kind = CASE_PROGRAM, .program = &p};
        struct key k = keys_of(&s).at[0];
        if (!str_is(k.title, rows[i].title))
            fail_msg("row %zu: " STR_FMT, i, STR_ARG(k.title));
        bool is_named = str_find(k.title, STR("torch.")) < k.title.n;
        ASSERT_ROW(!is_named || str_is(k.guard, "native-crash|torch|signal 11"), rows[i].title);
        arena_done(&s.a);
    }
}

/* c -> Where(c, a, b) of floats; ArgMax of halves gives int64; Cast from double to int8. */
static void the_dtype_is_that_of_the_culprits_data(void **state)
{
    static const struct {
        const char *op, *dtype;
        enum dtype inputs[3], output;
        uint32_t n_inputs;
    } rows[] = {
        {"Where", "|float|", {DTYPE_BOOL, DTYPE_FLOAT, DTYPE_FLOAT}, DTYPE_FLOAT, 3},
        {"ArgMax", "|float16|", {DTYPE_FLOAT16}, DTYPE_INT64, 1},
        {"Equal", "|int32|", {DTYPE_INT32, DTYPE_INT32}, DTYPE_BOOL, 2},
        {"ConstantOfShape", "|uint8|", {DTYPE_INT64}, DTYPE_UINT8, 1},
        {"OneHot", "|double|", {DTYPE_INT64, DTYPE_INT64, DTYPE_DOUBLE}, DTYPE_DOUBLE, 3},
    };
    static const int64_t dims[] = {2};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene s;
        struct err e = {0};
        uint32_t inputs[3];
        scene_open(&s, "Neg", "Exp");
        struct model *m = model_new(&s.a, 21);
        for (uint32_t k = 0; k < rows[i].n_inputs; k++)
            inputs[k] = graph_add_input(m, m->graph, str_of(arena_printf(&s.a, "i%u", k)),
                                        rows[i].inputs[k], dims, 1);
        uint32_t y = graph_add_node(m, m->graph, rows[i].op, inputs, rows[i].n_inputs, 1);
        graph_last_node(m->graph)->name = STR("n1");
        m->graph->values.at[y].dtype = rows[i].output;
        graph_add_output(m->graph, y);
        if (!model_finish(m, &e))
            fail_msg("%s: %s", rows[i].op, e.text);
        s.c->graph = m;
        struct verdict *v = fail_with(&s, see(&s, "e", "off", OUTCOME_OK), "reference", WRONG_NAN);
        v->place.node = STR("n1");
        struct key k = keys_of(&s).at[0];
        const char *name =
            arena_printf(&s.a, "(%.*s)", (int)strlen(rows[i].dtype) - 2, rows[i].dtype + 1);
        if (str_find(k.strict, str_of(rows[i].dtype)) == k.strict.n ||
            str_find(k.title, str_of(name)) == k.title.n)
            fail_msg("%s: " STR_FMT ", " STR_FMT, rows[i].op, STR_ARG(k.strict), STR_ARG(k.title));
        arena_done(&s.a);
    }
}

static void severity_and_type_follow_what_happened(void **state)
{
    static const struct {
        const char *name;
        enum outcome outcome;
        enum wrong_kind wrong;
        const char *text;
        enum bug_class class;
        enum severity severity;
        const char *taxonomy;
    } rows[] = {
        {"segfault", OUTCOME_SIGNAL, WRONG_OUTCOME, "", BUG_NATIVE_CRASH, SEVERITY_S2, "B1"},
        {"heap", OUTCOME_ABORT, WRONG_OUTCOME, "double free or corruption", BUG_NATIVE_CRASH,
         SEVERITY_S0, "B1"},
        {"hang", OUTCOME_TIMEOUT_CPU, WRONG_OUTCOME, "", BUG_RESOURCE, SEVERITY_S3, "B3"},
        {"memory", OUTCOME_OOM_LIMIT, WRONG_OUTCOME, "", BUG_RESOURCE, SEVERITY_S3, "B1"},
        {"internal", OUTCOME_INTERNAL_ERROR, WRONG_OUTCOME, "fusion failed", BUG_WRONG_EXCEPTION,
         SEVERITY_S2, "G1"},
        {"load", OUTCOME_EXCEPTION, WRONG_OUTCOME, "INVALID_GRAPH", BUG_WRONG_EXCEPTION,
         SEVERITY_S3, "G3"},
        {"shape", OUTCOME_OK, WRONG_SHAPE, "", BUG_WRONG_RESULT, SEVERITY_S1, "C1"},
        {"bits", OUTCOME_OK, WRONG_BITS, "", BUG_WRONG_RESULT, SEVERITY_S3, "F1"},
        {"value in all modes", OUTCOME_OK, WRONG_VALUE, "", BUG_WRONG_RESULT, SEVERITY_S1, "F2"},
        {"sanitizer", OUTCOME_SANITIZER, WRONG_OUTCOME, "", BUG_NATIVE_CRASH, SEVERITY_S0, "B1"},
        {"abort", OUTCOME_ABORT, WRONG_OUTCOME, "assert", BUG_NATIVE_CRASH, SEVERITY_S2, "B1"},
        {"stack overflow", OUTCOME_STACK_OVERFLOW, WRONG_OUTCOME, "", BUG_NATIVE_CRASH, SEVERITY_S2,
         "B1"},
        {"assertion", OUTCOME_ASSERTION, WRONG_OUTCOME, "x", BUG_WRONG_EXCEPTION, SEVERITY_S2,
         "G2"},
        {"flood", OUTCOME_OUTPUT_FLOOD, WRONG_OUTCOME, "", BUG_RESOURCE, SEVERITY_S3, "B1"},
        {"slow", OUTCOME_OK, WRONG_SLOW, "", BUG_RESOURCE, SEVERITY_S3, "B1"},
        {"nan", OUTCOME_OK, WRONG_NAN, "", BUG_WRONG_RESULT, SEVERITY_S1, "F2"},
        {"dtype", OUTCOME_OK, WRONG_DTYPE, "", BUG_WRONG_RESULT, SEVERITY_S1, "C1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene s;
        scene_open(&s, "Neg", "Exp");
        struct observation *x = see(&s, "ort", "all", rows[i].outcome);
        x->message.raw = str_of(rows[i].text);
        fail_with(&s, x, rows[i].wrong == WRONG_OUTCOME ? "outcome" : "reference", rows[i].wrong);
        struct keys k = keys_of(&s);
        ASSERT_ROW(k.n == 1 && k.at[0].class == rows[i].class, rows[i].name);
        ASSERT_ROW(k.at[0].severity == rows[i].severity, rows[i].name);
        ASSERT_ROW(strcmp(k.at[0].taxonomy, rows[i].taxonomy) == 0, rows[i].name);
        arena_done(&s.a);
    }
}

static void a_second_run_that_is_wrong_is_grave(void **state)
{
    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) {
        struct scene s;
        scene_open(&s, "Neg", "Exp");
        fail_with(&s, see(&s, "ort", "all", OUTCOME_OK), "nondeterminism", WRONG_BITS);
        s.verdicts[0].beyond_rounding = wrong;
        const struct key k = keys_of(&s).at[0];
        struct str symptom =
            wrong ? STR(": wrong when run again") : STR(": other bits when run again");
        assert_int_equal(k.severity, wrong ? SEVERITY_S1 : SEVERITY_S3);
        assert_true(str_find(k.title, symptom) < k.title.n);
        arena_done(&s.a);
    }
}

static void extreme_values_make_some_failures_milder(void **state)
{
    static const struct {
        const char *name;
        enum outcome outcome;
        enum wrong_kind wrong;
        double divisor; /* 0: the standard defines no quotient */
        enum lane lane;
        enum severity severity;
    } rows[] = {
        {"death of 1 / 0", OUTCOME_SIGNAL, WRONG_OUTCOME, 0, LANE_VALUES, SEVERITY_S4},
        {"death of 1 / 0 by chance", OUTCOME_SIGNAL, WRONG_OUTCOME, 0, LANE_NUMERIC, SEVERITY_S2},
        {"death of 1 / 1", OUTCOME_SIGNAL, WRONG_OUTCOME, 1, LANE_VALUES, SEVERITY_S2},
        {"NaN", OUTCOME_OK, WRONG_NAN, 1, LANE_VALUES, SEVERITY_S2},
        {"shape", OUTCOME_OK, WRONG_SHAPE, 1, LANE_VALUES, SEVERITY_S1},
        {"value", OUTCOME_OK, WRONG_VALUE, 1, LANE_VALUES, SEVERITY_S1},
    };
    static const int64_t dims[] = {1};
    static const double one[] = {1};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene s;
        struct err e = {0};
        struct reference *refs;
        struct keys k;
        scene_open(&s, "Neg", "Exp");
        struct model *m = model_new(&s.a, 21);
        struct named_tensor *in = arena_new_array(&s.a, struct named_tensor, 2);
        uint32_t values[] = {graph_add_input(m, m->graph, STR("x"), DTYPE_INT32, dims, 1),
                             graph_add_input(m, m->graph, STR("d"), DTYPE_INT32, dims, 1)};
        graph_add_output(m->graph, graph_add_node(m, m->graph, "Div", values, 2, 1));
        in[0].name = STR("x");
        in[1].name = STR("d");
        assert_true(tensor_from_doubles(DTYPE_INT32, dims, 1, one, &s.a, &in[0].tensor, &e));
        assert_true(
            tensor_from_doubles(DTYPE_INT32, dims, 1, &rows[i].divisor, &s.a, &in[1].tensor, &e));
        if (!model_finish(m, &e) || !infer_model(m, &e))
            fail_msg("%s", e.text);
        s.c = net_case_of(m, rows[i].lane, &(struct tensors){in, 2}, &s.a);
        assert_true(reference_make(s.c, &s.a, &refs, &e));
        fail_with(&s, see(&s, "e", "off", rows[i].outcome), "crash", rows[i].wrong);
        struct evidence ev = {
            .c = s.c, .refs = refs, .observations = s.seen, .n_observations = s.n_seen};
        bucket_keys(&ev, &(struct verdicts){s.verdicts, s.n_verdicts}, &s.a, &k);
        ASSERT_ROW(k.at[0].severity == rows[i].severity, rows[i].name);
        arena_done(&s.a);
    }
}

static void later_facts_move_the_severity_one_step(void **state)
{
    static const struct {
        enum severity from, to;
        struct severity_facts facts;
    } rows[] = {
        {SEVERITY_S1, SEVERITY_S2, {.flaky = true}},
        {SEVERITY_S1, SEVERITY_S0, {.regression = true}},
        {SEVERITY_S0, SEVERITY_S0, {.two_against_one = true}},
        {SEVERITY_S4, SEVERITY_S4, {.unusual_flags = true}},
        {SEVERITY_S2, SEVERITY_S2, {.flaky = true, .regression = true}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(severity_adjust(rows[i].from, &rows[i].facts), rows[i].to);
}

static void second_opinions_come_behind_and_suspects_have_no_key(void **state)
{
    struct scene s;
    (void)state;
    scene_open(&s, "Neg", "Exp");
    fail_with(&s, see(&s, "a", "all", OUTCOME_OK), "reference", WRONG_VALUE)->decision =
        DECISION_SECOND_OPINION;
    fail_with(&s, see(&s, "b", "all", OUTCOME_OK), "reference", WRONG_VALUE);
    fail_with(&s, see(&s, "c", "all", OUTCOME_OK), "reference", WRONG_VALUE)->decision =
        DECISION_REFERENCE_SUSPECT;
    struct keys k = keys_of(&s);
    assert_int_equal(k.n, 2);
    assert_int_equal(k.at[0].decision, DECISION_FAIL);
    assert_int_equal(k.at[1].decision, DECISION_SECOND_OPINION);
    arena_done(&s.a);
}

static void every_type_of_the_taxonomy_is_listed_once(void **state)
{
    size_t n;
    const struct taxonomy_row *rows = taxonomy_list(&n);
    (void)state;
    assert_int_equal(n, 21);
    for (size_t i = 1; i < n; i++)
        assert_true(strcmp(rows[i - 1].label, rows[i].label) < 0);
}

TEST_SUITE(judge_bucket, TEST(modes_of_a_family_fold_into_the_first_failing),
           TEST(a_localised_wrong_result_names_culprit_and_producers),
           TEST(equal_exceptions_have_equal_keys_whatever_their_names),
           TEST(a_refusal_names_its_operator_and_what_feeds_it),
           TEST(a_crash_names_the_only_operator_left), TEST(a_crash_of_a_program_names_its_call),
           TEST(the_dtype_is_that_of_the_culprits_data),
           TEST(severity_and_type_follow_what_happened), TEST(a_second_run_that_is_wrong_is_grave),
           TEST(extreme_values_make_some_failures_milder),
           TEST(later_facts_move_the_severity_one_step),
           TEST(second_opinions_come_behind_and_suspects_have_no_key),
           TEST(every_type_of_the_taxonomy_is_listed_once))
