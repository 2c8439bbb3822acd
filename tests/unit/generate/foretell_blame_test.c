/* Who is blamed: the witness that the other two contradict, and nobody where fewer than two speak.
 */
#include "generate/foretell/blame.h"
#include "unit/test.h"

enum said { SILENT, WORKS, RAISES, OTHER_SHAPE };

struct row {
    const char *name;
    enum predictor statement;
    enum change_kind change;
    enum said document, abstract;
    enum outcome_kind real;
    enum blame blamed;
};

static const struct row rows[] = {
    {"all agree", PREDICTOR_types, CHANGE_TEXT, RAISES, RAISES, OUTCOME_KIND_RAISED, BLAME_NOBODY},
    {"the document alone", PREDICTOR_types, CHANGE_TEXT, RAISES, SILENT, OUTCOME_KIND_OK,
     BLAME_NOBODY},
    {"the document against both", PREDICTOR_ranges, CHANGE_INT, RAISES, WORKS, OUTCOME_KIND_OK,
     BLAME_DOCUMENT},
    {"the abstract run against both", PREDICTOR_ranks, CHANGE_RANK, RAISES, WORKS,
     OUTCOME_KIND_RAISED, BLAME_ABSTRACT},
    {"a shape of the abstract run alone", PREDICTOR_elements, CHANGE_DTYPE, WORKS, OTHER_SHAPE,
     OUTCOME_KIND_OK, BLAME_ABSTRACT},
    {"the call against both", PREDICTOR_types, CHANGE_TEXT, RAISES, RAISES, OUTCOME_KIND_OK,
     BLAME_CODE},
    {"no statement decides", PREDICTOR_types, CHANGE_RANK, SILENT, WORKS, OUTCOME_KIND_RAISED,
     BLAME_OPEN},
    {"a call that died", PREDICTOR_types, CHANGE_RANK, SILENT, SILENT, OUTCOME_KIND_DIED,
     BLAME_CODE},
    {"a call that could not be made", PREDICTOR_types, CHANGE_TEXT, RAISES, WORKS,
     OUTCOME_KIND_ABSTAINS, BLAME_NOBODY},
    {"elementwise is a statement on shapes", PREDICTOR_elementwise, CHANGE_RANK, WORKS, WORKS,
     OUTCOME_KIND_RAISED, BLAME_CODE},
    {"and none on types", PREDICTOR_elementwise, CHANGE_DTYPE, WORKS, WORKS, OUTCOME_KIND_RAISED,
     BLAME_OPEN},
    {"what was before is no statement", PREDICTOR_before, CHANGE_INT, WORKS, WORKS,
     OUTCOME_KIND_RAISED, BLAME_OPEN},
};

static void say(enum said said, struct prediction *out)
{
    *out = (struct prediction){.is_given = said != SILENT,
                               .is = said == RAISES ? OUTCOME_KIND_RAISED : OUTCOME_KIND_OK,
                               .n_leaves = said == WORKS || said == OTHER_SHAPE};
    out->leaves[0] = (struct leaf){STR("float32"), {said == OTHER_SHAPE ? 3 : 2}, 1};
}

static void the_witness_that_two_contradict_is_blamed(void **state)
{
    static const enum predictor abstract[] = {PREDICTOR_fake, PREDICTOR_standard, PREDICTOR_traced};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (size_t k = 0; k < COUNT_OF(abstract); k++) {
            struct prediction all[PREDICTOR_COUNT] = {{.is_given = false}};
            struct call_outcome real = {.is = rows[i].real,
                                        .n_leaves = rows[i].real == OUTCOME_KIND_OK};
            real.leaves[0] = (struct leaf){STR("float32"), {2}, 1};
            say(rows[i].document, &all[rows[i].statement]);
            say(rows[i].abstract, &all[abstract[k]]);
            ASSERT_ROW(blame_of(all, rows[i].change, &real) == rows[i].blamed, rows[i].name);
        }
}

static void one_wrong_statement_makes_the_document_wrong(void **state)
{
    struct prediction all[PREDICTOR_COUNT] = {{.is_given = false}};
    struct call_outcome real = {.is = OUTCOME_KIND_RAISED};
    (void)state;
    say(RAISES, &all[PREDICTOR_types]);
    say(RAISES, &all[PREDICTOR_fake]);
    assert_int_equal(blame_of(all, CHANGE_TEXT, &real), BLAME_NOBODY);
    say(WORKS, &all[PREDICTOR_elements]);
    assert_int_equal(blame_of(all, CHANGE_TEXT, &real), BLAME_DOCUMENT);
}

TEST_SUITE(generate_foretell_blame, TEST(the_witness_that_two_contradict_is_blamed),
           TEST(one_wrong_statement_makes_the_document_wrong))
