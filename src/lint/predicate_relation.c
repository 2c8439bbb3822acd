/* relation: what the engine knows of one or two captures: holds, frozen, mode, role of a loader,
 * same value, carried by a loop, ... One row per relation. */
#include "lint/predicate_p.h"

struct relation_predicate;
typedef enum truth (*relation_fn)(struct match *m, const struct relation_predicate *f);

struct relation_predicate {
    uint8_t a, b, c;
    uint64_t is; /* bits: words of the relation itself */
    relation_fn fn;
};

static enum truth holds(struct match *m, const struct relation_predicate *f)
{
    uint32_t a = capture__object(m, f->a), b = capture__object(m, f->b);
    return a == OBJECT_NONE || b == OBJECT_NONE ? TRUTH_UNKNOWN
                                                : types_holds(&m->file->types, a, b);
}

static enum truth holds_part(struct match *m, const struct relation_predicate *f)
{
    uint32_t a = capture__object(m, f->a), b = capture__object(m, f->b);
    return a == OBJECT_NONE || b == OBJECT_NONE ? TRUTH_UNKNOWN
                                                : types_holds_part(&m->file->types, a, b);
}

static enum truth frozen(struct match *m, const struct relation_predicate *f)
{
    uint32_t a = capture__object(m, f->a);
    return a == OBJECT_NONE ? TRUTH_UNKNOWN : types_is_frozen(&m->file->types, a);
}

static enum truth same_object(struct match *m, const struct relation_predicate *f)
{
    uint32_t a = capture__object(m, f->a), b = capture__object(m, f->b);
    return truth_of(a != OBJECT_NONE && a == b);
}

/* Spelled alike and, if names or entries of one, the same variable: both total in total = total +
 * x, data["train"] twice. */
static enum truth same_name(struct match *m, const struct relation_predicate *f)
{
    const struct tree *t = &m->file->tree;
    uint32_t a = capture__node(m, f->a), b = capture__node(m, f->b);
    if (!a || !b || !str_eq(tree_text(t, a), tree_text(t, b)))
        return TRUTH_FALSE;
    while (tree_kind(t, a) == PY_SUBSCRIPT && tree_kind(t, b) == PY_SUBSCRIPT) {
        a = tree_child(t, a, FIELD_VALUE);
        b = tree_child(t, b, FIELD_VALUE);
    }
    if (tree_kind(t, a) != PY_IDENTIFIER)
        return truth_of(tree_kind(t, a) == PY_ATTRIBUTE);
    return truth_of(names_binding(&m->file->names, a) == names_binding(&m->file->names, b));
}

static enum truth same_value(struct match *m, const struct relation_predicate *f)
{
    const struct flow *flow = types_flow(&m->file->types, capture__scope(m, f->a));
    uint32_t a = capture__step(m, f->a), b = capture__step(m, f->b);
    if (!flow || a == STEP_NONE || b == STEP_NONE)
        return TRUTH_UNKNOWN;
    return truth_of(flow_same_value(flow, a, b));
}

static enum truth has_graph(struct match *m, const struct relation_predicate *f)
{
    uint32_t node = capture__node(m, f->a);
    return node ? types_has_graph(&m->file->types, node) : TRUTH_UNKNOWN;
}

/* d["total"]: the container was made before the loop, so its values outlive an iteration. */
static enum truth is_container_of_outside(const struct match *m, const struct flow *flow,
                                          uint32_t node, uint32_t loop)
{
    const struct tree *t = &m->file->tree;
    while (tree_kind(t, node) == PY_SUBSCRIPT)
        node = tree_bare(t, tree_child(t, node, FIELD_VALUE));
    uint32_t step =
        tree_kind(t, node) == PY_IDENTIFIER ? cfg_step(flow->cfg, node) : (uint32_t)STEP_NONE;
    bool any = false;
    for (uint32_t i = 0; step != STEP_NONE && i < flow_defs_of(flow, step).n; i++) {
        const struct flow_def *d = &flow->defs[flow_defs_of(flow, step).at[i]];
        if (d->kind == DEF_MAY || d->kind == DEF_PREFIX)
            continue; /* the write itself */
        if (d->kind != DEF_VALUE)
            return TRUTH_UNKNOWN;
        uint32_t made = flow->cfg->steps[d->step].block;
        for (uint32_t l = flow->cfg->blocks[made].loop; l != LOOP_NONE;
             l = flow->cfg->loops[l].parent)
            if (l == loop)
                return TRUTH_FALSE;
        any = true;
    }
    return any ? TRUTH_TRUE : TRUTH_UNKNOWN;
}

static enum truth carried(struct match *m, const struct relation_predicate *f)
{
    const struct flow *flow = types_flow(&m->file->types, capture__scope(m, f->a));
    uint32_t step = capture__step(m, f->a);
    if (!flow || step == STEP_NONE || m->captures[f->b].kind != CAPTURE_LOOP)
        return TRUTH_UNKNOWN;
    if (tree_kind(&m->file->tree, capture__node(m, f->a)) == PY_SUBSCRIPT)
        return is_container_of_outside(m, flow, capture__node(m, f->a), m->captures[f->b].step);
    return flow_is_carried(flow, step, m->captures[f->b].step);
}

/* a: the module; b: the place */
static enum truth mode(struct match *m, const struct relation_predicate *f)
{
    uint32_t object = capture__object(m, f->a), step = capture__step(m, f->b);
    if (object == OBJECT_NONE || step == STEP_NONE)
        return TRUTH_UNKNOWN;
    enum module_mode at = types_mode(&m->file->types, capture__scope(m, f->b), object, step);
    if (at == MODE_UNKNOWN && !(f->is & 1))
        return types_mode_is(&m->file->types, capture__scope(m, f->b), object, step,
                             (uint32_t)f->is);
    return truth_of((f->is >> at) & 1);
}

/* a: the module; b: the place in the function */
static enum truth given_trained(struct match *m, const struct relation_predicate *f)
{
    uint32_t object = capture__object(m, f->a);
    return object == OBJECT_NONE
               ? TRUTH_UNKNOWN
               : types_is_given_trained(&m->file->types, capture__scope(m, f->b), object);
}

/* The function around `a` is called in a loop, in any file, and no caller clears gradients. */
static enum truth looped_by_callers(struct match *m, const struct relation_predicate *f)
{
    return types_is_looped_by_callers(&m->file->types, capture__scope(m, f->a));
}

/* A function or class around `a` has a decorator of which nothing is known. */
static enum truth decorated(struct match *m, const struct relation_predicate *f)
{
    const struct tree *t = &m->file->tree;
    for (uint32_t n = capture__node(m, f->a); n; n = t->nodes[n].parent)
        if ((tree_kind(t, n) == PY_FUNCTION || tree_kind(t, n) == PY_CLASS) &&
            types_has_unknown_decorator(&m->file->types, n))
            return TRUTH_TRUE;
    return TRUTH_FALSE;
}

/* Gradients of `a` (a call of backward) reach what `b` (an optimizer) holds. */
static enum truth gradient_reaches(struct match *m, const struct relation_predicate *f)
{
    const struct types *k = &m->file->types;
    uint32_t node = capture__node(m, f->a), optimizer = capture__object(m, f->b);
    bool is_call = node && tree_kind(&m->file->tree, node) == PY_CALL;
    uint32_t value = is_call ? types_call(k, node).subject : 0;
    return !value || optimizer == OBJECT_NONE ? TRUTH_UNKNOWN
                                              : types_gradient_reaches(k, value, optimizer);
}

/* `a` calls a function of the project that steps an optimizer, or makes an object that does. */
static enum truth trains(struct match *m, const struct relation_predicate *f)
{
    uint32_t node = capture__node(m, f->a);
    bool is_call = node && tree_kind(&m->file->tree, node) == PY_CALL;
    return truth_of(is_call && types_call_trains(&m->file->types, node));
}

/* Does anything in the module behave differently in training? */
static enum truth has_mode(struct match *m, const struct relation_predicate *f)
{
    uint32_t object = capture__object(m, f->a);
    return object == OBJECT_NONE ? TRUTH_UNKNOWN : types_has_mode(&m->file->types, object);
}

static enum truth loader_role(struct match *m, const struct relation_predicate *f)
{
    enum loader_role role = types_loader_role(&m->file->types, capture__node(m, f->a));
    return role == LOADER_UNKNOWN && !(f->is & 1) ? TRUTH_UNKNOWN : truth_of((f->is >> role) & 1);
}

/* a: the object; b, c: start and end, in one flow */
static enum truth escapes(struct match *m, const struct relation_predicate *f)
{
    uint32_t object = capture__object(m, f->a), scope = capture__scope(m, f->b);
    uint32_t from = capture__step(m, f->b), to = capture__step(m, f->c);
    if (object == OBJECT_NONE || from == STEP_NONE || to == STEP_NONE)
        return TRUTH_UNKNOWN;
    struct step_set first = {&from, 1}, last = {&to, 1};
    return types_escapes(&m->file->types, scope, object, &first, &last);
}

static enum truth resolved(struct match *m, const struct relation_predicate *f)
{
    uint32_t node = capture__node(m, f->a);
    if (!node || tree_kind(&m->file->tree, node) != PY_CALL)
        return TRUTH_FALSE;
    return truth_of(types_call(&m->file->types, node).is_resolved);
}

/* The object's class is defined in this file. */
static enum truth defined_here(struct match *m, const struct relation_predicate *f)
{
    uint32_t object = capture__object(m, f->a);
    if (object == OBJECT_NONE)
        return TRUTH_UNKNOWN;
    return truth_of(types_object_at(&m->file->types, object)->fact.class_scope != SCOPE_NONE);
}

/* `a` calls a function of another file of the project: what it does is not seen from here. */
static enum truth elsewhere(struct match *m, const struct relation_predicate *f)
{
    const struct types *k = &m->file->types;
    uint32_t node = capture__node(m, f->a);
    if (!k->options.project || !node || tree_kind(&m->file->tree, node) != PY_CALL)
        return TRUTH_FALSE;
    struct call_fact c = types_call(k, node);
    return truth_of(c.path != PATH_NONE && c.scope == SCOPE_NONE && c.api == API_NONE &&
                    summary_set_function(k->options.project, c.path));
}

/* `a` calls the function around `b`. */
static enum truth calls_function_of(struct match *m, const struct relation_predicate *f)
{
    uint32_t call = capture__node(m, f->a);
    if (!call || tree_kind(&m->file->tree, call) != PY_CALL)
        return TRUTH_FALSE;
    uint32_t called = types_call(&m->file->types, call).scope;
    return truth_of(called != SCOPE_NONE && called == capture__scope(m, f->b));
}

/* `a` calls a function that averages or copies two modules, and both are `b` here. */
static enum truth blends_one(struct match *m, const struct relation_predicate *f)
{
    uint32_t call = capture__node(m, f->a);
    return call && tree_kind(&m->file->tree, call) == PY_CALL
               ? types_blends_one(&m->file->types, call, capture__object(m, f->b))
               : TRUTH_FALSE;
}

static enum truth same_statement(struct match *m, const struct relation_predicate *f)
{
    const struct tree *t = &m->file->tree;
    return truth_of(tree_statement(t, capture__node(m, f->a)) ==
                    tree_statement(t, capture__node(m, f->b)));
}

static enum truth before(struct match *m, const struct relation_predicate *f)
{
    return truth_of(capture__node(m, f->a) < capture__node(m, f->b));
}

/* `a` is `b` or lies in it. */
static enum truth part_of(struct match *m, const struct relation_predicate *f)
{
    return truth_of(tree_is_in(&m->file->tree, capture__node(m, f->a), capture__node(m, f->b)));
}

static enum truth is_parameter(struct match *m, const struct relation_predicate *f)
{
    uint32_t object = capture__object(m, f->a);
    if (object == OBJECT_NONE)
        return TRUTH_UNKNOWN;
    enum object_origin o = types_object_at(&m->file->types, object)->origin;
    return truth_of(o == OBJECT_PARAM || o == OBJECT_OUTER);
}

/* Is it an attribute of an object: self.encoder, model.head? */
static enum truth is_member(struct match *m, const struct relation_predicate *f)
{
    uint32_t object = capture__object(m, f->a);
    if (object == OBJECT_NONE)
        return TRUTH_UNKNOWN;
    return truth_of(types_object_at(&m->file->types, object)->n_path > 0);
}

/* A field of self that its own class leaves unset and a subclass sets. */
static enum truth filled_below(struct match *m, const struct relation_predicate *f)
{
    uint32_t object = capture__object(m, f->a);
    return object == OBJECT_NONE ? TRUTH_UNKNOWN
                                 : truth_of(types_is_filled_below(&m->file->types, object));
}

/* The same source text, whatever it means. */
static enum truth same_text(struct match *m, const struct relation_predicate *f)
{
    uint32_t a = capture__node(m, f->a), b = capture__node(m, f->b);
    return truth_of(a && b && a != b &&
                    str_eq(tree_text(&m->file->tree, a), tree_text(&m->file->tree, b)));
}

/* A statement that returns the same text twice: return x[:-1], x[:-1]. */
static enum truth returned_twice(struct match *m, const struct relation_predicate *f)
{
    const struct tree *t = &m->file->tree;
    uint32_t node = capture__node(m, f->a);
    uint32_t list = node && tree_kind(t, node) == PY_RETURN ? tree_bare(t, tree_first(t, node)) : 0;
    uint32_t one = list ? tree_first(t, list) : 0, two = one ? tree_next(t, one) : 0;
    bool is_pair = two && !tree_next(t, two) &&
                   (tree_kind(t, list) == PY_EXPRESSION_LIST || tree_kind(t, list) == PY_TUPLE);
    return truth_of(is_pair && str_eq(tree_text(t, one), tree_text(t, two)));
}

static enum truth map_style(struct match *m, const struct relation_predicate *f)
{
    uint32_t node = capture__node(m, f->a);
    return node ? types_is_map_style(&m->file->types, node) : TRUTH_UNKNOWN;
}

static enum truth sub_module(struct match *m, const struct relation_predicate *f)
{
    uint32_t object = capture__object(m, f->a);
    return object == OBJECT_NONE ? TRUTH_UNKNOWN : types_is_sub_module(&m->file->types, object);
}

/* `a` is an attribute of `b`, at any depth. */
static enum truth member_of(struct match *m, const struct relation_predicate *f)
{
    uint32_t a = capture__object(m, f->a), b = capture__object(m, f->b);
    if (a == OBJECT_NONE || b == OBJECT_NONE)
        return TRUTH_UNKNOWN;
    while (a != OBJECT_NONE && a != b)
        a = types_object_at(&m->file->types, a)->owner;
    return truth_of(a == b);
}

static enum truth is_of_type(struct match *m, const struct relation_predicate *f)
{
    struct type_fact fact = {0};
    uint32_t object = m->captures[f->a].object;
    if (object != OBJECT_NONE)
        fact = types_object_at(&m->file->types, object)->fact;
    else if (capture__node(m, f->a))
        fact = types_of(&m->file->types, capture__node(m, f->a));
    return fact.type == TYPE_UNKNOWN ? TRUTH_UNKNOWN : truth_of((f->is >> fact.type) & 1);
}

/* Like is_of_type, but false where the type is not known. */
static enum truth known_to_be(struct match *m, const struct relation_predicate *f)
{
    return truth_of(is_of_type(m, f) == TRUTH_TRUE);
}

/* The type of `a` is proven by an import or a constructor, not guessed by use or name. */
static enum truth sure(struct match *m, const struct relation_predicate *f)
{
    uint32_t node = capture__node(m, f->a);
    if (!node)
        return TRUTH_UNKNOWN;
    return truth_of(types_of(&m->file->types, node).confidence == CONFIDENCE_HIGH);
}

/* The name is local to its flow, and no nested function reads or writes it. */
static enum truth own_name(struct match *m, const struct relation_predicate *f)
{
    const struct names *n = &m->file->names;
    const struct tree *t = &m->file->tree;
    uint32_t node = capture__node(m, f->a);
    if (tree_kind(t, node) != PY_IDENTIFIER)
        return TRUTH_FALSE;
    uint32_t binding = names_binding(n, node), scope = file__flow_scope(m->file, node);
    if (binding == BINDING_NONE || n->bindings[binding].scope != scope)
        return TRUTH_FALSE;
    uint32_t word = tree_node(t, node)->word;
    for (uint32_t i = 1; i < t->n_nodes; i++)
        if (tree_kind(t, i) == PY_IDENTIFIER && tree_node(t, i)->word == word &&
            names_binding(n, i) == binding && file__flow_scope(m->file, i) != scope)
            return TRUTH_FALSE;
    return TRUTH_TRUE;
}

/* The only value of a name, by its one definition in the flow or at module level; 0: none. */
static uint32_t only_value(struct match *m, uint32_t node)
{
    const struct names *n = &m->file->names;
    const struct flow *flow = types_flow(&m->file->types, file__flow_scope(m->file, node));
    uint32_t step = flow ? cfg_step(flow->cfg, node) : (uint32_t)STEP_NONE,
             def = step == STEP_NONE ? (uint32_t)DEF_NONE : flow_only_def(flow, step),
             binding = names_binding(n, node);
    if (def != DEF_NONE && flow->defs[def].kind == DEF_VALUE)
        return flow->defs[def].value;
    if (binding == BINDING_NONE || n->bindings[binding].scope != 0 ||
        n->bindings[binding].first_store == NAME_STORE_NONE ||
        n->bindings[binding].first_store != n->bindings[binding].last_store)
        return 0;
    const struct name_store *store = &n->stores[n->bindings[binding].first_store];
    return store->kind == BIND_ASSIGN ? store->value : 0;
}

/* An integer literal, here or as the only value of a name. */
static enum truth is_integer(struct match *m, const struct relation_predicate *f)
{
    const struct tree *t = &m->file->tree;
    uint32_t node = tree_bare(t, capture__node(m, f->a));
    int64_t value;
    if (tree_kind(t, node) == PY_IDENTIFIER)
        node = only_value(m, node);
    return truth_of(node && tree_integer_value(t, tree_bare(t, node), &value));
}

static enum truth permutes(struct match *m, const struct relation_predicate *f);
static enum truth unread(struct match *m, const struct relation_predicate *f);

/* Words of "is", in order of their bits. */
static const char *const mode_words[] = {"unknown", "train", "eval", "default", "mixed", NULL};
static const char *const loader_words[] = {"unknown", "train", "eval", NULL};
static const char *const no_words[] = {NULL};

static const struct relation {
    const char *name;
    unsigned n_captures;
    const char *const *words;
    relation_fn fn;
} relations[] = {
    {"holds", 2, no_words, holds},
    {"holds-part", 2, no_words, holds_part},
    {"frozen", 1, no_words, frozen},
    {"same-object", 2, no_words, same_object},
    {"same-text", 2, no_words, same_text},
    {"returned-twice", 1, no_words, returned_twice},
    {"same-value", 2, no_words, same_value},
    {"same-name", 2, no_words, same_name},
    {"has-graph", 1, no_words, has_graph},
    {"carried", 2, no_words, carried},
    {"mode", 2, mode_words, mode},
    {"loader-role", 1, loader_words, loader_role},
    {"has-mode", 1, no_words, has_mode},
    {"given-trained", 2, no_words, given_trained},
    {"trains", 1, no_words, trains},
    {"gradient-reaches", 2, no_words, gradient_reaches},
    {"looped-by-callers", 1, no_words, looped_by_callers},
    {"decorated", 1, no_words, decorated},
    {"escapes", 3, no_words, escapes},
    {"resolved", 1, no_words, resolved},
    {"defined-here", 1, no_words, defined_here},
    {"calls-function-of", 2, no_words, calls_function_of},
    {"blends-one", 2, no_words, blends_one},
    {"elsewhere", 1, no_words, elsewhere},
    {"same-statement", 2, no_words, same_statement},
    {"before", 2, no_words, before},
    {"part-of", 2, no_words, part_of},
    {"parameter", 1, no_words, is_parameter},
    {"member", 1, no_words, is_member},
    {"member-of", 2, no_words, member_of},
    {"filled-below", 1, no_words, filled_below},
    {"sub-module", 1, no_words, sub_module},
    {"map-style", 1, no_words, map_style},
    {"type", 1, NULL, is_of_type},
    {"known-type", 1, NULL, known_to_be},
    {"unread", 1, no_words, unread},
    {"own-name", 1, no_words, own_name},
    {"sure", 1, no_words, sure},
    {"integer", 1, no_words, is_integer},
    {"permutes-own-dimensions", 1, no_words, permutes},
};

/* ---- permutes-own-dimensions: x.view(b, c, a) or x.view(b, c * a, d) of x's own sizes ---- */

/* The tensor whose sizes the node gives: x of x.size(), x.size or x.shape; 0 for another node. */
static uint32_t sized_tensor(const struct match *m, uint32_t node)
{
    const struct tree *t = &m->file->tree;
    const struct types *k = &m->file->types;
    bool is_call = tree_kind(t, node) == PY_CALL;
    uint32_t function = is_call ? tree_child(t, node, FIELD_FUNCTION) : node;
    uint32_t api = is_call                              ? types_call(k, node).api
                   : tree_kind(t, node) == PY_ATTRIBUTE ? types_attribute(k, node)
                                                        : API_NONE;
    bool reads = api != API_NONE && api_row_at(m->file->api, api)->traits & TRAIT_READS_SIZE;
    return reads && tree_kind(t, function) == PY_ATTRIBUTE ? tree_child(t, function, FIELD_OBJECT)
                                                           : 0;
}

/* The literal index of a dimension; -1: not a literal. */
static int literal_dimension(const struct tree *t, uint32_t index)
{
    int64_t at;
    return index && tree_integer_value(t, index, &at) && at >= 0 && at <= 30 ? (int)at : -1;
}

/* The dimension of the receiver that an argument reads; -1: none for certain. *tensor: the node
 * whose size it is. */
static int dimension_of(const struct match *m, const struct flow *flow, uint32_t node,
                        uint32_t *tensor)
{
    const struct tree *t = &m->file->tree;
    int at = -1;
    node = tree_bare(t, node);
    if (tree_kind(t, node) == PY_IDENTIFIER) {
        uint32_t step = cfg_step(flow->cfg, node);
        uint32_t def = step == STEP_NONE ? DEF_NONE : flow_only_def(flow, step);
        if (def == DEF_NONE)
            return -1;
        const struct flow_def *d = &flow->defs[def];
        uint32_t value = d->value ? tree_bare(t, d->value) : 0;
        if (!value)
            return -1;
        if (d->kind == DEF_PART && d->part != 255) { /* a, b, c = x.size() or x.shape */
            *tensor = sized_tensor(m, value);
            bool of_one = tree_kind(t, value) == PY_CALL && tree_argument_count(t, value, NULL) > 0;
            return *tensor && !of_one ? d->part : -1;
        }
        if (d->kind != DEF_VALUE)
            return -1;
        node = value;
    }
    *tensor = 0;
    if (tree_kind(t, node) == PY_SUBSCRIPT) { /* x.shape[1], x.size()[1] */
        *tensor = sized_tensor(m, tree_child(t, node, FIELD_VALUE));
        at = literal_dimension(t, tree_child(t, node, FIELD_SUBSCRIPT));
    } else if (tree_kind(t, node) == PY_CALL) { /* x.size(1) */
        *tensor = sized_tensor(m, node);
        at = literal_dimension(t, tree_argument(t, node, 0, NULL));
    }
    return *tensor ? at : -1;
}

/* The sizes in the source: several arguments, or one tuple or list. */
static size_t sizes_of(const struct tree *t, uint32_t call, uint32_t *out, size_t max)
{
    uint32_t list = tree_child(t, call, FIELD_ARGUMENTS);
    uint32_t first = list ? tree_first(t, list) : 0;
    if (first && !tree_next(t, first) &&
        (tree_kind(t, first) == PY_TUPLE || tree_kind(t, first) == PY_LIST))
        list = first;
    size_t n = 0;
    for (uint32_t c = list ? tree_first(t, list) : 0; c; c = tree_next(t, c)) {
        if (n == max || tree_kind(t, c) == PY_KEYWORD_ARGUMENT || tree_kind(t, c) == PY_LIST_SPLAT)
            return 0;
        out[n++] = c;
    }
    return n;
}

static bool is_rest(const struct tree *t, uint32_t node)
{
    return str_is(tree_text(t, node), "-1");
}

enum { DIMENSIONS_MAX = 8 };

/* The tensor before calls that keep its dimensions and their order: x of x.contiguous(). */
static uint32_t same_layout(const struct match *m, const struct flow *flow, uint32_t node)
{
    static const char *const methods[] = {"contiguous", "clone", "detach", "to", "cuda", "float"};
    const struct tree *t = &m->file->tree;
    for (int depth = 0; depth < 8; depth++) {
        node = tree_bare(t, node);
        uint32_t call = node, step = cfg_step(flow->cfg, node);
        uint32_t def = tree_kind(t, node) == PY_IDENTIFIER && step != STEP_NONE
                           ? flow_only_def(flow, step)
                           : (uint32_t)DEF_NONE;
        if (def != DEF_NONE && flow->defs[def].kind == DEF_VALUE && flow->defs[def].value)
            call = tree_bare(t, flow->defs[def].value);
        uint32_t function = tree_kind(t, call) == PY_CALL ? tree_child(t, call, FIELD_FUNCTION) : 0;
        bool keeps = false;
        for (size_t i = 0; function && i < COUNT_OF(methods); i++)
            keeps |= tree_kind(t, function) == PY_ATTRIBUTE &&
                     str_is(tree_text(t, tree_child(t, function, FIELD_ATTRIBUTE)), methods[i]);
        if (!keeps)
            return node;
        node = tree_first(t, function);
    }
    return node;
}

/* The dimensions of the receiver that the sizes use, in their order. */
struct named_dimensions {
    uint32_t receiver_step;
    uint32_t seen; /* one bit per dimension */
    int order[DIMENSIONS_MAX];
    size_t n;
};

static bool add_dimension(const struct match *m, const struct flow *flow, uint32_t node,
                          struct named_dimensions *out)
{
    uint32_t tensor = 0;
    int dimension = dimension_of(m, flow, node, &tensor);
    uint32_t read = tensor ? cfg_step(flow->cfg, same_layout(m, flow, tensor)) : STEP_NONE;
    if (dimension < 0 || dimension >= DIMENSIONS_MAX || (out->seen >> dimension) & 1 ||
        read == STEP_NONE || flow_var_of(flow, read) == VAR_NONE ||
        !flow_same_value(flow, read, out->receiver_step))
        return false;
    out->seen |= 1u << dimension;
    out->order[out->n++] = dimension;
    return true;
}

/* Adds a size: one dimension or a product of several, in any order. */
static bool add_size(const struct match *m, const struct flow *flow, uint32_t node,
                     struct named_dimensions *out)
{
    const struct tree *t = &m->file->tree;
    size_t first = out->n;
    node = tree_bare(t, node);
    while (tree_kind(t, node) == PY_BINARY && tree_node(t, node)->op == PY_OP_MUL) {
        if (!add_dimension(m, flow, tree_child(t, node, FIELD_RIGHT), out))
            return false;
        node = tree_bare(t, tree_child(t, node, FIELD_LEFT));
    }
    if (!add_dimension(m, flow, node, out))
        return false;
    for (size_t i = first + 1; i < out->n; i++)
        for (size_t k = i; k > first && out->order[k] < out->order[k - 1]; k--) {
            int swapped = out->order[k];
            out->order[k] = out->order[k - 1];
            out->order[k - 1] = swapped;
        }
    return true;
}

static enum truth permutes(struct match *m, const struct relation_predicate *f)
{
    const struct tree *t = &m->file->tree;
    uint32_t call = capture__node(m, f->a), sizes[DIMENSIONS_MAX];
    const struct flow *flow = types_flow(&m->file->types, file__flow_scope(m->file, call));
    uint32_t function = tree_kind(t, call) == PY_CALL ? tree_child(t, call, FIELD_FUNCTION) : 0;
    if (!flow || !function || tree_kind(t, function) != PY_ATTRIBUTE)
        return TRUTH_FALSE;
    uint32_t receiver = same_layout(m, flow, tree_child(t, function, FIELD_OBJECT));
    struct named_dimensions named = {.receiver_step = cfg_step(flow->cfg, receiver)};
    size_t n = sizes_of(t, call, sizes, DIMENSIONS_MAX);
    bool is_identity = true;
    if (n < 2 || named.receiver_step == STEP_NONE)
        return TRUTH_FALSE;
    for (size_t i = 0; i < n; i++) {
        if (i == n - 1 && n > 2 && is_rest(t, sizes[i]))
            break; /* x.view(x.size(1), x.size(0), -1): -1 is what the leading ones leave */
        if (!add_size(m, flow, sizes[i], &named))
            return TRUTH_FALSE;
    }
    for (size_t i = 0; i < named.n; i++)
        is_identity = is_identity && named.order[i] == (int)i;
    return truth_of(named.seen == (1u << named.n) - 1 && !is_identity);
}

/* ---- unread: `a` is stored in a name of its function or a field of its class, and never read ----
 */

/* The target that a value is assigned to, also inside a container of modules; 0: none. */
static uint32_t place_of(const struct match *m, uint32_t node)
{
    const struct tree *t = &m->file->tree;
    enum py_kind around = tree_kind(t, tree_node(t, node)->parent);
    if (around == PY_PATTERN_LIST || around == PY_TUPLE_PATTERN)
        return node; /* stored to itself: a, b = f() */
    for (uint32_t above = tree_node(t, node)->parent; above; above = tree_node(t, above)->parent) {
        enum py_kind k = tree_kind(t, above);
        if (k == PY_ASSIGNMENT)
            return tree_child(t, above, FIELD_RIGHT) == node ? tree_child(t, above, FIELD_LEFT) : 0;
        bool is_list = k == PY_ARGUMENTS || k == PY_PARENTHESES || k == PY_LIST;
        uint32_t api = k == PY_CALL && tree_child(t, above, FIELD_FUNCTION) != node
                           ? types_call(&m->file->types, above).api
                           : (uint32_t)API_NONE;
        if (!is_list && !(api_row_at(m->file->api, api)->traits & TRAIT_CONTAINER))
            return 0;
        node = above;
    }
    return 0;
}

static bool names_as_base(const struct names *n, uint32_t class_scope, uint32_t base)
{
    uint32_t list = tree_child(n->tree, n->scopes[class_scope].node, FIELD_SUPERCLASSES);
    for (uint32_t b = list ? tree_first(n->tree, list) : 0; b; b = tree_next(n->tree, b)) {
        struct name_ref ref = names_resolve(n, b);
        if (ref.origin == NAME_DEFINED && ref.is_exact &&
            names_definition_of_path(n, ref.path) == base)
            return true;
    }
    return false;
}

/* Does this attribute read the field? Only through self, in the same or a related class. */
static bool reads_field(const struct names *n, uint32_t attribute, uint32_t class_scope,
                        uint32_t word)
{
    const struct tree *t = n->tree;
    uint32_t name = tree_child(t, attribute, FIELD_ATTRIBUTE), self = tree_first(t, attribute);
    if (!name || tree_node(t, name)->word != word ||
        (tree_node(t, attribute)->field == FIELD_LEFT &&
         tree_kind(t, tree_node(t, attribute)->parent) == PY_ASSIGNMENT))
        return false;
    enum name_origin origin = names_resolve(n, attribute).origin;
    if (origin == NAME_IMPORT || origin == NAME_CONVENTION)
        return false; /* torch.softmax */
    if (tree_kind(t, self) != PY_IDENTIFIER || !names_is_self(n, self))
        return true;
    uint32_t other = names_class_of(n, names_scope_at(n, self));
    return other == class_scope || other == SCOPE_NONE || names_as_base(n, other, class_scope) ||
           names_as_base(n, class_scope, other);
}

static enum truth unread(struct match *m, const struct relation_predicate *f)
{
    const struct names *n = &m->file->names;
    const struct tree *t = &m->file->tree;
    uint32_t node = capture__node(m, f->a), place = node ? place_of(m, node) : 0;
    if (tree_kind(t, place) == PY_IDENTIFIER) {
        uint32_t scope = file__flow_scope(m->file, place);
        const struct flow *flow = types_flow(&m->file->types, scope);
        uint32_t step = flow ? cfg_step(flow->cfg, place) : (uint32_t)STEP_NONE;
        if (step == STEP_NONE || n->scopes[scope].kind != SCOPE_FUNCTION)
            return TRUTH_FALSE;
        uint32_t def = flow->step_def[step];
        return truth_of(def != DEF_NONE && !flow_is_live(flow, def));
    }
    if (tree_kind(t, place) != PY_ATTRIBUTE ||
        tree_kind(t, tree_first(t, place)) != PY_IDENTIFIER ||
        !names_is_self(n, tree_first(t, place)))
        return TRUTH_FALSE;
    uint32_t word = tree_node(t, tree_child(t, place, FIELD_ATTRIBUTE))->word,
             class_scope = names_class_of(n, names_scope_at(n, place));
    struct node_list attributes = tree_list(t, PY_ATTRIBUTE);
    for (size_t i = 0; i < attributes.n; i++)
        if (reads_field(n, attributes.at[i], class_scope, word))
            return TRUTH_FALSE;
    return TRUTH_TRUE;
}

/* ---- */

static bool compile_is(struct compile *c, const struct json *j, const struct relation *row,
                       struct relation_predicate *f, struct err *e)
{
    const struct str *list;
    size_t n;
    if (!row->words)
        return compile__types(c, j, "is", &f->is, e);
    if (!compile__strings(c, j, "is", &list, &n, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        int word = 0;
        while (row->words[word] && !str_is(list[i], row->words[word]))
            word++;
        if (!row->words[word])
            return compile__fail(c, json_get(j, "is"), e, "\"" STR_FMT "\" is no answer of \"%s\"",
                                 STR_ARG(list[i]), row->name);
        f->is |= UINT64_C(1) << word;
    }
    return true;
}

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct relation_predicate *f = arena_new(c->arena, struct relation_predicate);
    const char *const letters[] = {"a", "b", "c"};
    uint8_t *at[] = {&f->a, &f->b, &f->c};
    struct str name = json_get_str(j, "relation", STR(""));
    const struct relation *row = NULL;
    *out = f;
    for (size_t i = 0; i < COUNT_OF(relations); i++)
        if (str_is(name, relations[i].name))
            row = &relations[i];
    if (!row)
        return compile__fail(c, j, e, "unknown relation \"" STR_FMT "\"", STR_ARG(name));
    f->fn = row->fn;
    for (unsigned i = 0; i < 3; i++)
        if (i < row->n_captures ? !compile__need_capture(c, j, letters[i], at[i], e)
                                : !compile__capture(c, j, letters[i], at[i], e))
            return false;
    return compile_is(c, j, row, f, e);
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct relation_predicate *f = data;
    const uint8_t at[] = {f->a, f->b, f->c};
    for (size_t i = 0; i < COUNT_OF(at); i++)
        if (at[i] != CAPTURE_NO && !capture__is_bound(m, at[i]))
            return match_go(m, CONFIDENCE_LOW, TRUTH_UNKNOWN, r);
    return match_go(m, CONFIDENCE_HIGH, f->fn(m, f), r);
}

static const char *const keys[] = {"relation", "a", "b", "c", "is"};
const struct predicate_kind predicate__relation = {"relation", keys, COUNT_OF(keys), compile, run};
