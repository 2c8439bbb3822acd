/* What documents predict of results: schemas of ONNX, shapes of elementwise functions, types that a
 * framework narrows. */
#include "generate/foretell/predict.h"
#include "unit/test.h"

#define TENSOR(dtype, shape)                                                                       \
    "{\"tensor\": {\"dtype\": \"" dtype "\", \"shape\": " shape ", \"values\": [1]}}"

struct row {
    const char *name, *seed;
    enum predictor predictor;
    struct change change;
    bool is_given;
    enum outcome_kind is;
    const char *dtype; /* of the first result */
    size_t last_dim;
};

#define CONCAT                                                                                     \
    "{\"symbol\": \"ai.onnx.Concat\", \"op\": \"concat\", \"args\": [" TENSOR(                     \
        "float32", "[2]") ", " TENSOR("float32", "[2]") "], \"keys\": {\"axis\": 0, \"rate\": "    \
                                                        "0.5}, \"leaves\": [[\"float32\", [4]]]}"
#define ABS                                                                                        \
    "{\"symbol\": \"ai.onnx.Abs\", \"op\": \"abs\", \"args\": [" TENSOR(                           \
        "float32", "[2]") "], \"keys\": {}, \"leaves\": [[\"float32\", [2]]]}"
#define ADD(symbol)                                                                                \
    "{\"symbol\": \"" symbol                                                                       \
    "\", \"op\": \"add\", \"args\": [" TENSOR("float32", "[2, 1]") ", " TENSOR(                    \
        "float32", "[2, 3]") "], \"keys\": {}, \"leaves\": [[\"float32\", [2, 3]]]}"
#define KERAS(symbol, make)                                                                        \
    "{\"symbol\": \"" symbol "\", \"op\": \"abs\", " make                                          \
    "\"args\": [" TENSOR("float32", "[2]") "], \"keys\": {}, \"leaves\": [[\"float32\", [2]]]}"

static const struct row rows[] = {
    {"an input takes no text",
     ABS,
     PREDICTOR_constraints,
     {CHANGE_TEXT_TENSOR, 0, TEXT("\"x\"")},
     true,
     OUTCOME_KIND_RAISED,
     "",
     0},
    {"a listed type",
     ABS,
     PREDICTOR_constraints,
     {CHANGE_DTYPE, 0, TEXT(TENSOR("float64", "[2]"))},
     true,
     OUTCOME_KIND_OK,
     "float64",
     2},
    {"a type that is not listed",
     ABS,
     PREDICTOR_constraints,
     {CHANGE_DTYPE, 0, TEXT(TENSOR("bool", "[2]"))},
     true,
     OUTCOME_KIND_RAISED,
     "",
     0},
    {"inputs of one type variable",
     CONCAT,
     PREDICTOR_constraints,
     {CHANGE_DTYPE, 1, TEXT(TENSOR("float64", "[2]"))},
     true,
     OUTCOME_KIND_RAISED,
     "",
     0},
    {"an integer attribute",
     CONCAT,
     PREDICTOR_constraints,
     {CHANGE_FRACTION, 2, TEXT("1.5")},
     true,
     OUTCOME_KIND_RAISED,
     "",
     0},
    {"another integer", CONCAT, PREDICTOR_constraints, {CHANGE_INT, 2, TEXT("1")}, false, 0, "", 0},
    {"an attribute that no schema has",
     CONCAT,
     PREDICTOR_constraints,
     {CHANGE_TEXT_FLOAT, 3, TEXT("\"x\"")},
     false,
     0,
     "",
     0},
    {"shapes are broadcast",
     ADD("torch.add"),
     PREDICTOR_elementwise,
     {CHANGE_DIM, 1, TEXT(TENSOR("float32", "[2, 4]"))},
     true,
     OUTCOME_KIND_OK,
     "float32",
     4},
    {"shapes that are not",
     ADD("torch.add"),
     PREDICTOR_elementwise,
     {CHANGE_RANK, 1, TEXT(TENSOR("float32", "[3, 4]"))},
     true,
     OUTCOME_KIND_RAISED,
     "",
     0},
    {"types of two tensors are promoted",
     ADD("torch.add"),
     PREDICTOR_elementwise,
     {CHANGE_DTYPE, 1, TEXT(TENSOR("float64", "[2, 3]"))},
     false,
     0,
     "",
     0},
    {"a result of another shape",
     CONCAT,
     PREDICTOR_elementwise,
     {CHANGE_DIM, 1, TEXT(TENSOR("float32", "[3]"))},
     false,
     0,
     "",
     0},
    {"Keras has no float64",
     KERAS("keras.ops.abs", ""),
     PREDICTOR_before,
     {CHANGE_DTYPE, 0, TEXT(TENSOR("float64", "[2]"))},
     true,
     OUTCOME_KIND_OK,
     "float32",
     2},
    {"its functions have float16",
     KERAS("keras.ops.abs", ""),
     PREDICTOR_before,
     {CHANGE_DTYPE, 0, TEXT(TENSOR("float16", "[2]"))},
     true,
     OUTCOME_KIND_OK,
     "float16",
     2},
    {"its layers have not",
     KERAS("keras.layers.Abs", "\"make\": 0, "),
     PREDICTOR_before,
     {CHANGE_DTYPE, 0, TEXT(TENSOR("float16", "[2]"))},
     true,
     OUTCOME_KIND_OK,
     "float32",
     2},
    {"torch has float64",
     KERAS("torch.abs", ""),
     PREDICTOR_before,
     {CHANGE_DTYPE, 0, TEXT(TENSOR("float64", "[2]"))},
     true,
     OUTCOME_KIND_OK,
     "float64",
     2},
};

static void documents_predict_results(void **state)
{
    static const struct str schemas[] = {TEXT("input X: T Variadic"), TEXT("output Y: T Single"),
                                         TEXT("attribute axis: INT=1"),
                                         TEXT("type T: tensor(double), tensor(float)")};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct row *row = &rows[i];
        struct arena a;
        struct api_calls calls;
        struct api_call changed;
        struct err e = {0};
        struct prediction all[PREDICTOR_COUNT];
        arena_init(&a);
        if (!api_calls_read(str_of(row->seed), "test", &a, &calls, &e))
            fail_msg("%s: %s", row->name, e.text);
        bool onnx = str_starts(calls.at[0].symbol, STR("ai.onnx."));
        const struct api_record r = {.kind = onnx ? STR("operator") : STR("function"),
                                     .doc = STR("Does it element-wise."),
                                     .schemas = schemas,
                                     .n_schemas = onnx ? COUNT_OF(schemas) : 0};
        assert_true(change_apply(&calls.at[0], &row->change, &a, &changed));
        struct situation s = {
            .record = &r, .seed = &calls.at[0], .changed = &changed, .change = &row->change};
        predict_all(&s, all);
        const struct prediction *p = &all[row->predictor];
        ASSERT_ROW(p->is_given == row->is_given, row->name);
        ASSERT_ROW(!p->is_given || p->is == row->is, row->name);
        if (p->is_given && p->is == OUTCOME_KIND_OK) {
            ASSERT_ROW(str_is(p->leaves[0].dtype, row->dtype), row->name);
            ASSERT_ROW(p->leaves[0].dims[p->leaves[0].rank - 1] == row->last_dim, row->name);
        }
        arena_done(&a);
    }
}

TEST_SUITE(generate_foretell_documents, TEST(documents_predict_results))
