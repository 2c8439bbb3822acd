/* Which blocks of an operator's document are examples, and the statements that they become. */
#include "documents/operator_example.h"

#include "unit/test.h"

enum { STATEMENTS_MAX = 8 };

struct row {
    const char *name, *doc;
    const char *sources[STATEMENTS_MAX], *expected[STATEMENTS_MAX]; /* up to NULL */
};

static const struct row rows[] = {
    {"one output",
     "```\nX = [1.5, 2]  # of shape [2]\nindices = [[0],\n    [1],\n]\naxis = 0,\noutput = "
     "[[1.5],\n"
     "  [2]]\n```",
     {"node = onnx.helper.make_node(\"Take\", [\"X\", \"indices\"], [\"Y\"], axis=0)\n",
      "outputs = reference.ReferenceEvaluator(node).run(None, {\"X\": np.array([1.5, 2], "
      "\"float32\"), \"indices\": np.array([[0], [1], ], \"int64\")})\n",
      "outputs[0]\n"},
     {"", "", "array([[1.5], [2]])"}},
    {"prefixes, an absent attribute, two outputs",
     "```\ninput_x = [1]\nattribute_axis = None\nattribute_mode = 'a'\noutput_y = [2]\n"
     "output_counts = [3]\n```",
     {"node = onnx.helper.make_node(\"Take\", [\"X\"], [\"Y\", \"counts\"], mode='a')\n",
      "outputs = reference.ReferenceEvaluator(node).run(None, {\"X\": np.array([1], "
      "\"int64\")})\n",
      "outputs[0]\n", "outputs[1]\n"},
     {"", "", "array([2])", "array([3])"}},
    {"values stay for the next group",
     "```\nX = [1]\noutput = [1]\naxis=1\noutput = [2]\n```",
     {"node = onnx.helper.make_node(\"Take\", [\"X\"], [\"Y\"])\n",
      "outputs = reference.ReferenceEvaluator(node).run(None, {\"X\": np.array([1], "
      "\"int64\")})\n",
      "outputs[0]\n", "node = onnx.helper.make_node(\"Take\", [\"X\"], [\"Y\"], axis=1)\n",
      "outputs = reference.ReferenceEvaluator(node).run(None, {\"X\": np.array([1], "
      "\"int64\")})\n",
      "outputs[0]\n"},
     {"", "", "array([1])", "", "", "array([2])"}},
    {"code is none", "```\nX = [1]\noutput = np.abs(X)\n```", {NULL}, {NULL}},
    {"an unknown name", "```\nX = [1]\nk = 3\noutput = [2]\n```", {NULL}, {NULL}},
    {"no output", "```\nX = [1]\n```\noutput = [2]\n", {NULL}, {NULL}},
    {"a type without literals", "```\nscale = [1]\noutput = [2]\n```", {NULL}, {NULL}},
    {"an open bracket", "```\nX = [1\noutput = [2]\n```", {NULL}, {NULL}},
    {"an open fence", "```\nX = [1]\noutput = [2]", {NULL}, {NULL}},
};

static void blocks_of_assignments(void **state)
{
    const struct str schemas[] = {
        STR("input X: T Single"),         STR("input indices: tensor(int64) Single"),
        STR("input scale: T2 Optional"),  STR("output Y: T Single"),
        STR("output counts: T Optional"), STR("attribute axis: INT=0"),
        STR("attribute mode: STRING"),    STR("type T: tensor(float), tensor(int64)"),
        STR("type T2: tensor(bool)"),
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct example_list list;
        struct api_record r = {.name = STR("ai.onnx.Take"),
                               .doc = str_of(rows[i].doc),
                               .schemas = schemas,
                               .n_schemas = COUNT_OF(schemas)};
        size_t n = 0;
        arena_init(&a);
        operator_example_find(&r, &a, &list);
        while (n < STATEMENTS_MAX && rows[i].sources[n])
            n++;
        ASSERT_ROW(list.n == n, rows[i].name);
        for (size_t k = 0; k < n; k++) {
            ASSERT_ROW(str_is(list.at[k].source, rows[i].sources[k]), rows[i].name);
            ASSERT_ROW(str_is(list.at[k].expected, rows[i].expected[k]), rows[i].name);
        }
        arena_done(&a);
    }
}

TEST_SUITE(documents_operator_example, TEST(blocks_of_assignments))
