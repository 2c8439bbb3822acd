/*
 * Each folder is looked at once. Two folders share a setup when the nearest settings file and the
 * PyTorch version of the nearest project are the same.
 */
#include "cli/lint_folders.h"

#include "base/file.h"
#include "base/path.h"

void lint_folders_init(struct lint_folders *f, const struct settings *s)
{
    *f = (struct lint_folders){.s = s};
}

void lint_folders_done(struct lint_folders *f)
{
    for (size_t i = 0; i < f->setups.n; i++)
        rule_set_free(f->setups.at[i]->rules);
    *f = (struct lint_folders){0};
}

static bool look_at(struct lint_folders *f, struct str folder, const struct lint_folder **out,
                    struct err *e)
{
    struct arena *a = f->s->arena;
    bool found;
    const uint64_t *known = map_get(&f->rows, folder);
    if (known) {
        *out = (const struct lint_folder *)(uintptr_t)*known;
        return true;
    }
    struct lint_folder *row = arena_new(a, struct lint_folder);
    const char *dir = str_dup(a, folder);
    if (!f->s->is_fixed) {
        struct settings *own = arena_new(a, struct settings);
        if (!settings_in_folder(f->s, dir, own, &found, e))
            return false;
        row->own = found ? own : NULL;
    }
    row->is_project = lint_setup_torch_of_project(dir, a, &row->torch);
    map_put(&f->rows, a, (struct str){dir, folder.n}, (uint64_t)(uintptr_t)row);
    *out = row;
    return true;
}

/* The nearest settings and the nearest project's version, from the folder upwards. */
static bool look_above(struct lint_folders *f, const char *folder, const struct settings **s,
                       uint32_t *torch, struct err *e)
{
    bool has_project = settings_flag(f->s, SETTING_isolated);
    *s = NULL;
    *torch = 0;
    for (struct str at = str_of(folder);; at = path_dir(at)) {
        const struct lint_folder *row;
        if (!look_at(f, at, &row, e))
            return false;
        *s = *s ? *s : row->own;
        if (row->is_project && !has_project) {
            has_project = true;
            *torch = row->torch;
        }
        if ((has_project && *s) || at.n <= 1)
            break;
    }
    *s = *s ? *s : f->s;
    return true;
}

/* Settings from the same file are the same, whichever folder they were found from. */
static bool is_same(const struct settings *a, const struct settings *b)
{
    return a == b ||
           (a->config_path && b->config_path && strcmp(a->config_path, b->config_path) == 0);
}

static bool find_setup(struct lint_folders *f, const struct settings *s, uint32_t torch,
                       size_t *number, struct err *e)
{
    for (*number = 0; *number < f->setups.n; ++*number)
        if (is_same(f->setups.at[*number]->settings, s) && f->setups.at[*number]->torch == torch)
            return true;
    struct lint_setup *setup = arena_new(f->s->arena, struct lint_setup);
    if (!lint_setup_load(s, torch, setup, e))
        return false;
    setup->excludes.number = f->setups.n;
    vec_push(&f->setups, f->s->arena, setup);
    return true;
}

bool lint_folders_at(struct lint_folders *f, const char *folder, size_t *number, struct err *e)
{
    const struct settings *s;
    uint32_t torch;
    const uint64_t *known = map_get(&f->numbers, str_of(folder));
    if (known) {
        *number = (size_t)*known;
        return true;
    }
    if (!look_above(f, folder, &s, &torch, e) || !find_setup(f, s, torch, number, e))
        return false;
    map_put(&f->numbers, f->s->arena, str_of(arena_strdup(f->s->arena, folder)), *number);
    return true;
}

bool lint_folders_excludes(void *ctx, const char *folder, const struct discover_excludes **out,
                           struct err *e)
{
    struct lint_folders *folders = ctx;
    size_t number;
    if (!lint_folders_at(folders, folder, &number, e))
        return false;
    *out = &folders->setups.at[number]->excludes;
    return true;
}
