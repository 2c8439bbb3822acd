/* assay doctor: checks that this machine has what assay needs, and says what to do about each
 * problem. */
#include "base/file.h"
#include "base/path.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "os/probe.h"
#include "os/process.h"
#include "os/scratch.h"
#include "target/target.h"
#include "target/worker_escape.h"

enum { N_KINDS = 2, SCRATCH_LEAST = 64 << 20 };
#define ATTEMPT_MEMORY ((uint64_t)256 << 20) /* bombs stay small; everything else as in a hunt */

enum standing { STANDING_OFF, STANDING_DEGRADED, STANDING_ON };
static const char *const standing_names[] = {"off", "degraded", "on"};

/* The result of one check. */
struct check {
    const char *what;
    enum standing standing;
    bool is_needed;     /* if it is off, that is a problem: exit 75 */
    const char *detail; /* what was found */
    const char *advice; /* what to do when it is not on; NULL: nothing helps */
};

/* Prints checks as lines or as JSON objects, and counts problems. */
struct findings {
    bool as_json;
    struct strbuf text;
    struct json_out json;
    unsigned n_problems;
};

static void tell(struct findings *f, const struct check *c)
{
    const char *advice = c->standing == STANDING_ON ? NULL : c->advice;
    bool is_problem = c->is_needed && c->standing == STANDING_OFF;
    f->n_problems += is_problem;
    if (f->as_json) {
        json_begin_object(&f->json);
        json_pair_cstr(&f->json, "check", c->what);
        json_pair_cstr(&f->json, "state", standing_names[c->standing]);
        json_pair_bool(&f->json, "problem", is_problem);
        json_pair_cstr(&f->json, "detail", c->detail);
        json_pair_cstr(&f->json, "advice", advice);
        json_end_object(&f->json);
        return;
    }
    strbuf_printf(&f->text, "%-8s %-26s ", standing_names[c->standing], c->what);
    strbuf_add_line(&f->text, str_of(c->detail));
    strbuf_addc(&f->text, '\n');
    if (advice)
        strbuf_printf(&f->text, "%-8s %-26s -> %s\n", "", "", advice);
}

/* Reports whether one of these programs is found. */
static void look_for_program(struct findings *f, struct arena *a, const struct check *c,
                             const char *const *names, size_t n_names)
{
    struct check found = *c;
    for (size_t i = 0; i < n_names; i++) {
        struct err missing = {0};
        const char *path;
        if (!process_find_program(names[i], a, &path, &missing))
            continue;
        found.standing = STANDING_ON;
        found.detail = path;
        break;
    }
    tell(f, &found);
}

/* Checks the folder by which models and tensors travel between processes. */
static void look_at_scratch(struct findings *f, struct arena *a)
{
    const char *place = scratch_place();
    bool in_memory = strcmp(place, "/dev/shm") == 0;
    uint64_t n_free = 0;
    bool has_room = probe_free_bytes(place, &n_free) && n_free >= (uint64_t)SCRATCH_LEAST;
    tell(f,
         &(struct check){"scratch",
                         !has_room   ? STANDING_OFF
                         : in_memory ? STANDING_ON
                                     : STANDING_DEGRADED,
                         true,
                         arena_printf(a, "%s, %.0f MiB free%s", place, (double)n_free / (1 << 20),
                                      in_memory ? "" : "; /dev/shm lacks room"),
                         "tensors travel through it: give /dev/shm 256 MiB, or $TMPDIR, which "
                         "is slower, 64 MiB"});
}

static bool look_at_machine(struct findings *f, struct arena *a, struct err *e)
{
    static const char *const pythons[] = {"python3"}, *const compilers[] = {"cc", "gcc", "clang"};
    struct probe_machine m;
    if (!probe_machine(a, &m, e))
        return false;
    const char *size = arena_printf(a, "%u cores, %.1f GiB, kernel %s", m.n_cpus,
                                    (double)m.memory_bytes / (1 << 30), m.kernel);
    tell(f, &(struct check){"machine", STANDING_ON, false, size, NULL});
    bool enough = m.memory_bytes >= (uint64_t)2 << 30;
    tell(f, &(struct check){"memory", enough ? STANDING_ON : STANDING_DEGRADED, false,
                            enough ? "enough" : "under 2 GiB",
                            "engines need about 1 GiB each: use fewer pilots"});
    look_at_scratch(f, a);
    look_for_program(f, a,
                     &(struct check){"python3", STANDING_OFF, true, "not found",
                                     "install python3 and python3-venv: environments of engines "
                                     "need them"},
                     pythons, COUNT_OF(pythons));
    look_for_program(f, a,
                     &(struct check){"compiler", STANDING_DEGRADED, false, "no cc, gcc or clang",
                                     "install a C compiler: engines that generate code "
                                     "(torch/inductor) cannot run without one"},
                     compilers, COUNT_OF(compilers));
    return true;
}

/* What to do about a layer that is not on. */
static const char *const layer_advice[SANDBOX_N_LAYERS] = {
    [SANDBOX_LIMITS] = "run as an ordinary user; nothing untrusted runs as root: without "
                       "namespaces hunts then need --sandbox best-effort",
    [SANDBOX_SECCOMP] = "run on a kernel with seccomp filters, or hunt with --sandbox best-effort",
    [SANDBOX_LANDLOCK] = "run on a newer kernel with landlock enabled; hunts run without it, with "
                         "files less confined",
    [SANDBOX_NAMESPACES] = "nothing to do: hunts run without it, the other layers confine them",
    [SANDBOX_CGROUP] = "delegate a control group of version 2 to this user (systemd-run --user "
                       "--scope); hunts run without it",
};

/* Limits that are not on mean that workers stay root, since there is no other user to be. Unless
 * namespaces give them one, hunts refuse to run. */
static enum standing standing_of(const struct sandbox_state *state, int layer)
{
    static const enum standing of_mode[] = {[SANDBOX_OFF] = STANDING_OFF,
                                            [SANDBOX_DEGRADED] = STANDING_DEGRADED,
                                            [SANDBOX_ON] = STANDING_ON};
    bool refuses_hunts = layer == SANDBOX_LIMITS && state->layer[layer].mode != SANDBOX_ON &&
                         state->layer[SANDBOX_NAMESPACES].mode == SANDBOX_OFF;
    return refuses_hunts ? STANDING_OFF : of_mode[state->layer[layer].mode];
}

static const char *advice_for(const struct sandbox_state *state, int layer)
{
    bool none_for_files = state->layer[SANDBOX_LANDLOCK].mode == SANDBOX_OFF &&
                          state->layer[SANDBOX_NAMESPACES].mode == SANDBOX_OFF;
    bool is_for_files = layer == SANDBOX_LANDLOCK || layer == SANDBOX_NAMESPACES;
    return none_for_files && is_for_files
               ? "neither landlock nor namespaces confine files here: programs that assay did not "
                 "write are refused (exit 75)"
               : layer_advice[layer];
}

static void look_at_sandbox(struct findings *f, struct arena *a)
{
    struct sandbox_state state;
    sandbox_probe(&state);
    for (int i = 0; i < SANDBOX_N_LAYERS; i++) {
        const struct sandbox_layer_state *layer = &state.layer[i];
        struct str reason = str_of(layer->reason); /* advice of its own may follow */
        const char *missing = str_dup(a, str_sub(reason, 0, str_find(reason, STR(": run "))));
        tell(f, &(struct check){
                    arena_printf(a, "sandbox %s", sandbox_layer_name((enum sandbox_layer)i)),
                    standing_of(&state, i), i == SANDBOX_LIMITS || i == SANDBOX_SECCOMP,
                    missing[0] ? missing : "complete", advice_for(&state, i)});
    }
}

static bool look_at_targets(struct findings *f, const struct campaign_place *place, struct arena *a,
                            struct err *e)
{
    struct targets all;
    if (!targets_load(place->home, a, &all, e))
        return false;
    for (size_t i = 0; i < all.n_installations; i++) {
        const struct target_installation *inst = &all.installations[i];
        struct str file = inst->library.n ? inst->library : inst->python;
        bool there = file_stat(str_dup(a, file)).kind == FILE_REGULAR;
        tell(f, &(struct check){arena_printf(a, "engine " STR_FMT "@" STR_FMT,
                                             STR_ARG(inst->description->engine),
                                             STR_ARG(inst->version)),
                                there ? STANDING_ON : STANDING_OFF, true, str_dup(a, file),
                                "its environment is gone: assay targets add makes it again"});
    }
    if (all.n_installations == 0)
        tell(f, &(struct check){"engines", STANDING_OFF, true, "none installed",
                                "assay targets add ort"});
    return true;
}

/* A kind of worker, and the installation that is tried for it. */
struct worker_kind {
    const char *name;
    const struct target_installation *installation; /* NULL: none is installed */
};

static void find_kinds(const struct targets *all, struct worker_kind kinds[N_KINDS])
{
    kinds[0].name = "native";
    kinds[1].name = "Python";
    for (size_t i = 0; i < all->n_installations; i++) {
        const struct target_installation *inst = &all->installations[i];
        struct worker_kind *kind = &kinds[!str_is(inst->description->worker, "native")];
        if (!kind->installation)
            kind->installation = inst;
    }
}

/* An attempt that escapes, or that something other than the sandbox stops, is a problem; one that
 * this machine cannot hold is only stated. */
static bool is_wrong(const struct probe_outcome *got)
{
    return got->verdict == PROBE_ESCAPED || got->verdict == PROBE_WRONG_ERROR;
}

/* Makes one attempt in a worker of each kind: a line of the table. */
static bool try_escape(struct findings *f, const struct worker_kind kinds[N_KINDS],
                       const char *home, size_t at, struct arena *a, struct err *e)
{
    struct strbuf text = {0};
    bool wrong = false, uncovered = false, ok = true;
    for (int k = 0; ok && k < N_KINDS; k++) {
        struct probe_outcome got;
        const struct worker_escape_options o = {
            .installation = kinds[k].installation, .home = home, .memory_bytes = ATTEMPT_MEMORY};
        if (!o.installation)
            continue;
        ok = worker_escape_try(&o, at, &got, e);
        if (!ok)
            break;
        wrong |= is_wrong(&got);
        uncovered |= got.verdict == PROBE_NOT_COVERED;
        strbuf_printf(&text, "%s%s %s%s%s%s", text.n ? "; " : "", kinds[k].name,
                      probe_verdict_name(got.verdict), got.detail[0] ? " (" : "", got.detail,
                      got.detail[0] ? ")" : "");
    }
    if (ok)
        tell(f, &(struct check){
                    arena_printf(a, "escape %s", probe_escape_name(at)),
                    wrong || uncovered ? STANDING_OFF : STANDING_ON, wrong, strbuf_dup(&text, a).at,
                    wrong ? "do not run untrusted programs on this machine"
                          : "no layer that this machine offers stops it: mind what runs here"});
    strbuf_done(&text);
    return ok;
}

/* Reports the layers of this kind of worker. One that cannot start is tried no further. */
static bool look_at_kind(struct findings *f, struct worker_kind *kind, const char *home,
                         struct arena *a, struct err *e)
{
    const struct worker_escape_options o = {.installation = kind->installation, .home = home};
    struct check c = {arena_printf(a, "%s worker", kind->name), STANDING_OFF, false,
                      "no such engine is installed: not tried", "assay targets add NAME"};
    struct sandbox_state state;
    struct probe_outcome first;
    if (!o.installation) {
        tell(f, &c);
        return true;
    }
    if (!worker_escape_state(&o, &state, e))
        return false;
    if (worker_escape_try(&o, 0, &first, e)) {
        struct strbuf text = {0};
        sandbox_state_print(&state, &text);
        c.standing = STANDING_ON;
        c.detail = arena_printf(a, "of " STR_FMT ": %s",
                                STR_ARG(o.installation->description->engine), text.at);
        strbuf_done(&text);
    } else {
        c.is_needed = true;
        c.detail =
            arena_printf(a, STR_FMT " cannot start: %s",
                         STR_ARG(o.installation->description->engine), str_dup(a, str_of(e->text)));
        c.advice = "no attempt is made in its place";
        kind->installation = NULL;
        err_clear(e);
    }
    tell(f, &c);
    return true;
}

/* Makes each escape attempt in the place of a worker of each kind. */
static bool try_escapes(struct findings *f, const struct campaign_place *place, struct arena *a,
                        struct err *e)
{
    struct targets all;
    struct worker_kind kinds[N_KINDS] = {{0}};
    if (!targets_load(place->home, a, &all, e))
        return false;
    find_kinds(&all, kinds);
    for (int k = 0; k < N_KINDS; k++)
        if (!look_at_kind(f, &kinds[k], place->home, a, e))
            return false;
    for (size_t i = 0; i < probe_n_escapes() && (kinds[0].installation || kinds[1].installation);
         i++)
        if (!try_escape(f, kinds, place->home, i, a, e))
            return false;
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct campaign_place place;
    struct findings f = {.as_json = settings_want_json(s)};
    if (s->n_args)
        return err_set(e, ERR_USAGE, "no arguments are expected, got \"%s\"", s->args[0]);
    if (!campaign_find(s, &place, e))
        return false;
    f.json = json_open(&f.text, JSON_PRETTY);
    if (f.as_json)
        json_begin_array(&f.json);
    bool ok = look_at_machine(&f, s->arena, e);
    look_at_sandbox(&f, s->arena);
    ok = ok && look_at_targets(&f, &place, s->arena, e);
    if (ok && settings_flag(s, SETTING_doctor_sandbox))
        ok = try_escapes(&f, &place, s->arena, e);
    if (f.as_json)
        json_end_array(&f.json);
    else
        strbuf_printf(&f.text, f.n_problems == 1 ? "%u problem" : "%u problems", f.n_problems);
    strbuf_addc(&f.text, '\n');
    if (ok)
        out_put(strbuf_str(&f.text));
    strbuf_done(&f.text);
    *exit_code = f.n_problems ? EXIT_ENVIRONMENT : EXIT_DONE;
    return ok;
}

const struct command command_doctor = {
    .name = "doctor",
    .arguments = "",
    .summary = "check machine, compiler, sandbox and engines; say what to do about each problem",
    .details =
        "Each check is on, degraded or off, with what was found and, where it is not on, what "
        "to do. Exit 75 when something\n"
        "is off that assay needs. --sandbox starts a worker of each kind as a hunt does and makes "
        "escape attempts in its place:\n"
        "network, files outside, other processes, kernel interfaces, bombs. Each is held by the "
        "error that a layer gives,\n"
        "bounded with the figure that it reached (MiB, tasks, inodes, descriptors), or stated as "
        "not held.",
    .run = run,
};
