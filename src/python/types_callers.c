/*
 * What callers decide: what a parameter is, the mode of a module, what an optimizer holds, what a
 * loader is for. Derived from the calls in this file, each in its own flow, and from the contexts
 * made of calls in other files (summary_context.c).
 *
 * There are two kinds of answers. What a parameter *is* must hold for all calls. Whether a module
 * *may be* in a mode is true as soon as one call shows it: one wrong call is a bug.
 */
#include "python/names_p.h"
#include "python/types_p.h"

enum { SITES_MAX = 16, CALLERS_DEPTH = 6 };

/* ---- the calls of a function in this file ---- */

struct call_sites {
    uint32_t at[SITES_MAX];
    unsigned n;
};

static uint32_t last_word(const struct tree *t, uint32_t call)
{
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    if (function && t->nodes[function].kind == PY_ATTRIBUTE)
        function = tree_child(t, function, FIELD_ATTRIBUTE);
    return function && t->nodes[function].kind == PY_IDENTIFIER ? t->nodes[function].word
                                                                : (uint32_t)WORD_NONE;
}

/* Is it the method that a call of the object itself runs? */
static bool runs_with_object(const struct types *k, uint32_t scope)
{
    uint32_t word = k->names->scopes[scope].name;
    struct str name = word == WORD_NONE ? STR("") : py_parser_text(k->names->tree->parser, word);
    return names_class_of(k->names, scope) != SCOPE_NONE &&
           (str_is(name, "forward") || str_is(name, "__call__"));
}

/* Calls by name or on an object of the class, for forward and __call__ of the object itself; for
 * __init__ the calls of the class. */
static void find_all_sites(const struct types *k, uint32_t scope, struct call_sites *out)
{
    const struct tree *t = k->names->tree;
    struct node_list calls = tree_list(t, PY_CALL);
    uint32_t word = k->names->scopes[scope].name;
    bool is_of_object = runs_with_object(k, scope);
    out->n = 0;
    for (uint32_t s = types__first_call(k, scope); s != UINT32_MAX && out->n < SITES_MAX;
         s = k->cache->sites.at[s].next)
        out->at[out->n++] = k->cache->sites.at[s].call;
    if (out->n || word == WORD_NONE || !names_spend(k->names, calls.n))
        return;
    for (size_t i = 0; i < calls.n && out->n < SITES_MAX; i++)
        if ((is_of_object || last_word(t, calls.at[i]) == word) &&
            types_call(k, calls.at[i]).scope == scope)
            out->at[out->n++] = calls.at[i];
}

/* The argument that a call in this file gives for a parameter; 0: none is visible. */
static uint32_t argument_for(const struct types *k, uint32_t call, uint32_t scope, int at,
                             uint32_t word)
{
    const struct tree *t = k->names->tree;
    bool is_method = names_is_method(k->names, scope);
    uint32_t function = tree_child(t, call, FIELD_FUNCTION);
    if (at == 0 && runs_with_object(k, scope) && last_word(t, call) != k->names->scopes[scope].name)
        return function;
    uint32_t receiver = is_method && at == 0 ? types__value_called(k, call).receiver : 0;
    if (receiver)
        return receiver;
    if (is_method && at == 0)
        return function && t->nodes[function].kind == PY_ATTRIBUTE ? tree_first(t, function) : 0;
    return types_argument(k, call, (unsigned)(at - is_method), word);
}

unsigned types__given_here(const struct types *k, uint32_t scope, uint32_t word, uint32_t *out,
                           unsigned max)
{
    struct call_sites sites;
    int at = types__parameter_at(k, scope, word);
    if (at < 0 || k->names->scopes[scope].kind != SCOPE_FUNCTION ||
        (k->options.project &&
         summary_set_contexts(k->options.project, names__scope_path(k->names, scope))))
        return 0;
    find_all_sites(k, scope, &sites);
    for (unsigned i = 0; i < sites.n; i++) {
        uint32_t given = argument_for(k, sites.at[i], scope, at, word);
        if (!given || i == max)
            return 0;
        out[i] = given;
    }
    return sites.n;
}

/* ---- contexts ---- */

/* What a call in this file gives for a flag of the function. */
static struct constant constant_at(const struct types *k, uint32_t call, uint32_t scope,
                                   const struct flag *flag)
{
    uint32_t words[GIVEN_MAX];
    unsigned n = types__parameters(k, scope, words, GIVEN_MAX);
    uint32_t node = flag->parameter < n
                        ? argument_for(k, call, scope, flag->parameter, words[flag->parameter])
                        : 0;
    return types__constant_given(k, call, node, flag);
}

/* The value of a flag in a call, in this file or (call 0) of a context. */
static struct constant value_at(const struct types *k, uint32_t scope, const struct flag *flag,
                                uint32_t call, const struct call_context *c)
{
    return call ? constant_at(k, call, scope, flag)
                : call_context_given(c, flag->parameter, WORD_NONE)->constant;
}

/* Is it one of the calls for which the function is judged? */
static bool is_assumed(const struct types *k, uint32_t scope, uint32_t call,
                       const struct call_context *c)
{
    const struct assumption *a = k->options.assumed;
    for (unsigned i = 0; a && a->scope == scope && i < a->n; i++)
        if (!constant_equal(a->value[i], value_at(k, scope, &a->flags[i], call, c)))
            return false;
    return true;
}

static void find_sites(const struct types *k, uint32_t scope, struct call_sites *out)
{
    unsigned n = 0;
    find_all_sites(k, scope, out);
    for (unsigned i = 0; i < out->n; i++)
        if (is_assumed(k, scope, out->at[i], NULL))
            out->at[n++] = out->at[i];
    out->n = n;
}

/* The next context from `c` on that is one of those calls. */
static const struct call_context *assumed_from(const struct types *k, uint32_t scope,
                                               const struct call_context *c)
{
    while (c && !is_assumed(k, scope, 0, c))
        c = summary_set_context(k->options.project, c->next);
    return c;
}

static const struct call_context *contexts_of(const struct types *k, uint32_t scope)
{
    if (!k->options.project || k->names->scopes[scope].kind != SCOPE_FUNCTION)
        return NULL;
    return assumed_from(
        k, scope, summary_set_contexts(k->options.project, names__scope_path(k->names, scope)));
}

static const struct call_context *next_context(const struct types *k, uint32_t scope,
                                               const struct call_context *c)
{
    return assumed_from(k, scope, summary_set_context(k->options.project, c->next));
}

static bool is_same_assumption(const struct assumption *a, const struct assumption *b)
{
    bool same = true;
    for (unsigned i = 0; same && i < a->n; i++)
        same = constant_equal(a->value[i], b->value[i]);
    return same;
}

unsigned types_assumptions(const struct types *k, uint32_t scope, struct assumption *out,
                           unsigned max)
{
    const struct function_summary *f = summary_of(k, scope);
    struct call_sites sites;
    unsigned n = 0;
    if (!f || !f->n_flags || f->is_opaque || f->is_generator)
        return 0;
    find_sites(k, scope, &sites);
    const struct call_context *c = contexts_of(k, scope);
    for (unsigned i = 0; n < max && (i < sites.n || c); i++) {
        uint32_t call = i < sites.n ? sites.at[i] : 0;
        bool is_known = false, is_new = true;
        out[n] = (struct assumption){.scope = scope, .n = f->n_flags, .call = call};
        for (unsigned j = 0; j < f->n_flags; j++) {
            out[n].flags[j] = f->flags[j];
            out[n].value[j] = value_at(k, scope, &f->flags[j], call, c);
            is_known |= out[n].value[j].kind != CONSTANT_UNKNOWN;
        }
        for (unsigned j = 0; is_new && j < n; j++)
            is_new = !is_same_assumption(&out[j], &out[n]);
        n += is_known && is_new;
        c = call ? c : next_context(k, scope, c);
    }
    return n;
}

/* What all calls in other files give for a parameter, or for its value under a word. *any: there is
 * such a call. */
struct type_fact types__fact_by_contexts(const struct types *k, uint32_t scope, uint32_t parameter,
                                         uint32_t key, bool *any)
{
    struct type_fact joined = types__known(TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, 0);
    const struct call_context *c = contexts_of(k, scope);
    *any = false;
    int at = c ? types__parameter_at(k, scope, parameter) : -1;
    for (; c && at >= 0; c = next_context(k, scope, c)) {
        struct type_fact f = types__fact_of_given(k, call_context_given(c, at, key));
        if (f.type == TYPE_UNKNOWN)
            return f;
        joined = *any ? types__join(joined, f) : f;
        *any = true;
    }
    return joined;
}

/* Can a context know the object: a parameter, or its value under one word? */
static bool is_slot(const struct types_object *o)
{
    return o->origin == OBJECT_PARAM && o->n_path <= 1;
}

static uint32_t key_of(const struct types_object *o)
{
    return o->n_path ? o->path[0] : (uint32_t)WORD_NONE;
}

/* What the call that made the object returns under a word. */
static struct type_fact fact_of_result(const struct types *k, const struct types_object *o,
                                       uint32_t word)
{
    const struct summary_return *r =
        o->origin == OBJECT_CALL && o->node ? types__returned(k, o->node, word) : NULL;
    return r ? types__fact_of_returned(k, o->node, r)
             : types__known(TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, 0);
}

/* What the calls in this file give for that part of the parameter; false when one is not known, or
 * when there is none. */
static bool join_given_here(const struct types *k, const struct types_object *o, bool any,
                            struct type_fact *joined)
{
    struct call_sites sites;
    int at = types__parameter_at(k, o->scope, o->root);
    find_sites(k, o->scope, &sites);
    for (unsigned i = 0; i < sites.n; i++) {
        uint32_t given = at < 0 ? 0 : argument_for(k, sites.at[i], o->scope, at, o->root);
        uint32_t object = given ? types_object(k, given) : (uint32_t)OBJECT_NONE;
        uint32_t value = object == OBJECT_NONE ? 0 : types__value_in(k, object, o->path[0]);
        if (!value && object != OBJECT_NONE)
            value = types__member_value(k, object, o->path[0]);
        struct type_fact f = types__known(TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, 0);
        if (value)
            f = types_of(k, value);
        else if (object != OBJECT_NONE && !types_object_at(k, object)->n_path)
            f = fact_of_result(k, types_object_at(k, object), o->path[0]);
        if (f.type == TYPE_UNKNOWN)
            return false;
        *joined = any ? types__join(*joined, f) : f;
        any = true;
    }
    return any;
}

struct type_fact types__fact_of_given_part(const struct types *k, uint32_t object)
{
    const struct type_fact unknown = types__known(TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, 0);
    const struct types_object o = *types_object_at(k, object);
    bool any = false;
    if (!is_slot(&o) || !o.n_path || k->names->scopes[o.scope].kind != SCOPE_FUNCTION)
        return unknown;
    struct type_fact f = types__fact_by_contexts(k, o.scope, o.root, o.path[0], &any);
    if ((any && f.type == TYPE_UNKNOWN) || !join_given_here(k, &o, any, &f))
        return unknown;
    f.confidence = MIN(f.confidence, CONFIDENCE_MEDIUM);
    f.origin = 0;
    return f;
}

struct type_fact types__fact_of_place(const struct types *k, uint32_t object)
{
    const struct types_object o = *types_object_at(k, object);
    return o.origin == OBJECT_CALL && o.n_path == 1 ? fact_of_result(k, &o, o.path[0])
                                                    : types__fact_of_given_part(k, object);
}

/* ---- mode ---- */

struct mode_question {
    const struct types *k;
    uint32_t modes; /* bits */
    unsigned depth;
};

static enum truth ask_mode(struct mode_question *q, uint32_t scope, uint32_t object, uint32_t step);

/* The object of the caller's flow that is this object of the callee; OBJECT_NONE: none. */
uint32_t types__object_in_caller(const struct types *k, uint32_t call, uint32_t scope,
                                 uint32_t object)
{
    const struct types_object o = *types_object_at(k, object);
    if (o.origin != OBJECT_PARAM || o.scope != scope) /* a field of self, an outer name */
        return types__object_of_maker(k, call, object);
    int at = types__parameter_at(k, scope, o.root);
    uint32_t given = at < 0 ? 0 : argument_for(k, call, scope, at, o.root);
    uint32_t found = given ? types_object(k, given) : (uint32_t)OBJECT_NONE;
    for (unsigned i = 0; i < o.n_path && found != OBJECT_NONE; i++)
        found = types__part(k, found, o.path[i]);
    return found;
}

static enum truth ask_caller(struct mode_question *q, uint32_t call, uint32_t scope,
                             uint32_t object)
{
    const struct types *k = q->k;
    uint32_t from = types__flow_scope(k, call),
             there = types__object_in_caller(k, call, scope, object);
    while (k->names->scopes[from].kind == SCOPE_CLASS)
        from = k->names->scopes[from].parent;
    const struct flow *flow = types_flow(k, from);
    uint32_t step = flow ? cfg_step(flow->cfg, call) : (uint32_t)STEP_NONE;
    if (there == OBJECT_NONE || step == STEP_NONE || from == scope)
        return TRUTH_UNKNOWN;
    return ask_mode(q, from, there, step);
}

/* The parameter by which a caller gives the object to the function, and the word under which it is
 * there: a parameter itself, a part of one, or a field of the receiver; -1: none. */
static int slot_of(const struct types *k, uint32_t scope, uint32_t object, uint32_t *key)
{
    const struct types_object *o = types_object_at(k, object);
    uint32_t parent = k->names->scopes[scope].parent;
    *key = key_of(o);
    if (is_slot(o) && o->scope == scope)
        return types__parameter_at(k, scope, o->root);
    if (parent == SCOPE_NONE || k->names->scopes[parent].kind != SCOPE_CLASS)
        return -1;
    uint32_t at = types__field_of_object(k, object);
    uint32_t kept_in = at == UINT32_MAX ? SCOPE_NONE : k->cache->field_stores.at[at].class_scope;
    bool is_field = o->origin == OBJECT_FIELD && o->n_path == 1 &&
                    types__keeper(k, parent, o->path[0]) == o->scope,
         is_kept = kept_in != SCOPE_NONE &&
                   types__keeper(k, parent, k->cache->field_stores.at[at].word) == kept_in;
    if (is_kept && !is_field)
        *key = k->cache->field_stores.at[at].word;
    return is_field || is_kept ? 0 : -1;
}

static enum truth ask_contexts(const struct mode_question *q, uint32_t scope, uint32_t object)
{
    const struct types *k = q->k;
    const struct call_context *c = contexts_of(k, scope);
    enum truth t = TRUTH_UNKNOWN;
    uint32_t key;
    int at = c ? slot_of(k, scope, object, &key) : -1;
    for (; c && at >= 0 && t != TRUTH_TRUE; c = next_context(k, scope, c)) {
        enum module_mode mode = call_context_given(c, at, key)->mode;
        if (mode != MODE_UNKNOWN)
            t = truth_of(q->modes >> mode & 1);
    }
    return t;
}

static enum truth ask_mode(struct mode_question *q, uint32_t scope, uint32_t object, uint32_t step)
{
    enum module_mode mode = types__mode_at(q->k, scope, object, step);
    if (mode != MODE_ENTRY)
        return mode == MODE_UNKNOWN ? TRUTH_UNKNOWN : truth_of(q->modes >> mode & 1);
    if (!scope || q->depth >= CALLERS_DEPTH)
        return TRUTH_UNKNOWN;
    struct call_sites sites;
    enum truth t = ask_contexts(q, scope, object);
    q->depth++;
    find_sites(q->k, scope, &sites);
    for (unsigned i = 0; i < sites.n && t != TRUTH_TRUE; i++) {
        enum truth one = ask_caller(q, sites.at[i], scope, object);
        t = one == TRUTH_TRUE || t == TRUTH_UNKNOWN ? one : t;
    }
    q->depth--;
    return t;
}

enum truth types_mode_is(const struct types *k, uint32_t scope, uint32_t object, uint32_t step,
                         uint32_t modes)
{
    struct mode_question q = {.k = k, .modes = modes};
    return ask_mode(&q, scope, object, step);
}

/* Is one of the calls in this file in a loop? *clears: a calling function clears gradients. */
static bool is_looped_here(const struct types *k, uint32_t scope, bool *clears)
{
    struct call_sites sites;
    bool in_loop = false;
    find_sites(k, scope, &sites);
    for (unsigned i = 0; i < sites.n; i++) {
        uint32_t from = types__flow_scope(k, sites.at[i]);
        const struct cfg *c = types_cfg(k, from);
        uint32_t step = c ? cfg_step(c, sites.at[i]) : (uint32_t)STEP_NONE;
        struct types_event_list events = types_events(k, from);
        if (step == STEP_NONE || from == scope)
            continue;
        in_loop |= c->blocks[c->steps[step].block].loop != LOOP_NONE;
        for (size_t e = 0; e < events.n; e++)
            *clears |= events.at[e].role == ROLE_ZERO;
    }
    return in_loop;
}

enum truth types_is_looped_by_callers(const struct types *k, uint32_t scope)
{
    bool clears = false, in_loop = is_looped_here(k, scope, &clears);
    if (clears)
        return TRUTH_UNKNOWN;
    for (const struct call_context *c = contexts_of(k, scope); c; c = next_context(k, scope, c)) {
        if (c->may_clear)
            return TRUTH_UNKNOWN;
        in_loop |= c->in_loop;
    }
    return in_loop ? TRUTH_TRUE : TRUTH_UNKNOWN;
}

static bool is_given_trained_here(const struct types *k, uint32_t scope, uint32_t object)
{
    struct mode_question q = {.k = k, .modes = 1u << MODE_TRAIN};
    struct call_sites sites;
    find_sites(k, scope, &sites);
    for (unsigned i = 0; i < sites.n; i++)
        if (types_in_region(k, sites.at[i], TRAIT_NO_GRAD | TRAIT_FLAGGED_GRAD) == TRUTH_FALSE &&
            ask_caller(&q, sites.at[i], scope, object) == TRUTH_TRUE)
            return true;
    return false;
}

enum truth types_is_given_trained(const struct types *k, uint32_t scope, uint32_t object)
{
    const struct call_context *c = contexts_of(k, scope);
    uint32_t key;
    int at = c ? slot_of(k, scope, object, &key) : -1;
    for (; c && at >= 0; c = next_context(k, scope, c))
        if (call_context_given(c, at, key)->mode == MODE_TRAIN && !c->in_no_grad)
            return TRUTH_TRUE;
    return scope && is_given_trained_here(k, scope, object) ? TRUTH_TRUE : TRUTH_UNKNOWN;
}

/* ---- holds ---- */

static bool is_held_in(const struct call_context *c, const struct given_fact *optimizer,
                       const struct given_fact *module)
{
    size_t at = (size_t)(module - c->given);
    return at < SLOTS_MAX && optimizer->holds >> at & 1;
}

enum truth types__holds_by_callers(const struct types *k, uint32_t optimizer, uint32_t module)
{
    const struct types_object o = *types_object_at(k, optimizer), m = *types_object_at(k, module);
    if (!is_slot(&o) || !is_slot(&m) || o.scope != m.scope)
        return TRUTH_UNKNOWN;
    uint32_t scope = o.scope;
    int at = types__parameter_at(k, scope, o.root), other = types__parameter_at(k, scope, m.root);
    bool any = false;
    if (at < 0 || other < 0)
        return TRUTH_UNKNOWN;
    for (const struct call_context *c = contexts_of(k, scope); c; c = next_context(k, scope, c)) {
        const struct given_fact *g = call_context_given(c, at, key_of(&o));
        if (!is_held_in(c, g, call_context_given(c, other, key_of(&m))))
            return TRUTH_UNKNOWN;
        any = true;
    }
    struct call_sites sites;
    find_sites(k, scope, &sites);
    for (unsigned i = 0; i < sites.n; i++) {
        uint32_t a = types__object_in_caller(k, sites.at[i], scope, optimizer),
                 b = types__object_in_caller(k, sites.at[i], scope, module);
        if (a == OBJECT_NONE || b == OBJECT_NONE || a == optimizer ||
            types_holds(k, a, b) != TRUTH_TRUE)
            return TRUTH_UNKNOWN;
        any = true;
    }
    return any ? TRUTH_TRUE : TRUTH_UNKNOWN;
}

/* Does a class of this file show that the optimizer in one field holds the module in the other? */
static enum truth holds_here(const struct types *k, uint32_t class_scope, uint32_t optimizer,
                             uint32_t module)
{
    uint32_t a = types__object_of_field(k, class_scope, optimizer),
             b = types__object_of_field(k, class_scope, module);
    bool is_made = a != OBJECT_NONE && types_object_at(k, a)->origin == OBJECT_CALL;
    return is_made && b != OBJECT_NONE ? types_holds(k, a, b) : TRUTH_UNKNOWN;
}

static bool holds_in(const struct class_summary *c, uint32_t optimizer, uint32_t module)
{
    const struct class_field *a = class_summary_field(c, optimizer),
                             *b = class_summary_field(c, module);
    size_t at = a && b ? (size_t)(b - c->fields) : 32;
    return at < 32 && a->fact.holds >> at & 1;
}

enum truth types__holds_below(const struct types *k, uint32_t optimizer, uint32_t module)
{
    const struct types_object o = *types_object_at(k, optimizer), m = *types_object_at(k, module);
    bool are_fields = o.origin == OBJECT_FIELD && m.origin == OBJECT_FIELD && o.scope == m.scope &&
                      o.n_path == 1 && m.n_path == 1;
    bool any = false;
    for (uint32_t s = are_fields ? types__next_below(k, o.scope, 0) : (uint32_t)SCOPE_NONE;
         s != SCOPE_NONE; s = types__next_below(k, o.scope, s + 1))
        any |= holds_here(k, s, o.path[0], m.path[0]) == TRUTH_TRUE;
    uint32_t at = UINT32_MAX;
    for (const struct class_summary *c;
         are_fields && (c = types__next_below_elsewhere(k, o.scope, &at));)
        any |= holds_in(c, o.path[0], m.path[0]);
    return any ? TRUTH_TRUE : TRUTH_UNKNOWN;
}

enum truth types__holds_beside(const struct types *k, uint32_t optimizer, uint32_t module)
{
    const struct types_object o = *types_object_at(k, optimizer), m = *types_object_at(k, module);
    if (o.owner == OBJECT_NONE || o.owner != m.owner)
        return TRUTH_UNKNOWN;
    const struct type_fact owner = types_object_at(k, o.owner)->fact;
    uint32_t a = o.path[o.n_path - 1], b = m.path[m.n_path - 1];
    if (owner.class_scope != SCOPE_NONE)
        return holds_here(k, owner.class_scope, a, b);
    const struct class_summary *c = k->options.project && owner.class_path != PATH_NONE
                                        ? summary_set_class(k->options.project, owner.class_path)
                                        : NULL;
    return c && holds_in(c, a, b) ? TRUTH_TRUE : TRUTH_UNKNOWN;
}

/* ---- loaders ---- */

static enum loader_role join_roles(enum loader_role a, enum loader_role b, bool is_first)
{
    return is_first || a == b ? b : LOADER_UNKNOWN;
}

enum loader_role types__role_by_callers(const struct types *k, uint32_t name)
{
    uint32_t binding = names_binding(k->names, name);
    if (binding == BINDING_NONE || !(k->names->bindings[binding].flags & BINDING_FLAG_PARAMETER) ||
        k->names->bindings[binding].first_store != k->names->bindings[binding].last_store)
        return LOADER_UNKNOWN;
    uint32_t scope = k->names->bindings[binding].scope, word = k->names->bindings[binding].word;
    if (k->names->scopes[scope].kind != SCOPE_FUNCTION || !types__enter(k))
        return LOADER_UNKNOWN;
    enum loader_role role = LOADER_UNKNOWN;
    bool is_first = true;
    int at = types__parameter_at(k, scope, word);
    for (const struct call_context *c = contexts_of(k, scope); c && at >= 0;
         c = next_context(k, scope, c)) {
        role = join_roles(role, c->given[at].role, is_first);
        is_first = false;
    }
    struct call_sites sites;
    find_sites(k, scope, &sites);
    for (unsigned i = 0; i < sites.n && at >= 0; i++) {
        uint32_t given = argument_for(k, sites.at[i], scope, at, word);
        role = join_roles(role, given ? types_loader_role(k, given) : LOADER_UNKNOWN, is_first);
        is_first = false;
    }
    types__leave(k);
    return role;
}

enum domain types_domain_given(const struct types *k, uint32_t scope, uint32_t word,
                               uint64_t wanted)
{
    const struct call_context *c = contexts_of(k, scope);
    int at = c ? types__parameter_at(k, scope, word) : -1;
    for (; c && at >= 0; c = next_context(k, scope, c))
        if (wanted >> c->given[at].domain & 1)
            return c->given[at].domain;
    return DOMAIN_ANY;
}
