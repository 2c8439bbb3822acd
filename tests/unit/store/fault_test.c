/* An injected failure of the second commit. Runs before the other suites, in a child, because FAULT
 * is read once in a process. */
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

TEST_SUITE(store_fault, TEST(a_failing_commit_leaves_nothing_of_itself))
