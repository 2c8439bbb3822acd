/* Artifacts: equal content has one place; a changed file is detected. */
#include "store/artifact.h"

#include "base/file.h"
#include "base/path.h"
#include "unit/test.h"

static const char *make(struct arena *a, const char *root, const char *name, const char *content)
{
    struct err e;
    const char *dir;
    assert_true(artifact_scratch(root, name, a, &dir, &e));
    assert_true(file_make_dirs(path_join(a, dir, "inputs/0"), &e));
    assert_true(file_write(path_join(a, dir, "case.json"), "{}", 2, &e));
    assert_true(file_write(path_join(a, dir, "inputs/0/x.npy"), content, strlen(content), &e));
    return dir;
}

static void same_content_is_kept_once(void **state)
{
    struct arena a;
    struct err e;
    const char *root;
    struct store_artifact one, two, other;
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "artifact", &root, &e));
    const char *first = make(&a, root, "1", "abc"), *second = make(&a, root, "2", "abc");
    assert_true(artifact_take(root, "case", first, &a, &one, &e));
    assert_true(artifact_take(root, "case", second, &a, &two, &e));
    assert_true(artifact_take(root, "case", make(&a, root, "3", "abd"), &a, &other, &e));
    assert_true(hash_eq(&one.tree, &two.tree) && str_eq(one.folder, two.folder));
    assert_false(hash_eq(&one.tree, &other.tree));
    assert_int_equal(one.n_bytes, 5);
    assert_int_equal(file_stat(first).kind, FILE_MISSING);
    assert_int_equal(file_stat(second).kind, FILE_MISSING);
    assert_true(artifact_verify(root, &one, &e));
    assert_true(str_starts(one.folder, STR("artifacts/")));
    assert_true(file_remove_tree(root, &e));
    arena_done(&a);
}

static void a_changed_or_missing_file_is_named(void **state)
{
    static const struct {
        const char *name, *content, *says;
    } rows[] = {{"changed", "abX", "was changed"}, {"missing", NULL, "x.npy"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e;
        const char *root;
        struct store_artifact row;
        arena_init(&a);
        assert_true(file_make_temp_dir(&a, "artifact", &root, &e));
        assert_true(artifact_take(root, "case", make(&a, root, "1", "abc"), &a, &row, &e));
        const char *dir = artifact_path(root, row.folder, &a);
        const char *file = path_join(&a, dir, "inputs/0/x.npy");
        assert_true(file_write(path_join(&a, dir, "report.md"), "later", 5, &e));
        ASSERT_ROW(artifact_verify(root, &row, &e), "later files do not count");
        if (rows[i].content)
            assert_true(file_write(file, rows[i].content, 3, &e));
        else
            assert_true(file_remove_tree(file, &e));
        ASSERT_ROW(!artifact_verify(root, &row, &e), rows[i].name);
        ASSERT_ROW(strstr(e.text, rows[i].says) != NULL, rows[i].name);
        assert_true(file_remove_tree(root, &e));
        arena_done(&a);
    }
}

TEST_SUITE(store_artifact, TEST(same_content_is_kept_once),
           TEST(a_changed_or_missing_file_is_named))
