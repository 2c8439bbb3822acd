/* Which targets a case runs in (hunt/runner/runner.h). */
#include "hunt/runner/runner.h"

#include "unit/test.h"

static const struct target eager = {.id = {.engine = TEXT("torch"), .mode = TEXT("eager")},
                                    .one_in = 1};
static const struct target traced = {.id = {.engine = TEXT("torch"), .mode = TEXT("trace")},
                                     .one_in = 4};
static const struct target inductor = {.id = {.engine = TEXT("torch"), .mode = TEXT("inductor")},
                                       .one_in = 16};
static const struct target *const three[] = {&eager, &traced, &inductor};

static struct runner three_targets(void)
{
    return (struct runner){.targets = {three, 3}, .always = {three, 1}};
}

/* About one case in N, the same ones each time, and no case in a rare mode alone. */
static void slow_modes_run_in_some_cases(void **state)
{
    enum { CASES = 16000 };
    const struct runner r = three_targets();
    size_t n_traced = 0, n_compiled = 0;
    struct arena a;
    (void)state;
    arena_init(&a);
    for (uint64_t i = 0; i < CASES; i++) {
        struct run_plan plan = runner_plan_case(&r, i, POOL_ANY, &a);
        assert_true(plan.targets.n >= 1 && plan.targets.at[0] == &eager);
        assert_true(plan.targets.n < 2 || plan.targets.at[1] == &traced);
        assert_int_equal(runner_plan_case(&r, i, POOL_ANY, &a).targets.n, plan.targets.n);
        n_traced += plan.targets.n > 1;
        n_compiled += plan.targets.n > 2;
    }
    assert_in_range(n_traced, CASES / 4 * 9 / 10, CASES / 4 * 11 / 10);
    assert_in_range(n_compiled, CASES / 16 * 9 / 10, CASES / 16 * 11 / 10);
    arena_done(&a);
}

static void a_bug_is_judged_again_in_its_mode(void **state)
{
    const struct runner r = three_targets();
    const struct target_id id = {.engine = STR("torch"), .mode = STR("inductor")};
    struct arena a;
    (void)state;
    arena_init(&a);
    struct run_plan plan = runner_plan_target(&r, &id, POOL_ANY, &a);
    assert_int_equal(plan.targets.n, 2);
    assert_true(plan.targets.at[0] == &eager && plan.targets.at[1] == &inductor);
    assert_int_equal(runner_plan(&r, POOL_ANY).targets.n, 1);
    arena_done(&a);
}

TEST_SUITE(hunt_plan, TEST(slow_modes_run_in_some_cases), TEST(a_bug_is_judged_again_in_its_mode))
