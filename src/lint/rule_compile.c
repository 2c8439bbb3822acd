/*
 * Compiles a rule file to struct rule: its texts and its checks. Messages are templates: "{$model}"
 * becomes the captured text.
 */
#include "base/path.h"
#include "lint/rule_p.h"

/* By enum edit_op; each may have this one other key. */
static const char *const step_keys[N_EDIT_OPS + 1] = {
    "replace",     "insert-before", "insert-after",    "delete-statement", "add-argument",
    "line-before", "line-after",    "delete-argument", "wrap-statement",   "with"};

/* The capture under the key, which an earlier predicate must bind. */
static bool need_bound(struct compile *c, const struct json *j, const char *key, uint8_t *out,
                       struct err *e)
{
    uint32_t n_bound = c->n_captures;
    const struct json *v = json_get(j, key);
    return compile__need_capture(c, j, key, out, e) &&
           (c->n_captures == n_bound ||
            compile__fail(c, v, e, "nothing binds " STR_FMT, STR_ARG(v->string)));
}

bool template_next(struct str *text, struct str *plain, struct str *name)
{
    size_t at = MIN(str_find(*text, STR("{$")), str_find(*text, STR("{@")));
    *plain = str_sub(*text, 0, at);
    *text = str_sub(*text, at, text->n);
    if (!text->n)
        return false;
    size_t end = str_find_byte(*text, '}');
    *name = str_sub(*text, 1, end);
    *text = str_sub(*text, end + 1, text->n);
    return true;
}

/* "{@torch.zeros}": names with dots between. */
static bool is_api_name(struct str name)
{
    struct str part;
    size_t n = 0;
    if (!name.n || name.at[name.n - 1] == '.')
        return false;
    while (str_split(&name, '.', &part)) {
        for (size_t i = 0; i < part.n; i++)
            if (!((part.at[i] | 0x20) >= 'a' && (part.at[i] | 0x20) <= 'z') && part.at[i] != '_' &&
                !(i && part.at[i] >= '0' && part.at[i] <= '9'))
                return false;
        if (!part.n)
            return false;
        n++;
    }
    return n > 0;
}

/* Is every "{$name}" of a text a bound capture, and every "{@name}" a possible name of an API? */
static bool check_template(struct compile *c, const struct json *j, struct str text, struct err *e)
{
    struct str plain, name;
    while (template_next(&text, &plain, &name)) {
        if (name.at[0] == '$' && !map_get(&c->captures, name))
            return compile__fail(c, j, e, "no capture " STR_FMT " in this check", STR_ARG(name));
        if (name.at[0] == '@' && name.n > 1 && !is_api_name(str_sub(name, 1, name.n)))
            return compile__fail(
                c, j, e, "{" STR_FMT "}: an API such as {@torch.zeros} is expected", STR_ARG(name));
    }
    return true;
}

static bool compile_edit_steps(struct compile *c, const struct json *list, struct edit_plan *out,
                               struct err *e)
{
    if (!list || list->kind != JSON_KIND_ARRAY || !list->n) {
        static const struct json nowhere = {.line = 1};
        return compile__fail(c, list ? list : &nowhere, e, "an edit needs a list of steps: \"do\"");
    }
    struct edit_step *steps = arena_new_array(c->arena, struct edit_step, list->n);
    for (size_t i = 0; i < list->n; i++) {
        const struct json *j = &list->items[i];
        int op = 0;
        if (!json_check_keys(j, step_keys, COUNT_OF(step_keys), e))
            return err_wrap(e, "%s", c->file);
        while (op < N_EDIT_OPS && !json_get(j, step_keys[op]))
            op++;
        if (op == N_EDIT_OPS)
            return compile__fail(c, j, e, "no step of an edit here");
        steps[i].op = (enum edit_op)op;
        struct str text = json_get_str(j, "with", STR(""));
        steps[i].text = (struct str){str_dup(c->arena, text), text.n};
        if (!need_bound(c, j, step_keys[op], &steps[i].at, e) || !check_template(c, j, text, e))
            return false;
    }
    out->steps = steps;
    out->n_steps = list->n;
    return true;
}

static bool compile_edits(struct compile *c, const struct json *list, struct check *out,
                          struct err *e)
{
    static const char *const keys[] = {"when", "safety", "title", "do"};
    if (!list)
        return true;
    if (list->kind != JSON_KIND_ARRAY)
        return compile__fail(c, list, e, "edits: a list is expected");
    struct edit_plan *plans = arena_new_array(c->arena, struct edit_plan, list->n);
    for (size_t i = 0; i < list->n; i++) {
        const struct json *j = &list->items[i];
        struct str safety = json_get_str(j, "safety", STR(""));
        struct str title = json_get_str(j, "title", STR(""));
        if (!json_check_keys(j, keys, COUNT_OF(keys), e))
            return err_wrap(e, "%s", c->file);
        plans[i].safety = str_is(safety, "safe") ? SAFETY_SAFE : SAFETY_UNSAFE;
        plans[i].title = (struct str){str_dup(c->arena, title), title.n};
        if (plans[i].safety == SAFETY_UNSAFE && !str_is(safety, "unsafe"))
            return compile__fail(c, j, e, "an edit says its safety: safe or unsafe");
        if (!title.n)
            return compile__fail(c, j, e, "an edit needs a title");
        if (!compile__predicates(c, json_get(j, "when"), &plans[i].when, e) ||
            !compile_edit_steps(c, json_get(j, "do"), &plans[i], e))
            return false;
    }
    out->edits = plans;
    out->n_edits = list->n;
    return true;
}

static bool compile_related(struct compile *c, const struct json *list, struct check *out,
                            struct err *e)
{
    static const char *const keys[] = {"at", "message"};
    if (!list)
        return true;
    if (list->kind != JSON_KIND_ARRAY)
        return compile__fail(c, list, e, "related: a list is expected");
    struct related_plan *plans = arena_new_array(c->arena, struct related_plan, list->n);
    for (size_t i = 0; i < list->n; i++) {
        struct str text;
        if (!json_check_keys(&list->items[i], keys, COUNT_OF(keys), e) ||
            !json_need_str(&list->items[i], "message", &text, e))
            return err_wrap(e, "%s", c->file);
        plans[i].text = (struct str){str_dup(c->arena, text), text.n};
        if (!need_bound(c, &list->items[i], "at", &plans[i].at, e) ||
            !check_template(c, &list->items[i], text, e))
            return false;
    }
    out->related = plans;
    out->n_related = list->n;
    return true;
}

static bool compile_check(struct compile *c, const struct json *j, struct check *out, struct err *e)
{
    static const char *const keys[] = {"find",   "unless",  "low",     "medium", "unknown",
                                       "report", "related", "message", "edits"};
    struct str message, unknown = json_get_str(j, "unknown", STR("silent"));
    c->captures = (struct map){0};
    c->n_captures = 0;
    c->n_predicates = 0;
    if (!json_check_keys(j, keys, COUNT_OF(keys), e) || !json_need_str(j, "message", &message, e))
        return err_wrap(e, "%s", c->file);
    out->message = (struct str){str_dup(c->arena, message), message.n};
    out->unknown_is_low = str_is(unknown, "low");
    if (!out->unknown_is_low && !str_is(unknown, "silent"))
        return compile__fail(c, json_get(j, "unknown"), e, "unknown is silent or low");
    if (!compile__predicates(c, json_get(j, "find"), &out->find, e))
        return false;
    if (!out->find.n)
        return compile__fail(c, j, e, "a check needs \"find\"");
    if (!need_bound(c, j, "report", &out->report, e) || !check_template(c, j, out->message, e))
        return false;
    if (!compile__predicates(c, json_get(j, "unless"), &out->unless, e) ||
        !compile__predicates(c, json_get(j, "low"), &out->low, e) ||
        !compile__predicates(c, json_get(j, "medium"), &out->medium, e) ||
        !compile_related(c, json_get(j, "related"), out, e) ||
        !compile_edits(c, json_get(j, "edits"), out, e))
        return false;
    struct prefilter *prefilter = arena_new(c->arena, struct prefilter);
    prefilter__compile(c, json_get(j, "find"), !out->unknown_is_low, prefilter);
    out->prefilter = prefilter;
    out->n_captures = c->n_captures;
    out->capture_names = arena_new_array(c->arena, struct str, c->n_captures);
    for (size_t i = 0; i < c->captures.entries.n; i++)
        out->capture_names[c->captures.entries.at[i].value] = c->captures.entries.at[i].key;
    return true;
}

static bool read_texts(struct compile *c, const struct json *j, struct rule *out, struct err *e)
{
    struct {
        const char *key;
        struct str *to;
        bool is_needed;
    } texts[] = {{"code", &out->code, true},       {"name", &out->name, true},
                 {"summary", &out->summary, true}, {"explanation", &out->explanation, true},
                 {"fix", &out->fix, true},         {"why-off", &out->why_off, false}};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct str text = {0};
        if (texts[i].is_needed && !json_need_str(j, texts[i].key, &text, e))
            return err_wrap(e, "%s", c->file);
        text = json_get_str(j, texts[i].key, STR(""));
        *texts[i].to = (struct str){str_dup(c->arena, text), text.n};
    }
    return compile__strings(c, j, "bad", &out->bad, &out->n_bad, e) &&
           compile__strings(c, j, "good", &out->good, &out->n_good, e) &&
           compile__strings(c, j, "supersedes", &out->supersedes, &out->n_supersedes, e);
}

static bool is_code(struct str code)
{
    size_t letters = 0;
    while (letters < code.n && code.at[letters] >= 'A' && code.at[letters] <= 'Z')
        letters++;
    if (letters == 0 || code.n != letters + 3)
        return false;
    for (size_t i = letters; i < code.n; i++)
        if (code.at[i] < '0' || code.at[i] > '9')
            return false;
    return true;
}

static bool read_severity(struct compile *c, const struct json *j, struct rule *out, struct err *e)
{
    const struct json *v = json_get(j, "severity");
    struct str name = json_get_str(j, "severity", v ? STR("") : STR("warning"));
    for (int s = SEVERITY_INFO; s <= SEVERITY_ERROR; s++)
        if (str_is(name, finding_severity_name((enum severity)s))) {
            out->severity = (enum severity)s;
            return true;
        }
    return compile__fail(c, v, e, "severity is info, warning or error");
}

bool compile__rule(struct compile *c, const struct json *j, struct rule *out, struct err *e)
{
    static const char *const keys[] = {
        "$schema", "code", "name", "pattern", "severity",   "default", "summary",  "explanation",
        "bad",     "good", "fix",  "why-off", "supersedes", "checks",  "built-in", "per-call"};
    const struct json *checks = json_get(j, "checks");
    if (j->kind != JSON_KIND_OBJECT)
        return compile__fail(c, j, e, "a rule is an object");
    if (!json_check_keys(j, keys, COUNT_OF(keys), e))
        return err_wrap(e, "%s", c->file);
    if (!read_texts(c, j, out, e))
        return false;
    if (!is_code(out->code))
        return compile__fail(c, json_get(j, "code"), e,
                             "a code is capital letters and three digits, such as \"SB032\"");
    if (!str_starts(path_base(str_of(c->file)), out->code))
        return compile__fail(c, json_get(j, "code"), e,
                             "the file of the rule " STR_FMT " is named " STR_FMT "-name.json",
                             STR_ARG(out->code), STR_ARG(out->code));
    if (!read_severity(c, j, out, e))
        return false;
    out->pattern = (uint32_t)json_get_i64(j, "pattern", 0);
    out->is_per_call = json_get_bool(j, "per-call", false);
    out->is_default = json_get_bool(j, "default", false);
    out->is_builtin_code = json_get_bool(j, "built-in", false);
    out->file = str_of(c->file);
    if (out->is_builtin_code)
        return true;
    if (!checks || checks->kind != JSON_KIND_ARRAY || !checks->n)
        return compile__fail(c, j, e, "a rule needs \"checks\", a list of at least one");
    struct check *list = arena_new_array(c->arena, struct check, checks->n);
    for (size_t i = 0; i < checks->n; i++)
        if (!compile_check(c, &checks->items[i], &list[i], e))
            return false;
    out->checks = list;
    out->n_checks = checks->n;
    return true;
}
