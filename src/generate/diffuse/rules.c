/*
 * The rules of mutation without a language model: the paper's six as rewrites of the tree, and two
 * of its findings as rules of their own (language features, illogical code). Each edits one place
 * and keeps the rest byte for byte. What a place is replaced by is data (share/decompose/). Must
 * not know seeds nor clusters.
 */
#include "base/compiler.h"
#include "generate/diffuse/diffuse_p.h"
#include "python/edit.h"

static struct str text_of(const struct mutation *m, uint32_t node)
{
    return tree_text(&m->was->tree, node);
}

/* ---- places */

struct nodes {
    VEC(uint32_t) at;
};

static uint32_t draw_node(struct mutation *m, const struct nodes *l)
{
    return l->at.n ? l->at.at[rng_below(m->rng, l->at.n)] : 0;
}

static uint32_t draw_part(struct mutation *m, enum part_kind kind)
{
    struct nodes l = {0};
    for (size_t i = 0; i < m->was->parts.n; i++)
        if (m->was->parts.at[i].kind == kind)
            vec_push(&l.at, m->a, m->was->parts.at[i].node);
    return draw_node(m, &l);
}

/* May the expression be one tensor? Not a display or a literal, nor the several results that
 * diffuse__add_operators makes. */
static bool may_be_tensor(const struct tree *t, uint32_t value)
{
    switch (tree_kind(t, value)) {
    case PY_CALL:
        return !str_starts(tree_text(t, tree_child(t, value, FIELD_FUNCTION)), STR("(lambda "));
    case PY_IDENTIFIER:
    case PY_ATTRIBUTE:
    case PY_SUBSCRIPT:
    case PY_BINARY:
    case PY_UNARY:
    case PY_COMPARE:
    case PY_CONDITIONAL:
    case PY_PARENTHESES:
        return true;
    default:
        return false;
    }
}

/* The same, where the function may also return several: it does not say what it returns. */
static bool may_be_several(const struct tree *t, uint32_t value)
{
    uint32_t function = tree_function(t, value);
    return may_be_tensor(t, value) && !(function && tree_child(t, function, FIELD_RETURN_TYPE));
}

typedef bool (*place_fn)(const struct tree *t, uint32_t value);

/* One value that a model gives: the expression of a return statement, the body of a lambda. */
static uint32_t draw_result(struct mutation *m, place_fn suits)
{
    struct nodes l = {0};
    const struct tree *t = &m->was->tree;
    for (size_t i = 0; i < m->was->parts.n; i++) {
        const struct program_part *p = &m->was->parts.at[i];
        if (p->kind != PART_MODEL)
            continue;
        for (uint32_t n = p->node; n < tree_node(t, p->node)->next; n++) {
            uint32_t value = tree_kind(t, n) == PY_RETURN   ? tree_first(t, n)
                             : tree_kind(t, n) == PY_LAMBDA ? tree_child(t, n, FIELD_BODY)
                                                            : 0;
            if (value && py_is_expression(tree_kind(t, value)) && (!suits || suits(t, value)))
                vec_push(&l.at, m->a, value);
        }
    }
    return draw_node(m, &l);
}

/* ---- rules */

static struct str use_value(struct mutation *m, uint32_t value, struct str template)
{
    const struct filling f = {"value", text_of(m, value)};
    return diffuse__replace(m, value, diffuse__fill(template, &f, 1, m->a));
}

static struct str family_text(struct mutation *m)
{
    const struct json *families = json_get(m->reader->table.root, "layers_alike");
    if (!families || !families->n)
        return (struct str){0};
    const struct json *one = &families->items[rng_below(m->rng, families->n)];
    struct choice *c = arena_new_array(m->a, struct choice, one->n);
    for (size_t i = 0; i < one->n; i++)
        c[i] = (struct choice){one->items[i].string, 1};
    return one->items[diffuse__choose(m, c, one->n)].string;
}

/* A row of a list of the table, by its weight (1) and what was learned of its name; NULL: none
 * suits. */
static const struct json *
draw_row(struct mutation *m, const char *key,
         bool (*suits)(const struct mutation *, uint32_t, const struct json *), uint32_t node)
{
    const struct json *rows = json_get(m->reader->table.root, key);
    if (!rows || !rows->n)
        return NULL;
    struct choice *c = arena_new_array(m->a, struct choice, rows->n);
    const struct json **kept = arena_new_array(m->a, const struct json *, rows->n);
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct json *row = &rows->items[i];
        if (suits && !suits(m, node, row))
            continue;
        c[n] =
            (struct choice){json_get_str(row, "name", STR("")), json_get_double(row, "weight", 1)};
        kept[n++] = row;
    }
    return n ? kept[diffuse__choose(m, c, n)] : NULL;
}

/* A layer becomes itself and one of a family that keeps the shape; or some more operators. */
static struct str rule_model(struct mutation *m)
{
    uint32_t layer = rng_chance(m->rng, 0.3) ? draw_part(m, PART_LAYER) : 0;
    if (!layer) {
        uint32_t value = draw_result(m, may_be_several);
        return value ? diffuse__add_operators(m, value) : (struct str){0};
    }
    struct str other = family_text(m);
    return diffuse__replace(
        m, layer,
        str_of(arena_printf(m->a, "torch.nn.Sequential(" STR_FMT ", " STR_FMT ")",
                            STR_ARG(text_of(m, layer)), STR_ARG(other))));
}

/* Does the way take the model? Not all take a lambda. */
static bool suits_model(const struct mutation *m, uint32_t model, const struct json *way)
{
    return json_get_bool(way, "lambda", true) || tree_kind(&m->was->tree, model) != PY_LAMBDA;
}

static struct str rule_api(struct mutation *m)
{
    const struct program_part *p = diffuse__draw_optimizer(m);
    const struct json *way = p ? draw_row(m, "ways", suits_model, p->model) : NULL;
    return way ? diffuse__put_call(m, p, json_get_str(way, "call", STR("{call}")))
               : (struct str){0};
}

/* Is the input made of floats, by a factory that takes its sizes? */
static bool is_float_factory(const struct mutation *m, uint32_t input)
{
    struct text_list names = framework_table_list(&m->reader->table, "float_factories", m->a);
    struct str callee = text_of(m, tree_child(&m->was->tree, input, FIELD_FUNCTION));
    bool found = false;
    for (size_t i = 0; i < names.n; i++)
        found |= str_eq(names.at[i], callee);
    return found;
}

/* How many sizes its factory is given; -1: that is not seen. */
static int64_t rank_of(const struct mutation *m, uint32_t input)
{
    const struct tree *t = &m->was->tree;
    uint32_t first = tree_first(t, tree_child(t, input, FIELD_ARGUMENTS));
    bool is_tuple = tree_kind(t, first) == PY_TUPLE || tree_kind(t, first) == PY_LIST;
    int64_t n = 0;
    if (!is_float_factory(m, input))
        return -1;
    for (uint32_t c = is_tuple ? tree_first(t, first) : first; c; c = tree_next(t, c)) {
        if (tree_kind(t, c) == PY_KEYWORD_ARGUMENT)
            continue;
        if (tree_kind(t, c) != PY_INTEGER)
            return -1;
        n++;
    }
    return n;
}

/* Does the row's change leave an input that can be made at all? What raises in front of the
 * optimiser says nothing about it. */
static bool suits_input(const struct mutation *m, uint32_t input, const struct json *row)
{
    enum { IMAGE = 4 };
    int64_t wanted = json_get_i64(row, "rank", 0), rank = rank_of(m, input);
    struct str text = text_of(m, input);
    if (str_is(json_get_str(row, "type", STR("")), "float"))
        return is_float_factory(m, input) && str_find(text, STR("dtype")) == text.n;
    return wanted == 0 || (wanted == IMAGE ? rank == IMAGE : rank < 0 || rank >= wanted);
}

static struct str rule_input(struct mutation *m)
{
    uint32_t input = draw_part(m, PART_INPUT);
    const struct json *row = input ? draw_row(m, "inputs", suits_input, input) : NULL;
    if (!row)
        return (struct str){0};
    const struct filling f = {"input", text_of(m, input)};
    return diffuse__replace(m, input,
                            diffuse__fill(json_get_str(row, "wrap", STR("{input}")), &f, 1, m->a));
}

static struct str of_list(struct mutation *m, const char *key, place_fn suits)
{
    uint32_t value = draw_result(m, suits);
    struct str template = value ? diffuse__draw(m, key) : (struct str){0};
    if (!template.n)
        return (struct str){0};
    return use_value(m, value, template);
}

static struct str rule_exception(struct mutation *m)
{
    return of_list(m, "raises", NULL);
}

static struct str rule_language(struct mutation *m)
{
    return of_list(m, "language", NULL);
}

/* A call of NumPy behind a model's result, between the two conversions. */
static struct str rule_numpy(struct mutation *m)
{
    uint32_t value = draw_result(m, may_be_tensor);
    if (!value)
        return (struct str){0};
    const struct filling f = {"call", diffuse__draw(m, "numpy")};
    struct str whole = json_get_str(m->reader->table.root, "numpy_result", STR("{call}"));
    struct str call = diffuse__fill(whole, &f, 1, m->a);
    return diffuse__add_call(m, value, call);
}

/* A number out of the range of an integer dtype becomes any integer, in eager another than
 * compiled, so what is converted to integers stays as small as it was written. */
static bool converts_to_integers(struct str pattern)
{
    static const char *const words[] = {".to(", ".int()", ".long()"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (str_find(pattern, str_of(words[i])) < pattern.n)
            return true;
    return false;
}

/* Some operators together that optimisers rewrite as one, on an operand (q) of four dims that
 * depends on the model's result, half of the time of another dtype or layout. */
static struct str rule_patterns(struct mutation *m)
{
    uint32_t value = draw_result(m, may_be_tensor);
    struct str pattern = value ? diffuse__draw(m, "patterns") : (struct str){0};
    struct str operand = json_get_str(m->reader->table.root, "pattern_operand", STR("{x}"));
    bool may_cast = rng_chance(m->rng, 0.5) && !converts_to_integers(pattern);
    const struct json *cast = may_cast ? draw_row(m, "inputs", NULL, 0) : NULL;
    if (!pattern.n)
        return (struct str){0};
    if (cast) {
        const struct filling f = {"input", operand};
        operand = diffuse__fill(json_get_str(cast, "wrap", STR("{input}")), &f, 1, m->a);
    }
    const struct filling f[] = {{"q", STR("q")}, {"operand", operand}};
    struct str call =
        str_of(arena_printf(m->a, "(lambda q: " STR_FMT ")({operand})", STR_ARG(pattern)));
    call = diffuse__fill(call, f, 2, m->a);
    return diffuse__add_call(m, value, call);
}

/* What Python says of numbers, texts and lists inside a model. */
static struct str rule_builtins(struct mutation *m)
{
    return of_list(m, "builtins", may_be_tensor);
}

static struct str rule_illogical(struct mutation *m)
{
    const struct program_part *p = diffuse__draw_optimizer(m);
    struct str template = p ? diffuse__draw(m, "illogical") : (struct str){0};
    if (!template.n)
        return (struct str){0};
    return diffuse__put_call(m, p, template);
}

/* A statement of one line in the module's own block. */
static uint32_t draw_line(struct mutation *m)
{
    struct nodes l = {0};
    const struct tree *t = &m->was->tree;
    for (uint32_t c = tree_first(t, 0); c; c = tree_next(t, c)) {
        struct str text = text_of(m, c);
        if (tree_kind(t, c) == PY_EXPRESSION_STATEMENT && str_find_byte(text, '\n') == text.n &&
            str_find_byte(text, '(') < text.n)
            vec_push(&l.at, m->a, c);
    }
    return draw_node(m, &l);
}

static struct str rule_location(struct mutation *m)
{
    uint32_t line = draw_line(m);
    struct str place = diffuse__draw(m, "places");
    const struct tree_node *n = tree_node(&m->was->tree, line);
    struct str text = m->was->source.text;
    bool alone = line && (n->start == 0 || text.at[n->start - 1] == '\n') &&
                 (n->end == text.n || text.at[n->end] == '\n');
    if (!alone || !place.n)
        return (struct str){0};
    return diffuse__replace(m, line,
                            str_of(arena_printf(m->a, STR_FMT "\n    " STR_FMT, STR_ARG(place),
                                                STR_ARG(text_of(m, line)))));
}

/* Does the expression use imported names only, so that it means the same anywhere? */
static bool stands_alone(const struct reading *r, uint32_t node)
{
    for (uint32_t n = node; n < tree_node(&r->tree, node)->next; n++) {
        const struct tree_node *t = tree_node(&r->tree, n);
        bool is_name =
            tree_kind(&r->tree, n) == PY_IDENTIFIER && t->field != FIELD_ATTRIBUTE &&
            !(tree_kind(&r->tree, t->parent) == PY_KEYWORD_ARGUMENT && t->field == FIELD_NAME);
        if (is_name && !str_is(tree_text(&r->tree, n), "torch"))
            return false;
    }
    return true;
}

/* An input of another member of the cluster in place of one here. */
static struct str rule_reason(struct mutation *m)
{
    uint32_t input = draw_part(m, PART_INPUT);
    if (!input || !m->n_others)
        return (struct str){0};
    uint32_t start = tree_node(&m->was->tree, input)->start,
             end = tree_node(&m->was->tree, input)->end;
    struct str own = m->was->source.text;
    struct reading other;
    struct str from = m->others[rng_below(m->rng, m->n_others)];
    if (!reading_make(m->reader, from, m->a, &other))
        return (struct str){0};
    struct mutation theirs = *m;
    theirs.was = &other;
    uint32_t found = draw_part(&theirs, PART_INPUT);
    if (!found || !stands_alone(&other, found))
        return (struct str){0};
    struct edit_set edits = {0};
    struct str text = tree_text(&other.tree, found);
    edit_add(&edits, m->a, start, end, text, 0);
    return edit_apply(&edits, own, m->a).text;
}

static const struct rule_row rules[] = {
    {"model", rule_model},         {"api", rule_api},
    {"input", rule_input},         {"exception", rule_exception},
    {"location", rule_location},   {"reason", rule_reason},
    {"language", rule_language},   {"numpy", rule_numpy},
    {"patterns", rule_patterns},   {"builtins", rule_builtins},
    {"illogical", rule_illogical}, {"recombine", diffuse__recombine},
    {"splice", diffuse__splice},
};

const struct rule_row *diffuse__rules(size_t *n)
{
    *n = COUNT_OF(rules);
    return rules;
}
