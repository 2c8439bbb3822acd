/*
 * assay run: one model or case through engines and oracles, once, as hunt does with each case, with
 * all results shown.
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
static void advise(const struct settings *s)
{
    struct strbuf line = {0};
    size_t n;
    const char *const *names = settings_list(s, SETTING_target, &n);
    strbuf_printf(&line, "  assay reduce %s --target ", s->args[0]);
    for (size_t i = 0; i < n; i++)
        strbuf_printf(&line, "%s%s", i ? "," : "", names[i]);
    strbuf_adds(&line, "   makes it small and proves it");
    out_line(strbuf_str(&line));
    strbuf_done(&line);
}

/* Runs the case twice in each target, and its parent once if an oracle needs it; looks for the
 * first bad node. */
static bool judge(const struct settings *s, struct runner *r, const struct tcase *c, int *exit_code,
                  struct err *e)
{
    struct judged seen;
    r->n_repeats = 2;
    out_status(s, "running in %zu targets", r->targets.n);
    bool ok = runner_run(r, runner_plan(r, POOL_ANY), c, RUNNER_REDUCED, s->arena, &seen, e);
    out_status(s, "%s", "");
    if (!ok)
        return false;
    *exit_code = exit_code_of(&seen.verdicts);
    if (settings_want_json(s)) {
        run_print_json(&seen);
        return true;
    }
    run_print_summary(&seen);
    if (*exit_code == EXIT_FOUND && !case_run_is_own_program(s))
        advise(s);
    if (!case_program(c) || settings_flag(s, SETTING_verbose))
        run_print_rows(&seen, s->arena);
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct runner r;
    struct tcase *c;
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE, "one model or case folder is expected, got %zu arguments",
                       s->n_args);
    const char *save = settings_text(s, SETTING_save);
    if (!case_run_load(s, s->args[0], &c, e) || (save && !case_write(save, c, e)) ||
        !open_runner(s, &r, e))
        return err_wrap(e, "%s", s->args[0]);
    bool ok = judge(s, &r, c, exit_code, e);
    runner_close(&r);
    return ok || err_wrap(e, "%s", s->args[0]);
}

const struct command command_run = {
    .name = "run",
    .arguments = "CASE|MODEL.onnx|PROGRAM.py",
    .summary = "run one model, program or case in the targets and judge what they did",
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
        "and its inputs.",
    .examples = "  assay run model.onnx --target ort/off,ort/all,openvino\n  assay run "
                "build/demo/artifacts/CASE --target ort/all",
    .run = run,
};
