/* The oracle shadow: each of its four conditions decides alone; wrong structure always fails. */
#include "judge/judge.h"

#include "unit/test.h"

#define U32 0x1p-24

struct row {
    const char *name;
    struct capture_measures calls[2]; /* the same output of two calls */
    size_t n_calls;
    enum decision expected;
    enum wrong_kind wrong;
};

static const struct row rows[] = {
    {"equal", {{.differs = DIFFERS_NOT}}, 1, DECISION_PASS, WRONG_NOTHING},
    {"rounding",
     {{DIFFERS_VALUE, 1e-7, 1e-7, 0, 0, 3, U32, TEXT("")}},
     1,
     DECISION_PASS,
     WRONG_NOTHING},
    {"wrong value",
     {{DIFFERS_VALUE, 1e-2, 1e-7, 1e-7, 8, 900, U32, TEXT("")}},
     1,
     DECISION_FAIL,
     WRONG_VALUE},
    {"within 12 times eager's error",
     {{DIFFERS_VALUE, 1e-2, 1e-3, 0, 8, 900, U32, TEXT("")}},
     1,
     DECISION_PASS,
     WRONG_NOTHING},
    {"beyond it",
     {{DIFFERS_VALUE, 1.3e-2, 1e-3, 0, 8, 900, U32, TEXT("")}},
     1,
     DECISION_FAIL,
     WRONG_VALUE},
    {"within 12 times the noise",
     {{DIFFERS_VALUE, 1e-2, 1e-7, 1e-3, 8, 900, U32, TEXT("")}},
     1,
     DECISION_PASS,
     WRONG_NOTHING},
    {"noise counts up to 1e-2",
     {{DIFFERS_VALUE, 0.2, 1e-7, 0.1, 8, 900, U32, TEXT("")}},
     1,
     DECISION_FAIL,
     WRONG_VALUE},
    {"beyond 0.1 in full",
     {{DIFFERS_VALUE, 5, 1e-7, 0.5, 8, 900, U32, TEXT("")}},
     1,
     DECISION_PASS,
     WRONG_NOTHING},
    {"an infinity is more than that",
     {{DIFFERS_VALUE, 1e300, 1e-7, 0.5, 8, 900, U32, TEXT("")}},
     1,
     DECISION_FAIL,
     WRONG_VALUE},
    {"inside torch's tolerances",
     {{DIFFERS_VALUE, 1e-2, 1e-7, 1e-7, 8, 0.9, U32, TEXT("")}},
     1,
     DECISION_PASS,
     WRONG_NOTHING},
    {"noise itself",
     {{DIFFERS_VALUE, 1e3, 0.2, 1e-7, 8, 900, U32, TEXT("")}},
     1,
     DECISION_PASS,
     WRONG_NOTHING},
    {"seen once, not repeated",
     {{DIFFERS_VALUE, 1e-2, 1e-7, 1e-7, 3, 900, U32, TEXT("")}},
     1,
     DECISION_PASS,
     WRONG_NOTHING},
    {"seen in two calls",
     {{DIFFERS_VALUE, 1e-2, 1e-7, 1e-7, 3, 900, U32, TEXT("")},
      {DIFFERS_VALUE, 2e-2, 1e-7, 1e-7, 3, 900, U32, TEXT("")}},
     2,
     DECISION_FAIL,
     WRONG_VALUE},
    {"the second call agrees",
     {{DIFFERS_VALUE, 1e-2, 1e-7, 1e-7, 3, 900, U32, TEXT("")},
      {DIFFERS_VALUE, 1e-7, 1e-7, 0, 0, 0, U32, TEXT("")}},
     2,
     DECISION_PASS,
     WRONG_NOTHING},
    {"dtype", {{.differs = DIFFERS_DTYPE}}, 1, DECISION_FAIL, WRONG_DTYPE},
    {"shape", {{.differs = DIFFERS_SHAPE}}, 1, DECISION_FAIL, WRONG_SHAPE},
    {"structure", {{.differs = DIFFERS_STRUCTURE}}, 1, DECISION_FAIL, WRONG_SHAPE},
    {"integers", {{.differs = DIFFERS_EXACT}}, 1, DECISION_FAIL, WRONG_VALUE},
};

static struct target_id target(const char *mode)
{
    return (struct target_id){.engine = STR("torch"),
                              .version = STR("2"),
                              .mode = str_of(mode),
                              .family = STR("torch"),
                              .is_base = strcmp(mode, "eager") == 0};
}

static struct tcase *program(struct arena *a)
{
    struct program *p = arena_new(a, struct program);
    p->source = STR("pass");
    return case_of_program(p, arena_new(a, struct tensors), 1, (struct provenance){0}, a);
}

/* The oracle's verdict about the run as written, not eager; NULL: none. */
static const struct verdict *judge(const struct tcase *c, const struct observation *seen, size_t n,
                                   struct arena *a)
{
    struct judge_options o = {.oracles = oracle_bit(ORACLE_SHADOW)};
    struct evidence ev = {.c = c, .observations = seen, .n_observations = n};
    struct verdicts v;
    struct err e;
    assert_true(judge_case(&o, &ev, a, &v, &e));
    return v.n ? verdicts_worst(&v) : NULL;
}

static void each_condition_decides(void **state)
{
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct row *r = &rows[i];
        struct capture captures[2];
        struct named_tensor outputs[2];
        for (size_t k = 0; k < r->n_calls; k++) {
            captures[k] = (struct capture){0, (uint32_t)k + 1, STR("torch.compile"), STR("out"),
                                           &r->calls[k]};
            outputs[k] = (struct named_tensor){.name = str_of(arena_printf(&a, "call %zu", k))};
        }
        struct observation seen[2] = {
            {.target = target("written"), .captures = captures, .outputs = {outputs, r->n_calls}},
            {.target = target("eager"), .captures = captures, .outputs = {outputs, r->n_calls}}};
        const struct verdict *v = judge(program(&a), seen, 2, &a);
        ASSERT_ROW(v && v->decision == r->expected, r->name);
        ASSERT_ROW(v->wrong == r->wrong, r->name);
    }
    arena_done(&a);
}

static void outcomes_are_held_against_eager(void **state)
{
    static const struct {
        const char *name;
        enum outcome written, eager;
        const char *written_type, *eager_type;
        int expected; /* a decision; -1: no verdict */
    } outcomes[] = {
        {"accepts what eager rejects", OUTCOME_OK, OUTCOME_EXCEPTION, "", "IndexError",
         DECISION_FAIL},
        {"another error", OUTCOME_EXCEPTION, OUTCOME_EXCEPTION, "KeyError", "IndexError",
         DECISION_FAIL},
        {"the same error", OUTCOME_EXCEPTION, OUTCOME_EXCEPTION, "IndexError", "IndexError", -1},
        {"eager lacks it", OUTCOME_OK, OUTCOME_EXCEPTION, "", "NotImplementedError", -1},
        {"neither ran", OUTCOME_NOT_TARGET, OUTCOME_NOT_TARGET, "", "", -1},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(outcomes); i++) {
        struct capture none[1] = {{0}};
        struct observation seen[2] = {{.target = target("written"),
                                       .outcome = outcomes[i].written,
                                       .captures = none,
                                       .message = {.type = str_of(outcomes[i].written_type)}},
                                      {.target = target("eager"),
                                       .outcome = outcomes[i].eager,
                                       .message = {.type = str_of(outcomes[i].eager_type)}}};
        const struct verdict *v = judge(program(&a), seen, 2, &a);
        ASSERT_ROW((v ? (int)v->decision : -1) == outcomes[i].expected, outcomes[i].name);
    }
    arena_done(&a);
}

TEST_SUITE(judge_shadow, TEST(each_condition_decides), TEST(outcomes_are_held_against_eager))
