/* The oracle pairs: who is blamed when three frameworks return these values for one call. */
#include "judge/judge.h"

#include <math.h>
#include <string.h>

#include "unit/test.h"

enum { ENGINES = 3, VALUES = 2 };

#define COMPLEX "complex" /* the output is one complex number, the values its parts */

static const char *const engines[ENGINES] = {"torch", "jax", "keras"};

static const struct row {
    const char *name;
    double values[ENGINES][VALUES];
    const char *framework; /* of the program; "": of none */
    int raises;            /* the engine that raises; -1: none */
    const char *output;
    const char *blamed; /* NULL: nobody */
    enum wrong_kind wrong;
} rows[] = {
    {"all agree", {{1, 2}, {1, 2}, {1, 2}}, "", -1, "out", NULL, WRONG_NOTHING},
    {"one differs", {{1, 2}, {1, 3}, {1, 2}}, "", -1, "out", "jax", WRONG_VALUE},
    {"the first one differs", {{5, 2}, {1, 2}, {1, 2}}, "", -1, "out", "torch", WRONG_VALUE},
    {"a residue where others are zero",
     {{0, 0}, {0, 4.8e-7}, {0, 0}},
     "",
     -1,
     "out",
     NULL,
     WRONG_NOTHING},
    {"a value where others are zero", {{0, 0}, {0, 1}, {0, 0}}, "", -1, "out", "jax", WRONG_VALUE},
    {"all differ", {{1, 2}, {1, 3}, {1, 4}}, "", -1, "out", NULL, WRONG_NOTHING},
    {"rounding", {{1, 2}, {1, 2.0001}, {1, 2}}, "", -1, "out", NULL, WRONG_NOTHING},
    {"small beside the largest",
     {{1000, 2}, {1000, 2.5}, {1000, 2}},
     "",
     -1,
     "out",
     NULL,
     WRONG_NOTHING},
    {"witnesses that agree loosely only",
     {{1000, 2}, {1000, 900}, {1000, 2.5}},
     "",
     -1,
     "out",
     NULL,
     WRONG_NOTHING},
    {"a NaN", {{1, 2}, {1, 2}, {1, (double)NAN}}, "", -1, "out", "keras", WRONG_NAN},
    {"NaN everywhere",
     {{1, (double)NAN}, {1, (double)NAN}, {1, (double)NAN}},
     "",
     -1,
     "out",
     NULL,
     WRONG_NOTHING},
    {"an infinity", {{(double)INFINITY, 2}, {1, 2}, {1, 2}}, "", -1, "out", "torch", WRONG_INF},
    {"two frameworks only", {{1, 2}, {1, 3}, {1, 2}}, "", 2, "out", NULL, WRONG_NOTHING},
    {"the odd one raises", {{1, 2}, {1, 3}, {1, 2}}, "", 1, "out", NULL, WRONG_NOTHING},
    {"a dtype", {{1, 1}, {11, 11}, {1, 1}}, "", -1, "out.dtype", "jax", WRONG_DTYPE},
    {"a residue in an imaginary part",
     {{-1, 0}, {-1, -8.7e-8}, {-1, -8.7e-8}},
     "",
     -1,
     COMPLEX,
     NULL,
     WRONG_NOTHING},
    {"an imaginary part", {{-1, 0}, {-1, 1}, {-1, 1}}, "", -1, COMPLEX, "torch", WRONG_VALUE},
    {"a program of a framework", {{1, 2}, {1, 3}, {1, 2}}, "torch", -1, "out", NULL, WRONG_NOTHING},
};

static struct named_tensor output_of(const char *name, const double *values, int64_t n,
                                     struct arena *a)
{
    struct tensor t = {.dtype = DTYPE_FLOAT, .rank = 1, .n = (size_t)n};
    float *data = arena_new_array(a, float, t.n);
    int64_t *dims = arena_new_array(a, int64_t, 1);
    for (size_t i = 0; i < t.n; i++)
        data[i] = (float)values[i];
    dims[0] = n;
    t.dims = dims;
    t.data = (void *)data;
    return (struct named_tensor){str_of(name), t};
}

static struct observation observe(const struct row *r, size_t at, struct arena *a)
{
    bool is_complex = strcmp(r->output, COMPLEX) == 0;
    struct named_tensor *out = arena_new_array(a, struct named_tensor, 2);
    struct capture *captures = arena_new_array(a, struct capture, 2);
    for (size_t i = 0; i < 2; i++) {
        out[i] = is_complex ? output_of(i ? "out.imag" : "out.real", &r->values[at][i], 1, a)
                            : output_of(r->output, r->values[at], VALUES, a);
        captures[i] = (struct capture){.symbol = STR("f"), .path = STR("out")};
    }
    return (struct observation){
        .target = {.engine = str_of(engines[at]),
                   .family = str_of(engines[at]),
                   .mode = STR("eager"),
                   .is_base = true},
        .outcome = r->raises == (int)at ? OUTCOME_EXCEPTION : OUTCOME_OK,
        .outputs = {out, is_complex ? 2 : 1},
        .captures = captures,
    };
}

static void the_odd_one_of_three_is_blamed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct row *r = &rows[i];
        struct arena a;
        struct err e = {0};
        arena_init(&a);
        struct program p = {.source = STR("f()"), .framework = str_of(r->framework)};
        struct observation seen[ENGINES];
        for (size_t k = 0; k < ENGINES; k++)
            seen[k] = observe(r, k, &a);
        struct evidence ev = {
            .c = case_of_program(&p, arena_new(&a, struct tensors), 1, (struct provenance){0}, &a),
            .observations = seen,
            .n_observations = ENGINES};
        struct verdicts v;
        struct judge_options o = {.oracles = oracle_bit(ORACLE_PAIRS)};
        ASSERT_ROW(judge_case(&o, &ev, &a, &v, &e), r->name);
        const struct verdict *worst = verdicts_worst(&v);
        bool blames = worst && worst->decision == DECISION_FAIL;
        ASSERT_ROW(blames == (r->blamed != NULL), r->name);
        ASSERT_ROW(!blames || str_is(worst->target.engine, r->blamed), r->name);
        ASSERT_ROW(!blames || worst->wrong == r->wrong, r->name);
        arena_done(&a);
    }
}

TEST_SUITE(judge_pairs, TEST(the_odd_one_of_three_is_blamed))
