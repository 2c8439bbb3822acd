/*
 * What happens in one scope, by step: the role of each call for its subject, effects of called
 * functions, writes of attributes, objects that go to unknown code. Invariant: a call that is not
 * resolved gives an ESCAPE event for its receiver and for each argument, and no event that its name
 * might suggest.
 */
#include "python/types_p.h"

struct event_builder {
    const struct types *k;
    const struct tree *t;
    const struct cfg *c;
    const struct flow *f;
    uint32_t step;
    struct arena work;
    VEC(struct types_event) events;
};

static void add_event(struct event_builder *b, enum role role, uint32_t node, uint32_t object,
                      uint32_t api, enum confidence confidence)
{
    struct types_event e = {.step = b->step,
                            .node = node,
                            .role = role,
                            .object = object,
                            .api = api,
                            .confidence = confidence,
                            .other = OBJECT_NONE};
    vec_push(&b->events, &b->work, e);
}

/* The object of a name or path in a call's arguments; OBJECT_NONE for the name of a keyword. */
static uint32_t passed_object(const struct event_builder *b, uint32_t node)
{
    bool is_keyword = b->t->nodes[node].field == FIELD_NAME &&
                      tree_kind(b->t, b->t->nodes[node].parent) == PY_KEYWORD_ARGUMENT;
    return is_keyword ? (uint32_t)OBJECT_NONE : types_object(b->k, node);
}

/* Is the object made by an unknown class or function? Then it may keep its arguments. */
static bool may_keep_arguments(const struct event_builder *b, const struct types_object *o)
{
    if (o->origin != OBJECT_CALL || o->n_path || tree_kind(b->t, o->node) != PY_CALL)
        return false;
    struct call_fact f = types_call(b->k, o->node);
    bool is_class = f.scope != SCOPE_NONE && b->k->names->scopes[f.scope].kind == SCOPE_CLASS;
    return is_class || !f.is_resolved;
}

/* Adds an object that escapes through a container, unless the call is known to get it already. */
static void add_escape_once(struct event_builder *b, uint32_t at, uint32_t object)
{
    for (size_t i = b->events.n; i-- > 0 && b->events.at[i].step == b->step;)
        if (b->events.at[i].role == ROLE_ESCAPE && b->events.at[i].object == object)
            return;
    add_event(b, ROLE_ESCAPE, at, object, API_NONE, CONFIDENCE_HIGH);
}

/* A container that escapes takes its contents along, and an object of an unknown class the
 * arguments that it was made of. */
static void add_contents(struct event_builder *b, uint32_t at, uint32_t object)
{
    const struct tree *t = b->t;
    const struct held_object *held;
    if (object == OBJECT_NONE)
        return;
    struct types_object o = *types_object_at(b->k, object);
    if (o.fact.type != TYPE_UNKNOWN && o.fact.type != TYPE_CONTAINER &&
        o.fact.type != TYPE_OPTIMIZER)
        return;
    size_t n = types__held(b->k, &held);
    for (size_t i = 0; i < n; i++)
        if (types__may_hold(b->k, object, &held[i]))
            add_escape_once(b, at, held[i].object);
    uint32_t list = may_keep_arguments(b, &o) ? tree_child(t, o.node, FIELD_ARGUMENTS) : 0;
    for (uint32_t a = list; a && a < t->nodes[list].next; a++) {
        enum py_kind kind = tree_kind(t, a);
        if (kind != PY_IDENTIFIER && kind != PY_ATTRIBUTE && kind != PY_CALL)
            continue;
        uint32_t kept = kind == PY_CALL ? (uint32_t)OBJECT_NONE : passed_object(b, a);
        if (kept != OBJECT_NONE)
            add_escape_once(b, at, kept);
        a = t->nodes[a].next - 1;
    }
}

/* Adds names, paths and the contents of containers among them: all that a callee could keep. */
static void add_passed(struct event_builder *b, enum role role, uint32_t at, uint32_t node)
{
    const struct tree *t = b->t;
    for (uint32_t n = node; n < t->nodes[node].next; n++) {
        enum py_kind k = tree_kind(t, n);
        if (k == PY_CALL || k == PY_LAMBDA || k == PY_STRING || k == PY_COMPARE ||
            k == PY_SUBSCRIPT) {
            uint32_t same = k == PY_CALL ? types__passes(b->k, n) : 0;
            if (k == PY_CALL && !same && types_of(b->k, n).type == TYPE_PARAMETERS)
                same = types_call(b->k, n).subject; /* the callee can change what it owns */
            if (same && (tree_kind(t, same) == PY_IDENTIFIER || tree_kind(t, same) == PY_ATTRIBUTE))
                add_event(b, role, at, types_object(b->k, same), API_NONE, CONFIDENCE_HIGH);
            if (role == ROLE_ESCAPE && k == PY_SUBSCRIPT)
                add_contents(b, at, types_object(b->k, n));
            n = t->nodes[n].next - 1;
        } else if (k == PY_IDENTIFIER || k == PY_ATTRIBUTE) {
            uint32_t object = passed_object(b, n);
            if (object != OBJECT_NONE)
                add_event(b, role, at, object, API_NONE, CONFIDENCE_HIGH);
            if (role == ROLE_ESCAPE)
                add_contents(b, at, object);
            n = t->nodes[n].next - 1;
        }
    }
}

static void add_escapes(struct event_builder *b, uint32_t call, bool with_receiver)
{
    uint32_t function = tree_child(b->t, call, FIELD_FUNCTION),
             arguments = tree_child(b->t, call, FIELD_ARGUMENTS);
    if (arguments)
        add_passed(b, ROLE_ESCAPE, call, arguments);
    bool is_self =
        function && types__self_class(b->k, function) != SCOPE_NONE; /* self.x(...) passes self.x */
    if (with_receiver && !is_self && function && b->t->nodes[function].kind == PY_ATTRIBUTE &&
        tree_first(b->t, function))
        add_passed(b, ROLE_ESCAPE, call, tree_first(b->t, function));
}

/* ---- effects of a function of this file ---- */

/* Does the function use the parameter only by constant keys, so that effects on these are
 * complete? */
static bool is_read_by_keys(const struct function_summary *s, unsigned parameter)
{
    const uint64_t whole =
        UINT64_C(1) << ROLE_ESCAPE | UINT64_C(1) << ROLE_KEEP | UINT64_C(1) << ROLE_RETURN;
    bool has_keys = false;
    for (uint32_t i = 0; i < s->n_effects; i++) {
        const struct summary_effect *e = &s->effects[i];
        if (e->parameter != parameter)
            continue;
        if (!e->n_path && e->may & whole)
            return false;
        has_keys |= e->n_path > 0;
    }
    return has_keys;
}

static unsigned parameter_named(const struct function_summary *s, uint32_t word)
{
    unsigned at = 0;
    while (at < s->n_parameters && s->parameters[at] != word)
        at++;
    return at;
}

/* Adds objects passed in a list, tuple, dict or comprehension. A summary says what happens to the
 * container, not to its contents, except for a dict display that is read by its keys. */
static void add_held(struct event_builder *b, const struct function_summary *s, uint32_t call,
                     unsigned position)
{
    const struct tree *t = b->t;
    uint32_t list = tree_child(t, call, FIELD_ARGUMENTS);
    for (uint32_t c = list ? tree_first(t, list) : 0; c; c = tree_next(t, c), position++) {
        bool is_named = tree_kind(t, c) == PY_KEYWORD_ARGUMENT;
        uint32_t value = is_named ? tree_child(t, c, FIELD_VALUE) : c;
        enum py_kind k = value ? tree_kind(t, tree_bare(t, value)) : PY_NONE;
        bool is_place = k == PY_IDENTIFIER || k == PY_ATTRIBUTE;
        bool is_display = k == PY_DICT || k == PY_TUPLE || k == PY_LIST;
        uint32_t object = is_display || is_place ? types_object(b->k, value) : OBJECT_NONE;
        unsigned parameter =
            is_named ? parameter_named(s, t->nodes[tree_child(t, c, FIELD_NAME)].word) : position;
        if (object != OBJECT_NONE && types__display(b->k, object) && is_read_by_keys(s, parameter))
            continue;
        if (k == PY_LIST || k == PY_TUPLE || k == PY_DICT || k == PY_SET || k == PY_LIST_SPLAT ||
            k == PY_DICT_SPLAT || k == PY_LIST_COMPREHENSION || k == PY_DICT_COMPREHENSION ||
            k == PY_SET_COMPREHENSION || k == PY_GENERATOR)
            add_passed(b, ROLE_ESCAPE, call, value);
        else if (is_place)
            add_contents(b, call, object);
    }
}

static bool is_bound_call(const struct event_builder *b, const struct call_fact *f, uint32_t call)
{
    return names_is_method(b->k->names, f->scope) &&
           (f->is_method || f->role == ROLE_FORWARD || f->is_object_call ||
            types__value_called(b->k, call).receiver);
}

/* The node passed for a parameter at a call; for a method, parameter 0 is the receiver. */
static uint32_t node_for_parameter(const struct event_builder *b, const struct function_summary *s,
                                   const struct call_fact *f, uint32_t call, unsigned parameter)
{
    uint32_t function = tree_child(b->t, call, FIELD_FUNCTION);
    bool is_object = f->role == ROLE_FORWARD || f->is_object_call,
         is_bound = is_bound_call(b, f, call);
    if (is_bound && parameter == 0) {
        uint32_t receiver = types__value_called(b->k, call).receiver;
        return receiver ? receiver : is_object ? function : tree_first(b->t, function);
    }
    return types_argument(b->k, call, parameter - is_bound,
                          parameter < s->n_parameters ? s->parameters[parameter] : WORD_NONE);
}

/* The model of model.parameters(), whose gradients are meant. */
static uint32_t owner_of_gradients(const struct event_builder *b, uint32_t node)
{
    bool is_parameters =
        tree_kind(b->t, node) == PY_CALL && types_of(b->k, node).type == TYPE_PARAMETERS;
    uint32_t subject = is_parameters ? types_call(b->k, node).subject : 0;
    return subject ? subject : node;
}

/* The class whose fields the receiver has: self and super() in a method; SCOPE_NONE. */
static uint32_t own_class(const struct event_builder *b, uint32_t receiver)
{
    uint32_t called =
        tree_kind(b->t, receiver) == PY_CALL ? tree_child(b->t, receiver, FIELD_FUNCTION) : 0;
    bool is_self =
             tree_kind(b->t, receiver) == PY_IDENTIFIER && names_is_self(b->k->names, receiver),
         is_super = called && tree_kind(b->t, called) == PY_IDENTIFIER &&
                    str_is(tree_text(b->t, called), "super");
    return is_self || is_super ? names_class_of(b->k->names, names_scope_at(b->k->names, receiver))
                               : (uint32_t)SCOPE_NONE;
}

/* The object that an effect's path, applied to an argument, means. */
static uint32_t effect_object(const struct event_builder *b, const struct summary_effect *e,
                              uint32_t node)
{
    uint32_t class_scope = e->n_path ? own_class(b, node) : (uint32_t)SCOPE_NONE;
    bool is_own = class_scope != SCOPE_NONE;
    uint32_t object = is_own ? types__object_of_field(b->k, class_scope, e->path[0])
                             : types_object(b->k, owner_of_gradients(b, node));
    for (unsigned i = is_own; i < e->n_path && object != OBJECT_NONE; i++)
        object = types__part(b->k, object, e->path[i]);
    return object;
}

/* The constant that a call gives for a flag of the function called. */
static struct constant constant_given(const struct event_builder *b,
                                      const struct function_summary *s, const struct call_fact *f,
                                      uint32_t call, const struct flag *flag)
{
    bool is_bound =
        f->scope != SCOPE_NONE ? is_bound_call(b, f, call) : f->is_method || f->is_object_call;
    unsigned at = flag->parameter;
    if (at < (unsigned)is_bound)
        return (struct constant){CONSTANT_UNKNOWN, 0};
    uint32_t node = f->scope != SCOPE_NONE
                        ? types_argument(b->k, call, at - is_bound, s->parameters[at])
                        : tree_argument(b->t, call, at - is_bound, NULL);
    if (!node)
        node = tree_keyword(b->t, call, s->parameters[at], NULL);
    return types__constant_given(b->k, call, node, flag);
}

/* An effect as the call has it, whose literal arguments decide conditions of the function. */
static struct summary_effect effect_here(const struct event_builder *b,
                                         const struct function_summary *s,
                                         const struct call_fact *f, uint32_t call, uint32_t at)
{
    struct summary_effect e = s->effects[at];
    for (uint32_t i = 0; i < s->n_guards; i++) {
        const struct summary_guard *g = &s->guards[i];
        const struct flag *flag = NULL;
        for (unsigned n = 0; n < s->n_flags; n++)
            if (s->flags[n].parameter == g->test.parameter)
                flag = &s->flags[n];
        if (g->effect != at || !flag)
            continue;
        uint64_t bit = UINT64_C(1) << g->role;
        enum truth t = types__test_of(&g->test, constant_given(b, s, f, call, flag));
        if (t == TRUTH_UNKNOWN)
            continue;
        if (t == TRUTH_FALSE || g->sets_mode) {
            e.may &= ~bit;
            e.must &= ~bit;
        }
        if (g->sets_mode)
            bit = UINT64_C(1) << (t == TRUTH_TRUE ? ROLE_TRAIN : ROLE_EVAL);
        if (t == TRUTH_TRUE || g->sets_mode)
            e.may |= bit;
        if (g->is_certain && e.may & bit)
            e.must |= bit;
    }
    return e;
}

/* Adds the effects on one object, each as an event of the call. */
static void add_effect(struct event_builder *b, const struct summary_effect *e, uint32_t call,
                       uint32_t object)
{
    /* what the function does not know of its receiver or parameter, the caller may */
    struct type_fact here = object == OBJECT_NONE
                                ? types__known(TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, 0)
                                : types_object_at(b->k, object)->fact;
    enum confidence confidence = e->confidence;
    if (e->type == TYPE_UNKNOWN && here.type == TYPE_MODULE)
        confidence = here.confidence;
    else if (e->type != TYPE_UNKNOWN && e->type == here.type)
        confidence = MAX(confidence, here.confidence);
    confidence = MIN(confidence, CONFIDENCE_MEDIUM);
    for (unsigned role = 1; object != OBJECT_NONE && role < N_ROLES; role++) {
        uint64_t bit = UINT64_C(1) << role;
        if (!(e->may & bit) || role == ROLE_RETURN)
            continue;
        /* a sum does not need the type of what is added */
        add_event(b, (enum role)role, call, object, API_NONE,
                  role == ROLE_SUM ? CONFIDENCE_MEDIUM : confidence);
        vec_last(&b->events).is_deep = true;
        vec_last(&b->events).is_must = (e->must & bit) != 0;
    }
}

/* The argument of self.m(...) for a parameter of a method that overrides m. */
static uint32_t node_for_own(const struct event_builder *b, const struct function_summary *s,
                             uint32_t call, unsigned parameter)
{
    return types_argument(b->k, call, parameter - 1,
                          parameter < s->n_parameters ? s->parameters[parameter] : WORD_NONE);
}

/* Is it an effect on a field of the receiver? */
static bool is_on_own_field(const struct summary_effect *e)
{
    return e->n_path == 1 && (e->is_field || e->parameter == 0);
}

/* Is the role certain in each method that overrides an abstract one? */
static uint64_t must_of_overrides(const struct event_builder *b, uint32_t class_scope,
                                  uint32_t word, const struct summary_effect *e)
{
    const struct function_summary *s;
    struct override_walk w = {0};
    uint64_t must = e->must;
    if (!types__is_abstract(b->k, names_method(b->k->names, class_scope, word, NULL)))
        return 0;
    while (must && (s = types__next_override(b->k, class_scope, word, &w))) {
        uint64_t here = 0;
        for (uint32_t i = 0; i < s->n_effects; i++) {
            const struct summary_effect *o = &s->effects[i];
            bool is_same = is_on_own_field(o) && is_on_own_field(e)
                               ? o->path[0] == e->path[0]
                               : o->parameter == e->parameter && !o->n_path && !e->n_path &&
                                     o->parameter != SLOT_OUTER;
            here |= is_same ? o->must : 0;
        }
        must &= here;
    }
    return must;
}

/* self.train_step(): a derived class may override it, so the overriding method's effects are
 * possible; certain where the method is abstract and all that override it have them. */
static bool add_overrides(struct event_builder *b, uint32_t call)
{
    uint32_t function = tree_child(b->t, call, FIELD_FUNCTION),
             class_scope = function ? types__self_class(b->k, function) : (uint32_t)SCOPE_NONE;
    const struct function_summary *s;
    struct override_walk w = {0};
    bool any = false;
    if (class_scope == SCOPE_NONE)
        return false;
    uint32_t word = b->t->nodes[tree_child(b->t, function, FIELD_ATTRIBUTE)].word;
    while ((s = types__next_override(b->k, class_scope, word, &w))) {
        any = true;
        for (uint32_t i = 0; i < s->n_effects; i++) {
            struct summary_effect e = s->effects[i];
            uint32_t node = e.parameter == SLOT_OUTER || e.parameter == 0
                                ? 0
                                : node_for_own(b, s, call, e.parameter);
            e.must = must_of_overrides(b, class_scope, word, &s->effects[i]);
            if (is_on_own_field(&e))
                add_effect(b, &e, call, types__object_of_field(b->k, class_scope, e.path[0]));
            else if (node)
                add_effect(b, &e, call, effect_object(b, &e, node));
        }
    }
    return any;
}

static void add_deep(struct event_builder *b, const struct call_fact *f, uint32_t call)
{
    const struct function_summary *s = summary_of(b->k, f->scope);
    if (!s || s->is_opaque) {
        add_escapes(b, call, true);
        return;
    }
    add_held(b, s, call, is_bound_call(b, f, call) + types__n_bound(b->k, call));
    uint32_t function = tree_child(b->t, call, FIELD_FUNCTION);
    bool is_other =
        is_bound_call(b, f, call) && function && types__self_class(b->k, function) == SCOPE_NONE;
    for (uint32_t i = 0; i < s->n_effects; i++) {
        const struct summary_effect here = effect_here(b, s, f, call, i), *e = &here;
        bool is_outer = e->parameter == SLOT_OUTER;
        unsigned parameter = is_outer && e->is_field && is_other ? 0 : e->parameter;
        uint32_t node = parameter == SLOT_OUTER ? 0 : node_for_parameter(b, s, f, call, parameter);
        uint32_t object = node ? effect_object(b, e, node) : (uint32_t)OBJECT_NONE;
        if (is_outer)
            add_effect(b, e, call, types__object_of_maker(b->k, call, e->object));
        if (!is_outer || object != e->object)
            add_effect(b, e, call, object);
    }
}

static bool has_parameter(const struct function_summary *s, uint32_t word)
{
    for (unsigned i = 0; i < s->n_parameters; i++)
        if (s->parameters[i] == word)
            return true;
    return false;
}

/* May a call pass more than its positional and keyword arguments show, or more than the parameters
 * of the function? */
static bool passes_unseen(const struct event_builder *b, const struct function_summary *s,
                          uint32_t call, bool is_bound)
{
    bool is_unknown = false, has_unseen_names = false;
    uint32_t n = tree_argument_count(b->t, call, &is_unknown),
             list = tree_child(b->t, call, FIELD_ARGUMENTS);
    (void)tree_keyword(b->t, call, WORD_NONE, &has_unseen_names);
    for (uint32_t c = list ? tree_first(b->t, list) : 0; c; c = tree_next(b->t, c)) {
        uint32_t name =
            tree_kind(b->t, c) == PY_KEYWORD_ARGUMENT ? tree_child(b->t, c, FIELD_NAME) : 0;
        has_unseen_names |= name && !has_parameter(s, b->t->nodes[name].word);
    }
    return is_unknown || has_unseen_names || n + is_bound > s->n_parameters;
}

/* Adds effects of a function of another file on its arguments. A class keeps its arguments. */
static void add_from_project(struct event_builder *b, const struct call_fact *f, uint32_t call)
{
    const struct function_summary *s = summary_set_function(b->k->options.project, f->path);
    uint32_t arguments = tree_child(b->t, call, FIELD_ARGUMENTS),
             function = tree_child(b->t, call, FIELD_FUNCTION);
    unsigned is_bound = f->is_method || f->is_object_call;
    if (!s && arguments)
        add_passed(b, ROLE_KEEP, call, arguments);
    if (s && passes_unseen(b, s, call, is_bound)) {
        add_escapes(b, call, true);
        return;
    }
    if (s)
        add_held(b, s, call, is_bound);
    for (uint32_t i = 0; s && i < s->n_effects; i++) {
        const struct summary_effect here = effect_here(b, s, f, call, i), *e = &here;
        uint32_t node = 0;
        bool is_own = e->parameter == SLOT_OUTER && e->is_field && is_bound;
        if (e->parameter == SLOT_OUTER && !is_own)
            continue;
        if (is_bound && (is_own || e->parameter == 0))
            node = f->is_object_call ? function : function ? tree_first(b->t, function) : 0;
        else
            node = tree_argument(b->t, call, e->parameter - is_bound, NULL);
        if (!node && e->parameter < s->n_parameters)
            node = tree_keyword(b->t, call, s->parameters[e->parameter], NULL);
        if (node)
            add_effect(b, e, call, effect_object(b, e, node));
    }
}

/* ---- calls ---- */

/* What the name of a loop runs over; 0: it is no loop's name. */
static uint32_t iterated(const struct event_builder *b, uint32_t node)
{
    uint32_t step =
        tree_kind(b->t, node) == PY_IDENTIFIER ? cfg_step(b->c, node) : (uint32_t)STEP_NONE;
    if (step == STEP_NONE || b->f->use_var[step] == VAR_NONE)
        return 0;
    uint32_t def = flow_only_def(b->f, step);
    const struct flow_def *d = def == DEF_NONE ? NULL : &b->f->defs[def];
    return d && d->kind == DEF_ELEMENT && d->part == 255 && d->value ? tree_bare(b->t, d->value)
                                                                     : 0;
}

/* Is the call a statement of the body of the loop over `over`, which each round runs? */
static bool is_of_each_round(const struct event_builder *b, uint32_t call, uint32_t over)
{
    const struct tree *t = b->t;
    uint32_t statement = t->nodes[call].parent, loop = t->nodes[over].parent;
    while (tree_kind(t, loop) == PY_PARENTHESES)
        loop = t->nodes[loop].parent;
    if (tree_kind(t, loop) != PY_FOR || t->nodes[t->nodes[statement].parent].parent != loop)
        return false;
    for (uint32_t n = loop; n < call; n++)
        if (tree_kind(t, n) == PY_CONTINUE || tree_kind(t, n) == PY_BREAK)
            return false;
    return true;
}

/* The mode of an element, set by a loop over all that a container, written down and not empty, has:
 * it is set where the loop begins, so that no way leads past it. */
static void add_mode_of_element(struct event_builder *b, enum role role, uint32_t call,
                                uint32_t over, uint32_t element)
{
    uint32_t own = b->step,
             start = is_of_each_round(b, call, over) ? cfg_step(b->c, over) : (uint32_t)STEP_NONE;
    if (start != STEP_NONE && start < own)
        b->step = start;
    add_event(b, role, call, types_object(b->k, element), API_NONE, CONFIDENCE_MEDIUM);
    b->step = own;
    for (size_t i = b->events.n; i-- > 1 && b->events.at[i - 1].step > b->events.at[i].step;) {
        struct types_event e = b->events.at[i];
        b->events.at[i] = b->events.at[i - 1];
        b->events.at[i - 1] = e;
    }
}

/* for m in models.values(): m.eval() sets the mode of all values. */
static void add_mode_of_values(struct event_builder *b, enum role role, uint32_t call,
                               uint32_t over)
{
    struct display_walk w;
    uint32_t dict = types__dict_of_values(b->k, over), value;
    if (dict == OBJECT_NONE || !types__walk_display(b->k, dict, &w))
        return;
    while ((value = types__next_in_display(b->k, &w)))
        if (types_of(b->k, value).type == TYPE_MODULE)
            add_mode_of_element(b, role, call, over, value);
}

/* for m in (a, b): m.eval() sets the mode of both; of a container that was filled elsewhere, that
 * of all that it may hold is no longer known. */
static void add_mode_of_elements(struct event_builder *b, enum role role, uint32_t call,
                                 uint32_t subject)
{
    bool is_mode = role == ROLE_TRAIN || role == ROLE_EVAL || role == ROLE_MODE;
    uint32_t over = is_mode ? iterated(b, subject) : 0;
    enum py_kind kind = tree_kind(b->t, over);
    bool is_display = kind == PY_LIST || kind == PY_TUPLE || kind == PY_EXPRESSION_LIST;
    const struct held_object *held;
    for (uint32_t c = over && is_display ? tree_first(b->t, over) : 0; c; c = tree_next(b->t, c))
        if (tree_kind(b->t, c) == PY_IDENTIFIER || tree_kind(b->t, c) == PY_ATTRIBUTE)
            add_mode_of_element(b, role, call, over, c);
    if (over)
        add_mode_of_values(b, role, call, over);
    uint32_t place = over && !is_display ? types_object(b->k, over) : (uint32_t)OBJECT_NONE;
    size_t n = place == OBJECT_NONE ? 0 : types__held(b->k, &held);
    for (size_t i = 0; i < n; i++)
        if (types__may_hold(b->k, place, &held[i]))
            add_event(b, ROLE_MODE, call, held[i].object, API_NONE, CONFIDENCE_MEDIUM);
}

/* The mode that net.train(flag) sets where the flag is assumed. */
static enum role mode_assumed(const struct event_builder *b, const struct api_row *row,
                              uint32_t call)
{
    uint32_t argument = b->k->options.assumed && row->role_if_false != ROLE_NONE
                            ? types__mode_argument(b->k, row, call, NULL)
                            : 0;
    enum truth t = argument ? types__decide(b->k, argument) : TRUTH_UNKNOWN;
    return t == TRUTH_UNKNOWN ? ROLE_MODE : t == TRUTH_TRUE ? row->role : row->role_if_false;
}

static void add_call(struct event_builder *b, uint32_t call)
{
    struct call_fact f = types_call(b->k, call);
    const struct api_row *row = api_row_at(b->k->api, f.api);
    if (f.role == ROLE_MODE)
        f.role = mode_assumed(b, row, call);
    if (f.role != ROLE_NONE) {
        uint32_t subject = f.subject && f.role != ROLE_COMPARE ? types_object(b->k, f.subject)
                                                               : (uint32_t)OBJECT_NONE;
        if (f.role == ROLE_CLIP && f.subject)
            subject = types_object(b->k, owner_of_gradients(b, f.subject));
        if (f.role == ROLE_COMPARE || (f.role == ROLE_CREATE && row->subject != SUBJECT_RESULT))
            subject = types_object(b->k, call);
        add_event(b, f.role, call, subject, f.api, f.confidence);
        uint32_t function = tree_child(b->t, call, FIELD_FUNCTION);
        if (f.role == ROLE_COMPARE && f.subject && f.api == API_NONE)
            vec_last(&b->events).other = types_object(b->k, f.subject);
        else if (row->subject >= 0 && function && b->t->nodes[function].kind == PY_ATTRIBUTE &&
                 f.is_method)
            vec_last(&b->events).other = types_object(b->k, tree_first(b->t, function));
        if (f.subject)
            add_mode_of_elements(b, f.role, call, f.subject);
    }
    bool is_class = f.scope != SCOPE_NONE && b->k->names->scopes[f.scope].kind == SCOPE_CLASS;
    if (is_class)
        add_event(b, ROLE_CREATE, call, types_object(b->k, call), API_NONE, CONFIDENCE_HIGH);
    else if (f.scope != SCOPE_NONE) {
        add_deep(b, &f, call);
        (void)add_overrides(b, call);
    } else if (f.is_resolved && f.api == API_NONE && f.path != PATH_NONE && b->k->options.project)
        add_from_project(b, &f, call);
    else if (!f.is_resolved &&
             (f.role != ROLE_NONE || f.path != PATH_NONE || !add_overrides(b, call)))
        add_escapes(b, call, f.role != ROLE_FORWARD && f.role != ROLE_COMPARE);
}

/* ---- stores ---- */

static bool is_off(const struct tree *t, uint32_t value)
{
    int64_t number;
    enum py_kind k = tree_kind(t, value);
    return k == PY_NONE || k == PY_FALSE || (tree_integer_value(t, value, &number) && number == 0);
}

static void add_attribute_store(struct event_builder *b, uint32_t node, uint32_t value)
{
    uint32_t object = tree_first(b->t, node), name = tree_child(b->t, node, FIELD_ATTRIBUTE);
    if (!object || !name)
        return;
    uint32_t api =
        api_find_attribute(b->k->api, types_of(b->k, object).type, b->t->nodes[name].word);
    const struct api_row *row = api_row_at(b->k->api, api);
    if (api == API_NONE || row->role == ROLE_NONE)
        return;
    enum role role = row->role == ROLE_READ_GRADIENT ? ROLE_WRITE_GRADIENT : row->role;
    if (value && is_off(b->t, value) && row->role_if_false != ROLE_NONE)
        role = row->role_if_false;
    add_event(b, role, node, types_object(b->k, object), api, CONFIDENCE_MEDIUM);
}

static void add_store(struct event_builder *b, uint32_t node)
{
    uint32_t def = b->f->step_def[b->step];
    const struct flow_def *d = def == DEF_NONE ? NULL : &b->f->defs[def];
    enum py_kind k = tree_kind(b->t, node);
    uint32_t value = d && d->kind == DEF_VALUE ? d->value : 0;
    if (k == PY_ATTRIBUTE)
        add_attribute_store(b, node, value);
    if (k == PY_SUBSCRIPT) {
        uint32_t above = b->t->nodes[node].parent;
        if (b->t->nodes[above].kind == PY_ASSIGNMENT)
            value = tree_child(b->t, above, FIELD_RIGHT);
    }
    if (value && k != PY_IDENTIFIER)
        add_passed(b, ROLE_KEEP, node, value);
    /* the name gets another known object: sequences on the old one end */
    if (value && k == PY_IDENTIFIER && tree_kind(b->t, value) == PY_CALL &&
        !types__passes(b->k, value) && types_of(b->k, value).type != TYPE_UNKNOWN)
        add_event(b, ROLE_REPLACE, node, types_object(b->k, value), API_NONE, CONFIDENCE_HIGH);
}

static void add_read(struct event_builder *b, uint32_t node)
{
    uint32_t above = b->t->nodes[node].parent;
    if (b->t->nodes[above].kind == PY_CALL && b->t->nodes[node].field == FIELD_FUNCTION)
        return;
    uint32_t api = types_attribute(b->k, node);
    const struct api_row *row = api_row_at(b->k->api, api);
    if (api != API_NONE && row->role == ROLE_READ_GRADIENT && tree_first(b->t, node))
        add_event(b, ROLE_READ_GRADIENT, node, types_object(b->k, tree_first(b->t, node)), api,
                  CONFIDENCE_MEDIUM);
}

/* self.total += x, self.total = self.total + x: x and its graph live on in the field. */
static void add_sum(struct event_builder *b, uint32_t target)
{
    const struct tree *t = b->t;
    uint32_t above = t->nodes[target].parent, right = tree_child(t, above, FIELD_RIGHT);
    enum py_kind kind = tree_kind(t, above);
    if (!right || types__self_class(b->k, target) == SCOPE_NONE)
        return;
    uint32_t added = kind == PY_AUGMENTED && t->nodes[above].op == PY_OP_ADD_TO ? right : 0;
    if (kind == PY_ASSIGNMENT && tree_kind(t, right) == PY_BINARY &&
        t->nodes[right].op == PY_OP_ADD &&
        str_eq(tree_text(t, tree_child(t, right, FIELD_LEFT)), tree_text(t, target)))
        added = tree_child(t, right, FIELD_RIGHT);
    if (added)
        add_passed(b, ROLE_SUM, target, added);
}

/* self.losses.append(x) */
static void add_append(struct event_builder *b, uint32_t call)
{
    const struct tree *t = b->t;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION),
             name = function && tree_kind(t, function) == PY_ATTRIBUTE
                        ? tree_child(t, function, FIELD_ATTRIBUTE)
                        : 0,
             argument =
                 name && str_is(tree_text(t, name), "append") ? tree_argument(t, call, 0, NULL) : 0;
    uint32_t list = argument ? tree_first(t, function) : 0;
    if (list && tree_kind(t, list) == PY_ATTRIBUTE && types__self_class(b->k, list) != SCOPE_NONE)
        add_passed(b, ROLE_SUM, call, argument);
}

static void add_step(struct event_builder *b)
{
    const struct cfg_step *s = &b->c->steps[b->step];
    enum py_kind k = tree_kind(b->t, s->node);
    if (s->kind == STEP_STORE && k == PY_ATTRIBUTE)
        add_sum(b, s->node);
    if (s->kind == STEP_EVAL && k == PY_CALL)
        add_append(b, s->node);
    if (s->kind == STEP_STORE)
        add_store(b, s->node);
    else if (s->kind == STEP_EVAL && k == PY_CALL)
        add_call(b, s->node);
    else if (s->kind == STEP_EVAL && k == PY_ATTRIBUTE)
        add_read(b, s->node);
    else if (s->kind == STEP_EVAL && (k == PY_RETURN || k == PY_YIELD) && tree_first(b->t, s->node))
        add_passed(b, ROLE_RETURN, s->node, tree_first(b->t, s->node));
}

struct types_event_list types__query_events(const struct types *k, uint32_t scope)
{
    struct scope_facts *s = types__scope(k, scope);
    if (s->event_state == SCOPE_NOT_ASKED && s->flow_state == SCOPE_READY) {
        s->event_state = SCOPE_BEING_MADE;
        struct event_builder b = {.k = k, .t = k->names->tree, .c = &s->cfg, .f = &s->flow};
        arena_init(&b.work);
        uint32_t budget = k->cache->budget;
        for (b.step = 0; b.step < s->cfg.n_steps; b.step++) {
            k->cache->budget = TYPES_BUDGET; /* the budget is per step */
            if (!k->options.assumed || s->cfg.blocks[s->cfg.steps[b.step].block].is_reachable)
                add_step(&b);
        }
        k->cache->budget = budget;
        s->events.n = b.events.n;
        s->events.at = arena_dup(k->arena, b.events.at, b.events.n * sizeof *b.events.at);
        s->event_state = SCOPE_READY;
        arena_done(&b.work);
    }
    return s->events;
}
