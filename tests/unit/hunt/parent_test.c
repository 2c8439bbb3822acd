/*
 * The metamorphic oracle in a hunt: a case goes to the engine with its parent, a difference between
 * the two becomes a key, and a case whose key needs the parent is not reduced. The engine is the
 * double of tests/fake, which returns inputs as outputs in their order: it computes a model with
 * another order of inputs wrong.
 */
#include "hunt/reproduce/reproduce.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "store/artifact.h"
#include "unit/hunt/fake_bench.h"
#include "unit/test.h"

static void bench_open(struct fake_bench *b)
{
    static const struct fake_mode mode = {
        .name = "good", .options = "{\"fault\":\"good\"}", .is_rare = true, .runs = true};
    fake_bench_open(b, &mode, 1);
}

/* y = x + w by two nodes, with w = 0: the engine is right when x is the first input. */
static const struct model *make_model(struct arena *a, bool x_first)
{
    static const int64_t dims[] = {2};
    struct err e;
    struct model *m = model_new(a, 20);
    struct str names[] = {STR("x"), STR("w")};
    const char *const op_types[] = {"Identity", "Add"};
    uint32_t in[2] = {VALUE_NONE, VALUE_NONE};
    for (int i = 0; i < 2; i++) {
        int at = x_first ? i : 1 - i;
        in[at] = graph_add_input(m, m->graph, names[at], DTYPE_FLOAT, dims, 1);
    }
    for (uint32_t i = 0; i < 2; i++) {
        in[0] = graph_add_node(m, m->graph, op_types[i], in, i + 1, 1);
        m->graph->values.at[in[0]].dtype = DTYPE_FLOAT;
        m->graph->values.at[in[0]].shape = shape_from_dims(dims, 1, a);
    }
    graph_add_output(m->graph, in[0]);
    check_ok(model_finish(m, &e), &e);
    return m;
}

enum parent { NO_PARENT, RIGHT_PARENT, WRONG_PARENT };

static struct tcase *make_case(struct arena *a, bool is_right, enum parent parent)
{
    static const int64_t dims[] = {2};
    static const double x[] = {1, 2}, w[] = {0, 0};
    struct err e;
    struct named_tensor *in = arena_new_array(a, struct named_tensor, 2);
    struct tensors *set = arena_new(a, struct tensors);
    struct tcase *c = arena_new(a, struct tcase);
    in[0].name = STR("x");
    in[1].name = STR("w");
    check_ok(tensor_from_doubles(DTYPE_FLOAT, dims, 1, x, a, &in[0].tensor, &e), &e);
    check_ok(tensor_from_doubles(DTYPE_FLOAT, dims, 1, w, a, &in[1].tensor, &e), &e);
    if (!is_right) { /* the values are in the model's order */
        struct named_tensor first = in[0];
        in[0] = in[1];
        in[1] = first;
    }
    *set = (struct tensors){in, 2};
    *c =
        (struct tcase){.kind = CASE_GRAPH,
                       .graph = make_model(a, is_right),
                       .input_sets = set,
                       .n_input_sets = 1,
                       .preserves_function = parent != NO_PARENT,
                       .parent = parent == NO_PARENT ? NULL : make_model(a, parent == RIGHT_PARENT),
                       .from = {.generator = "test"}};
    case_seal(c);
    return c;
}

static size_t count_metamorphic(const struct judged *seen)
{
    size_t n = 0;
    for (size_t i = 0; i < seen->verdicts.n; i++)
        n += strcmp(seen->verdicts.at[i].oracle, "metamorphic") == 0 &&
             seen->verdicts.at[i].wrong != WRONG_NOTHING;
    return n;
}

static void failures_speak_through_the_oracle_that_needs_least(void **state)
{
    static const struct {
        const char *name;
        bool is_right;
        enum parent parent;
        uint32_t oracles;
        const char *oracle; /* of the only key; NULL: no key */
    } rows[] = {
        {"no parent", true, NO_PARENT, 0, NULL},
        {"alike", true, RIGHT_PARENT, 0, NULL},
        {"the parent is wrong", true, WRONG_PARENT, 0, "metamorphic"},
        {"the parent is wrong, the oracle off", true, WRONG_PARENT, 1u << ORACLE_REFERENCE, NULL},
        {"the case is wrong, seen by the reference", false, RIGHT_PARENT, 0, "reference"},
        {"the case is wrong, seen by the parent", false, RIGHT_PARENT, 1u << ORACLE_METAMORPHIC,
         "metamorphic"},
        {"both are wrong alike", false, WRONG_PARENT, 0, "reference"},
    };
    struct fake_bench b;
    (void)state;
    bench_open(&b);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct judged seen;
        struct err e;
        const struct tcase *c = make_case(&b.arena, rows[i].is_right, rows[i].parent);
        b.runner.judge.oracles = rows[i].oracles;
        check_ok(runner_run(&b.runner, runner_plan(&b.runner, POOL_ANY), c, RUNNER_KEYS, &b.arena,
                            &seen, &e),
                 &e);
        ASSERT_ROW(seen.n_observations == 1, rows[i].name); /* the parent's is not the case's */
        ASSERT_ROW(seen.keys.n == (rows[i].oracle != NULL), rows[i].name);
        bool by_parent = rows[i].oracle && strcmp(rows[i].oracle, "metamorphic") == 0;
        ASSERT_ROW(count_metamorphic(&seen) == by_parent, rows[i].name);
        if (!rows[i].oracle)
            continue;
        const struct key *k = &seen.keys.at[0];
        ASSERT_ROW(strcmp(k->verdict->oracle, rows[i].oracle) == 0, rows[i].name);
        ASSERT_ROW(key_needs_parent(k) == by_parent, rows[i].name);
    }
    fake_bench_close(&b);
}

static void a_mode_that_must_be_asked_for_is_rare(void **state)
{
    static const enum severity severities[] = {SEVERITY_S3, SEVERITY_S1};
    struct fake_bench b;
    (void)state;
    bench_open(&b);
    for (size_t i = 0; i < COUNT_OF(severities); i++) {
        struct judged seen;
        struct err e;
        const struct tcase *c = make_case(&b.arena, false, NO_PARENT);
        b.modes[0].is_default = i;
        check_ok(runner_run(&b.runner, runner_plan(&b.runner, POOL_ANY), c, RUNNER_CULPRITS,
                            &b.arena, &seen, &e),
                 &e);
        assert_int_equal(seen.keys.n, 1);
        assert_int_equal(seen.keys.at[0].severity, severities[i]);
        assert_string_equal(seen.keys.at[0].dtype, "float");
    }
    fake_bench_close(&b);
}

/* A case whose key needs the parent keeps it and is not reduced; any other is reduced without it.
 */
static void only_what_needs_no_parent_is_reduced(void **state)
{
    static const struct {
        const char *name;
        bool is_right;
        enum parent parent;
        int64_t nodes;
        bool whole, unreduced, keeps_parent;
    } rows[] = {
        {"metamorphic", true, WRONG_PARENT, 2, false, true, true},
        {"reference", false, RIGHT_PARENT, 1, false, false, false},
        {"begun too often", false, NO_PARENT, 2, true, true, false},
    };
    struct fake_bench b;
    (void)state;
    bench_open(&b);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct judged seen;
        struct reproducer made;
        struct err e;
        struct arena *a = &b.arena;
        const struct reproducer_options o = {
            .out = b.out, .scratch = "test", .timeless = true, .whole = rows[i].whole};
        const struct tcase *c = make_case(a, rows[i].is_right, rows[i].parent);
        check_ok(runner_run(&b.runner, runner_plan(&b.runner, POOL_ANY), c, RUNNER_CULPRITS, a,
                            &seen, &e),
                 &e);
        assert_int_equal(seen.keys.n, 1);
        check_ok(reproduce_case(&b.runner, &o, c, seen.keys.at[0].strict, a, &made, &e), &e);
        ASSERT_ROW(made.state == CONFIRM_CONFIRMED && !made.second_opinion, rows[i].name);
        ASSERT_ROW(made.runs.k == made.runs.n && made.runs.n >= 10, rows[i].name);
        ASSERT_ROW(made.unreduced == rows[i].unreduced, rows[i].name);
        ASSERT_ROW(made.bug.nodes == rows[i].nodes && made.bug.nodes_before == 2, rows[i].name);
        const char *folder = artifact_path(b.out, made.bug.folder, a);
        bool has = file_stat(path_join(a, folder, "parent.onnx")).kind == FILE_REGULAR;
        ASSERT_ROW(has == rows[i].keeps_parent, rows[i].name);
    }
    fake_bench_close(&b);
}

TEST_SUITE(hunt_parent, TEST(failures_speak_through_the_oracle_that_needs_least),
           TEST(a_mode_that_must_be_asked_for_is_rare), TEST(only_what_needs_no_parent_is_reduced))
