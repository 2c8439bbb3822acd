/* The cache of lint: what one run leaves is all that the next one finds, and nothing of other runs.
 */
#include "lint/cache.h"

#include "base/file.h"
#include "base/path.h"
#include "unit/lint/lint_test.h"
#include "unit/test.h"

#define V "import torch\nfrom torch.autograd import Variable\n"

struct cache_fixture {
    struct lint_fixture lint;
    const char *dir;
    struct file_report report; /* has one finding, SB091 */
};

static void open_fixture(struct cache_fixture *f)
{
    struct err e;
    fixture_open(&f->lint, CONFIDENCE_MEDIUM);
    assert_true(file_make_temp_dir(&f->lint.arena, "assay-cache-", &f->dir, &e));
    f->report = fixture_run(&f->lint, V "x = Variable(torch.zeros(1))\n");
    assert_int_equal(f->report.n, 1);
}

static void close_fixture(struct cache_fixture *f)
{
    struct err e;
    assert_true(file_remove_tree(f->dir, &e));
    fixture_close(&f->lint);
}

static struct cache *opened(struct cache_fixture *f, const char *identity)
{
    return cache_open(f->dir, f->lint.rules, identity, &f->lint.arena);
}

static void the_next_run_finds_reports_and_summaries(void **state)
{
    struct cache_fixture f;
    struct err e;
    struct file_report report;
    struct str summary;
    struct hash one = hash_of("one", 3), two = hash_of("two", 3), three = hash_of("three", 5);
    (void)state;
    open_fixture(&f);
    struct cache *first = opened(&f, "settings");
    assert_false(cache_get(first, STR("a.py"), &one, &f.lint.arena, &report, NULL));
    cache_put(first, STR("a.py"), &one, &f.report, STR("sum\0mary"));
    cache_put(first, STR("b.py"), &two, NULL, STR("only a summary"));
    cache_put(first, STR("c.py"), &three, &f.report, STR(""));
    assert_true(cache_save(first, &e));

    const struct cache *next = opened(&f, "settings");
    assert_true(cache_get(next, STR("a.py"), &one, &f.lint.arena, &report, &summary));
    assert_true(str_eq(summary, STR("sum\0mary")));
    assert_string_equal(fixture_codes(&f.lint, &report), "SB091");
    assert_true(cache_get(next, STR("b.py"), &two, &f.lint.arena, NULL, &summary));
    assert_true(str_is(summary, "only a summary"));
    assert_false(cache_get(next, STR("b.py"), &two, &f.lint.arena, &report, NULL));
    assert_true(cache_get(next, STR("c.py"), &three, &f.lint.arena, &report, NULL));
    assert_false(cache_get(next, STR("c.py"), &three, &f.lint.arena, NULL, &summary));
    assert_false(cache_get(next, STR("a.py"), &two, &f.lint.arena, &report, NULL));
    assert_false(cache_get(next, STR("d.py"), &one, &f.lint.arena, &report, NULL));
    close_fixture(&f);
}

static void entries_that_a_run_does_not_touch_stay(void **state)
{
    struct cache_fixture f;
    struct err e;
    struct file_report report;
    struct str summary;
    struct hash old = hash_of("old", 3), new = hash_of("new", 3);
    (void)state;
    open_fixture(&f);
    struct cache *first = opened(&f, "settings");
    cache_put(first, STR("kept.py"), &old, &f.report, STR("of kept"));
    cache_put(first, STR("changed.py"), &old, &f.report, STR("before"));
    assert_true(cache_save(first, &e));
    struct cache *second = opened(&f, "settings");
    cache_put(second, STR("changed.py"), &new, NULL, STR("after"));
    assert_true(cache_save(second, &e));

    const struct cache *third = opened(&f, "settings");
    assert_true(cache_get(third, STR("kept.py"), &old, &f.lint.arena, &report, &summary));
    assert_true(str_is(summary, "of kept"));
    assert_string_equal(fixture_codes(&f.lint, &report), "SB091");
    assert_memory_equal(&report.findings[0].end, &f.report.findings[0].end,
                        sizeof report.findings[0].end);
    assert_false(cache_get(third, STR("changed.py"), &old, &f.lint.arena, NULL, &summary));
    assert_false(cache_get(third, STR("changed.py"), &new, &f.lint.arena, &report, NULL));
    assert_true(cache_get(third, STR("changed.py"), &new, &f.lint.arena, NULL, &summary));
    assert_true(str_is(summary, "after"));
    close_fixture(&f);
}

/* Other settings have files of their own; a run that put nothing writes none. */
static void runs_with_other_settings_share_nothing(void **state)
{
    struct cache_fixture f;
    struct err e;
    struct file_report report;
    struct hash one = hash_of("one", 3);
    (void)state;
    open_fixture(&f);
    assert_true(cache_save(opened(&f, "settings"), &e));
    const char *ignore = path_join(&f.lint.arena, f.dir, ".gitignore");
    assert_int_equal(file_stat(ignore).kind, FILE_MISSING);
    struct cache *first = opened(&f, "settings");
    cache_put(first, STR("a.py"), &one, &f.report, STR("s"));
    assert_true(cache_save(first, &e));
    assert_int_equal(file_stat(ignore).kind, FILE_REGULAR);
    assert_false(cache_get(opened(&f, "others"), STR("a.py"), &one, &f.lint.arena, &report, NULL));
    assert_true(cache_get(opened(&f, "settings"), STR("a.py"), &one, &f.lint.arena, &report, NULL));
    close_fixture(&f);
}

static void damage(struct cache_fixture *f, const char *suffix, size_t keep)
{
    struct file_list names = {0};
    struct err e;
    assert_true(file_list_dir(f->dir, &f->lint.arena, &names, &e));
    for (size_t i = 0; i < names.n; i++) {
        const char *path = path_join(&f->lint.arena, f->dir, names.names[i]);
        struct str bytes;
        if (!str_ends(str_of(path), str_of(suffix)))
            continue;
        assert_true(file_read(path, 1 << 20, &f->lint.arena, &bytes, &e));
        assert_true(bytes.n > keep);
        assert_true(file_write(path, bytes.at, keep, &e));
    }
}

static void cut_files_count_as_empty(void **state)
{
    struct cache_fixture f;
    struct err e;
    struct file_report report;
    struct str summary;
    struct hash one = hash_of("one", 3);
    (void)state;
    open_fixture(&f);
    for (size_t keep = 0; keep < 60; keep += 3) {
        struct cache *first = opened(&f, "settings");
        cache_put(first, STR("a.py"), &one, &f.report, STR("a summary"));
        assert_true(cache_save(first, &e));
        damage(&f, ".summaries", keep % 54);
        const struct cache *next = opened(&f, "settings");
        assert_true(cache_get(next, STR("a.py"), &one, &f.lint.arena, &report, NULL));
        assert_false(cache_get(next, STR("a.py"), &one, &f.lint.arena, NULL, &summary));
        damage(&f, ".json", keep);
        next = opened(&f, "settings");
        assert_false(cache_get(next, STR("a.py"), &one, &f.lint.arena, &report, NULL));
    }
    close_fixture(&f);
}

TEST_SUITE(lint_cache, TEST(the_next_run_finds_reports_and_summaries),
           TEST(entries_that_a_run_does_not_touch_stay),
           TEST(runs_with_other_settings_share_nothing), TEST(cut_files_count_as_empty))
