/*
 * The type of an expression: by constructors and resolved calls first, then by the definitions that
 * reach a name, then by its uses, then by the name. A query about a name makes queries about its
 * values. That nesting is bounded (TYPES_DEPTH, TYPES_BUDGET); beyond it the answer is unknown.
 * Invariant: an answer that a bound or a cycle cut short is not kept, except for the outermost
 * query.
 */
#include "python/types_p.h"

/* Values in the table of facts that are no index of a fact. */
/* NOT_KEPT + n: asked n times, each time within a cycle, and never known. */
enum { ASKED_MAX = 16 };
#define BEING_ASKED UINT32_MAX
#define NOT_KEPT (UINT32_MAX - ASKED_MAX)

static const struct type_fact unknown_fact = {
    TYPE_UNKNOWN, CONFIDENCE_NONE, API_NONE, SCOPE_NONE, 0, PATH_NONE, MADE_NOTHING};

/* ---- calls ---- */

static struct type_fact fact_of_entry_of(const struct types *k, uint32_t call, int at)
{
    uint32_t dict = at >= 0 ? types_argument(k, call, (unsigned)at, WORD_NONE) : 0;
    return dict ? k->queries->choice(k, dict, call) : unknown_fact;
}

static struct type_fact fact_of_return(const struct types *k, uint32_t scope, uint32_t call,
                                       unsigned part)
{
    const struct summary_return *r = types__return_at(summary_of(k, scope), part);
    if (!r)
        return unknown_fact;
    if (r->entry >= 0)
        return fact_of_entry_of(k, call, r->entry - names_is_method(k->names, scope));
    if (r->parameter >= 0) {
        int at = r->parameter - names_is_method(k->names, scope);
        uint32_t argument = at >= 0 ? types_argument(k, call, (unsigned)at, WORD_NONE) : 0;
        if (argument)
            return types_of(k, argument);
    }
    return types__fact_of_returned(k, call, r);
}

static struct type_fact fact_of_call(const struct types *k, uint32_t call)
{
    struct call_fact c = types_call(k, call);
    const struct api_row *row = api_row_at(k->api, c.api);
    if (c.role == ROLE_FORWARD && c.api == API_NONE)
        return types__known(TYPE_TENSOR, MIN(c.confidence, CONFIDENCE_MEDIUM), API_NONE, call);
    if (c.role == ROLE_COMPARE && c.api == API_NONE)
        return types__known(TYPE_LOSS, c.confidence, API_NONE, call);
    if (c.api != API_NONE) {
        uint32_t same = types__passes(k, call);
        struct type_fact inner = same ? types_of(k, same) : unknown_fact;
        if (same && row->makes == TYPE_UNKNOWN)
            return inner;
        if (same && row->traits & TRAIT_WRAPS && inner.type == row->makes)
            return inner; /* the same object in a wrapper, with its class and origin */
        if (row->makes == TYPE_UNKNOWN && row->traits & TRAIT_COPY && c.subject)
            return types_of(k, c.subject);
        return row->makes == TYPE_UNKNOWN ? unknown_fact
                                          : types__known(row->makes, c.confidence, c.api, call);
    }
    if (c.scope == SCOPE_NONE && c.path == PATH_NONE && c.role == ROLE_CREATE)
        return k->queries->choice(k, 0, call);
    if (c.scope == SCOPE_NONE)
        return types__project_call(k, call, WHOLE);
    if (k->names->scopes[c.scope].kind == SCOPE_CLASS)
        return types__class_fact(k, c.scope, call);
    return fact_of_return(k, c.scope, call, WHOLE);
}

/* ---- names ---- */

/* The type of one part of what a function gives, of this file or (SCOPE_NONE) of another; a named
 * tuple has its parts by position too. */
static struct type_fact fact_of_result_part(const struct types *k, uint32_t call, uint32_t scope,
                                            unsigned part)
{
    struct type_fact fact = scope == SCOPE_NONE ? types__project_call(k, call, part)
                                                : fact_of_return(k, scope, call, part);
    const struct summary_return *r =
        fact.type == TYPE_UNKNOWN ? types__returned(k, call, types__place_word(k, part)) : NULL;
    return r ? types__fact_of_returned(k, call, r) : fact;
}

/* The type of one part of an unpacked value. */
static struct type_fact fact_of_part(const struct types *k, uint32_t value, unsigned part)
{
    const struct tree *t = k->names->tree;
    value = tree_bare(t, value);
    enum py_kind kind = tree_kind(t, value);
    if (kind == PY_TUPLE || kind == PY_LIST || kind == PY_EXPRESSION_LIST) {
        uint32_t element = part < 255 ? tree_child_at(t, value, part) : 0;
        return element ? types_of(k, element) : unknown_fact;
    }
    if (kind == PY_CALL) {
        struct call_fact c = types_call(k, value);
        if (c.role == ROLE_PREPARE && part < 255) {
            uint32_t argument = tree_argument(t, value, part, NULL);
            return argument ? types_of(k, argument) : unknown_fact;
        }
        if (api_row_at(k->api, c.api)->traits & TRAIT_SPLITS)
            return types__known(TYPE_DATASET, c.confidence, c.api, value);
        if (c.role == ROLE_FORWARD && !types__project_gives_tensor(k, value, part))
            return unknown_fact;
        if (c.role == ROLE_FORWARD)
            return types__known(TYPE_TENSOR, MIN(c.confidence, CONFIDENCE_MEDIUM), API_NONE, value);
        bool is_here = c.scope != SCOPE_NONE && k->names->scopes[c.scope].kind == SCOPE_FUNCTION;
        if (is_here || (c.scope == SCOPE_NONE && c.api == API_NONE && k->options.project))
            return fact_of_result_part(k, value, is_here ? c.scope : (uint32_t)SCOPE_NONE, part);
    }
    uint32_t place =
        kind == PY_IDENTIFIER ? types__given_place(k, value, part) : (uint32_t)OBJECT_NONE;
    struct type_fact given =
        place == OBJECT_NONE ? unknown_fact : types__fact_of_given_part(k, place);
    if (given.type != TYPE_UNKNOWN)
        return given;
    struct type_fact whole = types_of(k, value);
    if (whole.type == TYPE_TENSOR || whole.type == TYPE_SIZE) {
        whole.api = API_NONE;
        return whole;
    }
    return unknown_fact;
}

static struct type_fact join_element(struct type_fact a, struct type_fact b, bool is_first)
{
    b.origin = 0;
    b.confidence = MIN(b.confidence, CONFIDENCE_MEDIUM);
    return is_first ? b : types__join(a, b);
}

/* What the elements of a container that is written down are, if all are alike: (a, b), or the
 * values of a dict, d.values(). */
static struct type_fact fact_of_written(const struct types *k, uint32_t value)
{
    const struct tree *t = k->names->tree;
    struct type_fact joined = unknown_fact;
    enum py_kind kind = tree_kind(t, value);
    bool is_display = kind == PY_TUPLE || kind == PY_LIST || kind == PY_EXPRESSION_LIST;
    bool is_first = true;
    for (uint32_t c = is_display ? tree_first(t, value) : 0; c; c = tree_next(t, c)) {
        joined = join_element(joined, types_of(k, c), is_first);
        is_first = false;
    }
    struct display_walk w;
    uint32_t dict = kind == PY_CALL ? types__dict_of_values(k, value) : (uint32_t)OBJECT_NONE, one;
    if (dict == OBJECT_NONE || !types__walk_display(k, dict, &w))
        return joined;
    while ((one = types__next_in_display(k, &w))) {
        joined = join_element(joined, types_of(k, one), is_first);
        is_first = false;
    }
    return joined;
}

static struct type_fact fact_of_element(const struct types *k, uint32_t value)
{
    struct type_fact written = fact_of_written(k, tree_bare(k->names->tree, value));
    if (written.type == TYPE_MODULE || written.type == TYPE_OPTIMIZER)
        return written;
    struct type_fact whole = types_of(k, value);
    if (whole.type == TYPE_PARAMETERS)
        return types__known(TYPE_PARAMETER, whole.confidence, API_NONE, whole.origin);
    if (whole.type == TYPE_TENSOR)
        return types__known(TYPE_TENSOR, whole.confidence, API_NONE, whole.origin);
    return unknown_fact;
}

/* The type that all calls by name in this file give a parameter; at most medium confidence, since
 * there may be other calls. */
static struct type_fact fact_by_calls(const struct types *k, uint32_t binding)
{
    enum { MAX_SITES = 16 };
    const struct tree *t = k->names->tree;
    uint32_t scope = k->names->bindings[binding].scope, word = k->names->bindings[binding].word,
             at = 0;
    uint32_t list = tree_child(t, k->names->scopes[scope].node, FIELD_PARAMETERS);
    struct type_fact joined = unknown_fact;
    if (!list || k->names->scopes[scope].kind != SCOPE_FUNCTION)
        return joined;
    for (uint32_t c = tree_first(t, list); c; c = tree_next(t, c), at++) {
        uint32_t name = t->nodes[c].kind == PY_IDENTIFIER ? c : tree_child(t, c, FIELD_NAME);
        if (!name)
            name = tree_first(t, c);
        if (name && t->nodes[name].word == word)
            break;
    }
    bool is_method = names_is_method(k->names, scope);
    bool has_context;
    joined = types__fact_by_contexts(k, scope, word, WORD_NONE, &has_context);
    unsigned n = has_context;
    if (n && joined.type == TYPE_UNKNOWN)
        return joined;
    for (uint32_t s = types__first_call(k, scope); s != UINT32_MAX;
         s = k->cache->sites.at[s].next) {
        uint32_t call = k->cache->sites.at[s].call,
                 argument = at >= is_method ? types_argument(k, call, at - is_method, word) : 0;
        unsigned was_cut = k->cache->cut;
        k->cache->cut = 0;
        struct type_fact f = argument ? types_of(k, argument) : unknown_fact;
        bool is_cycle = f.type == TYPE_UNKNOWN && k->cache->cut == CUT_CYCLE;
        k->cache->cut |= was_cut;
        if (is_cycle)
            continue; /* the function passes on its own parameter */
        if (f.type == TYPE_UNKNOWN || ++n > MAX_SITES)
            return unknown_fact;
        joined = n == 1 ? f : types__join(joined, f);
    }
    joined.confidence = MIN(joined.confidence, CONFIDENCE_MEDIUM);
    joined.origin = 0;
    return joined;
}

static struct type_fact fact_of_parameter(const struct types *k, uint32_t binding)
{
    struct type_fact by_calls = fact_by_calls(k, binding);
    return by_calls.type == TYPE_UNKNOWN ? types__annotated(k, binding) : by_calls;
}

static struct type_fact fact_of_store(const struct types *k, const struct name_store *s)
{
    switch ((enum bind_kind)s->kind) {
    case BIND_ASSIGN:
    case BIND_WALRUS:
    case BIND_WITH:
        return s->value ? types_of(k, s->value) : unknown_fact;
    case BIND_UNPACK:
        return s->value ? fact_of_part(k, s->value, s->part) : unknown_fact;
    case BIND_FOR:
        return s->value && s->part == 255 ? fact_of_element(k, s->value) : unknown_fact;
    default:
        return unknown_fact;
    }
}

static struct type_fact fact_of_def(const struct types *k, const struct flow_def *d)
{
    switch ((enum def_kind)d->kind) {
    case DEF_VALUE:
    case DEF_ENTERED:
        return d->value ? types_of(k, d->value) : unknown_fact;
    case DEF_PART:
        return d->value ? fact_of_part(k, d->value, d->part) : unknown_fact;
    case DEF_ELEMENT:
        return d->value && d->part == 255 ? fact_of_element(k, d->value) : unknown_fact;
    case DEF_AUGMENTED:
        return d->value ? types_of(k, d->value) : unknown_fact;
    default:
        return unknown_fact;
    }
}

/* The type by all writes of a name in its own scope, for a read from another scope. */
static struct type_fact fact_of_binding(const struct types *k, uint32_t binding)
{
    struct type_fact joined = unknown_fact;
    bool any = false;
    if (k->names->bindings[binding].flags & BINDING_FLAG_PARAMETER)
        return fact_of_parameter(k, binding);
    for (uint32_t s = k->names->bindings[binding].first_store; s != NAME_STORE_NONE;
         s = k->names->stores[s].next) {
        const struct name_store *store = &k->names->stores[s];
        bool is_none = store->value && k->names->tree->nodes[store->value].kind == PY_NONE;
        if (store->kind == BIND_DECLARE || store->kind == BIND_DELETE || is_none)
            continue;
        struct type_fact f = fact_of_store(k, store);
        joined = any ? types__join(joined, f) : f;
        any = true;
    }
    return joined;
}

static struct type_fact fact_of_field(const struct types *k, uint32_t class_scope, uint32_t word)
{
    uint32_t keeper = types__keeper(k, class_scope, word), count = 0,
             at = types__field(k, keeper, word, &count);
    struct type_fact joined = unknown_fact;
    bool any = false;
    for (; at != UINT32_MAX; at = k->cache->field_stores.at[at].next) {
        const struct field_store s = k->cache->field_stores.at[at];
        if (s.value && k->names->tree->nodes[s.value].kind == PY_NONE)
            continue;
        struct type_fact f = s.value   ? types_of(k, s.value)
                             : s.whole ? fact_of_part(k, s.whole, s.part)
                                       : unknown_fact;
        joined = any ? types__join(joined, f) : f;
        any = true;
    }
    if (any)
        return joined;
    joined = types__fact_above(k, class_scope, word);
    return joined.type == TYPE_UNKNOWN ? types__fact_below(k, class_scope, word) : joined;
}

/* The type of what enters the flow from outside: an outer name, or a field of the class. */
static struct type_fact fact_of_entry(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    if (t->nodes[node].kind == PY_IDENTIFIER) {
        uint32_t binding = names_binding(k->names, node);
        return binding == BINDING_NONE ? unknown_fact : fact_of_binding(k, binding);
    }
    uint32_t class_scope = types__self_class(k, node), name = tree_child(t, node, FIELD_ATTRIBUTE);
    if (class_scope != SCOPE_NONE && name)
        return fact_of_field(k, class_scope, t->nodes[name].word);
    /* a sub-module of an object whose class is in this file */
    struct type_fact owner = name ? types_of(k, tree_first(t, node)) : unknown_fact;
    if (owner.class_scope != SCOPE_NONE)
        return fact_of_field(k, owner.class_scope, t->nodes[name].word);
    struct type_fact member =
        owner.class_path == PATH_NONE ? unknown_fact : types__member_fact(k, node);
    uint32_t object = member.type == TYPE_UNKNOWN && owner.class_path != PATH_NONE
                          ? types_object(k, node)
                          : (uint32_t)OBJECT_NONE;
    return object == OBJECT_NONE ? member : types__fact_of_place(k, object);
}

static struct type_fact fact_of_definitions(const struct types *k, uint32_t node)
{
    const struct flow *f = types_flow(k, types__flow_scope(k, node));
    uint32_t step = f ? cfg_step(f->cfg, node) : (uint32_t)STEP_NONE;
    if (step == STEP_NONE || f->use_var[step] == VAR_NONE)
        return fact_of_entry(k, node);
    struct flow_list defs = flow_defs_of(f, step);
    struct type_fact joined = unknown_fact;
    bool any = false;
    for (uint32_t i = 0; i < defs.n; i++) {
        const struct flow_def *d = &f->defs[defs.at[i]];
        if (d->kind == DEF_MAY || d->kind == DEF_PREFIX)
            continue;
        bool is_entry =
            d->var != f->use_var[step] || d->kind == DEF_ENTRY || d->kind == DEF_PARAMETER;
        unsigned was_cut = k->cache->cut;
        k->cache->cut = 0;
        struct type_fact fact = is_entry ? fact_of_entry(k, node) : fact_of_def(k, d);
        bool is_cycle = fact.type == TYPE_UNKNOWN && k->cache->cut == CUT_CYCLE;
        k->cache->cut |= was_cut;
        if (is_cycle)
            continue; /* x = x.to(d) around a loop says nothing new */
        joined = any ? types__join_modules(k, joined, fact) : fact;
        any = true;
    }
    return joined;
}

/* Two independent uses give a guess medium confidence; one contrary use ends it. Every method of a
 * tensor is also one of a loss: without backward they show a tensor. Methods that an array also has
 * show neither.
 */
static struct type_fact fact_of_evidence(const struct types *k, uint32_t node)
{
    const struct evidence *e = types__evidence(k, node);
    struct type_fact best = unknown_fact;
    unsigned most = 1;
    for (unsigned type = 1; e && type < N_TYPES; type++) {
        if (type == TYPE_LOSS && !e->has_backward)
            continue;
        if (e->n[type] > most && !(e->contrary >> type & 1)) {
            most = e->n[type];
            best = types__known((enum value_type)type, CONFIDENCE_MEDIUM, API_NONE, 0);
        }
    }
    return best.type == TYPE_TENSOR && e->n[TYPE_ARRAY] == most ? unknown_fact : best;
}

/* In a fragment a name and a use that fits it are two facts for an optimizer that steps and a loss
 * with a backward: what would tell more, their making, is often left out. */
static bool is_used_in_fragment(const struct types *k, const struct evidence *e,
                                enum value_type type)
{
    return k->options.is_fragment && e && e->n[type] &&
           (type == TYPE_OPTIMIZER || (type == TYPE_LOSS && e->has_backward));
}

/* Where uses show too little, a name alone gives a guess of low confidence. The key of a dict,
 * which may also hold texts and states under such words, does so only together with a use. */
static struct type_fact fact_of_uses(const struct types *k, uint32_t node)
{
    const struct evidence *e = types__evidence(k, node);
    const struct tree *t = k->names->tree;
    struct type_fact best = fact_of_evidence(k, node);
    if (best.type != TYPE_UNKNOWN)
        return best;
    bool is_key = tree_kind(t, node) == PY_SUBSCRIPT;
    uint32_t name =
        tree_kind(t, node) == PY_ATTRIBUTE ? tree_child(t, node, FIELD_ATTRIBUTE) : node;
    uint32_t word = is_key ? types__key(k, node) : name ? t->nodes[name].word : (uint32_t)WORD_NONE;
    enum value_type guess =
        word == WORD_NONE ? TYPE_UNKNOWN : api_type_of_word(k->api, t->parser, word);
    if (guess == TYPE_UNKNOWN || (e && e->contrary >> guess & 1) || (is_key && !(e && e->n[guess])))
        return unknown_fact;
    bool is_used = is_used_in_fragment(k, e, guess);
    return types__known(guess, is_used ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW, API_NONE, 0);
}

/* Does the name of an attribute (x.shape) tell in this file that x is a tensor? Not if the file
 * imports nothing of PyTorch, nor if its Tensor is that of another library. */
static bool may_hold_tensors(const struct types *k)
{
    const struct names *n = k->names;
    struct types_cache *c = k->cache;
    if (c->has_library)
        return c->may_hold_tensors;
    uint32_t torch = paths_find(n->paths, STR("torch")),
             tensor = py_parser_find_word(n->tree->parser, STR("Tensor"));
    bool uses_torch = !n->has_import || n->n_star_imports > 0, has_own = false;
    for (uint32_t i = 0; i < n->n_stores && !has_own; i++) {
        const struct name_store *s = &n->stores[i];
        if (s->kind != BIND_IMPORT || s->path == PATH_NONE)
            continue;
        uint32_t path =
            n->options.follow ? n->options.follow(n->options.follow_ctx, s->path) : s->path;
        bool is_torch = torch != PATH_NONE && paths_is_below(n->paths, path, torch);
        uses_torch |= is_torch;
        has_own = !is_torch && n->bindings[s->binding].word == tensor;
    }
    c->has_library = true;
    c->may_hold_tensors = uses_torch && !has_own;
    return c->may_hold_tensors;
}

/* What `parts.model` is, where `parts` is given by a call or by callers. Asked only where the name
 * or a use lets expect an object of interest. */
static struct type_fact fact_of_part_named(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    uint32_t base = tree_kind(t, node) == PY_ATTRIBUTE ? tree_first(t, node) : 0;
    uint32_t word =
        base ? t->nodes[tree_child(t, node, FIELD_ATTRIBUTE)].word : (uint32_t)WORD_NONE;
    bool is_plain =
        word != WORD_NONE && tree_kind(t, base) == PY_IDENTIFIER && !names_is_self(k->names, base);
    if (!is_plain || api_type_of_word(k->api, t->parser, word) == TYPE_UNKNOWN)
        return unknown_fact;
    uint32_t owner = types_object(k, base);
    uint32_t object = owner == OBJECT_NONE ? (uint32_t)OBJECT_NONE : types__member(k, owner, word);
    return object == OBJECT_NONE ? unknown_fact : types__fact_of_place(k, object);
}

static struct type_fact fact_of_name(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    struct name_ref r = names_resolve(k->names, node);
    if (r.is_exact && r.path != PATH_NONE) {
        uint32_t api = api_find(k->api, r.path);
        const struct api_row *row = api_row_at(k->api, api);
        struct type_fact elsewhere = api == API_NONE && r.origin == NAME_IMPORT
                                         ? types__project_value(k, r.path)
                                         : unknown_fact;
        if (elsewhere.type != TYPE_UNKNOWN)
            return elsewhere;
        if (api != API_NONE && row->form == API_ATTRIBUTE)
            return types__known(row->makes, r.confidence, api, 0);
        if (api != API_NONE && row->role == ROLE_COMPARE && !(row->traits & TRAIT_CLASS))
            return types__known(TYPE_CRITERION, r.confidence, api, 0);
        return api != API_NONE || r.origin != NAME_VARIABLE
                   ? types__known(TYPE_OTHER, r.confidence, api, 0)
                   : unknown_fact;
    }
    if (r.origin == NAME_IMPORT && r.path != PATH_NONE)
        return unknown_fact;
    struct type_fact f = fact_of_definitions(k, node);
    if (f.type == TYPE_UNKNOWN && t->nodes[node].kind == PY_ATTRIBUTE) {
        uint32_t api = types_attribute(k, node);
        const struct api_row *row = api_row_at(k->api, api);
        bool is_guess = row->receiver == TYPE_UNKNOWN;
        if (row->traits & TRAIT_IDENTITY && row->makes != TYPE_UNKNOWN && tree_first(t, node)) {
            struct type_fact same = types_of(k, tree_first(t, node)); /* model.module of DDP */
            if (same.type == row->makes)
                return same;
        }
        if (row->makes != TYPE_UNKNOWN && (!is_guess || may_hold_tensors(k)))
            return types__known(row->makes, CONFIDENCE_MEDIUM, api, 0);
    }
    if (f.type == TYPE_TENSOR) { /* the output of a module is a loss if backward is called on it */
        const struct evidence *e = types__evidence(k, node);
        if (e && e->has_backward)
            f = types__known(TYPE_LOSS, f.confidence, API_NONE, f.origin);
    }
    if (f.type == TYPE_UNKNOWN)
        f = fact_of_part_named(k, node);
    if (f.type == TYPE_UNKNOWN)
        return fact_of_uses(k, node);
    if (f.confidence == CONFIDENCE_LOW) { /* a field that keeps a parameter of that name */
        struct type_fact used = fact_of_evidence(k, node);
        if (is_used_in_fragment(k, types__evidence(k, node), f.type))
            used = types__known(f.type, CONFIDENCE_MEDIUM, API_NONE, 0);
        f.confidence = used.type == f.type ? MAX(f.confidence, used.confidence) : f.confidence;
    }
    return f;
}

/* ---- other expressions ---- */

static bool is_tensor(enum value_type k)
{
    return k == TYPE_TENSOR || k == TYPE_LOSS || k == TYPE_PARAMETER;
}

static struct type_fact fact_of_arithmetic(const struct types *k, uint32_t node)
{
    struct type_fact best = unknown_fact;
    for (uint32_t c = tree_first(k->names->tree, node); c; c = tree_next(k->names->tree, c)) {
        struct type_fact f = types_of(k, c);
        if (f.type == TYPE_PARAMETER)
            f.type = TYPE_TENSOR;
        if (is_tensor(f.type) && best.type != TYPE_LOSS)
            best = types__known(f.type, f.confidence, API_NONE, f.origin);
        else if (best.type == TYPE_UNKNOWN && (f.type == TYPE_NUMBER || f.type == TYPE_ARRAY ||
                                               f.type == TYPE_SIZE || f.type == TYPE_CLOCK))
            best = types__known(f.type, f.confidence, f.api, f.origin);
    }
    return best;
}

/* Is an entry of a tensor taken? A tensor has no string keys: that is a dict, whose entries may be
 * anything. A module of an unknown class may return a tuple, and so may the entry be. */
static bool entry_is_tensor(const struct types *k, uint32_t subscript, uint32_t origin)
{
    const struct tree *t = k->names->tree;
    uint32_t at = tree_child(t, subscript, FIELD_SUBSCRIPT);
    enum py_kind key = at ? tree_kind(t, tree_bare(t, at)) : PY_NONE;
    if (key == PY_STRING || key == PY_CONCATENATED_STRING)
        return false;
    if (!origin || tree_kind(t, origin) != PY_CALL)
        return true;
    struct call_fact c = types_call(k, origin);
    if (c.role != ROLE_FORWARD || c.api != API_NONE)
        return true;
    const struct function_summary *f = c.scope == SCOPE_NONE ? NULL : summary_of(k, c.scope);
    if (c.scope != SCOPE_NONE)
        return f && f->n_returns == 1 && is_tensor(fact_of_return(k, c.scope, origin, 0).type);
    uint32_t function = tree_child(t, origin, FIELD_FUNCTION);
    uint32_t api = function ? types_of(k, function).api : (uint32_t)API_NONE;
    return api != API_NONE && !(api_row_at(k->api, api)->traits & TRAIT_CONTAINER);
}

static struct type_fact fact_of_subscript(const struct types *k, uint32_t node)
{
    uint32_t value = tree_child(k->names->tree, node, FIELD_VALUE),
             under = types__value_under(k, node);
    if (under)
        return types_of(k, under);
    struct type_fact f = value ? types_of(k, value) : unknown_fact;
    if (f.type == TYPE_TENSOR && !entry_is_tensor(k, node, f.origin))
        return unknown_fact;
    if (f.type == TYPE_TENSOR || f.type == TYPE_ARRAY || f.type == TYPE_SIZE ||
        f.type == TYPE_DATASET)
        return types__known(f.type == TYPE_DATASET ? TYPE_UNKNOWN : f.type, f.confidence, API_NONE,
                            f.origin);
    if (f.type == TYPE_PARAMETERS)
        return types__known(TYPE_PARAMETER, f.confidence, API_NONE, f.origin);
    if (f.type == TYPE_MODULE)
        return types__known(TYPE_MODULE, MIN(f.confidence, CONFIDENCE_MEDIUM), API_NONE, 0);
    if (types__key(k, node) == WORD_NONE)
        return unknown_fact;
    uint32_t object = types__object_under(k, node);
    f = object == OBJECT_NONE ? unknown_fact : types__fact_of_place(k, object);
    return f.type == TYPE_UNKNOWN ? fact_of_uses(k, node) : f;
}

static struct type_fact work_out(const struct types *k, uint32_t node)
{
    const struct tree *t = k->names->tree;
    switch (tree_kind(t, node)) {
    case PY_CALL:
        return fact_of_call(k, node);
    case PY_IDENTIFIER:
    case PY_ATTRIBUTE:
        return fact_of_name(k, node);
    case PY_BINARY:
    case PY_UNARY:
    case PY_COMPARE:
        return fact_of_arithmetic(k, node);
    case PY_SUBSCRIPT:
        return fact_of_subscript(k, node);
    case PY_CONDITIONAL: {
        uint32_t yes = tree_child_at(t, node, 0), no = tree_child_at(t, node, 2);
        return no ? types__join_modules(k, types_of(k, yes), types_of(k, no)) : unknown_fact;
    }
    case PY_AWAIT:
    case PY_KEYWORD_ARGUMENT:
    case PY_NAMED: {
        uint32_t value = t->nodes[node].kind == PY_AWAIT ? tree_first(t, node)
                                                         : tree_child(t, node, FIELD_VALUE);
        return value ? types_of(k, value) : unknown_fact;
    }
    case PY_INTEGER:
    case PY_FLOAT:
        return types__known(TYPE_NUMBER, CONFIDENCE_HIGH, API_NONE, node);
    case PY_LIST:
    case PY_TUPLE:
    case PY_DICT:
    case PY_SET:
    case PY_LIST_COMPREHENSION:
    case PY_DICT_COMPREHENSION:
    case PY_SET_COMPREHENSION:
    case PY_GENERATOR:
        return types__known(TYPE_CONTAINER, CONFIDENCE_HIGH, API_NONE, node);
    case PY_STRING:
    case PY_CONCATENATED_STRING:
    case PY_TRUE:
    case PY_FALSE:
    case PY_NONE:
    case PY_LAMBDA:
        return types__known(TYPE_OTHER, CONFIDENCE_HIGH, API_NONE, node);
    default:
        return unknown_fact;
    }
}

/* An answer that a cycle cut short is not kept, since another way to the node may tell more; but
 * each node of a large cycle would be asked anew from all others, so the last of ASKED_MAX is. */
struct type_fact types__query_type(const struct types *k, uint32_t node)
{
    struct types_cache *c = k->cache;
    node = tree_bare(k->names->tree, node);
    const uint32_t *kept = node_table__get(&c->facts, node);
    if (kept && *kept == BEING_ASKED) { /* a cycle through a loop adds no type */
        c->cut |= CUT_CYCLE;
        return unknown_fact;
    }
    if (kept && *kept < NOT_KEPT)
        return c->fact_list.at[*kept];
    if (!types__enter(k))
        return unknown_fact;
    uint32_t n_asked = kept ? *kept - NOT_KEPT + 1 : 1;
    unsigned was_cut = c->cut;
    bool is_first = c->depth == 1;
    c->cut = 0;
    node_table__put(&c->facts, k->arena, node, BEING_ASKED);
    struct type_fact f = work_out(k, node);
    if (f.confidence > CONFIDENCE_LOW && k->names->tree->nodes[node].flags & PY_FLAG_IN_DAMAGE)
        f.confidence = CONFIDENCE_LOW;
    bool keep = !c->cut || is_first || f.type != TYPE_UNKNOWN || n_asked == ASKED_MAX;
    if (keep)
        vec_push(&c->fact_list, k->arena, f);
    node_table__put(&c->facts, k->arena, node,
                    keep ? (uint32_t)c->fact_list.n - 1 : NOT_KEPT + n_asked);
    c->cut |= was_cut;
    types__leave(k);
    return f;
}
