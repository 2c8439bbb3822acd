/* The hunt's screen: every number of its statistics appears in the picture. */
#include <string.h>

#include "cli/screen.h"
#include "unit/test.h"

static void picture_has_every_number(void **state)
{
    static const char *const pieces[] = {"seed 42",
                                         "RUNNING",
                                         "sandbox full",
                                         "store sqlite",
                                         "1,234",
                                         "valid 50",
                                         "illegal 2",
                                         "NEW 4   known 11",
                                         "flaky 3",
                                         "ignored 6   second opinion 2",
                                         "queue 77",
                                         "restarts 5",
                                         "op types 112/150   op x dtype 360/900",
                                         "rewrites 63",
                                         "generators mutate 50% corpus 50%",
                                         "41 -> 6 nodes",
                                         "pilots 1/2"};
    struct screen sc = {.store_kind = "sqlite", .n_ops = 150, .n_op_dtypes = 900};
    struct hunt_statistics st = {
        .campaign = {.seed = 42, .settings = STR("{\"generators\": [\"mutate\", \"corpus\"]}")},
        .sandbox = "full",
        .totals = {.n_cases = 1234, .n_valid = 617, .n_illegal = 25},
        .n_bugs_new = 4,
        .n_bugs_known = 11,
        .n_bugs_flaky = 3,
        .n_bugs_ignored = 6,
        .n_bugs_in_doubt = 2,
        .n_pilots = 2,
        .n_pilots_alive = 1,
        .n_pilot_restarts = 5,
        .n_queue = 77,
        .n_reducing = 1,
        .reducing_from = 41,
        .reducing_to = 6,
        .n_op_types = 112,
        .n_op_dtypes = 360,
        .n_rewrites = 63};
    struct strbuf picture = {0};
    (void)state;
    screen_draw(&sc, &st, &picture);
    for (size_t i = 0; i < COUNT_OF(pieces); i++)
        ASSERT_ROW(strstr(picture.at, pieces[i]), pieces[i]);
    strbuf_done(&picture);
}

/* Before the first pilot runs the sandbox is not known, and a campaign may have no settings. */
static void nothing_empty_is_drawn(void **state)
{
    struct screen sc = {.store_kind = "sqlite"};
    struct hunt_statistics st = {.sandbox = ""};
    struct strbuf picture = {0};
    (void)state;
    screen_draw(&sc, &st, &picture);
    assert_null(strstr(picture.at, "sandbox"));
    assert_null(strstr(picture.at, "generators"));
    strbuf_done(&picture);
}

static void rows_are_counted_as_a_terminal_wraps_them(void **state)
{
    static const struct {
        const char *picture;
        unsigned width, n_rows;
    } rows[] = {{"", 10, 0},
                {"one\ntwo\n", 10, 2},
                {"0123456789\n", 10, 1},
                {"0123456789a\n", 10, 2},
                {"\n\n", 10, 2},
                {"\x1b[1m0123456789\x1b[0m\n", 10, 1},
                {"\xc3\xa4\xc3\xa4\n", 2, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(screen_count_rows(str_of(rows[i].picture), rows[i].width) == rows[i].n_rows,
                   rows[i].picture);
}

TEST_SUITE(cli_screen, TEST(picture_has_every_number), TEST(nothing_empty_is_drawn),
           TEST(rows_are_counted_as_a_terminal_wraps_them))
