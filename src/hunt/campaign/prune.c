/*
 * Decides which folders of a campaign are no longer needed: cases of failing keys whose reduction
 * is settled, and what a killed program left unfinished. Bugs keep theirs. Must not know formats.
 */
#include "base/compiler.h"
#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/path.h"
#include "case/disk.h"
#include "hunt/campaign/campaign_p.h"
#include "hunt/campaign/folder_p.h"

static bool keep_bugs(struct store *s, struct arena *a, struct map *needed, struct err *e)
{
    struct store_bugs bugs;
    if (!store_bugs(s, STR(""), a, &bugs, e))
        return false;
    for (size_t i = 0; i < bugs.n; i++)
        map_put(needed, a, bugs.at[i].folder, 1);
    return true;
}

/* Keeps the folders of reductions that wait or that a resumed campaign tries again. */
static bool keep_jobs(struct store *s, int64_t campaign, struct arena *a, struct map *needed,
                      struct err *e)
{
    struct store_jobs jobs;
    if (!store_jobs(s, campaign, STR(""), a, &jobs, e))
        return false;
    for (size_t i = 0; i < jobs.n; i++) {
        const struct json *subject;
        if (str_is(jobs.at[i].state, "done") || str_is(jobs.at[i].state, "known"))
            continue;
        if (!json_parse(jobs.at[i].subject, "job", a, &subject, e))
            return err_wrap(e, "job " STR_FMT, STR_ARG(jobs.at[i].name));
        map_put(needed, a, json_get_str(subject, "folder", STR("")), 1);
    }
    return true;
}

static bool find_needed(struct store *s, struct arena *a, struct map *needed, struct err *e)
{
    struct store_campaigns campaigns;
    if (!store_campaigns(s, a, &campaigns, e) || !keep_bugs(s, a, needed, e))
        return false;
    for (size_t i = 0; i < campaigns.n; i++) {
        if (resume__is_alive(campaigns.at[i].owner, a))
            return err_set(e, ERR_USAGE,
                           "campaign %lld of this store is being run by " STR_FMT
                           " (host:pid:start); prune it when it has ended",
                           (long long)campaigns.at[i].id, STR_ARG(campaigns.at[i].owner));
        if (!keep_jobs(s, campaigns.at[i].id, a, needed, e))
            return false;
    }
    return true;
}

static bool remove_folder(const char *path, struct hunt_pruned *out, struct err *e)
{
    out->n_folders++;
    return folder__add_size(path, &out->n_bytes, e) && file_remove_tree(path, e);
}

/* Prunes a subfolder of artifacts/: "tmp", "3f", which holds the folders 3f2a..., or the weights,
 * which no folder that was kept shares. */
static bool prune_part(const char *out_dir, const char *prefix, const struct map *needed,
                       struct arena *a, struct hunt_pruned *out, struct err *e)
{
    struct file_list list;
    const char *dir = path_join(a, path_join(a, out_dir, "artifacts"), prefix);
    if (strcmp(prefix, "tmp") == 0)
        return remove_folder(dir, out, e);
    if (!file_list_dir(dir, a, &list, e))
        return false;
    for (size_t i = 0; i < list.n; i++) {
        const char *name = arena_printf(a, "artifacts/%s/%s", prefix, list.names[i]);
        bool is_shared = strcmp(prefix, CASE_WEIGHTS_DIR) == 0 &&
                         file_stat(path_join(a, out_dir, name)).n_names > 1;
        if (!is_shared && !map_get(needed, str_of(name)) &&
            !remove_folder(path_join(a, out_dir, name), out, e))
            return false;
    }
    return true;
}

bool hunt_prune(struct store *s, const char *out_dir, struct hunt_pruned *out, struct err *e)
{
    struct arena a;
    struct map needed = {0};
    struct file_list list = {0};
    *out = (struct hunt_pruned){0};
    arena_init(&a);
    const char *dir = path_join(&a, out_dir, "artifacts");
    bool ok = find_needed(s, &a, &needed, e) &&
              (file_stat(dir).kind != FILE_DIRECTORY || file_list_dir(dir, &a, &list, e));
    for (size_t i = 0; ok && i < list.n; i++)
        ok = prune_part(out_dir, list.names[i], &needed, &a, out, e);
    arena_done(&a);
    return ok;
}
