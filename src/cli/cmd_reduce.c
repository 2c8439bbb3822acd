/* assay reduce: makes a campaign of one failing case, which is reduced, confirmed and reported as
 * hunt does with the cases that it makes. */
#include "base/file.h"
#include "base/path.h"
#include "case/disk.h"
#include "cli/campaign.h"
#include "cli/case_run.h"
#include "cli/command.h"
#include "cli/version.h"
#include "hunt/hunt.h"
#include "os/signal.h"

/* What is reduced, where, and in which targets. */
struct subject {
    struct tcase *c;
    const char *to; /* folder of the new campaign */
    bool is_new;    /* the folder was not there before */
    const char *const *targets;
    size_t n_targets;
};

static bool is_file_or_folder(const char *path)
{
    return file_stat(path).kind != FILE_MISSING;
}

/* A bug goes to reduced/ID of its campaign, in the targets that it was found with. */
static bool find_bug(const struct settings *s, struct subject *out, struct err *e)
{
    struct campaign_place place;
    struct store *store;
    struct store_bug bug;
    if (!campaign_open(s, STORE_READ, &place, &store, e))
        return false;
    bool ok = campaign_bug_argument(s, store, &bug, e) &&
              campaign_targets(s, store, &bug, &out->targets, &out->n_targets, e);
    store_close(store);
    if (!ok)
        return false;
    const char *folder = campaign_bug_folder(&place, &bug, s->arena);
    out->to =
        path_join(s->arena, place.out, arena_printf(s->arena, "reduced/" STR_FMT, STR_ARG(bug.id)));
    if (!folder)
        return err_set(e, ERR_DATA, "bug " STR_FMT " has no folder any more", STR_ARG(bug.id));
    return case_read(folder, s->arena, &out->c, e);
}

/* "dir/net.onnx" -> "dir/net-reduced". */
static const char *default_folder(const char *path, struct arena *a)
{
    static const struct str endings[] = {{".onnx", 5}, {".py", 3}};
    struct str stem = str_of(path);
    while (stem.n > 1 && str_ends(stem, STR("/")))
        stem.n--;
    for (size_t i = 0; i < 2; i++)
        if (str_ends(stem, endings[i]))
            stem.n -= endings[i].n;
    return arena_printf(a, STR_FMT "-reduced", STR_ARG(stem));
}

static bool find_subject(const struct settings *s, struct subject *out, struct err *e)
{
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE,
                       "one model, program, case folder or bug id is expected, got %zu arguments",
                       s->n_args);
    bool is_id = !strpbrk(s->args[0], "/.") && !is_file_or_folder(s->args[0]);
    if (is_id) {
        if (!find_bug(s, out, e))
            return false;
    } else {
        out->targets = settings_list(s, SETTING_target, &out->n_targets);
        out->to = settings_text(s, SETTING_out) ? settings_text(s, SETTING_out)
                                                : default_folder(s->args[0], s->arena);
        if (!case_run_load(s, s->args[0], &out->c, e))
            return false;
    }
    if (is_file_or_folder(path_join(s->arena, out->to, "store.sqlite")))
        return err_set(e, ERR_USAGE, "%s holds a campaign already: name another folder by --out",
                       out->to);
    out->is_new = !is_file_or_folder(out->to);
    return true;
}

struct view {
    const struct settings *s;
    struct campaign_place place;
};

static void on_bug(void *ctx, const struct store_bug *bug, const char *folder, bool is_new)
{
    const struct view *v = ctx;
    (void)folder;
    (void)is_new;
    campaign_write_report(&v->place, bug);
}

static void on_tick(void *ctx, const struct hunt_statistics *st)
{
    const struct view *v = ctx;
    if (st->reducing_from)
        out_status(v->s, "reducing: %u nodes -> %u", st->reducing_from, st->reducing_to);
}

static void bug_to_json(const struct store_bug *b, const char *out, struct arena *a,
                        struct json_out *w)
{
    json_begin_object(w);
    json_pair_str(w, "id", b->id);
    json_pair_str(w, "title", b->title);
    json_pair_str(w, "state", b->state);
    json_pair_str(w, "severity", b->severity);
    json_pair_i64(w, "nodes_before", b->nodes_before);
    json_pair_i64(w, "nodes", b->nodes);
    json_pair_i64(w, "runs", b->reduce_runs);
    json_pair_cstr(w, "folder", path_join(a, out, str_dup(a, b->folder)));
    json_end_object(w);
}

static void print_json(const struct settings *s, const struct hunt_end *end, const char *to)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_cstr(&w, "campaign", to);
    json_key(&w, "bugs");
    json_begin_array(&w);
    for (size_t i = 0; i < end->bugs.n; i++)
        bug_to_json(&end->bugs.at[i], to, s->arena, &w);
    json_end_array(&w);
    json_end_object(&w);
    out_json(&text);
}

static void print_text(const struct settings *s, const struct hunt_end *end, const char *to)
{
    for (size_t i = 0; i < end->bugs.n; i++) {
        const struct store_bug *b = &end->bugs.at[i];
        out_line(str_of(arena_printf(s->arena, STR_FMT "  " STR_FMT "  [" STR_FMT "]  " STR_FMT,
                                     STR_ARG(b->id), STR_ARG(b->state), STR_ARG(b->severity),
                                     STR_ARG(b->title))));
        out_putf("  %lld nodes -> %lld after %lld runs: %s/" STR_FMT "\n",
                 (long long)b->nodes_before, (long long)b->nodes, (long long)b->reduce_runs, to,
                 STR_ARG(b->folder));
    }
    if (end->bugs.n)
        out_putf("assay show " STR_FMT " --out %s  shows more; replay and report take the same\n",
                 STR_ARG(end->bugs.at[0].id), to);
}

/* Runs the campaign of this one case. */
static bool reduce(const struct settings *s, const struct subject *subject, struct view *v,
                   struct hunt_end *end, struct err *e)
{
    static const char *const generator[] = {"corpus"};
    const char *folder = path_join(s->arena, subject->to, "case");
    size_t n_oracles;
    const char *const *oracles = settings_list(s, SETTING_oracle, &n_oracles);
    const struct hunt_options o = {
        .out = subject->to,
        .home = v->place.home,
        .version = ASSAY_VERSION,
        .generators = {generator, 1},
        .models = {&folder, 1},
        .oracles = {oracles, n_oracles},
        .targets = {subject->targets, subject->n_targets},
        .seed = (uint64_t)settings_int(s, SETTING_seed),
        .n_cases = 1,
        .n_pilots = 1,
        .best_effort = strcmp(settings_text(s, SETTING_sandbox), "best-effort") == 0,
    };
    const struct hunt_listener listener = {.on_bug = on_bug, .on_tick = on_tick, .ctx = v};
    return file_make_dirs(subject->to, e) && case_write(folder, subject->c, e) &&
           hunt_run(&o, &listener, end, e);
}

/* Says why the campaign found no bug. */
static bool explain_none(const struct hunt_end *end, struct err *e)
{
    const struct hunt_remains *left = &end->statistics.remains;
    struct strbuf text = {0};
    hunt_remains_print(left, &text);
    if (left->n_lost + left->n_waiting + left->n_given_up + left->n_unproved)
        err_set(e, ERR_DATA, "the case fails, but no bug was proved: " STR_FMT,
                STR_ARG(str_trim(str_sub(strbuf_str(&text), 1, text.n))));
    else
        err_set(e, ERR_DATA,
                "the case does not fail in the named targets: nothing to keep while reducing; "
                "assay run shows what they do");
    strbuf_done(&text);
    return false;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct subject subject = {0};
    struct view v = {.s = s};
    struct hunt_end end = {0};
    if (!campaign_find(s, &v.place, e) || !find_subject(s, &subject, e))
        return false;
    v.place.out = subject.to;
    v.place.url = path_join(s->arena, subject.to, "store.sqlite");
    bool ok = reduce(s, &subject, &v, &end, e);
    out_status(s, "%s", "");
    ok = ok && (end.interrupted || end.bugs.n || explain_none(&end, e));
    if (ok)
        (settings_want_json(s) ? print_json : print_text)(s, &end, subject.to);
    struct err ignored = {0}; /* e holds the reason already */
    if (!ok && subject.is_new)
        (void)file_remove_tree(subject.to, &ignored);
    if (end.interrupted)
        *exit_code = exit_code_of_signal(signal_interrupted());
    hunt_end_done(&end);
    return ok || err_wrap(e, "%s", s->args[0]);
}

const struct command command_reduce = {
    .name = "reduce",
    .arguments = "MODEL.onnx|CASE|PROGRAM.py|ID",
    .summary = "make a failing model or program smaller while it fails the same way",
    .details =
        "Makes a campaign of this one case in --out (default: beside it, NAME-reduced; of a bug, "
        "reduced/ID of its campaign):\n"
        "what fails is reduced, confirmed in fresh processes and reported, so that show, replay "
        "and report work there.\n"
        "Inputs come from --input, from the case folder, or from --seed. The case or the bug that "
        "it was made of stays as it is.",
    .examples = "  assay reduce model.onnx --target ort,openvino --out mine\n  assay reduce case "
                "--target ort/all",
    .run = run,
};
