/*
 * Walking folders with an explicit stack; ignore files by gitignore(5): the last pattern that
 * matches wins, '!' takes back, a pattern with a slash is anchored to its folder.
 */
#include "lint/discover.h"

#include "base/file.h"
#include "base/path.h"
#include "lint/select.h"

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

/* A folder on the way: its patterns, and the folder above. */
struct folder {
    const char *path;
    uint32_t parent; /* UINT32_MAX: none */
    uint32_t depth;
    VEC(struct pattern) patterns;
};

struct walker {
    struct arena *arena;
    const struct discover_options *options;
    const char *root;
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

/* By the ignore files of the folder and all above it. */
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

static bool list_excludes(const char *const *list, size_t n, struct str path)
{
    for (size_t i = 0; i < n; i++) {
        struct str pattern = str_of(list[i]);
        if (pattern.n && pattern.at[pattern.n - 1] == '/')
            pattern.n--;
        if (glob_matches(pattern, path) || glob_matches(pattern, path_base(path)))
            return true;
    }
    return false;
}

static bool is_excluded(const struct walker *w, const char *path)
{
    const struct discover_options *o = w->options;
    struct str text = str_of(path);
    if (str_starts(text, STR("./")))
        text = str_sub(text, 2, text.n);
    bool by_list = o->exclude ? list_excludes(o->exclude, o->n_exclude, text)
                              : list_excludes(default_excludes, COUNT_OF(default_excludes), text);
    return by_list || list_excludes(o->extend_exclude, o->n_extend_exclude, text);
}

/* A named path is excluded when any folder on it is. */
static bool is_excluded_above(const struct walker *w, const char *path)
{
    struct str text = str_of(path);
    for (size_t i = 1; i <= text.n; i++)
        if ((i == text.n || text.at[i] == '/') &&
            is_excluded(w, str_dup(w->arena, str_sub(text, 0, i))))
            return true;
    return false;
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

/* Ignore files of the folders above the one given, up to the repository's root. */
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

static bool walk(struct walker *w, const char *root, struct err *e)
{
    VEC(uint32_t) stack = {0};
    uint32_t above = add_folders_above(w, root);
    vec_push(&stack, w->arena, add_folder(w, root, above, 0));
    while (stack.n) {
        uint32_t at = vec_pop(&stack);
        struct file_list list;
        const char *dir = w->folders.at[at].path;
        uint32_t depth = w->folders.at[at].depth;
        size_t first = stack.n;
        if (!file_list_dir(dir, w->arena, &list, e))
            return false;
        for (size_t i = 0; i < list.n; i++) {
            const char *path =
                strcmp(dir, ".") == 0 ? list.names[i] : path_join(w->arena, dir, list.names[i]);
            enum file_kind kind = file_stat(path).kind;
            bool is_dir = kind == FILE_DIRECTORY;
            if ((!is_dir && (kind != FILE_REGULAR || !is_python(str_of(list.names[i])))) ||
                is_excluded(w, path) || is_ignored(w, at, path, is_dir))
                continue;
            if (is_dir && depth < DEPTH_MAX)
                vec_push(&stack, w->arena, add_folder(w, path, at, depth + 1));
            else if (!is_dir)
                vec_push(&w->out->files, w->arena,
                         (struct discovered_file){path, w->root, false, false});
        }
        for (size_t i = first, k = stack.n; i + 1 < k; i++, k--) { /* first name on top */
            uint32_t other = stack.at[i];
            stack.at[i] = stack.at[k - 1];
            stack.at[k - 1] = other;
        }
    }
    return true;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct discovered_file *)a)->path,
                  ((const struct discovered_file *)b)->path);
}

bool discover_files(const char *const *paths, size_t n_paths, const struct discover_options *o,
                    struct arena *a, struct discovered *out, struct err *e)
{
    *out = (struct discovered){0};
    for (size_t i = 0; i < n_paths; i++) {
        struct walker w = {.arena = a, .options = o, .root = paths[i], .out = out};
        struct file_info info = file_stat(paths[i]);
        if (o->force_exclude && is_excluded_above(&w, paths[i]))
            continue;
        if (info.kind == FILE_DIRECTORY) {
            const char *dir = path_normalise(a, str_of(paths[i]));
            if (!walk(&w, dir, e))
                return false;
        } else {
            struct discovered_file f = {paths[i], paths[i], true, info.kind == FILE_MISSING};
            vec_push(&out->files, a, f);
        }
    }
    if (out->files.n > 1)
        qsort(out->files.at, out->files.n, sizeof *out->files.at, by_path);
    size_t n = 0;
    for (size_t i = 0; i < out->files.n; i++)
        if (!n || strcmp(out->files.at[n - 1].path, out->files.at[i].path) != 0)
            out->files.at[n++] = out->files.at[i];
    out->files.n = n;
    return true;
}
