/*
 * Decides which layers a plan applies, and refuses a plan that lacks a required layer. Must not
 * know how a layer works. Invariant: a layer is applied before those that take away what it needs
 * (apply_order), and is never reported as on unless its apply has succeeded in the child.
 */
#include "os/sandbox.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "os/sandbox_p.h"

static const struct {
    const char *name;
    const struct sandbox_layer_ops *ops;
} layers[SANDBOX_N_LAYERS] = {
    [SANDBOX_LIMITS] = {"limits", &sandbox__limits},
    [SANDBOX_SECCOMP] = {"seccomp", &sandbox__seccomp},
    [SANDBOX_LANDLOCK] = {"landlock", &sandbox__landlock},
    [SANDBOX_NAMESPACES] = {"namespaces", &sandbox__namespaces},
    [SANDBOX_CGROUP] = {"cgroup", &sandbox__cgroup},
};

/* LIMITS sets no_new_privs, without which an ordinary user cannot apply the two after it, and takes
 * away what the two before it need. */
static const enum sandbox_layer apply_order[SANDBOX_N_LAYERS] = {
    SANDBOX_CGROUP, SANDBOX_NAMESPACES, SANDBOX_LIMITS, SANDBOX_LANDLOCK, SANDBOX_SECCOMP,
};

static const char *const mode_names[] = {
    [SANDBOX_OFF] = "off", [SANDBOX_DEGRADED] = "degraded", [SANDBOX_ON] = "on"};

const char *sandbox_layer_name(enum sandbox_layer layer)
{
    return layers[layer].name;
}

const char *sandbox_mode_name(enum sandbox_mode mode)
{
    return mode_names[mode];
}

/* A program under a sanitizer maps terabytes when it starts, so it cannot be the first process of a
 * namespace, which has the worker's limits; and without NAMESPACES another user could not read our
 * files. */
struct sandbox_policy sandbox_policy_default(void)
{
    unsigned left_out = sandbox_is_sanitized() ? SANDBOX_BIT(SANDBOX_NAMESPACES) : 0;
    return (struct sandbox_policy){
        .required = SANDBOX_BIT(SANDBOX_LIMITS),
        .wanted = (SANDBOX_BIT(SANDBOX_N_LAYERS) - 1) & ~left_out,
        .limits = {.n_files = 256, .file_bytes = UINT64_C(1) << 30},
        .keeps_identity = left_out != 0,
    };
}

void sandbox_probe(struct sandbox_state *out)
{
    for (size_t i = 0; i < SANDBOX_N_LAYERS; i++)
        layers[i].ops->probe(&out->layer[i]);
}

void sandbox_state_print(const struct sandbox_state *state, struct strbuf *out)
{
    size_t n_on = 0, n_off = 0;
    for (size_t i = 0; i < SANDBOX_N_LAYERS; i++) {
        n_on += state->layer[i].mode == SANDBOX_ON;
        n_off += state->layer[i].mode == SANDBOX_OFF;
    }
    if (n_on == SANDBOX_N_LAYERS || n_off == SANDBOX_N_LAYERS) {
        strbuf_adds(out, n_off ? "off" : "full");
        return;
    }
    const char *separator = "best effort (";
    for (size_t i = 0; i < SANDBOX_N_LAYERS; i++)
        if (state->layer[i].mode != SANDBOX_ON) {
            strbuf_printf(out, "%s%s %s", separator, layers[i].name,
                          mode_names[state->layer[i].mode]);
            separator = ", ";
        }
    strbuf_addc(out, ')');
}

static bool prepare_layer(const struct sandbox_policy *policy, enum sandbox_layer layer,
                          const struct sandbox_state *offered, struct sandbox_plan *plan,
                          struct err *e)
{
    struct sandbox_layer_state *state = &plan->state.layer[layer];
    bool is_required = policy->required & SANDBOX_BIT(layer);
    if (!is_required && !(policy->wanted & SANDBOX_BIT(layer))) {
        sandbox__set_state(state, SANDBOX_OFF, "not asked for");
        return true;
    }
    *state = offered->layer[layer];
    if (state->mode == SANDBOX_OFF && is_required)
        return err_set(e, ERR_ENVIRONMENT, "sandbox: the required layer %s is off: %s",
                       layers[layer].name, state->reason);
    return state->mode == SANDBOX_OFF || layers[layer].ops->prepare(policy, plan, e) ||
           err_wrap(e, "sandbox: layer %s", layers[layer].name);
}

/* Opens the program of the first process: ourselves, who answer to "worker init". */
static bool open_init(struct sandbox_plan *plan, struct err *e)
{
    plan->init_fd = sandbox__keep_high(open("/proc/self/exe", O_PATH | O_CLOEXEC));
    return plan->init_fd >= 0 || err_errno(e, ERR_ENVIRONMENT, "/proc/self/exe: cannot open");
}

static bool check_identity(const struct sandbox_policy *policy, const struct sandbox_plan *plan,
                           struct err *e)
{
    if (!plan->identity.is_root_without_ids || plan->namespaces.clone_flags || policy->accepts_root)
        return true;
    return err_set(e, ERR_ENVIRONMENT,
                   "sandbox: root can take no other identity here, and nothing untrusted runs as "
                   "root: run assay as an ordinary user");
}

/* Leaves out NAMESPACES where reading is not confined: no new root could show everything. */
static struct sandbox_policy without_box(const struct sandbox_policy *policy)
{
    struct sandbox_policy p = *policy;
    if (p.read_anything || p.keeps_identity)
        p.wanted &= ~SANDBOX_BIT(SANDBOX_NAMESPACES);
    return p;
}

bool sandbox_plan_open(const struct sandbox_policy *policy, struct sandbox_plan **out,
                       struct err *e)
{
    const struct sandbox_policy p = without_box(policy);
    struct sandbox_state offered;
    struct sandbox_plan *plan = mem_alloc(sizeof *plan);
    *plan = (struct sandbox_plan){.ruleset_fd = -1, .scratch_fd = -1, .init_fd = -1};
    arena_init(&plan->arena);
    plan->private_folder = p.private_folder ? arena_strdup(&plan->arena, p.private_folder) : NULL;
    if (p.keeps_identity)
        plan->identity = (struct sandbox_identity){.uid = geteuid(), .gid = getegid()};
    else
        sandbox__find_identity(&plan->identity);
    sandbox_probe(&offered);
    bool ok = open_init(plan, e);
    for (int i = SANDBOX_N_LAYERS - 1; ok && i >= 0; i--)
        ok = prepare_layer(&p, (enum sandbox_layer)i, &offered, plan, e);
    if (!ok || !check_identity(&p, plan, e)) {
        sandbox_plan_close(plan);
        return false;
    }
    *out = plan;
    return true;
}

void sandbox_plan_close(struct sandbox_plan *plan)
{
    if (!plan)
        return;
    sandbox__remove_groups(plan);
    if (plan->ruleset_fd >= 0)
        close(plan->ruleset_fd);
    if (plan->init_fd >= 0)
        close(plan->init_fd);
    arena_done(&plan->arena);
    free(plan);
}

const struct sandbox_state *sandbox_plan_state(const struct sandbox_plan *plan)
{
    return &plan->state;
}

struct sandbox_facts sandbox_plan_facts(const struct sandbox_plan *plan)
{
    return (struct sandbox_facts){.has_namespaces = plan->namespaces.clone_flags != 0,
                                  .counts_memory = plan->counts_memory,
                                  .counts_processes = plan->counts_processes,
                                  .uid = plan->identity.uid,
                                  .gid = plan->identity.gid,
                                  .changes_id = plan->identity.changes};
}

unsigned long sandbox_clone_flags(const struct sandbox_plan *plan)
{
    return plan->namespaces.clone_flags;
}

int sandbox_scratch_fd(const struct sandbox_plan *plan)
{
    return plan->scratch_fd;
}

int sandbox_init_fd(const struct sandbox_plan *plan)
{
    return plan->init_fd;
}

int sandbox_apply(struct sandbox_plan *plan, enum sandbox_layer *layer)
{
    for (size_t i = 0; i < SANDBOX_N_LAYERS; i++) {
        *layer = apply_order[i];
        int error =
            plan->state.layer[*layer].mode == SANDBOX_OFF ? 0 : layers[*layer].ops->apply(plan);
        if (error)
            return error;
    }
    return 0;
}
