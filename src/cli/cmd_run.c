/*
 * assay run: models, programs or cases through engines and oracles, once, as hunt does with each
 * case, with all results shown. All of them share the engines' workers.
 */
#include "case/disk.h"
#include "case/subject.h"
#include "cli/campaign.h"
#include "cli/case_run.h"
#include "cli/command.h"
#include "cli/run_text.h"

/* 1: a verdict fails; 2: none fails and none passes, or one needs a second opinion. */
static int exit_code_of(const struct verdicts *v)
{
    bool passes = false, in_doubt = false;
    for (size_t i = 0; i < v->n; i++) {
        if (v->at[i].decision == DECISION_FAIL)
            return EXIT_FOUND;
        passes |= v->at[i].decision == DECISION_PASS;
        in_doubt |= v->at[i].decision == DECISION_SECOND_OPINION;
    }
    return passes && !in_doubt ? EXIT_DONE : EXIT_INCONCLUSIVE;
}

static bool open_runner(const struct settings *s, struct runner *r, struct err *e)
{
    struct campaign_place place;
    struct runner_options o = {.best_effort =
                                   strcmp(settings_text(s, SETTING_sandbox), "best-effort") == 0,
                               .unhurried = true,
                               .as_user = case_run_is_own_program(s),
                               .is_mute = settings_want_json(s)};
    o.targets.at = settings_list(s, SETTING_target, &o.targets.n);
    o.oracles.at = settings_list(s, SETTING_oracle, &o.oracles.n);
    uint32_t known;
    if (!case_run_oracles(s, &known, e) || !campaign_find(s, &place, e))
        return false;
    o.home = place.home;
    return runner_open(&o, r, e);
}

/* Prints the command to use after a failure. */
static void advise(const struct settings *s, const char *path)
{
    struct strbuf line = {0};
    size_t n;
    const char *const *names = settings_list(s, SETTING_target, &n);
    strbuf_printf(&line, "  assay reduce %s --target ", path);
    for (size_t i = 0; i < n; i++)
        strbuf_printf(&line, "%s%s", i ? "," : "", names[i]);
    strbuf_adds(&line, "   makes it small and proves it");
    out_line(strbuf_str(&line));
    strbuf_done(&line);
}

/* Runs the case twice in each target, and its parent once if an oracle needs it; looks for the
 * first bad node. */
static bool judge(const struct settings *s, struct runner *r, const char *path,
                  const struct tcase *c, int *exit_code, struct err *e)
{
    struct judged seen;
    r->n_repeats = 2;
    out_status(s, "running in %zu targets", r->targets.n);
    bool ok = runner_run(r, runner_plan(r, POOL_ANY), c, RUNNER_REDUCED, s->arena, &seen, e);
    out_status(s, "%s", "");
    if (!ok)
        return err_wrap(e, "%s", path);
    *exit_code = exit_code_of(&seen.verdicts);
    if (settings_want_json(s)) {
        run_print_json(path, &seen);
        return true;
    }
    run_print_summary(&seen);
    if (*exit_code == EXIT_FOUND && !case_run_is_own_program(s))
        advise(s, path);
    if (!case_program(c) || settings_flag(s, SETTING_verbose))
        run_print_rows(&seen, s->arena);
    return true;
}

/* What all cases together give: one that fails counts more than one that is inconclusive. */
static int worse(int a, int b)
{
    return a == EXIT_FOUND || b == EXIT_FOUND ? EXIT_FOUND : MAX(a, b);
}

static void print_list(const struct settings *s, const int *exit_codes)
{
    out_putf("cases:\n");
    for (size_t i = 0; i < s->n_args; i++)
        out_putf("  %-12s  %s\n",
                 exit_codes[i] == EXIT_FOUND  ? "fails"
                 : exit_codes[i] == EXIT_DONE ? "agrees"
                                              : "inconclusive",
                 s->args[i]);
}

static bool judge_all(const struct settings *s, struct runner *r, struct tcase **cases,
                      int *exit_code, struct err *e)
{
    bool lists = s->n_args > 1 && !settings_want_json(s);
    int *exit_codes = arena_new_array(s->arena, int, s->n_args);
    *exit_code = EXIT_DONE;
    for (size_t i = 0; i < s->n_args; i++) {
        if (lists) {
            out_putf("== %s\n", s->args[i]);
            out_flush(); /* what a program prints itself follows */
        }
        if (!judge(s, r, s->args[i], cases[i], &exit_codes[i], e))
            return false;
        *exit_code = worse(*exit_code, exit_codes[i]);
    }
    if (lists)
        print_list(s, exit_codes);
    return true;
}

static bool check_arguments(const struct settings *s, struct err *e)
{
    if (!s->n_args)
        return err_set(e, ERR_USAGE, "a model, a program or a case folder is expected");
    if (s->n_args > 1 && (settings_given(s, SETTING_input) || settings_given(s, SETTING_save)))
        return err_set(e, ERR_USAGE, "--input and --save go with one model, got %zu arguments",
                       s->n_args);
    return case_run_are_of_one_kind(s, e);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct runner r;
    if (!check_arguments(s, e))
        return false;
    const char *save = settings_text(s, SETTING_save);
    struct tcase **cases = arena_new_array(s->arena, struct tcase *, s->n_args);
    for (size_t i = 0; i < s->n_args; i++)
        if (!case_run_load(s, s->args[i], &cases[i], e) || (save && !case_write(save, cases[i], e)))
            return false;
    if (!open_runner(s, &r, e))
        return false;
    bool ok = judge_all(s, &r, cases, exit_code, e);
    runner_close(&r);
    return ok;
}

const struct command command_run = {
    .name = "run",
    .arguments = "CASE|MODEL.onnx|PROGRAM.py...",
    .summary = "run models, programs or cases in the targets and judge what they did",
    .details =
        "A summary comes first: the sizes of the inputs, and for each target whether it agrees, "
        "the "
        "first bad node, the largest error;\n"
        "then every observation and verdict (of a program with --verbose). What the reference "
        "cannot judge (operators of other "
        "domains) is compared between\n"
        "the modes of an engine and between engines. Exit 1: a verdict fails; 2: none fails and "
        "none passes, or one needs a second\n"
        "opinion; 0: all is well. Inputs come from --input, from the case folder, or from --seed. "
        "Each target runs them twice: a\n"
        "difference between the two is a finding of its own. --save makes a case folder of a model "
        "and its inputs.\n"
        "Several cases share the engines' processes, which start once; a list of them comes last. "
        "With --json one object follows\n"
        "another. Exit 1 if one of them fails, else 2 if one is inconclusive.",
    .examples = "  assay run model.onnx --target ort/off,ort/all,openvino\n  assay run "
                "build/demo/artifacts/CASE --target ort/all\n  assay run examples/*.py --target "
                "torch",
    .run = run,
};
