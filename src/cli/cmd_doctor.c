/* assay doctor: does this machine have what assay needs, and what to do about each problem. */
#include "base/file.h"
#include "base/path.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "os/probe.h"
#include "os/process.h"
#include "target/target.h"

/* Findings go out as lines or as JSON objects, and are counted. */
struct findings {
    bool as_json;
    struct strbuf text;
    struct json_out json;
    unsigned n_problems;
};

static void tell(struct findings *f, const char *what, bool good, const char *state,
                 const char *advice)
{
    f->n_problems += !good;
    if (f->as_json) {
        json_begin_object(&f->json);
        json_pair_cstr(&f->json, "check", what);
        json_pair_bool(&f->json, "ok", good);
        json_pair_cstr(&f->json, "state", state);
        json_pair_cstr(&f->json, "advice", good ? NULL : advice);
        json_end_object(&f->json);
        return;
    }
    strbuf_printf(&f->text, "%-5s %-26s %s\n", good ? "ok" : "needs", what, state);
    if (!good && advice)
        strbuf_printf(&f->text, "      %-26s -> %s\n", "", advice);
}

static bool look_at_machine(struct findings *f, struct arena *a, struct err *e)
{
    struct probe_machine m;
    uint64_t free_bytes;
    const char *path;
    if (!probe_machine(a, &m, e))
        return false;
    tell(f, "machine", true,
         arena_printf(a, "%u cores, %.1f GiB, kernel %s", m.n_cpus,
                      (double)m.memory_bytes / (1 << 30), m.kernel),
         NULL);
    tell(f, "memory", m.memory_bytes >= (uint64_t)2 << 30,
         m.memory_bytes >= (uint64_t)2 << 30 ? "enough" : "under 2 GiB",
         "engines need about 1 GiB each: use fewer pilots");
    if (probe_free_bytes("/dev/shm", &free_bytes))
        tell(f, "/dev/shm", free_bytes >= (uint64_t)64 << 20,
             arena_printf(a, "%.0f MiB free", (double)free_bytes / (1 << 20)),
             "tensors travel through it: enlarge it, or assay uses $TMPDIR and is slower");
    bool has_python = process_find_program("python3", a, &path, e);
    tell(f, "python3", has_python, has_python ? path : "not found",
         "install python3 and python3-venv: environments of engines need them");
    err_clear(e);
    return true;
}

static void look_at_sandbox(struct findings *f, struct arena *a)
{
    struct sandbox_state state;
    sandbox_probe(&state);
    for (int i = 0; i < SANDBOX_N_LAYERS; i++) {
        const struct sandbox_layer_state *layer = &state.layer[i];
        bool needed = i == SANDBOX_LIMITS || i == SANDBOX_SECCOMP;
        tell(f, arena_printf(a, "sandbox %s", sandbox_layer_name((enum sandbox_layer)i)),
             !needed || layer->mode != SANDBOX_OFF,
             arena_printf(a, "%s%s%s", sandbox_mode_name(layer->mode), layer->reason[0] ? ": " : "",
                          layer->reason),
             "hunts of graph cases need this layer: run where the kernel offers it, or with "
             "--sandbox best-effort");
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
        tell(f,
             arena_printf(a, "engine " STR_FMT "@" STR_FMT, STR_ARG(inst->description->engine),
                          STR_ARG(inst->version)),
             there, str_dup(a, file), "its environment is gone: assay targets add makes it again");
    }
    if (all.n_installations == 0)
        tell(f, "engines", false, "none installed", "assay targets add ort");
    return true;
}

/* Each escape attempt inside the sandbox that graph cases get. */
static bool try_escapes(struct findings *f, struct arena *a, struct err *e)
{
    for (size_t i = 0; i < probe_n_escapes(); i++) {
        struct probe_outcome got;
        if (!probe_escape_run(i, &got, e))
            return err_wrap(e, "escape attempt %s", probe_escape_name(i));
        tell(f, arena_printf(a, "escape %s", probe_escape_name(i)),
             got.verdict == PROBE_HELD || got.verdict == PROBE_NOT_COVERED,
             arena_printf(a, "%s%s%s", probe_verdict_name(got.verdict), got.detail[0] ? ": " : "",
                          got.detail),
             "do not run untrusted programs on this machine");
    }
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
        ok = try_escapes(&f, s->arena, e);
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
    .summary = "check machine, sandbox and engines; say what to do about each problem",
    .details = "--sandbox makes escape attempts inside the real sandbox: network, files outside, "
               "other processes, kernel\n"
               "interfaces, bombs. Each must be stopped by the error that the sandbox gives.",
    .run = run,
};
