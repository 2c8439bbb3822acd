/*
 * Relations between objects and places: what an optimizer holds, the mode of a module, regions,
 * graphs, activations. Each answer is three-valued or has an "unknown"; none guesses from a name
 * alone.
 */
#include "python/types_p.h"

/* ---- holds ---- */

struct holding_search {
    const struct types *k;
    VEC(uint32_t) modules;
    bool is_complete, is_partial;
    bool is_wide; /* modules that a function of the project is given for their parameters count */
};

/* groups(model, decay), model.param_groups(decay): some parameters of the module, at least. */
static void add_given_modules(struct holding_search *s, uint32_t call)
{
    const struct tree *t = s->k->names->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION), given;
    if (function && tree_kind(t, function) == PY_ATTRIBUTE &&
        types_of(s->k, tree_first(t, function)).type == TYPE_MODULE)
        vec_push(&s->modules, s->k->arena, types_object(s->k, tree_first(t, function)));
    for (unsigned at = 0; (given = tree_argument(t, call, at, NULL)) != 0; at++)
        if (types_of(s->k, given).type == TYPE_MODULE)
            vec_push(&s->modules, s->k->arena, types_object(s->k, given));
}

static enum trace_next visit_parameters(void *ctx, uint32_t node, uint32_t def)
{
    struct holding_search *s = ctx;
    const struct tree *t = s->k->names->tree;
    enum py_kind kind = tree_kind(t, node);
    (void)def;
    if (kind == PY_CALL) {
        struct call_fact f = types_call(s->k, node);
        const struct api_row *row = api_row_at(s->k->api, f.api);
        uint32_t function = tree_child(t, node, FIELD_FUNCTION);
        if (row->makes == TYPE_PARAMETERS && row->form == API_METHOD && function) {
            vec_push(&s->modules, s->k->arena, types_object(s->k, tree_first(t, function)));
            return TRACE_STOP_HERE;
        }
        if (s->is_wide && f.api == API_NONE)
            add_given_modules(s, node);
        if (f.is_resolved && f.scope == SCOPE_NONE)
            return TRACE_ON;
        s->is_complete = false;
        return TRACE_STOP_HERE;
    }
    if (kind == PY_LAMBDA || kind == PY_GENERATOR || kind == PY_LIST_COMPREHENSION ||
        kind == PY_IF_CLAUSE)
        s->is_partial = true;
    if ((kind == PY_IDENTIFIER || kind == PY_ATTRIBUTE) &&
        types_of(s->k, node).type == TYPE_UNKNOWN)
        s->is_complete = false;
    return TRACE_ON;
}

/* The only value that a function of this file returns; 0: several, or none. */
static uint32_t only_return(const struct types *k, uint32_t scope)
{
    const struct tree *t = k->names->tree;
    const struct cfg *c = types_cfg(k, scope);
    uint32_t value = 0;
    for (uint32_t i = 0; c && i < c->n_steps; i++) {
        uint32_t node = c->steps[i].node;
        if (tree_kind(t, node) != PY_RETURN || !c->blocks[c->steps[i].block].is_reachable)
            continue;
        if (value || !tree_first(t, node))
            return 0;
        value = tree_bare(t, tree_first(t, node));
    }
    return value;
}

/* The modules of an optimizer that a function of this file makes, as objects of the caller. */
static struct holding held_by_return(const struct types *k, uint32_t call, uint32_t scope)
{
    const struct holding nothing = {NULL, 0, false, false};
    uint32_t value = k->names->scopes[scope].kind == SCOPE_FUNCTION ? only_return(k, scope) : 0;
    uint32_t made = value && types__enter(k) ? types_object(k, value) : (uint32_t)OBJECT_NONE;
    struct holding h =
        made == OBJECT_NONE || made == types_object(k, call) ? nothing : types_holding(k, made);
    uint32_t *modules = arena_new_array(k->arena, uint32_t, h.n);
    for (size_t i = 0; i < h.n; i++)
        modules[i] = h.modules[i] == OBJECT_NONE
                         ? (uint32_t)OBJECT_NONE
                         : types__object_in_caller(k, call, scope, h.modules[i]);
    if (value && k->cache->depth)
        types__leave(k);
    h.modules = modules;
    return h;
}

/* The node that a call gives for a parameter: for that of the receiver, the receiver; 0: none. */
static uint32_t given_for(const struct types *k, uint32_t call, const struct function_summary *f,
                          unsigned at)
{
    const struct tree *t = k->names->tree;
    struct call_fact c = types_call(k, call);
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    bool is_bound =
        (c.is_method && (c.scope == SCOPE_NONE || names_is_method(k->names, c.scope))) ||
        c.is_object_call;
    uint32_t receiver = types__value_called(k, call).receiver;
    is_bound |= receiver != 0;
    if (receiver && at == 0)
        return receiver;
    if (is_bound && at == 0)
        return function && !c.is_object_call && tree_kind(t, function) == PY_ATTRIBUTE
                   ? tree_first(t, function)
                   : 0;
    if (c.scope != SCOPE_NONE)
        return types_argument(k, call, at - is_bound, f->parameters[at]);
    uint32_t given = tree_argument(t, call, at - is_bound, NULL);
    return given ? given : tree_keyword(t, call, f->parameters[at], NULL);
}

/* The number by which holds_returned means a value of the function's result; 32: none. */
static unsigned number_of(const struct function_summary *f, const struct summary_return *r)
{
    for (unsigned i = 0; i < f->n_parts; i++)
        if (&f->parts[i].value == r)
            return i;
    for (unsigned i = 0; i < f->n_returns; i++)
        if (&f->returns[i] == r)
            return i;
    return 32;
}

/* Does the name get its value from `whole` alone? x = x.to(d) is no other value. */
static bool is_only_from(const struct types *k, uint32_t binding, uint32_t whole)
{
    for (uint32_t s = k->names->bindings[binding].first_store; s != NAME_STORE_NONE;
         s = k->names->stores[s].next) {
        uint32_t value = k->names->stores[s].value, same = value ? types__passes(k, value) : 0;
        bool is_same = same && tree_kind(k->names->tree, same) == PY_IDENTIFIER &&
                       names_binding(k->names, same) == binding;
        if (!is_same && (!value || tree_bare(k->names->tree, value) != whole))
            return false;
    }
    return true;
}

/* The object of a target that is unpacked beside the place `o`. */
static uint32_t object_of_target(const struct types *k, const struct types_object *o,
                                 uint32_t target, uint32_t whole)
{
    const struct tree *t = k->names->tree;
    struct types_object other = *o;
    bool is_name = tree_kind(t, target) == PY_IDENTIFIER && o->binding != BINDING_NONE,
         is_field = tree_kind(t, target) == PY_ATTRIBUTE && o->origin == OBJECT_FIELD &&
                    types__self_class(k, target) != SCOPE_NONE;
    if (is_field)
        return types__object_of_field(k, o->scope,
                                      t->nodes[tree_child(t, target, FIELD_ATTRIBUTE)].word);
    other.binding = is_name ? names_binding(k->names, target) : (uint32_t)BINDING_NONE;
    other.root = t->nodes[target].word;
    return other.binding != BINDING_NONE && is_only_from(k, other.binding, whole)
               ? types__add_object(k, &other)
               : (uint32_t)OBJECT_NONE;
}

/* The object of another value of the result from which `o` was taken; OBJECT_NONE: not known. */
static uint32_t taken_beside(const struct types *k, const struct types_object *o, uint32_t call,
                             const struct function_summary *f, const struct summary_return *r,
                             unsigned number)
{
    const struct tree *t = k->names->tree;
    bool is_part = f->n_parts && r >= &f->parts[0].value && r <= &f->parts[f->n_parts - 1].value;
    if (o->origin == OBJECT_CALL)
        return types__child(k, o->owner,
                            is_part ? f->parts[number].key : types__place_word(k, number));
    uint32_t node = t->nodes[call].parent;
    while (tree_kind(t, node) == PY_PARENTHESES)
        node = t->nodes[node].parent;
    uint32_t pattern = tree_kind(t, node) == PY_ASSIGNMENT ? tree_child(t, node, FIELD_LEFT) : 0;
    unsigned at = 0;
    for (uint32_t c = pattern ? tree_first(t, pattern) : 0; c; c = tree_next(t, c), at++) {
        const struct summary_return *other =
            tree_kind(t, c) == PY_LIST_SPLAT_PATTERN
                ? NULL
                : types__returned(k, call, types__place_word(k, at));
        if (!other)
            continue;
        if (number_of(f, other) == number)
            return object_of_target(k, o, c, call);
    }
    return OBJECT_NONE;
}

/* The modules of an optimizer that a function makes from its parameters and returns as `r`, with
 * those that it returns beside it, from where the object `o` was taken. */
static struct holding held_by_result(const struct types *k, uint32_t call,
                                     const struct summary_return *r, const struct types_object *o)
{
    const struct function_summary *f = types_function_called(k, call);
    VEC(uint32_t) modules = {0};
    for (unsigned i = 0; f && r && o && i < RETURN_MAX; i++) {
        uint32_t beside =
            r->holds_returned >> i & 1 ? taken_beside(k, o, call, f, r, i) : (uint32_t)OBJECT_NONE;
        if (beside != OBJECT_NONE)
            vec_push(&modules, k->arena, beside);
    }
    for (unsigned at = 0; f && r && at < f->n_parameters && at < 32; at++) {
        if (!(r->holds >> at & 1))
            continue;
        uint32_t given = given_for(k, call, f, at);
        vec_push(&modules, k->arena, given ? types_object(k, given) : (uint32_t)OBJECT_NONE);
    }
    return (struct holding){modules.at, modules.n, false, false};
}

/* The result of a call from which an object was taken: parts["optimizer"], or opt of `opt, sched =
 * make(net)`; NULL: it is none. */
static const struct summary_return *taken_from(const struct types *k, const struct types_object *o,
                                               uint32_t *call)
{
    const struct tree *t = k->names->tree;
    uint32_t word = WORD_NONE, whole = 0, count = 0;
    uint8_t part = 255;
    if (o->origin == OBJECT_CALL) {
        whole = o->n_path == 1 ? o->node : 0;
        word = o->path[0];
    } else if (o->origin == OBJECT_FIELD && o->n_path == 1) {
        uint32_t at = types__field(k, o->scope, o->path[0], &count);
        whole = count == 1 ? k->cache->field_stores.at[at].whole : 0;
        part = count == 1 ? k->cache->field_stores.at[at].part : part;
    } else if (o->binding != BINDING_NONE && !o->n_path) {
        const struct name_binding *b = &k->names->bindings[o->binding];
        const struct name_store *s =
            b->first_store != NAME_STORE_NONE && b->first_store == b->last_store
                ? &k->names->stores[b->first_store]
                : NULL;
        whole = s && s->kind == BIND_UNPACK ? s->value : 0;
        part = s ? s->part : part;
    }
    *call = whole ? tree_bare(t, whole) : 0;
    if (part != 255)
        word = types__place_word(k, part);
    return *call && word != WORD_NONE && tree_kind(t, *call) == PY_CALL
               ? types__returned(k, *call, word)
               : NULL;
}

/* The modules of an optimizer that a function of another file makes from its arguments. */
static struct holding held_by_project(const struct types *k, uint32_t call)
{
    const struct function_summary *f = types_function_called(k, call);
    return held_by_result(k, call, f && f->n_returns == 1 ? &f->returns[0] : NULL, NULL);
}

/* Is it the call of a function that calls an entry of a dict of classes? */
static bool is_of_table(const struct types *k, uint32_t call)
{
    const struct function_summary *f = types_function_called(k, call);
    return f && f->n_returns == 1 && f->returns[0].entry >= 0;
}

/* The first argument of a call that is the parameters of modules; 0: none. */
static uint32_t parameters_given(const struct types *k, uint32_t call)
{
    const struct tree *t = k->names->tree;
    uint32_t list = tree_child(t, call, FIELD_ARGUMENTS);
    for (uint32_t a = list ? tree_first(t, list) : 0; a; a = tree_next(t, a)) {
        uint32_t value = tree_kind(t, a) == PY_KEYWORD_ARGUMENT ? tree_child(t, a, FIELD_VALUE) : a;
        if (value && types_of(k, value).type == TYPE_PARAMETERS)
            return value;
    }
    return 0;
}

static struct holding holding_of(const struct types *k, uint32_t optimizer, bool is_wide)
{
    struct holding_search s = {.k = k, .is_complete = true, .is_wide = is_wide};
    const struct types_object o = *types_object_at(k, optimizer);
    struct call_fact f = {.api = API_NONE, .scope = SCOPE_NONE, .path = PATH_NONE};
    if (o.origin == OBJECT_CALL && !o.n_path && tree_kind(k->names->tree, o.node) == PY_CALL)
        f = types_call(k, o.node);
    const struct api_row *row = api_row_at(k->api, f.api);
    uint32_t call;
    const struct summary_return *taken = taken_from(k, &o, &call);
    if (taken)
        return held_by_result(k, call, taken, &o);
    if (f.api == API_NONE && f.scope != SCOPE_NONE && !is_of_table(k, o.node))
        return held_by_return(k, o.node, f.scope);
    if (f.api == API_NONE && f.path != PATH_NONE && !is_of_table(k, o.node))
        return held_by_project(k, o.node);
    uint32_t parameters = 0;
    if (f.api != API_NONE && row->makes == TYPE_OPTIMIZER)
        parameters = types__subject(k, row, o.node);
    else if (f.api == API_NONE && types_of(k, o.node).type == TYPE_OPTIMIZER)
        parameters = parameters_given(k, o.node);
    const struct flow *flow = parameters ? types_flow(k, types__flow_scope(k, parameters)) : NULL;
    if (!flow)
        return (struct holding){NULL, 0, false, false};
    struct flow_trace trace = {visit_parameters, &s, true};
    flow_trace_back(flow, parameters, &trace);
    return (struct holding){s.modules.at, s.modules.n, s.is_complete && s.modules.n, s.is_partial};
}

struct holding types_holding(const struct types *k, uint32_t optimizer)
{
    return holding_of(k, optimizer, false);
}

static bool is_part_of(const struct types *k, uint32_t object, uint32_t whole)
{
    while (object != OBJECT_NONE && object != whole && !types_is_kept_by(k, object, whole))
        object = types_object_at(k, object)->owner;
    return object != OBJECT_NONE;
}

/* May the module be one that the optimizer, made elsewhere, holds under another name? A parameter
 * may be any module of its callers. */
static bool may_be_given(const struct types *k, uint32_t module, uint32_t optimizer)
{
    const struct types_object *root = types_object_at(k, module);
    while (root->owner != OBJECT_NONE)
        root = types_object_at(k, root->owner);
    return root->origin == OBJECT_PARAM && root->scope != types_object_at(k, optimizer)->scope;
}

/* Is the result of this call assigned to the place? Then it is only one of the place's values. */
static bool is_put_into(const struct types *k, uint32_t made, uint32_t place)
{
    const struct tree *t = k->names->tree;
    const struct types_object *o = types_object_at(k, made), *p = types_object_at(k, place);
    if (o->origin != OBJECT_CALL || p->origin == OBJECT_CALL)
        return false;
    uint32_t node = t->nodes[o->node].parent;
    while (tree_kind(t, node) == PY_ATTRIBUTE || tree_kind(t, node) == PY_CALL)
        node = t->nodes[node].parent;
    uint32_t left = tree_kind(t, node) == PY_ASSIGNMENT ? tree_child(t, node, FIELD_LEFT) : 0;
    if (tree_kind(t, left) == PY_IDENTIFIER)
        return p->n_path == 0 && p->binding != BINDING_NONE &&
               names_binding(k->names, left) == p->binding;
    return tree_kind(t, left) == PY_ATTRIBUTE && p->n_path > 0 &&
           p->path[p->n_path - 1] == t->nodes[tree_child(t, left, FIELD_ATTRIBUTE)].word &&
           p->owner != OBJECT_NONE && types_object(k, tree_first(t, left)) == p->owner;
}

/* Are the module's parameters among those of the one that an optimizer was given? */
static bool is_in_held(const struct types *k, uint32_t module, uint32_t held)
{
    return held == module || (held != OBJECT_NONE &&
                              (is_part_of(k, module, held) || types_is_kept_by(k, module, held)));
}

enum truth types_holds(const struct types *k, uint32_t optimizer, uint32_t module)
{
    struct holding h = types_holding(k, optimizer);
    bool may_be = false;
    for (size_t i = 0; i < h.n; i++) {
        if (is_in_held(k, module, h.modules[i]))
            return h.is_partial ? TRUTH_UNKNOWN : TRUTH_TRUE;
        may_be |= h.modules[i] != OBJECT_NONE &&
                  (is_part_of(k, h.modules[i], module) || is_put_into(k, h.modules[i], module));
    }
    if (!h.n && (types__holds_below(k, optimizer, module) == TRUTH_TRUE ||
                 types__holds_above(k, optimizer, module) == TRUTH_TRUE ||
                 types__holds_beside(k, optimizer, module) == TRUTH_TRUE))
        return TRUTH_TRUE;
    if (!h.n)
        return types__holds_by_callers(k, optimizer, module);
    return h.is_complete && !may_be && !may_be_given(k, module, optimizer) ? TRUTH_FALSE
                                                                           : TRUTH_UNKNOWN;
}

enum truth types_holds_part(const struct types *k, uint32_t optimizer, uint32_t module)
{
    struct holding h = holding_of(k, optimizer, true);
    for (size_t i = 0; i < h.n; i++)
        if (h.modules[i] != OBJECT_NONE && is_in_held(k, module, h.modules[i]))
            return TRUTH_TRUE;
    return types_holds(k, optimizer, module);
}

enum truth types_is_frozen(const struct types *k, uint32_t object)
{
    bool frozen = false, thawed = false, escaped = false;
    for (uint32_t scope = 0; scope < k->names->n_scopes; scope++) {
        if (k->names->scopes[scope].kind == SCOPE_COMPREHENSION)
            continue;
        struct types_event_list events = types_events(k, scope);
        for (size_t i = 0; i < events.n; i++) {
            const struct types_event *e = &events.at[i];
            if (e->object == OBJECT_NONE || !is_part_of(k, e->object, object))
                continue;
            frozen |= e->role == ROLE_FREEZE && e->object == object;
            thawed |= e->role == ROLE_UNFREEZE;
            escaped |= e->role == ROLE_ESCAPE || e->role == ROLE_FREEZE;
        }
    }
    if (frozen)
        return thawed ? TRUTH_UNKNOWN : TRUTH_TRUE;
    return escaped ? TRUTH_UNKNOWN : TRUTH_FALSE;
}

/* ---- loaders ---- */

static bool has_word(struct str text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < text.n; i++) {
        bool is_start =
            i == 0 || !((text.at[i - 1] | 0x20) >= 'a' && (text.at[i - 1] | 0x20) <= 'z');
        for (size_t w = 0; is_start && w < n; w++)
            if (str_starts(str_sub(text, i, text.n), str_of(words[w])))
                return true;
    }
    return false;
}

static enum loader_role role_of_text(struct str text)
{
    static const char *const train[] = {"train", "Train", "TRAIN"};
    static const char *const eval[] = {"val",  "Val",  "valid", "test",  "Test",
                                       "eval", "Eval", "dev_",  "infer", "holdout"};
    bool is_train = has_word(text, train, COUNT_OF(train)),
         is_eval = has_word(text, eval, COUNT_OF(eval));
    if (is_train == is_eval)
        return LOADER_UNKNOWN;
    return is_train ? LOADER_TRAIN : LOADER_EVAL;
}

/* What enumerate(x), tqdm(x) and the like run over: the only argument of a call that keeps nothing
 * and makes nothing of its own; 0: none. */
static uint32_t iterated_by(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    struct call_fact f = {.api = API_NONE};
    bool is_unknown = true;
    if (tree_kind(t, node) == PY_CALL)
        f = types_call(k, node);
    const struct api_row *row = api_row_at(k->api, f.api);
    bool is_pure = f.api != API_NONE && !f.is_method && row->traits & TRAIT_PURE &&
                   row->makes == TYPE_UNKNOWN && row->role == ROLE_NONE;
    return is_pure && tree_argument_count(t, node, &is_unknown) == 1 && !is_unknown
               ? tree_argument(t, node, 0, NULL)
               : 0;
}

enum loader_role types_loader_role(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    node = tree_bare(t, node);
    for (uint32_t same = types__passes(k, node); same; same = types__passes(k, node))
        node = tree_bare(t, same);
    for (uint32_t over = iterated_by(k, node); over; over = iterated_by(k, node))
        node = tree_bare(t, over);
    if (t->nodes[node].kind == PY_IDENTIFIER || t->nodes[node].kind == PY_ATTRIBUTE) {
        enum loader_role by_name = role_of_text(tree_text(t, node));
        if (by_name != LOADER_UNKNOWN)
            return by_name;
        by_name =
            t->nodes[node].kind == PY_IDENTIFIER ? types__role_by_callers(k, node) : LOADER_UNKNOWN;
        if (by_name != LOADER_UNKNOWN)
            return by_name;
    }
    struct str key;
    if (tree_kind(t, node) == PY_SUBSCRIPT && tree_child(t, node, FIELD_SUBSCRIPT) &&
        tree_string_value(t, tree_bare(t, tree_child(t, node, FIELD_SUBSCRIPT)), &key))
        return role_of_text(key); /* loaders["val"] */
    struct type_fact f = types_of(k, node);
    if (f.type != TYPE_LOADER || !f.origin)
        return LOADER_UNKNOWN;
    uint32_t dataset = tree_argument(t, f.origin, 0, NULL);
    return dataset ? role_of_text(tree_text(t, dataset)) : LOADER_UNKNOWN;
}

enum truth types_is_map_style(const struct types *k, uint32_t node)
{
    uint32_t word = py_parser_find_word(k->names->tree->parser, STR("__getitem__"));
    struct type_fact f = types_of(k, node);
    const struct api_row *row = api_row_at(k->api, f.api);
    if (row->traits & TRAIT_SHUFFLES)
        return TRUTH_FALSE;
    if (row->traits & TRAIT_SPLITS || (f.type == TYPE_DATASET && row->traits & TRAIT_DATA))
        return TRUTH_TRUE;
    bool has_items = f.class_scope != SCOPE_NONE &&
                     names_method(k->names, f.class_scope, word, NULL) != SCOPE_NONE;
    if (!has_items && f.class_path != PATH_NONE && k->options.project)
        has_items = summary_set_method(k->options.project, f.class_path, word) != NULL;
    return has_items ? TRUTH_TRUE : TRUTH_UNKNOWN;
}

/* ---- regions ---- */

/* Is the first argument a literal, or decided by the values assumed? */
static bool flag_argument(const struct types *k, uint32_t call, bool *value)
{
    uint32_t argument = tree_argument(k->names->tree, call, 0, NULL);
    if (!argument || tree_bool_value(k->names->tree, argument, value))
        return argument != 0;
    enum truth t = types__decide(k, argument);
    *value = t == TRUTH_TRUE;
    return t != TRUTH_UNKNOWN;
}

/* The traits of one context manager or decorator; a flag is decided by its argument. */
static bool region_traits(const struct types *k, uint32_t expression, uint64_t *traits)
{
    const struct tree *t = k->names->tree;
    expression = tree_bare(t, expression);
    uint32_t api = API_NONE;
    bool resolved = false, value;
    if (t->nodes[expression].kind == PY_CALL) {
        struct call_fact f = types_call(k, expression);
        api = f.api;
        resolved = f.is_resolved || f.path != PATH_NONE;
    } else {
        struct name_ref r = names_resolve(k->names, expression);
        api = r.is_exact ? api_find(k->api, r.path) : types_of(k, expression).api;
        resolved = r.origin == NAME_BUILTIN || api != API_NONE ||
                   (r.origin == NAME_IMPORT && r.path != PATH_NONE);
    }
    *traits = api_row_at(k->api, api)->traits;
    if (*traits & TRAIT_FLAGGED_GRAD) {
        if (t->nodes[expression].kind != PY_CALL || !flag_argument(k, expression, &value))
            return false;
        *traits |= value ? TRAIT_WITH_GRAD : TRAIT_NO_GRAD;
        if (k->options.assumed)
            *traits &= ~TRAIT_FLAGGED_GRAD; /* which it is in this call is known */
    }
    return resolved || api != API_NONE;
}

/* Looks at regions from inside out up to the function, then at its decorators: TRUE at a wanted
 * trait, FALSE at one of `ends`. */
static enum truth look_outwards(const struct types *k, uint32_t node, uint64_t wanted,
                                uint64_t ends)
{
    const struct tree *t = k->names->tree;
    bool unknown = false;
    for (uint32_t n = node; n; n = t->nodes[n].parent) {
        uint32_t parent = t->nodes[n].parent;
        uint32_t list = 0;
        if (t->nodes[parent].kind == PY_WITH && t->nodes[n].field == FIELD_BODY)
            list = tree_child_kind(t, parent, PY_WITH_CLAUSE);
        else if (t->nodes[n].kind == PY_FUNCTION && t->nodes[parent].kind == PY_DECORATED)
            list = parent;
        for (uint32_t c = list ? tree_first(t, list) : 0; c; c = tree_next(t, c)) {
            if (t->nodes[c].kind != PY_WITH_ITEM && t->nodes[c].kind != PY_DECORATOR)
                continue;
            uint32_t value = tree_first(t, c) ? tree_bare(t, tree_first(t, c)) : 0;
            if (value && t->nodes[value].kind == PY_AS_PATTERN)
                value = tree_first(t, value);
            uint64_t traits = 0;
            bool is_plain =
                value && t->nodes[c].kind == PY_DECORATOR && k->queries->plain_decorator(k, value);
            unknown |= value && !region_traits(k, value, &traits) && !is_plain;
            if (traits & wanted)
                return TRUTH_TRUE;
            if (traits & ends)
                return TRUTH_FALSE;
        }
        if (t->nodes[n].kind == PY_FUNCTION || t->nodes[n].kind == PY_LAMBDA)
            break;
    }
    return unknown ? TRUTH_UNKNOWN : TRUTH_FALSE;
}

enum truth types_in_region(const struct types *k, uint32_t node, uint64_t trait)
{
    return look_outwards(k, node, trait, 0);
}

enum truth types_in_no_grad(const struct types *k, uint32_t node)
{
    return look_outwards(k, node, TRAIT_NO_GRAD, TRAIT_WITH_GRAD);
}

/* ---- graphs ---- */

struct graph_search {
    const struct types *k;
    bool found, unknown;
    unsigned depth; /* of callers */
};

static enum truth graph_of(const struct types *k, uint32_t node, unsigned depth);

/* Do all calls of the function around give its parameter a value without a graph? */
static bool is_given_without_graph(const struct graph_search *s, uint32_t name)
{
    enum { CALLERS_MAX = 8, CALLERS_DEPTH = 3 };
    const struct types *k = s->k;
    uint32_t binding = tree_kind(k->names->tree, name) == PY_IDENTIFIER
                           ? names_binding(k->names, name)
                           : (uint32_t)BINDING_NONE;
    const struct name_binding *b = binding == BINDING_NONE ? NULL : &k->names->bindings[binding];
    uint32_t given[CALLERS_MAX];
    if (!b || !(b->flags & BINDING_FLAG_PARAMETER) || b->first_store != b->last_store ||
        s->depth == CALLERS_DEPTH)
        return false;
    unsigned n = types__given_here(k, b->scope, b->word, given, CALLERS_MAX);
    for (unsigned i = 0; i < n; i++)
        if (graph_of(k, given[i], s->depth + 1) != TRUTH_FALSE)
            return false;
    return n > 0;
}

/* x.cuda(), where nothing tells what x is: a tensor's method that gives x itself, or a copy. */
static bool passes_receiver(const struct types *k, uint32_t call)
{
    const struct tree *t = k->names->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION),
             name = function && tree_kind(t, function) == PY_ATTRIBUTE
                        ? tree_child(t, function, FIELD_ATTRIBUTE)
                        : 0;
    uint32_t api =
        name ? api_find_method(k->api, TYPE_TENSOR, t->nodes[name].word) : (uint32_t)API_NONE;
    return api_row_at(k->api, api)->traits &
               (TRAIT_IDENTITY | TRAIT_RESHAPES | TRAIT_OF_RECEIVER | TRAIT_COPY) &&
           types_of(k, tree_first(t, function)).type == TYPE_UNKNOWN;
}

/* Has a definition that reaches the name no value here to look at? */
static bool comes_from_outside(const struct types *k, uint32_t node)
{
    const struct flow *f = types_flow(k, types__flow_scope(k, node));
    uint32_t step = f ? cfg_step(f->cfg, node) : (uint32_t)STEP_NONE;
    if (step == STEP_NONE || f->use_var[step] == VAR_NONE)
        return true;
    if (!f->vars[f->use_var[step]].n_defs)
        return false; /* an attribute: its object is looked at next */
    struct flow_list defs = flow_defs_of(f, step);
    for (uint32_t i = 0; i < defs.n; i++)
        if (!f->defs[defs.at[i]].value)
            return true;
    return defs.n == 0;
}

/* What a call of a known function gives to the name that the definition writes: one value, or a
 * part of the tuple that is unpacked; NULL: not known. */
static const struct summary_return *part_given(const struct types *k, uint32_t call, uint32_t def)
{
    const struct function_summary *called = types_function_called(k, call);
    const struct flow *f = types_flow(k, types__flow_scope(k, call));
    if (!called || called->n_returns == 0)
        return NULL;
    if (called->n_returns == 1)
        return called->returns;
    const struct flow_def *d = f && def != DEF_NONE ? &f->defs[def] : NULL;
    bool is_part =
        d && d->kind == DEF_PART && d->value && tree_bare(k->names->tree, d->value) == call;
    return is_part && d->part < called->n_returns ? &called->returns[d->part] : NULL;
}

static enum trace_next visit_graph(void *ctx, uint32_t node, uint32_t def)
{
    struct graph_search *s = ctx;
    const struct tree *t = s->k->names->tree;
    enum py_kind kind = tree_kind(t, node);
    if (kind == PY_CALL) {
        struct call_fact f = types_call(s->k, node);
        const struct api_row *row = api_row_at(s->k->api, f.api);
        if (row->traits & (TRAIT_CUTS | TRAIT_FRESH | TRAIT_DATA) ||
            types_in_no_grad(s->k, node) == TRUTH_TRUE)
            return TRACE_STOP_HERE;
        if (f.role == ROLE_FORWARD || row->traits & TRAIT_ENABLES) {
            s->found = true;
            return TRACE_END;
        }
        if (f.is_resolved && (f.api != API_NONE || f.role == ROLE_COMPARE))
            return TRACE_ON;
        if (!f.is_resolved && f.path == PATH_NONE && passes_receiver(s->k, node))
            return TRACE_RECEIVER_ONLY;
        const struct summary_return *given = part_given(s->k, node, def);
        s->found |= given && given->has_graph;
        s->unknown |= !given || (!given->has_graph && !given->is_cut);
        return s->found ? TRACE_END : TRACE_STOP_HERE;
    }
    if (kind == PY_ATTRIBUTE) {
        uint32_t api = types_attribute(s->k, node);
        if (api_row_at(s->k->api, api)->traits & TRAIT_CUTS)
            return TRACE_STOP_HERE;
    }
    if (kind == PY_IDENTIFIER || kind == PY_ATTRIBUTE) {
        struct type_fact f = types_of(s->k, node);
        if (types__has_no_graph(f.type))
            return TRACE_STOP_HERE;
        s->found |= f.type == TYPE_PARAMETER ||
                    (f.type == TYPE_LOSS && f.confidence >= CONFIDENCE_MEDIUM) ||
                    types__has_backward(s->k, node);
        s->unknown |= (f.type == TYPE_UNKNOWN || f.type == TYPE_TENSOR) &&
                      comes_from_outside(s->k, node) && !is_given_without_graph(s, node);
        return s->found ? TRACE_END : TRACE_ON;
    }
    return TRACE_ON;
}

static enum truth graph_of(const struct types *k, uint32_t node, unsigned depth)
{
    const struct flow *f = types_flow(k, types__flow_scope(k, node));
    if (!f)
        return TRUTH_UNKNOWN;
    struct graph_search s = {.k = k, .depth = depth};
    struct flow_trace trace = {visit_graph, &s, true};
    flow_trace_back(f, node, &trace);
    return s.found ? TRUTH_TRUE : s.unknown ? TRUTH_UNKNOWN : TRUTH_FALSE;
}

enum truth types_has_graph(const struct types *k, uint32_t node)
{
    return graph_of(k, node, 0);
}

/* ---- activations ---- */

/* Does the subscript take rows of a tensor, by a mask or a list of numbers? An activation over the
 * other dimensions then still holds. */
static bool takes_rows(const struct types *k, uint32_t subscript)
{
    const struct tree *t = k->names->tree;
    uint32_t at = tree_child(t, subscript, FIELD_SUBSCRIPT);
    enum py_kind kind = at ? tree_kind(t, tree_bare(t, at)) : PY_NONE;
    bool is_mask = kind == PY_IDENTIFIER || kind == PY_ATTRIBUTE || kind == PY_COMPARE;
    return is_mask && types_of(k, subscript).type == TYPE_TENSOR;
}

bool types_keeps_numbers(const struct api_row *row)
{
    bool writes = row->traits & TRAIT_IN_PLACE && !(row->traits & TRAIT_ENABLES);
    return !writes && row->traits & (TRAIT_IDENTITY | TRAIT_RESHAPES | TRAIT_COPY);
}

/* Where the value of a node comes from, one step back, if there is only one way; 0: it is made
 * here. */
static uint32_t only_origin(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    enum py_kind kind = tree_kind(t, node);
    if (kind == PY_CALL) {
        struct call_fact f = types_call(k, node);
        return types_keeps_numbers(api_row_at(k->api, f.api)) ? f.subject : 0;
    }
    if (kind == PY_SUBSCRIPT)
        return takes_rows(k, node) ? tree_child(t, node, FIELD_VALUE) : 0;
    if (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE)
        return 0;
    const struct flow *f = types_flow(k, types__flow_scope(k, node));
    uint32_t step = f ? cfg_step(f->cfg, node) : (uint32_t)STEP_NONE;
    if (step == STEP_NONE || f->use_var[step] == VAR_NONE || !f->vars[f->use_var[step]].n_defs)
        return 0;
    uint32_t def = flow_only_def(f, step);
    return def != DEF_NONE && f->defs[def].kind == DEF_VALUE ? f->defs[def].value : 0;
}

/* The row of the module object that is called: nn.Softmax(...)(x), self.softmax(x); for a
 * container, that of its last member. */
static const struct api_row *row_of_module(const struct types *k, uint32_t function)
{
    struct type_fact f = types_of(k, function);
    const struct api_row *row = api_row_at(k->api, f.api);
    for (int depth = 0; depth < 8 && row->traits & TRAIT_CONTAINER && f.origin; depth++) {
        uint32_t last = 0;
        for (unsigned at = 0; tree_argument(k->names->tree, f.origin, at, NULL); at++)
            last = tree_argument(k->names->tree, f.origin, at, NULL);
        if (!last)
            break;
        f = types_of(k, last);
        row = api_row_at(k->api, f.api);
    }
    return row;
}

/* The part that out["logits"] or out.logits takes of the result of a project's function; NULL:
 * none. */
static const struct summary_part *part_named(const struct types *k, uint32_t node, uint32_t *call)
{
    const struct tree *t = k->names->tree;
    enum py_kind kind = tree_kind(t, node);
    struct str text;
    uint32_t base = tree_first(t, node), key = WORD_NONE;
    if (kind == PY_ATTRIBUTE && tree_child(t, node, FIELD_ATTRIBUTE))
        key = t->nodes[tree_child(t, node, FIELD_ATTRIBUTE)].word;
    else if (kind == PY_SUBSCRIPT && tree_child(t, node, FIELD_SUBSCRIPT) &&
             tree_string_value(t, tree_child(t, node, FIELD_SUBSCRIPT), &text))
        key = py_parser_find_word(t->parser, text);
    for (unsigned depth = 0; base && depth < 8 && tree_kind(t, base) != PY_CALL; depth++)
        base = only_origin(k, tree_bare(t, base));
    const struct function_summary *f =
        key != WORD_NONE && base ? types_function_called(k, base) : NULL;
    *call = base;
    for (unsigned i = 0; f && i < f->n_parts; i++)
        if (f->parts[i].key == key)
            return &f->parts[i];
    return NULL;
}

enum domain types__domain_of_module(const struct types *k, uint32_t node)
{
    struct type_fact f = types_of(k, node);
    uint32_t word = py_parser_find_word(k->names->tree->parser, STR("forward"));
    uint32_t scope = f.class_scope == SCOPE_NONE
                         ? (uint32_t)SCOPE_NONE
                         : names_method(k->names, f.class_scope, word, NULL);
    const struct function_summary *s =
        scope == SCOPE_NONE ? types__project_method(k, node, word) : summary_of(k, scope);
    if (s)
        return !s->is_opaque && s->n_returns == 1 ? s->returns[0].domain : DOMAIN_ANY;
    const struct api_row *row = row_of_module(k, node);
    return row->gives != DOMAIN_ANY ? row->gives : f.made.gives;
}

enum domain types_domain(const struct types *k, uint32_t node, uint32_t *where)
{
    const struct tree *t = k->names->tree;
    if (where)
        *where = 0;
    node = tree_bare(t, node);
    for (unsigned depth = 0; depth < 32; depth++) {
        if (t->nodes[node].kind == PY_CALL) {
            struct call_fact f = types_call(k, node);
            const struct api_row *row = api_row_at(k->api, f.api);
            uint32_t function = tree_child(t, node, FIELD_FUNCTION);
            if (f.role == ROLE_FORWARD && f.api == API_NONE && function && f.scope == SCOPE_NONE)
                row = row_of_module(k, function);
            if (row->gives != DOMAIN_ANY) {
                if (where)
                    *where = node;
                return row->gives;
            }
            enum domain made =
                f.role == ROLE_FORWARD && function ? types_of(k, function).made.gives : DOMAIN_ANY;
            if (where && made != DOMAIN_ANY)
                *where = node;
            if (made != DOMAIN_ANY)
                return made;
            const struct function_summary *s = types_function_called(k, node);
            if (where)
                *where = s ? node : 0;
            if (s)
                return s->n_returns == 1 ? s->returns[0].domain : DOMAIN_ANY;
        }
        uint32_t call;
        const struct summary_part *part = part_named(k, node, &call);
        if (part && where)
            *where = call;
        if (part)
            return part->value.domain;
        uint32_t next = only_origin(k, node);
        if (!next)
            return DOMAIN_ANY;
        node = tree_bare(t, next);
    }
    return DOMAIN_ANY;
}

/* ---- escapes ---- */

enum truth types_escapes(const struct types *k, uint32_t scope, uint32_t object,
                         const struct step_set *from, const struct step_set *to)
{
    const struct flow *f = types_flow(k, scope);
    if (!f)
        return TRUTH_UNKNOWN;
    struct arena work;
    arena_init(&work);
    struct step_set passed;
    struct flow_query q = {.from = from, .avoid = to, .loop = LOOP_NONE, .with_exceptions = true};
    flow_reach(f, &q, &work, &passed);
    struct types_event_list events = types_events(k, scope);
    bool found = false;
    uint32_t at = 0;
    for (size_t i = 0; i < events.n && !found; i++) {
        const struct types_event *e = &events.at[i];
        while (at < passed.n && passed.at[at] < e->step)
            at++;
        if (at == passed.n || passed.at[at] != e->step || e->role != ROLE_ESCAPE ||
            e->object == OBJECT_NONE)
            continue;
        found = e->object == object || is_part_of(k, object, e->object) ||
                is_part_of(k, e->object, object);
    }
    arena_done(&work);
    return truth_of(found);
}
