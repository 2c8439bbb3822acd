/*
 * Decides how an escape attempt takes the place of a worker: of a native one, as our own program
 * with other arguments; of a Python one, as its interpreter, which forks as for a case and runs our
 * program in the child. Must not know the attempts. Only that program is visible here beyond what a
 * Python worker sees.
 */
#include "target/worker_escape.h"

#include "base/path.h"
#include "target/launch_p.h"
#include "target/python_p.h"
#include "target/worker_sandbox_p.h"

#define ESCAPE_MEMORY ((uint64_t)4 << 30)

struct escape {
    struct arena arena;
    struct scratch *place;
    const char *program; /* ours */
    struct worker_sandbox sandbox;
    struct sandbox_plan *plan;
};

static bool is_native(const struct worker_escape_options *o)
{
    return str_is(o->installation->description->worker, "native");
}

static bool escape_open(const struct worker_escape_options *o, struct escape *w, struct err *e)
{
    struct arena *a = &w->arena;
    struct worker_sandbox *sandbox = &w->sandbox;
    *w = (struct escape){.program = o->program};
    arena_init(a);
    *sandbox =
        (struct worker_sandbox){.installation = o->installation,
                                .memory_bytes = o->memory_bytes ? o->memory_bytes : ESCAPE_MEMORY,
                                .best_effort = true, /* the outcome says what is not confined */
                                .left_out = o->left_out};
    if ((!w->program && !probe_self(a, &w->program, e)) || !scratch_open(&w->place, e) ||
        !scratch_make_dir(w->place, "cases", e) ||
        !worker_sandbox__folder(w->place, 0, a, &sandbox->folder, e))
        return false;
    sandbox->place = w->place;
    sandbox->program = sandbox->also_readable = w->program;
    sandbox->cases = path_join(a, scratch_path(w->place), "cases");
    if (!is_native(o) && !python__extract(o->home, a, &sandbox->worker_path, e))
        return false;
    return worker_sandbox__plan(sandbox, a, &w->plan, e);
}

static void escape_close(struct escape *w)
{
    sandbox_plan_close(w->plan);
    scratch_close(w->place);
    arena_done(&w->arena);
}

static const char *const *words_of(const struct worker_escape_options *o, struct escape *w)
{
    struct arena *a = &w->arena;
    const char **words = arena_new_array(a, const char *, 8);
    size_t n = 0;
    if (!is_native(o)) {
        words[n++] = str_dup(a, o->installation->python);
        words[n++] = "-I";
        words[n++] = "-B";
        words[n++] = path_join(a, w->sandbox.worker_path, "assay_worker/attempt.py");
    }
    words[n++] = w->program;
    words[n++] = "worker";
    words[n++] = "attempt";
    words[n] = NULL;
    return words;
}

bool worker_escape_try(const struct worker_escape_options *o, size_t attempt,
                       struct probe_outcome *out, struct err *e)
{
    struct escape w;
    bool ok = escape_open(o, &w, e);
    if (ok) {
        const struct probe_worker worker = {
            .program = is_native(o) ? w.program : str_dup(&w.arena, o->installation->python),
            .words = words_of(o, &w),
            .env = launch__environment(w.sandbox.folder, &w.arena),
            .folder = w.sandbox.folder,
            .plan = w.plan};
        ok = probe_escape_run(attempt, &worker, out, e);
    }
    escape_close(&w);
    return ok || err_wrap(e, "attempt \"%s\"", probe_escape_name(attempt));
}

bool worker_escape_state(const struct worker_escape_options *o, struct sandbox_state *out,
                         struct err *e)
{
    struct escape w;
    bool ok = escape_open(o, &w, e);
    if (ok)
        *out = *sandbox_plan_state(w.plan);
    escape_close(&w);
    return ok;
}
