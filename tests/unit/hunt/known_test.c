/* The file of known defects: what it may hold, the errors of a wrong one, which bugs it names, and
 * until which day. */
#include "hunt/known.h"

#include "unit/test.h"

static const char today[] = "2026-11-22";

static const struct store_bug pad = {.id = TEXT("3f2a9c0b1e"),
                                     .key = TEXT("wrong-result|reference|Pad+MaxPool|float"),
                                     .state = TEXT("confirmed"),
                                     .class = TEXT("wrong-result"),
                                     .engine = TEXT("ort"),
                                     .version = TEXT("1.31.1"),
                                     .mode = TEXT("extended"),
                                     .ops = TEXT("Pad MaxPool")};

static bool read(const char *text, struct arena *a, struct known_list *out, struct err *e)
{
    return known_read(str_of(text), "assay-known.toml", str_of(today), a, out, e);
}

/* The bug's state after a file with one entry was applied to it. */
static struct str state_after(const char *entry, const struct store_bug *bug, struct arena *a)
{
    struct err e;
    struct known_list known;
    struct store_bug row = *bug;
    const char *text = arena_printf(a, "[[known]]\nreason = \"r\"\n%s\n", entry);
    if (!read(text, a, &known, &e))
        fail_msg("%s", e.text);
    known_mark(&known, &(struct store_bugs){&row, 1});
    return row.state;
}

static void an_entry_names_bugs_by_key_or_pattern(void **state)
{
    static const struct {
        const char *entry;
        bool fits;
    } rows[] = {
        {"key = \"3f2a9c0b1e\"", true},
        {"key = \"wrong-result|reference|Pad+MaxPool|float\"", true},
        {"key = \"3f2a9c\"", false},
        {"key = \"3f2a*\"", false},
        {"target = \"ort\"", true},
        {"target = \"ort/extended\"", true},
        {"target = \"ort@1.31.1\"", true},
        {"target = \"ort@1.31.1/extended\"", true},
        {"target = \"ort@1.31.*/ext*\"", true},
        {"target = \"ort/all\"", false},
        {"target = \"or\"", false},
        {"target = \"openvino\"", false},
        {"target = \"*/extended\"", true},
        {"class = \"wrong-*\"", true},
        {"class = \"crash\"", false},
        {"ops = \"Pad+MaxPool\"", true},
        {"ops = \"*Max*\"", true},
        {"ops = \"*Pool\"", true},
        {"ops = \"P*P*P*l\"", false},
        {"ops = \"Pad**\"", true},
        {"ops = \"Pad\"", false},
        {"ops = \"pad+maxpool\"", false},
        {"target = \"ort\"\nclass = \"wrong-result\"\nops = \"Pad*\"", true},
        {"target = \"ort\"\nclass = \"crash\"\nops = \"Pad*\"", false},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(str_is(state_after(rows[i].entry, &pad, &a), "known") == rows[i].fits,
                   rows[i].entry);
    arena_done(&a);
}

static void a_range_holds_for_releases(void **state)
{
    static const struct {
        const char *version, *range;
        bool fits;
    } rows[] = {{"1.31.1", ">=1.20,<1.33", true},
                {"1.20.0", ">=1.20,<1.33", true},
                {"1.20.0", ">1.20", false},
                {"1.19.9", ">=1.20,<1.33", false},
                {"1.33.0", ">=1.20,<1.33", false},
                {"1.33.0.dev20261001", "<1.33", false},
                {"1.33.0", "<=1.33", true},
                {"1.33.1", "<=1.33", false},
                {"1.9.0", ">=1.10", false},
                {"2.13.0+cpu", "==2.13", true},
                {"2026.1.0-18012-abc", "== 2026.1", true},
                {"10.0", "==10", true},
                {"1", "==1.0.0", true},
                {"", ">=0", false},
                {"unknown", "<9", false}};
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct store_bug bug = pad;
        bug.version = str_of(rows[i].version);
        const char *entry = arena_printf(&a, "ops = \"*\"\nversion = \"%s\"", rows[i].range);
        ASSERT_ROW(str_is(state_after(entry, &bug, &a), "known") == rows[i].fits,
                   arena_printf(&a, "%s %s", rows[i].version, rows[i].range));
    }
    arena_done(&a);
}

/* The date is the last day on which the entry counts. */
static void an_entry_expires_behind_its_day(void **state)
{
    static const struct {
        const char *date;
        bool fits;
    } rows[] = {{"\"2026-11-21\"", false}, {"\"2026-11-22\"", true}, {"\"2026-11-23\"", true},
                {"2026-11-21", false},     {"2027-01-31", true},     {"\"1999-12-31\"", false}};
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *entry = arena_printf(&a, "key = \"3f2a9c0b1e\"\nexpires = %s", rows[i].date);
        ASSERT_ROW(str_is(state_after(entry, &pad, &a), "known") == rows[i].fits, rows[i].date);
    }
    arena_done(&a);
}

static void an_expired_entry_leaves_its_bugs_to_the_next(void **state)
{
    struct arena a;
    struct err e;
    struct known_list known;
    struct store_bug row = pad;
    (void)state;
    arena_init(&a);
    assert_true(read("[[known]]\nkey = \"3f2a9c0b1e\"\nreason = \"old\"\nexpires = 2026-01-01\n\n"
                     "[[known]]\nops = \"Pad*\"\nreason = \"issue 7\"\nurl = \"https://x/7\"\n",
                     &a, &known, &e));
    assert_int_equal(known.n, 2);
    assert_true(known.at[0].is_expired);
    assert_int_equal(known.at[0].line, 1);
    assert_int_equal(known.at[1].line, 6);
    known_mark(&known, &(struct store_bugs){&row, 1});
    assert_true(str_is(row.reason, "issue 7 (https://x/7)"));
    assert_false(store_bug_counts(&row));
    assert_true(store_bug_is_known(&row));
    arena_done(&a);
}

/* States that a person set or that are no findings stay. */
static void only_findings_become_known(void **state)
{
    static const struct {
        const char *before, *after;
    } rows[] = {{"confirmed", "known"}, {"new", "known"},
                {"flaky", "known"},     {"ignored", "ignored"},
                {"invalid", "invalid"}, {"needs-second-opinion", "needs-second-opinion"}};
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct store_bug bug = pad;
        bug.state = str_of(rows[i].before);
        ASSERT_ROW(str_is(state_after("ops = \"*\"", &bug, &a), rows[i].after), rows[i].before);
        known_mark(NULL, &(struct store_bugs){&bug, 1});
        ASSERT_ROW(str_is(bug.state, rows[i].before), rows[i].before);
    }
    arena_done(&a);
}

static void a_wrong_file_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"[[known]]\nkey = \"x\"\nreasn = \"r\"\n",
         "assay-known.toml:3: unknown key \"reasn\", did you mean \"reason\"?"},
        {"[[known]]\nkey = \"x\"\nzebra = 1\n", "known are key, target, class, ops"},
        {"\n[[known]]\nreason = \"r\"\nversion = \">=1\"\n",
         "assay-known.toml:2: the entry names no bug: give its \"key\""},
        {"[[known]]\nkey = \"x\"\nops = \"*\"\nreason = \"r\"\n",
         ":1: either \"key\" or a pattern"},
        {"[[known]]\nkey = \"x\"\n", ":1: the entry lacks its \"reason\": say why"},
        {"[[known]]\nkey = \"x\"\nreason = \"  \"\n", ":3: \"reason\": a text in quotes"},
        {"[[known]]\nkey = 7\nreason = \"r\"\n",
         ":2: \"key\": a text in quotes is expected, got an integer"},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nexpires = \"soon\"\n",
         ":4: \"expires\": a date such as \"2027-01-31\" is expected, got \"soon\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nexpires = \"2027-02-29\"\n",
         "got \"2027-02-29\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nexpires = \"2100-02-29\"\n",
         "got \"2100-02-29\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nexpires = \"2027-13-01\"\n",
         "got \"2027-13-01\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nexpires = \"2027-00-01\"\n",
         "got \"2027-00-01\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nexpires = \"2027-01--1\"\n",
         "got \"2027-01--1\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nexpires = \"27-1-1\"\n", "got \"27-1-1\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nversion = \"1.20\"\n",
         ":4: \"version\": comparisons with <, <=, ==, >= or > are expected, such as "
         "\">=1.20,<1.33\", got \"1.20\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nversion = \">=1.20,\"\n", "got \">=1.20,\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nversion = \"=>1\"\n", "got \"=>1\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nversion = \">=1..2\"\n", "got \">=1..2\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nversion = \">=1.x\"\n", "got \">=1.x\""},
        {"[[known]]\nkey = \"x\"\nreason = \"r\"\nversion = 1.2\n", ":4: \"version\": a text in"},
        {"[known]\nkey = \"x\"\n", ":1: \"known\": a list of entries is expected, got an object"},
        {"known = [3]\n", ":1: a table is expected, got an integer: begin it by [[known]]"},
        {"[[knwon]]\nkey = \"x\"\n",
         ":1: only [[known]] entries are expected, got \"knwon\", did you mean \"known\"?"},
        {"[[known]\n", "assay-known.toml:1: not TOML"},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct err e = {0};
        struct known_list known;
        ASSERT_ROW(!read(rows[i].text, &a, &known, &e), rows[i].text);
        ASSERT_ROW(e.code == ERR_USAGE, rows[i].text);
        if (!strstr(e.text, rows[i].message))
            fail_msg("%s\n  read: %s\n  expected: %s", rows[i].text, e.text, rows[i].message);
    }
    arena_done(&a);
}

static void leap_days_are_days_and_an_empty_file_names_nothing(void **state)
{
    struct arena a;
    struct err e;
    struct known_list known;
    struct store_bug row = pad;
    (void)state;
    arena_init(&a);
    assert_true(
        read("[[known]]\nkey = \"x\"\nreason = \"r\"\nexpires = \"2028-02-29\"\n", &a, &known, &e));
    assert_true(read("# none yet\n", &a, &known, &e));
    assert_int_equal(known.n, 0);
    known_mark(&known, &(struct store_bugs){&row, 1});
    assert_true(str_is(row.state, "confirmed"));
    arena_done(&a);
}

TEST_SUITE(hunt_known, TEST(an_entry_names_bugs_by_key_or_pattern),
           TEST(a_range_holds_for_releases), TEST(an_entry_expires_behind_its_day),
           TEST(an_expired_entry_leaves_its_bugs_to_the_next), TEST(only_findings_become_known),
           TEST(a_wrong_file_is_refused_with_its_place),
           TEST(leap_days_are_days_and_an_empty_file_names_nothing))
