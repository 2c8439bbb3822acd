/* assay mutate: only generates mutants, for other tools. Each is a case folder; what made it stands
 * in case.json. */
#include "base/file.h"
#include "base/path.h"
#include "case/disk.h"
#include "cli/command.h"
#include "generate/generate.h"

static struct generate_options options_of(const struct settings *s)
{
    struct generate_options o = {.seed = (uint64_t)settings_int(s, SETTING_seed),
                                 .strategy = settings_text(s, SETTING_strategy),
                                 .seed_models = s->args,
                                 .n_seed_models = s->n_args};
    o.operators = settings_list(s, SETTING_operator, &o.n_operators);
    return o;
}

static bool write_mutants(const struct settings *s, struct generator *g, const char *dir,
                          struct err *e)
{
    uint64_t n = (uint64_t)settings_int(s, SETTING_count);
    struct arena a;
    bool ok = true;
    arena_init(&a);
    for (uint64_t i = 0; ok && i < n; i++) {
        struct tcase *c;
        arena_reset(&a);
        ok = g->ops->next(g, i, &a, &c, e);
        if (!ok || !c)
            continue;
        const char *folder = path_join(&a, dir, arena_printf(&a, "%06llu", (unsigned long long)i));
        ok = case_write(folder, c, e);
        if (ok && !settings_flag(s, SETTING_quiet) && !settings_want_json(s))
            out_putf("%s  " STR_FMT "\n", folder,
                     STR_ARG(str_sub(c->from.edits, 0, str_find_byte(c->from.edits, '\n'))));
    }
    arena_done(&a);
    return ok;
}

static void print_counts(const struct settings *s, const struct generate_counts *n)
{
    uint64_t discarded = n->n_discarded_check + n->n_discarded_infer + n->n_discarded_budget +
                         n->n_discarded_range + n->n_discarded_noop;
    if (settings_want_json(s)) {
        struct strbuf text = {0};
        struct json_out w = json_open(&text, JSON_PRETTY);
        json_begin_object(&w);
        json_pair_u64(&w, "emitted", n->n_emitted);
        json_pair_u64(&w, "edits", n->n_edits);
        json_pair_u64(&w, "discarded_check", n->n_discarded_check);
        json_pair_u64(&w, "discarded_infer", n->n_discarded_infer);
        json_pair_u64(&w, "discarded_budget", n->n_discarded_budget);
        json_pair_u64(&w, "discarded_range", n->n_discarded_range);
        json_pair_u64(&w, "discarded_noop", n->n_discarded_noop);
        json_pair_u64(&w, "gave_up", n->n_gave_up);
        json_end_object(&w);
        strbuf_addc(&text, '\n');
        out_put(strbuf_str(&text));
        strbuf_done(&text);
        return;
    }
    out_putf(
        "%llu mutants; %llu edits, %llu discarded by the guards, of them %llu without effect\n",
        (unsigned long long)n->n_emitted, (unsigned long long)n->n_edits,
        (unsigned long long)discarded, (unsigned long long)n->n_discarded_noop);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct generator *g;
    struct generate_options o = options_of(s);
    struct generate_counts counts = {0};
    const char *dir = settings_text(s, SETTING_out);
    (void)exit_code;
    if (s->n_args == 0)
        return err_set(e, ERR_USAGE,
                       "a seed model is expected: an .onnx file or the name of a zoo model");
    if (!dir)
        return err_set(e, ERR_USAGE, "--out DIR is expected: where the mutants are written");
    if (!file_make_dirs(dir, e) || !generator_find(STR("mutate"))->open(&o, &g, e))
        return false;
    bool ok = write_mutants(s, g, dir, e);
    g->ops->counts(g, &counts);
    g->ops->close(g);
    if (ok)
        print_counts(s, &counts);
    return ok;
}

const struct command command_mutate = {
    .name = "mutate",
    .arguments = "MODEL...",
    .summary = "only generate mutants of models, as case folders, for other tools",
    .details = "MODEL is an .onnx file or the name of a zoo model (lenet5, convnet13, ...). Same "
               "seed, same bytes.",
    .examples = "  assay mutate model.onnx -n 100 --out mutants\n  assay mutate lenet5 --operator "
                "N7,N21 --seed 3 --out mutants",
    .run = run,
};
