/* One table of exit codes: every failure, and every signal, ends with one of its numbers. */
#include <signal.h>

#include "cli/command.h"
#include "unit/test.h"

static bool is_listed(int code)
{
    static const int listed[] = {
#define EXIT_CODE(name, number, meaning) number,
#include "cli/exit_codes.def"
#undef EXIT_CODE
    };
    for (size_t i = 0; i < COUNT_OF(listed); i++)
        if (listed[i] == code)
            return true;
    return false;
}

static void failures_end_by_listed_codes(void **state)
{
    static const enum err_code codes[] = {
#define ERR(name, exit_code, meaning) ERR_##name,
#include "base/err.def"
#undef ERR
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        ASSERT_ROW(is_listed(err_exit_code(codes[i])), err_code_name(codes[i]));
}

static void signals_have_their_own_codes(void **state)
{
    (void)state;
    assert_int_equal(exit_code_of_signal(SIGINT), 130);
    assert_int_equal(exit_code_of_signal(SIGTERM), 143);
}

TEST_SUITE(cli_exit_codes, TEST(failures_end_by_listed_codes), TEST(signals_have_their_own_codes))
