/* What the standard says of a model of one node: types and shapes, that it raises, or nothing. */
#include "generate/foretell/standard.h"

#include "onnx/io.h"
#include "unit/test.h"

struct row {
    const char *name, *op;
    enum dtype dtype;
    enum outcome_kind is;
    const char *result;
    size_t rank;
};

static const struct row rows[] = {
    {"a shape is inferred, a type has NumPy's name", "Relu", DTYPE_FLOAT, OUTCOME_KIND_OK,
     "float32", 2},
    {"another type", "Relu", DTYPE_DOUBLE, OUTCOME_KIND_OK, "float64", 2},
    {"a type of the result alone", "Size", DTYPE_FLOAT, OUTCOME_KIND_OK, "int64", 0},
    {"a type that the schema leaves out", "Relu", DTYPE_BOOL, OUTCOME_KIND_RAISED, NULL, 0},
    {"a shape that depends on values", "NonZero", DTYPE_FLOAT, OUTCOME_KIND_ABSTAINS, NULL, 0},
    {"an operator that takes more inputs", "MatMul", DTYPE_FLOAT, OUTCOME_KIND_RAISED, NULL, 0},
};

static struct str hex_of_model(const struct row *row, struct arena *a)
{
    static const int64_t dims[] = {2, 3};
    struct strbuf bytes = {0}, hex = {0};
    struct err e = {0};
    struct model *m = model_new(a, 21);
    uint32_t in = graph_add_input(m, m->graph, STR("x"), row->dtype, dims, 2);
    graph_add_output(m->graph, graph_add_node(m, m->graph, row->op, &in, 1, 1));
    if (!model_write(m, false, &bytes, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < bytes.n; i++)
        strbuf_printf(&hex, "%02x", (unsigned char)bytes.at[i]);
    struct str text = strbuf_dup(&hex, a);
    strbuf_done(&bytes);
    strbuf_done(&hex);
    return text;
}

static void a_model_is_told_as_an_outcome(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct call_outcome told;
        arena_init(&a);
        standard_outcome(hex_of_model(&rows[i], &a), &a, &told);
        ASSERT_ROW(told.is == rows[i].is, rows[i].name);
        if (told.is == OUTCOME_KIND_OK) {
            ASSERT_ROW(told.n_leaves == 1, rows[i].name);
            ASSERT_ROW(str_is(told.leaves[0].dtype, rows[i].result), rows[i].name);
            ASSERT_ROW(told.leaves[0].rank == rows[i].rank, rows[i].name);
        }
        arena_done(&a);
    }
}

static void what_is_no_model_says_nothing_right(void **state)
{
    struct arena a;
    struct call_outcome told;
    (void)state;
    arena_init(&a);
    standard_outcome(STR("zz"), &a, &told);
    assert_int_equal(told.is, OUTCOME_KIND_ABSTAINS);
    standard_outcome(STR("ff"), &a, &told);
    assert_int_not_equal(told.is, OUTCOME_KIND_OK);
    arena_done(&a);
}

TEST_SUITE(generate_foretell_standard, TEST(a_model_is_told_as_an_outcome),
           TEST(what_is_no_model_says_nothing_right))
