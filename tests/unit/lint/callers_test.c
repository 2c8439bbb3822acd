/* The predicate "callers": which functions have known callers, and what is tested of each call. */
#include "base/file.h"
#include "base/path.h"
#include "lint/project.h"
#include "unit/lint/lint_test.h"
#include "unit/test.h"

static const char rule_text[] =
    "{\"code\": \"XY001\", \"name\": \"n\", \"summary\": \"s\", \"explanation\": \"e\", \"fix\": "
    "\"f\",\n\"checks\": [{\"find\": [{\"call\": \"$mark\", \"path\": [\"torch.zeros\"]}, "
    "{\"callers\": \"$call\", \"of\": \"$mark\", \"every\": [{\"not\": {\"region\": \"$call\", "
    "\"trait\": [\"no-grad\"]}}]}], \"report\": \"$mark\", \"message\": \"m\"}]}";

#define HEAD "import torch\n"
#define MAIN "if __name__ == '__main__':\n"

static const struct row {
    const char *meaning, *text;
    bool is_found;
} rows[] = {
    {"in no function", HEAD "torch.zeros(1)\n", true},
    {"a public function", HEAD "def f():\n    torch.zeros(1)\ndef g():\n    f()\n", false},
    {"a private one", HEAD "def _f():\n    torch.zeros(1)\ndef g():\n    _f()\n", true},
    {"one that nobody calls", HEAD "def _f():\n    torch.zeros(1)\n", false},
    {"only by itself", HEAD "def _f():\n    torch.zeros(1)\n    _f()\n", false},
    {"a nested one", HEAD "def g():\n    def f():\n        torch.zeros(1)\n    f()\n", true},
    {"of a program", HEAD "def f():\n    torch.zeros(1)\n" MAIN "    f()\n", true},
    {"called by the module", HEAD "def f():\n    torch.zeros(1)\nf()\n", true},
    {"a call that is not fitting",
     HEAD "def _f():\n    torch.zeros(1)\ndef g():\n    with torch.no_grad():\n        _f()\n",
     false},
    {"one of two that is not",
     HEAD "def _f():\n    torch.zeros(1)\ndef g():\n    _f()\n    with torch.no_grad():\n"
          "        _f()\n",
     false},
    {"used as a value", HEAD "def _f():\n    torch.zeros(1)\ndef g(h):\n    _f()\n    h(_f)\n",
     false},
    {"its name in a text",
     HEAD "def _f():\n    torch.zeros(1)\ndef g(o):\n    _f()\n    getattr(o, '_f')()\n", false},
    {"exported", HEAD "__all__ = ['f']\ndef f():\n    torch.zeros(1)\nf()\n", false},
    {"decorated", HEAD "@wrap\ndef _f():\n    torch.zeros(1)\ndef g():\n    _f()\n", false},
    {"defined twice",
     HEAD "def _f():\n    torch.zeros(1)\ndef _f():\n    torch.zeros(2)\ndef g():\n    _f()\n",
     false},
    {"a generator", HEAD "def _f():\n    yield torch.zeros(1)\ndef g():\n    _f()\n", false},
    {"another variable of the name",
     HEAD "def _f():\n    torch.zeros(1)\ndef g():\n    _f()\ndef h(_f):\n    return _f\n", true},
    {"a keyword of the name",
     HEAD "def _f():\n    torch.zeros(1)\ndef g(h):\n    _f()\n    h(_f=1)\n", true},
    {"a private method",
     HEAD "class A:\n    def _f(self):\n        torch.zeros(1)\n    def g(self):\n"
          "        self._f()\n",
     true},
    {"a method read as a value",
     HEAD "class A:\n    def _f(self):\n        torch.zeros(1)\n    def g(self):\n"
          "        self._f()\n        return self._f\n",
     false},
    {"of a class of other code",
     HEAD "from other import B\nclass A(B):\n    def _f(self):\n        torch.zeros(1)\n"
          "    def g(self):\n        self._f()\n",
     false},
    {"of a module",
     HEAD "class A(torch.nn.Module):\n    def _f(self):\n        torch.zeros(1)\n"
          "    def forward(self):\n        self._f()\n",
     true},
    {"called by the interpreter",
     HEAD "class A:\n    def __len__(self):\n        torch.zeros(1)\n" MAIN "    A().__len__()\n",
     false},
    {"damaged", HEAD "def _f():\n    torch.zeros(1)\ndef g():\n    _f()\n) = (\n", false},
};

struct fixture {
    struct arena arena;
    const char *rules_dir;
    struct rule_set *rules;
    struct lint_options options;
};

static void open_rule(struct fixture *f)
{
    struct err e = {0};
    struct choice all = {.select = {&(const char *){"ALL"}, 1}};
    struct selection *selection;
    arena_init(&f->arena);
    assert_true(file_make_temp_dir(&f->arena, "rules", &f->rules_dir, &e));
    const char *path = path_join(&f->arena, f->rules_dir, "XY001-n.json");
    assert_true(file_write(path, rule_text, sizeof rule_text - 1, &e));
    struct rule_set_options o = {.dirs = &f->rules_dir, .n_dirs = 1, .only_dirs = true};
    if (!rule_set_new(&o, &f->rules, &e))
        fail_msg("%s", e.text);
    assert_true(selection_new(f->rules, &all, &f->arena, &selection, &e));
    f->options = (struct lint_options){.selection = selection, .min_confidence = CONFIDENCE_MEDIUM};
}

static void close_rule(struct fixture *f)
{
    struct err e = {0};
    file_remove_tree(f->rules_dir, &e);
    rule_set_free(f->rules);
    arena_done(&f->arena);
}

static void callers_are_known_where_all_can_be_seen(void **state)
{
    struct fixture f;
    (void)state;
    open_rule(&f);
    struct linter *l = linter_new(f.rules, &f.options);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct lint_input in = {.path = STR("train.py"), .bytes = str_of(rows[i].text)};
        struct file_report r;
        linter_run(l, &in, &f.arena, &r);
        if ((r.n > 0) != rows[i].is_found)
            fail_msg("row \"%s\": %zu findings", rows[i].meaning, r.n);
    }
    linter_free(l);
    close_rule(&f);
}

#define PROGRAM HEAD "def f():\n    torch.zeros(1)\nclass A:\n    pass\n" MAIN "    f()\n"
#define PRIVATE HEAD "def _f():\n    torch.zeros(1)\ndef g():\n    _f()\n"

static const struct import_row {
    const char *meaning, *text, *other;
    bool is_found;
} import_rows[] = {
    {"nothing is imported", PROGRAM, HEAD, true},
    {"another name is", PROGRAM, HEAD "from train import A\n", true},
    {"the function is", PROGRAM, HEAD "from train import A, f\n", false},
    {"under another name", PROGRAM, HEAD "from train import f as h\n", false},
    {"the module is", PROGRAM, HEAD "import train\n", false},
    {"with a star", PROGRAM, HEAD "from train import *\n", false},
    {"a module with a private function", PRIVATE, HEAD "import train\n", true},
    {"the private function", PRIVATE, HEAD "from train import _f\n", false},
};

/* One run after another on one cache: the key includes what other files import. */
static void an_import_elsewhere_hides_callers(void **state)
{
    struct fixture f;
    struct err e = {0};
    const char *dir;
    (void)state;
    open_rule(&f);
    assert_true(file_make_temp_dir(&f.arena, "callers", &dir, &e));
    const char *train = path_join(&f.arena, dir, "train.py"),
               *other = path_join(&f.arena, dir, "other.py");
    struct project p = {.rules = f.rules, .options = f.options, .identity = "test"};
    p.cache_dir = path_join(&f.arena, dir, ".assay_cache");
    for (size_t i = 0; i < COUNT_OF(import_rows); i++) {
        const struct import_row *row = &import_rows[i];
        struct discover_options o = {.no_gitignore = true};
        struct discovered found;
        struct file_report *reports;
        assert_true(file_write(train, row->text, strlen(row->text), &e));
        assert_true(file_write(other, row->other, strlen(row->other), &e));
        assert_true(discover_files(&dir, 1, &o, &f.arena, &found, &e));
        assert_int_equal(found.files.n, 2);
        assert_true(project_run(&p, found.files.at, found.files.n, &f.arena, &reports, &e));
        size_t n = reports[0].n + reports[1].n;
        if ((n > 0) != row->is_found)
            fail_msg("row \"%s\": %zu findings", row->meaning, n);
    }
    file_remove_tree(dir, &e);
    close_rule(&f);
}

TEST_SUITE(lint_callers, TEST(callers_are_known_where_all_can_be_seen),
           TEST(an_import_elsewhere_hides_callers))
