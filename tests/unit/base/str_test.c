/* Texts: splitting, numbers, nearest names, builders. */
#include "base/str.h"
#include "unit/test.h"

static void splits_at_each_separator(void **state)
{
    static const struct {
        const char *text, *parts[4];
        size_t n;
    } rows[] = {
        {"a,,b", {"a", "", "b"}, 3},
        {"a,", {"a", ""}, 2},
        {"", {""}, 1},
        {",", {"", ""}, 2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str rest = str_of(rows[i].text), part;
        size_t n = 0;
        while (str_split(&rest, ',', &part)) {
            ASSERT_ROW(n < rows[i].n && str_is(part, rows[i].parts[n]), rows[i].text);
            n++;
        }
        ASSERT_ROW(n == rows[i].n, rows[i].text);
    }
}

static void a_part_is_found_whole(void **state)
{
    static const struct {
        const char *text, *part;
        bool found;
    } rows[] = {
        {"Add Mul", "Mul", true}, {"Add Mul", "Add", true}, {"Add Mul", "Mu", false},
        {"Add Mul", "", false},   {"Add  Mul", "", true},   {"", "Add", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(str_has_part(str_of(rows[i].text), ' ', str_of(rows[i].part)) == rows[i].found,
                   rows[i].text);
}

static void numbers_are_whole_texts_in_range(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        int64_t value;
    } rows[] = {
        {"0", true, 0},
        {"-7", true, -7},
        {"9223372036854775807", true, INT64_MAX},
        {"9223372036854775808", false, 0},
        {"", false, 0},
        {" 1", false, 0},
        {"1 ", false, 0},
        {"0x10", false, 0},
        {"1e3", false, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int64_t v = 0;
        ASSERT_ROW(str_to_i64(str_of(rows[i].text), &v) == rows[i].ok, rows[i].text);
        ASSERT_ROW(!rows[i].ok || v == rows[i].value, rows[i].text);
    }
}

static void nearest_name_is_named_only_when_near(void **state)
{
    static const char *const names[] = {"--target", "--oracle", "--seconds"};
    (void)state;
    assert_string_equal(str_nearest(STR("--traget"), names, 3), "--target");
    assert_string_equal(str_nearest(STR("--second"), names, 3), "--seconds");
    static const char *const short_names[] = {"run", "hunt", "bugs"};
    assert_string_equal(str_nearest(STR("hnut"), short_names, 3), "hunt");
    assert_null(str_nearest(STR("--xyz"), names, 3));
    static const char *const upper[] = {"LA", "N7", "N21"};
    assert_string_equal(str_nearest(STR("n7"), upper, 3), "N7");
}

static void unknown_names_end_with_the_nearest_or_all(void **state)
{
    static const char *const names[] = {"assay", "random"};
    struct arena a;
    (void)state;
    arena_init(&a);
    assert_string_equal(str_known(STR("rnadom"), names, 2, &a), ", did you mean \"random\"?");
    assert_string_equal(str_known(STR("foo"), names, 2, &a), "; known are assay, random");
    arena_done(&a);
}

static void lines_hold_nothing_that_a_terminal_obeys(void **state)
{
    static const struct {
        const char *text, *shown;
    } rows[] = {{"plain \\ text", "plain \\ text"},
                {"y\n\x1b[31m", "y\\n\\x1b[31m"},
                {"a\tb\x7f", "a\\x09b\\x7f"},
                {"\xc3\xa4 \xe6\x97\xa5", "\xc3\xa4 \xe6\x97\xa5"},
                {"\xc2\x9b"
                 "31m",
                 "\\x9b31m"},
                {"a\xe2\x80\xae"
                 "b\xe2\x81\xa9",
                 "a\\u202eb\\u2069"},
                {"cut \xe2\x80", "cut \xe2\x80"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct strbuf b = {0};
        strbuf_add_line(&b, str_of(rows[i].text));
        assert_string_equal(b.at, rows[i].shown);
        strbuf_done(&b);
    }
}

static void find_gives_offset_or_length(void **state)
{
    (void)state;
    assert_int_equal(str_find(STR("aabab"), STR("abab")), 1);
    assert_int_equal(str_find(STR("aab"), STR("abab")), 3);
    assert_int_equal(str_find(STR("x"), STR("")), 0);
}

static void groups_digits_for_people(void **state)
{
    struct strbuf b = {0};
    (void)state;
    strbuf_add_grouped(&b, 7);
    strbuf_addc(&b, ' ');
    strbuf_add_grouped(&b, 271904);
    strbuf_addc(&b, ' ');
    strbuf_add_grouped(&b, 1000000);
    assert_string_equal(b.at, "7 271,904 1,000,000");
    strbuf_done(&b);
}

static void a_star_stands_for_any_text(void **state)
{
    static const struct {
        const char *text, *pattern;
        bool any_case, fits;
    } rows[] = {
        {"Pad+MaxPool", "Pad+MaxPool", false, true},
        {"Pad+MaxPool", "Pad*", false, true},
        {"Pad+MaxPool", "*Pool", false, true},
        {"Pad+MaxPool", "*+*", false, true},
        {"Pad+MaxPool", "Pad", false, false},
        {"Pad+MaxPool", "pad*", false, false},
        {"Pad+MaxPool", "pad*", true, true},
        {"aXaXb", "*axb", true, true},
        {"aXaX", "*axb", true, false},
        {"", "*", false, true},
        {"", "", false, true},
        {"a", "", false, false},
        {"", "a", false, false},
        {"ab", "a**b", false, true},
        {"x", "?", false, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(str_like(str_of(rows[i].text), str_of(rows[i].pattern), rows[i].any_case) ==
                       rows[i].fits,
                   rows[i].pattern);
}

TEST_SUITE(base_str, TEST(splits_at_each_separator), TEST(a_part_is_found_whole),
           TEST(numbers_are_whole_texts_in_range), TEST(nearest_name_is_named_only_when_near),
           TEST(find_gives_offset_or_length), TEST(groups_digits_for_people),
           TEST(unknown_names_end_with_the_nearest_or_all),
           TEST(lines_hold_nothing_that_a_terminal_obeys), TEST(a_star_stands_for_any_text))
