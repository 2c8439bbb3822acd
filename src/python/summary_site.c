/*
 * Calls that lead out of the file, with facts about their arguments: types, what made a value, the
 * mode of a module, what an optimizer holds. A parameter that the caller passes on is given by its
 * number, and known when the calls of the caller are.
 *
 * Only two kinds of calls are kept: of functions of the project that do something a rule looks at
 * (a forward, a step, a comparison), and those that make an object of a class of the project from
 * such values.
 */
#include "python/summary_p.h"

struct site_builder {
    const struct types *k;
    const struct tree *t;
    uint32_t scope;              /* the caller's */
    uint32_t objects[SLOTS_MAX]; /* by slot; OBJECT_NONE */
    unsigned n_objects;          /* which objects, as bits */
    uint32_t may_hold_gradients; /* which of them, as bits */
};

/* Roles whose subject matters. */
static const uint64_t telling_roles =
    UINT64_C(1) << ROLE_FORWARD | UINT64_C(1) << ROLE_BACKWARD | UINT64_C(1) << ROLE_STEP |
    UINT64_C(1) << ROLE_ZERO | UINT64_C(1) << ROLE_TRAIN | UINT64_C(1) << ROLE_EVAL |
    UINT64_C(1) << ROLE_COMPARE | UINT64_C(1) << ROLE_SCHEDULER_STEP | UINT64_C(1) << ROLE_KEEP |
    UINT64_C(1) << ROLE_CLIP | UINT64_C(1) << ROLE_UNSCALE | UINT64_C(1) << ROLE_ESCAPE;

static bool is_telling(const struct function_summary *f)
{
    if (f->called)
        return true;
    for (uint32_t i = 0; i < f->n_effects; i++)
        if ((f->effects[i].parameter != SLOT_OUTER || f->effects[i].is_field) &&
            f->effects[i].may & telling_roles)
            return true;
    return false;
}

static bool is_of_interest(enum value_type type)
{
    static const uint32_t types = 1u << TYPE_MODULE | 1u << TYPE_OPTIMIZER | 1u << TYPE_CRITERION |
                                  1u << TYPE_LOADER | 1u << TYPE_SCHEDULER | 1u << TYPE_SCALER |
                                  1u << TYPE_ENGINE | 1u << TYPE_TENSOR | 1u << TYPE_LOSS;
    return types >> type & 1;
}

/* The caller's parameter that the object is, or that has it under the word *key. */
static int8_t parameter_of(const struct site_builder *b, uint32_t object, uint32_t *key)
{
    *key = WORD_NONE;
    if (object == OBJECT_NONE)
        return -1;
    const struct types_object *o = types_object_at(b->k, object);
    bool is_own = o->origin == OBJECT_PARAM && o->scope == b->scope && o->n_path <= 1;
    if (is_own && o->n_path)
        *key = o->path[0];
    return is_own ? (int8_t)types__parameter_at(b->k, b->scope, o->root) : (int8_t)-1;
}

/* The mode of a module at the call. */
static enum module_mode mode_at(const struct site_builder *b, uint32_t call, uint32_t object)
{
    const struct flow *flow = types_flow(b->k, b->scope);
    uint32_t step = flow ? cfg_step(flow->cfg, call) : (uint32_t)STEP_NONE;
    return object == OBJECT_NONE || step == STEP_NONE
               ? MODE_UNKNOWN
               : types__mode_at(b->k, b->scope, object, step);
}

static void fill_given(struct site_builder *b, uint32_t call, uint32_t value, unsigned slot,
                       struct given_fact *g)
{
    struct type_fact f = types_of(b->k, value);
    uint32_t object = types_object(b->k, value);
    b->objects[slot] = object;
    *g = (struct given_fact){.type = f.type,
                             .confidence = f.confidence,
                             .api_path = summary__path_of_row(b->k, f.api),
                             .class_path = types__class_path(b->k, value),
                             .domain = types_domain(b->k, value, NULL),
                             .role = types_loader_role(b->k, value),
                             .made = summary__made(b->k, value)};
    g->parameter = parameter_of(b, object, &g->key);
    if (f.type == TYPE_MODULE)
        g->mode = mode_at(b, call, object);
}

static void add_given_part(struct summary_site *s, unsigned at, uint32_t key, struct given_fact g)
{
    if (s->n_parts == GIVEN_PARTS_MAX || (!is_of_interest(g.type) && g.parameter < 0))
        return;
    s->given[GIVEN_MAX + s->n_parts] = g;
    s->parts[s->n_parts++] = (struct given_part){(uint8_t)at, key};
}

/* Fills in what the function that made the argument returns under a word. */
static void fill_returned(struct site_builder *b, uint32_t call, unsigned at, uint32_t key,
                          const struct summary_return *r, struct summary_site *s)
{
    uint32_t object = types__child(b->k, b->objects[at], key);
    struct given_fact g = {.type = r->type,
                           .confidence = CONFIDENCE_MEDIUM,
                           .api_path = r->api_path,
                           .class_path = r->class_path,
                           .domain = r->domain,
                           .parameter = -1,
                           .key = WORD_NONE,
                           .made = r->made};
    if (key == WORD_NONE || object == OBJECT_NONE)
        return;
    if (g.type == TYPE_MODULE)
        g.mode = mode_at(b, call, object);
    if (s->n_parts < GIVEN_PARTS_MAX)
        b->objects[GIVEN_MAX + s->n_parts] = object;
    add_given_part(s, at, key, g);
}

/* Fills in the parts of an argument that a function made: of a dict, an object or a tuple. */
static void fill_result(struct site_builder *b, uint32_t call, unsigned at, struct summary_site *s)
{
    const struct types_object o = *types_object_at(b->k, b->objects[at]);
    bool is_made = o.origin == OBJECT_CALL && !o.n_path && tree_kind(b->t, o.node) == PY_CALL;
    const struct function_summary *f = is_made ? types_function_called(b->k, o.node) : NULL;
    for (unsigned i = 0; f && i < f->n_parts; i++)
        fill_returned(b, call, at, f->parts[i].key, &f->parts[i].value, s);
    for (unsigned i = 0; f && f->n_returns > 1 && i < f->n_returns; i++)
        fill_returned(b, call, at, types__place_word(b->k, i), &f->returns[i], s);
}

/* Fills in the values under the constant keys of a dict that is an argument. */
static void fill_parts(struct site_builder *b, uint32_t call, unsigned at, struct summary_site *s)
{
    struct display_walk w;
    uint32_t object = b->objects[at], value;
    if (object != OBJECT_NONE)
        fill_result(b, call, at, s);
    if (object == OBJECT_NONE || !types__walk_display(b->k, object, &w))
        return;
    while (s->n_parts < GIVEN_PARTS_MAX && (value = types__next_in_display(b->k, &w))) {
        struct given_fact g;
        unsigned slot = GIVEN_MAX + s->n_parts;
        fill_given(b, call, value, slot, &g);
        add_given_part(s, at, w.key, g);
    }
}

/* Fills in the modes that modules in fields of the receiver have at the call. What the fields are
 * is known from the class and from the calls that make its objects. */
static void fill_receiver(struct site_builder *b, uint32_t call, struct summary_site *s)
{
    uint32_t function = tree_child(b->t, call, FIELD_FUNCTION);
    uint32_t receiver = tree_kind(b->t, function) == PY_ATTRIBUTE ? tree_first(b->t, function) : 0;
    uint32_t path = receiver ? types__class_path(b->k, receiver) : (uint32_t)PATH_NONE,
             owner = path == PATH_NONE ? (uint32_t)OBJECT_NONE : types_object(b->k, receiver);
    const struct class_summary *c =
        owner == OBJECT_NONE ? NULL : summary_set_class(b->k->options.project, path);
    for (uint32_t i = 0; c && i < c->n_fields; i++) {
        const struct given_fact *field = &c->fields[i].fact;
        bool is_module = field->type == TYPE_MODULE || field->parameter > 0;
        uint32_t object =
            is_module ? types__member(b->k, owner, c->fields[i].word) : (uint32_t)OBJECT_NONE;
        enum module_mode mode = mode_at(b, call, object);
        struct given_fact g = {.type = TYPE_MODULE,
                               .confidence = CONFIDENCE_LOW,
                               .api_path = PATH_NONE,
                               .class_path = PATH_NONE,
                               .parameter = -1,
                               .key = WORD_NONE,
                               .mode = mode};
        if (mode == MODE_TRAIN || mode == MODE_EVAL || mode == MODE_MIXED)
            add_given_part(s, GIVEN_RECEIVER, c->fields[i].word, g);
    }
}

/* Fills in the mode that a module in a field of self has at the call, as callers in this file show
 * it. */
static void fill_own_field(struct site_builder *b, uint32_t call, uint32_t class_scope,
                           uint32_t word, struct summary_site *s)
{
    uint32_t object = types__object_of_field(b->k, class_scope, word);
    struct given_fact g = {.type = TYPE_MODULE,
                           .confidence = CONFIDENCE_LOW,
                           .api_path = PATH_NONE,
                           .class_path = PATH_NONE,
                           .parameter = -1,
                           .key = WORD_NONE};
    const struct flow *flow = types_flow(b->k, b->scope);
    uint32_t step = flow ? cfg_step(flow->cfg, call) : (uint32_t)STEP_NONE;
    if (object == OBJECT_NONE || step == STEP_NONE ||
        types_object_at(b->k, object)->fact.type != TYPE_MODULE)
        return;
    g.mode = types__mode_at(b->k, b->scope, object, step);
    if (g.mode == MODE_ENTRY) {
        static const enum module_mode modes[] = {MODE_TRAIN, MODE_EVAL};
        g.mode = MODE_UNKNOWN;
        for (size_t i = 0; i < COUNT_OF(modes) && g.mode == MODE_UNKNOWN; i++)
            if (types_mode_is(b->k, b->scope, object, step, 1u << modes[i]) == TRUTH_TRUE)
                g.mode = modes[i];
    }
    for (unsigned i = 0; i < s->n_parts; i++)
        if (s->parts[i].at == GIVEN_RECEIVER && s->parts[i].key == word)
            return;
    if (g.mode == MODE_TRAIN || g.mode == MODE_EVAL || g.mode == MODE_MIXED)
        add_given_part(s, GIVEN_RECEIVER, word, g);
}

/* The same of all fields of self, whether this file or that of a base class writes them. */
static void fill_own(struct site_builder *b, uint32_t call, uint32_t class_scope,
                     struct summary_site *s)
{
    const struct types_cache *c = b->k->cache;
    for (size_t i = 0; i < c->field_stores.n; i++)
        if (types__keeper(b->k, class_scope, c->field_stores.at[i].word) ==
            c->field_stores.at[i].class_scope)
            fill_own_field(b, call, class_scope, c->field_stores.at[i].word, s);
    uint32_t path = types__base_elsewhere(b->k, class_scope);
    const struct class_summary *above =
        path == PATH_NONE ? NULL : summary_set_class(b->k->options.project, path);
    for (uint32_t i = 0; above && i < above->n_fields; i++)
        fill_own_field(b, call, class_scope, above->fields[i].word, s);
}

static void hold_all(const struct site_builder *b, struct summary_site *s, unsigned slot)
{
    struct given_fact *g = &s->given[slot];
    if (g->type != TYPE_OPTIMIZER || b->objects[slot] == OBJECT_NONE)
        return;
    for (unsigned j = 0; j < (unsigned)GIVEN_MAX + s->n_parts; j++) {
        bool is_slot = j < s->n_given || j >= GIVEN_MAX;
        if (is_slot && s->given[j].type == TYPE_MODULE && b->objects[j] != OBJECT_NONE &&
            types_holds(b->k, b->objects[slot], b->objects[j]) == TRUTH_TRUE)
            g->holds |= 1u << j;
    }
}

static void fill_holds(const struct site_builder *b, struct summary_site *s)
{
    for (unsigned i = 0; i < (unsigned)GIVEN_MAX + s->n_parts; i++)
        if (i < s->n_given || i >= GIVEN_MAX)
            hold_all(b, s, i);
}

/* Does a method of the class do something to its fields? */
static bool is_telling_class(const struct types *k, uint32_t class_scope)
{
    for (uint32_t s = class_scope + 1; s < k->names->n_scopes; s++) {
        bool is_method =
            k->names->scopes[s].kind == SCOPE_FUNCTION && k->names->scopes[s].parent == class_scope;
        const struct function_summary *f = is_method ? summary_of(k, s) : NULL;
        if (f && is_telling(f))
            return true;
    }
    return false;
}

/* The path of the method that self.m(...) names, if a derived class in another file may replace it
 * by one for which this call matters; PATH_NONE. */
static uint32_t own_method(const struct site_builder *b, uint32_t call, uint32_t class_scope)
{
    const struct types *k = b->k;
    uint32_t word = b->t->nodes[tree_child(b->t, tree_child(b->t, call, FIELD_FUNCTION),
                                           FIELD_ATTRIBUTE)]
                        .word,
             count, scope = names_method(k->names, class_scope, word, NULL);
    if (types__field(k, class_scope, word, &count) != UINT32_MAX ||
        (!types__is_abstract(k, scope) && !is_telling_class(k, class_scope)))
        return PATH_NONE;
    return paths_add_word(k->names->paths, names__scope_path(k->names, class_scope), word);
}

/* The path of the called function of the project (of a class its __init__); PATH_NONE: none that
 * matters. */
static uint32_t callee_of(const struct types *k, uint32_t call, bool *is_bound)
{
    const struct summary_set *set = k->options.project;
    struct call_fact f = types_call(k, call);
    uint32_t called = tree_child(k->names->tree, call, FIELD_FUNCTION), above = PATH_NONE;
    if (called && types__super_method(k, called, &above) == SCOPE_NONE && above != PATH_NONE) {
        const struct function_summary *method = summary_set_function(set, above);
        *is_bound = true;
        return method && is_telling(method) ? method->path : (uint32_t)PATH_NONE;
    }
    if (f.path == PATH_NONE && f.scope == SCOPE_NONE && called &&
        (f.role == ROLE_FORWARD || f.role == ROLE_COMPARE)) {
        const struct function_summary *forward = types__project_method(
            k, called, py_parser_find_word(k->names->tree->parser, STR("forward")));
        *is_bound = true;
        return forward ? forward->path : (uint32_t)PATH_NONE; /* a comparison leaves no effect */
    }
    if (f.path == PATH_NONE || f.api != API_NONE || f.scope != SCOPE_NONE)
        return PATH_NONE;
    const struct function_summary *function = summary_set_function(set, f.path);
    const struct class_summary *made = function ? NULL : summary_set_class(set, f.path);
    *is_bound = f.is_method || f.is_object_call || made;
    if (made)
        function = summary_set_method(set, made->path,
                                      py_parser_find_word(k->names->tree->parser, STR("__init__")));
    return function && is_telling(function) ? function->path : (uint32_t)PATH_NONE;
}

/* Does the caller's function clear gradients, or give an object that can to unknown code? */
static bool may_clear(const struct site_builder *b, uint32_t call)
{
    struct types_event_list events = types_events(b->k, b->scope);
    uint32_t called = tree_child(b->t, call, FIELD_FUNCTION);
    uint32_t receiver = called && tree_kind(b->t, called) == PY_ATTRIBUTE
                            ? types_object(b->k, tree_first(b->t, called))
                            : (uint32_t)OBJECT_NONE;
    for (size_t i = 0; i < events.n; i++) {
        const struct types_event *e = &events.at[i];
        bool is_given = e->object != OBJECT_NONE && e->object == receiver;
        for (unsigned at = 0; at < b->n_objects && e->object != OBJECT_NONE; at++)
            is_given |= b->objects[at] == e->object && b->may_hold_gradients >> at & 1;
        if (e->role == ROLE_ZERO || (e->role == ROLE_ESCAPE && is_given && e->node != call))
            return true;
    }
    return false;
}

static bool is_in_loop(const struct site_builder *b, uint32_t call)
{
    const struct cfg *c = types_cfg(b->k, b->scope);
    uint32_t step = c ? cfg_step(c, call) : (uint32_t)STEP_NONE;
    return step != STEP_NONE && c->blocks[c->steps[step].block].loop != LOOP_NONE;
}

/* Does the function step an optimizer of its receiver? */
static bool steps_own(const struct summary_set *set, uint32_t path)
{
    const struct function_summary *f = summary_set_function(set, path);
    for (uint32_t i = 0; f && i < f->n_effects; i++)
        if (f->effects[i].may >> ROLE_STEP & 1)
            return true;
    return false;
}

static void fill_frame(struct site_builder *b, uint32_t call, struct summary_site *s)
{
    static const uint32_t types = 1u << TYPE_OPTIMIZER | 1u << TYPE_MODULE | 1u << TYPE_UNKNOWN;
    b->n_objects = s->n_given;
    b->may_hold_gradients = 0;
    for (unsigned i = 0; i < s->n_given; i++)
        if (types >> s->given[i].type & 1)
            b->may_hold_gradients |= 1u << i;
    s->in_loop = is_in_loop(b, call);
    s->may_clear = may_clear(b, call);
}

/* Fills in the literals that the call gives for flags of the function; false: it has none. */
static bool fill_constants(struct site_builder *b, uint32_t list, struct summary_site *s)
{
    const struct function_summary *f = summary_set_function(b->k->options.project, s->callee);
    unsigned n = 0;
    for (uint32_t c = f && f->n_flags ? tree_first(b->t, list) : 0; c && n < s->n_given;
         c = tree_next(b->t, c)) {
        bool is_named = tree_kind(b->t, c) == PY_KEYWORD_ARGUMENT;
        uint32_t value = is_named ? tree_child(b->t, c, FIELD_VALUE) : c;
        for (unsigned i = 0; value && i < f->n_flags; i++) {
            unsigned at = f->flags[i].parameter;
            if (is_named ? s->words[n] == f->parameters[at] : n + s->is_bound == at)
                s->given[n].constant = types__constant(b->k, value);
        }
        n += value != 0;
    }
    return f && f->n_flags;
}

static bool read_site(struct site_builder *b, uint32_t call, struct summary_site *s)
{
    const struct tree *t = b->t;
    bool tells = false;
    *s = (struct summary_site){.caller = PATH_NONE};
    s->callee = callee_of(b->k, call, &s->is_bound);
    uint32_t list = tree_child(t, call, FIELD_ARGUMENTS),
             function = tree_child(t, call, FIELD_FUNCTION),
             own = function ? types__self_class(b->k, function) : (uint32_t)SCOPE_NONE;
    if (s->callee == PATH_NONE && own != SCOPE_NONE) {
        s->callee = own_method(b, call, own);
        s->is_bound = s->is_own = true;
    }
    if (s->callee == PATH_NONE || !list)
        return false;
    for (uint32_t c = tree_first(t, list); c && s->n_given < GIVEN_MAX; c = tree_next(t, c)) {
        enum py_kind kind = tree_kind(t, c);
        uint32_t name = kind == PY_KEYWORD_ARGUMENT ? tree_child(t, c, FIELD_NAME) : 0,
                 value = name ? tree_child(t, c, FIELD_VALUE) : c;
        if (kind == PY_LIST_SPLAT || kind == PY_DICT_SPLAT)
            return false; /* positions are not known */
        if (!value)
            continue;
        s->words[s->n_given] = name ? t->nodes[name].word : (uint32_t)WORD_NONE;
        fill_given(b, call, value, s->n_given, &s->given[s->n_given]);
        fill_parts(b, call, s->n_given, s);
        const struct given_fact *g = &s->given[s->n_given++];
        tells |= is_of_interest(g->type) || g->parameter >= 0 || g->role != LOADER_UNKNOWN;
    }
    if (own != SCOPE_NONE)
        fill_own(b, call, own, s);
    else if (s->is_bound)
        fill_receiver(b, call, s);
    tells |= s->n_parts > 0;
    tells |= fill_constants(b, list, s);
    fill_holds(b, s);
    fill_frame(b, call, s);
    return tells || (s->is_own && s->in_loop) ||
           (s->is_bound && steps_own(b->k->options.project, s->callee));
}

void summary__add_sites(const struct types *k, struct arena *a, struct file_summary *out)
{
    VEC(struct summary_site) sites = {0};
    struct node_list calls = tree_list(k->names->tree, PY_CALL);
    struct site_builder b = {.k = k, .t = k->names->tree};
    for (size_t i = 0; k->options.project && i < calls.n; i++) {
        struct summary_site s;
        b.scope = types__flow_scope(k, calls.at[i]);
        while (k->names->scopes[b.scope].kind == SCOPE_CLASS)
            b.scope = k->names->scopes[b.scope].parent;
        if (!read_site(&b, calls.at[i], &s))
            continue;
        if (b.scope)
            s.caller = names__scope_path(k->names, b.scope);
        s.in_no_grad =
            types_in_region(k, calls.at[i], TRAIT_NO_GRAD | TRAIT_FLAGGED_GRAD) != TRUTH_FALSE;
        s.line = source_line_of(b.t->source, b.t->nodes[calls.at[i]].start);
        vec_push(&sites, a, s);
    }
    out->sites = sites.at;
    out->n_sites = (uint32_t)sites.n;
}
