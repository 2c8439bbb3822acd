/* Sentences of a docstring, and the constraints they state. */
#include "documents/sentence.h"

#include "unit/test.h"

struct row {
    const char *name, *doc;
    const char *sentences[3]; /* up to NULL */
    const char *kinds[3];     /* "": no constraint */
};

static const struct row rows[] = {
    {"two in a paragraph",
     "Adds numbers. Alpha must be positive.",
     {"Adds numbers.", "Alpha must be positive."},
     {"", "range"}},
    {"over two lines",
     "Adds all\nnumbers.\n\nReturns them.",
     {"Adds all numbers.", "Returns them."},
     {"", ""}},
    {"without marks", "The :attr:`dim` is ``int`` *always*.", {"The dim is int always."}, {""}},
    {"an abbreviation ends none",
     "E.g. one, i.e. two numbers.",
     {"E.g. one, i.e. two numbers."},
     {""}},
    {"examples and formulas are left out",
     "Text before.\n\n.. math::\n    x must be y\n\n>>> f()\nmust be 1\n\nText behind.",
     {"Text before.", "Text behind."},
     {"", ""}},
    {"parameters",
     "Args:\n    a: must be of dtype int\n    b: one of x or y",
     {"a: must be of dtype int", "b: one of x or y"},
     {"dtype", "choice"}},
    {"nothing", "", {NULL}, {NULL}},
};

static void sentences_and_constraints(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct sentences list;
        size_t n = 0;
        arena_init(&a);
        sentences_of(str_of(rows[i].doc), &a, &list);
        while (n < 3 && rows[i].sentences[n])
            n++;
        if (list.n != n)
            fail_msg("row \"%s\": %zu sentences, expected %zu", rows[i].name, list.n, n);
        for (size_t k = 0; k < n; k++) {
            const char *kind = list.at[k].constraint ? list.at[k].constraint : "";
            ASSERT_ROW(str_is(list.at[k].text, rows[i].sentences[k]), rows[i].name);
            ASSERT_ROW(strcmp(kind, rows[i].kinds[k]) == 0, rows[i].name);
        }
        arena_done(&a);
    }
}

TEST_SUITE(documents_sentence, TEST(sentences_and_constraints))
