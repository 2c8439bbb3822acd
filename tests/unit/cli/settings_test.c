/* Unknown names of settings, and empty lists. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/settings.h"
#include "unit/test.h"

static bool load(const char *command, const char *flag, const char *dir, struct arena *a,
                 struct err *e)
{
    struct settings s;
    char *argv[] = {flag ? arena_strdup(a, flag) : NULL, NULL};
    return settings_load(&s, command, flag ? 1 : 0, argv, dir, a, e);
}

static void unknown_names_in_a_file_name_the_nearest(void **state)
{
    static const struct {
        const char *text, *piece;
    } rows[] = {{"[hunt]\nsecnods = 5\n", "did you mean \"seconds\"?"},
                {"seeed = 3\n", "did you mean \"seed\" of [hunt]?"},
                {"[hunt]\ncolr = 3\n", "did you mean \"color\" of the top level?"},
                {"[huntt]\nseed = 3\n", "unknown table \"huntt\", did you mean \"hunt\"?"},
                {"[zebra]\nseed = 3\n", "known are hunt, llm, lint"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        const char *dir;
        arena_init(&a);
        assert_true(file_make_temp_dir(&a, "assay-test", &dir, &e));
        const char *path = path_join(&a, dir, "assay.toml");
        assert_true(file_write(path, rows[i].text, strlen(rows[i].text), &e));
        ASSERT_ROW(!load("hunt", NULL, dir, &a, &e) && e.code == ERR_USAGE, rows[i].text);
        if (!strstr(e.text, rows[i].piece))
            fail_msg("row \"%s\": %s", rows[i].text, e.text);
        assert_true(file_remove_tree(dir, &e));
        arena_done(&a);
    }
}

static void variables_are_settings_or_nearly(void **state)
{
    static const struct {
        const char *name, *meant;
    } rows[] = {{"ASSAY_SEEED", "ASSAY_HUNT_SEED"},
                {"ASSAY_SEED", "ASSAY_HUNT_SEED"},
                {"ASSAY_HUNT_SEDE", "ASSAY_HUNT_SEED"},
                {"ASSAY_HUNT_SEED", NULL},
                {"ASSAY_HOME", NULL},
                {"SEEED", NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        arena_init(&a);
        bool had = getenv(rows[i].name) != NULL;
        if (!had)
            setenv(rows[i].name, "3", 1);
        bool ok = load("hunt", NULL, NULL, &a, &e);
        ASSERT_ROW(ok == !rows[i].meant, rows[i].name);
        ASSERT_ROW(ok || strstr(e.text, rows[i].meant), rows[i].name);
        if (!had)
            unsetenv(rows[i].name);
        arena_done(&a);
    }
}

static void empty_lists_are_refused_but_for_lint(void **state)
{
    static const struct {
        const char *command, *flag;
        bool ok;
    } rows[] = {{"hunt", "--target=", false},   {"hunt", "--target=,", false},
                {"hunt", "--oracle=", false},   {"mutate", "--operator=", false},
                {"hunt", "--target=ort", true}, {"lint", "--ignore=", true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        arena_init(&a);
        ASSERT_ROW(load(rows[i].command, rows[i].flag, NULL, &a, &e) == rows[i].ok, rows[i].flag);
        arena_done(&a);
    }
}

TEST_SUITE(cli_settings, TEST(unknown_names_in_a_file_name_the_nearest),
           TEST(variables_are_settings_or_nearly), TEST(empty_lists_are_refused_but_for_lint))
