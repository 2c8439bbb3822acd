/*
 * Which mode and which optimiser are blamed for a failure. The engine is the double of tests/fake,
 * which refuses a case in a mode unless the optimiser that the mode names is disabled.
 */
#include "hunt/reproduce/ablate_p.h"

#include "unit/hunt/fake_bench.h"
#include "unit/test.h"

enum { N_MODES = 4 };

static void bench_open(struct fake_bench *b, const char *const options[N_MODES])
{
    static const char *const names[N_MODES] = {"off", "basic", "all", "all-threads"};
    struct fake_mode modes[N_MODES];
    for (size_t i = 0; i < N_MODES; i++)
        modes[i] = (struct fake_mode){.name = names[i],
                                      .options = options[i],
                                      .n_threads = i + 1 == N_MODES ? 4 : 1,
                                      .runs = i == 0 || i == 2}; /* off and all */
    fake_bench_open(b, modes, N_MODES);
}

#define GOOD "{\"fault\":\"good\"}"
#define NEEDS(pass) "{\"fault\":\"fusion\",\"pass\":\"" pass "\",\"text\":\"it broke\"}"

static void a_failure_is_laid_to_its_mode_and_pass(void **state)
{
    static const char *const passes[] = {"A", "B", "C"}, *const identity[] = {"Identity"};
    static const struct {
        const char *name, *options[N_MODES], *mode, *pass;
    } rows[] = {
        {"one pass", {GOOD, NEEDS("B"), NEEDS("B"), GOOD}, "basic", "B"},
        {"a pass of the highest level", {GOOD, GOOD, NEEDS("C"), GOOD}, "all", "C"},
        {"no single pass", {GOOD, NEEDS("X"), NEEDS("X"), GOOD}, "basic", ""},
        {"another failure below", {GOOD, "{\"fault\":\"die-9\"}", NEEDS("B"), GOOD}, "all", "B"},
        {"no matter of optimisers", {NEEDS("B"), NEEDS("B"), NEEDS("B"), GOOD}, "off", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fake_bench b;
        struct judged seen;
        struct ablation found;
        struct err e;
        bench_open(&b, rows[i].options);
        const struct tcase *c = fake_chain(identity, 1, &b.arena);
        check_ok(runner_run(&b.runner, runner_plan(&b.runner, POOL_ANY), c, RUNNER_KEYS, &b.arena,
                            &seen, &e),
                 &e);
        ASSERT_ROW(seen.keys.n == 1, rows[i].name);
        check_ok(ablate__find(&b.runner, c, &seen.keys.at[0],
                              &(struct optimizers){.at = passes, .n = COUNT_OF(passes)}, &b.arena,
                              &found, &e),
                 &e);
        ASSERT_ROW(str_is(found.mode, rows[i].mode), rows[i].name);
        ASSERT_ROW(str_is(found.pass, rows[i].pass), rows[i].name);
        check_ok(ablate__find(&b.runner, c, &seen.keys.at[0], &(struct optimizers){0}, &b.arena,
                              &found, &e),
                 &e);
        ASSERT_ROW(found.mode.n == 0, rows[i].name); /* optimisers cannot be disabled */
        fake_bench_close(&b);
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
    check_ok(ablate__optimizers(STR("ort"), &a, &list, &e), &e);
    assert_true(list.n > 50);
    for (size_t i = 0; i < list.n; i++) {
        has_fusion |= strcmp(list.at[i], "ConvBNFusion") == 0;
        for (size_t k = 0; k < i; k++)
            ASSERT_ROW(strcmp(list.at[i], list.at[k]) != 0, list.at[i]);
    }
    assert_true(has_fusion);
    check_ok(ablate__optimizers(STR("openvino"), &a, &list, &e), &e);
    assert_int_equal(list.n, 0);
    arena_done(&a);
}

TEST_SUITE(hunt_ablate, TEST(a_failure_is_laid_to_its_mode_and_pass), TEST(optimisers_are_data))
