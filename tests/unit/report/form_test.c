/* Drafts in the fields of the trackers' own forms; wrong forms are refused with the place. */
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "base/share.h"
#include "report/form_p.h"
#include "unit/report/bug_fixture.h"
#include "unit/test.h"

#define EMPTY "_No response_"
#define PERSON "_left to the person who files this_"

/* The made-up bug as if it were found in this engine, with a message and a machine. */
static struct report_bug bug_of(const struct scene *s, const char *engine)
{
    struct report_bug b = s->bug;
    b.row.engine = str_of(engine);
    b.row.message = STR("the engine's message\n\n");
    b.machine = (struct report_machine){STR("Some Linux 7"), STR("6.1.2"), STR("x86-64")};
    return b;
}

static struct str draft_of(const struct report_bug *bug, struct arena *a)
{
    struct strbuf text = {0};
    struct err e = {0};
    const struct report r = {.bugs = bug, .n = 1, .one = true, .version = "test"};
    if (!report_find(STR("md"))->write(&r, &text, &e))
        fail_msg("%s", e.text);
    struct str out = strbuf_dup(&text, a);
    strbuf_done(&text);
    return out;
}

static bool holds(struct str text, const char *piece)
{
    return str_find(text, str_of(piece)) < text.n;
}

/* Takes the text up to the line off the front of *rest. */
static struct str take_to(struct str *rest, const char *line, struct arena *a)
{
    const char *mark = arena_printf(a, "\n%s\n", line);
    size_t at = str_find(*rest, str_of(mark));
    if (at == rest->n)
        fail_msg("\"%s\" is missing or out of order in:\n" STR_FMT, line, STR_ARG(*rest));
    struct str before = str_sub(*rest, 0, at);
    *rest = str_sub(*rest, at + strlen(mark), rest->n);
    return before;
}

/* A heading and a piece of the text below it, in the form's order. */
struct section {
    const char *heading, *holds;
};

static const struct {
    const char *engine, *title;
    struct section sections[12];
} forms[] = {
    {"ort",
     "# ort 1.31.1: Relu",
     {{"### Describe the issue", "expected 2, got 3\n\n- engine: ort@1.31.1/all"},
      {"### To reproduce", "import onnxruntime as ort"},
      {"### Urgency", PERSON},
      {"### Platform", "Linux"},
      {"### OS Version", "Some Linux 7, Linux 6.1.2"},
      {"### ONNX Runtime Installation", "Python package `onnxruntime` 1.31.1"},
      {"### ONNX Runtime Version or Commit ID", "1.31.1"},
      {"### ONNX Runtime API", "Python"},
      {"### Architecture", "x86-64"},
      {"### Execution Provider", "Default CPU"},
      {"### Execution Provider Library Version", EMPTY}}},
    {"openvino",
     "# [Bug]: openvino 1.31.1: Relu",
     {{"### OpenVINO Version", "1.31.1"},
      {"### Operating System", "Some Linux 7"},
      {"### Device used for inference", "CPU"},
      {"### Framework", "ONNX"},
      {"### Model used", "The reproducer builds it."},
      {"### Issue description", "expected 2, got 3\n\n- engine: openvino@1.31.1/all"},
      {"### Step-by-step reproduction", "import openvino"},
      {"### Relevant log output", "```\nthe engine's message\n```"},
      {"### Issue submission checklist", PERSON}}},
    {"onnx-version-converter",
     "# onnx-version-converter 1.31.1: Relu",
     {{"### Is the issue related to model conversion?", "No exporter is involved"},
      {"### Describe the bug", "the engine's message"},
      {"### System information", "- OS: Some Linux 7, Linux 6.1.2\n- architecture: x86-64\n- onnx: "
                                 "1.31.1\n- Python: " PERSON},
      {"### Reproduction instructions", "import onnx"},
      {"### Expected behavior", "- expected: `2` (float64"},
      {"### Notes", "- [Relu](https://onnx.ai/onnx/operators/onnx__Relu.html)"}}},
    {"onnxsim",
     "# [BUG] onnxsim 1.31.1: Relu",
     {{"**Describe the bug**", "- observed: `3`"}, {"**Model**", "import onnxsim"}}},
    {"onnxslim",
     "# onnxslim 1.31.1: Relu",
     {{"**Describe the bug**", "= Add(x, w)"},
      {"**To Reproduce**", "import onnxslim"},
      {"**Expected behavior**", "- observed: `3`"},
      {"**Screenshots**", EMPTY},
      {"**Environment:**", "- onnxslim: 1.31.1"},
      {"**Additional context**", "opset 17"}}},
};

static void a_draft_has_the_fields_of_the_tracker(void **state)
{
    struct scene s;
    (void)state;
    scene_init(&s);
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        const struct report_bug bug = bug_of(&s, forms[i].engine);
        const struct section *at = forms[i].sections;
        struct str rest = draft_of(&bug, &s.a);
        ASSERT_ROW(str_starts(rest, str_of(forms[i].title)), forms[i].engine);
        ASSERT_ROW(str_trim(take_to(&rest, at->heading, &s.a)).n > 0, forms[i].engine);
        for (; at->heading; at++) {
            bool is_last = !at[1].heading;
            struct str body = take_to(&rest, is_last ? "---" : at[1].heading, &s.a);
            if (!holds(body, at->holds) || holds(body, EMPTY) != (strcmp(at->holds, EMPTY) == 0))
                fail_msg("%s, %s:\n" STR_FMT, forms[i].engine, at->heading, STR_ARG(body));
        }
        ASSERT_ROW(holds(rest, "This is a draft and nothing was sent"), forms[i].engine);
        ASSERT_ROW(holds(rest, "- [ ] the fields that are left to a person"), forms[i].engine);
    }
    scene_done(&s);
}

/* What a converter made was run by an engine whose version counts too. */
static void the_system_names_who_runs_the_result(void **state)
{
    const struct target_id runner = {
        .engine = STR("ort"), .version = STR("1.2.3"), .mode = STR("off"), .n_threads = 1};
    struct verdict v = {
        .oracle = "reference",
        .decision = DECISION_FAIL,
        .target = {.engine = STR("onnxslim"), .mode = STR("all"), .runner = &runner}};
    struct scene s;
    (void)state;
    scene_init(&s);
    struct report_bug bug = bug_of(&s, "onnxslim");
    bug.verdicts = (struct verdicts){&v, 1};
    assert_true(holds(draft_of(&bug, &s.a), "- result run by: ort@1.2.3/off\n"));
    v.target.engine = STR("onnxsim"); /* this engine's results are not run by another */
    assert_false(holds(draft_of(&bug, &s.a), "result run by"));
    scene_done(&s);
}

/* A form says what is not known, and leaves out no field. */
static void what_is_not_known_is_left_to_the_person(void **state)
{
    static const char *const says[] = {
        "### OS Version\n\n" PERSON "\n",
        "### Architecture\n\n" PERSON "\n",
        "### To reproduce\n\nNo script: bug 0123456789: no reproducer was kept\n",
    };
    struct scene s;
    (void)state;
    scene_init(&s);
    struct report_bug bug = bug_of(&s, "ort");
    bug.machine = (struct report_machine){0};
    bug.c = NULL;
    bug.why_no_case = "no reproducer was kept";
    struct str text = draft_of(&bug, &s.a);
    for (size_t i = 0; i < COUNT_OF(says); i++)
        ASSERT_ROW(holds(text, says[i]), says[i]);
    bug.row.engine = STR("openvino");
    bug.row.message = STR("");
    assert_true(holds(draft_of(&bug, &s.a), "### Relevant log output\n\n" EMPTY "\n"));
    scene_done(&s);
}

static void an_engine_without_a_form_has_the_general_draft(void **state)
{
    static const char *const engines[] = {"onnxoptimizer", "an-engine-of-a-later-assay"};
    static const char *const headings[] = {"## Model or program", "## Expected and observed",
                                           "## To reproduce", "## What the standard says",
                                           "## Before this draft is filed"};
    struct scene s;
    (void)state;
    scene_init(&s);
    for (size_t i = 0; i < COUNT_OF(engines); i++) {
        struct report_bug bug = bug_of(&s, engines[i]);
        struct str rest = draft_of(&bug, &s.a);
        ASSERT_ROW(!holds(rest, "\n---\n") && !holds(rest, EMPTY) && !holds(rest, PERSON),
                   engines[i]);
        for (size_t k = 0; k < COUNT_OF(headings); k++)
            assert_true(str_trim(take_to(&rest, headings[k], &s.a)).n > 0);
        bug.c = NULL; /* no heading is without text */
        ASSERT_ROW(!holds(draft_of(&bug, &s.a), "## Model"), engines[i]);
    }
    scene_done(&s);
}

/* A report written elsewhere still says where the bug was confirmed. */
static void a_folder_keeps_the_machine(void **state)
{
    struct scene s;
    struct err e = {0};
    struct report_bug back;
    (void)state;
    scene_init(&s);
    assert_int_equal(s.bug.machine.kernel.n, 0);
    assert_true(report_write_folder(&s.bug, "test", &e));
    assert_true(report_bug_load(s.store, &s.bug.row, s.dir, &s.a, &back, &e));
    assert_true(back.machine.kernel.n > 0 && back.machine.architecture.n > 0);
    for (size_t i = 0; i < back.machine.kernel.n; i++) /* nothing that could name the machine */
        assert_non_null(strchr("0123456789.", back.machine.kernel.at[i]));
    struct str md;
    assert_true(file_read(path_join(&s.a, s.bug.folder, "report.md"), 1 << 20, &s.a, &md, &e));
    assert_true(str_eq(md, draft_of(&back, &s.a)));
    const char *path = path_join(&s.a, s.bug.folder, "machine.json");
    assert_true(file_write(path, "{", 1, &e));
    assert_false(report_bug_load(s.store, &s.bug.row, s.dir, &s.a, &back, &e));
    assert_int_equal(e.code, ERR_DATA);
    assert_non_null(strstr(e.text, "machine.json:1"));
    scene_done(&s);
}

/* A draft names a sandbox that was not full, and is silent about a full one. */
static void a_sandbox_that_was_not_full_is_told(void **state)
{
    static const struct {
        const char *sandbox;
        bool told;
    } rows[] = {{"", false}, {"full", false}, {"best effort (landlock off)", true}, {"off", true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene s;
        struct err e;
        struct strbuf text = {0};
        scene_init(&s);
        s.bug.sandbox = str_of(rows[i].sandbox);
        const char *line =
            arena_printf(&s.a, "- ran in a sandbox that was not full: %s\n", rows[i].sandbox);
        ASSERT_ROW(holds(draft_of(&s.bug, &s.a), line) == rows[i].told, rows[i].sandbox);
        const struct report r = {.bugs = &s.bug, .n = 1};
        assert_true(report_find(STR("text"))->write(&r, &text, &e));
        ASSERT_ROW(holds(strbuf_str(&text), "  sandbox ") == (rows[i].sandbox[0] != 0),
                   rows[i].sandbox);
        strbuf_done(&text);
        scene_done(&s);
    }
}

/* Valid, with the claim first and one reproducer. */
static void every_form_is_worth_reading(void **state)
{
    size_t n, n_forms = 0;
    const struct share_file *files = share_list("targets/", &n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        struct arena a;
        struct draft d;
        struct err e;
        size_t n_seen[FORM_PART_COUNT] = {0};
        arena_init(&a);
        if (!form__parse(files[i].bytes, files[i].path, &a, &d, &e))
            fail_msg("%s", e.text);
        for (size_t k = 0; k < d.form.n; k++)
            for (size_t p = 0; p < d.form.fields[k].n_parts; p++) {
                bool is_first = p == 0;
                n_seen[d.form.fields[k].parts[p]]++;
                ASSERT_ROW(is_first || d.form.fields[k].parts[p] != FORM_PART_SUMMARY,
                           files[i].path);
            }
        ASSERT_ROW(n_seen[FORM_PART_SUMMARY] == 1 && n_seen[FORM_PART_REPRODUCE] == 1 &&
                       n_seen[FORM_PART_EXPECTED_OBSERVED] == 1 && n_seen[FORM_PART_STANDARD] == 1,
                   files[i].path);
        n_forms += d.form.tracker.n > 0;
        arena_done(&a);
    }
    assert_true(n_forms >= COUNT_OF(forms));
}

static void wrong_forms_are_refused_with_the_place(void **state)
{
    static const struct {
        const char *fields, *message;
    } rows[] = {
        {"\"tracker\": \"https://t\", \"title\": \"\", \"template\": \"b.yml\",\n\"fields\": "
         "[{\"heading\": \"# A\",\n\"parts\": [\"sumary\"]}]",
         "d.json: line 3: key \"parts\": no part is called \"sumary\", did you mean \"summary\"?"},
        {"\"tracker\": \"https://t\", \"title\": \"\", \"template\": \"b.yml\",\n\"fields\": "
         "[{\"heading\": \"# A\", \"parts\": [\"log\",\n\"log\"]}]",
         "d.json: line 3: key \"parts\": \"log\" is listed twice"},
        {"\"tracker\": \"https://t\", \"title\": \"\", \"template\": \"b.yml\", \"fields\": "
         "[{\"heading\": \"# A\", \"parts\": [7]}]",
         "d.json: line 1: key \"parts\": a list of strings is expected"},
        {"\"tracker\": \"https://t\", \"title\": \"\", \"template\": \"b.yml\", \"fields\": "
         "[\n{\"heading\": \"# A\"}]",
         "d.json: line 2: a field has either \"text\" or \"parts\""},
        {"\"tracker\": \"https://t\", \"title\": \"\", \"template\": \"b.yml\", \"fields\": "
         "[{\"heading\": \"# A\", \"text\": \"\"}]",
         "d.json: line 1: key \"text\": it is empty"},
        {"\"tracker\": \"https://t\", \"title\": \"\", \"template\": \"b.yml\", \"fields\": "
         "[{\"heading\": \"A\", \"text\": \"t\"}]",
         "d.json: line 1: key \"heading\": a line that begins with '#' or \"**\" is expected"},
        {"\"tracker\": \"https://t\", \"title\": \"\", \"template\": \"b.yml\", \"fields\": "
         "[{\"headin\": \"# A\", \"text\": \"t\"}]",
         "d.json: line 1: unknown key \"headin\", did you mean \"heading\"?"},
        {"\"tracker\": \"https://t\", \"title\": \"\", \"template\": \"b.yml\", \"fields\": [7]",
         "d.json: line 1: key \"fields\": a list of objects is expected"},
        {"\"tracker\": \"https://t\", \"title\": \"\", \"template\": \"b.yml\", \"fields\": []",
         "d.json: line 1: key \"fields\": at least one field is expected"},
        {"\"tracker\": \"t\", \"title\": \"\", \"template\": \"b.yml\", \"fields\": []",
         "d.json: line 1: key \"tracker\": an address that begins with https:// is expected"},
    };
    struct arena a;
    struct draft d = {0};
    struct err e = {0};
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str text = str_of(arena_printf(&a, "{\"form\": {%s}}", rows[i].fields));
        ASSERT_ROW(!form__parse(text, "d.json", &a, &d, &e), rows[i].message);
        assert_string_equal(e.text, rows[i].message);
        assert_int_equal(e.code, ERR_DATA);
    }
    assert_false(form__parse(STR("{\"form\": 7}"), "d.json", &a, &d, &e));
    assert_non_null(strstr(e.text, "key \"form\": an object is expected"));
    arena_done(&a);
}

TEST_SUITE(report_form, TEST(a_draft_has_the_fields_of_the_tracker),
           TEST(the_system_names_who_runs_the_result),
           TEST(what_is_not_known_is_left_to_the_person),
           TEST(an_engine_without_a_form_has_the_general_draft), TEST(a_folder_keeps_the_machine),
           TEST(a_sandbox_that_was_not_full_is_told), TEST(every_form_is_worth_reading),
           TEST(wrong_forms_are_refused_with_the_place))
