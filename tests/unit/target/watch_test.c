/* When a step is given up: the limits that follow from similar steps, and what they say as time
 * passes. */
#include "target/pool_p.h"
#include "unit/test.h"

enum { DEADLINE = 3000 };

static struct watch_limits limits_of(const struct pool_request *r, double cost_ms, uint32_t n_ended,
                                     double mean_ms, uint32_t n_refuted)
{
    const struct mode_record record = {
        .n_ended = n_ended, .mean_ms = mean_ms, .n_refuted = n_refuted};
    return watch__limits(r, DEADLINE, cost_ms, &record);
}

static void limits_follow_what_a_step_should_cost(void **state)
{
    static const struct {
        const char *name;
        struct pool_request request;
        double cost_ms, mean_ms;
        uint32_t n_ended, n_refuted;
        int64_t suspect, busy;
    } rows[] = {
        {"no wish", {0}, 1, 1, 99, 0, 0, DEADLINE},
        {"tiny", {.quarantines = true, .busy_ms = 500}, 0.1, 1, 99, 0, 60, 500},
        {"mode not known yet", {.quarantines = true, .busy_ms = 500}, 0.1, 1, 15, 0, 0, 500},
        {"slow mode", {.quarantines = true, .busy_ms = 500}, 0.1, 100, 99, 0, 0, 1000},
        {"slow mode, long limit",
         {.quarantines = true, .busy_ms = 2500},
         0.1,
         100,
         99,
         0,
         2000,
         2500},
        {"large model", {.quarantines = true, .busy_ms = 500}, 300, 1, 99, 0, 0, 3000},
        {"wrong twice", {.quarantines = true, .busy_ms = 2000}, 0, 1, 99, 2, 240, 2000},
        {"fresh",
         {.quarantines = true, .busy_ms = 500, .fresh = POOL_FRESH_FORK},
         0,
         1,
         99,
         0,
         0,
         500},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct watch_limits l = limits_of(&rows[i].request, rows[i].cost_ms, rows[i].n_ended,
                                          rows[i].mean_ms, rows[i].n_refuted);
        if (l.suspect != rows[i].suspect || l.busy != rows[i].busy || l.wall != DEADLINE)
            fail_msg("%s: %lld %lld %lld", rows[i].name, (long long)l.suspect, (long long)l.busy,
                     (long long)l.wall);
    }
}

/* A process that gets no CPU time on a crowded machine is neither suspected nor given up early. */
static void cpu_time_decides_where_one_computes_and_the_clock_where_one_waits(void **state)
{
    static const struct watch_limits early = {150, 2000, DEADLINE}, plain = {0, 2000, DEADLINE};
    static const struct {
        const char *name;
        const struct watch_limits *limits;
        int64_t wall_ms, cpu_ms;
        enum watch_word word;
    } rows[] = {
        {"just begun", &early, 75, 0, WATCH_GO_ON},
        {"busy from the start", &early, 150, 70, WATCH_SUSPECT},
        {"waits", &early, 150, 0, WATCH_GO_ON},
        {"starved", &early, 1000, 40, WATCH_GO_ON},
        {"busy, no early limit", &plain, 1900, 1900, WATCH_GO_ON},
        {"busy to the end", &plain, 2100, 2000, WATCH_OVER},
        {"waits to the end", &plain, DEADLINE, 0, WATCH_OVER},
        {"waits, early limit", &early, DEADLINE, 10, WATCH_OVER},
        {"starved at the deadline", &plain, DEADLINE, 600, WATCH_GO_ON},
        {"starved without end", &plain, 5 * DEADLINE, 1900, WATCH_OVER},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(watch__judge(rows[i].limits, rows[i].wall_ms, rows[i].cpu_ms) == rows[i].word,
                   rows[i].name);
}

/* A hang is presumed only in a mode that has hung before, only where the request allows it, and not
 * for one step in sixteen. */
static void what_is_not_known_is_not_presumed(void **state)
{
    struct tcase c = {0};
    struct pool_request r = {.c = &c, .presumes = true};
    struct mode_record known = {.n_hangs = 1}, unknown = {.n_ended = 99};
    size_t n = 0;
    (void)state;
    for (int i = 0; i < 256; i++) {
        c.id.bytes[0] = (unsigned char)i;
        n += watch__presumes(&r, &known);
        assert_false(watch__presumes(&r, &unknown));
    }
    assert_int_equal(n, 240);
    r.presumes = false;
    assert_false(watch__presumes(&r, &known));
}

TEST_SUITE(target_watch, TEST(limits_follow_what_a_step_should_cost),
           TEST(cpu_time_decides_where_one_computes_and_the_clock_where_one_waits),
           TEST(what_is_not_known_is_not_presumed))
