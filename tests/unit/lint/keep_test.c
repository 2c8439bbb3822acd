/* What is kept between runs: baselines that survive moved lines, reports as bytes, ignore comments.
 */
#include "lint/baseline.h"
#include "lint/ignore.h"
#include "lint/report_io.h"
#include "unit/lint/lint_test.h"
#include "unit/test.h"

#define V "import torch\nfrom torch.autograd import Variable\n"

static void a_baseline_knows_moved_lines_and_counts(void **state)
{
    struct lint_fixture f;
    struct strbuf text = {0};
    struct err e = {0};
    uint64_t n_known;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    struct file_report before = fixture_run(&f, V "x = Variable(y)\n");
    assert_true(baseline_write("b", &before, 1, &text, &e));
    struct file_report moved = fixture_run(&f, V "\n\n# moved\nx =   Variable( y )\n");
    assert_true(baseline_apply(strbuf_str(&text), "b", &moved, 1, &f.arena, &n_known, &e));
    assert_int_equal(moved.n, 0);
    assert_int_equal(n_known, 1);
    struct file_report two =
        fixture_run(&f, V "x = Variable(y)\nx = Variable(y)\nz = Variable(y)\n");
    assert_true(baseline_apply(strbuf_str(&text), "b", &two, 1, &f.arena, &n_known, &e));
    assert_int_equal(two.n, 2);
    strbuf_clear(&text); /* paths are relative to the folder of the baseline */
    assert_true(baseline_write("../elsewhere/b", &before, 1, &text, &e));
    assert_non_null(strstr(text.at, "\"path\": \"../"));
    assert_false(baseline_apply(STR("{\"version\": 9}"), "b", &two, 1, &f.arena, &n_known, &e));
    strbuf_done(&text);
    fixture_close(&f);
}

static void a_report_comes_back_from_bytes(void **state)
{
    struct lint_fixture f;
    struct strbuf text = {0};
    struct err e = {0};
    const struct json *root;
    struct file_report back;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    struct file_report r = fixture_run(&f, V "x = Variable(torch.zeros(1))\n");
    struct json_out w = json_open(&text, JSON_COMPACT);
    report_write(&r, &w);
    assert_true(json_parse(strbuf_str(&text), "r", &f.arena, &root, &e));
    assert_true(report_read(root, f.rules, &f.arena, &back));
    assert_int_equal(back.n, 1);
    assert_true(str_eq(back.findings[0].message, r.findings[0].message));
    assert_memory_equal(&back.findings[0].start, &r.findings[0].start,
                        sizeof back.findings[0].start);
    assert_int_equal(back.findings[0].fix.n_edits, 1);
    assert_true(str_eq(back.findings[0].fix.edits[0].text, r.findings[0].fix.edits[0].text));
    strbuf_done(&text);
    fixture_close(&f);
}

static const struct row {
    const char *meaning, *before, *after;
} rows[] = {
    {"new comment", V "x = Variable(y)\n", V "x = Variable(y)  # assay: ignore[SB091]\n"},
    {"last line of the statement", V "x = Variable(\n    y\n)\n",
     V "x = Variable(\n    y\n)  # assay: ignore[SB091]\n"},
    {"no line end", V "x = Variable(y)", V "x = Variable(y)  # assay: ignore[SB091]"},
    {"behind another comment", V "x = Variable(y)  # old\n",
     V "x = Variable(y)  # old  # assay: ignore[SB091]\n"},
};

static void ignore_comments_silence_what_they_were_made_for(void **state)
{
    struct lint_fixture f;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct file_report r = fixture_run(&f, rows[i].before);
        struct str out;
        assert_int_equal(ignore_add_comments(&r, str_of(rows[i].before), &f.arena, &out), 1);
        ASSERT_ROW(str_is(out, rows[i].after), rows[i].meaning);
        struct file_report after = fixture_run_bytes(&f, out, false);
        ASSERT_ROW(after.n == 0, rows[i].meaning);
    }
    fixture_close(&f);
}

TEST_SUITE(lint_keep, TEST(a_baseline_knows_moved_lines_and_counts),
           TEST(a_report_comes_back_from_bytes),
           TEST(ignore_comments_silence_what_they_were_made_for))
