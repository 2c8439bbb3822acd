/*
 * Decides what part each call, decorator, string and name of a program has for its framework. Must
 * not know any framework: symbols are rows of the table.
 */
#include "python/decompose.h"

#include <ctype.h>

static const char *const kind_names[PART_COUNT] = {
    [PART_MODEL] = "model",         [PART_LAYER] = "layer",   [PART_INPUT] = "input",
    [PART_OPTIMIZER] = "optimizer", [PART_DEVICE] = "device", [PART_STEP] = "step",
    [PART_UNBOUND] = "unbound"};

const char *part_kind_name(enum part_kind kind)
{
    return kind < PART_COUNT ? kind_names[kind] : "";
}

struct work {
    const struct tree *t;
    const struct names *n;
    const struct framework_table *table;
    struct arena *a;
    VEC(struct program_part) found;
    bool *is_model; /* by node */
};

static bool is_listed(struct text_list l, struct str text)
{
    for (size_t i = 0; i < l.n; i++)
        if (str_eq(l.at[i], text))
            return true;
    return false;
}

/* ".compile" of "torch.compile" for n = 1; "" when it is not a dotted name. */
static struct str last_components(struct str dotted, uint32_t n)
{
    size_t at = dotted.n;
    for (size_t i = dotted.n; n && i-- > 0;) {
        char c = dotted.at[i];
        if (!isalnum((unsigned char)c) && c != '_' && c != '.')
            return (struct str){0};
        if (c == '.') {
            at = i;
            n--;
        }
    }
    return str_sub(dotted, at, dotted.n);
}

/* The qualified name that an expression means; "": none. */
static struct str symbol_of(struct work *w, uint32_t node)
{
    struct strbuf b = {0};
    struct name_ref r = names_resolve(w->n, node);
    if (r.path != PATH_NONE && r.confidence >= CONFIDENCE_MEDIUM) {
        paths_text(w->n->paths, r.path, &b);
        strbuf_addstr(&b, last_components(tree_text(w->t, node), r.depth));
    }
    struct str text = strbuf_dup(&b, w->a);
    strbuf_done(&b);
    return text;
}

static const struct optimizer_row *row_of(const struct work *w, struct str symbol)
{
    for (size_t i = 0; symbol.n && i < w->table->n_optimizers; i++)
        if (str_eq(w->table->optimizers[i].symbol, symbol))
            return &w->table->optimizers[i];
    return NULL;
}

static void add(struct work *w, struct program_part p)
{
    vec_push(&w->found, w->a, p);
}

static struct str form_of(const struct tree *t, uint32_t node)
{
    enum py_kind kind = tree_kind(t, node);
    return kind == PY_CLASS      ? STR("class")
           : kind == PY_FUNCTION ? STR("function")
           : kind == PY_LAMBDA   ? STR("lambda")
                                 : STR("expression");
}

/* What a name was given last in front of the node that reads it, else anywhere behind it; 0: it is
 * given no value. net = fuse(net): the inner net has an earlier value. */
static uint32_t value_at(const struct work *w, uint32_t binding, uint32_t node)
{
    uint32_t value = 0;
    for (uint32_t i = w->n->bindings[binding].first_store; i != NAME_STORE_NONE;
         i = w->n->stores[i].next) {
        uint32_t here = w->n->stores[i].value;
        bool is_around = here <= node && node < tree_node(w->t, here)->next;
        bool is_behind = here > node;
        if (here && !is_around && !(is_behind && value))
            value = here;
    }
    return value;
}

/* The method of "x.method(...)"; "": the call is of a name. */
static struct str method_of(const struct tree *t, uint32_t callee)
{
    if (tree_kind(t, callee) != PY_ATTRIBUTE)
        return (struct str){0};
    return tree_text(t, tree_child(t, callee, FIELD_ATTRIBUTE));
}

/* What a call gives another form of: its first argument (copy.deepcopy(net)) or its receiver
 * (net.eval()); 0: neither. */
static uint32_t wrapped_by(struct work *w, uint32_t call)
{
    uint32_t callee = tree_child(w->t, call, FIELD_FUNCTION);
    if (is_listed(w->table->wrappers, symbol_of(w, callee)))
        return tree_argument(w->t, call, 0, NULL);
    if (is_listed(w->table->model_methods, method_of(w->t, callee)))
        return tree_child(w->t, callee, FIELD_OBJECT);
    return 0;
}

/* What a name means here, or what is behind a call. */
static uint32_t one_behind(struct work *w, uint32_t node)
{
    node = tree_bare(w->t, node);
    uint32_t wrapped = tree_kind(w->t, node) == PY_CALL ? wrapped_by(w, node) : 0;
    if (wrapped)
        return tree_bare(w->t, wrapped);
    if (tree_kind(w->t, node) != PY_IDENTIFIER)
        return node;
    uint32_t binding = names_binding(w->n, node);
    uint32_t scope = binding == BINDING_NONE ? SCOPE_NONE : names_definition(w->n, binding);
    if (scope != SCOPE_NONE && w->n->scopes[scope].node)
        return w->n->scopes[scope].node;
    if (binding == BINDING_NONE)
        return node;
    uint32_t value = value_at(w, binding, node);
    return value ? tree_bare(w->t, value) : node;
}

/* The definition that an expression means, if this file has one; else the expression itself. */
static uint32_t model_behind(struct work *w, uint32_t node)
{
    enum { STEPS_MAX = 16 };
    uint32_t was = 0;
    for (unsigned i = 0; i < STEPS_MAX && node != was; i++) {
        was = node;
        node = one_behind(w, node);
    }
    return node;
}

static void add_model(struct work *w, uint32_t node)
{
    if (!node || w->is_model[node])
        return;
    w->is_model[node] = true;
    add(w, (struct program_part){.kind = PART_MODEL, .node = node, .symbol = form_of(w->t, node)});
}

static uint32_t model_argument(struct work *w, uint32_t call, const struct optimizer_row *row)
{
    static const char *const names[] = {"model", "mod", "func", "module", "obj", "fn", "f"};
    if (row->model < 0)
        return 0;
    uint32_t node = tree_argument(w->t, call, (unsigned)row->model, NULL);
    for (size_t i = 0; !node && i < COUNT_OF(names); i++)
        node = tree_keyword(w->t, call, py_parser_word(w->t->parser, str_of(names[i])), NULL);
    return node;
}

static void add_optimizer(struct work *w, uint32_t node, uint32_t model,
                          const struct optimizer_row *row, bool is_decorator)
{
    add(w, (struct program_part){.kind = PART_OPTIMIZER,
                                 .node = node,
                                 .model = model,
                                 .symbol = row->symbol,
                                 .row = row,
                                 .is_decorator = is_decorator});
    add_model(w, model ? model_behind(w, model) : 0);
}

/* Is it a class, such as "ReLU" of "torch.nn.ReLU", by its capital letter? */
static bool is_layer(const struct work *w, struct str symbol)
{
    size_t n = w->table->layers.n;
    return symbol.n > n + 1 && str_starts(symbol, w->table->layers) && symbol.at[n] == '.' &&
           isupper((unsigned char)symbol.at[n + 1]) &&
           str_find_byte(str_sub(symbol, n + 1, symbol.n), '.') == symbol.n - n - 1 &&
           !is_listed(w->table->model_bases, symbol);
}

static void look_at_call(struct work *w, uint32_t call)
{
    uint32_t callee = tree_child(w->t, call, FIELD_FUNCTION);
    struct str symbol = symbol_of(w, callee), method = method_of(w->t, callee);
    const struct optimizer_row *row = row_of(w, symbol);
    struct program_part p = {.node = call, .symbol = symbol};
    if (row && tree_kind(w->t, tree_node(w->t, call)->parent) == PY_DECORATOR)
        return; /* found with its decorator */
    if (row) {
        add_optimizer(w, call, model_argument(w, call, row), row, false);
    } else if (is_layer(w, symbol)) {
        p.kind = PART_LAYER;
        add(w, p);
    } else if (is_listed(w->table->factories, symbol)) {
        p.kind = PART_INPUT;
        add(w, p);
    } else if (method.n && is_listed(w->table->device_methods, method)) {
        p.kind = PART_DEVICE;
        p.symbol = method;
        add(w, p);
    } else if (str_is(method, "backward") || str_is(method, "step")) {
        p.kind = PART_STEP;
        p.symbol = method;
        add(w, p);
    }
}

static void look_at_decorator(struct work *w, uint32_t node)
{
    uint32_t what = tree_first(w->t, node);
    uint32_t callee =
        what && tree_kind(w->t, what) == PY_CALL ? tree_child(w->t, what, FIELD_FUNCTION) : what;
    const struct optimizer_row *row = callee ? row_of(w, symbol_of(w, callee)) : NULL;
    uint32_t model = tree_child(w->t, tree_node(w->t, node)->parent, FIELD_DEFINITION);
    if (row)
        add_optimizer(w, node, model, row, true);
}

static void look_at_class(struct work *w, uint32_t node)
{
    uint32_t bases = tree_child(w->t, node, FIELD_SUPERCLASSES);
    for (uint32_t c = bases ? tree_first(w->t, bases) : 0; c; c = tree_next(w->t, c))
        if (is_listed(w->table->model_bases, symbol_of(w, c)))
            add_model(w, node);
}

static void look_at_string(struct work *w, uint32_t node)
{
    struct str value;
    if (!tree_string_value(w->t, node, &value))
        return;
    struct str device = str_sub(value, 0, str_find_byte(value, ':'));
    if (is_listed(w->table->devices, device))
        add(w, (struct program_part){.kind = PART_DEVICE, .node = node, .symbol = value});
}

static void look_at_name(struct work *w, uint32_t node)
{
    const struct tree_node *n = tree_node(w->t, node);
    if (n->field == FIELD_ATTRIBUTE || tree_kind(w->t, n->parent) == PY_DOTTED_NAME ||
        names_store(w->n, node) != NAME_STORE_NONE)
        return;
    if (tree_kind(w->t, n->parent) == PY_KEYWORD_ARGUMENT && n->field == FIELD_NAME)
        return;
    struct name_ref r = names_resolve(w->n, node);
    if (r.origin == NAME_UNBOUND || r.origin == NAME_CONVENTION)
        add(w, (struct program_part){
                   .kind = PART_UNBOUND, .node = node, .symbol = tree_text(w->t, node)});
}

void decompose(const struct tree *t, const struct names *n, const struct framework_table *table,
               struct arena *a, struct program_parts *out)
{
    struct work w = {.t = t, .n = n, .table = table, .a = a};
    w.is_model = arena_new_array(a, bool, t->n_nodes);
    for (uint32_t node = 1; node < t->n_nodes; node++) {
        switch (tree_kind(t, node)) {
        case PY_CALL:
            look_at_call(&w, node);
            break;
        case PY_DECORATOR:
            look_at_decorator(&w, node);
            break;
        case PY_CLASS:
            look_at_class(&w, node);
            break;
        case PY_STRING:
            look_at_string(&w, node);
            break;
        case PY_IDENTIFIER:
            look_at_name(&w, node);
            break;
        default:
            break;
        }
    }
    *out = (struct program_parts){w.found.at, w.found.n};
}

const struct program_part *parts_next(const struct program_parts *p, enum part_kind kind,
                                      const struct program_part *after)
{
    for (size_t i = after ? (size_t)(after - p->at) + 1 : 0; i < p->n; i++)
        if (p->at[i].kind == kind)
            return &p->at[i];
    return NULL;
}
