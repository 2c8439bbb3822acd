/* assay targets: which engines there are, which are installed; install or register one; probe it.
 */
#include "base/log.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "target/environment.h"

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
        if (t->installations[i].description != d)
            continue;
        json_begin_object(w);
        json_pair_str(w, "version", t->installations[i].version);
        json_pair_str(w, "python", t->installations[i].python);
        json_pair_str(w, "library", t->installations[i].library);
        json_end_object(w);
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

static bool probe(const struct settings *s, const struct campaign_place *place, struct err *e)
{
    struct targets all;
    if (!targets_load(place->home, s->arena, &all, e))
        return false;
    for (size_t i = 0; i < all.n_installations; i++) {
        const struct target_installation *inst = &all.installations[i];
        if (!environment_probe(place->home, inst, s->arena, e))
            return err_wrap(e, STR_FMT "@" STR_FMT, STR_ARG(inst->description->engine),
                            STR_ARG(inst->version));
        out_putf(STR_FMT "@" STR_FMT " probed\n", STR_ARG(inst->description->engine),
                 STR_ARG(inst->version));
    }
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
    (void)exit_code;
    if (!campaign_find(s, &place, e))
        return false;
    for (size_t i = 0; i < COUNT_OF(verbs); i++)
        if (strcmp(verbs[i].name, verb) == 0)
            return verbs[i].run(s, &place, e);
    return err_set(e, ERR_USAGE, "list, add or probe is expected, got \"%s\"", verb);
}

const struct command command_targets = {
    .name = "targets",
    .arguments = "[list | add NAME[@VERSION]... | probe]",
    .summary = "list the engines, install or register one, probe what is installed",
    .details = "add makes a virtual environment below $ASSAY_HOME with pip, or registers the one "
               "of --python. Several versions\n"
               "of an engine stand side by side: ort@1.20.1 and ort@1.31.1 are two targets.",
    .examples = "  assay targets\n  assay targets add ort@1.20.1\n  assay targets add openvino "
                "--python build/env/bin/python",
    .run = run,
};
