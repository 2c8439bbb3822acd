/* Cells: the tables name only what exists, every attribute has its values, and a model meets
 * exactly the cells of its live nodes. */
#include "generate/reach.h"

#include "generate/attributes.h"
#include "generate/mutate/graph_builder_p.h"
#include "onnx/infer.h"
#include "unit/test.h"

static const struct op_fact *fact_of(const char *op_type)
{
    return op_fact_find(STR(""), str_of(op_type), REACH_OPSET);
}

static void rows_name_attributes_of_the_standard(void **state)
{
    size_t n;
    const struct attribute_row *rows = attribute_list(&n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (int opset = 11; opset <= REACH_OPSET; opset++) {
            const struct op_fact *f = op_fact_find(STR(""), str_of(rows[i].op_type), opset);
            known |= f && op_fact_attr(f, rows[i].attr);
        }
        ASSERT_ROW(known, rows[i].op_type);
    }
}

static void every_attribute_has_values(void **state)
{
    struct reach r;
    size_t n, n_rows;
    const struct op *ops = op_list(&n);
    const struct attribute_row *rows = attribute_list(&n_rows);
    (void)state;
    reach_init(&r);
    for (size_t i = 0; i < n; i++) {
        const struct op_fact *f = fact_of(ops[i].name);
        bool is_made = f && !f->deprecated && strcmp(f->name, "Constant") != 0 &&
                       strncmp(f->name, "String", 6) != 0;
        for (int k = 0; is_made && k < f->n_attrs; k++) {
            bool has_row = false;
            for (size_t j = 0; j < n_rows; j++)
                has_row |= strcmp(rows[j].op_type, f->name) == 0 &&
                           strcmp(rows[j].attr, f->attrs[k].name) == 0;
            if (!has_row)
                fail_msg("%s %s has no row in attributes.def", f->name, f->attrs[k].name);
        }
    }
    reach_done(&r);
}

static void cells_are_ordered_and_few_are_excluded(void **state)
{
    struct reach r;
    size_t n_excluded = 0;
    (void)state;
    reach_init(&r);
    for (size_t i = 0; i < r.cells.n; i++) {
        n_excluded += r.cells.at[i].excluded != NULL;
        if (i > 0)
            ASSERT_ROW(r.cells.at[i - 1].key < r.cells.at[i].key, r.cells.at[i].op_type);
    }
    assert_true(n_excluded * 100 <= 3 * r.cells.n);
    reach_done(&r);
}

struct fixture {
    struct arena a;
    struct rng r;
    struct graph_builder b;
    uint32_t x; /* float [2,3] */
};

static void set_up(struct fixture *f)
{
    static const int64_t dims[] = {2, 3};
    arena_init(&f->a);
    rng_init(&f->r, 1, RNG_TEST, 0);
    builder__init(&f->b, model_new(&f->a, 17), &f->r);
    f->x = graph_add_input(f->b.m, f->b.g, STR("x"), DTYPE_FLOAT, dims, 2);
}

static uint32_t softmax(struct fixture *f)
{
    uint32_t y = OP(&f->b, "Softmax", f->x);
    builder__int(&f->b, "axis", -1);
    return y;
}

static uint32_t softmax_default(struct fixture *f)
{
    return OP(&f->b, "Softmax", f->x);
}

static uint32_t clip_max(struct fixture *f)
{
    return OP(&f->b, "Clip", f->x, VALUE_NONE, builder__scalar(&f->b, DTYPE_FLOAT, 1));
}

static uint32_t clip_constant(struct fixture *f)
{
    f->b.weights = PLACE_CONSTANT;
    return OP(&f->b, "Clip", f->x, builder__scalar(&f->b, DTYPE_FLOAT, 1));
}

static uint32_t clip_computed(struct fixture *f)
{
    return OP(&f->b, "Clip", f->x, builder__reduce(&f->b, "ReduceMax", f->x, NULL, 0, 0));
}

static uint32_t relu_add(struct fixture *f)
{
    return OP(&f->b, "Add", OP(&f->b, "Relu", f->x), OP(&f->b, "Neg", f->x));
}

static uint32_t folds(struct fixture *f)
{
    uint32_t one = builder__scalar(&f->b, DTYPE_FLOAT, 1);
    return OP(&f->b, "Add", f->x, OP(&f->b, "Relu", one));
}

static uint32_t shape_alone(struct fixture *f)
{
    return OP(&f->b, "Cast", OP(&f->b, "Shape", f->x));
}

static uint32_t dead(struct fixture *f)
{
    OP(&f->b, "Relu", f->x);
    return OP(&f->b, "Neg", f->x);
}

static const struct row {
    const char *name;
    uint32_t (*build)(struct fixture *f);
    const char *met, *not_met;
} rows[] = {
    {"default written out", softmax, "Softmax attribute axis=negative",
     "Softmax attribute axis=absent"},
    {"default left out", softmax_default, "Softmax attribute axis=absent",
     "Softmax attribute axis=negative"},
    {"dtype", softmax, "Softmax dtype T=float", "Softmax dtype T=double"},
    {"rank", softmax, "Softmax rank 2", "Softmax rank 3"},
    {"even size", softmax, "Softmax size 2", "Softmax size even"},
    {"odd size", softmax, "Softmax size odd", "Softmax size 1"},
    {"optional input", clip_max, "Clip optional max=present", "Clip optional min=present"},
    {"optional input left out", clip_max, "Clip optional min=absent", "Clip optional max=absent"},
    {"initializer", clip_max, "Clip parameter max=initializer", "Clip parameter max=Constant"},
    {"Constant", clip_constant, "Clip parameter min=Constant", "Clip parameter min=initializer"},
    {"computed", clip_computed, "Clip parameter min=computed", "Clip parameter min=Constant"},
    {"data edge", relu_add, "Relu>Add data edge", "Relu>Add weight edge"},
    {"weight edge", relu_add, "Neg>Add weight edge", "Neg>Add data edge"},
    {"folded", folds, "Add rank 2", "Relu rank 0"},
    {"static shape", shape_alone, "", "Shape rank 2"},
    {"reaches no output", dead, "Neg rank 2", "Relu rank 2"},
};

static bool meets(const struct reach *r, const struct reach_cells *met, const char *text)
{
    struct strbuf name = {0};
    bool found = false;
    for (size_t i = 0; !found && i < met->n; i++) {
        strbuf_clear(&name);
        reach_print(&r->cells.at[met->at[i]], &name);
        found = str_is(strbuf_str(&name), text);
    }
    strbuf_done(&name);
    return found;
}

static void only_living_nodes_meet_cells(void **state)
{
    struct reach r;
    (void)state;
    reach_init(&r);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fixture f;
        struct err e = {0};
        set_up(&f);
        uint32_t y = rows[i].build(&f);
        if (rows[i].build == shape_alone)
            builder__int(&f.b, "to", DTYPE_FLOAT);
        graph_add_output(f.b.g, y);
        if (!builder__ok(&f.b) || !model_finish(f.b.m, &e) || !infer_model(f.b.m, &e))
            fail_msg("%s: %s", rows[i].name, f.b.failed ? f.b.e.text : e.text);
        struct reach_cells met = reach_meet(&r, f.b.m, &f.a);
        ASSERT_ROW(!rows[i].met[0] || meets(&r, &met, rows[i].met), rows[i].name);
        ASSERT_ROW(!meets(&r, &met, rows[i].not_met), rows[i].name);
        arena_done(&f.a);
    }
    reach_done(&r);
}

TEST_SUITE(generate_reach, TEST(rows_name_attributes_of_the_standard),
           TEST(every_attribute_has_values), TEST(cells_are_ordered_and_few_are_excluded),
           TEST(only_living_nodes_meet_cells))
