/* Walks over broadcast and strided operands against plain index arithmetic. */
#include "onnx/eval/walk_p.h"
#include "unit/test.h"

static size_t offset_of(const int64_t *index, uint32_t rank, const int64_t *dims, uint32_t own_rank)
{
    size_t at = 0;
    for (uint32_t d = 0; d < own_rank; d++) {
        int64_t i = index[rank - own_rank + d];
        at = at * (size_t)dims[d] + (size_t)(dims[d] == 1 ? 0 : i);
    }
    return at;
}

static void operands_are_met_at_the_broadcast_index(void **state)
{
    static const struct {
        const char *name;
        int64_t out[4], a[4], b[4];
        uint32_t rank, rank_a, rank_b;
    } rows[] = {
        {"same", {2, 3, 4}, {2, 3, 4}, {2, 3, 4}, 3, 3, 3},
        {"row", {2, 3, 4}, {2, 3, 4}, {4}, 3, 3, 1},
        {"column", {2, 3, 4}, {2, 3, 4}, {3, 1}, 3, 3, 2},
        {"cross", {2, 3}, {2, 1}, {1, 3}, 2, 2, 2},
        {"scalar", {2, 3}, {2, 3}, {0}, 2, 2, 0},
        {"ones", {1, 2, 1, 3}, {1, 2, 1, 1}, {2, 1, 3}, 4, 4, 3},
        {"rank 0", {0}, {0}, {0}, 0, 0, 0},
        {"empty", {2, 0}, {2, 0}, {1}, 2, 2, 1},
    };
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct walk w;
        size_t n = 1, n_seen = 0;
        for (uint32_t d = 0; d < rows[r].rank; d++)
            n *= (size_t)rows[r].out[d];
        walk__open(&w, rows[r].out, rows[r].rank);
        walk__broadcast(&w, rows[r].a, rows[r].rank_a);
        walk__broadcast(&w, rows[r].b, rows[r].rank_b);
        while (walk__next(&w))
            for (size_t i = 0; i < w.n_inner; i++, n_seen++) {
                int64_t index[4];
                size_t left = w.out + i;
                ASSERT_ROW(left == n_seen, rows[r].name);
                for (uint32_t d = rows[r].rank; d-- > 0; left /= (size_t)rows[r].out[d])
                    index[d] = (int64_t)(left % (size_t)rows[r].out[d]);
                size_t a = (size_t)(w.at[0] + (ptrdiff_t)i * w.step[0]);
                size_t b = (size_t)(w.at[1] + (ptrdiff_t)i * w.step[1]);
                ASSERT_ROW(a == offset_of(index, rows[r].rank, rows[r].a, rows[r].rank_a),
                           rows[r].name);
                ASSERT_ROW(b == offset_of(index, rows[r].rank, rows[r].b, rows[r].rank_b),
                           rows[r].name);
            }
        ASSERT_ROW(n_seen == n, rows[r].name);
    }
}

TEST_SUITE(onnx_walk, TEST(operands_are_met_at_the_broadcast_index))
