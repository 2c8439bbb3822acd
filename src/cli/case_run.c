/* Opens what --target, --oracle and --sandbox name; loads cases; runs and judges one. */
#include "cli/case_run.h"

#include "base/file.h"
#include "base/path.h"
#include "case/disk.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "cli/model_inputs.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"

enum { PROGRAM_MAX = 1 << 20 };
#define OWN_DEADLINE_MS ((int64_t)7 * 24 * 3600 * 1000) /* a training script may take days */

bool case_run_load(const struct settings *s, const char *path, struct tcase **out, struct err *e)
{
    struct model *m;
    struct input_sets sets;
    if (file_stat(path_join(s->arena, path, "case.json")).kind == FILE_REGULAR)
        return case_read(path, s->arena, out, e);
    const struct provenance from = {.generator = "file",
                                    .seed = (uint64_t)settings_int(s, SETTING_seed)};
    if (str_ends(str_of(path), STR(".py"))) {
        struct program *p = arena_new(s->arena, struct program);
        const char *folder;
        if (!file_read(path, PROGRAM_MAX, s->arena, &p->source, e) ||
            !file_current_dir(s->arena, &folder, e))
            return false;
        p->path = str_of(path_absolute(s->arena, folder, path));
        *out = case_of_program(p, arena_new(s->arena, struct tensors), 1, from, s->arena);
        return true;
    }
    if (!model_read_file(path, s->arena, &m, e))
        return false;
    if (!check_model(m, e) || !infer_model(m, e))
        return err_wrap(e, "%s", path);
    if (!model_inputs_find(s, m, &sets, e))
        return err_wrap(e, "%s", path);
    *out = case_of_graph(m, sets.at, sets.n, from, s->arena);
    return true;
}

bool case_run_targets(const struct settings *s, const char *home, struct targets *all,
                      struct target_list *out, struct err *e)
{
    size_t n;
    const char *const *names = settings_list(s, SETTING_target, &n);
    if (!targets_load(home, s->arena, all, e))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!targets_resolve(all, names[i], s->arena, out, e))
            return err_wrap(e, "--target");
    targets_add_runners(out, s->arena);
    return true;
}

bool case_run_oracles(const struct settings *s, uint32_t *out, struct err *e)
{
    size_t n;
    const char *const *names = settings_list(s, SETTING_oracle, &n);
    return oracle_choose(names, n, out, e) || err_wrap(e, "--oracle");
}

/* A program named on the command line runs as its user would run it, unless --sandbox is given. */
static bool is_own_program(const struct settings *s)
{
    return s->n_args == 1 && str_ends(str_of(s->args[0]), STR(".py")) &&
           !settings_given(s, SETTING_sandbox);
}

bool case_run_open(struct case_run *r, const struct settings *s, struct err *e)
{
    struct campaign_place place;
    *r = (struct case_run){0};
    if (!campaign_find(s, &place, e) || !case_run_oracles(s, &r->judge.oracles, e) ||
        !case_run_targets(s, place.home, &r->all, &r->targets, e) || !loop_open(&r->loop, e))
        return false;
    struct pool_options o = {.loop = r->loop,
                             .home = place.home,
                             .best_effort =
                                 strcmp(settings_text(s, SETTING_sandbox), "best-effort") == 0,
                             .as_user = is_own_program(s),
                             .is_mute = settings_want_json(s)};
    if (o.as_user)
        o.deadline_ms = OWN_DEADLINE_MS;
    if (pool_open(&o, &r->pool, e))
        return true;
    loop_close(r->loop);
    return false;
}

void case_run_close(struct case_run *r)
{
    pool_close(r->pool);
    loop_close(r->loop);
}

bool case_run_only(struct case_run *r, const struct settings *s, const char *target, struct err *e)
{
    r->targets = (struct target_list){0};
    if (!targets_resolve(&r->all, target, s->arena, &r->targets, e))
        return false;
    targets_add_runners(&r->targets, s->arena);
    return true;
}

/* Runs the parent of a function-preserving case once in the same targets. Does nothing when the
 * oracle is off or the parent was not kept. */
static bool run_parent(struct case_run *r, const struct tcase *c, struct arena *a,
                       struct case_seen *out, struct err *e)
{
    const struct tcase *parent = judge_parent(&r->judge, c, a);
    struct pool_request request = {
        .c = parent, .targets = r->targets.at, .n_targets = r->targets.n, .arena = a};
    if (!parent)
        return true;
    if (!pool_run(r->pool, &request, &out->parents, e))
        return err_wrap(e, "the parent");
    out->evidence.parents = out->parents.observations;
    out->evidence.n_parents = out->parents.n_observations;
    return true;
}

bool case_run_judge(struct case_run *r, const struct tcase *c, struct arena *a,
                    struct case_seen *out, struct err *e)
{
    struct pool_request request = {
        .c = c, .targets = r->targets.at, .n_targets = r->targets.n, .arena = a, .n_repeats = 2};
    if (!pool_run(r->pool, &request, &out->observations, e))
        return false;
    out->evidence = (struct evidence){.c = c,
                                      .observations = out->observations.observations,
                                      .n_observations = out->observations.n_observations};
    return run_parent(r, c, a, out, e) && reference_make(c, a, &out->evidence.refs, e) &&
           judge_case(&r->judge, &out->evidence, a, &out->verdicts, e);
}
