/*
 * What a summary says about one value: the API that made it; for a module, its last activation and
 * its members; and the values under words in a dict or object that a function returns. Invariant:
 * only values that every return gives under the same word with the same activation are kept, and
 * none of a dict that is filled elsewhere or returned through a name.
 */
#include "python/summary_p.h"

struct part_list {
    struct summary_part at[RETURN_MAX];
    uint8_t n;
};

static void add_part(const struct types *k, uint32_t key, uint32_t value, struct part_list *out)
{
    enum domain d = key == WORD_NONE ? DOMAIN_ANY : types_domain(k, value, NULL);
    if (d != DOMAIN_ANY && out->n < RETURN_MAX)
        out->at[out->n++] = (struct summary_part){key, d};
}

static void parts_of_dict(const struct types *k, uint32_t dict, struct part_list *out)
{
    const struct tree *t = k->names->tree;
    for (uint32_t c = tree_first(t, dict); c; c = tree_next(t, c)) {
        uint32_t key = tree_kind(t, c) == PY_PAIR ? tree_child(t, c, FIELD_KEY) : 0,
                 value = key ? tree_child(t, c, FIELD_VALUE) : 0;
        struct str text;
        if (value && tree_string_value(t, key, &text))
            add_part(k, py_parser_word(t->parser, text), value, out);
    }
}

/* Output(logits=x): an object of a class, not the result of a function. */
static void parts_of_call(const struct types *k, uint32_t call, struct part_list *out)
{
    const struct tree *t = k->names->tree;
    uint32_t function = tree_child(t, call, FIELD_FUNCTION),
             list = tree_child(t, call, FIELD_ARGUMENTS);
    if (function && tree_kind(t, function) == PY_ATTRIBUTE)
        function = tree_child(t, function, FIELD_ATTRIBUTE);
    struct str name = function ? tree_text(t, function) : STR("");
    bool is_class = name.n && name.at[0] >= 'A' && name.at[0] <= 'Z';
    if ((!is_class && !str_is(name, "dict")) || types_call(k, call).api != API_NONE)
        return;
    for (uint32_t c = list ? tree_first(t, list) : 0; c; c = tree_next(t, c)) {
        uint32_t key = tree_kind(t, c) == PY_KEYWORD_ARGUMENT ? tree_child(t, c, FIELD_NAME) : 0,
                 value = key ? tree_child(t, c, FIELD_VALUE) : 0;
        if (value)
            add_part(k, t->nodes[key].word, value, out);
    }
}

static void parts_of(const struct types *k, uint32_t value, struct part_list *out)
{
    enum py_kind kind = tree_kind(k->names->tree, value);
    out->n = 0;
    if (kind == PY_DICT)
        parts_of_dict(k, value, out);
    else if (kind == PY_CALL)
        parts_of_call(k, value, out);
}

static void keep_common(struct part_list *list, const struct part_list *other)
{
    uint8_t n = 0;
    for (unsigned i = 0; i < list->n; i++)
        for (unsigned j = 0; j < other->n; j++)
            if (list->at[i].key == other->at[j].key && list->at[i].domain == other->at[j].domain) {
                list->at[n++] = list->at[i];
                break;
            }
    list->n = n;
}

void summary__add_parts(const struct types *k, uint32_t scope, struct function_summary *f)
{
    const struct tree *t = k->names->tree;
    const struct cfg *c = types_cfg(k, scope);
    struct part_list list = {.n = 0};
    bool is_first = true;
    for (uint32_t i = 0; f->n_returns == 1 && c && i < c->n_steps; i++) {
        uint32_t node = c->steps[i].node, value = tree_first(t, node);
        if (tree_kind(t, node) != PY_RETURN || !c->blocks[c->steps[i].block].is_reachable || !value)
            continue;
        struct part_list here;
        parts_of(k, tree_bare(t, value), &here);
        if (is_first)
            list = here;
        else
            keep_common(&list, &here);
        is_first = false;
    }
    f->parts = arena_dup(k->arena, list.at, list.n * sizeof *list.at);
    f->n_parts = list.n;
}

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
