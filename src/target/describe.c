/*
 * Decides what a valid description of an engine is: which keys share/targets/NAME.json has, of
 * which kinds, and no others; and what exactly is wrong with a bad one. Must not know what is
 * installed, nor what an issue form holds: "form" is read by report/form.c alone.
 */
#include "target/describe_p.h"

#include "base/share.h"
#include "base/vec.h"
#include "emit/emit.h"

static const char *const description_keys[] = {
    "engine",     "family",        "help",    "package",  "module",        "library",
    "work",       "requirements",  "worker",  "accepts",  "least_version", "runs_in",
    "fork",       "largest_opset", "missing", "computes", "int_overflow",  "flushes_denormals",
    "messages",   "modes",         "tasks",   "form",     "emit",          "script",
    "generators",
};
static const char *const mode_keys[] = {"name",    "help",          "default",        "base",
                                        "threads", "least_version", "options",        "deadline_ms",
                                        "accepts", "cpu",           "least_emulator", "one_in"};
static const char *const missing_keys[] = {"dtypes", "operators"};

/* One word of a fixed list, and its number. */
struct choice {
    const char *word;
    int number;
};
static const struct choice works[] = {{"runs", TARGET_RUNS}, {"converts", TARGET_CONVERTS}};
static const struct choice forks[] = {
    {"batch", TARGET_FORK_BATCH}, {"case", TARGET_FORK_CASE}, {"never", TARGET_FORK_NEVER}};
static const struct choice overflows[] = {{"wraps", INT_OVERFLOW_WRAPS},
                                          {"saturates", INT_OVERFLOW_SATURATES}};
static const struct choice meanings[] = {{"unsupported", OUTCOME_UNSUPPORTED},
                                         {"internal-error", OUTCOME_INTERNAL_ERROR},
                                         {"out-of-memory", OUTCOME_OOM_ALLOCATOR}};

static bool wrong(const struct json *at, struct err *e, const char *what)
{
    return err_set(e, ERR_DATA, "line %u: %s", at->line, what);
}

static bool find_choice(struct str word, const struct choice *choices, size_t n, int *out)
{
    for (size_t i = 0; i < n; i++)
        if (str_is(word, choices[i].word)) {
            *out = choices[i].number;
            return true;
        }
    return false;
}

static bool need_choice(const struct json *j, const char *key, const struct choice *choices,
                        size_t n, int *out, struct err *e)
{
    struct str word;
    struct strbuf list = {0};
    if (!json_need_str(j, key, &word, e))
        return false;
    if (find_choice(word, choices, n, out))
        return true;
    for (size_t i = 0; i < n; i++)
        strbuf_printf(&list, "%s\"%s\"", i ? ", " : "", choices[i].word);
    err_set(e, ERR_DATA, "line %u: key \"%s\": \"" STR_FMT "\" is none of %s",
            json_get(j, key)->line, key, STR_ARG(word), list.at);
    strbuf_done(&list);
    return false;
}

bool describe__texts(const struct json *j, const char *key, struct arena *a, const struct str **out,
                     size_t *n, struct err *e)
{
    const struct json *list;
    if (!json_need(j, key, JSON_KIND_ARRAY, &list, e))
        return false;
    struct str *texts = arena_new_array(a, struct str, list->n);
    for (size_t i = 0; i < list->n; i++) {
        if (list->items[i].kind != JSON_KIND_STRING)
            return err_set(e, ERR_DATA, "line %u: key \"%s\": a list of strings is expected",
                           list->items[i].line, key);
        texts[i] = list->items[i].string;
    }
    *out = texts;
    *n = list->n;
    return true;
}

static bool need_truth(const struct json *j, const char *key, bool *out, struct err *e)
{
    const struct json *value;
    if (!json_need(j, key, JSON_KIND_BOOL, &value, e))
        return false;
    *out = value->truth;
    return true;
}

/* Without "accepts" a mode runs what its engine runs. */
static bool read_mode_kinds(const struct json *j, struct target_mode *out, struct err *e)
{
    const struct json *list = json_get(j, "accepts");
    if (!list)
        return true;
    out->no_graphs = out->no_programs = true;
    if (list->kind != JSON_KIND_ARRAY)
        return wrong(list, e, "key \"accepts\": a list of \"graph\" and \"program\" is expected");
    for (size_t i = 0; i < list->n; i++) {
        struct str kind = list->items[i].kind == JSON_KIND_STRING ? list->items[i].string : STR("");
        out->no_graphs = out->no_graphs && !str_is(kind, "graph");
        out->no_programs = out->no_programs && !str_is(kind, "program");
        if (!str_is(kind, "graph") && !str_is(kind, "program"))
            return wrong(list, e, "key \"accepts\": \"graph\" and \"program\" are known");
    }
    return true;
}

/* The lines of share/script/NAME.py, which modes of several engines share; NULL: it is not there.
 */
static const struct json *lines_of_file(struct str name, struct arena *a)
{
    struct str text;
    VEC(struct json) lines = {0};
    if (!share_find(arena_printf(a, "script/" STR_FMT ".py", STR_ARG(name)), &text))
        return NULL;
    for (struct str line; str_split(&text, '\n', &line);)
        vec_push(&lines, a, (struct json){.kind = JSON_KIND_STRING, .string = line});
    const struct json list = {.kind = JSON_KIND_ARRAY, .items = lines.at, .n = lines.n};
    return arena_dup(a, &list, sizeof list);
}

/* The lines of the prelude that the mode holds itself; NULL: none. */
static const struct json *prelude_of(const struct json *modes, struct str mode)
{
    for (size_t i = 0; i < modes->n; i++) {
        const struct json *options = json_get(&modes->items[i], "options");
        const struct json *lines = options ? json_get(options, "prelude") : NULL;
        if (lines && lines->kind == JSON_KIND_ARRAY &&
            str_eq(json_get_str(&modes->items[i], "name", STR("")), mode))
            return lines;
    }
    return NULL;
}

static bool read_one_in(const struct json *j, struct target_mode *out, struct err *e)
{
    int64_t n = json_get_i64(j, "one_in", 0);
    out->one_in = (uint32_t)n;
    if (json_get(j, "one_in") && (n < 2 || n > TARGET_ONE_IN_MAX || out->is_base))
        return wrong(json_get(j, "one_in"), e,
                     "key \"one_in\": 2 to 100000 are expected, in a mode that is not the base");
    return true;
}

/* The lines of "prelude" in a mode's options, which workers and reproducers read. A name stands for
 * the lines of that earlier mode, or for a file: *options becomes a copy with them. */
static bool read_prelude(const struct json *modes, const struct json **options, struct arena *a,
                         struct err *e)
{
    const struct json *prelude = json_get(*options, "prelude"), *lines = prelude;
    const struct str *texts;
    size_t n;
    if (!prelude)
        return true;
    if (prelude->kind == JSON_KIND_STRING)
        lines = prelude_of(modes, prelude->string);
    if (!lines && prelude->kind == JSON_KIND_STRING)
        lines = lines_of_file(prelude->string, a);
    if (!lines)
        return wrong(prelude, e, "key \"prelude\": no earlier mode of that name has one");
    struct json *copy = arena_dup(a, *options, sizeof *copy);
    struct json *items = arena_dup(a, copy->items, copy->n * sizeof *items);
    items[prelude - copy->items] = *lines;
    copy->items = items;
    *options = copy;
    return describe__texts(copy, "prelude", a, &texts, &n, e);
}

static bool read_cpu(const struct json *j, struct target_mode *out, struct err *e)
{
    const struct json *cpu = json_get(j, "cpu");
    if (cpu && (cpu->kind != JSON_KIND_STRING || !cpu->string.n))
        return wrong(cpu, e, "key \"cpu\": QEMU's name of a CPU is expected");
    if (cpu && out->is_default)
        return wrong(cpu, e, "key \"cpu\": an emulated CPU is slow, so its mode is no default");
    out->cpu = cpu ? cpu->string : STR("");
    out->least_emulator = json_get_str(j, "least_emulator", STR(""));
    if (out->least_emulator.n && !cpu)
        return wrong(j, e, "key \"least_emulator\" goes with \"cpu\"");
    return true;
}

static bool read_mode(const struct json *modes, const struct json *j, struct arena *a,
                      struct target_mode *out, struct err *e)
{
    int64_t threads;
    if (!json_check_keys(j, mode_keys, COUNT_OF(mode_keys), e) ||
        !json_need_str(j, "name", &out->name, e) || !json_need_str(j, "help", &out->help, e) ||
        !need_truth(j, "default", &out->is_default, e) ||
        !json_need_i64(j, "threads", &threads, e) ||
        !json_need(j, "options", JSON_KIND_OBJECT, &out->options, e) ||
        !read_prelude(modes, &out->options, a, e))
        return false;
    if (threads < 1 || threads > 256)
        return wrong(json_get(j, "threads"), e, "key \"threads\": 1 to 256 are expected");
    if (!out->name.n || str_find_byte(out->name, '/') < out->name.n)
        return wrong(json_get(j, "name"), e, "key \"name\": a name without '/' is expected");
    out->n_threads = (uint32_t)threads;
    out->least_version = json_get_str(j, "least_version", STR(""));
    out->is_base = json_get_bool(j, "base", false);
    out->deadline_ms = json_get_i64(j, "deadline_ms", 0);
    return read_one_in(j, out, e) && read_cpu(j, out, e) && read_mode_kinds(j, out, e);
}

static bool read_modes(const struct json *j, struct arena *a, struct target_description *out,
                       struct err *e)
{
    const struct json *list;
    bool has_default = false;
    size_t n_bases = 0;
    if (!json_need(j, "modes", JSON_KIND_ARRAY, &list, e))
        return false;
    struct target_mode *modes = arena_new_array(a, struct target_mode, list->n);
    for (size_t i = 0; i < list->n; i++) {
        if (!read_mode(list, &list->items[i], a, &modes[i], e))
            return false;
        for (size_t k = 0; k < i; k++)
            if (str_eq(modes[k].name, modes[i].name))
                return err_set(e, ERR_DATA, "line %u: two modes have the name \"" STR_FMT "\"",
                               list->items[i].line, STR_ARG(modes[i].name));
        has_default |= modes[i].is_default;
        n_bases += modes[i].is_base;
    }
    if (n_bases > 1)
        return wrong(list, e, "key \"modes\": more than one mode is the base");
    if (!has_default)
        return wrong(list, e, "key \"modes\": no mode is a default");
    out->modes = modes;
    out->n_modes = list->n;
    return true;
}

static bool read_opsets(const struct json *j, struct arena *a, struct target_description *out,
                        struct err *e)
{
    const struct json *table;
    if (!json_need(j, "largest_opset", JSON_KIND_OBJECT, &table, e))
        return false;
    struct target_opset *opsets = arena_new_array(a, struct target_opset, table->n);
    for (size_t i = 0; i < table->n; i++) {
        const struct json *opset = &table->items[i];
        if (opset->kind != JSON_KIND_INTEGER || opset->integer < MODEL_OPSET_OLDEST ||
            opset->integer > MODEL_OPSET_NEWEST)
            return err_set(e, ERR_DATA, "line %u: key \"largest_opset\": %d to %d are expected",
                           opset->line, MODEL_OPSET_OLDEST, MODEL_OPSET_NEWEST);
        opsets[i] = (struct target_opset){table->keys[i], (int)opset->integer};
        if (i && target_version_compare(opsets[i - 1].version, opsets[i].version) >= 0)
            return wrong(opset, e, "key \"largest_opset\": versions are not ascending");
    }
    if (!table->n)
        return wrong(table, e, "key \"largest_opset\": at least one version is expected");
    out->opsets = opsets;
    out->n_opsets = table->n;
    out->traits.largest_opset = opsets[table->n - 1].opset;
    return true;
}

static bool need_dtype(struct str name, const struct json *at, enum dtype *out, struct err *e)
{
    *out = dtype_find(name);
    return *out != DTYPE_UNDEFINED ||
           err_set(e, ERR_DATA, "line %u: \"" STR_FMT "\" is no dtype", at->line, STR_ARG(name));
}

static bool read_missing(const struct json *j, struct arena *a, struct target_description *out,
                         struct err *e)
{
    const struct json *missing;
    const struct str *names;
    size_t n;
    if (!json_need(j, "missing", JSON_KIND_OBJECT, &missing, e) ||
        !json_check_keys(missing, missing_keys, COUNT_OF(missing_keys), e) ||
        !describe__texts(missing, "dtypes", a, &names, &n, e) ||
        !describe__texts(missing, "operators", a, &out->missing_operators,
                         &out->n_missing_operators, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        enum dtype dtype;
        if (!need_dtype(names[i], missing, &dtype, e))
            return false;
        out->missing_dtypes |= dtype_bit(dtype);
    }
    return true;
}

static bool read_computes(const struct json *j, struct target_traits *traits, struct err *e)
{
    const struct json *table;
    if (!json_need(j, "computes", JSON_KIND_OBJECT, &table, e))
        return false;
    for (int i = 0; i < DTYPE_COUNT; i++)
        traits->computes[i] = (enum dtype)i;
    for (size_t i = 0; i < table->n; i++) {
        enum dtype declared, computed;
        if (table->items[i].kind != JSON_KIND_STRING)
            return wrong(&table->items[i], e, "key \"computes\": names of dtypes are expected");
        if (!need_dtype(table->keys[i], &table->items[i], &declared, e) ||
            !need_dtype(table->items[i].string, &table->items[i], &computed, e))
            return false;
        traits->computes[declared] = computed;
    }
    return true;
}

static bool read_words(const struct json *j, struct arena *a, struct target_description *out,
                       struct err *e)
{
    const struct json *table;
    VEC(struct target_words) words = {0};
    if (!json_need(j, "messages", JSON_KIND_OBJECT, &table, e))
        return false;
    for (size_t i = 0; i < table->n; i++) {
        int meaning;
        const struct str *texts;
        size_t n;
        if (!find_choice(table->keys[i], meanings, COUNT_OF(meanings), &meaning))
            return err_set(e, ERR_DATA,
                           "line %u: key \"messages\": \"" STR_FMT "\" is none of "
                           "\"unsupported\", \"internal-error\", \"out-of-memory\"",
                           table->items[i].line, STR_ARG(table->keys[i]));
        if (!describe__texts(table, str_dup(a, table->keys[i]), a, &texts, &n, e))
            return false;
        for (size_t k = 0; k < n; k++)
            vec_push(&words, a, (struct target_words){texts[k], (enum outcome)meaning});
    }
    out->words = words.at;
    out->n_words = words.n;
    return true;
}

static bool read_accepts(const struct json *j, struct arena *a, struct target_description *out,
                         struct err *e)
{
    const struct str *kinds;
    size_t n;
    if (!describe__texts(j, "accepts", a, &kinds, &n, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        out->accepts_graphs |= str_is(kinds[i], "graph");
        out->accepts_programs |= str_is(kinds[i], "program");
        if (!str_is(kinds[i], "graph") && !str_is(kinds[i], "program"))
            return wrong(json_get(j, "accepts"), e,
                         "key \"accepts\": \"graph\" and \"program\" are expected");
    }
    return n || wrong(json_get(j, "accepts"), e, "key \"accepts\": it accepts nothing");
}

static bool read_generators(const struct json *j, struct arena *a, struct target_description *out,
                            struct err *e)
{
    static const struct str mutate = {"mutate", sizeof("mutate") - 1};
    out->generators = &mutate;
    out->n_generators = 1;
    return !json_get(j, "generators") ||
           describe__texts(j, "generators", a, &out->generators, &out->n_generators, e);
}

static bool read_texts(const struct json *j, struct arena *a, struct target_description *out,
                       struct err *e)
{
    return json_need_str(j, "engine", &out->engine, e) &&
           json_need_str(j, "family", &out->family, e) && json_need_str(j, "help", &out->help, e) &&
           json_need_str(j, "package", &out->package, e) &&
           json_need_str(j, "module", &out->module, e) &&
           json_need_str(j, "worker", &out->worker, e) &&
           json_need_str(j, "least_version", &out->least_version, e) &&
           describe__texts(j, "requirements", a, &out->requirements, &out->n_requirements, e);
}

static bool read_choices(const struct json *j, struct target_description *out, struct err *e)
{
    int work, fork, overflow;
    if (!need_choice(j, "work", works, COUNT_OF(works), &work, e) ||
        !need_choice(j, "fork", forks, COUNT_OF(forks), &fork, e) ||
        !need_choice(j, "int_overflow", overflows, COUNT_OF(overflows), &overflow, e) ||
        !need_truth(j, "flushes_denormals", &out->traits.flushes_denormals, e))
        return false;
    out->n_tasks = (uint32_t)json_get_i64(j, "tasks", 1);
    out->emit = json_get_str(j, "emit", STR(""));
    if (out->emit.n && !emit_module(out->emit))
        return wrong(json_get(j, "emit"), e, "key \"emit\": no programs are written for it");
    out->script = json_get_str(j, "script", STR(""));
    out->work = (enum target_work)work;
    out->fork = (enum target_fork)fork;
    out->traits.int_overflow = (enum int_overflow)overflow;
    return true;
}

/* Keys that one kind of worker or work needs and the others must not have. */
static bool check_combinations(const struct json *j, struct target_description *out, struct err *e)
{
    bool native = str_is(out->worker, "native"), converts = out->work == TARGET_CONVERTS;
    if (native != (json_get(j, "library") != NULL))
        return wrong(j, e, "key \"library\" goes with worker \"native\", and with no other");
    if (converts != (json_get(j, "runs_in") != NULL))
        return wrong(j, e, "key \"runs_in\" goes with work \"converts\", and with no other");
    if (json_get(j, "form") && json_get(j, "form")->kind != JSON_KIND_OBJECT)
        return wrong(json_get(j, "form"), e, "key \"form\": an object is expected");
    return (!native || json_need_str(j, "library", &out->library, e)) &&
           (!converts || json_need_str(j, "runs_in", &out->runs_in, e));
}

bool target_description_parse(struct str text, const char *name, struct arena *a,
                              struct target_description *out, struct err *e)
{
    const struct json *j;
    *out = (struct target_description){0};
    if (!json_parse(text, name, a, &j, e))
        return false;
    if (json_check_keys(j, description_keys, COUNT_OF(description_keys), e) &&
        read_texts(j, a, out, e) && read_choices(j, out, e) && read_accepts(j, a, out, e) &&
        read_generators(j, a, out, e) && read_opsets(j, a, out, e) && read_missing(j, a, out, e) &&
        read_computes(j, &out->traits, e) && read_words(j, a, out, e) && read_modes(j, a, out, e) &&
        check_combinations(j, out, e))
        return true;
    return err_wrap(e, "%s", name);
}
