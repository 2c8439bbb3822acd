/*
 * Decides what becomes of stores into tensors, which the target's tensors do not allow: an
 * assignment to elements and a method that changes its tensor make a new tensor under the same
 * name. Other names of the tensor, and its views, keep the old one. Must not know what is computed.
 */
#include "generate/transfer/translate_p.h"

enum { TARGETS_MAX = 16 };

/* May the text be stored to: a name, or an attribute of one. */
static bool is_place(const struct tree *t, uint32_t n)
{
    while (tree_kind(t, n) == PY_ATTRIBUTE)
        n = tree_child(t, n, FIELD_OBJECT);
    return tree_kind(t, n) == PY_IDENTIFIER;
}

/* The index of x[...] as one value, slices included. */
static struct str index_text(struct translating *w, uint32_t subscript)
{
    const struct tree *t = &w->read->tree;
    uint32_t object = tree_child(t, subscript, FIELD_VALUE);
    struct strbuf text = {0};
    size_t n = 0;
    strbuf_adds(&text, "np.s_[");
    for (uint32_t c = tree_first(t, subscript); c; c = tree_next(t, c)) {
        if (c == object)
            continue;
        strbuf_adds(&text, n++ ? ", " : "");
        strbuf_addstr(&text, translate__render(w, c));
    }
    strbuf_adds(&text, "]");
    struct str out = strbuf_dup(&text, w->a);
    strbuf_done(&text);
    return out;
}

/* Is the index of numbers, names of a string and slices only, which every tensor knows? */
static bool is_plain(const struct tree *t, uint32_t n)
{
    switch (tree_kind(t, n)) {
    case PY_INTEGER:
    case PY_STRING:
    case PY_NONE:
    case PY_ELLIPSIS:
    case PY_SLICE:
        return true;
    case PY_UNARY:
        return is_plain(t, tree_first(t, n));
    case PY_TUPLE:
        for (uint32_t c = tree_first(t, n); c; c = tree_next(t, c))
            if (!is_plain(t, c))
                return false;
        return true;
    default:
        return false;
    }
}

bool translate__is_left_alone(const struct tree *t, uint32_t n)
{
    for (uint32_t up = tree_node(t, n)->parent; up; up = tree_node(t, up)->parent) {
        enum py_kind kind = tree_kind(t, up);
        if (kind == PY_TYPE || kind == PY_DELETE || kind == PY_PATTERN_LIST ||
            kind == PY_TUPLE_PATTERN)
            return true;
        if (kind == PY_BLOCK)
            return false;
    }
    return false;
}

struct str translate__subscript(struct translating *w, uint32_t n)
{
    const struct tree *t = &w->read->tree;
    uint32_t object = tree_child(t, n, FIELD_VALUE);
    bool plain = true;
    for (uint32_t c = tree_first(t, n); c; c = tree_next(t, c))
        plain = plain && (c == object || is_plain(t, c));
    struct str row = translate__row(w, "stores", STR("get"));
    if (plain || !row.n || translate__is_left_alone(t, n))
        return translate__stitch(w, n);
    struct texts args = {.n_positional = 2};
    args.positional[0] = translate__render(w, object);
    args.positional[1] = index_text(w, n);
    return translate__by_row(w, row, &args);
}

/* "x = _set(x, index, value)" for x[index] = value, and so for x[i][k]. */
static struct str store(struct translating *w, uint32_t target, struct str value)
{
    const struct tree *t = &w->read->tree;
    struct str row = translate__row(w, "stores", STR("set"));
    for (unsigned depth = 0; depth < TARGETS_MAX; depth++) {
        if (tree_kind(t, target) != PY_SUBSCRIPT)
            break;
        struct texts args = {.n_positional = 3};
        uint32_t object = tree_child(t, target, FIELD_VALUE);
        args.positional[0] = translate__render(w, object);
        args.positional[1] = index_text(w, target);
        args.positional[2] = value;
        value = translate__by_row(w, row, &args);
        target = object;
    }
    if (!row.n || !is_place(t, target))
        return translate__fail(w, "no counterpart", STR("assignment to elements"));
    return str_of(
        arena_printf(w->a, STR_FMT " = " STR_FMT, STR_ARG(tree_text(t, target)), STR_ARG(value)));
}

/* "x[i] + v" for x[i] += v. */
static struct str augmented_value(struct translating *w, uint32_t n)
{
    const struct tree *t = &w->read->tree;
    uint32_t left = tree_child(t, n, FIELD_LEFT), right = tree_child(t, n, FIELD_RIGHT);
    struct str between =
        str_sub(t->source->text, tree_node(t, left)->end, tree_node(t, right)->start);
    struct str sign = str_trim(between);
    return str_of(arena_printf(
        w->a, STR_FMT " " STR_FMT " (" STR_FMT ")", STR_ARG(translate__subscript(w, left)),
        STR_ARG(str_sub(sign, 0, sign.n ? sign.n - 1 : 0)), STR_ARG(translate__render(w, right))));
}

static bool has_elements(const struct tree *t, uint32_t targets)
{
    for (uint32_t c = tree_first(t, targets); c; c = tree_next(t, c))
        if (tree_kind(t, c) == PY_SUBSCRIPT)
            return true;
    return false;
}

/* "_parts = value; x = _set(x, 0, _parts[0]); y = _parts[1]" for x[0], y = value. */
static struct str unpack(struct translating *w, uint32_t targets, struct str value)
{
    const struct tree *t = &w->read->tree;
    struct strbuf text = {0};
    unsigned n = 0;
    strbuf_printf(&text, "_parts = (" STR_FMT ")", STR_ARG(value));
    for (uint32_t c = tree_first(t, targets); c; c = tree_next(t, c)) {
        struct str part = str_of(arena_printf(w->a, "_parts[%u]", n++));
        struct str one = tree_kind(t, c) == PY_SUBSCRIPT || tree_kind(t, c) == PY_IDENTIFIER ||
                                 tree_kind(t, c) == PY_ATTRIBUTE
                             ? store(w, c, part)
                             : translate__fail(w, "no counterpart", STR("nested targets"));
        strbuf_printf(&text, "; " STR_FMT, STR_ARG(one));
    }
    struct str out = strbuf_dup(&text, w->a);
    strbuf_done(&text);
    return out;
}

struct str translate__assignment(struct translating *w, uint32_t n)
{
    const struct tree *t = &w->read->tree;
    uint32_t left = tree_child(t, n, FIELD_LEFT), right = tree_child(t, n, FIELD_RIGHT);
    struct str symbol;
    if (translate__framework_name(w, left, &symbol))
        return translate__is_below(w, "settings", symbol)
                   ? STR("pass")
                   : translate__fail(w, "no counterpart", symbol);
    if (json_get_bool(w->t->table, "stores_stay", false)) /* never into tensors of the source */
        return translate__stitch(w, n);
    if (right && has_elements(t, left) && tree_kind(t, left) == PY_PATTERN_LIST)
        return unpack(w, left, translate__render(w, right));
    if (tree_kind(t, left) != PY_SUBSCRIPT || !right)
        return translate__stitch(w, n);
    if (tree_kind(t, n) == PY_AUGMENTED)
        return store(w, left, augmented_value(w, n));
    if (tree_kind(t, right) == PY_ASSIGNMENT) /* a = x[i] = value */
        return translate__fail(w, "no counterpart", STR("assignment to elements"));
    return store(w, left, translate__render(w, right));
}

struct str translate__in_place(struct translating *w, uint32_t call, uint32_t object,
                               struct str made)
{
    const struct tree *t = &w->read->tree;
    /* The tensor that a chain such as x.mul_(2).add_(1) changes. */
    while (tree_kind(t, object) == PY_CALL) {
        uint32_t callee = tree_child(t, object, FIELD_FUNCTION);
        struct str name = tree_text(t, tree_child(t, callee, FIELD_ATTRIBUTE));
        if (tree_kind(t, callee) != PY_ATTRIBUTE || !name.n || name.at[name.n - 1] != '_')
            return made; /* a tensor that has no other name */
        object = tree_child(t, callee, FIELD_OBJECT);
    }
    if (tree_kind(t, object) == PY_SUBSCRIPT &&
        tree_kind(t, tree_node(t, call)->parent) == PY_EXPRESSION_STATEMENT)
        return store(w, object, made);
    if (!is_place(t, object))
        return translate__fail(w, "no counterpart", STR("change of a part in place"));
    struct texts args = {.n_positional = 2};
    if (tree_kind(t, object) == PY_ATTRIBUTE && /* x.data is x without its gradient */
        str_is(tree_text(t, tree_child(t, object, FIELD_ATTRIBUTE)), "data"))
        object = tree_child(t, object, FIELD_OBJECT);
    struct str place = tree_text(t, object);
    args.positional[0] = place;
    args.positional[1] = made;
    made = translate__by_row(w, translate__row(w, "stores", STR("whole")), &args);
    if (tree_kind(t, tree_node(t, call)->parent) == PY_EXPRESSION_STATEMENT)
        return str_of(arena_printf(w->a, STR_FMT " = " STR_FMT, STR_ARG(place), STR_ARG(made)));
    if (tree_kind(t, object) != PY_IDENTIFIER)
        return translate__fail(w, "no counterpart", STR("change of a part in place"));
    return str_of(
        arena_printf(w->a, "(" STR_FMT " := " STR_FMT ")", STR_ARG(place), STR_ARG(made)));
}
