/* Edits: conflicts, groups, positions afterwards. */
#include "python/edit.h"
#include "unit/test.h"

struct row_edit {
    uint32_t start, end;
    const char *text;
    uint32_t group;
};

static void groups_are_applied_whole_or_not_at_all(void **state)
{
    static const struct {
        const char *name;
        struct row_edit edits[4];
        size_t n;
        const char *becomes;
        uint32_t n_applied, n_skipped;
    } rows[] = {
        {"replace", {{1, 3, "X", 0}}, 1, "aXdef", 1, 0},
        {"insert", {{0, 0, "X", 0}}, 1, "Xabcdef", 1, 0},
        {"delete", {{0, 6, "", 0}}, 1, "", 1, 0},
        {"insert at the end", {{6, 6, "X", 0}}, 1, "abcdefX", 1, 0},
        {"neighbours", {{0, 2, "X", 0}, {2, 4, "Y", 1}}, 2, "XYef", 2, 0},
        {"overlap: the first wins", {{0, 3, "X", 1}, {2, 4, "Y", 0}}, 2, "Xdef", 1, 1},
        {"a group falls as a whole",
         {{0, 3, "X", 0}, {2, 4, "Y", 1}, {5, 6, "Z", 1}},
         3,
         "Xdef",
         1,
         1},
        {"order does not matter", {{4, 5, "Y", 0}, {0, 1, "X", 0}}, 2, "XbcdYf", 1, 0},
        {"different insertions at one place", {{2, 2, "X", 0}, {2, 2, "Y", 1}}, 2, "abXcdef", 1, 1},
        {"the same insertion twice", {{2, 2, "X", 0}, {2, 2, "X", 1}}, 2, "abXcdef", 2, 0},
        {"insertion inside a replacement", {{1, 4, "X", 0}, {2, 2, "Y", 1}}, 2, "aXef", 1, 1},
        {"insertion at its border", {{1, 4, "X", 0}, {1, 1, "Y", 1}}, 2, "aYXef", 2, 0},
        {"beyond the text", {{5, 9, "X", 0}}, 1, "abcdef", 0, 1},
        {"overlap inside a group", {{0, 3, "X", 0}, {2, 4, "Y", 0}}, 2, "abcdef", 0, 1},
        {"nothing", {{0, 0, "", 0}}, 0, "abcdef", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct edit_set set = {0};
        arena_init(&a);
        for (size_t e = 0; e < rows[i].n; e++)
            edit_add(&set, &a, rows[i].edits[e].start, rows[i].edits[e].end,
                     str_of(rows[i].edits[e].text), rows[i].edits[e].group);
        struct edit_result r = edit_apply(&set, STR("abcdef"), &a);
        ASSERT_ROW(str_is(r.text, rows[i].becomes), rows[i].name);
        ASSERT_ROW(r.n_applied == rows[i].n_applied && r.n_skipped == rows[i].n_skipped,
                   rows[i].name);
        arena_done(&a);
    }
}

static void offsets_move_with_the_text(void **state)
{
    struct arena a;
    struct edit_set set = {0};
    static const struct {
        uint32_t before, after;
    } rows[] = {{0, 0}, {1, 1}, {2, 1}, {3, 4}, {5, 6}, {6, 8}};
    (void)state;
    arena_init(&a);
    edit_add(&set, &a, 1, 3, STR("XYZ"), 0);
    edit_add(&set, &a, 6, 6, STR("!"), 1);
    struct edit_result r = edit_apply(&set, STR("abcdef"), &a);
    assert_true(str_is(r.text, "aXYZdef!"));
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(edit_map(&r, rows[i].before), rows[i].after);
    arena_done(&a);
}

TEST_SUITE(python_edit, TEST(groups_are_applied_whole_or_not_at_all),
           TEST(offsets_move_with_the_text))
