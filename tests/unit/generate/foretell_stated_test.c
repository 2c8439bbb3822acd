/* What a document says of a call as it stands. */
#include "generate/foretell/stated.h"

#include "unit/test.h"

static const char record_text[] =
    "{\"framework\": \"jax\", \"version\": \"1\"}\n"
    "{\"name\": \"jax.f\", \"names\": [\"jax.f\"], \"op\": \"f\", \"kind\": \"function\", "
    "\"file\": \"\", "
    "\"line\": 0, \"schemas\": [], \"signature\": {\"parameters\": [{\"name\": \"x\", \"kind\": "
    "\"POSITIONAL_OR_KEYWORD\"}, {\"name\": \"rate\", \"kind\": \"POSITIONAL_OR_KEYWORD\", "
    "\"default\": \"0.5\"}, {\"name\": \"n\", \"kind\": \"KEYWORD_ONLY\", \"default\": \"1\"}]}, "
    "\"doc\": \"Does.\\n\\nArgs:\\n  x: A `Tensor`. Must be one of the following types: `float32`, "
    "`float64`.\\n  rate: A float in the range [0, 1].\\n  n: An integer.\\n\"}\n"
    "{\"name\": \"torch.g\", \"names\": [\"torch.g\"], \"op\": \"g\", \"kind\": \"function\", "
    "\"file\": "
    "\"\", \"line\": 0, \"schemas\": [\"aten::g(SymInt[] size, *, bool? pin=None) -> Tensor\"], "
    "\"signature\": null, \"doc\": \"\"}\n";

struct row {
    const char *name, *record, *args, *keys;
    unsigned reasons;
    bool keeps; /* to a statement at least */
};

#define TENSOR(dtype) "{\"tensor\": {\"dtype\": \"" dtype "\", \"shape\": [1], \"values\": [1]}}"

static const struct row rows[] = {
    {"a listed element type", "jax.f", TENSOR("float32"), "", 0, true},
    {"another element type", "jax.f", TENSOR("int64"), "", 1u << STATED_ELEMENTS, true},
    {"within the range", "jax.f", TENSOR("float32") ", 0.3", "", 0, true},
    {"outside the range", "jax.f", TENSOR("float32") ", 1.5", "", 1u << STATED_RANGE, true},
    {"a text for a number", "jax.f", TENSOR("float32"), "\"n\": \"one\"", 1u << STATED_KIND, true},
    {"a fraction for an integer", "jax.f", TENSOR("float32"), "\"n\": 1.5", 1u << STATED_KIND,
     true},
    {"an unknown name", "jax.f", TENSOR("float32"), "\"m\": 1", 1u << STATED_NAME, true},
    {"too few", "jax.f", "", "\"n\": 1", 1u << STATED_FEW, false},
    {"too many", "jax.f", TENSOR("float32") ", 0.5, 1, 2", "", 1u << STATED_MANY, true},
    {"numbers for a list", "torch.g", "2, 3", "", 0, true},
    {"numbers for a list, and a name", "torch.g", "2, 3", "\"pin\": true", 0, true},
    {"no overload", "torch.g", "\"a\"", "", 1u << STATED_SCHEMAS, false},
    {"a result that is given", "torch.g", "\"a\"", "\"out\": " TENSOR("float32"), 0, false},
};

static struct stated stated_row(const struct row *row, struct arena *a)
{
    struct api_records records;
    struct api_calls calls;
    struct documented_parameters documented;
    struct err e = {0};
    const char *text =
        arena_printf(a, "{\"symbol\": \"%s\", \"op\": \"f\", \"args\": [%s], \"keys\": {%s}}",
                     row->record, row->args, row->keys);
    assert_true(api_records_read(str_of(record_text), "records", a, &records, &e));
    assert_true(api_calls_read(str_of(text), "calls", a, &calls, &e));
    const struct api_record *r = api_records_find(&records, str_of(row->record));
    documented_parameters_of(r, a, &documented);
    return stated_of(r, &documented, &calls.at[0]);
}

static void reasons_to_raise(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        arena_init(&a);
        struct stated told = stated_row(&rows[i], &a);
        ASSERT_ROW(told.reasons == rows[i].reasons, rows[i].name);
        ASSERT_ROW((told.n_kept > 0) == rows[i].keeps, rows[i].name);
        arena_done(&a);
    }
}

TEST_SUITE(generate_foretell_stated, TEST(reasons_to_raise))
