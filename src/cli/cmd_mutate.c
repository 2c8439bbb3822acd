/* assay mutate: only generates mutants, for other tools. Each is a case folder, whose case.json
 * says what made it. */
#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "case/disk.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "cli/llm_settings.h"
#include "generate/generate.h"

/* A seed model that is left out is reported; the others are mutated. */
static void say_skipped(void *ctx, const char *model, const struct err *why)
{
    (void)ctx;
    log_warn("%s is left out: %s", model, why->text);
}

static struct generate_options options_of(const struct settings *s)
{
    struct generate_options o = {.seed = (uint64_t)settings_int(s, SETTING_seed),
                                 .strategy = settings_text(s, SETTING_strategy),
                                 .seed_models = s->args,
                                 .n_seed_models = s->n_args,
                                 .on_skip = say_skipped};
    o.operators = settings_list(s, SETTING_operator, &o.n_operators);
    return o;
}

/* "N7 pool-family, N21 attribute-corner": the operators in the lines of the case's edits, without
 * the line that names the seed. */
static void print_mutant(const char *folder, struct str edits)
{
    struct strbuf line = {0};
    struct str one, id, name;
    const char *gap = "  ";
    strbuf_adds(&line, folder);
    while (str_split(&edits, '\n', &one)) {
        if (!one.n || str_starts(one, STR("seed=")) || !str_split(&one, ' ', &id))
            continue;
        if (!str_split(&one, ' ', &name))
            name = STR("");
        strbuf_printf(&line, "%s" STR_FMT " " STR_FMT, gap, STR_ARG(id), STR_ARG(name));
        gap = ", ";
    }
    out_line(strbuf_str(&line));
    strbuf_done(&line);
}

/* A folder of an earlier run is never overwritten. That is no error when it holds the same case. */
static bool write_case(const char *folder, const struct tcase *c, struct arena *a, struct err *e)
{
    struct tcase *there;
    struct err unread = {0};
    if (file_stat(folder).kind == FILE_MISSING)
        return case_write(folder, c, e);
    if (case_read(folder, a, &there, &unread) && hash_eq(&there->id, &c->id))
        return true;
    return err_set(e, ERR_USAGE,
                   "%s: something else is there already; choose another --out, or remove it",
                   folder);
}

/* Asks for the reply that the generator wants for this index, so that the cassettes have it.
 * Failures are reported once; the mutants are then made without. */
static void ask(struct llm *llm, struct llm_stage *stage, const struct generator *g, uint64_t index,
                struct arena *a)
{
    struct llm_request request;
    struct llm_reply reply;
    struct err why;
    if (!llm || stage->is_over || !g->ops->wants || !g->ops->wants(g, index, a, &request))
        return;
    bool was_over = stage->is_over, ok = llm_ask(llm, &request, a, &reply, &why);
    llm_stage_take(stage, ok ? NULL : &why);
    if (!ok && (stage->n_failed == 1 || (stage->is_over && !was_over)))
        log_warn("%s; %s", why.text,
                 stage->is_over ? "mutants are made without a language model from here on"
                                : "this mutant is made without it");
}

static bool write_mutants(const struct settings *s, struct generator *g, struct llm *llm,
                          const char *dir, struct err *e)
{
    struct llm_stage stage = {0};
    uint64_t n = (uint64_t)settings_int(s, SETTING_count);
    struct arena a;
    bool ok = true;
    arena_init(&a);
    for (uint64_t i = 0; ok && i < n; i++) {
        struct tcase *c;
        arena_reset(&a);
        ask(llm, &stage, g, i, &a);
        ok = g->ops->next(g, i, &a, &c, e);
        if (!ok || !c)
            continue;
        const char *folder = path_join(&a, dir, arena_printf(&a, "%06llu", (unsigned long long)i));
        ok = write_case(folder, c, &a, e);
        if (ok && !settings_flag(s, SETTING_quiet) && !settings_want_json(s))
            print_mutant(folder, c->from.edits);
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
        out_json(&text);
        return;
    }
    out_putf(n->n_emitted == 1 ? "%llu mutant; %llu edits, %llu discarded by the validity filter, "
                                 "of them %llu without effect\n"
                               : "%llu mutants; %llu edits, %llu discarded by the validity filter, "
                                 "of them %llu without "
                                 "effect\n",
             (unsigned long long)n->n_emitted, (unsigned long long)n->n_edits,
             (unsigned long long)discarded, (unsigned long long)n->n_discarded_noop);
}

/* Says why there is no mutant at all. */
static void say_why_none(const struct settings *s, const struct generate_counts *n)
{
    if (n->n_edits == 0)
        log_warn("no mutant: %s applies anywhere in the models",
                 settings_given(s, SETTING_operator) ? "none of --operator" : "no operator");
    else
        log_warn(
            "no mutant: the validity filter discarded each of %llu edits; another --seed or more "
            "attempts (-n) may help",
            (unsigned long long)n->n_edits);
}

static bool write_all(const struct settings *s, struct generator *g, struct llm *llm,
                      int *exit_code, struct err *e)
{
    struct generate_counts counts = {0};
    bool ok = write_mutants(s, g, llm, settings_text(s, SETTING_write_to), e);
    g->ops->counts(g, &counts);
    if (!ok)
        return false;
    print_counts(s, &counts);
    if (counts.n_emitted == 0) {
        say_why_none(s, &counts);
        *exit_code = EXIT_INCONCLUSIVE;
    }
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct generator *g;
    const struct generator_ops *ops;
    struct campaign_place place;
    struct llm *llm = NULL;
    size_t n_names;
    const char *const *names = settings_list(s, SETTING_generator, &n_names);
    struct generate_options o = options_of(s);
    const char *dir = settings_text(s, SETTING_write_to);
    if (s->n_args == 0 && strcmp(names[0], "mutate") == 0)
        return err_set(e, ERR_USAGE,
                       "a seed model is expected: an .onnx file or the name of a zoo model");
    if (!dir)
        return err_set(e, ERR_USAGE, "--out DIR is expected: where the mutants are written");
    if (!campaign_find(s, &place, e) || !file_make_dirs(dir, e) ||
        !generator_choose(names[0], &ops, e))
        return false;
    const struct llm_options model = llm_settings(s, place.home);
    o.llm = model.url ? &model : NULL;
    if ((o.llm && !llm_open(&model, &llm, e)) || !ops->open(&o, &g, e)) {
        llm_close(llm);
        return false;
    }
    bool ok = write_all(s, g, llm, exit_code, e);
    g->ops->close(g);
    llm_close(llm);
    return ok;
}

const struct command command_mutate = {
    .name = "mutate",
    .arguments = "MODEL...",
    .summary = "only generate mutants of models, as case folders, for other tools",
    .details =
        "MODEL is an .onnx file or the name of a zoo model (lenet5, convnet13, ...). Same "
        "seed, same bytes. Each line\n"
        "names the folder and the mutation operators that were applied. Exit 2 when there is "
        "no mutant.",
    .examples = "  assay mutate model.onnx -n 100 --out mutants\n  assay mutate lenet5 --operator "
                "N7,N21 --seed 3 --out mutants",
    .run = run,
};
