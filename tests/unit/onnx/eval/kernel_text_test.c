/* Operators on strings, and n-grams of numbers, against the standard's text. */
#include "unit/onnx/eval/one_op_p.h"

static void grams_are_counted(void **state)
{
    /* pool: 1-grams 1 2 3, then 2-grams (1 2) (2 3) */
#define POOL "ngram_counts=[0,3] ngram_indexes=[0,1,2,3,4] pool_int64s=[1,2,3,1,2,2,3] "
    static const struct one_op_row rows[] = {
        {"single items",
         9,
         "TfIdfVectorizer",
         POOL "mode='TF' min_gram_length=1 max_gram_length=1 max_skip_count=0",
         {"int64[4] 1 2 2 9"},
         {"float[5] 1 2 0 0 0"}},
        {"single items count once, whatever is skipped",
         9,
         "TfIdfVectorizer",
         POOL "mode='TF' min_gram_length=1 max_gram_length=1 max_skip_count=5",
         {"int64[4] 1 2 2 9"},
         {"float[5] 1 2 0 0 0"}},
        {"pairs, and pairs with one between",
         9,
         "TfIdfVectorizer",
         POOL "mode='TF' min_gram_length=2 max_gram_length=2 max_skip_count=1",
         {"int64[4] 1 2 2 3"},
         {"float[5] 0 0 0 2 2"}},
        {"weights of what is there",
         9,
         "TfIdfVectorizer",
         POOL "mode='IDF' min_gram_length=1 max_gram_length=1 max_skip_count=0 "
              "weights=(0.5,2,3,4,5)",
         {"int64[1,4] 1 2 2 9"},
         {"float[1,5] 0.5 2 0 0 0"}},
        {"counts times weights, a row each",
         9,
         "TfIdfVectorizer",
         POOL "mode='TFIDF' min_gram_length=1 max_gram_length=1 max_skip_count=0 "
              "weights=(0.5,2,3,4,5)",
         {"int64[2,2] 2 2 3 1"},
         {"float[2,5] 0 4 0 0 0 0.5 0 3 0 0"}},
        {"half a pair in the pool",
         9,
         "TfIdfVectorizer",
         "mode='TF' min_gram_length=1 max_gram_length=2 max_skip_count=0 ngram_counts=[0,2] "
         "ngram_indexes=[0,1,2] pool_int64s=[1,2,3]",
         {"int64[1] 1"},
         {"data"}},
    };
    (void)state;
    ONE_OP_CHECK_ALL(rows);
}

/* y = Cast(Cast(x, to string), to) */
struct there_and_back {
    struct arena a;
    struct model *m;
    struct named_tensor x;
    struct eval_result r;
    struct err e;
    bool ok;
};

static void cast_twice(struct there_and_back *t, const struct tensor *x, enum dtype to)
{
    arena_init(&t->a);
    t->m = model_new(&t->a, 21);
    uint32_t v = graph_add_input(t->m, t->m->graph, STR("x"), x->dtype, x->dims, x->rank);
    t->x = (struct named_tensor){t->m->graph->values.at[v].name, *x};
    uint32_t text = graph_add_node(t->m, t->m->graph, "Cast", &v, 1, 1);
    node_set_int(t->m, graph_last_node(t->m->graph), "to", DTYPE_STRING);
    uint32_t y = graph_add_node(t->m, t->m->graph, "Cast", &text, 1, 1);
    node_set_int(t->m, graph_last_node(t->m->graph), "to", to);
    graph_add_output(t->m->graph, text);
    graph_add_output(t->m->graph, y);
    t->ok =
        model_finish(t->m, &t->e) && infer_model(t->m, &t->e) &&
        eval_run(t->m, &(struct tensors){&t->x, 1}, &(struct eval_options){0}, &t->a, &t->r, &t->e);
}

static const struct value *text_output(const struct there_and_back *t, size_t at)
{
    return &t->r.values[t->m->graph->outputs.at[at]];
}

static void numbers_become_text_and_numbers_again(void **state)
{
    static const struct {
        enum dtype from, to;
        double x, back;
        const char *text;
    } rows[] = {
        {DTYPE_FLOAT, DTYPE_FLOAT, 0.1F, 0.1F, "0.1"},
        {DTYPE_FLOAT, DTYPE_DOUBLE, 0.1F, 0.1, "0.1"},
        {DTYPE_DOUBLE, DTYPE_FLOAT, 0.1, 0.1F, "0.1"},
        {DTYPE_DOUBLE, DTYPE_DOUBLE, 1.0 / 3, 1.0 / 3, "0.3333333333333333"},
        {DTYPE_DOUBLE, DTYPE_INT64, -2.5, -2, "-2.5"},
        {DTYPE_FLOAT, DTYPE_UINT8, 200, 200, "2e+02"},
        {DTYPE_FLOAT16, DTYPE_FLOAT16, 65504, 65504, "6.55e+04"},
        {DTYPE_FLOAT, DTYPE_FLOAT, INFINITY, INFINITY, "INF"},
        {DTYPE_FLOAT, DTYPE_FLOAT, -INFINITY, -INFINITY, "-INF"},
        {DTYPE_FLOAT, DTYPE_FLOAT, NAN, NAN, "NaN"},
        {DTYPE_INT32, DTYPE_INT8, -7, -7, "-7"},
        {DTYPE_UINT64, DTYPE_UINT64, 12345678, 12345678, "12345678"},
        {DTYPE_BOOL, DTYPE_INT32, 1, 1, "1"},
    };
    const int64_t one = 1;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct there_and_back t;
        struct tensor x;
        struct arena a;
        arena_init(&a);
        assert_true(tensor_from_doubles(rows[i].from, &one, 1, &rows[i].x, &a, &x, &t.e));
        cast_twice(&t, &x, rows[i].to);
        if (!t.ok)
            fail_msg("%s: %s", rows[i].text, t.e.text);
        const struct value *text = text_output(&t, 0);
        if (!str_is(text->s[0], rows[i].text))
            fail_msg("%s: " STR_FMT, rows[i].text, STR_ARG(text->s[0]));
        double back = value_get_double(text_output(&t, 1), 0);
        ASSERT_ROW(back == rows[i].back || (isnan(back) && isnan(rows[i].back)), rows[i].text);
        arena_done(&t.a);
        arena_done(&a);
    }
}

static void cast_text(struct there_and_back *t, const char *text, enum dtype to)
{
    static const int64_t one = 1;
    const struct str s = str_of(text);
    const struct tensor x = {.dtype = DTYPE_STRING, .rank = 1, .dims = &one, .n = 1, .strings = &s};
    cast_twice(t, &x, to);
}

static void text_that_is_no_number_is_undefined(void **state)
{
    static const struct {
        const char *text;
        enum dtype to;
        bool undefined;
    } rows[] = {
        {" 7 ", DTYPE_INT8, false},  {"1e3", DTYPE_INT32, false},    {"x", DTYPE_FLOAT, true},
        {"", DTYPE_DOUBLE, true},    {"300", DTYPE_UINT8, true},     {"-1", DTYPE_UINT64, true},
        {"inf", DTYPE_FLOAT, false}, {"+INF", DTYPE_FLOAT16, false}, {"INF", DTYPE_INT64, true},
    };
    struct there_and_back t;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        cast_text(&t, rows[i].text, rows[i].to);
        if (!t.ok)
            fail_msg("%s: %s", rows[i].text, t.e.text);
        const struct value *y = text_output(&t, 1);
        ASSERT_ROW((y->undefined && y->undefined[0]) == rows[i].undefined, rows[i].text);
        arena_done(&t.a);
    }
    cast_text(&t, "1", DTYPE_BOOL);
    assert_true(!t.ok && t.e.code == ERR_UNSUPPORTED);
    arena_done(&t.a);
}

TEST_SUITE(onnx_kernel_text, TEST(grams_are_counted), TEST(numbers_become_text_and_numbers_again),
           TEST(text_that_is_no_number_is_undefined))
