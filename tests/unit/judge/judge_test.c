/* What the oracles decide, by rows: a small model, what targets gave, the expected verdict. */
#include "judge/judge.h"

#include <math.h>
#include <string.h>

#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"
#include "onnx/op.h"
#include "planted/nets.h"
#include "unit/test.h"

enum { N = 4 };

struct bench {
    struct arena a;
    struct tcase *c;
    struct reference *refs;
    struct observation seen[6];
    size_t n_seen;
    const struct observation *parents; /* one, or none */
};

/* Marks the rows of the model's operators as certified or not, whatever the table says. */
static void certify(struct model *m, bool certified)
{
    for (size_t i = 0; i < m->graph->nodes.n; i++) {
        struct op *row = arena_dup(m->arena, m->graph->nodes.at[i].op, sizeof *row);
        row->certified = certified;
        m->graph->nodes.at[i].op = row;
    }
}

/* y = op(x), x of four elements; the operator's row is not certified. */
static void bench_open_sized(struct bench *b, const char *op, enum dtype dtype, const double *x,
                             int64_t n, enum lane lane)
{
    const int64_t dims[] = {n};
    struct err e = {0};
    struct tensor t;
    memset(b, 0, sizeof *b);
    arena_init(&b->a);
    struct model *m = model_new(&b->a, 21);
    uint32_t in = graph_add_input(m, m->graph, STR("x"), dtype, dims, 1);
    uint32_t out = graph_add_node(m, m->graph, op, &in, 1, 1);
    graph_add_output(m->graph, out);
    if (!model_finish(m, &e) || !infer_model(m, &e) ||
        !tensor_from_doubles(dtype, dims, 1, x, &b->a, &t, &e))
        fail_msg("%s", e.text);
    certify(m, false);
    struct named_tensor *input = arena_new(&b->a, struct named_tensor);
    *input = (struct named_tensor){STR("x"), t};
    b->c = net_case_of(m, lane, &(struct tensors){input, 1}, &b->a);
    if (!reference_make(b->c, &b->a, &b->refs, &e))
        fail_msg("%s", e.text);
}

static void bench_open(struct bench *b, const char *op, enum dtype dtype, const double *x,
                       enum lane lane)
{
    bench_open_sized(b, op, dtype, x, N, lane);
}

static struct str output_name(const struct bench *b)
{
    const struct graph *g = b->c->graph->graph;
    return g->values.at[g->outputs.at[0]].name;
}

/* An observation: the target gave these numbers. */
static struct observation *see(struct bench *b, const char *family, const char *mode,
                               enum dtype dtype, const double *y)
{
    static const int64_t dims[] = {N};
    struct err e = {0};
    struct observation *x = &b->seen[b->n_seen++];
    struct named_tensor *out = arena_new(&b->a, struct named_tensor);
    *x = (struct observation){.case_id = b->c->id,
                              .target = {.engine = str_of(family),
                                         .version = STR("1"),
                                         .mode = str_of(mode),
                                         .family = str_of(family),
                                         .n_threads = 1,
                                         .is_base = strcmp(mode, "off") == 0}};
    out->name = output_name(b);
    if (y && !tensor_from_doubles(dtype, dims, 1, y, &b->a, &out->tensor, &e))
        fail_msg("%s", e.text);
    if (y)
        x->outputs = (struct tensors){out, 1};
    return x;
}

static const struct verdict *judge(struct bench *b, uint32_t oracles, struct judge_counts *counts)
{
    struct err e = {0};
    struct verdicts *v = arena_new(&b->a, struct verdicts);
    struct judge_options o = {.oracles = oracles, .counts = counts};
    struct evidence ev = {
        .c = b->c, .refs = b->refs, .observations = b->seen, .n_observations = b->n_seen};
    ev.parents = b->parents;
    ev.n_parents = b->parents ? 1 : 0;
    if (!judge_case(&o, &ev, &b->a, v, &e))
        fail_msg("%s", e.text);
    return verdicts_worst(v);
}

static void one_target_is_held_against_the_reference(void **state)
{
    static const double x[N] = {1, 2, 4, 0.25};
    static const struct {
        const char *name;
        const char *op;
        double y[N];
        enum dtype dtype;
        enum decision decision;
        enum wrong_kind wrong;
    } rows[] = {
        {"right", "Neg", {-1, -2, -4, -0.25}, DTYPE_FLOAT, DECISION_PASS, WRONG_NOTHING},
        {"moved elements are exact",
         "Neg",
         {-1, -2, -4, -0.25000003},
         DTYPE_FLOAT,
         DECISION_SECOND_OPINION,
         WRONG_VALUE},
        {"rounding",
         "Exp",
         {2.7182817, 7.3890562, 54.59815, 1.2840254},
         DTYPE_FLOAT,
         DECISION_PASS,
         WRONG_NOTHING},
        {"value",
         "Exp",
         {2.7182817, 7.3990562, 54.59815, 1.2840254},
         DTYPE_FLOAT,
         DECISION_SECOND_OPINION,
         WRONG_VALUE},
        {"small element",
         "Exp",
         {2.7182817, 7.3890562, 54.59815, 1.2940254},
         DTYPE_FLOAT,
         DECISION_SECOND_OPINION,
         WRONG_VALUE},
        {"nan",
         "Exp",
         {2.7182817, NAN, 54.59815, 1.2840254},
         DTYPE_FLOAT,
         DECISION_SECOND_OPINION,
         WRONG_NAN},
        {"inf",
         "Exp",
         {2.7182817, 7.389056, INFINITY, 1.2840254},
         DTYPE_FLOAT,
         DECISION_SECOND_OPINION,
         WRONG_INF},
        {"dtype",
         "Exp",
         {2.7182817, 7.389056, 54.59815, 1.2840254},
         DTYPE_DOUBLE,
         DECISION_SECOND_OPINION,
         WRONG_DTYPE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        bench_open(&b, rows[i].op, DTYPE_FLOAT, x, LANE_NUMERIC);
        see(&b, "ort", "all", rows[i].dtype, rows[i].y);
        const struct verdict *v = judge(&b, 0, NULL);
        if (v->decision != rows[i].decision || v->wrong != rows[i].wrong)
            fail_msg("row \"%s\": %s, wrong %s, %g against %g", rows[i].name,
                     decision_name(v->decision), wrong_kind_name(v->wrong), v->measure,
                     v->threshold);
        arena_done(&b.a);
    }
}

static void a_certified_row_needs_no_witness(void **state)
{
    static const double x[N] = {1, 2, 4, 0.25}, y[N] = {1, 7.389056, 54.59815, 1.2840254};
    struct bench b;
    (void)state;
    for (int certified = 0; certified < 2; certified++) {
        bench_open(&b, "Exp", DTYPE_FLOAT, x, LANE_NUMERIC);
        certify((struct model *)(uintptr_t)b.c->graph, certified);
        see(&b, "a", "all", DTYPE_FLOAT, y);
        assert_int_equal(judge(&b, oracle_bit(ORACLE_REFERENCE), NULL)->decision,
                         certified ? DECISION_FAIL : DECISION_SECOND_OPINION);
        arena_done(&b.a);
    }
}

static void witnesses_say_who_is_wrong(void **state)
{
    static const double x[N] = {1, 2, 4, 0.25};
    static const double right[N] = {2.7182817, 7.389056, 54.59815, 1.2840254};
    static const double wrong[N] = {2.7182817, 7.399056, 54.59815, 1.2840254};
    static const double other[N] = {2.7182817, 7.389056, 54.99815, 1.2840254};
    static const struct {
        const char *name;
        struct {
            const char *family, *mode;
            const double *y;
        } seen[3];
        size_t n;
        enum decision first; /* of the first target */
    } rows[] = {
        {"alone and not certified", {{"a", "all", wrong}}, 1, DECISION_SECOND_OPINION},
        {"its own level agrees with the reference",
         {{"a", "all", wrong}, {"a", "off", right}},
         2,
         DECISION_FAIL},
        {"another family agrees with the reference",
         {{"a", "all", wrong}, {"b", "all", right}},
         2,
         DECISION_FAIL},
        {"another family is wrong alike",
         {{"a", "all", wrong}, {"b", "all", wrong}},
         2,
         DECISION_REFERENCE_SUSPECT},
        {"another family is wrong otherwise",
         {{"a", "all", wrong}, {"b", "all", other}},
         2,
         DECISION_SECOND_OPINION},
        {"both levels of one family are wrong alike",
         {{"a", "all", wrong}, {"a", "off", wrong}},
         2,
         DECISION_SECOND_OPINION},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        bench_open(&b, "Exp", DTYPE_FLOAT, x, LANE_NUMERIC);
        for (size_t k = 0; k < rows[i].n; k++)
            see(&b, rows[i].seen[k].family, rows[i].seen[k].mode, DTYPE_FLOAT, rows[i].seen[k].y);
        struct verdicts v;
        struct err e = {0};
        struct judge_options o = {.oracles = oracle_bit(ORACLE_REFERENCE)};
        struct evidence ev = {
            .c = b.c, .refs = b.refs, .observations = b.seen, .n_observations = b.n_seen};
        assert_true(judge_case(&o, &ev, &b.a, &v, &e));
        if (v.at[0].decision != rows[i].first)
            fail_msg("row \"%s\": %s", rows[i].name, decision_name(v.at[0].decision));
        arena_done(&b.a);
    }
}

/* A rerun may leave a function's domain at its end: acosh(1 - u) is NaN, acosh(1 + u) is 3.5e-4. */
static void what_reruns_make_nan_is_left_out(void **state)
{
    static const double x[N] = {1, 2, 3, 4};
    static const double y[N] = {3.45e-4, 1.3169579, 1.7627472, 2.0634371};
    static const double z[N] = {3.45e-4, 1.3169579, 1.7637472, 2.0634371};
    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) {
        struct bench b;
        bench_open(&b, "Acosh", DTYPE_FLOAT, x, LANE_NUMERIC);
        see(&b, "ort", "all", DTYPE_FLOAT, wrong ? z : y);
        assert_int_equal(judge(&b, oracle_bit(ORACLE_REFERENCE), NULL)->decision == DECISION_PASS,
                         !wrong);
        arena_done(&b.a);
    }
}

static void levels_that_are_wrong_alike_do_not_differ(void **state)
{
    static const double x[N] = {1, 2, 4, 0.25};
    static const double y[N] = {2.7182818, 7.3890561, 54.598150, 1.2840254};
    struct bench b;
    (void)state;
    for (int alike = 0; alike < 2; alike++) {
        bench_open(&b, "Exp", DTYPE_FLOAT, x, LANE_NUMERIC);
        see(&b, "ort", "all", DTYPE_DOUBLE, y);
        see(&b, "ort", "off", alike ? DTYPE_DOUBLE : DTYPE_FLOAT, y);
        assert_int_equal(judge(&b, oracle_bit(ORACLE_LEVELS), NULL)->decision,
                         alike ? DECISION_PASS : DECISION_FAIL);
        arena_done(&b.a);
    }
}

static void converters_answer_for_what_their_runner_does_right(void **state)
{
    static const double x[N] = {1, 2, 4, 0.25};
    static const double right[N] = {2.7182817, 7.389056, 54.59815, 1.2840254};
    static const double wrong[N] = {2.7182817, 7.399056, 54.59815, 1.2840254};
    static const struct {
        const char *name;
        const double *alone;
        enum outcome outcome;
        const char *converted; /* the operator of the converted model; NULL: not kept */
        enum decision decision;
    } rows[] = {
        {"the runner is right with the unconverted model", right, OUTCOME_OK, NULL, DECISION_FAIL},
        {"the runner is wrong alike", wrong, OUTCOME_OK, NULL, DECISION_NOT_APPLICABLE},
        {"the runner refuses the unconverted model", right, OUTCOME_EXCEPTION, NULL,
         DECISION_NOT_APPLICABLE},
        {"the converted model means another thing", right, OUTCOME_OK, "Neg", DECISION_FAIL},
        {"the converted model is right, its runner is not", right, OUTCOME_OK, "Exp",
         DECISION_NOT_APPLICABLE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        bench_open(&b, "Exp", DTYPE_FLOAT, x, LANE_NUMERIC);
        see(&b, "simplifier", "default", DTYPE_FLOAT, wrong);
        see(&b, "ort", "off", DTYPE_FLOAT, rows[i].alone);
        b.seen[1].outcome = rows[i].outcome;
        b.seen[1].target.is_witness = true;
        b.seen[0].target.runner = &b.seen[1].target;
        struct bench made;
        struct strbuf bytes = {0};
        bench_open(&made, rows[i].converted ? rows[i].converted : "Exp", DTYPE_FLOAT, x,
                   LANE_NUMERIC);
        if (rows[i].converted)
            assert_true(model_write(made.c->graph, false, &bytes, &(struct err){0}));
        b.seen[0].converted = strbuf_str(&bytes);
        struct verdicts v;
        struct err e = {0};
        struct judge_options o = {.oracles = oracle_bit(ORACLE_REFERENCE)};
        struct evidence ev = {
            .c = b.c, .refs = b.refs, .observations = b.seen, .n_observations = b.n_seen};
        assert_true(judge_case(&o, &ev, &b.a, &v, &e));
        assert_int_equal(v.n, 1); /* none about the witness */
        if (v.at[0].decision != rows[i].decision)
            fail_msg("row \"%s\": %s", rows[i].name, decision_name(v.at[0].decision));
        strbuf_done(&bytes);
        arena_done(&made.a);
        arena_done(&b.a);
    }
}

/* Each row must end as a count of its kind, never as a failure. */
static void what_is_no_bug_is_counted(void **state)
{
    static const struct {
        const char *name, *op;
        enum dtype dtype;
        enum lane lane;
        double x[N], y[N];
        enum not_bug kind;
    } rows[] = {
        {"infinity near the largest float16",
         "Neg",
         DTYPE_FLOAT16,
         LANE_NUMERIC,
         {65000, 1, 2, 3},
         {-INFINITY, -1, -2, -3},
         NOT_BUG_RANGE},
        {"NaN through Relu is open",
         "Relu",
         DTYPE_FLOAT,
         LANE_VALUES,
         {NAN, 1, -2, 3},
         {0, 1, 0, 3},
         NOT_BUG_SPEC_GAP},
        {"Softplus of infinity is open",
         "Softplus",
         DTYPE_FLOAT,
         LANE_VALUES,
         {INFINITY, 0, 0, 0},
         {NAN, 0.6931472, 0.6931472, 0.6931472},
         NOT_BUG_SPEC_GAP},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        struct judge_counts counts = {0};
        bench_open(&b, rows[i].op, rows[i].dtype, rows[i].x, rows[i].lane);
        see(&b, "a", "all", rows[i].dtype, rows[i].y);
        see(&b, "b", "off", rows[i].dtype, rows[i].y);
        const struct verdict *v = judge(&b, oracle_bit(ORACLE_REFERENCE), &counts);
        if (v->wrong != WRONG_NOTHING || counts.of[rows[i].kind] == 0)
            fail_msg("row \"%s\": %s, %s %llu", rows[i].name, decision_name(v->decision),
                     not_bug_name(rows[i].kind), (unsigned long long)counts.of[rows[i].kind]);
        arena_done(&b.a);
    }
}

static void nan_where_the_standard_gives_one_must_be_there(void **state)
{
    static const double x[N] = {NAN, 1, -2, 3}, y[N] = {0, 1, 2, 3};
    struct bench b;
    (void)state;
    bench_open(&b, "Abs", DTYPE_FLOAT, x, LANE_VALUES);
    see(&b, "a", "all", DTYPE_FLOAT, y);
    assert_int_equal(judge(&b, 0, NULL)->wrong, WRONG_MISSING_NAN);
    arena_done(&b.a);
}

static void outcomes_are_judged_by_what_they_say(void **state)
{
    static const double x[N] = {1, 2, 3, 4}, right[N] = {-1, -2, -3, -4};
    static const struct {
        const char *name;
        enum outcome outcome;
        const char *text;
        bool other_runs;
        enum decision decision;
    } rows[] = {
        {"death", OUTCOME_SIGNAL, "", false, DECISION_FAIL},
        {"hang of a small case", OUTCOME_TIMEOUT_CPU, "", false, DECISION_FAIL},
        {"refused by one of two", OUTCOME_EXCEPTION, "bad axis", true, DECISION_FAIL},
        {"refused, alone", OUTCOME_EXCEPTION, "bad axis", false, DECISION_SECOND_OPINION},
        {"lacks the operator", OUTCOME_EXCEPTION, "NOT_IMPLEMENTED : Could not find", true,
         DECISION_PASS},
        {"lacks the locale", OUTCOME_EXCEPTION, "Failed to construct locale with name:en_US", true,
         DECISION_PASS},
        {"classified as lacking", OUTCOME_UNSUPPORTED, "", true, DECISION_PASS},
        {"broken environment", OUTCOME_IMPORT_FAILURE, "", true, DECISION_PASS},
        {"lost worker", OUTCOME_LOST_WORKER, "", true, DECISION_PASS},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        bench_open(&b, "Neg", DTYPE_FLOAT, x, LANE_NUMERIC);
        struct observation *o = see(&b, "a", "all", DTYPE_FLOAT, NULL);
        o->outcome = rows[i].outcome;
        o->signal = 11;
        o->message.raw = str_of(rows[i].text);
        if (rows[i].other_runs)
            see(&b, "b", "off", DTYPE_FLOAT, right);
        const struct verdict *v = judge(&b, 0, NULL);
        if (v->decision != rows[i].decision)
            fail_msg("row \"%s\": %s", rows[i].name, decision_name(v->decision));
        arena_done(&b.a);
    }
}

static void some_words_mean_a_lack_only_of_empty_tensors(void **state)
{
    static const double x[N] = {1, 2, 3, 4};
    static const struct {
        const char *text;
        bool empty_only;
    } rows[] = {
        {"Only N can be zero, got 1", true},
        {"Invalid input shape: {1,0}", true},
        {"kernel must be at least 1, got 0", true},
        {"Size of dimension being split is 0", true},
        {"[C] or [B,C] dimensions with B > 0.", true},
        {"Op (Reshape) [ShapeInferenceError] Invalid position of 0.", true},
        {"NOT_IMPLEMENTED : no such thing", false},
    };
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(rows); i++) {
        bool is_empty = i % 2 == 0;
        struct bench b;
        bench_open_sized(&b, "Neg", DTYPE_FLOAT, x, is_empty ? 0 : N, LANE_NUMERIC);
        struct observation *o = see(&b, "a", "all", DTYPE_FLOAT, NULL);
        o->outcome = OUTCOME_EXCEPTION;
        o->message.raw = str_of(rows[i / 2].text);
        bool lacks = judge(&b, 0, NULL)->wrong == WRONG_NOTHING;
        ASSERT_ROW(lacks == (is_empty || !rows[i / 2].empty_only), rows[i / 2].text);
        arena_done(&b.a);
    }
}

static void a_claim_names_both_sides(void **state)
{
    static const double x[N] = {1, 2, 3, 4}, right[N] = {-1, -2, -3, -4}, off[N] = {-1, -2, -3, -3};
    static const struct {
        const char *name, *oracle, *claim;
        enum dtype dtype;
        uint32_t rank;
        int64_t dims[2];
        const double *y;
    } rows[] = {
        {"shape",
         "reference",
         "output Neg_1 has the shape [2,2], the standard gives [4]",
         DTYPE_FLOAT,
         2,
         {2, 2},
         right},
        {"dtype",
         "reference",
         "output Neg_1 has the dtype double, the standard gives float",
         DTYPE_DOUBLE,
         1,
         {4},
         right},
        {"shape of a level",
         "levels",
         "output Neg_1 has the shape [2,2], the run without optimisations gives [4]",
         DTYPE_FLOAT,
         2,
         {2, 2},
         right},
        {"value",
         "reference",
         "expected -4, got -3; nothing is rounded here",
         DTYPE_FLOAT,
         1,
         {4},
         off},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        struct err e = {0};
        enum oracle oracle;
        bench_open(&b, "Neg", DTYPE_FLOAT, x, LANE_NUMERIC);
        struct observation *o = see(&b, "a", "all", DTYPE_FLOAT, right);
        see(&b, "a", "off", DTYPE_FLOAT, right);
        assert_true(tensor_from_doubles(rows[i].dtype, rows[i].dims, rows[i].rank, rows[i].y, &b.a,
                                        &o->outputs.at[0].tensor, &e));
        assert_true(oracle_find(str_of(rows[i].oracle), &oracle));
        struct str claim = judge(&b, oracle_bit(oracle), NULL)->claim;
        if (!str_is(claim, rows[i].claim))
            fail_msg("%s: " STR_FMT, rows[i].name, STR_ARG(claim));
        arena_done(&b.a);
    }
}

static void a_refusal_begins_with_its_reason(void **state)
{
    static const double x[N] = {1, 2, 3, 4}, right[N] = {-1, -2, -3, -4};
    static const struct {
        const char *message, *why;
    } rows[] = {
        {"bad axis", "bad axis"},
        {"Exception from src/core.cpp:117:\nException from src/plugin.cpp:54:\nnot initialized\n\n",
         "not initialized"},
        {"Exception from src/core.cpp:117:\nCheck 'a' failed at b.cpp:1:\nWhy\n",
         "Check 'a' failed at b.cpp:1:\nWhy"},
        {"Exception from src/core.cpp:117:\n", "Exception from src/core.cpp:117:"},
        {"Exception from a kernel: bad axis", "Exception from a kernel: bad axis"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        bench_open(&b, "Neg", DTYPE_FLOAT, x, LANE_NUMERIC);
        struct observation *o = see(&b, "a", "all", DTYPE_FLOAT, NULL);
        o->outcome = OUTCOME_EXCEPTION;
        o->message.raw = str_of(rows[i].message);
        see(&b, "b", "off", DTYPE_FLOAT, right);
        struct str claim = judge(&b, oracle_bit(ORACLE_OUTCOME), NULL)->claim;
        const char *want = arena_printf(&b.a, "a valid model is refused: %s", rows[i].why);
        if (!str_is(claim, want))
            fail_msg("\"" STR_FMT "\" instead of \"%s\"", STR_ARG(claim), want);
        arena_done(&b.a);
    }
}

static void a_refused_opset_beyond_the_engine_is_no_failure(void **state)
{
    static const double x[N] = {1, 2, 3, 4};
    (void)state;
    for (int opset = 20; opset <= 21; opset++) {
        struct bench b;
        struct target_traits traits = {.largest_opset = opset};
        bench_open(&b, "Neg", DTYPE_FLOAT, x, LANE_NUMERIC);
        struct observation *o = see(&b, "a", "all", DTYPE_FLOAT, NULL);
        o->outcome = OUTCOME_EXCEPTION;
        o->target.traits = &traits;
        o->message.raw = STR("unrecognised attribute");
        assert_int_equal(judge(&b, 0, NULL)->wrong, opset < 21 ? WRONG_NOTHING : WRONG_OUTCOME);
        arena_done(&b.a);
    }
}

static void other_bits_of_a_repeat_are_nondeterminism(void **state)
{
    static const double x[N] = {1, 2, 3, 4}, y[N] = {2.7182817, 7.389056, 20.085537, 54.59815};
    static const double z[N] = {2.7182819, 7.389056, 20.085537, 54.59815};
    static const double zero[N] = {0, 1, 1, 1}, minus[N] = {-0.0, 1, 1, 1};
    static const double far[N] = {2.7182817, 7.389056, 20.085537, 109.1963};
    static const double nan[N] = {NAN, 1, 1, 1}, minus_nan[N] = {-NAN, 1, 1, 1};
    static const struct {
        const char *name;
        const double *first, *again;
        bool is_converter; /* true: another engine, which runs its result, made the bits */
        enum wrong_kind wrong;
        bool beyond_rounding;
    } rows[] = {{"the same bits", y, y, false, WRONG_NOTHING, false},
                {"other bits", y, z, false, WRONG_BITS, false},
                {"a wrong value", y, far, false, WRONG_BITS, true},
                {"zero of another sign", zero, minus, false, WRONG_BITS, true},
                {"NaN of other bits", nan, minus_nan, false, WRONG_NOTHING, false},
                {"NaN and a number", nan, zero, false, WRONG_BITS, true},
                {"other bits of a converter's runner", y, z, true, WRONG_NOTHING, false}};
    const struct target_id runner = {.engine = STR("ort")};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        bench_open(&b, "Exp", DTYPE_FLOAT, x, LANE_NUMERIC);
        see(&b, "a", "all", DTYPE_FLOAT, rows[i].first);
        see(&b, "a", "all", DTYPE_FLOAT, rows[i].again)->repeat = 1;
        for (size_t k = 0; rows[i].is_converter && k < b.n_seen; k++)
            b.seen[k].target.runner = &runner;
        const struct verdict *v = judge(&b, oracle_bit(ORACLE_NONDETERMINISM), NULL);
        ASSERT_ROW((v ? v->wrong : WRONG_NOTHING) == rows[i].wrong, rows[i].name);
        ASSERT_ROW((v && v->beyond_rounding) == rows[i].beyond_rounding, rows[i].name);
        arena_done(&b.a);
    }
}

static void a_claim_of_other_bits_says_what_was_expected(void **state)
{
    static const double x[N] = {1, 2, 3, 4}, y[N] = {-1, -2, 1.5, -4}, z[N] = {-1, -2, 7, -4};
    struct bench b;
    (void)state;
    for (int known = 0; known < 2; known++) {
        bench_open(&b, "Neg", DTYPE_FLOAT, x, LANE_NUMERIC);
        b.refs[0].usable = known;
        see(&b, "a", "all", DTYPE_FLOAT, y);
        see(&b, "a", "all", DTYPE_FLOAT, z)->repeat = 1;
        struct str claim = judge(&b, oracle_bit(ORACLE_NONDETERMINISM), NULL)->claim;
        if (!str_is(claim, known ? "two runs of one session differ: 1.5 and 7; expected -3"
                                 : "two runs of one session differ: 1.5 and 7"))
            fail_msg(STR_FMT, STR_ARG(claim));
        arena_done(&b.a);
    }
}

static void levels_are_held_against_the_engine_without_optimisations(void **state)
{
    static const double x[N] = {1, 2, 3, 4}, y[N] = {2.7182817, 7.389056, 20.085537, 54.59815};
    static const double z[N] = {2.7182817, 7.389056, 20.085537, 54.69815};
    struct bench b;
    (void)state;
    bench_open(&b, "Exp", DTYPE_FLOAT, x, LANE_NUMERIC);
    see(&b, "a", "off", DTYPE_FLOAT, z);
    see(&b, "a", "all", DTYPE_FLOAT, y);
    const struct verdict *v = judge(&b, oracle_bit(ORACLE_LEVELS), NULL);
    assert_int_equal(v->decision, DECISION_FAIL);
    assert_true(v->expected == (double)(float)54.69815 && v->observed == (double)(float)54.59815);
    arena_done(&b.a);
}

/* Without a reference it is unknown how much rounding explains, so a finite difference is never a
 * failure; another shape or dtype, or a NaN that the base does not give, is one. */
static void levels_without_a_reference_fail_by_form_alone(void **state)
{
    static const double x[N] = {1, 2, 3, 4}, y[N] = {1, 2, 3, 4};
    static const struct {
        const char *name;
        double z[N];
        enum dtype dtype;
        enum decision decision;
        double apart; /* judge_apart is at least this, in default tolerances */
    } rows[] = {
        {"equal", {1, 2, 3, 4}, DTYPE_FLOAT, DECISION_PASS, 0},
        {"rounding", {1, 2, 3, 4.000001}, DTYPE_FLOAT, DECISION_PASS, 0},
        {"amplified rounding", {1, 2, 3, 4.0005}, DTYPE_FLOAT, DECISION_UNSURE, 30},
        {"far", {1, 2, 3, 4.5}, DTYPE_FLOAT, DECISION_SECOND_OPINION, 30000},
        {"another dtype", {1, 2, 3, 4}, DTYPE_DOUBLE, DECISION_FAIL, INFINITY},
        {"NaN", {1, 2, 3, NAN}, DTYPE_FLOAT, DECISION_FAIL, INFINITY},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        bench_open(&b, "Exp", DTYPE_FLOAT, x, LANE_NUMERIC);
        b.refs[0].usable = false;
        const struct observation *base = see(&b, "a", "off", DTYPE_FLOAT, y);
        const struct observation *other = see(&b, "a", "all", rows[i].dtype, rows[i].z);
        const struct verdict *v = judge(&b, oracle_bit(ORACLE_LEVELS), NULL);
        double apart = judge_apart(other, base, &b.a);
        if (v->decision != rows[i].decision ||
            (rows[i].apart > 0 ? !(apart >= rows[i].apart) : apart != 0))
            fail_msg("row \"%s\": %s, apart %g", rows[i].name, decision_name(v->decision), apart);
        arena_done(&b.a);
    }
}

static void the_papers_oracles_keep_their_thresholds(void **state)
{
    static const double x[N] = {1, 2, 3, 4}, y[N] = {2.7182817, 7.389056, 20.085537, 54.59815};
    static const struct {
        const char *name;
        enum oracle oracle;
        double z[N];
        enum decision decision;
    } rows[] = {
        {"r: distance 5e-5 from equal inputs",
         ORACLE_R,
         {2.7182817, 7.389056, 20.085537, 54.59835},
         DECISION_PASS},
        {"r: distance 1e-3", ORACLE_R, {2.7182817, 7.389056, 20.085537, 54.60215}, DECISION_FAIL},
        {"d-mad: twice as large", ORACLE_D_MAD, {5.5, 14.8, 40.2, 109.2}, DECISION_PASS},
        {"d-mad: three times", ORACLE_D_MAD, {8.2, 22.2, 60.3, 164}, DECISION_FAIL},
        {"nan", ORACLE_NAN, {NAN, 22.2, 60.3, 164}, DECISION_FAIL},
        {"no nan", ORACLE_NAN, {1, 22.2, 60.3, 164}, DECISION_PASS},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        bench_open(&b, "Exp", DTYPE_FLOAT, x, LANE_NUMERIC);
        see(&b, "a", "off", DTYPE_FLOAT, y);
        see(&b, "b", "off", DTYPE_FLOAT, rows[i].z);
        const struct verdict *v = judge(&b, oracle_bit(rows[i].oracle), NULL);
        if (v->decision != rows[i].decision)
            fail_msg("row \"%s\": %s, %g", rows[i].name, decision_name(v->decision), v->measure);
        arena_done(&b.a);
    }
}

static void a_target_that_computes_coarser_is_judged_coarser(void **state)
{
    static const double x[N] = {1, 2, 3, 4};
    static const double y[N] = {2.7182817459, 7.3890562057, 20.085536957, 54.598148346};
    (void)state;
    for (int coarse = 0; coarse < 2; coarse++) {
        struct bench b;
        struct target_traits traits = {.largest_opset = 21};
        bench_open(&b, "Exp", DTYPE_DOUBLE, x, LANE_NUMERIC);
        traits.computes[DTYPE_DOUBLE] = coarse ? DTYPE_FLOAT : DTYPE_DOUBLE;
        see(&b, "a", "all", DTYPE_DOUBLE, y)->target.traits = &traits;
        assert_int_equal(judge(&b, 0, NULL)->wrong, coarse ? WRONG_NOTHING : WRONG_VALUE);
        arena_done(&b.a);
    }
}

static void a_coarser_witness_does_not_confirm_a_fine_error(void **state)
{
    static const double x[N] = {1, 2, 3, 4};
    static const double wrong[N] = {2.7182818285, 7.3890560989, 20.0855369232, 54.5981501};
    static const double coarse[N] = {2.7182817459, 7.3890562057, 20.085536957, 54.598148346};
    struct bench b;
    struct target_traits fine = {.largest_opset = 21}, rough = {.largest_opset = 21};
    (void)state;
    rough.computes[DTYPE_DOUBLE] = DTYPE_FLOAT;
    bench_open(&b, "Exp", DTYPE_DOUBLE, x, LANE_NUMERIC);
    see(&b, "a", "all", DTYPE_DOUBLE, wrong)->target.traits = &fine;
    see(&b, "b", "all", DTYPE_DOUBLE, coarse)->target.traits = &rough;
    assert_int_equal(judge(&b, oracle_bit(ORACLE_REFERENCE), NULL)->decision,
                     DECISION_SECOND_OPINION);
    arena_done(&b.a);
}

/* x -> first(x, constant) -> second, as a case with its reference. */
static void chain_open(struct bench *b, const char *first, double constant, const char *second,
                       const double *x)
{
    static const int64_t dims[] = {N};
    struct err e = {0};
    struct tensor t;
    memset(b, 0, sizeof *b);
    arena_init(&b->a);
    struct model *m = model_new(&b->a, 21);
    struct tensor c = tensor_scalar_double(DTYPE_FLOAT, constant, &b->a);
    uint32_t in[] = {graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 1),
                     graph_add_initializer(m, m->graph, STR("c"), arena_dup(&b->a, &c, sizeof c))};
    uint32_t h = graph_add_node(m, m->graph, first, in, 2, 1);
    graph_add_output(m->graph, graph_add_node(m, m->graph, second, &h, 1, 1));
    if (!model_finish(m, &e) || !infer_model(m, &e) ||
        !tensor_from_doubles(DTYPE_FLOAT, dims, 1, x, &b->a, &t, &e))
        fail_msg("%s", e.text);
    struct named_tensor *input = arena_new(&b->a, struct named_tensor);
    *input = (struct named_tensor){STR("x"), t};
    b->c = net_case_of(m, LANE_NUMERIC, &(struct tensors){input, 1}, &b->a);
    if (!reference_make(b->c, &b->a, &b->refs, &e))
        fail_msg("%s", e.text);
}

static void only_elements_near_a_switch_are_excused(void **state)
{
    static const struct {
        const char *name, *first, *second;
        double constant, x[N], y[N];
        bool fails;
    } rows[] = {
        {"floor at its switch", "Mul", "Floor", 0.1, {10, 20, 35, 5}, {0, 1, 3, 0}, false},
        {"floor away from it", "Mul", "Floor", 0.1, {10, 20, 35, 5}, {1, 2, 2, 0}, true},
        {"exact ties are judged", "Mul", "Round", 0.5, {1, 3, 5, 2}, {1, 2, 2, 1}, true},
        {"exact ties, right", "Mul", "Round", 0.5, {1, 3, 5, 2}, {0, 2, 2, 1}, false},
        {"cancellation",
         "Sub",
         "Exp",
         1e6,
         {1e6, 1000001, 999999, 1000002},
         {1, 2.7182817, 0.36787945, 7.389056},
         false},
        {"sign of nearly nothing",
         "Sub",
         "Sign",
         0.3,
         {0.30000001192092896, 1, -1, 0},
         {1, 1, -1, -1},
         false},
        {"sign of much", "Sub", "Sign", 0.3, {0.5, 1, -1, 0}, {1, 1, 1, -1}, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        chain_open(&b, rows[i].first, rows[i].constant, rows[i].second, rows[i].x);
        see(&b, "a", "all", DTYPE_FLOAT, rows[i].y);
        const struct verdict *v = judge(&b, 0, NULL);
        if ((v->wrong != WRONG_NOTHING) != rows[i].fails)
            fail_msg("row \"%s\": %s, %g against %g", rows[i].name, decision_name(v->decision),
                     v->measure, v->threshold);
        arena_done(&b.a);
    }
}

static void a_target_that_flushes_denormals_may_miss_a_switch_by_them(void **state)
{
    static const double x[N] = {-1e-45, 1e-30, 0, 2};
    static const struct {
        const char *name, *op;
        double y[N];
        bool flushes, fails;
    } rows[] = {
        {"it flushes", "Floor", {0, 0, 0, 2}, true, false},
        {"it does not", "Floor", {0, 0, 0, 2}, false, true},
        {"a normal number is not flushed", "Ceil", {0, 0, 0, 2}, true, true},
        {"sign", "Sign", {0, 1, 0, 1}, true, false},
        {"sign of a normal number", "Sign", {0, 0, 0, 1}, true, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        struct target_traits traits = {.largest_opset = 21, .flushes_denormals = rows[i].flushes};
        bench_open(&b, rows[i].op, DTYPE_FLOAT, x, LANE_NUMERIC);
        see(&b, "a", "all", DTYPE_FLOAT, rows[i].y)->target.traits = &traits;
        const struct verdict *v = judge(&b, oracle_bit(ORACLE_REFERENCE), NULL);
        ASSERT_ROW((v->wrong != WRONG_NOTHING) == rows[i].fails, rows[i].name);
        arena_done(&b.a);
    }
}

static void integers_that_may_overflow_are_not_compared(void **state)
{
    static const double x[N] = {100, -100, 5, 6}, saturated[N] = {127, -128, 10, 12};
    static const double small[N] = {50, -50, 5, 6}, wrong[N] = {100, -100, 10, 13};
    static const int64_t dims[] = {N};
    (void)state;
    for (int may = 0; may < 2; may++) {
        struct bench b;
        struct err e = {0};
        struct tensor t;
        memset(&b, 0, sizeof b);
        arena_init(&b.a);
        struct model *m = model_new(&b.a, 21);
        uint32_t in = graph_add_input(m, m->graph, STR("x"), DTYPE_INT8, dims, 1);
        uint32_t both[] = {in, in};
        graph_add_output(m->graph, graph_add_node(m, m->graph, "Add", both, 2, 1));
        if (!model_finish(m, &e) || !infer_model(m, &e) ||
            !tensor_from_doubles(DTYPE_INT8, dims, 1, may ? x : small, &b.a, &t, &e))
            fail_msg("%s", e.text);
        struct named_tensor *input = arena_new(&b.a, struct named_tensor);
        *input = (struct named_tensor){STR("x"), t};
        b.c = net_case_of(m, LANE_NUMERIC, &(struct tensors){input, 1}, &b.a);
        assert_true(reference_make(b.c, &b.a, &b.refs, &e));
        see(&b, "a", "all", DTYPE_INT8, may ? saturated : wrong);
        assert_int_equal(judge(&b, 0, NULL)->wrong, may ? WRONG_NOTHING : WRONG_VALUE);
        arena_done(&b.a);
    }
}

/* 1 and e^-105, which is 0 in float32: of so many rows some would stay positive in a few reruns. */
static void logarithms_of_what_underflows_may_be_infinite(void **state)
{
    enum { N_ROWS = 256 };
    static const int64_t dims[] = {N_ROWS, 2};
    double x[2 * N_ROWS], y[2 * N_ROWS];
    struct bench b;
    struct err e = {0};
    struct tensor t;
    (void)state;
    for (size_t i = 0; i < N_ROWS; i++) {
        x[2 * i] = y[2 * i] = 0;
        x[2 * i + 1] = -105;
        y[2 * i + 1] = -INFINITY;
    }
    memset(&b, 0, sizeof b);
    arena_init(&b.a);
    struct model *m = model_new(&b.a, 21);
    uint32_t in = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 2);
    uint32_t softmax = graph_add_node(m, m->graph, "Softmax", &in, 1, 1);
    graph_add_output(m->graph, graph_add_node(m, m->graph, "Log", &softmax, 1, 1));
    struct named_tensor *input = arena_new(&b.a, struct named_tensor);
    struct named_tensor *out = arena_new(&b.a, struct named_tensor);
    if (!model_finish(m, &e) || !infer_model(m, &e) ||
        !tensor_from_doubles(DTYPE_FLOAT, dims, 2, x, &b.a, &t, &e) ||
        !tensor_from_doubles(DTYPE_FLOAT, dims, 2, y, &b.a, &out->tensor, &e))
        fail_msg("%s", e.text);
    *input = (struct named_tensor){STR("x"), t};
    b.c = net_case_of(m, LANE_NUMERIC, &(struct tensors){input, 1}, &b.a);
    assert_true(reference_make(b.c, &b.a, &b.refs, &e));
    out->name = output_name(&b);
    see(&b, "a", "all", DTYPE_FLOAT, NULL)->outputs = (struct tensors){out, 1};
    assert_int_equal(judge(&b, 0, NULL)->wrong, WRONG_NOTHING);
    arena_done(&b.a);
}

static void cases_of_one_function_are_held_against_their_parent(void **state)
{
    static const double x[N] = {1, 2, 4, 0.25};
    static const struct {
        const char *name;
        bool preserves;
        const char *mode; /* of the parent's run */
        double child[N], parent[N];
        bool fails;
    } rows[] = {
        {"alike", true, "all", {-1, -2, -4, -0.25}, {-1, -2, -4, -0.25}, false},
        {"apart", true, "all", {-1, -2, -4, -0.25}, {-1, -2.5, -4, -0.25}, true},
        {"apart, of another function", false, "all", {-1, -2, -4, -0.25}, {-1, -3, -4, 0}, false},
        {"apart, in another mode", true, "off", {-1, -2, -4, -0.25}, {-1, -3, -4, 0}, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        bench_open(&b, "Neg", DTYPE_FLOAT, x, LANE_NUMERIC);
        b.c->preserves_function = rows[i].preserves;
        b.parents = see(&b, "a", rows[i].mode, DTYPE_FLOAT, rows[i].parent);
        b.seen[5] = *b.parents;
        b.parents = &b.seen[5];
        b.n_seen = 0;
        see(&b, "a", "all", DTYPE_FLOAT, rows[i].child);
        const struct verdict *v = judge(&b, oracle_bit(ORACLE_METAMORPHIC), NULL);
        ASSERT_ROW((v && v->decision == DECISION_FAIL) == rows[i].fails, rows[i].name);
        ASSERT_ROW(!rows[i].fails || v->wrong == WRONG_VALUE, rows[i].name);
        arena_done(&b.a);
    }
}

/* y = Relu(x): the loss grows by the weights of positive elements times the direction. */
static void gradients_are_held_against_differences(void **state)
{
    static const double away[N] = {1, -2, 4, 0.25}, tie[N] = {1, -2, 4, 0};
    static const struct {
        const char *name;
        const double *x;
        double factor; /* of the gradient's last element, beside its true value */
        enum decision decision;
    } rows[] = {
        {"the gradient", away, 1, DECISION_PASS},
        {"a last element that is wrong", away, 1.125, DECISION_FAIL},
        {"no number", away, NAN, DECISION_FAIL},
        {"a tie: one side", tie, 1, DECISION_UNSURE},
        {"a tie: the other side", tie, 0, DECISION_UNSURE},
        {"a tie: no number", tie, NAN, DECISION_UNSURE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        struct err e = {0};
        struct named_tensor *gradient;
        static const int64_t dims[] = {N};
        double weights[N], y[N];
        bench_open(&b, "Relu", DTYPE_FLOAT, rows[i].x, LANE_NUMERIC);
        for (size_t k = 0; k < N; k++) {
            weights[k] = (2 * (double)((7 * k + 5) % 13) - 13) / 16 * (rows[i].x[k] >= 0);
            y[k] = rows[i].x[k] > 0 ? rows[i].x[k] : 0;
        }
        weights[N - 1] *= rows[i].factor;
        gradient = arena_new(&b.a, struct named_tensor);
        gradient->name = b.c->input_sets[0].at[0].name;
        if (!tensor_from_doubles(DTYPE_FLOAT, dims, 1, weights, &b.a, &gradient->tensor, &e))
            fail_msg("%s", e.text);
        see(&b, "a", "train", DTYPE_FLOAT, y)->gradients = (struct tensors){gradient, 1};
        const struct verdict *v = judge(&b, oracle_bit(ORACLE_GRADIENT), NULL);
        ASSERT_ROW(v && v->decision == rows[i].decision, rows[i].name);
        arena_done(&b.a);
    }
}

static void oracles_are_found_by_name(void **state)
{
    (void)state;
    for (unsigned i = 0; i < ORACLE_COUNT; i++) {
        enum oracle found;
        assert_true(oracle_find(str_of(oracle_name((enum oracle)i)), &found) && found == i);
        assert_true(strlen(oracle_help((enum oracle)i)) > 10);
    }
    enum oracle none;
    assert_false(oracle_find(STR("no-such"), &none));
    assert_true(oracle_defaults() & oracle_bit(ORACLE_REFERENCE));
    assert_false(oracle_defaults() & oracle_bit(ORACLE_R));
}

TEST_SUITE(judge_judge, TEST(one_target_is_held_against_the_reference),
           TEST(a_refusal_begins_with_its_reason),
           TEST(a_claim_of_other_bits_says_what_was_expected),
           TEST(a_certified_row_needs_no_witness), TEST(witnesses_say_who_is_wrong),
           TEST(levels_that_are_wrong_alike_do_not_differ), TEST(what_reruns_make_nan_is_left_out),
           TEST(converters_answer_for_what_their_runner_does_right),
           TEST(what_is_no_bug_is_counted), TEST(nan_where_the_standard_gives_one_must_be_there),
           TEST(outcomes_are_judged_by_what_they_say),
           TEST(some_words_mean_a_lack_only_of_empty_tensors), TEST(a_claim_names_both_sides),
           TEST(a_refused_opset_beyond_the_engine_is_no_failure),
           TEST(other_bits_of_a_repeat_are_nondeterminism),
           TEST(levels_are_held_against_the_engine_without_optimisations),
           TEST(levels_without_a_reference_fail_by_form_alone),
           TEST(the_papers_oracles_keep_their_thresholds),
           TEST(a_target_that_computes_coarser_is_judged_coarser),
           TEST(a_coarser_witness_does_not_confirm_a_fine_error),
           TEST(only_elements_near_a_switch_are_excused),
           TEST(a_target_that_flushes_denormals_may_miss_a_switch_by_them),
           TEST(integers_that_may_overflow_are_not_compared),
           TEST(logarithms_of_what_underflows_may_be_infinite),
           TEST(cases_of_one_function_are_held_against_their_parent),
           TEST(gradients_are_held_against_differences), TEST(oracles_are_found_by_name))
