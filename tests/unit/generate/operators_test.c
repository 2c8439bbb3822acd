/*
 * Every row of operators.def, applied to seeds: the result passes checker and inference; the same
 * seed gives the same bytes; rows that promise to preserve the function do, by the reference.
 */
#include "case/case.h"
#include "generate/generate.h"
#include "generate/mutate/edit_p.h"
#include "generate/zoo.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"
#include "unit/test.h"

static const char *const seed_names[] = {"convnet13", "bert", "inception", "stem"};
enum { CASES_PER_OPERATOR = 200 };

static struct generator *open_with(const struct mutation_operator *op, uint64_t seed)
{
    struct err e = {0};
    struct generator *g;
    const char *ids[] = {op->id};
    struct generate_options o = {.seed = seed,
                                 .strategy = "random",
                                 .seed_models = seed_names,
                                 .n_seed_models = COUNT_OF(seed_names),
                                 .operators = ids,
                                 .n_operators = 1};
    if (!generator_find(STR("mutate"))->open(&o, &g, &e))
        fail_msg("%s: %s", op->id, e.text);
    return g;
}

static struct tcase *next(struct generator *g, uint64_t index, struct arena *a)
{
    struct tcase *c;
    struct err e = {0};
    if (!g->ops->next(g, index, a, &c, &e))
        fail_msg("index %llu: %s", (unsigned long long)index, e.text);
    return c;
}

static void every_operator_gives_valid_models(void **state)
{
    size_t n;
    const struct mutation_operator *list = operator__list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        struct generator *g = open_with(&list[i], 5);
        unsigned n_emitted = 0;
        for (uint64_t index = 0; index < CASES_PER_OPERATOR; index++) {
            struct arena a;
            struct err e = {0};
            arena_init(&a);
            struct tcase *c = next(g, index, &a);
            if (c) {
                struct strbuf bytes = {0};
                struct model *back;
                n_emitted++;
                if (!check_model(c->graph, &e) || !model_write(c->graph, false, &bytes, &e) ||
                    !model_read(strbuf_str(&bytes), NULL, &a, &back, &e) ||
                    !check_model(back, &e) || !infer_model(back, &e))
                    fail_msg("%s index %llu: %s\n" STR_FMT, list[i].id, (unsigned long long)index,
                             e.text, STR_ARG(c->from.edits));
                strbuf_done(&bytes);
            }
            arena_done(&a);
        }
        ASSERT_ROW(n_emitted >= CASES_PER_OPERATOR / 2, list[i].id);
        g->ops->close(g);
    }
}

static void the_same_seed_gives_the_same_case(void **state)
{
    size_t n;
    const struct mutation_operator *list = operator__list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        struct generator *g = open_with(&list[i], 9), *h = open_with(&list[i], 9);
        for (uint64_t index = 0; index < 6; index++) {
            struct arena a;
            arena_init(&a);
            struct tcase *x = next(g, index, &a), *y = next(h, 5 - index, &a);
            y = next(h, index, &a); /* after other indices, in another order */
            ASSERT_ROW(!x == !y, list[i].id);
            ASSERT_ROW(!x || hash_eq(&x->id, &y->id), list[i].id);
            arena_done(&a);
        }
        g->ops->close(g);
        h->ops->close(h);
    }
}

static double distance(const struct value *a, const struct value *b)
{
    double worst = 0, largest = 0;
    for (size_t i = 0; i < a->n; i++) {
        double x = value_get_double(a, i), y = value_get_double(b, i);
        worst = x - y > worst ? x - y : y - x > worst ? y - x : worst;
        largest = x > largest ? x : -x > largest ? -x : largest;
    }
    return largest > 0 ? worst / largest : worst;
}

static void preserving_operators_preserve_the_reference(void **state)
{
    static const char *const seeds[] = {"convnet13", "bert", "lenet5", "inception"};
    size_t n;
    const struct mutation_operator *list = operator__list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        if (!list[i].preserves)
            continue;
        for (size_t k = 0; k < COUNT_OF(seeds); k++) {
            struct err e = {0};
            struct generator *g;
            struct arena a;
            struct model *parent;
            const char *ids[] = {list[i].id}, *one[] = {seeds[k]};
            struct generate_options o = {.seed = 3,
                                         .strategy = "random",
                                         .seed_models = one,
                                         .n_seed_models = 1,
                                         .operators = ids,
                                         .n_operators = 1,
                                         .lanes = 1u << LANE_NUMERIC};
            assert_true(generator_find(STR("mutate"))->open(&o, &g, &e));
            arena_init(&a);
            assert_true(seed_model_load(seeds[k], &(struct zoo_options){0, 3}, &a, &parent, &e));
            for (uint64_t index = 0; index < 12; index++) {
                struct tcase *c = next(g, index, &a);
                struct eval_result before, after;
                if (!c)
                    continue;
                ASSERT_ROW(c->preserves_function, list[i].id);
                if (!eval_run(parent, &c->input_sets[0], &(struct eval_options){0}, &a, &before,
                              &e) ||
                    !eval_run(c->graph, &c->input_sets[0], &(struct eval_options){0}, &a, &after,
                              &e))
                    fail_msg("%s: %s", list[i].id, e.text);
                for (size_t v = 0; v < parent->graph->outputs.n; v++) {
                    double d = distance(&before.values[parent->graph->outputs.at[v]],
                                        &after.values[c->graph->graph->outputs.at[v]]);
                    if (d > 1e-9)
                        fail_msg("%s on %s: outputs differ by %g\n" STR_FMT, list[i].id, seeds[k],
                                 d, STR_ARG(c->from.edits));
                }
            }
            arena_done(&a);
            g->ops->close(g);
        }
    }
}

static void rows_are_complete_and_named_once(void **state)
{
    size_t n;
    const struct mutation_operator *list = operator__list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        ASSERT_ROW(operator__find(str_of(list[i].id)) == &list[i], list[i].id);
        ASSERT_ROW(operator__find(str_of(list[i].name)) == &list[i], list[i].name);
        ASSERT_ROW(list[i].fits && list[i].edit && list[i].share > 0, list[i].id);
        ASSERT_ROW(list[i].legality[0] && list[i].source[0], list[i].id);
    }
}

TEST_SUITE(generate_operators, TEST(rows_are_complete_and_named_once),
           TEST(every_operator_gives_valid_models), TEST(the_same_seed_gives_the_same_case),
           TEST(preserving_operators_preserve_the_reference))
