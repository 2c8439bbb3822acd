/* The generator as a whole: lanes, rewards by epoch, unknown names, corpus. */
#include <stdio.h>

#include "generate/generate.h"
#include "generate/zoo.h"
#include "onnx/eval.h"
#include "onnx/op.h"
#include "unit/test.h"

static struct generator *open_one(const char *strategy, const char *seed_model, unsigned lanes)
{
    struct err e = {0};
    struct generator *g;
    const char *models[] = {seed_model};
    struct generate_options o = {.seed = 21,
                                 .strategy = strategy,
                                 .seed_models = seed_model ? models : NULL,
                                 .n_seed_models = seed_model ? 1 : 0,
                                 .lanes = lanes};
    if (!generator_find(STR("mutate"))->open(&o, &g, &e))
        fail_msg("%s", e.text);
    return g;
}

static struct hash id_at(struct generator *g, uint64_t index)
{
    struct arena a;
    struct tcase *c;
    struct err e = {0};
    struct hash id = {{0}};
    arena_init(&a);
    assert_true(g->ops->next(g, index, &a, &c, &e));
    if (c)
        id = c->id;
    arena_done(&a);
    return id;
}

static void give(struct learned *l, uint64_t index, uint32_t n_keys)
{
    struct reward r = {.n_failing_keys = n_keys};
    r.edits = index % 3 ? STR("N18 near-miss-fusion at=input near=input>- bucket=gelu-erf\n")
                        : STR("N21b corner-operator at=input near=input>- bucket=Pad\n");
    learned_reward(l, index, &r);
}

/* Cases of epoch k depend on rewards of epochs up to k-2: those of k-1 must change nothing. */
static void rewards_count_two_epochs_later(void **state)
{
    struct generator *plain = open_one("assay", NULL, 0), *late = open_one("assay", NULL, 0);
    struct generator *early = open_one("assay", NULL, 0);
    struct learned of[3] = {0};
    unsigned n_changed = 0;
    (void)state;
    plain->ops->learn(plain, &of[0]);
    late->ops->learn(late, &of[1]);
    early->ops->learn(early, &of[2]);
    for (uint64_t i = 0; i < 2 * GENERATE_EPOCH; i++)
        for (size_t k = 0; k < COUNT_OF(of); k++)
            give(&of[k], i, i % 7 == 0);
    for (uint64_t i = 2 * GENERATE_EPOCH; i < 3 * GENERATE_EPOCH; i++) {
        give(&of[1], i, 2); /* of epoch 2: epoch 3 must not use it */
        give(&of[2], i, i % 3 ? 2 : 0);
    }
    for (uint64_t i = 3 * GENERATE_EPOCH; i < 3 * GENERATE_EPOCH + 40; i++) {
        struct hash a = id_at(plain, i), b = id_at(late, i);
        assert_true(hash_eq(&a, &b));
    }
    for (uint64_t i = 4 * GENERATE_EPOCH; i < 4 * GENERATE_EPOCH + 40; i++) {
        struct hash a = id_at(plain, i), b = id_at(early, i);
        n_changed += !hash_eq(&a, &b);
    }
    assert_true(n_changed > 0);
    plain->ops->close(plain);
    late->ops->close(late);
    early->ops->close(early);
    for (size_t k = 0; k < COUNT_OF(of); k++)
        learned_done(&of[k]);
}

static void lanes_have_their_shares(void **state)
{
    struct generator *g = open_one("random", "stem", 0);
    unsigned n[LANE_COUNT] = {0}, total = 0;
    (void)state;
    for (uint64_t i = 0; i < 600; i++) {
        struct arena a;
        struct tcase *c;
        struct err e = {0};
        arena_init(&a);
        assert_true(g->ops->next(g, i, &a, &c, &e));
        if (c) {
            n[c->lane]++;
            total++;
        }
        arena_done(&a);
    }
    assert_true(total > 590);
    assert_in_range(n[LANE_SHAPES], 30, 95);
    assert_in_range(n[LANE_VALUES], 8, 50);
    g->ops->close(g);
}

static void one_lane_can_be_asked_for(void **state)
{
    struct generator *g = open_one("random", "stem", 1u << LANE_SHAPES);
    (void)state;
    for (uint64_t i = 0; i < 40; i++) {
        struct arena a;
        struct tcase *c;
        struct err e = {0};
        arena_init(&a);
        assert_true(g->ops->next(g, i, &a, &c, &e));
        assert_true(!c || c->lane == LANE_SHAPES);
        arena_done(&a);
    }
    g->ops->close(g);
}

static void numeric_cases_come_with_finite_references(void **state)
{
    struct generator *g = open_one("random", NULL, 1u << LANE_NUMERIC);
    (void)state;
    for (uint64_t i = 0; i < 150; i++) {
        struct arena a;
        struct tcase *c;
        struct err e = {0};
        arena_init(&a);
        assert_true(g->ops->next(g, i, &a, &c, &e));
        for (size_t k = 0; c && k < c->graph->graph->outputs.n; k++) {
            const struct value *v = &c->reference[0].values[c->graph->graph->outputs.at[k]];
            assert_int_not_equal(v->dtype, DTYPE_UNDEFINED);
            for (size_t j = 0; v->storage == STORAGE_F64 && j < v->n; j++)
                assert_true(v->f[j] - v->f[j] == 0);
        }
        arena_done(&a);
    }
    g->ops->close(g);
}

/* Values taken from the cache equal those of a full evaluation. */
static void cached_references_equal_fresh_ones(void **state)
{
    static const char *const models[] = {"convnet13", "bert", "lstm", "gpt"};
    (void)state;
    for (size_t m = 0; m < COUNT_OF(models); m++) {
        struct generator *g = open_one("random", models[m], 1u << LANE_NUMERIC);
        for (uint64_t i = 0; i < 60; i++) {
            struct arena a;
            struct tcase *c;
            struct err e = {0};
            struct eval_result fresh;
            arena_init(&a);
            assert_true(g->ops->next(g, i, &a, &c, &e));
            if (c &&
                !eval_run(c->graph, &c->input_sets[0], &(struct eval_options){0}, &a, &fresh, &e))
                fail_msg("%s", e.text);
            for (size_t k = 0; c && k < c->graph->graph->outputs.n; k++) {
                uint32_t at = c->graph->graph->outputs.at[k];
                const struct value *x = &c->reference[0].values[at], *y = &fresh.values[at];
                assert_int_equal(x->n, y->n);
                if (x->n > 0)
                    assert_memory_equal(x->f, y->f, x->storage == STORAGE_BOOL ? x->n : 8 * x->n);
            }
            arena_done(&a);
        }
        g->ops->close(g);
    }
}

static void unknown_names_are_refused_by_name(void **state)
{
    static const struct {
        const char *name, *strategy, *model, *operator;
    } rows[] = {
        {"strategy", "astrology", "stem", NULL},
        {"model", "random", "no/such/file.onnx", NULL},
        {"operator", "random", "stem", "N99"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct generator *g;
        struct err e = {0};
        const char *models[] = {rows[i].model}, *operators[] = {rows[i].operator};
        struct generate_options o = {.strategy = rows[i].strategy,
                                     .seed_models = models,
                                     .n_seed_models = 1,
                                     .operators = operators,
                                     .n_operators = rows[i].operator? 1 : 0 };
        ASSERT_ROW(!generator_find(STR("mutate"))->open(&o, &g, &e), rows[i].name);
        ASSERT_ROW(e.text[0] != 0, rows[i].name);
    }
}

static void count_skipped(void *ctx, const char *model, const struct err *why)
{
    unsigned *n = ctx;
    assert_non_null(strstr(model, "unknown_operator.onnx"));
    assert_int_equal(why->code, ERR_UNSUPPORTED);
    ++*n;
}

/* Seed models that the reference cannot evaluate are left out and reported; if none is left, that
 * is an error. */
static void unsupported_seeds_are_left_out(void **state)
{
    static const char *const generators[] = {"mutate", "corpus"};
    static const char *const models[] = {"lenet5", ASSAY_SOURCE_DIR
                                         "/fuzz/corpus/model/unknown_operator.onnx"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(generators); i++) {
        const struct generator_ops *ops = generator_find(str_of(generators[i]));
        struct generator *g;
        struct err e = {0};
        unsigned n_skipped = 0;
        struct generate_options o = {
            .seed_models = models, .n_seed_models = 2, .on_skip = count_skipped, .ctx = &n_skipped};
        ASSERT_ROW(ops->open(&o, &g, &e), generators[i]);
        g->ops->close(g);
        ASSERT_ROW(n_skipped == 1, generators[i]);
        o.seed_models = models + 1;
        o.n_seed_models = 1;
        ASSERT_ROW(!ops->open(&o, &g, &e) && e.code == ERR_UNSUPPORTED, generators[i]);
        ASSERT_ROW(strstr(e.text, "Frobnicate"), generators[i]);
    }
}

/* op:NAME is a seed model for each operator that a layer builder makes, whatever the seed. */
static void every_layer_is_a_seed_model(void **state)
{
    size_t n;
    const struct op *list = op_list(&n);
    unsigned n_opened = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        char name[80];
        const char *models[] = {name};
        if (!zoo_operator(list[i].name).has_layer)
            continue;
        snprintf(name, sizeof name, "op:%s", list[i].name);
        for (uint64_t seed = 1; seed <= 3; seed++, n_opened++) {
            struct generate_options o = {.seed = seed, .seed_models = models, .n_seed_models = 1};
            struct generator *g;
            struct err e = {0};
            ASSERT_ROW(generator_find(STR("mutate"))->open(&o, &g, &e), e.text);
            g->ops->close(g);
        }
    }
    assert_true(n_opened > 300);
}

static void corpus_runs_models_as_they_are(void **state)
{
    struct generator *g;
    struct err e = {0};
    const char *models[] = {"lenet5", "op:Conv"};
    struct generate_options o = {.seed = 2, .seed_models = models, .n_seed_models = 2};
    struct arena a;
    struct tcase *c[4];
    (void)state;
    arena_init(&a);
    assert_true(generator_find(STR("corpus"))->open(&o, &g, &e));
    for (uint64_t i = 0; i < 4; i++)
        assert_true(g->ops->next(g, i, &a, &c[i], &e));
    assert_true(c[0]->graph == c[2]->graph && c[1]->graph == c[3]->graph);
    assert_false(hash_eq(&c[0]->content, &c[2]->content));
    assert_non_null(c[0]->reference);
    g->ops->close(g);
    o.n_seed_models = 0;
    assert_false(generator_find(STR("corpus"))->open(&o, &g, &e));
    arena_done(&a);
}

TEST_SUITE(generate_mutate, TEST(rewards_count_two_epochs_later), TEST(lanes_have_their_shares),
           TEST(one_lane_can_be_asked_for), TEST(numeric_cases_come_with_finite_references),
           TEST(cached_references_equal_fresh_ones), TEST(unknown_names_are_refused_by_name),
           TEST(unsupported_seeds_are_left_out), TEST(corpus_runs_models_as_they_are),
           TEST(every_layer_is_a_seed_model))
