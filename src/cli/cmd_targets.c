/* assay targets: which engines there are, which are installed; install or register one; probe it;
 * test an adapter. */
#include "base/clock.h"
#include "base/log.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "cli/probe.h"
#include "target/environment.h"
#include "target/trial.h"

#define PROGRESS_NS (INT64_C(10) * 1000000000)

static void installation_to_json(const struct target_installation *i, struct json_out *w)
{
    struct strbuf line = {0};
    json_begin_object(w);
    json_pair_str(w, "version", i->version);
    json_pair_str(w, "python", i->python);
    json_pair_str(w, "library", i->library);
    if (i->probe) {
        json_key(w, "probe");
        json_put_json(w, i->probe);
    }
    if (i->accepted.n) {
        accepted_print(&i->accepted, &line);
        json_pair_str(w, "summary", strbuf_str(&line));
    }
    json_end_object(w);
    strbuf_done(&line);
}

static void description_to_json(const struct targets *t, const struct target_description *d,
                                struct json_out *w)
{
    json_begin_object(w);
    json_pair_str(w, "engine", d->engine);
    json_pair_str(w, "family", d->family);
    json_pair_str(w, "help", d->help);
    json_pair_i64(w, "largest_opset", d->traits.largest_opset);
    json_key(w, "modes");
    json_begin_array(w);
    for (size_t i = 0; i < d->n_modes; i++)
        json_put_str(w, d->modes[i].name);
    json_end_array(w);
    json_key(w, "installed");
    json_begin_array(w);
    for (size_t i = 0; i < t->n_installations; i++) {
        if (t->installations[i].description == d)
            installation_to_json(&t->installations[i], w);
    }
    json_end_array(w);
    json_end_object(w);
}

static void print_json(const struct targets *t)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_array(&w);
    for (size_t i = 0; i < t->n_descriptions; i++)
        description_to_json(t, &t->descriptions[i], &w);
    json_end_array(&w);
    strbuf_addc(&text, '\n');
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}

/* A line for each installation that was probed in full. */
static void print_accepted(const struct targets *t, const struct target_description *d,
                           struct strbuf *text)
{
    for (size_t i = 0; i < t->n_installations; i++) {
        const struct target_installation *row = &t->installations[i];
        if (row->description != d || !row->accepted.n)
            continue;
        strbuf_printf(text, "    " STR_FMT ": ", STR_ARG(row->version));
        accepted_print(&row->accepted, text);
        strbuf_addc(text, '\n');
    }
}

static void print_text(const struct targets *t)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < t->n_descriptions; i++) {
        const struct target_description *d = &t->descriptions[i];
        bool installed = false;
        strbuf_printf(&text, "%-24.*s", STR_ARG(d->engine));
        for (size_t k = 0; k < t->n_installations; k++) {
            if (t->installations[k].description != d)
                continue;
            strbuf_printf(&text, " " STR_FMT, STR_ARG(t->installations[k].version));
            installed = true;
        }
        if (!installed)
            strbuf_printf(&text, " not installed: assay targets add " STR_FMT, STR_ARG(d->engine));
        strbuf_adds(&text, "\n    modes");
        for (size_t k = 0; k < d->n_modes; k++)
            strbuf_printf(&text, " " STR_FMT "%s", STR_ARG(d->modes[k].name),
                          d->modes[k].is_default ? "*" : "");
        strbuf_printf(&text, "   " STR_FMT "\n", STR_ARG(d->help));
        print_accepted(t, d, &text);
    }
    strbuf_adds(&text, "modes with * run when none is named\n");
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}

static bool list(const struct settings *s, const struct campaign_place *place, struct err *e)
{
    struct targets all;
    if (!targets_load(place->home, s->arena, &all, e))
        return false;
    if (settings_want_json(s))
        print_json(&all);
    else
        print_text(&all);
    return true;
}

static void say_step(void *ctx, const char *line)
{
    (void)ctx;
    log_info("%s", line);
}

static bool add(const struct settings *s, const struct campaign_place *place, struct err *e)
{
    if (s->n_args < 2)
        return err_set(e, ERR_USAGE,
                       "the names of engines are expected; assay targets list shows them");
    for (size_t i = 1; i < s->n_args; i++) {
        struct environment_options o = {.home = place->home,
                                        .name = s->args[i],
                                        .python = settings_text(s, SETTING_python),
                                        .on_step = say_step};
        struct target_installation made;
        if (!environment_add(&o, s->arena, &made, e))
            return err_wrap(e, "%s", s->args[i]);
        out_putf(STR_FMT "@" STR_FMT " is ready\n", STR_ARG(made.description->engine),
                 STR_ARG(made.version));
    }
    return true;
}

struct progress {
    const char *name;
    int64_t told_ns;
};

static void say_progress(void *ctx, size_t n_done, size_t n_all)
{
    struct progress *p = ctx;
    int64_t now = clock_now_ns();
    if (now - p->told_ns < PROGRESS_NS || n_done == n_all)
        return;
    p->told_ns = now;
    log_info("%s: %zu of %zu operators", p->name, n_done, n_all);
}

static bool probe_one(const struct settings *s, const char *home, const struct targets *all,
                      const struct target_installation *i, struct err *e)
{
    struct accepted accepted;
    struct progress progress = {arena_printf(s->arena, STR_FMT "@" STR_FMT,
                                             STR_ARG(i->description->engine), STR_ARG(i->version)),
                                clock_now_ns()};
    struct probe_options o = {
        .home = home, .all = all, .installation = i, .on_progress = say_progress, .ctx = &progress};
    if (!probe_operators(&o, s->arena, &accepted, e) ||
        !environment_probe(home, i, &accepted, s->arena, e))
        return err_wrap(e, "%s", progress.name);
    struct strbuf line = {0};
    accepted_print(&accepted, &line);
    out_putf("%s: %s\n", progress.name, line.at);
    strbuf_done(&line);
    return true;
}

/* The installations of the names, or all. */
static bool probe(const struct settings *s, const struct campaign_place *place, struct err *e)
{
    struct targets all;
    if (!targets_load(place->home, s->arena, &all, e))
        return false;
    for (size_t i = 0; s->n_args < 2 && i < all.n_installations; i++)
        if (!probe_one(s, place->home, &all, &all.installations[i], e))
            return false;
    for (size_t i = 1; i < s->n_args; i++) {
        struct target_list list = {0};
        if (!targets_resolve(&all, s->args[i], s->arena, &list, e) ||
            !probe_one(s, place->home, &all, list.at[0]->installation, e))
            return false;
    }
    return true;
}

static void say_check(void *ctx, const char *check, const char *failure)
{
    (void)ctx;
    if (failure)
        out_putf("FAILED %s: %s\n", check, failure);
    else
        out_putf("ok     %s\n", check);
}

/* "python my_worker.py 3" as its words. */
static const char *const *split_words(struct str text, struct arena *a)
{
    const char **words = arena_new_array(a, const char *, text.n / 2 + 2);
    size_t n = 0;
    for (text = str_trim(text); text.n; text = str_trim(text)) {
        size_t end = str_find_byte(text, ' ');
        words[n++] = str_dup(a, str_sub(text, 0, end));
        text = str_sub(text, end, text.n);
    }
    return words;
}

static bool try_worker(const struct trial_options *o, struct trial_result *sum, struct err *e)
{
    struct trial_result result;
    if (!trial_run(o, &result, e))
        return false;
    sum->n_passed += result.n_passed;
    sum->n_failed += result.n_failed;
    return true;
}

static bool test(const struct settings *s, const struct campaign_place *place, int *exit_code,
                 struct err *e)
{
    struct targets all;
    struct trial_result sum = {0};
    const char *command = settings_text(s, SETTING_worker);
    struct trial_options o = {.home = place->home, .tell = say_check};
    if ((command != NULL) == (s->n_args > 1))
        return err_set(e, ERR_USAGE, "the names of engines are expected, or --worker COMMAND");
    if (command) {
        o.argv = split_words(str_of(command), s->arena);
        o.work = settings_flag(s, SETTING_worker_converts) ? TARGET_CONVERTS : TARGET_RUNS;
        if (!o.argv[0])
            return err_set(e, ERR_USAGE, "--worker: a command is expected");
        if (!try_worker(&o, &sum, e))
            return false;
    } else if (!targets_load(place->home, s->arena, &all, e)) {
        return false;
    }
    for (size_t i = 1; i < s->n_args; i++) {
        struct target_list list = {0};
        if (!targets_resolve(&all, s->args[i], s->arena, &list, e))
            return false;
        o.target = list.at[0];
        if (!try_worker(&o, &sum, e))
            return err_wrap(e, "%s", s->args[i]);
    }
    out_putf("%u passed, %u failed\n", sum.n_passed, sum.n_failed);
    *exit_code = sum.n_failed ? EXIT_FOUND : EXIT_DONE;
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    static const struct {
        const char *name;
        bool (*run)(const struct settings *, const struct campaign_place *, struct err *);
    } verbs[] = {{"list", list}, {"add", add}, {"probe", probe}};
    struct campaign_place place;
    const char *verb = s->n_args ? s->args[0] : "list";
    if (!campaign_find(s, &place, e))
        return false;
    if (strcmp(verb, "test") == 0)
        return test(s, &place, exit_code, e);
    for (size_t i = 0; i < COUNT_OF(verbs); i++)
        if (strcmp(verbs[i].name, verb) == 0)
            return verbs[i].run(s, &place, e);
    return err_set(e, ERR_USAGE, "list, add, probe or test is expected, got \"%s\"", verb);
}

const struct command command_targets = {
    .name = "targets",
    .arguments = "[list | add NAME[@VERSION]... | probe [NAME[@VERSION]...] | test NAME...]",
    .summary = "list the engines, install or register one, probe what is installed",
    .details = "add makes a virtual environment below $ASSAY_HOME with pip, or registers the one "
               "of --python. Several versions\n"
               "of an engine stand side by side: ort@1.20.1 and ort@1.31.1 are two targets.\n"
               "probe gives each engine models of one operator, by operator and dtype, and keeps "
               "what ran: seconds to minutes.\n"
               "test drives an engine's worker, or the one of --worker, through the protocol, and "
               "exits 1 when it does not keep it.",
    .examples = "  assay targets\n  assay targets add ort@1.20.1\n  assay targets add openvino "
                "--python build/env/bin/python\n"
                "  assay targets test --worker \"python my_worker.py\"",
    .run = run,
};
