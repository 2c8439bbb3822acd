/* Decides when a campaign must stop because of its disk. Must not know what the files hold. */
#include "hunt/campaign/folder_p.h"

#include "base/compiler.h"
#include "base/file.h"
#include "base/path.h"
#include "os/probe.h"

enum { FREE_PERCENT = 10 };

static void remember(struct folder *f, const char *path)
{
    struct file_info info = file_stat(path);
    f->files[f->n_files++] = (struct folder_file){path, info.device, info.inode};
}

bool folder__open(struct folder *f, const char *out, const char *store, uint64_t max_bytes,
                  struct arena *a, struct err *e)
{
    const char *artifacts = path_join(a, out, "artifacts");
    *f = (struct folder){.out = out, .artifacts = artifacts, .max_bytes = max_bytes};
    if (!file_make_dirs(artifacts, e))
        return false;
    remember(f, out);
    remember(f, artifacts);
    if (store)
        remember(f, store);
    return true;
}

static bool is_same(const struct folder_file *x, struct err *e)
{
    struct file_info now = file_stat(x->path);
    if (now.kind != FILE_MISSING && now.device == x->device && now.inode == x->inode)
        return true;
    return err_set(e, ERR_ENVIRONMENT, "%s was %s while the hunt ran", x->path,
                   now.kind == FILE_MISSING ? "removed" : "replaced");
}

bool folder__is_there(const struct folder *f, bool *artifacts_only, struct err *e)
{
    const struct folder_file *artifacts = NULL;
    *artifacts_only = false;
    for (size_t i = 0; i < f->n_files; i++) {
        const struct folder_file *x = &f->files[i];
        if (x->path == f->artifacts)
            artifacts = x;
        else if (!is_same(x, e))
            return false;
    }
    *artifacts_only = artifacts && !is_same(artifacts, e);
    return !*artifacts_only;
}

bool folder__lacks(const struct folder *f, struct str folder)
{
    struct arena a;
    arena_init(&a);
    bool lacks = !path_is_inside(folder) ||
                 (str_starts(folder, STR("artifacts/")) &&
                  file_stat(path_join(&a, f->out, str_dup(&a, folder))).kind != FILE_DIRECTORY);
    arena_done(&a);
    return lacks;
}

/* A file with several names, as weights that cases share, counts once altogether. */
static bool add_file(void *ctx, const char *path, struct err *e)
{
    struct file_info info = file_stat(path);
    (void)e;
    *(uint64_t *)ctx += info.size / MAX(info.n_names, 1);
    return true;
}

bool folder__add_size(const char *dir, uint64_t *n_bytes, struct err *e)
{
    const struct file_walk walk = {.visit = add_file, .ctx = n_bytes};
    return file_walk_tree(dir, &walk, e);
}

bool folder__has_room(const struct folder *f, struct err *e)
{
    uint64_t n_used = 0, n_free, n_all;
    struct err ignored;
    if (f->max_bytes > 0) {
        folder__add_size(f->out, &n_used, &ignored);
        if (n_used < f->max_bytes)
            return true;
        return err_set(e, ERR_ENVIRONMENT,
                       "%s takes %llu MB, --max-disk allows %llu; all is saved: make room by assay "
                       "prune or give a larger --max-disk, then go on with hunt --resume --out %s",
                       f->out, (unsigned long long)(n_used >> 20),
                       (unsigned long long)(f->max_bytes >> 20), f->out);
    }
    if (!probe_disk(f->out, &n_free, &n_all) || n_free >= n_all / 100 * FREE_PERCENT)
        return true;
    return err_set(
        e, ERR_ENVIRONMENT,
        "less than a tenth of the disk of %s is free (%llu MB); all is saved: make room "
        "(assay prune may help) or give --max-disk, then go on with hunt --resume --out %s",
        f->out, (unsigned long long)(n_free >> 20), f->out);
}
