/* Runs one rule at a time at low confidence and compares its findings with the expected ones. */
#include "lint/rule_test.h"

#include "base/file.h"
#include "base/path.h"
#include "lint/project.h"

enum { CASE_BYTES_MAX = 1 << 20 };

/* The findings of one rule in one text. */
static bool run_rule(struct rule_set *rules, struct str code, struct lint_input *in,
                     struct arena *a, struct file_report *out, struct err *e)
{
    struct selection *selection;
    const char *name = str_dup(a, code);
    struct choice choice = {.select = {&name, 1}};
    if (!selection_new(rules, &choice, a, &selection, e))
        return false;
    struct lint_options options = {.selection = selection,
                                   .min_confidence = CONFIDENCE_LOW,
                                   .no_prefilter = true,
                                   .torch_version = 2010};
    struct linter *l = linter_new(rules, &options);
    linter_run(l, in, a, out);
    linter_free(l);
    return true;
}

static size_t count_from(const struct file_report *r, enum confidence least)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n += r->findings[i].confidence >= least;
    return n;
}

static void note(struct rule_test_result *r, bool ok, const char *fmt, ...) PRINTF_LIKE(3, 4);

static void note(struct rule_test_result *r, bool ok, const char *fmt, ...)
{
    va_list args;
    r->n_passed += ok;
    r->n_failed += !ok;
    if (ok)
        return;
    va_start(args, fmt);
    strbuf_vprintf(&r->failures, fmt, args);
    va_end(args);
    strbuf_addc(&r->failures, '\n');
}

static bool test_example(struct rule_set *rules, const struct rule *rule, struct str text,
                         bool fires, struct rule_test_result *r, struct err *e)
{
    struct arena a;
    struct file_report report;
    struct lint_input in = {.path = STR("example.py"), .bytes = text};
    arena_init(&a);
    bool ok = run_rule(rules, rule->code, &in, &a, &report, e);
    enum confidence least = rule->is_default ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;
    size_t n = ok ? count_from(&report, least) : 0;
    if (ok)
        note(r, (n > 0) == fires, STR_FMT ": the %s example gives %zu finding%s",
             STR_ARG(rule->code), fires ? "bad" : "good", n, n == 1 ? "" : "s");
    arena_done(&a);
    return ok;
}

bool rule_test_examples(struct rule_set *rules, struct rule_test_result *r, struct err *e)
{
    size_t n;
    const struct rule *list = rule_list(rules, &n);
    for (size_t i = 0; i < n; i++) {
        if (list[i].is_builtin_code)
            continue;
        for (size_t k = 0; k < list[i].n_bad; k++)
            if (!test_example(rules, &list[i], list[i].bad[k], true, r, e))
                return false;
        for (size_t k = 0; k < list[i].n_good; k++)
            if (!test_example(rules, &list[i], list[i].good[k], false, r, e))
                return false;
    }
    return true;
}

/* Reads "# expect: SB032 low" at the end of a line. */
static bool read_marker(struct str line, struct str code, bool *is_low)
{
    size_t at = str_find(line, STR("# expect: "));
    if (at == line.n)
        return false;
    struct str rest = str_sub(line, at + 10, line.n);
    if (!str_starts(rest, code))
        return false;
    *is_low = str_find(rest, STR(" low")) < rest.n;
    return true;
}

static void compare_markers(struct str path, struct str text, struct str code,
                            const struct file_report *report, struct rule_test_result *r)
{
    uint32_t number = 1;
    size_t n_expected = 0;
    bool ok = true;
    struct str line;
    for (struct str rest = text; str_split(&rest, '\n', &line); number++) {
        bool is_low = false, expected = read_marker(line, code, &is_low), found = false;
        n_expected += expected;
        for (size_t i = 0; i < report->n; i++) {
            const struct finding *f = &report->findings[i];
            if (f->first_line != number)
                continue;
            found = true;
            if (expected && is_low != (f->confidence == CONFIDENCE_LOW)) {
                strbuf_printf(&r->failures, STR_FMT ":%u: confidence is %s\n", STR_ARG(path),
                              number, confidence_name(f->confidence));
                ok = false;
            }
        }
        if (found != expected) {
            strbuf_printf(&r->failures, STR_FMT ":%u: %s\n", STR_ARG(path), number,
                          found ? "a finding that is not expected" : "no finding");
            ok = false;
        }
    }
    if (!n_expected)
        strbuf_printf(&r->failures, STR_FMT ": no line says what is expected\n", STR_ARG(path));
    r->n_passed += ok && n_expected;
    r->n_failed += !(ok && n_expected);
}

static bool test_case(struct rule_set *rules, const struct rule *rule, const char *path,
                      struct rule_test_result *r, struct err *e)
{
    struct arena a;
    struct file_report report;
    /* the file's name alone: its folder would make it a test */
    struct lint_input in = {.path = path_base(str_of(path))};
    bool fires = str_starts(in.path, STR("fires_"));
    arena_init(&a);
    in.is_notebook = str_ends(in.path, STR(".ipynb"));
    bool ok = file_read(path, CASE_BYTES_MAX, &a, &in.bytes, e) &&
              run_rule(rules, rule->code, &in, &a, &report, e);
    r->n_fires += fires;
    r->n_silent += !fires;
    if (ok && fires && in.is_notebook) {
        note(r, report.n > 0, "%s: no finding", path);
    } else if (ok && fires) {
        compare_markers(str_of(path), in.bytes, rule->code, &report, r);
    } else if (ok) {
        size_t n = count_from(&report, rule->is_default ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW);
        note(r, n == 0, "%s:%u: %zu finding%s where none may be", path,
             n ? report.findings[0].first_line : 0, n, n == 1 ? "" : "s");
    }
    arena_done(&a);
    return ok;
}

/* A case of several files: lints the folder as a project. Expected findings may be in any of its
 * files. */
static bool test_project(struct rule_set *rules, const struct rule *rule, const char *dir,
                         struct rule_test_result *r, struct err *e)
{
    struct arena a;
    struct project p = {.rules = rules, .n_hidden = strlen(dir) + 1};
    struct discover_options o = {.no_gitignore = true};
    struct discovered found;
    struct file_report *reports;
    struct selection *selection;
    bool fires = str_starts(path_base(str_of(dir)), STR("fires_")), failed = false;
    size_t n_before = r->n_failed;
    arena_init(&a);
    const char *name = str_dup(&a, rule->code);
    struct choice choice = {.select = {&name, 1}};
    bool ok = selection_new(rules, &choice, &a, &selection, e) &&
              discover_files(&dir, 1, &o, &a, &found, e);
    p.options = (struct lint_options){
        .selection = selection, .min_confidence = CONFIDENCE_LOW, .torch_version = 2010};
    ok = ok && project_run(&p, found.files.at, found.files.n, &a, &reports, e);
    r->n_fires += fires;
    r->n_silent += !fires;
    size_t n_markers = 0;
    for (size_t i = 0; ok && i < found.files.n; i++) {
        struct str text, path = str_of(found.files.at[i].path);
        ok = file_read(found.files.at[i].path, CASE_BYTES_MAX, &a, &text, e);
        bool has_marker = ok && str_find(text, STR("# expect: ")) < text.n;
        n_markers += has_marker;
        if (ok && (has_marker || (fires && reports[i].n)))
            compare_markers(path, text, rule->code, &reports[i], r);
        enum confidence least = rule->is_default ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;
        size_t n = ok && !fires ? count_from(&reports[i], least) : 0;
        if (n)
            note(r, false, STR_FMT ":%u: %zu finding%s where none may be", STR_ARG(path),
                 reports[i].findings[0].first_line, n, n == 1 ? "" : "s");
    }
    failed = r->n_failed > n_before;
    if (ok && fires && !n_markers)
        note(r, false, "%s: no line says what is expected", dir);
    else if (ok && !fires && !failed)
        note(r, true, "%s", dir);
    arena_done(&a);
    return ok;
}

static bool is_case(struct str name)
{
    return (str_starts(name, STR("fires_")) || str_starts(name, STR("silent_"))) &&
           (str_ends(name, STR(".py")) || str_ends(name, STR(".ipynb")));
}

static bool is_project_case(const char *folder, const char *name, struct arena *a)
{
    return (str_starts(str_of(name), STR("fires_")) || str_starts(str_of(name), STR("silent_"))) &&
           file_stat(path_join(a, folder, name)).kind == FILE_DIRECTORY;
}

bool rule_test_folder(struct rule_set *rules, const char *dir, struct rule_test_result *r,
                      struct err *e)
{
    struct arena a;
    struct file_list codes;
    arena_init(&a);
    bool ok = file_list_dir(dir, &a, &codes, e);
    for (size_t i = 0; ok && i < codes.n; i++) {
        const struct rule *rule = rule_find(rules, str_of(codes.names[i]));
        const char *folder = path_join(&a, dir, codes.names[i]);
        struct file_list cases;
        if (!rule || file_stat(folder).kind != FILE_DIRECTORY)
            continue;
        ok = file_list_dir(folder, &a, &cases, e);
        for (size_t k = 0; ok && k < cases.n; k++)
            if (is_project_case(folder, cases.names[k], &a))
                ok = test_project(rules, rule, path_join(&a, folder, cases.names[k]), r, e);
            else if (is_case(str_of(cases.names[k])))
                ok = test_case(rules, rule, path_join(&a, folder, cases.names[k]), r, e);
    }
    arena_done(&a);
    return ok;
}
