/* The distance of issues is a metric, and clusters hold their promises, on drawn features. */
#include "generate/diffuse/metric.h"

#include <math.h>

#include "base/rng.h"
#include "unit/test.h"

enum { N_FEATURES = 40, TRIPLES = 4000 };

static struct str draw_name(struct rng *r, struct arena *a)
{
    static const char *const parts[] = {"nn", "jit", "compile", "fx", "utils", "prune"};
    struct strbuf b = {0};
    strbuf_adds(&b, "torch");
    for (uint64_t n = rng_below(r, 4); n; n--)
        strbuf_printf(&b, ".%s", parts[rng_below(r, COUNT_OF(parts))]);
    struct str made = strbuf_dup(&b, a);
    strbuf_done(&b);
    return made;
}

static void draw(struct rng *r, struct arena *a, struct features *f)
{
    *f = (struct features){.category = (unsigned)rng_below(r, 3)};
    f->n_apis = rng_below(r, 5);
    f->n_types = rng_below(r, 4);
    for (size_t i = 0; i < f->n_apis; i++)
        f->apis[i] = draw_name(r, a);
    for (size_t i = 0; i < f->n_types; i++)
        f->types[i] = draw_name(r, a);
}

static void distance_is_symmetric_and_zero_for_equals(void **state)
{
    struct arena a;
    struct rng r;
    struct features f[N_FEATURES];
    (void)state;
    arena_init(&a);
    rng_init(&r, 3, RNG_TEST, 0);
    for (size_t i = 0; i < N_FEATURES; i++)
        draw(&r, &a, &f[i]);
    for (size_t i = 0; i < N_FEATURES; i++) {
        assert_true(features_distance(&f[i], &f[i]) == 0);
        for (size_t j = 0; j < N_FEATURES; j++) {
            double d = features_distance(&f[i], &f[j]);
            assert_true(d >= 0 && fabs(d - features_distance(&f[j], &f[i])) < 1e-12);
        }
    }
    arena_done(&a);
}

static void known_distances(void **state)
{
    static const struct {
        const char *name;
        struct features a, b;
        double expected;
    } rows[] = {
        {"category alone", {.category = 1}, {.category = 2}, 1},
        {"siblings",
         {.apis = {TEXT("torch.jit.script")}, .n_apis = 1},
         {.apis = {TEXT("torch.jit.trace")}, .n_apis = 1},
         1},
        {"cousins",
         {.apis = {TEXT("torch.jit.script")}, .n_apis = 1},
         {.apis = {TEXT("torch.nn.Linear")}, .n_apis = 1},
         2},
        {"against nothing", {.apis = {TEXT("torch.jit.script")}, .n_apis = 1}, {.n_apis = 0}, 3},
        {"order does not count",
         {.apis = {TEXT("torch.a"), TEXT("torch.b")}, .n_apis = 2},
         {.apis = {TEXT("torch.b"), TEXT("torch.a")}, .n_apis = 2},
         0},
        {"half of two",
         {.apis = {TEXT("torch.a"), TEXT("torch.b")}, .n_apis = 2},
         {.apis = {TEXT("torch.a"), TEXT("torch.c")}, .n_apis = 2},
         0.5},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(features_distance(&rows[i].a, &rows[i].b) == rows[i].expected, rows[i].name);
}

static void each_issue_is_in_a_cluster(void **state)
{
    struct arena a;
    struct rng r;
    struct features f[N_FEATURES];
    bool seen[N_FEATURES] = {false};
    (void)state;
    arena_init(&a);
    rng_init(&r, 4, RNG_TEST, 0);
    for (size_t i = 0; i < N_FEATURES; i++)
        draw(&r, &a, &f[i]);
    struct clusters one = clusters_make(f, N_FEATURES, CLUSTER_THRESHOLD, &a);
    struct clusters again = clusters_make(f, N_FEATURES, CLUSTER_THRESHOLD, &a);
    assert_true(one.n == again.n && one.n > 0);
    for (size_t i = 0; i < one.n; i++) {
        assert_in_range(one.at[i].n, 2, CLUSTER_SIZE_MAX);
        assert_memory_equal(&one.at[i], &again.at[i], sizeof one.at[i]);
        for (size_t k = 0; k < one.at[i].n; k++)
            seen[one.at[i].members[k]] = true;
    }
    for (size_t i = 0; i < N_FEATURES; i++)
        assert_true(seen[i]);
    arena_done(&a);
}

TEST_SUITE(generate_metric, TEST(distance_is_symmetric_and_zero_for_equals), TEST(known_distances),
           TEST(each_issue_is_in_a_cluster))
