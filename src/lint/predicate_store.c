/* store: an assignment to a name, an attribute or a key. Binds the assignment, target and value. */
#include "lint/predicate_p.h"

struct store_predicate {
    uint8_t store, target, value, object;
    struct node_pattern target_is, value_is;
    bool has_target_is, has_value_is, augmented, part;
    struct literal literal;
    struct str key;  /* subscript: the literal key */
    struct str near; /* the attribute almost has this name, but another */
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct store_predicate *f = arena_new(c->arena, struct store_predicate);
    struct json empty = {.kind = JSON_KIND_OBJECT};
    *out = f;
    f->has_target_is = json_get(j, "target-is") != NULL;
    f->has_value_is = json_get(j, "value-is") != NULL;
    f->key = json_get_str(j, "key", (struct str){0});
    f->near = json_get_str(j, "near", (struct str){0});
    f->key.at = str_dup(c->arena, f->key);
    f->near.at = str_dup(c->arena, f->near);
    f->augmented = json_get_bool(j, "augmented", false);
    f->part = json_get_bool(j, "part", false);
    return compile__capture(c, j, "store", &f->store, e) &&
           compile__capture(c, j, "target", &f->target, e) &&
           compile__capture(c, j, "value", &f->value, e) &&
           compile__capture(c, j, "object", &f->object, e) &&
           literal__compile(c, j, "literal", &f->literal, e) &&
           node_pattern__compile(c, f->has_target_is ? json_get(j, "target-is") : &empty,
                                 &f->target_is, e) &&
           node_pattern__compile(c, f->has_value_is ? json_get(j, "value-is") : &empty,
                                 &f->value_is, e);
}

/* One letter added, dropped, changed or swapped with its neighbour; at most two such edits. */
static bool is_near(struct str a, struct str b)
{
    const char *candidate = b.at;
    return !str_eq(a, b) && a.n > 4 && a.n + 2 >= b.n && b.n + 2 >= a.n &&
           str_nearest(a, &candidate, 1) != NULL;
}

static enum truth target_fits(struct match *m, const struct store_predicate *f, uint32_t target,
                              enum confidence *c)
{
    const struct tree *t = &m->file->tree;
    enum truth result = TRUTH_TRUE;
    if (f->key.n) {
        struct str key;
        uint32_t subscript =
            tree_kind(t, target) == PY_SUBSCRIPT ? tree_child(t, target, FIELD_SUBSCRIPT) : 0;
        if (!subscript || !tree_string_value(t, subscript, &key) || !str_eq(key, f->key))
            return TRUTH_FALSE;
        target = tree_child(t, target, FIELD_VALUE);
    }
    if (f->near.n) {
        uint32_t word =
            tree_kind(t, target) == PY_ATTRIBUTE ? file__last_word(m->file, target) : WORD_NONE;
        if (word == WORD_NONE || !is_near(py_parser_text(t->parser, word), f->near))
            return TRUTH_FALSE;
    }
    if (f->has_target_is) {
        struct answer a = node_pattern__test(m, &f->target_is, target);
        *c = MIN(*c, a.confidence);
        result = a.truth;
    }
    return result;
}

static enum truth bind_all(struct match *m, const struct store_predicate *f, uint32_t node,
                           uint32_t target, uint32_t value, struct answer a, const struct rest *r)
{
    const struct tree *t = &m->file->tree;
    uint32_t object = tree_kind(t, target) == PY_ATTRIBUTE   ? tree_child(t, target, FIELD_OBJECT)
                      : tree_kind(t, target) == PY_SUBSCRIPT ? tree_child(t, target, FIELD_VALUE)
                                                             : 0;
    const uint8_t at[] = {f->target, f->value, f->object};
    const uint32_t nodes[] = {target, value, object};
    bool bound[3] = {false, false, false};
    enum truth result = TRUTH_FALSE;
    struct capture store = capture_of_node(node);
    bool fits = true;
    for (int i = 0; i < 3 && fits; i++) {
        if (at[i] == CAPTURE_NO)
            continue;
        if (!nodes[i]) {
            fits = false;
        } else if (capture__is_bound(m, at[i])) {
            uint32_t o = types_object(&m->file->types, nodes[i]);
            fits = o != OBJECT_NONE && o == capture__object(m, at[i]);
        } else {
            m->captures[at[i]] = capture_of_node(nodes[i]);
            bound[i] = true;
        }
    }
    if (fits)
        result = match_bind(m, f->store, &store, a.confidence, a.truth, r);
    for (int i = 0; i < 3; i++)
        if (bound[i])
            m->captures[at[i]] = (struct capture){.kind = CAPTURE_UNBOUND};
    return result;
}

static enum truth try_pair(struct match *m, const struct store_predicate *f, uint32_t node,
                           uint32_t target, uint32_t value, const struct rest *r)
{
    const struct tree *t = &m->file->tree;
    struct answer a = {TRUTH_TRUE, CONFIDENCE_HIGH};
    a.truth = target_fits(m, f, target, &a.confidence);
    if (a.truth != TRUTH_FALSE && f->literal.kind != LITERAL_NONE)
        a.truth = truth_and(a.truth, literal__test(m, &f->literal, value));
    if (a.truth != TRUTH_FALSE && f->has_value_is) {
        struct answer b = node_pattern__test(m, &f->value_is, tree_bare(t, value));
        a.truth = truth_and(a.truth, b.truth);
        a.confidence = MIN(a.confidence, b.confidence);
    }
    return a.truth == TRUTH_FALSE ? TRUTH_FALSE : bind_all(m, f, node, target, value, a, r);
}

/* Tries each target of a, b = f(). */
static enum truth try_parts(struct match *m, const struct store_predicate *f, uint32_t node,
                            uint32_t left, uint32_t value, const struct rest *r)
{
    const struct tree *t = &m->file->tree;
    enum truth result = TRUTH_FALSE;
    bool is_list = tree_kind(t, left) == PY_PATTERN_LIST || tree_kind(t, left) == PY_TUPLE_PATTERN;
    for (uint32_t target = is_list ? tree_first(t, left) : 0;
         target && !match_is_settled(m, result); target = tree_next(t, target))
        result = truth_or(result, try_pair(m, f, node, target, value, r));
    return result;
}

/* Tries a = x, or each pair of a, b = x, y. */
static enum truth try_store(struct match *m, const struct store_predicate *f, uint32_t node,
                            const struct rest *r)
{
    const struct tree *t = &m->file->tree;
    uint32_t left = tree_child(t, node, FIELD_LEFT), right = tree_child(t, node, FIELD_RIGHT);
    enum truth result = TRUTH_FALSE;
    if (!left || !right)
        return TRUTH_FALSE;
    if (f->part)
        return try_parts(m, f, node, left, right, r);
    if (tree_kind(t, left) != PY_PATTERN_LIST || tree_kind(t, right) != PY_EXPRESSION_LIST ||
        tree_child_count(t, left) != tree_child_count(t, right))
        return try_pair(m, f, node, left, right, r);
    uint32_t value = tree_first(t, right);
    for (uint32_t target = tree_first(t, left); target && value && !match_is_settled(m, result);
         target = tree_next(t, target), value = tree_next(t, value))
        result = truth_or(result, try_pair(m, f, node, target, value, r));
    return result;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct store_predicate *f = data;
    if (capture__is_bound(m, f->store))
        return try_store(m, f, capture__node(m, f->store), r);
    struct node_list all = tree_list(&m->file->tree, f->augmented ? PY_AUGMENTED : PY_ASSIGNMENT);
    enum truth t = TRUTH_FALSE;
    for (size_t i = 0; i < all.n && !match_is_settled(m, t); i++)
        t = truth_or(t, try_store(m, f, all.at[i], r));
    return t;
}

static const char *const keys[] = {"store",     "target",   "value",     "object",
                                   "target-is", "value-is", "augmented", "key",
                                   "near",      "literal",  "part"};
const struct predicate_kind predicate__store = {"store", keys, COUNT_OF(keys), compile, run};
