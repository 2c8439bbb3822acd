/*
 * The mode of modules: the last one set on the paths to a place, and whether it matters, because
 * some part behaves differently in training.
 */
#include "python/types_p.h"

static uint64_t role_bit(enum role r)
{
    return UINT64_C(1) << r;
}

static bool is_part_of(const struct types *k, uint32_t object, uint32_t whole)
{
    while (object != OBJECT_NONE && object != whole)
        object = types_object_at(k, object)->owner;
    return object != OBJECT_NONE;
}

/* The class whose receiver the object is, `self` in a method; SCOPE_NONE. */
static uint32_t class_of_receiver(const struct types *k, uint32_t object)
{
    const struct types_object *o = types_object_at(k, object);
    bool is_receiver = o->origin == OBJECT_PARAM && !o->n_path &&
                       names_is_method(k->names, o->scope) &&
                       types__parameter_at(k, o->scope, o->root) == 0;
    return is_receiver ? k->names->scopes[o->scope].parent : (uint32_t)SCOPE_NONE;
}

/* Is the object, or what it is a part of, in a field that the class or a base of it keeps? */
static bool is_in_field_of(const struct types *k, uint32_t object, uint32_t class_scope)
{
    while (types_object_at(k, object)->owner != OBJECT_NONE)
        object = types_object_at(k, object)->owner;
    const struct types_object o = *types_object_at(k, object);
    if (o.origin == OBJECT_FIELD)
        return types__keeper(k, class_scope, o.path[0]) == o.scope;
    uint32_t at = types__field_of_object(k, object);
    const struct field_store *s = at == UINT32_MAX ? NULL : &k->cache->field_stores.at[at];
    return s && types__keeper(k, class_scope, s->word) == s->class_scope;
}

/* Does self.eval() set the mode of the object, which a field of self keeps? */
static bool is_set_by_receiver(const struct types *k, const struct types_event *e, uint32_t object)
{
    bool sets = e->role == ROLE_TRAIN || e->role == ROLE_EVAL || e->role == ROLE_MODE;
    uint32_t class_scope =
        sets && e->object != OBJECT_NONE ? class_of_receiver(k, e->object) : (uint32_t)SCOPE_NONE;
    return class_scope != SCOPE_NONE && is_in_field_of(k, object, class_scope);
}

/* The steps of events with one of the roles on the object, or on what it is a part of: what sets
 * the mode of a module sets that of its parts. Creating the whole does not create the part. */
static void find_steps(const struct types *k, uint32_t scope, uint64_t roles, uint32_t object,
                       struct arena *a, struct step_set *out)
{
    struct types_event_list events = types_events(k, scope);
    *out = (struct step_set){arena_new_array(a, uint32_t, events.n), 0};
    for (size_t i = 0; i < events.n; i++) {
        const struct types_event *e = &events.at[i];
        bool is_on = e->role == ROLE_CREATE
                         ? e->object == object
                         : is_part_of(k, object, e->object) || is_set_by_receiver(k, e, object);
        if (roles >> e->role & 1 && is_on && (!out->n || out->at[out->n - 1] != e->step))
            out->at[out->n++] = e->step;
    }
}

static bool reaches(const struct types *k, uint32_t scope, uint64_t from_roles, uint32_t object,
                    uint32_t step, const struct step_set *all)
{
    struct arena work;
    arena_init(&work);
    struct step_set from, to = {&step, 1};
    find_steps(k, scope, from_roles, object, &work, &from);
    struct flow_query q = {
        .from = from_roles ? &from : NULL, .to = &to, .avoid = all, .loop = LOOP_NONE};
    bool found = (!from_roles || from.n) && flow_path(types_flow(k, scope), &q) == TRUTH_TRUE;
    arena_done(&work);
    return found;
}

static bool is_made_in_eval(const struct types *k, uint32_t object)
{
    return api_row_at(k->api, types_object_at(k, object)->fact.api)->traits & TRAIT_MADE_IN_EVAL;
}

/* Does the scope make the module, by an API or by a class of the project? What a function gives may
 * come in any mode. */
static bool is_made_in(const struct types *k, uint32_t scope, uint32_t object)
{
    const struct types_object *o = types_object_at(k, object);
    if (o->origin != OBJECT_CALL || o->n_path || o->scope != scope || o->fact.type != TYPE_MODULE ||
        tree_kind(k->names->tree, o->node) != PY_CALL)
        return false;
    struct call_fact c = types_call(k, o->node);
    if (c.api != API_NONE || c.scope != SCOPE_NONE)
        return c.api != API_NONE || k->names->scopes[c.scope].kind == SCOPE_CLASS;
    return k->options.project && c.path != PATH_NONE && !c.is_method &&
           summary_set_class(k->options.project, c.path);
}

/* A module is made in training mode; was it also trained on some way to the step, by an optimizer
 * that holds it? */
static bool is_trained_before(const struct types *k, uint32_t scope, uint32_t object, uint32_t step)
{
    struct types_event_list events = types_events(k, scope);
    if (is_made_in_eval(k, object))
        return false;
    for (size_t i = 0; i < events.n; i++) {
        const struct types_event *e = &events.at[i];
        uint32_t stepped = e->step;
        struct step_set from = {&stepped, 1}, to = {&step, 1};
        struct flow_query q = {.from = &from, .to = &to, .loop = LOOP_NONE};
        if (e->role == ROLE_STEP && e->object != OBJECT_NONE &&
            types_holds(k, e->object, object) == TRUTH_TRUE &&
            flow_path(types_flow(k, scope), &q) == TRUTH_TRUE)
            return true;
    }
    return false;
}

enum module_mode types__mode_at(const struct types *k, uint32_t scope, uint32_t object,
                                uint32_t step)
{
    uint64_t unclear = role_bit(ROLE_MODE) | role_bit(ROLE_ESCAPE);
    uint64_t every = unclear | role_bit(ROLE_TRAIN) | role_bit(ROLE_EVAL);
    if (!types_flow(k, scope))
        return MODE_UNKNOWN;
    struct arena work;
    arena_init(&work);
    struct step_set all, created;
    find_steps(k, scope, every, object, &work, &all);
    find_steps(k, scope, role_bit(ROLE_CREATE), object, &work, &created);
    bool train = reaches(k, scope, role_bit(ROLE_TRAIN), object, step, &all);
    bool eval = reaches(k, scope, role_bit(ROLE_EVAL), object, step, &all);
    bool other = reaches(k, scope, unclear, object, step, &all),
         entry = reaches(k, scope, 0, object, step, &all);
    bool is_new = created.n > 0 || is_made_in(k, scope, object);
    arena_done(&work);
    if (other)
        return MODE_UNKNOWN;
    if (train && entry && is_new && !eval && !is_made_in_eval(k, object))
        return MODE_TRAIN; /* as it was made, or set */
    if (train + eval + entry > 1)
        return train + eval + is_new > 1 || !entry ? MODE_MIXED : MODE_UNKNOWN;
    if (entry && is_new)
        return is_trained_before(k, scope, object, step) ? MODE_TRAIN : MODE_DEFAULT;
    if (entry)
        return MODE_ENTRY;
    return train ? MODE_TRAIN : eval ? MODE_EVAL : MODE_UNKNOWN;
}

enum module_mode types_mode(const struct types *k, uint32_t scope, uint32_t object, uint32_t step)
{
    enum module_mode mode = types__mode_at(k, scope, object, step);
    return mode == MODE_ENTRY ? MODE_UNKNOWN : mode;
}

/* ---- does it matter? ---- */

/* The classes and calls whose modules are collected; each is read once. */
struct member_walk {
    const struct types *k;
    VEC(uint32_t) nodes;
    struct arena arena;
    struct member_facts found;
};

static void add_range(struct member_walk *w, uint32_t node)
{
    for (size_t i = 0; i < w->nodes.n; i++)
        if (w->nodes.at[i] == node)
            return;
    vec_push(&w->nodes, &w->arena, node);
}

/* nn.LSTM(..., dropout=0.2) has dropout between its layers. */
static bool has_dropout(const struct types *k, uint32_t call)
{
    const struct tree *t = k->names->tree;
    double rate;
    uint32_t value = tree_keyword(t, call, py_parser_find_word(t->parser, STR("dropout")), NULL);
    return value && (!tree_number_value(t, value, &rate) || rate > 0);
}

static void add_member(struct member_walk *w, uint32_t call)
{
    const uint64_t member_traits = TRAIT_HAS_MODE | TRAIT_HAS_PARAMETERS | TRAIT_PRETRAINED;
    const struct types *k = w->k;
    struct member_facts *out = &w->found;
    struct call_fact f = types_call(k, call);
    if (f.api != API_NONE) {
        out->traits |= api_row_at(k->api, f.api)->traits & member_traits;
        if (has_dropout(k, call))
            out->traits |= TRAIT_HAS_MODE;
        return;
    }
    if (f.scope != SCOPE_NONE &&
        (k->names->scopes[f.scope].kind == SCOPE_CLASS || types_of(k, call).type == TYPE_MODULE)) {
        add_range(w, k->names->scopes[f.scope].node);
        return;
    }
    const struct class_summary *c = k->options.project && f.path != PATH_NONE && !f.is_method
                                        ? summary_set_class(k->options.project, f.path)
                                        : NULL;
    if (c) {
        out->traits |= c->traits;
        out->has_unknown |= c->has_unknown_members;
    } else if (f.scope == SCOPE_NONE && !f.is_resolved && f.role == ROLE_NONE) {
        out->has_unknown = true;
    }
}

static void add_members(struct member_walk *w, uint32_t node)
{
    const struct types *k = w->k;
    const struct tree *t = k->names->tree;
    uint32_t training = py_parser_find_word(t->parser, STR("training"));
    if (!names_spend(k->names, t->nodes[node].next - node)) {
        w->found.has_unknown = true;
        return;
    }
    for (uint32_t n = node; n < t->nodes[node].next; n++)
        if (tree_kind(t, n) == PY_CALL)
            add_member(w, n);
        else if (tree_kind(t, n) == PY_ATTRIBUTE && training != WORD_NONE &&
                 t->nodes[tree_child(t, n, FIELD_ATTRIBUTE)].word == training &&
                 names_is_self(k->names, tree_first(t, n)))
            w->found.traits |= TRAIT_HAS_MODE; /* F.dropout(x, training=self.training) */
}

/* Facts of all modules made below a node, a class or the call that makes a container, and by the
 * classes and functions that it calls. */
static struct member_facts facts_of_range(const struct types *k, uint32_t node)
{
    struct member_walk w = {.k = k};
    arena_init(&w.arena);
    add_range(&w, node);
    for (size_t i = 0; i < w.nodes.n; i++)
        add_members(&w, w.nodes.at[i]);
    arena_done(&w.arena);
    return w.found;
}

struct member_facts types__class_members(const struct types *k, uint32_t class_scope)
{
    return facts_of_range(k, k->names->scopes[class_scope].node);
}

static struct member_facts members_of(const struct types *k, struct type_fact f)
{
    struct member_facts unknown = {.has_unknown = true};
    if (f.class_scope != SCOPE_NONE)
        return types__class_members(k, f.class_scope);
    const struct class_summary *c = k->options.project && f.class_path != PATH_NONE
                                        ? summary_set_class(k->options.project, f.class_path)
                                        : NULL;
    if (c)
        return (struct member_facts){c->traits, c->has_unknown_members};
    const struct api_row *row = api_row_at(k->api, f.api);
    struct call_fact made = {.scope = SCOPE_NONE};
    if (f.origin && tree_kind(k->names->tree, f.origin) == PY_CALL)
        made = types_call(k, f.origin);
    if (f.api == API_NONE && made.scope != SCOPE_NONE)
        return facts_of_range(k, k->names->scopes[made.scope].node);
    if (f.api == API_NONE)
        return unknown;
    if (row->traits & TRAIT_CONTAINER)
        return f.origin ? facts_of_range(k, f.origin) : unknown;
    return (struct member_facts){row->traits, false};
}

/* What is known of an object; of one that no expression here names, what is kept in that field. */
static struct type_fact fact_of_object(const struct types *k, uint32_t object)
{
    const struct types_object o = *types_object_at(k, object);
    if (o.fact.type != TYPE_UNKNOWN || o.owner == OBJECT_NONE)
        return o.fact;
    const struct type_fact owner = types_object_at(k, o.owner)->fact;
    uint32_t word = o.path[o.n_path - 1], count = 0;
    uint32_t at = owner.class_scope == SCOPE_NONE
                      ? UINT32_MAX
                      : types__field(k, types__keeper(k, owner.class_scope, word), word, &count);
    if (owner.class_scope != SCOPE_NONE)
        return count == 1 && k->cache->field_stores.at[at].value
                   ? types_of(k, k->cache->field_stores.at[at].value)
                   : o.fact;
    const struct class_summary *keeper;
    const struct class_field *f =
        k->options.project && owner.class_path != PATH_NONE
            ? summary_set_field(k->options.project, owner.class_path, word, &keeper)
            : NULL;
    return f ? types__fact_of_given(k, &f->fact) : types__fact_of_place(k, object);
}

enum truth types_has_mode(const struct types *k, uint32_t object)
{
    return types__fact_has_mode(k, fact_of_object(k, object));
}

enum truth types__fact_has_mode(const struct types *k, struct type_fact f)
{
    bool has_class = f.class_scope != SCOPE_NONE || f.class_path != PATH_NONE;
    if (!has_class && f.made.members != MEMBERS_UNKNOWN)
        return truth_of(f.made.members == MEMBERS_WITH_MODE);
    struct member_facts m = members_of(k, f);
    if (m.traits & TRAIT_HAS_MODE)
        return TRUTH_TRUE;
    return m.has_unknown ? TRUTH_UNKNOWN : TRUTH_FALSE;
}

/* Keeps of a class that is about to be forgotten whether its mode matters. */
static struct type_fact with_members(const struct types *k, struct type_fact f)
{
    static const uint8_t members[] = {[TRUTH_TRUE] = MEMBERS_WITH_MODE,
                                      [TRUTH_FALSE] = MEMBERS_WITHOUT_MODE,
                                      [TRUTH_UNKNOWN] = MEMBERS_UNKNOWN};
    f.made.members = members[types__fact_has_mode(k, f)];
    return f;
}

struct type_fact types__join_modules(const struct types *k, struct type_fact a, struct type_fact b)
{
    bool are_modules = a.type == TYPE_MODULE && b.type == TYPE_MODULE,
         are_same =
             a.class_scope == b.class_scope && a.class_path == b.class_path && a.api == b.api;
    if (!are_modules || are_same)
        return types__join(a, b);
    return types__join(with_members(k, a), with_members(k, b));
}
