/*
 * Decides which targets a name stands for, and in which cases of a hunt they run. Must not know how
 * anything is run.
 */
#include "target/target.h"

#include "base/vec.h"

struct list_builder {
    VEC(const struct target *) targets;
};

/* ENGINE[@VERSION][/MODE[:N]], taken apart. */
struct parts {
    struct str engine, version, mode;
    struct str one_in; /* "": not given */
    bool has_version, has_mode, has_one_in;
};

static struct parts take_apart(struct str name)
{
    struct parts p = {0};
    size_t slash = str_find_byte(name, '/');
    p.has_mode = slash < name.n;
    p.mode = str_sub(name, slash + 1, name.n);
    name = str_sub(name, 0, slash);
    size_t colon = str_find_byte(p.mode, ':');
    p.has_one_in = colon < p.mode.n;
    p.one_in = str_sub(p.mode, colon + 1, p.mode.n);
    p.mode = str_sub(p.mode, 0, colon);
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
        .one_in = 1,
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

/* A mode that was named: can this installation run it? */
static bool check_named(const struct target_installation *i, const struct target_mode *mode,
                        struct arena *a, struct err *e)
{
    const struct target_description *d = i->description;
    if (!version_has_mode(i, mode))
        return err_set(e, ERR_USAGE,
                       STR_FMT "@" STR_FMT " lacks the mode " STR_FMT ", which came with " STR_FMT,
                       STR_ARG(d->engine), STR_ARG(i->version), STR_ARG(mode->name),
                       STR_ARG(mode->least_version));
    return !mode->cpu.n || target_emulator_check(d, mode, a, e);
}

/* In one case of how many the mode runs; 0: in none. One on an emulated CPU runs only if named. */
static uint32_t one_in_of(const struct parts *p, const struct target_mode *mode, bool is_hunt,
                          uint32_t asked)
{
    if (p->has_mode)
        return str_eq(mode->name, p->mode) || (str_is(p->mode, "*") && !mode->cpu.n) ? asked : 0;
    return is_hunt && mode->one_in && !mode->cpu.n ? mode->one_in : mode->is_default ? 1 : 0;
}

static bool read_one_in(const struct parts *p, uint32_t *out, struct err *e)
{
    uint64_t n = 1;
    if (p->has_one_in && (!str_to_u64(p->one_in, &n) || n < 1 || n > TARGET_ONE_IN_MAX))
        return err_set(e, ERR_USAGE,
                       STR_FMT "/" STR_FMT ":" STR_FMT
                               ": after \":\" a number from 1 to %d is expected: one case of so "
                               "many runs in the mode",
                       STR_ARG(p->engine), STR_ARG(p->mode), STR_ARG(p->one_in), TARGET_ONE_IN_MAX);
    *out = (uint32_t)n;
    return true;
}

static bool resolve(const struct targets *t, const char *name, bool is_hunt, struct arena *a,
                    struct target_list *list, struct err *e)
{
    struct parts p = take_apart(str_of(name));
    struct list_builder built = {0};
    const struct target_description *d = targets_find(t, p.engine);
    const struct target *runner = NULL;
    uint32_t asked, one_in;
    size_t n_found = 0;
    if (!d)
        return no_such_engine(t, p.engine, e);
    const struct target_installation *installation = find_installation(t, d, &p);
    if (!installation)
        return not_installed(&p, e);
    if (!read_one_in(&p, &asked, e) ||
        (d->work == TARGET_CONVERTS && !find_runner(t, d, a, &runner, e)))
        return false;
    copy_list(list, &built, a);
    for (size_t i = 0; i < d->n_modes; i++) {
        const struct target_mode *mode = &d->modes[i];
        if (p.has_mode && str_eq(mode->name, p.mode) && !check_named(installation, mode, a, e))
            return false;
        if (!(one_in = one_in_of(&p, mode, is_hunt, asked)) ||
            !version_has_mode(installation, mode))
            continue;
        struct target *made = make_target(installation, mode, a);
        made->one_in = one_in;
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

bool targets_resolve(const struct targets *t, const char *name, struct arena *a,
                     struct target_list *list, struct err *e)
{
    return resolve(t, name, false, a, list, e);
}

bool targets_resolve_hunt(const struct targets *t, const char *name, struct arena *a,
                          struct target_list *list, struct err *e)
{
    return resolve(t, name, true, a, list, e);
}

bool targets_check_shares(const struct target_list *list, struct err *e)
{
    bool any = list->n == 0;
    for (size_t i = 0; i < list->n; i++)
        any |= list->at[i]->one_in <= 1;
    return any || err_set(e, ERR_USAGE, "no target runs every case: name one without \":N\"");
}

const char *target_full_name(const struct target *t, struct arena *a)
{
    const char *name = arena_printf(a, STR_FMT "@" STR_FMT "/" STR_FMT, STR_ARG(t->id.engine),
                                    STR_ARG(t->id.version), STR_ARG(t->id.mode));
    return t->one_in > 1 ? arena_printf(a, "%s:%u", name, t->one_in) : name;
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
