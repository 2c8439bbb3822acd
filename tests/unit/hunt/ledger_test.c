/* Which of two reproducers of one bug is kept: the order has no ties, for repeatable campaigns. */
#include "hunt/campaign/campaign_p.h"
#include "unit/test.h"

static void the_better_reproducer_stays(void **state)
{
    static const struct known_bug old = {
        .key = TEXT("k"), .from_key = TEXT("b"), .campaign = 2, .nodes = 3, .from_case_at = 5};
    static const struct {
        const char *name;
        struct store_bug row;
        bool is_better;
    } rows[] = {
        {"the same", {.campaign = 2, .nodes = 3, .from_case_at = 5, .from_key = TEXT("b")}, false},
        {"fewer nodes, of a later case",
         {.campaign = 2, .nodes = 2, .from_case_at = 9, .from_key = TEXT("c")},
         true},
        {"more nodes, of an earlier case",
         {.campaign = 2, .nodes = 4, .from_case_at = 1, .from_key = TEXT("a")},
         false},
        {"as many, of an earlier case",
         {.campaign = 2, .nodes = 3, .from_case_at = 4, .from_key = TEXT("c")},
         true},
        {"as many, of a later case",
         {.campaign = 2, .nodes = 3, .from_case_at = 6, .from_key = TEXT("a")},
         false},
        {"another key of the case, before it in order",
         {.campaign = 2, .nodes = 3, .from_case_at = 5, .from_key = TEXT("a")},
         true},
        {"another key of the case, behind it",
         {.campaign = 2, .nodes = 3, .from_case_at = 5, .from_key = TEXT("c")},
         false},
        {"of another campaign",
         {.campaign = 3, .nodes = 1, .from_case_at = 0, .from_key = TEXT("a")},
         false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ASSERT_ROW(ledger__is_better(&old, &rows[i].row) == rows[i].is_better, rows[i].name);
        ASSERT_ROW(ledger__is_better(NULL, &rows[i].row), rows[i].name);
    }
}

/* Whichever comes first, the same one is left. */
static void the_order_of_arrival_does_not_decide(void **state)
{
    static const char *const keys[] = {"a", "b"};
    (void)state;
    for (int i = 0; i < 64; i++) {
        struct store_bug x = {.campaign = 1,
                              .nodes = 1 + (i & 1),
                              .from_case_at = i >> 1 & 1,
                              .from_key = str_of(keys[i >> 2 & 1])};
        struct store_bug y = {.campaign = 1,
                              .nodes = 1 + (i >> 3 & 1),
                              .from_case_at = i >> 4 & 1,
                              .from_key = str_of(keys[i >> 5 & 1])};
        struct known_bug of_x = {.campaign = 1,
                                 .nodes = x.nodes,
                                 .from_case_at = x.from_case_at,
                                 .from_key = x.from_key};
        struct known_bug of_y = {.campaign = 1,
                                 .nodes = y.nodes,
                                 .from_case_at = y.from_case_at,
                                 .from_key = y.from_key};
        bool equal = x.nodes == y.nodes && x.from_case_at == y.from_case_at &&
                     str_eq(x.from_key, y.from_key);
        assert_true(ledger__is_better(&of_x, &y) + ledger__is_better(&of_y, &x) == !equal);
    }
}

TEST_SUITE(hunt_ledger, TEST(the_better_reproducer_stays),
           TEST(the_order_of_arrival_does_not_decide))
