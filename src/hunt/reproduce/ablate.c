/*
 * Decides which mode and which single optimiser is at fault: the lowest level that shows the
 * reduced failure, and the one optimiser without which that level does not show it. Each mode and
 * each optimiser has a run in a fresh process, with no other target to compare with.
 */
#include "hunt/reproduce/ablate_p.h"

#include "base/json.h"
#include "base/share.h"

static const char *const *names_of(const struct json *list, struct arena *a)
{
    const char **names = arena_new_array(a, const char *, list->n);
    for (size_t i = 0; i < list->n; i++)
        names[i] = str_dup(a, list->items[i].string);
    return names;
}

bool ablate__optimizers(struct str engine, struct arena *a, struct optimizers *out, struct err *e)
{
    const struct json *root, *list, *approximate;
    struct str text;
    const char *path = arena_printf(a, "optimizers/" STR_FMT ".json", STR_ARG(engine));
    *out = (struct optimizers){0};
    if (!share_find(path, &text))
        return true;
    if (!json_parse(text, path, a, &root, e) ||
        !json_need(root, "optimizers", JSON_KIND_ARRAY, &list, e) ||
        !json_need(root, "approximate", JSON_KIND_ARRAY, &approximate, e))
        return err_wrap(e, "%s", path);
    *out =
        (struct optimizers){names_of(list, a), list->n, names_of(approximate, a), approximate->n};
    return true;
}

enum look { LOOK_SAME, LOOK_OTHER, LOOK_PASSES };

static enum look look_of(const struct judged *seen, const struct key *k)
{
    for (size_t i = 0; i < seen->keys.n; i++) {
        const struct key *x = &seen->keys.at[i];
        if (x->class == k->class && x->verdict->wrong == k->verdict->wrong &&
            str_eq(x->verdict->target.family, k->verdict->target.family))
            return LOOK_SAME;
    }
    bool passes = seen->keys.n == 0 && seen->n_observations > 0;
    for (size_t i = 0; i < seen->n_observations; i++)
        passes = passes && seen->observations[i].outcome == OUTCOME_OK;
    return passes ? LOOK_PASSES : LOOK_OTHER;
}

/* Runs the case in this target alone; disabled: an optimiser to switch off, or NULL. */
static bool look_at(struct runner *r, const struct tcase *c, const struct target *target,
                    const char *disabled, const struct key *k, struct arena *a, enum look *look,
                    struct err *e)
{
    struct judged seen;
    struct submission submission;
    struct pool_request request = runner_request(r, runner_plan(r, POOL_ANY), c, a);
    const struct target **only = arena_dup(a, &target, sizeof(struct target *));
    request.targets = only;
    request.n_targets = 1;
    request.dump_rewrites = false;
    request.fresh = POOL_FRESH_FORK;
    request.disabled_optimizers = disabled ? arena_dup(a, &disabled, sizeof(char *)) : NULL;
    request.n_disabled_optimizers = disabled != NULL;
    bool ok = runner_submit(r, &request, &submission, e) && runner_await(r, &submission, e) &&
              runner_judge_submission(r, &submission, RUNNER_KEYS, a, &seen, e);
    submission_done(&submission);
    if (!ok)
        return false;
    *look = look_of(&seen, k);
    return true;
}

/* The same installation in another mode; NULL: the mode has another number of threads or another
 * CPU, or needs a later version. */
static const struct target *in_mode(const struct target *t, const struct target_mode *mode,
                                    struct arena *a)
{
    if (mode->n_threads != t->mode->n_threads || !str_eq(mode->cpu, t->mode->cpu) ||
        (mode->least_version.n > 0 &&
         target_version_compare(t->installation->version, mode->least_version) < 0))
        return NULL;
    struct target *other = arena_new(a, struct target);
    *other = *t;
    other->mode = mode;
    other->id.mode = mode->name;
    other->id.is_base = mode->is_base;
    other->id.mode_rank = (uint32_t)(mode - t->installation->description->modes);
    return other;
}

/* *out: the first mode that shows the failure; NULL: none does. *is_first: no earlier mode, which
 * optimises less, has run. */
static bool find_mode(struct runner *r, const struct tcase *c, const struct key *k,
                      const struct target *from, struct arena *a, const struct target **out,
                      bool *is_first, struct err *e)
{
    const struct target_description *d = from->installation->description;
    *out = NULL;
    *is_first = true;
    for (size_t i = 0; i < d->n_modes && !*out; i++) {
        const struct target *t = in_mode(from, &d->modes[i], a);
        enum look look;
        if (!t)
            continue;
        if (!look_at(r, c, t, NULL, k, a, &look, e))
            return false;
        if (look == LOOK_SAME)
            *out = t;
        else
            *is_first = false;
    }
    return true;
}

bool ablate__find(struct runner *r, const struct tcase *c, const struct key *k,
                  const struct optimizers *optimizers, struct arena *a, struct ablation *out,
                  struct err *e)
{
    struct target_id id = k->verdict->target;
    const struct target *from, *lowest;
    bool is_first;
    id.mode = k->mode;
    from = runner_target(r, &id);
    *out = (struct ablation){0};
    if (optimizers->n == 0 || !from || k->class == BUG_RESOURCE || key_needs_parent(k))
        return true;
    if (!find_mode(r, c, k, from, a, &lowest, &is_first, e))
        return false;
    if (!lowest)
        return true;
    out->mode = lowest->mode->name;
    for (size_t i = 0; !is_first && out->pass.n == 0 && i < optimizers->n; i++) {
        enum look look;
        if (!look_at(r, c, lowest, optimizers->at[i], k, a, &look, e))
            return false;
        if (look == LOOK_PASSES)
            out->pass = str_of(optimizers->at[i]);
    }
    return true;
}
