/*
 * Unit tests: rows and a loop, on cmocka.
 *
 * A folder's tests are functions `static void meaning(void **state)` registered by TEST_SUITE at
 * the end of each file:
 *
 *     TEST_SUITE(base_str, TEST(splits_at_each_separator), TEST(numbers_are_whole_texts))
 *
 * tests/unit/main.c runs the suites that tests/unit/<folder>/suites.def lists: SUITE(base_str).
 */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"

#define TEST(fn) cmocka_unit_test(fn)

#define TEST_SUITE(name, ...)                                                                      \
    int test_suite_##name(void);                                                                   \
    int test_suite_##name(void)                                                                    \
    {                                                                                              \
        static const struct CMUnitTest tests[] = {__VA_ARGS__};                                    \
        return cmocka_run_group_tests_name(#name, tests, NULL, NULL);                              \
    }

/* A folder whose tests start the program again defines this: what the child does with its
 * arguments, and how it exits. */
#define WEAK __attribute__((weak))
int test_child(int argc, char **argv);

/* A struct str in a static table, where STR is no constant. */
#define TEXT(literal)                                                                              \
    {                                                                                              \
        "" literal, sizeof(literal) - 1                                                            \
    }

/* A row's own name in the message of a failed row of a table. */
#define ASSERT_ROW(condition, row_name)                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("row \"%s\": %s", (row_name), #condition);                                    \
    } while (0)

#endif
