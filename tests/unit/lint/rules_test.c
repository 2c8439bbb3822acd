/* Rule files: errors name file, line and column; the built-in ones are complete. */
#include "base/file.h"
#include "base/path.h"
#include "lint/rule_test.h"
#include "unit/test.h"

#define HEAD                                                                                       \
    "{\n\"code\": \"XY001\", \"name\": \"n\", \"summary\": \"s\", \"explanation\": \"e\", "        \
    "\"fix\": \"f\",\n"

static const struct row {
    const char *meaning, *text, *message;
} wrong[] = {
    {"no JSON", "{", "XY001-x.json:1"},
    {"unknown key", HEAD "\"colour\": 1, \"checks\": []}", "colour"},
    {"a code of another form",
     "{\"code\": \"xy1\", \"name\": \"n\", \"summary\": \"s\", \"explanation\": \"e\", \"fix\": "
     "\"f\"}",
     "capital letters"},
    {"no checks", HEAD "\"checks\": []}", "at least one"},
    {"unknown predicate",
     HEAD
     "\"checks\": [{\"find\": [\n{\"cal\": \"$c\"}], \"report\": \"$c\", \"message\": \"m\"}]}",
     "XY001-x.json:4:1: unknown predicate \"cal\", did you mean \"call\"?"},
    {"unknown role",
     HEAD "\"checks\": [{\"find\": [{\"event\": \"$e\", \"role\": [\"jump\"]}], \"report\": "
          "\"$e\", \"message\": \"m\"}]}",
     "\"jump\" is no role"},
    {"unknown relation",
     HEAD "\"checks\": [{\"find\": [{\"relation\": \"likes\", \"a\": \"$e\"}], \"report\": \"$e\", "
          "\"message\": \"m\"}]}",
     "unknown relation \"likes\""},
    {"capture without dollar",
     HEAD "\"checks\": [{\"find\": [{\"call\": \"c\"}], \"report\": \"$c\", \"message\": \"m\"}]}",
     "a capture such as"},
    {"message names no capture",
     HEAD
     "\"checks\": [{\"find\": [{\"call\": \"$c\"}], \"report\": \"$c\", \"message\": \"{$d}\"}]}",
     "no capture $d"},
    {"unknown guard",
     HEAD
     "\"checks\": [{\"find\": [{\"guard\": \"none\"}], \"report\": \"$c\", \"message\": \"m\"}]}",
     "no guard \"none\""},
    {"an unknown severity",
     HEAD "\"severity\": \"wrong\",\n\"checks\": [{\"find\": [{\"call\": \"$c\"}], \"report\": "
          "\"$c\", \"message\": \"m\"}]}",
     "XY001-x.json:3:13: severity is info, warning or error"},
    {"nothing binds what is reported",
     HEAD "\"checks\": [{\"find\": [{\"call\": \"$c\"}], \"report\": \"$d\", \"message\": "
          "\"m\"}]}",
     "nothing binds $d"},
    {"nothing binds what is edited",
     HEAD "\"checks\": [{\"find\": [{\"call\": \"$c\"}], \"report\": \"$c\", \"message\": "
          "\"m\", \"edits\": [{\"title\": \"t\", \"safety\": \"safe\", \"do\": [{\"replace\": "
          "\"$d\"}]}]}]}",
     "nothing binds $d"},
    {"a text of an edit names no capture",
     HEAD "\"checks\": [{\"find\": [{\"call\": \"$c\"}], \"report\": \"$c\", \"message\": "
          "\"m\", \"edits\": [{\"title\": \"t\", \"safety\": \"safe\", \"do\": [{\"replace\": "
          "\"$c\", \"with\": \"{$d}\"}]}]}]}",
     "no capture $d"},
    {"no API",
     HEAD "\"checks\": [{\"find\": [{\"call\": \"$c\"}], \"report\": \"$c\", \"message\": "
          "\"m\", \"edits\": [{\"title\": \"t\", \"safety\": \"safe\", \"do\": [{\"replace\": "
          "\"$c\", \"with\": \"{@torch.}\"}]}]}]}",
     "an API such as"},
    {"another rule's file name",
     "{\n\"code\": \"XY002\", \"name\": \"n\", \"summary\": \"s\", \"explanation\": \"e\", "
     "\"fix\": \"f\", \"checks\": []}",
     "the file of the rule XY002 is named"},
    {"an argument that nothing tells from others",
     HEAD "\"checks\": [{\"find\": [\n{\"argument\": \"$a\", \"of\": \"$c\"}], \"report\": "
          "\"$a\", \"message\": \"m\"}]}",
     "XY001-x.json:4:1: an argument needs \"at\", \"name\", \"every\", \"other-than\" or \"for\""},
    {"callers of nothing",
     HEAD "\"checks\": [{\"find\": [\n{\"callers\": \"$c\"}], \"report\": \"$c\", \"message\": "
          "\"m\"}]}",
     "XY001-x.json:4:1: key \"of\" with a capture is expected"},
    {"callers with a key of no form",
     HEAD "\"checks\": [{\"find\": [\n{\"callers\": \"$c\", \"of\": \"$d\", \"some\": []}], "
          "\"report\": \"$c\", \"message\": \"m\"}]}",
     "some"},
    {"callers asked no list",
     HEAD "\"checks\": [{\"find\": [{\"callers\": \"$c\", \"of\": \"$d\",\n\"every\": \"x\"}], "
          "\"report\": \"$c\", \"message\": \"m\"}]}",
     "XY001-x.json:4:10: a list of predicates is expected, got a string"},
    {"an edit without safety",
     HEAD "\"checks\": [{\"find\": [{\"call\": \"$c\"}], \"report\": \"$c\", \"message\": \"m\", "
          "\"edits\": [{\"title\": \"t\", \"do\": []}]}]}",
     "its safety"},
};

static void wrong_rule_files_are_refused_with_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct arena a;
        struct err e = {0};
        const char *dir;
        struct rule_set *rules = NULL;
        arena_init(&a);
        assert_true(file_make_temp_dir(&a, "rules", &dir, &e));
        const char *path = path_join(&a, dir, "XY001-x.json");
        assert_true(file_write(path, wrong[i].text, strlen(wrong[i].text), &e));
        struct rule_set_options o = {.dirs = &dir, .n_dirs = 1};
        bool ok = rule_set_new(&o, &rules, &e);
        rule_set_free(ok ? rules : NULL);
        if (ok || !strstr(e.text, wrong[i].message))
            fail_msg("%s: got \"%s\"", wrong[i].meaning, ok ? "no error" : e.text);
        assert_int_equal(e.code, ERR_DATA);
        struct err ignored;
        file_remove_tree(dir, &ignored);
        arena_done(&a);
    }
}

static void a_users_rule_fires(void **state)
{
    static const char text[] = HEAD
        "\"default\": true, \"bad\": [\"import torch\\ntorch.zeros(1)\\n\"], \"good\": [\"import "
        "torch\\ntorch.ones(1)\\n\"],\n\"checks\": [{\"find\": [{\"call\": \"$c\", \"path\": "
        "[\"torch.zeros\"]}], \"report\": \"$c\", \"message\": \"no zeros\"}]}";
    struct arena a;
    struct err e = {0};
    const char *dir;
    struct rule_set *rules;
    struct rule_test_result r = {0};
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "rules", &dir, &e));
    assert_true(file_write(path_join(&a, dir, "XY001-x.json"), text, sizeof text - 1, &e));
    struct rule_set_options o = {.dirs = &dir, .n_dirs = 1, .only_dirs = true};
    assert_true(rule_set_new(&o, &rules, &e));
    assert_true(rule_test_examples(rules, &r, &e));
    assert_int_equal(r.n_passed, 2);
    assert_int_equal(r.n_failed, 0);
    rule_set_free(rules);
    file_remove_tree(dir, &e);
    arena_done(&a);
}

static void every_rule_says_what_why_and_how(void **state)
{
    struct rule_set *rules;
    struct err e = {0};
    struct rule_set_options o = {0};
    size_t n;
    (void)state;
    assert_true(rule_set_new(&o, &rules, &e));
    const struct rule *list = rule_list(rules, &n);
    assert_true(n >= 60);
    for (size_t i = 0; i < n; i++) {
        ASSERT_ROW(list[i].summary.n && list[i].explanation.n && list[i].fix.n, list[i].code.at);
        ASSERT_ROW(list[i].is_default || list[i].why_off.n || list[i].is_builtin_code,
                   list[i].code.at);
        ASSERT_ROW(list[i].is_builtin_code || (list[i].n_bad && list[i].n_good), list[i].code.at);
        for (size_t k = 0; k < list[i].n_supersedes; k++)
            ASSERT_ROW(rule_find(rules, list[i].supersedes[k]) != NULL, list[i].code.at);
    }
    rule_set_free(rules);
}

TEST_SUITE(lint_rules, TEST(wrong_rule_files_are_refused_with_their_place),
           TEST(a_users_rule_fires), TEST(every_rule_says_what_why_and_how))
