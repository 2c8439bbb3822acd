/*
 * assay lint: finds files, lints them, takes away what is known or old, fixes, prints. Exit 0
 * clean, 1 findings, 2 wrong use or our failure.
 */
#include "base/file.h"
#include "base/path.h"
#include "cli/command.h"
#include "cli/lint_changed.h"
#include "cli/lint_options.h"
#include "cli/version.h"
#include "lint/baseline.h"
#include "lint/discover.h"
#include "lint/ignore.h"
#include "lint/project.h"
#include "os/probe.h"
#include "report/lint_report.h"

enum { TEXT_BYTES_MAX = 64 << 20 };

/* One invocation. */
struct lint {
    const struct settings *s;
    struct lint_setup setup;
    struct discovered files;
    struct file_report *reports;
    size_t n_reports;
    uint64_t n_fixed, n_would_fix;
    struct strbuf fixes, diff;
    bool is_stdin;
    struct str stdin_text;
};

static const char *format_name(const struct settings *s)
{
    const char *given = settings_text(s, SETTING_lint_format_short);
    if (settings_flag(s, SETTING_json))
        return "json";
    if (given)
        return strcmp(given, "text") == 0 ? "full" : given;
    return settings_text(s, SETTING_lint_format);
}

static bool discover(struct lint *l, struct err *e)
{
    const struct settings *s = l->s;
    struct discover_options o = {.force_exclude = settings_flag(s, SETTING_lint_force_exclude),
                                 .no_gitignore = !settings_flag(s, SETTING_lint_respect_gitignore)};
    static const char *const here[] = {"."};
    o.exclude = settings_given(s, SETTING_lint_exclude)
                    ? settings_list(s, SETTING_lint_exclude, &o.n_exclude)
                    : NULL;
    o.extend_exclude = settings_list(s, SETTING_lint_extend_exclude, &o.n_extend_exclude);
    if (!s->n_args)
        return discover_files(here, 1, &o, s->arena, &l->files, e);
    return discover_files(s->args, s->n_args, &o, s->arena, &l->files, e);
}

static unsigned n_workers(const struct settings *s)
{
    if (settings_given(s, SETTING_lint_jobs))
        return (unsigned)settings_int(s, SETTING_lint_jobs);
    struct probe_machine machine;
    struct err e = {0};
    return probe_machine(s->arena, &machine, &e) && machine.n_cpus ? machine.n_cpus : 1;
}

static const char *cache_dir(const struct settings *s)
{
    const char *given = settings_text(s, SETTING_lint_cache_dir);
    if (settings_flag(s, SETTING_lint_no_cache))
        return NULL;
    if (given)
        return given;
    if (!s->config_path)
        return ".assay_cache";
    return path_join(s->arena, str_dup(s->arena, path_dir(str_of(s->config_path))), ".assay_cache");
}

static bool run_stdin(struct lint *l, struct err *e)
{
    const char *name = settings_text(l->s, SETTING_lint_stdin_filename);
    struct lint_input in = {.path = str_of(name ? name : "-"), .is_stdin = true};
    struct linter *linter = linter_new(l->setup.rules, &l->setup.options);
    in.is_notebook = str_ends(in.path, STR(".ipynb"));
    bool ok = file_read("-", TEXT_BYTES_MAX, l->s->arena, &l->stdin_text, e);
    l->is_stdin = true;
    l->reports = arena_new(l->s->arena, struct file_report);
    l->n_reports = 1;
    in.bytes = l->stdin_text;
    struct project p = {.rules = l->setup.rules, .options = l->setup.options};
    struct project_view view = {0};
    ok = ok &&
         (!name || !in.bytes.n || project_view_open(&p, name, in.bytes, l->s->arena, &view, e));
    if (ok) {
        if (name)
            project_view_use(&view, linter, &in);
        linter_run(linter, &in, l->s->arena, l->reports);
    }
    linter_free(linter);
    project_view_close(&view);
    return ok;
}

static bool run_files(struct lint *l, struct err *e)
{
    if (l->s->n_args == 1 && strcmp(l->s->args[0], "-") == 0)
        return run_stdin(l, e);
    if (!discover(l, e))
        return false;
    struct project p = {.rules = l->setup.rules,
                        .options = l->setup.options,
                        .n_workers = n_workers(l->s),
                        .cache_dir = cache_dir(l->s),
                        .identity = l->setup.identity};
    l->n_reports = l->files.files.n;
    return project_run(&p, l->files.files.at, l->files.files.n, l->s->arena, &l->reports, e);
}

/* ---- fixes ---- */

static bool has_fix(const struct lint *l, const struct file_report *r, bool unsafe)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct finding *f = &r->findings[i];
        const struct rule *rule = rule_find(l->setup.rules, f->code);
        if ((f->fix.safety == SAFETY_SAFE || (f->fix.safety == SAFETY_UNSAFE && unsafe)) && rule &&
            selection_can_fix(l->setup.selection, rule))
            return true;
    }
    return false;
}

/* With the same knowledge of other files as when it was linted. */
static bool fix_in_project(struct lint *l, struct linter *linter, struct lint_input *in,
                           const struct fix_options *o, struct str *fixed, uint32_t *n,
                           struct file_report *left, struct err *e)
{
    struct project p = {.rules = l->setup.rules, .options = l->setup.options};
    struct project_view view = {0};
    struct arena *a = l->s->arena;
    bool ok = l->is_stdin || project_view_open(&p, str_dup(a, in->path), in->bytes, a, &view, e);
    if (ok) {
        project_view_use(&view, linter, in);
        ok = linter_fix(linter, in, o, a, fixed, n, left, e);
        linter_set_project(linter, NULL);
    }
    project_view_close(&view);
    return ok;
}

static bool fix_one(struct lint *l, struct linter *linter, struct file_report *r, struct err *e)
{
    struct arena *a = l->s->arena;
    struct fix_options o = {settings_flag(l->s, SETTING_lint_unsafe_fixes), l->setup.selection};
    struct lint_input in = {.path = r->path, .bytes = l->stdin_text, .is_stdin = l->is_stdin};
    struct file_report left;
    struct str fixed;
    uint32_t n;
    const char *path = str_dup(a, r->path);
    if (!has_fix(l, r, o.unsafe))
        return true;
    in.is_notebook = r->is_notebook;
    if (!l->is_stdin && !file_read(path, TEXT_BYTES_MAX, a, &in.bytes, e))
        return false;
    if (!fix_in_project(l, linter, &in, &o, &fixed, &n, &left, e))
        return false;
    if (settings_flag(l->s, SETTING_lint_diff)) {
        lint_write_diff(r->path, in.bytes, fixed, &l->diff);
        l->n_would_fix += n;
        return true;
    }
    if (n && !l->is_stdin && !file_write(path, fixed.at, fixed.n, e))
        return false;
    if (l->is_stdin)
        l->stdin_text = fixed;
    l->n_fixed += n;
    if (n)
        strbuf_printf(&l->fixes, "- %s: %u fixed\n", path, n);
    *r = left;
    return true;
}

static bool fix_all(struct lint *l, struct err *e)
{
    struct linter *linter = linter_new(l->setup.rules, &l->setup.options);
    bool ok = true;
    for (size_t i = 0; ok && i < l->n_reports; i++)
        ok = fix_one(l, linter, &l->reports[i], e);
    linter_free(linter);
    return ok;
}

static bool add_ignores(struct lint *l, struct err *e)
{
    uint64_t n = 0;
    for (size_t i = 0; i < l->n_reports; i++) {
        struct file_report *r = &l->reports[i];
        struct str text, with;
        const char *path = str_dup(l->s->arena, r->path);
        if (!r->n || r->is_notebook || r->has_failed || l->is_stdin)
            continue;
        if (!file_read(path, TEXT_BYTES_MAX, l->s->arena, &text, e))
            return false;
        n += ignore_add_comments(r, text, l->s->arena, &with);
        if (!file_write(path, with.at, with.n, e))
            return false;
    }
    out_putf("Added %llu ignore comment%s.\n", (unsigned long long)n, n == 1 ? "" : "s");
    return true;
}

/* ---- what is left out ---- */

static bool apply_filters(struct lint *l, struct err *e)
{
    const struct settings *s = l->s;
    const char *baseline = settings_text(s, SETTING_lint_baseline);
    const char *since = settings_text(s, SETTING_lint_changed_since);
    const char *write = settings_text(s, SETTING_lint_write_baseline);
    if (write) {
        struct strbuf text = {0};
        baseline_write(l->reports, l->n_reports, &text);
        bool ok = file_write(write, text.at, text.n, e);
        strbuf_done(&text);
        if (!ok)
            return false;
        baseline = write;
    }
    if (baseline) {
        struct str text;
        uint64_t n_known;
        if (!file_read(baseline, TEXT_BYTES_MAX, s->arena, &text, e) ||
            !baseline_apply(text, baseline, l->reports, l->n_reports, s->arena, &n_known, e))
            return false;
    }
    return !since || lint_keep_changed(since, l->reports, l->n_reports, s->arena, e);
}

/* ---- output ---- */

static bool put_output(const struct lint *l, struct str text, struct err *e)
{
    const char *path = settings_text(l->s, SETTING_lint_output);
    if (path)
        return file_write(path, text.at, text.n, e);
    out_put(text);
    return true;
}

static bool is_text(const char *format)
{
    return strcmp(format, "full") == 0 || strcmp(format, "concise") == 0 ||
           strcmp(format, "grouped") == 0;
}

static bool print_findings(struct lint *l, struct err *e)
{
    const char *name = format_name(l->s), *color = settings_text(l->s, SETTING_color);
    const struct lint_format *format = lint_format_find(str_of(name));
    struct lint_run run = {.files = l->reports,
                           .n_files = l->n_reports,
                           .rules = l->setup.rules,
                           .version = ASSAY_VERSION,
                           .n_fixed = l->n_fixed,
                           .unsafe_fixes = settings_flag(l->s, SETTING_lint_unsafe_fixes),
                           .quiet = settings_flag(l->s, SETTING_quiet),
                           .color = strcmp(color, "always") == 0 && is_text(name)};
    struct strbuf text = {0};
    if (settings_flag(l->s, SETTING_lint_silent))
        return true;
    if (settings_flag(l->s, SETTING_lint_statistics)) {
        if (strcmp(name, "json") == 0)
            lint_write_statistics_json(&run, &text);
        else
            lint_write_statistics(&run, &text);
    } else if (!settings_flag(l->s, SETTING_lint_fix_only)) {
        format->write(&run, &text);
    } else if (is_text(name) && l->n_fixed && !run.quiet) {
        strbuf_printf(&text, "Fixed %llu finding%s.\n", (unsigned long long)l->n_fixed,
                      l->n_fixed == 1 ? "" : "s");
    }
    if (settings_flag(l->s, SETTING_lint_show_fixes) && l->fixes.n)
        strbuf_addstr(&text, strbuf_str(&l->fixes));
    bool ok = put_output(l, strbuf_str(&text), e);
    strbuf_done(&text);
    return ok;
}

static void print_settings(const struct settings *s)
{
    static const char *const origins[] = {"unset", "default", "file", "environment", "flag"};
    struct strbuf text = {0};
    strbuf_printf(&text, "settings file: %s\n", s->config_path ? s->config_path : "none");
    for (int id = 0; id < SETTING_COUNT; id++) {
        const struct setting_row *row = setting_row((enum setting_id)id);
        const struct setting_value *v = &s->values[id];
        if (!setting_applies((enum setting_id)id, "lint") || strcmp(row->section, "lint") != 0)
            continue;
        strbuf_printf(&text, "lint.%s = ", row->name);
        for (size_t i = 0; i < v->n_list; i++)
            strbuf_printf(&text, "%s%s", i ? "," : "", v->list[i]);
        if (!v->n_list)
            strbuf_adds(&text, v->text ? v->text : "-");
        strbuf_printf(&text, "  (%s)\n", origins[v->origin]);
    }
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}

static bool show_files(struct lint *l, struct err *e)
{
    if (!discover(l, e))
        return false;
    for (size_t i = 0; i < l->files.files.n; i++)
        out_putf("%s\n", l->files.files.at[i].path);
    return true;
}

static bool dump(struct lint *l, struct err *e)
{
    const char *layer = settings_text(l->s, SETTING_lint_dump);
    struct linter *linter = linter_new(l->setup.rules, &l->setup.options);
    bool ok = true;
    for (size_t i = 0; ok && i < l->s->n_args; i++) {
        struct strbuf text = {0};
        struct lint_input in = {.path = str_of(l->s->args[i])};
        in.is_notebook = str_ends(in.path, STR(".ipynb"));
        ok = file_read(l->s->args[i], TEXT_BYTES_MAX, l->s->arena, &in.bytes, e) &&
             linter_dump(linter, &in, str_of(layer), l->s->arena, &text, e);
        if (ok)
            out_put(strbuf_str(&text));
        strbuf_done(&text);
    }
    linter_free(linter);
    return ok;
}

static bool has_findings(const struct lint *l)
{
    for (size_t i = 0; i < l->n_reports; i++)
        for (size_t k = 0; k < l->reports[i].n; k++)
            if (!l->reports[i].findings[k].is_note)
                return true;
    return false;
}

static int exit_code_of(const struct lint *l)
{
    const struct settings *s = l->s;
    bool fixed = l->n_fixed && settings_flag(s, SETTING_lint_exit_non_zero_on_fix);
    if (settings_flag(s, SETTING_lint_exit_zero))
        return EXIT_DONE;
    if (settings_flag(s, SETTING_lint_diff))
        return l->n_would_fix ? EXIT_FOUND : EXIT_DONE;
    if (settings_flag(s, SETTING_lint_fix_only))
        return fixed ? EXIT_FOUND : EXIT_DONE;
    return has_findings(l) || fixed ? EXIT_FOUND : EXIT_DONE;
}

static bool lint_all(struct lint *l, struct err *e)
{
    const struct settings *s = l->s;
    bool diff = settings_flag(s, SETTING_lint_diff);
    bool fix =
        diff || settings_flag(s, SETTING_lint_fix) || settings_flag(s, SETTING_lint_fix_only);
    if (!run_files(l, e))
        return false;
    if (settings_flag(s, SETTING_lint_add_ignore))
        return add_ignores(l, e);
    if ((fix && !fix_all(l, e)) || !apply_filters(l, e))
        return false;
    if (diff)
        return put_output(l, strbuf_str(&l->diff), e);
    if (fix && l->is_stdin) {
        out_put(l->stdin_text);
        return true;
    }
    return print_findings(l, e);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct lint l = {.s = s};
    bool ok;
    if (settings_flag(s, SETTING_lint_show_settings)) {
        print_settings(s);
        return true;
    }
    if (settings_flag(s, SETTING_lint_show_files))
        return show_files(&l, e);
    if (!lint_setup_load(s, &l.setup, e))
        return false;
    if (settings_text(s, SETTING_lint_dump)) {
        ok = dump(&l, e);
    } else {
        ok = lint_all(&l, e);
        *exit_code = settings_flag(s, SETTING_lint_add_ignore) ? EXIT_DONE : exit_code_of(&l);
    }
    strbuf_done(&l.fixes);
    strbuf_done(&l.diff);
    rule_set_free(l.setup.rules);
    return ok;
}

const struct command command_lint = {
    .name = "lint",
    .arguments = "[PATH ... | -]",
    .summary = "find silent bugs in PyTorch programs",
    .details =
        "Files, folders and notebooks are checked; without a path the working folder, and \"-\" "
        "is\n"
        "standard input. Exit 0: clean; 1: findings; 2: wrong use or a failure of assay.\n"
        "A finding is silenced by \"# assay: ignore[SB031] reason\" on its line, a file's by\n"
        "\"# assay: ignore-file[SB031]\"; \"# noqa: SB031\" is honoured too.",
    .examples = "assay lint                         # the working folder\n"
                "assay lint --select SB03 train.py  # one pattern\n"
                "assay lint --fix src               # apply safe fixes\n"
                "assay lint --output-format github  # annotations in CI",
    .fails_with_two = true,
    .run = run,
};
