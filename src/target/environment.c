/*
 * Decides how engines come to be installed: in a virtual environment of their own, made with venv
 * and pip, or in an existing one; what its interpreter says about it becomes one registration per
 * engine and version. Must not know workers. Invariant: a registration is written only when the
 * engine has been imported once.
 */
#include "target/environment.h"

#include "base/file.h"
#include "base/path.h"
#include "os/process.h"
#include "target/python_p.h"

enum { STEP_OUTPUT_MAX = 1 << 20, PROBE_DEADLINE_MS = 300000, REASON_MAX = 700 };
#define PIP_DEADLINE_MS (INT64_C(3600) * 1000)

/* ENGINE[@VERSION] of the options, and what it takes to install it. */
struct order {
    const struct environment_options *o;
    const struct target_description *d;
    struct str version; /* "": whatever pip chooses */
    const char *python;
    struct arena *a;
};

static void say(const struct environment_options *o, const char *line)
{
    if (o->on_step)
        o->on_step(o->ctx, line);
}

/* Programs that assay starts get a clean environment, but pip needs the variables with the settings
 * of its registry. */
static const char *const *environment_of(bool clean, struct arena *a)
{
    static const char *const kept[] = {"PATH",
                                       "HOME",
                                       "TMPDIR",
                                       "PIP_INDEX_URL",
                                       "PIP_FIND_LINKS",
                                       "PIP_CONFIG_FILE",
                                       "PIP_EXTRA_INDEX_URL",
                                       "PIP_NO_INDEX",
                                       "PIP_CERT",
                                       "SSL_CERT_FILE",
                                       "HTTPS_PROXY",
                                       "HTTP_PROXY",
                                       "NO_PROXY",
                                       "https_proxy",
                                       "http_proxy",
                                       "no_proxy"};
    const char **list = arena_new_array(a, const char *, COUNT_OF(kept) + 7);
    size_t n = 0;
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        const char *value = getenv(kept[i]);
        if (value && (!clean || i < 3))
            list[n++] = arena_printf(a, "%s=%s", kept[i], value);
    }
    list[n++] = "LANG=C.UTF-8";
    list[n++] = "OMP_NUM_THREADS=1";
    list[n++] = "OPENBLAS_NUM_THREADS=1";
    list[n++] = "PIP_DISABLE_PIP_VERSION_CHECK=1";
    list[n++] = "ORT_DISABLE_TELEMETRY=1";
    return list;
}

/* The last lines of a program's output, which usually hold the reason of its failure. */
static struct str last_words(const struct process_end *end)
{
    struct str said = str_trim(end->err.n ? end->err : end->out);
    return said.n > REASON_MAX ? str_sub(said, said.n - REASON_MAX, said.n) : said;
}

static bool run_tool(const char *const *argv, int64_t deadline_ms, bool clean, struct arena *a,
                     struct process_end *end, struct err *e)
{
    struct process_spec spec = {
        .program = argv[0],
        .argv = argv,
        .env = environment_of(clean, a),
        .out = PROCESS_CAPTURE,
        .err = PROCESS_CAPTURE,
        .output_max = STEP_OUTPUT_MAX,
        .deadline_ms = deadline_ms,
        .grace_ms = 2000,
    };
    if (!process_run(&spec, a, end, e))
        return false;
    if (end->exited && end->exit_code == 0)
        return true;
    struct strbuf how = {0};
    process_end_print(end, &how);
    struct str words = last_words(end);
    err_set(e, ERR_ENVIRONMENT, "%s %s: %s%s: " STR_FMT, argv[0], argv[1] ? argv[1] : "", how.at,
            end->timed_out ? " after its deadline" : "", STR_ARG(words));
    strbuf_done(&how);
    return false;
}

static char *requirement_text(struct str line, struct str version, struct arena *a)
{
    size_t at = str_find(line, STR("==%VERSION%"));
    if (at == line.n)
        return str_dup(a, line);
    if (!version.n)
        return str_dup(a, str_sub(line, 0, at));
    return arena_printf(a, STR_FMT "==" STR_FMT, STR_ARG(str_sub(line, 0, at)), STR_ARG(version));
}

static bool make_environment(struct order *order, struct err *e)
{
    struct arena *a = order->a;
    const struct target_description *d = order->d;
    struct process_end end;
    const char *system_python;
    const char *dir =
        arena_printf(a, "%s/env/" STR_FMT "%s" STR_FMT, order->o->home, STR_ARG(d->engine),
                     order->version.n ? "@" : "", STR_ARG(order->version));
    if (!process_find_program("python3", a, &system_python, e) || !file_make_dirs(dir, e))
        return false;
    const char *const venv[] = {system_python, "-m", "venv", "--clear", dir, NULL};
    say(order->o, arena_printf(a, "making the environment %s", dir));
    if (!run_tool(venv, PIP_DEADLINE_MS, false, a, &end, e))
        return false;
    order->python = path_join(a, dir, "bin/python");
    const char **pip = arena_new_array(a, const char *, d->n_requirements + 6);
    size_t n = 0;
    pip[n++] = order->python;
    pip[n++] = "-m";
    pip[n++] = "pip";
    pip[n++] = "install";
    for (size_t i = 0; i < d->n_requirements; i++) {
        pip[n] = requirement_text(d->requirements[i], order->version, a);
        say(order->o, arena_printf(a, "installing %s", pip[n++]));
    }
    struct err ignored = {0}; /* e holds the reason already */
    if (run_tool(pip, PIP_DEADLINE_MS, false, a, &end, e))
        return true;
    (void)file_remove_tree(dir, &ignored);
    return false;
}

/* Asks the interpreter about the engine, and checks that it can be used. */
static bool ask_interpreter(const char *home, const struct target_description *d,
                            const char *python, struct arena *a, const struct json **out,
                            struct err *e)
{
    const char *files;
    struct process_end end;
    if (!python__extract(home, a, &files, e))
        return false;
    const char *const argv[] = {python,
                                "-I",
                                "-B",
                                path_join(a, files, "assay_worker/probe.py"),
                                str_dup(a, d->package),
                                str_dup(a, d->module),
                                d->library.n ? str_dup(a, d->library) : NULL,
                                NULL};
    if (!run_tool(argv, PROBE_DEADLINE_MS, true, a, &end, e) ||
        !json_parse(end.out, "probe", a, out, e))
        return false;
    struct str error = json_get_str(*out, "error", STR(""));
    if (error.n)
        return err_set(e, ERR_ENVIRONMENT, "%s: " STR_FMT " cannot be used: " STR_FMT, python,
                       STR_ARG(d->package), STR_ARG(error));
    if (d->library.n && !json_get_str(*out, "library", STR("")).n)
        return err_set(e, ERR_ENVIRONMENT, "%s: " STR_FMT " has no library " STR_FMT, python,
                       STR_ARG(d->package), STR_ARG(d->library));
    return true;
}

static bool check_version(const struct order *order, struct str version, struct err *e)
{
    if (order->version.n && !str_eq(order->version, version))
        return err_set(e, ERR_ENVIRONMENT, "%s has " STR_FMT " " STR_FMT ", not version " STR_FMT,
                       order->python, STR_ARG(order->d->package), STR_ARG(version),
                       STR_ARG(order->version));
    if (target_version_compare(version, order->d->least_version) < 0)
        return err_set(
            e, ERR_ENVIRONMENT, STR_FMT " " STR_FMT " is too old: " STR_FMT " or later is needed",
            STR_ARG(order->d->package), STR_ARG(version), STR_ARG(order->d->least_version));
    return true;
}

static bool write_registration(const char *home, const struct target_description *d,
                               const struct json *probe, const struct accepted *accepted,
                               struct arena *a, struct err *e)
{
    struct strbuf text = {0};
    struct str version;
    if (!json_need_str(probe, "version", &version, e))
        return err_wrap(e, "probe");
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_str(&w, "engine", d->engine);
    json_pair_str(&w, "version", version);
    json_pair_str(&w, "python", json_get_str(probe, "python", STR("")));
    json_pair_str(&w, "library", json_get_str(probe, "library", STR("")));
    json_key(&w, "roots");
    json_put_json(&w, json_get(probe, "roots"));
    json_key(&w, "probe");
    json_begin_object(&w);
    json_pair_str(&w, "python_version", json_get_str(probe, "python_version", STR("")));
    json_pair_i64(&w, "import_ms", json_get_i64(probe, "import_ms", -1));
    json_pair_i64(&w, "tasks_after_import", json_get_i64(probe, "tasks_after_import", -1));
    json_pair_bool(&w, "fork_works", json_get_bool(probe, "fork_works", false));
    if (accepted) {
        json_key(&w, "operators");
        accepted_write(accepted, &w);
    }
    json_end_object(&w);
    json_end_object(&w);
    strbuf_addc(&text, '\n');
    const char *dir = path_join(a, home, "targets");
    const char *path = arena_printf(a, "%s/" STR_FMT "@" STR_FMT ".json", dir, STR_ARG(d->engine),
                                    STR_ARG(version));
    bool ok = file_make_dirs(dir, e) && file_write(path, text.at, text.n, e);
    strbuf_done(&text);
    return ok;
}

static bool take_order(const struct environment_options *o, const struct targets *all,
                       struct arena *a, struct order *out, struct err *e)
{
    struct str name = str_of(o->name);
    size_t at = str_find_byte(name, '@');
    *out = (struct order){.o = o, .version = str_sub(name, at + 1, name.n), .a = a};
    out->d = targets_find(all, str_sub(name, 0, at));
    if (!out->d) {
        struct target_list none = {0};
        return targets_resolve(all, o->name, a, &none, e) ||
               err_set(e, ERR_USAGE, "%s: no such engine", o->name);
    }
    if (str_find_byte(name, '/') < name.n)
        return err_set(e, ERR_USAGE, "%s: an engine is installed whole, without a mode", o->name);
    if (!o->python)
        return true;
    if (!process_find_program(o->python, a, &out->python, e))
        return false;
    /* Links are not resolved: an environment's interpreter is one. */
    return file_absolute(a, out->python, &out->python, e);
}

bool environment_add(const struct environment_options *o, struct arena *a,
                     struct target_installation *out, struct err *e)
{
    struct targets all;
    struct order order;
    const struct json *probe;
    struct str version;
    if (!targets_load(o->home, a, &all, e) || !take_order(o, &all, a, &order, e) ||
        (!order.python && !make_environment(&order, e)))
        return false;
    say(o, arena_printf(a, "probing %s", order.python));
    if (!ask_interpreter(o->home, order.d, order.python, a, &probe, e) ||
        !json_need_str(probe, "version", &version, e) || !check_version(&order, version, e) ||
        !write_registration(o->home, order.d, probe, NULL, a, e) ||
        !targets_load(o->home, a, &all, e))
        return false;
    for (size_t i = 0; i < all.n_installations; i++)
        if (str_eq(all.installations[i].description->engine, order.d->engine) &&
            str_eq(all.installations[i].version, version)) {
            *out = all.installations[i];
            return true;
        }
    return err_set(e, ERR_INTERNAL, "%s: the registration just written is not found", o->name);
}

bool environment_probe(const char *home, const struct target_installation *installation,
                       const struct accepted *accepted, struct arena *a, struct err *e)
{
    const struct json *probe;
    return ask_interpreter(home, installation->description, str_dup(a, installation->python), a,
                           &probe, e) &&
           write_registration(home, installation->description, probe, accepted, a, e);
}

/* pip's line "Available versions: 1.32.0, 1.31.1, ..." */
static bool read_releases(struct str said, struct arena *a, struct environment_releases *out)
{
    const struct str lead = STR("Available versions:");
    struct str line, version;
    while (str_split(&said, '\n', &line)) {
        if (!str_starts(str_trim(line), lead))
            continue;
        line = str_trim(line);
        line = str_sub(line, lead.n, line.n);
        out->at = arena_new_array(a, struct str, line.n / 2 + 1);
        while (str_split(&line, ',', &version))
            if (str_trim(version).n)
                out->at[out->n++] = str_trim(version);
        return out->n > 0;
    }
    return false;
}

bool environment_releases_of(const struct target_installation *i, struct arena *a,
                             struct environment_releases *out, struct err *e)
{
    struct process_end end;
    const char *const argv[] = {str_dup(a, i->python),
                                "-m",
                                "pip",
                                "index",
                                "versions",
                                str_dup(a, i->description->package),
                                NULL};
    *out = (struct environment_releases){0};
    if (!run_tool(argv, PROBE_DEADLINE_MS, false, a, &end, e))
        return err_wrap(e, "the releases of " STR_FMT, STR_ARG(i->description->package));
    return read_releases(end.out, a, out) ||
           err_set(e, ERR_ENVIRONMENT,
                   "pip of " STR_FMT " lists no releases of " STR_FMT
                   ": name the versions after the bug's id",
                   STR_ARG(i->python), STR_ARG(i->description->package));
}
