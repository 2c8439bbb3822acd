/*
 * What a summary says about values that a function returns: the API or class that made one; for a
 * module, its last activation and its members; and the values under words in a dict or object.
 * Invariant: only what every return gives under the same word is kept. Of a dict that is returned
 * through a name all uses are looked at: one that is not an entry under a constant key ends it.
 */
#include "python/summary_p.h"

/* ---- one value ---- */

/* The parameters of the function that an optimizer holds, as bits. */
static uint32_t held_parameters(const struct types *k, uint32_t scope,
                                const struct function_summary *f, uint32_t optimizer)
{
    struct holding h = types_holding(k, optimizer);
    uint32_t bits = 0;
    for (size_t i = 0; i < h.n && !h.is_partial; i++) {
        const struct types_object *o =
            h.modules[i] == OBJECT_NONE ? NULL : types_object_at(k, h.modules[i]);
        bool is_own = o && o->origin == OBJECT_PARAM && o->scope == scope && !o->n_path;
        int at = is_own ? summary__parameter_at(f, o->root) : -1;
        bits |= at >= 0 && at < 32 ? 1u << at : 0;
    }
    return bits;
}

struct summary_return summary__return(const struct types *k, uint32_t scope,
                                      const struct function_summary *f, uint32_t value)
{
    struct summary_return r = {.domain = types_domain(k, value, NULL),
                               .parameter = -1,
                               .class_path = PATH_NONE,
                               .api_path = PATH_NONE,
                               .entry = types__entry_called(k, scope, value)};
    struct type_fact fact = types_of(k, value);
    uint32_t object = types_object(k, value);
    r.type = fact.confidence >= CONFIDENCE_MEDIUM ? fact.type : TYPE_UNKNOWN;
    r.class_path = types__class_path(k, value);
    r.api_path = summary__path_of_row(k, fact.api);
    if (object != OBJECT_NONE) {
        const struct types_object *o = types_object_at(k, object);
        if (o->origin == OBJECT_PARAM && o->scope == scope && !o->n_path)
            r.parameter = (int8_t)summary__parameter_at(f, o->root);
    }
    enum truth graph = types_has_graph(k, value);
    r.is_cut = graph == TRUTH_FALSE;
    r.has_graph = graph == TRUTH_TRUE;
    r.made = summary__made(k, value);
    if (fact.type == TYPE_OPTIMIZER && object != OBJECT_NONE)
        r.holds = held_parameters(k, scope, f, object);
    return r;
}

uint32_t summary__held_among(const struct types *k, uint32_t optimizer, const uint32_t *values,
                             unsigned n)
{
    uint32_t bits = 0, held = types_of(k, optimizer).type == TYPE_OPTIMIZER
                                  ? types_object(k, optimizer)
                                  : (uint32_t)OBJECT_NONE;
    for (unsigned i = 0; held != OBJECT_NONE && i < n; i++) {
        uint32_t module = types_of(k, values[i]).type == TYPE_MODULE ? types_object(k, values[i])
                                                                     : (uint32_t)OBJECT_NONE;
        if (module != OBJECT_NONE && types_holds(k, held, module) == TRUTH_TRUE)
            bits |= 1u << i;
    }
    return bits;
}

void summary__merge_return(struct summary_return *a, const struct summary_return *b)
{
    if (a->domain != b->domain)
        a->domain = DOMAIN_ANY;
    if (a->type != b->type)
        a->type = TYPE_UNKNOWN;
    if (a->parameter != b->parameter)
        a->parameter = -1;
    if (a->class_path != b->class_path)
        a->class_path = PATH_NONE;
    if (a->api_path != b->api_path)
        a->api_path = PATH_NONE;
    a->holds &= b->holds;
    a->holds_returned &= b->holds_returned;
    if (a->entry != b->entry)
        a->entry = -1;
    a->is_cut &= b->is_cut;
    a->has_graph &= b->has_graph;
    if (a->made.gives != b->made.gives)
        a->made.gives = DOMAIN_ANY;
    if (a->made.members != b->made.members)
        a->made.members = MEMBERS_UNKNOWN;
}

/* ---- the values under words ---- */

struct part_list {
    const struct types *k;
    uint32_t scope;
    const struct function_summary *f;
    struct summary_part at[RETURN_MAX];
    uint32_t value[RETURN_MAX]; /* nodes */
    uint8_t n;
    uint32_t stored[RETURN_MAX * 2]; /* keys of a dict that are written after it is made */
    unsigned n_stored;
};

static bool is_telling(const struct summary_return *r)
{
    return r->domain != DOMAIN_ANY || r->type != TYPE_UNKNOWN;
}

static void add_part(struct part_list *out, uint32_t key, uint32_t value)
{
    if (key == WORD_NONE || out->n == RETURN_MAX)
        return;
    struct summary_part part = {key, summary__return(out->k, out->scope, out->f, value)};
    if (!is_telling(&part.value))
        return;
    out->value[out->n] = value;
    out->at[out->n++] = part;
}

static void parts_of_dict(struct part_list *out, uint32_t dict)
{
    const struct tree *t = out->k->names->tree;
    for (uint32_t c = tree_first(t, dict); c; c = tree_next(t, c)) {
        uint32_t key = tree_kind(t, c) == PY_PAIR ? tree_child(t, c, FIELD_KEY) : 0,
                 value = key ? tree_child(t, c, FIELD_VALUE) : 0;
        struct str text;
        if (value && tree_string_value(t, key, &text))
            add_part(out, py_parser_word(t->parser, text), value);
    }
}

/* Output(logits=x): an object of a class, not the result of a function. */
static void parts_of_call(struct part_list *out, uint32_t call)
{
    const struct tree *t = out->k->names->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION),
             list = tree_child(t, call, FIELD_ARGUMENTS);
    if (function && tree_kind(t, function) == PY_ATTRIBUTE)
        function = tree_child(t, function, FIELD_ATTRIBUTE);
    struct str name = function ? tree_text(t, function) : STR("");
    bool is_class = name.n && name.at[0] >= 'A' && name.at[0] <= 'Z';
    if ((!is_class && !str_is(name, "dict")) || types_call(out->k, call).api != API_NONE)
        return;
    unsigned position = 0;
    for (uint32_t c = list ? tree_first(t, list) : 0; c; c = tree_next(t, c), position++) {
        bool is_named = tree_kind(t, c) == PY_KEYWORD_ARGUMENT;
        uint32_t key = is_named ? t->nodes[tree_child(t, c, FIELD_NAME)].word
                                : types__field_word(out->k, call, position),
                 value = is_named ? tree_child(t, c, FIELD_VALUE) : c;
        if (tree_kind(t, c) == PY_LIST_SPLAT)
            return;
        if (value)
            add_part(out, key, value);
    }
}

/* A named tuple has its values by position too. */
static void add_positions(struct part_list *out, uint32_t call)
{
    const struct tree *t = out->k->names->tree;
    bool is_unknown = !types__is_named_tuple(out->k, call);
    for (unsigned at = 0; !is_unknown && at < RETURN_MAX; at++) {
        uint32_t word = types__field_word(out->k, call, at),
                 value = word == WORD_NONE ? 0 : tree_argument(t, call, at, &is_unknown);
        if (word != WORD_NONE && !value)
            value = tree_keyword(t, call, word, NULL);
        if (value)
            add_part(out, types__place_word(out->k, at), value);
    }
}

static void forget_part(struct part_list *out, uint32_t key)
{
    uint8_t n = 0;
    for (unsigned i = 0; i < out->n; i++)
        if (out->at[i].key != key) {
            out->value[n] = out->value[i];
            out->at[n++] = out->at[i];
        }
    out->n = n;
}

/* A use of the name of a dict: d["key"] = value adds a part, a read of a key none; any other use
 * may change the dict, which is then not known (false). */
static bool add_use(struct part_list *out, uint32_t use)
{
    const struct tree *t = out->k->names->tree;
    uint32_t above = t->nodes[use].parent, at = tree_child(t, above, FIELD_SUBSCRIPT);
    struct str text;
    bool is_entry = tree_kind(t, above) == PY_SUBSCRIPT && tree_first(t, above) == use && at &&
                    tree_string_value(t, tree_bare(t, at), &text);
    if (!is_entry)
        return tree_kind(t, above) == PY_RETURN;
    if (!types__is_target(t, above))
        return true;
    uint32_t key = py_parser_word(t->parser, text), store = t->nodes[above].parent,
             value = tree_kind(t, store) == PY_ASSIGNMENT ? tree_child(t, store, FIELD_RIGHT) : 0;
    for (unsigned i = 0; i < out->n_stored; i++)
        if (out->stored[i] == key)
            value = 0; /* written twice */
    forget_part(out, key);
    if (out->n_stored == COUNT_OF(out->stored))
        return false;
    out->stored[out->n_stored++] = key;
    if (value && types__flow_scope(out->k, above) == out->scope)
        add_part(out, key, value);
    return true;
}

/* d = {}, d["model"] = net, return d: the name of a dict that only this function fills. */
static void parts_of_name(struct part_list *out, uint32_t name)
{
    const struct names *n = out->k->names;
    const struct tree *t = n->tree;
    uint32_t binding = names_binding(n, name);
    const struct name_binding *b = binding == BINDING_NONE ? NULL : &n->bindings[binding];
    if (!b || b->scope != out->scope || b->flags || b->first_store == NAME_STORE_NONE ||
        b->first_store != b->last_store)
        return;
    const struct name_store *s = &n->stores[b->first_store];
    uint32_t body = n->scopes[out->scope].node, value = s->value ? tree_bare(t, s->value) : 0;
    if (s->kind != BIND_ASSIGN || !value || !types__is_dict(out->k, value) ||
        !names_spend(n, t->nodes[body].next - body))
        return;
    if (tree_kind(t, value) == PY_DICT)
        parts_of_dict(out, value);
    else
        parts_of_call(out, value);
    for (uint32_t u = body; u < t->nodes[body].next; u++) {
        bool is_use = tree_kind(t, u) == PY_IDENTIFIER && t->nodes[u].word == b->word &&
                      u != s->node && names_binding(n, u) == binding;
        if (is_use && !add_use(out, u)) {
            out->n = 0;
            return;
        }
    }
}

static void parts_of(struct part_list *out, uint32_t value)
{
    enum py_kind kind = tree_kind(out->k->names->tree, value);
    out->n = 0;
    if (kind == PY_DICT) {
        parts_of_dict(out, value);
    } else if (kind == PY_CALL) {
        parts_of_call(out, value);
        add_positions(out, value);
    } else if (kind == PY_IDENTIFIER) {
        parts_of_name(out, value);
    }
    for (unsigned i = 0; i < out->n; i++)
        out->at[i].value.holds_returned =
            summary__held_among(out->k, out->value[i], out->value, out->n);
}

/* The bits of holds_returned count the parts of one return. */
static void keep_common(struct part_list *list, const struct part_list *other)
{
    uint8_t n = 0;
    for (unsigned i = 0; i < list->n; i++)
        list->at[i].value.holds_returned = 0;
    for (unsigned i = 0; i < list->n; i++)
        for (unsigned j = 0; j < other->n; j++)
            if (list->at[i].key == other->at[j].key) {
                struct summary_part both = list->at[i];
                summary__merge_return(&both.value, &other->at[j].value);
                if (is_telling(&both.value))
                    list->at[n++] = both;
                break;
            }
    list->n = n;
}

void summary__add_parts(const struct types *k, uint32_t scope, struct function_summary *f)
{
    const struct tree *t = k->names->tree;
    const struct cfg *c = types_cfg(k, scope);
    struct part_list list = {.k = k, .scope = scope, .f = f};
    bool is_first = true;
    for (uint32_t i = 0; f->n_returns == 1 && c && i < c->n_steps; i++) {
        uint32_t node = c->steps[i].node, value = tree_first(t, node);
        if (tree_kind(t, node) != PY_RETURN || !c->blocks[c->steps[i].block].is_reachable || !value)
            continue;
        struct part_list here = {.k = k, .scope = scope, .f = f};
        parts_of(&here, tree_bare(t, value));
        if (is_first)
            list = here;
        else
            keep_common(&list, &here);
        is_first = false;
    }
    f->parts = arena_dup(k->arena, list.at, list.n * sizeof *list.at);
    f->n_parts = list.n;
}

/* ---- modules ---- */

uint32_t summary__path_of_row(const struct types *k, uint32_t api)
{
    const struct api_row *row = api_row_at(k->api, api);
    return api != API_NONE && row->form == API_CALL ? paths_add(k->names->paths, str_of(row->name))
                                                    : (uint32_t)PATH_NONE;
}

struct made_module summary__made(const struct types *k, uint32_t node)
{
    static const uint8_t members[] = {
        [TRUTH_TRUE] = MEMBERS_WITH_MODE,
        [TRUTH_FALSE] = MEMBERS_WITHOUT_MODE,
        [TRUTH_UNKNOWN] = MEMBERS_UNKNOWN,
    };
    struct type_fact f = types_of(k, node);
    if (f.type != TYPE_MODULE)
        return (struct made_module)MADE_NOTHING;
    return (struct made_module){types__domain_of_module(k, node),
                                members[types__fact_has_mode(k, f)]};
}
