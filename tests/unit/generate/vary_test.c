/* Variations of nodes: the models are valid, variations that inference refuses are undone, and as
 * many of the standard's cells are met as in a hunt's first minutes. */
#include "generate/mutate/vary_p.h"

#include "case/subject.h"
#include "generate/generate.h"
#include "generate/mutate/layer_p.h"
#include "generate/reach.h"
#include "generate/zoo.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "unit/test.h"

static void each_operator_has_varied_models(void **state)
{
    size_t n;
    const struct layer_builder *list = layer__list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        unsigned n_valid = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct arena a;
            struct err e = {0};
            struct model *m, *again;
            const struct zoo_options o = {26, seed};
            arena_init(&a);
            if (zoo_vary_operator(list[i].op_type, &o, &a, &m, &e)) {
                n_valid++;
                ASSERT_ROW(check_model(m, &e), list[i].op_type);
                ASSERT_ROW(zoo_vary_operator(list[i].op_type, &o, &a, &again, &e), list[i].op_type);
                const struct hash x = model_hash(m), y = model_hash(again);
                ASSERT_ROW(memcmp(&x, &y, sizeof x) == 0, list[i].op_type);
            }
            arena_done(&a);
        }
        ASSERT_ROW(n_valid >= 5, list[i].op_type);
    }
}

struct fixture {
    struct arena a;
    struct rng r;
    struct graph_builder b;
    uint32_t x; /* float [2,3,4,4] */
};

static void set_up(struct fixture *f, uint64_t seed)
{
    static const int64_t dims[] = {2, 3, 4, 4};
    arena_init(&f->a);
    rng_init(&f->r, 1, RNG_TEST, seed);
    builder__init(&f->b, model_new(&f->a, 23), &f->r);
    f->x = graph_add_input(f->b.m, f->b.g, STR("x"), DTYPE_FLOAT, dims, 4);
}

static struct hash content_of(const struct fixture *f)
{
    struct err e = {0};
    struct model *copy = model_copy(f->b.m, f->b.m->arena);
    assert_true(model_finish(copy, &e));
    return model_hash(copy);
}

static void what_is_refused_leaves_nothing(void **state)
{
    static const char *const op_types[] = {"Conv", "Resize", "LSTM", "Loop", "Reshape", "TopK"};
    unsigned n_refused = 0, n_varied = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(op_types); i++) {
        for (uint64_t seed = 0; seed < 40; seed++) {
            struct fixture f;
            struct err e = {0};
            set_up(&f, seed);
            f.b.fixed_inputs = seed % 2;
            uint32_t y = layer__apply(&f.b, layer__find(op_types[i]), f.x);
            assert_true(builder__ok(&f.b));
            graph_add_output(f.b.g, y);
            uint32_t node = f.b.g->values.at[y].origin_at;
            struct hash before = content_of(&f);
            bool varied = vary__node(&f.b, node);
            struct hash after = content_of(&f);
            n_varied += varied;
            n_refused += !varied;
            ASSERT_ROW(varied || memcmp(&before, &after, sizeof before) == 0, op_types[i]);
            ASSERT_ROW(!f.b.fixed_inputs || f.b.g->inputs.n == 1, op_types[i]);
            ASSERT_ROW(builder__ok(&f.b) && model_finish(f.b.m, &e) && check_model(f.b.m, &e) &&
                           infer_model(f.b.m, &e),
                       op_types[i]);
            arena_done(&f.a);
        }
    }
    assert_true(n_varied > 100 && n_refused > 0);
}

/* The four lists of a Slice change their dtype together and keep their numbers. */
static void stored_lists_keep_their_numbers_in_another_dtype(void **state)
{
    static const int64_t lists[4][3] = {{1, 0, 2}, {3, 4, 3}, {2, 3, 1}, {1, 2, 1}};
    unsigned n_changed = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct fixture f;
        uint32_t in[5];
        set_up(&f, seed);
        in[0] = f.x;
        for (int k = 0; k < 4; k++) {
            struct tensor *t = arena_new(&f.a, struct tensor);
            *t = tensor_from_i64s(lists[k], 3, &f.a);
            in[k + 1] = graph_add_initializer(f.b.m, f.b.g, STR("list"), t);
        }
        uint32_t y = builder__op(&f.b, "Slice", 1, in, 5);
        graph_add_output(f.b.g, y);
        assert_true(builder__ok(&f.b));
        vary__node(&f.b, f.b.g->values.at[y].origin_at);
        const struct node *n = &f.b.g->nodes.at[f.b.g->values.at[y].origin_at];
        for (uint32_t k = 0; k + 1 < n->n_inputs; k++) {
            uint32_t v = n->inputs[k + 1];
            const struct tensor *t = v == VALUE_NONE ? NULL : f.b.g->values.at[v].initializer;
            if (!t || t->dtype == DTYPE_INT64)
                continue;
            n_changed++;
            assert_int_equal(t->dtype, DTYPE_INT32);
            for (size_t i = 0; i < 3; i++)
                assert_int_equal(tensor_get_i64(t, i), lists[k][i]);
        }
        arena_done(&f.a);
    }
    assert_true(n_changed >= 8);
}

static void what_ends_a_loop_stays(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct fixture f;
        set_up(&f, seed);
        uint32_t y = layer__apply(&f.b, layer__find("Loop"), f.x);
        assert_true(builder__ok(&f.b));
        uint32_t at = f.b.g->values.at[y].origin_at, inputs[2];
        memcpy(inputs, f.b.g->nodes.at[at].inputs, sizeof inputs);
        vary__node(&f.b, at);
        at = f.b.g->values.at[y].origin_at;
        for (int i = 0; i < 2; i++)
            assert_int_equal(inputs[i] == VALUE_NONE, f.b.g->nodes.at[at].inputs[i] == VALUE_NONE);
        arena_done(&f.a);
    }
}

static void a_neighbour_gives_a_tensor_like_the_one_asked_for(void **state)
{
    static const int64_t dims[][4] = {{0}, {3}, {2, 3}, {1, 2, 2}, {2, 1, 2, 3}};
    static const double values[12] = {0.5, 0.75, 1, 1.25, 1.5, 0.5, 1, 0.75, 1.25, 1, 0.5, 1.5};
    unsigned n_made = 0;
    (void)state;
    for (uint32_t rank = 0; rank < COUNT_OF(dims); rank++) {
        for (uint64_t seed = 0; seed < 60; seed++) {
            struct fixture f;
            struct tensor t;
            set_up(&f, seed);
            assert_true(
                tensor_from_doubles(DTYPE_FLOAT, dims[rank], rank, values, &f.a, &t, &f.b.e));
            uint32_t v = vary__neighbour(&f.b, &t);
            if (v != VALUE_NONE) {
                struct dims d = builder__dims(&f.b, v);
                n_made++;
                assert_int_equal(builder__dtype(&f.b, v), DTYPE_FLOAT);
                assert_int_equal(d.n, rank);
                assert_memory_equal(d.at, dims[rank], rank * sizeof *d.at);
                assert_true(f.b.g->inputs.n > 1); /* an input was added, so the value varies */
            }
            arena_done(&f.a);
        }
    }
    assert_true(n_made > 100);
}

/* Lower bounds are somewhat below the counts: a layer builder that loses dtypes or ranks fails
 * here. */
static void early_cases_meet_most_cells(void **state)
{
    static const struct {
        enum reach_kind kind;
        unsigned percent;
    } floors[] = {{REACH_ATTRIBUTE, 82}, {REACH_OPTIONAL, 92}, {REACH_DTYPE, 58}, {REACH_RANK, 90}};
    struct generate_options o = {.seed = 1};
    struct generator *g;
    struct reach r;
    struct err e = {0};
    struct arena a;
    (void)state;
    reach_init(&r);
    bool *is_met = arena_new_array(&r.a, bool, r.cells.n);
    assert_true(generator_find(STR("mutate"))->open(&o, &g, &e));
    arena_init(&a);
    for (uint64_t i = 0; i < 4000; i++) {
        struct tcase *c = NULL;
        arena_reset(&a);
        assert_true(g->ops->next(g, i, &a, &c, &e));
        struct reach_cells met = c ? reach_meet(&r, case_model(c), &a) : (struct reach_cells){0};
        for (size_t k = 0; k < met.n; k++)
            is_met[met.at[k]] = true;
    }
    for (size_t f = 0; f < COUNT_OF(floors); f++) {
        size_t n = 0, n_met = 0;
        for (size_t i = 0; i < r.cells.n; i++) {
            bool counts = r.cells.at[i].kind == floors[f].kind && !r.cells.at[i].excluded;
            n += counts;
            n_met += counts && is_met[i];
        }
        if (100 * n_met < floors[f].percent * n)
            fail_msg("%s: %zu of %zu met", reach_kind_name(floors[f].kind), n_met, n);
    }
    g->ops->close(g);
    arena_done(&a);
    reach_done(&r);
}

TEST_SUITE(generate_vary, TEST(each_operator_has_varied_models),
           TEST(what_is_refused_leaves_nothing),
           TEST(stored_lists_keep_their_numbers_in_another_dtype), TEST(what_ends_a_loop_stays),
           TEST(a_neighbour_gives_a_tensor_like_the_one_asked_for),
           TEST(early_cases_meet_most_cells))
