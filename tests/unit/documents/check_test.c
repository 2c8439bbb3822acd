/* Which documented examples are wrong, given the output of their runs. */
#include "documents/check.h"

#include "unit/test.h"

enum { STATEMENTS_MAX = 3 };

struct row {
    const char *name, *doc;
    const char *printed[DOCUMENT_RUNS][STATEMENTS_MAX]; /* "!Type: message": it raised */
    enum document_class class;                          /* of the gravest finding */
    const char *kind;
};

static const struct row rows[] = {
    {"equal", ">>> f()\n1", {{"1"}, {"1"}, {"1"}}, DOCUMENT_OK, NULL},
    {"a wrong value", ">>> f()\n1", {{"2"}, {"2"}, {"2"}}, DOCUMENT_WRONG, "value"},
    {"a value that depends on the seed", ">>> f()\n1", {{"2"}, {"3"}, {"2"}}, DOCUMENT_OK, NULL},
    {"a value that depends on memory", ">>> f()\n1", {{"2"}, {"2"}, {"3"}}, DOCUMENT_OK, NULL},
    {"memory that was never written",
     ">>> f.empty(1)\n1",
     {{"0"}, {"0"}, {"0"}},
     DOCUMENT_OK,
     NULL},
    {"a shape, whatever the seed",
     ">>> f()\ntensor([1.])",
     {{"tensor([[2.]])"}, {"tensor([[3.]])"}, {"tensor([[4.]])"}},
     DOCUMENT_WRONG,
     "shape"},
    {"a shape that depends on the seed",
     ">>> f()\ntensor([1.])",
     {{"tensor([[2.]])"}, {"tensor([3.])"}, {"tensor([[4.]])"}},
     DOCUMENT_OK,
     NULL},
    {"raises",
     ">>> f()\n1",
     {{"!TypeError: x"}, {"!TypeError: x"}, {"!TypeError: x"}},
     DOCUMENT_WRONG,
     "raises"},
    {"a device",
     ">>> f()\n1",
     {{"!RuntimeError: no TPU"}, {"!RuntimeError: no TPU"}, {"!RuntimeError: no TPU"}},
     DOCUMENT_OK,
     NULL},
    {"no device, but a word that ends like one",
     ">>> f()\n1",
     {{"!RuntimeError: OUTPUT"}, {"!RuntimeError: OUTPUT"}, {"!RuntimeError: OUTPUT"}},
     DOCUMENT_WRONG,
     "raises"},
    {"raises as documented",
     ">>> f()\nTypeError: x",
     {{"!TypeError: x"}, {"!TypeError: x"}, {"!TypeError: x"}},
     DOCUMENT_OK,
     NULL},
    {"raises what a comment names",
     ">>> f()  # TypeError",
     {{"!TypeError: x"}, {"!TypeError: x"}, {"!TypeError: x"}},
     DOCUMENT_OK,
     NULL},
    {"does not raise as documented",
     ">>> f()\nTraceback (most recent call last):\nTypeError: x",
     {{"1"}, {"1"}, {"1"}},
     DOCUMENT_WRONG,
     "does not raise"},
    {"an unknown name is a placeholder",
     ">>> f(x)\n1",
     {{"!NameError: name 'x' is not defined"},
      {"!NameError: name 'x' is not defined"},
      {"!NameError: name 'x' is not defined"}},
     DOCUMENT_STALE,
     "uses a name that the document does not define"},
    {"a device",
     ">>> f()\n1",
     {{"!RuntimeError: No CUDA GPUs"},
      {"!RuntimeError: No CUDA GPUs"},
      {"!RuntimeError: No CUDA GPUs"}},
     DOCUMENT_OK,
     NULL},
    {"behind a failure nothing is wrong",
     ">>> g(x)\n>>> f()\n1",
     {{"!NameError: x", "2"}, {"!NameError: x", "2"}, {"!NameError: x", "2"}},
     DOCUMENT_STALE,
     "value"},
    {"cosmetic", ">>> f()\na b", {{"a c"}, {"a c"}, {"a c"}}, DOCUMENT_STALE, "text"},
    {"prints nothing", ">>> x = f()\n1", {{""}, {""}, {""}}, DOCUMENT_STALE, "prints nothing"},
};

static struct document_run run_of(const char *const *printed, size_t n, struct arena *a)
{
    struct example_result *list = arena_new_array(a, struct example_result, n);
    for (size_t i = 0; i < n; i++) {
        struct str text = str_of(printed[i]);
        size_t colon = str_find_byte(text, ':');
        if (text.at[0] == '!')
            list[i] = (struct example_result){.type = str_sub(text, 1, colon),
                                              .message = str_sub(text, colon + 2, text.n)};
        else
            list[i].printed = text;
    }
    return (struct document_run){.end = STR("done"), .at = list, .n = n};
}

static void judged(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct document d;
        struct document_run runs[DOCUMENT_RUNS];
        struct document_findings found = {0};
        struct document_tally tally = {0};
        arena_init(&a);
        struct api_record r = {.name = STR("f"), .doc = str_of(rows[i].doc)};
        document_open(&r, &a, &d);
        for (unsigned k = 0; k < DOCUMENT_RUNS; k++)
            runs[k] = run_of(rows[i].printed[k], d.examples.n, &a);
        document_take(&d, runs);
        document_judge(&d, &a, &found, &tally);
        ASSERT_ROW((found.n > 0) == (rows[i].kind != NULL), rows[i].name);
        if (found.n) {
            const struct document_finding *f = &found.at[found.n - 1];
            ASSERT_ROW(f->class == rows[i].class && !strcmp(f->kind, rows[i].kind), rows[i].name);
        }
        arena_done(&a);
    }
}

static void a_printed_random_input_is_put_back(void **state)
{
    static const char *const printed[DOCUMENT_RUNS][3] = {
        {"", "tensor([0.1000])", "tensor([0.2000])"},
        {"", "tensor([0.3000])", "tensor([0.6000])"},
        {"", "tensor([0.4000])", "tensor([0.8000])"}};
    struct arena a;
    struct document d;
    struct document_run runs[DOCUMENT_RUNS];
    struct api_record r = {
        .name = STR("f"),
        .doc = STR(">>> a = rand(1)\n>>> a\ntensor([0.7000])\n>>> 2 * a\ntensor([1.4000])")};
    (void)state;
    arena_init(&a);
    document_open(&r, &a, &d);
    for (unsigned k = 0; k < DOCUMENT_RUNS; k++)
        runs[k] = run_of(printed[k], 3, &a);
    document_take(&d, runs);
    assert_true(document_put_back(&d, &a));
    assert_true(str_is(d.puts[1], "[[0.7000]]"));
    assert_int_equal(d.puts[2].n, 0);
    arena_done(&a);
}

static void answers_are_read(void **state)
{
    struct arena a;
    const struct document_run *runs;
    size_t n;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    struct str good =
        STR("{\"name\": \"f\", \"end\": \"done\", \"results\": [{\"printed\": \"1\\n\"}, "
            "{\"printed\": \"\", \"type\": \"E\", \"message\": \"m\", \"put\": true}]}\n");
    assert_true(document_runs_read(good, &a, &runs, &n, &e));
    assert_int_equal(n, 1);
    assert_int_equal(runs[0].n, 2);
    assert_true(str_is(runs[0].at[0].printed, "1\n") && str_is(runs[0].at[1].type, "E"));
    assert_true(runs[0].at[1].was_put);
    static const char *const bad[] = {"[]", "{\"name\": 1}", "{\"name\": \"f\", \"end\": \"done\"}",
                                      "x"};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        ASSERT_ROW(!document_runs_read(str_of(bad[i]), &a, &runs, &n, &e), bad[i]);
    arena_done(&a);
}

TEST_SUITE(documents_check, TEST(judged), TEST(a_printed_random_input_is_put_back),
           TEST(answers_are_read))
