/* Printed output against documented output, within the printed digits. */
#include "documents/printed.h"

#include "unit/test.h"

struct row {
    const char *documented, *printed;
    enum agreement how;
};

static const struct row rows[] = {
    {"tensor([1, 2])", "tensor([1, 2])", AGREEMENT_EQUAL},
    {"tensor([[ 1.,  2.],\n        [3., 4.]])", "tensor([[1., 2.], [3., 4.]])", AGREEMENT_EQUAL},
    {"tensor([0.1234])", "tensor([0.1235])", AGREEMENT_EQUAL}, /* one unit of the last digit */
    {"tensor([0.1234])", "tensor([0.1237])", AGREEMENT_VALUE},
    {"tensor([0.12])", "tensor([0.1250])", AGREEMENT_EQUAL},      /* a unit of the coarser one */
    {"tensor([1.2e-08])", "tensor([-3.0e-09])", AGREEMENT_EQUAL}, /* noise */
    {"tensor([1, 2])", "tensor([1, 3])", AGREEMENT_VALUE},
    {"tensor([1, 2])", "tensor([1., 2.])", AGREEMENT_DTYPE},
    {"tensor([1, 0])", "tensor([True, False])", AGREEMENT_DTYPE},
    {"tensor([1.], dtype=torch.float64)", "tensor([1.])", AGREEMENT_DTYPE},
    {"tensor([[1, 2]])", "tensor([1, 2])", AGREEMENT_SHAPE},
    {"tensor([], size=(0, 3))", "tensor([], size=(0, 2))", AGREEMENT_SHAPE},
    {"tensor([1.])", "tensor([1.], grad_fn=<AbsBackward0>)", AGREEMENT_EQUAL},
    {"Parameter containing:\ntensor([1.])", "tensor([1.], requires_grad=True)", AGREEMENT_EQUAL},
    {"(tensor([1.]), tensor([2]))",
     "torch.return_types.max(\nvalues=tensor([1.]),\nindices=tensor([2]))", AGREEMENT_REPR},
    {"(tensor([1.]), tensor([2]))",
     "torch.return_types.max(\nvalues=tensor([1.]),\nindices=tensor([3]))", AGREEMENT_VALUE},
    {"tensor([1., ..., 2.])", "tensor([1., 3., 2.])", AGREEMENT_ELIDED},
    {"tensor([nan, inf, -inf])", "tensor([nan, inf, -inf])", AGREEMENT_EQUAL},
    {"tensor([nan])", "tensor([1.])", AGREEMENT_VALUE},
    {"tensor([1.+2.j])", "tensor([1.+2.j])", AGREEMENT_EQUAL},
    {"tensor([1.+2.j])", "tensor([1.+3.j])", AGREEMENT_VALUE},
    {"tensor([16.+1.j])", "tensor(16.+1.j)", AGREEMENT_SHAPE},
    {"tensor(indices=tensor([[0]]),\n values=tensor([1]), size=(2,), nnz=1)",
     "tensor(indices=tensor([[0]]), values=tensor([2]), size=(2,), nnz=1)", AGREEMENT_VALUE},
    {"array([1, 2])", "array([1, 2], dtype=int32)", AGREEMENT_EQUAL},
    {"array([1, 2], dtype=int64)", "array([1., 2.])", AGREEMENT_DTYPE},
    {"tensor([1, 2])", "tensor([1, 2], dtype=torch.int32)", AGREEMENT_DTYPE},
    {"2.63401289e-04", "2.6340130e-04", AGREEMENT_EQUAL},
    {"3.1416", "3.141592653589793", AGREEMENT_EQUAL},
    {"torch.Size([2, 3])", "torch.Size([2, 4])", AGREEMENT_VALUE},
    {"True", "False", AGREEMENT_VALUE},
    {"True", "None", AGREEMENT_TEXT},
    {"unknown", "False", AGREEMENT_TEXT},
    {"tensor([True], dtype=torch.bool)", "tensor([True])", AGREEMENT_EQUAL},
    {"tensor(1.5e-06)", "tensor(8.7e-16, dtype=torch.float64)", AGREEMENT_EQUAL},
    {"Linear(in=1)", "Linear(inputs=1)", AGREEMENT_TEXT},
    {"Array([-2. +0.j, nan+nanj])", "Array([-2. +0.j, nan+nanj])", AGREEMENT_EQUAL},
    {"array([[b'a'],\n[b'b']], dtype=object)", "array([[b'a'],\n       [b'b']], dtype=object)",
     AGREEMENT_EQUAL},
    {"array([-0.00404951, 2.9959507])", "array([-0.0040497, 2.9959502])", AGREEMENT_EQUAL},
    {"array([-0.00404951, 0.9])", "array([-0.0040497, 0.9])", AGREEMENT_VALUE},
    {"'a'", "\"a\"", AGREEMENT_EQUAL},
    {"1  # a comment", "1", AGREEMENT_EQUAL},
    {"[[1. 2.]\n [3. 4.]]", "[[1. 2.]\n [3. 5.]]", AGREEMENT_VALUE},
};

static void how_they_stand_to_each_other(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct str detail;
        enum agreement how =
            printed_compare(str_of(rows[i].documented), str_of(rows[i].printed), 1, &a, &detail);
        if (how != rows[i].how)
            fail_msg("%s against %s: %s, expected %s", rows[i].documented, rows[i].printed,
                     agreement_name(how), agreement_name(rows[i].how));
    }
    arena_done(&a);
}

struct literal_row {
    const char *text;
    size_t n;
    double shift;
    const char *literal; /* NULL: there are no such arrays */
};

static const struct literal_row literals[] = {
    {"tensor([[ 0.5, -1.], [2, nan]])", 1, 0, "[[[0.5, -1.], [2, 1e999-1e999]]]"},
    {"tensor(3)", 1, 0, "[3]"},
    {"(tensor([1]),\n tensor([2.5]))", 2, 0, "[[1], [2.5]]"},
    {"tensor([0.5, 0.5, 1.])", 1, 0.5, "[[0.55000000000000004, 0.45000000000000001, 1.]]"},
    {"3", 1, 0, NULL},
    {"tensor([1, ..., 2])", 1, 0, NULL},
    {"tensor([[1], [2, 3]])", 1, 0, NULL},
    {"(tensor([1]), tensor([2]))", 1, 0, NULL},
};

static void elements_as_a_literal(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(literals); i++) {
        const struct literal_row *row = &literals[i];
        struct arena a;
        struct str text;
        arena_init(&a);
        bool ok = printed_arrays(str_of(row->text), row->n, row->shift, &a, &text);
        ASSERT_ROW(ok == (row->literal != NULL), row->text);
        ASSERT_ROW(!ok || str_is(text, row->literal), row->text);
        arena_done(&a);
    }
}

static void slack_multiplies_the_tolerance(void **state)
{
    struct arena a;
    struct str detail;
    (void)state;
    arena_init(&a);
    assert_int_equal(printed_compare(STR("2.9843"), STR("2.9845"), 1, &a, &detail),
                     AGREEMENT_VALUE);
    assert_int_equal(printed_compare(STR("2.9843"), STR("2.9845"), 20, &a, &detail),
                     AGREEMENT_EQUAL);
    assert_int_equal(printed_compare(STR("2.9843"), STR("2.9945"), 20, &a, &detail),
                     AGREEMENT_VALUE);
    arena_done(&a);
}

TEST_SUITE(documents_printed, TEST(how_they_stand_to_each_other), TEST(elements_as_a_literal),
           TEST(slack_multiplies_the_tolerance))
