/*
 * Derives from a function's events what it does to its arguments: MAY when there is an event, MUST
 * when no path from entry to exit avoids it. Callees in the file come first, on demand. Functions
 * that call each other in a cycle are solved in rounds: in the first a recursive call has no
 * effect, in each later one the effects that the round before found. Effects only grow, so the
 * rounds end. Invariant: an object given to unknown code has ESCAPE in its MAY.
 */
#include "python/summary_p.h"

enum { MAX_EFFECTS = 64, SUMMARY_DEPTH = 24, MAX_ARGUMENTS = 8, ROUNDS_MAX = 8 };

struct summarizer {
    const struct types *k;
    const struct tree *t;
    uint32_t scope;
    struct function_summary *f;
    struct summary_effect effects[MAX_EFFECTS];
    uint32_t n_effects;
};

/* ---- effects ---- */

static struct summary_effect *effect_of(struct summarizer *s, uint32_t object)
{
    for (uint32_t i = 0; i < s->n_effects; i++)
        if (s->effects[i].object == object)
            return &s->effects[i];
    if (s->n_effects == MAX_EFFECTS)
        return NULL;
    summary__place(s->k, s->scope, s->f, object, &s->effects[s->n_effects]);
    return &s->effects[s->n_effects++];
}

/* Is the object one that outlives the call: a parameter, a field, an outer name? */
static bool is_outside(const struct summarizer *s, uint32_t object)
{
    const struct types_object *o = types_object_at(s->k, object);
    if (o->origin == OBJECT_PARAM || o->origin == OBJECT_FIELD || o->origin == OBJECT_OUTER)
        return o->root == WORD_NONE || o->origin != OBJECT_OUTER || o->binding == BINDING_NONE ||
               o->scope != s->scope;
    return o->scope != s->scope;
}

static bool is_must(const struct summarizer *s, enum role role, uint32_t object)
{
    const struct flow *f = types_flow(s->k, s->scope);
    struct types_event_list events = types_events(s->k, s->scope);
    struct arena work;
    arena_init(&work);
    struct step_set steps = {arena_new_array(&work, uint32_t, events.n), 0};
    for (size_t i = 0; i < events.n; i++) {
        const struct types_event *e = &events.at[i];
        bool counts = e->role == role && e->object == object && (!e->is_deep || e->is_must);
        if (counts && (!steps.n || steps.at[steps.n - 1] != e->step))
            steps.at[steps.n++] = e->step;
    }
    struct flow_query q = {.avoid = &steps, .loop = LOOP_NONE};
    bool must = steps.n && flow_path(f, &q) == TRUTH_FALSE;
    arena_done(&work);
    return must;
}

bool summary__is_pending(const struct types *k, uint32_t call)
{
    if (k->names->tree->nodes[call].kind != PY_CALL)
        return false;
    struct call_fact f = types_call(k, call);
    return !f.is_resolved && f.path != PATH_NONE && f.api == API_NONE;
}

/* Is the object itself an argument of the pending call, at a position that linking knows? Not if it
 * is passed by keyword, in a list, by a splat or beyond MAX_ARGUMENTS. */
static bool is_left_to_linking(const struct summarizer *s, uint32_t call, uint32_t object)
{
    const struct tree *t = s->t;
    bool is_unknown = false;
    if (!summary__is_pending(s->k, call))
        return false;
    for (unsigned at = 0; at < MAX_ARGUMENTS; at++) {
        uint32_t node = tree_argument(t, call, at, &is_unknown);
        if (!node || is_unknown)
            return false;
        if (types_object(s->k, node) == object)
            return true;
    }
    return false;
}

static bool is_made_by(const struct tree *t, uint32_t value)
{
    enum py_kind kind = value ? tree_kind(t, tree_bare(t, value)) : PY_NONE;
    return kind == PY_BINARY || kind == PY_UNARY || kind == PY_CALL || kind == PY_INTEGER ||
           kind == PY_FLOAT;
}

/* Is the value computed here, by arithmetic or by calls on every path? Then it is no part of
 * anything that the function was given. */
static bool is_computed_here(const struct summarizer *s, const struct types_object *o)
{
    if (o->origin == OBJECT_VALUE)
        return o->node && is_made_by(s->t, o->node);
    if (o->origin != OBJECT_VARIABLE || o->n_path || o->binding == BINDING_NONE)
        return false;
    const struct name_binding *b = &s->k->names->bindings[o->binding];
    bool is_local = b->scope == s->scope && !b->flags;
    for (uint32_t at = b->first_store; is_local && at != NAME_STORE_NONE;
         at = s->k->names->stores[at].next) {
        const struct name_store *store = &s->k->names->stores[at];
        is_local = store->kind == BIND_AUGMENT ||
                   (store->kind == BIND_ASSIGN && is_made_by(s->t, store->value));
    }
    return is_local;
}

/* Roles of an event on an object that is not made here and that effects cannot name: an element of
 * a parameter, or one of several objects. It may be a part of anything that the function was
 * given. */
static uint64_t roles_on_part(const struct summarizer *s, const struct types_event *e)
{
    static const enum role telling[] = {
        ROLE_STEP,   ROLE_ZERO,       ROLE_TRAIN,          ROLE_EVAL,    ROLE_MODE,
        ROLE_FREEZE, ROLE_UNFREEZE,   ROLE_SCHEDULER_STEP, ROLE_UNSCALE, ROLE_CLIP,
        ROLE_LOAD,   ROLE_INITIALISE, ROLE_BACKWARD,       ROLE_EXPORT,  ROLE_WRITE_GRADIENT};
    /* p.grad.zero_(), or p.grad = None, of an object of unknown type */
    bool is_gradient = e->role == ROLE_READ_GRADIENT || e->role == ROLE_WRITE_GRADIENT;
    bool is_telling = is_gradient;
    for (size_t i = 0; i < COUNT_OF(telling); i++)
        is_telling |= e->role == telling[i];
    if (!is_telling || (e->object == OBJECT_NONE && e->role == ROLE_BACKWARD))
        return 0;
    if (e->object != OBJECT_NONE &&
        (is_outside(s, e->object) || types_object_at(s->k, e->object)->origin == OBJECT_CALL))
        return 0;
    if (e->object != OBJECT_NONE && e->role == ROLE_BACKWARD &&
        is_computed_here(s, types_object_at(s->k, e->object)))
        return 0;
    return UINT64_C(1) << e->role | UINT64_C(1) << ROLE_ESCAPE |
           (is_gradient ? UINT64_C(1) << ROLE_ZERO : 0);
}

static void add_to_parameters(struct summarizer *s, uint64_t may)
{
    for (unsigned i = 0; may && i < s->f->n_parameters && s->n_effects < MAX_EFFECTS; i++)
        s->effects[s->n_effects++] = (struct summary_effect){.parameter = (uint8_t)i,
                                                             .root = s->f->parameters[i],
                                                             .may = may,
                                                             .confidence = CONFIDENCE_MEDIUM,
                                                             .object = OBJECT_NONE};
}

static void add_effects(struct summarizer *s)
{
    struct types_event_list events = types_events(s->k, s->scope);
    uint64_t on_parts = 0;
    for (size_t i = 0; i < events.n; i++) {
        const struct types_event *e = &events.at[i];
        on_parts |= roles_on_part(s, e);
        if (e->object == OBJECT_NONE || e->role == ROLE_CREATE || !is_outside(s, e->object))
            continue;
        struct summary_effect *effect = effect_of(s, e->object);
        if (!effect) {
            s->f->is_opaque = true;
            return;
        }
        uint64_t bit = UINT64_C(1) << e->role;
        if (e->role == ROLE_ESCAPE && is_left_to_linking(s, e->node, e->object))
            continue; /* linking decides */
        if (!(effect->may & bit) && e->role != ROLE_ESCAPE && is_must(s, e->role, e->object))
            effect->must |= bit;
        effect->may |= bit;
    }
    add_to_parameters(s, on_parts);
}

/* ---- what is returned ---- */

/* A list that is written in the return has its values by position, as a tuple does. */
static bool is_tuple(enum py_kind k)
{
    return k == PY_TUPLE || k == PY_EXPRESSION_LIST || k == PY_LIST;
}

/* Merges one returned value into the list; false when its shape differs from the earlier ones. */
static bool add_return(struct summarizer *s, struct summary_return *list, bool is_first,
                       uint32_t value)
{
    bool tuple = is_tuple(tree_kind(s->t, value));
    uint32_t n = tuple ? tree_child_count(s->t, value) : 1;
    uint32_t values[RETURN_MAX];
    if (n == 0 || n > RETURN_MAX || (tuple && n == 1) || (!is_first && n != s->f->n_returns))
        return false;
    for (uint32_t i = 0; i < n; i++)
        values[i] = tuple ? tree_child_at(s->t, value, i) : value;
    for (uint32_t i = 0; i < n; i++) {
        struct summary_return r = summary__return(s->k, s->scope, s->f, values[i]);
        r.holds_returned = summary__held_among(s->k, values[i], values, n);
        if (is_first)
            list[i] = r;
        else
            summary__merge_return(&list[i], &r);
    }
    s->f->n_returns = (uint8_t)n;
    return true;
}

static void add_returns(struct summarizer *s)
{
    struct summary_return list[RETURN_MAX];
    const struct cfg *c = types_cfg(s->k, s->scope);
    const struct name_scope *scope = &s->k->names->scopes[s->scope];
    bool ok = true, is_first = true;
    if (scope->kind == SCOPE_LAMBDA) {
        uint32_t body = tree_child(s->t, scope->node, FIELD_BODY);
        ok = body && add_return(s, list, true, body);
        is_first = false;
    }
    for (uint32_t i = 0; ok && i < c->n_steps; i++) {
        uint32_t node = c->steps[i].node;
        if (s->t->nodes[node].kind != PY_RETURN || !c->blocks[c->steps[i].block].is_reachable)
            continue;
        if (!tree_first(s->t, node))
            continue; /* a return without a value; the other returns still have a shape */
        ok = add_return(s, list, is_first, tree_bare(s->t, tree_first(s->t, node)));
        is_first = false;
    }
    if (!ok || is_first)
        s->f->n_returns = 0;
    s->f->returns = arena_dup(s->k->arena, list, s->f->n_returns * sizeof *list);
}

/* ---- the function ---- */

static void add_parameters(struct summarizer *s)
{
    const struct name_scope *scope = &s->k->names->scopes[s->scope];
    uint32_t list = tree_child(s->t, scope->node, FIELD_PARAMETERS),
             n = list ? tree_child_count(s->t, list) : 0;
    uint32_t *words = arena_new_array(s->k->arena, uint32_t, n);
    s->f->n_parameters =
        (uint8_t)types__parameters(s->k, s->scope, words, MIN(n, (uint32_t)SLOT_OUTER - 1));
    s->f->parameters = words;
}

/* The arguments by position; a call that is resolved already leaves nothing to linking. */
static void add_arguments(struct summarizer *s, uint32_t call, struct summary_call *to)
{
    for (unsigned at = 0; at < MAX_ARGUMENTS && summary__is_pending(s->k, call); at++) {
        uint32_t node = tree_argument(s->t, call, at, NULL);
        uint32_t object = node ? types_object(s->k, node) : (uint32_t)OBJECT_NONE;
        if (!node)
            break;
        to->n_arguments = (uint8_t)(at + 1);
        struct summary_effect *e =
            object != OBJECT_NONE && is_outside(s, object) ? effect_of(s, object) : NULL;
        to->argument[at] = e ? (uint8_t)(e - s->effects + 1) : 0;
    }
}

/* net(x) of a parameter: what the call does depends on what callers give. */
static void add_called(struct summarizer *s)
{
    const struct cfg *c = types_cfg(s->k, s->scope);
    for (uint32_t i = 0; i < c->n_steps; i++) {
        uint32_t node = c->steps[i].node;
        uint32_t function = c->steps[i].kind == STEP_EVAL && s->t->nodes[node].kind == PY_CALL
                                ? tree_child(s->t, node, FIELD_FUNCTION)
                                : 0;
        if (!function || tree_kind(s->t, function) != PY_IDENTIFIER)
            continue;
        uint32_t binding = names_binding(s->k->names, function);
        bool is_own = binding != BINDING_NONE && s->k->names->bindings[binding].scope == s->scope &&
                      s->k->names->bindings[binding].flags & BINDING_FLAG_PARAMETER;
        int at = is_own ? summary__parameter_at(s->f, s->t->nodes[function].word) : -1;
        s->f->called |= at >= 0 && at < GIVEN_MAX ? 1u << at : 0;
    }
}

/* Adds calls that lead out of the file: linking adds their effects, and learns who calls whom. */
static void add_calls(struct summarizer *s)
{
    VEC(struct summary_call) calls = {0};
    const struct cfg *c = types_cfg(s->k, s->scope);
    for (uint32_t i = 0; i < c->n_steps; i++) {
        uint32_t call = c->steps[i].node;
        if (c->steps[i].kind != STEP_EVAL || s->t->nodes[call].kind != PY_CALL)
            continue;
        struct call_fact f = types_call(s->k, call);
        if (f.path == PATH_NONE || f.api != API_NONE || f.scope != SCOPE_NONE ||
            paths_parent(s->k->names->paths, f.path) == paths__builtins(s->k->names->paths))
            continue;
        struct summary_call out = {.path = f.path, .offset = s->t->nodes[call].start};
        struct step_set one = {&i, 1};
        struct flow_query q = {.avoid = &one, .loop = LOOP_NONE};
        add_arguments(s, call, &out);
        out.is_must = out.n_arguments && flow_path(types_flow(s->k, s->scope), &q) == TRUTH_FALSE;
        vec_push(&calls, s->k->arena, out);
    }
    s->f->calls = calls.at;
    s->f->n_calls = (uint32_t)calls.n;
}

static void summarize(const struct types *k, uint32_t scope, struct function_summary *f)
{
    const struct name_scope *at = &k->names->scopes[scope];
    struct summarizer s = {.k = k, .t = k->names->tree, .scope = scope, .f = f};
    f->path = names__scope_path(k->names, scope);
    f->start = s.t->nodes[at->node].start;
    f->is_generator = (at->flags & SCOPE_FLAG_YIELDS) != 0;
    f->is_opaque = (at->flags & SCOPE_FLAG_DYNAMIC) != 0 ||
                   s.t->nodes[at->node].flags & PY_FLAG_HAS_DAMAGE ||
                   types_has_unknown_decorator(k, at->node);
    add_parameters(&s);
    f->decorates = at->kind == SCOPE_FUNCTION ? (uint8_t)types__decorates(k, scope) : DECORATES_NOT;
    if (!types_flow(k, scope)) {
        f->is_opaque = true;
        return;
    }
    uint32_t body = tree_child(s.t, at->node, FIELD_BODY);
    f->in_no_grad = body && types_in_no_grad(k, body) == TRUTH_TRUE;
    add_effects(&s);
    add_returns(&s);
    summary__add_parts(k, scope, f);
    summary__add_blends(k, scope, f);
    add_calls(&s);
    add_called(&s);
    f->effects = arena_dup(k->arena, s.effects, s.n_effects * sizeof *s.effects);
    f->n_effects = s.n_effects;
    summary__add_flags(k, scope, f);
}

static bool is_same(const struct function_summary *a, const struct function_summary *b)
{
    bool same = a->n_effects == b->n_effects && a->is_opaque == b->is_opaque;
    for (uint32_t i = 0; same && i < a->n_effects; i++) {
        const struct summary_effect *x = &a->effects[i], *y = &b->effects[i];
        same = x->object == y->object && x->parameter == y->parameter && x->may == y->may &&
               x->must == y->must;
    }
    return same;
}

static void summarize_once(const struct types *k, uint32_t scope)
{
    struct scope_facts *s = types__scope(k, scope);
    struct function_summary *f = arena_new(k->arena, struct function_summary);
    s->summary_state = SCOPE_BEING_MADE;
    if (s->event_state == SCOPE_BEING_MADE) /* its events led here */
        s->event_state = SCOPE_NOT_ASKED;
    summarize(k, scope, f);
    s->summary = f;
}

/* Before another round: forgets what was derived from guesses. */
static void forget_guesses(const struct types *k, size_t n_kept)
{
    for (size_t i = n_kept; i < k->cache->guessed.n; i++)
        types__scope(k, k->cache->guessed.at[i])->summary_state = SCOPE_NOT_ASKED;
    k->cache->guessed.n = n_kept;
    for (uint32_t i = 0; i < k->names->n_scopes; i++) {
        struct scope_facts *s = k->cache->scopes[i];
        if (s && s->summary_state != SCOPE_READY && s->event_state == SCOPE_READY)
            s->event_state = SCOPE_NOT_ASKED;
    }
}

/* Repeats until nothing changes for the outermost function of a cycle of calls; once for others. */
static void solve(const struct types *k, uint32_t scope)
{
    static const struct function_summary nothing;
    struct scope_facts *s = types__scope(k, scope);
    struct types_cache *cache = k->cache;
    uint32_t asked_before = cache->summary_asked_from, depth = ++cache->n_summaries_open;
    size_t n_guessed = cache->guessed.n;
    bool is_done = false;
    s->summary_depth = depth;
    if (!s->summary)
        s->summary = &nothing;
    for (unsigned round = 0; !is_done; round++) {
        const struct function_summary *before = s->summary;
        cache->summary_asked_from = UINT32_MAX;
        summarize_once(k, scope);
        is_done = cache->summary_asked_from != depth || is_same(before, s->summary);
        if (cache->summary_asked_from == depth)
            forget_guesses(k, n_guessed);
        if (!is_done && round == ROUNDS_MAX) { /* nothing is known to hold */
            s->summary = arena_dup(
                k->arena, &(struct function_summary){.path = before->path, .is_opaque = true},
                sizeof *s->summary);
            is_done = true;
        }
    }
    bool is_guess = cache->summary_asked_from < depth;
    s->summary_state = is_guess ? SCOPE_GUESSED : SCOPE_READY;
    if (is_guess) {
        s->summary_depth = cache->summary_asked_from;
        vec_push(&cache->guessed, k->arena, scope);
    }
    cache->n_summaries_open--;
    cache->summary_asked_from =
        is_guess ? MIN(asked_before, cache->summary_asked_from) : asked_before;
}

const struct function_summary *summary__query(const struct types *k, uint32_t scope)
{
    enum scope_kind kind = k->names->scopes[scope].kind;
    if (kind != SCOPE_FUNCTION && kind != SCOPE_LAMBDA)
        return NULL;
    struct scope_facts *s = types__plain_scope(k, scope);
    if (s->summary_state == SCOPE_READY)
        return s->summary;
    if (s->summary_state == SCOPE_BEING_MADE || s->summary_state == SCOPE_GUESSED) {
        k->cache->summary_asked_from = MIN(k->cache->summary_asked_from, s->summary_depth);
        return s->summary;
    }
    if (k->cache->n_summaries_open >= SUMMARY_DEPTH)
        return NULL;
    uint32_t budget = k->cache->budget;
    unsigned was_cut = k->cache->cut;
    k->cache->budget = TYPES_BUDGET;
    k->cache->n_plain++;
    solve(k, scope);
    k->cache->n_plain--;
    k->cache->budget = budget;
    k->cache->cut = was_cut;
    return s->summary;
}
