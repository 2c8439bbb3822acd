/*
 * Which node of the case a group of verdicts blames, and what a key says of it: the operator, those
 * that feed it, its dtype. A wrong result's culprit is found by localisation (reduce/localise.h)
 * and is in the verdict's place. The message of a refusal names the operator. The operators that
 * feed it are part of the key: when one of them gets a shape wrong, the next refuses it in the same
 * words whichever it was. A crash or a hang names nothing; its culprit is known when only one node
 * is left. In a reduced case with more nodes localisation finds it, also for refusals that name
 * none of the case's nodes.
 */
#include <stdlib.h>

#include <limits.h>
#include <string.h>

#include "judge/bucket_p.h"
#include "onnx/op.h"

/* A node goes by its name, or by that of its first output when it has none. */
static struct str label_of(const struct graph *g, const struct node *n)
{
    if (n->name.n > 0 || n->n_outputs == 0 || n->outputs[0] == VALUE_NONE)
        return n->name;
    return g->values.at[n->outputs[0]].name;
}

static bool is_labelled(const struct graph *g, const struct node *n, struct str label)
{
    return label.n > 0 && str_eq(label_of(g, n), label);
}

/* The node that the verdict blames; NULL: none is named, or the case is no graph. */
static const struct node *node_of_place(const struct group *g)
{
    const struct place *p = &g->verdict->place;
    for (size_t i = 0; g->top && p->node.n > 0 && i < g->top->nodes.n; i++)
        if (is_labelled(g->top, &g->top->nodes.at[i], p->node))
            return &g->top->nodes.at[i];
    return NULL;
}

static bool is_constant(const struct node *n)
{
    return str_is(n->op_type, "Constant");
}

/* The only node that computes something; NULL: there are more. */
static const struct node *only_node(const struct graph *top)
{
    const struct node *only = NULL;
    for (size_t i = 0; top && i < top->nodes.n; i++) {
        if (is_constant(&top->nodes.at[i]))
            continue;
        if (only)
            return NULL;
        only = &top->nodes.at[i];
    }
    return only;
}

/* The text of raw between two marks; false: it does not have them. */
static bool between(struct str raw, const char *before, const char *after, struct str *out)
{
    size_t at = str_find(raw, str_of(before));
    struct str rest = at < raw.n ? str_sub(raw, at + strlen(before), raw.n) : (struct str){0};
    size_t n = rest.n ? str_find(rest, str_of(after)) : 0;
    *out = str_sub(rest, 0, n);
    return n < rest.n;
}

/* The node that the message of a refusal names: "running Conv node. Name:'c0'", "Node (c0) Op
 * (Conv)". Without a name it is found if the graph has only one node of the operator. NULL: not
 * known, or made by an optimiser. */
static const struct node *refusing_node(const struct group *g)
{
    struct str raw = g->seen ? g->seen->message.raw : (struct str){0}, op, name;
    const struct node *found = NULL;
    if (!(between(raw, "running ", " node.", &op) && between(raw, " node. Name:'", "'", &name)) &&
        !(between(raw, "Node (", ") Op (", &name) && between(raw, ") Op (", ")", &op)))
        return NULL;
    for (size_t i = 0; g->top && i < g->top->nodes.n; i++) {
        const struct node *n = &g->top->nodes.at[i];
        if (!str_eq(n->op_type, op) || (name.n > 0 && !is_labelled(g->top, n, name)))
            continue;
        if (found)
            return NULL;
        found = n;
    }
    return found;
}

const struct node *culprit__find(const struct group *g)
{
    const struct node *n = node_of_place(g);
    if (n || g->class == BUG_WRONG_RESULT)
        return n;
    return g->class == BUG_WRONG_EXCEPTION ? refusing_node(g) : only_node(g->top);
}

void culprit__name(const struct group *g, struct str *node, struct str *op_type)
{
    const struct place *p = &g->verdict->place;
    *node = p->node.n > 0 || !g->culprit ? p->node : label_of(g->top, g->culprit);
    *op_type = p->op_type.n > 0 ? p->op_type : g->culprit ? g->culprit->op_type : g->called;
}

/* Adds the APIs that a program's failing run has called, in its order: "a\nb\n" gives "a,b". */
static void add_reached(struct str reached, struct strbuf *out)
{
    struct str rest = reached, name;
    bool is_first = true;
    while (str_split(&rest, '\n', &name)) {
        if (name.n == 0)
            continue;
        strbuf_adds(out, is_first ? "" : ",");
        strbuf_addstr(out, name);
        is_first = false;
    }
}

static bool is_one_dtype(const struct op_param_fact *p)
{
    return (p->dtypes & (p->dtypes - 1)) == 0;
}

/* The input that holds the node's data: one with the type parameter of the first output, else the
 * first that may have several dtypes. NULL: none, as for operators that run subgraphs. */
static const struct graph_value *data_input(const struct graph *top, const struct node *n)
{
    const struct op_param_fact *out = n->fact ? op_fact_output(n->fact, 0) : NULL;
    const struct graph_value *first = NULL;
    for (uint32_t i = 0; out && i < n->n_inputs; i++) {
        const struct op_param_fact *in = op_fact_input(n->fact, i);
        if (!in || n->inputs[i] == VALUE_NONE || in->mixed_types)
            continue;
        if (strcmp(in->type, out->type) == 0)
            return &top->values.at[n->inputs[i]];
        if (!first && !is_one_dtype(in))
            first = &top->values.at[n->inputs[i]];
    }
    return first;
}

const char *culprit__dtype(const struct group *g)
{
    const struct graph *top = g->top;
    const struct tensor *t =
        top || !g->seen ? NULL : tensors_find(&g->seen->outputs, g->verdict->place.output);
    if (!top)
        return t ? dtype_name(t->dtype) : "";
    if (g->culprit) {
        const struct graph_value *in = data_input(top, g->culprit);
        if (in && in->dtype != DTYPE_UNDEFINED)
            return dtype_name(in->dtype);
        if (g->culprit->n_outputs > 0 && g->culprit->outputs[0] != VALUE_NONE)
            return dtype_name(top->values.at[g->culprit->outputs[0]].dtype);
    }
    uint32_t value = graph_find_value(top, g->verdict->place.output);
    return value == VALUE_NONE ? "" : dtype_name(top->values.at[value].dtype);
}

static int by_text(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* An operator that feeds the culprit. */
struct producer {
    struct str op_type;
    const char *edge; /* name of the culprit's input; "": see edge_name */
};

/* "": the edge ends in the first input or, of operators that treat two inputs alike ("A" and "B"),
 * in another. */
static const char *edge_name(const struct node *n, uint32_t input)
{
    const struct op_param_fact *first = n->fact ? op_fact_input(n->fact, 0) : NULL;
    const struct op_param_fact *in = n->fact ? op_fact_input(n->fact, input) : NULL;
    bool is_plain =
        !first || !in || strcmp(first->name, in->name) == 0 || strcmp(first->name, "A") == 0;
    return is_plain ? "" : in->name;
}

static int by_producer(const void *a, const void *b)
{
    const struct producer *x = a, *y = b;
    int order = str_cmp(x->op_type, y->op_type);
    return order ? order : strcmp(x->edge, y->edge);
}

enum { PRODUCERS_MAX = 8 };

static size_t find_producers(const struct graph *top, const struct node *n, bool with_edges,
                             struct producer *out)
{
    size_t n_found = 0;
    for (uint32_t i = 0; i < n->n_inputs && n_found < PRODUCERS_MAX; i++) {
        const struct graph_value *in =
            n->inputs[i] == VALUE_NONE ? NULL : &top->values.at[n->inputs[i]];
        if (in && in->origin == ORIGIN_NODE && !is_constant(&top->nodes.at[in->origin_at]))
            out[n_found++] = (struct producer){top->nodes.at[in->origin_at].op_type,
                                               with_edges ? edge_name(n, i) : ""};
    }
    qsort(out, n_found, sizeof *out, by_producer);
    return n_found;
}

void culprit__add(const struct group *g, bool with_edges, struct strbuf *out)
{
    struct producer found[PRODUCERS_MAX];
    const struct node *n = g->culprit;
    const struct place *p = &g->verdict->place;
    if (!g->top) {
        add_reached(g->seen ? g->seen->reached : (struct str){0}, out);
        return;
    }
    strbuf_addstr(out, n && p->op_type.n == 0 ? n->op_type : p->op_type);
    if (!n || (p->op_type.n > 0 && !str_eq(n->op_type, p->op_type))) /* pattern: producers are in */
        return;
    size_t n_found = find_producers(g->top, n, with_edges, found);
    for (size_t i = 0; i < n_found; i++)
        if (i == 0 || by_producer(&found[i], &found[i - 1]) != 0)
            strbuf_printf(out, "%s%s%s" STR_FMT, i == 0 ? "<" : ",", found[i].edge,
                          found[i].edge[0] ? ":" : "", STR_ARG(found[i].op_type));
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

enum { AROUND_MAX = 8 };

static void add_word(struct str word, struct str *words, size_t *n)
{
    for (size_t i = 0; i < *n; i++)
        if (str_eq(words[i], word))
            return;
    if (*n < AROUND_MAX)
        words[(*n)++] = word;
}

/* Adds the words of a name that the engine made, without operators: "Conv_2_nchwc" gives nchwc. */
static void add_own_words(struct str name, struct str *words, size_t *n)
{
    for (size_t at = 0; at < name.n;) {
        size_t end = at;
        while (end < name.n && is_word_byte(name.at[end]))
            end++;
        struct str word = str_sub(name, at, end);
        if (word.n > 0 && !op_fact_find(STR(""), word, INT_MAX))
            add_word(word, words, n);
        at = end > at ? end : at + 1;
    }
}

static const struct node *node_named(const struct graph *top, struct str name)
{
    for (size_t i = 0; i < top->nodes.n; i++)
        if (is_labelled(top, &top->nodes.at[i], name))
            return &top->nodes.at[i];
    return NULL;
}

/* Adds what a node's name in the message says: of a node of the graph its operator, else the words
 * of the engine's own name. */
static void add_name(const struct graph *top, struct str name, struct str *words, size_t *n)
{
    if (name.n == 0)
        return;
    const struct node *node = node_named(top, name);
    uint32_t value = node ? (uint32_t)VALUE_NONE : graph_find_value(top, name);
    if (value != VALUE_NONE && top->values.at[value].origin == ORIGIN_NODE)
        node = &top->nodes.at[top->values.at[value].origin_at];
    if (node)
        add_word(node->op_type, words, n);
    else if (value == VALUE_NONE)
        add_own_words(name, words, n);
}

void culprit__add_around(const struct group *g, struct strbuf *out)
{
    static const struct {
        const char *before, *after;
    } marks[] = {{"Node (", ")"},      {"Name:'", "'"},     {"in node (", ")"},
                 {"parameter (", ")"}, {"operator (", ")"}, {"running ", " node"},
                 {"Output:", " "},     {"node '", "'"}};
    struct str words[AROUND_MAX], found;
    size_t n = 0;
    struct str raw = g->seen ? g->seen->message.raw : (struct str){0};
    if (!g->top || g->culprit)
        return;
    for (size_t i = 0; i < COUNT_OF(marks); i++)
        if (between(raw, marks[i].before, marks[i].after, &found))
            add_name(g->top, str_sub(found, 0, 80), words, &n);
    qsort(words, n, sizeof *words, by_text);
    for (size_t i = 0; i < n; i++) {
        strbuf_adds(out, i ? "," : "");
        strbuf_addstr(out, words[i]);
    }
}

void culprit__add_operators(const struct group *g, struct strbuf *out)
{
    struct str types[16];
    size_t n = 0;
    if (!g->top || g->culprit || g->verdict->place.op_type.n > 0) {
        culprit__add(g, false, out);
        return;
    }
    for (size_t i = 0; i < g->top->nodes.n && n < COUNT_OF(types); i++)
        if (!is_constant(&g->top->nodes.at[i]))
            types[n++] = g->top->nodes.at[i].op_type;
    qsort(types, n, sizeof *types, by_text);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && str_eq(types[i], types[i - 1]))
            continue;
        strbuf_adds(out, i ? "+" : "");
        strbuf_addstr(out, types[i]);
    }
}
