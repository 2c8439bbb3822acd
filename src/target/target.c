/*
 * Decides which targets a name stands for: descriptions that are compiled in, joined with what is
 * registered below $ASSAY_HOME. Must not know how anything is run. Invariant: an installation has a
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

struct list_builder {
    VEC(const struct target *) targets;
};

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

static bool lacks_vnni(struct arena *a)
{
    struct probe_machine machine;
    struct err ignored;
    if (!probe_machine(a, &machine, &ignored))
        return false;
    return strstr(machine.cpu_flags, "avx") && !strstr(machine.cpu_flags, "vnni");
}

const char *target_emulator(struct arena *a)
{
    struct err ignored;
    const char *path;
    return process_find_program("/usr/bin/qemu-x86_64", a, &path, &ignored) ? path : NULL;
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
    bool no_vnni = lacks_vnni(a);
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

/* ENGINE[@VERSION][/MODE], taken apart. */
struct parts {
    struct str engine, version, mode;
    bool has_version, has_mode;
};

static struct parts take_apart(struct str name)
{
    struct parts p = {0};
    size_t slash = str_find_byte(name, '/');
    p.has_mode = slash < name.n;
    p.mode = str_sub(name, slash + 1, name.n);
    name = str_sub(name, 0, slash);
    size_t at = str_find_byte(name, '@');
    p.has_version = at < name.n;
    p.version = str_sub(name, at + 1, name.n);
    p.engine = str_sub(name, 0, at);
    return p;
}

static bool no_such_engine(const struct targets *t, struct str engine, struct err *e)
{
    const char *names[64];
    size_t n = 0;
    struct arena a;
    arena_init(&a);
    for (; n < t->n_descriptions && n < COUNT_OF(names); n++)
        names[n] = str_dup(&a, t->descriptions[n].engine);
    const char *near = str_nearest(engine, names, n);
    err_set(e, ERR_USAGE, "no engine is called \"" STR_FMT "\"%s%s%s", STR_ARG(engine),
            near ? "; did you mean \"" : "; `assay targets list` shows them", near ? near : "",
            near ? "\"?" : "");
    arena_done(&a);
    return false;
}

static const struct target_installation *find_installation(const struct targets *t,
                                                           const struct target_description *d,
                                                           const struct parts *p)
{
    for (size_t i = 0; i < t->n_installations; i++)
        if (t->installations[i].description == d &&
            (!p->has_version || str_eq(t->installations[i].version, p->version)))
            return &t->installations[i];
    return NULL;
}

static bool not_installed(const struct parts *p, struct err *e)
{
    return err_set(e, ERR_ENVIRONMENT,
                   STR_FMT "%s" STR_FMT " is not installed: `assay targets add " STR_FMT
                           "%s" STR_FMT "` installs it",
                   STR_ARG(p->engine), p->has_version ? "@" : "", STR_ARG(p->version),
                   STR_ARG(p->engine), p->has_version ? "@" : "", STR_ARG(p->version));
}

static bool no_such_mode(const struct target_description *d, struct str mode, struct err *e)
{
    struct strbuf names = {0};
    for (size_t i = 0; i < d->n_modes; i++)
        strbuf_printf(&names, "%s" STR_FMT, i ? ", " : "", STR_ARG(d->modes[i].name));
    err_set(e, ERR_USAGE, STR_FMT ": no mode is called \"" STR_FMT "\"; it has %s",
            STR_ARG(d->engine), STR_ARG(mode), names.at);
    strbuf_done(&names);
    return false;
}

static bool version_has_mode(const struct target_installation *i, const struct target_mode *m)
{
    return !m->least_version.n || target_version_compare(i->version, m->least_version) >= 0;
}

static struct target *make_target(const struct target_installation *installation,
                                  const struct target_mode *mode, struct arena *a)
{
    struct target *t = arena_new(a, struct target);
    size_t at = (size_t)(mode - installation->description->modes);
    const struct target_installation *i = installation->in_mode[at];
    *t = (struct target){
        .id = {.engine = i->description->engine,
               .version = i->version,
               .mode = mode->name,
               .family = i->description->family,
               .n_threads = mode->n_threads,
               .traits = &i->traits,
               .is_base = mode->is_base,
               .mode_rank = (uint32_t)at},
        .installation = i,
        .mode = mode,
    };
    return t;
}

/* Finds the target that runs what a converter makes: exactly one mode. */
static bool find_runner(const struct targets *t, const struct target_description *d,
                        struct arena *a, const struct target **out, struct err *e)
{
    struct parts p = take_apart(d->runs_in);
    const struct target_description *runner = targets_find(t, p.engine);
    if (!runner || runner->work != TARGET_RUNS)
        return err_set(e, ERR_DATA, STR_FMT ": runs_in \"" STR_FMT "\" is no engine that runs",
                       STR_ARG(d->engine), STR_ARG(d->runs_in));
    const struct target_installation *installation = find_installation(t, runner, &p);
    if (!installation)
        return not_installed(&p, e);
    for (size_t i = 0; i < runner->n_modes; i++)
        if (str_eq(runner->modes[i].name, p.mode)) {
            *out = make_target(installation, &runner->modes[i], a);
            return true;
        }
    return no_such_mode(runner, p.mode, e);
}

static void copy_list(const struct target_list *from, struct list_builder *to, struct arena *a)
{
    for (size_t i = 0; i < from->n; i++)
        vec_push(&to->targets, a, from->at[i]);
}

static bool is_listed(const struct list_builder *list, const struct target *t)
{
    for (size_t i = 0; i < list->targets.n; i++)
        if (list->targets.at[i]->installation == t->installation &&
            list->targets.at[i]->mode == t->mode)
            return true;
    return false;
}

static void add_once(struct list_builder *to, const struct target *t, struct arena *a)
{
    if (!is_listed(to, t))
        vec_push(&to->targets, a, t);
}

bool targets_resolve(const struct targets *t, const char *name, struct arena *a,
                     struct target_list *list, struct err *e)
{
    struct parts p = take_apart(str_of(name));
    struct list_builder built = {0};
    const struct target_description *d = targets_find(t, p.engine);
    size_t n_found = 0;
    if (!d)
        return no_such_engine(t, p.engine, e);
    const struct target_installation *installation = find_installation(t, d, &p);
    if (!installation)
        return not_installed(&p, e);
    const struct target *runner = NULL;
    if (d->work == TARGET_CONVERTS && !find_runner(t, d, a, &runner, e))
        return false;
    copy_list(list, &built, a);
    for (size_t i = 0; i < d->n_modes; i++) {
        const struct target_mode *mode = &d->modes[i];
        bool named = p.has_mode && str_eq(mode->name, p.mode);
        if (named && !version_has_mode(installation, mode))
            return err_set(e, ERR_USAGE,
                           STR_FMT "@" STR_FMT " lacks the mode " STR_FMT
                                   ", which came with " STR_FMT,
                           STR_ARG(d->engine), STR_ARG(installation->version), STR_ARG(mode->name),
                           STR_ARG(mode->least_version));
        if (named && mode->cpu.n && !target_emulator(a))
            return err_set(e, ERR_ENVIRONMENT,
                           STR_FMT "/" STR_FMT " runs on an emulated CPU (" STR_FMT
                                   "): install " TARGET_EMULATOR_PACKAGE,
                           STR_ARG(d->engine), STR_ARG(mode->name), STR_ARG(mode->cpu));
        bool wanted =
            p.has_mode ? named || (str_is(p.mode, "*") && !mode->cpu.n) : mode->is_default;
        if (!wanted || !version_has_mode(installation, mode))
            continue;
        struct target *made = make_target(installation, mode, a);
        made->runs_in = runner;
        made->id.runner = runner ? &runner->id : NULL;
        add_once(&built, made, a);
        n_found++;
    }
    if (!n_found)
        return no_such_mode(d, p.mode, e);
    *list = (struct target_list){built.targets.at, built.targets.n};
    return true;
}

void targets_add_runners(struct target_list *list, struct arena *a)
{
    struct list_builder built = {0};
    copy_list(list, &built, a);
    for (size_t i = 0; i < list->n; i++) {
        const struct target *runner = list->at[i]->runs_in;
        if (!runner || is_listed(&built, runner))
            continue;
        struct target *witness = arena_dup(a, runner, sizeof *runner);
        witness->id.is_witness = true;
        vec_push(&built.targets, a, witness);
    }
    *list = (struct target_list){built.targets.at, built.targets.n};
}

bool target_accepts(const struct target *t, const struct tcase *c, struct strbuf *reason)
{
    return target__subject(c)->accepts(t, c, reason);
}
