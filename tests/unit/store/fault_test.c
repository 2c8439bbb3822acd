/* Injected failures of the second commit, and of SQLite's own files. Runs before the other suites,
 * in children, because a process reads FAULT once. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "store/store.h"
#include "unit/test.h"

static bool second_commit_fails_whole(struct store *s, struct arena *a)
{
    struct err e;
    struct store_results got;
    const struct store_result rows[] = {{.campaign = 1, .case_at = 0},
                                        {.campaign = 1, .case_at = 1}};
    const struct store_change changes[] = {{.kind = STORE_RESULT, .result = &rows[0]},
                                           {.kind = STORE_RESULT, .result = &rows[1]}};
    return store_commit(s, changes, 1, &e) && !store_commit(s, changes, 2, &e) &&
           strstr(e.text, "injected") && store_results(s, 1, 0, 9, a, &got, &e) && got.n == 1 &&
           store_commit(s, changes, 2, &e) && store_results(s, 1, 0, 9, a, &got, &e) && got.n == 2;
}

static bool run_in_child(const char *backend)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0) {
        struct arena a;
        struct err e;
        struct store *s;
        const char *dir;
        arena_init(&a);
        setenv("FAULT", "commit:2", 1);
        bool ok = file_make_temp_dir(&a, "fault", &dir, &e) &&
                  store_open(*backend ? backend : path_join(&a, dir, "store.sqlite"), STORE_CREATE,
                             &s, &e) &&
                  second_commit_fails_whole(s, &a) && file_remove_tree(dir, &e);
        _exit(ok ? 0 : 1);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void a_failing_commit_leaves_nothing_of_itself(void **state)
{
    (void)state;
    assert_true(run_in_child(""));
    assert_true(run_in_child(":memory:"));
}

static bool put_one(const char *path, struct err *e)
{
    struct store *s;
    const struct store_result row = {.campaign = 1, .case_at = 7};
    const struct store_change change = {.kind = STORE_RESULT, .result = &row};
    if (!store_open(path, STORE_CREATE, &s, e))
        return false;
    bool ok = store_commit(s, &change, 1, e);
    store_close(s);
    return ok;
}

/* Does a commit fail with a message about the store, and does the next one succeed? */
static bool fails_once_and_goes_on(const char *fault, const char *path, struct arena *a)
{
    struct err e = {0};
    struct store *s;
    struct store_results got;
    setenv("FAULT", fault, 1);
    return !put_one(path, &e) && e.code == ERR_IO && strstr(e.text, "store ") &&
           put_one(path, &e) && store_open(path, STORE_READ, &s, &e) &&
           store_results(s, 1, 0, 9, a, &got, &e) && got.n == 1;
}

static void a_failing_file_of_sqlite_is_the_stores_failure(void **state)
{
    static const char *const faults[] = {"db-open:1", "db-read:1", "db-write:1", "db-write:9",
                                         "db-lock:2", "db-map:1",  "db-sync:1"};
    struct arena a;
    struct err e;
    const char *dir;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        int status = 1;
        char template[] = "/tmp/assay-test-XXXXXX";
        assert_non_null(mkdtemp(template)); /* not through base/file, which would read FAULT here */
        dir = arena_strdup(&a, template);
        pid_t pid = fork();
        if (pid == 0)
            _exit(fails_once_and_goes_on(faults[i], path_join(&a, dir, "store.sqlite"), &a) &&
                          file_remove_tree(dir, &e)
                      ? 0
                      : 1);
        waitpid(pid, &status, 0);
        ASSERT_ROW(WIFEXITED(status) && WEXITSTATUS(status) == 0, faults[i]);
    }
    arena_done(&a);
}

TEST_SUITE(store_fault, TEST(a_failing_commit_leaves_nothing_of_itself),
           TEST(a_failing_file_of_sqlite_is_the_stores_failure))
