/* Arena, vector, map, interning: what they guarantee about memory and order. */
#include <stdio.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "unit/test.h"

static void count_call(void *ctx)
{
    ++*(int *)ctx;
}

static void memory_is_zero_again_after_a_return_to_a_mark(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a);
    memset(arena_alloc(&a, 100), 7, 100);
    struct arena_mark mark = arena_mark(&a);
    memset(arena_alloc(&a, 50), 9, 50);
    memset(arena_alloc(&a, 100000), 9, 100000);
    arena_return(&a, mark);
    const unsigned char *again = arena_alloc(&a, 3000);
    for (size_t i = 0; i < 3000; i++)
        assert_int_equal(again[i], 0);
    arena_done(&a);
}

static void cleanups_run_once_newest_first_and_only_behind_the_mark(void **state)
{
    struct arena a;
    int early = 0, late = 0;
    (void)state;
    arena_init(&a);
    arena_on_done(&a, count_call, &early);
    struct arena_mark mark = arena_mark(&a);
    arena_on_done(&a, count_call, &late);
    arena_return(&a, mark);
    assert_int_equal(late, 1);
    assert_int_equal(early, 0);
    arena_done(&a);
    assert_int_equal(late, 1);
    assert_int_equal(early, 1);
}

static void blocks_are_aligned_and_apart(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t n = 0; n < 5000; n += 37) {
        unsigned char *p = arena_alloc(&a, n);
        assert_int_equal((uintptr_t)p % 16, 0);
        memset(p, 1, n);
    }
    size_t held = arena_bytes(&a);
    arena_reset(&a);
    assert_true(arena_bytes(&a) <= held);
    arena_done(&a);
    assert_int_equal(arena_bytes(&a), 0);
}

static void vectors_grow_in_the_arena_and_on_the_heap(void **state)
{
    struct arena a;
    VEC(int) in_arena = {0};
    VEC(int) on_heap = {0};
    (void)state;
    arena_init(&a);
    for (int i = 0; i < 1000; i++) {
        vec_push(&in_arena, &a, i);
        vec_push(&on_heap, NULL, i * 2);
    }
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(in_arena.at[i], i);
        assert_int_equal(on_heap.at[i], i * 2);
    }
    assert_int_equal(vec_pop(&on_heap), 1998);
    vec_free(&on_heap);
    arena_done(&a);
}

static void maps_keep_order_and_find_each_of_many(void **state)
{
    struct arena a;
    struct map m = {0};
    char key[24];
    (void)state;
    arena_init(&a);
    for (uint64_t i = 0; i < 5000; i++) {
        int n = snprintf(key, sizeof key, "k%llu", (unsigned long long)(i * 7919));
        map_put(&m, &a, (struct str){key, (size_t)n}, i);
    }
    map_put(&m, &a, STR("k0"), 77);
    assert_int_equal(m.entries.n, 5000);
    assert_int_equal(*map_get(&m, STR("k0")), 77);
    assert_int_equal(*map_get(&m, STR("k39587081")), 4999);
    assert_null(map_get(&m, STR("absent")));
    for (size_t i = 1; i < m.entries.n; i++)
        assert_int_equal(m.entries.at[i].value, i);
    arena_done(&a);
}

static void interned_names_get_consecutive_ids(void **state)
{
    struct arena a;
    struct intern in = {0};
    (void)state;
    arena_init(&a);
    assert_int_equal(intern_id(&in, &a, STR("x")), 0);
    assert_int_equal(intern_id(&in, &a, STR("y")), 1);
    assert_int_equal(intern_id(&in, &a, STR("x")), 0);
    assert_true(str_is(intern_str(&in, 1), "y"));
    assert_int_equal(intern_find(&in, STR("z")), INTERN_NONE);
    arena_done(&a);
}

static void a_copied_map_goes_its_own_way(void **state)
{
    struct arena a;
    struct map from = {0}, to;
    (void)state;
    arena_init(&a);
    for (uint64_t i = 0; i < 40; i++)
        map_put(&from, &a, (struct str){(const char *)&i, sizeof i}, i);
    map_copy(&to, &from, &a);
    map_put(&to, &a, STR("new"), 1);
    *map_get(&to, from.entries.at[7].key) = 99;
    assert_null(map_get(&from, STR("new")));
    assert_int_equal(*map_get(&from, from.entries.at[7].key), 7);
    assert_int_equal(*map_get(&to, from.entries.at[39].key), 39);
    assert_int_equal(to.entries.n, 41);
    map_copy(&to, &(struct map){0}, &a);
    assert_null(map_get(&to, STR("new")));
    arena_done(&a);
}

TEST_SUITE(base_memory, TEST(a_copied_map_goes_its_own_way),
           TEST(memory_is_zero_again_after_a_return_to_a_mark),
           TEST(cleanups_run_once_newest_first_and_only_behind_the_mark),
           TEST(blocks_are_aligned_and_apart), TEST(vectors_grow_in_the_arena_and_on_the_heap),
           TEST(maps_keep_order_and_find_each_of_many), TEST(interned_names_get_consecutive_ids))
