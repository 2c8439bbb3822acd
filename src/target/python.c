/*
 * Decides where the compiled-in Python files lie for interpreters: a folder named by their content,
 * so that two versions of the program never share one. Files are written whole and renamed into
 * place; a program that finds them there uses them.
 */
#include "target/python_p.h"

#include "base/file.h"
#include "base/path.h"
#include "base/share.h"

static struct hash hash_files(const struct share_file *files, size_t n)
{
    struct hasher h;
    hasher_init(&h);
    for (size_t i = 0; i < n; i++) {
        hasher_add_str(&h, str_of(files[i].path));
        hasher_add_str(&h, files[i].bytes);
    }
    return hasher_done(&h);
}

static bool write_once(const char *path, struct str bytes, struct arena *a, struct err *e)
{
    struct file_info info = file_stat(path);
    if (info.kind == FILE_REGULAR && info.size == bytes.n)
        return true;
    return file_make_dirs(str_dup(a, path_dir(str_of(path))), e) &&
           file_write(path, bytes.at, bytes.n, e);
}

bool python__extract(const char *home, struct arena *a, const char **out, struct err *e)
{
    char hex[HASH_HEX_SIZE];
    size_t n;
    const struct share_file *files = share_list("py/", &n);
    struct hash hash = hash_files(files, n);
    hash_to_hex(&hash, hex);
    char *dir = arena_printf(a, "%s/cache/py-%.16s", home, hex);
    for (size_t i = 0; i < n; i++)
        if (!write_once(path_join(a, dir, files[i].path + strlen("py/")), files[i].bytes, a, e))
            return false;
    *out = dir;
    return true;
}

bool python__files(struct pool *pool, struct err *e)
{
    if (pool->worker_path)
        return true;
    if (!pool->options.home)
        return err_set(e, ERR_INTERNAL, "a pool with Python workers needs a home folder");
    return python__extract(pool->options.home, &pool->arena, &pool->worker_path, e);
}
