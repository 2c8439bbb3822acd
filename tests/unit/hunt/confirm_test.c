/* Which runs confirmation makes and how it ends, by rows of what the runs show. */
#include "hunt/reproduce/confirm_case.h"

#include <math.h>
#include <string.h>

#include "unit/test.h"

/* Plays runs by a pattern: 'x' fails, '.' passes; runs after its end repeat the last entry. */
static enum confirm_state play(const char *pattern, size_t *n_quick, size_t *n_fork,
                               size_t *n_interpreter)
{
    struct confirm_run runs[64];
    enum confirm_state state = CONFIRM_GONE;
    size_t n = 0, len = strlen(pattern);
    const char *kind;
    *n_quick = *n_fork = *n_interpreter = 0;
    while ((kind = confirm_next(runs, n, &state)) && n < COUNT_OF(runs)) {
        runs[n] = (struct confirm_run){kind, pattern[n < len ? n : len - 1] == 'x'};
        *n_quick += strcmp(kind, "quick") == 0;
        *n_fork += strcmp(kind, "fork") == 0;
        *n_interpreter += strcmp(kind, "interpreter") == 0;
        n++;
    }
    return state;
}

static void a_failure_counts_when_it_is_there_each_time(void **state)
{
    static const struct {
        const char *pattern;
        enum confirm_state is;
        size_t n_quick, n_fork, n_interpreter;
    } rows[] = {
        {"x", CONFIRM_CONFIRMED, 3, 10, 2},
        {"...........................", CONFIRM_GONE, 3, 20, 0},
        {"xxxxxxxxxxxxx.x", CONFIRM_FLAKY, 3, 29, 1}, /* the first fresh interpreter passes */
        {"xxx.", CONFIRM_GONE, 3, 20, 0},
        {"...xx.", CONFIRM_FLAKY, 3, 30, 0},
        {"...x.", CONFIRM_GONE, 3, 30, 0}, /* 1 of 30 */
        {"x.xx", CONFIRM_FLAKY, 3, 30, 0}, /* a quick one passed: never "confirmed" */
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        size_t q, f, p;
        ASSERT_ROW(play(rows[i].pattern, &q, &f, &p) == rows[i].is, rows[i].pattern);
        ASSERT_ROW(q == rows[i].n_quick && f == rows[i].n_fork && p == rows[i].n_interpreter,
                   rows[i].pattern);
    }
}

/* Groups of parallel runs end in the state and the number of runs of a sequence of single ones. */
static void groups_end_as_single_runs_do(void **state)
{
    static const char *const patterns[] = {
        "x",    "...........................", "xxx.", "xxxxxxxxxxxxx.x", "...xx.", "...x.",
        "x.xx", "xxxxxx.xxxxxxxxx.x"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        struct confirm_run runs[64];
        enum confirm_state is = CONFIRM_GONE;
        size_t q, f, p, n = 0, group, len = strlen(patterns[i]);
        enum confirm_state single = play(patterns[i], &q, &f, &p);
        while ((group = confirm_n_ahead(runs, n)) > 0 && n + group < COUNT_OF(runs)) {
            const char *kind = confirm_next(runs, n, &is);
            for (size_t to = n + group; n < to; n++)
                runs[n] = (struct confirm_run){kind, patterns[i][n < len ? n : len - 1] == 'x'};
        }
        ASSERT_ROW(confirm_next(runs, n, &is) == NULL && is == single, patterns[i]);
        ASSERT_ROW(n == q + f + p, patterns[i]);
    }
}

/* Against the closed form's values from Wilson (1927) tables. */
static void the_interval_is_wilsons(void **state)
{
    static const struct {
        const char *name;
        uint64_t k, n;
        double low, high;
    } rows[] = {
        {"0/10", 0, 10, 0.0, 0.2775},    {"10/10", 10, 10, 0.7225, 1.0},
        {"5/10", 5, 10, 0.2366, 0.7634}, {"2/30", 2, 30, 0.0185, 0.2132},
        {"0/0", 0, 0, 0.0, 1.0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct confirm_interval got = confirm_wilson(rows[i].k, rows[i].n);
        ASSERT_ROW(fabs(got.low - rows[i].low) < 5e-5, rows[i].name);
        ASSERT_ROW(fabs(got.high - rows[i].high) < 5e-5, rows[i].name);
    }
}

TEST_SUITE(hunt_confirm, TEST(a_failure_counts_when_it_is_there_each_time),
           TEST(groups_end_as_single_runs_do), TEST(the_interval_is_wilsons))
