/*
 * Loads what is known of engines: descriptions that are compiled in, joined with what is registered
 * below $ASSAY_HOME. Must not know how anything is run. Invariant: an installation has a
 * description; installations of one engine are ordered from the newest.
 */
#include "target/target.h"

#include "base/file.h"
#include "base/path.h"
#include "base/share.h"
#include "base/vec.h"
#include "os/probe.h"
#include "os/process.h"
#include "target/describe_p.h"
#include "target/subject_p.h"

enum { REGISTRATION_MAX = 1 << 20, OWN_MAX = 64 };

static bool add_description(struct str text, const char *path, struct arena *a,
                            struct target_description *out, struct err *e)
{
    if (!target_description_parse(text, path, a, out, e))
        return false;
    struct str name = path_base(str_of(path));
    return str_eq(str_sub(name, 0, str_find(name, STR(".json"))), out->engine) ||
           err_set(e, ERR_DATA, "%s: describes the engine \"" STR_FMT "\"", path,
                   STR_ARG(out->engine));
}

/* Adds the user's own adapters: NAME.json and the Python file that it names. */
static bool add_own_descriptions(const char *home, struct arena *a, struct targets *out,
                                 struct target_description *rows, struct err *e)
{
    const char *dir = path_join(a, home, "adapters");
    struct file_list files = {0};
    if (file_stat(dir).kind == FILE_MISSING)
        return true;
    if (!file_list_dir(dir, a, &files, e))
        return false;
    for (size_t i = 0; i < files.n; i++) {
        struct target_description *row = &rows[out->n_descriptions];
        const char *path = path_join(a, dir, files.names[i]);
        struct str text;
        if (!str_ends(str_of(files.names[i]), STR(".json")))
            continue;
        if (out->n_descriptions - out->n_ours == OWN_MAX)
            return err_set(e, ERR_LIMIT, "%s: at most %d adapters are read", dir, OWN_MAX);
        if (!file_read(path, REGISTRATION_MAX, a, &text, e) ||
            !add_description(text, path, a, row, e))
            return false;
        if (targets_find(out, row->engine))
            return err_set(e, ERR_DATA, "%s: assay has an engine of this name already", path);
        if (str_ends(row->worker, STR(".py")))
            row->worker = str_of(path_join(a, dir, str_dup(a, row->worker)));
        if (row->script.n && !file_read(path_join(a, dir, str_dup(a, row->script)),
                                        REGISTRATION_MAX, a, &row->script, e))
            return false;
        out->n_descriptions++;
    }
    return true;
}

/* Replaces the name of the script, one of ours, by its text. */
static bool find_script(struct target_description *d, struct arena *a, struct err *e)
{
    const char *name = arena_printf(a, "script/" STR_FMT, STR_ARG(d->script));
    return !d->script.n || share_find(name, &d->script) ||
           err_set(e, ERR_INTERNAL, "share/%s is missing", name);
}

static bool load_descriptions(const char *home, struct arena *a, struct targets *out, struct err *e)
{
    size_t n;
    const struct share_file *files = share_list("targets/", &n);
    struct target_description *rows = arena_new_array(a, struct target_description, n + OWN_MAX);
    for (size_t i = 0; i < n; i++)
        if (!add_description(files[i].bytes, files[i].path, a, &rows[i], e) ||
            !find_script(&rows[i], a, e))
            return false;
    out->descriptions = rows;
    out->n_descriptions = out->n_ours = n;
    return add_own_descriptions(home, a, out, rows, e);
}

const struct target_description *targets_find(const struct targets *t, struct str engine)
{
    for (size_t i = 0; i < t->n_descriptions; i++)
        if (str_eq(t->descriptions[i].engine, engine))
            return &t->descriptions[i];
    return NULL;
}

const struct target_installation *targets_newest(const struct targets *t, struct str engine)
{
    for (size_t i = 0; i < t->n_installations; i++)
        if (str_eq(t->installations[i].description->engine, engine))
            return &t->installations[i];
    return NULL;
}

static int opset_of_version(const struct target_description *d, struct str version)
{
    int opset = d->opsets[0].opset;
    for (size_t i = 1; i < d->n_opsets; i++)
        if (target_version_compare(d->opsets[i].version, version) <= 0)
            opset = d->opsets[i].opset;
    return opset;
}

static const char *const *as_cstrs(const struct str *texts, size_t n, struct arena *a)
{
    const char **list = arena_new_array(a, const char *, n);
    for (size_t i = 0; i < n; i++)
        list[i] = str_dup(a, texts[i]);
    return list;
}

static bool read_registration(const char *path, const struct targets *all, bool no_vnni,
                              struct arena *a, struct target_installation *out, struct err *e)
{
    const struct json *j;
    const struct str *roots;
    struct str engine;
    if (!json_read_file(path, REGISTRATION_MAX, a, &j, e))
        return false;
    if (!json_need_str(j, "engine", &engine, e) || !json_need_str(j, "version", &out->version, e) ||
        !json_need_str(j, "python", &out->python, e) ||
        !describe__texts(j, "roots", a, &roots, &out->n_roots, e))
        return err_wrap(e, "%s", path);
    out->description = targets_find(all, engine);
    if (!out->description)
        return true;
    out->roots = as_cstrs(roots, out->n_roots, a);
    out->library = json_get_str(j, "library", STR(""));
    out->probe = json_get(j, "probe");
    const struct json *operators = out->probe ? json_get(out->probe, "operators") : NULL;
    if (operators && !accepted_read(operators, a, &out->accepted, e))
        return err_wrap(e, "%s", path);
    out->traits = out->description->traits;
    out->traits.largest_opset = opset_of_version(out->description, out->version);
    out->traits.no_vnni = no_vnni;
    return true;
}

static int newest_first(const void *a, const void *b)
{
    const struct target_installation *x = a, *y = b;
    int order = str_cmp(x->description->engine, y->description->engine);
    return order ? order : target_version_compare(y->version, x->version);
}

/* QEMU has a thread of its own. */
uint32_t target_n_tasks(const struct target_installation *i)
{
    return MAX(i->description->n_tasks, 1u) + (i->cpu.n > 0);
}

/* Adds the installation in each mode: a copy for an emulated CPU, so that the mode has workers of
 * its own. */
static void add_modes(struct target_installation *row, struct arena *a)
{
    const struct target_description *d = row->description;
    const struct target_installation **list =
        arena_new_array(a, const struct target_installation *, d->n_modes);
    row->in_mode = list;
    for (size_t i = 0; i < d->n_modes; i++) {
        list[i] = row;
        if (!d->modes[i].cpu.n)
            continue;
        struct target_installation *emulated = arena_dup(a, row, sizeof *row);
        emulated->cpu = d->modes[i].cpu;
        emulated->traits.no_vnni = true; /* QEMU emulates no VNNI */
        list[i] = emulated;
    }
}

static bool load_installations(struct arena *a, struct targets *out, struct err *e)
{
    const char *dir = path_join(a, out->home, "targets");
    struct file_list files = {0};
    if (file_stat(dir).kind == FILE_MISSING)
        return true;
    if (!file_list_dir(dir, a, &files, e))
        return false;
    bool no_vnni = probe_lacks_vnni();
    struct target_installation *rows = arena_new_array(a, struct target_installation, files.n);
    for (size_t i = 0; i < files.n; i++) {
        if (!str_ends(str_of(files.names[i]), STR(".json")))
            continue;
        struct target_installation *row = &rows[out->n_installations];
        if (!read_registration(path_join(a, dir, files.names[i]), out, no_vnni, a, row, e))
            return false;
        out->n_installations += row->description != NULL;
    }
    if (out->n_installations)
        qsort(rows, out->n_installations, sizeof *rows, newest_first);
    out->installations = rows;
    for (size_t i = 0; i < out->n_installations; i++)
        add_modes(&rows[i], a);
    return true;
}

bool targets_load(const char *home, struct arena *a, struct targets *out, struct err *e)
{
    *out = (struct targets){.home = arena_strdup(a, home)};
    return load_descriptions(out->home, a, out, e) && load_installations(a, out, e);
}

bool target_accepts(const struct target *t, const struct tcase *c, struct strbuf *reason)
{
    return target__subject(c)->accepts(t, c, reason);
}
