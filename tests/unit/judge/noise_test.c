/* What reruns say of one element: how far it moved at most, and whether its value's shape did. */
#include "judge/noise_p.h"

#include <math.h>

#include "unit/test.h"

enum { N = 3, N_RUNS = 3 };

/* The value of a plain run, and that of each rerun; rerun k is `moved` away in element `at`. */
struct scene {
    double numbers[N_RUNS + 1][N];
    int64_t dims[N_RUNS + 1][1];
    struct value values[N_RUNS + 1];
    struct reference r;
    struct noise n;
    bool open[1];
};

static void scene_init(struct scene *s)
{
    *s = (struct scene){.n = {.n_runs = N_RUNS}};
    for (size_t k = 0; k <= N_RUNS; k++) {
        s->dims[k][0] = N;
        for (size_t i = 0; i < N; i++)
            s->numbers[k][i] = (double)i;
        s->values[k] = (struct value){.dtype = DTYPE_DOUBLE,
                                      .storage = STORAGE_F64,
                                      .rank = 1,
                                      .dims = s->dims[k],
                                      .n = N,
                                      .f = s->numbers[k]};
    }
    s->r.values = (struct eval_result){.values = &s->values[0], .n_values = 1};
    for (size_t k = 0; k < N_RUNS; k++)
        s->n.runs[k] = (struct eval_result){.values = &s->values[k + 1], .n_values = 1};
    s->n.open = s->open;
}

static void the_farthest_rerun_counts(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_RUNS; k++) {
        struct scene s;
        scene_init(&s);
        s.numbers[1 + k][1] -= 0.5;
        s.numbers[1 + (k + 1) % N_RUNS][1] += 0.25;
        s.numbers[1 + (k + 2) % N_RUNS][1] = NAN;
        assert_true(noise__of_element(&s.n, &s.r, 0, 1) == 0.5);
        assert_true(noise__of_element(&s.n, &s.r, 0, 0) == 0);
        s.values[1 + k].n = N - 1; /* of another size: says nothing of an element */
        assert_true(noise__of_element(&s.n, &s.r, 0, 1) == 0.25);
    }
}

static void any_rerun_of_another_shape_moves_it(void **state)
{
    struct scene s;
    (void)state;
    scene_init(&s);
    assert_false(noise__moves_shape(&s.n, &s.r, 0));
    s.open[0] = true;
    assert_true(noise__moves_shape(&s.n, &s.r, 0));
    scene_init(&s);
    s.n.n_failed = 1;
    assert_true(noise__moves_shape(&s.n, &s.r, 0));
    for (size_t k = 0; k < N_RUNS; k++) {
        scene_init(&s);
        s.dims[1 + k][0] = N - 1;
        assert_true(noise__moves_shape(&s.n, &s.r, 0));
        s.values[1 + k].dtype = DTYPE_UNDEFINED; /* not evaluated in that run */
        assert_false(noise__moves_shape(&s.n, &s.r, 0));
        scene_init(&s);
        s.values[1 + k].rank = 0;
        assert_true(noise__moves_shape(&s.n, &s.r, 0));
    }
}

TEST_SUITE(judge_noise, TEST(the_farthest_rerun_counts), TEST(any_rerun_of_another_shape_moves_it))
