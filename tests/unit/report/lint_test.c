/* Formats of lint findings: the names and counts that readers of ruff's formats expect. */
#include "report/lint_report.h"
#include "unit/test.h"

static const struct finding_edit edits[] = {
    {10, 14, {"ab", 2}, {0, 2, 3, 2, 10}, {0, 2, 7, 6, 14}}};

static const struct row {
    const char *format;
    const char *holds[4], *lacks;
} rows[] = {
    {"json",
     {"\"content\": \"ab\"", "\"location\": {\n            \"column\": 3,\n            \"row\": 2",
      "\"end_location\": {\n            \"column\": 7", "\"noqa_row\": 2"},
     "offset"},
    {"junit",
     {"<testsuites name=\"assay\" tests=\"2\" skipped=\"0\" failures=\"2\" errors=\"0\">",
      "<testcase name=\"SB091\" classname=\"a,b/c:d\" line=\"2\" column=\"3\">",
      "<property name=\"severity\" value=\"warning\"/>",
      "<testsuite name=\"a,b/c:d.py\" tests=\"2\""},
     "clean.py"},
    {"rdjson", {"\"suggestions\"", "\"text\": \"ab\"", "\"value\": ", "\"SB091\""}, NULL},
    {"azure", {"sourcepath=a,b/c:d.py;linenumber=2;", "]m%0An"}, "%2C"},
    {"github", {"file=a%2Cb/c%3Ad.py,line=2"}, NULL},
    {"sarif",
     {"\"ruleIndex\": ", "\"deletedRegion\": {", "\"insertedContent\": {", "\"markdown\": \"# SB"},
     NULL},
    {"concise", {"a,b/c:d.py: 2 fixes left out"}, NULL},
};

static void formats_say_what_their_readers_look_for(void **state)
{
    struct finding findings[2] = {{.code = STR("SB091"),
                                   .name = STR("variable-is-obsolete"),
                                   .severity = SEVERITY_WARNING,
                                   .start = {0, 2, 3, 2, 10},
                                   .end = {0, 2, 7, 6, 14},
                                   .first_line = 2,
                                   .last_line = 2,
                                   .message = STR("m\nn"),
                                   .fix = {SAFETY_SAFE, STR("t"), edits, 1}}};
    struct file_report files[] = {
        {.path = STR("a,b/c:d.py"), .findings = findings, .n = 2, .n_refused = 2},
        {.path = STR("clean.py")}};
    struct rule_set *rules;
    struct rule_set_options o = {0};
    struct err e = {0};
    (void)state;
    findings[1] = findings[0];
    assert_true(rule_set_new(&o, &rules, &e));
    struct lint_run run = {.files = files, .n_files = 2, .rules = rules, .version = "0"};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct strbuf out = {0};
        lint_format_find(str_of(rows[i].format))->write(&run, &out);
        for (size_t k = 0; k < COUNT_OF(rows[i].holds) && rows[i].holds[k]; k++)
            if (!strstr(out.at, rows[i].holds[k]))
                fail_msg("%s: no %s in %s", rows[i].format, rows[i].holds[k], out.at);
        ASSERT_ROW(!rows[i].lacks || !strstr(out.at, rows[i].lacks), rows[i].format);
        strbuf_done(&out);
    }
    rule_set_free(rules);
}

static void nothing_found_is_one_case_that_passed(void **state)
{
    struct file_report file = {.path = STR("clean.py")};
    struct lint_run run = {.files = &file, .n_files = 1};
    struct strbuf out = {0};
    (void)state;
    lint_format_find(STR("junit"))->write(&run, &out);
    assert_non_null(strstr(out.at, "<testsuites name=\"assay\" tests=\"1\" skipped=\"0\" "
                                   "failures=\"0\" errors=\"0\">"));
    assert_non_null(strstr(out.at, "<testcase name=\"No errors found\" classname=\"assay\"/>"));
    strbuf_done(&out);
}

static void fixes_are_shown_by_file_and_rule(void **state)
{
    const struct fix_tally fixed[] = {{STR("SB091"), STR("variable-is-obsolete"), 2},
                                      {STR("SB217"), STR("tensor-of-tensor"), 1}};
    struct file_report files[] = {{.path = STR("a.py"), .fixed = fixed, .n_fixed_rules = 2},
                                  {.path = STR("b.py")}};
    struct lint_run run = {.files = files, .n_files = 2};
    struct strbuf out = {0};
    (void)state;
    lint_write_fixes(&run, &out);
    assert_string_equal(out.at, "Fixed 3 findings:\n- a.py:\n    2 × SB091 (variable-is-obsolete)\n"
                                "    1 × SB217 (tensor-of-tensor)\n");
    strbuf_done(&out);
}

TEST_SUITE(report_lint, TEST(formats_say_what_their_readers_look_for),
           TEST(nothing_found_is_one_case_that_passed), TEST(fixes_are_shown_by_file_and_rule))
