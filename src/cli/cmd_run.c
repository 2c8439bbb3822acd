/*
 * assay run: one model or case through engines and oracles, once: what hunt does with each case, in
 * slow motion.
 */
#include "case/disk.h"
#include "cli/case_run.h"
#include "cli/command.h"

static void observation_line(const struct observation *o, struct strbuf *out)
{
    target_id_print(&o->target, out);
    strbuf_printf(out, "  inputs %u  run %u  %s", o->input_set, o->repeat + 1,
                  outcome_name(o->outcome));
    if (o->usage.wall_ns > 0) /* a run that was stopped has no time */
        strbuf_printf(out, "  %.3f ms", (double)o->usage.wall_ns / 1e6);
    if (o->message.raw.n) {
        struct str line = str_sub(o->message.raw, 0, str_find_byte(o->message.raw, '\n'));
        strbuf_printf(out, "  " STR_FMT, STR_ARG(str_sub(line, 0, 200)));
    }
}

static void verdict_line(const struct verdict *v, struct strbuf *out)
{
    strbuf_printf(out, "  %-20s ", v->oracle);
    target_id_print(&v->target, out);
    strbuf_printf(out, "  inputs %u  %s", v->input_set, decision_name(v->decision));
    if (v->decision == DECISION_FAIL || v->decision == DECISION_REFERENCE_SUSPECT ||
        v->decision == DECISION_SECOND_OPINION)
        strbuf_printf(out, "  measure %.3g threshold %.3g  " STR_FMT, v->measure, v->threshold,
                      STR_ARG(v->claim));
}

/* Each target runs the inputs twice; a verdict that both runs share stands once, with its count. */
static void print_verdicts(const struct verdicts *v, struct arena *a)
{
    struct str *lines = arena_new_array(a, struct str, v->n);
    size_t *counts = arena_new_array(a, size_t, v->n);
    size_t n = 0;
    for (size_t i = 0; i < v->n; i++) {
        struct strbuf text = {0};
        size_t at = 0;
        verdict_line(&v->at[i], &text);
        while (at < n && !str_eq(lines[at], strbuf_str(&text)))
            at++;
        if (at == n)
            lines[n++] = strbuf_dup(&text, a);
        counts[at]++;
        strbuf_done(&text);
    }
    for (size_t i = 0; i < n; i++)
        out_line(counts[i] == 1 ? lines[i]
                                : str_of(arena_printf(a, STR_FMT "  (%zu times)", STR_ARG(lines[i]),
                                                      counts[i])));
}

static void print_text(const struct pool_result *seen, const struct verdicts *v, struct arena *a)
{
    out_putf("observations:\n");
    for (size_t i = 0; i < seen->n_observations; i++) {
        struct strbuf line = {0};
        strbuf_adds(&line, "  ");
        observation_line(&seen->observations[i], &line);
        out_line(strbuf_str(&line));
        strbuf_done(&line);
    }
    out_putf("verdicts:\n");
    print_verdicts(v, a);
}

static void print_json(const struct tcase *c, const struct pool_result *seen,
                       const struct verdicts *v)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    char hex[HASH_HEX_SIZE];
    hash_to_hex(&c->id, hex);
    json_begin_object(&w);
    json_pair_cstr(&w, "case", hex);
    json_key(&w, "observations");
    json_begin_array(&w);
    for (size_t i = 0; i < seen->n_observations; i++) {
        const struct observation *o = &seen->observations[i];
        struct strbuf target = {0};
        target_id_print(&o->target, &target);
        json_begin_object(&w);
        json_pair_str(&w, "target", strbuf_str(&target));
        json_pair_u64(&w, "input_set", o->input_set);
        json_pair_u64(&w, "repeat", o->repeat);
        json_pair_cstr(&w, "outcome", outcome_name(o->outcome));
        json_pair_i64(&w, "wall_ns", o->usage.wall_ns);
        json_pair_str(&w, "message", o->message.raw);
        json_end_object(&w);
        strbuf_done(&target);
    }
    json_end_array(&w);
    json_key(&w, "verdicts");
    json_begin_array(&w);
    for (size_t i = 0; i < v->n; i++)
        verdict_to_json(&v->at[i], &w);
    json_end_array(&w);
    json_end_object(&w);
    out_json(&text);
}

/* 1: a verdict fails; 2: none fails and none passes. */
static int exit_code_of(const struct verdicts *v)
{
    bool passes = false;
    for (size_t i = 0; i < v->n; i++) {
        if (v->at[i].decision == DECISION_FAIL)
            return EXIT_FOUND;
        passes |= v->at[i].decision == DECISION_PASS;
    }
    return passes ? EXIT_DONE : EXIT_INCONCLUSIVE;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct case_run r;
    struct case_seen seen;
    struct tcase *c;
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE, "one model or case folder is expected, got %zu arguments",
                       s->n_args);
    const char *save = settings_text(s, SETTING_save);
    if (!case_run_load(s, s->args[0], &c, e) || (save && !case_write(save, c, e)) ||
        !case_run_open(&r, s, e))
        return false;
    bool ok = case_run_judge(&r, c, s->arena, &seen, e);
    case_run_close(&r);
    if (!ok)
        return err_wrap(e, "%s", s->args[0]);
    if (settings_want_json(s))
        print_json(c, &seen.observations, &seen.verdicts);
    else
        print_text(&seen.observations, &seen.verdicts, s->arena);
    *exit_code = exit_code_of(&seen.verdicts);
    return true;
}

const struct command command_run = {
    .name = "run",
    .arguments = "CASE|MODEL.onnx|PROGRAM.py",
    .summary = "run one model, program or case in the targets and judge what they did",
    .details =
        "Exit 1: a verdict fails; 2: none fails and none passes; 0: all is well. Inputs "
        "come from --input, from the case\n"
        "folder, or from --seed. Each target runs them twice: a difference between the two is a "
        "finding of its own. --save makes\n"
        "a case folder of a model and its inputs, for reduce.",
    .examples = "  assay run model.onnx --target ort/off,ort/all,openvino\n  assay run "
                "build/demo/artifacts/CASE --target ort/all",
    .run = run,
};
