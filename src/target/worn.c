/*
 * Decides how an escape attempt takes the place of a worker: of a native one, as our own program
 * with other arguments; of a Python one, as its interpreter, which forks as for a case and runs our
 * program in the child. Must not know the attempts. Only that program is visible here beyond what a
 * Python worker sees.
 */
#include "target/worn.h"

#include "base/path.h"
#include "target/launch_p.h"
#include "target/python_p.h"
#include "target/wear_p.h"

#define WORN_MEMORY ((uint64_t)4 << 30)

struct worn {
    struct arena arena;
    struct scratch *place;
    const char *program; /* ours */
    struct wear wear;
    struct sandbox_plan *plan;
};

static bool is_native(const struct worn_options *o)
{
    return str_is(o->installation->description->worker, "native");
}

static bool worn_open(const struct worn_options *o, struct worn *w, struct err *e)
{
    struct arena *a = &w->arena;
    struct wear *wear = &w->wear;
    *w = (struct worn){.program = o->program};
    arena_init(a);
    *wear = (struct wear){.installation = o->installation,
                          .memory_bytes = o->memory_bytes ? o->memory_bytes : WORN_MEMORY,
                          .best_effort = true, /* the outcome says what is not confined */
                          .left_out = o->left_out};
    if ((!w->program && !probe_self(a, &w->program, e)) || !scratch_open(&w->place, e) ||
        !scratch_make_dir(w->place, "cases", e) || !wear__folder(w->place, 0, a, &wear->folder, e))
        return false;
    wear->place = w->place;
    wear->program = wear->also_readable = w->program;
    wear->cases = path_join(a, scratch_path(w->place), "cases");
    if (!is_native(o) && !python__extract(o->home, a, &wear->worker_path, e))
        return false;
    return wear__plan(wear, a, &w->plan, e);
}

static void worn_close(struct worn *w)
{
    sandbox_plan_close(w->plan);
    scratch_close(w->place);
    arena_done(&w->arena);
}

static const char *const *words_of(const struct worn_options *o, struct worn *w)
{
    struct arena *a = &w->arena;
    const char **words = arena_new_array(a, const char *, 8);
    size_t n = 0;
    if (!is_native(o)) {
        words[n++] = str_dup(a, o->installation->python);
        words[n++] = "-I";
        words[n++] = "-B";
        words[n++] = path_join(a, w->wear.worker_path, "assay_worker/attempt.py");
    }
    words[n++] = w->program;
    words[n++] = "worker";
    words[n++] = "attempt";
    words[n] = NULL;
    return words;
}

bool worn_try(const struct worn_options *o, size_t attempt, struct probe_outcome *out,
              struct err *e)
{
    struct worn w;
    bool ok = worn_open(o, &w, e);
    if (ok) {
        const struct probe_dress dress = {
            .program = is_native(o) ? w.program : str_dup(&w.arena, o->installation->python),
            .words = words_of(o, &w),
            .env = launch__environment(w.wear.folder, &w.arena),
            .folder = w.wear.folder,
            .plan = w.plan};
        ok = probe_escape_run(attempt, &dress, out, e);
    }
    worn_close(&w);
    return ok || err_wrap(e, "attempt \"%s\"", probe_escape_name(attempt));
}

bool worn_state(const struct worn_options *o, struct sandbox_state *out, struct err *e)
{
    struct worn w;
    bool ok = worn_open(o, &w, e);
    if (ok)
        *out = *sandbox_plan_state(w.plan);
    worn_close(&w);
    return ok;
}
