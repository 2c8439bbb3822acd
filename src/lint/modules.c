/*
 * Files as modules: names, and what an import statement leads to. Knows nothing of what the files
 * hold beyond their import lines. Invariant: the same files on disk give the same graph, whatever
 * the number of workers.
 */
#include "lint/modules_p.h"

#include "base/file.h"
#include "base/path.h"
#include "lint/imports_p.h"

enum { NOT_GIVEN_MAX = 1000, FOLDERS_ABOVE_MAX = 6, ALIASES_MAX = 4096 };

void modules__init(struct module_graph *g, uint64_t max_file_size, bool with_hashes,
                   struct arena *a)
{
    *g = (struct module_graph){.arena = a, .with_hashes = with_hashes};
    arena_init(&g->work);
    g->max_file_size = max_file_size ? max_file_size : 1 << 20;
}

void modules__done(struct module_graph *g)
{
    arena_done(&g->work);
}

static bool is_package_dir(struct module_graph *g, struct str dir)
{
    const char *init = path_join(&g->work, str_dup(&g->work, dir), "__init__.py");
    uint64_t *known = map_at(&g->is_there, g->arena, str_of(init), NULL);
    if (!*known)
        *known = file_stat(init).kind == FILE_REGULAR ? 2 : 1;
    return *known == 2;
}

/* Names a file "pkg.train" by the packages above it: folders with an __init__.py. */
static void name_file(struct module_graph *g, struct module_file *f)
{
    struct str at = str_of(f->path), base = path_base(at), parts[64];
    size_t n = 0;
    f->is_package = str_is(base, "__init__.py");
    if (!f->is_package)
        parts[n++] = str_sub(base, 0, base.n - path_extension(at).n);
    struct str dir = path_dir(at);
    while (dir.n && !str_is(dir, ".") && !str_is(dir, "/") && n < COUNT_OF(parts) &&
           is_package_dir(g, dir)) {
        parts[n++] = path_base(dir);
        dir = path_dir(dir);
    }
    f->root = str_dup(g->arena, dir);
    struct strbuf name = {0};
    for (size_t i = n; i-- > 0;) {
        strbuf_addstr(&name, parts[i]);
        if (i)
            strbuf_addc(&name, '.');
    }
    if (name.n) {
        uint64_t *count = map_at(&g->by_name, g->arena, strbuf_str(&name), NULL);
        if (++*count > 1) { /* taken: made unique by a prefix that no import can name */
            char *own = arena_printf(&g->work, "@%llu." STR_FMT, (unsigned long long)*count,
                                     STR_ARG(strbuf_str(&name)));
            strbuf_clear(&name);
            strbuf_adds(&name, own);
        }
    }
    f->name = strbuf_dup(&name, g->arena);
    strbuf_done(&name);
}

/* The bytes, valid as long as `work`. False: unreadable, which the linter will report. */
static bool bytes_of(const struct module_graph *g, const struct module_file *f, struct arena *work,
                     struct str *out)
{
    struct err e = {0};
    *out = f->held;
    return f->held.n || (f->is_readable && file_map(f->path, g->max_file_size, work, out, &e));
}

static void hash_file(const struct module_graph *g, struct module_file *f)
{
    struct arena work;
    struct str text;
    arena_init(&work);
    f->is_readable = bytes_of(g, f, &work, &text);
    if (f->is_readable)
        f->content = hash_of(text.at, text.n);
    arena_done(&work);
}

void modules__hold(struct module_graph *g, const char *path, struct str text)
{
    vec_push(&g->held_texts, g->arena, text);
    map_put(&g->held, g->arena, str_of(path_normalise(&g->work, str_of(path))), g->held_texts.n);
}

uint32_t modules__add(struct module_graph *g, const char *path, uint32_t at)
{
    const char *key = path_normalise(&g->work, str_of(path));
    const uint64_t *number = map_get(&g->held, str_of(key));
    struct str held = number ? g->held_texts.at[*number - 1] : STR("");
    struct module_file f = {.path = path, .at = at, .held = held};
    struct file_info info = file_stat(path);
    f.is_notebook = str_ends(str_of(path), STR(".ipynb"));
    f.is_readable = held.n || (info.kind == FILE_REGULAR && info.size <= g->max_file_size);
    f.size = held.n ? held.n : info.size;
    if (g->with_hashes && f.is_readable)
        hash_file(g, &f);
    name_file(g, &f);
    vec_push(&g->files, g->arena, f);
    map_put(&g->by_path, g->arena, str_of(key), g->files.n);
    return (uint32_t)g->files.n - 1;
}

/* ---- from an import to a file ---- */

static uint32_t file_at(struct module_graph *g, const char *path)
{
    struct str key = str_of(path_normalise(&g->work, str_of(path)));
    uint64_t *known = map_get(&g->by_path, key);
    if (known)
        return *known ? (uint32_t)*known - 1 : UINT32_MAX;
    if (g->n_not_given >= NOT_GIVEN_MAX || file_stat(path).kind != FILE_REGULAR) {
        map_put(&g->by_path, g->arena, key, 0);
        return UINT32_MAX;
    }
    g->n_not_given++;
    return modules__add(g, str_dup(g->arena, key), MODULE_NOT_GIVEN);
}

/* Has the folder a package or module of that first name? Tried before anything longer. */
static bool has_top(struct module_graph *g, const char *dir, struct str dotted)
{
    struct str top = str_sub(dotted, 0, str_find_byte(dotted, '.'));
    const char *path = path_join(&g->work, dir, str_dup(&g->work, top));
    uint64_t *known = map_at(&g->is_there, g->arena, str_of(path), NULL);
    if (*known)
        return *known == 2;
    bool found = file_stat(path).kind == FILE_DIRECTORY ||
                 file_stat(arena_printf(&g->work, "%s.py", path)).kind == FILE_REGULAR;
    *map_at(&g->is_there, g->arena, str_of(path), NULL) = found ? 2 : 1;
    return found;
}

static uint32_t find_below(struct module_graph *g, const char *dir, struct str dotted)
{
    struct strbuf path = {0};
    struct str part;
    if (dotted.n && !has_top(g, dir, dotted))
        return UINT32_MAX;
    strbuf_adds(&path, dir);
    for (struct str rest = dotted; rest.n && str_split(&rest, '.', &part);) {
        strbuf_addc(&path, '/');
        strbuf_addstr(&path, part);
    }
    const char *stem = strbuf_dup(&path, &g->work).at;
    strbuf_done(&path);
    uint32_t found = file_at(g, arena_printf(&g->work, "%s/__init__.py", stem));
    if (found == UINT32_MAX && dotted.n)
        found = file_at(g, arena_printf(&g->work, "%s.py", stem));
    return found;
}

/* Does a project begin at the folder? Then nothing above it is searched. */
static bool is_project_root(struct module_graph *g, struct str dir)
{
    static const char *const marks[] = {"pyproject.toml", "setup.py", "setup.cfg", ".git"};
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        const char *path = path_join(&g->work, str_dup(&g->work, dir), marks[i]);
        uint64_t *known = map_at(&g->is_there, g->arena, str_of(path), NULL);
        if (!*known)
            *known = file_stat(path).kind != FILE_MISSING ? 2 : 1;
        if (*known == 2)
            return true;
    }
    return false;
}

void modules__add_caller(struct module_graph *g, const char *path)
{
    struct str key = str_of(path_normalise(&g->work, str_of(path)));
    if (map_get(&g->by_path, key))
        return;
    uint32_t at = modules__add(g, str_dup(g->arena, key), MODULE_NOT_GIVEN);
    g->files.at[at].may_call = g->has_callers = true;
}

const char *modules__project_of(struct module_graph *g, const char *path)
{
    struct str dir = path_dir(str_of(path));
    for (int above = 0; above < FOLDERS_ABOVE_MAX; above++) {
        struct str at = dir.n ? dir : STR(".");
        if (is_project_root(g, at))
            return str_dup(g->arena, at);
        if (str_is(at, ".") || str_is(at, "/") || str_ends(at, STR("..")))
            break;
        dir = path_dir(dir);
    }
    dir = path_dir(str_of(path));
    while (dir.n && !str_is(dir, ".") && !str_is(dir, "/") && is_package_dir(g, dir))
        dir = path_dir(dir);
    return str_dup(g->arena, dir.n ? dir : STR("."));
}

static uint32_t look_above(struct module_graph *g, const char *root, struct str dotted)
{
    struct str dir = str_of(root);
    for (int above = 0; above < FOLDERS_ABOVE_MAX; above++) {
        const char *at = dir.n ? str_dup(&g->work, dir) : ".";
        uint32_t found = find_below(g, at, dotted);
        if (found == UINT32_MAX)
            found = find_below(g, path_join(&g->work, at, "src"), dotted);
        if (found != UINT32_MAX)
            return found;
        if (str_is(dir, ".") || str_is(dir, "/") || str_ends(dir, STR("..")) ||
            is_project_root(g, dir))
            break;
        dir = path_dir(dir);
    }
    return UINT32_MAX;
}

/* Each name is searched once from each root. */
static uint32_t find_absolute(struct module_graph *g, const char *root, struct str dotted)
{
    const char *key = arena_printf(&g->work, "%s\n" STR_FMT, root, STR_ARG(dotted));
    const uint64_t *known = map_get(&g->found, str_of(key));
    if (known)
        return (uint32_t)*known;
    uint32_t found = look_above(g, root, dotted);
    map_put(&g->found, g->arena, str_of(key), found);
    return found;
}

static uint32_t find_relative(struct module_graph *g, const char *path, uint32_t n_dots,
                              struct str dotted)
{
    struct str dir = path_dir(str_of(path));
    for (uint32_t up = 1; up < n_dots; up++) {
        if (str_is(dir, ".") || str_is(dir, "/"))
            return UINT32_MAX;
        dir = path_dir(dir);
    }
    return find_below(g, str_dup(&g->work, dir), dotted);
}

/* The name of the module as the importer will use it. */
static struct str written_name(struct module_graph *g, const struct module_file *f,
                               const struct import_ref *ref, struct str dotted)
{
    struct str base = f->name;
    if (!ref->n_dots)
        return dotted;
    for (uint32_t up = f->is_package ? 1 : 0; up < ref->n_dots; up++) {
        size_t dot = base.n;
        while (dot && base.at[dot - 1] != '.')
            dot--;
        base.n = dot ? dot - 1 : 0;
    }
    if (!base.n || !dotted.n)
        return base.n ? base : dotted;
    return str_of(arena_printf(&g->work, STR_FMT "." STR_FMT, STR_ARG(base), STR_ARG(dotted)));
}

static void add_edge(struct module_graph *g, uint32_t from, uint32_t to, struct str written)
{
    struct module_file *f = &g->files.at[from];
    bool is_new = to != from;
    for (size_t i = 0; i < f->imports.n && is_new; i++)
        is_new = f->imports.at[i] != to;
    if (is_new)
        vec_push(&f->imports, g->arena, to);
    if (!written.n || str_eq(written, g->files.at[to].name) || f->aliases.n >= ALIASES_MAX)
        return;
    for (size_t i = 0; i < f->aliases.n; i++)
        if (str_eq(f->aliases.at[i].written, written))
            return;
    struct str kept = {str_dup(g->arena, written), written.n};
    vec_push(&f->aliases, g->arena, (struct module_alias){kept, g->files.at[to].name});
}

/* Notes what is imported from a file: a name, or all of it (an empty name or a star). */
static void note_taken(struct module_graph *g, uint32_t to, struct str name)
{
    struct module_file *f = &g->files.at[to];
    if (!name.n || name.at[0] == '*') {
        f->is_taken_whole = true;
        return;
    }
    for (size_t i = 0; i < f->taken.n; i++)
        if (str_eq(f->taken.at[i], name))
            return;
    vec_push(&f->taken, g->arena, ((struct str){str_dup(g->arena, name), name.n}));
}

static void resolve_one(struct module_graph *g, uint32_t from, const struct import_ref *ref)
{
    const char *path = g->files.at[from].path, *root = g->files.at[from].root;
    struct str dotted = ref->module;
    bool has_name = ref->name.n && ref->name.at[0] != '*';
    for (int with_name = has_name; with_name >= 0; with_name--) {
        if (with_name && dotted.n)
            dotted = str_of(arena_printf(&g->work, STR_FMT "." STR_FMT, STR_ARG(ref->module),
                                         STR_ARG(ref->name)));
        else
            dotted = with_name ? ref->name : ref->module;
        uint32_t to = ref->n_dots ? find_relative(g, path, ref->n_dots, dotted)
                                  : find_absolute(g, root, dotted);
        if (to == UINT32_MAX)
            continue;
        const struct module_file *f = &g->files.at[from];
        add_edge(g, from, to, written_name(g, f, ref, dotted));
        if (to != from)
            note_taken(g, to, with_name ? STR("") : ref->name);
        return;
    }
}

static bool is_framework(struct str module)
{
    static const char *const words[] = {"torch", "lightning", "accelerate", "transformers", "timm"};
    struct str top = str_sub(module, 0, str_find_byte(module, '.'));
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (str_find(top, str_of(words[i])) < top.n)
            return true;
    return false;
}

static void scan_file(struct module_graph *g, uint32_t at, struct arena *work,
                      struct import_list *out)
{
    struct str bytes;
    *out = (struct import_list){0};
    if (!g->files.at[at].is_readable || !bytes_of(g, &g->files.at[at], work, &bytes))
        return;
    imports__scan(bytes, g->files.at[at].is_notebook, work, out);
}

void modules__resolve(struct module_graph *g)
{
    for (uint32_t i = 0; i < g->files.n; i++) { /* grows as files are found */
        struct arena work;
        struct import_list list;
        arena_init(&work);
        scan_file(g, i, &work, &list);
        for (size_t k = 0; k < list.refs.n; k++) {
            const struct import_ref *ref = &list.refs.at[k];
            g->files.at[i].names_framework |= !ref->n_dots && is_framework(ref->module);
            resolve_one(g, i, ref);
        }
        arena_done(&work);
        arena_reset(&g->work);
    }
}
