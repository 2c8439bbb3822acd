/* The trial of an adapter: the check for it reports each fault of the fake worker; a fake without a
 * fault passes all checks, and so does the native worker. */
#include "target/trial.h"

#include <string.h>

#include "base/path.h"
#include "pool_fixture.h"
#include "unit/test.h"

#define DEADLINE_MS 120000
#define SHORT_DEADLINE_MS 2000
#define MEMORY ((uint64_t)128 << 20)

struct heard {
    struct arena *a;
    unsigned n_passed, n_failed;
    const char *check, *failure; /* the first that failed */
};

static void on_check(void *ctx, const char *check, const char *failure)
{
    struct heard *h = ctx;
    h->n_passed += !failure;
    h->n_failed += failure != NULL;
    if (!failure || h->failure)
        return;
    h->check = check;
    h->failure = arena_strdup(h->a, failure);
}

static struct heard try_double(struct arena *a, const char *name, bool never_ends)
{
    const char *const argv[] = {
        "/usr/bin/python3",
        "-I",
        path_join(a, ASSAY_SOURCE_DIR, "tests/fake/assay_worker/__main__.py"),
        name,
        "3",
        NULL};
    struct heard h = {.a = a};
    struct trial_options o = {.argv = argv,
                              .deadline_ms = never_ends ? SHORT_DEADLINE_MS : DEADLINE_MS,
                              .memory_bytes = MEMORY,
                              .first_failure = true,
                              .tell = on_check,
                              .ctx = &h};
    struct trial_result result;
    struct err e;
    if (!trial_run(&o, &result, &e))
        fail_msg("%s: %s", name, e.text);
    ASSERT_ROW(result.n_passed == h.n_passed && result.n_failed == h.n_failed, name);
    return h;
}

static const struct {
    const char *fault;
    const char *check;   /* begins with it; NULL: none fails */
    const char *failure; /* found in it */
    bool never_ends;
} rows[] = {
    {"good", NULL, NULL, false},
    {"slow", NULL, NULL, false},
    {"no-hello", "says hello", "cannot load the engine", false},
    {"error-hello", "says hello", "error came: ImportError: no engine here", false},
    {"wrong-version", "says hello", "hello names protocol 999", false},
    {"start-once", "runs a good model", "it starts only once", false},
    {"silent", "runs a good model", "nothing came", true},
    {"busy", "runs a good model", "nothing came", true},
    {"half-frame", "runs a good model", "result is expected", true},
    {"half-frame-and-wait", "runs a good model", "nothing came", true},
    {"huge-frame", "runs a good model", "a frame of 2147483647 bytes", false},
    {"garbage", "runs a good model", "result is expected, but", false},
    {"not-json", "runs a good model", "result is expected, but", false},
    {"double-reply", "runs a good model", "mode 0; expected", false},
    {"other-seq", "runs a good model", "a result of sequence number 8", false},
    {"other-kind", "runs a good model", "run came", false},
    {"wrong-outputs", "runs a good model", "6 outputs instead of 2", false},
    {"outside-file", "runs a good model", "outside its file", false},
    {"linked-file", "runs a good model", "a1-out0.bin", false},
    {"die-9", "runs a good model", "signal 9", false},
    {"die-139", "runs a good model", "signal 11", false},
    {"die-134", "runs a good model", "signal 6", false},
    {"die-136", "runs a good model", "signal 8", false},
    {"overflow", "runs a good model", "signal 11", false},
    {"leave", "runs a good model", "code 3", false},
    {"oom", "runs a good model", "exited came: code 1", false},
    {"flood", "runs a good model", "flood", false},
    {"exception", "runs a good model", "exited came: code 1", false},
    {"corrupt-then-die-later", "runs a good model", "signal 11", false},
    {"lose-once", "runs a good model", "signal 11", false},
    {"any-welcome", "does not serve a welcome in another protocol", "started came", false},
    {"strict-keys", "ignores keys", "signal 11", false},
    {"runs-anything", "reports a file that is no model", "has the outcome ok", false},
    {"forgets-exited", "runs a case alone", "nothing came", true},
    {"bye-is-bye", "bye to the child", "started is expected, but the worker ended", false},
    {"never-leaves", "exits when the socket closes", "still runs", true},
    {"any-length", "exits on a frame beyond the limit", "still runs", true},
};

static void each_fault_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        arena_init(&a);
        struct heard h = try_double(&a, rows[i].fault, rows[i].never_ends);
        if (!rows[i].check && h.failure)
            fail_msg("%s: %s: %s", rows[i].fault, h.check, h.failure);
        ASSERT_ROW(h.n_failed == (rows[i].check != NULL), rows[i].fault);
        if (rows[i].check && (strncmp(h.check, rows[i].check, strlen(rows[i].check)) != 0 ||
                              !strstr(h.failure, rows[i].failure)))
            fail_msg("%s: %s: %s", rows[i].fault, h.check, h.failure);
        arena_done(&a);
    }
}

/* The other workers are tried end to end (tests/e2e/targets.sh): they take longer. */
static void the_native_worker_passes(void **state)
{
    struct fixture f;
    struct target_list targets = {0};
    struct err e;
    struct trial_result result;
    (void)state;
    fixture_open(&f, NULL, 0, 0);
    if (!fixture_target(&f, "ort", &targets))
        skip();
    struct heard h = {.a = &f.arena};
    struct trial_options o = {.target = targets.at[0],
                              .home = f.home,
                              .deadline_ms = DEADLINE_MS,
                              .tell = on_check,
                              .ctx = &h};
    if (!trial_run(&o, &result, &e))
        fail_msg("%s", e.text);
    if (h.failure)
        fail_msg("%s: %s", h.check, h.failure);
    assert_int_equal(result.n_passed, 14);
    fixture_close(&f);
}

TEST_SUITE(target_trial, TEST(each_fault_is_told), TEST(the_native_worker_passes))
