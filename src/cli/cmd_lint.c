/*
 * assay lint: finds files, lints them, drops findings of the baseline and of unchanged lines,
 * applies fixes, prints. Files of the same settings are linted as one project; what they import is
 * read wherever it lies. Exit 0 clean, 1 findings, 2 wrong use or our failure.
 */
#include <stdio.h>

#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "cli/command.h"
#include "cli/lint_changed.h"
#include "cli/lint_folders.h"
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
    struct lint_folders folders;
    const struct lint_setup *own; /* of the working folder: how findings are printed */
    struct discovered files;
    size_t n_missing;            /* of the paths given */
    struct file_report *reports; /* as files; of standard input: one */
    size_t n_reports;
    uint64_t n_fixed, n_would_fix;
    struct strbuf diff;
    bool is_stdin;
    struct str stdin_text;
    size_t stdin_settings;
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

static const struct lint_setup *setup_of(const struct lint *l, size_t report)
{
    size_t number = l->is_stdin ? l->stdin_settings : l->files.files.at[report].settings;
    return l->folders.setups.at[number];
}

/* ---- which files, with which settings ---- */

static struct discover_options discover_options_of(struct lint *l)
{
    return (struct discover_options){
        .excludes_in = lint_folders_excludes,
        .ctx = &l->folders,
        .force_exclude = settings_flag(l->s, SETTING_lint_force_exclude),
        .no_gitignore = !settings_flag(l->s, SETTING_lint_respect_gitignore)};
}

static bool discover(struct lint *l, struct err *e)
{
    const struct settings *s = l->s;
    struct discover_options o = discover_options_of(l);
    static const char *const here[] = {"."};
    if (!s->n_args)
        return discover_files(here, 1, &o, s->arena, &l->files, e);
    if (!discover_files(s->args, s->n_args, &o, s->arena, &l->files, e))
        return false;
    size_t n = 0;
    for (size_t i = 0; i < l->files.files.n; i++) {
        struct discovered_file f = l->files.files.at[i];
        if (f.is_missing)
            log_error("%s: no such file or folder; correct the path", f.path);
        else
            l->files.files.at[n++] = f;
    }
    l->n_missing = l->files.files.n - n;
    l->files.files.n = n;
    return true;
}

static unsigned n_workers(const struct settings *s)
{
    if (settings_given(s, SETTING_lint_jobs))
        return (unsigned)settings_int(s, SETTING_lint_jobs);
    struct probe_machine machine;
    struct err e = {0};
    return probe_machine(s->arena, &machine, &e) && machine.n_cpus ? machine.n_cpus : 1;
}

/* ---- linting ---- */

static struct project project_of(const struct lint *l, const struct lint_setup *setup)
{
    return (struct project){.rules = setup->rules,
                            .options = setup->options,
                            .n_workers = n_workers(l->s),
                            .cache_dir = setup->cache_dir,
                            .identity = setup->identity,
                            .finds_callers = setup->finds_callers};
}

/* What is known of the project when a file is linted apart from a run. */
struct beside {
    struct linter *linter;
    struct project_views views; /* of standard input without a name: none */
};

/* files: NULL: standard input, as the file of its name would be. */
static bool open_beside(struct lint *l, const struct lint_setup *setup,
                        const struct discovered_file *files, size_t n, struct beside *out,
                        struct err *e)
{
    struct project p = project_of(l, setup);
    struct held_text held = {.path = settings_text(l->s, SETTING_lint_stdin_filename),
                             .text = l->stdin_text};
    const struct discovered_file named = {.path = held.path};
    *out = (struct beside){.linter = linter_new(setup->rules, &setup->options)};
    if (!files && !(held.path && held.text.n))
        return true;
    if (!files) {
        p.held = &held;
        p.n_held = 1;
        files = &named;
        n = 1;
    }
    return project_views_open(&p, files, n, l->s->arena, &out->views, e);
}

static void use_beside(const struct beside *b, size_t at, struct lint_input *in)
{
    if (b->views.files)
        project_views_use(&b->views, at, b->linter, in);
}

static void close_beside(struct beside *b)
{
    linter_free(b->linter);
    project_views_close(&b->views);
}

static bool lint_stdin(struct lint *l, const char *name, struct err *e)
{
    struct lint_input in = {
        .path = str_of(name ? name : "-"), .bytes = l->stdin_text, .is_stdin = true};
    struct beside beside;
    in.is_notebook = str_ends(in.path, STR(".ipynb"));
    bool ok = open_beside(l, setup_of(l, 0), NULL, 0, &beside, e);
    if (ok) {
        use_beside(&beside, 0, &in);
        linter_run(beside.linter, &in, l->s->arena, l->reports);
    }
    close_beside(&beside);
    return ok;
}

static bool run_stdin(struct lint *l, struct err *e)
{
    const char *name = settings_text(l->s, SETTING_lint_stdin_filename);
    struct discover_options o = discover_options_of(l);
    bool is_excluded = false;
    l->is_stdin = true;
    l->reports = arena_new(l->s->arena, struct file_report);
    l->n_reports = 1;
    l->stdin_settings = l->own->excludes.number;
    if (!file_read("-", TEXT_BYTES_MAX, l->s->arena, &l->stdin_text, e) ||
        (name && !discover_is_excluded(name, &o, l->s->arena, &is_excluded, &l->stdin_settings, e)))
        return false;
    l->reports->path = str_of(name ? name : "-");
    return (is_excluded && o.force_exclude) || lint_stdin(l, name, e);
}

/* The files that have a setup. */
static struct discovered files_of(const struct lint *l, size_t number)
{
    struct discovered own = {0};
    for (size_t i = 0; i < l->files.files.n; i++)
        if (l->files.files.at[i].settings == number)
            vec_push(&own.files, l->s->arena, l->files.files.at[i]);
    return own;
}

/* Lints the files of one setup as a project, and puts their reports where they belong in the list.
 */
static bool run_setup(struct lint *l, size_t number, struct err *e)
{
    struct project p = project_of(l, l->folders.setups.at[number]);
    const struct discovered_file *files = l->files.files.at;
    struct discovered found = files_of(l, number);
    struct file_report *reports;
    if (!found.files.n)
        return true;
    if (!project_run(&p, found.files.at, found.files.n, l->s->arena, &reports, e))
        return false;
    for (size_t i = 0, k = 0; i < l->n_reports; i++)
        if (files[i].settings == number)
            l->reports[i] = reports[k++];
    return true;
}

static bool run_files(struct lint *l, struct err *e)
{
    if (l->s->n_args == 1 && strcmp(l->s->args[0], "-") == 0)
        return run_stdin(l, e);
    if (!discover(l, e))
        return false;
    l->n_reports = l->files.files.n;
    l->reports = arena_new_array(l->s->arena, struct file_report, l->n_reports);
    for (size_t i = 0; i < l->folders.setups.n; i++)
        if (!run_setup(l, i, e))
            return false;
    return true;
}

/* ---- what is left out ---- */

static bool has_filter(const struct settings *s)
{
    return settings_text(s, SETTING_lint_baseline) || settings_text(s, SETTING_lint_changed_since);
}

/* Drops, file by file, findings of the baseline and findings on unchanged lines. */
static bool filter(const struct settings *s, struct file_report *reports, size_t n, struct err *e)
{
    const char *baseline = settings_path(s, SETTING_lint_baseline);
    const char *since = settings_text(s, SETTING_lint_changed_since);
    struct str text;
    uint64_t n_known;
    return (!baseline || (file_read(baseline, TEXT_BYTES_MAX, s->arena, &text, e) &&
                          baseline_apply(text, baseline, reports, n, s->arena, &n_known, e))) &&
           (!since || lint_keep_changed(since, reports, n, s->arena, e));
}

/* Writes all findings as a baseline. */
static bool write_baseline(struct lint *l, const char *path, struct err *e)
{
    struct strbuf text = {0};
    bool ok = baseline_write(path, l->reports, l->n_reports, &text, e) &&
              file_write(path, text.at, text.n, e);
    strbuf_done(&text);
    for (size_t i = 0; ok && i < l->n_reports; i++)
        l->reports[i].n = 0;
    return ok;
}

/* ---- fixes ---- */

/* Of a link the file that it leads to is written, and the link stays one. */
static bool write_through(const char *path, struct str text, struct arena *a, struct err *e)
{
    const char *real;
    return file_real_path(path, a, &real, e) && file_write(real, text.at, text.n, e);
}

static bool has_fix(const struct lint_setup *setup, const struct file_report *r, bool unsafe)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct finding *f = &r->findings[i];
        const struct rule *rule = rule_find(setup->rules, f->code);
        if ((f->fix.safety == SAFETY_SAFE || (f->fix.safety == SAFETY_UNSAFE && unsafe)) && rule &&
            selection_can_fix(setup->selection, rule))
            return true;
    }
    return false;
}

/* at: the report; file: its number among the files of its setup. */
static bool fix_one(struct lint *l, size_t at, const struct beside *beside, size_t file,
                    struct err *e)
{
    struct file_report *r = &l->reports[at], left;
    struct arena *a = l->s->arena;
    bool is_filtered = has_filter(l->s) && !settings_text(l->s, SETTING_lint_write_baseline);
    struct fix_options o = {.unsafe = settings_flag(l->s, SETTING_lint_unsafe_fixes),
                            .fixable = setup_of(l, at)->selection,
                            .only = is_filtered ? r : NULL};
    struct lint_input in = {.path = r->path, .bytes = l->stdin_text, .is_stdin = l->is_stdin};
    struct str fixed;
    uint32_t n = 0;
    const char *path = str_dup(a, r->path);
    in.is_notebook = r->is_notebook;
    if (!l->is_stdin && !file_read(path, TEXT_BYTES_MAX, a, &in.bytes, e))
        return false;
    use_beside(beside, file, &in);
    if (!linter_fix(beside->linter, &in, &o, a, &fixed, &n, &left, e))
        return false;
    if (settings_flag(l->s, SETTING_lint_diff)) {
        lint_write_diff(r->path, in.bytes, fixed, &l->diff);
        l->n_would_fix += n;
        return true;
    }
    r->n_refused = left.n_refused;
    if (!n)
        return true;
    if (!l->is_stdin && !write_through(path, fixed, a, e))
        return false;
    if (l->is_stdin)
        l->stdin_text = fixed;
    l->n_fixed += n;
    *r = left;
    return !is_filtered || filter(l->s, r, 1, e);
}

/* Fixes the files of one setup, with the same knowledge of others as when they were linted. */
static bool fix_setup(struct lint *l, size_t number, struct err *e)
{
    const struct lint_setup *setup = l->folders.setups.at[number];
    bool unsafe = settings_flag(l->s, SETTING_lint_unsafe_fixes), any = false, ok = true;
    struct discovered own = files_of(l, number);
    struct beside beside;
    for (size_t i = 0; i < l->n_reports; i++)
        any |= setup_of(l, i) == setup && has_fix(setup, &l->reports[i], unsafe);
    if (!any)
        return true;
    ok = open_beside(l, setup, l->is_stdin ? NULL : own.files.at, own.files.n, &beside, e);
    for (size_t i = 0, file = 0; ok && i < l->n_reports; i++) {
        if (setup_of(l, i) != setup)
            continue;
        ok = !has_fix(setup, &l->reports[i], unsafe) || fix_one(l, i, &beside, file, e);
        file++;
    }
    close_beside(&beside);
    return ok;
}

static bool fix_all(struct lint *l, struct err *e)
{
    for (size_t i = 0; i < l->folders.setups.n; i++)
        if (!fix_setup(l, i, e))
            return false;
    return true;
}

static bool add_ignores(struct lint *l, struct err *e)
{
    uint64_t n = 0;
    if (l->is_stdin)
        return err_set(e, ERR_USAGE, "--add-ignore: standard input cannot be written to");
    for (size_t i = 0; i < l->n_reports; i++) {
        struct file_report *r = &l->reports[i];
        struct str text, with;
        const char *path = str_dup(l->s->arena, r->path);
        if (r->n && r->is_notebook)
            log_warn("%s: no comments are written into notebooks", path);
        if (!r->n || r->is_notebook || r->has_failed)
            continue;
        if (!file_read(path, TEXT_BYTES_MAX, l->s->arena, &text, e))
            return false;
        n += ignore_add_comments(r, text, l->s->arena, &with);
        if (!write_through(path, with, l->s->arena, e))
            return false;
    }
    out_putf("Added %llu ignore comment%s.\n", (unsigned long long)n, n == 1 ? "" : "s");
    return true;
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

/* A damaged file does not change the exit code, but the user is told that it was not fully checked.
 */
static void add_unread(const struct lint *l, struct strbuf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n_reports; i++)
        n += l->reports[i].is_damaged;
    if (n && !l->own->options.with_notes)
        strbuf_printf(out, "%zu file%s not read in full; -v shows where.\n", n, n == 1 ? "" : "s");
}

static bool print_findings(struct lint *l, struct err *e)
{
    const char *name = format_name(l->s), *color = settings_text(l->s, SETTING_color);
    const struct lint_format *format = lint_format_find(str_of(name));
    struct lint_run run = {.files = l->reports,
                           .n_files = l->n_reports,
                           .rules = l->own->rules,
                           .version = ASSAY_VERSION,
                           .n_fixed = l->n_fixed,
                           .unsafe_fixes = settings_flag(l->s, SETTING_lint_unsafe_fixes),
                           .quiet = settings_flag(l->s, SETTING_quiet),
                           .is_incomplete = l->n_missing > 0,
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
        if (is_text(name) && !run.quiet)
            add_unread(l, &text);
    } else if (is_text(name) && l->n_fixed && !run.quiet) {
        strbuf_printf(&text, "Fixed %llu finding%s.\n", (unsigned long long)l->n_fixed,
                      l->n_fixed == 1 ? "" : "s");
    }
    if (settings_flag(l->s, SETTING_lint_show_fixes) && is_text(name))
        lint_write_fixes(&run, &text);
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

/* Those of the folder named, or of the working folder. */
static bool show_settings(struct lint *l, struct err *e)
{
    const char *here, *path = l->s->n_args ? l->s->args[0] : ".";
    struct arena *a = l->s->arena;
    size_t number;
    if (!file_current_dir(a, &here, e))
        return false;
    const char *folder = path_absolute(a, here, path);
    if (file_stat(path).kind != FILE_DIRECTORY)
        folder = str_dup(a, path_dir(str_of(folder)));
    if (!lint_folders_at(&l->folders, folder, &number, e))
        return false;
    print_settings(l->folders.setups.at[number]->settings);
    return true;
}

/* Of all files given, as they call each other. */
static bool dump_contexts(struct lint *l, struct err *e)
{
    struct strbuf text = {0};
    struct project p = {
        .rules = l->own->rules, .options = l->own->options, .finds_callers = l->own->finds_callers};
    bool ok = discover(l, e) &&
              project_dump_contexts(&p, l->files.files.at, l->files.files.n, l->s->arena, &text, e);
    if (ok)
        out_put(strbuf_str(&text));
    strbuf_done(&text);
    return ok;
}

static bool dump(struct lint *l, struct err *e)
{
    const char *layer = settings_text(l->s, SETTING_lint_dump);
    if (str_is(str_of(layer), "contexts"))
        return dump_contexts(l, e);
    struct linter *linter = linter_new(l->own->rules, &l->own->options);
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

enum { EXIT_MISSING = 2 }; /* wrong use: a path that is not there */

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
    if (l->n_missing)
        return EXIT_MISSING;
    if (settings_flag(s, SETTING_lint_exit_zero))
        return EXIT_DONE;
    if (settings_flag(s, SETTING_lint_diff))
        return l->n_would_fix ? EXIT_FOUND : EXIT_DONE;
    if (settings_flag(s, SETTING_lint_fix_only))
        return fixed ? EXIT_FOUND : EXIT_DONE;
    return has_findings(l) || fixed ? EXIT_FOUND : EXIT_DONE;
}

/* When the fixed text goes to standard output, the count of findings goes to stderr. */
static void tell_counts(const struct lint *l)
{
    unsigned long long n = 0, n_would_fix = l->n_would_fix, n_fixed = l->n_fixed;
    if (settings_flag(l->s, SETTING_quiet) || settings_flag(l->s, SETTING_lint_silent))
        return;
    for (size_t i = 0; i < l->n_reports; i++)
        for (size_t k = 0; k < l->reports[i].n; k++)
            n += !l->reports[i].findings[k].is_note;
    if (!settings_flag(l->s, SETTING_lint_diff)) {
        if (n + n_fixed)
            fprintf(stderr, "Found %llu finding%s (%llu fixed, %llu remaining).\n", n + n_fixed,
                    n + n_fixed == 1 ? "" : "s", n_fixed, n);
    } else if (n) {
        fprintf(stderr, "Found %llu finding%s; %llu would be fixed.\n", n, n == 1 ? "" : "s",
                n_would_fix);
    }
}

static bool lint_all(struct lint *l, struct err *e)
{
    const struct settings *s = l->s;
    const char *write = settings_text(s, SETTING_lint_write_baseline);
    bool diff = settings_flag(s, SETTING_lint_diff);
    bool fix =
        diff || settings_flag(s, SETTING_lint_fix) || settings_flag(s, SETTING_lint_fix_only);
    if (!run_files(l, e) || (!write && !filter(s, l->reports, l->n_reports, e)))
        return false;
    if (settings_flag(s, SETTING_lint_add_ignore))
        return add_ignores(l, e);
    if ((fix && !fix_all(l, e)) || (write && !write_baseline(l, write, e)))
        return false;
    if (fix && (diff || l->is_stdin))
        tell_counts(l);
    if (diff)
        return put_output(l, strbuf_str(&l->diff), e);
    if (fix && l->is_stdin) {
        out_put(l->stdin_text);
        return true;
    }
    return print_findings(l, e);
}

static bool open_own(struct lint *l, struct err *e)
{
    const char *here;
    size_t number;
    lint_folders_init(&l->folders, l->s);
    if (!file_current_dir(l->s->arena, &here, e) || !lint_folders_at(&l->folders, here, &number, e))
        return false;
    l->own = l->folders.setups.at[number];
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct lint l = {.s = s};
    bool ok = open_own(&l, e);
    if (!ok) {
        lint_folders_done(&l.folders);
        return false;
    }
    if (settings_flag(s, SETTING_lint_show_settings)) {
        ok = show_settings(&l, e);
    } else if (settings_flag(s, SETTING_lint_show_files)) {
        ok = show_files(&l, e);
        *exit_code = l.n_missing ? EXIT_MISSING : EXIT_DONE;
    } else if (settings_text(s, SETTING_lint_dump)) {
        ok = dump(&l, e);
    } else {
        ok = lint_all(&l, e);
        *exit_code = settings_flag(s, SETTING_lint_add_ignore) ? EXIT_DONE : exit_code_of(&l);
    }
    strbuf_done(&l.diff);
    lint_folders_done(&l.folders);
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
