/*
 * Walks folders with an explicit stack. Ignore files follow gitignore(5): the last pattern that
 * matches wins, '!' takes back, a pattern with a slash is anchored to its folder.
 */
#include "lint/discover.h"

#include "base/file.h"
#include "base/map.h"
#include "base/path.h"

enum { IGNORE_BYTES_MAX = 1 << 20, DEPTH_MAX = 200 };

static const char *const default_excludes[] = {".bzr",
                                               ".direnv",
                                               ".eggs",
                                               ".git",
                                               ".git-rewrite",
                                               ".hg",
                                               ".ipynb_checkpoints",
                                               ".mypy_cache",
                                               ".nox",
                                               ".pants.d",
                                               ".pyenv",
                                               ".pytest_cache",
                                               ".pytype",
                                               ".ruff_cache",
                                               ".svn",
                                               ".tox",
                                               ".venv",
                                               ".vscode",
                                               "__pypackages__",
                                               "_build",
                                               "buck-out",
                                               "build",
                                               "dist",
                                               "node_modules",
                                               "site-packages",
                                               "venv",
                                               "__pycache__",
                                               ".assay_cache"};

const char *const *discover_default_excludes(size_t *n)
{
    *n = COUNT_OF(default_excludes);
    return default_excludes;
}

struct pattern {
    struct str text; /* without '!' and slashes at the ends */
    bool negated, only_dirs, anchored;
};

/* A folder on the way with its patterns; parent: the folder above. */
struct folder {
    const char *path;
    const char *whole; /* absolute; NULL: above the folder given */
    const struct discover_excludes *excludes;
    uint32_t parent; /* UINT32_MAX: none */
    uint32_t depth;
    VEC(struct pattern) patterns;
};

struct walker {
    struct arena *arena;
    const struct discover_options *options;
    const char *root, *here; /* here: the working folder */
    VEC(struct folder) folders;
    struct discovered *out;
};

static void read_patterns(struct walker *w, struct folder *f, const char *path)
{
    struct str text, line;
    struct err e = {0};
    if (file_stat(path).kind != FILE_REGULAR ||
        !file_read(path, IGNORE_BYTES_MAX, w->arena, &text, &e))
        return;
    while (str_split(&text, '\n', &line)) {
        struct pattern p = {0};
        if (line.n && line.at[line.n - 1] == '\r')
            line.n--;
        while (line.n && line.at[line.n - 1] == ' ')
            line.n--;
        if (!line.n || line.at[0] == '#')
            continue;
        if (line.at[0] == '!') {
            p.negated = true;
            line = str_sub(line, 1, line.n);
        }
        if (line.n && line.at[line.n - 1] == '/') {
            p.only_dirs = true;
            line.n--;
        }
        p.anchored = str_find_byte(line, '/') < line.n;
        if (line.n && line.at[0] == '/')
            line = str_sub(line, 1, line.n);
        p.text = line;
        if (line.n)
            vec_push(&f->patterns, w->arena, p);
    }
}

static bool pattern_fits(const struct pattern *p, struct str relative, bool is_dir)
{
    if (p->only_dirs && !is_dir)
        return false;
    return glob_matches(p->text, p->anchored ? relative : path_base(relative));
}

/* Do the ignore files of the folder and of all above it leave the path out? */
static bool is_ignored(const struct walker *w, uint32_t folder, const char *path, bool is_dir)
{
    if (w->options->no_gitignore)
        return false;
    for (uint32_t at = folder; at != UINT32_MAX; at = w->folders.at[at].parent) {
        const struct folder *f = &w->folders.at[at];
        size_t n = strlen(f->path);
        struct str relative = str_of(path);
        if (n && strcmp(f->path, ".") != 0 && str_starts(relative, str_of(f->path)))
            relative = str_sub(relative, n, relative.n);
        while (relative.n && relative.at[0] == '/')
            relative = str_sub(relative, 1, relative.n);
        for (size_t i = f->patterns.n; i-- > 0;)
            if (pattern_fits(&f->patterns.at[i], relative, is_dir))
                return !f->patterns.at[i].negated;
    }
    return false;
}

static bool any_fits(const struct path_glob *list, size_t n, struct str path)
{
    for (size_t i = 0; i < n; i++)
        if (path_glob_fits(&list[i], path))
            return true;
    return false;
}

static bool has_default_name(struct str path)
{
    for (size_t i = 0; i < COUNT_OF(default_excludes); i++)
        if (str_is(path_base(path), default_excludes[i]))
            return true;
    return false;
}

/* path: absolute */
static bool is_excluded(const struct discover_excludes *x, struct str path)
{
    bool by_list = x->exclude ? any_fits(x->exclude, x->n_exclude, path) : has_default_name(path);
    return by_list || any_fits(x->extend_exclude, x->n_extend_exclude, path);
}

/* A named path is excluded when any folder on it is; folders above that of the settings do not
 * count. */
static bool is_excluded_above(const struct discover_excludes *x, struct str path)
{
    struct str top = str_of(x->folder ? x->folder : "/");
    size_t start = str_starts(path, top) ? top.n : 0;
    for (size_t i = start + 1; i <= path.n; i++)
        if ((i == path.n || path.at[i] == '/') && is_excluded(x, str_sub(path, 0, i)))
            return true;
    return false;
}

/* folder: absolute */
static bool excludes_in(const struct walker *w, const char *folder,
                        const struct discover_excludes **out, struct err *e)
{
    static const struct discover_excludes built_in = {0};
    *out = &built_in;
    return !w->options->excludes_in || w->options->excludes_in(w->options->ctx, folder, out, e);
}

static bool is_python(struct str name)
{
    return str_ends(name, STR(".py")) || str_ends(name, STR(".pyw")) ||
           str_ends(name, STR(".ipynb"));
}

static uint32_t add_folder(struct walker *w, const char *path, uint32_t parent, uint32_t depth)
{
    struct folder f = {.path = path, .parent = parent, .depth = depth};
    if (!w->options->no_gitignore)
        read_patterns(w, &f, path_join(w->arena, path, ".gitignore"));
    vec_push(&w->folders, w->arena, f);
    return (uint32_t)w->folders.n - 1;
}

/* Reads the ignore files of the folders above the one given, up to the repository's root. */
static uint32_t add_folders_above(struct walker *w, const char *path)
{
    struct err e = {0};
    const char *real;
    VEC(const char *) above = {0};
    uint32_t parent = UINT32_MAX;
    if (w->options->no_gitignore || !file_real_path(path, w->arena, &real, &e))
        return parent;
    struct str at = str_of(real);
    if (file_stat(path_join(w->arena, real, ".git")).kind != FILE_MISSING)
        return parent;
    bool found = false;
    while (at.n > 1 && !found) {
        at = path_dir(at);
        const char *dir = str_dup(w->arena, at);
        vec_push(&above, w->arena, dir);
        found = file_stat(path_join(w->arena, dir, ".git")).kind != FILE_MISSING;
    }
    for (size_t i = found ? above.n : 0; i-- > 0;)
        parent = add_folder(w, above.at[i], parent, 0);
    return parent;
}

/* One entry of a folder: a file to check, a folder to walk, or neither. */
static bool take_entry(struct walker *w, uint32_t folder, const char *name, uint32_t *next,
                       struct err *e)
{
    const struct folder *f = &w->folders.at[folder];
    const struct discover_excludes *x = f->excludes;
    const char *path = strcmp(f->path, ".") == 0 ? name : path_join(w->arena, f->path, name);
    const char *whole = path_join(w->arena, f->whole, name);
    enum file_kind kind = file_stat(path).kind;
    bool is_dir = kind == FILE_DIRECTORY;
    *next = UINT32_MAX;
    if ((!is_dir && (kind != FILE_REGULAR || !is_python(str_of(name)))) ||
        is_excluded(x, str_of(whole)) || is_ignored(w, folder, path, is_dir) ||
        (is_dir && (f->depth >= DEPTH_MAX || file_is_link(path))))
        return true;
    if (!is_dir) {
        struct discovered_file found = {.path = path, .root = w->root, .settings = x->number};
        vec_push(&w->out->files, w->arena, found);
        return true;
    }
    *next = add_folder(w, path, folder, f->depth + 1);
    w->folders.at[*next].whole = whole;
    return excludes_in(w, whole, &w->folders.at[*next].excludes, e);
}

static bool walk(struct walker *w, const char *root, struct err *e)
{
    VEC(uint32_t) stack = {0};
    uint32_t first = add_folder(w, root, add_folders_above(w, root), 0);
    w->folders.at[first].whole = path_absolute(w->arena, w->here, root);
    if (!excludes_in(w, w->folders.at[first].whole, &w->folders.at[first].excludes, e))
        return false;
    vec_push(&stack, w->arena, first);
    size_t max = w->options->max_files, n_seen = 0;
    while (stack.n && (!max || (w->out->files.n <= max && n_seen <= 20 * max))) {
        uint32_t at = vec_pop(&stack);
        struct file_list list;
        if (!file_list_dir(w->folders.at[at].path, w->arena, &list, e))
            return false;
        n_seen += list.n;
        for (size_t i = list.n; i-- > 0;) { /* the first name is on top */
            uint32_t next;
            if (!take_entry(w, at, list.names[i], &next, e))
                return false;
            if (next != UINT32_MAX)
                vec_push(&stack, w->arena, next);
        }
    }
    return true;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct discovered_file *)a)->path,
                  ((const struct discovered_file *)b)->path);
}

/* Sorts the files and keeps each once; a file that the user named stays marked as such. */
static void sort_files(const struct walker *w, struct discovered *out)
{
    struct map seen = {0};
    size_t n = 0;
    if (out->files.n > 1)
        qsort(out->files.at, out->files.n, sizeof *out->files.at, by_path);
    for (size_t i = 0; i < out->files.n; i++) {
        struct discovered_file f = out->files.at[i];
        bool is_new;
        uint64_t *at =
            map_at(&seen, w->arena, str_of(path_absolute(w->arena, w->here, f.path)), &is_new);
        if (is_new) {
            *at = n;
            out->files.at[n++] = f;
        } else {
            out->files.at[*at].was_named |= f.was_named;
        }
    }
    out->files.n = n;
}

static bool add_path(struct walker *w, const char *path, struct err *e)
{
    const struct discover_excludes *x;
    struct file_info info = file_stat(path);
    const char *whole = path_absolute(w->arena, w->here, path);
    bool is_dir = info.kind == FILE_DIRECTORY;
    w->root = path;
    path = path_normalise(w->arena, str_of(path));
    if (!excludes_in(w, is_dir ? whole : str_dup(w->arena, path_dir(str_of(whole))), &x, e))
        return false;
    if (w->options->force_exclude && is_excluded_above(x, str_of(whole)))
        return true;
    if (is_dir)
        return walk(w, path, e);
    struct discovered_file f = {path, w->root, true, info.kind == FILE_MISSING, x->number};
    vec_push(&w->out->files, w->arena, f);
    return true;
}

bool discover_files(const char *const *paths, size_t n_paths, const struct discover_options *o,
                    struct arena *a, struct discovered *out, struct err *e)
{
    *out = (struct discovered){0};
    struct walker w = {.arena = a, .options = o, .out = out};
    if (!file_current_dir(a, &w.here, e))
        return false;
    for (size_t i = 0; i < n_paths; i++) {
        w.folders.n = 0;
        if (!add_path(&w, paths[i], e))
            return false;
    }
    sort_files(&w, out);
    return true;
}

bool discover_is_excluded(const char *path, const struct discover_options *o, struct arena *a,
                          bool *is_excluded_too, size_t *number, struct err *e)
{
    const struct discover_excludes *x;
    struct walker w = {.arena = a, .options = o};
    if (!file_current_dir(a, &w.here, e))
        return false;
    const char *whole = path_absolute(w.arena, w.here, path);
    if (!excludes_in(&w, str_dup(a, path_dir(str_of(whole))), &x, e))
        return false;
    *is_excluded_too = is_excluded_above(x, str_of(whole));
    *number = x->number;
    return true;
}
