/* Resolves what --target and --oracle name; loads cases. */
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

static bool is_program(const char *path)
{
    return str_ends(str_of(path), STR(".py"));
}

bool case_run_load(const struct settings *s, const char *path, struct tcase **out, struct err *e)
{
    struct model *m;
    struct input_sets sets;
    if (file_stat(path_join(s->arena, path, "case.json")).kind == FILE_REGULAR)
        return case_read(path, s->arena, out, e);
    const struct provenance from = {.generator = "file",
                                    .seed = (uint64_t)settings_int(s, SETTING_seed)};
    if (is_program(path)) {
        struct program *p = arena_new(s->arena, struct program);
        const char *whole;
        if (!file_read(path, PROGRAM_MAX, s->arena, &p->source, e) ||
            !file_absolute(s->arena, path, &whole, e))
            return false;
        p->path = str_of(whole);
        *out = case_of_program(p, arena_new(s->arena, struct tensors), 1, from, s->arena);
        return true;
    }
    if (!model_read_file(path, s->arena, &m, e))
        return false;
    /* What the reference lacks, engines may still run. */
    if ((!check_model(m, e) && e->code != ERR_UNSUPPORTED) ||
        (!infer_model(m, e) && e->code != ERR_UNSUPPORTED))
        return err_wrap(e, "%s", path);
    if (!model_inputs_find(s, m, &sets, e))
        return false;
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
    return targets_check_shares(out, e) || err_wrap(e, "--target");
}

bool case_run_oracles(const struct settings *s, uint32_t *out, struct err *e)
{
    size_t n;
    const char *const *names = settings_list(s, SETTING_oracle, &n);
    return oracle_choose(names, n, out, e) || err_wrap(e, "--oracle");
}

bool case_run_is_own_program(const struct settings *s)
{
    return s->n_args && is_program(s->args[0]) && !settings_given(s, SETTING_sandbox);
}

bool case_run_are_of_one_kind(const struct settings *s, struct err *e)
{
    for (size_t i = 1; i < s->n_args; i++)
        if (is_program(s->args[i]) != is_program(s->args[0]))
            return err_set(
                e, ERR_USAGE,
                "%s and %s: programs run as their user, models in the sandbox; name them "
                "in two commands",
                s->args[0], s->args[i]);
    return true;
}
