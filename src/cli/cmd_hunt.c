/* assay hunt: makes a campaign of settings, shows it on the screen, and turns its end into an exit
 * code. */
#include "base/compiler.h"
#include "base/vec.h"
#include "cli/campaign.h"
#include "cli/case_run.h"
#include "cli/command.h"
#include "cli/llm_settings.h"
#include "cli/screen.h"
#include "cli/version.h"
#include "generate/generate.h"
#include "hunt/hunt.h"
#include "hunt/options.h"
#include "os/signal.h"

static struct hunt_names names_of(const struct settings *s, enum setting_id id)
{
    struct hunt_names names;
    names.at = settings_list(s, id, &names.n);
    return names;
}

/* The settings given by flags, without those of files and the environment. */
static unsigned asked_of(const struct settings *s)
{
    static const struct {
        enum setting_id id;
        enum hunt_asked asked;
    } rows[] = {{SETTING_seed, HUNT_ASKED_SEED},
                {SETTING_strategy, HUNT_ASKED_STRATEGY},
                {SETTING_generator, HUNT_ASKED_GENERATORS},
                {SETTING_model, HUNT_ASKED_MODELS},
                {SETTING_operator, HUNT_ASKED_OPERATORS},
                {SETTING_oracle, HUNT_ASKED_ORACLES},
                {SETTING_target, HUNT_ASKED_TARGETS},
                {SETTING_translate_to, HUNT_ASKED_TO}};
    unsigned asked = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (s->values[rows[i].id].origin == SETTING_ORIGIN_FLAG)
            asked |= rows[i].asked;
    return asked;
}

/* "500M", "20G". */
static bool parse_size(const char *text, uint64_t *out, struct err *e)
{
    static const struct {
        char letter;
        int shift;
    } units[] = {{'K', 10}, {'M', 20}, {'G', 30}, {'T', 40}};
    struct str s = str_of(text ? text : "");
    uint64_t n = 0;
    *out = 0;
    if (s.n == 0)
        return true;
    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (s.at[s.n - 1] == units[i].letter && str_to_u64(str_sub(s, 0, s.n - 1), &n) && n > 0 &&
            n < UINT64_C(1) << 20) {
            *out = n << units[i].shift;
            return true;
        }
    return err_set(e, ERR_USAGE,
                   "--max-disk: a number with K, M, G or T is expected, as 500M or 20G, got \"%s\"",
                   text);
}

static struct hunt_options options_of(const struct settings *s, const struct campaign_place *place,
                                      const struct known_list *known)
{
    bool by_cases = settings_given(s, SETTING_cases);
    return (struct hunt_options){
        .out = place->out,
        .store = settings_text(s, SETTING_store),
        .home = place->home,
        .version = ASSAY_VERSION,
        .generators = names_of(s, SETTING_generator),
        .strategy = settings_text(s, SETTING_strategy),
        .translate_to = settings_text(s, SETTING_translate_to),
        .models = names_of(s, SETTING_model),
        .operators = names_of(s, SETTING_operator),
        .oracles = names_of(s, SETTING_oracle),
        .targets = names_of(s, SETTING_target),
        .seed = (uint64_t)settings_int(s, SETTING_seed),
        .n_cases = by_cases ? (uint64_t)settings_int(s, SETTING_cases) : 0,
        .seconds =
            by_cases && !settings_given(s, SETTING_seconds) ? 0 : settings_int(s, SETTING_seconds),
        .n_pilots = (uint32_t)settings_int(s, SETTING_pilots),
        .resume = settings_flag(s, SETTING_resume),
        .known = known,
        .asked = asked_of(s),
        .best_effort = strcmp(settings_text(s, SETTING_sandbox), "best-effort") == 0,
    };
}

/* A new confirmed bug at or above --fail-on: severities are "S0" (gravest) to "S4". */
static bool fails(const struct settings *s, const struct hunt_end *end)
{
    const char *limit = settings_text(s, SETTING_fail_on);
    if (strcmp(limit, "never") == 0)
        return false;
    for (size_t i = 0; i < end->bugs.n; i++) {
        const struct store_bug *b = &end->bugs.at[i];
        if (b->severity.n && str_cmp(b->severity, str_of(limit)) <= 0 && store_bug_counts(b))
            return true;
    }
    return false;
}

/* What the listener needs: the screen, where bugs are stored, and which of them are known. */
struct view {
    struct screen screen;
    struct hunt_listener of_screen;
    struct campaign_place place;
    struct known_list known;
};

static void on_bug(void *ctx, const struct store_bug *bug, const char *folder, bool is_new)
{
    struct view *v = ctx;
    struct store_bug shown = *bug;
    known_mark(&v->known, &(struct store_bugs){&shown, 1});
    v->of_screen.on_bug(v->of_screen.ctx, &shown, folder, is_new && !store_bug_is_known(&shown));
    campaign_write_report(&v->place, bug);
}

static void on_tick(void *ctx, const struct hunt_statistics *st)
{
    struct view *v = ctx;
    v->of_screen.on_tick(v->of_screen.ctx, st);
}

static void on_skip(void *ctx, const char *model, const struct err *why)
{
    struct view *v = ctx;
    screen_say_skipped(&v->screen, model, why);
}

/* Opens the generators as the pilots will, so that wrong options are reported at once. */
static bool try_generators(const struct hunt_options *o, const struct target_list *targets,
                           struct arena *a, struct view *v, struct err *e)
{
    struct generate_options options = hunt_generate_options(o);
    const char **names = arena_new_array(a, const char *, targets->n);
    for (size_t i = 0; i < targets->n; i++)
        names[i] = target_full_name(targets->at[i], a);
    options.targets = names;
    options.n_targets = targets->n;
    for (size_t i = 0; i < o->generators.n; i++) {
        const struct generator_ops *ops;
        struct generate_options one = options;
        struct generator *g;
        if (!generator_choose(o->generators.at[i], &ops, e))
            return err_wrap(e, "--generator");
        if (i == 0) { /* all generators get the same models, so it is reported once */
            one.on_skip = on_skip;
            one.ctx = v;
        }
        if (!ops->open(&one, &g, e))
            return false;
        g->ops->close(g);
    }
    return true;
}

/* Without --generator those that the targets' descriptions name. A model or an operator of the
 * user's is for the generator "mutate" alone. */
static void choose_generators(const struct target_list *targets, struct arena *a,
                              struct hunt_options *o)
{
    VEC(const char *) names = {0};
    if (o->asked & (HUNT_ASKED_GENERATORS | HUNT_ASKED_MODELS | HUNT_ASKED_OPERATORS))
        return;
    for (size_t i = 0; i < targets->n; i++) {
        const struct target_description *d = targets->at[i]->installation->description;
        for (size_t k = 0; k < d->n_generators; k++) {
            size_t at = 0;
            while (at < names.n && !str_is(d->generators[k], names.at[at]))
                at++;
            if (at == names.n)
                vec_push(&names, a, str_dup(a, d->generators[k]));
        }
    }
    o->generators = (struct hunt_names){names.at, names.n};
}

/* Checks that everything the flags name exists, before anything is started. A resumed campaign has
 * its own settings. */
static bool try_names(const struct settings *s, struct hunt_options *o, struct view *v,
                      struct err *e)
{
    struct targets all;
    struct target_list targets = {0};
    uint32_t oracles;
    if (o->resume)
        return true;
    if (!case_run_oracles(s, &oracles, e) || !case_run_targets(s, v->place.home, &all, &targets, e))
        return false;
    choose_generators(&targets, s->arena, o);
    return try_generators(o, &targets, s->arena, v, e);
}

/* A seed model that is too large for the reference: says how to get a part of it. */
static bool propose_cut(const struct hunt_options *o, struct err *e)
{
    const struct err why = *e;
    return why.code != ERR_LIMIT || o->models.n == 0
               ? false
               : err_set(e, why.code, "%s; assay cut MODEL --at NODE writes a part that may fit",
                         why.text);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct view v;
    struct hunt_end end = {0};
    if (s->n_args)
        return err_set(e, ERR_USAGE,
                       "no arguments are expected, got \"%s\"; seed models are given by --model",
                       s->args[0]);
    if (!campaign_find(s, &v.place, e) || !campaign_known(s, &v.known, e))
        return false;
    screen_init(&v.screen, s, &v.place);
    struct hunt_options options = options_of(s, &v.place, &v.known);
    const struct llm_options llm = llm_settings(s, v.place.home);
    options.llm = llm.url ? &llm : NULL;
    v.of_screen = screen_listener(&v.screen);
    struct hunt_listener listener = {.on_bug = on_bug, .on_tick = on_tick, .ctx = &v};
    if (!parse_size(settings_text(s, SETTING_max_disk), &options.max_disk, e) ||
        !try_names(s, &options, &v, e) || !hunt_run(&options, &listener, &end, e))
        return propose_cut(&options, e);
    *exit_code = end.interrupted  ? exit_code_of_signal(signal_interrupted())
                 : fails(s, &end) ? EXIT_FOUND
                                  : EXIT_DONE;
    screen_close(&v.screen, &end, *exit_code);
    campaign_say_known(&v.known, &end.bugs);
    hunt_end_done(&end);
    return true;
}

const struct command command_hunt = {
    .name = "hunt",
    .arguments = "",
    .summary = "run a campaign: make models, run engines, judge, reduce, confirm, report",
    .details = "Mutates seed models, runs each mutant in the engines under test, judges by an "
               "independent float64 reference,\n"
               "reduces what fails to a few nodes, confirms it in fresh processes, and keeps it in "
               "the store. Ctrl-C saves\n"
               "everything; --resume goes on. Exit 1 when a new confirmed bug is at least as "
               "severe as --fail-on,\n"
               "and not named in the file of known defects (--known).",
    .examples =
        "  assay hunt --seconds 120 --out campaign\n"
        "  assay hunt --target ort,openvino --cases 20000 --seed 7 --out nightly --fail-on S1\n"
        "  assay hunt --resume --out nightly",
    .run = run,
};
