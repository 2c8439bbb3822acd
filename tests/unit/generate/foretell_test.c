/* Calls as data, their one-parameter changes, what predictors say, and the generator. */
#include "generate/foretell/predict.h"
#include "generate/foretell/score.h"
#include "generate/generate.h"
#include "unit/test.h"

#include <math.h>

#define SEED                                                                                       \
    "{\"symbol\": \"torch.add\", \"op\": \"add\", \"args\": [{\"tensor\": {\"dtype\": "            \
    "\"float32\", \"shape\": [2, 1], \"values\": [0.5, 1.0]}}, 3], \"keys\": {\"alpha\": 2.0}, "   \
    "\"leaves\": [[\"float32\", [2, 1]]]}"

static struct api_call read_one(const char *text, struct arena *a)
{
    struct api_calls calls;
    struct err e = {0};
    if (!api_calls_read(str_of(text), "test", a, &calls, &e) || calls.n != 1)
        fail_msg("%s", e.text);
    return calls.at[0];
}

static void a_call_is_python(void **state)
{
    struct arena a;
    struct strbuf text = {0};
    (void)state;
    arena_init(&a);
    struct api_call c = read_one(SEED, &a);
    api_call_print(&c, CALL_TENSORS_WRITTEN, &text);
    assert_true(str_is(strbuf_str(&text), "torch.add(torch.tensor([0.5, 1.0], dtype=torch.float32)"
                                          ".reshape([2, 1]), 3, alpha=2.0)"));
    strbuf_clear(&text);
    api_call_print(&c, CALL_TENSORS_NAMED, &text);
    assert_true(str_is(strbuf_str(&text), "torch.add(x0, 3, alpha=2.0)"));
    strbuf_clear(&text);
    api_call_print(&c, CALL_TENSORS_TYPED, &text);
    assert_true(str_is(strbuf_str(&text), "torch.add(float32[2, 1], 3, alpha=2.0)"));
    strbuf_done(&text);
    arena_done(&a);
}

static void an_object_is_made_then_called(void **state)
{
    struct arena a;
    struct strbuf text = {0}, once = {0}, twice = {0};
    (void)state;
    arena_init(&a);
    struct api_call c =
        read_one("{\"symbol\": \"torch.nn.Linear\", \"op\": \"linear\", \"make\": 2, "
                 "\"args\": [3, 1, {\"tensor\": {\"dtype\": \"float32\", "
                 "\"shape\": [1], \"values\": [0.5]}}], "
                 "\"keys\": {\"bias\": false}}",
                 &a);
    api_call_print(&c, CALL_TENSORS_WRITTEN, &text);
    assert_true(str_is(strbuf_str(&text), "torch.nn.Linear(3, 1, bias=False)"
                                          "(torch.tensor([0.5], dtype=torch.float32))"));
    struct json_out w = json_open(&once, JSON_COMPACT), v = json_open(&twice, JSON_COMPACT);
    api_call_write(&c, CALL_ARGUMENTS_MAX, STR(""), &w);
    struct api_call again = read_one(str_dup(&a, strbuf_str(&once)), &a);
    api_call_write(&again, CALL_ARGUMENTS_MAX, STR(""), &v);
    assert_true(str_eq(strbuf_str(&once), strbuf_str(&twice)));
    assert_true(again.is_class && again.n_made == 2);
    strbuf_done(&text);
    strbuf_done(&once);
    strbuf_done(&twice);
    arena_done(&a);
}

static void a_step_is_kept(void **state)
{
    struct arena a;
    struct strbuf text = {0}, json = {0};
    (void)state;
    arena_init(&a);
    struct api_call c =
        read_one("{\"symbol\": \"torch.optim.SGD\", \"op\": \"sgd\", \"step\": true, \"args\": "
                 "[{\"tensor\": {\"dtype\": \"float32\", \"shape\": [1], \"values\": [0.5]}}], "
                 "\"keys\": {\"lr\": 0.5}}",
                 &a);
    api_call_print(&c, CALL_TENSORS_NAMED, &text);
    assert_true(str_is(strbuf_str(&text), "step_of(torch.optim.SGD)(x0, lr=0.5)"));
    struct json_out w = json_open(&json, JSON_COMPACT);
    api_call_write(&c, CALL_ARGUMENTS_MAX, STR(""), &w);
    assert_true(read_one(str_dup(&a, strbuf_str(&json)), &a).is_step);
    strbuf_done(&text);
    strbuf_done(&json);
    arena_done(&a);
}

static void elements_fit_an_integer_type(void **state)
{
    static const char *const rows[][2] = {
        {"-2.5", "2"}, {"1e30", "100"}, {"{\"float\": \"nan\"}", "0"},
        {"-3", "3"},   {"4000", "61"},  {"true", "true"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct changes all;
        arena_init(&a);
        struct api_call c = read_one(
            arena_printf(&a,
                         "{\"symbol\": \"f\", \"op\": \"f\", \"args\": [{\"tensor\": {\"dtype\": "
                         "\"float32\", \"shape\": [1], \"values\": [%s]}}], \"keys\": {}}",
                         rows[i][0]),
            &a);
        changes_of(&c, &a, &all);
        bool found = false;
        for (size_t k = 0; k < all.n; k++)
            found = found || str_is(all.at[k].text,
                                    arena_printf(&a,
                                                 "{\"tensor\":{\"dtype\":\"uint8\",\"shape\":[1],"
                                                 "\"values\":[%s]}}",
                                                 rows[i][1]));
        ASSERT_ROW(found, rows[i][0]);
        arena_done(&a);
    }
}

static void what_is_no_call_is_refused(void **state)
{
    static const char *const bad[] = {"x", "{}", "{\"symbol\": \"f\", \"op\": \"f\", \"args\": 1}",
                                      "{\"symbol\": \"f\", \"op\": \"f\", \"make\": 1, "
                                      "\"args\": [], \"keys\": {}}",
                                      "{\"symbol\": 1, \"op\": \"f\", \"args\": [], \"keys\": {}}"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct arena a;
        struct api_calls calls;
        struct err e = {0};
        arena_init(&a);
        ASSERT_ROW(!api_calls_read(str_of(bad[i]), "test", &a, &calls, &e), bad[i]);
        ASSERT_ROW(strstr(e.text, "line 1") != NULL, bad[i]);
        arena_done(&a);
    }
}

static void each_change_is_the_only_one(void **state)
{
    struct arena a;
    struct changes all;
    bool seen[CHANGE_COUNT] = {false};
    (void)state;
    arena_init(&a);
    struct api_call seed = read_one(SEED, &a);
    changes_of(&seed, &a, &all);
    assert_true(all.n > 20);
    for (size_t i = 0; i < all.n; i++) {
        struct api_call changed;
        assert_true(change_apply(&seed, &all.at[i], &a, &changed));
        seen[all.at[i].kind] = true;
    }
    static const enum change_kind wanted[] = {CHANGE_DTYPE,   CHANGE_RANK, CHANGE_DIM,
                                              CHANGE_EMPTY,   CHANGE_INT,  CHANGE_FLOAT,
                                              CHANGE_FRACTION};
    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        ASSERT_ROW(seen[wanted[i]], change_name(wanted[i]));
    struct change none = {.kind = CHANGE_INT, .at = 1, .text = STR("3")};
    struct api_call changed;
    assert_false(change_apply(&seed, &none, &a, &changed));
    arena_done(&a);
}

static void a_tensor_in_a_list_is_changed(void **state)
{
    static const char *const texts[][2] = {
        {"item's dtype", "[{\"tensor\":{\"dtype\":\"int64\",\"shape\":[2],\"values\":[1,2]}},7]"},
        {"item's shape",
         "[{\"tensor\":{\"dtype\":\"float32\",\"shape\":[1,2],\"values\":[1.5,2.5]}},7]"},
        {"item's shape", "[{\"tensor\":{\"dtype\":\"float32\",\"shape\":[],\"values\":[1.5]}},7]"},
        {"item's shape",
         "[{\"tensor\":{\"dtype\":\"float32\",\"shape\":[3],\"values\":[1.5,2.5,1.5]}},7]"},
        {"items", "[7]"},
    };
    struct arena a;
    struct changes all;
    (void)state;
    arena_init(&a);
    struct api_call seed = read_one("{\"symbol\": \"f\", \"op\": \"f\", \"args\": [[{\"tensor\": "
                                    "{\"dtype\": \"float32\", \"shape\": [2], \"values\": [1.5, "
                                    "2.5]}}, 7]], \"keys\": {}}",
                                    &a);
    changes_of(&seed, &a, &all);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        bool found = false;
        for (size_t k = 0; k < all.n; k++)
            found = found || (strcmp(change_name(all.at[k].kind), texts[i][0]) == 0 &&
                              str_is(all.at[k].text, texts[i][1]));
        ASSERT_ROW(found, texts[i][1]);
    }
    for (size_t k = 0; k < all.n; k++) {
        struct api_call changed;
        assert_true(change_apply(&seed, &all.at[k], &a, &changed));
    }
    arena_done(&a);
}

#define TENSOR_OF(dtype, shape)                                                                    \
    "{\"tensor\": {\"dtype\": \"" dtype "\", \"shape\": " shape ", \"values\": [1.0]}}"

struct row {
    const char *name;
    size_t at;
    enum change_kind kind;
    const char *text;
    enum predictor predictor;
    bool is_given;
    enum outcome_kind is;
};

static const struct row rows[] = {
    {"no overload takes a string", 1, CHANGE_TEXT, "\"x\"", PREDICTOR_schemas, true,
     OUTCOME_KIND_RAISED},
    {"one takes a fraction", 1, CHANGE_FRACTION, "1.5", PREDICTOR_schemas, false, 0},
    {"a factor changes no shape", 2, CHANGE_FLOAT, "0.0", PREDICTOR_before, true, OUTCOME_KIND_OK},
    {"no text where a number is documented", 1, CHANGE_TEXT, "\"x\"", PREDICTOR_types, true,
     OUTCOME_KIND_RAISED},
    {"no fraction where an integer is", 1, CHANGE_FRACTION, "1.5", PREDICTOR_types, true,
     OUTCOME_KIND_RAISED},
    {"below the documented range", 1, CHANGE_INT, "-3", PREDICTOR_ranges, true,
     OUTCOME_KIND_RAISED},
    {"inside the range", 1, CHANGE_INT, "4", PREDICTOR_ranges, false, 0},
    {"an interval's open end", 2, CHANGE_FLOAT, "3.0", PREDICTOR_ranges, true, OUTCOME_KIND_RAISED},
    {"an interval's closed end", 2, CHANGE_FLOAT, "0.0", PREDICTOR_ranges, false, 0},
    {"a type that is not listed", 0, CHANGE_DTYPE, TENSOR_OF("int64", "[2, 1]"), PREDICTOR_elements,
     true, OUTCOME_KIND_RAISED},
    {"a type that is listed", 0, CHANGE_DTYPE, TENSOR_OF("float16", "[2, 1]"), PREDICTOR_elements,
     true, OUTCOME_KIND_OK},
    {"another rank", 0, CHANGE_RANK, TENSOR_OF("float32", "[1, 2, 1]"), PREDICTOR_ranks, true,
     OUTCOME_KIND_RAISED},
    {"the same rank", 0, CHANGE_DIM, TENSOR_OF("float32", "[2, 2]"), PREDICTOR_ranks, false, 0},
    {"without a fake run nothing is said", 1, CHANGE_INT, "4", PREDICTOR_fake, false, 0},
};

static void predictors_speak_or_abstain(void **state)
{
    static const struct str schemas[] = {
        TEXT("aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"),
        TEXT("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")};
    static const struct api_record r = {
        .name = TEXT("torch.add"),
        .kind = TEXT("function"),
        .doc = TEXT(
            "Args:\n    self (Tensor): Must be one of the following types: `float32`, `half`.\n"
            "        It must be 2-D.\n    other (int): non-negative.\n"
            "    alpha (float): in the range [0, 3).\n"),
        .schemas = schemas,
        .n_schemas = 2};
    struct documented_parameters documented;
    struct arena texts;
    (void)state;
    arena_init(&texts);
    documented_parameters_of(&r, &texts, &documented);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct api_call changed;
        struct prediction all[PREDICTOR_COUNT];
        arena_init(&a);
        struct api_call seed = read_one(SEED, &a);
        struct change c = {rows[i].kind, rows[i].at, str_of(rows[i].text)};
        assert_true(change_apply(&seed, &c, &a, &changed));
        struct situation s = {.record = &r,
                              .seed = &seed,
                              .changed = &changed,
                              .change = &c,
                              .documented = &documented};
        predict_all(&s, all);
        const struct prediction *p = &all[rows[i].predictor];
        ASSERT_ROW(p->is_given == rows[i].is_given, rows[i].name);
        ASSERT_ROW(!p->is_given || p->is == rows[i].is, rows[i].name);
        arena_done(&a);
    }
    arena_done(&texts);
}

struct declared_row {
    const char *name;
    size_t at;
    const char *dtype;
    bool is_given;
    enum outcome_kind is;
};

static const struct declared_row declared_rows[] = {
    {"a type that is not declared", 0, "bool", true, OUTCOME_KIND_RAISED},
    {"one that is, of one tensor among two", 0, "float64", false, 0},
    {"of another tensor nothing is declared", 1, "bool", false, 0},
};

static void declared_types_are_of_the_first_tensor(void **state)
{
    static const char seed_text[] =
        "{\"symbol\": \"torch.add\", \"op\": \"add\", \"types\": [\"float32\", \"float64\"], "
        "\"args\": "
        "[" TENSOR_OF("float32", "[1]") ", " TENSOR_OF("float32", "[1]") "], \"keys\": {}}";
    (void)state;
    for (size_t i = 0; i < COUNT_OF(declared_rows); i++) {
        const struct declared_row *row = &declared_rows[i];
        struct arena a;
        struct api_call changed;
        struct prediction all[PREDICTOR_COUNT];
        arena_init(&a);
        struct api_call seed = read_one(seed_text, &a);
        struct change c = {CHANGE_DTYPE, row->at, STR("")};
        c.text = str_of(arena_printf(
            &a, "{\"tensor\": {\"dtype\": \"%s\", \"shape\": [1], \"values\": [1]}}", row->dtype));
        assert_true(change_apply(&seed, &c, &a, &changed));
        struct situation s = {.seed = &seed, .changed = &changed, .change = &c};
        predict_all(&s, all);
        ASSERT_ROW(all[PREDICTOR_declared].is_given == row->is_given, row->name);
        ASSERT_ROW(!row->is_given || all[PREDICTOR_declared].is == row->is, row->name);
        arena_done(&a);
    }
}

/* FakeTensor lets `x.mul_(y)` work where y is larger than x. */
static void what_is_written_in_place_keeps_its_shape(void **state)
{
    static const struct {
        const char *symbol;
        enum outcome_kind is;
    } symbols[] = {{"torch.Tensor.mul_", OUTCOME_KIND_RAISED}, {"torch.mul", OUTCOME_KIND_OK}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(symbols); i++) {
        struct arena a;
        struct api_call changed;
        struct prediction all[PREDICTOR_COUNT];
        struct call_outcome fake = {.is = OUTCOME_KIND_OK, .n_leaves = 1};
        fake.leaves[0] = (struct leaf){STR("float32"), {1, 1}, 2};
        arena_init(&a);
        struct api_call seed = read_one(
            arena_printf(&a,
                         "{\"symbol\": \"%s\", \"op\": \"mul\", \"args\": [%s, %s], \"keys\": {}, "
                         "\"leaves\": [[\"float32\", [1]]]}",
                         symbols[i].symbol, TENSOR_OF("float32", "[1]"),
                         TENSOR_OF("float32", "[1]")),
            &a);
        struct change c = {CHANGE_RANK, 1, STR(TENSOR_OF("float32", "[1, 1]"))};
        assert_true(change_apply(&seed, &c, &a, &changed));
        struct situation s = {.seed = &seed,
                              .changed = &changed,
                              .change = &c,
                              .abstract = &fake,
                              .how = STR("fake")};
        predict_all(&s, all);
        ASSERT_ROW(all[PREDICTOR_fake].is == symbols[i].is, symbols[i].symbol);
        arena_done(&a);
    }
}

static void reliability_is_what_was_right(void **state)
{
    struct arena a;
    struct calibration fit = {0};
    struct api_call changed;
    struct prediction all[PREDICTOR_COUNT];
    enum predictor which;
    (void)state;
    arena_init(&a);
    struct api_call seed = read_one(SEED, &a);
    struct change c = {CHANGE_FLOAT, 2, STR("0.0")};
    assert_true(change_apply(&seed, &c, &a, &changed));
    struct situation s = {.seed = &seed, .changed = &changed, .change = &c};
    predict_all(&s, all);
    struct call_outcome right = seed.before, wrong = {.is = OUTCOME_KIND_RAISED};
    assert_true(prediction_is_right(&all[PREDICTOR_before], &right));
    assert_false(prediction_is_right(&all[PREDICTOR_before], &wrong));
    for (int i = 0; i < 30; i++)
        calibration_add(&fit, &s, all, i % 3 ? &right : &wrong, &a);
    calibration_fit(&fit, &a);
    double confidence = calibration_best(&fit, &s, all, COLUMN_DOCUMENTS, &which);
    assert_int_equal(which, PREDICTOR_before);
    assert_true(confidence > 0.6 && confidence < 0.72);
    assert_true(calibration_best(&fit, &s, all, COLUMN_FAKE, &which) == 0);
    arena_done(&a);
}

/* Of two abstract runs that say the same, one was wrong about its seed: it is trusted less. */
static void who_misses_the_seed_is_trusted_less(void **state)
{
    struct arena a;
    struct calibration fit = {0};
    struct api_call changed;
    struct prediction all[PREDICTOR_COUNT];
    struct call_outcome raises = {.is = OUTCOME_KIND_RAISED, .type = STR("TypeError")};
    enum predictor which;
    double sure[2];
    (void)state;
    arena_init(&a);
    struct api_call seed = read_one(SEED, &a);
    struct call_outcome works = seed.before;
    struct change c = {CHANGE_INT, 1, STR("4")};
    assert_true(change_apply(&seed, &c, &a, &changed));
    struct situation s = {
        .seed = &seed, .changed = &changed, .change = &c, .abstract = &raises, .how = STR("fake")};
    predict_all(&s, all);
    for (int i = 0; i < 40; i++) {
        s.seed_abstract = i % 2 ? &raises : &works;
        calibration_add(&fit, &s, all, i % 2 ? &works : &raises, &a);
    }
    calibration_fit(&fit, &a);
    for (int i = 0; i < 2; i++) {
        s.seed_abstract = i ? &raises : &works;
        sure[i] = calibration_best(&fit, &s, all, COLUMN_DOCUMENTS | COLUMN_FAKE, &which);
        assert_int_equal(which, PREDICTOR_fake);
    }
    assert_true(sure[0] > 0.7 && sure[1] < 0.3);
    arena_done(&a);
}

static struct str program_of(uint64_t seed, uint64_t index, struct arena *a)
{
    const struct generator_ops *ops = generator_find(STR("foretell"));
    struct generate_options o = {.seed = seed};
    struct generator *g;
    struct tcase *c;
    struct err e = {0};
    assert_non_null(ops);
    if (!ops->open(&o, &g, &e) || !ops->next(g, index, a, &c, &e))
        fail_msg("%s", e.text);
    struct str source = c ? c->program->source : STR("");
    ops->close(g);
    return source;
}

static void the_case_of_an_index_is_its_own(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a);
    struct str first = program_of(7, 3, &a);
    assert_true(str_find(first, STR("torch.compile(call, backend=\"aot_eager\")")) < first.n);
    assert_true(str_eq(first, program_of(7, 3, &a)));
    assert_false(str_eq(first, program_of(7, 4, &a)));
    assert_false(str_eq(first, program_of(8, 3, &a)));
    arena_done(&a);
}

struct score_row {
    const char *name;
    double confidence[2]; /* of the first and the second half of the predictions */
    size_t right[2];      /* of ten each */
    double ece, brier, skill, auroc, at_half;
};

static const struct score_row scores[] = {
    {"perfect", {1.0, 0.0}, {10, 0}, 0, 0, 1, 1, 1},
    {"calibrated", {0.9, 0.1}, {9, 1}, 0, 0.09, 0.64, 0.9, 0.9},
    {"says nothing", {0.5, 0.5}, {10, 0}, 0.5, 0.25, 0, 0.5, 1},
    {"the wrong way round", {1.0, 0.0}, {0, 10}, 1, 1, -3, 0, 0},
};

static void predictions_are_scored(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(scores); i++) {
        const struct score_row *row = &scores[i];
        struct scored list[20];
        struct figures f = {
            .n_population = 20, .n_given = 20, .n_right = row->right[0] + row->right[1]};
        for (size_t k = 0; k < 20; k++)
            list[k] = (struct scored){row->confidence[k / 10], k % 10 < row->right[k / 10], 0};
        score_predictions(list, &f);
        ASSERT_ROW(fabs(f.brier - row->brier) < 1e-9, row->name);
        ASSERT_ROW(fabs(f.skill - row->skill) < 1e-9, row->name);
        ASSERT_ROW(fabs(f.auroc - row->auroc) < 1e-9, row->name);
        if (row->confidence[0] != 0.9 && row->confidence[0] != row->confidence[1]) {
            ASSERT_ROW(fabs(f.ece - row->ece) < 1e-9, row->name);
            ASSERT_ROW(fabs(f.accuracy_at[SCORE_STEPS / 2 - 1] - row->at_half) < 1e-9, row->name);
        }
    }
}

static void accuracy_ends_where_predictions_do(void **state)
{
    struct scored list[5] = {
        {0.9, true, 0}, {0.8, true, 0}, {0.7, false, 0}, {0.6, true, 0}, {0.5, false, 0}};
    struct figures f = {.n_population = 10, .n_given = 5, .n_right = 3};
    (void)state;
    score_predictions(list, &f);
    assert_true(f.accuracy_at[3] == 1 && f.accuracy_at[7] == 0.75 && f.accuracy_at[9] == 0.6);
    assert_true(f.accuracy_at[11] < 0);
}

/* Ties are one group, in whatever order they stand. */
static void levels_are_groups_of_equal_confidence(void **state)
{
    static const struct {
        const char *name, *right; /* of ten at 0.2 and ten at 0.6: 'x' is right */
        double error;
    } levels[] = {
        {"as often right as told", "xx........xxxxxx....", 0},
        {"whatever the order", "........xx..xxxx.xx.", 0},
        {"one too few at 0.6", "xx........xxxxx.....", 0.05},
        {"both are off", "..........xxxxxxxxxx", 0.3},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        struct scored list[20];
        struct figures f = {.n_population = 20, .n_given = 20};
        for (size_t k = 0; k < 20; k++) {
            list[k] = (struct scored){k < 10 ? 0.2 : 0.6, levels[i].right[k] == 'x', 0};
            f.n_right += list[k].right;
        }
        score_predictions(list, &f);
        ASSERT_ROW(fabs(score_levels(list, 20) - levels[i].error) < 1e-9, levels[i].name);
    }
    assert_true(score_levels(NULL, 0) == 0);
}

/* 200 predictions of 0.8, 160 of them right: in groups of one, of ten alike, or in one group. */
static void predictions_of_one_operator_are_drawn_together(void **state)
{
    static const struct {
        const char *name;
        size_t size;
        double least,
            most; /* width of the interval of accuracy; by the normal distribution 0.11, 0.35 */
    } draws[] = {{"alone", 1, 0.08, 0.14}, {"ten alike", 10, 0.25, 0.45}, {"one group", 200, 0, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(draws); i++) {
        struct arena a;
        struct scored list[200];
        struct score_intervals x, again;
        arena_init(&a);
        for (size_t k = 0; k < COUNT_OF(list); k++)
            list[k] = (struct scored){0.8, k < 160, k / draws[i].size};
        score_bootstrap(list, COUNT_OF(list), &a, &x);
        score_bootstrap(list, COUNT_OF(list), &a, &again);
        double width = x.accuracy.high - x.accuracy.low;
        ASSERT_ROW(width >= draws[i].least && width <= draws[i].most, draws[i].name);
        ASSERT_ROW(x.accuracy.low <= 0.8 && x.accuracy.high >= 0.8, draws[i].name);
        ASSERT_ROW(x.ece.low >= 0 && x.ece.low <= x.ece.high && x.ece.high < 1, draws[i].name);
        ASSERT_ROW(x.auroc.low == 0.5 && x.auroc.high == 0.5, draws[i].name);
        ASSERT_ROW(memcmp(&x, &again, sizeof x) == 0, draws[i].name);
        arena_done(&a);
    }
}

TEST_SUITE(generate_foretell, TEST(predictions_are_scored),
           TEST(predictions_of_one_operator_are_drawn_together),
           TEST(levels_are_groups_of_equal_confidence), TEST(accuracy_ends_where_predictions_do),
           TEST(a_call_is_python), TEST(an_object_is_made_then_called), TEST(a_step_is_kept),
           TEST(elements_fit_an_integer_type), TEST(what_is_no_call_is_refused),
           TEST(each_change_is_the_only_one), TEST(predictors_speak_or_abstain),
           TEST(declared_types_are_of_the_first_tensor),
           TEST(what_is_written_in_place_keeps_its_shape), TEST(reliability_is_what_was_right),
           TEST(a_tensor_in_a_list_is_changed), TEST(who_misses_the_seed_is_trusted_less),
           TEST(the_case_of_an_index_is_its_own))
