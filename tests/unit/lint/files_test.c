/* From bytes to findings: suppressions, damage, notebooks, places, fixes, arbitrary input. */
#include "unit/lint/lint_test.h"
#include "unit/test.h"

void fixture_open(struct lint_fixture *f, enum confidence least)
{
    struct rule_set_options o = {0};
    struct choice choice = {0};
    struct err e = {0};
    *f = (struct lint_fixture){0};
    arena_init(&f->arena);
    assert_true(rule_set_new(&o, &f->rules, &e));
    assert_true(selection_new(f->rules, &choice, &f->arena, &f->selection, &e));
    f->options = (struct lint_options){.selection = f->selection, .min_confidence = least};
    f->linter = linter_new(f->rules, &f->options);
}

void fixture_close(struct lint_fixture *f)
{
    linter_free(f->linter);
    rule_set_free(f->rules);
    arena_done(&f->arena);
}

struct file_report fixture_run_bytes(struct lint_fixture *f, struct str bytes, bool is_notebook)
{
    struct lint_input in = {.path = STR("train.py"), .bytes = bytes, .is_notebook = is_notebook};
    struct file_report r;
    linter_run(f->linter, &in, &f->arena, &r);
    return r;
}

struct file_report fixture_run(struct lint_fixture *f, const char *text)
{
    return fixture_run_bytes(f, str_of(text), false);
}

const char *fixture_codes(struct lint_fixture *f, const struct file_report *r)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < r->n; i++)
        strbuf_printf(&text, "%s" STR_FMT, i ? " " : "", STR_ARG(r->findings[i].code));
    const char *result = strbuf_dup(&text, &f->arena).at;
    strbuf_done(&text);
    return result;
}

#define V "import torch\nfrom torch.autograd import Variable\n"

static const struct row {
    const char *meaning, *text, *codes;
} rows[] = {
    {"plain", V "x = Variable(torch.zeros(1))\n", "SB091"},
    {"ignored", V "x = Variable(torch.zeros(1))  # assay: ignore[SB091] old\n", ""},
    {"ignored without codes", V "x = Variable(torch.zeros(1))  # assay: ignore\n", ""},
    {"noqa with code", V "x = Variable(torch.zeros(1))  # noqa: SB091\n", ""},
    {"noqa with codes of others", V "x = Variable(torch.zeros(1))  # noqa: E501,SB091\n", ""},
    {"bare noqa", V "x = Variable(torch.zeros(1))  # noqa\n", ""},
    {"noqa of a file by ruff", "# ruff: noqa\n" V "x = Variable(torch.zeros(1))\n", ""},
    {"noqa of a file by flake8", "# flake8: noqa: SB091\n" V "x = Variable(torch.zeros(1))\n", ""},
    {"noqa of a file for others", "# ruff: noqa: E501\n" V "x = Variable(torch.zeros(1))\n",
     "SB091"},
    {"noqa of a file behind code", V "x = Variable(torch.zeros(1))  # ruff: noqa\n", "SB091"},
    {"ignored by prefix", V "x = Variable(torch.zeros(1))  # assay: ignore[SB09]\n", ""},
    {"ignored by name", V "x = Variable(torch.zeros(1))  # assay: ignore[variable-is-obsolete]\n",
     ""},
    {"noqa of another code", V "x = Variable(torch.zeros(1))  # noqa: E501\n", "SB091"},
    {"other tool's word", V "x = Variable(torch.zeros(1))  # noqa-like\n", "SB091"},
    {"for the file", "# assay: ignore-file[SB091]\n" V "x = Variable(torch.zeros(1))\n", ""},
    {"last line of the statement",
     V "x = Variable(\n    torch.zeros(1)\n)  # assay: ignore[SB091]\n", ""},
    {"unused", V "x = torch.zeros(1)  # assay: ignore[SB091]\n", "SB903"},
    {"unused noqa", V "x = torch.zeros(1)  # noqa: SB091\n", "SB903"},
    {"bare noqa is never unused", V "x = torch.zeros(1)  # noqa\n", ""},
    {"unknown code", V "x = torch.zeros(1)  # assay: ignore[SB999]\n", "SB904"},
    {"codes of others are not looked at", V "x = 1  # noqa: E501\n", ""},
    {"a rule that does not run is not unused", V "x = 1  # assay: ignore[SB042]\n", ""},
    {"one of two codes used", V "x = Variable(torch.zeros(1))  # assay: ignore[SB091, SB032]\n",
     "SB903"},
    {"behind another tool's",
     V "x = Variable(torch.zeros(1))  # noqa: E501  # assay: ignore[SB091]\n", ""},
    {"a word that begins so", V "x = Variable(torch.zeros(1))  # assay: ignored for now\n",
     "SB091 SB904"},
    {"not closed", V "x = Variable(torch.zeros(1))  # assay: ignore[SB091\n", "SB091 SB904"},
    {"no code", V "x = Variable(torch.zeros(1))  # assay: ignore[]\n", "SB091 SB904"},
    {"ours without codes", V "x = Variable(torch.zeros(1))  # assay: ignore\n", ""},
    {"small letters", V "x = Variable(torch.zeros(1))  # assay: ignore[sb091]\n", "SB091 SB904"},
    {"small letters of noqa", V "x = Variable(torch.zeros(1))  # noqa: sb091\n", "SB091 SB904"},
    {"noqa with a colon and no code", V "x = Variable(torch.zeros(1))  # noqa: because\n", "SB091"},
    {"noqa with words", V "x = Variable(torch.zeros(1))  # noqa because\n", ""},
    {"another rule set's code", V "x = 1  # assay: ignore[AB001]\n", ""},
    {"inside a string is no comment",
     V "x = Variable(torch.zeros(1)); s = '# assay: ignore[SB091]'\n", "SB091"},
    {"not about torch", "import os\nx = Variable(1)\n", ""},
};

static void suppressions_silence_and_are_judged(void **state)
{
    struct lint_fixture f;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct file_report r = fixture_run(&f, rows[i].text);
        const char *codes = fixture_codes(&f, &r);
        if (strcmp(codes, rows[i].codes) != 0)
            fail_msg("row \"%s\": got \"%s\"", rows[i].meaning, codes);
    }
    fixture_close(&f);
}

static const struct fix_row {
    const char *meaning, *before, *after;
    bool unsafe;
} fixes[] = {
    {"safe", V "x = Variable(torch.zeros(1))\n", V "x = torch.zeros(1)\n", false},
    {"unsafe is left", V "x = Variable(y)\n", V "x = Variable(y)\n", false},
    {"unsafe", V "x = Variable(y)\n", V "x = y.detach()\n", true},
    {"nested", V "x = Variable(Variable(torch.zeros(1)))\n", V "x = torch.zeros(1)\n", false},
    {"unused suppression", V "x = 1  # assay: ignore[SB091]\ny = 2\n", V "x = 1\ny = 2\n", false},
    {"one unused code of two", V "x = Variable(y)  # assay: ignore[SB091, SB032]\n",
     V "x = Variable(y)  # assay: ignore[SB091]\n", false},
    {"added argument", "import torch\nfrom torch.nn import functional as F\nF.softmax(x,)\n",
     "import torch\nfrom torch.nn import functional as F\nF.softmax(x, dim=-1,)\n", true},
    {"line ends stay",
     "import torch\r\nfrom torch.autograd import Variable\r\nx = Variable(torch.zeros(1))\r\n",
     "import torch\r\nfrom torch.autograd import Variable\r\nx = torch.zeros(1)\r\n", false},
};

static void fixes_change_what_they_say_and_nothing_else(void **state)
{
    struct lint_fixture f;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    for (size_t i = 0; i < COUNT_OF(fixes); i++) {
        struct lint_input in = {.path = STR("a.py"), .bytes = str_of(fixes[i].before)};
        struct fix_options o = {.unsafe = fixes[i].unsafe, .fixable = f.selection};
        struct file_report left;
        struct str out;
        struct err e = {0};
        uint32_t n;
        assert_true(linter_fix(f.linter, &in, &o, &f.arena, &out, &n, &left, &e));
        if (!str_is(out, fixes[i].after))
            fail_msg("row \"%s\": got \"" STR_FMT "\"", fixes[i].meaning, STR_ARG(out));
    }
    fixture_close(&f);
}

static void any_bytes_get_an_answer(void **state)
{
    struct lint_fixture f;
    struct strbuf deep = {0};
    static const char *const texts[] = {"",
                                        "\n",
                                        "\xff\xfe torch",
                                        "import torch\n'",
                                        "torch\0x",
                                        "import torch\ndef f(:\n  (((",
                                        "import torch\n\xef\xbb\xbfx"};
    (void)state;
    fixture_open(&f, CONFIDENCE_LOW);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct file_report r = fixture_run(&f, texts[i]);
        assert_false(r.has_failed);
    }
    strbuf_adds(&deep, "import torch\nx = ");
    for (int i = 0; i < 10000; i++)
        strbuf_addc(&deep, '(');
    struct file_report r = fixture_run_bytes(&f, strbuf_str(&deep), false);
    assert_true(r.is_analysed);
    struct file_report bad = fixture_run_bytes(&f, STR("torch, no JSON"), true);
    assert_true(bad.has_failed);
    assert_string_equal(fixture_codes(&f, &bad), "SB902");
    strbuf_done(&deep);
    fixture_close(&f);
}

static void notebooks_give_cell_and_line(void **state)
{
    struct lint_fixture f;
    static const char text[] =
        "{\"cells\": [{\"cell_type\": \"markdown\", \"source\": [\"torch\"]}, {\"cell_type\": "
        "\"code\", "
        "\"source\": [\"import torch\\n\", \"from torch.autograd import Variable\"]}, "
        "{\"cell_type\": "
        "\"code\", \"source\": [\"%time\\n\", \"x = Variable(torch.zeros(1))\"]}]}";
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    struct file_report r = fixture_run_bytes(&f, str_of(text), true);
    assert_int_equal(r.n, 1);
    assert_int_equal(r.findings[0].start.cell, 3);
    assert_int_equal(r.findings[0].start.line, 2);
    assert_int_equal(r.findings[0].start.column, 5);
    fixture_close(&f);
}

/* What a rule that is silent in tests (SB041) reports, by the path of the file and its damage. */
static void paths_of_tests_are_known(void **state)
{
#define SAVED "import torch\nfrom torch import nn\nm = nn.Linear(4, 2)\ntorch.save(m, 'm.pt')\n"
    static const struct {
        const char *path, *text, *codes;
    } cases[] = {
        {"train.py", SAVED, "SB041"},         {"train.py", SAVED "def broken(:\n", "SB041"},
        {"test_train.py", SAVED, ""},         {"test_train.py", SAVED "def broken(:\n", ""},
        {"pkg/train_test.py", SAVED, ""},     {"pkg/latest_train.py", SAVED, "SB041"},
        {"conftest.py", SAVED, ""},           {"pkg/tests.py", SAVED, ""},
        {"pkg/contests.py", SAVED, "SB041"},  {"tests/train.py", SAVED, ""},
        {"a/tests/b/train.py", SAVED, ""},    {"test/train.py", SAVED, ""},
        {"a/test/train.py", SAVED, ""},       {"contest/train.py", SAVED, "SB041"},
        {"a/testing/train.py", SAVED, ""},    {"a/bench_train.py", SAVED, ""},
        {"a/benchmarks/train.py", SAVED, ""},
    };
    struct lint_fixture f;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct lint_input in = {.path = str_of(cases[i].path), .bytes = str_of(cases[i].text)};
        struct file_report r;
        linter_run(f.linter, &in, &f.arena, &r);
        ASSERT_ROW(strcmp(fixture_codes(&f, &r), cases[i].codes) == 0, cases[i].path);
    }
    fixture_close(&f);
#undef SAVED
}

static void columns_count_characters(void **state)
{
    struct lint_fixture f;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    struct file_report r =
        fixture_run(&f, V "s = '\xf0\x9f\x98\x80\xc3\xa9'; x = Variable(torch.zeros(1))\n");
    assert_int_equal(r.n, 1);
    assert_int_equal(r.findings[0].start.column, 15);
    assert_int_equal(r.findings[0].start.utf16, 15);
    fixture_close(&f);
}

TEST_SUITE(lint_files, TEST(suppressions_silence_and_are_judged),
           TEST(fixes_change_what_they_say_and_nothing_else), TEST(paths_of_tests_are_known),
           TEST(any_bytes_get_an_answer), TEST(notebooks_give_cell_and_line),
           TEST(columns_count_characters))
