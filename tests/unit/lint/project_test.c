/* Several files: names across them, cycles of imports, the same answer from workers and cache. */
#include "base/file.h"
#include "base/path.h"
#include "lint/project.h"
#include "lint/report_io.h"
#include "unit/lint/lint_test.h"
#include "unit/test.h"

struct text_file {
    const char *path, *text;
};

#define HEAD "import torch\nfrom torch import nn\n"
#define TRAIN(import_line, call)                                                                   \
    HEAD import_line "\ndef train(loader):\n    net = nn.Linear(2, 2)\n"                           \
                     "    opt = torch.optim.SGD(net.parameters(), lr=0.1)\n"                       \
                     "    for x, y in loader:\n        " call                                      \
                     "\n        nn.functional.mse_loss(net(x), y).backward()\n"                    \
                     "        opt.step()\n"
#define CLEAR "def clear(optimizer):\n    optimizer.zero_grad()\n"
#define NOTE "def clear(optimizer):\n    print(1)\n"

#define ENGINE_TRAIN(zero)                                                                         \
    HEAD "def train_epoch(model, loader, criterion, optimizer):\n    model.train()\n"              \
         "    for x, y in loader:\n" zero "        criterion(model(x), y).backward()\n"            \
         "        optimizer.step()\n"
#define ENGINE_EVAL(head)                                                                          \
    "\n\n@torch.no_grad()\ndef evaluate(model, loader):\n" head                                    \
    "    right = 0\n    for x, y in loader:\n"                                                     \
    "        right += (model(x).argmax(1) == y).sum().item()\n    return right\n"
#define NET(result)                                                                                \
    HEAD "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"            \
         "        self.fc = nn.Linear(4, 2)\n        self.drop = nn.Dropout(0.5)\n\n"              \
         "    def forward(self, x):\n        return " result "\n"
#define MAIN(criterion, before, imports)                                                           \
    HEAD "from net import Net\n" imports                                                           \
         "\ndef main(train_loader, val_loader):\n    net = Net()\n"                                \
         "    optim = torch.optim.SGD(net.parameters(), lr=0.1)\n    loss = nn." criterion "()\n"  \
         "    for epoch in range(3):\n        train_epoch(net, train_loader, loss, optim)\n"       \
         "        " before "evaluate(net, val_loader)\n"
#define ENGINE_IMPORT "from engine import evaluate, train_epoch\n"
#define ZERO "        optimizer.zero_grad()\n"
#define EVAL "    model.eval()\n"

static const struct row {
    const char *meaning;
    struct text_file files[5];
    const char *codes; /* "path:line CODE" of what is found */
} rows[] = {
    {"a right program of three files",
     {{"main.py", MAIN("CrossEntropyLoss", "", ENGINE_IMPORT)},
      {"engine.py", ENGINE_TRAIN(ZERO) ENGINE_EVAL(EVAL)},
      {"net.py", NET("self.fc(self.drop(x))")}},
     ""},
    {"nothing clears what main made",
     {{"main.py", MAIN("CrossEntropyLoss", "", ENGINE_IMPORT)},
      {"engine.py", ENGINE_TRAIN("") ENGINE_EVAL(EVAL)},
      {"net.py", NET("self.fc(self.drop(x))")}},
     "engine.py:6 SB032"},
    {"evaluated in the mode in which it was trained",
     {{"main.py", MAIN("CrossEntropyLoss", "", ENGINE_IMPORT)},
      {"engine.py", ENGINE_TRAIN(ZERO) ENGINE_EVAL("")},
      {"net.py", NET("self.fc(self.drop(x))")}},
     "engine.py:15 SB022"},
    {"the caller sets the mode",
     {{"main.py", MAIN("CrossEntropyLoss", "net.eval(); ", ENGINE_IMPORT)},
      {"engine.py", ENGINE_TRAIN(ZERO) ENGINE_EVAL("")},
      {"net.py", NET("self.fc(self.drop(x))")}},
     ""},
    {"a model whose mode does not matter",
     {{"main.py", MAIN("CrossEntropyLoss", "", ENGINE_IMPORT)},
      {"engine.py", ENGINE_TRAIN(ZERO) ENGINE_EVAL("")},
      {"net.py", HEAD "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                      "        self.fc = nn.Linear(4, 2)\n\n    def forward(self, x):\n"
                      "        return self.fc(x)\n"}},
     ""},
    {"an activation in one file, its criterion in another, both meet in a third",
     {{"main.py", MAIN("CrossEntropyLoss", "", ENGINE_IMPORT)},
      {"engine.py", ENGINE_TRAIN(ZERO) ENGINE_EVAL(EVAL)},
      {"net.py", NET("torch.softmax(self.fc(self.drop(x)), dim=1)")}},
     "engine.py:7 SB101"},
    {"one way is right, the other a bug",
     {{"main.py", MAIN("CrossEntropyLoss", "net.eval(); ", ENGINE_IMPORT)},
      {"other.py", MAIN("CrossEntropyLoss", "", ENGINE_IMPORT)},
      {"engine.py", ENGINE_TRAIN(ZERO) ENGINE_EVAL("")},
      {"net.py", NET("self.fc(self.drop(x))")}},
     "engine.py:15 SB022"},
    {"criteria differ by caller",
     {{"main.py", MAIN("CrossEntropyLoss", "", ENGINE_IMPORT)},
      {"other.py", MAIN("BCELoss", "", ENGINE_IMPORT)},
      {"engine.py", ENGINE_TRAIN(ZERO) ENGINE_EVAL(EVAL)},
      {"net.py", NET("torch.softmax(self.fc(self.drop(x)), dim=1)")}},
     ""},
    {"passed on by a file between",
     {{"main.py", MAIN("CrossEntropyLoss", "", "from between import evaluate, train_epoch\n")},
      {"between.py", "import engine\n\n\ndef train_epoch(model, loader, criterion, optimizer):\n"
                     "    engine.train_epoch(model, loader, criterion, optimizer)\n\n\n"
                     "def evaluate(model, loader):\n    return engine.evaluate(model, loader)\n"},
      {"engine.py", ENGINE_TRAIN(ZERO) ENGINE_EVAL("")},
      {"net.py", NET("self.fc(self.drop(x))")}},
     "engine.py:15 SB022"},
    {"a criterion of another file is called with what a model of a third gives",
     {{"main.py",
       HEAD "from losses import Both\nfrom net import Net\n\n\ndef main(loader):\n"
            "    net = Net()\n    criterion = Both()\n"
            "    optim = torch.optim.SGD(net.parameters(), lr=0.1)\n    for x, y in loader:\n"
            "        optim.zero_grad()\n        criterion(net(x), y).backward()\n"
            "        optim.step()\n"},
      {"losses.py", HEAD "class Both(nn.Module):\n    def __init__(self):\n"
                         "        super().__init__()\n        self.bce = nn.BCEWithLogitsLoss()\n\n"
                         "    def forward(self, given, wanted):\n"
                         "        return self.bce(given, wanted) + given.abs().mean()\n"},
      {"net.py", NET("torch.sigmoid(self.fc(self.drop(x)))")}},
     "losses.py:9 SB102"},
    {"a scheduler that nothing steps, beside a step in another file",
     {{"main.py", HEAD "from engine import train_epoch\n\n\ndef main(loader):\n"
                       "    net = nn.Linear(2, 2)\n"
                       "    optim = torch.optim.SGD(net.parameters(), lr=0.1)\n"
                       "    plan = torch.optim.lr_scheduler.StepLR(optim, 1)\n"
                       "    train_epoch(net, loader, nn.MSELoss(), optim)\n"},
      {"engine.py", ENGINE_TRAIN(ZERO)}},
     "main.py:9 SB237"},
    {"a helper beside it clears",
     {{"train.py", TRAIN("from steps import clear", "clear(opt)")}, {"steps.py", CLEAR}},
     ""},
    {"a helper beside it does something else",
     {{"train.py", TRAIN("from steps import clear", "clear(opt)")}, {"steps.py", NOTE}},
     "train.py:9 SB032"},
    {"a helper that is not there",
     {{"train.py", TRAIN("from steps import clear", "clear(opt)")}},
     ""},
    {"through a module's name",
     {{"train.py", TRAIN("import steps", "steps.clear(opt)")}, {"steps.py", NOTE}},
     "train.py:9 SB032"},
    {"through another name for it",
     {{"train.py", TRAIN("import pkg.steps as s", "s.clear(opt)")},
      {"pkg/__init__.py", ""},
      {"pkg/steps.py", NOTE}},
     "train.py:9 SB032"},
    {"a relative import",
     {{"pkg/train.py", TRAIN("from .steps import clear", "clear(opt)")},
      {"pkg/__init__.py", ""},
      {"pkg/steps.py", NOTE}},
     "pkg/train.py:9 SB032"},
    {"from the package above",
     {{"pkg/run/train.py", TRAIN("from ..steps import clear", "clear(opt)")},
      {"pkg/__init__.py", ""},
      {"pkg/run/__init__.py", ""},
      {"pkg/steps.py", NOTE}},
     "pkg/run/train.py:9 SB032"},
    {"re-exported by the package",
     {{"train.py", TRAIN("from pkg import tidy", "tidy(opt)")},
      {"pkg/__init__.py", "from .steps import clear as tidy\n"},
      {"pkg/steps.py", NOTE}},
     "train.py:9 SB032"},
    {"re-exported with a star",
     {{"train.py", TRAIN("from pkg import clear", "clear(opt)")},
      {"pkg/__init__.py", "from .steps import *\n"},
      {"pkg/steps.py", NOTE}},
     "train.py:9 SB032"},
    {"re-exported in a circle",
     {{"train.py", TRAIN("from a import clear", "clear(opt)")},
      {"a.py", "from b import clear\n"},
      {"b.py", "from a import clear\n"}},
     ""},
    {"a folder that is no package",
     {{"train.py", TRAIN("from tools.steps import clear", "clear(opt)")}, {"tools/steps.py", NOTE}},
     "train.py:9 SB032"},
    {"two programs with files of the same names",
     {{"one/train.py", TRAIN("from steps import clear", "clear(opt)")},
      {"one/steps.py", CLEAR},
      {"two/train.py", TRAIN("from steps import clear", "clear(opt)")},
      {"two/steps.py", NOTE}},
     "two/train.py:9 SB032"},
    {"passed by keyword",
     {{"train.py", TRAIN("from steps import clear", "clear(optimizer=opt)")}, {"steps.py", CLEAR}},
     ""},
    {"more passed than it names",
     {{"train.py", TRAIN("from steps import clear", "clear(opt, *[1])")}, {"steps.py", NOTE}},
     ""},
    {"in a list: unknown what happens to what it holds",
     {{"train.py", TRAIN("from steps import clear", "clear([opt])")},
      {"steps.py", "def clear(optimizers):\n    for o in optimizers:\n        o.zero_grad()\n"}},
     ""},
    {"a helper clears what it gets at through the model",
     {{"train.py", TRAIN("from steps import tidy", "tidy(net)")},
      {"steps.py", "def tidy(m):\n    for p in m.parameters():\n        p.grad = None\n"}},
     ""},
    {"a helper clears the parameters it is given",
     {{"train.py", TRAIN("from steps import tidy", "tidy(net.parameters())")},
      {"steps.py", "def tidy(ps):\n    for p in ps:\n        p.grad = None\n"}},
     ""},
    {"a helper clears what it gets at through the optimizer",
     {{"train.py", TRAIN("from steps import tidy", "tidy(opt)")},
      {"steps.py", "def tidy(o):\n    for g in o.param_groups:\n        for p in g['params']:\n"
                   "            p.grad.zero_()\n"}},
     ""},
    {"a helper clears one of two",
     {{"train.py", TRAIN("from steps import tidy", "tidy(opt, 1)")},
      {"steps.py", "def tidy(a, b):\n    o = a if b else b\n    o.zero_grad()\n"}},
     ""},
    {"a helper of a helper clears",
     {{"train.py", TRAIN("from steps import clear", "clear(opt)")},
      {"steps.py", "from more import wipe\ndef clear(optimizer):\n    wipe(optimizer)\n"},
      {"more.py", "def wipe(o):\n    o.zero_grad()\n"}},
     ""},
    {"a helper of a helper is not known",
     {{"train.py", TRAIN("from steps import clear", "clear(opt)")},
      {"steps.py", "from gone import wipe\ndef clear(optimizer):\n    wipe(o=optimizer)\n"}},
     ""},
    {"a helper defined under a condition",
     {{"train.py", TRAIN("try:\n    from fast import clear\nexcept ImportError:\n    from steps "
                         "import clear",
                         "clear(opt)")},
      {"fast.py", CLEAR},
      {"steps.py", NOTE}},
     ""},
    {"a circle: the loop's file waits for the helper's",
     {{"a.py", TRAIN("import b", "b.clear(opt)")}, {"b.py", "import a\n" NOTE}},
     "a.py:9 SB032"},
    {"a circle: the helper's file waits for the loop's",
     {{"b.py", TRAIN("import a", "a.clear(opt)")}, {"a.py", "import b\n" NOTE}},
     "b.py:9 SB032"},
    {"a circle: the helper clears",
     {{"b.py", TRAIN("import a", "a.clear(opt)")}, {"a.py", "import b\n" CLEAR}},
     ""},
    {"a circle in which the helper calls back",
     {{"b.py", TRAIN("import a", "a.clear(opt)") "def wipe(o):\n    o.zero_grad()\n"},
      {"a.py", "import b\ndef clear(o):\n    b.wipe(o)\n"}},
     ""},
    {"a file that names no framework but imports one that does",
     {{"main.py", "from parts import Net, loss\nnet = Net()\nloss(net(x), y).backward()\n"},
      {"parts.py", HEAD "loss = nn.CrossEntropyLoss()\nclass Net(nn.Module):\n"
                        "    def forward(self, x):\n        return torch.softmax(x, 1)\n"}},
     "main.py:3 SB101"},
};

static const char *folder_of(struct arena *a, const struct row *row)
{
    struct err e = {0};
    const char *dir;
    assert_true(file_make_temp_dir(a, "project", &dir, &e));
    for (size_t i = 0; i < COUNT_OF(row->files) && row->files[i].path; i++) {
        const char *path = path_join(a, dir, row->files[i].path);
        assert_true(file_make_dirs(str_dup(a, path_dir(str_of(path))), &e));
        assert_true(file_write(path, row->files[i].text, strlen(row->files[i].text), &e));
    }
    return dir;
}

/* The findings, "path:line CODE ...", in the order of files. */
static const char *found_in(struct lint_fixture *f, struct arena *a, struct project *p,
                            const char *path)
{
    struct discover_options o = {.no_gitignore = true};
    struct discovered found;
    struct file_report *reports;
    struct strbuf text = {0};
    struct err e = {0};
    p->rules = f->rules;
    p->options = f->options;
    assert_true(discover_files(&path, 1, &o, a, &found, &e));
    if (!project_run(p, found.files.at, found.files.n, a, &reports, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < found.files.n; i++)
        for (size_t k = 0; k < reports[i].n; k++)
            strbuf_printf(&text, "%s" STR_FMT ":%u " STR_FMT, text.n ? " " : "",
                          STR_ARG(reports[i].path), reports[i].findings[k].start.line,
                          STR_ARG(reports[i].findings[k].code));
    const char *result = strbuf_dup(&text, a).at;
    strbuf_done(&text);
    return result;
}

static void names_lead_across_files(void **state)
{
    struct lint_fixture f;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        arena_init(&a);
        const char *dir = folder_of(&a, &rows[i]);
        struct project p = {.n_hidden = strlen(dir) + 1};
        const char *codes = found_in(&f, &a, &p, dir);
        if (strcmp(codes, rows[i].codes) != 0)
            fail_msg("row \"%s\": got \"%s\"", rows[i].meaning, codes);
        file_remove_tree(dir, &e);
        arena_done(&a);
    }
    fixture_close(&f);
}

static void workers_and_cache_change_nothing(void **state)
{
    struct lint_fixture f;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        arena_init(&a);
        const char *dir = folder_of(&a, &rows[i]);
        const char *cache = path_join(&a, dir, ".assay_cache");
        for (int n = 0; n < 12; n++) { /* enough to start workers */
            const char *path = arena_printf(&a, "%s/other%d.py", dir, n);
            assert_true(file_write(path, HEAD, strlen(HEAD), &e));
        }
        struct project p = {.n_hidden = strlen(dir) + 1, .n_workers = 3};
        ASSERT_ROW(strcmp(found_in(&f, &a, &p, dir), rows[i].codes) == 0, rows[i].meaning);
        p.cache_dir = cache;
        p.identity = "test";
        for (int round = 0; round < 3; round++)
            ASSERT_ROW(strcmp(found_in(&f, &a, &p, dir), rows[i].codes) == 0, rows[i].meaning);
        file_remove_tree(dir, &e);
        arena_done(&a);
    }
    fixture_close(&f);
}

static void a_change_elsewhere_is_seen_through_the_cache(void **state)
{
    static const struct row row = {"",
                                   {{"train.py", TRAIN("from pkg import clear", "clear(opt)")},
                                    {"pkg/__init__.py", "from .steps import clear\n"},
                                    {"pkg/steps.py", NOTE}},
                                   ""};
    struct lint_fixture f;
    struct arena a;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    fixture_open(&f, CONFIDENCE_MEDIUM);
    const char *dir = folder_of(&a, &row), *steps = path_join(&a, dir, "pkg/steps.py");
    struct project p = {.n_hidden = strlen(dir) + 1, .identity = "test"};
    p.cache_dir = path_join(&a, dir, ".assay_cache");
    assert_string_equal(found_in(&f, &a, &p, dir), "train.py:9 SB032");
    assert_true(file_write(steps, CLEAR, strlen(CLEAR), &e));
    assert_string_equal(found_in(&f, &a, &p, dir), "");
    assert_true(file_write(steps, NOTE, strlen(NOTE), &e));
    assert_string_equal(found_in(&f, &a, &p, dir), "train.py:9 SB032");
    /* a single file: what it imports is read but not reported */
    assert_string_equal(found_in(&f, &a, &p, path_join(&a, dir, "train.py")), "train.py:9 SB032");
    file_remove_tree(dir, &e);
    fixture_close(&f);
    arena_done(&a);
}

/* Findings are the same, whether files are given together or one by one with those that call
 * them. */
static void file_by_file_with_callers_says_the_same(void **state)
{
    struct lint_fixture f;
    (void)state;
    fixture_open(&f, CONFIDENCE_MEDIUM);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        struct strbuf text = {0};
        arena_init(&a);
        const char *dir = folder_of(&a, &rows[i]);
        struct project p = {.n_hidden = strlen(dir) + 1, .finds_callers = true};
        struct discover_options o = {.no_gitignore = true};
        struct discovered files;
        assert_true(discover_files(&dir, 1, &o, &a, &files, &e));
        for (size_t k = 0; k < files.files.n; k++) {
            const char *one = found_in(&f, &a, &p, files.files.at[k].path);
            strbuf_printf(&text, "%s%s", text.n && *one ? " " : "", one);
        }
        strbuf_adds(&text, "");
        if (strcmp(text.n ? text.at : "", rows[i].codes) != 0)
            fail_msg("row \"%s\": got \"%s\"", rows[i].meaning, text.n ? text.at : "");
        strbuf_done(&text);
        file_remove_tree(dir, &e);
        arena_done(&a);
    }
    fixture_close(&f);
}

TEST_SUITE(lint_project, TEST(names_lead_across_files),
           TEST(file_by_file_with_callers_says_the_same), TEST(workers_and_cache_change_nothing),
           TEST(a_change_elsewhere_is_seen_through_the_cache))
