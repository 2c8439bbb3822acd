/*
 * Decides which names of a program are surely wrong: those of the source framework, modules that do
 * not exist, names that nothing binds, functions and parameters that the installed target lacks.
 * Must not know how the program came about.
 */
#include "base/compiler.h"
#include "generate/transfer/answer_p.h"
#include "generate/transfer/core_api.h"
#include "generate/transfer/translate_p.h"

bool answer__fail(struct answering *w, enum answer_failure f, struct str detail)
{
    w->out->failure = f;
    w->out->detail = (struct str){str_dup(w->a, detail), detail.n};
    return true;
}

/* Names -----------------------------------------------------------------------------------------*/

void answer_library_add(struct answer_library *l, const struct api_records *records,
                        struct arena *a)
{
    if (l->n == ANSWER_LIBRARIES_MAX)
        return;
    l->at[l->n++] = records;
    for (size_t i = 0; i < records->names.entries.n; i++) {
        struct str name = records->names.entries.at[i].key;
        for (size_t k = 0; k < name.n; k++)
            if (name.at[k] == '.')
                map_put(&l->modules, a, str_sub(name, 0, k), 1);
    }
}

static const struct api_record *find(const struct answering *w, struct str name)
{
    const struct answer_library *l = w->check->library;
    const struct api_record *found = NULL;
    for (size_t i = 0; i < l->n && !found; i++)
        found = api_records_find(l->at[i], name);
    return found;
}

static bool is_module(const struct answering *w, struct str name)
{
    return map_get(&w->check->library->modules, name) != NULL;
}

bool answer__is_below(const struct json *list, struct str name)
{
    for (size_t i = 0; list && i < list->n; i++) {
        struct str above = list->items[i].string;
        if (str_starts(name, above) && (name.n == above.n || name.at[above.n] == '.'))
            return true;
    }
    return false;
}

const struct json *answer__words(const struct answering *w, const char *list, struct str name)
{
    return json_member(json_get(w->check->words, list), name);
}

struct str answer__canonical(const struct answering *w, struct str name)
{
    return core_api_canonical(w->check->words, name, w->a);
}

static bool is_of_library(const struct answering *w, struct str name)
{
    return answer__is_below(answer__words(w, "libraries", w->check->translator->target), name);
}

bool answer__is_read(const struct tree *t, uint32_t n)
{
    enum py_kind kind = tree_kind(t, n), above = tree_kind(t, tree_node(t, n)->parent);
    unsigned field = tree_node(t, n)->field;
    if (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE)
        return false;
    if ((above == PY_ATTRIBUTE && field == FIELD_ATTRIBUTE) ||
        (above == PY_KEYWORD_ARGUMENT && field == FIELD_NAME))
        return false;
    return above != PY_DOTTED_NAME && above != PY_ALIASED_IMPORT && above != PY_GLOBAL &&
           above != PY_NONLOCAL;
}

bool answer__name(const struct answering *w, uint32_t n, struct str *out)
{
    const struct tree *t = &w->read->tree;
    uint32_t up = tree_node(t, n)->parent;
    if (!answer__is_read(t, n) || tree_kind(t, up) == PY_ATTRIBUTE ||
        !translate__qualified(w->read, n, w->a, out))
        return false;
    *out = answer__canonical(w, *out);
    return true;
}

struct str answer__unbound(const struct answering *w, uint32_t n)
{
    const struct names *names = &w->read->names;
    const struct tree *t = &w->read->tree;
    unsigned any = names->n_scopes ? names->scopes[0].flags : 0;
    if (tree_kind(t, n) != PY_IDENTIFIER || !answer__is_read(t, n) ||
        any & (SCOPE_FLAG_STAR_IMPORT | SCOPE_FLAG_DYNAMIC) ||
        names_store(names, n) != NAME_STORE_NONE || names_binding(names, n) != BINDING_NONE)
        return (struct str){0};
    enum name_origin origin = names_resolve(names, n).origin;
    return origin == NAME_UNBOUND || origin == NAME_CONVENTION ? tree_text(t, n) : (struct str){0};
}

/* Checks ----------------------------------------------------------------------------------------*/

static const struct json *source_roots(const struct answering *w)
{
    return answer__words(w, "roots", str_of(w->check->translator->source));
}

/* What import statements bind. */
static bool next_import(const struct answering *w, uint32_t *at, struct str *out)
{
    const struct names *names = &w->read->names;
    while (*at < names->n_stores) {
        const struct name_store *s = &names->stores[(*at)++];
        struct strbuf text = {0};
        if (s->kind != BIND_IMPORT || s->path == PATH_NONE)
            continue;
        paths_text(w->reader->paths, s->path, &text);
        *out = strbuf_dup(&text, w->a);
        strbuf_done(&text);
        return true;
    }
    return false;
}

bool answer__source_is_left(struct answering *w)
{
    const struct tree *t = &w->read->tree;
    struct str name;
    for (uint32_t at = 0; next_import(w, &at, &name);)
        if (answer__is_below(source_roots(w), name))
            return answer__fail(w, ANSWER_SOURCE_LEFT, name);
    for (uint32_t n = 0; n < t->n_nodes; n++) {
        struct str unbound = answer__unbound(w, n);
        if (answer__is_below(source_roots(w), unbound))
            return answer__fail(w, ANSWER_SOURCE_LEFT, unbound);
        if (answer__name(w, n, &name) && answer__is_below(source_roots(w), name))
            return answer__fail(w, ANSWER_SOURCE_LEFT, name);
    }
    return false;
}

/* Is the name in a part of the library that records cover, and in none of its modules? */
static bool is_missing(const struct answering *w, struct str name)
{
    const struct json *unchecked = json_get(w->check->words, "unchecked");
    if (!is_of_library(w, name) || answer__is_below(unchecked, name) || find(w, name) ||
        is_module(w, name))
        return false;
    for (size_t dot = name.n; dot-- > 0;) {
        struct str above = str_sub(name, 0, dot);
        if (name.at[dot] == '.' && find(w, above))
            return false; /* an attribute of an object: records need not have all */
        if (name.at[dot] == '.' && is_module(w, above))
            return true;
    }
    return false;
}

/* Is there no such module? A part of the target counts as one that its records name. */
static bool is_unknown_module(const struct answering *w, struct str name)
{
    struct str whole = answer__canonical(w, name);
    if (is_of_library(w, whole))
        return is_missing(w, whole);
    return !answer__is_below(json_get(w->check->words, "modules"), name);
}

bool answer__has_unknown_module(struct answering *w)
{
    static const enum py_kind kinds[] = {PY_IMPORT, PY_IMPORT_FROM};
    const struct tree *t = &w->read->tree;
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        struct node_list list = tree_list(t, kinds[k]);
        for (size_t i = 0; i < list.n; i++)
            for (uint32_t c = tree_first(t, list.at[i]); c; c = tree_next(t, c)) {
                bool renamed = tree_kind(t, c) == PY_ALIASED_IMPORT;
                struct str name = tree_text(t, renamed ? tree_first(t, c) : c);
                if (is_unknown_module(w, name))
                    return answer__fail(w, ANSWER_MODULE, name);
                if (kinds[k] == PY_IMPORT_FROM)
                    break; /* what follows are names in the module */
            }
    }
    return false;
}

bool answer__has_undefined(struct answering *w)
{
    const struct tree *t = &w->read->tree;
    for (uint32_t n = 0; n < t->n_nodes; n++) {
        struct str name = answer__unbound(w, n);
        if (name.n)
            return answer__fail(w, ANSWER_UNDEFINED, name);
    }
    return false;
}

bool answer__has_unknown_api(struct answering *w)
{
    const struct tree *t = &w->read->tree;
    struct node_list calls = tree_list(t, PY_CALL);
    struct str name;
    for (size_t i = 0; i < calls.n; i++)
        if (answer__name(w, tree_child(t, calls.at[i], FIELD_FUNCTION), &name) &&
            is_missing(w, name))
            return answer__fail(w, ANSWER_API, name);
    return false;
}

static bool has_parameter(const struct api_record *r, struct str name)
{
    for (size_t i = 0; i < r->n_parameters; i++)
        if (str_eq(r->parameters[i].name, name))
            return true;
    return false;
}

/* What is wrong in the call's arguments; empty: nothing that is known. */
static struct str wrong_argument(const struct answering *w, const struct api_record *r,
                                 uint32_t call)
{
    const struct tree *t = &w->read->tree;
    uint32_t list = tree_child(t, call, FIELD_ARGUMENTS);
    bool unknown = false;
    if (tree_kind(t, list) != PY_ARGUMENTS)
        return (struct str){0};
    for (uint32_t c = tree_first(t, list); c; c = tree_next(t, c)) {
        struct str name = tree_text(t, tree_child(t, c, FIELD_NAME));
        if (tree_kind(t, c) == PY_KEYWORD_ARGUMENT && !has_parameter(r, name))
            return str_of(arena_printf(w->a, STR_FMT " has no parameter " STR_FMT, STR_ARG(r->name),
                                       STR_ARG(name)));
    }
    uint32_t n = tree_argument_count(t, call, &unknown);
    if (n > r->n_parameters && !unknown)
        return str_of(arena_printf(w->a, STR_FMT " has only %zu parameters", STR_ARG(r->name),
                                   r->n_parameters));
    return (struct str){0};
}

static bool takes_any(const struct api_record *r)
{
    for (size_t i = 0; i < r->n_parameters; i++)
        if (r->parameters[i].is_variadic)
            return true;
    return !r->has_signature || str_is(r->kind, "method");
}

bool answer__has_wrong_arguments(struct answering *w)
{
    const struct tree *t = &w->read->tree;
    struct node_list calls = tree_list(t, PY_CALL);
    for (size_t i = 0; i < calls.n; i++) {
        struct str name;
        const struct api_record *r =
            answer__name(w, tree_child(t, calls.at[i], FIELD_FUNCTION), &name) ? find(w, name)
                                                                               : NULL;
        struct str wrong = r && !takes_any(r) ? wrong_argument(w, r, calls.at[i]) : (struct str){0};
        if (wrong.n)
            return answer__fail(w, ANSWER_ARGUMENTS, wrong);
    }
    return false;
}

/* Is it one of the names, or a method of that name? */
static bool is_wanted(const struct answering *w, const struct core_api_names *wanted, uint32_t n)
{
    const struct tree *t = &w->read->tree;
    struct str name;
    if (answer__name(w, n, &name))
        return wanted->list.n ? core_api_has(wanted, name) : is_of_library(w, name);
    return tree_kind(t, n) == PY_ATTRIBUTE &&
           core_api_has_method(wanted, tree_text(t, tree_child(t, n, FIELD_ATTRIBUTE)));
}

bool answer__misses_api(struct answering *w)
{
    const struct tree *t = &w->read->tree;
    struct core_api_names wanted;
    core_api_targets(w->check->translator, w->check->words, w->check->api, w->a, &wanted);
    for (uint32_t n = 0; n < t->n_nodes; n++)
        if (is_wanted(w, &wanted, n))
            return false;
    struct str api = w->check->api, target = w->check->translator->target;
    const char *why =
        api.n ? arena_printf(w->a,
                             "nothing calls what does the same as " STR_FMT ", such as " STR_FMT,
                             STR_ARG(api), STR_ARG(wanted.list.n ? wanted.list.at[0] : target))
              : arena_printf(w->a, "nothing of " STR_FMT " is called", STR_ARG(target));
    return answer__fail(w, ANSWER_NOT_REACHED, str_of(why));
}
