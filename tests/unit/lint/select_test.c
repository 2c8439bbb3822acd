/* Which rules run: prefixes, the longer wins, per file; and the globs of paths. */
#include "lint/select.h"
#include "unit/test.h"

static const struct glob_row {
    const char *pattern, *text;
    bool fits;
} globs[] = {
    {"*.py", "a.py", true},
    {"*.py", "a/b.py", false},
    {"**/b.py", "a/c/b.py", true},
    {"**/b.py", "b.py", true},
    {"a/**", "a/b/c.py", true},
    {"a?c", "abc", true},
    {"a?c", "a/c", false},
    {"[a-c]x", "bx", true},
    {"[!a-c]x", "bx", false},
    {"a*b*c", "axxbxxc", true},
    {"a*b*c", "axxbxx", false},
    {"", "", true},
    {"*", "", true},
    {"[]x]", "]", true},
    {"build", "build/x", false},
};

static void globs_fit_as_in_gitignore(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(globs); i++)
        ASSERT_ROW(glob_matches(str_of(globs[i].pattern), str_of(globs[i].text)) == globs[i].fits,
                   globs[i].pattern);
}

static const struct path_row {
    const char *folder, *pattern, *path;
    bool fits;
} paths[] = {
    {"/p", "gen", "/p/gen", true},
    {"/p", "gen", "/p/a/gen", true},
    {"/p", "gen", "/q/gen", true},
    {"/p", "gen", "/p/gen/a.py", false},
    {"/p", "gen/*", "/p/gen/a.py", true},
    {"/p", "gen/*", "/p/a/gen/a.py", false},
    {"/p", "gen/", "/p/gen", true},
    {"/p", "./gen/*", "/p/gen/a.py", true},
    {"/p/q", "../gen/*", "/p/gen/a.py", true},
    {"/p", "/q/*.py", "/q/a.py", true},
    {"/p", "*/x.py", "/px/x.py", false},
    {"/", "a/*.py", "/a/b.py", true},
    {"/p[1]", "a/*", "/p[1]/a/b.py", true},
};

static void globs_count_from_their_folder(void **state)
{
    struct arena a;
    struct err e = {0};
    struct path_glob glob;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        assert_true(path_glob_new(paths[i].folder, paths[i].pattern, &a, &glob, &e));
        if (path_glob_fits(&glob, str_of(paths[i].path)) != paths[i].fits)
            fail_msg("%s in %s: %s", paths[i].pattern, paths[i].folder, paths[i].path);
    }
    static const char *const bad[] = {"[", "a[", "[!]", "[]"};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        ASSERT_ROW(!path_glob_new("/p", bad[i], &a, &glob, &e) && e.code == ERR_USAGE, bad[i]);
    assert_true(path_glob_new("/p", "[]x]", &a, &glob, &e));
    arena_done(&a);
}

#define CODES(...)                                                                                 \
    {                                                                                              \
        (const char *const[]){__VA_ARGS__},                                                        \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)                      \
    }

static const struct choice_row {
    const char *meaning;
    struct choice choice;
    const char *code;
    bool runs;
} choices[] = {
    {"on by default", {.n_per_file = 0}, "SB032", true},
    {"off by default", {.n_per_file = 0}, "SB042", false},
    {"all", {.select = CODES("ALL")}, "SB042", true},
    {"prefix", {.select = CODES("SB03")}, "SB032", true},
    {"other prefix", {.select = CODES("SB04")}, "SB032", false},
    {"ignored", {.ignore = CODES("SB032")}, "SB032", false},
    {"ignored by prefix", {.ignore = CODES("SB0")}, "SB032", false},
    {"longer select beats ignore",
     {.select = CODES("SB032"), .ignore = CODES("SB03")},
     "SB032",
     true},
    {"longer ignore beats select",
     {.select = CODES("SB03"), .ignore = CODES("SB032")},
     "SB032",
     false},
    {"same length: ignore", {.select = CODES("SB032"), .ignore = CODES("SB032")}, "SB032", false},
    {"extended", {.extend_select = CODES("SB042")}, "SB042", true},
    {"extended keeps the defaults", {.extend_select = CODES("SB042")}, "SB032", true},
};

static void prefixes_choose_rules(void **state)
{
    struct rule_set *rules;
    struct rule_set_options o = {0};
    struct err e = {0};
    struct arena a;
    (void)state;
    arena_init(&a);
    assert_true(rule_set_new(&o, &rules, &e));
    for (size_t i = 0; i < COUNT_OF(choices); i++) {
        struct selection *s;
        assert_true(selection_new(rules, &choices[i].choice, &a, &s, &e));
        ASSERT_ROW(selection_has(s, rule_find(rules, str_of(choices[i].code))) == choices[i].runs,
                   choices[i].meaning);
    }
    struct path_ignore per_file = {{"/p", STR("tests/**")}, CODES("SB03")};
    struct choice choice = {.per_file = &per_file, .n_per_file = 1, .folder = "/p"};
    struct selection *s;
    const struct rule *r = rule_find(rules, STR("SB032"));
    assert_true(selection_new(rules, &choice, &a, &s, &e));
    assert_false(selection_has_in(s, r, STR("tests/a/b.py")));
    assert_true(selection_has_in(s, r, STR("src/b.py")));
    struct choice unknown = {.select = CODES("SB77")};
    assert_false(selection_new(rules, &unknown, &a, &s, &e));
    assert_int_equal(e.code, ERR_USAGE);
    assert_non_null(strstr(e.text, "SB77"));
    rule_set_free(rules);
    arena_done(&a);
}

TEST_SUITE(lint_select, TEST(globs_fit_as_in_gitignore), TEST(globs_count_from_their_folder),
           TEST(prefixes_choose_rules))
