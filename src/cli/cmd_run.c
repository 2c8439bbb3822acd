/*
 * assay run: one model or case through engines and oracles, once: what hunt does with each case, in
 * slow motion.
 */
#include "base/file.h"
#include "base/path.h"
#include "case/disk.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "cli/model_inputs.h"
#include "judge/judge.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"
#include "os/loop.h"
#include "target/pool.h"

static bool make_case(const struct settings *s, const char *path, struct tcase **out, struct err *e)
{
    struct model *m;
    if (file_stat(path_join(s->arena, path, "case.json")).kind == FILE_REGULAR)
        return case_read(path, s->arena, out, e);
    if (str_ends(str_of(path), STR(".py")))
        return err_set(e, ERR_UNSUPPORTED,
                       "%s: programs are not run yet by this version, only models and case folders",
                       path);
    if (!model_read_file(path, s->arena, &m, e))
        return false;
    if (!check_model(m, e) || !infer_model(m, e))
        return err_wrap(e, "%s", path);
    struct tcase *c = arena_new(s->arena, struct tcase);
    c->kind = CASE_GRAPH;
    c->graph = m;
    c->n_input_sets = 1;
    c->input_sets = arena_new(s->arena, struct tensors);
    c->from.generator = "file";
    c->from.seed = (uint64_t)settings_int(s, SETTING_seed);
    if (!model_inputs_find(s, m, c->input_sets, e))
        return err_wrap(e, "%s", path);
    case_seal(c);
    *out = c;
    return true;
}

static bool chosen_targets(const struct settings *s, const struct campaign_place *place,
                           struct target_list *list, struct err *e)
{
    struct targets *all = arena_new(s->arena, struct targets);
    size_t n;
    const char *const *names = settings_list(s, SETTING_target, &n);
    if (!targets_load(place->home, s->arena, all, e))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!targets_resolve(all, names[i], s->arena, list, e))
            return false;
    return true;
}

static bool chosen_oracles(const struct settings *s, struct judge_options *o, struct err *e)
{
    size_t n;
    const char *const *names = settings_list(s, SETTING_oracle, &n);
    for (size_t i = 0; i < n; i++) {
        enum oracle oracle;
        if (!oracle_find(str_of(names[i]), &oracle)) {
            const char *known[ORACLE_COUNT];
            for (int k = 0; k < ORACLE_COUNT; k++)
                known[k] = oracle_name((enum oracle)k);
            const char *near = str_nearest(str_of(names[i]), known, ORACLE_COUNT);
            return err_set(e, ERR_USAGE, "--oracle: no oracle \"%s\"%s%s%s", names[i],
                           near ? ", did you mean \"" : "", near ? near : "", near ? "\"?" : "");
        }
        o->oracles |= oracle_bit(oracle);
    }
    return true;
}

static bool observe(const struct settings *s, const struct campaign_place *place,
                    const struct pool_request *request, struct pool_result *out, struct err *e)
{
    struct loop *loop;
    struct pool *pool;
    struct pool_options o = {.home = place->home,
                             .best_effort =
                                 strcmp(settings_text(s, SETTING_sandbox), "best-effort") == 0};
    if (!loop_open(&loop, e))
        return false;
    o.loop = loop;
    bool ok = pool_open(&o, &pool, e);
    if (ok) {
        ok = pool_run(pool, request, out, e);
        pool_close(pool);
    }
    loop_close(loop);
    return ok;
}

static void observation_line(const struct observation *o, struct strbuf *out)
{
    target_id_print(&o->target, out);
    strbuf_printf(out, "  inputs %u  %s  %.3f ms", o->input_set, outcome_name(o->outcome),
                  (double)o->usage.wall_ns / 1e6);
    if (o->message.raw.n) {
        struct str line = str_sub(o->message.raw, 0, str_find_byte(o->message.raw, '\n'));
        strbuf_printf(out, "  " STR_FMT, STR_ARG(str_sub(line, 0, 200)));
    }
    strbuf_addc(out, '\n');
}

static void verdict_line(const struct verdict *v, struct strbuf *out)
{
    strbuf_printf(out, "  %-20s ", v->oracle);
    target_id_print(&v->target, out);
    strbuf_printf(out, "  %s", decision_name(v->decision));
    if (v->decision == DECISION_FAIL || v->decision == DECISION_REFERENCE_SUSPECT ||
        v->decision == DECISION_SECOND_OPINION)
        strbuf_printf(out, "  measure %.3g threshold %.3g  " STR_FMT, v->measure, v->threshold,
                      STR_ARG(v->claim));
    strbuf_addc(out, '\n');
}

static void print_text(const struct pool_result *seen, const struct verdicts *v)
{
    struct strbuf text = {0};
    strbuf_adds(&text, "observations:\n");
    for (size_t i = 0; i < seen->n_observations; i++) {
        strbuf_adds(&text, "  ");
        observation_line(&seen->observations[i], &text);
    }
    strbuf_adds(&text, "verdicts:\n");
    for (size_t i = 0; i < v->n; i++)
        verdict_line(&v->at[i], &text);
    out_put(strbuf_str(&text));
    strbuf_done(&text);
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
    strbuf_addc(&text, '\n');
    out_put(strbuf_str(&text));
    strbuf_done(&text);
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
    struct campaign_place place;
    struct tcase *c;
    struct target_list targets = {0};
    struct judge_options judge = {0};
    struct pool_result seen;
    struct verdicts v;
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE, "one model or case folder is expected, got %zu arguments",
                       s->n_args);
    if (!campaign_find(s, &place, e) || !chosen_oracles(s, &judge, e) ||
        !make_case(s, s->args[0], &c, e) || !chosen_targets(s, &place, &targets, e))
        return false;
    struct pool_request request = {
        .c = c, .targets = targets.at, .n_targets = targets.n, .arena = s->arena, .n_repeats = 2};
    if (!observe(s, &place, &request, &seen, e))
        return false;
    struct evidence evidence = {
        .c = c, .observations = seen.observations, .n_observations = seen.n_observations};
    if (!reference_make(c, s->arena, &evidence.refs, e) ||
        !judge_case(&judge, &evidence, s->arena, &v, e))
        return err_wrap(e, "%s", s->args[0]);
    if (settings_want_json(s))
        print_json(c, &seen, &v);
    else
        print_text(&seen, &v);
    *exit_code = exit_code_of(&v);
    return true;
}

const struct command command_run = {
    .name = "run",
    .arguments = "CASE|MODEL.onnx",
    .summary = "run one model or case in the targets and judge what they did",
    .details = "Exit 1: a verdict fails; 2: none fails and none passes; 0: all is well. Inputs "
               "come from --input, from the case\n"
               "folder, or from --seed.",
    .examples = "  assay run model.onnx --target ort/off,ort/all,openvino\n  assay run "
                "build/demo/artifacts/CASE --target ort/all",
    .run = run,
};
