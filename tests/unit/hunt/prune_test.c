/* What prune removes and what it leaves: bugs, and reductions that wait, keep their cases. */
#include "base/file.h"
#include "base/path.h"
#include "hunt/hunt.h"
#include "unit/test.h"

static void make_folder(const char *dir, const char *name, struct arena *a)
{
    struct err e;
    const char *folder = path_join(a, dir, name);
    assert_true(file_make_dirs(folder, &e));
    assert_true(file_write(path_join(a, folder, "case.json"), "{}", 2, &e));
}

static void put_job(struct store *s, const char *name, const char *state, const char *folder,
                    struct arena *a)
{
    struct err e;
    const struct store_job job = {
        .campaign = 1,
        .name = str_of(name),
        .kind = STR("reduce"),
        .state = str_of(state),
        .subject = str_of(arena_printf(a, "{\"key\": \"k\", \"folder\": \"%s\"}", folder))};
    const struct store_change change = {.kind = STORE_JOB, .job = &job};
    assert_true(store_commit(s, &change, 1, &e));
}

static void only_what_nobody_needs_is_removed(void **state)
{
    static const struct {
        const char *folder;
        bool stays;
    } rows[] = {{"artifacts/aa/aabug", true},   {"artifacts/aa/aawaits", true},
                {"artifacts/bb/bbdead", true},  {"artifacts/bb/bbdone", false},
                {"artifacts/cc/ccnone", false}, {"artifacts/tmp", false}};
    const struct store_campaign campaign = {.id = 1, .state = STR("done")};
    const struct store_bug bug = {
        .id = STR("b"), .state = STR("confirmed"), .folder = STR("artifacts/aa/aabug")};
    const struct store_change changes[] = {{.kind = STORE_CAMPAIGN, .campaign = &campaign},
                                           {.kind = STORE_BUG, .bug = &bug}};
    struct arena a;
    struct err e;
    struct hunt_pruned done;
    const char *dir;
    (void)state;
    arena_init(&a);
    struct store *s = store_new_memory();
    assert_true(file_make_temp_dir(&a, "prune", &dir, &e));
    assert_true(store_commit(s, changes, COUNT_OF(changes), &e));
    put_job(s, "waits", "ready", "artifacts/aa/aawaits", &a);
    put_job(s, "dead", "dead", "artifacts/bb/bbdead", &a);
    put_job(s, "done", "done", "artifacts/bb/bbdone", &a);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        make_folder(dir, rows[i].folder, &a);
    assert_true(hunt_prune(s, dir, &done, &e));
    assert_int_equal(done.n_folders, 3);
    assert_int_equal(done.n_bytes, 6);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW((file_stat(path_join(&a, dir, rows[i].folder)).kind == FILE_DIRECTORY) ==
                       rows[i].stays,
                   rows[i].folder);
    assert_true(file_remove_tree(dir, &e));
    store_close(s);
    arena_done(&a);
}

TEST_SUITE(hunt_prune, TEST(only_what_nobody_needs_is_removed))
