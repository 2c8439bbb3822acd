/* assay conform: folders in the layout of the ONNX standard's node tests, against the reference or
 * an engine. */
#include <stdio.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "onnx/conform.h"
#include "onnx/infer.h"
#include "onnx/op.h"
#include "os/loop.h"
#include "target/pool.h"

/* The engine under test, when --target names one. */
struct engine {
    struct loop *loop;
    struct pool *pool;
    struct target_list targets;
};

static bool engine_open(const struct settings *s, struct engine *out, struct err *e)
{
    struct campaign_place place;
    struct targets *all = arena_new(s->arena, struct targets);
    size_t n;
    const char *const *names = settings_list(s, SETTING_target, &n);
    if (!campaign_find(s, &place, e) || !targets_load(place.home, s->arena, all, e))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!targets_resolve(all, names[i], s->arena, &out->targets, e))
            return false;
    struct pool_options o = {.home = place.home};
    if (!loop_open(&out->loop, e))
        return false;
    o.loop = out->loop;
    return pool_open(&o, &out->pool, e);
}

static void engine_close(struct engine *engine)
{
    pool_close(engine->pool);
    loop_close(engine->loop);
}

/* Compares the outputs of one observation with what the data set expects. */
static bool outputs_agree(const struct conform_case *c, const struct observation *o, struct err *e)
{
    const struct conform_set *set = &c->sets[o->input_set];
    for (size_t i = 0; i < set->outputs.n; i++) {
        const struct named_tensor *expected = &set->outputs.at[i];
        const struct tensor *got = tensors_find(&o->outputs, expected->name);
        if (!got)
            return err_set(e, ERR_DATA, "output " STR_FMT " is missing", STR_ARG(expected->name));
        if (!conform_compare(c, got, &expected->tensor, NULL, e))
            return err_wrap(e, "output " STR_FMT, STR_ARG(expected->name));
    }
    return true;
}

static void judge_observations(const struct conform_case *c, const struct pool_result *seen,
                               struct conform_result *out)
{
    struct err e;
    for (size_t i = 0; i < seen->n_observations && out->outcome != CONFORM_FAILED; i++) {
        const struct observation *o = &seen->observations[i];
        struct strbuf target = {0};
        target_id_print(&o->target, &target);
        if (o->outcome == OUTCOME_UNSUPPORTED) {
            out->outcome = CONFORM_UNSUPPORTED;
            snprintf(out->reason, sizeof out->reason, "%s: " STR_FMT, target.at,
                     STR_ARG(str_sub(o->message.raw, 0, 200)));
        } else if (o->outcome != OUTCOME_OK) {
            out->outcome = CONFORM_FAILED;
            snprintf(out->reason, sizeof out->reason, "%s: %s: " STR_FMT, target.at,
                     outcome_name(o->outcome), STR_ARG(str_sub(o->message.raw, 0, 200)));
        } else if (!outputs_agree(c, o, &e)) {
            out->outcome = CONFORM_FAILED;
            snprintf(out->reason, sizeof out->reason, "%s: %s", target.at, e.text);
        }
        strbuf_done(&target);
    }
}

static struct conform_result refuse(enum conform_outcome outcome, const char *reason)
{
    struct conform_result r = {.outcome = outcome};
    snprintf(r.reason, sizeof r.reason, "%s", reason);
    return r;
}

/* Parameters of operators (shapes, axes, scales) that a node test gives as inputs become constants,
 * as models have them: some frameworks take nothing else. */
static void fix_parameters(struct conform_case *c)
{
    struct graph *g = c->model->graph;
    for (size_t i = 0; i < g->nodes.n; i++) {
        const struct node *n = &g->nodes.at[i];
        for (uint32_t k = 0; n->op && k < n->n_inputs && k < 32; k++) {
            struct graph_value *v = n->inputs[k] == VALUE_NONE ? NULL : &g->values.at[n->inputs[k]];
            if (!v || v->origin != ORIGIN_INPUT || v->initializer ||
                !(n->op->parameter_inputs & 1u << k))
                continue;
            v->initializer = tensors_find(&c->sets[0].inputs, v->name);
        }
    }
}

static struct conform_result run_on_engine(const struct engine *engine, const char *dir)
{
    struct arena a;
    struct err e;
    struct conform_case c;
    struct conform_result result = {.outcome = CONFORM_PASSED};
    struct strbuf why = {0};
    arena_init(&a);
    if (!conform_read_case(dir, &a, &c, &e)) {
        result = refuse(e.code == ERR_UNSUPPORTED ? CONFORM_UNSUPPORTED : CONFORM_FAILED, e.text);
    } else {
        struct tensors *sets = arena_new_array(&a, struct tensors, c.n_sets);
        if (c.n_sets == 1 && engine->targets.at[0]->installation->description->emit.n)
            fix_parameters(&c);
        struct err unknown; /* dtypes and shapes help an emitted program; they need not be known */
        (void)infer_model(c.model, &unknown);
        for (size_t i = 0; i < c.n_sets; i++)
            sets[i] = c.sets[i].inputs;
        const struct pool_request request = {
            .c = case_of_graph(c.model, sets, c.n_sets, (struct provenance){.generator = "conform"},
                               &a),
            .targets = engine->targets.at,
            .n_targets = engine->targets.n,
            .arena = &a};
        struct pool_result seen;
        if (!target_accepts(engine->targets.at[0], request.c, &why))
            result = refuse(CONFORM_UNSUPPORTED, why.at);
        else if (pool_run(engine->pool, &request, &seen, &e))
            judge_observations(&c, &seen, &result);
        else
            result = refuse(CONFORM_FAILED, e.text);
    }
    strbuf_done(&why);
    arena_done(&a);
    return result;
}

struct tally {
    const struct settings *s;
    struct engine *engine; /* NULL: the reference */
    size_t n[3];           /* by outcome */
    struct json_out *json; /* NULL: text */
};

/* Each case gets one line, so only the first line of an engine's message is printed. */
static void print_line(const char *name, const struct conform_result *r)
{
    struct strbuf line = {0};
    struct str reason = str_of(r->reason);
    strbuf_printf(&line, "%-12s %s", conform_outcome_name(r->outcome), name);
    if (reason.n)
        strbuf_printf(&line, ": " STR_FMT,
                      STR_ARG(str_sub(reason, 0, str_find_byte(reason, '\n'))));
    out_line(strbuf_str(&line));
    strbuf_done(&line);
}

static void tell(struct tally *t, const char *name, const struct conform_result *r)
{
    t->n[r->outcome]++;
    if (t->json) {
        json_begin_object(t->json);
        json_pair_cstr(t->json, "case", name);
        json_pair_cstr(t->json, "outcome", conform_outcome_name(r->outcome));
        json_pair_cstr(t->json, "reason", r->reason);
        json_end_object(t->json);
    } else if (r->outcome != CONFORM_PASSED || !settings_flag(t->s, SETTING_conform_failures)) {
        print_line(name, r);
    }
}

/* A folder with a model is a case; one without is searched, one level deep. */
static bool run_folder(struct tally *t, const char *dir, struct err *e)
{
    struct arena *a = t->s->arena;
    struct file_list list = {0};
    if (file_stat(path_join(a, dir, "model.onnx")).kind == FILE_REGULAR) {
        struct conform_result r = t->engine ? run_on_engine(t->engine, dir) : conform_run_case(dir);
        tell(t, dir, &r);
        return true;
    }
    if (file_stat(dir).kind == FILE_REGULAR)
        return err_set(e, ERR_DATA,
                       "%s: a file; a folder with model.onnx and test_data_set_0 is expected (for "
                       "one model: assay run)",
                       dir);
    if (!file_list_dir(dir, a, &list, e))
        return false;
    for (size_t i = 0; i < list.n; i++) {
        const char *inner = path_join(a, dir, list.names[i]);
        if (file_stat(path_join(a, inner, "model.onnx")).kind != FILE_REGULAR)
            continue;
        struct conform_result r =
            t->engine ? run_on_engine(t->engine, inner) : conform_run_case(inner);
        tell(t, list.names[i], &r);
    }
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    struct engine engine = {0};
    struct tally t = {.s = s, .json = settings_want_json(s) ? &w : NULL};
    bool ok = true;
    if (s->n_args == 0)
        return err_set(
            e, ERR_USAGE,
            "a folder of cases is expected; tools/export-node-tests writes the standard's own");
    if (settings_given(s, SETTING_target)) {
        if (!engine_open(s, &engine, e))
            return false;
        t.engine = &engine;
    }
    if (t.json)
        json_begin_array(&w);
    for (size_t i = 0; ok && i < s->n_args; i++)
        ok = run_folder(&t, s->args[i], e);
    if (t.engine)
        engine_close(&engine);
    if (ok && t.n[0] + t.n[1] + t.n[2] == 0)
        ok = err_set(e, ERR_DATA,
                     "%s: no case there: folders with model.onnx and test_data_set_0 are expected",
                     s->args[0]);
    if (t.json)
        json_end_array(&w);
    if (ok && t.json)
        out_json(&text);
    else if (ok)
        out_putf("%zu passed, %zu failed, %zu unsupported\n", t.n[CONFORM_PASSED],
                 t.n[CONFORM_FAILED], t.n[CONFORM_UNSUPPORTED]);
    strbuf_done(&text);
    *exit_code = t.n[CONFORM_FAILED]   ? EXIT_FOUND
                 : t.n[CONFORM_PASSED] ? EXIT_DONE
                                       : EXIT_INCONCLUSIVE;
    return ok;
}

const struct command command_conform = {
    .name = "conform",
    .arguments = "DIR...",
    .summary = "run folders in the ONNX node-test layout against the reference or a target",
    .details = "DIR is a case (model.onnx, test_data_set_N/input_I.pb, output_I.pb) or a folder of "
               "cases. One line each, and a\n"
               "total. Tolerance: rtol 1e-3, atol 1e-7; exact except for floats. Exit 1 when a "
               "case fails.",
    .examples =
        "  assay conform node-tests --failures\n  assay conform node-tests --target ort/off",
    .run = run,
};
