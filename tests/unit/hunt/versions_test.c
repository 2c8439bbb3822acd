/* Which releases are tried, and what their answers say, by rows. */
#include "hunt/versions.h"

#include <string.h>

#include "unit/test.h"

static void the_newest_of_each_minor_version_is_tried(void **state)
{
    static const char *const known[] = {"1.31.1", "1.9.0",          "1.20.0",    "1.20.1",
                                        "1.31.0", "1.24.0.dev2025", "1.10.0rc1", "1.19.2",
                                        "1.24.1", "1.32.0",         "1.21.0"};
    static const char *const wanted[] = {"1.20.1", "1.21.0", "1.24.1",
                                         "1.31.0", "1.31.1", "1.32.0"};
    struct str list[COUNT_OF(known)];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(known); i++)
        list[i] = str_of(known[i]);
    size_t n = versions_choose(list, COUNT_OF(known), STR("1.20.0"), STR("1.31.0"));
    assert_int_equal(n, COUNT_OF(wanted));
    for (size_t i = 0; i < n; i++)
        if (!str_is(list[i], wanted[i]))
            fail_msg("%zu: " STR_FMT ", %s is expected", i, STR_ARG(list[i]), wanted[i]);
}

/* One character per release 1.0, 1.1, ...: s the same, o another failure, . gone, - cannot run. The
 * bug's own release is 1.3. */
static void answers_become_bounds(void **state)
{
    static const struct {
        const char *answers, *first_bad, *fixed_in;
        bool is_oldest, is_in_newest, cannot_run;
    } rows[] = {
        {"..ss..", "1.2", "1.4", false, false, false},
        {"ssssss", "1.0", "", true, true, false},
        {"-sssss", "1.1", "", true, true, false},
        {"s.ss-.", "1.2", "1.5", false, false, false},
        {"..ss.s", "1.2", "", false, true, false},  /* it came back */
        {"...soo", "1.3", "", false, false, false}, /* another failure hides it: not fixed */
        {"..s-s.", "1.2", "1.5", false, false, false},
        {"------", "", "", true, false, true},
        {"......", "", "1.4", false, false, false},
    };
    static const char *const versions[] = {"1.0", "1.1", "1.2", "1.3", "1.4", "1.5"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct version_row seen[COUNT_OF(versions)];
        for (size_t k = 0; k < COUNT_OF(versions); k++) {
            char answer = rows[i].answers[k];
            seen[k] = (struct version_row){.version = str_of(versions[k]),
                                           .relation = answer == 's'   ? RELATION_SAME
                                                       : answer == 'o' ? RELATION_OTHER
                                                       : answer == '.' ? RELATION_GONE
                                                                       : RELATION_CANNOT};
        }
        struct versions_bounds b = versions_bounds(seen, COUNT_OF(versions), STR("1.3"));
        ASSERT_ROW(str_is(b.first_bad, rows[i].first_bad), rows[i].answers);
        ASSERT_ROW(str_is(b.fixed_in, rows[i].fixed_in), rows[i].answers);
        ASSERT_ROW(b.is_oldest == rows[i].is_oldest, rows[i].answers);
        ASSERT_ROW(b.is_in_newest == rows[i].is_in_newest, rows[i].answers);
        ASSERT_ROW(b.cannot_run == rows[i].cannot_run, rows[i].answers);
    }
}

TEST_SUITE(hunt_versions, TEST(the_newest_of_each_minor_version_is_tried),
           TEST(answers_become_bounds))
