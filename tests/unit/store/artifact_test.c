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

static const char *weight_of(struct arena *a, const char *root, const struct store_artifact *row)
{
    return path_join(a, artifact_path(root, row->folder, a), "weights/w");
}

/* Cases with other inputs and the same weights share the file, and each stays whole. */
static void equal_weights_are_kept_once(void **state)
{
    static const char *const contents[] = {"abc", "abd", "abe"};
    struct arena a;
    struct err e;
    const char *root;
    struct store_artifact rows[3];
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "artifact", &root, &e));
    for (size_t i = 0; i < 3; i++) {
        const char *dir = make(&a, root, contents[i], contents[i]);
        assert_true(file_make_dirs(path_join(&a, dir, "weights"), &e));
        assert_true(file_write(path_join(&a, dir, "weights/w"), "heavy", 5, &e));
        assert_true(artifact_take(root, "case", dir, &a, &rows[i], &e));
    }
    struct file_info first = file_stat(weight_of(&a, root, &rows[0]));
    assert_int_equal(first.n_names, 4); /* three cases, and artifacts/weights */
    for (size_t i = 1; i < 3; i++) {
        assert_int_equal(file_stat(weight_of(&a, root, &rows[i])).inode, first.inode);
        assert_true(artifact_verify(root, &rows[i], &e));
    }
    assert_true(file_remove_tree(root, &e));
    arena_done(&a);
}

TEST_SUITE(store_artifact, TEST(equal_weights_are_kept_once), TEST(same_content_is_kept_once),
           TEST(a_changed_or_missing_file_is_named))
