/* attribute: an attribute of a type of object, or a qualified constant, is read or written. */
#include "lint/predicate_p.h"

struct attribute_predicate {
    struct node_pattern pattern;
    uint8_t attribute, object;
    enum access { ACCESS_ANY, ACCESS_READ, ACCESS_WRITE } access;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct attribute_predicate *f = arena_new(c->arena, struct attribute_predicate);
    struct str access = json_get_str(j, "access", STR("any"));
    *out = f;
    f->access = str_is(access, "read")    ? ACCESS_READ
                : str_is(access, "write") ? ACCESS_WRITE
                                          : ACCESS_ANY;
    if (f->access == ACCESS_ANY && !str_is(access, "any"))
        return compile__fail(c, json_get(j, "access"), e, "access is read, write or any");
    if (!node_pattern__compile(c, j, &f->pattern, e))
        return false;
    f->pattern.n_attributes = 0; /* that key is the predicate's own here */
    return compile__capture(c, j, "attribute", &f->attribute, e) &&
           compile__capture(c, j, "object", &f->object, e);
}

static bool is_written(const struct tree *t, uint32_t node)
{
    uint32_t parent = tree_node(t, node)->parent;
    enum py_kind kind = tree_kind(t, parent);
    return (kind == PY_ASSIGNMENT || kind == PY_AUGMENTED) &&
           tree_node(t, node)->field == FIELD_LEFT;
}

static enum truth try_attribute(struct match *m, const struct attribute_predicate *f, uint32_t node,
                                const struct rest *r)
{
    const struct tree *t = &m->file->tree;
    if (f->access != ACCESS_ANY && is_written(t, node) != (f->access == ACCESS_WRITE))
        return TRUTH_FALSE;
    struct answer a = node_pattern__test(m, &f->pattern, node);
    if (a.truth == TRUTH_FALSE)
        return a.truth;
    struct capture at = capture_of_node(node);
    struct capture object = capture_of_node(tree_child(t, node, FIELD_OBJECT));
    if (f->object == CAPTURE_NO)
        return match_bind(m, f->attribute, &at, a.confidence, a.truth, r);
    if (capture__is_bound(m, f->object)) {
        uint32_t o = types_object(&m->file->types, object.node);
        if (o == OBJECT_NONE || o != capture__object(m, f->object))
            return TRUTH_FALSE;
        return match_bind(m, f->attribute, &at, a.confidence, a.truth, r);
    }
    m->captures[f->object] = object;
    enum truth result = match_bind(m, f->attribute, &at, a.confidence, a.truth, r);
    m->captures[f->object] = (struct capture){.kind = CAPTURE_UNBOUND};
    return result;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct attribute_predicate *f = data;
    if (capture__is_bound(m, f->attribute)) {
        uint32_t node = capture__node(m, f->attribute);
        return tree_kind(&m->file->tree, node) == PY_ATTRIBUTE ? try_attribute(m, f, node, r)
                                                               : TRUTH_FALSE;
    }
    struct node_vec list = {0};
    struct arena_mark mark = arena_mark(m->file->scratch);
    enum truth t = TRUTH_FALSE;
    node_pattern__candidates(m, &f->pattern, true, &list);
    for (size_t i = 0; i < list.list.n && !match_is_settled(m, t); i++)
        t = truth_or(t, try_attribute(m, f, list.list.at[i], r));
    arena_return(m->file->scratch, mark);
    return t;
}

static const char *const keys[] = {"attribute", "object", "access", "name",  "path",
                                   "of",        "type",   "role",   "trait", "like",
                                   "same",      "as",     "node",   "not-of"};
const struct predicate_kind predicate__attribute = {"attribute", keys, COUNT_OF(keys), compile,
                                                    run};
