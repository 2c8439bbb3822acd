/*
 * Decides what a worker may see, write and use: one policy for every kind of worker. Must not know
 * frames nor cases. Invariant: the sandbox that the escape attempts try is that of the pool's
 * workers, because both get it here.
 */
#include "target/worker_sandbox_p.h"

#include "base/file.h"
#include "base/path.h"

enum { WORKER_FILES_MAX = 512, WORKER_TASKS_MAX = 128, READABLE_MORE = 6 };
#define WORKER_FILE_BYTES ((uint64_t)2 << 30)
#define WORKER_SCRATCH_BYTES ((uint64_t)1 << 30)

/* The folder of a virtual environment under its registered name, links not resolved: Python looks
 * for pyvenv.cfg next to the name that it was started by. */
static const char *environment_of(const struct target_installation *i, struct arena *a)
{
    const char *folder = str_dup(a, path_dir(path_dir(i->python)));
    bool is_venv = file_stat(path_join(a, folder, "pyvenv.cfg")).kind == FILE_REGULAR;
    return is_venv ? folder : str_dup(a, i->python);
}

static const char **readable_by(const struct worker_sandbox *w, struct arena *a, size_t *n)
{
    const struct target_installation *i = w->installation;
    const char **list = arena_new_array(a, const char *, i->n_roots + READABLE_MORE);
    bool native = str_is(i->description->worker, "native");
    for (*n = 0; *n < i->n_roots; ++*n)
        list[*n] = i->roots[*n];
    list[(*n)++] = native ? w->program : w->worker_path;
    if (str_ends(i->description->worker, STR(".py")))
        list[(*n)++] = str_dup(a, path_dir(i->description->worker));
    if (!native)
        list[(*n)++] = environment_of(i, a);
    else if (i->library.n)
        list[(*n)++] = str_dup(a, i->library);
    list[(*n)++] = w->cases;
    if (w->also_readable)
        list[(*n)++] = w->also_readable;
    return list;
}

struct sandbox_limits worker_sandbox__limits(uint64_t memory_bytes)
{
    return (struct sandbox_limits){
        .memory_bytes = memory_bytes,
        .tree_memory_bytes = memory_bytes + memory_bytes / 4 + WORKER_SCRATCH_BYTES,
        .scratch_bytes = WORKER_SCRATCH_BYTES,
        .file_bytes = WORKER_FILE_BYTES,
        .n_files = WORKER_FILES_MAX,
        .n_processes = WORKER_TASKS_MAX,
    };
}

/* Gives a worker that has a user of its own its folder, and lets others pass through the folders
 * above it. */
static bool hand_over(const struct worker_sandbox *w, const struct sandbox_plan *plan,
                      struct arena *a, struct err *e)
{
    struct sandbox_facts facts = sandbox_plan_facts(plan);
    if (facts.has_namespaces || !facts.changes_id)
        return true;
    return scratch_let_pass(w->place, e) &&
           scratch_give_dir(w->place, str_dup(a, path_base(str_of(w->folder))), facts.uid,
                            facts.gid, e);
}

bool worker_sandbox__plan(const struct worker_sandbox *w, struct arena *a,
                          struct sandbox_plan **out, struct err *e)
{
    struct sandbox_policy policy = sandbox_policy_default();
    policy.wanted &= ~w->left_out;
    if (!w->best_effort)
        policy.required |= SANDBOX_BIT(SANDBOX_SECCOMP);
    policy.readable = readable_by(w, a, &policy.n_readable);
    policy.private_folder = w->folder;
    policy.accepts_root = w->best_effort;
    policy.limits = worker_sandbox__limits(w->memory_bytes);
    if (sandbox_is_sanitized() && str_is(w->installation->description->worker, "native"))
        policy.limits.memory_bytes = policy.limits.address_bytes = 0;
    if (!sandbox_plan_open(&policy, out, e))
        return err_wrap(e, "worker " STR_FMT, STR_ARG(w->installation->description->engine));
    if (hand_over(w, *out, a, e))
        return true;
    sandbox_plan_close(*out);
    *out = NULL;
    return false;
}

bool worker_sandbox__folder(const struct scratch *place, uint64_t number, struct arena *a,
                            const char **out, struct err *e)
{
    const char *name = arena_printf(a, "w%llu", (unsigned long long)number);
    *out = path_join(a, scratch_path(place), name);
    return scratch_make_dir(place, name, e);
}
