/*
 * Which mode and which optimiser a failure is laid to. The engine is the double of tests/fake,
 * which refuses a case in a mode unless the optimiser that the mode names is disabled.
 */
#include "hunt/ablate_p.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "os/process.h"
#include "unit/test.h"

enum { N_MODES = 4 };

struct bench {
    struct arena arena;
    struct runner runner;
    const char *home;
    struct target_description description;
    struct target_installation installation;
    struct target_mode modes[N_MODES];
    struct target targets[2];
    const struct target *list[2];
};

static void check(bool ok, const struct err *e)
{
    if (!ok)
        fail_msg("%s", e->text);
}

static void describe_modes(struct bench *b, const char *const options[N_MODES])
{
    static const char *const names[N_MODES] = {"off", "basic", "all", "all-threads"};
    for (size_t i = 0; i < N_MODES; i++) {
        struct err e;
        b->modes[i] = (struct target_mode){
            .name = str_of(names[i]), .n_threads = i + 1 == N_MODES ? 4 : 1, .is_default = true};
        check(json_parse(str_of(options[i]), "options", &b->arena, &b->modes[i].options, &e), &e);
    }
}

static void describe_engine(struct bench *b)
{
    static const struct target_opset opset = {TEXT("1"), 28};
    static const char *const roots[] = {"/usr"};
    static const size_t chosen[] = {0, 2}; /* off and all */
    const char *python;
    struct err e;
    check(process_find_program("/usr/bin/python3", &b->arena, &python, &e), &e);
    b->description = (struct target_description){.engine = STR("fake"),
                                                 .family = STR("fake"),
                                                 .worker = STR("fake"),
                                                 .accepts_graphs = true,
                                                 .fork = TARGET_FORK_BATCH,
                                                 .n_tasks = 1,
                                                 .opsets = &opset,
                                                 .n_opsets = 1,
                                                 .modes = b->modes,
                                                 .n_modes = N_MODES};
    b->installation = (struct target_installation){.description = &b->description,
                                                   .version = STR("1"),
                                                   .python = str_of(python),
                                                   .roots = roots,
                                                   .n_roots = 1,
                                                   .traits = {.largest_opset = 28}};
    for (size_t i = 0; i < COUNT_OF(chosen); i++) {
        const struct target_mode *mode = &b->modes[chosen[i]];
        b->targets[i] = (struct target){.id = {.engine = STR("fake"),
                                               .version = STR("1"),
                                               .mode = mode->name,
                                               .family = STR("fake"),
                                               .n_threads = 1,
                                               .traits = &b->installation.traits},
                                        .installation = &b->installation,
                                        .mode = mode};
        b->list[i] = &b->targets[i];
    }
}

static void bench_open(struct bench *b, const char *const options[N_MODES])
{
    struct err e;
    *b = (struct bench){0};
    arena_init(&b->arena);
    describe_modes(b, options);
    describe_engine(b);
    check(file_make_temp_dir(&b->arena, "assay-home", &b->home, &e), &e);
    struct runner *r = &b->runner;
    arena_init(&r->arena);
    check(loop_open(&r->loop, &e), &e);
    const struct pool_options o = {.loop = r->loop,
                                   .home = b->home,
                                   .worker_path =
                                       path_join(&b->arena, ASSAY_SOURCE_DIR, "tests/fake"),
                                   .deadline_ms = 120000};
    check(pool_open(&o, &r->pool, &e), &e);
    r->targets = r->chosen = (struct target_list){b->list, 2};
    r->n_repeats = 1;
    r->judge.counts = &r->counts;
}

static void bench_close(struct bench *b)
{
    struct err e;
    runner__close(&b->runner);
    check(file_remove_tree(b->home, &e), &e);
    arena_done(&b->arena);
}

/* y = x */
static struct tcase *make_case(struct arena *a)
{
    static const int64_t dims[] = {2};
    static const double x[] = {1, 2};
    struct err e;
    struct model *m = model_new(a, 20);
    struct named_tensor *in = arena_new(a, struct named_tensor);
    struct tensors *set = arena_new(a, struct tensors);
    struct tcase *c = arena_new(a, struct tcase);
    uint32_t v = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 1);
    v = graph_add_node(m, m->graph, "Identity", &v, 1, 1);
    m->graph->values.at[v].dtype = DTYPE_FLOAT;
    m->graph->values.at[v].shape = shape_from_dims(dims, 1, a);
    graph_add_output(m->graph, v);
    check(model_finish(m, &e), &e);
    in->name = STR("x");
    check(tensor_from_doubles(DTYPE_FLOAT, dims, 1, x, a, &in->tensor, &e), &e);
    *set = (struct tensors){in, 1};
    *c = (struct tcase){.kind = CASE_GRAPH,
                        .graph = m,
                        .input_sets = set,
                        .n_input_sets = 1,
                        .from = {.generator = "test"}};
    case_seal(c);
    return c;
}

#define GOOD "{\"fault\":\"good\"}"
#define NEEDS(pass) "{\"fault\":\"fusion\",\"pass\":\"" pass "\",\"text\":\"it broke\"}"

static void a_failure_is_laid_to_its_mode_and_pass(void **state)
{
    static const char *const passes[] = {"A", "B", "C"};
    static const struct {
        const char *name, *options[N_MODES], *mode, *pass;
    } rows[] = {
        {"one pass", {GOOD, NEEDS("B"), NEEDS("B"), GOOD}, "basic", "B"},
        {"a pass of the highest level", {GOOD, GOOD, NEEDS("C"), GOOD}, "all", "C"},
        {"no single pass", {GOOD, NEEDS("X"), NEEDS("X"), GOOD}, "basic", ""},
        {"no matter of optimisers", {NEEDS("B"), NEEDS("B"), NEEDS("B"), GOOD}, "off", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bench b;
        struct judged seen;
        struct ablation found;
        struct err e;
        bench_open(&b, rows[i].options);
        const struct tcase *c = make_case(&b.arena);
        check(runner__run(&b.runner, c, POOL_ANY, RUNNER_KEYS, &b.arena, &seen, &e), &e);
        ASSERT_ROW(seen.keys.n == 1, rows[i].name);
        check(ablate__find(&b.runner, c, &seen.keys.at[0],
                           &(struct optimizers){passes, COUNT_OF(passes)}, &b.arena, &found, &e),
              &e);
        ASSERT_ROW(str_is(found.mode, rows[i].mode), rows[i].name);
        ASSERT_ROW(str_is(found.pass, rows[i].pass), rows[i].name);
        check(ablate__find(&b.runner, c, &seen.keys.at[0], &(struct optimizers){0}, &b.arena,
                           &found, &e),
              &e);
        ASSERT_ROW(found.mode.n == 0, rows[i].name); /* an engine without such a switch */
        bench_close(&b);
    }
}

static void optimisers_are_data(void **state)
{
    struct arena a;
    struct optimizers list;
    struct err e;
    bool has_fusion = false;
    (void)state;
    arena_init(&a);
    check(ablate__optimizers(STR("ort"), &a, &list, &e), &e);
    assert_true(list.n > 50);
    for (size_t i = 0; i < list.n; i++) {
        has_fusion |= strcmp(list.at[i], "ConvBNFusion") == 0;
        for (size_t k = 0; k < i; k++)
            ASSERT_ROW(strcmp(list.at[i], list.at[k]) != 0, list.at[i]);
    }
    assert_true(has_fusion);
    check(ablate__optimizers(STR("openvino"), &a, &list, &e), &e);
    assert_int_equal(list.n, 0);
    arena_done(&a);
}

TEST_SUITE(hunt_ablate, TEST(a_failure_is_laid_to_its_mode_and_pass), TEST(optimisers_are_data))
