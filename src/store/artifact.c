/*
 * Decides where content lies and under which name. Does not know what the files hold. A folder is
 * complete before it gets its name, so a folder that exists is whole. Links inside are not followed
 * and not counted.
 */
#include "store/artifact.h"

#include "base/compiler.h"
#include "base/fault.h"
#include "base/file.h"
#include "base/path.h"
#include "base/vec.h"
#include "case/disk.h"

#define ARTIFACT_FILE_MAX ((size_t)1 << 31)

struct manifest {
    struct arena *a;
    const char *root;
    struct strbuf text;
    int64_t n_bytes;
};

static bool hash_file(const char *path, struct hash *out, int64_t *n_bytes, struct err *e)
{
    struct arena a;
    struct str bytes;
    arena_init(&a);
    bool ok = file_map(path, ARTIFACT_FILE_MAX, &a, &bytes, e);
    if (ok) {
        *out = hash_of(bytes.at, bytes.n);
        *n_bytes = (int64_t)bytes.n;
    }
    arena_done(&a);
    return ok;
}

static bool add_file(void *ctx, const char *path, struct err *e)
{
    struct manifest *m = ctx;
    struct hash h;
    char hex[HASH_HEX_SIZE];
    int64_t n_bytes;
    if (!hash_file(path, &h, &n_bytes, e))
        return false;
    hash_to_hex(&h, hex);
    strbuf_printf(&m->text, "%s %s\n", hex, path + strlen(m->root) + 1);
    m->n_bytes += n_bytes;
    return true;
}

static bool move_folder(const char *from, const char *to, struct arena *a, struct err *e)
{
    if (file_stat(to).kind == FILE_DIRECTORY)
        return file_remove_tree(from, e);
    if (!file_make_dirs(str_dup(a, path_dir(str_of(to))), e))
        return false;
    if ((!fault_hit("rename") && rename(from, to) == 0) || file_stat(to).kind == FILE_DIRECTORY)
        return file_remove_tree(from, e); /* another writer was faster */
    return err_errno(e, ERR_IO, "artifact %s: cannot be moved to %s", from, to);
}

/* Large tensors lie in files named by their content. Equal ones of two folders become one file with
 * several names: its own, in each folder, and the one in artifacts/weights by which it is found. A
 * file system without such names keeps copies. */
static bool share_weights(const char *root, const char *from, struct arena *a, struct err *e)
{
    const char *own = path_join(a, from, CASE_WEIGHTS_DIR);
    const char *all = path_join(a, root, "artifacts/" CASE_WEIGHTS_DIR);
    struct file_list list = {0};
    struct err ignored = {0};
    if (file_stat(own).kind != FILE_DIRECTORY)
        return true;
    if (!file_make_dirs(all, e) || !file_list_dir(own, a, &list, e))
        return false;
    for (size_t i = 0; i < list.n; i++) {
        const char *mine = path_join(a, own, list.names[i]);
        const char *common = path_join(a, all, list.names[i]);
        const char *next = path_join(a, from, "linked");
        if (file_stat(common).kind == FILE_MISSING && !file_link(mine, common, &ignored))
            return true;
        if (file_stat(common).inode != file_stat(mine).inode &&
            (!file_link(common, next, &ignored) || !file_rename(next, mine, e)))
            return ignored.code != ERR_NONE;
    }
    return true;
}

bool artifact_take(const char *root, const char *kind, const char *from, struct arena *a,
                   struct store_artifact *row, struct err *e)
{
    struct manifest m = {.a = a, .root = path_normalise(a, str_of(from))};
    const struct file_walk walk = {.visit = add_file, .ctx = &m};
    char hex[HASH_HEX_SIZE];
    bool ok = share_weights(root, m.root, a, e) && file_walk_tree(m.root, &walk, e);
    if (ok) {
        *row = (struct store_artifact){.tree = hash_of(m.text.at, m.text.n),
                                       .kind = str_of(arena_strdup(a, kind)),
                                       .manifest = strbuf_dup(&m.text, a),
                                       .n_bytes = m.n_bytes};
        hash_to_hex(&row->tree, hex);
        row->folder = str_of(arena_printf(a, "artifacts/%.2s/%s", hex, hex));
        ok = move_folder(m.root, artifact_path(root, row->folder, a), a, e);
    }
    strbuf_done(&m.text);
    return ok;
}

static bool verify_line(const char *root, struct str folder, struct str line, struct arena *a,
                        struct err *e)
{
    struct hash wanted, got;
    int64_t n_bytes;
    size_t space = str_find_byte(line, ' ');
    struct str name = str_sub(line, space + 1, line.n);
    if (!hash_from_hex(str_sub(line, 0, space), &wanted) || !path_is_inside(name))
        return err_set(e, ERR_DATA, "artifact " STR_FMT ": manifest line \"" STR_FMT "\" is broken",
                       STR_ARG(folder), STR_ARG(line));
    const char *path = path_join(a, artifact_path(root, folder, a), str_dup(a, name));
    if (!hash_file(path, &got, &n_bytes, e))
        return err_wrap(e, "artifact " STR_FMT, STR_ARG(folder));
    if (!hash_eq(&wanted, &got))
        return err_set(e, ERR_DATA, "artifact %s: the file was changed after it was kept", path);
    return true;
}

bool artifact_verify(const char *root, const struct store_artifact *row, struct err *e)
{
    struct arena a;
    struct str rest = row->manifest, line;
    bool ok = true;
    arena_init(&a);
    while (ok && str_split(&rest, '\n', &line))
        if (line.n)
            ok = verify_line(root, row->folder, line, &a, e);
    arena_done(&a);
    return ok;
}

char *artifact_path(const char *root, struct str folder, struct arena *a)
{
    return path_join(a, root, str_dup(a, folder));
}

bool artifact_scratch(const char *root, const char *name, struct arena *a, const char **out,
                      struct err *e)
{
    *out = path_join(a, path_join(a, root, "artifacts/tmp"), name);
    return file_remove_tree(*out, e) && file_make_dirs(*out, e);
}
