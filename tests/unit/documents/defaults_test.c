/* Documented defaults against signatures. */
#include "documents/defaults.h"

#include "unit/test.h"

struct row {
    const char *name, *doc, *value; /* value: the signature's default of alpha */
    const char *schema;             /* NULL: none */
    size_t n_compared, n_found;
};

static const struct row rows[] = {
    {"equal", "Args:\n    alpha (float): a. Default: ``0.1``", "0.1", NULL, 1, 0},
    {"another number", "Args:\n    alpha (float): a. Default: ``0.1``", "0.2", NULL, 1, 1},
    {"another spelling", "alpha (float): a (default: 1e-2)", "0.01", NULL, 1, 0},
    {"behind the first line", "alpha: a word\n  or two. Defaults to `3`.", "2", NULL, 1, 1},
    {"of the next parameter", "alpha: a word\nbeta: Default: 3", "2", NULL, 0, 0},
    {"a truth value", "alpha : bool, default=False", "True", NULL, 1, 1},
    {"a word", "alpha: Default: ``'mean'``", "'sum'", NULL, 1, 1},
    {"None in the signature may stand for the value", "alpha: Default: 3", "None", NULL, 0, 0},
    {"None in the document only", "alpha: Default: None", "3", NULL, 1, 1},
    {"a number for a tuple of it", "alpha: Default: 1", "(1, 1)", NULL, 1, 0},
    {"a number for another tuple", "alpha: Default: 1", "(1, 2)", NULL, 1, 1},
    {"no literal", "alpha: Default: the last one", "3", NULL, 0, 0},
    {"the signature on top", "f(input, alpha=2, *, out=None) -> Tensor", "1", NULL, 1, 1},
    {"one schema of two agrees", "alpha: Default: 2", NULL,
     "aten::f(Tensor self, Scalar alpha=2) -> Tensor", 1, 0},
    {"no schema agrees", "alpha: Default: 3", NULL,
     "aten::f(Tensor self, Scalar alpha=2) -> Tensor", 1, 1},
};

static void found(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct default_findings out = {0};
        struct default_tally tally = {0};
        struct api_parameter p = {.name = STR("alpha"),
                                  .value = str_of(rows[i].value),
                                  .has_default = rows[i].value != NULL};
        struct str schemas[] = {TEXT("aten::f.x(Tensor self, Scalar alpha=1) -> Tensor"),
                                str_of(rows[i].schema)};
        struct api_record r = {.name = STR("f"), .doc = str_of(rows[i].doc)};
        r.parameters = &p;
        r.n_parameters = rows[i].value != NULL;
        r.schemas = schemas;
        r.n_schemas = rows[i].schema ? 2 : 0;
        arena_init(&a);
        defaults_check(&r, &a, &out, &tally);
        ASSERT_ROW(tally.n_compared == rows[i].n_compared, rows[i].name);
        ASSERT_ROW(out.n == rows[i].n_found, rows[i].name);
        arena_done(&a);
    }
}

struct text_row {
    const char *text, *schema; /* of an attribute of ONNX */
    size_t n_compared, n_found;
};

static const struct text_row text_rows[] = {
    {"Which axis. Default is 1.", "attribute alpha: INT=1", 1, 0},
    {"Which axis. Default is 1.", "attribute alpha: INT=0", 1, 1},
    {"Which axis. Default is 1.", "attribute alphas: INT=0", 0, 0},
    {"Default to 0.9.", "attribute alpha: FLOAT=0.8999999761581421", 1, 0},
    {"Default value is 0.8.", "attribute alpha: FLOAT=0.8999999761581421", 1, 1},
    {"`zeros`(default), `border`", "attribute alpha: STRING=b'zeros'", 1, 0},
    {"\"linear\" (default) or cubic", "attribute alpha: STRING=b'cubic'", 1, 1},
    {"Must be one of 1 (default), or 0.", "attribute alpha: INT=0", 1, 1},
    {"default is False (first index).", "attribute alpha: INT=0", 1, 0},
    {"One of 'SUM' (1), defaults to 'SUM' (1)", "attribute alpha: INT=1", 0, 0},
    {"default along axes [0,2]", "attribute alpha: INTS=[0, 2]", 0, 0},
    {"No word of it.", "attribute alpha: STRING=b'a'", 0, 0},
};

static void texts_of_attributes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(text_rows); i++) {
        const struct text_row *row = &text_rows[i];
        struct arena a;
        struct default_findings out = {0};
        struct default_tally tally = {0};
        struct str schema = str_of(row->schema);
        struct api_text text = {STR("alpha"), str_of(row->text)};
        struct api_record r = {
            .doc = STR("Does."), .schemas = &schema, .n_schemas = 1, .texts = &text, .n_texts = 1};
        arena_init(&a);
        defaults_check(&r, &a, &out, &tally);
        ASSERT_ROW(tally.n_compared == row->n_compared, row->text);
        ASSERT_ROW(out.n == row->n_found, row->text);
        arena_done(&a);
    }
}

TEST_SUITE(documents_defaults, TEST(found), TEST(texts_of_attributes))
