/* Which parts of a docstring are statements, and which are their output. */
#include "documents/example.h"

#include "unit/test.h"

struct row {
    const char *name, *doc;
    const char *sources[4], *expected[4]; /* up to NULL */
};

static const struct row rows[] = {
    {"output ends at a blank line", ">>> a\n1\n\nprose\n>>> b\n2", {"a\n", "b\n"}, {"1", "2"}},
    {"output ends where the text is less indented", "    >>> a\n    1\nprose", {"a\n"}, {"1"}},
    {"blank lines in brackets belong to the output",
     ">>> a\ntensor([[1],\n\n        [2]])\n",
     {"a\n"},
     {"tensor([[1],\n\n[2]])"}},
    {"an open bracket does not run into the next prompt",
     ">>> a\ntensor([1,\n\n>>> b\n2",
     {"a\n", "b\n"},
     {"tensor([1,", "2"}},
    {"a blank line by name", ">>> a\nx\n<BLANKLINE>\ny", {"a\n"}, {"x\n\ny"}},
    {"dots continue", ">>> f(1,\n...   2)\n3", {"f(1,\n  2)\n"}, {"3"}},
    {"prompts continue an open bracket", ">>> f(1,\n>>>   2)\n3", {"f(1,\n  2)\n"}, {"3"}},
    {"an open bracket without prompts", ">>> f([1,\n       2])\n3", {"f([1,\n       2])\n"}, {"3"}},
    {"a block under prompts",
     ">>> for i in x:\n>>>     f(i)\n>>> g()\n",
     {"for i in x:\n    f(i)\n", "g()\n"},
     {"", ""}},
    {"a decorator", ">>> @f\n>>> def g():\n...     pass\n", {"@f\ndef g():\n    pass\n"}, {""}},
    {"a decorator of two lines",
     ">>> @f(1,\n...    2)\n... def g():\n...     pass\n",
     {"@f(1,\n   2)\ndef g():\n    pass\n"},
     {""}},
    {"a bracket in a string or a comment is none", ">>> f('(')  # (\n1", {"f('(')  # (\n"}, {"1"}},
    {"only a comment", ">>> # doctest: +SKIP\n>>> a\n1", {"a\n"}, {"1"}},
    {"comments are no output", ">>> a\n# prints 1", {"a\n"}, {""}},
    {"elided output is no continuation", ">>> a\n...\n", {"a\n"}, {"..."}},
    {"dots of prose", "f(a,\n    ... , b)\n>>> a\n1", {"a\n"}, {"1"}},
    {"no example", "prose >> more", {NULL}, {NULL}},
};

static void statements_and_outputs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct example_list list;
        size_t n = 0;
        arena_init(&a);
        example_find(str_of(rows[i].doc), &a, &list);
        while (n < 4 && rows[i].sources[n])
            n++;
        ASSERT_ROW(list.n == n, rows[i].name);
        for (size_t k = 0; k < n; k++) {
            ASSERT_ROW(str_is(list.at[k].source, rows[i].sources[k]), rows[i].name);
            ASSERT_ROW(str_is(list.at[k].expected, rows[i].expected[k]), rows[i].name);
        }
        arena_done(&a);
    }
}

static void names_that_are_shown(void **state)
{
    struct arena a;
    struct example_list list;
    (void)state;
    arena_init(&a);
    example_find(
        STR(">>> a = f(1)\n>>> a\n>>> print(a)\n>>> a == 1\n>>> b, c = a\n>>> a.x\n>>> a, b\n"), &a,
        &list);
    assert_int_equal(list.n, 7);
    static const char *const shown[] = {"", "a", "a", "", "", "", "a, b"};
    for (size_t i = 0; i < list.n; i++)
        assert_true(str_is(list.at[i].shown, shown[i]));
    assert_int_equal(list.at[6].n_shown, 2);
    assert_false(list.seeds);
    example_find(STR(">>> torch.manual_seed(0)\n"), &a, &list);
    assert_true(list.seeds);
    arena_done(&a);
}

TEST_SUITE(documents_example, TEST(statements_and_outputs), TEST(names_that_are_shown))
