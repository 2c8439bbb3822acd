/* The zoo: every model is valid at several opsets, fits the budget, and keeps its values in range.
 */
#include "generate/zoo.h"

#include <math.h>

#include "case/inputs.h"
#include "generate/mutate/layer_p.h"
#include "onnx/check.h"
#include "onnx/eval.h"
#include "unit/test.h"

enum { MACS_MAX = 20000000 };

static void models_are_valid_small_and_conditioned(void **state)
{
    static const int opsets[] = {11, 13, 17, 21};
    size_t n;
    const struct zoo_row *rows = zoo_list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < COUNT_OF(opsets); k++) {
            struct arena a;
            struct err e = {0};
            struct model *m;
            struct tensors inputs;
            struct eval_result r;
            struct rng rng;
            arena_init(&a);
            rng_init(&rng, 1, RNG_TEST, i);
            if (!zoo_build(&rows[i], &(struct zoo_options){opsets[k], 4}, &a, &m, &e) ||
                !check_model(m, &e) ||
                !inputs_generate(m, &(struct input_options){INPUT_NORMAL, 0}, &rng, &a, &inputs,
                                 &e) ||
                !eval_run(m, &inputs, &(struct eval_options){0}, &a, &r, &e))
                fail_msg("%s at opset %d: %s", rows[i].name, opsets[k], e.text);
            ASSERT_ROW(r.n_macs <= MACS_MAX, rows[i].name);
            const struct value *y = &r.values[m->graph->outputs.at[0]];
            double sum = 0;
            for (size_t j = 0; j < y->n; j++)
                sum += y->f[j] * y->f[j];
            ASSERT_ROW(sqrt(sum / (double)y->n) > 1e-2 && sqrt(sum / (double)y->n) < 1e2,
                       rows[i].name);
            arena_done(&a);
        }
    }
}

static void weights_come_from_the_seed(void **state)
{
    struct arena a;
    struct err e = {0};
    struct model *x, *y, *z;
    const struct zoo_row *row = zoo_find(STR("resnet"));
    (void)state;
    arena_init(&a);
    assert_true(zoo_build(row, &(struct zoo_options){17, 1}, &a, &x, &e));
    assert_true(zoo_build(row, &(struct zoo_options){17, 1}, &a, &y, &e));
    assert_true(zoo_build(row, &(struct zoo_options){17, 2}, &a, &z, &e));
    struct hash hx = model_hash(x), hy = model_hash(y), hz = model_hash(z);
    assert_true(hash_eq(&hx, &hy));
    assert_false(hash_eq(&hx, &hz));
    arena_done(&a);
}

static void the_bench_model_has_13_nodes(void **state)
{
    struct arena a;
    struct err e = {0};
    struct model *m;
    (void)state;
    arena_init(&a);
    assert_true(zoo_build(zoo_find(STR("convnet13")), &(struct zoo_options){0}, &a, &m, &e));
    assert_int_equal(m->graph->nodes.n, 13);
    arena_done(&a);
}

/* An operator of the table that has a shape function and a kernel has a one-operator model. */
static void every_layer_builder_has_a_one_operator_model(void **state)
{
    size_t n;
    const struct layer_builder *list = layer__list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        const struct op *op = op_find(STR(""), str_of(list[i].op_type));
        unsigned n_valid = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct arena a;
            struct err e = {0};
            struct model *m;
            arena_init(&a);
            n_valid += zoo_build_operator(list[i].op_type, DTYPE_UNDEFINED,
                                          &(struct zoo_options){26, seed}, &a, &m, &e) &&
                       check_model(m, &e);
            arena_done(&a);
        }
        ASSERT_ROW(!op || n_valid >= 5, list[i].op_type);
    }
}

TEST_SUITE(generate_zoo, TEST(models_are_valid_small_and_conditioned),
           TEST(weights_come_from_the_seed), TEST(the_bench_model_has_13_nodes),
           TEST(every_layer_builder_has_a_one_operator_model))
