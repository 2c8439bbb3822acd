/* assay targets: lists engines and what is installed, installs or registers one, probes it, tests
 * an adapter. */
#include "base/clock.h"
#include "base/log.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "cli/probe.h"
#include "target/environment.h"
#include "target/trial.h"

#define PROGRESS_NS (INT64_C(10) * 1000000000)

/* The arguments of the command, and the JSON text when that is wanted. */
struct asked {
    const struct settings *s;
    const char *home;
    bool is_json;
    struct strbuf text;
    struct json_out w; /* writes to the text */
    int *exit_code;
};

static void installation_to_json(const struct target_installation *i, struct json_out *w)
{
    struct strbuf line = {0};
    json_begin_object(w);
    json_pair_str(w, "engine", i->description->engine);
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

static void put_all(const struct targets *t, struct json_out *w)
{
    json_begin_array(w);
    for (size_t i = 0; i < t->n_descriptions; i++)
        description_to_json(t, &t->descriptions[i], w);
    json_end_array(w);
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

static void print_mode(const struct target_mode *m, struct strbuf *out)
{
    strbuf_printf(out, " " STR_FMT "%s", STR_ARG(m->name), m->is_default ? "*" : "");
    if (m->one_in)
        strbuf_printf(out, ":%u", m->one_in);
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
            print_mode(&d->modes[k], &text);
        strbuf_printf(&text, "   " STR_FMT "\n", STR_ARG(d->help));
        print_accepted(t, d, &text);
    }
    strbuf_adds(&text, "modes with * run when none is named; a hunt then runs one case in N in the "
                       "modes with :N\n");
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}

static bool list(struct asked *q, struct err *e)
{
    struct targets all;
    if (!targets_load(q->home, q->s->arena, &all, e))
        return false;
    if (q->is_json)
        put_all(&all, &q->w);
    else
        print_text(&all);
    return true;
}

static void say_step(void *ctx, const char *line)
{
    (void)ctx;
    log_info("%s", line);
}

static bool add(struct asked *q, struct err *e)
{
    const struct settings *s = q->s;
    if (s->n_args < 2)
        return err_set(e, ERR_USAGE,
                       "the names of engines are expected; assay targets list shows them");
    json_begin_array(&q->w);
    for (size_t i = 1; i < s->n_args; i++) {
        struct environment_options o = {.home = q->home,
                                        .name = s->args[i],
                                        .python = settings_text(s, SETTING_python),
                                        .on_step = say_step};
        struct target_installation made;
        if (!environment_add(&o, s->arena, &made, e))
            return err_wrap(e, "%s", s->args[i]);
        installation_to_json(&made, &q->w);
        if (!q->is_json)
            out_putf(STR_FMT "@" STR_FMT " is ready\n", STR_ARG(made.description->engine),
                     STR_ARG(made.version));
    }
    json_end_array(&q->w);
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

static bool probe_one(struct asked *q, const struct targets *all,
                      const struct target_installation *i, struct err *e)
{
    struct arena *a = q->s->arena;
    struct target_installation probed = *i;
    struct progress progress = {
        arena_printf(a, STR_FMT "@" STR_FMT, STR_ARG(i->description->engine), STR_ARG(i->version)),
        clock_now_ns()};
    struct probe_options o = {.home = q->home,
                              .all = all,
                              .installation = i,
                              .on_progress = say_progress,
                              .ctx = &progress};
    if (!probe_operators(&o, a, &probed.accepted, e) ||
        !environment_probe(q->home, i, &probed.accepted, a, e))
        return err_wrap(e, "%s", progress.name);
    installation_to_json(&probed, &q->w);
    if (q->is_json)
        return true;
    struct strbuf line = {0};
    accepted_print(&probed.accepted, &line);
    out_putf("%s: %s\n", progress.name, line.at);
    strbuf_done(&line);
    return true;
}

/* Probes the named installations, or all. */
static bool probe(struct asked *q, struct err *e)
{
    const struct settings *s = q->s;
    struct targets all;
    if (!targets_load(q->home, s->arena, &all, e))
        return false;
    json_begin_array(&q->w);
    for (size_t i = 0; s->n_args < 2 && i < all.n_installations; i++)
        if (!probe_one(q, &all, &all.installations[i], e))
            return false;
    for (size_t i = 1; i < s->n_args; i++) {
        struct target_list list = {0};
        if (!targets_resolve(&all, s->args[i], s->arena, &list, e) ||
            !probe_one(q, &all, list.at[0]->installation, e))
            return false;
    }
    json_end_array(&q->w);
    return true;
}

static void say_check(void *ctx, const char *check, const char *failure)
{
    struct asked *q = ctx;
    json_begin_object(&q->w);
    json_pair_cstr(&q->w, "check", check);
    json_pair_bool(&q->w, "passed", !failure);
    json_pair_cstr(&q->w, "failure", failure ? failure : "");
    json_end_object(&q->w);
    if (!q->is_json && failure)
        out_putf("FAILED %s: %s\n", check, failure);
    else if (!q->is_json)
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

static bool try_workers(struct asked *q, struct trial_options *o, struct trial_result *sum,
                        struct err *e)
{
    const struct settings *s = q->s;
    struct targets all;
    const char *command = settings_text(s, SETTING_worker);
    if ((command != NULL) == (s->n_args > 1))
        return err_set(e, ERR_USAGE, "the names of engines are expected, or --worker COMMAND");
    if (command) {
        o->argv = split_words(str_of(command), s->arena);
        o->work = settings_flag(s, SETTING_worker_converts) ? TARGET_CONVERTS : TARGET_RUNS;
        return o->argv[0] ? try_worker(o, sum, e)
                          : err_set(e, ERR_USAGE, "--worker: a command is expected");
    }
    if (!targets_load(q->home, s->arena, &all, e))
        return false;
    for (size_t i = 1; i < s->n_args; i++) {
        struct target_list list = {0};
        if (!targets_resolve(&all, s->args[i], s->arena, &list, e))
            return false;
        o->target = list.at[0];
        if (!try_worker(o, sum, e))
            return err_wrap(e, "%s", s->args[i]);
    }
    return true;
}

static bool test(struct asked *q, struct err *e)
{
    struct trial_result sum = {0};
    struct trial_options o = {.home = q->home, .tell = say_check, .ctx = q};
    json_begin_object(&q->w);
    json_key(&q->w, "checks");
    json_begin_array(&q->w);
    if (!try_workers(q, &o, &sum, e))
        return false;
    json_end_array(&q->w);
    json_pair_u64(&q->w, "n_passed", sum.n_passed);
    json_pair_u64(&q->w, "n_failed", sum.n_failed);
    json_end_object(&q->w);
    if (!q->is_json)
        out_putf("%u passed, %u failed\n", sum.n_passed, sum.n_failed);
    *q->exit_code = sum.n_failed ? EXIT_FOUND : EXIT_DONE;
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    static const struct {
        const char *name;
        bool (*run)(struct asked *, struct err *);
    } verbs[] = {{"list", list}, {"add", add}, {"probe", probe}, {"test", test}};
    struct campaign_place place;
    const char *verb = s->n_args ? s->args[0] : "list";
    size_t i = 0;
    if (!campaign_find(s, &place, e))
        return false;
    while (i < COUNT_OF(verbs) && strcmp(verbs[i].name, verb) != 0)
        i++;
    if (i == COUNT_OF(verbs))
        return err_set(e, ERR_USAGE, "list, add, probe or test is expected, got \"%s\"", verb);
    struct asked q = {
        .s = s, .home = place.home, .is_json = settings_want_json(s), .exit_code = exit_code};
    q.w = json_open(&q.text, JSON_PRETTY);
    bool ok = verbs[i].run(&q, e);
    if (ok && q.is_json)
        out_json(&q.text);
    strbuf_done(&q.text);
    return ok;
}

const struct command command_targets = {
    .name = "targets",
    .arguments = "[list | add NAME[@VERSION]... | probe [NAME[@VERSION]...] | test NAME...]",
    .summary = "list the engines, install or register one, probe what is installed",
    .details = "add makes a virtual environment below $ASSAY_HOME with pip, or registers the one "
               "of --python. Several versions\n"
               "of an engine can be used side by side: ort@1.20.1 and ort@1.31.1 are two targets.\n"
               "probe gives each engine models of one operator, by operator and dtype, and keeps "
               "what ran: seconds to minutes.\n"
               "test drives an engine's worker, or the one of --worker, through the protocol, and "
               "exits 1 when it does not keep it.",
    .examples = "  assay targets\n  assay targets add ort@1.20.1\n  assay targets add openvino "
                "--python build/env/bin/python\n"
                "  assay targets test --worker \"python my_worker.py\"",
    .run = run,
};
