/* Bug reports in all formats, of one made-up bug with a real case on disk. */
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/path.h"
#include "report/report_p.h"
#include "unit/report/bug_fixture.h"
#include "unit/test.h"

static void json_has_the_promised_fields(void **state)
{
    static const char *const fields[] = {"id",         "key",
                                         "title",      "state",
                                         "severity",   "class",
                                         "oracle",     "taxonomy",
                                         "engine",     "version",
                                         "mode",       "pass",
                                         "ops",        "dtype",
                                         "nodes",      "measure",
                                         "threshold",  "reproducibility",
                                         "first_bad",  "fixed_in",
                                         "first_seen", "cases_until_found",
                                         "folder",     "claim",
                                         "portable",   "traits"};
    struct scene s;
    struct strbuf text = {0};
    struct err e;
    const struct json *j;
    (void)state;
    scene_init(&s);
    struct json_out w = json_open(&text, JSON_COMPACT);
    report_bug_json(&s.bug, false, &w);
    assert_true(json_parse(strbuf_str(&text), "bug", &s.a, &j, &e));
    assert_int_equal(j->n, COUNT_OF(fields));
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        ASSERT_ROW(str_is(j->keys[i], fields[i]), fields[i]);
    assert_int_equal(json_get(j, "cases_until_found")->integer, 42);
    assert_int_equal(json_get(j, "ops")->n, 2);
    assert_int_equal(json_get(json_get(j, "reproducibility"), "k")->integer, 9);
    strbuf_done(&text);
    scene_done(&s);
}

static void show_adds_what_the_reduction_took(void **state)
{
    static const struct {
        const char *key;
        int64_t reduced; /* where the case was shrunk; else null is given */
    } rows[] = {{"nodes_before", 31}, {"reduce_runs", 77}, {"reduce_ms", 412}};
    struct scene s;
    struct err e;
    (void)state;
    scene_init(&s);
    for (int is_reduced = 0; is_reduced < 2; is_reduced++) {
        struct strbuf text = {0};
        const struct json *j;
        s.bug.row.nodes_before = is_reduced ? 31 : 0;
        s.bug.row.reduce_runs = is_reduced ? 77 : 0;
        s.bug.row.reduce_ms = is_reduced ? 412 : 0;
        struct json_out w = json_open(&text, JSON_COMPACT);
        report_bug_json(&s.bug, true, &w);
        assert_true(json_parse(strbuf_str(&text), "bug", &s.a, &j, &e));
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            const struct json *v = json_get(j, rows[i].key);
            ASSERT_ROW(v != NULL, rows[i].key);
            if (is_reduced)
                ASSERT_ROW(v->integer == rows[i].reduced, rows[i].key);
            else
                ASSERT_ROW(v->kind == JSON_KIND_NULL, rows[i].key);
        }
        strbuf_done(&text);
    }
    scene_done(&s);
}

/* A copy of the scene's bug under another rule, in another state. */
static struct report_bug bug_like(const struct scene *s, const char *class, const char *severity,
                                  const char *state)
{
    struct report_bug b = s->bug;
    b.row.class = str_of(class);
    b.row.severity = str_of(severity);
    b.row.state = str_of(state);
    return b;
}

static const struct json *need(const struct json *object, const char *key, enum json_kind kind)
{
    const struct json *v = json_get(object, key);
    if (!v || v->kind != kind)
        fail_msg("sarif: %s is missing or of another kind", key);
    return v;
}

static bool is_level(struct str s)
{
    return str_is(s, "none") || str_is(s, "note") || str_is(s, "warning") || str_is(s, "error");
}

/* A relative reference of RFC 3986: no scheme, no leading slash, no byte that must be escaped. */
static bool is_relative_uri(struct str s)
{
    static const char others[] = "-._~!$&'()*+,;=@/%";
    for (size_t i = 0; i < s.n; i++) {
        char c = s.at[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              strchr(others, c)))
            return false;
    }
    return s.n > 0 && s.at[0] != '/';
}

static void check_sarif_result(const struct json *result, const struct json *rules)
{
    const struct json *rule = need(result, "ruleIndex", JSON_KIND_INTEGER);
    const struct json *places = need(result, "locations", JSON_KIND_ARRAY);
    assert_true(
        need(need(result, "message", JSON_KIND_OBJECT), "text", JSON_KIND_STRING)->string.n);
    assert_true(is_level(need(result, "level", JSON_KIND_STRING)->string));
    assert_true(rule->integer >= 0 && (size_t)rule->integer < rules->n);
    assert_true(str_eq(need(result, "ruleId", JSON_KIND_STRING)->string,
                       need(&rules->items[rule->integer], "id", JSON_KIND_STRING)->string));
    assert_int_equal(places->n, 1);
    const struct json *place = need(&places->items[0], "physicalLocation", JSON_KIND_OBJECT);
    const struct json *file = need(place, "artifactLocation", JSON_KIND_OBJECT);
    assert_true(is_relative_uri(need(file, "uri", JSON_KIND_STRING)->string));
    const struct json *region = need(place, "region", JSON_KIND_OBJECT);
    assert_true(need(region, "startLine", JSON_KIND_INTEGER)->integer >= 1);
    const struct json *prints = need(result, "partialFingerprints", JSON_KIND_OBJECT);
    for (size_t i = 0; i < prints->n; i++)
        assert_int_equal(prints->items[i].kind, JSON_KIND_STRING);
    need(result, "properties", JSON_KIND_OBJECT);
}

/* What sarif-schema-2.1.0.json demands of the properties that are written: which are required,
 * their enumerations, ranges and formats. */
static void sarif_keeps_to_its_schema(void **state)
{
    struct scene s;
    struct err e = {0};
    struct strbuf text = {0};
    const struct json *log;
    (void)state;
    scene_init(&s);
    struct report_bug bugs[] = {
        bug_like(&s, "wrong-result", "S1", "confirmed"),
        bug_like(&s, "native-crash", "S3", "confirmed"),
        bug_like(&s, "wrong-result", "S4", "flaky"),
        bug_like(&s, "resource", "S2", "ignored"),
    };
    bugs[1].row.claim = bugs[1].row.outcome = (struct str){0};
    bugs[2].row.folder = (struct str){0};
    bugs[3].row.folder = STR("a folder/50%/#1");
    const struct report r = {.bugs = bugs, .n = COUNT_OF(bugs), .version = "test"};
    assert_true(report_find(STR("sarif"))->write(&r, &text, &e));
    assert_true(json_parse(strbuf_str(&text), "sarif", &s.a, &log, &e));
    assert_true(str_is(need(log, "version", JSON_KIND_STRING)->string, "2.1.0"));
    assert_true(str_starts(need(log, "$schema", JSON_KIND_STRING)->string, STR("https://")));
    const struct json *runs = need(log, "runs", JSON_KIND_ARRAY);
    assert_int_equal(runs->n, 1);
    const struct json *driver =
        need(need(&runs->items[0], "tool", JSON_KIND_OBJECT), "driver", JSON_KIND_OBJECT);
    assert_true(need(driver, "name", JSON_KIND_STRING)->string.n > 0);
    const struct json *rules = need(driver, "rules", JSON_KIND_ARRAY);
    assert_int_equal(rules->n, 3); /* each once: the schema wants them unique */
    for (size_t i = 0; i < rules->n; i++)
        need(need(&rules->items[i], "shortDescription", JSON_KIND_OBJECT), "text",
             JSON_KIND_STRING);
    const struct json *results = need(&runs->items[0], "results", JSON_KIND_ARRAY);
    assert_int_equal(results->n, COUNT_OF(bugs));
    for (size_t i = 0; i < results->n; i++)
        check_sarif_result(&results->items[i], rules);
    strbuf_done(&text);
    scene_done(&s);
}

static void the_optimiser_at_fault_is_named(void **state)
{
    static const char *const formats[] = {"text", "md", "json"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct scene s;
        struct strbuf text = {0};
        struct err e;
        scene_init(&s);
        const struct report r = {.bugs = &s.bug, .n = 1, .one = true, .version = "test"};
        const struct report_format *f = report_find(str_of(formats[i]));
        ASSERT_ROW(f && f->write(&r, &text, &e), formats[i]);
        ASSERT_ROW(strstr(text.at, "ConvBNFusion"), formats[i]);
        strbuf_done(&text);
        scene_done(&s);
    }
}

static void each_format_says_what_matters(void **state)
{
    static const struct {
        const char *format, *says[4];
    } rows[] = {
        {"text",
         {"[S1] 0123456789  ort@1.31.1/all:ConvBNFusion  Add+Relu (float)  wrong value 5e-01  9/10 "
          " 2 nodes",
          "expected 2, got 3", "after 42 cases", "9 of 10"}},
        {"json", {"\"cases_until_found\": 42", "\"places\": [", "\"verdicts\"", "\"expected\": 2"}},
        {"md", {"# ort 1.31.1: Relu: wrong", "expected: `2`", "= Add(x, w)", "9 of 10 runs"}},
        {"script",
         {"model = helper.make_model(", "ort.GraphOptimizationLevel.ORT_ENABLE_ALL",
          "print(\"onnxruntime\", ort.__version__, \"at level all\")",
          "expected = np.array([1.25, 1.0, 0.0, 0.501"}},
        {"sarif",
         {"\"version\": \"2.1.0\"", "\"ruleId\": \"reference/wrong-result\"",
          "\"primaryLocationLineHash\": \"wrong-result|x|<&>\"", "case/reproduce.py"}},
        {"junit",
         {"failures=\"1\"", "wrong-result|x|&lt;&amp;&gt;", "Relu: wrong &quot;value&quot;",
          "classname=\"ort.all\""}},
    };
    struct scene s;
    size_t n;
    (void)state;
    scene_init(&s);
    report_list(&n);
    assert_int_equal(n, COUNT_OF(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct strbuf text = {0};
        struct err e = {0};
        const struct report r = {.bugs = &s.bug, .n = 1, .one = true, .version = "test"};
        const struct report_format *f = report_find(str_of(rows[i].format));
        ASSERT_ROW(f && f->write(&r, &text, &e), rows[i].format);
        for (size_t k = 0; k < 4; k++)
            if (!strstr(text.at, rows[i].says[k]))
                fail_msg("%s lacks \"%s\":\n%s", rows[i].format, rows[i].says[k], text.at);
        strbuf_done(&text);
    }
    scene_done(&s);
}

static struct str written(const char *format, const struct report_bug *bug, struct arena *a)
{
    struct strbuf text = {0};
    struct err e = {0};
    const struct report r = {.bugs = bug, .n = 1, .one = true, .version = "test"};
    if (!report_find(str_of(format))->write(&r, &text, &e))
        fail_msg("%s: %s", format, e.text);
    struct str out = strbuf_dup(&text, a);
    strbuf_done(&text);
    return out;
}

static bool holds(struct str text, const char *piece)
{
    return str_find(text, str_of(piece)) < text.n;
}

/* A bug that needs a second opinion is shown with a mark and does not fail a run. */
static void what_needs_a_second_opinion_is_no_defect(void **state)
{
    static const struct {
        const char *format, *says, *of_a_defect;
    } rows[] = {
        {"text", "2 nodes  needs-second-opinion", NULL},
        {"json", "\"state\": \"needs-second-opinion\"", NULL},
        {"md", "**Needs a second opinion:**", NULL},
        {"md", "- [ ] a person who knows the standard says that it is wrong", NULL},
        {"sarif", "\"kind\": \"review\"", "\"level\": \"error\""},
        {"sarif", "\"level\": \"none\"", "\"level\": \"error\""},
        {"junit", "<skipped message=\"needs-second-opinion\"", "<failure"},
        {"junit", "failures=\"0\" skipped=\"1\"", "<failure"},
    };
    struct scene s;
    (void)state;
    scene_init(&s);
    const struct report_bug bug = bug_like(&s, "wrong-result", "S1", "needs-second-opinion");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str text = written(rows[i].format, &bug, &s.a);
        ASSERT_ROW(holds(text, rows[i].says), rows[i].says);
        ASSERT_ROW(!holds(written(rows[i].format, &s.bug, &s.a), rows[i].says), rows[i].says);
        ASSERT_ROW(!rows[i].of_a_defect || !holds(text, rows[i].of_a_defect), rows[i].says);
    }
    scene_done(&s);
}

/* What a person or the project's file accepts is suppressed, with the reason. */
static void what_is_accepted_is_suppressed(void **state)
{
    static const struct {
        const char *state, *format, *says, *of_a_defect;
    } rows[] = {
        {"known", "sarif", "\"justification\": \"told upstream\"", "\"level\": \"error\""},
        {"ignored", "sarif", "\"status\": \"accepted\"", "\"level\": \"error\""},
        {"known", "junit", "<skipped message=\"told upstream\"", "<failure"},
        {"known", "json", "\"state\": \"known\"", NULL},
    };
    struct scene s;
    (void)state;
    scene_init(&s);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct report_bug bug = bug_like(&s, "wrong-result", "S1", rows[i].state);
        bug.row.reason = STR("told upstream");
        struct str text = written(rows[i].format, &bug, &s.a);
        ASSERT_ROW(holds(text, rows[i].says), rows[i].says);
        ASSERT_ROW(!holds(written(rows[i].format, &s.bug, &s.a), rows[i].says), rows[i].says);
        ASSERT_ROW(!rows[i].of_a_defect || !holds(text, rows[i].of_a_defect), rows[i].says);
    }
    scene_done(&s);
}

static void a_merged_bug_says_into_which(void **state)
{
    struct scene s;
    struct strbuf line = {0};
    (void)state;
    scene_init(&s);
    struct store_bug row = s.bug.row;
    row.state = STR("ignored");
    row.merged_into = STR("abcdef0123");
    report_bug_line(&row, &line);
    assert_true(str_ends(strbuf_str(&line), STR("  ignored, merged into abcdef0123")));
    strbuf_done(&line);
    scene_done(&s);
}

/* Names that would be markup, move the cursor, or end a line, a block or a comment. */
#define HOSTILE "`x`|\n# hi\n```\n\x1b[2J--> <b>"

static struct report_bug hostile_bug(struct scene *s, struct tcase *c, struct verdict *v)
{
    struct report_bug b = s->bug;
    struct model *m = scene_model(&s->a);
    const struct str name = STR(HOSTILE);
    m->graph->values.at[m->graph->outputs.at[0]].name = name;
    m->graph->values.at[m->graph->inputs.at[0]].name = name;
    *c = *s->bug.c;
    c->input_sets[0].at[0].name = name;
    *v = (struct verdict){.oracle = "reference", .decision = DECISION_FAIL, .claim = name};
    c->graph = m;
    b.c = c;
    b.verdicts = (struct verdicts){v, 1};
    b.row.title = b.row.claim = b.row.output = b.row.node = b.row.message = b.row.key = name;
    b.row.pass = b.row.op_type = b.row.reason = name;
    return b;
}

static void names_cannot_be_markup_or_move_the_cursor(void **state)
{
    static const char *const formats[] = {"text", "md", "script"};
    struct scene s;
    struct tcase c;
    struct verdict v;
    (void)state;
    scene_init(&s);
    const struct report_bug bug = hostile_bug(&s, &c, &v);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct str rest = written(formats[i], &bug, &s.a), line;
        bool is_md = strcmp(formats[i], "md") == 0, in_block = false;
        ASSERT_ROW(holds(rest, "# hi") && !holds(rest, "\x1b"), formats[i]);
        while (str_split(&rest, '\n', &line)) {
            in_block ^= is_md && str_starts(line, STR("````"));
            ASSERT_ROW(in_block || !str_starts(line, STR("# hi")), formats[i]);
        }
        ASSERT_ROW(!in_block, formats[i]);
    }
    struct str md = written("md", &bug, &s.a);
    assert_true(holds(md, ": \\`x\\`\\|\\\\n\\# hi"));         /* the heading */
    assert_true(holds(md, "of output ```` `x`|\\n# hi"));      /* code in a line */
    assert_true(holds(md, "````\n`x`|\n# hi\n```\n\\x1b[2J")); /* the message */
    assert_true(holds(md, "--&gt; <b> -->"));                  /* the key */
    assert_true(holds(written("script", &bug, &s.a), "\"\"\"`x`| # hi ``` \\\\x1b[2J--> <b>\n"));
    scene_done(&s);
}

/* A run that differs from another run was not compared with the standard. */
static void a_draft_says_what_a_number_was_held_against(void **state)
{
    static const char *const rows[][2] = {
        {"reference",
         "- expected: `2` (float64 evaluation of the standard's text)\n- observed: `3`"},
        {"nondeterminism", "- first run: `2`\n- second run: `3`"},
        {"levels", "- without optimisations: `2`\n- observed: `3`"},
        {"metamorphic", "- the model that it was made from: `2`\n- observed: `3`"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene s;
        struct strbuf text = {0};
        struct err e;
        scene_init(&s);
        s.bug.row.oracle = str_of(rows[i][0]);
        const struct report r = {.bugs = &s.bug, .n = 1, .one = true, .version = "test"};
        ASSERT_ROW(report_find(STR("md"))->write(&r, &text, &e), rows[i][0]);
        ASSERT_ROW(strstr(text.at, rows[i][1]), rows[i][0]);
        strbuf_done(&text);
        scene_done(&s);
    }
}

static void a_folder_gets_a_script_that_python_compiles(void **state)
{
    struct scene s;
    struct err e;
    (void)state;
    scene_init(&s);
    if (!report_write_folder(&s.bug, "test", &e))
        fail_msg("%s", e.text);
    const char *script = path_join(&s.a, s.bug.folder, "reproduce.py");
    assert_int_equal(file_stat(path_join(&s.a, s.bug.folder, "report.md")).kind, FILE_REGULAR);
    const char *command = arena_printf(&s.a, "python3 -m py_compile %s", script);
    assert_int_equal(system(command), 0);
    scene_done(&s);
}

/* The expected values are 1.25 1 0 0.501 0 8: the largest is 8. */
static void a_script_allows_less_than_what_was_seen(void **state)
{
    static const struct {
        const char *name, *wrong;
        double measure, threshold, expected, observed;
        const char *atol;
    } rows[] = {
        {"relative to its slice", "value", 0.5, 1e-4, 2, 3, "atol=0.0002,"},
        {"a slice of almost nothing", "value", 1e15, 2e9, 0, 1, "atol=7.63e-06,"},
        {"rounding of the largest", "value", 1, 1e-9, 2, 4, "atol=7.63e-06,"},
        {"nothing is rounded", "value", 1e-4, 0, 2, 2.0002, "atol=0.0001,"},
        {"no numbers to scale by", "nan", 1, 1e-6, 2, NAN, "atol=8e-06,"},
    };
    struct scene s;
    (void)state;
    scene_init(&s);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct strbuf text = {0};
        struct err e;
        struct report_bug b = s.bug;
        b.row.wrong = str_of(rows[i].wrong);
        b.row.measure = rows[i].measure;
        b.row.threshold = rows[i].threshold;
        b.row.expected = rows[i].expected;
        b.row.observed = rows[i].observed;
        assert_true(report__write_script(&b, "test", &text, &e));
        if (!strstr(text.at, rows[i].atol))
            fail_msg("%s: %.30s", rows[i].name, strstr(text.at, "atol="));
        strbuf_done(&text);
    }
    scene_done(&s);
}

/* A release that lacks the opset or a kernel does not show a refusal: exit 2, as replay says. */
static void a_script_of_a_refusal_knows_what_an_engine_lacks(void **state)
{
    struct scene s;
    struct strbuf text = {0};
    struct err e;
    (void)state;
    scene_init(&s);
    struct report_bug b = s.bug;
    b.row.engine = STR("ort");
    b.row.class = STR("wrong-exception");
    b.row.wrong = STR("outcome");
    b.row.outcome = STR("exception");
    if (!report__write_script(&b, "test", &text, &e))
        fail_msg("%s", e.text);
    const char *lacks = strstr(text.at, "if any(text in str(error) for text in (");
    assert_non_null(lacks);
    assert_non_null(strstr(lacks, "\"is under development and support for this is limited\","));
    const char *gate = strstr(lacks, "sys.exit(2)"), *found = strstr(lacks, "the bug is there");
    assert_true(gate && found && gate < found);
    strbuf_done(&text);
    scene_done(&s);
}

/* OpenVINO takes values of under 8 bits packed, ONNX Runtime as a value of its own; other inputs
 * need no helper. */
static void a_script_feeds_narrow_inputs_as_the_engine_wants_them(void **state)
{
    static const struct {
        enum dtype dtype;
        const char *engine, *mode, *needs;
    } rows[] = {
        {DTYPE_FLOAT, "openvino", "f32", NULL},
        {DTYPE_INT4, "openvino", "f32", "openvino.Tensor("},
        {DTYPE_FLOAT, "ort", "all", NULL},
        {DTYPE_INT4, "ort", "all", "import ctypes"},
        {DTYPE_FLOAT, "onnxsim", "all", NULL},
        {DTYPE_FLOAT8E5M2FNUZ, "onnxsim", "all", "ctypes.memmove("},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct scene s;
        struct strbuf text = {0};
        struct err e;
        static const double one[] = {1};
        scene_init(&s);
        struct report_bug b = s.bug;
        struct tcase c = *b.c;
        struct named_tensor input = {.name = STR("x")};
        struct tensors set = {&input, 1};
        assert_true(tensor_from_doubles(rows[i].dtype, NULL, 0, one, &s.a, &input.tensor, &e));
        c.input_sets = &set;
        c.n_input_sets = 1;
        b.c = &c;
        b.row.engine = str_of(rows[i].engine);
        b.row.mode = str_of(rows[i].mode);
        b.row.class = STR("wrong-exception");
        b.row.outcome = STR("exception");
        if (!report__write_script(&b, "test", &text, &e))
            fail_msg("%s", e.text);
        for (size_t k = 0; k < 3; k++) {
            const char *piece =
                (const char *const[]){"def narrow(", "narrow(model, name, feeds[name])",
                                      rows[i].needs ? rows[i].needs : "ctypes"}[k];
            ASSERT_ROW((strstr(text.at, piece) != NULL) == (rows[i].needs != NULL), piece);
        }
        strbuf_done(&text);
        scene_done(&s);
    }
}

static void what_is_gone_is_said(void **state)
{
    struct scene s;
    struct err e;
    struct strbuf text = {0};
    (void)state;
    scene_init(&s);
    struct store_bug row = s.bug.row;
    row.folder = STR("nowhere");
    assert_true(report_bug_load(s.store, &row, s.dir, &s.a, &s.bug, &e));
    assert_null(s.bug.c);
    assert_false(report__write_script(&s.bug, "test", &text, &e));
    assert_non_null(strstr(e.text, "no reproducer was kept"));
    strbuf_done(&text);
    scene_done(&s);
}

TEST_SUITE(report_bug, TEST(json_has_the_promised_fields), TEST(show_adds_what_the_reduction_took),
           TEST(the_optimiser_at_fault_is_named), TEST(sarif_keeps_to_its_schema),
           TEST(a_draft_says_what_a_number_was_held_against), TEST(each_format_says_what_matters),
           TEST(a_folder_gets_a_script_that_python_compiles),
           TEST(a_script_allows_less_than_what_was_seen),
           TEST(a_script_of_a_refusal_knows_what_an_engine_lacks),
           TEST(a_script_feeds_narrow_inputs_as_the_engine_wants_them), TEST(what_is_gone_is_said),
           TEST(what_needs_a_second_opinion_is_no_defect), TEST(what_is_accepted_is_suppressed),
           TEST(a_merged_bug_says_into_which), TEST(names_cannot_be_markup_or_move_the_cursor))
