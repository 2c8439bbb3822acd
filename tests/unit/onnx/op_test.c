/* The operator table: order, facts, versions. */
#include "onnx/op.h"
#include "unit/test.h"

static void rows_are_sorted_and_known_to_the_standard(void **state)
{
    size_t n;
    const struct op *rows = op_list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        ASSERT_ROW(i == 0 || strcmp(rows[i - 1].name, rows[i].name) < 0, rows[i].name);
        ASSERT_ROW(op_find(STR(""), str_of(rows[i].name)) == &rows[i], rows[i].name);
        ASSERT_ROW(op_fact_find(STR(""), str_of(rows[i].name), MODEL_OPSET_NEWEST), rows[i].name);
        ASSERT_ROW(rows[i].row == i, rows[i].name);
    }
}

/* Has the operator subgraphs? Their nodes have rounding models of their own. */
static bool has_subgraph(const char *name)
{
    const struct op_fact *f = op_fact_find(STR(""), str_of(name), MODEL_OPSET_NEWEST);
    for (int i = 0; i < f->n_attrs; i++)
        if (f->attrs[i].kind == ATTR_GRAPH)
            return true;
    return false;
}

static void rounding_goes_with_exactness(void **state)
{
    size_t n;
    const struct op *rows = op_list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        if (rows[i].exactness == OP_EXACT)
            ASSERT_ROW(rows[i].rounding == OP_ROUND_NONE, rows[i].name);
        if (rows[i].exactness == OP_ROUNDED && !has_subgraph(rows[i].name))
            ASSERT_ROW(rows[i].rounding != OP_ROUND_NONE, rows[i].name);
    }
}

static void facts_are_those_of_the_newest_version_at_the_opset(void **state)
{
    static const struct {
        const char *name;
        int opset, since;
    } rows[] = {{"Relu", 7, 6},  {"Relu", 13, 13}, {"Relu", 28, 14},
                {"Add", 7, 7},   {"Clip", 10, 6},  {"Clip", 11, 11},
                {"Gelu", 19, 0}, {"Gelu", 20, 20}, {"Nothing", 9, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct op_fact *f = op_fact_find(STR(""), str_of(rows[i].name), rows[i].opset);
        ASSERT_ROW((f ? f->since_version : 0) == rows[i].since, rows[i].name);
    }
}

static void facts_tell_parameters_attributes_and_types(void **state)
{
    const struct op_fact *conv = op_fact_find(STR(""), STR("Conv"), 17);
    const struct op_fact *concat = op_fact_find(STR(""), STR("Concat"), 17);
    const struct op_fact *upsample = op_fact_find(STR(""), STR("Upsample"), 17);
    (void)state;
    assert_string_equal(op_fact_input(conv, 2)->name, "B");
    assert_int_equal(op_fact_input(conv, 2)->arity, OP_OPTIONAL);
    assert_null(op_fact_input(conv, 3));
    assert_true(op_fact_input(conv, 0)->dtypes & dtype_bit(DTYPE_FLOAT16));
    assert_false(op_fact_input(conv, 0)->dtypes & dtype_bit(DTYPE_INT8));
    assert_int_equal(op_fact_attr(conv, "group")->default_i, 1);
    assert_string_equal(op_fact_attr(conv, "auto_pad")->default_s, "NOTSET");
    assert_int_equal(op_fact_input(concat, 9)->arity, OP_VARIADIC);
    assert_true(op_fact_attr(concat, "axis")->required);
    assert_true(upsample->deprecated);
}

TEST_SUITE(onnx_op, TEST(rows_are_sorted_and_known_to_the_standard),
           TEST(rounding_goes_with_exactness),
           TEST(facts_are_those_of_the_newest_version_at_the_opset),
           TEST(facts_tell_parameters_attributes_and_types))
